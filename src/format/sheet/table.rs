//! Rows of a scoresheet as plies.

use std::borrow::Cow;

use crate::{
    board::{Setup, Side},
    finding::Span,
    record::{Comment, Marker, NodeId, Outcome, Record, Start, Written},
};

use super::{
    super::pgn,
    columns::{Head, Kind},
    row::{Row, is_omitted},
};

/// Words in a cell of moves that say how the game ended.
const ENDINGS: [&str; 10] =
    ["认输", "认负", "認輸", "投子", "超时", "超時", "弃权", "棄權", "议和", "議和"];

/// Puts the rows, each with the number of its table, into the tree of `record`: table by table, in the order written.
pub(super) fn assemble<'t>(
    text: &'t str,
    head: &Head,
    rows: &mut Vec<(usize, Row)>,
    record: &mut Record<'t>,
) {
    rows.sort_by_key(|(group, _)| *group);
    record.sided_remarks =
        head.columns.iter().any(|column| matches!(column.kind, Kind::Remark(Some(_))));
    rows.retain(|(_, row)| !row.is_blank());
    let is_played = |(_, row): &(usize, Row)| row.has_moves();
    // Rounds that were numbered in advance and never played.
    let played = rows.iter().rposition(is_played).map_or(0, |last| last + 1);
    let of_side = [NodeId::ROOT; 2];
    let mut game = Game { text, head, record, last: NodeId::ROOT, of_side, ended: false };
    for (index, (_, row)) in rows.iter().enumerate() {
        if index < played {
            game.moves(row, index == 0, index + 1 == played);
        }
        game.others(row);
    }
}

struct Game<'t, 'g> {
    text: &'t str,
    head: &'g Head,
    record: &'g mut Record<'t>,
    last: NodeId,
    /// The last ply of each side.
    of_side: [NodeId; 2],
    /// Whether a cell has said the result.
    ended: bool,
}

impl<'t> Game<'t, '_> {
    fn moves(&mut self, row: &Row, first: bool, last: bool) {
        if row.number.is_none() && !row.has_moves() {
            return;
        }
        let mut number = row.number.map(|number| (number, row.number_at));
        for side in [Side::Red, Side::Black] {
            let (start, end) = row.moves[side as usize];
            let blank = start == end;
            let unplayed = blank && last && side == Side::Black;
            let not_begun = blank && first && side == Side::Red && self.black_begins();
            if !unplayed && !not_begun {
                self.cell(start, end, side, &mut number);
            }
        }
    }

    /// Whether the start position says that Black moves first.
    fn black_begins(&self) -> bool {
        match &self.record.start {
            Start::Fen { text, .. } => {
                Setup::from_fen(text).is_ok_and(|setup| setup.side == Some(Side::Black))
            }
            _ => false,
        }
    }

    /// One cell of a column of moves.
    fn cell(&mut self, start: usize, end: usize, side: Side, number: &mut Option<(u32, Span)>) {
        let word = &self.text[start..end];
        let span = Span::new(start, end);
        if let Some(outcome) = Outcome::from_text(word).filter(|_| !is_omitted(word)) {
            let text = Cow::Borrowed(word);
            self.record.result.get_or_insert(Marker { text, outcome, span });
            self.ended = true;
            return;
        }
        if ENDINGS.contains(&word) {
            self.comment(self.last, Cow::Borrowed(word), span);
            return;
        }
        let (length, marks) = parts(word);
        let written = if word.is_empty() || is_omitted(word) {
            Written::Omitted
        } else {
            Written::Text(&word[..length])
        };
        let span = Span::new(start, start + length);
        if self.ended {
            if start < end {
                self.record.after_end.push((written, span));
            }
            return;
        }
        self.last = self.record.tree.add(self.last, written, span);
        self.of_side[side as usize] = self.last;
        let node = self.record.tree.node_mut(self.last);
        if let Some((number, digits)) = number.take() {
            (node.number, node.number_span) = (Some(number), digits);
        }
        node.marks = &word[length..marks];
        let tail = word[marks..].trim();
        if !tail.is_empty() {
            let from = end - word[marks..].trim_start().len();
            self.comment(self.last, Cow::Borrowed(tail), Span::new(from, from + tail.len()));
        }
    }

    /// The times and remarks of a row.
    fn others(&mut self, row: &Row) {
        for (index, (start, end)) in &row.others {
            let word = &self.text[*start..*end];
            let column = &self.head.columns[(*index).min(self.head.columns.len() - 1)];
            let (node, text) = match column.kind {
                Kind::Time { side, left } => {
                    let name = if left { "clk" } else { "emt" };
                    (self.of_side[side as usize], Cow::Owned(format!("[%{name} {word}]")))
                }
                Kind::Remark(Some(side)) => (self.of_side[side as usize], Cow::Borrowed(word)),
                Kind::Other if column.name.0 < column.name.1 => {
                    let name = &self.text[column.name.0..column.name.1];
                    (self.last, Cow::Owned(format!("[%{name} {word}]")))
                }
                _ => (self.last, Cow::Borrowed(word)),
            };
            self.comment(node, text, Span::new(*start, *end));
        }
    }

    fn comment(&mut self, node: NodeId, text: Cow<'t, str>, span: Span) {
        self.record.tree.comments.push(Comment { node, text, span });
    }
}

/// Where the move of a cell ends and where the marks behind it end; all of it is the move unless a mark, a blank or a
/// parenthesis follows.
fn parts(word: &str) -> (usize, usize) {
    let is_mark = |c: char| matches!(c, '!' | '?' | '！' | '？');
    let Some(length) = pgn::any_move(word) else { return (word.len(), word.len()) };
    let rest = &word[length..];
    let marks = length + rest.find(|c| !is_mark(c)).unwrap_or(rest.len());
    let tail = &word[marks..];
    let parted = tail.is_empty()
        || tail.starts_with(|c: char| c.is_whitespace() || matches!(c, '(' | '（' | '['));
    if parted { (length, marks) } else { (word.len(), word.len()) }
}
