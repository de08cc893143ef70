//! Abbreviated notation (简写记录, article 7.5): 炮25, 马87, 后车6.
//!
//! The syntax is `grammars/short.bnf`. The verb is left out; the last digit carries a bar below for 进, above for 退, none
//! for 平. Read are the combining marks U+0332 and U+0331 (below), U+0305 and U+0304 (above), and where a keyboard has no
//! such marks, a sign after the digit: `_` for below, `^` for above. Written are U+0332 and U+0305. All digits are
//! Arabic, for either side. [`Bars`] tells what bars mean in a file, and whether it has lost them.

use nom::{
    Parser,
    branch::alt,
    combinator::{map, opt},
};

use super::{
    Bars, Deviation, Deviations, Reading,
    chinese::{Name, mark, mark_of, name, ordinal},
    form::{Form, Which, number, rank, stroke},
    glyph::{Bar, Token, Verb, token},
    scan::{Step, glyph, whole},
};
use crate::board::{Kind, Move, Piece, Position};

/// Understands a move text without a board.
///
/// # Errors
///
/// The byte of the first character that no move has there.
pub fn parse(text: &str, bars: Bars) -> Result<Form, usize> {
    whole(text, |input| form(input, bars))
}

/// Reads `text` as a move of the side to move. With [`Bars::Lost`] all legal readings are given.
pub fn read(text: &str, bars: Bars, position: &Position) -> Reading {
    match parse(text, bars) {
        Ok(form) => form.resolve(position),
        Err(at) => Reading::Unknown { at },
    }
}

/// Writes a legal move of the side to move; with [`Bars::Lost`] the text may have several readings.
pub fn write(mv: Move, bars: Bars, position: &Position) -> String {
    let side = position.side();
    let piece = position.piece_at(mv.from).unwrap_or(Piece { side, kind: Kind::Pawn });
    let place = rank(position.pieces(side, piece.kind), mv.from, side);
    let (verb, last) = stroke(piece.kind, side, mv);
    let digit = |n: u8| char::from(b'0' + n);
    let mut text = String::with_capacity(12);
    match mark_of(piece.kind, place) {
        Some(mark) => text.extend([mark, piece.glyph()]),
        None => text.extend([piece.glyph(), digit(number(mv.from, side))]),
    }
    text.push(digit(last));
    let bar = [None, Some(Bar::Below), Some(Bar::Above)]
        .into_iter()
        .find(|&bar| bars != Bars::Lost && verb_of(bar, bars) == Some(verb));
    match bar.flatten() {
        Some(Bar::Below) => text.push('\u{332}'),
        Some(Bar::Above) => text.push('\u{305}'),
        None => {}
    }
    text
}

/// Whether `text` bears a bar.
pub fn has_bar(text: &str) -> bool {
    text.chars().any(|c| matches!(token(c), Some(Token::Bar(_)))) || text.ends_with(['_', '^'])
}

fn verb_of(bar: Option<Bar>, bars: Bars) -> Option<Verb> {
    match (bar, bars) {
        (None, Bars::Lost) => None,
        (None, _) => Some(Verb::Traverse),
        (Some(Bar::Below), Bars::Reversed) => Some(Verb::Retreat),
        (Some(Bar::Below), _) => Some(Verb::Advance),
        (Some(Bar::Above), Bars::Reversed) => Some(Verb::Advance),
        (Some(Bar::Above), _) => Some(Verb::Retreat),
    }
}

type Parts = (Option<Name>, Option<Which>, Option<u8>, Last);
type Last = (u8, Option<Bar>);

fn form(input: &str, bars: Bars) -> Step<'_, Form> {
    let which = || alt((mark.map(Which::Mark), ordinal.map(Which::Ordinal)));
    let plain = map((name, digit, last), |(name, file, last)| (Some(name), None, Some(file), last));
    let with_file = map((which(), name, digit, last), |(which, name, file, last)| {
        (Some(name), Some(which), Some(file), last)
    });
    let qualified =
        map((which(), name, last), |(which, name, last)| (Some(name), Some(which), None, last));
    let dropped = map((mark, digit, last), |(mark, file, last)| {
        (None, Some(Which::Mark(mark)), Some(file), last)
    });
    let (rest, parts) = alt((plain, with_file, qualified, dropped)).parse(input)?;
    let (name, which, file, (last, bar)): Parts = parts;
    let mut deviations = Deviations::default();
    if name.is_some_and(|name| name.look_alike) {
        deviations.insert(Deviation::LookAlike);
    }
    let kind = name.map_or(Kind::Pawn, |name| name.kind);
    let form = Form {
        which,
        file,
        named: name.and_then(|name| name.side),
        deviations,
        ..Form::neutral(kind, verb_of(bar, bars), last)
    };
    Ok((rest, form))
}

fn digit(input: &str) -> Step<'_, u8> {
    glyph(input, |token| match token {
        Token::Number { value, chinese: false } => Some(value),
        _ => None,
    })
}

fn last(input: &str) -> Step<'_, Last> {
    let bar = |input| {
        glyph(input, |token| match token {
            Token::Bar(bar) => Some(bar),
            _ => None,
        })
    };
    (digit, opt(bar)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str, bars: Bars) -> Vec<String> {
        match read(text, bars, &Position::start()) {
            Reading::Move { mv, .. } => vec![mv.to_string()],
            Reading::Ambiguous { moves, .. } => moves.iter().map(Move::to_string).collect(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn every_bar_is_read() {
        for text in ["马87\u{332}", "马87\u{331}", "马87_", "馬８７＿"] {
            assert_eq!(moves(text, Bars::Standard), ["b0c2"], "{text}");
        }
        for text in ["炮21\u{305}", "炮21\u{304}", "炮21^"] {
            assert_eq!(moves(text, Bars::Standard), ["h2h1"], "{text}");
        }
    }

    #[test]
    fn bars_may_be_reversed_or_lost() {
        // Zukeran's finding: some teach the bars the other way round.
        assert_eq!(moves("炮21_", Bars::Reversed), ["h2h1"]);
        assert_eq!(moves("马87^", Bars::Reversed), ["b0c2"]);
        assert_eq!(moves("炮23", Bars::Lost), ["h2g2", "h2h5"]);
        assert_eq!(moves("炮23_", Bars::Lost), ["h2h5"]);
    }

    #[test]
    fn tells_the_place_it_does_not_understand() {
        for (text, at) in [("炮2", 4), ("炮二5", 3), ("炮25五", 5), ("炮2_5", 4), ("马8进7", 4)]
        {
            assert_eq!(parse(text, Bars::Standard), Err(at), "{text}");
        }
    }

    #[test]
    fn writes_the_printed_examples() {
        // Articles 7.5 of both editions, with the bars that their web copies have lost.
        let start = Position::start();
        assert_eq!(write("h2e2".parse().unwrap(), Bars::Standard, &start), "炮25");
        assert_eq!(write("b0c2".parse().unwrap(), Bars::Standard, &start), "马87\u{332}");
        assert_eq!(write("b0c2".parse().unwrap(), Bars::Reversed, &start), "马87\u{305}");
        let horses = Position::from_fen("3k5/9/9/9/6N2/9/6N2/9/9/4K4 w - - 0 1").unwrap();
        assert_eq!(write("g5f3".parse().unwrap(), Bars::Standard, &horses), "前马4\u{305}");
        assert_eq!(write("g5f3".parse().unwrap(), Bars::Lost, &horses), "前马4");
    }
}
