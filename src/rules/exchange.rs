//! What is won and lost by captures, in the values of article 25.3 (R105).
//!
//! A chariot is worth two horses or cannons, a horse a cannon, an adviser an elephant. A pawn across the river has a
//! floating value: an exchange in which one side loses pawns only and the other side more than pawns is no gain for
//! either. The general and a pawn before the river have no value (不算子力).

use arrayvec::ArrayVec;

use super::{
    budget::{Budget, Spent},
    checks::is_legal_but_for,
};
use crate::board::{Kind, Move, Piece, Position, Side, Square, SquareSet};

/// The pieces of value that each side has lost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Losses {
    ours: Loss,
    theirs: Loss,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Loss {
    value: i32,
    pieces: u32,
    pawns: u32,
}

impl Losses {
    /// Adds a captured piece; `own` says whether it is one of the side whose gain is asked.
    #[must_use]
    pub fn with(mut self, worth: i32, kind: Kind, own: bool) -> Losses {
        let loss = if own { &mut self.ours } else { &mut self.theirs };
        if worth > 0 {
            loss.value += worth;
            loss.pieces += 1;
            loss.pawns += u32::from(kind == Kind::Pawn);
        }
        self
    }

    /// What the exchange comes to for us: above 0 a gain (得子).
    pub fn gain(self) -> i32 {
        let only_pawns = |loss: Loss| loss.pieces > 0 && loss.pawns == loss.pieces;
        if self.ours.pieces > 0
            && self.theirs.pieces > 0
            && only_pawns(self.ours) != only_pawns(self.theirs)
        {
            return 0;
        }
        self.theirs.value - self.ours.value
    }
}

/// The value of `piece` on `square`: 0 for a general and for a pawn that has not crossed the river.
pub fn worth(piece: Piece, square: Square) -> i32 {
    match piece.kind {
        Kind::General => 0,
        Kind::Chariot => 1000,
        Kind::Horse | Kind::Cannon => 500,
        Kind::Adviser | Kind::Elephant => 200,
        Kind::Pawn if has_crossed(piece.side, square) => 100,
        Kind::Pawn => 0,
    }
}

/// Whether `square` lies across the river (过河) for `side`.
pub fn has_crossed(side: Side, square: Square) -> bool {
    match side {
        Side::Red => square.rank() >= 5,
        Side::Black => square.rank() <= 4,
    }
}

/// Captures on `square`, all legal, each side free to stop: the best end for both, from the side `us`, whose losses so
/// far are `losses`. Pinned guards, facing generals and missing screens settle themselves, because every capture must
/// be legal when it is made: that is what makes a root false (假根) or too few (少根, 28.16). Checks of `excused` pieces
/// need not be answered by us.
pub(super) fn on_square(
    position: &mut Position,
    square: Square,
    us: Side,
    losses: Losses,
    excused: SquareSet,
    budget: &mut Budget,
) -> Result<(Losses, Vec<Move>), Spent> {
    let mut exchange = Exchange { square, us, excused, budget };
    exchange.best(position, losses, [i32::MIN, i32::MAX])
}

struct Exchange<'b> {
    square: Square,
    us: Side,
    excused: SquareSet,
    budget: &'b mut Budget,
}

impl Exchange<'_> {
    /// The best end for the side to move, as far as it lies within `window`: what the other side and we have already.
    /// The recursion ends with the pieces that reach the square.
    fn best(
        &mut self,
        position: &mut Position,
        losses: Losses,
        mut window: [i32; 2],
    ) -> Result<(Losses, Vec<Move>), Spent> {
        let (square, mover) = (self.square, position.side());
        let mut best = (losses, Vec::new());
        let Some(victim) = position.piece_at(square) else { return Ok(best) };
        if victim.side == mover || victim.kind == Kind::General {
            return Ok(best);
        }
        let ours = mover == self.us;
        let after = losses.with(worth(victim, square), victim.kind, victim.side == self.us);
        // The cheapest first: where that pays, the others need not be tried.
        let mut takers: ArrayVec<(i32, Square), { Square::COUNT }> = ArrayVec::new();
        for from in position.attackers(square, mover) {
            let price = match position.piece_at(from) {
                Some(Piece { kind: Kind::General, .. }) | None => i32::MAX,
                Some(piece) => worth(piece, square),
            };
            takers.push((price, from));
        }
        takers.sort_unstable();
        for (_, from) in takers {
            let gain = best.0.gain();
            if ours {
                window[0] = window[0].max(gain);
            } else {
                window[1] = window[1].min(gain);
            }
            if window[0] >= window[1] {
                break;
            }
            let mv = Move { from, to: square };
            let legal = if ours {
                is_legal_but_for(position, mv, self.excused)
            } else {
                position.is_legal(mv)
            };
            if !legal {
                continue;
            }
            self.budget.spend()?;
            let undo = position.play(mv);
            let end = self.best(position, after, window);
            position.undo(undo);
            let (end, line) = end?;
            let better = if ours { end.gain() > best.0.gain() } else { end.gain() < best.0.gain() };
            if better {
                best = (end, [vec![mv], line].concat());
            }
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(ours: &[Kind], theirs: &[Kind]) -> i32 {
        let value = |kind| worth(Piece { side: Side::Red, kind }, Square::new(4, 9).unwrap());
        let lost = |losses: Losses, kinds: &[Kind], own| {
            kinds.iter().fold(losses, |losses, kind| losses.with(value(*kind), *kind, own))
        };
        lost(lost(Losses::default(), ours, true), theirs, false).gain()
    }

    // Article 25.3, clause by clause.
    #[test]
    fn values_are_those_of_the_article() {
        use Kind::{Adviser, Cannon, Chariot, Elephant, Horse};
        assert_eq!(gain(&[Chariot], &[Horse, Horse]), 0);
        assert_eq!(gain(&[Chariot], &[Cannon, Cannon]), 0);
        assert_eq!(gain(&[Chariot], &[Horse, Cannon]), 0);
        assert_eq!(gain(&[Horse], &[Cannon]), 0);
        assert_eq!(gain(&[Adviser], &[Elephant]), 0);
        assert!(gain(&[Horse], &[Chariot]) > 0);
        assert!(gain(&[Chariot], &[Horse]) < 0);
        assert!(gain(&[], &[Adviser]) > 0);
    }

    // 25.3: one pawn for several pieces, or one piece for several pawns, is no gain.
    #[test]
    fn a_pawn_has_a_floating_value() {
        use Kind::{Cannon, Chariot, Horse, Pawn};
        assert_eq!(gain(&[Pawn], &[Horse]), 0);
        assert_eq!(gain(&[Pawn], &[Chariot, Horse]), 0);
        assert_eq!(gain(&[Horse], &[Pawn, Pawn]), 0);
        assert!(gain(&[], &[Pawn]) > 0);
        // Figure 4 of the edition of 2020: a cannon for a horse and a pawn is a gain.
        assert!(gain(&[Cannon], &[Horse, Pawn]) > 0);
    }

    #[test]
    fn generals_and_pawns_before_the_river_have_none() {
        let at = |side, kind, rank| worth(Piece { side, kind }, Square::new(4, rank).unwrap());
        assert_eq!(at(Side::Red, Kind::General, 0), 0);
        assert_eq!([at(Side::Red, Kind::Pawn, 4), at(Side::Black, Kind::Pawn, 5)], [0, 0]);
        assert!(at(Side::Red, Kind::Pawn, 5) > 0 && at(Side::Black, Kind::Pawn, 4) > 0);
    }
}
