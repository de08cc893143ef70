//! The one position type: pieces, side to move, counters, key; make and unmake without allocation.
use super::{Kind, Move, Piece, Setup, Side, Square, SquareSet};

/// stub
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position;

/// What [`Position::undo`] needs.
#[derive(Clone, Copy, Debug)]
pub struct Undo;

impl Position {
    /// The start position.
    pub fn start() -> Position {
        todo!()
    }
    /// The position of `setup` with `side` to move. Never fails: what is impossible about it is told by [`Setup::faults`].
    pub fn from_setup(_setup: &Setup, _side: Side) -> Position {
        todo!()
    }
    /// Reads a FEN; side Red where it is not given.
    pub fn from_fen(_text: &str) -> Result<Position, super::FenError> {
        todo!()
    }
    /// FEN: `... w - - 0 1`.
    pub fn fen(&self) -> String {
        todo!()
    }
    /// Whose turn it is.
    pub fn side(&self) -> Side {
        todo!()
    }
    /// What stands on `square`.
    pub fn piece_at(&self, _square: Square) -> Option<Piece> {
        todo!()
    }
    /// The squares of the pieces of one side and kind.
    pub fn pieces(&self, _side: Side, _kind: Kind) -> SquareSet {
        todo!()
    }
    /// All occupied squares.
    pub fn occupied(&self) -> SquareSet {
        todo!()
    }
    /// The first general of `side`.
    pub fn general(&self, _side: Side) -> Option<Square> {
        todo!()
    }
    /// 64-bit key of pieces and side to move, stable across releases.
    pub fn key(&self) -> u64 {
        todo!()
    }
    /// Plies since the last capture.
    pub fn plies_since_capture(&self) -> u32 {
        todo!()
    }
    /// The round number, one more after each move of Black.
    pub fn round(&self) -> u32 {
        todo!()
    }
    /// Plays `mv` whether legal or not; an empty from-square changes only side and counters.
    pub fn play(&mut self, _mv: Move) -> Undo {
        todo!()
    }
    /// Takes back the move that gave `undo`.
    pub fn undo(&mut self, _undo: Undo) {
        todo!()
    }
    /// Whether the general of `side` stands in check (照将, article 3.1), facing generals not counted.
    pub fn in_check(&self, _side: Side) -> bool {
        todo!()
    }
    /// The pieces of the other side that give check to the general of `side`.
    pub fn checkers(&self, _side: Side) -> SquareSet {
        todo!()
    }
    /// Whether the generals stand on one file with nothing between (将帅照面).
    pub fn generals_facing(&self) -> bool {
        todo!()
    }
    /// Squares that the piece on `from` reaches by its shape (legs, eyes, screens, own pieces respected), whether its general is safe or not.
    pub fn reach(&self, _from: Square) -> SquareSet {
        todo!()
    }
}
