//! From sums to what is printed: rates with intervals, means, medians, bins, ranks.

use crate::{
    finding::Words,
    report::{Drawn, Figure, Grid, GridColumn},
};

use super::{Asked, Base, Spec};

/// Plies of one bin of a distribution.
const BIN: i64 = 10;

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
        "lengths" => lengths(&mut grid, rows),
        "plies" => plies(&mut grid, rows),
        "first-captures" => first_captures(&mut grid, rows),
        "draws" | "ecco-tags" => shares(&mut grid, rows, keys[0]),
        "limits" => limits(&mut grid, rows),
        "findings" => findings(&mut grid, rows),
        "pieces" => pieces(&mut grid, rows),
        "activity" => activity(&mut grid, rows, asked),
        "names" => names(&mut grid, rows),
        "first-moves" => first_moves(&mut grid, rows, base),
        "tree" => tree(&mut grid, rows, asked),
        _ => outcomes(&mut grid, rows, &keys, base),
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

/// Wins, draws and losses, of Red where a row is a game and of the player where it is a side.
fn outcomes(grid: &mut Grid, rows: Vec<Row>, keys: &[&str], base: Base) {
    let of_side = matches!(base, Base::Sides | Base::Pairs);
    grid.columns.extend(keys.iter().map(|key| key_column(key)));
    let label = grid.columns.len();
    grid.columns.push(number("games", "局数", "games"));
    let has_red = rows.first().is_some_and(|row| row.sums.len() > 5);
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
    grid.drawn = (label > 0).then_some(drawn);
    if label > 1 && grid.columns[label - 1].name == "opening_name" {
        grid.drawn = Some(Drawn { label: label - 2, ..drawn });
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

/// First moves, and all games together: how much moving first is worth.
fn first_moves(grid: &mut Grid, rows: Vec<Row>, base: Base) {
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
        return outcomes(grid, rows, &["first_move"], base);
    }
    outcomes(grid, rows, &["first_move"], base);
}

/// Rows of a number from which bins are made, group by group.
fn groups(rows: Vec<Row>) -> Vec<(Vec<Figure>, Vec<(Option<i64>, Vec<i64>)>)> {
    let mut groups: Vec<(Vec<Figure>, Vec<(Option<i64>, Vec<i64>)>)> = Vec::new();
    for row in rows {
        let key = match row.keys.first() {
            Some(Figure::Count(n)) => Some(*n),
            _ => None,
        };
        match groups.iter_mut().find(|(by, _)| *by == row.by) {
            Some((_, values)) => values.push((key, row.sums)),
            None => groups.push((row.by, vec![(key, row.sums)])),
        }
    }
    groups
}

/// Lengths in bins; the mean and the median stand in the note of the whole.
fn lengths(grid: &mut Grid, rows: Vec<Row>) {
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

/// Sums by bin, empty bins left out.
fn bins(values: &[(Option<i64>, Vec<i64>)]) -> Vec<(i64, Vec<i64>)> {
    let mut bins: Vec<(i64, Vec<i64>)> = Vec::new();
    for (key, sums) in values {
        let Some(key) = key else { continue };
        let bin = key.div_euclid(BIN) * BIN;
        match bins.iter_mut().find(|(known, _)| *known == bin) {
            Some((_, all)) => all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum),
            None => bins.push((bin, sums.clone())),
        }
    }
    bins.sort_unstable();
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

fn plies(grid: &mut Grid, rows: Vec<Row>) {
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

fn first_captures(grid: &mut Grid, rows: Vec<Row>) {
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

/// Games by one key, as shares of those that have it.
fn shares(grid: &mut Grid, rows: Vec<Row>, key: &str) {
    let start = grid.columns.len();
    grid.columns.extend([
        key_column(key),
        number("games", "局数", "games"),
        share("share", "占比", "share"),
    ]);
    let known: Vec<Row> = rows.into_iter().filter(|row| row.keys != [Figure::Null]).collect();
    let total =
        |by: &[Figure]| known.iter().filter(|row| row.by == by).map(|row| row.sums[0]).sum();
    for row in &known {
        let mut figures = row.by.clone();
        figures.extend(row.keys.clone());
        figures.extend([Figure::Count(row.sums[0]), of(row.sums[0], total(&row.by))]);
        grid.rows.push(figures);
    }
    grid.drawn = Some(Drawn { label: start, value: start + 2, line: false });
}

fn limits(grid: &mut Grid, rows: Vec<Row>) {
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

fn findings(grid: &mut Grid, rows: Vec<Row>) {
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

fn pieces(grid: &mut Grid, rows: Vec<Row>) {
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

/// Sums by player and year become a row a player.
fn activity(grid: &mut Grid, rows: Vec<Row>, asked: &Asked) {
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
    let mut groups: Vec<(Vec<Figure>, Vec<(Option<i64>, i64)>)> = Vec::new();
    let mut known = std::collections::HashMap::new();
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
fn names(grid: &mut Grid, rows: Vec<Row>) {
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

/// Lines below the lines that they continue, the most played first.
fn tree(grid: &mut Grid, rows: Vec<Row>, asked: &Asked) {
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
    let games: std::collections::HashMap<String, i64> =
        rows.iter().map(|row| (key(&row.by, &text(&row.keys[0])), row.sums[0])).collect();
    let parent =
        |line: &str| line.rsplit_once(' ').map(|(before, _)| before.to_owned()).unwrap_or_default();
    let mut roots: std::collections::HashMap<String, i64> = std::collections::HashMap::new();
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
