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

    /// Reads a FEN whose board is understood, whatever stands behind it: the setup without what is not understood, and
    /// the first fault.
    ///
    /// # Errors
    ///
    /// The board is not understood.
    ///
    /// ```
    /// use qijian::board::Setup;
    ///
    /// let text = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - x 3";
    /// let (setup, fault) = Setup::from_fen_board(text)?;
    /// assert_eq!(setup.squares, Setup::start().squares);
    /// assert_eq!(fault.map(|fault| fault.at), text.find('x'));
    /// # Ok::<(), qijian::board::FenError>(())
    /// ```
    pub fn from_fen_board(text: &str) -> Result<(Setup, Option<FenError>), FenError> {
        fen::read_leniently(text)
    }

    /// Everything that is wrong with the setup if `side` is to move; empty for a possible position.
    ///
    /// In this order: generals and surplus pieces of Red, then of Black; misplaced pieces from `a0` to `i9`; the check.
    /// A pawn that has not crossed the river stands on its own file (a, c, e, g, i) and never behind its start.
    pub fn faults(&self, side: Side) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        let position = Position::from_setup(self, side);
        for owner in Side::ALL {
            let count = |kind| position.pieces(owner, kind).len();
            match count(Kind::General) {
                0 => faults.push(SetupFault::NoGeneral(owner)),
                1 => {}
                _ => faults.push(SetupFault::ManyGenerals(owner)),
            }
            let surplus = |kind: &Kind| count(*kind) > if *kind == Kind::Pawn { 5 } else { 2 };
            let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::General).filter(surplus);
            faults.extend(kinds.map(|kind| SetupFault::TooMany(Piece { side: owner, kind })));
        }
        for square in position.occupied() {
            if let Some(piece) = self.squares[square.index()]
                && !may_stand(piece, square)
            {
                faults.push(SetupFault::Misplaced(piece, square));
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::samples::{samples, square};

    fn faults(fen: &str) -> Vec<SetupFault> {
        let setup = Setup::from_fen(fen).unwrap();
        setup.faults(setup.side.unwrap())
    }

    fn piece(letter: char) -> Piece {
        Piece::from_letter(letter).unwrap()
    }

    /// Every position that another program reached or arranged by the rules; it did not look at facing generals.
    #[test]
    fn finds_nothing_wrong_with_possible_positions() {
        assert_eq!(Setup::start().faults(Side::Red), []);
        for sample in samples() {
            let facing = sample.position().generals_facing();
            let expected = facing.then_some(SetupFault::GeneralsFacing);
            assert_eq!(faults(sample.fen), expected.as_slice(), "{}", sample.fen);
        }
    }

    #[test]
    fn start_is_the_start_position() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        assert_eq!(Setup::from_fen(fen), Ok(Setup::start()));
    }

    /// R43 of the references and the compositions of real archives: boards without a general are kept, and told.
    #[test]
    fn names_each_fault() {
        use SetupFault::*;
        let misplaced = |letter, at| Misplaced(piece(letter), square(at));
        for (fen, expected) in [
            ("9/9/9/9/9/9/9/9/9/9 w", vec![NoGeneral(Side::Red), NoGeneral(Side::Black)]),
            ("9/9/9/9/9/9/9/9/9/4K4 w", vec![NoGeneral(Side::Black)]),
            ("3k1k3/9/9/9/9/9/9/9/9/4K4 w", vec![ManyGenerals(Side::Black)]),
            ("3k5/9/9/9/9/RRR6/9/9/9/4K4 w", vec![TooMany(piece('R'))]),
            ("3k5/9/pppppp3/9/9/9/9/9/9/4K4 w", {
                let all = ["a7", "b7", "c7", "d7", "e7", "f7"].map(|at| misplaced('p', at));
                [vec![TooMany(piece('p'))], all.to_vec()].concat()
            }),
            ("3k5/9/9/9/9/1P7/P8/9/9/4K4 w", vec![misplaced('P', "b4")]),
            ("3k5/9/9/9/9/9/P8/1P7/2P6/P3K4 w", {
                ["a0", "c1", "b2"].map(|at| misplaced('P', at)).to_vec()
            }),
            ("3k5/9/9/1p7/p8/1p7/9/9/9/p3K4 w", vec![misplaced('p', "b6")]),
            ("3k5/3a5/9/9/9/9/9/9/4A4/4K4 w", vec![misplaced('a', "d8")]),
            ("3k5/9/9/9/2B6/2b6/9/9/9/4K4 w", { vec![misplaced('b', "c4"), misplaced('B', "c5")] }),
            ("3k5/9/9/9/9/9/9/9/9/1BA1K4 w", vec![misplaced('B', "b0"), misplaced('A', "c0")]),
            ("3k5/9/9/9/9/9/4K4/9/9/9 w", vec![misplaced('K', "e3")]),
            ("3k5/9/9/9/3R5/9/9/9/9/4K4 w", vec![OpponentInCheck(Side::Black)]),
            ("3k5/9/9/9/3R5/9/9/9/9/4K4 b", vec![]),
            ("4k4/9/9/9/9/9/9/9/9/4K4 b", vec![GeneralsFacing]),
        ] {
            assert_eq!(faults(fen), expected, "{fen}");
        }
    }
}
