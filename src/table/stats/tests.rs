use super::*;
use crate::{
    finding::{Code, Finding, Words},
    table::study::tests::study,
};

fn asked(tables: &[&str], by: &[By]) -> Asked {
    Asked {
        tables: tables.iter().map(|name| named(name).unwrap()).collect(),
        by: by.to_vec(),
        min_games: 1,
        limit: None,
        depth: 3,
        players: Vec::new(),
    }
}

/// Eight games: 甲 wins four of six against 乙, once as Black; two are drawn; two games of 丙 have no result.
fn games() -> Vec<Study> {
    let game = |red, black, result, year, moves| {
        let mut study = study(moves, &[("red", red), ("black", black), ("date", year)]);
        study.report.result = result;
        study.report.termination = if result == "1/2-1/2" { "agreement" } else { "unstated" };
        study
    };
    let cannon = "h2e2 h9g7 e2e6";
    let mut games = vec![
        game("甲", "乙", "1-0", "2001", cannon),
        game("甲", "乙", "1-0", "2001", cannon),
        game("甲", "乙", "1-0", "2002", "h2e2 h7e7"),
        game("乙", "甲", "0-1", "2002", "h2e2 h9g7"),
        game("甲", "乙", "1/2-1/2", "2002", "c3c4 g6g5"),
        game("乙", "甲", "1/2-1/2", "", "c3c4 b7c7"),
        game("丙", "甲", "*", "2003", "h0g2"),
        game("丙", "乙", "*", "2003", "h0g2"),
    ];
    for verdict in ["draw", "draw", "red_loses"] {
        let finding = Finding::new(Code::REPETITION_RULING, Words::new("", ""));
        games[4].report.findings.push(finding.with("verdict", verdict));
    }
    games
}

fn grids(asked: Asked, pieces: usize) -> Vec<Grid> {
    asked.check().unwrap();
    let mut sums = Sums::new(asked.clone());
    for part in games().chunks(pieces) {
        let mut gathered = Gathered::default();
        part.iter().for_each(|study| gathered.add(study, &asked, &Names::default()));
        sums.add(gathered).unwrap();
    }
    sums.finish().unwrap()
}

fn rows(table: &str, by: &[By]) -> Vec<String> {
    let grid = grids(asked(&[table], by), 8).remove(0);
    let shown = |figure: &Figure| match figure {
        Figure::Null => "-".to_owned(),
        Figure::Text(text) => text.clone(),
        Figure::Count(count) => count.to_string(),
        Figure::Real(real) => format!("{real:.2}"),
        Figure::Share { part, of } => format!("{part}/{of}"),
    };
    grid.rows.iter().map(|row| row.iter().map(shown).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn results_count_known_games_only() {
    assert_eq!(rows("results", &[]), ["8 3 2 1 2 3/6 2/6 1/6 4/6"]);
    assert_eq!(
        rows("years", &[]),
        [
            "2001 2 2 0 0 0 2/2 0/2 0/2 2/2",
            "2002 3 1 1 1 0 1/3 1/3 1/3 1.5/3",
            "2003 2 0 0 0 2 0/0 0/0 0/0 0/0",
            "- 1 0 1 0 0 0/1 1/1 0/1 0.5/1"
        ]
    );
}

#[test]
fn players_are_counted_on_both_sides() {
    assert_eq!(
        rows("players", &[]),
        ["乙 7 2 0 2 4 1 0/6 1/6", "甲 7 4 4 2 0 1 4/6 5/6", "丙 2 2 0 0 0 2 0/0 0/0"]
    );
    assert_eq!(rows("head-to-head", &[])[0], "乙 甲 6 2 0 2 4 0 0/6 1/6");
    assert_eq!(rows("activity", &[])[1], "甲 7 2001 2003 3 3 1");
    // Every game counts for both sides.
    assert_eq!(rows("results", &[By::Side]), ["black 8 1 2 3 2 1/6 2/6", "red 8 3 2 1 2 3/6 4/6"]);
}

#[test]
fn moves_captures_and_causes() {
    assert_eq!(
        rows("first-moves", &[]),
        [
            "* 8 3 2 1 2 3/6 2/6 1/6 4/6",
            "炮二平五 4 3 0 1 0 3/4 0/4 1/4 3/4",
            "兵七进一 2 0 2 0 0 0/2 2/2 0/2 1/2",
            "马二进三 2 0 0 0 2 0/0 0/0 0/0 0/0"
        ]
    );
    assert_eq!(rows("plies", &[]), ["1 8 0 0 0/8 0/8", "2 6 0 0 0/6 0/6", "3 2 2 0 2/2 0/2"]);
    assert_eq!(rows("first-captures", &[]), ["0 9 2 2/8 2/8", "- - 6 6/8 -"]);
    assert_eq!(rows("draws", &[]), ["agreement 2 2/2"]);
    assert_eq!(rows("limits", &[]), ["QJ501 draw 2 1", "QJ501 red_loses 1 1"]);
    // One game, whatever the verdicts.
    assert_eq!(rows("findings", &[]), ["QJ501 info 3 1"]);
    assert_eq!(rows("lengths", &[]), ["0 9 8 8/8 3/6 2/6 1/6"]);
    assert_eq!(
        rows("tree", &[])[..2],
        [
            "1 炮二平五 4 4/8 3 0 1 0 3/4 0/4 1/4 3/4",
            "2 炮二平五 马8进7 3 3/4 2 0 1 0 2/3 0/3 1/3 2/3"
        ]
    );
    let pawns = rows("pieces", &[]).into_iter().find(|row| row.starts_with("black 卒"));
    assert_eq!(pawns.as_deref(), Some("black 卒 8 38 4.75 38/40 0 0/8"));
}

/// The parts in which games are counted do not matter.
#[test]
fn sums_of_sums_are_sums() {
    let names: Vec<&str> = all().map(|table| table.name).collect();
    let whole = grids(asked(&names, &[]), 8);
    for pieces in [1, 3] {
        assert_eq!(grids(asked(&names, &[]), pieces), whole);
    }
    assert_eq!(whole.len(), names.len());
    for grid in &whole {
        assert!(grid.rows.iter().all(|row| row.len() == grid.columns.len()), "{}", grid.name);
    }
}

#[test]
fn tables_are_split_where_that_has_a_meaning() {
    assert_eq!(rows("draws", &[By::Year]), ["2002 agreement 1 1/1", "- agreement 1 1/1"]);
    assert_eq!(rows("results", &[By::Player, By::Year])[0], "丙 2003 2 0 0 0 2 0/0 0/0");
    assert_eq!(rows("results", &[By::Year, By::Year]), rows("years", &[]));
    assert!(asked(&["plies"], &[By::Player]).check().is_err());
    assert!(asked(&["names"], &[By::Year]).check().is_err());
}

/// Programs find the same columns where nothing is counted.
#[test]
fn no_game_changes_no_column() {
    let names: Vec<&str> = all().map(|table| table.name).collect();
    let full = grids(asked(&names, &[]), 8);
    let empty = Sums::new(asked(&names, &[])).finish().unwrap();
    for (full, empty) in full.iter().zip(&empty) {
        assert_eq!(full.plain_columns(), empty.plain_columns(), "{}", full.name);
    }
}

#[test]
fn a_grid_becomes_parquet() {
    let grid = grids(asked(&["players"], &[]), 8).remove(0);
    let bytes = parquet(&grid).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn rows_left_out_are_told() {
    let asked = Asked { limit: Some(1), ..asked(&["players"], &[]) };
    let grid = grids(asked, 8).remove(0);
    assert_eq!(grid.rows.len(), 1);
    assert!(grid.note.en.contains("2 more rows"));
}
