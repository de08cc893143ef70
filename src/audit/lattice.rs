//! The games that explain the sheets, weighed: the likeliest, how sure each ply of it is, and the next ones.
//!
//! The weight of a game is the cost of the faults that it takes and the likelihood of its moves where it differs from
//! other games; where all games have one position and one move, likelihoods would change nothing and are not asked for.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
};

use crate::{
    board::Move,
    replay::likelihood::{self, FINE, NAT, log_sum, probability},
};

use super::{
    decode::{Arc, Decoded},
    hand::Told,
};

/// Games listed at most.
const LINES: usize = 64;
/// What a move costs that the model was not asked about.
const UNASKED: i64 = 4 * NAT as i64;

/// One ply of the likeliest game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) mv: Move,
    pub(super) told: [Told; 2],
    /// The probability of the games that have this move here.
    pub(super) p: f64,
    /// Whether no game has another move here.
    pub(super) only: bool,
}

/// What the lattice comes to.
pub(super) struct Weighed {
    /// The likeliest game.
    pub(super) line: Vec<Step>,
    /// The likeliest games with their probabilities, that of `line` first.
    pub(super) lines: Vec<(Vec<Move>, f64)>,
}

struct Lattice<'d> {
    decoded: &'d Decoded,
    /// The states from which an end is reached, by ply.
    order: Vec<usize>,
    /// For each state the arcs that lead on to such states.
    onward: Vec<Vec<usize>>,
    /// Log-weight of each arc.
    logs: Vec<i64>,
    ends: HashSet<usize>,
}

/// Weighs all games of `decoded`; the model is asked about no more than `most` positions.
pub(super) fn weigh(decoded: &Decoded, most: usize) -> Weighed {
    let mut lattice = Lattice::of(decoded, i64::MAX);
    let asked = lattice.doubtful();
    if asked.len() > most {
        // Only the cheapest games, as many as can be weighed.
        let costs = lattice.costs();
        let mut doubtful: Vec<i64> = asked.iter().map(|state| costs[*state]).collect();
        doubtful.sort_unstable();
        lattice = Lattice::of(decoded, doubtful[most.saturating_sub(1)]);
    }
    lattice.ask(most);
    lattice.weighed()
}

impl<'d> Lattice<'d> {
    /// The lattice of the games that cost no more than `limit`.
    fn of(decoded: &'d Decoded, limit: i64) -> Lattice<'d> {
        let states = decoded.states.len();
        let mut alive = vec![false; states];
        let mut waiting = decoded.ends.clone();
        for end in &waiting {
            alive[*end] = true;
        }
        while let Some(state) = waiting.pop() {
            for arc in &decoded.states[state].from {
                let from = decoded.arcs[*arc].from;
                if !std::mem::replace(&mut alive[from], true) {
                    waiting.push(from);
                }
            }
        }
        let mut order: Vec<usize> = (0..states).filter(|state| alive[*state]).collect();
        // Every arc is one ply on, so this is an order in which no arc leads back.
        order.sort_by_key(|state| (decoded.states[*state].ply, *state));
        let mut onward = vec![Vec::new(); states];
        for (number, arc) in decoded.arcs.iter().enumerate() {
            if alive[arc.to] {
                onward[arc.from].push(number);
            }
        }
        let logs =
            decoded.arcs.iter().map(|arc| -i64::from(arc.cost) - i64::from(arc.found)).collect();
        let ends = decoded.ends.iter().copied().collect();
        let mut lattice = Lattice { decoded, order, onward, logs, ends };
        if limit < i64::MAX {
            let costs = lattice.costs();
            lattice.order.retain(|state| costs[*state] <= limit);
            let kept: HashSet<usize> = lattice.order.iter().copied().collect();
            for arcs in &mut lattice.onward {
                arcs.retain(|arc| kept.contains(&decoded.arcs[*arc].to));
            }
            lattice.ends.retain(|end| kept.contains(end));
        }
        lattice
    }

    fn arc(&self, arc: usize) -> &Arc {
        &self.decoded.arcs[arc]
    }

    /// The cost of the cheapest game through each state.
    fn costs(&self) -> Vec<i64> {
        let mut to = vec![i64::MAX / 4; self.onward.len()];
        if let Some(first) = self.order.first() {
            to[*first] = 0;
        }
        for state in &self.order {
            for arc in &self.onward[*state] {
                let next = self.arc(*arc).to;
                to[next] = to[next].min(to[*state] - self.logs[*arc]);
            }
        }
        let best = self.best();
        (0..to.len()).map(|state| to[state].saturating_sub(best[state])).collect()
    }

    /// The log-weight of the best way on from each state.
    fn best(&self) -> Vec<i64> {
        let mut best = vec![i64::MIN / 4; self.onward.len()];
        for state in self.order.iter().rev() {
            let on = self.onward[*state].iter();
            let most = on.map(|arc| self.logs[*arc] + best[self.arc(*arc).to]).max();
            let end = self.ends.contains(state).then_some(0);
            best[*state] = most.max(end).unwrap_or(i64::MIN / 4);
        }
        best
    }

    /// The states at plies where the games differ.
    fn doubtful(&self) -> Vec<usize> {
        let mut moves: HashMap<u32, HashSet<(usize, Move)>> = HashMap::new();
        for state in &self.order {
            let ply = self.decoded.states[*state].ply;
            for arc in &self.onward[*state] {
                moves.entry(ply).or_default().insert((*state, self.arc(*arc).mv));
            }
        }
        let differ = |state: &&usize| {
            moves.get(&self.decoded.states[**state].ply).is_some_and(|moves| moves.len() > 1)
        };
        self.order.iter().filter(differ).copied().collect()
    }

    /// Adds the likelihoods of the moves where games differ.
    fn ask(&mut self, most: usize) {
        // By the position and the two moves before it, which are all that the model is told.
        type Asked = (u64, Option<Move>, Option<Move>);
        let mut known: HashMap<Asked, Vec<(Move, i32)>> = HashMap::new();
        for state in self.doubtful() {
            let from = &self.decoded.states[state];
            let key = (from.position.key(), from.past.last, from.past.own);
            if known.len() < most && !known.contains_key(&key) {
                known.insert(key, likelihood::log_likelihoods(&from.position, from.past));
            }
            let logs = known.get(&key);
            for arc in &self.onward[state] {
                let mv = self.decoded.arcs[*arc].mv;
                let log = logs.and_then(|logs| logs.iter().find(|(legal, _)| *legal == mv));
                self.logs[*arc] = -i64::from(self.decoded.arcs[*arc].cost)
                    + log.map_or(-UNASKED, |(_, log)| i64::from(*log));
            }
        }
    }

    fn weighed(&self) -> Weighed {
        let Some(first) = self.order.first().copied() else {
            return Weighed { line: Vec::new(), lines: Vec::new() };
        };
        let (to, on) = self.sums(first);
        let total = on[first].unwrap_or(0);
        let best = self.best();
        let mut moves: Vec<HashMap<Move, Vec<i64>>> = Vec::new();
        for state in &self.order {
            let ply = self.decoded.states[*state].ply as usize;
            for arc in &self.onward[*state] {
                let (Some(before), Some(behind)) = (to[*state], on[self.arc(*arc).to]) else {
                    continue;
                };
                if moves.len() <= ply {
                    moves.resize_with(ply + 1, HashMap::new);
                }
                let through = before + self.logs[*arc] * FINE + behind;
                moves[ply].entry(self.arc(*arc).mv).or_default().push(through);
            }
        }
        let mut line = Vec::new();
        let mut state = first;
        while let Some(arc) = self.next_best(state, &best) {
            let arc = self.arc(arc);
            let here = &moves[line.len()];
            let sums = here.get(&arc.mv).map_or(&[][..], Vec::as_slice);
            let p = probability(log_sum(sums.iter().copied()) - total);
            let only = here.len() == 1;
            line.push(Step { mv: arc.mv, told: arc.told, p, only });
            state = arc.to;
        }
        Weighed { line, lines: self.lines(first, &best, total) }
    }

    /// The best arc on, unless the state is an end that is better.
    fn next_best(&self, state: usize, best: &[i64]) -> Option<usize> {
        let on = self.onward[state].iter().copied();
        on.max_by_key(|arc| (self.logs[*arc] + best[self.arc(*arc).to], Reverse(*arc)))
    }

    /// For each state the log of the summed weights of all ways there, and of all ways on.
    fn sums(&self, first: usize) -> (Vec<Option<i64>>, Vec<Option<i64>>) {
        let states = self.onward.len();
        let mut arriving: Vec<Vec<i64>> = vec![Vec::new(); states];
        arriving[first].push(0);
        let mut to = vec![None; states];
        for state in &self.order {
            if arriving[*state].is_empty() {
                continue;
            }
            let sum = log_sum(arriving[*state].iter().copied());
            to[*state] = Some(sum);
            for arc in &self.onward[*state] {
                arriving[self.arc(*arc).to].push(sum + self.logs[*arc] * FINE);
            }
        }
        let mut on: Vec<Option<i64>> = vec![None; states];
        for state in self.order.iter().rev() {
            let mut ways: Vec<i64> = self.onward[*state]
                .iter()
                .filter_map(|arc| Some(on[self.arc(*arc).to]? + self.logs[*arc] * FINE))
                .collect();
            if self.ends.contains(state) {
                ways.push(0);
            }
            on[*state] = (!ways.is_empty()).then(|| log_sum(ways.iter().copied()));
        }
        (to, on)
    }

    /// The likeliest games, each once.
    fn lines(&self, first: usize, best: &[i64], total: i64) -> Vec<(Vec<Move>, f64)> {
        let mut lines: Vec<(Vec<Move>, f64)> = Vec::new();
        let mut trail: Vec<(usize, Option<usize>)> = Vec::new();
        let mut heap = BinaryHeap::from([(best[first], Reverse(0usize), first, 0i64, None)]);
        let mut age = 0;
        let mut found = 0;
        while let Some((_, _, state, log, last)) = heap.pop() {
            if self.onward[state].is_empty() {
                let mut moves: Vec<Move> = std::iter::successors(last, |at: &usize| trail[*at].1)
                    .map(|at| self.arc(trail[at].0).mv)
                    .collect();
                moves.reverse();
                let p = probability(log * FINE - total);
                match lines.iter_mut().find(|(known, _)| *known == moves) {
                    Some((_, share)) => *share += p,
                    None => lines.push((moves, p)),
                }
                found += 1;
                if found == LINES {
                    break;
                }
                continue;
            }
            for arc in &self.onward[state] {
                age += 1;
                trail.push((*arc, last));
                let (to, log) = (self.arc(*arc).to, log + self.logs[*arc]);
                heap.push((log + best[to], Reverse(age), to, log, Some(trail.len() - 1)));
            }
        }
        lines
    }
}
