//! The one position type: pieces, side to move, counters, key; make and unmake without allocation.

use std::{fmt, sync::LazyLock};

use super::{
    FenError, Kind, Move, Piece, Setup, Side, Square, SquareSet,
    attacks::{self, bit},
    hash,
};

/// The number that stands for a piece in the mailbox: 1..=7 Red, 8..=14 Black, in the order of [`Kind::ALL`].
const fn code(piece: Piece) -> u8 {
    1 + 7 * piece.side as u8 + piece.kind as u8
}

/// The piece of each code; the entries past 14 let the index be masked instead of checked.
static PIECES: [Option<Piece>; 16] = {
    let mut table = [None; 16];
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < 7 {
            let piece = Piece { side: Side::ALL[side], kind: Kind::ALL[kind] };
            table[code(piece) as usize] = Some(piece);
            kind += 1;
        }
        side += 1;
    }
    table
};

/// Pieces on the board, the side to move, and the two counters of a FEN.
///
/// Any arrangement can be held, possible or not: archives have boards without a general and boards with several. A
/// side without a general is never in check; of several generals each counts, so a side is in check as soon as one of
/// them can be captured. Two positions are equal if the counters are equal too; [`Position::key`] leaves them out.
///
/// ```
/// use qijian::board::{Kind, Position, Side};
///
/// let mut position = Position::start();
/// let before = position.clone();
/// let undo = position.play("h2e2".parse()?);
/// assert_eq!(position.side(), Side::Black);
/// assert_eq!(position.pieces(Side::Red, Kind::Cannon).len(), 2);
/// position.undo(undo);
/// assert_eq!(position, before);
/// # Ok::<(), qijian::board::ParseMoveError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    sides: [u128; 2],
    kinds: [u128; 7],
    key: u64,
    plies_since_capture: u32,
    round: u32,
    side: Side,
    codes: [u8; Square::COUNT],
}

/// What [`Position::undo`] needs to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mv: Move,
    moved: u8,
    captured: u8,
    plies_since_capture: u32,
    round: u32,
    key: u64,
}

impl Undo {
    /// The move played.
    pub const fn mv(&self) -> Move {
        self.mv
    }

    /// The piece captured by the move.
    pub fn captured(&self) -> Option<Piece> {
        decode(self.captured)
    }
}

fn decode(code: u8) -> Option<Piece> {
    PIECES[usize::from(code & 15)]
}

impl Position {
    /// The start position (article 1.3, R002), Red to move (article 2.1, R004).
    pub fn start() -> Position {
        static START: LazyLock<Position> =
            LazyLock::new(|| Position::from_setup(&Setup::start(), Side::Red));
        START.clone()
    }

    /// The position of `setup` with `side` to move, whatever side `setup` names.
    ///
    /// Never fails: what is impossible about it is told by [`Setup::faults`]. Missing counters are 0 plies and round 1.
    pub fn from_setup(setup: &Setup, side: Side) -> Position {
        let mut position = Position {
            sides: [0; 2],
            kinds: [0; 7],
            key: if side == Side::Black { hash::BLACK_TO_MOVE } else { 0 },
            plies_since_capture: setup.plies_since_capture.unwrap_or(0),
            round: setup.round.unwrap_or(1),
            side,
            codes: [0; Square::COUNT],
        };
        for square in Square::all() {
            if let Some(piece) = setup.squares[square.index()] {
                position.put(square, code(piece));
            }
        }
        position
    }

    /// Reads a FEN as [`Setup::from_fen`] does; Red is to move where no side is given.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        let setup = Setup::from_fen(text)?;
        Ok(Position::from_setup(&setup, setup.side.unwrap_or(Side::Red)))
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        self.side
    }

    /// What stands on `square`.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        decode(self.codes[square.index()])
    }

    /// The squares of the pieces of one side and kind.
    pub fn pieces(&self, side: Side, kind: Kind) -> SquareSet {
        SquareSet(self.of(side, kind))
    }

    /// The squares of the pieces of one side.
    pub fn occupied_by(&self, side: Side) -> SquareSet {
        SquareSet(self.sides[side as usize])
    }

    /// All occupied squares.
    pub fn occupied(&self) -> SquareSet {
        SquareSet(self.all())
    }

    /// The general (帅/将) of `side`, the one on the lowest square if there are several.
    pub fn general(&self, side: Side) -> Option<Square> {
        self.pieces(side, Kind::General).first()
    }

    /// The 64-bit key of pieces and side to move, without the counters; stable across releases.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Plies since the last capture.
    pub fn plies_since_capture(&self) -> u32 {
        self.plies_since_capture
    }

    /// The round number (回合), one more after each move of Black.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Plays `mv` whether legal or not, and gives the turn to the other side.
    ///
    /// What stands on the target is captured, whosever it is. A move from an empty square, or to where the piece
    /// already stands, changes only turn and counters. The piece moved may be of the side that is not to move.
    #[inline]
    pub fn play(&mut self, mv: Move) -> Undo {
        let moved = if mv.from == mv.to { 0 } else { self.codes[mv.from.index()] };
        let captured = if moved == 0 { 0 } else { self.codes[mv.to.index()] };
        let undo = Undo {
            mv,
            moved,
            captured,
            plies_since_capture: self.plies_since_capture,
            round: self.round,
            key: self.key,
        };
        if captured != 0 {
            self.toggle(mv.to, captured);
        }
        self.shift(mv.from, mv.to, moved);
        self.plies_since_capture =
            if captured == 0 { self.plies_since_capture.saturating_add(1) } else { 0 };
        if self.side == Side::Black {
            self.round = self.round.saturating_add(1);
        }
        self.side = self.side.other();
        self.key ^= hash::BLACK_TO_MOVE;
        undo
    }

    /// Takes back the move that gave `undo`, which must be the last one played.
    pub fn undo(&mut self, undo: Undo) {
        self.shift(undo.mv.to, undo.mv.from, undo.moved);
        if undo.captured != 0 {
            self.put(undo.mv.to, undo.captured);
        }
        self.plies_since_capture = undo.plies_since_capture;
        self.round = undo.round;
        self.side = self.side.other();
        self.key = undo.key;
    }

    /// Squares that the piece on `from` reaches by its shape (legs, eyes, screens and own pieces respected), whether
    /// its general is safe then or not; empty for an empty square. Either side's pieces may be asked.
    pub fn reach(&self, from: Square) -> SquareSet {
        let Some(Piece { side, kind }) = self.piece_at(from) else { return SquareSet::EMPTY };
        let index = from.index();
        let targets = match kind {
            Kind::General => attacks::ORTHOGONAL[index] & attacks::PALACE[side as usize],
            Kind::Adviser => attacks::DIAGONAL[index] & attacks::PALACE[side as usize],
            Kind::Elephant => attacks::elephant(from, side, self.all()),
            Kind::Horse => attacks::horse(from, self.all()),
            Kind::Chariot => attacks::chariot(from, self.all()),
            Kind::Cannon => {
                let (quiet, captures) = attacks::cannon(from, self.all());
                quiet | captures & self.sides[side.other() as usize]
            }
            Kind::Pawn => attacks::PAWN[side as usize][index],
        };
        SquareSet(targets & !self.sides[side as usize])
    }

    /// Whether the side to move has a piece on `mv.from`, and `reach(mv.from).contains(mv.to)`, without the other targets.
    pub(crate) fn reaches(&self, mv: Move) -> bool {
        let Some(Piece { side, kind }) = self.piece_at(mv.from) else { return false };
        let target = self.piece_at(mv.to);
        if side != self.side || target.is_some_and(|piece| piece.side == side) {
            return false;
        }
        let (from, to) = (mv.from.index(), bit(mv.to));
        let is_free = |gate: Option<Square>| gate.is_some_and(|gate| self.codes[gate.index()] == 0);
        let pieces_between = || attacks::between(mv.from, mv.to) & self.all();
        match kind {
            Kind::General => attacks::ORTHOGONAL[from] & attacks::PALACE[side as usize] & to != 0,
            Kind::Adviser => attacks::DIAGONAL[from] & attacks::PALACE[side as usize] & to != 0,
            Kind::Elephant => {
                attacks::HALF[side as usize] & to != 0 && is_free(attacks::eye(mv.from, mv.to))
            }
            Kind::Horse => is_free(attacks::leg(mv.from, mv.to)),
            Kind::Pawn => attacks::PAWN[side as usize][from] & to != 0,
            Kind::Chariot | Kind::Cannon if attacks::CROSS[from] & to == 0 => false,
            Kind::Cannon if target.is_some() => SquareSet(pieces_between()).is_single(),
            Kind::Chariot | Kind::Cannon => pieces_between() == 0,
        }
    }

    pub(super) fn of(&self, side: Side, kind: Kind) -> u128 {
        self.sides[side as usize] & self.kinds[kind as usize]
    }

    pub(super) fn all(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    fn put(&mut self, square: Square, code: u8) {
        self.codes[square.index()] = code;
        self.toggle(square, code);
    }

    /// Moves what has `code`, if anything has, to a square that holds nothing any more.
    fn shift(&mut self, from: Square, to: Square, code: u8) {
        if let Some(piece) = decode(code) {
            self.codes[from.index()] = 0;
            self.codes[to.index()] = code;
            let both = bit(from) | bit(to);
            self.sides[piece.side as usize] ^= both;
            self.kinds[piece.kind as usize] ^= both;
            let keys = &hash::PIECE[usize::from(code & 15)];
            self.key ^= keys[from.index()] ^ keys[to.index()];
        }
    }

    fn toggle(&mut self, square: Square, code: u8) {
        if let Some(piece) = decode(code) {
            self.sides[piece.side as usize] ^= bit(square);
            self.kinds[piece.kind as usize] ^= bit(square);
            self.key ^= hash::PIECE[usize::from(code)][square.index()];
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::samples::{any_move, any_position, mv, position, samples};

    /// Everything about `position` once more, from its squares.
    fn rebuilt(position: &Position) -> Position {
        let setup = Setup {
            squares: std::array::from_fn(|n| {
                Square::from_index(n as u8).and_then(|square| position.piece_at(square))
            }),
            side: None,
            plies_since_capture: Some(position.plies_since_capture()),
            round: Some(position.round()),
        };
        Position::from_setup(&setup, position.side())
    }

    proptest! {
        #[test]
        fn a_move_taken_back_leaves_no_trace(
            start in any_position(),
            moves in prop::collection::vec(any_move(), 0..30),
        ) {
            let mut position = start.clone();
            let mut undos = Vec::new();
            for mv in moves {
                let before = position.clone();
                let undo = position.play(mv);
                prop_assert_eq!(undo.mv(), mv);
                prop_assert_eq!(&position, &rebuilt(&position));
                let mut back = position.clone();
                back.undo(undo);
                prop_assert_eq!(back, before);
                undos.push(undo);
            }
            while let Some(undo) = undos.pop() {
                position.undo(undo);
            }
            prop_assert_eq!(position, start);
        }
    }

    #[test]
    fn keys_tell_positions_apart() {
        let mut keys: Vec<_> = samples().map(|sample| sample.position().key()).collect();
        let mut boards: Vec<_> = samples().map(|sample| sample.fen).collect();
        keys.sort();
        keys.dedup();
        boards.sort();
        boards.dedup();
        assert_eq!(keys.len(), boards.len());
    }

    /// Article 2.3: a capture by either side starts the count anew; article 2.1: one move each is a round.
    #[test]
    fn counts_plies_and_rounds() {
        let mut position = Position::start();
        for (text, plies, round) in
            [("h2e2", 1, 1), ("h9g7", 2, 2), ("e2e6", 0, 2), ("g7e6", 0, 3), ("b0c2", 1, 3)]
        {
            position.play(mv(text));
            assert_eq!((position.plies_since_capture(), position.round()), (plies, round));
        }
    }

    /// As `play` promises: records hold such moves, and the replay goes on.
    #[test]
    fn plays_what_is_not_legal() {
        let mut position = Position::start();
        for text in ["e4e5", "a9a9"] {
            let undo = position.play(mv(text));
            assert_eq!(undo.captured(), None);
        }
        assert_eq!(position.occupied(), Position::start().occupied());
        assert_eq!((position.side(), position.round()), (Side::Red, 2));
        let undo = position.play(mv("a9b9"));
        assert_eq!(undo.captured(), Some(Piece { side: Side::Black, kind: Kind::Horse }));
        assert_eq!(position.side(), Side::Black);
    }

    #[test]
    fn counters_do_not_overflow() {
        let mut position = position("4k4/9/9/9/9/9/9/9/9/3K5 b - - 4294967295 4294967295");
        position.play(mv("e9e8"));
        assert_eq!((position.plies_since_capture(), position.round()), (u32::MAX, u32::MAX));
    }

    /// Searches over readings clone positions by the million: a size that grows should be noticed.
    #[test]
    fn is_small() {
        assert!(size_of::<Position>() <= 256);
        assert!(size_of::<Undo>() <= 24);
    }
}
