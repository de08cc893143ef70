//! ICCS coordinates: files `a` to `i` from Red's left, ranks 0 to 9 from Red's side; `h2e2`, `H2-E2`.
//!
//! The syntax is `grammars/iccs.bnf`.

use nom::{Parser, combinator::opt};

use super::{
    Deviations, Reading,
    scan::{Step, latin, whole},
};
use crate::board::{Move, Position, Square};

/// Understands a move text without a board.
///
/// # Errors
///
/// The byte of the first character that no move has there.
///
/// ```
/// use qijian::notation::iccs::parse;
///
/// assert_eq!(parse("H2-E2").unwrap().to_string(), "h2e2");
/// assert_eq!(parse("h2x"), Err(3));
/// ```
pub fn parse(text: &str) -> Result<Move, usize> {
    whole(text, (square, opt(link), square).map(|(from, _, to)| Move { from, to }))
}

/// Reads `text` as a move of the side to move.
pub fn read(text: &str, position: &Position) -> Reading {
    match parse(text) {
        Ok(mv) => reading(mv, position),
        Err(at) => Reading::Unknown { at },
    }
}

/// Writes a move in lower case without hyphen.
pub fn write(mv: Move) -> String {
    mv.to_string()
}

/// The reading of a text that names both squares.
pub(super) fn reading(mv: Move, position: &Position) -> Reading {
    let deviations = Deviations::default();
    match position.legality(mv) {
        Ok(()) => Reading::Move { mv, deviations },
        Err(reason) => Reading::Illegal { reason, mv: Some(mv), deviations },
    }
}

fn square(input: &str) -> Step<'_, Square> {
    let (rest, file) = file(input)?;
    let (rest, rank) = latin(rest, |c| c.is_ascii_digit().then(|| c - b'0'))?;
    match Square::new(file, rank) {
        Some(square) => Ok((rest, square)),
        None => super::scan::Stuck::on(input),
    }
}

/// A file letter of either case as 0 to 8.
pub(super) fn file(input: &str) -> Step<'_, u8> {
    latin(input, |c| {
        let file = c.to_ascii_lowercase().wrapping_sub(b'a');
        (file < 9).then_some(file)
    })
}

/// What may stand between the squares: a hyphen or dash, or the `x` of a capture.
pub(super) fn link(input: &str) -> Step<'_, ()> {
    latin(input, |c| matches!(c, b'-' | b'x' | b'X').then_some(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Reason;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn accepts_case_hyphens_and_signs() {
        for text in
            ["h2e2", "H2E2", "H2-E2", "h2–e2", " h2 e2 ", "h2xe2", "h2e2+", "H2-E2#", "Ｈ２－Ｅ２"]
        {
            assert_eq!(parse(text), Ok(mv("h2e2")), "{text}");
        }
    }

    #[test]
    fn tells_the_place_it_does_not_understand() {
        for (text, at) in
            [("", 0), ("h", 1), ("h2", 2), ("j2e2", 0), ("h2e2e", 4), ("h2e10", 4), ("炮二", 0)]
        {
            assert_eq!(parse(text), Err(at), "{text}");
        }
    }

    #[test]
    fn reads_as_the_reference_vectors_210_to_213() {
        let start = Position::start();
        let reason = |text, position: &Position| match read(text, position) {
            Reading::Illegal { reason, .. } => reason,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(reason("h9g7", &start), Reason::WrongSide);
        assert_eq!(reason("h3e3", &start), Reason::EmptySquare);
        assert_eq!(reason("a0b0", &start), Reason::OwnPiece);
        let facing = Position::from_fen("4k4/9/9/9/4C4/9/9/9/9/4K4 w - - 0 1").unwrap();
        assert_eq!(reason("e5h5", &facing), Reason::GeneralsFacing);
    }
}
