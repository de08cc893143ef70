//! CHE, the format of QQ 象棋: whole numbers in text, one character between them. Syntax: `grammars/che.bnf`.
//!
//! Known from the readers and a writer of other programs; no real file was at hand. The second number says how many
//! moves there are, then each has ten: the piece, 32, the side (1 for Red), rank and file left, rank and file reached,
//! 0, the ply, 0. Ranks count from Red's side. No name, result or start position is known to be stored.
//!
//! Files count from the left in some files and from the right in others. The number of the piece tells: each side numbers
//! its pieces in pairs from the centre, the left one of each pair first, as the player sees it. So the first move of a
//! piece from its own point shows the direction; where none does, files count from the left.

use crate::{
    finding::{Code, Finding, Locate, Span, Words},
    record::Record,
    source::Text,
};

use super::coordinates::{self, Quad};

/// Numbers of a move.
const NUMBERS: usize = 10;
/// Numbers before the first move.
const HEAD: usize = 2;

/// A number with its place.
#[derive(Clone, Copy, Debug)]
struct Number {
    value: u32,
    start: usize,
    end: usize,
}

/// The numbers of `text`.
fn numbers(text: &str) -> Vec<Number> {
    let mut numbers: Vec<Number> = Vec::new();
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
        let digit = u32::from(byte - b'0');
        match numbers.last_mut().filter(|last| last.end == at) {
            Some(last) => {
                last.value = last.value.saturating_mul(10).saturating_add(digit);
                last.end = at + 1;
            }
            None => numbers.push(Number { value: digit, start: at, end: at + 1 }),
        }
    }
    numbers
}

/// The home of a piece by its number: file from Red's left, rank from Red's side.
fn home(piece: u32) -> Option<(u32, u32)> {
    let (own, red) = match piece {
        1..=15 => (piece, false),
        17..=31 => (piece - 16, true),
        _ => return None,
    };
    // Files from the owner's left: pairs from the centre outward, cannons, pawns from left to right.
    let (file, rank) = match own {
        1..=8 if own % 2 == 1 => (4 - own.div_ceil(2), 0),
        1..=8 => (4 + own / 2, 0),
        9 => (1, 2),
        10 => (7, 2),
        _ => (2 * (own - 11), 3),
    };
    Some(if red { (file, rank) } else { (8 - file, 9 - rank) })
}

/// The moves of the numbers behind the head, with files from the left and ranks from the top.
fn quads(numbers: &[Number]) -> Vec<Quad> {
    let moves = || numbers.get(HEAD..).unwrap_or_default().chunks_exact(NUMBERS);
    let direction = moves().find_map(|mv| {
        let (file, rank) = home(mv[0].value)?;
        let (x, y) = (mv[4].value, mv[3].value);
        if y != rank || file == 4 {
            return None;
        }
        // 8 − x without underflow.
        (x == file || x + file == 8).then_some(x != file)
    });
    let reversed = direction.unwrap_or(false);
    let small = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
    let file = |number: &Number| {
        let x = number.value;
        small(if reversed { 8_u32.checked_sub(x).unwrap_or(u32::MAX) } else { x })
    };
    let rank = |number: &Number| small(9_u32.checked_sub(number.value).unwrap_or(u32::MAX));
    moves()
        .map(|mv| Quad {
            from: (file(&mv[4]), rank(&mv[3])),
            to: (file(&mv[6]), rank(&mv[5])),
            span: Span::new(mv[0].start, mv[NUMBERS - 1].end),
        })
        .collect()
}

/// Whether `text` is a CHE file, which has no magic number: nothing but numbers, as many as it says, every square on
/// the board, the first moves legal.
///
/// ```
/// assert!(qijian::format::che::is_che("1 1 26 32 1 2 1 2 4 0 1 0 "));
/// ```
pub fn is_che(text: &str) -> bool {
    let text = text.trim();
    let mut between = 0;
    let plain = text.bytes().all(|byte| {
        between = if byte.is_ascii_digit() { 0 } else { between + 1 };
        between <= 2 && !byte.is_ascii_alphabetic() && byte.is_ascii()
    });
    if !plain {
        return false;
    }
    let numbers = numbers(text);
    let count = numbers.get(1).map(|count| count.value as usize);
    let quads = quads(&numbers);
    count.is_some_and(|count| count > 0 && numbers.len() == HEAD + NUMBERS * count)
        && coordinates::is_game(&quads, false)
}

/// Reads the game of a CHE file. Total: any text gives a record with findings.
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    sink(read_str(text.as_str(), text));
}

/// Reads the game of the text of a CHE file; `locate` gives findings their place.
pub fn read_str(text: &str, locate: &dyn Locate) -> Record<'static> {
    let numbers = numbers(text);
    let mut record = Record::new(1);
    record.span = Span::new(0, text.len());
    let quads = quads(&numbers);
    coordinates::add(&mut record, &quads, false);
    let stated = numbers.get(1).map_or(0, |number| number.value as usize);
    let expected = HEAD.saturating_add(stated.saturating_mul(NUMBERS));
    let (code, zh, en) = if numbers.len() < expected.max(HEAD) {
        (Code::TRUNCATED, "少于", "fewer")
    } else if numbers.len() > expected {
        (Code::TRAILING_DATA, "多于", "more")
    } else {
        return record;
    };
    let found = numbers.len().saturating_sub(HEAD) / NUMBERS;
    let at = numbers.get(expected).map_or(text.len(), |number| number.start);
    let words = Words::new(
        format!("数字{zh}所记着数：记 {stated} 着，可读 {found} 着"),
        format!("{en} numbers than the count of moves says: {stated} stated, {found} read"),
    );
    let place = locate.place(Span::new(at, text.len()));
    record.findings.push(Finding::new(code, words).at(place));
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{finding::Binary, replay};

    fn moves(text: &str) -> String {
        let record = read_str(text, &Binary);
        let game = replay::replay(&record, &Binary, &replay::Options::default());
        game.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// formats.md 11.3; the numbers of the pieces are those of a program that writes such text for QQ: 26 is the cannon on
    /// h2, 5 the horse on h9.
    #[test]
    fn both_directions() {
        let from_the_right = "1 2 26 32 1 2 1 2 4 0 1 0 5 32 0 9 1 7 2 0 2 0 ";
        let from_the_left = "1 2 26 32 1 2 7 2 4 0 1 0 5 32 0 9 7 7 6 0 2 0 ";
        let without_pieces = "1,2,0,32,1,2,7,2,4,0,1,0,0,32,0,9,7,7,6,0,2,0";
        for text in [from_the_right, from_the_left, without_pieces] {
            assert!(is_che(text), "{text}");
            assert_eq!(moves(text), "h2e2 h9g7", "{text}");
        }
    }

    /// The board of that program, row by row from the top, 0 for an empty point; 16 and 0 are the generals.
    #[test]
    fn homes_of_the_pieces() {
        let board = [
            [8, 6, 4, 2, 0, 1, 3, 5, 7],
            [0; 9],
            [0, 10, 0, 0, 0, 0, 0, 9, 0],
            [15, 0, 14, 0, 13, 0, 12, 0, 11],
            [0; 9],
            [0; 9],
            [27, 0, 28, 0, 29, 0, 30, 0, 31],
            [0, 25, 0, 0, 0, 0, 0, 26, 0],
            [0; 9],
            [23, 21, 19, 17, 16, 18, 20, 22, 24],
        ];
        let mut found = 0;
        for (row, pieces) in (0..).zip(board) {
            for (file, piece) in (0..).zip(pieces) {
                if piece != 0 && piece != 16 {
                    assert_eq!(home(piece), Some((file, 9 - row)), "{piece}");
                    found += 1;
                }
            }
        }
        assert_eq!((found, home(0), home(16), home(32)), (30, None, None, None));
    }

    #[test]
    fn counts_that_do_not_fit() {
        let code =
            |text: &str| read_str(text, &Binary).findings.first().map(|finding| finding.code);
        assert_eq!(code("1 1 26 32 1 2 1 2 4 0 1 0"), None);
        assert_eq!(code("1 2 26 32 1 2 1 2 4 0 1 0"), Some(Code::TRUNCATED));
        assert_eq!(code("1 1 26 32 1 2 1 2 4 0 1 0 7"), Some(Code::TRAILING_DATA));
        assert_eq!(code(""), Some(Code::TRUNCATED));
        assert_eq!(code("1 4294967296"), Some(Code::TRUNCATED));
        for text in [
            "",
            "1 0",
            "1 1 26 32 1 2 1 2 4 0 1",
            "1 1 26 32 1 2 9 2 4 0 1 0",
            "a 1 26 32 1 2 1 2 4 0 1 0",
        ] {
            assert!(!is_che(text), "{text}");
        }
    }
}
