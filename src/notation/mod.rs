//! One move as text and one move on a position, in each notation.
//!
//! Reading has two halves: a text is understood without a board (`parse` of each notation, with a place where it is not),
//! then put on a position. Several legal readings are [`Reading::Ambiguous`], never one picked in silence. The syntax of
//! each notation stands in `grammars/`.
//!
//! ```
//! use qijian::{board::Position, notation::{Notation, Reading, read, write}};
//!
//! let start = Position::start();
//! let Reading::Move { mv, .. } = read("炮二平五", Notation::Chinese, &start) else { panic!() };
//! assert_eq!(write(mv, Notation::Iccs, &start), "h2e2");
//! assert_eq!(write(mv, Notation::Wxf, &start), "C2=5");
//! assert_eq!(write(mv, Notation::Viet, &start), "P2-5");
//! ```

pub mod chinese;
mod dialect;
mod form;
pub mod glyph;
pub mod iccs;
pub mod plain;
pub mod san;
mod scan;
pub mod short;
pub mod uci;
pub mod viet;
pub mod wxf;

pub use dialect::{Bars, Dialect, LeadingNumber, PawnLetters, Ranks};
pub use form::{Form, Which};

use crate::board::{Move, Position, Reason};

/// A way of writing moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Notation {
    /// Complete Chinese notation (完整记录), 炮二平五.
    #[default]
    Chinese,
    /// Abbreviated notation (简写记录), 炮25.
    Short,
    /// WXF and AXF, `C2.5`, `C2=5`.
    Wxf,
    /// ICCS coordinates, `h2e2` or `H2-E2`.
    Iccs,
    /// UCI coordinates with ranks 1 to 10, `h3e3`.
    Uci,
    /// SAN-like algebraic text, `Che3`.
    San,
    /// Vietnamese, `P2-5`.
    Viet,
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 7] = [
        Notation::Chinese,
        Notation::Short,
        Notation::Wxf,
        Notation::Iccs,
        Notation::Uci,
        Notation::San,
        Notation::Viet,
    ];

    /// The name used on the command line and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Notation::Chinese => "chinese",
            Notation::Short => "short",
            Notation::Wxf => "wxf",
            Notation::Iccs => "iccs",
            Notation::Uci => "uci",
            Notation::San => "san",
            Notation::Viet => "viet",
        }
    }

    /// The notation of a name as [`Notation::as_str`] gives it.
    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|notation| notation.as_str() == name)
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

    /// Whether digits or the name of the piece are written as the other side does.
    pub fn is_foreign(self) -> bool {
        self.contains(Deviation::Digits) || self.contains(Deviation::Glyph)
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

/// Reads `text` as a move of the side to move, in the default dialect of `notation`.
pub fn read(text: &str, notation: Notation, position: &Position) -> Reading {
    read_as(text, notation.into(), position)
}

/// Reads `text` as a move of the side to move.
pub fn read_as(text: &str, dialect: Dialect, position: &Position) -> Reading {
    match dialect.notation {
        Notation::Chinese => chinese::read(text, position),
        Notation::Short => short::read(text, dialect.bars, position),
        Notation::Wxf => wxf::read(text, dialect.numbers, dialect.pawn_letters, position),
        Notation::Iccs => iccs::read(text, position),
        Notation::Uci => uci::read(text, position),
        Notation::San => san::read(text, dialect.ranks, position),
        Notation::Viet => viet::read(text, position),
    }
}

/// Writes a legal move of the side to move in the standard form of `notation`.
pub fn write(mv: Move, notation: Notation, position: &Position) -> String {
    write_as(mv, notation.into(), position)
}

/// Writes a legal move of the side to move; what is written reads back in the same dialect, [`Bars::Lost`] aside.
pub fn write_as(mv: Move, dialect: Dialect, position: &Position) -> String {
    match dialect.notation {
        Notation::Chinese => chinese::write(mv, position),
        Notation::Short => short::write(mv, dialect.bars, position),
        Notation::Wxf => wxf::write(mv, dialect.numbers, dialect.pawn_letters, position),
        Notation::Iccs => iccs::write(mv),
        Notation::Uci => uci::write(mv),
        Notation::San => san::write(mv, dialect.ranks, position),
        Notation::Viet => viet::write(mv, position),
    }
}

/// Where `text` stops being a move text of `dialect`: the byte of the first character not understood, if any.
///
/// # Errors
///
/// That byte; the length of the text where something is missing at its end.
pub fn check_shape(text: &str, dialect: Dialect) -> Result<(), usize> {
    match dialect.notation {
        Notation::Chinese => chinese::parse(text).map(drop),
        Notation::Short => short::parse(text, dialect.bars).map(drop),
        Notation::Wxf => wxf::parse(text, dialect.numbers, dialect.pawn_letters).map(drop),
        Notation::Iccs => iccs::parse(text).map(drop),
        Notation::Uci => uci::parse(text).map(drop),
        Notation::San => san::parse(text, dialect.ranks).map(drop),
        Notation::Viet => viet::parse(text).map(drop),
    }
}

/// Every notation whose default dialect understands `text`, the likeliest first; no position needed, no legality asked.
///
/// One text settles little: `P2-5` has the shape of WXF and of Vietnamese, `h3e3` of ICCS and of UCI. A whole game does.
///
/// ```
/// use qijian::notation::{Notation, shapes};
///
/// assert_eq!(shapes("P2-5").collect::<Vec<_>>(), [Notation::Wxf, Notation::Viet]);
/// ```
pub fn shapes(text: &str) -> impl Iterator<Item = Notation> {
    const LIKELIEST_FIRST: [Notation; 7] = [
        Notation::Chinese,
        Notation::Iccs,
        Notation::Wxf,
        Notation::Viet,
        Notation::Uci,
        Notation::Short,
        Notation::San,
    ];
    LIKELIEST_FIRST.into_iter().filter(move |&notation| check_shape(text, notation.into()).is_ok())
}

/// Which notation `text` is in by its shape alone, if it is a move text at all: the first of [`shapes`].
pub fn guess(text: &str) -> Option<Notation> {
    shapes(text).next()
}

#[cfg(test)]
mod tests;
