//! Team events (article 12): the order of lists, line-ups, all play all.

/// Whether a list is in the order of strength (12.1): the rated by their ratings, the unrated behind them.
///
/// ```
/// use qijian::event::is_by_strength;
/// assert!(is_by_strength(&[Some(2500), Some(2500), Some(2400), None]));
/// assert!(!is_by_strength(&[None, Some(2400)]));
/// ```
pub fn is_by_strength(ratings: &[Option<u32>]) -> bool {
    ratings.is_sorted_by(|a, b| a.unwrap_or(0) >= b.unwrap_or(0))
}

/// Whether a line-up keeps the order of the list (12.2): `places` are those of its players, board by board.
///
/// ```
/// use qijian::event::is_in_order;
/// assert!(is_in_order(&[0, 1, 4]) && !is_in_order(&[1, 0]) && !is_in_order(&[2, 2]));
/// ```
pub fn is_in_order(places: &[usize]) -> bool {
    places.is_sorted_by(|a, b| a < b)
}

/// Every line-up of `boards` players that a list of `players` allows (12.2), in order; at most `limit`.
///
/// ```
/// use qijian::event::line_ups;
/// // Four boards and two substitutes: fifteen orders, from 1-2-3-4 to 3-4-5-6.
/// let all = line_ups(6, 4, 100);
/// assert_eq!((all.len(), &all[0][..], &all[14][..]), (15, &[1, 2, 3, 4][..], &[3, 4, 5, 6][..]));
/// ```
pub fn line_ups(players: usize, boards: usize, limit: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    if boards == 0 || boards > players {
        return all;
    }
    let mut now: Vec<usize> = (1..=boards).collect();
    while all.len() < limit {
        all.push(now.clone());
        // The last place that can still move up moves, and those behind it follow.
        let Some(at) = (0..boards).rev().find(|at| now[*at] < players - (boards - 1 - at)) else {
            break;
        };
        now[at] += 1;
        for next in at + 1..boards {
            now[next] = now[next - 1] + 1;
        }
    }
    all
}

/// A game of two teams that play all against all: the player of the first team, that of the second, and whether the
/// first has Red.
pub type TeamGame = (usize, usize, bool);

/// The rounds of two teams of `first` and `second` players in which everybody meets everybody of the other team once
/// (12.4): the second team moves on by one each round; who has nobody opposite is free. Colours change from board to
/// board and from round to round, which the article leaves open.
///
/// ```
/// use qijian::event::all_play_all;
/// let rounds = all_play_all(3, 2);
/// assert_eq!(rounds.len(), 3);
/// assert_eq!(rounds.concat().len(), 6);
/// ```
pub fn all_play_all(first: usize, second: usize) -> Vec<Vec<TeamGame>> {
    let size = first.max(second).min(1000);
    let round = |round: usize| {
        (0..first.min(1000))
            .map(|one| (one, (one + round) % size, (one + round).is_multiple_of(2)))
            .filter(|(_, other, _)| *other < second)
            .collect()
    };
    (0..size).map(round).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    // R065: m × n games, each pair once, nobody twice in a round.
    #[test]
    fn everybody_meets_everybody_of_the_other_team_once() {
        for (m, n) in [(1, 1), (3, 3), (4, 6), (5, 2), (0, 3)] {
            let rounds = all_play_all(m, n);
            let games: BTreeSet<(usize, usize)> =
                rounds.iter().flatten().map(|(a, b, _)| (*a, *b)).collect();
            assert_eq!(games.len(), m * n);
            assert_eq!(rounds.iter().map(Vec::len).sum::<usize>(), m * n);
            for round in rounds {
                let first: BTreeSet<usize> = round.iter().map(|game| game.0).collect();
                let second: BTreeSet<usize> = round.iter().map(|game| game.1).collect();
                assert_eq!((first.len(), second.len()), (round.len(), round.len()));
            }
        }
    }

    // R063, R136: an increasing subsequence of the list.
    #[test]
    fn line_ups_are_the_increasing_choices() {
        for (players, boards, count) in [(6, 4, 15), (4, 4, 1), (5, 3, 10), (3, 4, 0), (4, 0, 0)] {
            let all = line_ups(players, boards, 1000);
            assert_eq!(all.len(), count);
            assert!(all.iter().all(|one| is_in_order(one)));
            assert!(all.is_sorted());
        }
        assert_eq!(line_ups(30, 15, 50).len(), 50);
    }
}
