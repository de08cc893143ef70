//! The examples of `src/finding/CODES.md`: each record shown gives its code, and the corrected one gives no finding.

use std::{collections::BTreeMap, fs};

use qijian::{
    finding::Code,
    run::{self, Options},
};

use crate::support::root;

/// Codes of bytes rather than of text, whose examples are described in words and for which `samples/` has a file each;
/// and codes of `convert` and of records too long to show, whose examples are sessions.
const IN_WORDS: &[Code] = &[
    Code::UNKNOWN_FORMAT,
    Code::TRUNCATED,
    Code::TRAILING_DATA,
    Code::BAD_FIELD,
    Code::UNREADABLE,
    Code::ARCHIVE_LIMIT,
    Code::ARCHIVE_MEMBER,
    Code::NOT_REPRESENTABLE,
    Code::TAG_ADAPTED,
    Code::DELETED_RECORD,
    Code::NOT_REPAIRED,
    Code::TAG_NAME,
    Code::DUPLICATE_GAME,
    Code::UNDECODABLE_TEXT,
    Code::TEXT_ENCODING,
    Code::MIXED_ENCODINGS,
    Code::TARGET_AMBIGUOUS,
    Code::NATURAL_LIMIT_REACHED,
    Code::NATURAL_LIMIT_CLAIM_TRUE,
    Code::OMISSION_FOUL,
    Code::OUT_OF_TURN,
    Code::SHEETS_DISAGREE,
    Code::RECONSTRUCTED,
    Code::PLACES_TO_LOOK,
];

/// The records of one code: those at fault, and the same corrected.
#[derive(Default)]
struct Examples {
    faulty: Vec<String>,
    corrected: Vec<String>,
}

/// The fenced records of every section of `CODES.md`; shell sessions are left out.
fn examples() -> BTreeMap<Code, Examples> {
    let text = fs::read_to_string(root().join("src/finding/CODES.md")).unwrap();
    let mut found: BTreeMap<Code, Examples> = BTreeMap::new();
    let mut code = None;
    let mut heading = "";
    let mut fence: Option<String> = None;
    for line in text.lines() {
        match &mut fence {
            Some(record) if line == "```" => {
                let examples = found.entry(code.expect("a fence stands in a section")).or_default();
                match heading {
                    _ if record.starts_with("$ ") => {}
                    "例" | "Example" | "例 Example" => examples.faulty.push(record.clone()),
                    "改正" | "Corrected" | "改正 Corrected" => {
                        examples.corrected.push(record.clone());
                    }
                    other => panic!("a record under {other}"),
                }
                fence = None;
            }
            Some(record) => {
                record.push_str(line);
                record.push('\n');
            }
            None if line.starts_with("```") => fence = Some(String::new()),
            None => {
                if let Some(title) = line.strip_prefix("## ") {
                    let name = title.split(' ').next().unwrap();
                    code = Some(name.parse().expect("a section is headed by its code"));
                } else if let Some(title) = line.strip_prefix("### ") {
                    heading = title;
                }
            }
        }
    }
    found
}

/// The codes that a record gives, as a file of its own.
fn codes(record: &str) -> Vec<Code> {
    let mut found = Vec::new();
    run::check("example.pgn", record.as_bytes(), true, &Options::default(), &mut |report| {
        found.extend(report.findings.iter().map(|finding| finding.code));
    });
    found
}

#[test]
fn faulty_examples_give_their_code_and_corrected_ones_none() {
    let examples = examples();
    let mut wrong = Vec::new();
    // Codes of events come from `standings`; their examples are sessions, which tests/tournaments.rs runs.
    let of_events = |code: &Code| code.matches_prefix("QJ9");
    for code in Code::all().filter(|code| !IN_WORDS.contains(code) && !of_events(code)) {
        let Some(Examples { faulty, corrected }) = examples.get(&code) else {
            wrong.push(format!("{code} shows no record"));
            continue;
        };
        if faulty.is_empty() || corrected.is_empty() {
            wrong.push(format!("{code} lacks an example or its correction"));
        }
        for record in faulty {
            let found = codes(record);
            if found.iter().any(|other| *other != code) || found.is_empty() {
                wrong.push(format!("{code}, example: {found:?}\n{record}"));
            }
        }
        for record in corrected {
            let found = codes(record);
            if !found.is_empty() {
                wrong.push(format!("{code}, corrected: {found:?}\n{record}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_described_in_words_shows_no_faulty_record() {
    let examples = examples();
    for code in IN_WORDS {
        let faulty = examples.get(code).map_or(0, |examples| examples.faulty.len());
        assert_eq!(faulty, 0, "{code} can be run: take it off the list");
        for record in examples.get(code).map_or(&[][..], |examples| &examples.corrected) {
            assert_eq!(codes(record), [], "{code}, corrected:\n{record}");
        }
    }
}
