//! Moves and lists of them.

use std::{fmt, str::FromStr};

use super::Square;

/// A move from one square to another, written in ICCS as `h2e2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The square left.
    pub from: Square,
    /// The square reached.
    pub to: Square,
}

/// The moves of one position.
pub type MoveList = Vec<Move>;

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// The text is not an ICCS move such as `h2e2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a move such as h2e2")]
pub struct ParseMoveError;

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let square = |file: u8, rank: u8| {
            Square::new(file.wrapping_sub(b'a'), rank.wrapping_sub(b'0')).ok_or(ParseMoveError)
        };
        match *text.as_bytes() {
            [f1, r1, f2, r2] => Ok(Move { from: square(f1, r1)?, to: square(f2, r2)? }),
            _ => Err(ParseMoveError),
        }
    }
}
