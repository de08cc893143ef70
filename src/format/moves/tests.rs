use super::*;
use crate::{finding::Locate, source::Encoding};

/// Start position, plies and comments of each game.
fn read_all(text: &str) -> Vec<(String, Vec<String>, Vec<String>)> {
    let text = Text::decode(text.as_bytes(), Encoding::Utf8);
    let mut games = Vec::new();
    read(&text, &mut |record| {
        let start = match &record.start {
            Start::Fen { text, .. } => text.to_string(),
            _ => String::new(),
        };
        let plies = record.tree.main_line().map(|id| match record.tree.node(id).written {
            Written::Text(text) => text.to_owned(),
            _ => "…".to_owned(),
        });
        let comments = record.tree.comments.iter().map(|comment| comment.text.to_string());
        assert_eq!(record.game as usize, games.len() + 1);
        games.push((start, plies.collect(), comments.collect()));
    });
    games
}

fn plies(text: &str) -> Vec<usize> {
    read_all(text).iter().map(|(_, plies, _)| plies.len()).collect()
}

#[test]
fn position_commands_of_ucci() {
    // reference/formats.md 6.2 has this example.
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let games = read_all(&format!("position fen {fen} moves h2e2 h9g7\nposition startpos\n"));
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].0, fen);
    assert_eq!(games[0].1, ["h2e2", "h9g7"]);
    assert!(games[1].1.is_empty());
    assert_eq!(plies("startpos moves h2e2 h9g7\n"), [2]);
    assert_eq!(plies("fen 4k4/9/9/9/9/9/9/9/9/4K4 w moves e0e1\n"), [1]);
}

#[test]
fn the_log_of_an_engine_is_one_game() {
    let log = "ucci\nposition startpos moves h2e2\ngo depth 8\ninfo depth 8 score 12 pv h9g7 h0g2\nbestmove h9g7\n\
               position startpos moves h2e2 h9g7 h0g2\nbestmove i9h9\n";
    let games = read_all(log);
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].1, ["h2e2", "h9g7", "h0g2"]);
    assert_eq!(games[0].2.len(), 5);
}

#[test]
fn a_fen_before_or_behind_its_moves() {
    let board = "3akab2/1R7/4b4/1Np1p4/9/7R1/9/9/4p1rn1/3A1K3";
    let fen = format!("{board} w");
    for text in [
        format!("{fen}\nb6c8e9e8\n{fen}\nb6c8\n"),
        format!("b6c8e9e8\n{board}w\nb6c8\n{board}w\n"),
        format!("{fen} moves b6c8 e9e8\n{board}w b6c8"),
        format!("{fen} - - 0 1 b6c8,e9e8\n\n{fen} 0 1 b6c8"),
    ] {
        let games = read_all(&text);
        assert_eq!(games.len(), 2, "{text}");
        assert!(games.iter().all(|game| game.0.starts_with(&fen)), "{games:?}");
        assert_eq!(games[0].1, ["b6c8", "e9e8"]);
        assert_eq!(games[1].1, ["b6c8"]);
    }
}

#[test]
fn entries_of_eglib() {
    let text = "甲|4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1\n乙|4k4/9/9/9/9/9/9/9/9/4K4 w|e0e1,e9e8\n";
    let games = read_all(text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].0, "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    assert_eq!((games[1].1.len(), &*games[1].2[0]), (2, "乙"));
    assert!(is_list(text));
}

#[test]
fn only_a_letter_behind_a_whole_rank_is_the_side() {
    let spaced = |fen: &str| line::spaced_fen(fen).into_owned();
    assert_eq!(spaced("4k4/9/9/9/9/9/9/9/9/4K4b - - 0 1"), "4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1");
    assert_eq!(spaced("4k4/9/9/9/9/9/9/9/9/4K4w--01"), "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    // An elephant in the corner is no side.
    assert_eq!(spaced("4k4/9/9/9/9/9/9/9/9/4K3b"), "4k4/9/9/9/9/9/9/9/9/4K3b");
    assert_eq!(spaced("w"), "w");
    assert_eq!(spaced(""), "");
}

#[test]
fn one_game_a_line_and_one_game_on_many() {
    let three = "h2e2 h9g7 h0g2 i9h9\nh2e2 h7e7 h0g2 b9c7\nc3c4 b7c7 h2e2 c9e7\n";
    assert_eq!(plies(three), [4, 4, 4]);
    assert_eq!(plies("炮二平五 马8进7 马二进三\n炮二平五 炮8平5 马二进三 马8进7"), [3, 4]);
    // The same game, one ply, one round, and as many as fit on a line.
    assert_eq!(plies("h2e2\nh9g7\nh0g2\ni9h9\n"), [4]);
    assert_eq!(plies("h2e2 h9g7\nh0g2 i9h9\ni0h0 b9c7\n"), [6]);
    assert_eq!(plies("h2e2 h9g7 h0g2\ni9h9 i0h0 b9c7\nc3c4 g6g5 h0h6"), [9]);
    // Results and titles end games.
    assert_eq!(plies("h2e2 h9g7 1-0\nh2e2 h9g7 和棋\n\nh2e2"), [2, 2, 1]);
    assert_eq!(plies("甲 - 乙\nh2e2 h9g7\n丙 - 丁\nb2e2 b9c7"), [2, 2]);
}

#[test]
fn titles_and_remarks_are_comments() {
    let games = read_all("第一局\n# by hand\nh2e2 h9g7\n# end\n");
    assert_eq!(games[0].2, ["第一局", "# by hand", "# end"]);
}

#[test]
fn what_is_no_move_is_kept_for_the_replay() {
    let games = read_all("h2e2 xxxx h0g2 --- i0h0\n");
    assert_eq!(games[0].1, ["h2e2", "xxxx", "h0g2", "…", "i0h0"]);
}

#[test]
fn places_are_exact() {
    let source = "\u{FEFF}标题\r\nh2e2 h9g7\r\n  h0g2\r\n";
    let text = Text::decode(source.as_bytes(), Encoding::Utf8);
    read(&text, &mut |record| {
        let last = record.tree.main_line().last().unwrap();
        let place = text.place(record.tree.node(last).span);
        assert_eq!((place.line, place.column, place.offset), (Some(3), Some(3), Some(24)));
    });
}

#[test]
fn lists_are_told_from_other_texts() {
    for list in [
        "h2e2h9g7h0g2",
        "position startpos moves h2e2",
        "4k4/9/9/9/9/9/9/9/9/4K4 w",
        "炮二平五 马8进7\n炮二平五 炮8平5",
        "ZHAO GuoRong - KE YongQing\nCup 1997 EOD\nh2e2 h9g7 h0g2 i9h9 c3c4 g6g5 b0c2 b9c7 i0i1 c9e7 i1f1 h7h5",
    ] {
        assert!(is_list(list), "{list}");
    }
    for other in [
        "",
        "h2e2",
        "1. h2e2 h9g7",
        "[Event \"x\"]\nh2e2 h9g7",
        "Moves such as h2e2 and h9g7 are quoted in this text.",
        "红方先行，黑方应走车8进5。",
        "{\"moves\": \"h2e2 h9g7\"}",
        "h2e2 {remark} h9g7",
    ] {
        assert!(!is_list(other), "{other}");
    }
}

#[test]
fn a_huge_line_is_read_once() {
    let glued = "h2e2h9g7".repeat(50_000);
    assert_eq!(plies(&glued), [100_000]);
    let words = "炮".repeat(300_000);
    assert!(read_all(&words).is_empty());
    let spaces = " ".repeat(300_000) + "h2e2 h9g7";
    assert_eq!(plies(&spaces), [2]);
}
