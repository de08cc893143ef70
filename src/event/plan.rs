//! What is to be played next: order tables, Swiss rounds, brackets, cards, groups (articles 11 to 13).

mod knockout;

use std::collections::BTreeMap;

use crate::finding::Words;

use super::{
    draw::{Card, Lots},
    file::{Kind, System},
    mark::Mark,
    model::Event,
    order_table,
    ranking::rank,
    swiss,
    table::{Table, present},
    team::all_play_all,
};

/// Why there is nothing to pair.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {}", .0.zh, .0.en)]
pub struct NoPlan(pub Words);

fn no(zh: &'static str, en: &'static str) -> NoPlan {
    NoPlan(Words::new(zh, en))
}

/// A pair to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planned {
    /// The table or match, from 1.
    pub number: u32,
    /// The two, the one with Red (the first team) first: entrants, or players where teams play all against all.
    pub sides: [usize; 2],
    /// The numbers that the order table has for them.
    pub numbers: Option<[u32; 2]>,
    /// The cards drawn.
    pub cards: Option<[Card; 2]>,
}

/// A round to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedRound {
    /// The round.
    pub number: u32,
    /// The pairs.
    pub pairs: Vec<Planned>,
    /// Who has a bye.
    pub byes: Vec<usize>,
}

/// What is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The stage, by index.
    pub stage: usize,
    /// The seed of its lots.
    pub seed: u64,
    /// Whether lots were drawn at all.
    pub drawn: bool,
    /// Whether the sides are players of two teams rather than entrants.
    pub of_players: bool,
    /// Whether teams have Red on the odd boards as listed, or a match of two games changes colours.
    pub notes: Vec<Words>,
    /// The rounds.
    pub rounds: Vec<PlannedRound>,
}

/// Plans a stage: the whole order table of a round robin that has not begun, else the next round; `round` asks for one
/// round. Lots are those of `seed`.
///
/// # Errors
///
/// [`NoPlan`] says why nothing can be paired: results that are missing, or an event that is over.
pub fn plan(event: &Event, stage: usize, round: Option<u32>, seed: u64) -> Result<Plan, NoPlan> {
    let Some(of) = event.stages.get(stage) else {
        return Err(no("没有此阶段", "there is no such stage"));
    };
    let mut plan = Plan {
        stage,
        seed,
        drawn: false,
        of_players: false,
        notes: Vec::new(),
        rounds: Vec::new(),
    };
    let entrants: Vec<usize> = present(event, stage).collect();
    if entrants.len() < 2 {
        return Err(no("参赛者不足两个", "fewer than two are entered"));
    }
    match of.system {
        System::RoundRobin => round_robin(event, &entrants, round, &mut plan)?,
        System::Swiss => swiss_round(event, round, &mut plan)?,
        System::Knockout | System::DoubleElimination => {
            knockout::round(event, &entrants, round, &mut plan)?
        }
        System::AllPlayAll => teams(event, &entrants, &mut plan)?,
    }
    if event.kind == Kind::Team && of.system != System::AllPlayAll {
        plan.notes.push(match event.rules.red_boards {
            crate::rules::RedBoards::Odd => Words::new(
                "列前的队单数台执红，双数台执黑",
                "the team listed first has Red on the odd boards, Black on the even ones",
            ),
            crate::rules::RedBoards::All => Words::new(
                "列前的为主队，各台执红",
                "the team listed first is the home side and has Red on all boards",
            ),
            crate::rules::RedBoards::Free => {
                Words::new("先后另定", "colours are settled otherwise")
            }
        });
    }
    if of.games == 2 {
        plan.notes.push(Words::new("第二局互换先后走", "colours change in the second game"));
    }
    Ok(plan)
}

/// The next round by the results: after the last in which anybody met.
fn next(event: &Event, stage: usize) -> u32 {
    let rounds = event.stages[stage].encounters.iter().filter_map(|one| one.round);
    rounds.max().unwrap_or(0).saturating_add(1)
}

/// Whether a game before `round` has no result.
fn is_open(event: &Event, stage: usize, round: u32) -> bool {
    let scale = event.scale(stage);
    event.stages[stage].encounters.iter().any(|encounter| {
        let before = encounter.round.is_none_or(|one| one < round);
        before
            && (!scale.score(encounter).decided
                || encounter.games.iter().any(|game| game.mark == Mark::Open))
    })
}

fn round_robin(
    event: &Event,
    entrants: &[usize],
    round: Option<u32>,
    plan: &mut Plan,
) -> Result<(), NoPlan> {
    let of = &event.stages[plan.stage];
    let count = u32::try_from(entrants.len()).unwrap_or(u32::MAX);
    if !order_table::SIZES.contains(&count) {
        return Err(no("参赛者过多", "too many are entered for an order table"));
    }
    let given: Vec<Option<u32>> = entrants.iter().map(|one| event.number_of(*one)).collect();
    let mut sorted: Vec<u32> = given.iter().flatten().copied().collect();
    sorted.sort_unstable();
    let mut by_number: BTreeMap<u32, usize> = BTreeMap::new();
    if sorted == (1..=count).collect::<Vec<_>>() {
        by_number.extend(entrants.iter().filter_map(|one| Some((event.number_of(*one)?, *one))));
    } else {
        // The order in which lots fall must not depend on the order of the file.
        let mut ordered = entrants.to_vec();
        ordered.sort_by(|a, b| event.key_of(*a).cmp(&event.key_of(*b)));
        let drawn = Lots::for_purpose(plan.seed, "numbers").shuffled(ordered.len());
        by_number.extend((1..).zip(drawn).map(|(number, at)| (number, ordered[at])));
        plan.drawn = true;
    }
    let total = order_table::rounds(count) * of.cycles;
    let rounds = match round {
        Some(round) if round == 0 || round > total => {
            return Err(no("没有这一轮", "the order table has no such round"));
        }
        Some(round) => round..=round,
        None => 1..=total,
    };
    for number in rounds {
        let reversed = event.rules.second_cycle_reversed;
        let mut planned = PlannedRound { number, pairs: Vec::new(), byes: Vec::new() };
        for (first, second) in order_table::cycle_pairs(count, of.cycles, number, reversed) {
            match (by_number.get(&first), by_number.get(&second)) {
                (Some(one), Some(other)) => planned.pairs.push(Planned {
                    number: u32::try_from(planned.pairs.len() + 1).unwrap_or(u32::MAX),
                    sides: [*one, *other],
                    numbers: Some([first, second]),
                    cards: None,
                }),
                (Some(one), None) | (None, Some(one)) => planned.byes.push(*one),
                (None, None) => {}
            }
        }
        plan.rounds.push(planned);
    }
    Ok(())
}

fn swiss_round(event: &Event, round: Option<u32>, plan: &mut Plan) -> Result<(), NoPlan> {
    let number = round.unwrap_or_else(|| next(event, plan.stage)).max(1);
    let of = &event.stages[plan.stage];
    if of.rounds.is_some_and(|planned| number > planned) && round.is_none() {
        return Err(no("各轮已赛完", "all rounds have been played"));
    }
    if is_open(event, plan.stage, number) {
        return Err(no(
            "前面还有没有结果的对局，先补齐",
            "games before this round have no result: enter them first",
        ));
    }
    let (contestants, paired) = swiss::next_round(event, plan.stage, number, plan.seed);
    if contestants.len() > swiss::MOST {
        return Err(no("参赛者过多，至多 1000", "more than 1000 are entered"));
    }
    plan.drawn = true;
    if !paired.given_up.is_empty() {
        plan.notes.push(Words::new(
            "无法保持先后走的限度，已放宽",
            "the limits of colours could not be kept and were given up",
        ));
    }
    if !paired.unpaired.is_empty() {
        let names: Vec<&str> = paired.unpaired.iter().map(|one| event.name_of(*one)).collect();
        plan.notes.push(Words::new(
            format!("无法编排：{}", names.join("、")),
            format!("cannot be paired: {}", names.join(", ")),
        ));
    }
    plan.rounds.push(PlannedRound {
        number,
        pairs: numbered(paired.pairs.iter().map(|(red, black)| [*red, *black])),
        byes: paired.bye.into_iter().collect(),
    });
    Ok(())
}

fn numbered(sides: impl Iterator<Item = [usize; 2]>) -> Vec<Planned> {
    (1..)
        .zip(sides)
        .map(|(number, sides)| Planned { number, sides, numbers: None, cards: None })
        .collect()
}

/// Two teams, everybody of the one against everybody of the other (12.4).
fn teams(event: &Event, entrants: &[usize], plan: &mut Plan) -> Result<(), NoPlan> {
    let (Kind::Team, [one, other]) = (event.kind, entrants) else {
        return Err(no("全队轮赛制需要两个队", "all play all needs two teams"));
    };
    let (first, second) = (&event.teams[*one].roster, &event.teams[*other].roster);
    if first.is_empty() || second.is_empty() {
        return Err(no("两队都要列出队员", "both teams need a list of players"));
    }
    plan.of_players = true;
    for (number, games) in (1..).zip(all_play_all(first.len(), second.len())) {
        let sides = games.iter().map(|(a, b, red)| match red {
            true => [first[*a], second[*b]],
            false => [second[*b], first[*a]],
        });
        plan.rounds.push(PlannedRound { number, pairs: numbered(sides), byes: Vec::new() });
    }
    plan.notes.push(Words::new(
        "先后逐台逐轮轮换（第 12.4 款未规定）",
        "colours change from board to board and round to round (12.4 is silent)",
    ));
    Ok(())
}

/// Fills stages that have no entrants yet from the places of the stages before them (11.3).
pub fn qualify(event: &mut Event) {
    for stage in 0..event.stages.len() {
        if !event.stages[stage].entrants.is_empty() || event.stages[stage].qualifiers.is_empty() {
            continue;
        }
        let mut found = Vec::new();
        for (from, place) in &event.stages[stage].qualifiers {
            let table = Table::new(event, *from, None);
            let ranking = match event.stages[*from].system.is_knockout() {
                true => super::knockout::rank(&table),
                false => rank(&table),
            };
            // A shared place does not say who qualifies.
            let row = ranking.iter().find(|row| row.place == *place && row.shared == 1);
            found.extend(row.map(|row| row.entrant));
        }
        event.stages[stage].entrants = found;
    }
}

/// Groups by snake: the strongest into the groups in turn, then back (11.3).
///
/// ```
/// use qijian::event::snake;
/// assert_eq!(snake(10, 2), [vec![0, 3, 4, 7, 8], vec![1, 2, 5, 6, 9]]);
/// ```
pub fn snake(entrants: usize, groups: usize) -> Vec<Vec<usize>> {
    let mut result = vec![Vec::new(); groups];
    for one in 0..entrants {
        if groups == 0 {
            break;
        }
        let (turn, at) = (one / groups, one % groups);
        let group = if turn % 2 == 0 { at } else { groups - 1 - at };
        result[group].push(one);
    }
    result
}

/// The players drawn for a rapid tie-break (R117): for every level match of a round without a winner, one of each team
/// by lot, among those who played slow games and no rapid game of it.
pub fn rapid_draw(event: &Event, stage: usize, round: u32, seed: u64) -> Vec<[usize; 2]> {
    let scale = event.scale(stage);
    let mut drawn = Vec::new();
    for encounter in event.stages[stage].encounters.iter().filter(|one| one.round == Some(round)) {
        let score = scale.score(encounter);
        let is_level = score.open == 0 && score.slow_winner.is_none() && score.winner.is_none();
        let (Some(pair), true) = (encounter.pair(), is_level) else { continue };
        let mut lots =
            Lots::for_purpose(seed, &format!("rapid {stage} {round} {}", event.name_of(pair[0])));
        let mut pick = |side: usize| {
            let gone: Vec<usize> = encounter.rapid().filter_map(|game| game.player(side)).collect();
            let mut free: Vec<usize> = encounter
                .slow()
                .filter_map(|game| game.player(side))
                .filter(|player| !gone.contains(player))
                .collect();
            free.sort_by(|a, b| event.players[*a].name.cmp(&event.players[*b].name));
            let at = lots.below(free.len() as u64) as usize;
            free.get(at).copied()
        };
        if let (Some(home), Some(away)) = (pick(0), pick(1)) {
            drawn.push([home, away]);
        }
    }
    drawn
}
