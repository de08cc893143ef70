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
            } else if self.would_be_in_check(mv) {
                Err(Reason::InCheck)
            } else {
                Ok(())
            }
        }
    }

    /// `legality(mv).is_ok()`, without finding out why.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.piece_at(mv.from).is_some_and(|piece| piece.side == self.side())
            && self.reaches(mv)
            && self.is_safe(mv)
    }

    /// Whether no general of the side to move faces another or stands in check after `mv`, a move of an own piece.
    pub(super) fn is_safe(&self, mv: Move) -> bool {
        !self.would_be_in_check(mv) && !self.would_face(mv)
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
