//! WXF and AXF notation: `C2.5`, `C2=5`, `H8+7`, `R+-2`, pawns `Pa.5` or `14=5`.
//!
//! The syntax is `grammars/wxf.bnf`. `-` is always 退. Letters of all schools are read (K A G, E B M, H N, R, C, P S) in
//! either case; written are K A E H R C P, `=` for 平, and two digits for pawns where more than two stand on a file or
//! two files are doubled. What one text does not show, [`LeadingNumber`] and [`PawnLetters`] tell.

use nom::{Parser, branch::alt, combinator::map};

use super::{
    LeadingNumber, PawnLetters, Reading,
    form::{Form, Which, number, rank, stroke},
    glyph::{Alphabet, Mark, Verb, letter_kind},
    scan::{Step, digit, latin, whole},
};
use crate::board::{Kind, Move, Piece, Position};

/// Understands a move text without a board.
///
/// # Errors
///
/// The byte of the first character that no move has there.
pub fn parse(text: &str, numbers: LeadingNumber, letters: PawnLetters) -> Result<Form, usize> {
    whole(text, |input| form(input, numbers, letters))
}

/// Reads `text` as a move of the side to move.
pub fn read(
    text: &str,
    numbers: LeadingNumber,
    letters: PawnLetters,
    position: &Position,
) -> Reading {
    match parse(text, numbers, letters) {
        Ok(form) => form.resolve(position),
        Err(at) => Reading::Unknown { at },
    }
}

/// Writes a legal move of the side to move. Where digits stand for pieces ([`LeadingNumber::Piece`]), pawns get letters.
pub fn write(
    mv: Move,
    numbers: LeadingNumber,
    letters: PawnLetters,
    position: &Position,
) -> String {
    let side = position.side();
    let kind = position.piece_at(mv.from).unwrap_or(Piece { side, kind: Kind::Pawn }).kind;
    let own = position.pieces(side, kind);
    let place = rank(own, mv.from, side);
    let (verb, last) = stroke(kind, side, mv);
    let alone = place.count < 2 || matches!(kind, Kind::Adviser | Kind::Elephant);
    let file = number(mv.from, side);
    let head = if alone {
        format!("{}{file}", letter(kind))
    } else if place.count == 2 && place.doubled == 1 {
        format!("{}{}", letter(kind), if place.nth == 1 { '+' } else { '-' })
    } else if numbers == LeadingNumber::Pawn {
        format!("{}{file}", place.nth)
    } else {
        let n = match letters {
            PawnLetters::Mover => place.series,
            PawnLetters::Red => rank(own, mv.from, crate::board::Side::Red).series,
        };
        format!("{}{}", letter(kind), char::from(b'a' + n.saturating_sub(1)))
    };
    let sign = match verb {
        Verb::Advance => '+',
        Verb::Retreat => '-',
        Verb::Traverse => '=',
    };
    format!("{head}{sign}{last}")
}

const fn letter(kind: Kind) -> char {
    match kind {
        Kind::Elephant => 'E',
        Kind::Horse => 'H',
        other => other.letter(),
    }
}

fn form(input: &str, numbers: LeadingNumber, letters: PawnLetters) -> Step<'_, Form> {
    let lettered = |n| match letters {
        PawnLetters::Mover => (Kind::Pawn, Some(Which::Letter(n)), None),
        PawnLetters::Red => (Kind::Pawn, Some(Which::RedLetter(n)), None),
    };
    let with_file = map((piece, digit), |(kind, file)| (kind, None, Some(file)));
    let marked = map((piece, mark), |(kind, mark)| (kind, Some(Which::Mark(mark)), None));
    let mark_first = map((mark, piece), |(mark, kind)| (kind, Some(Which::Mark(mark)), None));
    let pawn_letter = map((pawn, pawn_letter), move |(_, n)| lettered(n));
    let letter_first = map((self::pawn_letter, pawn), move |(n, _)| lettered(n));
    let numbered = move |input| {
        let (rest, (n, file)) = (leading(numbers), digit).parse(input)?;
        let head = match numbers {
            LeadingNumber::Pawn => (Kind::Pawn, Some(Which::Ordinal(n)), Some(file)),
            LeadingNumber::Piece => (Kind::ALL[usize::from(n - 1)], None, Some(file)),
        };
        Ok((rest, head))
    };
    let signed = (
        alt((with_file, marked, mark_first, pawn_letter, letter_first, numbered)),
        sign.map(Some),
        digit,
    );
    let unsigned = map((piece, digit, digit), |(kind, file, last)| {
        ((kind, None, Some(file)), Some(Verb::Traverse), last)
    });
    let (rest, ((kind, which, file), verb, last)) = alt((signed, unsigned)).parse(input)?;
    Ok((rest, Form { which, file, ..Form::neutral(kind, verb, last) }))
}

fn piece(input: &str) -> Step<'_, Kind> {
    latin(input, |c| letter_kind(c, Alphabet::Wxf))
}

fn pawn(input: &str) -> Step<'_, Kind> {
    latin(input, |c| letter_kind(c, Alphabet::Wxf).filter(|&kind| kind == Kind::Pawn))
}

/// `a` to `e` as 1 to 5.
pub(super) fn pawn_letter(input: &str) -> Step<'_, u8> {
    latin(input, |c| {
        let n = c.to_ascii_lowercase().wrapping_sub(b'a');
        (n < 5).then(|| n + 1)
    })
}

fn mark(input: &str) -> Step<'_, Mark> {
    latin(input, |c| match c {
        b'+' => Some(Mark::Front),
        b'=' | b'.' => Some(Mark::Middle),
        b'-' => Some(Mark::Rear),
        _ => None,
    })
}

fn sign(input: &str) -> Step<'_, Verb> {
    latin(input, |c| match c {
        b'+' => Some(Verb::Advance),
        b'=' | b'.' => Some(Verb::Traverse),
        b'-' => Some(Verb::Retreat),
        _ => None,
    })
}

/// A pawn's number (five at most) or a piece's code (seven).
fn leading(numbers: LeadingNumber) -> impl Fn(&str) -> Step<'_, u8> {
    let most = match numbers {
        LeadingNumber::Pawn => b'5',
        LeadingNumber::Piece => b'7',
    };
    move |input| latin(input, |c| (b'1'..=most).contains(&c).then(|| c - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str, fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        match read(text, LeadingNumber::Pawn, PawnLetters::Mover, &position) {
            Reading::Move { mv, .. } => vec![mv.to_string()],
            Reading::Ambiguous { moves, .. } => moves.iter().map(Move::to_string).collect(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn doubled_files_are_settled_by_the_target() {
        // R01, Fairy-Stockfish #395.
        let fen = "4k4/9/9/2P3P2/2P3P2/9/9/9/9/3K5 w - - 0 1";
        assert_eq!(moves("P++1", fen), ["c6c7", "g6g7"]);
        assert_eq!(moves("P+=4", fen), ["g6f6"]);
        let position = Position::from_fen(fen).unwrap();
        let write =
            |mv: &str, numbers| write(mv.parse().unwrap(), numbers, PawnLetters::Mover, &position);
        assert_eq!(write("g6g7", LeadingNumber::Pawn), "13+1");
        assert_eq!(write("g6g7", LeadingNumber::Piece), "Pa+1");
    }

    #[test]
    fn accepts_every_letter_width_and_order() {
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        // M11: full-width WXF in a public archive.
        for text in ["Ｃ２＝５", "c2.5", "C2=5!?", "C25", "C2．5"] {
            assert_eq!(moves(text, start), ["h2e2"], "{text}");
        }
        for text in ["E3+5", "B3+5", "M3+5"] {
            assert_eq!(moves(text, start), ["g0e2"], "{text}");
        }
        for text in ["A4+5", "G4+5"] {
            assert_eq!(moves(text, start), ["f0e1"], "{text}");
        }
        assert_eq!(moves("S7+1", start), ["c3c4"]);
        let pawns = "4k4/3P1P3/4P4/3P1P3/9/9/9/9/9/3K5 w - - 0 1";
        assert_eq!(moves("aP.5", pawns), ["f8e8"]);
    }

    #[test]
    fn tells_the_place_it_does_not_understand() {
        for (text, at) in
            [("", 0), ("C", 1), ("C2", 2), ("C2+", 3), ("C2=55", 4), ("X2=5", 0), ("C0=5", 1)]
        {
            assert_eq!(parse(text, LeadingNumber::Pawn, PawnLetters::Mover), Err(at), "{text}");
        }
    }
}
