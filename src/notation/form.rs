//! What every relative notation says: a piece, which of several, from which file, how and where to.
//!
//! A [`Form`] is the text understood, before any board is asked. [`Form::resolve`] puts it on a position: the moves that
//! the text does not contradict are kept (`reference/notation.md` 2.4).

use super::{
    Deviation, Deviations, Reading,
    glyph::{Mark, Verb},
};
use crate::board::{Kind, Move, Position, Reason, Side, Square, SquareSet};

/// Which of several like pieces is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// 前, 中, 后 on one file.
    Mark(Mark),
    /// 一 to 五, from the front: on the file, if it is written; else over all doubled files from the mover's right.
    Ordinal(u8),
    /// A letter `a` to `e` as 1 to 5, over all doubled files from the mover's right, front to back.
    Letter(u8),
    /// The same over all doubled files from Red's right, north to south, whoever moves (AXF).
    RedLetter(u8),
}

/// A move text of a relative notation, understood but not yet put on a board. Numbers other than 1 to 9 name no piece
/// and no square.
///
/// ```
/// use qijian::{board::Position, notation::{Reading, chinese}};
///
/// let form = chinese::parse("炮二平五").unwrap();
/// assert_eq!(form.file, Some(2));
/// assert!(matches!(form.resolve(&Position::start()), Reading::Move { .. }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// The kind of piece; the pawn where the text drops its name (前九平八).
    pub kind: Kind,
    /// Which of several.
    pub which: Option<Which>,
    /// The file left, 1 to 9 from the mover's right.
    pub file: Option<u8>,
    /// How it moves; `None` where the text has lost it, so that any will do.
    pub verb: Option<Verb>,
    /// Points moved or file reached; `None` where left out: one point, or the only file possible.
    pub last: Option<u8>,
    /// The side that the piece's name points to.
    pub named: Option<Side>,
    /// Whether numbers are written as Red does, as Black does.
    pub digits: [bool; 2],
    /// Departures from the standard that show without a board.
    pub deviations: Deviations,
}

impl Form {
    /// A form whose text names no side.
    pub(super) fn neutral(kind: Kind, verb: Option<Verb>, last: u8) -> Form {
        Form {
            kind,
            which: None,
            file: None,
            verb,
            last: Some(last),
            named: None,
            digits: [false; 2],
            deviations: Deviations::default(),
        }
    }

    /// The reading on `position`, for its side to move.
    ///
    /// A text whose name and numbers both point to the other side is never taken for a move of this one: it is the sign
    /// of a missing ply, and reads as [`Reason::WrongSide`].
    pub fn resolve(&self, position: &Position) -> Reading {
        let side = position.side();
        let other = side.other();
        let foreign_digits = self.digits[other as usize];
        let foreign_name = self.named == Some(other);
        let mut deviations = self.deviations;
        if foreign_name && foreign_digits && !self.digits[side as usize] {
            return Reading::Illegal { reason: Reason::WrongSide, mv: None, deviations };
        }
        if foreign_digits {
            deviations.insert(Deviation::Digits);
        }
        if foreign_name {
            deviations.insert(Deviation::Glyph);
        }

        let own = position.pieces(side, self.kind);
        let choice = match self.which {
            None => self.plain(own, side),
            Some(which) => self.marked(own, side, which),
        };
        let reading = self.settle(position, choice, deviations);
        match (self.which, &reading) {
            // Another school counts on each file by itself, even where two are doubled (R02).
            (Some(Which::Ordinal(n)), Reading::Illegal { .. }) if self.file.is_none() => {
                let mut school = Choice::default();
                for stack in stacks(own, side) {
                    school.add(nth(stack, side, n));
                }
                school.note(Deviation::Ordinal);
                match self.settle(position, school, deviations) {
                    Reading::Illegal { .. } => reading,
                    read => read,
                }
            }
            _ => reading,
        }
    }

    fn plain(&self, own: SquareSet, side: Side) -> Choice {
        let pieces = match self.file {
            Some(file) => on_file(own, column(file, side)),
            None => own,
        };
        let mut choice = Choice { pieces, ..Choice::default() };
        let needs_mark = !matches!(self.kind, Kind::General | Kind::Adviser | Kind::Elephant);
        if needs_mark && pieces.len() > 1 {
            choice.note(Deviation::NoQualifier);
        }
        choice
    }

    fn marked(&self, own: SquareSet, side: Side, which: Which) -> Choice {
        let own = match self.file {
            Some(file) => on_file(own, column(file, side)),
            None => own,
        };
        let mut choice = Choice::default();
        match which {
            Which::Mark(mark) => {
                for stack in stacks(own, side) {
                    let count = stack.len() as u8;
                    let n = match mark {
                        Mark::Front => 1,
                        Mark::Rear => count,
                        Mark::Middle if count % 2 == 1 => count / 2 + 1,
                        Mark::Middle => continue,
                    };
                    choice.add(nth(stack, side, n));
                    if mark == Mark::Middle && count != 3 {
                        choice.note(Deviation::Ordinal);
                    }
                }
                if choice.pieces.len() > 1 {
                    choice.note(Deviation::NoFile);
                }
            }
            Which::Ordinal(n) => {
                choice.add(in_series(own, side, side, n));
                let stacked: usize = stacks(own, side).map(SquareSet::len).sum();
                if stacked == 2 && self.file.is_none() {
                    choice.note(Deviation::Ordinal);
                }
            }
            Which::Letter(n) => choice.add(in_series(own, side, side, n)),
            Which::RedLetter(n) => choice.add(in_series(own, Side::Red, Side::Red, n)),
        }
        choice
    }

    fn settle(&self, position: &Position, choice: Choice, mut deviations: Deviations) -> Reading {
        let side = position.side();
        let verbs = match &self.verb {
            Some(verb) => std::slice::from_ref(verb),
            None => &Verb::ALL[..],
        };
        let lasts = match self.last {
            Some(last) => last..=last,
            None if is_diagonal(self.kind) => 1..=9,
            None => 1..=1,
        };
        let mut found: Option<Move> = None;
        let mut more: Vec<Move> = Vec::new();
        let mut nearest: (Reason, Option<Move>) = (Reason::NoSuchPiece, None);
        for from in choice.pieces {
            for &verb in verbs {
                for last in lasts.clone() {
                    let failure = match target(side, self.kind, from, verb, last) {
                        Ok(to) => {
                            let mv = Move { from, to };
                            if position.is_legal(mv) {
                                match found {
                                    None => found = Some(mv),
                                    Some(_) => more.push(mv),
                                }
                                continue;
                            }
                            (position.legality(mv).err().unwrap_or(Reason::Shape), Some(mv))
                        }
                        Err((reason, to)) => (reason, to.map(|to| Move { from, to })),
                    };
                    if failure.0 > nearest.0 {
                        nearest = failure;
                    }
                }
            }
        }
        match found {
            Some(mv) if more.is_empty() => {
                deviations = deviations.union(choice.deviations);
                Reading::Move { mv, deviations }
            }
            Some(mv) => {
                more.push(mv);
                more.sort_unstable();
                Reading::Ambiguous { moves: more, deviations }
            }
            None => Reading::Illegal { reason: nearest.0, mv: nearest.1, deviations },
        }
    }
}

/// The pieces that a text may mean, and how it departs from the standard if one of them settles it.
#[derive(Default)]
struct Choice {
    pieces: SquareSet,
    deviations: Deviations,
}

impl Choice {
    fn add(&mut self, piece: Option<Square>) {
        if let Some(piece) = piece {
            self.pieces.insert(piece);
        }
    }

    fn note(&mut self, deviation: Deviation) {
        self.deviations.insert(deviation);
    }
}

/// Whether the last number of `kind` is always a file.
pub(super) const fn is_diagonal(kind: Kind) -> bool {
    matches!(kind, Kind::Adviser | Kind::Elephant | Kind::Horse)
}

/// The board file 0..=8 that `side` numbers `number` (1 to 9).
pub(super) const fn column(number: u8, side: Side) -> u8 {
    match side {
        Side::Red => 9_u8.wrapping_sub(number),
        Side::Black => number.wrapping_sub(1),
    }
}

/// The number 1 to 9 that `side` gives the board file of `square`.
pub(super) const fn number(square: Square, side: Side) -> u8 {
    match side {
        Side::Red => 9 - square.file(),
        Side::Black => square.file() + 1,
    }
}

/// The squares of each board file.
const FILES: [SquareSet; 9] = {
    let mut files = [SquareSet::EMPTY; 9];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        files[square.file() as usize].insert(square);
        index += 1;
    }
    files
};

/// The pieces of `set` on a board file; none off the board, since the fields of a [`Form`] hold any number.
pub(super) fn on_file(set: SquareSet, file: u8) -> SquareSet {
    match FILES.get(usize::from(file)) {
        Some(&squares) => set & squares,
        None => SquareSet::EMPTY,
    }
}

/// The files that hold two or more of `set`, from the right of `seat`; each as the set of its pieces.
pub(super) fn stacks(set: SquareSet, seat: Side) -> impl Iterator<Item = SquareSet> {
    (1..=9)
        .map(move |n| on_file(set, column(n, seat)))
        .filter(|stack| !stack.is_empty() && !stack.is_single())
}

/// The `n`th of a file from the front (1 first), as `side` sees it.
pub(super) fn nth(stack: SquareSet, side: Side, n: u8) -> Option<Square> {
    let behind = match side {
        Side::Red => stack.len().checked_sub(usize::from(n))?,
        Side::Black => usize::from(n).checked_sub(1)?,
    };
    let mut stack = stack;
    stack.nth(behind)
}

/// The `n`th over all doubled files (xqbase), files from the right of `seat`, front to back.
fn in_series(set: SquareSet, seat: Side, front: Side, n: u8) -> Option<Square> {
    let mut n = usize::from(n);
    for stack in stacks(set, seat) {
        if n <= stack.len() {
            return nth(stack, front, n as u8);
        }
        n -= stack.len();
    }
    None
}

/// The place of `square` among `set`, the like pieces of `side`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rank {
    /// 1 for the front one on its file.
    pub(super) nth: u8,
    /// How many stand on its file.
    pub(super) count: u8,
    /// How many files are doubled.
    pub(super) doubled: u8,
    /// 1 for the first over all doubled files.
    pub(super) series: u8,
}

/// Ranks `square`, one of `set`.
pub(super) fn rank(set: SquareSet, square: Square, side: Side) -> Rank {
    let stack = on_file(set, square.file());
    let ahead = stack.filter(|&other| match side {
        Side::Red => other > square,
        Side::Black => other < square,
    });
    let nth = ahead.count() as u8 + 1;
    let before: usize =
        stacks(set, side).take_while(|stack| !stack.contains(square)).map(SquareSet::len).sum();
    Rank {
        nth,
        count: stack.len() as u8,
        doubled: stacks(set, side).count() as u8,
        series: before as u8 + nth,
    }
}

/// The verb and the last number of a move that its piece can make.
pub(super) fn stroke(kind: Kind, side: Side, mv: Move) -> (Verb, u8) {
    let (from, to) = (mv.from.rank(), mv.to.rank());
    if from == to {
        return (Verb::Traverse, number(mv.to, side));
    }
    let verb = if (to > from) == (side == Side::Red) { Verb::Advance } else { Verb::Retreat };
    let last = if is_diagonal(kind) { number(mv.to, side) } else { from.abs_diff(to) };
    (verb, last)
}

/// The square that the text names, or why there is none (and the square that 平 would name).
pub(super) fn target(
    side: Side,
    kind: Kind,
    from: Square,
    verb: Verb,
    last: u8,
) -> Result<Square, (Reason, Option<Square>)> {
    if !(1..=9).contains(&last) {
        return Err((Reason::OffBoard, None));
    }
    let forward: i8 = match (side, verb) {
        (_, Verb::Traverse) => 0,
        (Side::Red, Verb::Advance) | (Side::Black, Verb::Retreat) => 1,
        (Side::Red, Verb::Retreat) | (Side::Black, Verb::Advance) => -1,
    };
    let aside = column(last, side) as i8 - from.file() as i8;
    let off_board = (Reason::OffBoard, None);
    match (is_diagonal(kind), verb) {
        (false, Verb::Traverse) => from.offset(aside, 0).ok_or(off_board),
        (false, _) => from.offset(0, forward * last as i8).ok_or(off_board),
        (true, Verb::Traverse) => Err((Reason::Shape, from.offset(aside, 0))),
        (true, _) => {
            let ranks = match (kind, aside.unsigned_abs()) {
                (Kind::Adviser, 1) => 1,
                (Kind::Elephant, 2) => 2,
                (Kind::Horse, 1) => 2,
                (Kind::Horse, 2) => 1,
                _ => return Err((Reason::Shape, None)),
            };
            from.offset(aside, forward * ranks).ok_or(off_board)
        }
    }
}
