//! Tests that concern all notations: the vectors of the reference, and that what is written reads back.

use std::{fs, path::Path};

use super::*;

/// A file of the shared folder beside the crate, or `None` where it was not handed out.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn shared(path: &str) -> Option<String> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    let text = fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: {} is not here", path.display());
    }
    text
}

fn notation_of(style: &str) -> Option<Notation> {
    match style {
        "zh" => Some(Notation::Chinese),
        "iccs" => Some(Notation::Iccs),
        _ => None,
    }
}

/// The answer of the reference in its own words, from what was read.
fn agrees(reading: &Reading, expect: &str) -> bool {
    let Some(error) = expect.strip_prefix("error: ") else {
        return matches!(reading, Reading::Move { mv, .. } if mv.to_string() == expect);
    };
    if let Some(moves) = error.strip_prefix("ambiguous ") {
        return matches!(reading, Reading::Ambiguous { moves: read, .. }
            if read.iter().map(Move::to_string).collect::<Vec<_>>().join("/") == moves);
    }
    let reason = match reading {
        Reading::Illegal { reason, .. } => Some(*reason),
        Reading::Unknown { .. } => None,
        _ => return false,
    };
    match error {
        "bad number" | "number missing" | "unknown character 跑" => reason.is_none(),
        "no such piece on that file"
        | "qualifier but no tandem"
        | "no middle piece"
        | "ordinal out of range" => reason == Some(Reason::NoSuchPiece),
        "empty origin" => reason == Some(Reason::EmptySquare),
        "wrong side (possible omitted move)" => reason == Some(Reason::WrongSide),
        "no such destination" => {
            matches!(reason, Some(Reason::OffBoard | Reason::Shape))
        }
        "this piece cannot move sideways" | "pawn cannot retreat" => reason == Some(Reason::Shape),
        "own king in check or kings facing" => {
            matches!(reason, Some(Reason::GeneralsFacing | Reason::InCheck))
        }
        "not a legal piece move" => reason
            .is_some_and(|reason| (Reason::OwnPiece..Reason::GeneralsFacing).contains(&reason)),
        other => panic!("unknown error in the vectors: {other}"),
    }
}

#[test]
fn vectors_of_the_reference() {
    let Some(text) = shared("reference/vectors.jsonl") else { return };
    let mut wrong = Vec::new();
    let mut tested = 0;
    for line in text.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| vector[name].as_str().unwrap();
        let Some(dialect) = notation_of(field("style")) else { continue };
        let position = Position::from_fen(field("fen")).unwrap();
        let reading = read(field("text"), dialect, &position);
        tested += 1;
        if !agrees(&reading, field("expect")) {
            wrong.push(format!("{line}\n    {reading:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {tested} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tested > 0);
}

/// Positions of real games, every `step`th of them, each with the moves that lead on.
fn real_positions(step: usize, mut visit: impl FnMut(&Position)) {
    let Some(text) = shared("data/expected.jsonl") else { return };
    for line in text.lines().step_by(step) {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let Ok(mut position) = Position::from_fen(game["start_fen"].as_str().unwrap()) else {
            continue;
        };
        for mv in game["moves"].as_str().unwrap().split_whitespace() {
            visit(&position);
            position.play(mv.parse().unwrap());
        }
    }
}

fn assert_reads_back(position: &Position) {
    for mv in position.legal_moves() {
        for notation in [Notation::Chinese, Notation::Iccs] {
            let text = write(mv, notation, position);
            let standard = Reading::Move { mv, deviations: Deviations::default() };
            assert_eq!(
                read(&text, notation, position),
                standard,
                "{text} for {mv} in {}",
                position.fen()
            );
        }
    }
}

#[test]
fn every_legal_move_of_real_games_reads_back() {
    real_positions(211, assert_reads_back);
}

#[test]
fn every_legal_move_with_stacked_pawns_reads_back() {
    for placement in [
        "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3",
        "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3",
        "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3",
        "4k4/3P1P3/4P4/3P1P3/9/9/9/9/9/3K5",
        "4k4/2P3P2/6P2/2P3P2/9/9/9/9/9/3K5",
        "3k5/9/9/9/7R1/9/7R1/9/9/4K4",
        "3k5/9/9/9/6N2/9/6N2/9/9/4K4",
        "5k3/9/9/9/9/9/9/3A5/9/3AK4",
        "3k5/9/9/9/9/2B6/9/9/9/2B1K4",
    ] {
        assert_reads_back(&Position::from_fen(&format!("{placement} w - - 0 1")).unwrap());
        // The same for Black: the board turned by half a turn.
        let turned: String = placement
            .chars()
            .rev()
            .map(|c| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            })
            .collect();
        assert_reads_back(&Position::from_fen(&format!("{turned} b - - 0 1")).unwrap());
    }
}
