//! Positions that the unit tests of this module share.

use proptest::prelude::*;

use super::{Kind, Move, Piece, Position, Setup, Side, Square};

/// A row of `tests/oracle/legal_moves.csv`, made by another program.
pub(crate) struct Sample {
    pub(crate) fen: &'static str,
    pub(crate) key: u64,
    pub(crate) moves: Vec<Move>,
}

impl Sample {
    pub(crate) fn position(&self) -> Position {
        Position::from_fen(self.fen).unwrap()
    }
}

pub(crate) fn samples() -> impl Iterator<Item = Sample> {
    include_str!("../../tests/oracle/legal_moves.csv").lines().skip(1).map(|line| {
        let [fen, key, moves] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
        Sample {
            fen,
            key: u64::from_str_radix(key, 16).unwrap(),
            moves: moves.split_whitespace().map(mv).collect(),
        }
    })
}

pub(crate) fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

pub(crate) fn square(text: &str) -> Square {
    mv(&[text, text].concat()).from
}

pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

pub(crate) fn all_moves() -> impl Iterator<Item = Move> {
    Square::all().flat_map(|from| Square::all().map(move |to| Move { from, to }))
}

/// Any pieces anywhere: several generals or none, elephants over the river.
pub(crate) fn any_position() -> impl Strategy<Value = Position> {
    let piece = (any::<bool>(), 0..7usize).prop_map(|(red, kind)| Piece {
        side: if red { Side::Red } else { Side::Black },
        kind: Kind::ALL[kind],
    });
    let pieces = prop::collection::vec((0..90usize, piece), 0..40);
    (pieces, any::<bool>(), any::<u32>(), any::<u32>()).prop_map(|(pieces, red, plies, round)| {
        let mut setup = Setup::empty();
        for (index, piece) in pieces {
            setup.squares[index] = Some(piece);
        }
        (setup.plies_since_capture, setup.round) = (Some(plies), Some(round));
        Position::from_setup(&setup, if red { Side::Red } else { Side::Black })
    })
}

pub(crate) fn any_move() -> impl Strategy<Value = Move> {
    let square = || (0..90u8).prop_map(|index| Square::from_index(index).unwrap());
    (square(), square()).prop_map(|(from, to)| Move { from, to })
}
