//! Which moves give check, and which answer one.
//!
//! A side that stands in check is asked what it would do but for that check; the pieces whose check need not be
//! answered are called excused.

use crate::board::{Answers, Kind, Move, Position, Square, SquareSet};

/// Whether `mv` is legal if the checks of the pieces on `excused` need not be answered.
pub(super) fn is_legal_but_for(position: &Position, mv: Move, excused: SquareSet) -> bool {
    position.reaches(mv) && position.is_safe_but_for(mv, excused)
}

/// The legal moves that give check, in order of from- and to-square.
pub(super) fn checks(position: &Position, excused: SquareSet) -> Vec<Move> {
    position.checking().filter(|mv| position.is_safe_but_for(*mv, excused)).collect()
}

/// The legal moves of a side, found one by one: captures of the piece that gives check, moves of the general, then the
/// others. Most checks are refuted by the first few.
pub(super) struct Replies {
    takers: SquareSet,
    general: SquareSet,
    others: SquareSet,
    from: Option<Square>,
    targets: SquareSet,
    answers: Answers,
    /// The other side's general, where it stands in an excused check: it is not taken.
    spared: Option<Square>,
}

impl Replies {
    pub(super) fn new(position: &Position, excused: SquareSet) -> Replies {
        let side = position.side();
        let general = position.pieces(side, Kind::General);
        let mut others = position.occupied_by(side);
        general.for_each(|square| others.remove(square));
        let answers = position.answers();
        let takers =
            answers.checker.map_or(SquareSet::EMPTY, |checker| position.attackers(checker, side));
        Replies {
            takers,
            general,
            others,
            from: None,
            targets: SquareSet::EMPTY,
            answers,
            spared: position.general(side.other()).filter(|_| !excused.is_empty()),
        }
    }

    /// The next move; `position` is the one of [`Replies::new`].
    pub(super) fn next(&mut self, position: &Position) -> Option<Move> {
        loop {
            if let (Some(from), Some(to)) = (self.from, self.targets.next()) {
                let mv = Move { from, to };
                if Some(to) != self.spared && position.is_safe(mv) {
                    return Some(mv);
                }
                continue;
            }
            let answers = self.answers;
            if let (Some(from), Some(checker)) = (self.takers.next(), answers.checker) {
                (self.from, self.targets) = (Some(from), SquareSet::of(checker));
                continue;
            }
            let (from, mut targets) = if let Some(from) = self.general.next() {
                (from, position.reach(from))
            } else {
                let from = self.others.next()?;
                (from, answers.of(from, position.reach(from)))
            };
            answers.checker.into_iter().for_each(|checker| targets.remove(checker));
            (self.from, self.targets) = (Some(from), targets);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A pin is not excused: the chariot on e1 shields its general from the one on e5, the cannon's check is another.
    #[test]
    fn a_pin_is_not_excused() {
        let pinned = Position::from_fen("3k5/9/9/9/4r4/9/9/9/4R4/c2AK4 w").unwrap();
        let excused = pinned.checkers(pinned.side());
        assert_eq!(excused.len(), 1);
        assert!(!is_legal_but_for(&pinned, "e1b1".parse().unwrap(), excused));
        assert!(is_legal_but_for(&pinned, "e1e3".parse().unwrap(), excused));
    }

    #[test]
    fn replies_are_the_legal_moves() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "3k5/R8/9/9/4r4/9/9/9/9/1R2K4 w",
            "4ka3/4a4/9/9/9/9/9/4R4/4r4/3K5 b",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut replies = Replies::new(&position, SquareSet::EMPTY);
            let mut found: Vec<Move> = std::iter::from_fn(|| replies.next(&position)).collect();
            found.sort();
            assert_eq!(found, position.legal_moves(), "{fen}");
        }
    }
}
