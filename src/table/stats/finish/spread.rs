//! Distributions over plies: lengths of games, first captures, captures and checks.

use std::collections::BTreeMap;

use crate::{
    finding::Words,
    report::{Drawn, Figure, Grid},
};

use super::{Row, number, of, share};

/// Plies of one bin of a distribution.
const BIN: i64 = 10;

/// Lengths in bins; the mean and the median stand in the note of the whole.
pub(super) fn lengths(grid: &mut Grid, rows: Vec<Row>) {
    let start = grid.columns.len();
    grid.columns.extend([
        number("from", "自", "from"),
        number("to", "至（着）", "to (plies)"),
        number("games", "局数", "games"),
    ]);
    grid.columns.push(share("share", "占比", "share"));
    grid.columns.extend([
        share("red_win_rate", "红胜率", "Red wins"),
        share("draw_rate", "和棋率", "draws"),
        share("black_win_rate", "黑胜率", "Black wins"),
    ]);
    let groups = groups(rows);
    if let ([(_, values)], 0) = (&groups[..], start) {
        let counts: Vec<(i64, i64)> =
            values.iter().filter_map(|(length, sums)| Some(((*length)?, sums[0]))).collect();
        if let Some((mean, median)) = mean_and_median(&counts) {
            grid.note = Words::new(
                format!("平均 {mean:.2} 着，中位数 {median} 着。{}", grid.note.zh),
                format!("Mean {mean:.2} plies, median {median}. {}", grid.note.en),
            );
        }
    }
    for (by, values) in groups {
        let total: i64 = values.iter().map(|(_, sums)| sums[0]).sum();
        for (bin, sums) in bins(&values) {
            let known = sums[1] + sums[2] + sums[3];
            let mut row = by.clone();
            row.extend([
                Figure::Count(bin),
                Figure::Count(bin + BIN - 1),
                Figure::Count(sums[0]),
                of(sums[0], total),
            ]);
            row.extend([of(sums[1], known), of(sums[2], known), of(sums[3], known)]);
            grid.rows.push(row);
        }
    }
    grid.drawn = Some(Drawn { label: start, value: start + 2, line: false });
}

pub(super) fn first_captures(grid: &mut Grid, rows: Vec<Row>) {
    let start = grid.columns.len();
    grid.columns.extend([
        number("from", "自", "from"),
        number("to", "至（着）", "to (plies)"),
        number("games", "局数", "games"),
    ]);
    grid.columns.extend([share("share", "占比", "share"), share("so_far", "累计", "so far")]);
    let groups = groups(rows);
    if let ([(_, values)], 0) = (&groups[..], start) {
        let counts: Vec<(i64, i64)> =
            values.iter().filter_map(|(ply, sums)| Some(((*ply)?, sums[0]))).collect();
        if let Some((mean, median)) = mean_and_median(&counts) {
            grid.note = Words::new(
                format!("平均第 {mean:.2} 着，中位数第 {median} 着；空行是没有吃子的局。"),
                format!(
                    "Mean ply {mean:.2}, median {median}; the row without plies holds the games without a capture."
                ),
            );
        }
    }
    for (by, values) in groups {
        let total: i64 = values.iter().map(|(_, sums)| sums[0]).sum();
        let mut so_far = 0;
        for (bin, sums) in bins(&values) {
            so_far += sums[0];
            let mut row = by.clone();
            row.extend([Figure::Count(bin), Figure::Count(bin + BIN - 1), Figure::Count(sums[0])]);
            row.extend([of(sums[0], total), of(so_far, total)]);
            grid.rows.push(row);
        }
        for (_, sums) in values.iter().filter(|(key, _)| key.is_none()) {
            let mut row = by.clone();
            row.extend([
                Figure::Null,
                Figure::Null,
                Figure::Count(sums[0]),
                of(sums[0], total),
                Figure::Null,
            ]);
            grid.rows.push(row);
        }
    }
    grid.drawn = Some(Drawn { label: start, value: start + 2, line: false });
}

pub(super) fn plies(grid: &mut Grid, rows: Vec<Row>) {
    let start = grid.columns.len();
    grid.columns.extend([
        number("ply", "着", "ply"),
        number("games", "局数", "games"),
        number("captures", "吃子", "captures"),
        number("checks", "将军", "checks"),
        share("capture_rate", "吃子率", "capture rate"),
        share("check_rate", "将军率", "check rate"),
    ]);
    for Row { by, keys, sums } in rows {
        let mut row: Vec<Figure> = by.into_iter().chain(keys).collect();
        row.extend([sums[0], sums[1], sums[2]].map(Figure::Count));
        row.extend([of(sums[1], sums[0]), of(sums[2], sums[0])]);
        grid.rows.push(row);
    }
    grid.drawn = Some(Drawn { label: start, value: start + 4, line: true });
}

/// How often each number occurs, with its sums; `None` where there is no number.
type Values = Vec<(Option<i64>, Vec<i64>)>;

/// Rows of a number from which bins are made, group by group. Rows of a group stand together.
fn groups(rows: Vec<Row>) -> Vec<(Vec<Figure>, Values)> {
    let mut groups: Vec<(Vec<Figure>, Values)> = Vec::new();
    for row in rows {
        let key = match row.keys.first() {
            Some(Figure::Count(n)) => Some(*n),
            _ => None,
        };
        match groups.last_mut().filter(|(by, _)| *by == row.by) {
            Some((_, values)) => values.push((key, row.sums)),
            None => groups.push((row.by, vec![(key, row.sums)])),
        }
    }
    groups
}

/// Sums by bin, empty bins left out.
fn bins(values: &[(Option<i64>, Vec<i64>)]) -> BTreeMap<i64, Vec<i64>> {
    let mut bins: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (key, sums) in values {
        let Some(key) = key else { continue };
        let all = bins.entry(key.div_euclid(BIN) * BIN).or_insert_with(|| vec![0; sums.len()]);
        all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
    }
    bins
}

/// Of values with how often each occurs, in order; the median is the lower one of two.
fn mean_and_median(counts: &[(i64, i64)]) -> Option<(f64, i64)> {
    let total: i64 = counts.iter().map(|(_, count)| count).sum();
    let sum: i64 = counts.iter().map(|(value, count)| value * count).sum();
    let mut seen = 0;
    let median = counts.iter().find(|(_, count)| {
        seen += count;
        2 * seen >= total
    });
    median.map(|(median, _)| (sum as f64 / total as f64, *median)).filter(|_| total > 0)
}
