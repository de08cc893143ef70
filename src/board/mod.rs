//! The rules core: squares, pieces, positions, legal moves, and why a move is illegal.
//!
//! Seed articles 1 to 3 (inventory R001 to R011). This module knows nothing of files or text records.
//!
//! ```
//! use qijian::board::{Move, Position, Reason};
//!
//! let mut position = Position::start();
//! assert_eq!(position.legal_moves().len(), 44);
//! let cannon: Move = "h2e2".parse()?;
//! position.play(cannon);
//! assert_eq!(position.legality("e2e6".parse()?), Err(Reason::WrongSide));
//! # Ok::<(), qijian::board::ParseMoveError>(())
//! ```

mod attacks;
mod check;
mod checking;
mod fen;
mod hash;
mod legality;
mod moves;
mod perft;
mod piece;
mod position;
#[cfg(test)]
pub(crate) mod samples;
mod setup;
mod square;

pub(crate) use check::Answers;
pub use fen::FenError;
pub use legality::Reason;
pub use moves::{Move, MoveList, ParseMoveError};
pub use perft::perft;
pub use piece::{Kind, Piece, Side};
pub use position::{Position, Undo};
pub use setup::{Setup, SetupFault};
pub use square::{Square, SquareSet};
