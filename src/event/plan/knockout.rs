//! The next round of a knockout: cards, a bracket, or those of equal defeats.

use std::collections::BTreeMap;

use crate::finding::Words;

use super::{
    super::{
        draw::{Card, Lots, cards},
        file::{Draw, System},
        knockout::{bracket, lives, state},
        model::Event,
        swiss::{self, Colours, Contestant, Limits},
    },
    NoPlan, Plan, Planned, PlannedRound, next, no, numbered,
};

/// Pairs those who are left for the round `wanted`, else the next.
pub(super) fn round(
    event: &Event,
    entrants: &[usize],
    wanted: Option<u32>,
    plan: &mut Plan,
) -> Result<(), NoPlan> {
    let of = &event.stages[plan.stage];
    let number = wanted.unwrap_or_else(|| next(event, plan.stage)).max(1);
    let before = state(event, plan.stage, Some(number - 1));
    if !before.unfinished.is_empty() {
        return Err(no(
            "前面还有未分胜负的对局，先补齐",
            "encounters before this round have no winner: enter them first",
        ));
    }
    let left: Vec<usize> =
        entrants.iter().copied().filter(|one| !before.out.contains_key(one)).collect();
    if left.len() < 2 {
        return Err(no("比赛已结束", "the event is over"));
    }
    let mut lots = Lots::for_purpose(plan.seed, &format!("knockout {} {number}", plan.stage));
    plan.drawn = true;
    let mut byes = Vec::new();
    let pairs = match (of.draw, of.system) {
        (Draw::Cards, _) => {
            let (pairs, bye) = by_cards(event, left, &mut lots);
            if let Some(king) = bye {
                if before.byes.get(&king).is_some_and(|times| *times > 0) {
                    plan.notes.push(Words::new(
                        format!("{}第二次抽到 K（规程未禁止）", event.name_of(king)),
                        format!(
                            "{} has drawn the king again (no rule forbids it)",
                            event.name_of(king)
                        ),
                    ));
                }
                byes.push(king);
            }
            plan.rounds.push(PlannedRound { number, pairs, byes });
            return Ok(());
        }
        (Draw::Bracket, System::DoubleElimination) => {
            by_defeats(event, plan.stage, &left, &mut byes, &mut lots)
        }
        (Draw::Bracket, _) if number == 1 => seeded(event, left, &mut byes),
        (Draw::Bracket, _) => survivors(event, plan.stage, number - 1, left, &mut byes),
    };
    // 13.4: 猜先.
    let pairs = pairs.into_iter().map(|[one, other]| match lots.below(2) {
        0 => [one, other],
        _ => [other, one],
    });
    plan.rounds.push(PlannedRound { number, pairs: numbered(pairs), byes });
    Ok(())
}

/// The cards of the amateur event: equal numbers meet, the red suit has Red, the king has a bye (R130 to R132).
fn by_cards(event: &Event, mut left: Vec<usize>, lots: &mut Lots) -> (Vec<Planned>, Option<usize>) {
    left.sort_by(|a, b| event.key_of(*a).cmp(&event.key_of(*b)));
    let deck = cards(u32::try_from(left.len()).unwrap_or(u32::MAX));
    let order = lots.shuffled(deck.len());
    let mut pairs: BTreeMap<u32, [Option<usize>; 2]> = BTreeMap::new();
    let mut king = None;
    for (entrant, at) in left.into_iter().zip(order) {
        match deck[at] {
            Card::Red(number) => pairs.entry(number).or_default()[0] = Some(entrant),
            Card::Black(number) => pairs.entry(number).or_default()[1] = Some(entrant),
            Card::King => king = Some(entrant),
        }
    }
    let planned = pairs.into_iter().filter_map(|(number, sides)| {
        Some(Planned {
            number,
            sides: [sides[0]?, sides[1]?],
            numbers: None,
            cards: Some([Card::Red(number), Card::Black(number)]),
        })
    });
    (planned.collect(), king)
}

/// Round 1 of a bracket: seeds by rating, then number and name; byes for the best up to a power of two (R058).
fn seeded(event: &Event, mut left: Vec<usize>, byes: &mut Vec<usize>) -> Vec<[usize; 2]> {
    let strength = |one: usize| {
        let (number, rating, name, id) = event.key_of(one);
        (rating, number, name, id)
    };
    left.sort_by(|a, b| strength(*a).cmp(&strength(*b)));
    let size = left.len().next_power_of_two();
    let mut pairs = Vec::new();
    for slot in bracket(size).chunks(2) {
        let sides: Vec<usize> =
            slot.iter().filter_map(|seed| left.get(seed - 1)).copied().collect();
        match sides[..] {
            [one, other] => pairs.push([one, other]),
            [one] => byes.push(one),
            _ => {}
        }
    }
    pairs
}

/// Later rounds of a bracket: winners of neighbouring encounters meet. Where the numbers of the matches and the byes are
/// entered as `pair` gives them, that is the bracket.
fn survivors(
    event: &Event,
    stage: usize,
    last: u32,
    left: Vec<usize>,
    byes: &mut Vec<usize>,
) -> Vec<[usize; 2]> {
    let of = &event.stages[stage];
    let size = of.entrants.len().next_power_of_two();
    let mut seeds = of.entrants.clone();
    let strength = |one: usize| {
        let (number, rating, name, id) = event.key_of(one);
        (rating, number, name, id)
    };
    seeds.sort_by(|a, b| strength(*a).cmp(&strength(*b)));
    let slots = bracket(size);
    let slot = |entrant: usize| {
        let seed = seeds.iter().position(|one| *one == entrant).map_or(0, |at| at + 1);
        slots.iter().position(|one| *one == seed).unwrap_or(0)
    };
    // In the bracket a winner stands where the better placed of both stood.
    let mut order: Vec<(usize, usize)> = Vec::new();
    for entrant in left {
        let with = of.encounters.iter().find(|one| {
            one.round == Some(last) && one.places.is_none() && one.side_of(entrant).is_some()
        });
        let at = with.map_or(slot(entrant), |encounter| {
            encounter.entrants.into_iter().flatten().map(&slot).min().unwrap_or(0)
        });
        order.push((at, entrant));
    }
    order.sort_unstable();
    let mut pairs = Vec::new();
    for two in order.chunks(2) {
        match two {
            [(_, one), (_, other)] => pairs.push([*one, *other]),
            [(_, one)] => byes.push(*one),
            _ => {}
        }
    }
    pairs
}

/// Double elimination: equal defeats meet, nobody twice while that is possible; the last two meet until one has two.
fn by_defeats(
    event: &Event,
    stage: usize,
    left: &[usize],
    byes: &mut Vec<usize>,
    lots: &mut Lots,
) -> Vec<[usize; 2]> {
    if let [one, other] = left {
        return vec![[*one, *other]];
    }
    let known = state(event, stage, None);
    let system = event.stages[stage].system;
    let mut ordered = left.to_vec();
    ordered.sort_by(|a, b| event.key_of(*a).cmp(&event.key_of(*b)));
    let all = |fresh: bool| -> Vec<Contestant> {
        let contestant = |one: &usize| Contestant {
            id: *one,
            score: i64::from(lives(system))
                - i64::from(known.defeats.get(one).copied().unwrap_or(0)),
            colours: Colours::default(),
            met: known
                .met
                .keys()
                .filter(|pair| fresh && pair.contains(one))
                .flatten()
                .copied()
                .filter(|other| other != one)
                .collect(),
            had_bye: fresh && known.byes.contains_key(one),
            floats: Vec::new(),
        };
        ordered.iter().map(contestant).collect()
    };
    let mut round = swiss::pair(&all(true), false, Limits::NONE, &mut lots.clone());
    if !round.unpaired.is_empty() {
        round = swiss::pair(&all(false), false, Limits::NONE, lots);
    }
    byes.extend(round.bye);
    round.pairs.into_iter().map(|(one, other)| [one, other]).collect()
}
