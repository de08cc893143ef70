//! The table of a stage: what every entrant has, withdrawals applied (articles 14, 20, 21.4).

use std::collections::BTreeMap;

use crate::rules::Exact;

use super::{
    file::{Kind, PenaltyKind, Speed, System},
    mark::Mark,
    model::{Encounter, Event, Game},
    score::{Scale, Score},
};

/// How an encounter ended for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Won.
    Won,
    /// Drawn.
    Drawn,
    /// Lost.
    Lost,
    /// Not known.
    Open,
}

/// One encounter as one entrant sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The index in [`Table::encounters`].
    pub encounter: usize,
    /// The round.
    pub round: Option<u32>,
    /// The line of the opponent; `None` for a bye.
    pub opponent: Option<usize>,
    /// How it ended.
    pub outcome: Outcome,
    /// The points for the ranking.
    pub points: Exact,
    /// 局分
    pub game_points: Exact,
    /// Whether it was played over the board.
    pub played: bool,
    /// Whether the entrant had Red, or was listed first.
    pub first: bool,
}

/// What one entrant has.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Line {
    /// The entrant.
    pub entrant: usize,
    /// 积分 or 场分, as far as it is certain.
    pub points: Exact,
    /// The least that it can become.
    pub least: Exact,
    /// The most that it can become.
    pub most: Exact,
    /// 总局分
    pub game_points: Exact,
    /// 慢棋场分
    pub slow_match_points: Exact,
    /// 胜局: games won.
    pub wins: u32,
    /// 胜场: encounters won.
    pub match_wins: u32,
    /// 慢棋胜场
    pub slow_match_wins: u32,
    /// 后手胜
    pub black_wins: u32,
    /// 后手局
    pub black_games: u32,
    /// Encounters won, drawn, lost.
    pub record: [u32; 3],
    /// 犯规 in all games, and in slow ones.
    pub fouls: [u32; 2],
    /// Exclusions and warnings (18.1, 18.2), the graver first.
    pub sanctions: [u32; 2],
    /// Its encounters, in the order of the rounds.
    pub meetings: Vec<Meeting>,
    /// Whether the entrant has withdrawn, and whether the results are erased for it (20.3).
    pub withdrawn: Option<bool>,
}

/// The table of a stage.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    /// The event.
    pub event: &'a Event,
    /// The stage, by index.
    pub stage: usize,
    /// The encounters that count, with what withdrawals supply or erase.
    pub encounters: Vec<Encounter>,
    /// Their worth.
    pub scores: Vec<Score>,
    /// A line for each entrant, in the stage's order.
    pub lines: Vec<Line>,
    /// The round after which it stands; `None` for the whole.
    pub after_round: Option<u32>,
}

impl<'a> Table<'a> {
    /// The table of a stage after `after_round`, or as far as there are results.
    pub fn new(event: &'a Event, stage: usize, after_round: Option<u32>) -> Table<'a> {
        let entrants = &event.stages[stage].entrants;
        let effective = effective(event, stage, after_round);
        Table::of(event, stage, after_round, effective, entrants)
    }

    /// The table of `encounters` among `entrants`.
    pub(super) fn of(
        event: &'a Event,
        stage: usize,
        after_round: Option<u32>,
        encounters: Vec<Encounter>,
        entrants: &[usize],
    ) -> Table<'a> {
        let scale = event.scale(stage);
        let scores: Vec<Score> = encounters.iter().map(|one| scale.score(one)).collect();
        let mut lines: Vec<Line> =
            entrants.iter().map(|entrant| Line { entrant: *entrant, ..Line::default() }).collect();
        let line_of: BTreeMap<usize, usize> =
            entrants.iter().enumerate().map(|(line, entrant)| (*entrant, line)).collect();
        for (index, (encounter, score)) in encounters.iter().zip(&scores).enumerate() {
            for side in 0..2 {
                let line = encounter.entrants[side].and_then(|entrant| line_of.get(&entrant));
                let opponent = encounter.entrants[1 - side].and_then(|other| line_of.get(&other));
                if let Some(line) = line.filter(|_| score.counts) {
                    add(&mut lines[*line], index, encounter, score, side, opponent.copied());
                }
            }
        }
        for line in &mut lines {
            line.meetings
                .sort_by_key(|meeting| (meeting.round.unwrap_or(u32::MAX), meeting.encounter));
        }
        let mut table = Table { event, stage, encounters, scores, lines, after_round };
        table.penalties(&line_of);
        table.mark_withdrawn();
        table
    }

    fn penalties(&mut self, line_of: &BTreeMap<usize, usize>) {
        for penalty in &self.event.penalties {
            let here = penalty.stage.is_none_or(|stage| stage == self.stage);
            let in_time = match (penalty.round, self.after_round) {
                (Some(round), Some(last)) => round <= last,
                _ => true,
            };
            let Some(line) = line_of.get(&penalty.entrant).filter(|_| here && in_time) else {
                continue;
            };
            let line = &mut self.lines[*line];
            match penalty.kind {
                PenaltyKind::Foul => {
                    line.fouls[0] += penalty.count;
                    line.fouls[1] += if penalty.speed == Speed::Slow { penalty.count } else { 0 };
                }
                PenaltyKind::Exclusion | PenaltyKind::Expulsion => {
                    line.sanctions[0] += penalty.count
                }
                PenaltyKind::Warning => line.sanctions[1] += penalty.count,
            }
        }
    }

    fn mark_withdrawn(&mut self) {
        for line in &mut self.lines {
            if let Some(withdrawal) = self.event.withdrawal(self.stage, line.entrant)
                && self.after_round.is_none_or(|last| withdrawal.after_round <= last)
            {
                let erased = is_erased(self.event, self.stage, line.entrant);
                line.withdrawn = Some(erased);
            }
        }
    }

    /// Whether a result or an encounter is missing.
    pub fn is_complete(&self) -> bool {
        self.lines.iter().all(|line| line.least == line.most)
    }
}

fn add(
    line: &mut Line,
    index: usize,
    encounter: &Encounter,
    score: &Score,
    side: usize,
    opponent: Option<usize>,
) {
    line.points += score.points[side];
    line.least += score.range[side].0;
    line.most += score.range[side].1;
    line.game_points += score.game_points[side];
    line.slow_match_points += score.slow_match_points[side];
    line.wins += score.wins[side];
    line.black_wins += score.black_wins[side];
    line.black_games += score.black_games[side];
    line.match_wins += u32::from(score.winner == Some(side));
    line.slow_match_wins += u32::from(score.slow_winner == Some(side));
    let outcome = match score.winner {
        Some(winner) if winner == side => Outcome::Won,
        Some(_) => Outcome::Lost,
        None if !score.decided => Outcome::Open,
        // Both were absent or punished: nobody has drawn.
        None if encounter
            .games
            .iter()
            .all(|game| matches!(game.mark, Mark::BothForfeit | Mark::BothLose))
            && !encounter.games.is_empty() =>
        {
            Outcome::Lost
        }
        None => Outcome::Drawn,
    };
    match outcome {
        Outcome::Won => line.record[0] += 1,
        Outcome::Drawn => line.record[1] += 1,
        Outcome::Lost => line.record[2] += 1,
        Outcome::Open => {}
    }
    line.meetings.push(Meeting {
        encounter: index,
        round: encounter.round,
        opponent,
        outcome,
        points: score.points[side],
        game_points: score.game_points[side],
        played: score.played,
        first: encounter.games.first().map_or(side == 0, |game| game.red == side),
    });
}

impl Event {
    /// How encounters of a stage are scored.
    pub fn scale(&self, stage: usize) -> Scale<'_> {
        let stage = &self.stages[stage];
        let games = match self.kind {
            // Everybody of the one team against everybody of the other (12.4).
            Kind::Team if stage.system == System::AllPlayAll => {
                let sizes =
                    stage.entrants.iter().take(2).map(|team| self.teams[*team].roster.len());
                let product = sizes.reduce(usize::saturating_mul).unwrap_or(0);
                u32::try_from(product.min(100_000)).unwrap_or(0)
            }
            Kind::Team => self.boards,
            // A match of best of so many has no fixed number of games.
            Kind::Individual if stage.best_of.is_some() || stage.system.is_knockout() => 0,
            Kind::Individual => stage.games,
        };
        Scale { rules: &self.rules, kind: self.kind, games }
    }
}

/// Whether the withdrawal of `entrant` erases its results: in a round robin, fewer than half of the opponents met
/// (20.3); exactly half counts as half.
pub(super) fn is_erased(event: &Event, stage: usize, entrant: usize) -> bool {
    let Some(withdrawal) = event.withdrawal(stage, entrant) else { return false };
    let of = &event.stages[stage];
    if of.system != System::RoundRobin || withdrawal.after_round == 0 {
        return false;
    }
    let others = present(event, stage).filter(|other| *other != entrant).count();
    let scale = event.scale(stage);
    let met = of.encounters.iter().filter(|one| {
        let in_time = one.round.is_none_or(|round| round <= withdrawal.after_round);
        in_time && one.side_of(entrant).is_some() && !one.is_bye() && scale.score(one).played
    });
    2 * met.count() < others * of.cycles as usize
}

/// The entrants of a stage that did not withdraw before it began (20.2).
pub(super) fn present(event: &Event, stage: usize) -> impl Iterator<Item = usize> + '_ {
    event.stages[stage].entrants.iter().copied().filter(move |entrant| {
        event.withdrawal(stage, *entrant).is_none_or(|withdrawal| withdrawal.after_round > 0)
    })
}

/// The encounters that count: with what withdrawals erase or supply, with those of a round robin that are still to
/// come, and with those carried from earlier stages.
fn effective(event: &Event, stage: usize, after_round: Option<u32>) -> Vec<Encounter> {
    let of = &event.stages[stage];
    let within = |one: &&Encounter| match (after_round, one.round) {
        (Some(last), Some(round)) => round <= last,
        (Some(_), None) => false,
        (None, _) => true,
    };
    let mut encounters: Vec<Encounter> = of.encounters.iter().filter(within).cloned().collect();
    if of.carry {
        let members: std::collections::BTreeSet<usize> = of.entrants.iter().copied().collect();
        let mut from: Vec<usize> = of.qualifiers.iter().map(|(from, _)| *from).collect();
        from.sort_unstable();
        from.dedup();
        let carried = from.iter().flat_map(|from| &event.stages[*from].encounters).filter(|one| {
            one.pair().is_some_and(|pair| pair.iter().all(|entrant| members.contains(entrant)))
        });
        encounters.extend(carried.cloned());
    }
    if of.system == System::RoundRobin && after_round.is_none() {
        encounters.extend(to_come(event, stage, &encounters));
    }
    for encounter in &mut encounters {
        withdraw(event, stage, encounter);
    }
    encounters
}

/// The encounters of a round robin that are not among `known`, without a result.
fn to_come(event: &Event, stage: usize, known: &[Encounter]) -> Vec<Encounter> {
    let of = &event.stages[stage];
    let entrants: Vec<usize> = present(event, stage).collect();
    // Past this many nobody plays a round robin, and the pairs would take more memory than the file.
    if entrants.len() > 300 {
        return Vec::new();
    }
    let mut met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    for encounter in known {
        if let Some(mut pair) = encounter.pair() {
            pair.sort_unstable();
            *met.entry(pair).or_default() += 1;
        }
    }
    let mut missing = Vec::new();
    for (index, one) in entrants.iter().enumerate() {
        for other in &entrants[index + 1..] {
            let mut pair = [*one, *other];
            pair.sort_unstable();
            let known = met.get(&pair).copied().unwrap_or(0);
            for _ in known..of.cycles {
                missing.push(Encounter {
                    round: None,
                    number: None,
                    entrants: [Some(*one), Some(*other)],
                    home_given: false,
                    places: None,
                    games: Vec::new(),
                    origin: None,
                });
            }
        }
    }
    missing
}

/// What withdrawals make of an encounter: erased, or won by the opponent (20.3, 20.4).
fn withdraw(event: &Event, stage: usize, encounter: &mut Encounter) {
    let Some(pair) = encounter.pair() else { return };
    let gone: Vec<bool> =
        pair.iter().map(|entrant| event.withdrawal(stage, *entrant).is_some()).collect();
    if gone == [false, false] {
        return;
    }
    if pair.iter().any(|entrant| is_erased(event, stage, *entrant)) {
        encounter.games = vec![supplied(Mark::Void)];
    } else if encounter.games.iter().all(|game| game.mark == Mark::Open) {
        let mark = match gone[..] {
            [true, true] => Mark::BothForfeit,
            [true, false] => Mark::BlackByForfeit,
            _ => Mark::RedByForfeit,
        };
        encounter.games = vec![supplied(mark)];
    }
}

/// A game that a rule supplies, the first entrant with Red.
fn supplied(mark: Mark) -> Game {
    Game {
        board: 1,
        board_given: false,
        red: 0,
        players: [None; 2],
        mark,
        speed: Speed::Slow,
        record: None,
        origin: None,
    }
}
