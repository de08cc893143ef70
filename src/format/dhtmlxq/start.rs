//! The start position: `binit`, `fen`, and the board of DHJHtmlXQ.

use std::borrow::Cow;

use crate::{
    board::{Kind, Piece, Setup, Side, Square},
    finding::Span,
    record::Start,
};

/// The pieces of one side in the order of `binit`, that of XQF.
const ORDER: [Kind; 16] = [
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

/// The start position (article 1.3), which stands for what is missing at the end.
const STANDARD: &[u8; 64] = b"8979695949392919097717866646260600102030405060708012720323436383";

/// A start position that says nothing of the side to move: the first move decides.
pub(super) fn board(setup: Setup, span: Span) -> Start<'static> {
    Start::Board { setup: Box::new(Setup { side: None, ..setup }), span }
}

/// What is wrong with a `binit`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Faults {
    /// The number of digits, if not 64.
    pub(super) digits: Option<usize>,
    /// Squares on which several pieces stand; the later in the list is kept.
    pub(super) shared: Vec<Square>,
}

/// The position of a `binit`: two digits for each of the 32 pieces, file from Red's left and rank from the top; a
/// file of 9 or anything but a digit takes the piece off the board.
pub(super) fn binit(value: &str) -> (Setup, Faults) {
    let mut setup = Setup::empty();
    let mut faults = Faults::default();
    let mut chars = value.chars().filter(|c| !c.is_whitespace());
    let mut given = 0;
    for (slot, standard) in STANDARD.chunks_exact(2).enumerate() {
        let mut digit = |standard: u8| match chars.next() {
            Some(c) => {
                given += 1;
                c.to_digit(10).and_then(|digit| u8::try_from(digit).ok()).unwrap_or(9)
            }
            None => standard - b'0',
        };
        let (x, y) = (digit(standard[0]), digit(standard[1]));
        let Some(square) = Square::new(x, 9 - y) else { continue };
        let side = if slot < ORDER.len() { Side::Red } else { Side::Black };
        let piece = Piece { side, kind: ORDER[slot % ORDER.len()] };
        if setup.squares[square.index()].replace(piece).is_some() {
            faults.shared.push(square);
        }
    }
    let given = given + chars.count();
    faults.digits = (given != STANDARD.len()).then_some(given);
    (setup, faults)
}

/// The `binit` of `setup`; `None` if a side has more pieces of a kind than the start position.
pub(super) fn to_binit(setup: &Setup) -> Option<String> {
    let mut text = String::with_capacity(STANDARD.len());
    let mut left = setup.squares;
    if setup.squares == Setup::start().squares {
        // The order of the start position that the viewer itself writes.
        return Some(STANDARD.iter().map(|digit| char::from(*digit)).collect());
    }
    for side in Side::ALL {
        for kind in ORDER {
            let piece = Some(Piece { side, kind });
            let found = Square::all().find(|square| left[square.index()] == piece);
            match found {
                Some(square) => {
                    left[square.index()] = None;
                    text.push(char::from(b'0' + square.file()));
                    text.push(char::from(b'0' + 9 - square.rank()));
                }
                None => text.push_str("99"),
            }
        }
    }
    left.iter().all(Option::is_none).then_some(text)
}

/// The start position of a `binit` and a `fen`, of which either may be missing. The FEN counts where the boards agree,
/// because it knows the side to move.
pub(super) fn settle<'t>(
    binit: Option<(Setup, Span)>,
    fen: Option<(Cow<'t, str>, Span)>,
) -> Start<'t> {
    let (Some((setup, span)), Some((text, at))) = (&binit, &fen) else {
        return match (binit, fen) {
            (Some((setup, span)), _) => board(setup, span),
            (None, Some((text, span))) => Start::Fen { text, span },
            (None, None) => board(Setup::start(), Span::default()),
        };
    };
    match Setup::from_fen(text) {
        Ok(stated) if stated.squares == setup.squares => {
            Start::Fen { text: text.clone(), span: *at }
        }
        _ => board(setup.clone(), *span),
    }
}

/// The position of the 90 letters of DHJHtmlXQ, row by row from the top, `0` or `*` for an empty point; `None` if there
/// are not 90 or one is no piece.
pub(super) fn letters(value: &str) -> Option<Setup> {
    let mut setup = Setup::empty();
    let mut letters = value.chars().filter(|c| !c.is_whitespace());
    for rank in (0..10).rev() {
        for file in 0..9 {
            let letter = letters.next()?;
            if !matches!(letter, '0' | '*') {
                let square = Square::new(file, rank)?;
                setup.squares[square.index()] = Some(Piece::from_letter(letter)?);
            }
        }
    }
    letters.next().is_none().then_some(setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Both orders stand in real files: formats.md 9.2 and the files of the archive.
    #[test]
    fn both_orders_of_the_start_position() {
        for value in [
            "8979695949392919097717866646260600102030405060708012720323436383",
            "0919293949596979891777062646668600102030405060708012720323436383",
            "",
        ] {
            assert_eq!(binit(value).0.squares, Setup::start().squares, "{value}");
        }
        assert_eq!(binit("").1.digits, Some(0));
    }

    // A real endgame of the archive: Red's first chariot on 11, file b, second row from the top.
    #[test]
    fn an_endgame_and_back() {
        let value = "1199999949999999999999324599999999975999941405099999999999999999";
        let (setup, faults) = binit(value);
        assert_eq!(faults, Faults::default());
        let chariot = Some(Piece { side: Side::Red, kind: Kind::Chariot });
        assert_eq!(setup.squares[Square::new(1, 8).unwrap().index()], chariot);
        let written = to_binit(&setup).unwrap();
        assert_eq!(binit(&written).0, setup);
    }

    #[test]
    fn faults_are_told() {
        let double = format!("{}{}", "89".repeat(2), &"99".repeat(30));
        assert_eq!(binit(&double).1.shared, [Square::new(8, 0).unwrap()]);
        assert_eq!(binit("8979").1.digits, Some(4));
        assert_eq!(binit(&"9".repeat(66)).1.digits, Some(66));
    }

    // The board that a program for pages of 广东象棋网 starts from.
    #[test]
    fn letters_of_dhj() {
        let value = "rheakaehr0000000000c00000c0p0p0p0p0p000000000000000000P0P0P0P0P0C00000C0000000000RHEAKAEHR";
        assert_eq!(letters(value).unwrap().squares, Setup::start().squares);
        assert_eq!(letters(&value.replace('0', "*")), letters(value));
        assert_eq!(letters(&value[1..]), None);
        assert_eq!(letters(&format!("{value}0")), None);
    }
}
