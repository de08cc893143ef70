//! Squares (points) of the board and sets of them.

use std::fmt;

use super::{Kind, Side, attacks};

/// One of the 90 points of the board, numbered `rank * 9 + file`.
///
/// Files 0..=8 are `a`..`i` from Red's left, ranks 0..=9 are counted from Red's back rank (article 1.1, R001).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 90;

    /// The square on `file` 0..=8 and `rank` 0..=9, or `None` off the board.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < 9 && rank < 10 { Some(Square(rank * 9 + file)) } else { None }
    }

    /// The square numbered `index` (`rank * 9 + file`), or `None` from 90 on.
    pub const fn from_index(index: u8) -> Option<Square> {
        if index < 90 { Some(Square(index)) } else { None }
    }

    /// All squares, `a0` first, `i9` last.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..90).map(Square)
    }

    /// `rank * 9 + file`, always under 90.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for `a`, Red's leftmost file, to 8 for `i`.
    pub const fn file(self) -> u8 {
        self.0 % 9
    }

    /// 0 for Red's back rank to 9 for Black's.
    pub const fn rank(self) -> u8 {
        self.0 / 9
    }

    /// The square `files` to Red's right and `ranks` towards Black, or `None` off the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i16 + files as i16;
        let rank = self.rank() as i16 + ranks as i16;
        if file < 0 || rank < 0 { None } else { Square::new(file as u8, rank as u8) }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SquareSet(pub(super) u128);

impl SquareSet {
    /// The set without a square.
    pub const EMPTY: SquareSet = SquareSet(0);

    /// The set of one square.
    pub const fn of(square: Square) -> SquareSet {
        SquareSet(1 << square.0)
    }

    /// Whether `square` is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// How many squares the set has.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The squares of the set that are not in the other.
    pub(crate) const fn without(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & !other.0)
    }

    /// Whether the set has no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has exactly one square.
    pub const fn is_single(self) -> bool {
        self.0 != 0 && self.0 & (self.0 - 1) == 0
    }

    /// The lowest square of the set.
    pub const fn first(self) -> Option<Square> {
        Square::from_index(self.0.trailing_zeros() as u8)
    }

    /// The highest square of the set.
    pub const fn last(self) -> Option<Square> {
        Square::from_index(127_u8.wrapping_sub(self.0.leading_zeros() as u8))
    }

    /// The squares strictly between two squares of one file or one rank; empty for other squares.
    ///
    /// ```
    /// use qijian::board::{Square, SquareSet};
    /// let [a0, d0, b3] = [(0, 0), (3, 0), (1, 3)].map(|(file, rank)| Square::new(file, rank).unwrap());
    /// assert_eq!(SquareSet::between(d0, a0).len(), 2);
    /// assert!(SquareSet::between(a0, b3).is_empty());
    /// ```
    pub fn between(a: Square, b: Square) -> SquareSet {
        SquareSet(attacks::between(a, b))
    }

    /// The squares from which a piece of `kind` and `side` captures on `target`, if these squares are `occupied`.
    /// Generals, advisers and elephants attack no general, so they have none.
    pub(crate) fn origins(
        kind: Kind,
        side: Side,
        target: Square,
        occupied: SquareSet,
    ) -> SquareSet {
        SquareSet(match kind {
            Kind::Chariot => attacks::chariot(target, occupied.0),
            Kind::Cannon => attacks::cannon_origins(target, occupied.0),
            Kind::Horse => attacks::horse_origins(target, !0, occupied.0),
            Kind::Pawn => attacks::PAWN_ORIGINS[side as usize][target.index()],
            Kind::General | Kind::Adviser | Kind::Elephant => 0,
        })
    }

    /// The squares that a piece of `kind` and `side` on `square` could reach on some board, palaces and river not asked.
    pub(crate) fn zone(kind: Kind, side: Side, square: Square) -> SquareSet {
        let index = square.index();
        SquareSet(match kind {
            Kind::Chariot | Kind::Cannon => attacks::CROSS[index],
            Kind::Horse => attacks::HORSE_ZONE[index],
            Kind::Pawn => attacks::PAWN[side as usize][index],
            Kind::Elephant => attacks::ELEPHANT_ZONE[index],
            Kind::Adviser => attacks::DIAGONAL[index],
            Kind::General => attacks::ORTHOGONAL[index],
        })
    }

    /// The squares on the lines of `square`, and beside it.
    pub(crate) fn around(square: Square) -> SquareSet {
        SquareSet(attacks::CROSS[square.index()] | attacks::DIAGONAL[square.index()])
    }

    /// Adds `square`.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    /// Takes `square` out, if it was there.
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.0);
    }
}

impl std::ops::BitAnd for SquareSet {
    type Output = SquareSet;
    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl std::ops::BitOr for SquareSet {
    type Output = SquareSet;
    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl Iterator for SquareSet {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = SquareSet::len(*self);
        (len, Some(len))
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, |set, square| set | SquareSet::of(square))
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_squares_match() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
            assert_eq!(Square::from_index(index as u8), Some(square));
        }
        assert_eq!(
            (Square::new(9, 0), Square::new(0, 10), Square::from_index(90)),
            (None, None, None)
        );
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        let square = Square::new(4, 5).unwrap();
        assert_eq!(square.offset(-4, 4), Square::new(0, 9));
        for (files, ranks) in
            [(-5, 0), (5, 0), (0, 5), (0, -6), (i8::MAX, i8::MIN), (i8::MIN, i8::MAX)]
        {
            assert_eq!(square.offset(files, ranks), None);
        }
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let squares: Vec<_> = Square::all().step_by(7).collect();
        let mut set: SquareSet = squares.iter().rev().copied().collect();
        assert_eq!(set.len(), squares.len());
        assert_eq!(set.collect::<Vec<_>>(), squares);
        set.remove(squares[0]);
        assert!(!set.contains(squares[0]) && set.contains(squares[1]));
        assert_eq!((SquareSet::EMPTY.first(), set.first()), (None, Some(squares[1])));
        assert_eq!((SquareSet::EMPTY.last(), set.last()), (None, squares.last().copied()));
        assert!(!set.is_single() && !SquareSet::EMPTY.is_single());
        assert!(SquareSet::of(squares[0]).is_single());
    }
}
