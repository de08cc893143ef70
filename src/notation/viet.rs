//! Vietnamese notation: `P2-5`, `M8.7`, `X9/1`, `Tg5.1`, `Xt-5`.
//!
//! The syntax is `grammars/viet.bnf`. `.` is tấn (进), `-` bình (平), `/` thoái (退); `t`, `g`, `s` are the front, middle and
//! rear piece of a file. Where two files hold doubled pawns the file follows the mark (`Bt4-5`); of four or more pawns on
//! a file the letters `a` to `e` tell which (`Bb.1`), counted as in WXF: the Vietnamese pages seen name neither case.

use nom::{
    Parser,
    branch::alt,
    combinator::{map, opt},
};

use super::{
    Reading,
    form::{Form, Which, number, rank, stroke},
    glyph::{Alphabet, Mark, Verb, letter_kind},
    scan::{Step, digit, latin, whole},
    wxf::pawn_letter,
};
use crate::board::{Kind, Move, Piece, Position};

/// Understands a move text without a board.
///
/// # Errors
///
/// The byte of the first character that no move has there.
pub fn parse(text: &str) -> Result<Form, usize> {
    whole(text, form)
}

/// Reads `text` as a move of the side to move.
pub fn read(text: &str, position: &Position) -> Reading {
    match parse(text) {
        Ok(form) => form.resolve(position),
        Err(at) => Reading::Unknown { at },
    }
}

/// Writes a legal move of the side to move.
pub fn write(mv: Move, position: &Position) -> String {
    let side = position.side();
    let kind = position.piece_at(mv.from).unwrap_or(Piece { side, kind: Kind::Pawn }).kind;
    let place = rank(position.pieces(side, kind), mv.from, side);
    let (verb, last) = stroke(kind, side, mv);
    let file = number(mv.from, side);
    let letter = match kind {
        Kind::General => "Tg",
        Kind::Adviser => "S",
        Kind::Elephant => "T",
        Kind::Horse => "M",
        Kind::Chariot => "X",
        Kind::Cannon => "P",
        Kind::Pawn => "B",
    };
    let mark = match place.nth {
        1 => 't',
        n if n == place.count => 's',
        _ => 'g',
    };
    let head = match (kind, place.count, place.doubled) {
        (Kind::General | Kind::Adviser | Kind::Elephant, ..) | (_, 0 | 1, _) => file.to_string(),
        (_, 2 | 3, 1) => mark.to_string(),
        (_, 2 | 3, _) => format!("{mark}{file}"),
        _ => char::from(b'a' + place.series.saturating_sub(1)).to_string(),
    };
    let sign = match verb {
        Verb::Advance => '.',
        Verb::Retreat => '/',
        Verb::Traverse => '-',
    };
    format!("{letter}{head}{sign}{last}")
}

fn form(input: &str) -> Step<'_, Form> {
    let letter = |letter: u8| {
        move |input| latin(input, move |c| (c.to_ascii_lowercase() == letter).then_some(()))
    };
    let general =
        map((letter(b't'), letter(b'g'), digit), |(_, _, file)| (Kind::General, None, Some(file)));
    let with_file = map((piece, digit), |(kind, file)| (kind, None, Some(file)));
    let marked =
        map((piece, mark, opt(digit)), |(kind, mark, file)| (kind, Some(Which::Mark(mark)), file));
    let pawn = |input| latin(input, |c| kind_of(c).filter(|&kind| kind == Kind::Pawn));
    let lettered = map((pawn, pawn_letter), |(kind, n)| (kind, Some(Which::Letter(n)), None));
    let (rest, ((kind, which, file), verb, last)) =
        (alt((general, with_file, marked, lettered)), sign, digit).parse(input)?;
    Ok((rest, Form { which, file, ..Form::neutral(kind, Some(verb), last) }))
}

fn kind_of(letter: u8) -> Option<Kind> {
    letter_kind(letter, Alphabet::Viet)
}

fn piece(input: &str) -> Step<'_, Kind> {
    latin(input, kind_of)
}

fn mark(input: &str) -> Step<'_, Mark> {
    latin(input, |c| match c.to_ascii_lowercase() {
        b't' => Some(Mark::Front),
        b'g' => Some(Mark::Middle),
        b's' => Some(Mark::Rear),
        _ => None,
    })
}

fn sign(input: &str) -> Step<'_, Verb> {
    latin(input, |c| match c {
        b'.' => Some(Verb::Advance),
        b'/' => Some(Verb::Retreat),
        b'-' => Some(Verb::Traverse),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_do_not_mean_what_they_mean_in_wxf() {
        let kind = |text| parse(text).unwrap().kind;
        assert_eq!(kind("P2-5"), Kind::Cannon);
        assert_eq!(kind("B7.1"), Kind::Pawn);
        assert_eq!(kind("C7.1"), Kind::Pawn, "chốt");
        assert_eq!(kind("M2.3"), Kind::Horse);
        assert_eq!(kind("T3.5"), Kind::Elephant);
        assert_eq!(kind("Tg5.1"), Kind::General);
        assert_eq!(kind("Tt.5"), Kind::Elephant);
        assert_eq!(parse("P2–5").unwrap().verb, Some(Verb::Traverse), "dash");
    }

    #[test]
    fn tells_the_place_it_does_not_understand() {
        for (text, at) in [("", 0), ("P", 1), ("P2", 2), ("P2+5", 2), ("P2-", 3), ("R1.1", 0)] {
            assert_eq!(parse(text), Err(at), "{text}");
        }
    }

    #[test]
    fn writes_stacked_pawns_so_that_they_read_back() {
        let write = |mv: &str, fen| write(mv.parse().unwrap(), &Position::from_fen(fen).unwrap());
        assert_eq!(write("e6d6", "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1"), "Bg-6", "vector 204");
        assert_eq!(write("f8e8", "4k4/3P1P3/4P4/3P1P3/9/9/9/9/9/3K5 w - - 0 1"), "Bt4-5");
        assert_eq!(write("e7f7", "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1"), "Bb-4");
    }
}
