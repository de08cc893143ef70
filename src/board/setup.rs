//! Any arrangement of pieces, as files have it, before it is judged playable.

use super::{FenError, Kind, Piece, Position, Side, Square, fen};

/// An arrangement of pieces that need not be possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands on each square, by [`Square::index`].
    pub squares: [Option<Piece>; Square::COUNT],
    /// The side to move where the file says so.
    pub side: Option<Side>,
    /// Plies since the last capture, FEN field 5.
    pub plies_since_capture: Option<u32>,
    /// The round number, FEN field 6.
    pub round: Option<u32>,
}

/// Why a setup cannot arise in a game, or cannot be played (R002).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupFault {
    /// A side has no general.
    NoGeneral(Side),
    /// A side has more than one general.
    ManyGenerals(Side),
    /// A side has more pieces of a kind than the start position.
    TooMany(Piece),
    /// A piece stands where it can never stand.
    Misplaced(Piece, Square),
    /// The side that has just moved stands in check: the side to move could capture the general.
    OpponentInCheck(Side),
    /// The generals face each other.
    GeneralsFacing,
}

impl Setup {
    /// The start position (article 1.3), Red to move, nothing played.
    pub fn start() -> Setup {
        const BACK: [Kind; 9] = [
            Kind::Chariot,
            Kind::Horse,
            Kind::Elephant,
            Kind::Adviser,
            Kind::General,
            Kind::Adviser,
            Kind::Elephant,
            Kind::Horse,
            Kind::Chariot,
        ];
        let mut setup = Setup {
            side: Some(Side::Red),
            plies_since_capture: Some(0),
            round: Some(1),
            ..Setup::empty()
        };
        for square in Square::all() {
            let side = if square.rank() < 5 { Side::Red } else { Side::Black };
            let kind = match (home_rank(square, side), square.file()) {
                (0, file) => BACK[usize::from(file)],
                (2, 1 | 7) => Kind::Cannon,
                (3, 0 | 2 | 4 | 6 | 8) => Kind::Pawn,
                _ => continue,
            };
            setup.squares[square.index()] = Some(Piece { side, kind });
        }
        setup
    }

    /// The empty board, nothing known about side and counters.
    pub fn empty() -> Setup {
        Setup { squares: [None; Square::COUNT], side: None, plies_since_capture: None, round: None }
    }

    /// Reads a FEN, the way real files have it.
    ///
    /// Accepted: the letters of [`Piece::from_letter`]; `w` or `r` for Red and `b` for Black in either case, with a
    /// `-` before (`-b`, glued to the board or not) or missing; fields 3 to 6 missing, or the counters alone; runs of
    /// empty squares in several digits; full-width characters; blanks around; `position`, `fen` or both before, and
    /// `startpos` for the board; `moves` and whatever follows it, which is ignored.
    ///
    /// The side is as written. The files that write `-b` write it whoever moves, so a replay has to weigh it.
    ///
    /// # Errors
    ///
    /// Anything else, with the byte where it stands. A board has ten ranks of nine points each.
    ///
    /// ```
    /// use qijian::board::{Setup, Side};
    ///
    /// let setup = Setup::from_fen("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r")?;
    /// assert_eq!(setup.squares, Setup::start().squares);
    /// assert_eq!((setup.side, setup.round), (Some(Side::Red), None));
    /// assert_eq!(Setup::from_fen("4k4/8").unwrap_err().at, 5);
    /// # Ok::<(), qijian::board::FenError>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        fen::read(text)
    }

    /// Everything that is wrong with the setup if `side` is to move; empty for a possible position.
    ///
    /// In this order: generals and surplus pieces of Red, then of Black; misplaced pieces from `a0` to `i9`; the check.
    /// A pawn that has not crossed the river stands on its own file (a, c, e, g, i) and never behind its start.
    pub fn faults(&self, side: Side) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        for owner in Side::ALL {
            let count = |kind| {
                let piece = Some(Piece { side: owner, kind });
                self.squares.iter().filter(|square| **square == piece).count()
            };
            match count(Kind::General) {
                0 => faults.push(SetupFault::NoGeneral(owner)),
                1 => {}
                _ => faults.push(SetupFault::ManyGenerals(owner)),
            }
            let surplus = |kind: &Kind| count(*kind) > if *kind == Kind::Pawn { 5 } else { 2 };
            let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::General).filter(surplus);
            faults.extend(kinds.map(|kind| SetupFault::TooMany(Piece { side: owner, kind })));
        }
        for square in Square::all() {
            if let Some(piece) = self.squares[square.index()]
                && !may_stand(piece, square)
            {
                faults.push(SetupFault::Misplaced(piece, square));
            }
        }
        let position = Position::from_setup(self, side);
        if position.in_check(side.other()) {
            faults.push(SetupFault::OpponentInCheck(side.other()));
        }
        if position.generals_facing() {
            faults.push(SetupFault::GeneralsFacing);
        }
        faults
    }
}

/// The rank of `square` counted from the back rank of `side`.
const fn home_rank(square: Square, side: Side) -> u8 {
    match side {
        Side::Red => square.rank(),
        Side::Black => 9 - square.rank(),
    }
}

/// Whether a piece can ever stand on a square: palace, elephant's points, and a pawn's way (articles 1.3 and 2.2).
fn may_stand(piece: Piece, square: Square) -> bool {
    let (file, rank) = (square.file(), home_rank(square, piece.side));
    match piece.kind {
        Kind::General => (3..=5).contains(&file) && rank <= 2,
        Kind::Adviser => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        Kind::Elephant => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        Kind::Pawn => rank >= 5 || rank >= 3 && file % 2 == 0,
        Kind::Horse | Kind::Chariot | Kind::Cannon => true,
    }
}
