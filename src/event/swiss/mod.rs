//! The Swiss system (积分编排制; appendix 2): equal scores meet, nobody twice, colours even.
//!
//! A round is one heaviest matching: every criterion is a field of a weight that is compared field by field, so the
//! whole round is the best one there is, and nothing gets stuck at the bottom.

mod colour;
mod matching;
mod pair;
mod weight;

use std::collections::{BTreeMap, BTreeSet};

pub use colour::{Colours, Cost, Limits, assign};
pub use pair::{Contestant, MOST, Round, gaps, pair};

use super::{
    draw::Lots,
    file::{Kind, Speed},
    model::{Encounter, Event},
    table::Table,
};
use crate::rules::Exact;

impl Limits {
    /// The limits of an event.
    pub fn of(event: &Event) -> Limits {
        Limits { difference: event.rules.colour_difference, run: event.rules.colour_run }
    }
}

/// Everybody who is to be paired in `round`, from the results before it, in the order of strength: ratings, then
/// numbers and names. Who withdrew in an earlier round is not among them.
pub fn contestants(event: &Event, stage: usize, round: u32) -> Vec<Contestant> {
    let table = Table::new(event, stage, Some(round.saturating_sub(1)));
    let unit = unit(event);
    let running = running(&table);
    let mut found = Vec::new();
    for (index, line) in table.lines.iter().enumerate() {
        if event.withdrawal(stage, line.entrant).is_some_and(|one| one.after_round < round) {
            continue;
        }
        let mut one = Contestant {
            id: line.entrant,
            score: line.points.in_units(unit).unwrap_or(0),
            colours: Colours::default(),
            met: BTreeSet::new(),
            had_bye: false,
            floats: Vec::new(),
        };
        for meeting in &line.meetings {
            let encounter = &table.encounters[meeting.encounter];
            let Some(opponent) = meeting.opponent else {
                one.had_bye = true;
                one.floats.push(1);
                continue;
            };
            let other = table.lines[opponent].entrant;
            let forfeited = !encounter.games.is_empty()
                && encounter.games.iter().all(|game| game.mark.is_forfeit());
            if !(forfeited && event.rules.forfeit_may_meet_again) {
                one.met.insert(other);
            }
            if !forfeited {
                one.colours = one.colours.with(has_red(event, encounter, line.entrant));
            }
            let before = meeting.round.unwrap_or(0).saturating_sub(1) as usize;
            let score = |line: usize| running[line].get(before).copied().unwrap_or(Exact::ZERO);
            one.floats.push(match score(index).cmp(&score(opponent)) {
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => -1,
                std::cmp::Ordering::Equal => 0,
            });
        }
        found.push(one);
    }
    let strength = |one: &Contestant| {
        let (number, rating, name, id) = event.key_of(one.id);
        (rating, number, name, id)
    };
    found.sort_by(|a, b| strength(a).cmp(&strength(b)));
    found
}

/// The unit in which every score is whole.
pub(super) fn unit(event: &Event) -> Exact {
    let rules = &event.rules;
    let values = match event.kind {
        Kind::Individual => [rules.win, rules.draw, rules.loss],
        Kind::Team => [rules.match_win, rules.match_draw, rules.match_loss],
    };
    let fits = |unit: &Exact| values.iter().all(|value| value.in_units(*unit).is_some());
    let units =
        [Exact::whole(1), Exact::new(1, 2), Exact::new(1, 4), Exact::new(1, 3), Exact::new(1, 60)];
    units.into_iter().find(fits).unwrap_or(Exact::new(1, 1000))
}

/// The points of every line before each round: `[line][rounds played]`.
fn running(table: &Table<'_>) -> Vec<Vec<Exact>> {
    let last = table.encounters.iter().filter_map(|one| one.round).max().unwrap_or(0) as usize;
    table
        .lines
        .iter()
        .map(|line| {
            let mut by_round: BTreeMap<usize, Exact> = BTreeMap::new();
            for meeting in &line.meetings {
                *by_round.entry(meeting.round.unwrap_or(0) as usize).or_default() += meeting.points;
            }
            let mut sum = Exact::ZERO;
            (0..=last.min(1000))
                .map(|round| {
                    sum += by_round.get(&round).copied().unwrap_or(Exact::ZERO);
                    sum
                })
                .collect()
        })
        .collect()
}

/// Whether an entrant had Red; a team: whether it was first, with Red on the odd boards (13.3).
pub(super) fn has_red(event: &Event, encounter: &Encounter, entrant: usize) -> bool {
    let side = encounter.side_of(entrant).unwrap_or(0);
    match event.kind {
        Kind::Team => side == 0,
        Kind::Individual => encounter
            .games
            .iter()
            .find(|game| game.speed == Speed::Slow)
            .map_or(side == 0, |game| game.red == side),
    }
}

/// Pairs `round` of a Swiss stage with the lots of `seed`. The order of entrants in the file changes nothing.
pub fn next_round(event: &Event, stage: usize, round: u32, seed: u64) -> (Vec<Contestant>, Round) {
    let contestants = contestants(event, stage, round);
    let mut lots = Lots::for_purpose(seed, &format!("swiss {stage} {round}"));
    let paired = pair(&contestants, round <= 1, Limits::of(event), &mut lots);
    (contestants, paired)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contestant(id: usize, score: i64) -> Contestant {
        Contestant {
            id,
            score,
            colours: Colours::default(),
            met: BTreeSet::new(),
            had_bye: false,
            floats: Vec::new(),
        }
    }

    const LIMITS: Limits = Limits { difference: 2, run: 2 };

    // Appendix 2, item 3: the upper half meets the lower half.
    #[test]
    fn the_first_round_pairs_upper_with_lower_half() {
        for n in [8, 9, 2, 1] {
            let all: Vec<Contestant> = (0..n).map(|id| contestant(id, 0)).collect();
            let round = pair(&all, true, LIMITS, &mut Lots::new(3));
            assert_eq!(round.pairs.len(), n / 2);
            assert_eq!(round.bye.is_some(), n % 2 == 1);
            for (a, b) in round.pairs {
                assert!((a < n / 2) != (b < n / 2), "{a}-{b}");
            }
        }
    }

    // Item 4: equal scores meet; if they have met, the nearest score. Item 5: the top gives way where the bottom would
    // get stuck.
    #[test]
    fn nearest_scores_meet_and_nothing_gets_stuck() {
        let mut all: Vec<Contestant> = [6, 6, 4, 4, 2, 2]
            .iter()
            .enumerate()
            .map(|(id, score)| contestant(id, *score))
            .collect();
        for (a, b) in [(0, 1), (4, 5)] {
            all[a].met.insert(b);
            all[b].met.insert(a);
        }
        let round = pair(&all, false, LIMITS, &mut Lots::new(1));
        assert!(round.unpaired.is_empty());
        // Both sixes against fours would leave the twos, who have met.
        assert_eq!(gaps(&all, &round.pairs), [6, 2, 0]);
        // The last two have met everybody but each other and the first: 0 must come down to them.
        let mut all: Vec<Contestant> =
            [6, 6, 0, 0].iter().enumerate().map(|(id, score)| contestant(id, *score)).collect();
        for (a, b) in [(2, 3), (1, 2), (0, 3)] {
            all[a].met.insert(b);
            all[b].met.insert(a);
        }
        let round = pair(&all, false, LIMITS, &mut Lots::new(1));
        let mut pairs: Vec<(usize, usize)> =
            round.pairs.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 2), (1, 3)]);
    }

    // Item 7: not twice for one player; the lowest score.
    #[test]
    fn the_bye_goes_to_the_lowest_score_that_had_none() {
        let mut all: Vec<Contestant> =
            [4, 4, 2, 0, 0].iter().enumerate().map(|(id, score)| contestant(id, *score)).collect();
        all[3].had_bye = true;
        all[4].had_bye = true;
        let round = pair(&all, false, LIMITS, &mut Lots::new(5));
        assert_eq!(round.bye, Some(2));
        for one in &mut all {
            one.had_bye = true;
        }
        assert_eq!(pair(&all, false, LIMITS, &mut Lots::new(5)).unpaired.len(), 1);
    }

    // Item 6: colours never at the cost of the score rule; limits of colours are given up before anybody is left over.
    #[test]
    fn scores_come_before_colours() {
        let mut all: Vec<Contestant> =
            [4, 4, 2, 2].iter().enumerate().map(|(id, score)| contestant(id, *score)).collect();
        for one in &mut all[..2] {
            one.colours = Colours::of([false, true]);
        }
        for one in &mut all[2..] {
            one.colours = Colours::of([true, false]);
        }
        let round = pair(&all, false, LIMITS, &mut Lots::new(5));
        assert_eq!(gaps(&all, &round.pairs), [0, 0]);
        for one in &mut all {
            one.colours = Colours::of([false, true, true]);
        }
        let round = pair(&all, false, LIMITS, &mut Lots::new(5));
        assert!(round.unpaired.is_empty());
        assert_eq!(round.given_up, ["colour_run"]);
    }

    #[test]
    fn the_same_seed_gives_the_same_round() {
        let all: Vec<Contestant> = (0..30).map(|id| contestant(id, (id % 3) as i64)).collect();
        let round = |seed| pair(&all, false, LIMITS, &mut Lots::new(seed));
        assert_eq!(round(9), round(9));
        assert_ne!(round(9), round(10));
    }
}
