//! Reports for tests.

use serde_json::Value;

use super::{GameReport, Rest, Tally};
use crate::{
    board::Side,
    finding::{Code, Excerpt, Finding, Place, Words},
};

/// The start position (article 1.3), Red to move.
pub(super) const START: &str =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// 1. 炮二平五 马8进7 2. 马八进六, a hobbled horse on line 12.
pub(super) fn illegal_horse() -> GameReport {
    let mut report = GameReport::new("samples/a.pgn", 1);
    report.format = Some("pgn");
    report.encoding = Some("utf-8");
    report.notation = Some("chinese");
    report.tags = [("event", "全国个人赛"), ("red", "甲"), ("black", "乙")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .to_vec();
    report.start_fen = Some(START.to_owned());
    report.plies = 2;
    report.moves = Some(["h2e2", "h9g7"].map(|mv| mv.parse().unwrap()).to_vec());
    report.rest = Some(Rest {
        from_ply: 3,
        moves: Vec::new(),
        texts: vec!["马八进六".to_owned(), "卒7进1".to_owned()],
        status: "unreadable",
    });
    report.final_fen =
        Some("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2".to_owned());
    report.counts.games = Tally { read: 1, written: 1, refused: 0 };
    report.counts.nodes = Tally { read: 4, written: 2, refused: 2 };
    report.findings.push(horse_finding("1. 炮二平五 马８进7 2. 马八进六 卒7进1"));
    report
}

/// The finding on the last 马八进六 of `line`, which is line 12.
pub(super) fn horse_finding(line: &str) -> Finding {
    let start = line.rfind("马八进六").unwrap();
    let column = line[..start].chars().count() as u32 + 1;
    let mut finding =
        Finding::new(Code::ILLEGAL_MOVE, Words::new("马腿被蹩", "the horse is hobbled"))
            .ply(3, 2, Side::Red)
            .text("马八进六")
            .at(Place {
                line: Some(12),
                column: Some(column),
                offset: Some(345),
                excerpt: Some(Excerpt { line: line.to_owned(), range: start..start + 12 }),
            })
            .help(Words::new("核对原谱", "check the original record"))
            .with("reason", Value::from("horse_leg"));
    finding.board =
        Some("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2".to_owned());
    finding
}
