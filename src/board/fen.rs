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
    match read_leniently(text)? {
        (_, Some(fault)) => Err(fault),
        (setup, None) => Ok(setup),
    }
}

/// Reads a FEN whose board is understood, see [`Setup::from_fen_board`].
pub(super) fn read_leniently(text: &str) -> Result<(Setup, Option<FenError>), FenError> {
    let mut words = words(text).peekable();
    for prefix in ["position", "fen"] {
        words.next_if(|(_, word)| word.eq_ignore_ascii_case(prefix));
    }
    let Some((at, word)) = words.next() else { return error(text.len(), "no board") };
    if word.eq_ignore_ascii_case("startpos") {
        return Ok((Setup::start(), None));
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
    let mut fault = None;
    let mut note = |at, what| {
        fault.get_or_insert(FenError { at, what });
    };
    for (at, word) in fields {
        if word.eq_ignore_ascii_case("moves") {
            break;
        }
        if word == "-" {
            continue;
        }
        let digits: String = word.chars().map(half_width).collect();
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            note(at, "neither the side to move nor a counter");
            continue;
        }
        let Ok(number) = digits.parse() else {
            note(at, "counter too large");
            continue;
        };
        if setup.plies_since_capture.is_none() {
            setup.plies_since_capture = Some(number);
        } else if setup.round.is_none() {
            setup.round = Some(number);
        } else {
            note(at, "more than two counters");
        }
    }
    Ok((setup, fault))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{Kind, samples};

    const BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    fn fields(text: &str) -> (Option<Side>, Option<u32>, Option<u32>) {
        let setup = read(text).unwrap();
        assert_eq!(setup.squares, Setup::start().squares, "{text}");
        (setup.side, setup.plies_since_capture, setup.round)
    }

    /// Fields that real files and programs write: formats.md 6.1; R23 and R28 of the references; `-b` in 51 files of
    /// hbsxcjp, `r - - 0 0` in 69, the board alone in 3.
    #[test]
    fn reads_the_fields_of_real_files() {
        let (red, black) = (Some(Side::Red), Some(Side::Black));
        for (rest, expected) in [
            ("", (None, None, None)),
            (" w", (red, None, None)),
            (" W", (red, None, None)),
            (" r", (red, None, None)),
            (" R", (red, None, None)),
            (" b", (black, None, None)),
            (" B - - 0 1", (black, Some(0), Some(1))),
            (" w - - 0 18", (red, Some(0), Some(18))),
            (" r - - 0 0", (red, Some(0), Some(0))),
            (" w 3 18", (red, Some(3), Some(18))),
            (" w - - 7", (red, Some(7), None)),
            (" - - 0 1", (None, Some(0), Some(1))),
            (" -b", (black, None, None)),
            (" -r", (red, None, None)),
            ("-b", (black, None, None)),
            ("-w - - 2 9", (red, Some(2), Some(9))),
            (" b - - 0 1 moves h2e2 h9g7", (black, Some(0), Some(1))),
            (" moves h2e2", (None, None, None)),
            ("\u{3000}ｂ － － ０ １\r\n".replace('－', "-").as_str(), (black, Some(0), Some(1))),
        ] {
            assert_eq!(fields(&[BOARD, rest].concat()), expected, "{rest:?}");
        }
    }

    #[test]
    fn reads_what_stands_around_the_board() {
        for prefix in ["fen ", "FEN ", "position fen ", "  ", "\u{feff}", "\t\n", "position "] {
            assert_eq!(fields(&format!("{prefix}{BOARD} b")).0, Some(Side::Black));
        }
        assert_eq!(read("position startpos moves h2e2"), Ok(Setup::start()));
    }

    /// Letters of R08 and R25 of the references, split digits, full-width slashes.
    #[test]
    fn reads_the_board_as_old_programs_write_it() {
        for board in [
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR",
            "rnmgkgmnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNMGKGMNR",
            "rnbakabnr/54/1c11111c1/p1p1p1p1p/333/111111111/P1P1P1P1P/1C5C1/81/RNBAKABNR",
            "rnbakabnr／９／1c5c1／p1p1p1p1p／9／9／P1P1P1P1P／1C5C1／9／RNBAKABNR",
        ] {
            fields(board);
        }
    }

    #[test]
    fn names_the_byte_of_an_error() {
        for (text, at) in [
            ("", 0),
            ("   ", 3),
            ("fen", 3),
            ("rnbakabn/9", 8),
            ("rnbakabnrr/9", 9),
            ("rnbakabnr/91/9", 11),
            ("rnbakabnr/8/9", 11),
            ("rnbakabnr/0/9", 10),
            ("rnbaxabnr/9", 4),
            ("／9", 0),
            ("fen 9/9/9/9/9/9/9/9/9", 21),
            ("9/9/9/9/9/9/9/9/9/8", 19),
            ("9/9/9/9/9/9/9/9/9/9/9", 19),
            ("9/9/9/9/9/9/9/9/9/9 x", 20),
            ("9/9/9/9/9/9/9/9/9/9 w x", 22),
            ("9/9/9/9/9/9/9/9/9/9 w w", 22),
            ("9/9/9/9/9/9/9/9/9/9 w 1 2 3", 26),
            ("9/9/9/9/9/9/9/9/9/9 w 4294967296", 22),
            ("帅8/9", 0),
        ] {
            assert_eq!(read(text).unwrap_err().at, at, "{text:?}");
        }
    }

    #[test]
    fn files_and_ranks_are_not_mirrored() {
        let position = samples::position("9/9/9/9/9/9/9/9/9/RN7 w");
        assert_eq!(position.piece_at(samples::square("b0")).unwrap().kind, Kind::Horse);
    }

    proptest! {
        #[test]
        fn written_and_read_again_is_the_same(position in samples::any_position()) {
            prop_assert_eq!(Position::from_fen(&position.fen()), Ok(position));
        }

        #[test]
        fn any_text_gives_a_setup_or_a_place_in_it(text in "[\\PC]{0,60}|[rnbakcpRNBAKCP1-9/]{0,99}( [-wb0-9 ]*)?") {
            if let Err(error) = read(&text) {
                prop_assert!(text.is_char_boundary(error.at));
            }
        }
    }
}
