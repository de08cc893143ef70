//! Complete Chinese notation where nothing departs from the standard: four signs a move, as nearly all records have it.
//!
//! A move that [`chinese`](super::chinese) would read with a deviation, or in several ways, or not at all, is not read here:
//! whoever asks then asks there.

use std::sync::LazyLock;

use super::{
    form::{column, on_file, stacks, target},
    glyph::{Mark, Sign, Token, Verb},
};
use crate::board::{Kind, Move, Position, Side, Square, SquareSet};

/// The one legal move of the side to move that `signs` name in standard writing.
///
/// ```
/// use qijian::{board::Position, notation::{glyph::Sign, plain}};
///
/// let signs = ['炮', '二', '平', '五'].map(|c| Sign::of(c).unwrap());
/// let mv = plain::read(signs, &Position::start()).unwrap();
/// assert_eq!(mv.to_string(), "h2e2");
/// // With Arabic digits it is a move of Black.
/// let signs = ['炮', '2', '平', '5'].map(|c| Sign::of(c).unwrap());
/// assert_eq!(plain::read(signs, &Position::start()), None);
/// ```
pub fn read(signs: [Sign; 4], position: &Position) -> Option<Move> {
    let Text { mv, qualified } = read_if(false, signs, position)?;
    qualified.then_some(mv)
}

/// A move that is told without doubt.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    pub(crate) mv: Move,
    /// Whether 前 or 后 stands where it has to; without it only one of two pieces can move so.
    pub(crate) qualified: bool,
}

/// The same, and moves of one of two like pieces on a file without 前 or 后 too; with `is_calm` the side to move is known to
/// stand in no check.
pub(crate) fn read_if(is_calm: bool, signs: [Sign; 4], position: &Position) -> Option<Text> {
    let side = position.side();
    let [first, second, verb, last] = signs.map(Sign::token);
    let (Token::Verb { verb, .. }, Token::Number { value: last, chinese }) = (verb, last) else {
        return None;
    };
    if chinese != (side == Side::Red) {
        return None;
    }
    let (kind, named, pieces) = match (first, second) {
        (Token::Piece { kind, side: named, .. }, Token::Number { value, chinese: same })
            if same == chinese =>
        {
            (kind, named, on_file(position.pieces(side, kind), column(value, side)))
        }
        (Token::Mark(mark), Token::Piece { kind, side: named, .. }) => {
            let piece = marked(position.pieces(side, kind), side, mark)?;
            (kind, named, SquareSet::of(piece))
        }
        _ => return None,
    };
    if named == Some(side.other()) {
        return None;
    }
    let targets = &TARGETS[side as usize][shape(kind)][verb as usize][usize::from(last)];
    let legal = |from: Square| {
        let mv = Move { from, to: Square::from_index(targets[from.index()])? };
        position.is_legal_if(is_calm, mv).then_some(mv)
    };
    if !pieces.is_single() {
        // Of two advisers or elephants on a file the text means the one that can go there; other pieces need a mark.
        let qualified = matches!(kind, Kind::General | Kind::Adviser | Kind::Elephant);
        let [first, last] = pair(pieces)?;
        return match (legal(first), legal(last)) {
            (Some(_), Some(_)) => None,
            (one, other) => one.or(other).map(|mv| Text { mv, qualified }),
        };
    }
    legal(pieces.first()?).map(|mv| Text { mv, qualified: true })
}

/// For each side, shape, verb, last number and square left the square that they name, or [`NO_SQUARE`].
type Targets = [[[[[u8; Square::COUNT]; 10]; 3]; 4]; 2];
const NO_SQUARE: u8 = u8::MAX;

/// The target of every text, as [`target`] has it.
static TARGETS: LazyLock<Targets> = LazyLock::new(|| {
    let mut table = [[[[[NO_SQUARE; Square::COUNT]; 10]; 3]; 4]; 2];
    for side in Side::ALL {
        for kind in [Kind::General, Kind::Adviser, Kind::Elephant, Kind::Horse] {
            for verb in Verb::ALL {
                for last in 1..=9 {
                    let row = &mut table[side as usize][shape(kind)][verb as usize];
                    for from in Square::all() {
                        if let Ok(to) = target(side, kind, from, verb, last) {
                            row[usize::from(last)][from.index()] = to.index() as u8;
                        }
                    }
                }
            }
        }
    }
    table
});

/// Kinds of the same number move alike: along lines, or by one of three diagonals.
const fn shape(kind: Kind) -> usize {
    match kind {
        Kind::Adviser => 1,
        Kind::Elephant => 2,
        Kind::Horse => 3,
        Kind::General | Kind::Chariot | Kind::Cannon | Kind::Pawn => 0,
    }
}

/// The squares of a set of two.
fn pair(set: SquareSet) -> Option<[Square; 2]> {
    let ends = [set.first()?, set.last()?];
    (ends[0] != ends[1] && ends.into_iter().collect::<SquareSet>() == set).then_some(ends)
}

/// The front or the rear one of the only two that stand on one file.
fn marked(own: SquareSet, side: Side, mark: Mark) -> Option<Square> {
    let [low, high] = match pair(own) {
        Some([low, high]) => (low.file() == high.file()).then_some([low, high])?,
        None => {
            let mut stacks = stacks(own, side);
            let (Some(stack), None) = (stacks.next(), stacks.next()) else { return None };
            pair(stack)?
        }
    };
    match (mark, side) {
        (Mark::Front, Side::Red) | (Mark::Rear, Side::Black) => Some(high),
        (Mark::Front, Side::Black) | (Mark::Rear, Side::Red) => Some(low),
        (Mark::Middle, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        board::samples::{any_position, samples},
        notation::{Deviation, Reading, chinese},
    };

    fn signs(text: &str) -> Option<[Sign; 4]> {
        let signs: Option<Vec<Sign>> = text.chars().map(Sign::of).collect();
        signs?.try_into().ok()
    }

    /// A text in standard writing, or without 前 or 后, is read by both, and alike.
    fn assert_alike(text: &str, position: &Position) {
        let Some(signs) = signs(text) else { return };
        let Some(Text { mv, qualified }) = read_if(false, signs, position) else { return };
        assert_eq!(read(signs, position), qualified.then_some(mv));
        match chinese::read(text, position) {
            Reading::Move { mv: other, deviations } => {
                let left_out = deviations.iter().eq([Deviation::NoQualifier]);
                assert!(mv == other && (qualified || left_out), "{text} {deviations:?}");
                assert!(!qualified || deviations.is_empty(), "{text} {deviations:?}");
            }
            other => panic!("{text} on {position:?}: {other:?}"),
        }
    }

    /// By hand: of two cannons on a file only the one in front can capture there; both can step aside.
    #[test]
    fn what_only_one_of_two_can_do_needs_no_qualifier() {
        let position = Position::from_fen("3k5/4p4/9/4p4/9/9/4C4/4C4/9/5K3 w").unwrap();
        let told = |text: &str| {
            let text = read_if(false, signs(text).unwrap(), &position)?;
            Some((text.mv.to_string(), text.qualified))
        };
        assert_eq!(told("炮五进五"), Some(("e3e8".into(), false)));
        assert_eq!(told("前炮进五"), Some(("e3e8".into(), true)));
        assert_eq!(told("炮五平六"), None);
    }

    #[test]
    fn what_is_written_is_read() {
        let (mut read_here, mut all) = (0, 0);
        for sample in samples() {
            let position = sample.position();
            for mv in position.legal_moves() {
                let text = chinese::write(mv, &position);
                let found = signs(&text).and_then(|signs| read(signs, &position));
                assert!(found.is_none_or(|found| found == mv), "{text} on {position:?}");
                assert_alike(&text, &position);
                read_here += usize::from(found.is_some());
                all += 1;
            }
        }
        // What is left are pawns and pieces of which three stand on a file, or two on each of two.
        assert!(read_here * 100 > all * 97, "{read_here} of {all}");
    }

    proptest! {
        #[test]
        fn nothing_else_is_read(
            position in any_position(),
            first in prop::sample::select("车马炮相象仕士帅将兵卒砲馬前后中".chars().collect::<Vec<_>>()),
            second in prop::sample::select("一三五七九13579３车马炮兵卒士象".chars().collect::<Vec<_>>()),
            verb in prop::sample::select(vec!['进', '退', '平']),
            last in prop::sample::select("一二三五七12357５".chars().collect::<Vec<_>>()),
        ) {
            assert_alike(&String::from_iter([first, second, verb, last]), &position);
        }
    }
}
