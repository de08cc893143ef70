//! One move as text and one move on a position, in each notation.

pub mod chinese;
pub mod glyph;
pub mod iccs;

use crate::board::{Move, Position, Reason};

/// A way of writing moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// Complete Chinese notation (完整记录), 炮二平五.
    Chinese,
    /// ICCS coordinates, `h2e2` or `H2-E2`.
    Iccs,
}

impl Notation {
    /// The name used on the command line and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Notation::Chinese => "chinese",
            Notation::Iccs => "iccs",
        }
    }
}

/// What a move text means on a position.
#[derive(Clone, PartialEq, Debug)]
pub enum Reading {
    /// One legal move.
    Move {
        /// The move.
        mv: Move,
        /// How the text departs from the standard; empty for a standard text.
        deviations: Deviations,
    },
    /// Several legal moves, in order of from- and to-square.
    Ambiguous {
        /// The moves.
        moves: Vec<Move>,
        /// How the text departs from the standard under every reading.
        deviations: Deviations,
    },
    /// Understood, but no legal move fits.
    Illegal {
        /// Why the nearest move is illegal.
        reason: Reason,
        /// The nearest move: the one that the text must mean if it means one.
        mv: Option<Move>,
        /// How the text departs from the standard.
        deviations: Deviations,
    },
    /// Not understood from byte `at` of the text on.
    Unknown {
        /// Byte offset in the text.
        at: usize,
    },
}

/// One departure from standard notation (`QJ203`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Deviation {
    /// Digits of the other side.
    Digits,
    /// A piece character of the other side, 士 for Red excepted.
    Glyph,
    /// 上 or 下 for 进 or 退.
    Verb,
    /// The step count is left out.
    NoStep,
    /// 前 or 后 is missing on 车马炮兵, but only one move fits.
    NoQualifier,
    /// Two doubled files, the file not written, but only one move fits.
    NoFile,
    /// The qualifier stands after the piece.
    Order,
    /// A look-alike character (卯 for 卒).
    LookAlike,
    /// 中 with other than three, or a number of another convention.
    Ordinal,
}

/// A set of [`Deviation`]s.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Deviations(u16);

impl Deviations {
    /// Adds one.
    pub fn insert(&mut self, deviation: Deviation) {
        self.0 |= 1 << deviation as u16;
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Reads `text` as a move of the side to move.
pub fn read(_text: &str, _notation: Notation, _position: &Position) -> Reading {
    todo!()
}

/// Writes a legal move of the side to move in its standard form.
pub fn write(_mv: Move, _notation: Notation, _position: &Position) -> String {
    todo!()
}

/// Which notation `text` is in by its shape alone, if it is a move text at all; no position needed, no legality asked.
pub fn guess(_text: &str) -> Option<Notation> {
    todo!()
}
