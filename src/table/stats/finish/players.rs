//! Who played: how much in which years, and under which spellings of the name.

use std::collections::HashMap;

use crate::report::{Drawn, Figure, Grid};

use super::{Asked, Row, by_order, key_column, number, word};

/// Sums by player and year become a row a player.
pub(super) fn activity(grid: &mut Grid, rows: Vec<Row>, asked: &Asked) {
    // `--by` may have taken over one of the two keys.
    let place = |name: &str| asked.by.iter().position(|by| by.as_str() == name);
    let (player_by, year_by) = (place("player"), place("year"));
    let mut by_column = 0;
    grid.columns.retain(|_| {
        by_column += 1;
        Some(by_column - 1) != player_by && Some(by_column - 1) != year_by
    });
    grid.columns.extend([
        key_column("player"),
        number("games", "局数", "games"),
        number("first_year", "自", "from"),
        number("last_year", "至", "to"),
        number("years", "有棋的年数", "years with games"),
        number("most", "最多一年", "most in a year"),
        number("undated", "无年份", "undated"),
    ]);
    /// The keys of a group, and its games by year.
    type Group = (Vec<Figure>, Vec<(Option<i64>, i64)>);
    let mut groups: Vec<Group> = Vec::new();
    let mut known = HashMap::new();
    for row in rows {
        let mut keys = row.keys.into_iter();
        let player = player_by.map_or_else(|| keys.next(), |at| row.by.get(at).cloned());
        let year = year_by.map_or_else(|| keys.next(), |at| row.by.get(at).cloned());
        let Some(Figure::Text(player)) = player else { continue };
        let year = if let Some(Figure::Count(year)) = year { Some(year) } else { None };
        let rest = row.by.into_iter().enumerate();
        let mut key: Vec<Figure> = rest
            .filter(|(at, _)| Some(*at) != player_by && Some(*at) != year_by)
            .map(|(_, figure)| figure)
            .collect();
        key.push(Figure::Text(player));
        let index = *known.entry(format!("{key:?}")).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[index].1.push((year, row.sums[0]));
    }
    for (mut row, years) in groups {
        let total: i64 = years.iter().map(|(_, games)| games).sum();
        let dated = || years.iter().filter_map(|(year, games)| Some(((*year)?, *games)));
        let year = |year: Option<i64>| year.map_or(Figure::Null, Figure::Count);
        let undated = total - dated().map(|(_, games)| games).sum::<i64>();
        row.extend([Figure::Count(total), year(dated().map(|(year, _)| year).min())]);
        row.extend([
            year(dated().map(|(year, _)| year).max()),
            Figure::Count(dated().count() as i64),
        ]);
        row.extend([year(dated().map(|(_, games)| games).max()), Figure::Count(undated)]);
        grid.rows.push(row);
    }
    let at = grid.columns.len() - 6;
    let games = |row: &[Figure]| if let Figure::Count(games) = row[at] { games } else { 0 };
    grid.rows.retain(|row| games(row) >= asked.min_games);
    grid.rows.sort_by(|a, b| games(b).cmp(&games(a)).then(by_order(a, b)));
    grid.drawn = Some(Drawn { label: at - 1, value: at, line: false });
}

/// Only names of several spellings.
pub(super) fn names(grid: &mut Grid, rows: Vec<Row>) {
    grid.columns.extend([
        word("kind", "类", "kind"),
        word("name", "名字", "name"),
        word("spelling", "写法", "spelling"),
        word("rules", "规则", "rules"),
        number("games", "局数", "games"),
    ]);
    let is_same = |a: &Row, b: &Row| a.keys[..2] == b.keys[..2];
    for (index, row) in rows.iter().enumerate() {
        let before = index.checked_sub(1).is_some_and(|before| is_same(&rows[before], row));
        let after = rows.get(index + 1).is_some_and(|next| is_same(next, row));
        if before || after {
            let mut figures = row.keys.clone();
            figures.push(Figure::Count(row.sums[0]));
            grid.rows.push(figures);
        }
    }
}
