//! The games of a PGN text one by one: those without a fault by the quick way, all others in full.
//!
//! A game that [`plain::read`] understands to its end, that [`replay::plain`] can play, and of which nothing is to be said, is
//! done. Where the rules have something to say, or 前 or 后 is left out, the places of its plies are wanted, and it is read in
//! full, but not replayed once more. What lies between such games is decoded and read by itself, and read so that the reader of everything
//! has to agree that the next game begins where the quick one says: both ways give the same.

use std::{borrow::Cow, ops::Range};

use crate::{
    finding::Locate,
    format::{
        self, Format,
        pgn::plain::{self, Plain},
    },
    record::{Record, Tag},
    replay::{self, Game},
    rules,
    source::{self, Encoding, Origin, Part, Text},
};

use super::Options;

/// What becomes of a record, and of how it is played where that is known.
type OfRecord<'m, T> = dyn Fn(&Record<'_>, &dyn Locate, Encoding, Option<Game>) -> T + 'm;

/// What becomes of a game in either case.
pub(super) struct Makers<'m, T> {
    /// Of a game that has been read and must be replayed, if it is not known how it is played. Games count from 1 in the
    /// part.
    pub(super) record: &'m OfRecord<'m, T>,
    /// Of a game without a fault.
    pub(super) plain: &'m dyn Fn(Done<'_>) -> T,
}

/// A game without a fault.
pub(super) struct Done<'a> {
    /// Its number in the part, from 1.
    pub(super) number: u32,
    pub(super) tags: Vec<Tag<'a>>,
    /// The comments, each with the number of moves before it.
    pub(super) remarks: Vec<(u32, Cow<'a, str>)>,
    pub(super) game: Game,
    pub(super) encoding: Encoding,
}

/// Parts larger than this are read in full at once: their games can't be told apart easily.
pub(super) const LARGEST: usize = 1 << 20;

/// How often in a row a game may go on into one that seemed to stand by itself.
const MOST_REFUSED: usize = 2;

/// Hands what `makers` make of each game of `part` to `sink`, until that returns `false`. `encoding` is that of the source.
pub(super) fn each<T>(
    part: &Part<'_>,
    encoding: Encoding,
    options: &Options,
    makers: &Makers<'_, T>,
    sink: &mut dyn FnMut(T) -> bool,
) {
    let bytes = &*part.bytes;
    let mut walk = Walk::new(part, encoding, options, makers, sink);
    let fast = bytes.len() <= LARGEST && is_usual(&options.replay);
    let (mut from, mut refused) = (0, 0);
    let mut next = fast.then(|| first(bytes, encoding)).flatten();
    while let Some(at) = next {
        let Some(quick) = quick(bytes, at, encoding, options) else {
            next = plain::next_start(bytes, at);
            continue;
        };
        let end = quick.end;
        let before = from..at;
        if is_blank(&bytes[before.clone()], encoding) || walk.between(before, end) {
            (from, refused) = (at, 0);
            let Some(going) = walk.played(at, quick) else {
                // The reader of everything sees something else in it.
                next = plain::next_start(bytes, at);
                continue;
            };
            if !going {
                return;
            }
            from = end;
        } else {
            // What stands before goes on into this game, as a heading does. Not often, or all is read again and again.
            refused += 1;
        }
        next = (end < bytes.len() && refused < MOST_REFUSED).then_some(end);
    }
    if walk.number == 0 || from < bytes.len() {
        walk.rest(from);
    }
}

/// Hands the game that is all of `bytes` to `sink`, if it is one that the quick way can play; says whether it is. A game
/// that can be played to its end tells the encoding better than any statistics.
pub(super) fn only<T>(
    bytes: &[u8],
    options: &Options,
    makers: &Makers<'_, T>,
    sink: &mut dyn FnMut(T) -> bool,
) -> bool {
    let may_be = bytes.first() == Some(&b'[') && bytes.len() <= LARGEST;
    if !may_be || !is_usual(&options.replay) || options.from.is_some_and(|from| from != Format::Pgn)
    {
        return false;
    }
    let asked = |encoding: &Encoding| options.encoding.is_none_or(|asked| asked == *encoding);
    let mut encodings = plain::ENCODINGS.into_iter().filter(asked);
    let played = encodings.find_map(|encoding| {
        quick(bytes, 0, encoding, options).filter(|quick| quick.end == bytes.len())
    });
    let Some(quick) = played else { return false };
    let (part, encoding) = (Part::whole(bytes), quick.done.encoding);
    let mut walk = Walk::new(&part, encoding, options, makers, sink);
    walk.played(0, quick).is_some()
}

/// A game that the quick way can play.
struct Quick<'b> {
    done: Done<'b>,
    /// One past it.
    end: usize,
    /// The moves in which 前 or 后 is left out.
    unqualified: Vec<usize>,
    /// Whether the rules have nothing to say of it.
    silent: bool,
}

/// The game at `at` of `bytes`, if nothing is to be said of it but by the rules, and of 前 and 后 left out.
fn quick<'b>(
    bytes: &'b [u8],
    at: usize,
    encoding: Encoding,
    options: &Options,
) -> Option<Quick<'b>> {
    let plain = plain::read(bytes, at, encoding)?;
    let remarks = &plain.remarks;
    if !remarks.iter().all(|(_, text)| rules::annotation::is_silent(text)) {
        return None;
    }
    let last = remarks.iter().filter(|(behind, _)| *behind as usize == plain.moves.len());
    let last: Vec<&str> = last.map(|(_, text)| &**text).collect();
    let Plain { start, moves, first_round, outcome, .. } = &plain;
    let (game, unqualified) = replay::plain(*start, moves, *first_round, *outcome, &last)?;
    let profile = options.profile.as_deref();
    let silent = profile.is_none_or(|profile| rules::is_silent(&game, profile, options.rulings));
    let Plain { tags, remarks, end, .. } = plain;
    let done = Done { number: 0, tags, remarks, game, encoding };
    Some(Quick { done, end, unqualified, silent })
}

/// Whether games are replayed as the quick way does it.
fn is_usual(options: &replay::Options) -> bool {
    let chinese = crate::notation::Notation::Chinese;
    options.notation.is_none_or(|notation| notation == chinese) && !options.tree && !options.repairs
}

/// The first tag, if nothing stands before it.
fn first(bytes: &[u8], encoding: Encoding) -> Option<usize> {
    let at = bytes.iter().position(|byte| *byte == b'[')?;
    is_blank(&bytes[..at], encoding).then_some(at).or_else(|| plain::next_start(bytes, at))
}

/// Nothing but white space, and a mark of the encoding.
fn is_blank(bytes: &[u8], encoding: Encoding) -> bool {
    let mark: &[u8] = if encoding == Encoding::Utf8 { b"\xEF\xBB\xBF" } else { b"" };
    bytes.strip_prefix(mark).unwrap_or(bytes).trim_ascii().is_empty()
}

struct Walk<'w, T> {
    part: &'w Part<'w>,
    encoding: Encoding,
    options: &'w Options,
    makers: &'w Makers<'w, T>,
    sink: &'w mut dyn FnMut(T) -> bool,
    /// Games so far.
    number: u32,
    /// Whether there are games in the encoding of the source among them.
    beside: bool,
    /// The last place that was asked for, and where it is in the source.
    place: (usize, Origin),
}

impl<'w, T> Walk<'w, T> {
    fn new(
        part: &'w Part<'w>,
        encoding: Encoding,
        options: &'w Options,
        makers: &'w Makers<'w, T>,
        sink: &'w mut dyn FnMut(T) -> bool,
    ) -> Walk<'w, T> {
        let place = (0, part.origin);
        Walk { part, encoding, options, makers, sink, number: 0, beside: false, place }
    }

    /// Where a stretch begins. The next one begins behind it, so that the lines are counted once.
    fn origin_of(&mut self, at: usize) -> Origin {
        let known = if self.place.0 <= at { self.place } else { (0, self.part.origin) };
        self.place = (at, self.part.origin_behind(known, at));
        self.place.1
    }

    /// Hands on the game that begins at `at`, and says whether to go on. `None`, and nothing is handed on, if the reader of
    /// everything finds another game there.
    fn played(&mut self, at: usize, quick: Quick<'_>) -> Option<bool> {
        let Quick { done, end, unqualified, silent } = quick;
        if !silent || !unqualified.is_empty() {
            return self.known(at..end, done.game, &unqualified);
        }
        self.number += 1;
        self.beside = true;
        Some((self.sink)((self.makers.plain)(Done { number: self.number, ..done })))
    }

    /// Reads what stands before a game that the quick way can play and that ends at `end`. The first line of that game is read
    /// with it, all of it where something is open before it: where the reader begins no game there, nothing is handed on, and
    /// it says `false`.
    fn between(&mut self, range: Range<usize>, end: usize) -> bool {
        let bytes = &self.part.bytes;
        let line = bytes[range.end..].iter().take_while(|byte| **byte != b'\n').count();
        let may_go_on = source::may_open_a_comment(&bytes[range.clone()]);
        let shown = if may_go_on { end } else { range.end + line };
        // The game without a fault behind is in the encoding of the source.
        let text = self.text(range.start..shown, true);
        let mut records = Vec::new();
        format::read_pgn(&text, &mut |record, encoding| records.push((record, encoding)));
        let last = records.pop();
        let begins =
            last.is_some_and(|(last, _)| text.offset(last.span.range().start) == range.len());
        if begins {
            for (record, encoding) in records {
                self.record(record, &text, encoding, None);
            }
        }
        begins
    }

    /// Reads a game in full of which it is known how it is played.
    fn known(
        &mut self,
        range: Range<usize>,
        mut game: Game,
        unqualified: &[usize],
    ) -> Option<bool> {
        let text = Text::decode(&self.part.bytes[range.clone()], self.encoding);
        let text = text.from_origin(self.origin_of(range.start));
        let mut records = Vec::new();
        format::read_pgn(&text, &mut |record, encoding| records.push((record, encoding)));
        let (Some((record, encoding)), true) = (records.pop(), records.is_empty()) else {
            return None;
        };
        let is_same = record.findings.is_empty() && record.tree.len() == game.moves.len();
        is_same.then_some(())?;
        if !unqualified.is_empty() {
            replay::unqualified(&mut game, unqualified, &record, &text);
        }
        self.beside = true;
        Some(self.record(record, &text, encoding, Some(game)))
    }

    /// Reads everything from `from` on.
    fn rest(&mut self, from: usize) {
        let text = self.text(from..self.part.bytes.len(), self.beside);
        format::read_pgn(&text, &mut |record, encoding| {
            self.record(record, &text, encoding, None);
        });
    }

    fn record(
        &mut self,
        mut record: Record<'_>,
        locate: &dyn Locate,
        encoding: Encoding,
        known: Option<Game>,
    ) -> bool {
        self.number += 1;
        record.game = self.number;
        (self.sink)((self.makers.record)(&record, locate, encoding, known))
    }

    /// A stretch as text; `beside` says whether there are games in the encoding of the source beside it.
    fn text(&mut self, range: Range<usize>, beside: bool) -> Text<'w> {
        let origin = self.origin_of(range.start);
        let bytes = &self.part.bytes[range];
        let text = match self.options.encoding {
            Some(encoding) => Text::decode(bytes, encoding),
            None => Text::decode_games_of(bytes, self.encoding, beside),
        };
        text.from_origin(origin)
    }
}
