//! What the formats of game servers share that are nothing but coordinates: files from the left, ranks from the top,
//! in some files the whole board turned by half.

use crate::{
    board::{Move, Position, Square},
    finding::Span,
    record::{NodeId, Record, Written},
};

/// Moves at the start of a file that must be legal for a file without a magic number to be of a format.
const PROBED: usize = 6;

/// A move as four numbers of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad {
    pub(super) from: (u16, u16),
    pub(super) to: (u16, u16),
    pub(super) span: Span,
}

impl Quad {
    /// The move with files from the left and ranks from the top.
    fn written(&self, turned: bool) -> Written<'static> {
        let square = |(x, y): (u16, u16)| {
            let (x, y) = (u8::try_from(x).ok()?, u8::try_from(y).ok()?);
            let (x, y) = if turned { (8_u8.checked_sub(x)?, 9_u8.checked_sub(y)?) } else { (x, y) };
            Square::new(x, 9_u8.checked_sub(y)?)
        };
        // As two hexadecimal digits each, as far as that goes.
        let raw = |(x, y): (u16, u16)| (x.min(15) as u8) << 4 | y.min(15) as u8;
        Written::Squares {
            from: square(self.from),
            to: square(self.to),
            raw: [raw(self.from), raw(self.to)],
        }
    }
}

/// Whether the board is turned: Red moves first, so its first move does not begin in the upper half.
pub(super) fn is_turned(quads: &[Quad]) -> bool {
    quads.first().is_some_and(|first| first.from.1 < 5)
}

/// Adds the moves of a file, one after the other.
pub(super) fn add(record: &mut Record<'_>, quads: &[Quad], turned: bool) {
    let mut node = NodeId::ROOT;
    for quad in quads {
        node = record.tree.add(node, quad.written(turned), quad.span);
    }
}

/// Whether the moves are those of a game: every one on the board, the first ones legal.
pub(super) fn is_game(quads: &[Quad], turned: bool) -> bool {
    let mut position = Position::start();
    quads.iter().enumerate().all(|(index, quad)| match quad.written(turned) {
        Written::Squares { from: Some(from), to: Some(to), .. } => {
            let mv = Move { from, to };
            let legal = index >= PROBED || position.is_legal(mv);
            if index < PROBED && legal {
                position.play(mv);
            }
            legal
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quad(numbers: [u16; 4]) -> Quad {
        let [a, b, c, d] = numbers;
        Quad { from: (a, b), to: (c, d), span: Span::default() }
    }

    // formats.md 11.2 and 11.4: 7 7 to 4 7 is h2e2, and turned it is 1 2 to 4 2.
    #[test]
    fn both_ways_round() {
        for numbers in [[7, 7, 4, 7], [1, 2, 4, 2]] {
            let quads = [quad(numbers)];
            assert!(is_game(&quads, is_turned(&quads)));
            let mut record = Record::new(1);
            add(&mut record, &quads, is_turned(&quads));
            let first = record.tree.main_line().next().unwrap();
            let Written::Squares { from: Some(from), to: Some(to), .. } =
                record.tree.node(first).written
            else {
                panic!("squares")
            };
            assert_eq!(format!("{from}{to}"), "h2e2");
        }
    }

    #[test]
    fn numbers_off_the_board_are_no_game() {
        for numbers in [[9, 7, 4, 7], [7, 10, 4, 7], [7, 7, 400, 7], [7, 7, 7, 7]] {
            assert!(!is_game(&[quad(numbers)], false), "{numbers:?}");
        }
    }
}
