//! Mate by checks only, the threat that makes a ply a kill (杀, article 28.2): a bounded search with all replies.

use super::{
    budget::{Budget, Spent},
    checks::checks,
    forced::{Mate, Outcome, Pursuit},
};
use crate::board::{Move, Position, SquareSet};

/// What a bounded search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof<T> {
    /// Shown.
    Yes(T),
    /// Refuted, however many checks are given.
    No,
    /// The bound was reached first.
    Unproved,
}

/// How far searches may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Checks in a row that are looked at.
    pub checks: u32,
    /// Positions looked at, by all searches of a ply together.
    pub nodes: u32,
    /// Positions looked at for a whole ruling.
    pub ruling: u32,
}

/// Whether the side to move of `position` mates by checks alone, against every reply, within `bound`. The line is that
/// of the longest defence: checks and replies in turn, the last move mates.
///
/// `No` holds for any number of checks: where the bound left something out, the answer is `Unproved`.
///
/// ```
/// use qijian::{board::Position, rules::mate::{Bound, Proof, mate_by_checks}};
///
/// let double_chariots = Position::from_fen("3k5/R8/9/9/9/9/9/9/9/1R2K4 w").unwrap();
/// let bound = Bound { checks: 3, nodes: 10_000, ruling: 10_000 };
/// let Proof::Yes(line) = mate_by_checks(&double_chariots, bound) else { panic!() };
/// assert_eq!(line.len(), 1);
/// ```
pub fn mate_by_checks(position: &Position, bound: Bound) -> Proof<Vec<Move>> {
    mate_but_for(position, SquareSet::EMPTY, &mut Budget::new(bound))
}

/// The same, where the checks given by the pieces on `excused` need not be answered: what a side threatens that stands
/// in check is what it would do but for the check.
pub(super) fn mate_but_for(
    position: &Position,
    excused: SquareSet,
    budget: &mut Budget,
) -> Proof<Vec<Move>> {
    let first = checks(position, excused);
    if first.is_empty() {
        return Proof::No;
    }
    let mut pursuit = Pursuit::new(position, first, excused, &[], &Mate);
    match pursuit.run(false, budget) {
        Ok(Outcome::Won) => Proof::Yes(pursuit.line()),
        Ok(Outcome::Refuted) => Proof::No,
        Ok(Outcome::Unproved) | Err(Spent) => Proof::Unproved,
    }
}

/// Whether the side to move has a move that mates at once.
pub fn mates_at_once(position: &Position) -> Option<Move> {
    let mut position = position.clone();
    checks(&position, SquareSet::EMPTY).into_iter().find(|mv| {
        let undo = position.play(*mv);
        let mated = !position.has_legal_move();
        position.undo(undo);
        mated
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "3k5/9/9/9/9/9/5n3/9/9/1R2K4 w";
    const BOUND: Bound = Bound { checks: 4, nodes: 20_000, ruling: 20_000 };

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn line(fen: &str) -> Option<String> {
        match mate_by_checks(&position(fen), BOUND) {
            Proof::Yes(line) => {
                Some(line.iter().map(Move::to_string).collect::<Vec<_>>().join(" "))
            }
            Proof::No => None,
            Proof::Unproved => panic!("{fen} is small"),
        }
    }

    // Chariots on the eighth and ninth rank leave the general no square.
    #[test]
    fn finds_the_shortest_mate() {
        assert_eq!(line("3k5/R8/9/9/9/9/9/9/9/1R3K3 w").unwrap(), "b0b9");
        // The red general bars the e-file: d0 would mate, but the horse steps between once.
        let two = line(TWO).unwrap();
        assert_eq!(two.split(' ').count(), 3, "{two}");
    }

    // 28.2 speaks of checks: a quiet move that makes mate unavoidable is no kill.
    #[test]
    fn needs_checks_all_the_way() {
        assert_eq!(line("4k4/9/9/9/9/9/9/9/9/1R1K5 w"), None);
        assert_eq!(line("4k4/9/9/9/9/9/9/9/9/3K5 w"), None);
    }

    #[test]
    fn says_so_where_the_bound_is_reached() {
        let bound = Bound { nodes: 1, ..BOUND };
        assert_eq!(mate_by_checks(&position(TWO), bound), Proof::Unproved);
        let bound = Bound { checks: 1, ..BOUND };
        assert_eq!(mate_by_checks(&position(TWO), bound), Proof::Unproved);
    }

    // The chariot on e5 gives check. Were it not to be answered, b0b9 would mate as above.
    #[test]
    fn a_check_can_be_excused() {
        let checked = position("3k5/R8/9/9/4r4/9/9/9/9/1R2K4 w");
        assert_eq!(mate_by_checks(&checked, BOUND), Proof::No);
        let excused = checked.checkers(checked.side());
        assert!(matches!(mate_but_for(&checked, excused, &mut Budget::new(BOUND)), Proof::Yes(_)));
    }
}
