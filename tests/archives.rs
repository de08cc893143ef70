//! Real archives: every game that an independent program has read must give the same moves.

use std::{fs, io::BufRead};

use qijian::run::{self, Options};
use serde_json::Value;

use crate::support::{self, shared};

/// Moves in which we differ from `expected.jsonl` by a reason that was looked into: the source and why.
const ARGUED: &[(&str, &str)] = &[];

/// Start position and main line of 10 931 XQF and PGN games, read by an independent program. Where that program
/// stopped at an impossible move, our line must stop there too.
#[test]
fn expected_moves() {
    let Some(data) = shared("data") else { return };
    let expected = fs::File::open(data.join("expected.jsonl")).unwrap();
    let options = Options { moves: true, ..Options::default() };
    let (mut games, mut plies) = (0, 0);
    let mut wrong = Vec::new();
    for line in std::io::BufReader::new(expected).lines() {
        let expected: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let source = expected["source"].as_str().unwrap();
        let number = expected["game"].as_u64().unwrap();
        let bytes = fs::read(data.join(source)).unwrap();
        let mut found = None;
        run::check(source, &bytes, true, &options, &mut |report| {
            if u64::from(report.game) == number {
                found = Some(report);
            }
        });
        games += 1;
        let Some(report) = found else {
            wrong.push(format!("{source}: game {number} not read"));
            continue;
        };
        let moves: Vec<String> =
            report.moves.unwrap_or_default().iter().map(ToString::to_string).collect();
        plies += moves.len();
        let start = report.start_fen.unwrap_or_default();
        let start: Vec<&str> = start.split(' ').take(2).collect();
        let ours = (start.join(" "), moves.join(" "));
        let theirs = (
            expected["start_fen"].as_str().unwrap().to_owned(),
            expected["moves"].as_str().unwrap().to_owned(),
        );
        if ours != theirs && ARGUED.iter().all(|(argued, _)| *argued != source) {
            wrong.push(format!(
                "{source}\n  ours   {} | {}\n  theirs {} | {}",
                ours.0, ours.1, theirs.0, theirs.1
            ));
        }
    }
    eprintln!("expected.jsonl: {games} games, {plies} plies, {} differ", wrong.len());
    assert!(games >= 10_931, "only {games} games");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The whole archive, with one job and with two: same bytes, exit status 1 (there are real errors in it), no panic.
#[test]
fn whole_archive_is_the_same_for_any_number_of_jobs() {
    let Some(_) = shared("data") else { return };
    let run = |jobs| {
        support::qijian(&[
            "check",
            "../shared/data",
            "--format",
            "jsonl",
            "--moves",
            "--jobs",
            jobs,
        ])
    };
    let (one, two) = (run("1"), run("2"));
    for output in [&one, &two] {
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(one.stdout == two.stdout, "the output depends on the number of jobs");
    let lines = support::lines(&one);
    assert!(lines.len() > 11_000);
    for line in &lines {
        let plies = line["plies"].as_u64().unwrap() as usize;
        assert_eq!(line["moves"].as_array().map_or(0, Vec::len), plies);
    }
}
