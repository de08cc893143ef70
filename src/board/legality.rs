//! Why a move is illegal.

use super::{Kind, Move, Piece, Position, SquareSet, attacks};

/// Why a move is not legal, in the order in which [`Position::legality`] tests (`QJ301`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The text names a piece that is not there; only notations that name pieces give it.
    NoSuchPiece,
    /// Nothing stands on the square left.
    EmptySquare,
    /// The piece on the square left is the opponent's.
    WrongSide,
    /// The target is off the board; only notations give it, a [`Square`](super::Square) never is.
    OffBoard,
    /// An own piece stands on the target.
    OwnPiece,
    /// The piece never moves by such a vector. A general's capture of the other along the file is none of its moves.
    Shape,
    /// General or adviser would leave the palace (九宫).
    Palace,
    /// An elephant would cross the river, or a pawn moves sideways before it (河界).
    River,
    /// The horse is hobbled (蹩马腿).
    HorseLeg,
    /// The elephant's eye is blocked (塞象眼).
    ElephantEye,
    /// A piece stands between: on a chariot's way, or on a cannon's way to an empty square.
    Blocked,
    /// The cannon captures over other than one screen (炮打隔子).
    CannonScreen,
    /// The generals would face each other (将帅照面, articles 2.2 and 4.1.2).
    GeneralsFacing,
    /// The own general would be left in check (article 3.1).
    InCheck,
}

impl Reason {
    /// All reasons, in order.
    pub const ALL: [Reason; 14] = [
        Reason::NoSuchPiece,
        Reason::EmptySquare,
        Reason::WrongSide,
        Reason::OffBoard,
        Reason::OwnPiece,
        Reason::Shape,
        Reason::Palace,
        Reason::River,
        Reason::HorseLeg,
        Reason::ElephantEye,
        Reason::Blocked,
        Reason::CannonScreen,
        Reason::GeneralsFacing,
        Reason::InCheck,
    ];

    /// The word used in JSON, such as `horse_leg`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::NoSuchPiece => "no_such_piece",
            Reason::EmptySquare => "empty_square",
            Reason::WrongSide => "wrong_side",
            Reason::OffBoard => "off_board",
            Reason::OwnPiece => "own_piece",
            Reason::Shape => "shape",
            Reason::Palace => "palace",
            Reason::River => "river",
            Reason::HorseLeg => "horse_leg",
            Reason::ElephantEye => "elephant_eye",
            Reason::Blocked => "blocked",
            Reason::CannonScreen => "cannon_screen",
            Reason::GeneralsFacing => "generals_facing",
            Reason::InCheck => "in_check",
        }
    }
}

impl Position {
    /// Whether the side to move may play `mv`, and if not, the first reason that holds (articles 2.2, 2.3, 3.1; R005
    /// to R007, R010).
    ///
    /// Capturing a general that was left in check is a legal move. A move to the square left is no shape of any piece.
    ///
    /// ```
    /// use qijian::board::{Position, Reason};
    ///
    /// let start = Position::start();
    /// assert_eq!(start.legality("b0d1".parse()?), Err(Reason::HorseLeg));
    /// assert_eq!(start.legality("h2h8".parse()?), Err(Reason::Blocked));
    /// assert_eq!(start.legality("h2h9".parse()?), Ok(()));
    /// # Ok::<(), qijian::board::ParseMoveError>(())
    /// ```
    pub fn legality(&self, mv: Move) -> Result<(), Reason> {
        let piece = self.piece_at(mv.from).ok_or(Reason::EmptySquare)?;
        let target = self.piece_at(mv.to);
        if piece.side != self.side() {
            Err(Reason::WrongSide)
        } else if mv.from == mv.to {
            Err(Reason::Shape)
        } else if target.is_some_and(|target| target.side == piece.side) {
            Err(Reason::OwnPiece)
        } else {
            self.obstacle(piece, mv, target.is_some())?;
            if self.would_face(mv) {
                Err(Reason::GeneralsFacing)
            } else if !self.is_safe(mv) {
                Err(Reason::InCheck)
            } else {
                Ok(())
            }
        }
    }

    /// `legality(mv).is_ok()`, without finding out why.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.reaches(mv) && self.is_safe(mv)
    }

    /// [`Position::is_legal`] where it is known whether a general of the side to move is attacked or faced: if none is, little
    /// has to be looked at.
    pub(crate) fn is_legal_if(&self, is_calm: bool, mv: Move) -> bool {
        self.reaches(mv) && if is_calm { self.stays_safe(mv) } else { self.is_safe(mv) }
    }

    /// Why a piece does not get from one square to another, whether its general is safe then or not.
    fn obstacle(&self, piece: Piece, mv: Move, captures: bool) -> Result<(), Reason> {
        let Piece { side, kind } = piece;
        let (from, to) = (mv.from, mv.to);
        let files = from.file().abs_diff(to.file());
        let ranks = from.rank().abs_diff(to.rank());
        let require = |holds: bool, reason: Reason| if holds { Ok(()) } else { Err(reason) };
        let inside = |set: u128| SquareSet(set).contains(to);
        let pieces_between = || SquareSet(attacks::between(from, to)) & self.occupied();
        match kind {
            Kind::General => {
                require(files + ranks == 1, Reason::Shape)?;
                require(inside(attacks::PALACE[side as usize]), Reason::Palace)
            }
            Kind::Adviser => {
                require((files, ranks) == (1, 1), Reason::Shape)?;
                require(inside(attacks::PALACE[side as usize]), Reason::Palace)
            }
            Kind::Elephant => {
                require((files, ranks) == (2, 2), Reason::Shape)?;
                require(inside(attacks::HALF[side as usize]), Reason::River)?;
                require(self.reach(from).contains(to), Reason::ElephantEye)
            }
            Kind::Horse => {
                require(matches!((files, ranks), (1, 2) | (2, 1)), Reason::Shape)?;
                require(self.reach(from).contains(to), Reason::HorseLeg)
            }
            Kind::Chariot => {
                require(files == 0 || ranks == 0, Reason::Shape)?;
                require(pieces_between().is_empty(), Reason::Blocked)
            }
            Kind::Cannon => {
                require(files == 0 || ranks == 0, Reason::Shape)?;
                if captures {
                    require(pieces_between().len() == 1, Reason::CannonScreen)
                } else {
                    require(pieces_between().is_empty(), Reason::Blocked)
                }
            }
            Kind::Pawn => {
                let sideways = (files, ranks) == (1, 0);
                let forward = attacks::PAWN[side as usize][from.index()];
                require(sideways || inside(forward), Reason::Shape)?;
                require(inside(forward), Reason::River)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::samples::{all_moves, any_move, any_position, mv, position, samples};

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

    /// Each made by hand from articles 2.2, 2.3 and 3.1.
    #[test]
    fn names_the_first_reason() {
        for (fen, text, reason) in [
            (START, "e4e5", Reason::EmptySquare),
            (START, "e4e4", Reason::EmptySquare),
            (START, "h9g7", Reason::WrongSide),
            (START, "h9h9", Reason::WrongSide),
            (START, "a0b0", Reason::OwnPiece),
            // The piece on the target comes before the impossible vector.
            (START, "a0e0", Reason::OwnPiece),
            (START, "a0a0", Reason::Shape),
            (START, "a0b3", Reason::Shape),
            (START, "h2g4", Reason::Shape),
            (START, "b0b1", Reason::Shape),
            (START, "c0c1", Reason::Shape),
            (START, "d0d1", Reason::Shape),
            (START, "e0e2", Reason::Shape),
            (START, "e3e5", Reason::Shape),
            (START, "e3e2", Reason::Shape),
            (START, "e3f4", Reason::Shape),
            ("4k4/9/9/9/4P4/9/9/9/9/3K5 w", "e5e4", Reason::Shape),
            ("4k4/9/9/9/9/9/9/4p4/9/3K5 b", "e2e3", Reason::Shape),
            // Capturing the general along the file (飞将) is no move, whatever stands between.
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", "e0e9", Reason::Shape),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w", "d0c0", Reason::Palace),
            ("4k4/9/9/9/9/9/9/3K5/9/9 w", "d2d3", Reason::Palace),
            ("3k5/9/9/9/9/9/9/9/9/4K4 b", "d9c9", Reason::Palace),
            (START, "d0c1", Reason::Palace),
            ("4k4/9/9/9/9/2B6/9/9/9/3K5 w", "c4e6", Reason::River),
            // River before eye.
            ("4k4/9/9/9/3p5/2B6/9/9/9/3K5 w", "c4e6", Reason::River),
            (START, "e3d3", Reason::River),
            ("4k4/9/9/4p4/9/9/9/9/9/3K5 b", "e6f6", Reason::River),
            (START, "b0d1", Reason::HorseLeg),
            ("4k4/9/9/9/9/9/9/9/1Np6/3K5 w", "b1d2", Reason::HorseLeg),
            ("4k4/9/9/9/9/9/9/9/1p7/B2K5 w", "a0c2", Reason::ElephantEye),
            ("4k4/9/9/9/9/9/p8/p8/9/R2K5 w", "a0a3", Reason::Blocked),
            ("4k4/9/9/9/9/9/9/9/9/R1p2K3 w", "a0e0", Reason::Blocked),
            // A cannon jumps only to capture.
            (START, "h2h8", Reason::Blocked),
            ("4k4/9/9/9/9/9/p8/9/9/C2K5 w", "a0a3", Reason::CannonScreen),
            ("4k4/9/9/p8/p8/p8/9/9/9/C2K5 w", "a0a6", Reason::CannonScreen),
            ("4k4/9/9/9/4R4/9/9/9/9/4K4 w", "e5d5", Reason::GeneralsFacing),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w", "d0e0", Reason::GeneralsFacing),
            // They face already, and the move changes nothing about it.
            ("4k4/9/9/9/9/9/9/9/9/R3K4 w", "a0a1", Reason::GeneralsFacing),
            // Facing before check where both hold.
            ("4k4/9/9/9/9/9/9/9/9/3K4r w", "d0e0", Reason::GeneralsFacing),
            // A check not answered; a pinned horse (R13 of the references).
            ("4k4/9/9/9/9/9/9/9/9/r2K1N3 w", "f0e2", Reason::InCheck),
            ("3k5/9/9/9/9/9/5N3/9/4KN2r/9 w", "f1h2", Reason::InCheck),
            // Fleeing along the line of the check.
            ("3k5/9/9/9/4r4/9/9/9/9/4K4 w", "e0e1", Reason::InCheck),
            // The chariot frees the leg of a horse; the chariot becomes the screen of a cannon.
            ("3k5/9/9/9/9/9/9/5n3/5R3/4K4 w", "f1i1", Reason::InCheck),
            ("3k5/9/9/9/4c4/9/R8/9/9/4K4 w", "a3e3", Reason::InCheck),
            // Before a pawn and beside it.
            ("3k5/9/9/9/9/9/9/9/3p5/4K4 w", "e0d0", Reason::InCheck),
            ("3k5/9/9/9/9/9/9/9/3p5/4K4 w", "e0e1", Reason::InCheck),
            // Every general counts.
            ("4k4/9/9/9/9/9/9/9/9/R2K1K2r w", "a0a1", Reason::InCheck),
        ] {
            assert_eq!(position(fen).legality(mv(text)), Err(reason), "{fen} {text}");
        }
    }

    #[test]
    fn finds_nothing_against_legal_moves() {
        for (fen, text) in [
            (START, "h2e2"),
            (START, "h2h9"),
            (START, "b0c2"),
            (START, "e3e4"),
            (START, "a0a2"),
            (START, "e0e1"),
            (START, "d0e1"),
            (START, "c0a2"),
            // Only the point beside the horse is its leg.
            ("4k4/9/9/9/9/9/9/2p6/1N7/3K5 w", "b1d2"),
            ("4k4/9/9/9/9/9/9/9/9/R3K4 w", "e0d0"),
            ("3k5/9/9/9/9/9/9/5n3/5R3/4K4 w", "f1f2"),
            ("4k4/9/9/9/4P4/9/9/9/9/3K5 w", "e5d5"),
            // A general left in check is captured; a side without a general is never in check.
            ("4k4/9/9/9/9/9/9/9/9/3KR4 w", "e0e9"),
            ("9/9/9/9/9/9/9/9/9/r3R4 w", "e0e9"),
        ] {
            assert_eq!(position(fen).legality(mv(text)), Ok(()), "{fen} {text}");
        }
    }

    #[test]
    fn reasons_are_in_the_order_of_the_contract() {
        assert!(Reason::ALL.is_sorted());
        let words = Reason::ALL.map(Reason::as_str).join(" ");
        assert_eq!(
            words,
            "no_such_piece empty_square wrong_side off_board own_piece shape palace river \
             horse_leg elephant_eye blocked cannon_screen generals_facing in_check"
        );
    }

    /// All 8100 pairs of squares against the lists of another program.
    #[test]
    fn agrees_with_the_lists_of_another_program() {
        for sample in samples().step_by(4) {
            let position = sample.position();
            for mv in all_moves() {
                let legal = sample.moves.contains(&mv);
                assert_eq!(position.is_legal(mv), legal, "{} {mv}", sample.fen);
                assert_eq!(position.legality(mv).is_ok(), legal, "{} {mv}", sample.fen);
            }
        }
    }

    proptest! {
        #[test]
        fn all_tests_of_a_move_agree(position in any_position(), mv in any_move()) {
            let legal = position.is_legal(mv);
            prop_assert_eq!(position.legality(mv).is_ok(), legal);
            prop_assert_eq!(position.legal_moves().contains(&mv), legal);
        }
    }
}
