//! Complete Chinese notation (完整记录, article 7.5, R041): 炮二平五, 马8进7, 前车退三, 二兵平六.
//!
//! The syntax is `grammars/chinese.bnf`. Read are both schools of naming doubled pawns: the series over all doubled
//! files (三兵平五) and the file put back (前兵四平五, 前四平五). Written is the official form (article 7.5 of 2020): 前 and
//! 后, 前中后 for three; where the book is silent, 一 to 五 as xqbase counts them.

use nom::{Parser, branch::alt, combinator::opt};

use super::{
    Deviation, Deviations, Reading,
    form::{Form, Rank, Which, rank, stroke},
    glyph::{Mark, Token, Verb, token},
    scan::{Step, glyph, whole},
};
use crate::board::{Kind, Move, Piece, Position, Side};

/// Understands a move text without a board.
///
/// # Errors
///
/// The byte of the first character that no move has there; the length of the text where something is missing at its end.
///
/// ```
/// use qijian::notation::chinese::parse;
///
/// assert!(parse("前車退三！").is_ok());
/// assert_eq!(parse("炮二跑五"), Err("炮二".len()));
/// assert_eq!(parse("炮二平"), Err("炮二平".len()));
/// ```
pub fn parse(text: &str) -> Result<Form, usize> {
    match complete(text) {
        Some(form) => Ok(form),
        None => whole(text, form),
    }
}

/// What [`form`] makes of a text of four characters in the standard order, 炮二平五 or 马8进7, as nearly all are.
fn complete(text: &str) -> Option<Form> {
    let mut rest = text.chars();
    let mut next = || rest.next().and_then(token);
    let (
        Some(Token::Piece { kind, side, look_alike: false }),
        Some(Token::Number { value: file, chinese: first }),
        Some(Token::Verb { verb, old: false }),
        Some(Token::Number { value: last, chinese: second }),
        None,
    ) = (next(), next(), next(), next(), rest.next())
    else {
        return None;
    };
    Some(Form {
        file: Some(file),
        named: side,
        digits: [first || second, !(first && second)],
        ..Form::neutral(kind, Some(verb), last)
    })
}

/// Reads `text` as a move of the side to move.
pub fn read(text: &str, position: &Position) -> Reading {
    match parse(text) {
        Ok(form) => form.resolve(position),
        Err(at) => Reading::Unknown { at },
    }
}

/// Writes a legal move of the side to move: simplified characters, Chinese numerals for Red, Arabic ones for Black.
pub fn write(mv: Move, position: &Position) -> String {
    let side = position.side();
    let piece = position.piece_at(mv.from).unwrap_or(Piece { side, kind: Kind::Pawn });
    let place = rank(position.pieces(side, piece.kind), mv.from, side);
    let (verb, last) = stroke(piece.kind, side, mv);
    let mut text = String::with_capacity(12);
    match mark_of(piece.kind, place) {
        Some(mark) => text.extend([mark, piece.glyph()]),
        None => text.extend([piece.glyph(), numeral(super::form::number(mv.from, side), side)]),
    }
    text.push(match verb {
        Verb::Advance => '进',
        Verb::Retreat => '退',
        Verb::Traverse => '平',
    });
    text.push(numeral(last, side));
    text
}

/// The qualifier that the standard form needs, if any. Advisers and elephants need none: the one that can retreat is in
/// front.
pub(super) fn mark_of(kind: Kind, place: Rank) -> Option<char> {
    if matches!(kind, Kind::General | Kind::Adviser | Kind::Elephant) {
        return None;
    }
    match (place.doubled, place.count, place.nth) {
        (_, 0 | 1, _) => None,
        (1, 2 | 3, 1) => Some('前'),
        (1, 3, 2) => Some('中'),
        (1, 2 | 3, _) => Some('后'),
        _ => Some(numeral(place.series, Side::Red)),
    }
}

/// The number as `side` writes it.
fn numeral(n: u8, side: Side) -> char {
    const CHINESE: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    match side {
        Side::Red => CHINESE[usize::from(n.min(9))],
        Side::Black => char::from(b'0' + n.min(9)),
    }
}

/// The name of a piece as written.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub(super) kind: Kind,
    pub(super) side: Option<Side>,
    pub(super) look_alike: bool,
}

/// The piece and which of several, without what it does.
struct Head {
    name: Option<Name>,
    which: Option<Which>,
    file: Option<Number>,
    turned: bool,
}

#[derive(Clone, Copy)]
struct Number {
    value: u8,
    chinese: bool,
}

fn form(input: &str) -> Step<'_, Form> {
    let (rest, head) = alt((plain, qualified)).parse(input)?;
    let (rest, (verb, old)) = verb(rest)?;
    // After 进 and 退 the number may be left out.
    let (rest, last) = match verb {
        Verb::Traverse => number.map(Some).parse(rest)?,
        Verb::Advance | Verb::Retreat => opt(number).parse(rest)?,
    };
    let mut deviations = Deviations::default();
    for (holds, deviation) in [
        (old, Deviation::Verb),
        (last.is_none(), Deviation::NoStep),
        (head.turned, Deviation::Order),
        (head.name.is_some_and(|name| name.look_alike), Deviation::LookAlike),
    ] {
        if holds {
            deviations.insert(deviation);
        }
    }
    let numbers = [head.file, last];
    let any = |chinese| numbers.iter().flatten().any(|number| number.chinese == chinese);
    let form = Form {
        kind: head.name.map_or(Kind::Pawn, |name| name.kind),
        which: head.which,
        file: head.file.map(|number| number.value),
        verb: Some(verb),
        last: last.map(|number| number.value),
        named: head.name.and_then(|name| name.side),
        digits: [any(true), any(false)],
        deviations,
    };
    Ok((rest, form))
}

/// 炮二, and 车前 as some write it.
fn plain(input: &str) -> Step<'_, Head> {
    let by_file = number.map(|file| (Some(file), None));
    let by_mark = mark.map(|mark| (None, Some(Which::Mark(mark))));
    (name, alt((by_file, by_mark)))
        .map(|(name, (file, which))| Head {
            name: Some(name),
            which,
            file,
            turned: which.is_some(),
        })
        .parse(input)
}

/// 前车, 前兵九, 前九; 二兵, 二兵五, 二7.
fn qualified(input: &str) -> Step<'_, Head> {
    let which = alt((mark.map(Which::Mark), ordinal.map(Which::Ordinal)));
    let named = (name, opt(number)).map(|(name, file)| (Some(name), file));
    let dropped = number.map(|file| (None, Some(file)));
    (which, alt((named, dropped)))
        .map(|(which, (name, file))| Head { name, which: Some(which), file, turned: false })
        .parse(input)
}

pub(super) fn name(input: &str) -> Step<'_, Name> {
    glyph(input, |token| match token {
        Token::Piece { kind, side, look_alike } => Some(Name { kind, side, look_alike }),
        _ => None,
    })
}

pub(super) fn mark(input: &str) -> Step<'_, Mark> {
    glyph(input, |token| match token {
        Token::Mark(mark) => Some(mark),
        _ => None,
    })
}

/// No side has more than five pawns.
pub(super) fn ordinal(input: &str) -> Step<'_, u8> {
    glyph(input, |token| match token {
        Token::Number { value: value @ 1..=5, .. } => Some(value),
        _ => None,
    })
}

fn number(input: &str) -> Step<'_, Number> {
    glyph(input, |token| match token {
        Token::Number { value, chinese } => Some(Number { value, chinese }),
        _ => None,
    })
}

fn verb(input: &str) -> Step<'_, (Verb, bool)> {
    glyph(input, |token| match token {
        Token::Verb { verb, old } => Some((verb, old)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Reason;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn moves(text: &str, fen: &str) -> (Vec<String>, Deviations) {
        match read(text, &position(fen)) {
            Reading::Move { mv, deviations } => (vec![mv.to_string()], deviations),
            Reading::Ambiguous { moves, deviations } => {
                (moves.iter().map(Move::to_string).collect(), deviations)
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    fn reason(text: &str, fen: &str) -> (Reason, Option<String>) {
        match read(text, &position(fen)) {
            Reading::Illegal { reason, mv, .. } => (reason, mv.map(|mv| mv.to_string())),
            other => panic!("{text}: {other:?}"),
        }
    }

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    const START_BLACK: &str =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1";
    const TWO_CHARIOTS: &str = "3k5/9/9/9/7R1/9/7R1/9/9/4K4 w - - 0 1";

    #[test]
    fn deviations_are_those_of_the_contract() {
        let cases: [(&str, &str, &[Deviation]); 16] = [
            ("炮二平五", START, &[]),
            ("砲二平五", START, &[]),
            ("馬八進七", START, &[]),
            ("士四进五", START, &[]),
            ("炮2平5", START, &[Deviation::Digits]),
            ("炮２平５", START, &[Deviation::Digits]),
            ("炮贰平伍", START, &[]),
            ("卒七进一", START, &[Deviation::Glyph]),
            ("兵七进", START, &[Deviation::NoStep]),
            ("炮二上三", START, &[Deviation::Verb]),
            ("马８进７", START_BLACK, &[]),
            ("炮二平五", START_BLACK, &[Deviation::Digits]),
            ("卯5进1", START_BLACK, &[Deviation::LookAlike]),
            ("车前平五", TWO_CHARIOTS, &[Deviation::Order]),
            ("前车二平五", TWO_CHARIOTS, &[]),
            ("车二进四", TWO_CHARIOTS, &[Deviation::NoQualifier]),
        ];
        for (text, fen, expected) in cases {
            assert_eq!(moves(text, fen).1, expected.iter().copied().collect(), "{text}");
        }
    }

    #[test]
    fn text_of_the_other_side_is_never_coerced() {
        // Notation.md 2.4: two independent signs on the wrong side mean a missing ply.
        assert_eq!(reason("卒7进1", START), (Reason::WrongSide, None));
        assert_eq!(reason("仕四进五", START_BLACK), (Reason::WrongSide, None));
        // 士 is a glyph of either side, so only the digits speak.
        assert_eq!(moves("士4进5", START).0, ["f0e1"]);
    }

    #[test]
    fn reasons_are_those_of_the_nearest_move() {
        for (text, fen, expected) in [
            ("炮五平二", START, (Reason::NoSuchPiece, None)),
            ("前炮平五", START, (Reason::NoSuchPiece, None)),
            ("马二进四", START, (Reason::HorseLeg, Some("h0f1"))),
            ("车一平二", START, (Reason::OwnPiece, Some("i0h0"))),
            ("炮二进九", START, (Reason::OffBoard, None)),
            ("炮二进五", START, (Reason::CannonScreen, Some("h2h7"))),
            ("兵七平六", START, (Reason::River, Some("c3d3"))),
            ("马二平三", START, (Reason::Shape, Some("h0g0"))),
            ("马二进六", START, (Reason::Shape, None)),
            ("兵七退一", START, (Reason::Shape, Some("c3c2"))),
            ("中车平五", TWO_CHARIOTS, (Reason::NoSuchPiece, None)),
            ("车五平六", "3kr4/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1", (Reason::InCheck, Some("e2d2"))),
        ] {
            assert_eq!(reason(text, fen), (expected.0, expected.1.map(str::to_owned)), "{text}");
        }
    }

    #[test]
    fn two_like_pieces_on_different_files_are_no_tandem() {
        let fen = "3k5/9/9/9/2N1N4/9/9/9/9/5K3 w - - 0 1";
        assert_eq!(reason("前马进六", fen).0, Reason::NoSuchPiece, "vector 68");
    }

    #[test]
    fn both_schools_of_naming_pawns_are_read() {
        // R02, python-chinese-chess#3.
        let three = "4k4/9/4P4/4P4/4P4/9/9/9/9/3K5 w - - 0 1";
        assert_eq!(moves("三兵平六", three).0, ["e5d5"]);
        assert_eq!(moves("后兵平六", three).0, ["e5d5"]);
        // Files c and g, three on g: the series counts g8 g7 g6 c8 c6, so 二兵 is g7; on file 七 it is c6.
        let fen = "4k4/2P3P2/6P2/2P3P2/9/9/9/9/9/3K5 w - - 0 1";
        assert_eq!(moves("二兵平四", fen).0, ["g7f7"]);
        assert_eq!(moves("二兵七平六", fen).0, ["c6d6"]);
        let (read, deviations) = moves("二兵平六", fen);
        assert_eq!(read, ["c6d6"], "only the count by file allows it");
        assert!(deviations.contains(Deviation::Ordinal));
    }

    #[test]
    fn plain_form_is_settled_by_legality() {
        // M01: 72 of 150 archive games were cut here by a peer.
        let fen = "4kab2/4a3n/4b4/pr3NC2/2n6/4p4/P3P1C1P/Nc5r1/9/1RBAKAB2 w - - 0 1";
        assert_eq!(
            moves("炮三平八", fen),
            (vec!["g6b6".into()], [Deviation::NoQualifier].into_iter().collect())
        );
        // R04, R14: where both can go, both are told.
        assert_eq!(moves("车二进一", TWO_CHARIOTS).0, ["h3h4", "h5h6"]);
        // R05: the adviser that can advance.
        let advisers = "3a1k3/9/3a5/9/9/9/9/9/9/4K4 b - - 0 1";
        assert_eq!(moves("士4进5", advisers), (vec!["d9e8".into()], Deviations::default()));
        assert_eq!(moves("士4退5", advisers), (vec!["d7e8".into()], Deviations::default()));
        // R13: the rear horse is pinned; the mark is not needed and does no harm.
        let pinned = "3k5/9/9/9/9/9/5N3/9/4KN2r/9 w - - 0 1";
        assert_eq!(moves("马四进三", pinned).0, ["f3g5"]);
        assert_eq!(moves("前马进三", pinned).0, ["f3g5"]);
    }

    #[test]
    fn traditional_archive_text_is_standard() {
        // M05.
        assert_eq!(moves("馬８進７", START_BLACK), (vec!["h9g7".into()], Deviations::default()));
    }

    #[test]
    fn what_is_not_understood_has_a_place() {
        for (text, at) in [
            ("", 0),
            ("跑二平五", 0),
            ("炮二平〇", 9),
            ("炮二平十", 9),
            ("炮二平", 9),
            ("炮二平五好", 12),
            ("炮 二 平 ", 12),
            ("h2e2", 0),
            ("六兵平五", 0),
            ("前平五", 3),
        ] {
            assert_eq!(parse(text), Err(at), "{text}");
        }
    }

    #[test]
    fn writes_the_official_forms() {
        for (mv, fen, text) in [
            ("h2e2", START, "炮二平五"),
            ("h9g7", START_BLACK, "马8进7"),
            ("g5f3", "3k5/9/9/9/6N2/9/6N2/9/9/4K4 w - - 0 1", "前马退四"),
            ("h3d3", TWO_CHARIOTS, "后车平六"),
            ("e6d6", "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1", "中兵平六"),
            ("d2e1", "5k3/9/9/9/9/9/9/3A5/9/3AK4 w - - 0 1", "仕六退五"),
            ("e6d6", "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1", "三兵平六"),
            ("d6e6", "4k4/3P1P3/4P4/3P1P3/9/9/9/9/9/3K5 w - - 0 1", "四兵平五"),
            ("e7e8", "4k4/3P1P3/4P4/3P1P3/9/9/9/9/9/3K5 w - - 0 1", "兵五进一"),
            ("c1b1", "4k4/9/9/9/9/9/2p3p2/9/2p3p2/3K5 b - - 0 1", "一卒平2"),
        ] {
            assert_eq!(write(mv.parse().unwrap(), &position(fen)), text, "{mv}");
        }
    }
}
