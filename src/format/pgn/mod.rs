//! PGN as real archives have it.
//!
//! The reader is total and linear: any text gives records with findings, no part of it is searched twice in vain,
//! nothing recurses. It keeps what is written and judges no move; what a text means on the board is for the replay.
//!
//! # Games
//!
//! A tag behind moves, behind an end marker, or a repeated tag behind a blank line begins a new game, and so does a
//! repeated `Event`, which stands first in a game; so does round 1 behind an end marker, or behind a blank line once round
//! 2 has been seen. Blank lines mean nothing else. In a file with neither tags nor numbers, a blank line and a line of
//! words separate games.
//!
//! # Headings
//!
//! Lines above a game without tags tell the same: `红方：许银川`, `【红方】许银川`, `许银川 先胜 吕钦`, `1999年10月12日弈于上海`.
//! They become tags where nothing has told that yet.
//!
//! # Text that is no move
//!
//! A word stands for a move, and becomes [`Written::Text`] for the replay to report, if it looks like a damaged move
//! (`炮２平X`), or if the written round still lacks a ply (`5. 炮二平五 xxxx`). A line wholly or mostly of prose is kept
//! as a comment on the last ply, with `QJ006` if the game has begun. Behind the end marker or a rule (`====`) prose is
//! mostly the advertising of the program that wrote the file: it is no comment, but kept beside the game
//! ([`Record::beside`]), as are lines escaped by `%`, and reported (`QJ015`) unless it is a known footer.
//!
//! # Dots
//!
//! Dots or dashes are an omitted ply, one a token. The exception is the placeholder for Red's half of a line, which
//! is nothing: dots, not dashes, directly behind a round number where Black is to move. Who is to move is known by counting
//! plies, those that `[%missing N]` tells of too, from the side of the FEN tag, Red without one. Two starts are decided otherwise: behind a FEN tag of another
//! position than the start position, dots before the first move mean that Black begins, whatever the tag's side
//! field says, because that field is often wrong; and in a variation that has no ply yet, dots say that its first ply
//! is Black's, even where the variation stands behind a move of Red (it then varies the move to come). Without a set-up
//! position, `1. …… 马8进7` has an omitted first ply.
//!
//! # Variations and comments
//!
//! A parenthesis is a variation if its first token behind numbers and dots is a move, else a comment. It varies the
//! last ply of the line around it, unless its number is that of the ply to come; before any ply, it varies the first.
//! A comment belongs to the ply before it, the root before the first; in a variation that has no ply yet, to the
//! variation's first ply. Comments in parentheses keep them: `(=)`.
//!
//! # Other layouts
//!
//! Files whose numbers begin at 0 (`0-马四进三 0-马四进五 1-炮４退９`) give each ply the number of the ply that it
//! follows. Move trees drawn as a diagram (`.pgn_cc`) become trees. A FEN on a line of its own is the start position.
//!
//! ```
//! use qijian::{finding::Binary, format::pgn};
//!
//! let text = "[Red \"甲\"]\n1. 炮二平五 {当头炮} 马８进７ 1-0\n\n1.兵七进一 *";
//! let mut games = Vec::new();
//! pgn::read_str(text, &Binary, &mut |record| games.push(record));
//! assert_eq!(games.len(), 2);
//! assert_eq!(games[0].tree.main_line().count(), 2);
//! assert_eq!(games[0].tree.comments[0].text, "当头炮");
//! ```

mod comments;
mod game;
mod grid;
mod lexer;
pub mod plain;
mod reread;
mod shape;
mod sheet;
mod tags;
mod title;
mod write;

pub use sheet::Sheet;
pub use write::{Page, write};

pub(super) use lexer::{Comments, balance, dots, is_position, marker};
pub(super) use shape::{any_move, skip_space};
pub(super) use tags::{line_end, parse as parse_tag, parse_labelled, parse_plain};
pub(super) use title::parse as parse_title;

use crate::{
    finding::{Locate, Span},
    record::{Outcome, Record, Start, Written, standard_key},
    source::Text,
};

use game::Game;
use lexer::{Closer, Kind};
use shape::{digit, narrow};
use tags::TagLine;

/// Reads every game of `text`, handing each to `sink` as soon as it is complete.
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    read_str(text.as_str(), text, sink);
}

/// Reads every game of `text`, handing each to `sink` as soon as it is complete; `locate` gives findings their place.
pub fn read_str<'t>(text: &'t str, locate: &dyn Locate, sink: &mut dyn FnMut(Record<'t>)) {
    read_body(text, 0, None, locate, sink);
}

/// Reads the moves of another text format, from `at` to the end of `text`, as games with the start position `fen`.
pub(super) fn read_body<'t>(
    text: &'t str,
    at: usize,
    fen: Option<(&'t str, Span)>,
    locate: &dyn Locate,
    sink: &mut dyn FnMut(Record<'t>),
) {
    let mut game = Game::new(text, 1);
    if let Some((fen, span)) = fen {
        game.position(fen, span);
    }
    let mut reader = Reader {
        text,
        at,
        locate,
        sink,
        game,
        line: LineState { fresh: true, blank: true, ..LineState::default() },
        clean: 0,
        numbered: false,
        epilogue: false,
        braces: Closer::default(),
        parentheses: Closer::default(),
        slashes: 0,
    };
    while reader.skip() {
        reader.step();
    }
    reader.emit();
}

/// What has been read of the present line.
#[derive(Clone, Copy, Default, Debug)]
struct LineState {
    /// Nothing yet.
    fresh: bool,
    /// A blank line precedes it.
    blank: bool,
    /// A move or a round number, so that the line is not prose.
    moves: bool,
    /// It has been weighed, and is not prose.
    weighed: bool,
}

struct Reader<'t, 'r> {
    text: &'t str,
    at: usize,
    locate: &'r dyn Locate,
    sink: &'r mut dyn FnMut(Record<'t>),
    game: Game<'t>,
    line: LineState,
    /// Up to here the text is known to be a run of moves.
    clean: usize,
    /// Whether the last token was a round number.
    numbered: bool,
    /// Behind a rule such as `====`.
    epilogue: bool,
    braces: Closer,
    parentheses: Closer,
    /// Up to here no comment ends that `/*` opens.
    slashes: usize,
}

impl<'t> Reader<'t, '_> {
    /// Goes to the next token; `false` at the end of the text.
    fn skip(&mut self) -> bool {
        let (breaks, end) = lexer::line_breaks(self.text, self.at);
        if breaks > 0 {
            let blank = breaks > 1 || self.at == 0;
            self.line = LineState { fresh: true, blank, ..LineState::default() };
        }
        self.at = end;
        end < self.text.len()
    }

    /// Hands the game to the sink, if there is one, and begins the next.
    fn emit(&mut self) {
        let number = self.game.record.game;
        let next = number.saturating_add(u32::from(self.game.is_game()));
        let game = std::mem::replace(&mut self.game, Game::new(self.text, next));
        self.epilogue = false;
        self.numbered = false;
        if game.is_game() {
            (self.sink)(game.finish(self.locate));
        }
    }

    /// Reads one token.
    fn step(&mut self) {
        let text = self.text;
        let Some(c) = text[self.at..].chars().next() else { return };
        if self.line.fresh {
            if self.line_start(c) {
                return;
            }
            self.line.fresh = false;
        }
        if let Some(length) = shape::mover(&text[self.at..]) {
            self.at += length;
            return;
        }
        let next = self.at + c.len_utf8();
        let directly = std::mem::take(&mut self.numbered);
        match c {
            '{' | '｛' => self.brace(next),
            '/' if next > self.slashes && text[next..].starts_with('*') => {
                self.slash_comment(next + 1);
            }
            '(' => self.parenthesis(next),
            '（' => self.remark(next),
            ')' => {
                self.at = next;
                if !self.game.close(next) && self.game.has_moves() {
                    self.stray(
                        next - 1,
                        "多余的右括号",
                        "a closing parenthesis that nothing opens",
                    );
                }
            }
            '}' => {
                self.at = next;
                self.stray(next - 1, "多余的右花括号", "a closing brace that nothing opens");
            }
            ';' => {
                let end = tags::line_end(text, next);
                self.game.comment(Span::new(next, end), Span::new(self.at, end));
                self.at = end;
            }
            '[' if tags::is_plain_tag(text, self.at) => self.tag_or_skip(next),
            '[' | '［' | '【' => self.bracket(next),
            '$' => self.mark(),
            _ if is_mark(c) => self.mark(),
            '*' | '＊' => self.end(next, Outcome::Unknown),
            '½' => match lexer::marker(text, self.at) {
                Some((end, outcome)) => self.end(end, outcome),
                None => self.at = next,
            },
            _ if digit(c).is_some() || c == '第' => self.digits(),
            '.' | '…' | '．' | '⋯' | '-' | '—' | '－' | '–' => {
                match lexer::dots(text, self.at) {
                    Some(end) => self.dots(end, directly),
                    None if shape::any_move(&text[self.at..]).is_some() => self.word(),
                    None => self.at = next,
                }
            }
            '。' | ',' | '，' | '；' | '、' | '"' | '“' | '”' | '|' | ']' | '］' | '】' | '）'
            | '｝' => {
                self.at = next;
            }
            _ => self.word(),
        }
    }

    /// Reads what only stands at the start of a line; `false` if nothing of that kind is here.
    fn line_start(&mut self, c: char) -> bool {
        let text = self.text;
        if matches!(c, '[' | '［' | '【')
            && let Some(tag) =
                tags::parse(text, self.at).or_else(|| tags::parse_labelled(text, self.at))
        {
            self.tag(tag);
            return true;
        }
        let first = self.at == 0 || matches!(text.as_bytes()[self.at - 1], b'\n' | b'\r');
        if c == '%' && first {
            let end = tags::line_end(text, self.at);
            self.game.beside(Span::new(self.at + 1, end));
            self.at = end;
            return true;
        }
        if !c.is_alphanumeric() && lexer::is_rule(text, self.at) {
            self.at = tags::line_end(text, self.at);
            self.epilogue = self.game.is_game();
            return true;
        }
        if c == '开' && !self.game.has_moves() && grid::begins(text, self.at) {
            self.at = grid::read(text, self.at, &mut self.game, &mut self.braces, self.locate);
            return true;
        }
        if c.is_ascii_alphanumeric() && lexer::is_position(text, self.at) {
            self.position();
            return true;
        }
        c.is_alphabetic() && (self.plain_tag() || self.title())
            || c.is_ascii_digit() && self.title()
    }

    /// A tag without brackets, `红方：甲`, before the moves or where another game begins; `结果：红胜` behind them.
    fn plain_tag(&mut self) -> bool {
        let Some(tag) = tags::parse_plain(self.text, self.at) else { return false };
        let key = standard_key(tag.name);
        let behind = self.game.has_moves() || self.game.ended();
        if behind && key == Some("result") {
            let Some(outcome) = Outcome::from_text(tag.value) else { return false };
            let span = Span::new(tag.value_at, tag.value_at + tag.value.len());
            self.game.end(outcome, span, self.locate);
            self.at = tag.end;
            return true;
        }
        let opens = matches!(key, Some("event" | "title" | "red" | "black" | "date" | "round"));
        let separate = self.line.blank || self.game.ended() || self.epilogue;
        if shape::any_move(tag.value).is_some() || (behind && !(opens && separate)) {
            return false;
        }
        self.tag(tag);
        true
    }

    /// A FEN on a line of its own: the start position, if none has been given.
    fn position(&mut self) {
        let end = tags::line_end(self.text, self.at);
        let fen = self.text[self.at..end].trim_end();
        let span = Span::new(self.at, self.at + fen.len());
        if self.behind() || self.game.record.start != Start::Standard {
            self.game.beside(span);
        } else {
            self.game.position(fen, span);
        }
        self.at = end;
    }

    fn tag(&mut self, tag: TagLine<'t>) {
        let repeated = self.game.has_tag(tag.name)
            && (self.line.blank || standard_key(tag.name) == Some("event"));
        let tagged = !self.game.record.tags.is_empty();
        let body = self.game.has_moves() || self.game.ended() || (tagged && self.game.body);
        if body || (tagged && repeated) {
            self.emit();
        }
        self.epilogue = false;
        self.numbered = false;
        self.game.tag(tag, self.at, self.locate);
        self.at = tag.end;
        // Another tag may follow on the same line.
        self.line = LineState { fresh: true, ..LineState::default() };
    }

    fn tag_or_skip(&mut self, next: usize) {
        match tags::parse(self.text, self.at) {
            Some(tag) => self.tag(tag),
            None => self.at = next,
        }
    }

    fn stray(&mut self, at: usize, zh: &'static str, en: &'static str) {
        self.game.slip(self.locate, Span::new(at, at + 1), zh, en);
    }

    fn mark(&mut self) {
        let rest = &self.text[self.at..];
        let length = match rest.strip_prefix('$') {
            Some(glyph) => 1 + glyph.bytes().take_while(u8::is_ascii_digit).count(),
            None => rest.find(|c| !is_mark(c)).unwrap_or(rest.len()),
        };
        let span = Span::new(self.at, self.at + length);
        if !self.behind() {
            self.game.mark(span);
        }
        self.at += length;
    }

    fn end(&mut self, end: usize, outcome: Outcome) {
        let span = Span::new(self.at, end);
        // Right before its parenthesis closes it is how the variation would have ended.
        let of_variation = self.text[skip_space(self.text, end)..].starts_with(')');
        if of_variation && self.game.in_variation() {
            self.game.comment(span, span);
        } else {
            self.game.end(outcome, span, self.locate);
        }
        self.at = end;
    }

    fn dots(&mut self, end: usize, directly: bool) {
        let span = Span::new(self.at, end);
        self.at = end;
        if !self.behind() {
            // Dashes are an omitted ply wherever they stand.
            let directly = directly && !self.text[span.range()].starts_with(['-', '—', '－', '–']);
            let more = lexer::dots(self.text, skip_space(self.text, end)).is_some();
            self.game.dots(span, directly, more);
        }
    }

    /// Whether the game is over, so that what follows is no part of it.
    fn behind(&self) -> bool {
        self.game.ended() || self.epilogue
    }

    fn digits(&mut self) {
        if let Some((end, outcome)) = lexer::marker(self.text, self.at) {
            self.end(end, outcome);
            return;
        }
        let Some(number) = lexer::number(self.text, self.at) else { return self.word() };
        let next = skip_space(self.text, number.end);
        let restart = number.value == 1 && !self.game.in_variation() && number.marked;
        if self.behind() {
            if restart && lexer::begins_move(self.text, next) {
                self.emit();
            }
        } else if restart
            && self.line.blank
            && !self.line.moves
            && self.game.round() > Some(1)
            && lexer::begins_move(self.text, next)
        {
            self.emit();
        }
        if self.behind() {
            self.game.beside(Span::new(self.at, number.end));
        } else {
            self.line.moves = true;
            self.game.number(number.value, lexer::digits_of(self.text, self.at));
            self.numbered = true;
        }
        self.at = number.end;
    }

    /// A move or a word.
    fn word(&mut self) {
        let text = self.text;
        if self.at < self.clean
            && let Some(length) = shape::any_move(&text[self.at..])
        {
            self.ply(self.at + length);
            return;
        }
        if !self.line.moves && !self.line.weighed {
            let balance = lexer::balance(text, self.at);
            if balance.is_prose() {
                self.prose(balance.end);
                return;
            }
            self.line.weighed = true;
        }
        let run = lexer::run(text, self.at);
        match run.kind {
            Kind::Moves => {
                self.clean = run.end;
                let length = || shape::any_move(&text[self.at..]);
                let first = run.first.or_else(|| length().map(|length| self.at + length));
                self.ply(first.unwrap_or(run.end));
            }
            Kind::Spaced | Kind::Broken => self.ply(run.end),
            Kind::Result(outcome) => self.end(run.end, outcome),
            Kind::Word => {
                let concedes = concedes(&text[self.at..run.end]);
                if !self.behind() && self.game.expects_ply() && !concedes {
                    self.ply(run.end);
                } else {
                    self.loose(run.end, concedes);
                }
            }
        }
    }

    fn ply(&mut self, end: usize) {
        let span = Span::new(self.at, end);
        let written = Written::Text(&self.text[span.range()]);
        self.at = end;
        self.line.moves = true;
        if self.game.ended() {
            self.game.after_end(written, span);
        } else {
            self.epilogue = false;
            self.game.ply(written, span);
        }
    }

    /// A line of prose up to `end`.
    fn prose(&mut self, end: usize) {
        let separate = self.line.blank && !self.game.in_variation();
        let bare = self.game.record.tags.is_empty() && !self.game.numbered();
        if separate && bare && self.game.has_moves() && !self.behind() {
            self.emit();
        }
        let end = if self.behind() { tags::line_end(self.text, end) } else { end };
        self.loose(end, false);
    }

    /// Loose text up to `end`: kept as a comment while the game goes on.
    fn loose(&mut self, end: usize, expected: bool) {
        let text = self.text[self.at..end].trim_end_matches(shape::is_space);
        let span = Span::new(self.at, self.at + text.len());
        if self.behind() {
            self.game.beside(span);
        } else {
            self.game.loose(span, expected, self.locate);
        }
        self.at = end;
    }
}

/// Whether `word` tells how the game ended, 黑方认负, so that it stands for no move.
fn concedes(word: &str) -> bool {
    word.contains([
        '胜', '勝', '负', '負', '和', '输', '輸', '认', '認', '时', '時', '完', '终', '終',
    ])
}

/// Whether `c` judges a move or a position: `!`, `?`, and the signs that books print.
fn is_mark(c: char) -> bool {
    matches!(narrow(c), '!' | '?' | '±' | '∓' | '⩲' | '⩱' | '∞' | '□')
}

#[cfg(test)]
mod tests;
