//! Moves and lists of them.

use std::{fmt, str::FromStr};

use super::{Position, Square};

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

impl Position {
    /// All legal moves of the side to move, in order of from-square and to-square.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::with_capacity(64);
        moves.extend(self.legal());
        moves
    }

    /// Whether the side to move has a legal move; without one it has lost, in check (将死) or not (困毙) (articles 3.1
    /// and 3.2, R007, R008).
    pub fn has_legal_move(&self) -> bool {
        self.legal().next().is_some()
    }

    /// [`Position::legal_moves`] one after the other.
    pub(super) fn legal(&self) -> impl Iterator<Item = Move> {
        self.occupied_by(self.side())
            .flat_map(|from| self.reach(from).map(move |to| Move { from, to }))
            .filter(|mv| self.is_safe(*mv))
    }
}
