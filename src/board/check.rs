//! Check, facing generals, and whether a move leaves the own general safe.
//!
//! Nothing here generates moves: from the general's square the few enemy pieces that can matter are looked up, the
//! sliders on its lines, the horses around it, the pawns beside it. A move is tested on the board that it would leave,
//! of which only the occupied squares are needed.

use super::{
    Kind, Move, Position, Side, Square, SquareSet,
    attacks::{self, bit},
};

/// The squares by which a check is answered, see [`Position::answers`].
#[derive(Clone, Copy)]
pub(crate) struct Answers {
    /// The piece that gives the check, if it is one of a single general.
    pub(crate) checker: Option<Square>,
    /// Squares to be entered: the checker's, and those between.
    enter: SquareSet,
    /// Or squares to be left: that of a cannon's screen.
    leave: SquareSet,
}

impl Answers {
    /// Of the squares `reach` of the piece on `from` those that may answer.
    pub(crate) fn of(self, from: Square, reach: SquareSet) -> SquareSet {
        if self.leave.contains(from) { reach } else { reach & self.enter }
    }
}

impl Position {
    /// Whether a general of `side` stands in check (照将, article 3.1, R007), facing generals not counted.
    pub fn in_check(&self, side: Side) -> bool {
        !self.checkers(side).is_empty()
    }

    /// The pieces of the other side that give check to a general of `side`, facing generals not counted.
    pub fn checkers(&self, side: Side) -> SquareSet {
        let generals = self.pieces(side, Kind::General);
        generals.fold(SquareSet::EMPTY, |set, general| set | self.attackers(general, side.other()))
    }

    /// Whether two generals stand on one file with nothing between (将帅照面, article 2.2, R005).
    pub fn generals_facing(&self) -> bool {
        let black = self.of(Side::Black, Kind::General);
        self.pieces(Side::Red, Kind::General)
            .any(|red| on_lines(red, black & attacks::file(red), 0, self.all()) != 0)
    }

    /// The pieces of `by` that could capture on `square` by their shape, as if a piece of the other side stood there,
    /// whether their general is safe then or not. On an own piece of `by`: its protectors.
    ///
    /// Legs, eyes and screens are respected; a general never attacks along the file.
    pub fn attackers(&self, square: Square, by: Side) -> SquareSet {
        let attackers =
            on_lines(square, self.of(by, Kind::Chariot), self.of(by, Kind::Cannon), self.all());
        SquareSet(attackers | self.attackers_by_steps(square, by, self.all()))
    }

    /// Whether no general of the side to move faces another or stands in check after `mv`, a move of an own piece.
    pub(crate) fn is_safe(&self, mv: Move) -> bool {
        self.is_safe_but_for(mv, SquareSet::EMPTY)
    }

    /// The same, where the checks of the pieces on `excused` are none. Generals that face each other are never excused.
    pub(crate) fn is_safe_but_for(&self, mv: Move, excused: SquareSet) -> bool {
        let (enemy, occupied, counts) =
            (self.side().other(), self.occupied_after(mv), !bit(mv.to) & !excused.0);
        let [chariots, cannons] =
            [Kind::Chariot, Kind::Cannon].map(|kind| self.of(enemy, kind) & counts);
        let generals = self.of(enemy, Kind::General) & !bit(mv.to);
        SquareSet(self.generals_after(mv)).all(|general| {
            let straight = chariots | generals & attacks::file(general);
            on_lines(general, straight, cannons, occupied) == 0
                && self.attackers_by_steps(general, enemy, occupied) & counts == 0
        })
    }

    /// Whether each side has one general, in its palace: what follows for checks is much, and is asked for here and there.
    pub(crate) fn is_orderly(&self) -> bool {
        Side::ALL.into_iter().all(|side| {
            let general = self.pieces(side, Kind::General);
            general.is_single() && general.0 & attacks::PALACE[side as usize] != 0
        })
    }

    /// [`Position::is_safe`] where no general of the side to move is attacked or faced.
    pub(crate) fn stays_safe(&self, mv: Move) -> bool {
        let generals = self.of(self.side(), Kind::General);
        if generals & bit(mv.from) != 0 {
            return self.is_safe(mv);
        }
        let (enemy, alive) = (self.side().other(), !bit(mv.to));
        !SquareSet(generals).any(|general| self.is_laid_open(general, enemy, mv, alive))
    }

    /// Whether the side to move stands in check after `mv`, the legal move just played, if no general of it did before.
    pub(crate) fn is_checked_by(&self, mv: Move) -> bool {
        let enemy = self.side().other();
        self.pieces(self.side(), Kind::General)
            .any(|general| self.is_laid_open(general, enemy, mv, !0))
    }

    /// Whether `general`, which pieces of `by` neither attacked nor faced, is attacked or faced after `mv` of another piece by
    /// one that is `alive`: it stands on a line with a square left or entered, or a horse attacks it. Elephants and advisers
    /// attack no general where it can stand, and nothing is asked of them.
    #[inline]
    fn is_laid_open(&self, general: Square, by: Side, mv: Move, alive: u128) -> bool {
        let relations = &attacks::RELATIONS[general.index()];
        let (left, entered) = (relations[mv.from.index()], relations[mv.to.index()]);
        // By leaving its leg a piece frees a horse, by entering a line it is a screen.
        left & (attacks::LINE | attacks::LEG) | entered & (attacks::LINE | attacks::LEAP) != 0
            && self.is_reached(general, by, mv, alive, [left, entered])
    }

    /// The same, where the squares left and entered have these relations to the general.
    fn is_reached(
        &self,
        general: Square,
        by: Side,
        mv: Move,
        alive: u128,
        relations: [u8; 2],
    ) -> bool {
        let [left, entered] = relations.map(|relation| attacks::line_of(general, relation));
        let of = |kind| self.of(by, kind) & alive;
        let straight = of(Kind::Chariot) | of(Kind::General) & attacks::file(general);
        let (straight, cannons) =
            (straight & (left | entered), of(Kind::Cannon) & (left | entered));
        let horses = of(Kind::Horse) & attacks::HORSE_ZONE[general.index()];
        let pawns = of(Kind::Pawn) & attacks::PAWN_ORIGINS[by as usize][general.index()];
        pawns != 0
            || straight | cannons | horses != 0 && {
                let occupied = self.occupied_after(mv);
                on_lines(general, straight, cannons, occupied) != 0
                    || attacks::horse_origins(general, horses, occupied) != 0
            }
    }

    /// Whether a general of the other side stands in check after `mv`, a move of an own piece.
    pub(crate) fn gives_check(&self, mv: Move) -> bool {
        let (us, occupied) = (self.side(), self.occupied_after(mv));
        let Some(moved) = self.piece_at(mv.from) else { return false };
        let after = |kind| {
            let left = self.of(us, kind) & !bit(mv.from);
            if moved.kind == kind { left | bit(mv.to) } else { left }
        };
        let generals = self.of(us.other(), Kind::General) & !bit(mv.to);
        // On its own half a general is attacked by these four alone.
        if generals & attacks::HALF[us as usize] != 0 {
            let mut position = self.clone();
            position.play(mv);
            return position.in_check(us.other());
        }
        let (chariots, cannons) = (after(Kind::Chariot), after(Kind::Cannon));
        let (horses, pawns) = (after(Kind::Horse), after(Kind::Pawn));
        SquareSet(generals).any(|general| {
            pawns & attacks::PAWN_ORIGINS[us as usize][general.index()] != 0
                || on_lines(general, chariots, cannons, occupied) != 0
                || attacks::horse_origins(general, horses, occupied) != 0
        })
    }

    /// Whether a general of the side to move would face another after `mv`, a move of an own piece.
    pub(super) fn would_face(&self, mv: Move) -> bool {
        let others = self.of(self.side().other(), Kind::General) & !bit(mv.to);
        SquareSet(self.generals_after(mv)).any(|general| {
            on_lines(general, others & attacks::file(general), 0, self.occupied_after(mv)) != 0
        })
    }

    /// The squares that matter to the safety of the generals of the side to move: a move of another piece that neither
    /// leaves nor enters one of them is safe. All squares if a general is attacked or faced already.
    pub(super) fn sensitive(&self) -> SquareSet {
        let enemy = self.side().other();
        if self.in_check(self.side()) || self.generals_facing() {
            return SquareSet(!0);
        }
        let sliders = self.of(enemy, Kind::Chariot) | self.of(enemy, Kind::Cannon);
        self.pieces(self.side(), Kind::General).fold(SquareSet::EMPTY, |set, general| {
            let facing = self.of(enemy, Kind::General) & attacks::file(general);
            let lines = SquareSet((sliders | facing) & attacks::CROSS[general.index()])
                .fold(0, |set, slider| set | attacks::between(general, slider));
            let legs = attacks::horse_legs(general, self.of(enemy, Kind::Horse));
            // Elephants and advisers attack a general only where it can never stand; their eyes are its diagonals.
            set | SquareSet::of(general)
                | SquareSet(lines | legs | attacks::DIAGONAL[general.index()])
        })
    }

    /// What a move of another piece than the general must do to answer the check that the side to move stands in: all
    /// other moves leave it in check. Whether one that does is safe is still to be asked.
    pub(crate) fn answers(&self) -> Answers {
        const ANY: Answers = Answers { checker: None, enter: SquareSet(!0), leave: SquareSet(!0) };
        let (side, enemy) = (self.side(), self.side().other());
        let mut generals = self.pieces(side, Kind::General);
        let (Some(general), None) = (generals.next(), generals.next()) else { return ANY };
        let facing = self.of(enemy, Kind::General) & attacks::file(general);
        let straight = self.of(enemy, Kind::Chariot) | facing;
        let cannons = self.of(enemy, Kind::Cannon);
        // Each check has to be answered: what answers none of the first is not asked about the others.
        let slider = SquareSet(on_lines(general, straight, cannons, self.all())).first();
        if let Some(slider) = slider {
            let line = attacks::between(general, slider);
            let screen = if cannons & bit(slider) == 0 { 0 } else { line & self.all() };
            return Answers {
                checker: Some(slider),
                enter: SquareSet(line | bit(slider)),
                leave: SquareSet(screen),
            };
        }
        let steps = self.attackers_by_steps(general, enemy, self.all());
        let Some(checker) = SquareSet(steps).first() else { return ANY };
        let legs = match self.piece_at(checker).map(|piece| piece.kind) {
            Some(Kind::Horse) => attacks::horse_legs(general, bit(checker)),
            Some(Kind::Pawn) => 0,
            _ => return ANY,
        };
        Answers {
            checker: Some(checker),
            enter: SquareSet(legs | bit(checker)),
            leave: SquareSet::EMPTY,
        }
    }

    /// Pawns, horses, elephants, and where they can be, advisers and generals of `by` that reach `square`.
    fn attackers_by_steps(&self, square: Square, by: Side, occupied: u128) -> u128 {
        let (side, index) = (by as usize, square.index());
        let mut attackers = self.of(by, Kind::Pawn) & attacks::PAWN_ORIGINS[side][index]
            | attacks::horse_origins(square, self.of(by, Kind::Horse), occupied);
        if attacks::HALF[side] & bit(square) != 0 {
            attackers |= attacks::elephants_at(square, self.of(by, Kind::Elephant), occupied);
            if attacks::PALACE[side] & bit(square) != 0 {
                attackers |= self.of(by, Kind::General) & attacks::ORTHOGONAL[index]
                    | self.of(by, Kind::Adviser) & attacks::DIAGONAL[index];
            }
        }
        attackers
    }

    fn occupied_after(&self, mv: Move) -> u128 {
        self.all() & !bit(mv.from) | bit(mv.to)
    }

    fn generals_after(&self, mv: Move) -> u128 {
        let generals = self.of(self.side(), Kind::General);
        if generals & bit(mv.from) == 0 { generals } else { generals ^ bit(mv.from) | bit(mv.to) }
    }
}

/// Of `straight` and `cannons` those that capture on `square` along its file or rank: over nothing, and over one piece.
fn on_lines(square: Square, straight: u128, cannons: u128, occupied: u128) -> u128 {
    let mut attackers = 0;
    for slider in SquareSet((straight | cannons) & attacks::CROSS[square.index()]) {
        let screens = attacks::between(square, slider) & occupied;
        let captures = if cannons & bit(slider) == 0 {
            screens == 0
        } else {
            screens != 0 && screens & (screens - 1) == 0
        };
        if captures {
            attackers |= bit(slider);
        }
    }
    attackers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::samples::{any_position, position, square};

    fn set(squares: &[&str]) -> SquareSet {
        squares.iter().map(|text| square(text)).collect()
    }

    /// By hand, from article 3.1 and the moves of article 2.2.
    #[test]
    fn names_the_pieces_that_give_check() {
        for (fen, checkers) in [
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", &[][..]),
            ("4k4/9/9/9/4r4/9/9/9/9/4K4 w", &["e5"]),
            // Only the nearer of two chariots; a cannon over the nearer chariot.
            ("4k4/4r4/9/9/4r4/9/9/9/9/4K4 w", &["e5"]),
            ("4k4/4c4/9/9/4r4/9/9/9/9/4K4 w", &["e5", "e8"]),
            // One screen, two screens.
            ("4k4/4c4/9/9/4P4/9/9/9/9/4K4 w", &["e8"]),
            ("4k4/4c4/9/4p4/4P4/9/9/9/9/4K4 w", &[]),
            // A horse and its leg, which is beside the horse.
            ("3k5/9/9/9/9/9/9/3n5/9/4K4 w", &["d2"]),
            ("3k5/9/9/9/9/9/9/3n5/3P5/4K4 w", &[]),
            ("3k5/9/9/9/9/9/9/3n5/4P4/4K4 w", &["d2"]),
            // Pawns before and beside, not behind.
            ("3k5/9/9/9/9/9/9/4p4/4K4/9 w", &["e2"]),
            ("3k5/9/9/9/9/9/9/9/3pKp3/4p4 w", &["d1", "f1"]),
            // Double check by chariot and horse.
            ("3k5/9/9/9/4r4/9/9/5n3/9/4K4 w", &["f2", "e5"]),
        ] {
            let position = position(fen);
            assert_eq!(position.checkers(Side::Red), set(checkers), "{fen}");
            assert_eq!(position.in_check(Side::Red), !checkers.is_empty(), "{fen}");
        }
    }

    #[test]
    fn sees_generals_face() {
        for (fen, facing) in [
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", true),
            ("3k5/9/9/9/9/9/9/9/9/4K4 w", false),
            ("4k4/9/9/9/4p4/9/9/9/9/4K4 b", false),
            ("9/9/9/9/9/9/9/9/9/4K4 b", false),
            ("5k3/9/9/9/9/9/9/9/9/3K1K3 b", true),
            // Side by side they do not face, wherever a board puts them.
            ("9/9/9/9/9/9/9/9/9/3K1k3 b", false),
        ] {
            assert_eq!(position(fen).generals_facing(), facing, "{fen}");
        }
    }

    /// Report R61 of the references: the move that it took for an engine's fault makes the generals face.
    #[test]
    fn sees_generals_face_after_a_move() {
        let mut position = position("3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b - - 0 1");
        assert!(!position.generals_facing());
        position.play("e4d2".parse().unwrap());
        assert!(!position.generals_facing(), "the adviser stands between");
        position.play("e1d2".parse().unwrap());
        assert!(position.generals_facing());
    }

    /// Along real lines of play: where no general was attacked or faced, little has to be looked at.
    #[test]
    fn what_is_looked_at_is_enough() {
        let (mut safe, mut all, mut checks) = (0, 0, 0);
        for sample in crate::board::samples::samples() {
            let position = sample.position();
            let is_calm =
                |position: &Position, side| !position.in_check(side) && !position.generals_facing();
            let one = |side| position.pieces(side, Kind::General).len() == 1;
            let (us, them) = (position.side(), position.side().other());
            if !one(us) || !one(them) || !is_calm(&position, us) {
                continue;
            }
            for from in position.occupied_by(us) {
                for to in position.reach(from) {
                    let mv = Move { from, to };
                    let mut after = position.clone();
                    after.play(mv);
                    let is_safe = is_calm(&after, us);
                    assert_eq!(position.stays_safe(mv), is_safe, "{mv} on {position:?}");
                    (safe, all) = (safe + u32::from(is_safe), all + 1);
                    if is_safe && is_calm(&position, them) {
                        let checks_them = after.in_check(them);
                        assert_eq!(after.is_checked_by(mv), checks_them, "{mv} on {position:?}");
                        checks += u32::from(checks_them);
                    }
                }
            }
        }
        assert!(all > 10_000 && all - safe > 100 && checks > 100, "{all} {safe} {checks}");
    }

    proptest! {
        /// Two independent tables: from the target back, and from the piece on.
        #[test]
        fn attackers_are_the_pieces_that_reach(position in any_position()) {
            for square in position.occupied() {
                let owner = position.piece_at(square).unwrap().side;
                let by = owner.other();
                let reaching: SquareSet = position
                    .occupied_by(by)
                    .filter(|from| position.reach(*from).contains(square))
                    .collect();
                prop_assert_eq!(position.attackers(square, by), reaching);
            }
        }
    }
}
