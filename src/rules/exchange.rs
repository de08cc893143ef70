//! What is won and lost by captures, in the values of article 25.3 (R105).
//!
//! A chariot is worth two horses or cannons, a horse a cannon, an adviser an elephant. A pawn across the river has a
//! floating value: an exchange in which one side loses pawns only and the other side more than pawns is no gain for
//! either. The general and a pawn before the river have no value (不算子力).

use crate::board::{Kind, Move, Piece, Position, Side, Square};

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
/// be legal when it is made: that is what makes a root false (假根) or too few (少根, 28.16).
pub(super) fn on_square(
    position: &mut Position,
    square: Square,
    us: Side,
    losses: Losses,
) -> (Losses, Vec<Move>) {
    let mover = position.side();
    let mut best = (losses, Vec::new());
    let Some(victim) = position.piece_at(square) else { return best };
    if victim.side == mover || victim.kind == Kind::General {
        return best;
    }
    let takers: Vec<Square> = position.attackers(square, mover).collect();
    for from in takers {
        let mv = Move { from, to: square };
        if !position.is_legal(mv) {
            continue;
        }
        let after = losses.with(worth(victim, square), victim.kind, victim.side == us);
        let undo = position.play(mv);
        let (end, line) = on_square(position, square, us, after);
        position.undo(undo);
        let better =
            if mover == us { end.gain() > best.0.gain() } else { end.gain() < best.0.gain() };
        if better {
            best = (end, [vec![mv], line].concat());
        }
    }
    best
}
