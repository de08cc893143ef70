//! Bare move lists: moves and start positions, no tags, no round numbers.
//!
//! A line is one of:
//!
//! - moves, in any notation, with blanks or commas between them or none (`h2e2h9g7`), a result at the end;
//! - `position startpos moves …` and `position fen … moves …` as UCCI and UCI have them, `position` left out or not;
//! - a FEN, with the side to move set apart or not (`…/4K4w`), and moves behind it or not;
//! - `title|FEN|moves`, a line of an `.eglib` file, the moves left out or not;
//! - a remark of a program: behind `#`, `%`, `//`, or a line of an engine (`info …`, `bestmove …`);
//! - a title: anything else.
//!
//! # Games
//!
//! A `position` line or a FEN begins a game, as does a title or a result before it. A `position` line that repeats the
//! one before and goes on is the same game, as in the log of an engine, unless a blank line parts them. Where moves come first and a FEN follows them,
//! it is the start position of those moves. Other lines of moves are one game or a game each, whichever the rules of
//! moving allow: a line goes on with the game if it can be played from where the game stands, and begins another if it
//! can rather be played from the start position. Where both are possible a line of more than two moves is a game.
//!
//! Titles and remarks are kept as comments.
//!
//! ```
//! use qijian::{format::moves, source::{Encoding, Text}};
//!
//! let text = Text::decode(b"position startpos moves h2e2 h9g7\nh2e2 h7e7 h0g2\nb0c2 b9c7 a0b0\n", Encoding::Utf8);
//! let mut plies = Vec::new();
//! moves::read(&text, &mut |record| plies.push(record.tree.len()));
//! assert_eq!(plies, [2, 3, 3]);
//! ```

mod line;
mod place;

use std::borrow::Cow;

use crate::{
    finding::Span,
    record::{Comment, Marker, NodeId, Record, Start, Written},
    source::Text,
};

use super::pgn;
use line::Line;
use place::Board;

pub(super) use line::{Item, is_list, items};

/// Reads every game of `text`, handing each to `sink` as soon as it is complete.
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    let text = text.as_str();
    let mut reader = Reader { text, sink, game: Game::new(1), trailing: None, titles: Vec::new() };
    let mut at = 0;
    while at < text.len() {
        let end = pgn::line_end(text, at);
        reader.line(at, end);
        at = end + 1;
    }
    reader.emit();
}

struct Game<'t> {
    record: Record<'t>,
    last: NodeId,
    board: Board,
    /// The `position` line that began it.
    command: Option<&'t str>,
    /// Whether a blank line stands behind that line, so that the next one is another game even if it repeats it.
    closed: bool,
    span: Option<(usize, usize)>,
}

impl<'t> Game<'t> {
    fn new(number: u32) -> Game<'t> {
        Game {
            record: Record::new(number),
            last: NodeId::ROOT,
            board: Board::start(),
            command: None,
            closed: false,
            span: None,
        }
    }

    fn is_empty(&self) -> bool {
        self.record.tree.is_empty()
            && self.record.start == Start::Standard
            && self.command.is_none()
            && self.record.result.is_none()
    }

    fn cover(&mut self, start: usize, end: usize) {
        let (first, last) = self.span.unwrap_or((start, end));
        self.span = Some((first.min(start), last.max(end)));
    }
}

struct Reader<'t, 's> {
    text: &'t str,
    sink: &'s mut dyn FnMut(Record<'t>),
    game: Game<'t>,
    /// Whether FENs stand behind their moves; `None` before the first.
    trailing: Option<bool>,
    /// Titles and remarks that wait for the game that they precede.
    titles: Vec<(usize, usize)>,
}

impl<'t> Reader<'t, '_> {
    fn line(&mut self, at: usize, end: usize) {
        let text = self.text;
        match line::classify(text, at, end) {
            Line::Blank => self.game.closed = true,
            Line::Title(start, end) => {
                if !self.game.is_empty() {
                    self.emit();
                }
                self.titles.push((start, end));
            }
            Line::Remark(start, end) => {
                if self.game.is_empty() {
                    self.titles.push((start, end));
                } else {
                    self.comment(start, end);
                }
            }
            Line::Moves(start) => {
                if self.begins(start, end) {
                    self.emit();
                }
                self.moves(start, end);
            }
            Line::Command { start, fen, moves } => self.command(start, fen, moves, end),
            Line::Fen { fen, moves } => self.fen(fen, moves, end),
            Line::Entry { title, fen, moves } => {
                if !self.game.is_empty() {
                    self.emit();
                }
                self.titles.push(title);
                self.start(fen.0, fen.1);
                self.moves(moves, end);
            }
        }
    }

    /// `position …`: a game of its own, unless it goes on with the one before.
    fn command(&mut self, start: usize, fen: Option<(usize, usize)>, moves: usize, end: usize) {
        let whole = self.text[start..end].trim_end();
        let before = self.game.command.filter(|_| !self.game.closed);
        if let Some(more) = before.and_then(|before| whole.strip_prefix(before))
            && (more.is_empty() || more.starts_with(' '))
        {
            self.game.command = Some(whole);
            self.moves(start + whole.len() - more.len(), end);
            return;
        }
        if !self.game.is_empty() {
            self.emit();
        }
        self.game.command = Some(whole);
        self.game.cover(start, start + whole.len());
        if let Some((start, end)) = fen {
            self.start(start, end);
        }
        self.moves(moves, end);
    }

    fn fen(&mut self, fen: (usize, usize), moves: usize, end: usize) {
        let bare = !self.game.record.tree.is_empty() && self.game.record.start == Start::Standard;
        let has_moves = moves < end;
        let trailing = *self.trailing.get_or_insert(bare && !has_moves);
        if trailing && bare && !has_moves {
            self.start(fen.0, fen.1);
            self.emit();
            return;
        }
        if !self.game.is_empty() {
            self.emit();
        }
        self.start(fen.0, fen.1);
        self.moves(moves, end);
    }

    fn start(&mut self, start: usize, end: usize) {
        let fen = line::spaced_fen(&self.text[start..end]);
        self.game.board = Board::from_fen(&fen);
        self.game.record.start = Start::Fen { text: fen, span: Span::new(start, end) };
        self.game.cover(start, end);
    }

    /// Whether the moves of a line are another game than the one being read.
    fn begins(&self, at: usize, end: usize) -> bool {
        let game = &self.game;
        if game.record.result.is_some() {
            return true;
        }
        if game.record.tree.is_empty() {
            return false;
        }
        let texts = line::items(self.text, at, end).filter_map(|(span, item)| match item {
            Item::Move => Some(&self.text[span.range()]),
            _ => None,
        });
        game.board.is_left_by(texts)
    }

    fn moves(&mut self, at: usize, end: usize) {
        for (span, item) in line::items(self.text, at, end) {
            let range = span.range();
            let game = &mut self.game;
            game.cover(range.start, range.end);
            let written = match item {
                Item::Move => Written::Text(&self.text[range]),
                Item::Omitted => Written::Omitted,
                Item::End(outcome) => {
                    let text = Cow::Borrowed(&self.text[range]);
                    game.record.result.get_or_insert(Marker { text, outcome, span });
                    continue;
                }
            };
            if game.record.result.is_some() {
                game.record.after_end.push((written, span));
                continue;
            }
            game.board.play(written);
            game.last = game.record.tree.add(game.last, written, span);
        }
    }

    fn comment(&mut self, start: usize, end: usize) {
        self.game.cover(start, end);
        let text = Cow::Borrowed(&self.text[start..end]);
        let comment = Comment { node: self.game.last, text, span: Span::new(start, end) };
        self.game.record.tree.comments.push(comment);
    }

    /// Hands the game to the sink, if there is one, and begins the next.
    fn emit(&mut self) {
        if self.game.is_empty() {
            return;
        }
        let next = Game::new(self.game.record.game.saturating_add(1));
        let mut game = std::mem::replace(&mut self.game, next);
        let comments = &mut game.record.tree.comments;
        let behind = std::mem::take(comments);
        for (start, end) in self.titles.drain(..) {
            let text = Cow::Borrowed(&self.text[start..end]);
            comments.push(Comment { node: NodeId::ROOT, text, span: Span::new(start, end) });
        }
        comments.extend(behind);
        if let Some(first) = comments.first() {
            let start = first.span.start as usize;
            game.cover(start, start);
        }
        if let Some((start, end)) = game.span {
            game.record.span = Span::new(start, end);
        }
        (self.sink)(game.record);
    }
}

#[cfg(test)]
mod tests;
