//! One row of a scoresheet's table: which cell is in which column.

use crate::{board::Side, finding::Span};

use super::{
    super::pgn,
    columns::{Cell, Column, Head, Kind, Style, cells},
};

/// A row of one table; of tables side by side each has its own.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Row {
    pub(super) number: Option<u32>,
    /// Where its digits stand.
    pub(super) number_at: Span,
    /// The cells of the moves, Red's and Black's, as bytes of the text; an empty one is a place.
    pub(super) moves: [(usize, usize); 2],
    /// The other cells that are not empty, with the index of their column.
    pub(super) others: Vec<(usize, (usize, usize))>,
}

impl Row {
    fn new(at: usize) -> Row {
        Row { moves: [(at, at); 2], ..Row::default() }
    }

    pub(super) fn has_moves(&self) -> bool {
        self.moves.iter().any(|(start, end)| start < end)
    }

    pub(super) fn is_blank(&self) -> bool {
        self.number.is_none() && !self.has_moves() && self.others.is_empty()
    }
}

/// The row `start..end` of `text`, one for each table side by side. `None` if the line is no row.
pub(super) fn read(text: &str, start: usize, end: usize, head: &mut Head) -> Option<Vec<Row>> {
    let style = super::columns::style(&text[start..end]);
    match (head.style, style) {
        (Style::Bars | Style::Tabs, Style::Blanks) => None,
        (Style::Blanks, Style::Blanks | Style::Tabs) => {
            aligned(text, &cells(text, start, end, Style::Blanks), end, head)
        }
        _ => Some(by_index(text, &cells(text, start, end, style), end, head)),
    }
}

fn groups(head: &Head) -> usize {
    head.columns.last().map_or(0, |column| column.group) + 1
}

/// Cells set apart by bars or tabs: the first belongs to the first column.
fn by_index(text: &str, cells: &[Cell], end: usize, head: &Head) -> Vec<Row> {
    let mut rows = vec![Row::new(end); groups(head)];
    for (index, column) in head.columns.iter().enumerate() {
        let Some(cell) = cells.get(index) else { break };
        let row = &mut rows[column.group];
        let place = (cell.start, cell.end);
        match column.kind {
            Kind::Moves(side) => row.moves[side as usize] = place,
            Kind::Round => match number(&text[cell.start..cell.end]) {
                Some((number, length)) if length == cell.end - cell.start => {
                    row.number = Some(number);
                    row.number_at = digits(text, cell.start);
                }
                _ if cell.start < cell.end => row.others.push((index, place)),
                _ => {}
            },
            _ if cell.start < cell.end => row.others.push((index, place)),
            _ => {}
        }
    }
    // What stands behind the last column is a remark.
    if let (Some(first), Some(last)) = (cells.get(head.columns.len()), cells.last())
        && first.start < last.end
    {
        let column = head.columns.len() - 1;
        rows[head.columns[column].group].others.push((column, (first.start, last.end)));
    }
    rows
}

/// Cells set apart by blanks: a number first, then moves; where one move is alone, the column that it stands in says whose
/// it is.
fn aligned(text: &str, cells: &[Cell], end: usize, head: &mut Head) -> Option<Vec<Row>> {
    let mut rows = vec![Row::new(end); groups(head)];
    let mut group = head.columns.first().map_or(0, |column| column.group);
    let mut cells = cells.to_vec();
    let mut index = 0;
    let mut numbered = false;
    // Where each side's move was found.
    let mut found: [Option<usize>; 2] = [None, None];
    while let Some(cell) = cells.get(index).copied() {
        let word = &text[cell.start..cell.end];
        let place = (cell.start, cell.end);
        let nearest = nearest(&head.columns, cell.column, |_| true)?;
        let first = index == 0;
        let next_table =
            head.columns[nearest].kind == Kind::Round && head.columns[nearest].group > group;
        if (first || next_table)
            && let Some((number, length)) = number(word)
        {
            if next_table {
                group = head.columns[nearest].group;
                found = [None, None];
            }
            numbered = true;
            rows[group].number = Some(number);
            rows[group].number_at = digits(text, cell.start);
            // An empty cell stands behind the number, Black's behind Red's move.
            rows[group].moves = [(cell.start + length, cell.start + length); 2];
            if length < word.len() {
                // `1.炮二平五`
                cells[index].start += length;
                cells[index].column += 1;
            } else {
                index += 1;
            }
            continue;
        }
        index += 1;
        if is_move(word) && !(found[0].is_some() && found[1].is_some()) {
            let another = cells[index..].iter().any(|cell| is_move(&text[cell.start..cell.end]));
            let in_group = |column: &Column| column.group == group;
            let side = if found[0].is_some() {
                Side::Black
            } else if another && found[1].is_none() {
                Side::Red
            } else {
                let moves =
                    |column: &Column| in_group(column) && matches!(column.kind, Kind::Moves(_));
                match head.columns[self::nearest(&head.columns, cell.column, moves)?].kind {
                    Kind::Moves(Side::Black) => Side::Black,
                    _ => Side::Red,
                }
            };
            rows[group].moves[side as usize] = place;
            if side == Side::Red {
                rows[group].moves[Side::Black as usize] = (cell.end, cell.end);
            }
            found[side as usize] = Some(cell.column);
            if let [Some(red), Some(black)] = found {
                learn(head, group, red, black);
            }
            continue;
        }
        let times =
            |column: &Column| column.group == group && matches!(column.kind, Kind::Time { .. });
        if is_time(word)
            && let Some(column) = self::nearest(&head.columns, cell.column, times)
        {
            rows[group].others.push((column, place));
            continue;
        }
        // Something else in a column of moves was meant as one.
        if let Kind::Moves(side) = head.columns[nearest].kind
            && head.columns[nearest].group == group
            && found[side as usize].is_none()
            && head.columns[nearest].start.abs_diff(cell.column) <= 2
            && numbered
        {
            rows[group].moves[side as usize] = place;
            found[side as usize] = Some(cell.column);
            continue;
        }
        // A remark goes on to the end of the line.
        if !numbered && first && !is_behind_moves(head, cell.column) {
            return None;
        }
        let last = cells.last().map_or(cell.end, |last| last.end);
        let remarks = |column: &Column| matches!(column.kind, Kind::Remark(_));
        let column = self::nearest(&head.columns, cell.column, remarks).unwrap_or(nearest);
        rows[group].others.push((column, (cell.start, last)));
        break;
    }
    Some(rows)
}

/// Whether a column stands behind those of the moves, so that a line that begins there goes on with a remark.
fn is_behind_moves(head: &Head, column: usize) -> bool {
    head.columns
        .iter()
        .all(|other| !matches!(other.kind, Kind::Moves(_)) || other.start + 2 < column)
}

/// Sets where the columns of moves really begin, as a whole row shows it.
fn learn(head: &mut Head, group: usize, red: usize, black: usize) {
    for column in head.columns.iter_mut().filter(|column| column.group == group) {
        match column.kind {
            Kind::Moves(Side::Red) => column.start = red,
            Kind::Moves(Side::Black) => column.start = black,
            _ => {}
        }
    }
}

/// The column among those that `is` takes whose start is nearest, the first of two.
fn nearest(columns: &[Column], at: usize, is: impl Fn(&Column) -> bool) -> Option<usize> {
    let found = columns.iter().enumerate().filter(|(_, column)| is(column));
    found.min_by_key(|(_, column)| column.start.abs_diff(at)).map(|(index, _)| index)
}

/// Where the digits of the round number at `at` stand.
fn digits(text: &str, at: usize) -> Span {
    let start = if text[at..].starts_with('第') { at + '第'.len_utf8() } else { at };
    let is_digit = |c: char| matches!(c, '0'..='9' | '０'..='９');
    let length = text[start..].find(|c| !is_digit(c)).unwrap_or(text.len() - start);
    Span::new(start, start + length)
}

/// A round number at the start of `word` and its length: `12`, `12.`, `12、`, `第12回合`, in full width too.
pub(super) fn number(word: &str) -> Option<(u32, usize)> {
    let ordinal = word.strip_prefix('第');
    let digits = ordinal.unwrap_or(word);
    let (mut value, mut length) = (0_u32, 0);
    for c in digits.chars() {
        let digit = match c {
            '0'..='9' => c as u32 - '0' as u32,
            '０'..='９' => c as u32 - '０' as u32,
            _ => break,
        };
        value = value.checked_mul(10)?.checked_add(digit)?;
        length += c.len_utf8();
    }
    if length == 0 {
        return None;
    }
    let rest = &digits[length..];
    let unit = if ordinal.is_some() { rest.strip_prefix("回合")? } else { rest };
    let behind = unit.strip_prefix(['.', '．', '、', ')', '）']).unwrap_or(unit);
    let length = word.len() - behind.len();
    let glued = unit.len() == behind.len() && !behind.is_empty();
    (!glued || pgn::any_move(behind).is_some()).then_some((value, length))
}

/// Whether a word is a move or an omitted one.
pub(super) fn is_move(word: &str) -> bool {
    is_omitted(word) || pgn::any_move(word).is_some_and(|length| word.len() - length < 12)
}

/// Whether a cell says that its move is not recorded.
pub(super) fn is_omitted(word: &str) -> bool {
    matches!(word, "-" | "—" | "－" | "–") || pgn::dots(word, 0) == Some(word.len())
}

fn is_time(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    digits > 0
        && word.chars().all(|c| {
            c.is_ascii_digit()
                || matches!(c, ':' | '：' | '.' | '\'' | '"' | '′' | '″' | '时' | '分' | '秒')
        })
}
