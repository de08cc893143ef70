//! The small parsers that all notations share, and the place where a text stops being a move.

use nom::{
    IResult, Parser,
    error::{ErrorKind, ParseError},
};

use super::glyph::{self, Token};

/// Where a parser got stuck, as the number of bytes left; of two alternatives the one that got further counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stuck {
    left: usize,
}

impl Stuck {
    pub(super) fn on<T>(input: &str) -> Step<'_, T> {
        Err(nom::Err::Error(Stuck { left: input.len() }))
    }
}

impl<'a> ParseError<&'a str> for Stuck {
    fn from_error_kind(input: &'a str, _kind: ErrorKind) -> Stuck {
        Stuck { left: input.len() }
    }

    fn append(_input: &'a str, _kind: ErrorKind, other: Stuck) -> Stuck {
        other
    }

    fn or(self, other: Stuck) -> Stuck {
        Stuck { left: self.left.min(other.left) }
    }
}

/// What a parser of this module gives.
pub(super) type Step<'a, T> = IResult<&'a str, T, Stuck>;

#[inline]
fn skip_blanks(input: &str) -> &str {
    // Most moves have no blank: one comparison settles it.
    match input.as_bytes().first() {
        Some(first) if first.is_ascii_graphic() => input,
        _ => input.trim_start_matches(|c| glyph::token(c) == Some(Token::Blank)),
    }
}

/// The next character that is not blank, if `pick` takes its token.
#[inline]
pub(super) fn glyph<T>(input: &str, pick: impl Fn(Token) -> Option<T>) -> Step<'_, T> {
    let mut input = input;
    loop {
        let mut rest = input.chars();
        match rest.next().and_then(glyph::token) {
            Some(Token::Blank) => input = rest.as_str(),
            Some(token) => {
                return match pick(token) {
                    Some(value) => Ok((rest.as_str(), value)),
                    None => Stuck::on(input),
                };
            }
            None => return Stuck::on(input),
        }
    }
}

/// The next character that is not blank, folded to ASCII, if `pick` takes it.
#[inline]
pub(super) fn latin<T>(input: &str, pick: impl Fn(u8) -> Option<T>) -> Step<'_, T> {
    let input = skip_blanks(input);
    let mut rest = input.chars();
    match rest.next().and_then(glyph::ascii).and_then(pick) {
        Some(value) => Ok((rest.as_str(), value)),
        None => Stuck::on(input),
    }
}

/// A digit from `1` to `9`.
pub(super) fn digit(input: &str) -> Step<'_, u8> {
    latin(input, |c| matches!(c, b'1'..=b'9').then(|| c - b'0'))
}

/// Parses the whole of `text`, remarks and blanks at its end aside; else the byte of the first character not understood.
pub(super) fn whole<'a, T>(
    text: &'a str,
    mut parser: impl Parser<&'a str, Output = T, Error = Stuck>,
) -> Result<T, usize> {
    let stuck = |error: nom::Err<Stuck>| match error {
        nom::Err::Error(stuck) | nom::Err::Failure(stuck) => text.len() - stuck.left,
        nom::Err::Incomplete(_) => text.len(),
    };
    let (mut rest, value) = parser.parse(text).map_err(stuck)?;
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match glyph::token(c) {
            Some(Token::Note | Token::Blank) => rest = chars.as_str(),
            _ => return Err(text.len() - rest.len()),
        }
    }
    Ok(value)
}
