//! FEN: one position as one line of text.
//!
//! Written as `board w - - plies round`; read as leniently as real files demand, but never by guessing a square: a
//! rank that does not add up to nine points is an error with its place.

use std::fmt::Write;

use super::{Piece, Position, Setup, Side, Square};

/// The text is not a FEN; `at` is the byte offset in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a FEN: {what} at byte {at}")]
pub struct FenError {
    /// Byte offset in the text.
    pub at: usize,
    /// What was found and expected.
    pub what: &'static str,
}

fn error<T>(at: usize, what: &'static str) -> Result<T, FenError> {
    Err(FenError { at, what })
}

/// Reads a FEN into a setup, see [`Setup::from_fen`].
pub(super) fn read(text: &str) -> Result<Setup, FenError> {
    let mut words = words(text).peekable();
    for prefix in ["position", "fen"] {
        words.next_if(|(_, word)| word.eq_ignore_ascii_case(prefix));
    }
    let Some((at, word)) = words.next() else { return error(text.len(), "no board") };
    if word.eq_ignore_ascii_case("startpos") {
        return Ok(Setup::start());
    }
    // Some programs write `-b` for the side, even without a blank before it.
    let (board, glued) = word.split_at(word.find('-').unwrap_or(word.len()));
    let mut setup = read_board(at, board)?;
    let glued = (!glued.is_empty()).then_some((at + board.len(), glued));
    let mut fields = glued.into_iter().chain(words).peekable();
    setup.side = fields.peek().and_then(|(_, word)| side(word));
    if setup.side.is_some() {
        fields.next();
    }
    for (at, word) in fields {
        if word.eq_ignore_ascii_case("moves") {
            break;
        }
        if word == "-" {
            continue;
        }
        let digits: String = word.chars().map(half_width).collect();
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return error(at, "neither the side to move nor a counter");
        }
        let Ok(number) = digits.parse() else { return error(at, "counter too large") };
        if setup.plies_since_capture.is_none() {
            setup.plies_since_capture = Some(number);
        } else if setup.round.is_none() {
            setup.round = Some(number);
        } else {
            return error(at, "more than two counters");
        }
    }
    Ok(setup)
}

/// The words of a text with their byte offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let mut end = 0;
    text.split_inclusive(is_blank)
        .map(move |piece| {
            let start = end;
            end += piece.len();
            (start, piece.trim_end_matches(is_blank))
        })
        .filter(|(_, word)| !word.is_empty())
}

/// The ASCII character that a full-width form stands for.
fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

fn side(word: &str) -> Option<Side> {
    let mut letters = word.trim_start_matches('-').chars().map(half_width);
    let side = match letters.next()?.to_ascii_lowercase() {
        'w' | 'r' => Side::Red,
        'b' => Side::Black,
        _ => return None,
    };
    letters.next().is_none().then_some(side)
}

/// Reads the board, whose text starts at byte `start`, from Black's back rank down.
fn read_board(start: usize, board: &str) -> Result<Setup, FenError> {
    const SHORT: &str = "the rank has fewer than nine points";
    const LONG: &str = "the rank has more than nine points";
    let mut setup = Setup::empty();
    let (mut file, mut rank) = (0, 9);
    for (at, c) in board.char_indices().map(|(at, c)| (start + at, half_width(c))) {
        match c {
            '/' if file < 9 => return error(at, SHORT),
            '/' if rank == 0 => return error(at, "more than ten ranks"),
            '/' => (file, rank) = (0, rank - 1),
            '1'..='9' => {
                file += c as u8 - b'0';
                if file > 9 {
                    return error(at, LONG);
                }
            }
            _ => {
                let Some(piece) = Piece::from_letter(c) else {
                    return error(at, "neither a piece letter, a digit from 1 to 9, nor /");
                };
                let Some(square) = Square::new(file, rank) else { return error(at, LONG) };
                setup.squares[square.index()] = Some(piece);
                file += 1;
            }
        }
    }
    let end = start + board.len();
    if file < 9 {
        return error(end, SHORT);
    }
    if rank > 0 {
        return error(end, "fewer than ten ranks");
    }
    Ok(setup)
}

impl Position {
    /// The position as FEN, `board w - - plies round`, with `w` for Red.
    ///
    /// ```
    /// # use qijian::board::Position;
    /// assert_eq!(
    ///     Position::start().fen(),
    ///     "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    /// );
    /// ```
    pub fn fen(&self) -> String {
        let mut fen = String::with_capacity(80);
        for rank in (0..10).rev() {
            let mut empty = 0;
            for file in 0..9 {
                match Square::new(file, rank).and_then(|square| self.piece_at(square)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_digit(&mut fen, &mut empty);
                        fen.push(piece.letter());
                    }
                }
            }
            push_digit(&mut fen, &mut empty);
            fen.push(if rank > 0 { '/' } else { ' ' });
        }
        let side = if self.side() == Side::Red { 'w' } else { 'b' };
        // Writing to a String cannot fail.
        let _ = write!(fen, "{side} - - {} {}", self.plies_since_capture(), self.round());
        fen
    }
}

fn push_digit(fen: &mut String, empty: &mut u8) {
    if *empty > 0 {
        fen.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}
