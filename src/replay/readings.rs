//! The search over alternative readings of ambiguous texts, over the whole rest of a line.
//!
//! All positions that some reading reaches are kept ply by ply, equal positions merged; a reading in which a later
//! written move is impossible dies. The search is exact as long as it looks at no more than [`Options::effort`]
//! positions; past that bound only the best-ranked readings are followed and the survey says that it is not complete.
//!
//! Readings are ranked by their first difference: the piece nearer the opponent first (前), then the order of the
//! target squares.

use std::{cmp::Reverse, collections::HashMap};

use serde_json::{Value, json};

use crate::{
    board::{Move, Position, Side},
    finding::{Code, Finding, Words},
    notation::{Notation, Reading},
    record::Written,
};

use super::{Options, line};

/// Positions followed side by side once the effort is spent.
const WIDTH_PAST_BOUND: usize = 64;

/// A position reached after some plies: the moves read there, best ranked first, each with the number of the state of
/// the next layer that it leads to.
type State = Vec<(Move, usize)>;

/// The readings of a line that survive it.
pub(super) struct Survey {
    /// The best-ranked readings.
    lines: Vec<Vec<Move>>,
    /// How many survive in all, saturating.
    count: u64,
    /// Whether no reading was given up at the bound.
    complete: bool,
    /// For each ply of the first reading, the share of all surviving readings that have the same move there.
    shares: Vec<f64>,
}

/// Follows every reading of `written` from `position`, until one alone is left, all are refuted, or the line ends.
pub(super) fn survey(
    position: &Position,
    written: &[Written<'_>],
    notation: Option<Notation>,
    options: &Options,
) -> Survey {
    let mut layers: Vec<Vec<State>> = Vec::new();
    let mut front: Vec<(Position, u64)> = vec![(position.clone(), 1)];
    let mut looked_at = 0;
    let mut complete = true;
    for written in written {
        let mut next: Vec<(Position, u64)> = Vec::new();
        let mut known: HashMap<u64, usize> = HashMap::new();
        let mut layer = Vec::with_capacity(front.len());
        for (position, paths) in &front {
            let mut state = State::new();
            for mv in choices(written, notation, position) {
                let mut after = position.clone();
                after.play(mv);
                let number = *known.entry(after.key()).or_insert_with(|| {
                    next.push((after, 0));
                    next.len() - 1
                });
                next[number].1 = next[number].1.saturating_add(*paths);
                state.push((mv, number));
            }
            layer.push(state);
        }
        if next.is_empty() {
            break;
        }
        looked_at += front.len();
        if looked_at > options.effort && next.len() > WIDTH_PAST_BOUND {
            complete = false;
            next.truncate(WIDTH_PAST_BOUND);
            for state in &mut layer {
                state.retain(|(_, number)| *number < WIDTH_PAST_BOUND);
            }
        }
        layers.push(layer);
        front = next;
        if matches!(front.as_slice(), [(_, 1)]) {
            break;
        }
    }
    gather(&layers, front.len(), complete, options.candidates)
}

/// The legal readings of one text, best ranked first.
fn choices(written: &Written<'_>, notation: Option<Notation>, position: &Position) -> Vec<Move> {
    match line::read(written, notation, position) {
        Reading::Move { mv, .. } => vec![mv],
        Reading::Ambiguous { mut moves, .. } => {
            moves.sort_by_key(|mv| {
                let rank = mv.from.rank();
                let advance = if position.side() == Side::Red { rank } else { 9 - rank };
                (Reverse(advance), *mv)
            });
            moves
        }
        Reading::Illegal { .. } | Reading::Unknown { .. } => Vec::new(),
    }
}

/// Counts the surviving readings and lists the best of them.
fn gather(layers: &[Vec<State>], last: usize, complete: bool, candidates: usize) -> Survey {
    // ways[i][s]: readings from state s of layer i to the last layer.
    let mut ways: Vec<Vec<u64>> = vec![Vec::new(); layers.len() + 1];
    ways[layers.len()] = vec![1; last];
    for (depth, layer) in layers.iter().enumerate().rev() {
        ways[depth] = layer
            .iter()
            .map(|state| {
                state.iter().fold(0u64, |sum, (_, next)| sum.saturating_add(ways[depth + 1][*next]))
            })
            .collect();
    }
    let lines = best_lines(layers, &ways, candidates.max(2));
    let shares = match lines.first() {
        Some(first) => shares(layers, &ways, first),
        None => Vec::new(),
    };
    Survey { lines, count: ways[0].first().copied().unwrap_or(0), complete, shares }
}

/// The first `limit` surviving readings in order of rank: a walk down the layers that keeps to states with a way on.
fn best_lines(layers: &[Vec<State>], ways: &[Vec<u64>], limit: usize) -> Vec<Vec<Move>> {
    let mut lines = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    // For each ply of `moves`, the state it left and which of its choices was taken.
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let (mut state, mut choice) = (0, 0);
    loop {
        let depth = taken.len();
        if depth == layers.len() {
            lines.push(moves.clone());
        } else if let Some((mv, next)) = layers[depth][state].get(choice) {
            if ways[depth + 1][*next] == 0 {
                choice += 1;
                continue;
            }
            moves.push(*mv);
            taken.push((state, choice));
            (state, choice) = (*next, 0);
            continue;
        }
        let Some((above, last)) = taken.pop().filter(|_| lines.len() < limit) else { return lines };
        moves.pop();
        (state, choice) = (above, last + 1);
    }
}

/// For each ply, the share of the surviving readings that have the move of `first` there.
fn shares(layers: &[Vec<State>], ways: &[Vec<u64>], first: &[Move]) -> Vec<f64> {
    let mut paths: Vec<f64> = vec![1.0];
    let mut shares = Vec::with_capacity(first.len());
    for (depth, mv) in first.iter().enumerate() {
        let mut next = vec![0.0; ways[depth + 1].len()];
        let (mut agree, mut all) = (0.0, 0.0);
        for (state, onward) in layers[depth].iter().enumerate() {
            for (other, to) in onward {
                let weight = paths[state] * ways[depth + 1][*to] as f64;
                all += weight;
                if other == mv {
                    agree += weight;
                }
                next[*to] += paths[state];
            }
        }
        shares.push(if all > 0.0 { agree / all } else { 1.0 });
        paths = next;
    }
    shares
}

impl Survey {
    /// The best-ranked reading.
    pub(super) fn first(&self) -> Vec<Move> {
        self.lines.first().cloned().unwrap_or_default()
    }

    /// How many plies the surviving readings have in common before the first difference.
    pub(super) fn parts_at(&self) -> usize {
        let Some(first) = self.lines.first() else { return 0 };
        (0..first.len())
            .find(|ply| self.shares.get(*ply).is_some_and(|share| *share < 1.0))
            .unwrap_or(0)
    }

    /// `QJ202` if several readings survive; `ply` is the number of the first ply surveyed.
    pub(super) fn finding(&self, ply: u32) -> Option<Finding> {
        if self.count < 2 && self.complete {
            return None;
        }
        let parts_at = self.parts_at();
        let score = round6(1.0 / self.count.max(1) as f64);
        let readings: Vec<Value> = self
            .lines
            .iter()
            .map(|line| {
                let moves: Vec<String> =
                    line[parts_at.min(line.len())..].iter().map(Move::to_string).collect();
                json!({ "moves": moves, "score": score })
            })
            .collect();
        let doubtful: Vec<Value> = (0u32..)
            .zip(&self.shares)
            .filter(|(_, share)| **share < 1.0)
            .map(|(index, share)| json!({ "ply": ply + index, "p": round6(*share) }))
            .collect();
        let alternatives: Vec<String> = {
            let mut moves: Vec<Move> =
                self.lines.iter().filter_map(|line| line.get(parts_at).copied()).collect();
            moves.sort_unstable();
            moves.dedup();
            moves.iter().map(Move::to_string).collect()
        };
        let list = alternatives.join("、");
        Some(
            Finding::new(
                Code::AMBIGUOUS_MOVE,
                Words::new(
                    format!("有 {} 种读法，可为 {list}；以下按第一种", self.count),
                    format!(
                        "{} readings are possible ({}); the first is followed",
                        self.count,
                        alternatives.join(", ")
                    ),
                ),
            )
            .help(Words::new("注明前后，或写出起点", "write 前 or 后, or the file"))
            .with("readings", readings)
            .with("count", self.count)
            .with("complete", self.complete)
            .with("doubtful", doubtful)
            .with("parts_at_ply", ply + parts_at as u32),
        )
    }
}

fn round6(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
