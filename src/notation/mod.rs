//! One move as text and one move on a position, in each notation.

pub mod chinese;
mod form;
pub mod glyph;
pub mod iccs;
mod scan;

pub use form::{Form, Which};

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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

impl Deviation {
    /// All of them, in the order of [`Deviations::iter`].
    pub const ALL: [Deviation; 9] = [
        Deviation::Digits,
        Deviation::Glyph,
        Deviation::Verb,
        Deviation::NoStep,
        Deviation::NoQualifier,
        Deviation::NoFile,
        Deviation::Order,
        Deviation::LookAlike,
        Deviation::Ordinal,
    ];

    /// The word used in JSON, such as `no_qualifier`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Deviation::Digits => "digits",
            Deviation::Glyph => "glyph",
            Deviation::Verb => "verb",
            Deviation::NoStep => "no_step",
            Deviation::NoQualifier => "no_qualifier",
            Deviation::NoFile => "no_file",
            Deviation::Order => "order",
            Deviation::LookAlike => "look_alike",
            Deviation::Ordinal => "ordinal",
        }
    }
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

    /// Whether `deviation` is among them.
    pub fn contains(self, deviation: Deviation) -> bool {
        self.0 >> deviation as u16 & 1 == 1
    }

    /// Those of either set.
    #[must_use]
    pub fn union(self, other: Deviations) -> Deviations {
        Deviations(self.0 | other.0)
    }

    /// Each of them, in the order of [`Deviation::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Deviation> {
        Deviation::ALL.into_iter().filter(move |&deviation| self.contains(deviation))
    }
}

impl FromIterator<Deviation> for Deviations {
    fn from_iter<I: IntoIterator<Item = Deviation>>(deviations: I) -> Deviations {
        let mut set = Deviations::default();
        deviations.into_iter().for_each(|deviation| set.insert(deviation));
        set
    }
}

/// Reads `text` as a move of the side to move.
pub fn read(text: &str, notation: Notation, position: &Position) -> Reading {
    match notation {
        Notation::Chinese => chinese::read(text, position),
        Notation::Iccs => iccs::read(text, position),
    }
}

/// Writes a legal move of the side to move in its standard form.
pub fn write(mv: Move, notation: Notation, position: &Position) -> String {
    match notation {
        Notation::Chinese => chinese::write(mv, position),
        Notation::Iccs => iccs::write(mv),
    }
}

/// Which notation `text` is in by its shape alone, if it is a move text at all; no position needed, no legality asked.
pub fn guess(text: &str) -> Option<Notation> {
    if chinese::parse(text).is_ok() {
        return Some(Notation::Chinese);
    }
    iccs::parse(text).is_ok().then_some(Notation::Iccs)
}

#[cfg(test)]
mod tests;
