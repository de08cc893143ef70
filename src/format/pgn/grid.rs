//! Move trees drawn as a diagram, as the `.pgn_cc` files of one program have them.
//!
//! ```text
//! 　开始
//! 　　↓
//! 炮二平五
//! 　　↓
//! 马８进７…马２进３
//!
//! (1,0): {当头炮}
//! ```
//!
//! A column is four characters wide with one between; a move continues the move above it, or, behind `…`, is an
//! alternative to the move left of it. Comments follow with row and column.

use crate::{
    finding::{Locate, Span},
    record::{NodeId, Written},
};

use super::{
    game::Game,
    lexer::{Closer, line_breaks},
    shape::{is_space, skip_space},
    tags::{line_end, skip_blanks},
};

/// Characters of a column: a move and what stands before the next one.
const WIDTH: usize = 5;

/// A move of a diagram.
struct Cell {
    row: usize,
    column: usize,
    node: NodeId,
    /// The node that it follows.
    parent: NodeId,
}

/// Whether the line at `at` is the head of a diagram.
pub(super) fn begins(text: &str, at: usize) -> bool {
    if !text[at..].starts_with("开始") {
        return false;
    }
    let end = skip_blanks(text, at + "开始".len());
    let (breaks, below) = line_breaks(text, end);
    breaks == 1 && text[below..].starts_with('↓')
}

/// Reads the diagram whose head is at `at` into `game`; returns where it and its comments end.
pub(super) fn read<'t>(
    text: &'t str,
    at: usize,
    game: &mut Game<'t>,
    braces: &mut Closer,
    locate: &dyn Locate,
) -> usize {
    let mut cells: Vec<Cell> = Vec::new();
    let (mut above, mut row) = (0..0, 0);
    let mut line = next_line(text, line_end(text, at));
    while line < text.len() {
        let end = line_end(text, line);
        let content = &text[line..end];
        if content.is_empty() || content.starts_with(['(', '[', '{']) {
            break;
        }
        if !content.contains('↓') {
            row += 1;
            let first = cells.len();
            if !read_row(text, line..end, row, above, &mut cells, game) {
                let span = Span::new(line, end);
                game.slip(
                    locate,
                    span,
                    "着法图中有不相连的着法",
                    "a move of the diagram is connected to none",
                );
            }
            above = first..cells.len();
        }
        line = next_line(text, end);
    }
    read_comments(text, line, &cells, game, braces)
}

/// The start of the line behind the break at `at`.
fn next_line(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let length = if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) };
    at + length
}

/// Reads one row; `false` if it holds a move that is connected to none.
fn read_row<'t>(
    text: &'t str,
    line: std::ops::Range<usize>,
    row: usize,
    above: std::ops::Range<usize>,
    cells: &mut Vec<Cell>,
    game: &mut Game<'t>,
) -> bool {
    let start = line.start;
    let mut chars = text[line].char_indices().map(|(offset, c)| (start + offset, c)).peekable();
    let (mut column, mut linked, mut whole) = (0, false, true);
    let mut above = above;
    let first = cells.len();
    while chars.peek().is_some() {
        let mut span: Option<(usize, usize)> = None;
        let mut link = false;
        for index in 0..WIDTH {
            let Some((at, c)) = chars.next() else { break };
            if c == '…' {
                link = true;
            } else if index + 1 < WIDTH && !is_space(c) {
                let from = span.map_or(at, |(from, _)| from);
                span = Some((from, at + c.len_utf8()));
            }
        }
        if let Some((from, to)) = span {
            let parent = if linked {
                cells[first..].last().map(|cell| cell.parent)
            } else if row == 1 {
                (column == 0).then_some(NodeId::ROOT)
            } else {
                while above.start < above.end && cells[above.start].column < column {
                    above.start += 1;
                }
                cells[above.clone()]
                    .first()
                    .filter(|cell| cell.column == column)
                    .map(|cell| cell.node)
            };
            match parent {
                Some(parent) => {
                    let node =
                        game.drawn(parent, Written::Text(&text[from..to]), Span::new(from, to));
                    cells.push(Cell { row, column, node, parent });
                }
                None => whole = false,
            }
        }
        (linked, column) = (link, column + 1);
    }
    whole
}

/// Reads `(row,column): {text}` as long as they follow each other.
fn read_comments(
    text: &str,
    at: usize,
    cells: &[Cell],
    game: &mut Game<'_>,
    braces: &mut Closer,
) -> usize {
    let mut end = at;
    while let Some((row, column, open)) = comment_head(text, skip_space(text, end)) {
        let inner = braces.find(text, open + 1, &['{'], &['}']);
        let place = (row, column);
        let found = cells.binary_search_by_key(&place, |cell| (cell.row, cell.column));
        let node = found.map_or(NodeId::ROOT, |index| cells[index].node);
        game.comment_on(node, Span::new(open + 1, inner.inner), Span::new(open, inner.end));
        end = inner.end;
    }
    end
}

/// Row, column, and place of the brace of a comment at `at`.
fn comment_head(text: &str, at: usize) -> Option<(usize, usize, usize)> {
    let head = text[at..].strip_prefix('(')?;
    let close = head.bytes().take(24).position(|byte| byte == b')')?;
    let (row, column) = head[..close].split_once(',')?;
    let (row, column) = (row.trim().parse().ok()?, column.trim().parse().ok()?);
    let colon = at + 1 + close + 1;
    let rest = text[colon..].strip_prefix(':')?;
    let open = skip_space(text, text.len() - rest.len());
    text[open..].starts_with('{').then_some((row, column, open))
}
