//! Tests that concern all notations: the vectors of the reference, and that what is written reads back.

use std::{fs, path::Path};

use super::*;

/// A file of the shared folder beside the crate, or `None` where it was not handed out.
fn shared(path: &str) -> Option<String> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    let text = fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: {} is not here", path.display());
    }
    text
}

fn dialect_of(style: &str) -> Dialect {
    let short = Dialect::from(Notation::Short);
    let wxf = Dialect::from(Notation::Wxf);
    match style {
        "zh" => Notation::Chinese.into(),
        "iccs" => Notation::Iccs.into(),
        "short" => short,
        "short-lossy" => Dialect { bars: Bars::Lost, ..short },
        "wxf" => wxf,
        "wxf-num" => Dialect { numbers: LeadingNumber::Piece, ..wxf },
        "wxf-axf" => Dialect { pawn_letters: PawnLetters::Red, ..wxf },
        "vn" => Notation::Viet.into(),
        other => panic!("unknown style in the vectors: {other}"),
    }
}

/// The answer of the reference in its own words, from what was read.
fn agrees(reading: &Reading, expect: &str) -> bool {
    let Some(error) = expect.strip_prefix("error: ") else {
        return matches!(reading, Reading::Move { mv, .. } if mv.to_string() == expect);
    };
    if let Some(moves) = error.strip_prefix("ambiguous ") {
        let Reading::Ambiguous { moves: read, .. } = reading else { return false };
        // The reference sorts the texts, the reading the squares.
        let mut read: Vec<String> = read.iter().map(Move::to_string).collect();
        read.sort();
        return read.join("/") == moves;
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
        let dialect = dialect_of(field("style"));
        let position = Position::from_fen(field("fen")).unwrap();
        let reading = read_as(field("text"), dialect, &position);
        tested += 1;
        if !agrees(&reading, field("expect")) {
            wrong.push(format!("{line}\n    {reading:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {tested} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(tested, 213);
}

/// Positions of real games, every `step`th of them, each with the moves that lead on.
fn real_positions(step: usize, mut visit: impl FnMut(&Position)) {
    let Some(text) = shared("data/expected.jsonl") else { return };
    for line in text.lines().step_by(step) {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut position = Position::from_fen(game["start_fen"].as_str().unwrap()).unwrap();
        for mv in game["moves"].as_str().unwrap().split_whitespace() {
            visit(&position);
            position.play(mv.parse().unwrap());
        }
    }
}

/// Every dialect that tells all moves apart.
fn exact_dialects() -> Vec<Dialect> {
    let mut dialects: Vec<Dialect> = Notation::ALL.map(Dialect::from).into();
    dialects.push(Dialect { bars: Bars::Reversed, ..Notation::Short.into() });
    dialects.push(Dialect { ranks: Ranks::FromZero, ..Notation::San.into() });
    for pawn_letters in [PawnLetters::Mover, PawnLetters::Red] {
        let numbers = LeadingNumber::Piece;
        dialects.push(Dialect { numbers, pawn_letters, ..Notation::Wxf.into() });
    }
    dialects
}

fn assert_reads_back(position: &Position) {
    let lost = Dialect { bars: Bars::Lost, ..Notation::Short.into() };
    for mv in position.legal_moves() {
        for dialect in exact_dialects() {
            let text = write_as(mv, dialect, position);
            let standard = Reading::Move { mv, deviations: Deviations::default() };
            let reading = read_as(&text, dialect, position);
            assert_eq!(reading, standard, "{text} for {mv} in {}", position.fen());
        }
        let text = write_as(mv, lost, position);
        match read_as(&text, lost, position) {
            Reading::Move { mv: only, .. } => assert_eq!(only, mv, "{text}"),
            Reading::Ambiguous { moves, .. } => assert!(moves.contains(&mv), "{text} for {mv}"),
            other => panic!("{text} for {mv} in {}: {other:?}", position.fen()),
        }
    }
}

/// The column `wxf` of the vectors is pyffish's own text of the expected move.
#[test]
fn wxf_is_written_as_fairy_stockfish_writes_it() {
    let Some(text) = shared("reference/vectors.jsonl") else { return };
    for line in text.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| vector[name].as_str().unwrap();
        if field("wxf").is_empty() {
            continue;
        }
        let position = Position::from_fen(field("fen")).unwrap();
        let written = write(field("expect").parse().unwrap(), Notation::Wxf, &position);
        assert_eq!(written, field("wxf"), "{line}");
    }
}

#[test]
fn shapes_are_told_apart_as_far_as_one_text_can() {
    for (text, notation) in [
        ("炮二平五", Some(Notation::Chinese)),
        ("马8进7", Some(Notation::Chinese)),
        ("炮25", Some(Notation::Short)),
        ("h2e2", Some(Notation::Iccs)),
        ("a10b10", Some(Notation::Uci)),
        ("C2.5", Some(Notation::Wxf)),
        ("X9/8", Some(Notation::Viet)),
        ("Cbe3", Some(Notation::San)),
        ("1.", None),
        ("红胜", None),
        ("", None),
    ] {
        assert_eq!(guess(text), notation, "{text}");
    }
}

#[test]
fn every_legal_move_of_real_games_reads_back() {
    real_positions(211, assert_reads_back);
}

/// Issue 3, must show 1. Some minutes in release: `cargo test --release --lib all_real_games -- --ignored`.
#[test]
#[ignore = "some minutes in release"]
fn every_legal_move_of_all_real_games_reads_back() {
    real_positions(1, assert_reads_back);
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

/// A board full of one piece, an empty one, and one with more stacks than a game allows: a file may hold any of them.
fn impossible_positions() -> Vec<Position> {
    let full = |letter: char| ["9"; 10].join("/").replace('9', &letter.to_string().repeat(9));
    [
        "9/9/9/9/9/9/9/9/9/9".to_owned(),
        full('P'),
        full('K'),
        "RRRRRRRRR/9/RRRRRRRRR/9/9/9/9/9/9/9".into(),
    ]
    .iter()
    .filter_map(|placement| Position::from_fen(&format!("{placement} w - - 0 1")).ok())
    .collect()
}

#[test]
fn any_form_on_any_board_is_answered() {
    let positions = impossible_positions();
    assert!(!positions.is_empty());
    for position in &positions {
        for n in [0, 1, 5, 9, 10, 127, 128, 255] {
            for kind in crate::board::Kind::ALL {
                for which in [
                    None,
                    Some(Which::Ordinal(n)),
                    Some(Which::Letter(n)),
                    Some(Which::RedLetter(n)),
                ] {
                    for (verb, last) in
                        [(None, n), (Some(glyph::Verb::Retreat), n), (None, 9 - n.min(9))]
                    {
                        let form = Form { which, file: Some(n), ..Form::neutral(kind, verb, last) };
                        form.resolve(position);
                        Form { file: None, last: None, ..form }.resolve(position);
                    }
                }
            }
        }
        for mv in position.legal_moves() {
            for dialect in exact_dialects() {
                write_as(mv, dialect, position);
            }
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_answered(text in "[炮马前二兵卒卯进平7８hHcCeE0-9+.=/_^tgs\u{332}！ ]{0,8}|\\PC{0,6}") {
        for position in impossible_positions().iter().chain(&[Position::start()]) {
            for dialect in exact_dialects() {
                if let Reading::Unknown { at } = read_as(&text, dialect, position) {
                    proptest::prop_assert!(text.is_char_boundary(at));
                }
            }
        }
    }
}
