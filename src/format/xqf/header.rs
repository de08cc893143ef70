//! The header: version, board, side to move, result.

use std::borrow::Cow;

use crate::{
    board::{Kind, Piece, Setup, Side, Square},
    finding::{Code, Finding, Span, Words},
    record::{Marker, Outcome},
};

use super::{
    bad_field, finding,
    keys::{KEYS, KEYS_LEN, Keys},
};

/// Bytes before the moves.
pub(super) const HEADER_LEN: usize = 1024;

/// The last version whose moves and squares are not masked, 1.0.
pub(super) const LAST_PLAIN: u8 = 0x0A;
/// The first version that rotates the piece table.
const FIRST_ROTATED: u8 = 0x0C;
/// The last version that XQStudio writes, 1.8.
const LAST_KNOWN: u8 = 0x12;

pub(super) const VERSION: usize = 2;
pub(super) const BOARD: usize = 16;
pub(super) const PIECES: usize = 32;
pub(super) const SIDE: usize = 0x32;
pub(super) const RESULT: usize = 0x33;
const KIND: usize = 0x40;

/// The pieces of one side in the order of the table.
pub(in crate::format) const ORDER: [Kind; 16] = [
    Kind::Chariot,
    Kind::Horse,
    Kind::Elephant,
    Kind::Adviser,
    Kind::General,
    Kind::Adviser,
    Kind::Elephant,
    Kind::Horse,
    Kind::Chariot,
    Kind::Cannon,
    Kind::Cannon,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
];

/// The table of the start position (article 1.3), `file * 10 + rank`.
pub(super) const START: [u8; PIECES] = [
    80, 70, 60, 50, 40, 30, 20, 10, 0, 72, 12, 83, 63, 43, 23,
    3, // Red, from Black's left to right
    9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46, 66, 86, // Black
];

/// The header of a file, which may be cut.
pub(super) struct Header<'a> {
    bytes: &'a [u8],
    cut: bool,
}

impl<'a> Header<'a> {
    /// The header of a whole file.
    pub(super) fn new(file: &'a [u8]) -> Header<'a> {
        let bytes = file.get(..HEADER_LEN).unwrap_or(file);
        Header { bytes, cut: bytes.len() < HEADER_LEN }
    }

    /// The byte at `at`; `None` where the file is cut.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The bytes from `at`, at most `len` of them.
    pub(super) fn slice(&self, at: usize, len: usize) -> &'a [u8] {
        let end = (at + len).min(self.bytes.len());
        self.bytes.get(at..end).unwrap_or_default()
    }

    pub(super) fn version(&self) -> u8 {
        self.byte(VERSION).unwrap_or_default()
    }

    pub(super) fn is_masked(&self) -> bool {
        self.version() > LAST_PLAIN
    }

    pub(super) fn board_span(&self) -> Span {
        Span::new(BOARD, BOARD + PIECES)
    }

    /// Where the square of the piece `slot` of the table stands.
    pub(super) fn place_of(&self, slot: usize, keys: &Keys) -> usize {
        let rotation =
            if self.version() >= FIRST_ROTATED { usize::from(keys.board) + 1 } else { 0 };
        BOARD + (slot + PIECES * 9 - rotation) % PIECES
    }

    /// The pieces on the board with their squares and the bytes that say so, in the order of the table.
    fn pieces(&self, keys: &Keys) -> impl Iterator<Item = (usize, Piece, Square)> {
        (0..PIECES).filter_map(move |slot| {
            let at = self.place_of(slot, keys);
            let square = square(self.byte(at)?.wrapping_sub(keys.board))?;
            let side = if slot < ORDER.len() { Side::Red } else { Side::Black };
            Some((at, Piece { side, kind: ORDER[slot % ORDER.len()] }, square))
        })
    }

    /// The board; of two pieces on one square the later in the table.
    pub(super) fn setup(&self, keys: &Keys) -> Setup {
        let mut squares = [None; Square::COUNT];
        for (_, piece, square) in self.pieces(keys) {
            squares[square.index()] = Some(piece);
        }
        let side = (self.byte(SIDE) == Some(1)).then_some(Side::Black);
        Setup { squares, side, plies_since_capture: None, round: None }
    }

    /// The result with the words of the program's menu; `None` where the header is cut before it.
    pub(super) fn result(&self) -> Option<Marker<'static>> {
        let (text, outcome) = match self.byte(RESULT)? {
            1 => ("红胜", Outcome::RedWins),
            2 => ("黑胜", Outcome::BlackWins),
            3 | 4 => ("和棋", Outcome::Draw),
            _ => ("未知", Outcome::Unknown),
        };
        let span = Span::new(RESULT, RESULT + 1);
        Some(Marker { text: Cow::Borrowed(text), outcome, span })
    }

    /// What is wrong with the header, its strings excepted.
    pub(super) fn findings(&self, keys: &Keys) -> Vec<Finding> {
        let checks = [
            self.check_length(),
            self.check_version(),
            self.check_keys(),
            self.check_squares(keys),
            self.check_side(),
            self.check_result(),
            self.check_kind(keys),
        ];
        checks.into_iter().flatten().collect()
    }

    fn check_length(&self) -> Option<Finding> {
        let len = self.bytes.len();
        let words = Words::new(
            format!("文件头应为 {HEADER_LEN} 字节，只有 {len} 字节"),
            format!("the header has {len} of its {HEADER_LEN} bytes"),
        );
        self.cut.then(|| finding(Code::TRUNCATED, len, len, words).help(super::restore()))
    }

    fn check_version(&self) -> Option<Finding> {
        let version = self.version();
        let words = Words::new(
            format!("XQF 版本号 {version} 高于已知的 {LAST_KNOWN}，按 {LAST_KNOWN} 读取"),
            format!("XQF version {version} is above {LAST_KNOWN}, the last known; read as that"),
        );
        (version > LAST_KNOWN)
            .then(|| bad_field(VERSION, VERSION + 1, "version", words).with("value", version))
    }

    /// `KeysSum + KeyXY + KeyXYf + KeyXYt` is 0 in eight bits, else XQStudio refuses the file.
    fn check_keys(&self) -> Option<Finding> {
        let keys = self.slice(KEYS, KEYS_LEN);
        let sum = keys.iter().fold(0u8, |sum, &key| sum.wrapping_add(key));
        let words = Words::new(
            format!("密钥校验和应为 0，实为 {sum}，着法可能读错"),
            format!("the keys add up to {sum}, not to 0; the moves may be misread"),
        );
        (self.is_masked() && sum != 0)
            .then(|| bad_field(KEYS, KEYS + KEYS_LEN, "keys", words).with("value", sum))
    }

    fn check_squares(&self, keys: &Keys) -> Option<Finding> {
        let mut taken = [false; Square::COUNT];
        let mut twice = Vec::new();
        for (at, _, square) in self.pieces(keys) {
            if std::mem::replace(&mut taken[square.index()], true) {
                twice.push((at, square.to_string()));
            }
        }
        let &(first, _) = twice.first()?;
        let squares: Vec<&str> = twice.iter().map(|(_, square)| square.as_str()).collect();
        let list = squares.join(", ");
        let words = Words::new(
            format!("多个棋子在同一点：{list}，保留排在后面的"),
            format!("several pieces on {list}; the later in the table is kept"),
        );
        Some(bad_field(first, first + 1, "squares", words).with("squares", squares))
    }

    fn check_side(&self) -> Option<Finding> {
        let side = self.byte(SIDE)?;
        let words = Words::new(
            format!("先行方的值 {side} 不是 0（红）或 1（黑），由首着决定"),
            format!("side to move is {side}, not 0 (Red) or 1 (Black); the first move decides"),
        );
        (side > 1).then(|| bad_field(SIDE, SIDE + 1, "side", words).with("value", side))
    }

    fn check_result(&self) -> Option<Finding> {
        let result = self.byte(RESULT)?;
        let (zh, en) = if result == 4 { ("和棋", "a draw") } else { ("未知", "unknown") };
        let words = Words::new(
            format!("结果的值 {result} 不在 0 至 3 之内，按{zh}读取"),
            format!("the result is {result}, not 0 to 3; read as {en}"),
        );
        (result > 3).then(|| bad_field(RESULT, RESULT + 1, "result", words).with("value", result))
    }

    /// A whole game or an opening starts from the start position, or from a part of it at odds (R22).
    fn check_kind(&self, keys: &Keys) -> Option<Finding> {
        let kind = self.byte(KIND)?;
        let (zh, en) = match kind {
            0 => ("全局", "a whole game"),
            1 => ("开局", "an opening"),
            _ => return None,
        };
        let start = Header::start();
        let is_part = self.pieces(keys).all(|(_, piece, at)| start[at.index()] == Some(piece));
        let words = Words::new(
            format!("文件标为{zh}，但局面是摆设的；以局面为准"),
            format!("the file is marked as {en}, but its position is set up; the position is used"),
        );
        (!is_part).then(|| bad_field(KIND, KIND + 1, "kind", words).with("value", kind))
    }

    fn start() -> [Option<Piece>; Square::COUNT] {
        let mut bytes = [0; BOARD + PIECES];
        bytes[BOARD..].copy_from_slice(&START);
        Header { bytes: &bytes, cut: true }.setup(&Keys::default()).squares
    }
}

/// The square of a byte `file * 10 + rank`; `None` for one off the board.
pub(super) fn square(byte: u8) -> Option<Square> {
    Square::new(byte / 10, byte % 10)
}
