//! Knockout (淘汰制; 11.1, the amateur event): who has won an encounter, who is out, brackets and places.

use std::collections::BTreeMap;

use crate::rules::Exact;

use super::{
    file::{Kind, System},
    model::{Encounter, Event},
    ranking::{Rank, Ranking},
    table::Table,
};

/// How an encounter of a knockout stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// A side has won it.
    Won(usize),
    /// Games are still to be played.
    Unfinished,
    /// All games are played and level: an extra game or a lot must decide.
    Level,
    /// Neither side appeared.
    Nobody,
}

/// How `encounter` stands. Of a best of so many, who has won more than half of the games has won; after the last one
/// who has won more. Of a match of several games, who has more points. Then rapid games, then decisions of the file.
pub(super) fn standing(event: &Event, stage: usize, encounter: &Encounter) -> Standing {
    if encounter.is_bye() {
        return Standing::Won(0);
    }
    let decided = event.decisions.iter().find(|one| {
        one.stage.is_none_or(|other| other == stage)
            && (one.round.is_some() && one.round == encounter.round)
            && one.order.first().is_some_and(|first| encounter.side_of(*first).is_some())
    });
    let of = &event.stages[stage];
    let score = event.scale(stage).score(encounter);
    if event.kind == Kind::Team {
        return match (score.winner, score.decided) {
            (Some(side), _) => Standing::Won(side),
            (None, false) => Standing::Unfinished,
            (None, true) => by_decision(decided, encounter),
        };
    }
    let mut wins = [0_u32; 2];
    let mut known = 0;
    for game in encounter.slow() {
        if let Some(colour) = game.mark.winner(&event.rules) {
            wins[if colour == 0 { game.red } else { 1 - game.red }] += 1;
        }
        known += u32::from(game.mark.points(&event.rules).is_some());
    }
    let all_absent = !encounter.games.is_empty()
        && encounter.games.iter().all(|game| game.mark == super::mark::Mark::BothForfeit);
    if all_absent && decided.is_none() {
        return Standing::Nobody;
    }
    let planned = of.best_of.unwrap_or(of.games);
    if let Some(best_of) = of.best_of {
        if let Some(side) = (0..2).find(|side| 2 * wins[*side] > best_of) {
            return Standing::Won(side);
        }
    } else if let [game] = &encounter.games[..]
        && game.mark.is_forfeit()
    {
        // Who does not come forfeits the whole match.
        return (0..2).find(|side| wins[*side] > 0).map_or(Standing::Nobody, Standing::Won);
    }
    if known < planned {
        return Standing::Unfinished;
    }
    match score.winner.or_else(|| (0..2).find(|side| wins[*side] > wins[1 - side])) {
        Some(side) => Standing::Won(side),
        None => by_decision(decided, encounter),
    }
}

fn by_decision(decided: Option<&super::model::Decided>, encounter: &Encounter) -> Standing {
    let first = decided.and_then(|one| encounter.side_of(*one.order.first()?));
    first.map_or(Standing::Level, Standing::Won)
}

/// How many defeats put an entrant out of a knockout.
pub(super) fn lives(system: System) -> u32 {
    if system == System::DoubleElimination { 2 } else { 1 }
}

/// What a knockout has come to for each entrant.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct State {
    /// Defeats in encounters that count for the title.
    pub(super) defeats: BTreeMap<usize, u32>,
    /// The round in which an entrant went out.
    pub(super) out: BTreeMap<usize, u32>,
    /// The last round of which anything is known.
    pub(super) last_round: u32,
    /// Encounters without a winner: their indices.
    pub(super) unfinished: Vec<usize>,
    /// How many byes each has had.
    pub(super) byes: BTreeMap<usize, u32>,
    /// Everybody met, as sorted pairs.
    pub(super) met: BTreeMap<[usize; 2], u32>,
}

/// The state of a knockout stage after all its encounters up to `last` (all, if `None`).
pub(super) fn state(event: &Event, stage: usize, last: Option<u32>) -> State {
    let of = &event.stages[stage];
    let mut state = State::default();
    let mut order: Vec<usize> = (0..of.encounters.len())
        .filter(|index| last.is_none_or(|last| of.encounters[*index].round.unwrap_or(0) <= last))
        .collect();
    order.sort_by_key(|index| of.encounters[*index].round.unwrap_or(0));
    for index in order {
        let encounter = &of.encounters[index];
        let round = encounter.round.unwrap_or(0);
        state.last_round = state.last_round.max(round);
        let Some(mut pair) = encounter.pair() else {
            *state.byes.entry(encounter.entrants[0].unwrap_or(0)).or_default() += 1;
            continue;
        };
        let sides = pair;
        pair.sort_unstable();
        *state.met.entry(pair).or_default() += 1;
        if encounter.places.is_some() {
            continue;
        }
        let losers: &[usize] = match standing(event, stage, encounter) {
            Standing::Won(side) => &[sides[1 - side]],
            Standing::Nobody => &sides,
            Standing::Unfinished | Standing::Level => {
                state.unfinished.push(index);
                continue;
            }
        };
        for loser in losers {
            let defeats = state.defeats.entry(*loser).or_default();
            *defeats += 1;
            if *defeats >= lives(of.system) {
                state.out.entry(*loser).or_insert(round);
            }
        }
    }
    // Who has withdrawn is out from the next round on (20.4 in spirit: what was played stands).
    for withdrawal in &event.withdrawals {
        if withdrawal.stage.is_none_or(|other| other == stage) {
            state.out.entry(withdrawal.entrant).or_insert(withdrawal.after_round);
        }
    }
    state
}

/// The places of a knockout: who is left first, then those who went out in the last round, and so on; who went out in
/// one round shares the places, unless an encounter for places or a decision separates them.
pub(super) fn rank(table: &Table<'_>) -> Ranking {
    let (event, stage) = (table.event, table.stage);
    let state = state(event, stage, table.after_round);
    let of = &event.stages[stage];
    let mut groups: BTreeMap<(std::cmp::Reverse<u32>, u32), Vec<usize>> = BTreeMap::new();
    for entrant in &of.entrants {
        let out = state.out.get(entrant).copied();
        let defeats = state.defeats.get(entrant).copied().unwrap_or(0);
        // While the event is on, who has fewer defeats stands in front.
        let key = match out {
            None => (std::cmp::Reverse(u32::MAX), defeats),
            Some(round) => (std::cmp::Reverse(round), 0),
        };
        groups.entry(key).or_default().push(*entrant);
    }
    let mut ranking: Ranking = Vec::new();
    for (_, mut group) in groups {
        group.sort_by(|a, b| event.key_of(*a).cmp(&event.key_of(*b)));
        for part in by_places(event, stage, group) {
            let place = u32::try_from(ranking.len() + 1).unwrap_or(u32::MAX);
            if let Some(last) = ranking.last_mut() {
                last.decided_by.get_or_insert("淘汰");
            }
            for entrant in &part {
                let line = table.lines.iter().find(|line| line.entrant == *entrant);
                ranking.push(Rank {
                    place,
                    shared: u32::try_from(part.len()).unwrap_or(u32::MAX),
                    entrant: *entrant,
                    points: line.map_or(Exact::ZERO, |line| line.match_wins.into()),
                    tie_breaks: Vec::new(),
                    decided_by: None,
                });
            }
        }
    }
    ranking
}

/// Splits those who went out together by encounters for places.
fn by_places(event: &Event, stage: usize, group: Vec<usize>) -> Vec<Vec<usize>> {
    let mut parts: Vec<(u32, Vec<usize>)> = Vec::new();
    let mut rest = group;
    for encounter in &event.stages[stage].encounters {
        let (Some(places), Some(pair)) = (encounter.places, encounter.pair()) else { continue };
        if !pair.iter().all(|entrant| rest.contains(entrant)) {
            continue;
        }
        if let Standing::Won(side) = standing(event, stage, encounter) {
            rest.retain(|entrant| !pair.contains(entrant));
            parts.push((places, vec![pair[side]]));
            parts.push((places.saturating_add(1), vec![pair[1 - side]]));
        }
    }
    parts.sort();
    let mut parts: Vec<Vec<usize>> = parts.into_iter().map(|(_, part)| part).collect();
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

/// Seeds in the order of a bracket for `size` (a power of two) places: 1 meets the last, and the first two seeds can
/// meet only in the final.
///
/// ```
/// use qijian::event::bracket;
/// assert_eq!(bracket(8), [1, 8, 4, 5, 2, 7, 3, 6]);
/// ```
pub fn bracket(size: usize) -> Vec<usize> {
    let mut seeds = vec![1];
    while seeds.len() < size {
        let sum = 2 * seeds.len() + 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    seeds
}
