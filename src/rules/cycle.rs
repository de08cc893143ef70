//! Positions that come back: maximal repetitions in a line of moves.

/// A repetition: the plies of its last period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// Plies before the last period.
    pub start: usize,
    /// Plies up to its end.
    pub end: usize,
    /// How often the position at its end has occurred since the last capture.
    pub occurrences: u32,
}

/// The maximal repetitions that reach `occurrences`. `keys` holds the key of the position after each number of plies,
/// from 0; `captures` tells of each ply whether it captures, after which nothing before can come back.
///
/// Positions that follow each other around one cycle are one repetition, which is told as of the last occurrence of
/// its most frequent position.
///
/// ```
/// use qijian::rules::cycle::repetitions;
///
/// // A cycle of four plies, twice around: the first position occurs three times.
/// let keys = [1, 2, 3, 4, 1, 2, 3, 4, 1, 9];
/// let found = repetitions(&keys, &[false; 9], 3);
/// assert_eq!((found[0].start, found[0].end, found[0].occurrences), (4, 8, 3));
/// ```
pub fn repetitions(keys: &[u64], captures: &[bool], occurrences: u32) -> Vec<Cycle> {
    let mut counts: Vec<u32> = Vec::with_capacity(keys.len());
    let mut window = 0;
    // A bit for the low ten bits of each key since the last capture: most positions are seen to be new by it.
    let mut sieve = [0u64; 16];
    let mut found: Vec<(Cycle, usize)> = Vec::new();
    for (ply, key) in keys.iter().enumerate() {
        if ply > 0 && captures.get(ply - 1).copied().unwrap_or(false) {
            window = ply;
            sieve = [0; 16];
        }
        let (cell, bit) = ((key >> 6) as usize % sieve.len(), 1 << (key & 63));
        if sieve[cell] & bit == 0 {
            sieve[cell] |= bit;
            counts.push(1);
            continue;
        }
        // The side to move is part of the key, so only every second position can be equal.
        let earlier = (window..ply).rev().skip(1).step_by(2).find(|earlier| keys[*earlier] == *key);
        let count = earlier.map_or(1, |earlier| counts[earlier] + 1);
        counts.push(count);
        let Some(earlier) = earlier.filter(|_| count >= occurrences.max(2)) else { continue };
        let cycle = Cycle { start: earlier, end: ply, occurrences: count };
        match found.last_mut().filter(|(_, last)| *last >= earlier) {
            Some((known, last)) => {
                if count >= known.occurrences {
                    *known = cycle;
                }
                *last = ply;
            }
            None => found.push((cycle, ply)),
        }
    }
    found.into_iter().map(|(cycle, _)| cycle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(keys: &[u64], captures: &[usize]) -> Vec<(usize, usize, u32)> {
        let flags: Vec<bool> = (0..keys.len()).map(|ply| captures.contains(&ply)).collect();
        repetitions(keys, &flags, 3)
            .iter()
            .map(|cycle| (cycle.start, cycle.end, cycle.occurrences))
            .collect()
    }

    #[test]
    fn two_occurrences_are_none() {
        assert!(found(&[1, 2, 3, 4, 1, 2, 3], &[]).is_empty());
    }

    #[test]
    fn a_longer_run_is_one_repetition_as_of_the_most_frequent_position() {
        // Five positions 1: plies 0, 4, 8, 12, 16.
        assert_eq!(found(&[1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1], &[]), [(12, 16, 5)]);
        // Stopped one ply after the third occurrence: the second position has occurred three times too.
        assert_eq!(found(&[1, 2, 3, 4, 1, 2, 3, 4, 1, 2], &[]), [(5, 9, 3)]);
    }

    #[test]
    fn a_capture_ends_what_was_before() {
        assert!(found(&[1, 2, 3, 4, 1, 2, 3, 4, 1], &[4]).is_empty());
    }

    #[test]
    fn two_repetitions_apart_are_two() {
        let keys =
            [1, 2, 3, 4, 1, 2, 3, 4, 1, 10, 11, 12, 13, 20, 11, 12, 13, 20, 11, 12, 13, 20, 11];
        assert_eq!(found(&keys, &[]).len(), 2);
    }
}
