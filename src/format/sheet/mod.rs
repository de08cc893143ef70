//! Hand-kept scoresheets as text: heading lines and a table of 回合, 红方, 黑方. The convention stands in
//! `grammars/sheet.md`.
//!
//! A table's head names its columns, and they decide whose a move is: an empty cell is an omitted ply
//! ([`crate::record::Written::Omitted`]), as are `……`, `...`, `---` and a single dash. Round numbers stay as written, so that a jump is
//! seen. Empty cells behind the last move, and Red's before the first of a position where Black begins, are nothing.
//!
//! Times become the comments `[%emt …]` (用时) and `[%clk …]` (余时) of their ply, with the time as written. A remark is
//! a comment on the last ply of its row, 红方备注 on Red's and 黑方备注 on Black's, its words as written. A line that has
//! a remark only goes on with the row before.
//!
//! ```
//! use qijian::{format::sheet, record::Written, source::{Encoding, Text}};
//!
//! let sheet = "红方：甲    黑方：乙\n记录：红方\n回合  红方      黑方\n 1    炮二平五  马8进7\n 2              车9平8\n";
//! let text = Text::decode(sheet.as_bytes(), Encoding::Utf8);
//! sheet::read(&text, &mut |record| {
//!     let line: Vec<Written<'_>> = record.tree.main_line().map(|id| record.tree.node(id).written).collect();
//!     assert_eq!(line[2..], [Written::Omitted, Written::Text("车9平8")]);
//!     assert_eq!(record.owner, Some(qijian::board::Side::Red));
//! });
//! ```

mod columns;
mod lines;
mod row;
mod table;
mod write;

pub use write::write;

use std::borrow::Cow;

use crate::{
    board::Side,
    finding::Span,
    record::{Comment, Marker, NodeId, Outcome, Record, Start, Tag, standard_key},
    source::Text,
};

use super::pgn;
use columns::Head;
use lines::{is_remark_name, is_rule, owner_of, owner_said, pairs};
use row::Row;

/// Reads every sheet of `text`, handing each to `sink` as soon as it is complete.
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    let text = text.as_str();
    let mut reader = Reader { text, sink, sheet: Sheet::new(1) };
    let mut at = 0;
    while at < text.len() {
        let end = pgn::line_end(text, at);
        reader.line(at, end);
        at = end + 1;
    }
    reader.emit();
}

/// Whether a text is a scoresheet: it has the head of a table, and a move in a row below.
pub(super) fn is_sheet(text: &str) -> bool {
    let mut head: Option<Head> = None;
    let mut at = 0;
    while at < text.len() {
        let end = pgn::line_end(text, at);
        if let Some(found) = Head::new(text, at, end, None) {
            head = Some(found);
        } else if let Some(head) = &mut head
            && !is_rule(&text[at..end])
            && let Some(rows) = row::read(text, at, end, head)
        {
            let moves = rows.iter().flat_map(|row| row.moves);
            if moves.into_iter().any(|(start, end)| pgn::any_move(&text[start..end]).is_some()) {
                return true;
            }
        }
        at = end + 1;
    }
    false
}

/// A sheet being read.
struct Sheet<'t> {
    record: Record<'t>,
    head: Option<Head>,
    /// A head behind rows: of a further page or of the next sheet, as its first row will tell.
    next_head: Option<(Head, usize)>,
    rows: Vec<(usize, Row)>,
    /// Comments before the table, and behind it.
    notes: Vec<Span>,
    endings: Vec<Span>,
    /// A blank line precedes.
    blank: bool,
    span: Option<(usize, usize)>,
}

impl Sheet<'_> {
    fn new(number: u32) -> Self {
        Sheet {
            record: Record::new(number),
            head: None,
            next_head: None,
            rows: Vec::new(),
            notes: Vec::new(),
            endings: Vec::new(),
            blank: false,
            span: None,
        }
    }

    fn cover(&mut self, start: usize, end: usize) {
        let (first, last) = self.span.unwrap_or((start, end));
        self.span = Some((first.min(start), last.max(end)));
    }
}

struct Reader<'t, 's> {
    text: &'t str,
    sink: &'s mut dyn FnMut(Record<'t>),
    sheet: Sheet<'t>,
}

impl<'t> Reader<'t, '_> {
    fn line(&mut self, start: usize, end: usize) {
        let line = &self.text[start..end];
        if line.trim().is_empty() {
            self.sheet.blank = true;
            return;
        }
        if !is_rule(line) {
            self.words(start, end);
        }
        self.sheet.blank = false;
    }

    fn words(&mut self, start: usize, end: usize) {
        let text = self.text;
        if let Some(head) = Head::new(text, start, end, self.sheet.record.owner) {
            if self.sheet.rows.is_empty() {
                self.sheet.head = Some(head);
                self.sheet.cover(start, end);
            } else {
                self.sheet.next_head = Some((head, start));
            }
            return;
        }
        if let Some((_, head_at)) = self.sheet.next_head {
            // Only rows can follow a head; they tell whether it was a further page.
            self.turn(start, end, head_at);
        }
        if self.sheet.head.is_none() {
            self.heading(start, end);
            return;
        }
        if self.ending(start, end) {
            return;
        }
        let sheet = &mut self.sheet;
        let rows = sheet.head.as_mut().and_then(|head| row::read(text, start, end, head));
        match rows {
            Some(rows) => {
                sheet.cover(start, end);
                sheet.rows.extend(rows.into_iter().enumerate());
            }
            None => {
                let (start, end) = trimmed(text, start, end);
                sheet.cover(start, end);
                sheet.endings.push(Span::new(start, end));
            }
        }
    }

    /// Decides by the row behind a second head whether it heads a further page or the next sheet.
    fn turn(&mut self, start: usize, end: usize, head_at: usize) {
        let Some((mut head, _)) = self.sheet.next_head.take() else { return };
        let number = row::read(self.text, start, end, &mut head)
            .and_then(|rows| rows.first().and_then(|row| row.number));
        let last = self.sheet.rows.iter().filter_map(|(_, row)| row.number).max();
        let goes_on = number.is_none() || number > last;
        if !goes_on {
            self.emit();
        }
        self.sheet.cover(head_at, start);
        // Tables side by side of a further page come behind those of the first.
        let pages = self.sheet.rows.iter().map(|(group, _)| group + 1).max().unwrap_or(0);
        for column in &mut head.columns {
            column.group += pages;
        }
        self.sheet.head = Some(head);
    }

    /// A line before the table.
    fn heading(&mut self, start: usize, end: usize) {
        let pairs = pairs(self.text, start, end);
        self.sheet.cover(start, end);
        if pairs.is_empty() {
            match owner_said(&self.text[start..end]) {
                Some(owner) => self.sheet.record.owner = Some(owner),
                None => {
                    let (start, end) = trimmed(self.text, start, end);
                    self.sheet.notes.push(Span::new(start, end));
                }
            }
        }
        for (name, value) in pairs {
            self.pair(name, value, false);
        }
    }

    /// A line behind rows that is none: `结果：红胜`, 红胜, signatures, or the heading of the next sheet.
    fn ending(&mut self, start: usize, end: usize) -> bool {
        let text = self.text;
        let line = text[start..end].trim();
        // A second line that speaks of the end, such as 黑方超时 behind 红胜, is a remark: nothing is dropped.
        if self.sheet.record.result.is_none()
            && let Some(outcome) = result(line)
        {
            let (start, end) = trimmed(text, start, end);
            self.end(outcome, start, end);
            return true;
        }
        let pairs = pairs(text, start, end);
        if pairs.is_empty() {
            let owner = owner_said(line);
            self.sheet.record.owner = self.sheet.record.owner.or(owner);
            return owner.is_some();
        }
        if self.opens(&pairs) {
            self.emit();
            self.heading(start, end);
            return true;
        }
        self.sheet.cover(start, end);
        for (name, value) in pairs {
            self.pair(name, value, true);
        }
        true
    }

    /// Whether pairs behind a table head the next sheet: what is said of a game at its head, again or behind a blank line.
    fn opens(&self, pairs: &[(Span, Span)]) -> bool {
        pairs.iter().any(|(name, _)| {
            let name = &self.text[name.range()];
            let key = standard_key(name);
            let again = || key.is_some_and(|key| self.sheet.record.tag(key).is_some());
            is_head(name) && (self.sheet.blank || again())
        })
    }

    fn end(&mut self, outcome: Outcome, start: usize, end: usize) {
        self.sheet.cover(start, end);
        let text = Cow::Borrowed(&self.text[start..end]);
        let span = Span::new(start, end);
        self.sheet.record.result.get_or_insert(Marker { text, outcome, span });
    }

    /// `名：值`
    fn pair(&mut self, name: Span, value: Span, behind: bool) {
        let (named, said) = (&self.text[name.range()], &self.text[value.range()]);
        let record = &mut self.sheet.record;
        if is_remark_name(named) {
            let notes = if behind { &mut self.sheet.endings } else { &mut self.sheet.notes };
            notes.push(value);
            return;
        }
        let key = standard_key(named);
        if key == Some("fen") && !said.is_empty() {
            record.start = Start::Fen { text: Cow::Borrowed(said), span: value };
        }
        if let Some(owner) = owner_of(named, said, record) {
            record.owner = Some(owner);
        }
        if behind
            && key == Some("result")
            && let Some(outcome) = Outcome::from_text(said)
        {
            self.end(outcome, value.start as usize, value.end as usize);
            return;
        }
        record.tags.push(Tag {
            name: Cow::Borrowed(named),
            value: Cow::Borrowed(said),
            span: value,
        });
    }

    /// Hands the sheet to the sink, if it is one, and begins the next.
    fn emit(&mut self) {
        let number = self.sheet.record.game;
        let is_sheet = self.sheet.head.is_some();
        let next = number.saturating_add(u32::from(is_sheet));
        let mut sheet = std::mem::replace(&mut self.sheet, Sheet::new(next));
        // A head without rows behind it is kept for what follows.
        if !is_sheet {
            return;
        }
        for note in &sheet.notes {
            sheet.record.tree.comments.push(comment(self.text, NodeId::ROOT, *note));
        }
        if let Some(head) = &sheet.head {
            table::assemble(self.text, head, &mut sheet.rows, &mut sheet.record);
        }
        let last = sheet.record.tree.main_line().last().unwrap_or(NodeId::ROOT);
        for ending in &sheet.endings {
            sheet.record.tree.comments.push(comment(self.text, last, *ending));
        }
        if let Some((start, end)) = sheet.span {
            sheet.record.span = Span::new(start, end);
        }
        (self.sink)(sheet.record);
    }
}

fn comment(text: &str, node: NodeId, span: Span) -> Comment<'_> {
    Comment { node, text: Cow::Borrowed(&text[span.range()]), span }
}

/// `start..end` without the blanks around it.
fn trimmed(text: &str, start: usize, end: usize) -> (usize, usize) {
    let line = &text[start..end];
    let from = end - line.trim_start().len();
    (from, from + line.trim().len())
}

/// Whether a tag is what is said of a game at its head, and not behind its moves.
pub(crate) fn is_head(name: &str) -> bool {
    matches!(
        standard_key(name),
        Some(
            "event"
                | "title"
                | "site"
                | "date"
                | "round"
                | "red"
                | "black"
                | "red_team"
                | "black_team"
        )
    )
}

/// The result that a line is, if it is nothing else.
fn result(line: &str) -> Option<Outcome> {
    const LONGEST: usize = 30;
    (line.len() <= LONGEST).then(|| Outcome::from_text(line)).flatten()
}

/// The name of a side in a sheet.
const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "红方",
        Side::Black => "黑方",
    }
}

#[cfg(test)]
mod tests;
