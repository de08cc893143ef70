//! The settings within a notation that one move does not show and a whole game does.

use super::Notation;

/// A notation with its settings; each setting concerns one notation and is idle in the others.
///
/// ```
/// use qijian::{board::Position, notation::{Bars, Dialect, Notation, Reading, read_as}};
///
/// let lost = Dialect { bars: Bars::Lost, ..Dialect::from(Notation::Short) };
/// // Without its bar, 炮23 is 炮二平三 or 炮二进三.
/// assert!(matches!(read_as("炮23", lost, &Position::start()), Reading::Ambiguous { .. }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Dialect {
    /// The notation.
    pub notation: Notation,
    /// [`Notation::Short`]: what a bar on the last digit means.
    pub bars: Bars,
    /// [`Notation::Wxf`]: what a digit in place of the letter means.
    pub numbers: LeadingNumber,
    /// [`Notation::Wxf`]: from whose right the letters `a` to `e` of pawns count.
    pub pawn_letters: PawnLetters,
    /// [`Notation::San`]: the number of Red's back rank.
    pub ranks: Ranks,
}

impl From<Notation> for Dialect {
    fn from(notation: Notation) -> Dialect {
        Dialect { notation, ..Dialect::default() }
    }
}

/// What a bar on the last digit of the short form means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Bars {
    /// Below 进, above 退, none 平.
    #[default]
    Standard,
    /// Below 退, above 进, none 平.
    Reversed,
    /// The text has lost them: a digit without bar may be any of the three. A bar that is there is a standard one.
    Lost,
}

/// What `14=5` means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum LeadingNumber {
    /// The first pawn from the front on file 4 (WXF 2018, Fairy-Stockfish).
    #[default]
    Pawn,
    /// The piece with code 1 on file 4: 1 to 7 for K A B N R C P (xqbase).
    Piece,
}

/// From whose right the letters `a` to `e` of pawns on doubled files count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum PawnLetters {
    /// The mover's (xqbase).
    #[default]
    Mover,
    /// Red's, north to south within a file (AXF).
    Red,
}

/// How SAN-like text numbers the ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Ranks {
    /// 1 to 10 (pychess, Fairy-Stockfish).
    #[default]
    FromOne,
    /// 0 to 9 (WinBoard).
    FromZero,
}
