//! What a game is to say as PGN, part by part, before it is laid out.

use std::{borrow::Cow, collections::BTreeSet};

use crate::{
    board::{Position, Setup, Side},
    finding::Span,
    notation::Notation,
    record::{NodeId, Outcome, Record, Start, Tag, Written, standard_key},
};

use super::{
    game::START_BOARD,
    lexer::line_breaks,
    shape::{is_space, narrow},
    tags,
};

/// A game to be written: the record, and what its replay has made of the moves.
#[derive(Clone, Copy)]
pub struct Sheet<'s, 'a> {
    /// The game.
    pub record: &'s Record<'a>,
    /// The text of each ply by [`NodeId::index`]; `None`, and plies beyond the end, stay as written.
    pub texts: &'s [Option<String>],
    /// The same of the moves behind the end marker.
    pub after_end: &'s [Option<String>],
    /// The start position as the replay has settled it.
    pub start: Option<&'s Position>,
    /// The notation that the tag `Format` is to name; `None` leaves the tags alone.
    pub notation: Option<Notation>,
    /// Whether the file's encoding has a character.
    pub holds: &'s dyn Fn(char) -> bool,
}

/// A tag as it is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TagText<'s> {
    pub(super) name: Cow<'s, str>,
    pub(super) value: Cow<'s, str>,
    /// The tag of the record that this is not quite, and where it stands.
    pub(super) lost: Option<Span>,
}

/// A comment as it is to be written.
pub(super) struct CommentText<'s> {
    pub(super) text: Cow<'s, str>,
    /// Behind a semicolon, to the end of the line, rather than in braces.
    pub(super) line: bool,
    /// Whether characters had to be replaced.
    pub(super) lost: bool,
}

/// How the plies are numbered, and how the reader counts them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    first: Side,
    round: u32,
    /// Whether the reader takes the dots of `1...` for what they are.
    pub(super) dots: bool,
    /// Whether the reader has Black begin.
    black_begins: bool,
    /// Whether the FEN tag shows another position than the start position.
    pub(super) set_up: bool,
}

impl Count {
    /// The side that makes the ply after `depth` plies.
    pub(super) fn side(self, depth: u32) -> Side {
        if depth.is_multiple_of(2) { self.first } else { self.first.other() }
    }

    /// The round of that ply.
    pub(super) fn round(self, depth: u32) -> u32 {
        let black_first = u32::from(self.first == Side::Black);
        self.round.saturating_add(depth.saturating_add(black_first) / 2)
    }

    /// Whether the reader believes that ply to be Black's.
    pub(super) fn is_black_to_reader(self, depth: u32) -> bool {
        depth % 2 == u32::from(!self.black_begins)
    }
}

/// Characters that have the same meaning in a move, for encodings that lack the usual one.
const VARIANTS: [(char, char); 9] = [
    ('马', '馬'),
    ('车', '車'),
    ('进', '進'),
    ('帅', '帥'),
    ('将', '將'),
    ('后', '後'),
    ('炮', '砲'),
    ('\u{332}', '_'),
    ('\u{305}', '^'),
];

impl<'s> Sheet<'s, '_> {
    /// The tags: those of the record in order, and behind them those that the file needs besides.
    pub(super) fn tags(&self) -> Vec<TagText<'s>> {
        let record = self.record;
        let format = self.notation.map(format_name);
        let fen_tag = record.tags.iter().position(is_position);
        let mut tags: Vec<TagText<'s>> = Vec::with_capacity(record.tags.len() + 2);
        for (index, tag) in record.tags.iter().enumerate() {
            let adapted = match self.adapted_fen() {
                Some(fen) if fen_tag == Some(index) => Some(Cow::Owned(fen)),
                _ => self.adapted_format(tag).map(Cow::Borrowed),
            };
            tags.push(match adapted {
                Some(value) => TagText { name: Cow::Borrowed(&tag.name), value, lost: None },
                None => self.tag(&tag.name, &tag.value, tag.span),
            });
        }
        let has = |key| record.tags.iter().any(|tag| standard_key(&tag.name) == Some(key));
        let added = |name: &'static str, value: Cow<'s, str>| TagText {
            name: name.into(),
            value,
            lost: None,
        };
        if let Some(fen) = self.fen().filter(|_| fen_tag.is_none()) {
            tags.push(added("FEN", fen));
        }
        if let Some(format) = format.filter(|format| *format != "Chinese" && !has("format")) {
            tags.push(added("Format", format.into()));
        }
        if tags.is_empty() {
            tags.push(added("Event", "?".into()));
        }
        tags
    }

    /// The value that a tag `Format` must have instead of its own, to tell the truth of the moves written.
    pub(super) fn adapted_format(&self, tag: &Tag<'_>) -> Option<&'static str> {
        let format = format_name(self.notation?);
        let is_other = !tag.value.trim().eq_ignore_ascii_case(format);
        (standard_key(&tag.name) == Some("format") && is_other).then_some(format)
    }

    /// The FEN to write instead of one that names the wrong side to move, where the moves are rewritten: `C2=5` does not
    /// show any more that it is Red's, as 炮二平五 does.
    pub(super) fn adapted_fen(&self) -> Option<String> {
        let (Some(_), Start::Fen { text, .. }) = (self.notation, &self.record.start) else {
            return None;
        };
        let stated = Setup::from_fen(text).ok()?.side.unwrap_or(Side::Red);
        self.start.filter(|start| start.side() != stated).map(Position::fen)
    }

    /// The tags that are written with another value than their own, because they speak of the file itself: the place in
    /// the record's tags, and the new value.
    pub fn adapted(&self) -> Vec<(usize, String)> {
        let tags = &self.record.tags;
        let fen = tags.iter().position(is_position).zip(self.adapted_fen());
        let formats = tags.iter().enumerate().filter_map(|(index, tag)| {
            self.adapted_format(tag).map(|format| (index, format.to_owned()))
        });
        fen.into_iter().chain(formats).collect()
    }

    /// The FEN of a start position that no tag gives; `None` for the start position with Red to move.
    fn fen(&self) -> Option<Cow<'s, str>> {
        match &self.record.start {
            Start::Standard => None,
            Start::Fen { text, .. } => {
                Some(self.adapted_fen().map_or(Cow::Borrowed(text), Cow::Owned))
            }
            Start::Board { setup, .. } => {
                let start = self.start?;
                let usual = setup.squares == Setup::start().squares && start.side() == Side::Red;
                (!usual).then(|| start.fen().into())
            }
        }
    }

    fn tag(&self, name: &'s str, value: &'s str, span: Span) -> TagText<'s> {
        let as_read = |name: &str, value: &str| {
            let line = format!("[{name} \"{value}\"]");
            tags::parse(&line, 0)
                .is_some_and(|tag| (tag.name, tag.value, tag.end) == (name, value, line.len()))
        };
        let mut held = self.escape(value, |_| false).map_or(Cow::Borrowed(value), Cow::Owned);
        let mut called = self.escape(name, |_| false).map_or(Cow::Borrowed(name), Cow::Owned);
        if !as_read(&called, &held) {
            if !as_read(&called, "") {
                let fits = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-');
                let start = |c: &char| !c.is_alphabetic();
                let rest: String = name.chars().filter(fits).skip_while(start).take(32).collect();
                called = if rest.is_empty() { "Tag".into() } else { rest.into() };
            }
            if !as_read(&called, &held) {
                let breaks = |c| matches!(c, '"' | ']' | '\n' | '\r');
                held = self.escape(value, breaks).map_or(held, Cow::Owned);
            }
        }
        let lost = *held != *value || *called != *name;
        TagText { name: called, value: held, lost: lost.then_some(span) }
    }

    /// A comment with this text.
    pub(super) fn comment<'c>(&self, text: &'c str) -> CommentText<'c> {
        let held = self.escape(text, |_| false).map_or(Cow::Borrowed(text), Cow::Owned);
        let lost = matches!(held, Cow::Owned(_));
        if is_balanced(&held) && !breaks_off(&held) {
            return CommentText { text: held, line: false, lost };
        }
        if !held.contains(['\n', '\r']) {
            return CommentText { text: held, line: true, lost };
        }
        let breaks = |c| matches!(c, '{' | '}' | '｛' | '｝' | '[' | '［' | '【');
        let text = self.escape(text, breaks).map_or(held, Cow::Owned);
        CommentText { text, line: false, lost: true }
    }

    /// The text of a ply; `None` if move text cannot hold it.
    pub(super) fn ply(&self, id: NodeId) -> Option<Cow<'s, str>> {
        let rewritten = self.texts.get(id.index()).and_then(Option::as_deref);
        self.written(&self.record.tree.node(id).written, rewritten)
    }

    /// The texts of the moves behind the end marker; `None` as for [`Sheet::ply`].
    pub(super) fn behind_the_end(&self) -> impl Iterator<Item = (Option<Cow<'s, str>>, Span)> {
        self.record.after_end.iter().enumerate().map(|(index, (written, span))| {
            let rewritten = self.after_end.get(index).and_then(Option::as_deref);
            (self.written(written, rewritten), *span)
        })
    }

    fn written(&self, written: &Written<'s>, rewritten: Option<&'s str>) -> Option<Cow<'s, str>> {
        match (rewritten, *written) {
            (Some(text), _) | (None, Written::Text(text)) => self.held_move(text),
            (None, Written::Omitted) => Some(OMITTED.into()),
            (None, Written::Squares { from: Some(from), to: Some(to), .. }) => {
                Some(format!("{from}{to}").into())
            }
            (None, Written::Squares { .. }) => None,
        }
    }

    /// A move text in characters that the encoding has.
    fn held_move(&self, text: &'s str) -> Option<Cow<'s, str>> {
        if text.chars().all(self.holds) {
            return Some(Cow::Borrowed(text));
        }
        let held = |c: char| {
            let variant = VARIANTS.iter().find(|row| row.0 == c).map_or(c, |row| row.1);
            [c, variant].into_iter().find(|c| (self.holds)(*c))
        };
        text.chars().map(held).collect::<Option<String>>().map(Cow::Owned)
    }

    /// Marks in characters that the encoding has.
    pub(super) fn marks(&self, id: NodeId) -> String {
        let marks = self.record.tree.node(id).marks;
        marks.chars().map(|c| if (self.holds)(c) { c } else { narrow(c) }).collect()
    }

    /// The end marker; a game without one gets that of its tag, or `*`, as programs rely on it (R27).
    pub(super) fn outcome(&self) -> Outcome {
        let marker = self.record.result.as_ref().map(|result| result.outcome);
        let tag = || Outcome::from_text(&self.record.tag("result")?.value);
        marker.or_else(tag).unwrap_or(Outcome::Unknown)
    }

    /// Where the numbers begin, given the tags that will precede the moves.
    pub(super) fn count(&self, tags: &[TagText<'_>]) -> Count {
        let record = self.record;
        let fen = tags
            .iter()
            .filter(|tag| standard_key(&tag.name) == Some("fen"))
            .find(|tag| !tag.value.trim().is_empty());
        let mut fields = fen.map_or("", |tag| tag.value.as_ref()).split_whitespace();
        let set_up = fields.next().is_some_and(|board| board != START_BOARD);
        let black_field = fields.next().is_some_and(|side| side.eq_ignore_ascii_case("b"));
        let first = match self.start {
            Some(start) => start.side(),
            None if black_field => Side::Black,
            None => Side::Red,
        };
        let first_ply = record.tree.first_child(NodeId::ROOT).map(|id| record.tree.node(id));
        let omitted = first_ply.is_some_and(|node| node.written == Written::Omitted);
        let dots = match first {
            Side::Red => !black_field,
            Side::Black => black_field || (set_up && !omitted),
        };
        let round = match record.start {
            Start::Standard => 1,
            _ => first_ply
                .and_then(|node| node.number)
                .filter(|number| *number > 0)
                .or(self.start.map(Position::round))
                .unwrap_or(1),
        };
        // A game may begin at any number but 0, which means another numbering.
        let round = round.max(1);
        let black_begins = if first == Side::Black { dots } else { black_field };
        Count { first, round, dots, black_begins, set_up }
    }

    /// `text` with references for characters that the encoding lacks or that `breaks` names; `None` if it has none.
    /// Where references are written, `&#x` itself becomes `&#x26;#x`, so that the way back is unique.
    pub(super) fn escape(&self, text: &str, breaks: impl Fn(char) -> bool) -> Option<String> {
        let bad = |c: char| breaks(c) || !(self.holds)(c);
        if !text.chars().any(bad) {
            return None;
        }
        let mut escaped = String::with_capacity(text.len() * 2);
        for (at, c) in text.char_indices() {
            if bad(c) || (c == '&' && text[at..].starts_with("&#x")) {
                escaped += &format!("&#x{:X};", u32::from(c));
            } else {
                escaped.push(c);
            }
        }
        Some(escaped)
    }
}

/// Whether a tag gives the start position.
fn is_position(tag: &Tag<'_>) -> bool {
    standard_key(&tag.name) == Some("fen") && !tag.value.trim().is_empty()
}

/// An omitted ply.
pub(super) const OMITTED: &str = "……";

/// The comment that holds a ply which the move text cannot hold.
pub(super) fn as_comment(sheet: &Sheet<'_, '_>, id: NodeId) -> String {
    let text = match sheet.record.tree.node(id).written {
        Written::Text(text) => text.to_owned(),
        Written::Squares { raw: [from, to], .. } => format!("{from:02X} {to:02X}"),
        Written::Omitted => OMITTED.to_owned(),
    };
    format!("[%written {text}]")
}

/// Plies that cannot stand in the move text although their characters can.
pub(super) type Unheld = BTreeSet<NodeId>;

/// The value of the tag `Format`: the three standard ones, and names in their manner for the others.
fn format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::Chinese => "Chinese",
        Notation::Short => "Short",
        Notation::Wxf => "WXF",
        Notation::Iccs => "ICCS",
        Notation::Uci => "UCI",
        Notation::San => "SAN",
        Notation::Viet => "Viet",
    }
}

/// Whether the braces of a comment pair, so that they do not end it early or late.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '{' | '｛' => depth += 1,
            '}' | '｝' if depth == 0 => return false,
            '}' | '｝' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Whether a comment holds a blank line and a tag, where the reader takes it for unclosed.
fn breaks_off(text: &str) -> bool {
    text.match_indices(['[', '［', '【']).any(|(at, _)| {
        let before = text[..at].trim_end_matches(is_space).len();
        line_breaks(text, before).0 > 1 && tags::is_plain_tag(text, at)
    })
}
