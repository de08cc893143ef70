//! Who won: tables of wins, draws and losses, and the opening tree.

use std::collections::HashMap;

use crate::{
    finding::Words,
    report::{Drawn, Figure, Grid, GridColumn},
};

use super::{Asked, Base, Row, by_order, key_column, number, of, points, share, word};

/// Wins, draws and losses, of Red where a row is a game and of the player where it is a side.
pub(super) fn outcomes(grid: &mut Grid, rows: Vec<Row>, keys: &[&str], base: Base, has_red: bool) {
    let of_side = matches!(base, Base::Sides | Base::Pairs);
    grid.columns.extend(keys.iter().map(|key| key_column(key)));
    let label = grid.columns.len();
    grid.columns.push(number("games", "局数", "games"));
    if has_red {
        grid.columns.push(number("as_red", "执红", "as Red"));
    }
    grid.columns.extend(outcome_columns(of_side));
    let first = grid.columns.len();
    for row in rows {
        let Row { by, keys, sums } = row;
        let mut figures: Vec<Figure> = by.into_iter().chain(keys).collect();
        figures.push(Figure::Count(sums[0]));
        if has_red {
            figures.push(Figure::Count(sums[5]));
        }
        figures.extend(outcome(&sums, of_side));
        grid.rows.push(figures);
    }
    let drawn = Drawn { label: label.saturating_sub(1), value: first - 1, line: false };
    // A pair of players is no label that fits below a bar.
    grid.drawn = (label > 0 && !matches!(base, Base::Pairs)).then_some(drawn);
    if label > 1 && grid.columns[label - 1].name == "opening_name" {
        grid.drawn = Some(Drawn { label: label - 2, ..drawn });
    }
}

/// First moves, and all games together: how much moving first is worth.
pub(super) fn first_moves(grid: &mut Grid, rows: Vec<Row>, base: Base) {
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.keys != [Figure::Null]).collect();
    if grid.columns.is_empty() && !rows.is_empty() {
        let mut sums = vec![0; rows[0].sums.len()];
        rows.iter()
            .for_each(|row| sums.iter_mut().zip(&row.sums).for_each(|(all, sum)| *all += sum));
        let all = Row { by: Vec::new(), keys: vec![Figure::Text("*".to_owned())], sums };
        let rows = std::iter::once(all).chain(rows).collect();
        let (zh, en) = (&grid.note.zh, &grid.note.en);
        grid.note = Words::new(
            format!("首行 * 是全部。{zh}"),
            format!("The first row, *, is all of them. {en}"),
        );
        return outcomes(grid, rows, &["first_move"], base, false);
    }
    outcomes(grid, rows, &["first_move"], base, false);
}

/// Lines below the lines that they continue, the most played first.
pub(super) fn tree(grid: &mut Grid, rows: Vec<Row>, asked: &Asked) {
    grid.columns.extend([
        number("depth", "着", "ply"),
        word("moves", "着法", "moves"),
        number("games", "局数", "games"),
        share("share", "占前着", "of the line before"),
    ]);
    grid.columns.extend(outcome_columns(false));
    let text = |figure: &Figure| {
        if let Figure::Text(text) = figure { text.clone() } else { String::new() }
    };
    let key = |by: &[Figure], line: &str| format!("{by:?} {line}");
    let games: HashMap<String, i64> =
        rows.iter().map(|row| (key(&row.by, &text(&row.keys[0])), row.sums[0])).collect();
    let parent =
        |line: &str| line.rsplit_once(' ').map(|(before, _)| before.to_owned()).unwrap_or_default();
    let mut roots: HashMap<String, i64> = HashMap::new();
    for row in rows.iter().filter(|row| !text(&row.keys[0]).contains(' ')) {
        *roots.entry(format!("{:?}", row.by)).or_default() += row.sums[0];
    }
    let whole = |by: &[Figure], line: &str| match parent(line) {
        before if before.is_empty() => roots.get(&format!("{by:?}")).copied().unwrap_or(0),
        before => games.get(&key(by, &before)).copied().unwrap_or(0),
    };
    // A line's place: how often each of its beginnings is played, most first, and the moves themselves.
    let place = |row: &Row| {
        let line = text(&row.keys[0]);
        let mut path: Vec<(i64, String)> = Vec::new();
        let mut at = line.clone();
        while !at.is_empty() {
            path.push((-games.get(&key(&row.by, &at)).copied().unwrap_or(0), at.clone()));
            at = parent(&at);
        }
        path.reverse();
        path
    };
    let mut order: Vec<(&Row, Vec<(i64, String)>)> =
        rows.iter().map(|row| (row, place(row))).collect();
    order.sort_by(|(a, one), (b, two)| by_order(&a.by, &b.by).then_with(|| one.cmp(two)));
    for (row, path) in order.iter().filter(|(row, _)| row.sums[0] >= asked.min_games) {
        let line = text(&row.keys[0]);
        let mut figures = row.by.clone();
        figures.extend([
            Figure::Count(path.len() as i64),
            row.keys[1].clone(),
            Figure::Count(row.sums[0]),
        ]);
        figures.push(of(row.sums[0], whole(&row.by, &line)));
        figures.extend(outcome(&row.sums, false));
        grid.rows.push(figures);
    }
}

/// Columns of [`outcome`].
fn outcome_columns(of_side: bool) -> Vec<GridColumn> {
    match of_side {
        true => vec![
            number("wins", "胜", "wins"),
            number("draws", "和", "draws"),
            number("losses", "负", "losses"),
            number("open", "未知", "unknown"),
            share("win_rate", "胜率", "win rate"),
            share("score_rate", "得分率", "score rate"),
        ],
        false => vec![
            number("red_wins", "红胜", "Red wins"),
            number("draws", "和", "draws"),
            number("black_wins", "黑胜", "Black wins"),
            number("open", "未知", "unknown"),
            share("red_win_rate", "红胜率", "Red wins"),
            share("draw_rate", "和棋率", "draws"),
            share("black_win_rate", "黑胜率", "Black wins"),
            share("red_score_rate", "红方得分率", "Red's score"),
        ],
    }
    .into_iter()
    .collect()
}

/// Of games, wins, draws, losses, unknown: the figures of [`outcome_columns`].
fn outcome(sums: &[i64], of_side: bool) -> Vec<Figure> {
    let [wins, draws, losses, open] = [sums[1], sums[2], sums[3], sums[4]];
    let known = wins + draws + losses;
    let mut figures: Vec<Figure> = [wins, draws, losses, open].map(Figure::Count).to_vec();
    figures.push(of(wins, known));
    if !of_side {
        figures.extend([of(draws, known), of(losses, known)]);
    }
    figures.push(points(wins, draws, known));
    figures
}
