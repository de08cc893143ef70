//! Moves and lists of them.

use std::{fmt, str::FromStr};

use super::{Answers, Kind, Position, Square, SquareSet};

/// A move from one square to another, written in ICCS as `h2e2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The square left.
    pub from: Square,
    /// The square reached.
    pub to: Square,
}

/// The moves of one position.
pub type MoveList = Vec<Move>;

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// The text is not an ICCS move such as `h2e2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a move such as h2e2")]
pub struct ParseMoveError;

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let square = |file: u8, rank: u8| {
            Square::new(file.wrapping_sub(b'a'), rank.wrapping_sub(b'0')).ok_or(ParseMoveError)
        };
        match *text.as_bytes() {
            [f1, r1, f2, r2] => Ok(Move { from: square(f1, r1)?, to: square(f2, r2)? }),
            _ => Err(ParseMoveError),
        }
    }
}

impl Position {
    /// All legal moves of the side to move, in order of from-square and to-square.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::with_capacity(64);
        moves.extend(self.legal());
        moves
    }

    /// Whether the side to move has a legal move; without one it has lost, in check (将死) or not (困毙) (articles 3.1
    /// and 3.2, R007, R008).
    pub fn has_legal_move(&self) -> bool {
        let all = self.occupied_by(self.side());
        let generals = self.pieces(self.side(), Kind::General);
        let search = Legal::new(self);
        // Most checks are answered by the general itself.
        search.checked() && search.of(generals).next().is_some() || search.of(all).next().is_some()
    }

    /// [`Position::legal_moves`] one after the other.
    pub(super) fn legal(&self) -> impl Iterator<Item = Move> {
        Legal::new(self).of(self.occupied_by(self.side()))
    }
}

/// What the legality of every move of a position hangs on.
struct Legal<'p> {
    position: &'p Position,
    sensitive: SquareSet,
    /// The answers to a check, if there is one.
    answers: Option<Answers>,
}

impl<'p> Legal<'p> {
    fn new(position: &'p Position) -> Legal<'p> {
        let sensitive = position.sensitive();
        let checked = sensitive == SquareSet(!0);
        Legal { position, sensitive, answers: checked.then(|| position.answers()) }
    }

    fn checked(&self) -> bool {
        self.answers.is_some()
    }

    /// The legal moves of some pieces of the side to move.
    fn of(&self, pieces: SquareSet) -> impl Iterator<Item = Move> + use<'p> {
        let (position, sensitive, answers) = (self.position, self.sensitive, self.answers);
        let generals = position.pieces(position.side(), Kind::General);
        pieces
            .flat_map(move |from| {
                let reach = position.reach(from);
                let targets = match answers {
                    Some(answers) if !generals.contains(from) => answers.of(from, reach),
                    _ => reach,
                };
                targets.map(move |to| Move { from, to })
            })
            .filter(move |mv| {
                !sensitive.contains(mv.from) && !sensitive.contains(mv.to) || position.is_safe(*mv)
            })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{
        Kind, Piece, Setup, Side,
        samples::{any_position, mv, samples},
    };

    #[test]
    fn lists_are_those_of_another_program() {
        for sample in samples() {
            let position = sample.position();
            assert_eq!(position.legal_moves(), sample.moves, "{}", sample.fen);
            assert_eq!(position.has_legal_move(), !sample.moves.is_empty(), "{}", sample.fen);
        }
        assert!(samples().count() > 500);
    }

    #[test]
    fn reads_only_two_squares() {
        assert_eq!(mv("h9g7").to_string(), "h9g7");
        for text in ["", "h2", "h2e", "h2e2 ", "j2e2", "H2E2", "h2e:", "h2-e2", "炮二平五"] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text}");
        }
    }

    fn mapped(position: &Position, square: impl Fn(Square) -> Square, swap: bool) -> Position {
        let side_of = |side: Side| if swap { side.other() } else { side };
        let mut setup = Setup::empty();
        for from in Square::all() {
            setup.squares[square(from).index()] =
                position.piece_at(from).map(|p| Piece { side: side_of(p.side), ..p });
        }
        Position::from_setup(&setup, side_of(position.side()))
    }

    proptest! {
        /// The rules know neither left nor right, and are the same for both sides.
        #[test]
        fn rules_are_symmetric(position in any_position()) {
            let moves = position.legal_moves();
            let mirror = |s: Square| Square::new(8 - s.file(), s.rank()).unwrap();
            let turn = |s: Square| Square::new(s.file(), 9 - s.rank()).unwrap();
            let moved = |map: &dyn Fn(Square) -> Square| {
                let mut list: Vec<_> =
                    moves.iter().map(|mv| Move { from: map(mv.from), to: map(mv.to) }).collect();
                list.sort();
                list
            };
            prop_assert_eq!(mapped(&position, mirror, false).legal_moves(), moved(&mirror));
            prop_assert_eq!(mapped(&position, turn, true).legal_moves(), moved(&turn));
        }

        /// The slow definition: play the move, then look.
        #[test]
        fn legal_is_what_leaves_the_generals_safe(position in any_position()) {
            let side = position.side();
            let mut after = position.clone();
            let mut expected = MoveList::new();
            for from in Kind::ALL.into_iter().flat_map(|kind| position.pieces(side, kind)) {
                for to in position.reach(from) {
                    let undo = after.play(Move { from, to });
                    if !after.in_check(side) && !after.generals_facing() {
                        expected.push(Move { from, to });
                    }
                    after.undo(undo);
                }
            }
            expected.sort();
            prop_assert_eq!(position.legal_moves(), expected);
        }
    }
}
