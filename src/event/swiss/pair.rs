//! One round of a Swiss event, from what everybody has had so far.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    colour::{Colours, Cost, Limits, assign},
    matching::heaviest,
    weight::{Layout, Weight},
};
use crate::event::draw::Lots;

/// What the pairing of a round looks at in an entrant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contestant {
    /// The entrant.
    pub id: usize,
    /// Its score in units in which every score of the event is whole.
    pub score: i64,
    /// The colours that it has had.
    pub colours: Colours,
    /// Whom it has met.
    pub met: BTreeSet<usize>,
    /// Whether it has had a bye.
    pub had_bye: bool,
    /// Its floats in the rounds so far: 1 down, -1 up, 0 none.
    pub floats: Vec<i8>,
}

impl Contestant {
    /// What it costs to let it float once more in the direction `step`: dear if it did in one of the last two rounds,
    /// and the dearer the more often it has.
    fn float_cost(&self, step: i8) -> i64 {
        let all = self.floats.iter().filter(|one| **one == step).count() as i64;
        let lately = self.floats.iter().rev().take(2).filter(|one| **one == step).count() as i64;
        all * all + 8 * lately
    }
}

/// The pairing of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Pairs, the one with Red (the first team) first; the highest scores first.
    pub pairs: Vec<(usize, usize)>,
    /// Who has the bye.
    pub bye: Option<usize>,
    /// Who could not be paired: everybody left has been met, or had a bye.
    pub unpaired: Vec<usize>,
    /// The limits of colours that had to be given up to pair everybody, `run` before `difference`.
    pub given_up: Vec<&'static str>,
}

/// The most entrants that are paired: the search is cubic in their number.
pub const MOST: usize = 1000;

/// Pairs a round. In this order of importance: nobody meets anybody twice, nobody has a second bye, colours stay within
/// `limits` (given up one after the other only where no pairing of all is left); the bye goes to the lowest score; the
/// gaps between the scores of a pair are least, compared from the top score downward; colours are even; floats fall on
/// those who have floated least; lots. In the first round the upper half meets the lower half: `contestants` stand in
/// the order of their strength.
pub fn pair(
    contestants: &[Contestant],
    first_round: bool,
    limits: Limits,
    lots: &mut Lots,
) -> Round {
    let contestants = &contestants[..contestants.len().min(MOST)];
    let draws: Vec<u64> = contestants.iter().map(|_| lots.draw()).collect();
    let steps = [
        (limits, &[][..]),
        (Limits { run: u32::MAX, ..limits }, &["colour_run"][..]),
        (Limits::NONE, &["colour_run", "colour_difference"][..]),
    ];
    let mut best: Option<Round> = None;
    for (limits, given_up) in steps {
        let graph = Graph { contestants, first_round, limits, draws: &draws };
        let mut round = graph.round();
        round.given_up = given_up.to_vec();
        let whole = round.unpaired.is_empty();
        let fewer = best.as_ref().is_none_or(|best| round.unpaired.len() < best.unpaired.len());
        if fewer {
            best = Some(round);
        }
        if whole {
            break;
        }
    }
    let mut round = best.expect("at least one step is made");
    if first_round && !round.unpaired.is_empty() {
        return pair(contestants, false, limits, lots);
    }
    let score: BTreeMap<usize, i64> = contestants.iter().map(|one| (one.id, one.score)).collect();
    round.pairs.sort_by_key(|(a, b)| {
        let (a, b) = (score[a], score[b]);
        std::cmp::Reverse((a.max(b), a.min(b)))
    });
    round
}

/// The sum of score gaps for each score of the higher one of a pair, from the top: what pairings are compared by.
pub fn gaps(contestants: &[Contestant], pairs: &[(usize, usize)]) -> Vec<i64> {
    let score: BTreeMap<usize, i64> = contestants.iter().map(|one| (one.id, one.score)).collect();
    let mut levels: BTreeMap<std::cmp::Reverse<i64>, i64> =
        contestants.iter().map(|one| (std::cmp::Reverse(one.score), 0)).collect();
    for (a, b) in pairs {
        if let (Some(a), Some(b)) = (score.get(a), score.get(b))
            && let Some(sum) = levels.get_mut(&std::cmp::Reverse(*a.max(b)))
        {
            *sum += (a - b).abs();
        }
    }
    levels.into_values().collect()
}

struct Graph<'a> {
    contestants: &'a [Contestant],
    first_round: bool,
    limits: Limits,
    draws: &'a [u64],
}

impl Graph<'_> {
    fn round(&self) -> Round {
        let count = self.contestants.len();
        // With an odd number nobody takes part too; his partner has the bye.
        let vertices = count + count % 2;
        let weights = self.weights(vertices);
        let mates = heaviest(vertices, &weights);
        let mut round =
            Round { pairs: Vec::new(), bye: None, unpaired: Vec::new(), given_up: Vec::new() };
        for (one, mate) in mates.iter().enumerate().take(count) {
            let id = self.contestants[one].id;
            match *mate {
                None => round.unpaired.push(id),
                Some(nobody) if nobody == count => round.bye = Some(id),
                Some(other) if one < other => round.pairs.push(self.coloured(one, other)),
                Some(_) => {}
            }
        }
        round
    }

    fn coloured(&self, one: usize, other: usize) -> (usize, usize) {
        let (a, b) = (&self.contestants[one], &self.contestants[other]);
        let red = assign(a.colours, b.colours, self.limits).and_then(|(_, red)| red);
        // By lot where nothing speaks for either.
        let red = red.unwrap_or((self.draws[one] ^ self.draws[other]) & 1 == 0);
        if red { (a.id, b.id) } else { (b.id, a.id) }
    }

    fn weights(&self, vertices: usize) -> Vec<Option<Weight>> {
        let count = self.contestants.len();
        let scores: BTreeSet<i64> = self.contestants.iter().map(|one| one.score).collect();
        let levels: Vec<i64> = scores.iter().rev().copied().collect();
        let (top, bottom) =
            (levels.first().copied().unwrap_or(0), levels.last().copied().unwrap_or(0));
        let spread = (top - bottom).clamp(1, 1_000_000);
        let pairs = (vertices as i64 / 2).max(1);
        let floats = self
            .contestants
            .iter()
            .flat_map(|one| [one.float_cost(1), one.float_cost(-1)])
            .max()
            .unwrap_or(0);
        // Cardinality, the bye, a gap for each level, imbalance, runs, floats, repeated colours, lots.
        let mut bounds = vec![pairs + 1, spread + 1];
        bounds.extend(levels.iter().map(|_| pairs * spread + 1));
        bounds.extend([
            pairs * 40 + 1,
            pairs * 40 + 1,
            pairs * 2 * floats + 1,
            pairs * 2 + 1,
            pairs * 4096,
        ]);
        let layout = Layout::new(&bounds);
        let mut weights = vec![None; vertices * vertices];
        for one in 0..count {
            for other in one + 1..vertices {
                let values = match self.contestants.get(other) {
                    Some(_) => self.pair_values(one, other, &levels),
                    None => self.bye_values(one, &levels, bottom),
                };
                let Some(mut values) = values else { continue };
                for (value, bound) in values.iter_mut().zip(&bounds) {
                    *value = (*value).clamp(0, bound - 1);
                }
                // Costs, so that less is better; what an edge adds by being there outweighs them all.
                let costs: Vec<i64> = values.iter().map(|value| -value).collect();
                let mut weight = layout.weight(&costs);
                let mut there = vec![0; bounds.len()];
                there[0] = 1;
                weight = weight + layout.weight(&there);
                weights[one * vertices + other] = Some(weight);
                weights[other * vertices + one] = Some(weight);
            }
        }
        weights
    }

    /// The costs of pairing two, field by field; `None` if they may not meet.
    fn pair_values(&self, one: usize, other: usize, levels: &[i64]) -> Option<Vec<i64>> {
        let (a, b) = (&self.contestants[one], &self.contestants[other]);
        if a.met.contains(&b.id) {
            return None;
        }
        if self.first_round {
            // The upper half ends where it is as long as the lower half without a bye.
            let half = self.contestants.len() / 2;
            if (one < half) == (other < half) {
                return None;
            }
        }
        let (cost, _) = assign(a.colours, b.colours, self.limits)?;
        let mut values = vec![0; 2 + levels.len()];
        let level = levels.iter().position(|score| *score == a.score.max(b.score)).unwrap_or(0);
        values[2 + level] = (a.score - b.score).abs();
        let float = match a.score.cmp(&b.score) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => a.float_cost(1) + b.float_cost(-1),
            std::cmp::Ordering::Less => a.float_cost(-1) + b.float_cost(1),
        };
        let Cost { imbalance, run, repeated } = cost;
        // The lot of a pair: any order among pairs is as likely as any other.
        let lot = self.draws[one].wrapping_mul(31) ^ self.draws[other].wrapping_mul(17);
        values.extend([imbalance, run, float, repeated, (lot >> 20 & 0xfff) as i64]);
        Some(values)
    }

    /// The costs of a bye; `None` for who has had one.
    fn bye_values(&self, one: usize, levels: &[i64], bottom: i64) -> Option<Vec<i64>> {
        let contestant = &self.contestants[one];
        if contestant.had_bye || (self.first_round && one < self.contestants.len() / 2) {
            return None;
        }
        let mut values = vec![0; 2 + levels.len()];
        values[1] = contestant.score - bottom;
        values.extend([0, 0, contestant.float_cost(1), 0, (self.draws[one] >> 20 & 0xfff) as i64]);
        Some(values)
    }
}
