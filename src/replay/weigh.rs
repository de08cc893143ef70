//! Which of several explanations is the likeliest: the cost of the fault and the likelihood of the moves that it implies.
//!
//! Explanations are compared over the same cells: from the first that any of them touches to some plies behind the stop.
//! Within, each has the moves that it makes of them, with those that it adds, and the log-likelihoods of all these moves
//! are added up. The model is asked for no more positions than the bound allows; what it could not be asked about is
//! left out, the least likely first.

use std::collections::{BinaryHeap, HashMap};

use crate::board::{Move, Position};

use super::{
    likelihood::{self, NAT, Past},
    mend::{Bounds, Fault, Repair, Said, Track},
    slip,
};

/// Plies behind the stop that are weighed too.
const AHEAD: usize = 8;
/// What a move costs that the model was not asked about.
const UNASKED: i32 = 5 * NAT;
/// Explanations of each kind that are weighed at most.
const MOST: usize = 160;

/// An explanation with the log-likelihood of all that it implies, comparable within one call of [`weigh`].
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    pub(super) repair: Repair,
    /// Moves of the cells weighed, as the repair has them.
    pub(super) log: i64,
}

/// A position with the two moves before it, as far as they are known: what the model is asked about.
type Asked = (u64, Option<Move>, Option<Move>);

/// The model's answers, and how many more may be asked for.
pub(super) struct Oracle {
    known: HashMap<Asked, Vec<(Move, i32)>>,
    left: usize,
}

impl Oracle {
    /// An oracle that answers for so many positions.
    pub(super) fn new(left: usize) -> Oracle {
        Oracle { known: HashMap::new(), left }
    }

    /// The log-likelihood of `mv`; `None` where the model may not be asked any more.
    pub(super) fn log(&mut self, position: &Position, past: Past, mv: Move) -> Option<i32> {
        let logs = self.logs(position, past)?;
        Some(logs.iter().find(|(legal, _)| *legal == mv).map_or(-UNASKED, |(_, log)| *log))
    }

    /// The log-likelihoods of all moves.
    pub(super) fn logs(&mut self, position: &Position, past: Past) -> Option<&[(Move, i32)]> {
        let key = (position.key(), past.last, past.own);
        if !self.known.contains_key(&key) {
            self.left = self.left.checked_sub(1)?;
            self.known.insert(key, likelihood::log_likelihoods(position, past));
        }
        self.known.get(&key).map(Vec::as_slice)
    }
}

/// Weighs `repairs` of `track`, the likeliest first. Those that do not get as far as others are dropped.
pub(super) fn weigh(track: &Track<'_, '_>, repairs: Vec<Repair>, bounds: Bounds) -> Vec<Weighed> {
    let mut oracle = Oracle::new(bounds.weighed / 2);
    let repairs = furthest(track, repairs);
    let (omissions, others): (Vec<Repair>, Vec<Repair>) =
        repairs.into_iter().partition(|one| matches!(one.fault, Fault::Omission(_)));
    let most = (bounds.weighed / 8).clamp(8, MOST);
    let mut kept = likeliest(track, omissions, most, &mut oracle);
    kept.extend(likeliest(track, others, most, &mut oracle));
    kept.sort_by_key(|(_, guess)| *guess);
    let from = kept.iter().map(|(repair, _)| repair.at).min().unwrap_or(0);
    oracle.left += bounds.weighed / 2;
    let mut weighed: Vec<Weighed> = kept
        .into_iter()
        .filter_map(|(repair, _)| {
            let log = of_window(track, &repair, from, &mut oracle)?;
            Some(Weighed { repair, log })
        })
        .collect();
    weighed.sort_by_key(|one| std::cmp::Reverse(one.log));
    weighed
}

/// Those that explain everything up to the horizon; where none does, those that get about as far as any.
fn furthest(track: &Track<'_, '_>, mut repairs: Vec<Repair>) -> Vec<Repair> {
    /// A repair that gets so far behind the stop is not refuted by another fault there.
    const FAR: usize = 6;
    let most = repairs.iter().map(|one| one.reach).max().unwrap_or(0);
    let enough = if most >= track.horizon { most } else { most.min(track.stop() + FAR) };
    repairs.retain(|one| one.reach >= enough);
    repairs
}

/// The `most` likeliest by the moves found alone, each with its cost.
fn likeliest(
    track: &Track<'_, '_>,
    repairs: Vec<Repair>,
    most: usize,
    oracle: &mut Oracle,
) -> Vec<(Repair, i64)> {
    let mut guessed: Vec<(Repair, i64)> = repairs
        .into_iter()
        .map(|repair| {
            let guess = repair.cost + first_cost(track, &repair, oracle);
            (repair, guess)
        })
        .collect();
    guessed.sort_by_key(|(_, guess)| *guess);
    // The later moves of longer fillings, as far as the bound goes: the others stay where the first move alone puts them.
    // Every move costs something: of what costs more already than so many others nothing is asked any more.
    let mut best = BinaryHeap::new();
    let mut asked = 0;
    for (repair, guess) in &mut guessed {
        if best.len() == most && best.peek().is_some_and(|worst| *guess >= *worst) {
            break;
        }
        *guess += later_cost(track, repair, oracle);
        best.push(*guess);
        if best.len() > most {
            best.pop();
        }
        asked += 1;
    }
    guessed.truncate(asked);
    guessed.sort_by_key(|(_, guess)| *guess);
    guessed.truncate(most);
    guessed
}

fn first_cost(track: &Track<'_, '_>, repair: &Repair, oracle: &mut Oracle) -> i64 {
    let Some(first) = repair.moves.first() else { return 0 };
    let log = oracle.log(&track.positions[repair.at], track.past_at(repair.at), *first);
    i64::from(-log.unwrap_or(-UNASKED))
}

fn later_cost(track: &Track<'_, '_>, repair: &Repair, oracle: &mut Oracle) -> i64 {
    let Some((first, later)) = repair.moves.split_first() else { return 0 };
    let mut position = track.positions[repair.at].clone();
    let mut past = track.past_at(repair.at).after(*first);
    position.play(*first);
    let mut cost = 0;
    for mv in later {
        cost -= i64::from(oracle.log(&position, past, *mv).unwrap_or(-UNASKED));
        position.play(*mv);
        past = past.after(*mv);
    }
    cost
}

/// The log-likelihood of the cells from `from` to some behind the stop, as `repair` reads them, less its cost; `None` where
/// the model may not be asked any more.
fn of_window(
    track: &Track<'_, '_>,
    repair: &Repair,
    from: usize,
    oracle: &mut Oracle,
) -> Option<i64> {
    let mut log = -repair.cost;
    if repair.reach < track.horizon {
        log -= i64::from(slip::WHOLE);
    }
    for at in from..repair.at {
        let mv = track.moves[at];
        log += i64::from(oracle.log(&track.positions[at], track.past_at(at), mv)?);
    }
    let mut position = track.positions[repair.at].clone();
    let mut past = track.past_at(repair.at);
    let mut play = |mv: Move, position: &mut Position, past: &mut Past| {
        let log = oracle.log(position, *past, mv);
        position.play(mv);
        *past = past.after(mv);
        log
    };
    for mv in &repair.moves {
        log += i64::from(play(*mv, &mut position, &mut past)?);
    }
    let end = track.horizon.min(track.stop() + AHEAD).min(repair.reach);
    for cell in repair.cells(end) {
        let mv = match track.read(cell, &position) {
            Said::One(mv) => mv,
            Said::Several(moves) => moves[0],
            Said::Nothing => break,
        };
        log += i64::from(play(mv, &mut position, &mut past)?);
    }
    Some(log)
}
