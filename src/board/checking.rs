//! Which moves give check (照将, article 3.1, R007), found from the general's side: only the few pieces on its lines,
//! around it or able to come there are asked.

use super::{Kind, Move, Position, Square, SquareSet};

impl Position {
    /// The moves of the side to move, by shape, that give check to the other side's general, in order of from- and
    /// to-square. Whether the own general is safe behind them is still to be asked.
    pub(crate) fn checking(&self) -> impl Iterator<Item = Move> {
        let general = self.general(self.side().other());
        general.into_iter().flat_map(|general| self.checking_general(general))
    }

    fn checking_general(&self, general: Square) -> impl Iterator<Item = Move> {
        let (side, occupied) = (self.side(), self.occupied());
        let lines = Lines::new(self, general);
        let origins = move |kind, occupied| SquareSet::origins(kind, side, general, occupied);
        let direct = Kind::ALL.map(|kind| match self.pieces(side, kind).is_empty() {
            true => SquareSet::EMPTY,
            false => origins(kind, occupied),
        });
        // Those that attack no general check only through others.
        let through = [Kind::General, Kind::Adviser, Kind::Elephant]
            .into_iter()
            .fold(SquareSet::EMPTY, |set, kind| set | self.pieces(side, kind));
        let asked = match lines.enters.is_empty() {
            true => self.occupied_by(side).without(through) | through & lines.leaves,
            false => self.occupied_by(side),
        };
        asked.flat_map(move |from| {
            // Every square of the set holds a piece; the general has no origins.
            let kind = self.piece_at(from).map_or(Kind::General, |piece| piece.kind);
            let mut direct = direct[kind as usize];
            if lines.near.contains(from) && !direct.is_empty() {
                let mut left = occupied;
                left.remove(from);
                direct = origins(kind, left);
            }
            let targets = if lines.leaves.contains(from) {
                self.reach(from)
            } else {
                let worth_a_look = (direct | lines.enters) & SquareSet::zone(kind, side, from);
                worth_a_look.filter(|to| self.reaches(Move { from, to: *to })).collect()
            };
            targets
                .map(move |to| Move { from, to })
                .filter(move |mv| direct.contains(mv.to) || self.gives_check(*mv))
        })
    }
}

/// The squares by whose change pieces that do not move give check.
struct Lines {
    /// Between the general and the sliders of the side to move, and the legs of its horses: leaving them may uncover.
    leaves: SquareSet,
    /// Between the general and cannons without a screen: entering them makes one.
    enters: SquareSet,
    /// On the lines of the general and beside it: what leaves them changes from where it is attacked.
    near: SquareSet,
}

impl Lines {
    fn new(position: &Position, general: Square) -> Lines {
        let side = position.side();
        let (mut leaves, mut enters) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for chariot in position.pieces(side, Kind::Chariot) {
            let between = SquareSet::between(chariot, general);
            if (between & position.occupied()).len() == 1 {
                leaves = leaves | between;
            }
        }
        for cannon in position.pieces(side, Kind::Cannon) {
            let between = SquareSet::between(cannon, general);
            match (between & position.occupied()).len() {
                0 => enters = enters | between,
                1 | 2 => leaves = leaves | between,
                _ => {}
            }
        }
        for horse in position.pieces(side, Kind::Horse) {
            leaves = leaves | leg(horse, general).into_iter().collect();
        }
        Lines { leaves, enters, near: SquareSet::around(general) }
    }
}

/// The leg of a horse on `horse` towards `target`, if that is a horse's move away.
fn leg(horse: Square, target: Square) -> Option<Square> {
    let files = target.file() as i8 - horse.file() as i8;
    let ranks = target.rank() as i8 - horse.rank() as i8;
    match (files.abs(), ranks.abs()) {
        (2, 1) => horse.offset(files / 2, 0),
        (1, 2) => horse.offset(0, ranks / 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The slow definition, on the positions of games in which every move is chosen by a fixed sequence of numbers.
    #[test]
    fn checks_are_the_moves_that_attack_the_general() {
        let mut number = 7u64;
        let mut seen = 0;
        for _ in 0..60 {
            let mut position = Position::start();
            for _ in 0..120 {
                let slow: Vec<Move> = position
                    .legal_moves()
                    .into_iter()
                    .filter(|mv| {
                        let mut after = position.clone();
                        after.play(*mv);
                        after.in_check(after.side())
                    })
                    .collect();
                seen += slow.len();
                let safe = position.checking().filter(|mv| position.is_safe(*mv));
                assert_eq!(safe.collect::<Vec<_>>(), slow, "{}", position.fen());
                let moves = position.legal_moves();
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let Some(mv) = moves.get((number >> 33) as usize % moves.len().max(1)) else {
                    break;
                };
                position.play(*mv);
            }
        }
        assert!(seen > 1_000, "{seen}");
    }
}
