//! UCI coordinates as pyffish and pychess write them: ICCS with ranks 1 to 10, `h3e3`, `a10b10`.
//!
//! The syntax is `grammars/uci.bnf`.

use nom::{Parser, branch::alt, combinator::opt};

use super::{
    Reading, iccs,
    scan::{Step, Stuck, digit, latin, whole},
};
use crate::board::{Move, Position, Square};

/// Understands a move text without a board.
///
/// # Errors
///
/// The byte of the first character that no move has there.
///
/// ```
/// use qijian::notation::uci::parse;
///
/// assert_eq!(parse("h3e3").unwrap().to_string(), "h2e2");
/// assert_eq!(parse("h10g8").unwrap().to_string(), "h9g7");
/// ```
pub fn parse(text: &str) -> Result<Move, usize> {
    whole(text, (square, opt(iccs::link), square).map(|(from, _, to)| Move { from, to }))
}

/// Reads `text` as a move of the side to move.
pub fn read(text: &str, position: &Position) -> Reading {
    match parse(text) {
        Ok(mv) => iccs::reading(mv, position),
        Err(at) => Reading::Unknown { at },
    }
}

/// Writes a move in lower case.
pub fn write(mv: Move) -> String {
    let square = |square: Square| format!("{}{}", file_letter(square), square.rank() + 1);
    square(mv.from) + &square(mv.to)
}

/// `a` to `i`.
pub(super) fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

fn square(input: &str) -> Step<'_, Square> {
    let (rest, (file, rank)) = (iccs::file, rank).parse(input)?;
    match Square::new(file, rank) {
        Some(square) => Ok((rest, square)),
        None => Stuck::on(input),
    }
}

/// A rank from 1 to 10, as 0 to 9.
pub(super) fn rank(input: &str) -> Step<'_, u8> {
    let sign = |sign: u8| move |input| latin(input, move |c| (c == sign).then_some(()));
    let ten = (sign(b'1'), sign(b'0')).map(|_| 9);
    alt((ten, digit.map(|rank| rank - 1))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_from_one() {
        for (text, iccs) in [("h3e3", "h2e2"), ("A10-A9", "a9a8"), ("i1i10", "i0i9")] {
            assert_eq!(parse(text), Ok(iccs.parse().unwrap()), "{text}");
        }
        assert_eq!(write("a9a8".parse().unwrap()), "a10a9");
        for (text, at) in [("h0e3", 1), ("a11b1", 2), ("j1a1", 0), ("h3e", 3)] {
            assert_eq!(parse(text), Err(at), "{text}");
        }
    }
}
