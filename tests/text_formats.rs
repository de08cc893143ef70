//! The grammars of the text formats and their readers: what a grammar generates is known for its format, is read without
//! a fault of form, and every ply, tag and comment of it is there.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;

use bnf::{Grammar, RandomWalk};
use qijian::{
    finding::Code,
    format::{self, Format},
    source::Encoding,
};

use crate::support::root;

const SENTENCES: usize = 2_000;

/// What a reader made of a text.
#[derive(Default)]
struct Read {
    games: usize,
    plies: usize,
    tags: usize,
    comments: usize,
    faults: usize,
}

fn read(text: &str, format: Format) -> Read {
    let mut read = Read::default();
    format::read(text.as_bytes(), format, None, &mut |record, _, _| {
        read.games += 1;
        read.plies += record.tree.len() + record.after_end.len();
        read.tags += record.tags.len();
        read.comments += record.tree.comments.len();
        let faulty = |code: Code| {
            [Code::BAD_SYNTAX, Code::TRUNCATED, Code::TRAILING_DATA, Code::BAD_FIELD]
                .contains(&code)
        };
        read.faults += record.findings.iter().filter(|finding| faulty(finding.code)).count();
    });
    read
}

/// Calls `check` with sentences of `file`, of bounded length.
fn sentences(file: &str, mut check: impl FnMut(&str)) {
    let text = fs::read_to_string(root().join("grammars").join(file)).unwrap();
    let grammar: Grammar = text.parse().unwrap();
    let mut walk = RandomWalk::from_seed([7; 32]);
    for _ in 0..SENTENCES {
        let sentence = grammar.generate_seeded_with_strategy(&mut walk).unwrap();
        if sentence.len() < 20_000 {
            check(&sentence);
        }
    }
}

#[test]
fn dhtmlxq() {
    sentences("dhtmlxq.bnf", |text| {
        assert_eq!(format::sniff(text.as_bytes(), None), Some(Format::Dhtmlxq), "{text}");
        let read = read(text, Format::Dhtmlxq);
        assert_eq!((read.games, read.faults), (1, 0), "{text}");
        // Each value of digits between tags is a list of plies; of the same route the first counts.
        let lists: Vec<&str> = text
            .split("[DhtmlXQ_mov")
            .skip(1)
            .filter_map(|part| part.split_once(']')?.1.split_once('['))
            .map(|(digits, _)| digits)
            .collect();
        assert!(!lists.is_empty() && read.plies >= lists.last().unwrap().len() / 4, "{text}");
    });
}

#[test]
fn wxf_file() {
    sentences("wxf-file.bnf", |text| {
        assert_eq!(format::sniff(text.as_bytes(), None), Some(Format::Wxf), "{text}");
        let read = read(text, Format::Wxf);
        let plies = if text.contains("2. ") { 3 } else { 2 };
        assert_eq!((read.games, read.faults, read.plies), (1, 0, plies), "{text}");
        assert_eq!(
            read.comments,
            text.matches("/*").count() - text.matches("/**/").count(),
            "{text}"
        );
        assert!(read.tags > text.matches("DATE").count(), "{text}");
    });
}

#[test]
fn ubb() {
    sentences("ubb.bnf", |text| {
        let read = read(text, Format::Ubb);
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        assert_eq!((read.faults, read.plies), (0, digits / 4), "{text}");
    });
}

#[test]
fn che() {
    sentences("che.bnf", |text| {
        let read = read(text, Format::Che);
        assert_eq!((read.games, read.faults, read.plies), (1, 0, 2), "{text}");
    });
}

/// Any file as any format: the user may name the wrong one.
#[test]
fn every_sample_as_every_format() {
    for entry in fs::read_dir(root().join("samples")).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        for format in Format::ALL {
            for length in (0..=bytes.len()).step_by(bytes.len() / 20 + 1) {
                format::read(&bytes[..length], format, None, &mut |record, _, _| {
                    assert!(record.tree.len() <= length, "{}: {format:?}", path.display());
                });
            }
        }
    }
}

proptest::proptest! {
    /// Bytes that look a little like the formats.
    #[test]
    fn any_bytes_as_any_format(
        parts in proptest::collection::vec(
            proptest::sample::select(&[
                "[DhtmlXQ]", "[/DhtmlXQ]", "[DhtmlXQ_movelist]", "[DhtmlXQ_move_0_1_1]", "[DhtmlXQ_binit]", "7747", "\\u00",
                "||", "&#x", "7747aaX00", "[DHJHtmlXQ_31]", "[/comment_", "FORMAT WXF\n", "RED ;;;\n", "START{", "}END", "/*", "*/",
                "C2.5 ", "1.", "\u{5}7C-4C", "\u{5}Moves", "\u{4}Ends", "\0", "\u{1}", " 32 ", "2 ", "炮", "\n",
            ][..]),
            0..40,
        ),
    ) {
        let text = parts.concat();
        for format in Format::ALL {
            format::read(text.as_bytes(), format, Some(Encoding::Utf8), &mut |record, _, _| {
                assert!(record.span.end as usize <= text.len());
                for finding in &record.findings {
                    assert!(finding.place.offset.is_none_or(|offset| offset <= text.len() as u64));
                }
            });
        }
        let _ = format::sniff(text.as_bytes(), None);
    }
}
