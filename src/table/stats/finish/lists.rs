//! Counts of one thing by another: causes of draws, rulings, findings, pieces.

use crate::report::{Drawn, Figure, Grid};

use super::{Row, key_column, number, of, share, word};

/// Games by one key, as shares of those that have it.
pub(super) fn shares(grid: &mut Grid, rows: Vec<Row>, key: &str) {
    let start = grid.columns.len();
    grid.columns.extend([
        key_column(key),
        number("games", "局数", "games"),
        share("share", "占比", "share"),
    ]);
    let known: Vec<Row> = rows.into_iter().filter(|row| row.keys != [Figure::Null]).collect();
    // Rows of a group stand together.
    for group in known.chunk_by(|a, b| a.by == b.by) {
        let total: i64 = group.iter().map(|row| row.sums[0]).sum();
        for row in group {
            let mut figures = row.by.clone();
            figures.extend(row.keys.clone());
            figures.extend([Figure::Count(row.sums[0]), of(row.sums[0], total)]);
            grid.rows.push(figures);
        }
    }
    grid.drawn = Some(Drawn { label: start, value: start + 2, line: false });
}

pub(super) fn limits(grid: &mut Grid, rows: Vec<Row>) {
    grid.columns.extend([
        word("code", "代码", "code"),
        word("verdict", "裁定", "verdict"),
        number("findings", "发现", "findings"),
        number("games", "局数", "games"),
    ]);
    let start = grid.columns.len() - 4;
    for Row { by, keys, sums } in rows {
        let wanted = matches!(&keys[0], Figure::Text(code) if ["QJ501", "QJ601", "QJ602", "QJ603"].contains(&code.as_str()));
        if wanted {
            let keys = keys.into_iter().map(|key| match key {
                Figure::Text(text) if text.is_empty() => Figure::Null,
                other => other,
            });
            let mut row: Vec<Figure> = by.into_iter().chain(keys).collect();
            row.extend([Figure::Count(sums[0]), Figure::Count(sums[1])]);
            grid.rows.push(row);
        }
    }
    grid.drawn = Some(Drawn { label: start + 1, value: start + 2, line: false });
}

pub(super) fn findings(grid: &mut Grid, rows: Vec<Row>) {
    let start = grid.columns.len();
    grid.columns.extend([
        word("code", "代码", "code"),
        word("severity", "程度", "severity"),
        number("findings", "发现", "findings"),
        number("games", "局数", "games"),
    ]);
    for Row { by, keys, sums } in rows {
        let mut row: Vec<Figure> = by.into_iter().chain(keys).collect();
        row.extend([Figure::Count(sums[0]), Figure::Count(sums[1])]);
        grid.rows.push(row);
    }
    grid.drawn = Some(Drawn { label: start, value: start + 2, line: false });
}

pub(super) fn pieces(grid: &mut Grid, rows: Vec<Row>) {
    let start = grid.columns.len();
    grid.columns.extend([
        word("side", "方", "side"),
        word("piece", "子", "piece"),
        number("games", "局数", "games"),
        number("left", "存留", "left"),
        number("mean", "平均每局", "mean a game"),
        share("survival", "存留率", "survival"),
        number("gone", "全失的局", "games with none"),
        share("gone_rate", "全失率", "none left"),
    ]);
    for Row { by, keys, sums } in rows {
        let [games, first, left, gone] = [sums[0], sums[1], sums[2], sums[3]];
        let mut row = by;
        row.extend([keys[0].clone(), keys[2].clone()]);
        row.extend([
            Figure::Count(games),
            Figure::Count(left),
            Figure::Real(left as f64 / games.max(1) as f64),
        ]);
        row.extend([of(left, first), Figure::Count(gone), of(gone, games)]);
        grid.rows.push(row);
    }
    grid.drawn = Some(Drawn { label: start + 1, value: start + 5, line: false });
}
