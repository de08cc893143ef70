//! The columns of a scoresheet's table, by the names in its head, and how a line is cut into cells.

use unicode_width::UnicodeWidthChar;

use crate::board::Side;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The number of the round.
    Round,
    /// The moves of a side.
    Moves(Side),
    /// Times of a side: those left on its clock, or those taken.
    Time { side: Side, left: bool },
    /// Remarks, on the moves of a side or on the last move of the row.
    Remark(Option<Side>),
    /// A column of another name.
    Other,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) kind: Kind,
    /// Which of the tables side by side it belongs to.
    pub(super) group: usize,
    /// Where it begins, in columns of a terminal.
    pub(super) start: usize,
    /// Bytes of its name.
    pub(super) name: (usize, usize),
}

/// What sets cells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Bars,
    Tabs,
    Blanks,
}

/// A piece of a line without the blanks around it, and the column of a terminal where it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) column: usize,
}

/// A table's head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) style: Style,
    pub(super) columns: Vec<Column>,
}

/// The most columns that a table has; a longer line is no head.
const MOST: usize = 40;

pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '｜' | '│' | '┃' | '║' | '¦')
}

/// How the cells of a line are set apart.
pub(super) fn style(line: &str) -> Style {
    if line.contains(is_bar) {
        Style::Bars
    } else if line.trim().contains('\t') {
        Style::Tabs
    } else {
        Style::Blanks
    }
}

/// The cells of the line `start..end` of `text`; empty ones too, except where blanks set them apart.
pub(super) fn cells(text: &str, start: usize, end: usize, style: Style) -> Vec<Cell> {
    let line = &text[start..end];
    let cut = |c: char| match style {
        Style::Bars => is_bar(c),
        Style::Tabs => c == '\t',
        Style::Blanks => c.is_whitespace(),
    };
    let mut cells = Vec::new();
    let mut column = 0;
    let mut from = start;
    let mut from_column = 0;
    let mut push = |from: usize, to: usize, column: usize| {
        let raw = &text[from..to];
        let trimmed = raw.trim_start();
        let blank = &raw[..raw.len() - trimmed.len()];
        let column = blank.chars().fold(column, behind);
        let first = to - trimmed.len();
        cells.push(Cell { start: first, end: first + trimmed.trim_end().len(), column });
    };
    for (at, c) in line.char_indices() {
        let next = behind(column, c);
        if cut(c) {
            push(from, start + at, from_column);
            from = start + at + c.len_utf8();
            from_column = next;
        }
        column = next;
    }
    push(from, end, from_column);
    match style {
        Style::Blanks => cells.retain(|cell| cell.start < cell.end),
        Style::Bars => {
            // Bars that frame the line set nothing apart.
            let trimmed = line.trim();
            if trimmed.starts_with(is_bar) {
                cells.remove(0);
            }
            if trimmed.ends_with(is_bar) && cells.len() > 1 {
                cells.pop();
            }
        }
        Style::Tabs => {}
    }
    cells
}

/// The column of a terminal behind `c`.
fn behind(column: usize, c: char) -> usize {
    if c == '\t' { (column / 8 + 1) * 8 } else { column + c.width().unwrap_or(0) }
}

impl Head {
    /// The head of a table, if the line `start..end` is one: it names the columns of Red's and of Black's moves.
    pub(super) fn new(text: &str, start: usize, end: usize, owner: Option<Side>) -> Option<Head> {
        const LONGEST: usize = 600;
        if end - start > LONGEST {
            return None;
        }
        let style = style(&text[start..end]);
        let cells = cells(text, start, end, style);
        if cells.len() > MOST {
            return None;
        }
        let mut columns: Vec<Column> = Vec::new();
        let mut untold = Vec::new();
        let mut group = 0;
        for (index, cell) in cells.iter().enumerate() {
            let name = &text[cell.start..cell.end];
            let known = kind(name);
            let named = match known {
                Some(Name::Kind(kind)) => kind,
                Some(Name::Time { left }) => {
                    untold.push(index);
                    Kind::Time { side: Side::Red, left }
                }
                None if index == 0 && name.is_empty() => Kind::Round,
                None if style == Style::Blanks => return None,
                None => Kind::Other,
            };
            let in_group =
                |kind| columns.iter().any(|c: &Column| c.group == group && c.kind == kind);
            let again = matches!(named, Kind::Round | Kind::Moves(_)) && in_group(named);
            let behind = named == Kind::Round && in_group(Kind::Moves(Side::Black));
            group += usize::from(again || behind);
            let name = (cell.start, cell.end);
            columns.push(Column { kind: named, group, start: cell.column, name });
        }
        let has = |kind| columns.iter().any(|column| column.kind == kind);
        if !has(Kind::Moves(Side::Red)) || !has(Kind::Moves(Side::Black)) {
            return None;
        }
        for index in untold {
            let side = time_of(&columns, index, owner);
            if let Kind::Time { left, .. } = columns[index].kind {
                columns[index].kind = Kind::Time { side, left };
            }
        }
        Some(Head { style, columns })
    }
}

/// Whose times a column holds that does not say: those of the moves before it; where one such column stands behind the
/// moves of both, those of the sheet's owner.
fn time_of(columns: &[Column], index: usize, owner: Option<Side>) -> Side {
    let group = columns[index].group;
    let before = columns[..index].iter().rev().filter(|column| column.group == group);
    let mut sides = before.clone().filter_map(|column| match column.kind {
        Kind::Moves(side) => Some(side),
        _ => None,
    });
    let nearest = sides.next().unwrap_or(Side::Red);
    let directly = matches!(columns[index - usize::from(index > 0)].kind, Kind::Moves(_));
    let alone = before.clone().all(|column| !matches!(column.kind, Kind::Time { .. }));
    match owner {
        Some(owner) if directly && alone && sides.next().is_some() => owner,
        _ => nearest,
    }
}

enum Name {
    Kind(Kind),
    /// Times of a side that the name does not tell.
    Time {
        left: bool,
    },
}

/// What a column called `name` holds.
fn kind(name: &str) -> Option<Name> {
    let folded: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '#')
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '紅' => '红',
            '時' => '时',
            '備' => '备',
            '註' => '注',
            '餘' => '余',
            '著' => '着',
            '說' => '说',
            _ => c,
        })
        .collect();
    let plain = |word: &str| {
        Some(match word {
            "用时" | "耗时" | "时间" | "time" | "elapsed" => Name::Time { left: false },
            "余时" | "剩余" | "剩余时间" | "剩时" | "clock" | "left" => {
                Name::Time { left: true }
            }
            "备注" | "附注" | "说明" | "记事" | "注" | "remark" | "remarks" | "note" | "notes" => {
                Name::Kind(Kind::Remark(None))
            }
            "着法" | "moves" | "move" => Name::Kind(Kind::Other),
            _ => return None,
        })
    };
    match folded.as_str() {
        "回合" | "序号" | "序" | "着数" | "着序" | "#" | "no" | "round" => {
            return Some(Name::Kind(Kind::Round));
        }
        "红" | "红方" | "红棋" | "先手" | "先" | "red" => {
            return Some(Name::Kind(Kind::Moves(Side::Red)));
        }
        "黑" | "黑方" | "黑棋" | "后手" | "后" | "black" => {
            return Some(Name::Kind(Kind::Moves(Side::Black)));
        }
        _ => {}
    }
    if let Some(name) = plain(&folded) {
        return match name {
            Name::Kind(Kind::Other) => None,
            name => Some(name),
        };
    }
    let sided = [
        ("红方", Side::Red),
        ("红", Side::Red),
        ("red", Side::Red),
        ("黑方", Side::Black),
        ("黑", Side::Black),
        ("black", Side::Black),
    ];
    sided.into_iter().find_map(|(word, side)| {
        Some(Name::Kind(match plain(folded.strip_prefix(word)?)? {
            Name::Time { left } => Kind::Time { side, left },
            Name::Kind(Kind::Remark(_)) => Kind::Remark(Some(side)),
            Name::Kind(_) => Kind::Moves(side),
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str, owner: Option<Side>) -> Option<Vec<Kind>> {
        Head::new(line, 0, line.len(), owner)
            .map(|head| head.columns.iter().map(|column| column.kind).collect())
    }

    const RED: Kind = Kind::Moves(Side::Red);
    const BLACK: Kind = Kind::Moves(Side::Black);

    fn time(side: Side) -> Kind {
        Kind::Time { side, left: false }
    }

    #[test]
    fn heads_in_every_style() {
        for line in [
            "回合  红方      黑方",
            "回合\t红方\t黑方",
            "| 回合 | 红方 | 黑方 |",
            "│回合│紅方│黑方│",
            "　回合　红　黑",
        ] {
            assert_eq!(kinds(line, None), Some(vec![Kind::Round, RED, BLACK]), "{line}");
        }
        for line in ["红方：甲  黑方：乙", "回合 红方 甲", "1 炮二平五 马8进7", "红方与黑方"]
        {
            assert_eq!(kinds(line, None), None, "{line}");
        }
    }

    #[test]
    fn whose_times_a_column_holds() {
        assert_eq!(
            kinds("回合 红方 用时 黑方 用时 备注", None).unwrap(),
            [Kind::Round, RED, time(Side::Red), BLACK, time(Side::Black), Kind::Remark(None)]
        );
        assert_eq!(
            kinds("红方 黑方 红用时 黑余时", None).unwrap(),
            [RED, BLACK, time(Side::Red), Kind::Time { side: Side::Black, left: true }]
        );
        assert_eq!(kinds("红方 黑方 用时", None).unwrap()[2], time(Side::Black));
        assert_eq!(kinds("红方 黑方 用时", Some(Side::Red)).unwrap()[2], time(Side::Red));
    }

    #[test]
    fn tables_side_by_side() {
        let line = "| 回合 | 红方 | 黑方 | 回合 | 红方 | 黑方 |";
        let head = Head::new(line, 0, line.len(), None).unwrap();
        let groups: Vec<usize> = head.columns.iter().map(|column| column.group).collect();
        assert_eq!(groups, [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn cells_keep_their_places() {
        let line = "| 1 | | 马8进7 |";
        let found: Vec<&str> =
            cells(line, 0, line.len(), Style::Bars).iter().map(|c| &line[c.start..c.end]).collect();
        assert_eq!(found, ["1", "", "马8进7"]);
        let line = "1\t\t马8进7";
        let columns: Vec<usize> =
            cells(line, 0, line.len(), Style::Tabs).iter().map(|cell| cell.column).collect();
        assert_eq!(columns, [0, 8, 16]);
        let line = "　炮二平五 x";
        let columns: Vec<usize> =
            cells(line, 0, line.len(), Style::Blanks).iter().map(|cell| cell.column).collect();
        assert_eq!(columns, [2, 11]);
    }
}
