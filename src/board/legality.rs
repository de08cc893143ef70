//! Why a move is illegal.

use super::{Move, Position};

/// Why a move is not legal, in the order in which [`Position::legality`] tests (`QJ301`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The text names a piece that is not there; only notations that name pieces give it.
    NoSuchPiece,
    /// Nothing stands on the square left.
    EmptySquare,
    /// The piece on the square left is the opponent's.
    WrongSide,
    /// The target is off the board.
    OffBoard,
    /// An own piece stands on the target.
    OwnPiece,
    /// The piece does not move so.
    Shape,
    /// General or adviser would leave the palace (九宫).
    Palace,
    /// An elephant would cross the river, or a pawn moves sideways before it (河界).
    River,
    /// The horse is hobbled (蹩马腿).
    HorseLeg,
    /// The elephant's eye is blocked (塞象眼).
    ElephantEye,
    /// A piece stands between.
    Blocked,
    /// The cannon captures over other than one screen (炮打隔子).
    CannonScreen,
    /// The generals would face each other (将帅照面, articles 2.2 and 4.1.2).
    GeneralsFacing,
    /// The own general would be left in check (article 3.1).
    InCheck,
}

impl Reason {
    /// The word used in JSON, such as `horse_leg`.
    pub const fn as_str(self) -> &'static str {
        todo!()
    }
}

impl Position {
    /// Whether the side to move may play `mv`, and if not, the first reason that holds.
    pub fn legality(&self, _mv: Move) -> Result<(), Reason> {
        todo!()
    }
    /// `legality(mv).is_ok()`, without finding out why.
    pub fn is_legal(&self, _mv: Move) -> bool {
        todo!()
    }
    /// All legal moves of the side to move, in order of from-square and to-square.
    pub fn legal_moves(&self) -> super::MoveList {
        todo!()
    }
    /// Whether the side to move has a legal move; without one it has lost (R007, R008).
    pub fn has_legal_move(&self) -> bool {
        todo!()
    }
}
