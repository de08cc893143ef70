//! Places: points, sanctions, tie-breaks one after the other, decisions, and what remains is shared (article 15, 18.4).

use std::cmp::Ordering;

use crate::rules::{Exact, SharedPlaces};

use super::{
    file::{Kind, TeamTable},
    model::{Decided, Event},
    table::Table,
    tie_break::Criterion,
};

/// One row of a ranking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rank {
    /// The place, from 1; those who share it have the same.
    pub place: u32,
    /// How many share it.
    pub shared: u32,
    /// The entrant; a team in a table of teams of an individual event.
    pub entrant: usize,
    /// 积分, 场分, or the sum of places.
    pub points: Exact,
    /// The criteria with their values, in order; `None` where one does not apply.
    pub tie_breaks: Vec<(Criterion, Option<Exact>)>,
    /// What put it in front of the next row: a criterion, 积分 or 场分, 处分, 加赛, 抽签; `None` where nothing did.
    pub decided_by: Option<&'static str>,
}

/// A ranking, the best first.
pub type Ranking = Vec<Rank>;

/// The ranking of a table. Entrants in a row that share a place stand in the order of their numbers, ratings and names.
pub fn rank(table: &Table<'_>) -> Ranking {
    let event = table.event;
    let criteria = &event.stages[table.stage].criteria;
    let values = |line: usize, group: &[usize]| -> Vec<(Criterion, Option<Exact>)> {
        criteria.iter().map(|one| (*one, table.value(*one, line, group))).collect()
    };
    let (erased, ranked): (Vec<usize>, Vec<usize>) = (0..table.lines.len())
        .filter(|line| {
            let entrant = table.lines[*line].entrant;
            event.withdrawal(table.stage, entrant).is_none_or(|one| one.after_round > 0)
        })
        .partition(|line| table.lines[*line].withdrawn == Some(true));
    let mut sorter = Sorter { key: |line: &usize| event.key_of(table.lines[*line].entrant) };
    let mut groups = vec![Group { lines: ranked, decided_by: None }];
    let points_name = match event.kind {
        Kind::Individual => "积分",
        Kind::Team => "场分",
    };
    groups = split(groups, points_name, |line, _| Some(table.lines[line].points), true);
    // What criteria inside a group of equal points compare is printed, so groups are kept as they are by points.
    let by_points: Vec<Vec<usize>> = groups.iter().map(|group| group.lines.clone()).collect();
    if event.rules.sanctions_first {
        for kind in 0..2 {
            let sanctions =
                |line: usize, _: &[usize]| Some(table.lines[line].sanctions[kind].into());
            groups = split(groups, "处分", sanctions, false);
        }
    }
    for criterion in criteria {
        let value = |line: usize, group: &[usize]| table.value(*criterion, line, group);
        groups = split(groups, criterion.as_str(), value, criterion.more_is_better());
    }
    groups = decide(event, table.stage, groups, |line| table.lines[line].entrant);
    let mut ranking = Vec::new();
    for group in groups {
        let place = count(ranking.len() + 1);
        let mut lines = group.lines;
        sorter.sort(&mut lines);
        let shared = count(lines.len());
        let last = lines.len().saturating_sub(1);
        for (index, line) in lines.iter().enumerate() {
            let level =
                by_points.iter().find(|group| group.contains(line)).map_or(&[][..], Vec::as_slice);
            ranking.push(Rank {
                place,
                shared,
                entrant: table.lines[*line].entrant,
                points: table.lines[*line].points,
                tie_breaks: values(*line, level),
                decided_by: group.decided_by.filter(|_| index == last),
            });
        }
    }
    // Those whose results are erased have no place in the competition; they stand last.
    let mut erased = erased;
    sorter.sort(&mut erased);
    let place = count(ranking.len() + 1);
    if let (Some(last), false) = (ranking.last_mut(), erased.is_empty()) {
        last.decided_by = Some("注销");
    }
    for line in &erased {
        ranking.push(Rank {
            place,
            shared: count(erased.len()),
            entrant: table.lines[*line].entrant,
            points: Exact::ZERO,
            tie_breaks: criteria.iter().map(|one| (*one, None)).collect(),
            decided_by: None,
        });
    }
    ranking
}

/// Sorts lines by the key of their entrants.
struct Sorter<F> {
    key: F,
}

impl<'k, F: Fn(&usize) -> (u32, std::cmp::Reverse<u32>, &'k str, &'k str)> Sorter<F> {
    fn sort(&mut self, lines: &mut [usize]) {
        lines.sort_by(|a, b| (self.key)(a).cmp(&(self.key)(b)));
    }
}

/// Entrants that are level so far, and what puts them before the next group.
struct Group {
    lines: Vec<usize>,
    decided_by: Option<&'static str>,
}

/// Splits every group by `value`, the better first.
fn split(
    groups: Vec<Group>,
    name: &'static str,
    value: impl Fn(usize, &[usize]) -> Option<Exact>,
    more_is_better: bool,
) -> Vec<Group> {
    let mut result = Vec::new();
    for group in groups {
        if group.lines.len() < 2 {
            result.push(group);
            continue;
        }
        let mut valued: Vec<(Option<Exact>, usize)> =
            group.lines.iter().map(|line| (value(*line, &group.lines), *line)).collect();
        let better = |a: &Option<Exact>, b: &Option<Exact>| match more_is_better {
            true => b.cmp(a),
            false => a.cmp(b),
        };
        valued.sort_by(|(a, _), (b, _)| better(a, b));
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut last: Option<Option<Exact>> = None;
        for (value, line) in valued {
            match parts.last_mut().filter(|_| last == Some(value)) {
                Some(part) => part.push(line),
                None => parts.push(vec![line]),
            }
            last = Some(value);
        }
        let ends = parts.len() - 1;
        for (index, lines) in parts.into_iter().enumerate() {
            let decided_by = if index == ends { group.decided_by } else { Some(name) };
            result.push(Group { lines, decided_by });
        }
    }
    result
}

/// Splits groups by what play-offs and lots have decided: those named in the order named, before those not named.
fn decide(
    event: &Event,
    stage: usize,
    mut groups: Vec<Group>,
    entrant: impl Fn(usize) -> usize,
) -> Vec<Group> {
    let here = |one: &&Decided| one.round.is_none() && one.stage.is_none_or(|other| other == stage);
    for decision in event.decisions.iter().filter(here) {
        let position = |line: usize, _: &[usize]| {
            let at = decision.order.iter().position(|one| *one == entrant(line));
            Some(Exact::from(count(at.unwrap_or(decision.order.len()))))
        };
        groups = split(groups, decision.by.as_str(), position, false);
    }
    groups
}

/// The table of teams of an individual event (12.5, 15.5): the sum of the members' places, fewest first, then the
/// best and the second-best place and fouls; or the sum of their points. A team whose members are fewer than the most
/// that a team has counts the missing ones as last.
pub fn rank_members(event: &Event, table: &Table<'_>, individual: &[Rank]) -> Ranking {
    let by_places = event.team_table != Some(TeamTable::Points);
    let place_of = |rank: &Rank| match event.rules.shared_places {
        SharedPlaces::Lowest => Exact::from(rank.place),
        SharedPlaces::Mean => Exact::from(rank.place) + Exact::from(rank.shared - 1).half(),
    };
    let last = Exact::from(count(individual.len()));
    struct Sum {
        team: usize,
        places: Vec<Exact>,
        points: Exact,
        fouls: u32,
    }
    let mut sums: Vec<Sum> = (0..event.teams.len())
        .map(|team| Sum { team, places: Vec::new(), points: Exact::ZERO, fouls: 0 })
        .collect();
    for rank in individual {
        let Some(team) = event.players[rank.entrant].team else { continue };
        sums[team].places.push(place_of(rank));
        sums[team].points += rank.points;
        let line = table.lines.iter().find(|line| line.entrant == rank.entrant);
        sums[team].fouls += line.map_or(0, |line| line.fouls[0]);
    }
    sums.retain(|sum| !sum.places.is_empty());
    let most = sums.iter().map(|sum| sum.places.len()).max().unwrap_or(0);
    for sum in &mut sums {
        sum.places.resize(most, last);
        sum.places.sort();
    }
    let criteria: Vec<Criterion> = event
        .rules
        .tie_breaks_members
        .iter()
        .filter_map(|name| Criterion::from_name(name))
        .collect();
    let value = |sum: &Sum, criterion: Criterion| match criterion {
        Criterion::BestPlace => sum.places.first().copied(),
        Criterion::SecondPlace => sum.places.get(1).copied(),
        Criterion::Fouls => Some(sum.fouls.into()),
        _ => None,
    };
    let total = |sum: &Sum| match by_places {
        true => sum.places.iter().copied().sum(),
        false => sum.points,
    };
    let all = (0..sums.len()).collect();
    let name = if by_places { "名次和" } else { "积分和" };
    let mut groups = vec![Group { lines: all, decided_by: None }];
    groups = split(groups, name, |at, _| Some(total(&sums[at])), !by_places);
    for criterion in &criteria {
        let of = |at: usize, _: &[usize]| value(&sums[at], *criterion);
        groups = split(groups, criterion.as_str(), of, criterion.more_is_better());
    }
    let mut ranking = Vec::new();
    for group in groups {
        let place = count(ranking.len() + 1);
        let mut lines = group.lines;
        lines.sort_by(|a, b| event.teams[sums[*a].team].name.cmp(&event.teams[sums[*b].team].name));
        let end = lines.len().saturating_sub(1);
        for (index, at) in lines.iter().enumerate() {
            let sum = &sums[*at];
            ranking.push(Rank {
                place,
                shared: count(lines.len()),
                entrant: sum.team,
                points: total(sum),
                tie_breaks: criteria.iter().map(|one| (*one, value(sum, *one))).collect(),
                decided_by: group.decided_by.filter(|_| index == end),
            });
        }
    }
    ranking
}

/// The order of all entrants of an event of several stages: those of the last stage first, then those who did not get
/// that far, level with those of the same place in the other groups of their stage.
pub fn rank_stages(event: &Event, rankings: &[Ranking]) -> Ranking {
    let mut ranking: Ranking = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut stage = rankings.len();
    while stage > 0 {
        // Stages next to each other with the same number of qualifiers in front of them are groups of one phase.
        let phase = event.stages[stage - 1].qualifiers.is_empty();
        let mut from = stage - 1;
        while phase && from > 0 && event.stages[from - 1].qualifiers.is_empty() {
            from -= 1;
        }
        let mut rows: Vec<Rank> = rankings[from..stage]
            .iter()
            .flatten()
            .filter(|rank| !seen.contains(&rank.entrant))
            .cloned()
            .collect();
        let groups = stage - from;
        rows.sort_by(|a, b| {
            let places = a.place.cmp(&b.place);
            match places {
                Ordering::Equal => event.key_of(a.entrant).cmp(&event.key_of(b.entrant)),
                other => other,
            }
        });
        seen.extend(rows.iter().map(|rank| rank.entrant));
        if let (Some(last), false) = (ranking.last_mut(), rows.is_empty()) {
            last.decided_by = Some("阶段");
        }
        let base = count(ranking.len());
        let places: Vec<u32> = rows.iter().map(|rank| rank.place).collect();
        for (index, mut rank) in rows.into_iter().enumerate() {
            let first = places.iter().position(|place| *place == places[index]).unwrap_or(index);
            let level = places.iter().filter(|place| **place == places[index]).count();
            rank.place = base + count(first + 1);
            rank.shared = count(level);
            if groups > 1 {
                let is_last = first + level == index + 1 && index + 1 < places.len();
                rank.decided_by = is_last.then_some("组内名次");
            }
            ranking.push(rank);
        }
        stage = from;
    }
    ranking
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
