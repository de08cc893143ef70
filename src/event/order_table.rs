//! The order table of a round robin (附录一 循环赛对局秩序表), which is FIDE's Berger table.
//!
//! With `m` the number of entrants made even, numbers a and b below m meet in the round r with a + b ≡ r + 1
//! (mod m − 1), and x meets m in the round with 2x ≡ r + 1. Of a pair without m the smaller number has Red if the sum is
//! odd, else the larger; against m, x has Red if x ≤ m/2.

use std::collections::BTreeMap;

/// The fewest and the most entrants that a table is made for.
pub const SIZES: std::ops::RangeInclusive<u32> = 2..=1000;

/// A pair of a round: the first has Red (teams: on the odd boards). A number over the number of entrants is nobody:
/// its partner has a bye.
pub type Pair = (u32, u32);

/// The number of entrants made even.
pub const fn even(entrants: u32) -> u32 {
    entrants + entrants % 2
}

/// How many rounds the table has.
///
/// ```
/// use qijian::event::order_table::rounds;
/// assert_eq!((rounds(7), rounds(8)), (7, 7));
/// ```
pub const fn rounds(entrants: u32) -> u32 {
    even(entrants).saturating_sub(1)
}

/// The pairs of `round`, from 1, in the order in which tables print them: the largest number's first, then each pair
/// of the round before with m/2 added to both numbers. Empty for a round that the table has not.
///
/// ```
/// use qijian::event::order_table::pairs;
/// assert_eq!(pairs(8, 1), [(1, 8), (2, 7), (3, 6), (4, 5)]);
/// assert_eq!(pairs(8, 2), [(8, 5), (6, 4), (7, 3), (1, 2)]);
/// ```
pub fn pairs(entrants: u32, round: u32) -> Vec<Pair> {
    let m = even(entrants);
    if !SIZES.contains(&entrants) || round == 0 || round > rounds(entrants) {
        return Vec::new();
    }
    let modulus = m - 1;
    // Each round adds m/2 to the numbers of the first, in which i meets m + 1 - i.
    let shift = (u64::from(m / 2) * u64::from(round - 1) % u64::from(modulus)) as u32;
    let number = |start: u32| (start - 1 + shift) % modulus + 1;
    let largest = number(1);
    let mut pairs = vec![ordered(m, largest, m)];
    pairs.extend((2..=m / 2).map(|start| ordered(m, number(start), number(m + 1 - start))));
    pairs
}

/// Two numbers, the one that has Red first.
fn ordered(m: u32, a: u32, b: u32) -> Pair {
    let (small, large) = (a.min(b), a.max(b));
    let small_is_red = if large == m { small <= m / 2 } else { (small + large) % 2 == 1 };
    if small_is_red { (small, large) } else { (large, small) }
}

/// The round in which two different numbers meet, with the one that has Red first.
///
/// ```
/// use qijian::event::order_table::meeting;
/// assert_eq!(meeting(8, 4, 6), (2, (6, 4)));
/// ```
pub fn meeting(entrants: u32, a: u32, b: u32) -> (u32, Pair) {
    let m = even(entrants);
    let modulus = m.saturating_sub(1).max(1);
    let sum = if a.max(b) == m { 2 * a.min(b) } else { a + b };
    let round = (sum + modulus - 2) % modulus + 1;
    (round, ordered(m, a, b))
}

/// The pairs of `round` of a table played `cycles` times: every other cycle with colours changed. With `reversed` the
/// last two rounds of the first cycle change places, which spares three equal colours in a row.
pub fn cycle_pairs(entrants: u32, cycles: u32, round: u32, reversed: bool) -> Vec<Pair> {
    let length = rounds(entrants);
    if round == 0 || length == 0 || round > length.saturating_mul(cycles) {
        return Vec::new();
    }
    let (cycle, mut within) = ((round - 1) / length, (round - 1) % length + 1);
    if reversed && cycles > 1 && cycle == 0 && length > 2 && within >= length - 1 {
        within = 2 * length - 1 - within;
    }
    let mut pairs = pairs(entrants, within);
    if cycle % 2 == 1 {
        for pair in &mut pairs {
            *pair = (pair.1, pair.0);
        }
    }
    pairs
}

/// An encounter as the inference sees it: the round within the cycle, and two entrants; `None` for a bye.
pub type Known = (u32, usize, Option<usize>);

/// The numbers under which `known` encounters among `entrants` are those of the table, by entrant (`None` for one whom
/// no encounter places); `None` if there are no such numbers. Colours are not looked at: a wrong colour is a fault of
/// its own. Of several answers the one is taken that places most, and then the one with the fewest of `colours` (pairs
/// whose first had Red) against it.
///
/// The largest number is tried on every entrant (with an odd number of entrants it is nobody); its opponents' numbers
/// follow from their rounds, all others from theirs.
pub fn infer(
    entrants: usize,
    known: &[Known],
    colours: &[(usize, usize)],
) -> Option<Vec<Option<u32>>> {
    let n = u32::try_from(entrants).ok().filter(|n| SIZES.contains(n))?;
    let candidates: Vec<Option<usize>> = match n == even(n) {
        true => (0..entrants).map(Some).collect(),
        false => vec![None],
    };
    type Cost = (usize, usize);
    let mut best: Option<(Cost, Vec<Option<u32>>)> = None;
    for largest in candidates {
        let Some(numbers) = follow(n, largest, known) else { continue };
        let unplaced = numbers.iter().filter(|number| number.is_none()).count();
        let wrong = colours
            .iter()
            .filter(|(red, black)| match (numbers[*red], numbers[*black]) {
                (Some(red), Some(black)) => meeting(n, red, black).1.0 != red,
                _ => false,
            })
            .count();
        if best.as_ref().is_none_or(|(least, _)| (unplaced, wrong) < *least) {
            best = Some(((unplaced, wrong), numbers));
        }
    }
    best.map(|(_, numbers)| numbers)
}

/// The numbers that follow if `largest` has the largest one.
fn follow(n: u32, largest: Option<usize>, known: &[Known]) -> Option<Vec<Option<u32>>> {
    let m = even(n);
    let modulus = m - 1;
    let entrants = n as usize;
    let mut numbers: Vec<Option<u32>> = vec![None; entrants];
    let mut taken: BTreeMap<u32, usize> = BTreeMap::new();
    if let Some(largest) = largest {
        numbers[largest] = Some(m);
        taken.insert(m, largest);
    }
    let mut set = |numbers: &mut Vec<Option<u32>>, who: usize, number: u32| match numbers[who] {
        Some(other) => other == number,
        None => {
            numbers[who] = Some(number);
            taken.insert(number, who).is_none()
        }
    };
    // 2x ≡ r + 1: half of an odd sum is found by adding the odd modulus.
    let half = |round: u32| {
        let sum = (round + 1) % modulus;
        let sum = if sum.is_multiple_of(2) { sum } else { sum + modulus };
        (sum / 2 + modulus - 1) % modulus + 1
    };
    let with_largest = |one: usize, other: Option<usize>| other == largest || Some(one) == largest;
    for (round, one, other) in known {
        if with_largest(*one, *other) {
            let partner = if *other == largest { *one } else { (*other)? };
            if !set(&mut numbers, partner, half(*round)) {
                return None;
            }
        }
    }
    // Numbers spread from those known to their opponents, until nothing new follows.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (round, one, other) in known {
            let Some(other) = *other else { continue };
            if with_largest(*one, Some(other)) {
                continue;
            }
            let opposite = |number: u32| (round + 2 * modulus - number) % modulus + 1;
            for (from, to) in [(*one, other), (other, *one)] {
                if let Some(number) = numbers[from] {
                    changed |= numbers[to].is_none();
                    if !set(&mut numbers, to, opposite(number)) {
                        return None;
                    }
                }
            }
        }
    }
    // The one whom no encounter places takes the one number that is left.
    let left: Vec<u32> = (1..=n).filter(|number| !numbers.contains(&Some(*number))).collect();
    let open: Vec<usize> = (0..entrants).filter(|one| numbers[*one].is_none()).collect();
    if let ([number], [one]) = (&left[..], &open[..]) {
        numbers[*one] = Some(*number);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    // FIDE's condition for Berger tables, and 附录一: each pair once, in one round; Red half of the time.
    #[test]
    fn every_pair_meets_once_and_colours_are_balanced_for_3_to_40_entrants() {
        for n in 3..=40 {
            let mut met = BTreeSet::new();
            let mut reds: BTreeMap<u32, u32> = BTreeMap::new();
            let mut games: BTreeMap<u32, u32> = BTreeMap::new();
            for round in 1..=rounds(n) {
                let mut seen = BTreeSet::new();
                for (red, black) in pairs(n, round) {
                    assert!(seen.insert(red) && seen.insert(black), "{n}: {round}");
                    assert_eq!(meeting(n, red, black), (round, (red, black)), "{n}");
                    assert!(met.insert((red.min(black), red.max(black))), "{n}: {red}-{black}");
                    if red.max(black) <= n {
                        *reds.entry(red).or_default() += 1;
                        *games.entry(red).or_default() += 1;
                        *games.entry(black).or_default() += 1;
                    }
                }
                assert_eq!(seen.len() as u32, even(n), "{n}: everybody in round {round}");
            }
            assert_eq!(met.len() as u32, even(n) * (even(n) - 1) / 2);
            for number in 1..=n {
                let red = reds.get(&number).copied().unwrap_or(0);
                let black = games[&number] - red;
                assert!(red.abs_diff(black) <= 1, "{n}: {number} has {red} reds, {black} blacks");
            }
        }
    }

    #[test]
    fn the_largest_number_changes_colour_every_round() {
        for n in [4, 8, 14, 40] {
            let reds: Vec<bool> = (1..=rounds(n)).map(|round| pairs(n, round)[0].0 == n).collect();
            assert!(reds.iter().enumerate().all(|(round, red)| *red == (round % 2 == 1)), "{n}");
        }
    }

    #[test]
    fn a_second_cycle_changes_the_colours() {
        let swapped: Vec<Pair> = pairs(6, 1).into_iter().map(|(a, b)| (b, a)).collect();
        assert_eq!(cycle_pairs(6, 2, 6, false), swapped);
        assert_eq!(cycle_pairs(6, 2, 4, true), pairs(6, 5));
        assert_eq!(cycle_pairs(6, 2, 5, true), pairs(6, 4));
        assert!(cycle_pairs(6, 2, 11, false).is_empty() && cycle_pairs(6, 2, 0, false).is_empty());
    }

    #[test]
    fn numbers_are_found_again_from_the_pairs() {
        for n in 3..=12_u32 {
            // Entrant i has the number that a fixed shuffle gives it.
            let number = |entrant: usize| (entrant as u32 * 7 + 3) % n;
            if (0..n as usize).map(number).collect::<BTreeSet<_>>().len() < n as usize {
                continue;
            }
            let entrant = |number_: u32| (0..n as usize).find(|e| number(*e) + 1 == number_);
            let mut known = Vec::new();
            let mut colours = Vec::new();
            for round in 1..=rounds(n) {
                for (red, black) in pairs(n, round) {
                    match (entrant(red), entrant(black)) {
                        (Some(red), Some(black)) => {
                            known.push((round, red, Some(black)));
                            colours.push((red, black));
                        }
                        (Some(one), None) | (None, Some(one)) => known.push((round, one, None)),
                        (None, None) => {}
                    }
                }
            }
            let numbers = infer(n as usize, &known, &colours).unwrap();
            let wanted: Vec<Option<u32>> =
                (0..n as usize).map(|entrant| Some(number(entrant) + 1)).collect();
            assert_eq!(numbers, wanted, "{n}");
            // Two rounds exchanged are not the table; small tables have symmetries that hide it.
            let exchanged: Vec<Known> = known
                .iter()
                .map(|(round, a, b)| {
                    (
                        match round {
                            1 => 2,
                            2 => 1,
                            other => *other,
                        },
                        *a,
                        *b,
                    )
                })
                .collect();
            if n > 8 {
                assert_eq!(infer(n as usize, &exchanged, &[]), None, "{n}");
            }
        }
    }

    #[test]
    fn sizes_out_of_range_have_no_table() {
        assert!(pairs(1, 1).is_empty() && pairs(1001, 1).is_empty() && pairs(8, 8).is_empty());
        assert!(infer(0, &[], &[]).is_none() && infer(1, &[], &[]).is_none());
    }
}
