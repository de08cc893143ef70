//! A position within a sequence of checks: who is who, and what has been taken.

use super::exchange::{Losses, worth};
use crate::board::{Move, Position, Side, Square, Undo};

/// A position of a sequence of checks, with what each piece was at the beginning.
#[derive(Clone)]
pub(super) struct State {
    pub(super) position: Position,
    /// What has been taken so far.
    pub(super) losses: Losses,
    us: Side,
    /// Where the piece on each square stood at the beginning.
    origins: [Square; Square::COUNT],
    /// Tells apart positions in which the pieces on the same squares came from elsewhere.
    identity: u64,
}

/// What [`State::undo`] needs.
pub(super) struct Taken {
    undo: Undo,
    losses: Losses,
    origin: Square,
    identity: u64,
}

impl State {
    pub(super) fn new(position: &Position) -> State {
        let origin = |index| Square::from_index(index as u8).expect("an index of the board");
        State {
            us: position.side(),
            position: position.clone(),
            losses: Losses::default(),
            origins: std::array::from_fn(origin),
            identity: 0,
        }
    }

    /// The side that checks.
    pub(super) fn us(&self) -> Side {
        self.us
    }

    /// Where the piece on `square` stood at the beginning.
    pub(super) fn origin(&self, square: Square) -> Square {
        self.origins[square.index()]
    }

    /// Who takes whom, each by where it stood at the beginning.
    pub(super) fn pair(&self, mv: Move) -> (Square, Square) {
        (self.origin(mv.from), self.origin(mv.to))
    }

    pub(super) fn play(&mut self, mv: Move) -> Taken {
        let origin = self.origin(mv.to);
        let taken = |undo, state: &State| Taken {
            undo,
            losses: state.losses,
            origin,
            identity: state.identity,
        };
        let mover = self.origin(mv.from);
        let prey = self.position.piece_at(mv.to);
        let mut identity = self.identity ^ mark(mover, mv.from) ^ mark(mover, mv.to);
        let mut losses = self.losses;
        if let Some(prey) = prey {
            identity ^= mark(origin, mv.to);
            losses = losses.with(worth(prey, mv.to), prey.kind, prey.side == self.us);
        }
        let taken = taken(self.position.play(mv), self);
        (self.identity, self.losses) = (identity, losses);
        self.origins[mv.to.index()] = mover;
        taken
    }

    pub(super) fn undo(&mut self, taken: Taken) {
        let mv = taken.undo.mv();
        self.origins[mv.from.index()] = self.origins[mv.to.index()];
        self.origins[mv.to.index()] = taken.origin;
        (self.identity, self.losses) = (taken.identity, taken.losses);
        self.position.undo(taken.undo);
    }

    /// A key for goals by which it matters who is who and what has been taken.
    pub(super) fn identity(&self) -> u64 {
        self.identity ^ (self.losses.gain() as u64).wrapping_mul(0x94d0_49bb_1331_11eb)
    }
}

/// A number for the piece that came from `origin` on `square`.
fn mark(origin: Square, square: Square) -> u64 {
    let number = (origin.index() * Square::COUNT + square.index() + 1) as u64;
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Taking moves back restores who is who.
    #[test]
    fn states_are_restored() {
        let position = Position::from_fen("3k5/9/9/9/9/9/9/3r5/9/3RK4 w").unwrap();
        let mut state = State::new(&position);
        let mv: Move = "d0d2".parse().unwrap();
        let taken = state.play(mv);
        assert_eq!(state.origin(mv.to), mv.from);
        assert!(state.losses.gain() > 0 && state.identity != 0);
        state.undo(taken);
        assert_eq!((state.origin(mv.to), state.origin(mv.from)), (mv.to, mv.from));
        assert_eq!((state.identity, state.losses), (0, Losses::default()));
        assert!(state.position == position);
    }

    // The way by which a position is reached does not matter, but which chariot stands where does.
    #[test]
    fn identities_tell_pieces_apart() {
        let position = Position::from_fen("3k5/9/9/9/9/9/9/9/9/R1R1K4 w").unwrap();
        let after = |moves: [&str; 4]| {
            let mut state = State::new(&position);
            for mv in moves {
                state.play(mv.parse().unwrap());
            }
            (state.position.key(), state.identity)
        };
        let one = after(["a0a1", "d9d8", "c0c1", "d8d9"]);
        assert_eq!(one, after(["c0c1", "d9d8", "a0a1", "d8d9"]));
        let swapped = after(["a0a2", "c0a0", "a2c2", "c2c0"]);
        assert_eq!(swapped.0, position.key());
        assert!(swapped.1 != 0);
    }
}
