//! What missing results leave open: the best and the worst place that everybody can still have.

use crate::rules::{DrawnGame, Exact};

use super::{
    file::{Kind, Speed, System},
    mark::Mark,
    model::{Encounter, Game},
    ranking::rank,
    table::Table,
};

/// Up to so many ways to fill the missing games each is played through; beyond, points alone are compared.
pub const COMPLETIONS: u64 = 6561;

/// The most encounters that are scored over all those ways: large events have fewer.
const WORK: u64 = 1_000_000;

/// What is still open about one entrant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The entrant.
    pub entrant: usize,
    /// The best place that it can have.
    pub best: u32,
    /// The worst place that it can have, the last of those that it shares.
    pub worst: u32,
    /// The least and the most points.
    pub points: (Exact, Exact),
    /// Whether every way to fill the missing games was played through with all tie-breaks; else the places are
    /// compared by points alone: they hold, but may be wider than need be.
    pub exact: bool,
}

/// The bounds of every entrant, in the order of the table's lines; none where no result is missing or where results do
/// not add up to places (knockout).
pub fn bounds(table: &Table<'_>) -> Vec<Bound> {
    let stage = &table.event.stages[table.stage];
    if stage.system.is_knockout() {
        return Vec::new();
    }
    let to_come = rounds_to_come(table);
    if table.is_complete() && to_come.iter().all(|rounds| *rounds == 0) {
        return Vec::new();
    }
    let open = open_games(table);
    let ways = if table.event.rules.drawn_game == DrawnGame::BlackWins { 2_u64 } else { 3 };
    let count = u32::try_from(open.len()).ok().and_then(|n| ways.checked_pow(n));
    let encounters = table.encounters.len() as u64;
    let is_small = |count: &u64| *count <= COMPLETIONS && count.saturating_mul(encounters) <= WORK;
    match count.filter(is_small) {
        Some(count) if to_come.iter().all(|rounds| *rounds == 0) => {
            by_completion(table, &open, ways, count)
        }
        _ => by_points(table, &to_come),
    }
}

/// How many rounds without a known opponent each entrant has before it or behind it.
fn rounds_to_come(table: &Table<'_>) -> Vec<u32> {
    let stage = &table.event.stages[table.stage];
    // Everybody plays in every round: where a table stands after a round, an entrant with fewer encounters lacks some.
    let planned = match (stage.system, table.after_round) {
        (System::Swiss | System::RoundRobin, Some(last)) => last,
        (System::Swiss, None) => stage.rounds.unwrap_or(0),
        _ => 0,
    };
    let known = |line: &super::table::Line| u32::try_from(line.meetings.len()).unwrap_or(u32::MAX);
    let gone = |line: &super::table::Line| line.withdrawn.is_some();
    table
        .lines
        .iter()
        .map(|line| if gone(line) { 0 } else { planned.saturating_sub(known(line)) })
        .collect()
}

/// A game without result: its encounter, and its index there; an index past the games is a board not in the table.
type Open = (usize, usize);

fn open_games(table: &Table<'_>) -> Vec<Open> {
    let mut open = Vec::new();
    for (index, (encounter, score)) in table.encounters.iter().zip(&table.scores).enumerate() {
        if score.open == 0 {
            // A drawn match whose rapid games are missing: whoever wins one.
            if !score.decided && score.counts && table.event.kind == Kind::Team {
                open.push((index, usize::MAX));
            }
            continue;
        }
        let known = encounter.games.iter().enumerate();
        let marked = known.filter(|(_, game)| game.mark == Mark::Open && game.speed == Speed::Slow);
        let before = open.len();
        open.extend(marked.map(|(game, _)| (index, game)));
        let marked = open.len() - before;
        for missing in marked..score.open as usize {
            open.push((index, encounter.games.len() + missing - marked));
        }
    }
    open
}

fn by_completion(table: &Table<'_>, open: &[Open], ways: u64, count: u64) -> Vec<Bound> {
    let entrants: Vec<usize> = table.lines.iter().map(|line| line.entrant).collect();
    let mut found: Vec<Bound> = table
        .lines
        .iter()
        .map(|line| Bound {
            entrant: line.entrant,
            best: u32::MAX,
            worst: 0,
            points: (line.least, line.most),
            exact: true,
        })
        .collect();
    for number in 0..count {
        let encounters = completed(table, open, ways, number);
        let filled = Table::of(table.event, table.stage, table.after_round, encounters, &entrants);
        for row in rank(&filled) {
            if let Some(bound) = found.iter_mut().find(|bound| bound.entrant == row.entrant) {
                bound.best = bound.best.min(row.place);
                bound.worst = bound.worst.max(row.place + row.shared.saturating_sub(1));
            }
        }
    }
    found.retain(|bound| bound.worst > 0);
    found
}

/// The encounters with the `number`th way to fill the open games.
fn completed(table: &Table<'_>, open: &[Open], ways: u64, mut number: u64) -> Vec<Encounter> {
    let mut encounters = table.encounters.clone();
    for (index, at) in open {
        let mark = [Mark::RedWins, Mark::BlackWins, Mark::Draw][(number % ways) as usize];
        number /= ways;
        let encounter = &mut encounters[*index];
        match encounter.games.get_mut(*at) {
            Some(game) => game.mark = mark,
            None => {
                let last = encounter.slow().map(|game| game.board).max().unwrap_or(0);
                // A drawn rapid game ends as two of them would: the rule decides.
                let speed = if *at == usize::MAX { Speed::Rapid } else { Speed::Slow };
                let twice = if speed == Speed::Rapid && mark == Mark::Draw { 2 } else { 1 };
                for _ in 0..twice {
                    encounter.games.push(Game {
                        board: last.saturating_add(1),
                        board_given: false,
                        red: 0,
                        players: [None; 2],
                        mark,
                        speed,
                        record: None,
                        origin: None,
                    });
                }
            }
        }
    }
    encounters
}

fn by_points(table: &Table<'_>, to_come: &[u32]) -> Vec<Bound> {
    let rules = &table.event.rules;
    let (win, loss) = match table.event.kind {
        Kind::Individual => (rules.win, rules.loss),
        Kind::Team => (rules.match_win, rules.match_loss),
    };
    let ranges: Vec<(Exact, Exact)> = table
        .lines
        .iter()
        .zip(to_come)
        .map(|(line, rounds)| {
            let rounds = Exact::from(*rounds);
            (line.least + loss * rounds, line.most + win * rounds)
        })
        .collect();
    let mut least: Vec<Exact> = ranges.iter().map(|range| range.0).collect();
    let mut most: Vec<Exact> = ranges.iter().map(|range| range.1).collect();
    least.sort();
    most.sort();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    table
        .lines
        .iter()
        .zip(&ranges)
        .map(|(line, range)| Bound {
            entrant: line.entrant,
            best: count(1 + least.len() - least.partition_point(|points| *points <= range.1)),
            worst: count(most.len() - most.partition_point(|points| *points < range.0)),
            points: *range,
            exact: false,
        })
        .collect()
}
