//! What a lattice of readings comes to: how many survive, the best of them, and how sure each ply is.
//!
//! The score of a reading is its probability among all that survive, by the likelihoods of its moves; the `p` of a
//! ply is the summed probability of the readings that have the same move there as the first reading.

use std::collections::BinaryHeap;

use serde_json::{Value, json};

use crate::{
    board::{Move, Position},
    finding::{Code, Finding, Words},
    notation::chinese,
};

use super::{
    likelihood::{FINE, log_sum, probability},
    readings::{Lattice, Step},
};

/// One reading of a line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) moves: Vec<Move>,
    /// Its probability among all readings that survive.
    pub(super) score: f64,
}

/// The readings of a line that survive it.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// The likeliest readings, the likeliest first.
    pub(super) lines: Vec<Line>,
    /// How many survive in all, saturating.
    pub(super) count: u64,
    /// Whether no reading was given up at the bound of the search.
    pub(super) complete: bool,
    /// For each ply the probability of the first reading's move.
    pub(super) sure: Vec<f64>,
    /// For each number of plies, in how many ways the surviving readings begin, saturating.
    pub(super) beginnings: Vec<u64>,
    /// The likeliest ways in which they begin, each as long as was asked for; its score is the probability of all readings
    /// that begin so.
    pub(super) begun: Vec<Line>,
}

/// The sums over all ways from each position to the end of the lattice.
struct Onward {
    /// How many ways, saturating.
    ways: Vec<Vec<u64>>,
    /// Log of the summed likelihoods; `None` where there is no way on.
    sum: Vec<Vec<Option<i64>>>,
    /// Log-likelihood of the likeliest way.
    best: Vec<Vec<i64>>,
}

impl Survey {
    /// Takes `lattice` together; at most `candidates` readings are listed, but the first two always, and as many beginnings
    /// of `plies` plies.
    pub(super) fn of(lattice: &Lattice, candidates: usize, plies: usize) -> Survey {
        let onward = Onward::of(lattice);
        let total = onward.sum[0].first().copied().flatten().unwrap_or(0);
        let listed = |end: usize, rest: &dyn Fn(usize, usize) -> i64, limit: usize| -> Vec<Line> {
            let found = likeliest(lattice, &onward, (end, rest), limit).into_iter();
            found.map(|(moves, log)| Line { moves, score: probability(log - total) }).collect()
        };
        let best = |depth: usize, state: usize| onward.best[depth][state] * FINE;
        let lines = listed(lattice.layers.len(), &best, candidates.max(2));
        let sum = |depth: usize, state: usize| onward.sum[depth][state].unwrap_or(i64::MIN);
        let begun = match plies <= lattice.layers.len() {
            true => listed(plies, &sum, candidates),
            false => Vec::new(),
        };
        let sure =
            lines.first().map_or_else(Vec::new, |first| sure(lattice, &onward, &first.moves));
        let count = onward.ways[0].first().copied().unwrap_or(0);
        Survey {
            lines,
            count,
            complete: lattice.complete,
            sure,
            beginnings: onward.beginnings(lattice),
            begun,
        }
    }

    /// The moves of the likeliest reading.
    pub(super) fn first(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.moves)
    }

    /// Whether one reading alone is possible.
    pub(super) fn settled(&self) -> bool {
        self.count <= 1 && self.complete
    }

    /// How many plies all listed readings have in common.
    pub(super) fn parts_at(&self) -> usize {
        let first = self.first();
        (0..first.len())
            .find(|ply| self.lines.iter().any(|line| line.moves.get(*ply) != first.get(*ply)))
            .unwrap_or(0)
    }

    /// The moves of the listed readings after `parts_at` plies, each once, the likeliest first.
    fn alternatives(&self, parts_at: usize) -> Vec<Move> {
        let mut alternatives = Vec::new();
        for mv in self.lines.iter().filter_map(|line| line.moves.get(parts_at)) {
            if !alternatives.contains(mv) {
                alternatives.push(*mv);
            }
        }
        alternatives
    }

    /// `QJ202` if several readings survive; `ply` is the number of the first ply surveyed, `start` the position before
    /// it.
    pub(super) fn finding(&self, ply: u32, start: &Position) -> Option<Finding> {
        if self.settled() || self.lines.is_empty() {
            return None;
        }
        let parts_at = self.parts_at();
        let readings: Vec<Value> = self
            .lines
            .iter()
            .map(|line| {
                let from = parts_at.min(line.moves.len());
                let moves: Vec<String> = line.moves[from..].iter().map(Move::to_string).collect();
                json!({ "moves": moves, "score": line.score })
            })
            .collect();
        let doubtful: Vec<Value> = (ply..)
            .zip(&self.sure)
            .filter(|(_, p)| **p < 1.0)
            .map(|(ply, p)| json!({ "ply": ply, "p": p }))
            .collect();
        let alternatives = self.alternatives(parts_at);
        let mut position = start.clone();
        for mv in self.first().iter().take(parts_at) {
            position.play(*mv);
        }
        let chinese: Vec<String> =
            alternatives.iter().map(|mv| chinese::write(*mv, &position)).collect();
        let iccs: Vec<String> = alternatives.iter().map(Move::to_string).collect();
        let count =
            if self.complete { self.count.to_string() } else { format!("≥ {}", self.count) };
        let words = Words::new(
            format!("有 {count} 种读法（此着可为 {}），取最可能的一种", chinese.join("、")),
            format!(
                "{count} readings are possible (here {}); the likeliest is followed",
                iccs.join(", ")
            ),
        );
        Some(
            Finding::new(Code::AMBIGUOUS_MOVE, words)
                .help(Words::new(
                    "对照原始记录，写明前后或进退平",
                    "check the original; write 前 or 后, and 进, 退 or 平",
                ))
                .with("readings", readings)
                .with("count", self.count)
                .with("complete", self.complete)
                .with("doubtful", doubtful)
                .with("parts_at_ply", ply + parts_at as u32),
        )
    }
}

impl Onward {
    fn of(lattice: &Lattice) -> Onward {
        let depth = lattice.layers.len();
        let mut onward = Onward {
            ways: vec![vec![1; lattice.last]; depth + 1],
            sum: vec![vec![Some(0); lattice.last]; depth + 1],
            best: vec![vec![0; lattice.last]; depth + 1],
        };
        for (index, layer) in lattice.layers.iter().enumerate().rev() {
            let (ways, sum, best) =
                (&onward.ways[index + 1], &onward.sum[index + 1], &onward.best[index + 1]);
            let count = |steps: &Vec<Step>| {
                steps.iter().fold(0u64, |all, step| all.saturating_add(ways[step.next]))
            };
            let total = |steps: &Vec<Step>| {
                let logs: Vec<i64> = steps
                    .iter()
                    .filter_map(|step| sum[step.next].map(|sum| sum + i64::from(step.log) * FINE))
                    .collect();
                (!logs.is_empty()).then(|| log_sum(logs.iter().copied()))
            };
            let most = |steps: &Vec<Step>| {
                let alive = steps.iter().filter(|step| sum[step.next].is_some());
                alive.map(|step| best[step.next] + i64::from(step.log)).max().unwrap_or(i64::MIN)
            };
            let (ways, sum, best) = (
                layer.iter().map(count).collect(),
                layer.iter().map(total).collect(),
                layer.iter().map(most).collect(),
            );
            onward.ways[index] = ways;
            onward.sum[index] = sum;
            onward.best[index] = best;
        }
        onward
    }

    /// In how many ways the readings with a way to the end begin, by the number of plies.
    fn beginnings(&self, lattice: &Lattice) -> Vec<u64> {
        let mut to_here: Vec<u64> = vec![1];
        let mut beginnings = vec![1];
        for (layer, sums) in lattice.layers.iter().zip(&self.sum[1..]) {
            let mut next = vec![0u64; sums.len()];
            for (steps, ways) in layer.iter().zip(&to_here) {
                for step in steps.iter().filter(|step| sums[step.next].is_some()) {
                    next[step.next] = next[step.next].saturating_add(*ways);
                }
            }
            beginnings.push(next.iter().fold(0, |all: u64, ways| all.saturating_add(*ways)));
            to_here = next;
        }
        beginnings
    }
}

/// A reading begun: ordered by what it can still come to, then by the order of its moves.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Begun {
    bound: i64,
    /// Earlier beginnings first among equals, so that the order never hangs on the heap.
    age: std::cmp::Reverse<usize>,
    depth: usize,
    state: usize,
    log: i64,
    /// Place of its last move in the arena of moves.
    last: Option<usize>,
}

/// The `limit` likeliest ways to go `end` plies, the likeliest first, with their log-likelihoods and what `rest` says can
/// follow, in [`FINE`] parts: best first by an exact bound, so that none is begun that is not among them or an equal of one.
fn likeliest(
    lattice: &Lattice,
    onward: &Onward,
    (end, rest): (usize, &dyn Fn(usize, usize) -> i64),
    limit: usize,
) -> Vec<(Vec<Move>, i64)> {
    let mut found = Vec::new();
    let mut arena: Vec<(Move, Option<usize>)> = Vec::new();
    let mut heap = BinaryHeap::new();
    let mut age = 0;
    if onward.sum[0].first().copied().flatten().is_some() {
        heap.push(Begun {
            bound: rest(0, 0),
            age: std::cmp::Reverse(0),
            depth: 0,
            state: 0,
            log: 0,
            last: None,
        });
    }
    while let Some(begun) = heap.pop().filter(|_| found.len() < limit) {
        if begun.depth == end {
            let mut moves: Vec<Move> = std::iter::successors(begun.last, |at| arena[*at].1)
                .map(|at| arena[at].0)
                .collect();
            moves.reverse();
            found.push((moves, begun.bound));
            continue;
        }
        for step in &lattice.layers[begun.depth][begun.state] {
            if onward.sum[begun.depth + 1][step.next].is_none() {
                continue;
            }
            age += 1;
            let log = begun.log + i64::from(step.log);
            arena.push((step.mv, begun.last));
            heap.push(Begun {
                bound: log * FINE + rest(begun.depth + 1, step.next),
                age: std::cmp::Reverse(age),
                depth: begun.depth + 1,
                state: step.next,
                log,
                last: Some(arena.len() - 1),
            });
        }
    }
    found
}

/// For each ply, the probability of the readings that have the move of `first` there.
fn sure(lattice: &Lattice, onward: &Onward, first: &[Move]) -> Vec<f64> {
    // Log of the summed likelihoods of all ways to each position of the layer.
    let mut reached: Vec<Option<i64>> = vec![Some(0)];
    let mut sure = Vec::with_capacity(first.len());
    for (depth, mv) in first.iter().enumerate() {
        let (mut agree, mut all) = (Vec::new(), Vec::new());
        let mut next: Vec<Vec<i64>> = vec![Vec::new(); onward.sum[depth + 1].len()];
        let mut differs = false;
        for (state, steps) in lattice.layers[depth].iter().enumerate() {
            let Some(to_here) = reached[state] else { continue };
            for step in steps {
                let Some(rest) = onward.sum[depth + 1][step.next] else { continue };
                let through = to_here + i64::from(step.log) * FINE;
                next[step.next].push(through);
                all.push(through + rest);
                if step.mv == *mv {
                    agree.push(through + rest);
                } else {
                    differs = true;
                }
            }
        }
        sure.push(if differs {
            let (agree, all) = (log_sum(agree.into_iter()), log_sum(all.into_iter()));
            // A doubt too small for six decimals is a doubt still.
            probability(agree - all).min(0.999_999)
        } else {
            1.0
        });
        reached = next
            .into_iter()
            .map(|logs| (!logs.is_empty()).then(|| log_sum(logs.into_iter())))
            .collect();
    }
    sure
}
