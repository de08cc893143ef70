//! SAN-like algebraic text as pychess, WinBoard and English books write it: `Cbe3`, `Ch2-e2`, `Cxe6`, pawns `g5`, `ixi5`.
//!
//! The syntax is `grammars/san.bnf`. Upper-case letters name pieces (K A G, E B M, H N, R, C), lower-case ones files; a
//! text without piece is a pawn's. More origin than is needed is accepted (R07). [`Ranks`] tells how ranks are counted.

use nom::{
    Parser,
    branch::alt,
    combinator::{map, opt},
};

use super::{
    Deviations, Ranks, Reading,
    glyph::{Alphabet, letter_kind},
    iccs,
    scan::{Step, latin, whole},
    uci,
};
use crate::board::{Kind, Move, Piece, Position, Reason, Square};

/// A move text understood without a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San {
    /// The kind of piece.
    pub kind: Kind,
    /// The file left, 0 to 8 from `a`, where written.
    pub file: Option<u8>,
    /// The rank left, 0 to 9 from Red's side, where written.
    pub rank: Option<u8>,
    /// The square reached.
    pub to: Square,
}

/// Understands a move text without a board.
///
/// # Errors
///
/// The byte of the first character that no move has there.
pub fn parse(text: &str, ranks: Ranks) -> Result<San, usize> {
    whole(text, |input| san(input, ranks))
}

/// Reads `text` as a move of the side to move.
pub fn read(text: &str, ranks: Ranks, position: &Position) -> Reading {
    match parse(text, ranks) {
        Ok(san) => san.resolve(position),
        Err(at) => Reading::Unknown { at },
    }
}

/// Writes a legal move of the side to move, with as much of its origin as is needed; no sign for check.
pub fn write(mv: Move, ranks: Ranks, position: &Position) -> String {
    let side = position.side();
    let kind = position.piece_at(mv.from).unwrap_or(Piece { side, kind: Kind::Pawn }).kind;
    let rank = |square: Square| match ranks {
        Ranks::FromOne => square.rank() + 1,
        Ranks::FromZero => square.rank(),
    };
    let rivals: Vec<Square> = position
        .pieces(side, kind)
        .filter(|&from| from != mv.from && position.is_legal(Move { from, to: mv.to }))
        .collect();
    let capture = position.piece_at(mv.to).is_some();
    let pawn_capture = capture && kind == Kind::Pawn;
    let same_file = rivals.iter().any(|rival| rival.file() == mv.from.file());
    let same_rank = rivals.iter().any(|rival| rival.rank() == mv.from.rank());
    let mut text = String::with_capacity(8);
    match kind {
        Kind::Pawn => {}
        Kind::Elephant => text.push('E'),
        Kind::Horse => text.push('H'),
        other => text.push(other.letter()),
    }
    if pawn_capture || !rivals.is_empty() && (!same_file || same_rank) {
        text.push(uci::file_letter(mv.from));
    }
    if same_file {
        text += &rank(mv.from).to_string();
    }
    if capture {
        text.push('x');
    }
    text.push(uci::file_letter(mv.to));
    text + &rank(mv.to).to_string()
}

impl San {
    /// The reading on `position`, for its side to move.
    pub fn resolve(&self, position: &Position) -> Reading {
        let deviations = Deviations::default();
        let mut moves = Vec::new();
        let mut nearest = (Reason::NoSuchPiece, None);
        for from in position.pieces(position.side(), self.kind) {
            let fits = self.file.is_none_or(|file| file == from.file())
                && self.rank.is_none_or(|rank| rank == from.rank());
            if !fits {
                continue;
            }
            let mv = Move { from, to: self.to };
            match position.legality(mv) {
                Ok(()) => moves.push(mv),
                Err(reason) if reason > nearest.0 => nearest = (reason, Some(mv)),
                Err(_) => {}
            }
        }
        match moves[..] {
            [] => Reading::Illegal { reason: nearest.0, mv: nearest.1, deviations },
            [mv] => Reading::Move { mv, deviations },
            _ => Reading::Ambiguous { moves, deviations },
        }
    }
}

fn san(input: &str, ranks: Ranks) -> Step<'_, San> {
    let rank = move |input| rank(input, ranks);
    let square = move |input| {
        let (rest, (file, rank)) = (file, rank).parse(input)?;
        match Square::new(file, rank) {
            Some(square) => Ok((rest, square)),
            None => super::scan::Stuck::on(input),
        }
    };
    // The longest origin that still leaves a target.
    let with_both = map((file, rank, opt(iccs::link), square), |(file, rank, _, to)| {
        ((Some(file), Some(rank)), to)
    });
    let with_file = map((file, opt(iccs::link), square), |(file, _, to)| ((Some(file), None), to));
    let with_rank = map((rank, opt(iccs::link), square), |(rank, _, to)| ((None, Some(rank)), to));
    let bare = map((opt(iccs::link), square), |(_, to)| ((None, None), to));
    let (rest, (kind, ((file, rank), to))) =
        (opt(piece), alt((with_both, with_file, with_rank, bare))).parse(input)?;
    Ok((rest, San { kind: kind.unwrap_or(Kind::Pawn), file, rank, to }))
}

fn piece(input: &str) -> Step<'_, Kind> {
    latin(input, |c| letter_kind(c, Alphabet::San).filter(|_| c.is_ascii_uppercase()))
}

/// A file letter; only in lower case, since upper case names pieces.
fn file(input: &str) -> Step<'_, u8> {
    latin(input, |c| matches!(c, b'a'..=b'i').then(|| c - b'a'))
}

fn rank(input: &str, ranks: Ranks) -> Step<'_, u8> {
    match ranks {
        Ranks::FromOne => uci::rank(input),
        Ranks::FromZero => latin(input, |c| c.is_ascii_digit().then(|| c - b'0')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str, ranks: Ranks, position: &Position) -> Vec<String> {
        match read(text, ranks, position) {
            Reading::Move { mv, .. } => vec![mv.to_string()],
            Reading::Ambiguous { moves, .. } => moves.iter().map(Move::to_string).collect(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn reads_both_rank_bases_and_any_amount_of_origin() {
        let start = Position::start();
        for text in ["Che3", "Ch3e3", "Ch3-e3", "Che3+"] {
            assert_eq!(moves(text, Ranks::FromOne, &start), ["h2e2"], "{text}");
        }
        // R11: WinBoard's text, ranks from 0.
        assert_eq!(moves("Cbe2", Ranks::FromZero, &start), ["b2e2"]);
        assert_eq!(moves("Ce2", Ranks::FromZero, &start), ["b2e2", "h2e2"]);
        assert_eq!(moves("Hg2", Ranks::FromZero, &start), ["h0g2"]);
        assert_eq!(moves("Ng2", Ranks::FromZero, &start), ["h0g2"]);
        // R07: a letter that is not needed.
        assert_eq!(moves("Hhg2", Ranks::FromZero, &start), ["h0g2"]);
        assert_eq!(moves("g4", Ranks::FromZero, &start), ["g3g4"]);
        assert_eq!(moves("Cxb9", Ranks::FromZero, &start), ["b2b9"]);
    }

    #[test]
    fn tells_the_place_it_does_not_understand() {
        for (text, at) in
            [("", 0), ("C", 1), ("Cz", 1), ("Ce0", 2), ("Cbe", 3), ("Cbe3e", 4), ("C3he3", 3)]
        {
            assert_eq!(parse(text, Ranks::FromOne), Err(at), "{text}");
        }
    }

    #[test]
    fn writes_no_more_origin_than_needed() {
        let start = Position::start();
        assert_eq!(write("b2e2".parse().unwrap(), Ranks::FromOne, &start), "Cbe3");
        assert_eq!(write("h0g2".parse().unwrap(), Ranks::FromOne, &start), "Hg3");
        assert_eq!(write("g3g4".parse().unwrap(), Ranks::FromOne, &start), "g5");
        let capture = Position::from_fen("4k4/9/9/9/8p/8P/9/9/9/4K4 w - - 0 1").unwrap();
        assert_eq!(write("i4i5".parse().unwrap(), Ranks::FromZero, &capture), "ixi5");
    }
}
