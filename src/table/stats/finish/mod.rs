//! From sums to what is printed: rates with intervals, means, medians, bins, ranks. One module a kind of table.

mod lists;
mod outcomes;
mod players;
mod spread;

use crate::{
    finding::Words,
    report::{Figure, Grid, GridColumn},
};

use super::{Asked, Base, Spec};

/// Sums of one group: the values of `--by`, those of the table's keys, and its measures.
struct Row {
    by: Vec<Figure>,
    keys: Vec<Figure>,
    sums: Vec<i64>,
}

/// The table from `rows` of keys and sums; `extra` keys in front are those of `--by`.
pub(super) fn grid(
    table: &'static Spec,
    rows: Vec<Vec<Figure>>,
    extra: usize,
    asked: &Asked,
    base: Base,
) -> Grid {
    let own =
        table.keys.iter().filter(|key| asked.by.iter().all(|by| by.as_str() != **key)).count();
    let shared = table.keys.len() - own;
    let measures = table.measures.len();
    let mut rows: Vec<Row> = rows
        .into_iter()
        .filter(|row| row.len() >= measures)
        .map(|mut row| {
            let sums = row.split_off(row.len() - measures);
            let sums = sums.into_iter().map(|sum| if let Figure::Count(n) = sum { n } else { 0 });
            let sums = sums.collect();
            let keys = row.split_off((extra + shared).min(row.len()));
            Row { by: row, keys, sums }
        })
        .collect();
    if table.ranked {
        rows.sort_by(|a, b| by_order(&a.by, &b.by).then(b.sums[0].cmp(&a.sums[0])));
        rows.retain(|row| row.sums[0] >= asked.min_games);
    }
    let by: Vec<GridColumn> = asked.by.iter().map(|by| key_column(by.as_str())).collect();
    let keys: Vec<&str> = table
        .keys
        .iter()
        .copied()
        .filter(|key| asked.by.iter().all(|by| by.as_str() != *key))
        .collect();
    let mut grid = Grid {
        name: table.name.to_owned(),
        title: table.title(),
        note: table.note(),
        columns: by,
        rows: Vec::new(),
        drawn: None,
    };
    match table.name {
        "lengths" => spread::lengths(&mut grid, rows),
        "plies" => spread::plies(&mut grid, rows),
        "first-captures" => spread::first_captures(&mut grid, rows),
        "draws" | "ecco-tags" => lists::shares(&mut grid, rows, keys[0]),
        "limits" => lists::limits(&mut grid, rows),
        "findings" => lists::findings(&mut grid, rows),
        "pieces" => lists::pieces(&mut grid, rows),
        "activity" => players::activity(&mut grid, rows, asked),
        "names" => players::names(&mut grid, rows),
        "first-moves" => outcomes::first_moves(&mut grid, rows, base),
        "tree" => outcomes::tree(&mut grid, rows, asked),
        _ => {
            let has_red = table.measures.contains(&"as_red");
            outcomes::outcomes(&mut grid, rows, &keys, base, has_red);
        }
    }
    if let Some(limit) = asked.limit.filter(|limit| *limit < grid.rows.len()) {
        let left = grid.rows.len() - limit;
        grid.rows.truncate(limit);
        let (zh, en) = (&grid.note.zh, &grid.note.en);
        grid.note = Words::new(
            format!("{zh}另有 {left} 行未列（--limit）。"),
            format!("{en}{}{left} more rows (--limit).", if en.is_empty() { "" } else { " " }),
        );
    }
    grid
}

/// Figures in order: numbers, then words, then what is not known.
fn by_order(a: &[Figure], b: &[Figure]) -> std::cmp::Ordering {
    let rank = |figure: &Figure| match figure {
        Figure::Count(n) => (0, *n, String::new()),
        Figure::Text(text) => (1, 0, text.clone()),
        _ => (2, 0, String::new()),
    };
    a.iter().map(rank).cmp(b.iter().map(rank))
}

fn column(name: &str, zh: &'static str, en: &'static str, number: bool, share: bool) -> GridColumn {
    GridColumn { name: name.to_owned(), title: Words::new(zh, en), share, number }
}

fn number(name: &str, zh: &'static str, en: &'static str) -> GridColumn {
    column(name, zh, en, true, false)
}

fn share(name: &str, zh: &'static str, en: &'static str) -> GridColumn {
    column(name, zh, en, true, true)
}

fn word(name: &str, zh: &'static str, en: &'static str) -> GridColumn {
    column(name, zh, en, false, false)
}

fn key_column(name: &str) -> GridColumn {
    match name {
        "year" => word(name, "年", "year"),
        "event" => word(name, "赛事", "event"),
        "opening" => word(name, "开局", "opening"),
        "opening_name" => word(name, "名称", "name"),
        "source" => word(name, "来源", "source"),
        "format" => word(name, "格式", "format"),
        "result" => word(name, "结果", "result"),
        "termination" => word(name, "终局", "termination"),
        "player" => word(name, "棋手", "player"),
        "opponent" => word(name, "对手", "opponent"),
        "team" => word(name, "单位", "team"),
        "side" => word(name, "方", "side"),
        "first_move" => word(name, "首着", "first move"),
        "drawn_by" => word(name, "原因", "cause"),
        "tag_agrees" => word(name, "相同到", "same to"),
        _ => GridColumn {
            name: name.to_owned(),
            title: Words::new(name.to_owned(), name.to_owned()),
            share: false,
            number: false,
        },
    }
}

/// Part of a whole.
fn of(part: i64, whole: i64) -> Figure {
    Figure::Share { part: part as f64, of: whole }
}

/// Points of a side, a draw as a half.
fn points(wins: i64, draws: i64, whole: i64) -> Figure {
    Figure::Share { part: wins as f64 + draws as f64 / 2.0, of: whole }
}
