//! Any arrangement of pieces, as files have it, before it is judged playable.

use super::{FenError, Piece, Side, Square};

/// An arrangement of pieces that need not be possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands on each square, by [`Square::index`].
    pub squares: [Option<Piece>; Square::COUNT],
    /// The side to move where the file says so.
    pub side: Option<Side>,
    /// Plies since the last capture, FEN field 5.
    pub plies_since_capture: Option<u32>,
    /// The round number, FEN field 6.
    pub round: Option<u32>,
}

/// Why a setup cannot arise in a game, or cannot be played (R002).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupFault {
    /// A side has no general.
    NoGeneral(Side),
    /// A side has more than one general.
    ManyGenerals(Side),
    /// A side has more pieces of a kind than the start position.
    TooMany(Piece),
    /// A piece stands where it can never stand.
    Misplaced(Piece, Square),
    /// The side that has just moved stands in check: the side to move could capture the general.
    OpponentInCheck(Side),
    /// The generals face each other.
    GeneralsFacing,
}

impl Setup {
    /// The start position (article 1.3).
    pub fn start() -> Setup {
        todo!()
    }
    /// The empty board.
    pub fn empty() -> Setup {
        todo!()
    }
    /// Reads a FEN with all leniencies of reference/formats.md 6.1.
    pub fn from_fen(_text: &str) -> Result<Setup, FenError> {
        todo!()
    }
    /// Everything that is wrong with the setup if `side` is to move; empty for a possible position.
    pub fn faults(&self, _side: Side) -> Vec<SetupFault> {
        todo!()
    }
}
