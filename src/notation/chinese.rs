//! Complete Chinese notation (完整记录, article 7.5, R041): 炮二平五, 马8进7, 前车退三, 二兵平六.
//!
//! The syntax is `grammars/chinese.bnf`. Read are both schools of naming doubled pawns: the series over all doubled
//! files (三兵平五) and the file put back (前兵四平五, 前四平五). Written is the official form (article 7.5 of 2020): 前 and
//! 后, 前中后 for three; where the book is silent, 一 to 五 as xqbase counts them.

use nom::{Parser, branch::alt, combinator::opt};

use super::{
    Deviation, Deviations, Reading,
    form::{Form, Rank, Which, rank, stroke},
    glyph::{Mark, Token, Verb},
    scan::{Step, glyph, whole},
};
use crate::board::{Kind, Move, Piece, Position, Side};

/// Understands a move text without a board.
///
/// # Errors
///
/// The byte of the first character that no move has there; the length of the text where something is missing at its end.
///
/// ```
/// use qijian::notation::chinese::parse;
///
/// assert!(parse("前車退三！").is_ok());
/// assert_eq!(parse("炮二跑五"), Err("炮二".len()));
/// assert_eq!(parse("炮二平"), Err("炮二平".len()));
/// ```
pub fn parse(text: &str) -> Result<Form, usize> {
    whole(text, form)
}

/// Reads `text` as a move of the side to move.
pub fn read(text: &str, position: &Position) -> Reading {
    match parse(text) {
        Ok(form) => form.resolve(position),
        Err(at) => Reading::Unknown { at },
    }
}

/// Writes a legal move of the side to move: simplified characters, Chinese numerals for Red, Arabic ones for Black.
pub fn write(mv: Move, position: &Position) -> String {
    let side = position.side();
    let piece = position.piece_at(mv.from).unwrap_or(Piece { side, kind: Kind::Pawn });
    let place = rank(position.pieces(side, piece.kind), mv.from, side);
    let (verb, last) = stroke(piece.kind, side, mv);
    let mut text = String::with_capacity(12);
    match mark_of(piece.kind, place) {
        Some(mark) => text.extend([mark, piece.glyph()]),
        None => text.extend([piece.glyph(), numeral(super::form::number(mv.from, side), side)]),
    }
    text.push(match verb {
        Verb::Advance => '进',
        Verb::Retreat => '退',
        Verb::Traverse => '平',
    });
    text.push(numeral(last, side));
    text
}

/// The qualifier that the standard form needs, if any. Advisers and elephants need none: the one that can retreat is in
/// front.
pub(super) fn mark_of(kind: Kind, place: Rank) -> Option<char> {
    if matches!(kind, Kind::General | Kind::Adviser | Kind::Elephant) {
        return None;
    }
    match (place.doubled, place.count, place.nth) {
        (_, 0 | 1, _) => None,
        (1, 2 | 3, 1) => Some('前'),
        (1, 3, 2) => Some('中'),
        (1, 2 | 3, _) => Some('后'),
        _ => Some(numeral(place.series, Side::Red)),
    }
}

/// The number as `side` writes it.
fn numeral(n: u8, side: Side) -> char {
    const CHINESE: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    match side {
        Side::Red => CHINESE[usize::from(n.min(9))],
        Side::Black => char::from(b'0' + n.min(9)),
    }
}

/// The name of a piece as written.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub(super) kind: Kind,
    pub(super) side: Option<Side>,
    pub(super) look_alike: bool,
}

/// The piece and which of several, without what it does.
struct Head {
    name: Option<Name>,
    which: Option<Which>,
    file: Option<Number>,
    turned: bool,
}

#[derive(Clone, Copy)]
struct Number {
    value: u8,
    chinese: bool,
}

fn form(input: &str) -> Step<'_, Form> {
    let (rest, head) = alt((plain, qualified)).parse(input)?;
    let (rest, ((verb, old), last)) =
        alt(((traverse, number.map(Some)), (upright, opt(number)))).parse(rest)?;
    let mut deviations = Deviations::default();
    for (holds, deviation) in [
        (old, Deviation::Verb),
        (last.is_none(), Deviation::NoStep),
        (head.turned, Deviation::Order),
        (head.name.is_some_and(|name| name.look_alike), Deviation::LookAlike),
    ] {
        if holds {
            deviations.insert(deviation);
        }
    }
    let numbers = [head.file, last];
    let any = |chinese| numbers.iter().flatten().any(|number| number.chinese == chinese);
    let form = Form {
        kind: head.name.map_or(Kind::Pawn, |name| name.kind),
        which: head.which,
        file: head.file.map(|number| number.value),
        verb: Some(verb),
        last: last.map(|number| number.value),
        named: head.name.and_then(|name| name.side),
        digits: [any(true), any(false)],
        deviations,
    };
    Ok((rest, form))
}

/// 炮二, and 车前 as some write it.
fn plain(input: &str) -> Step<'_, Head> {
    let by_file = number.map(|file| (Some(file), None));
    let by_mark = mark.map(|mark| (None, Some(Which::Mark(mark))));
    (name, alt((by_file, by_mark)))
        .map(|(name, (file, which))| Head { name: Some(name), which, file, turned: which.is_some() })
        .parse(input)
}

/// 前车, 前兵九, 前九; 二兵, 二兵五, 二7.
fn qualified(input: &str) -> Step<'_, Head> {
    let which = alt((mark.map(Which::Mark), ordinal.map(Which::Ordinal)));
    let named = (name, opt(number)).map(|(name, file)| (Some(name), file));
    let dropped = number.map(|file| (None, Some(file)));
    (which, alt((named, dropped)))
        .map(|(which, (name, file))| Head { name, which: Some(which), file, turned: false })
        .parse(input)
}

pub(super) fn name(input: &str) -> Step<'_, Name> {
    glyph(input, |token| match token {
        Token::Piece { kind, side, look_alike } => Some(Name { kind, side, look_alike }),
        _ => None,
    })
}

pub(super) fn mark(input: &str) -> Step<'_, Mark> {
    glyph(input, |token| match token {
        Token::Mark(mark) => Some(mark),
        _ => None,
    })
}

/// No side has more than five pawns.
pub(super) fn ordinal(input: &str) -> Step<'_, u8> {
    glyph(input, |token| match token {
        Token::Number { value: value @ 1..=5, .. } => Some(value),
        _ => None,
    })
}

fn number(input: &str) -> Step<'_, Number> {
    glyph(input, |token| match token {
        Token::Number { value, chinese } => Some(Number { value, chinese }),
        _ => None,
    })
}

fn traverse(input: &str) -> Step<'_, (Verb, bool)> {
    glyph(input, |token| match token {
        Token::Verb { verb: Verb::Traverse, old } => Some((Verb::Traverse, old)),
        _ => None,
    })
}

/// 进 or 退, after which the number may be left out.
fn upright(input: &str) -> Step<'_, (Verb, bool)> {
    glyph(input, |token| match token {
        Token::Verb { verb: Verb::Traverse, .. } => None,
        Token::Verb { verb, old } => Some((verb, old)),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
