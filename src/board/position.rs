//! The one position type: pieces, side to move, counters, key; make and unmake without allocation.

use std::fmt;

use super::{FenError, Kind, Move, Piece, Setup, Side, Square, SquareSet, attacks, hash};

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
        Position::from_setup(&Setup::start(), Side::Red)
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
        if moved != 0 {
            self.lift(mv.from, moved);
            if captured != 0 {
                self.lift(mv.to, captured);
            }
            self.put(mv.to, moved);
        }
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
        if undo.moved != 0 {
            self.lift(undo.mv.to, undo.moved);
            self.put(undo.mv.from, undo.moved);
            if undo.captured != 0 {
                self.put(undo.mv.to, undo.captured);
            }
        }
        self.plies_since_capture = undo.plies_since_capture;
        self.round = undo.round;
        self.side = self.side.other();
        self.key = undo.key;
    }

    /// Whether a general of `side` stands in check (照将, article 3.1, R007), facing generals not counted.
    pub fn in_check(&self, side: Side) -> bool {
        !self.checkers(side).is_empty()
    }

    /// The pieces of the other side that give check to a general of `side`, facing generals not counted.
    pub fn checkers(&self, side: Side) -> SquareSet {
        self.pieces(side, Kind::General)
            .fold(SquareSet::EMPTY, |set, general| set | self.attackers(general, side.other()))
    }

    /// Whether two generals stand on one file with nothing between (将帅照面, article 2.2, R005).
    pub fn generals_facing(&self) -> bool {
        let [red, black] = Side::ALL.map(|side| self.of(side, Kind::General));
        Position::facing(red, black, self.all())
    }

    /// The pieces of `by` that could capture on `square` by their shape, as if a piece of the other side stood there,
    /// whether their general is safe then or not. On an own piece of `by`: its protectors.
    ///
    /// Legs, eyes and screens are respected; a general never attacks along the file.
    pub fn attackers(&self, square: Square, by: Side) -> SquareSet {
        SquareSet(self.attackers_with(square, by, self.all(), !0))
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

    /// `reach(mv.from).contains(mv.to)` without the other targets.
    pub(super) fn reaches(&self, mv: Move) -> bool {
        let (from, to) = (mv.from.index(), bit(mv.to));
        let kind = self.piece_at(mv.from).map(|piece| piece.kind);
        let pieces_between = || (attacks::between(mv.from, mv.to) & self.all()).count_ones();
        match kind {
            Some(Kind::Chariot | Kind::Cannon) if attacks::CROSS[from] & to == 0 => false,
            Some(Kind::Chariot) => {
                pieces_between() == 0 && self.sides[self.side as usize] & to == 0
            }
            Some(Kind::Cannon) if self.all() & to == 0 => pieces_between() == 0,
            Some(Kind::Cannon) => pieces_between() == 1 && self.sides[self.side as usize] & to == 0,
            _ => self.reach(mv.from).contains(mv.to),
        }
    }

    /// [`Position::attackers`] on a board occupied as told, of which only the pieces in `alive` still stand.
    fn attackers_with(&self, square: Square, by: Side, occupied: u128, alive: u128) -> u128 {
        let of = |kind: Kind| self.of(by, kind) & alive;
        let index = square.index();
        let mut attackers = of(Kind::Pawn) & attacks::PAWN_ORIGINS[by as usize][index]
            | of(Kind::Horse) & attacks::horse_origins(square, occupied);
        let (chariots, cannons) = (of(Kind::Chariot), of(Kind::Cannon));
        for slider in SquareSet((chariots | cannons) & attacks::CROSS[index]) {
            let screens = (attacks::between(square, slider) & occupied).count_ones();
            let wanted = u32::from(cannons >> slider.index() & 1 == 1);
            if screens == wanted {
                attackers |= 1 << slider.index();
            }
        }
        if attacks::HALF[by as usize] >> index & 1 == 1 {
            attackers |= of(Kind::Elephant) & attacks::elephant_origins(square, occupied);
            if attacks::PALACE[by as usize] >> index & 1 == 1 {
                attackers |= of(Kind::General) & attacks::ORTHOGONAL[index]
                    | of(Kind::Adviser) & attacks::DIAGONAL[index];
            }
        }
        attackers
    }

    /// Whether one of `generals` faces one of `others` on a board occupied as told.
    fn facing(generals: u128, others: u128, occupied: u128) -> bool {
        SquareSet(generals).any(|general| {
            SquareSet(others & attacks::CROSS[general.index()]).any(|other| {
                other.file() == general.file() && attacks::between(general, other) & occupied == 0
            })
        })
    }

    /// Whether a general of the side to move would face another after `mv`, a move of an own piece.
    pub(super) fn would_face(&self, mv: Move) -> bool {
        let others = self.of(self.side.other(), Kind::General) & !bit(mv.to);
        Position::facing(self.generals_after(mv), others, self.occupied_after(mv))
    }

    /// Whether a general of the side to move could be captured after `mv`, a move of an own piece.
    pub(super) fn would_be_in_check(&self, mv: Move) -> bool {
        let (enemy, occupied) = (self.side.other(), self.occupied_after(mv));
        SquareSet(self.generals_after(mv))
            .any(|general| self.attackers_with(general, enemy, occupied, !bit(mv.to)) != 0)
    }

    fn occupied_after(&self, mv: Move) -> u128 {
        self.all() & !bit(mv.from) | bit(mv.to)
    }

    fn generals_after(&self, mv: Move) -> u128 {
        let generals = self.of(self.side, Kind::General);
        if generals & bit(mv.from) == 0 { generals } else { generals ^ bit(mv.from) | bit(mv.to) }
    }

    fn of(&self, side: Side, kind: Kind) -> u128 {
        self.sides[side as usize] & self.kinds[kind as usize]
    }

    fn all(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    fn put(&mut self, square: Square, code: u8) {
        self.codes[square.index()] = code;
        self.toggle(square, code);
    }

    fn lift(&mut self, square: Square, code: u8) {
        self.codes[square.index()] = 0;
        self.toggle(square, code);
    }

    fn toggle(&mut self, square: Square, code: u8) {
        if let Some(piece) = decode(code) {
            self.sides[piece.side as usize] ^= bit(square);
            self.kinds[piece.kind as usize] ^= bit(square);
            self.key ^= hash::PIECE[usize::from(code)][square.index()];
        }
    }
}

const fn bit(square: Square) -> u128 {
    1 << square.index()
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}
