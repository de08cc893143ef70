//! Counting move sequences, the usual test of move generators.

use super::Position;

/// The number of legal move sequences of `depth` plies from `position`, which is left as it was.
///
/// A repetition never ends a sequence, a side without a legal move does. The last ply is counted, not played.
///
/// ```
/// use qijian::board::{Position, perft};
/// assert_eq!(perft(&mut Position::start(), 2), 1920);
/// ```
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal().count() as u64,
        _ => {
            let mut total = 0;
            for mv in position.legal_moves() {
                let undo = position.play(mv);
                total += perft(position, depth - 1);
                position.undo(undo);
            }
            total
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::samples;

    /// Published by many programs, Fairy-Stockfish among them.
    #[test]
    fn counts_the_start_position() {
        for (depth, count) in [(0, 1), (1, 44), (2, 1920), (3, 79_666), (4, 3_290_240)] {
            assert_eq!(perft(&mut Position::start(), depth), count);
        }
    }

    #[test]
    #[ignore = "several seconds"]
    fn counts_the_start_position_to_depth_5() {
        assert_eq!(perft(&mut Position::start(), 5), 133_312_995);
    }

    /// Counted by pyffish, see `tests/oracle/board_moves.py`, which says why each position is there.
    #[test]
    fn counts_what_another_program_counts() {
        for line in include_str!("../../tests/oracle/perft.csv").lines().skip(1) {
            let [fen, depth, count] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
            let mut position = samples::position(fen);
            let found = perft(&mut position, depth.parse().unwrap());
            assert_eq!(found, count.parse::<u64>().unwrap(), "{fen}");
            assert_eq!(position, samples::position(fen));
        }
    }
}
