//! What checks in a row reach against every reply (连续照将), proved or refuted on a graph of positions.
//!
//! Positions are merged by key, so checks that lead round in a circle end the search: a side that can only go on
//! checking has reached nothing. For each check one reply is looked at, the one that leaves the fewest checks, and the
//! next one only when that has been shown to lose. When no position is left to look at, what has not been won is
//! refuted, at any depth: the replies looked at keep the defender within the positions looked at for ever.

use std::{
    cmp::Reverse,
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use super::{
    budget::{Budget, Spent},
    checks::{Replies, checks},
    state::State,
};
use crate::board::{Move, Position, Square, SquareSet};

/// A capture that ends a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prize {
    /// What it comes to in the end.
    pub(super) gain: i32,
    /// The capture and what follows it.
    pub(super) line: Vec<Move>,
    /// Where the taker and what it takes stood at the beginning.
    pub(super) pair: (Square, Square),
}

/// What a sequence of checks is to reach, other than mate, which is always enough.
pub(super) trait Goal {
    /// The captures that reach it in `state`, the best first.
    fn prizes(&self, state: &mut State, budget: &mut Budget) -> Result<Vec<Prize>, Spent>;

    /// Whether the check `mv` may be part of the sequence.
    fn allows(&self, state: &State, mv: Move) -> bool;

    /// What else tells two states apart, besides the pieces.
    fn key(&self, state: &State) -> u64;
}

/// Mate and nothing else.
pub(super) struct Mate;

impl Goal for Mate {
    fn prizes(&self, _: &mut State, _: &mut Budget) -> Result<Vec<Prize>, Spent> {
        Ok(Vec::new())
    }

    fn allows(&self, _: &State, _: Move) -> bool {
        true
    }

    fn key(&self, _: &State) -> u64 {
        0
    }
}

/// A position with the checking side to move.
struct Attack {
    /// What is still to be looked at; `None` once it has been.
    open: Option<Box<(State, Vec<Move>)>>,
    /// How many checks it gives.
    checks: usize,
    /// Checks before it.
    depth: u32,
    queued: bool,
    /// The checks whose reply under consideration leads here.
    watchers: Vec<usize>,
    won: Option<Won>,
}

/// How a position is won, and what the defender makes of it.
struct Won {
    rank: Rank,
    by: By,
}

enum By {
    Prizes(Vec<Prize>),
    /// The check that is played.
    Check(usize),
}

/// Whether all ends in mate, what is gained, how long it takes: the defender takes the least (守择佳).
type Rank = (bool, i32, Reverse<usize>);

/// A check, with the replies and what they lead to.
struct Defence {
    attack: usize,
    mv: Move,
    replies: Vec<Reply>,
    /// The position after the check, and the replies not looked at yet.
    rest: Option<Box<(State, Replies)>>,
    won: bool,
}

/// What replies to a check came to.
enum Answer {
    /// One of them ends all checks: nothing is reached by this check.
    Dead,
    /// The last one leads to a position that is looked at anyway.
    Good,
    /// Neither; there are no others.
    All,
}

/// An answer to a check.
#[derive(Clone, Copy)]
struct Reply {
    mv: Move,
    /// The position that it leads to.
    met: usize,
    /// Whether it captures or moves the general.
    is_narrow: bool,
}

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Won,
    Refuted,
    /// More checks in a row than the bound would be needed to know.
    Unproved,
}

/// Stands for positions from which no check can be given and nothing is reached.
const DEAD: usize = usize::MAX;

pub(super) struct Pursuit<'g, G> {
    goal: &'g G,
    excused: SquareSet,
    /// First checks that are left out.
    without: &'g [Move],
    attacks: Vec<Attack>,
    defences: Vec<Defence>,
    known: HashMap<u64, usize, BuildHasherDefault<KeyHasher>>,
    /// Positions to look at, by the number of checks before them.
    waiting: Vec<Vec<usize>>,
    /// Whether positions were left out because of their depth.
    cut: bool,
}

/// Keys are mixed already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl<'g, G: Goal> Pursuit<'g, G> {
    /// What the side to move of `position` reaches by checks from there; `first` are the checks that it can give, of
    /// which those of `without` are left out, and the pieces on `excused` give checks that need not be answered.
    pub(super) fn new(
        position: &Position,
        first: Vec<Move>,
        excused: SquareSet,
        without: &'g [Move],
        goal: &'g G,
    ) -> Pursuit<'g, G> {
        let root = Attack {
            checks: first.len(),
            open: Some(Box::new((State::new(position), first))),
            depth: 0,
            queued: true,
            watchers: Vec::new(),
            won: None,
        };
        Pursuit {
            goal,
            excused,
            without,
            attacks: vec![root],
            defences: Vec::new(),
            known: HashMap::default(),
            waiting: vec![vec![0]],
            cut: false,
        }
    }

    /// Searches until the first position is won, or until there is nothing left to look at: then everything won is
    /// known if `exhaust`. May be called again after a proof.
    pub(super) fn run(&mut self, exhaust: bool, budget: &mut Budget) -> Result<Outcome, Spent> {
        let mut depth = 0;
        while exhaust || self.attacks[0].won.is_none() {
            while depth < self.waiting.len() && self.waiting[depth].is_empty() {
                depth += 1;
            }
            let Some(next) = self.waiting.get_mut(depth).and_then(Vec::pop) else { break };
            if depth as u32 >= budget.checks() {
                self.cut = true;
                continue;
            }
            self.expand(next, budget)?;
            depth = 0;
        }
        Ok(match (&self.attacks[0].won, self.cut) {
            (Some(_), _) => Outcome::Won,
            (None, false) => Outcome::Refuted,
            (None, true) => Outcome::Unproved,
        })
    }

    /// Whether the bound of checks in a row left something out.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Tries every check of a position.
    fn expand(&mut self, attack: usize, budget: &mut Budget) -> Result<(), Spent> {
        let depth = self.attacks[attack].depth;
        let Some(open) = self.attacks[attack].open.take() else { return Ok(()) };
        let (mut state, checks) = *open;
        for check in checks {
            if !self.goal.allows(&state, check) || depth == 0 && self.without.contains(&check) {
                continue;
            }
            budget.spend()?;
            let taken = state.play(check);
            self.answer(&mut state, attack, check, depth + 1, budget)?;
            state.undo(taken);
        }
        Ok(())
    }

    /// Looks at the replies to a check.
    fn answer(
        &mut self,
        state: &mut State,
        attack: usize,
        check: Move,
        depth: u32,
        budget: &mut Budget,
    ) -> Result<(), Spent> {
        let mut replies = Vec::new();
        let mut moves = Replies::new(&state.position, self.excused);
        let rest = match self.next_replies(state, &mut moves, depth, &mut replies, budget)? {
            Answer::Dead => return Ok(()),
            Answer::Good => Some(Box::new((state.clone(), moves))),
            Answer::All => None,
        };
        self.defences.push(Defence { attack, mv: check, replies, rest, won: false });
        self.settle(self.defences.len() - 1, budget)
    }

    /// Looks at replies up to one that ends the matter or costs nothing: the others may never be needed.
    fn next_replies(
        &mut self,
        state: &mut State,
        moves: &mut Replies,
        depth: u32,
        replies: &mut Vec<Reply>,
        budget: &mut Budget,
    ) -> Result<Answer, Spent> {
        while let Some(reply) = moves.next(&state.position) {
            let is_narrow = state.position.piece_at(reply.to).is_some()
                || state.position.general(state.position.side()) == Some(reply.from);
            let taken = state.play(reply);
            let met = self.meet(state, depth, budget);
            state.undo(taken);
            let met = met?;
            if met == DEAD {
                return Ok(Answer::Dead);
            }
            replies.push(Reply { mv: reply, met, is_narrow });
            let known = &self.attacks[met];
            if known.won.is_none() && known.queued {
                return Ok(Answer::Good);
            }
        }
        Ok(Answer::All)
    }

    /// The position after a reply: known, won at once, dead, or to be looked at.
    fn meet(&mut self, state: &mut State, depth: u32, budget: &mut Budget) -> Result<usize, Spent> {
        let key = state.position.key() ^ self.goal.key(state);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        budget.spend()?;
        let prizes = self.goal.prizes(state, budget)?;
        let won = prizes.first().map(|best| Won {
            rank: (false, best.gain, Reverse(best.line.len())),
            by: By::Prizes(prizes.clone()),
        });
        let mut attack =
            Attack { open: None, checks: 0, depth, queued: false, watchers: Vec::new(), won };
        if attack.won.is_none() {
            let checks = checks(&state.position, self.excused);
            if checks.is_empty() {
                self.known.insert(key, DEAD);
                return Ok(DEAD);
            }
            attack.checks = checks.len();
            attack.open = Some(Box::new((state.clone(), checks)));
        }
        self.attacks.push(attack);
        let id = self.attacks.len() - 1;
        self.known.insert(key, id);
        Ok(id)
    }

    /// Chooses the reply to consider next of a check; if all of them lose, the check wins, and what that decides.
    fn settle(&mut self, defence: usize, budget: &mut Budget) -> Result<(), Spent> {
        let mut pending = vec![defence];
        while let Some(id) = pending.pop() {
            let Defence { attack, ref replies, won, .. } = self.defences[id];
            if won {
                continue;
            }
            // A position that is looked at anyway costs nothing. After captures and moves of the general there are the
            // fewest positions to come back to; the fewer checks, the sooner the others end.
            let open = replies
                .iter()
                .filter(|reply| self.attacks[reply.met].won.is_none())
                .min_by_key(|reply| {
                    let met = &self.attacks[reply.met];
                    (!met.queued, !reply.is_narrow, met.checks)
                });
            if let Some(reply) = open {
                self.watch(reply.met, id);
                continue;
            }
            if let Some(mut rest) = self.defences[id].rest.take() {
                let depth = self.attacks[attack].depth + 1;
                let mut replies = std::mem::take(&mut self.defences[id].replies);
                let (state, moves) = &mut *rest;
                let answer = self.next_replies(state, moves, depth, &mut replies, budget)?;
                self.defences[id].replies = replies;
                match answer {
                    Answer::Dead => continue,
                    Answer::Good => self.defences[id].rest = Some(rest),
                    Answer::All => {}
                }
                pending.push(id);
                continue;
            }
            let rank = self.defended(id);
            self.defences[id].won = true;
            let parent = &mut self.attacks[attack];
            if parent.won.is_none() {
                parent.won = Some(Won { rank, by: By::Check(id) });
                pending.append(&mut parent.watchers);
            }
        }
        Ok(())
    }

    fn watch(&mut self, attack: usize, defence: usize) {
        let watched = &mut self.attacks[attack];
        watched.watchers.push(defence);
        if !watched.queued {
            watched.queued = true;
            let depth = watched.depth as usize;
            if self.waiting.len() <= depth {
                self.waiting.resize_with(depth + 1, Vec::new);
            }
            self.waiting[depth].push(attack);
        }
    }

    /// What the best reply makes of a check all of whose replies lose.
    fn defended(&self, defence: usize) -> Rank {
        let (mate, gain, Reverse(length)) = self
            .best_reply(defence)
            .and_then(|reply| self.attacks[reply.met].won.as_ref())
            .map_or((true, 0, Reverse(0)), |won| won.rank);
        (mate, gain, Reverse(length + 2))
    }

    fn best_reply(&self, defence: usize) -> Option<Reply> {
        let rank = |reply: &Reply| self.attacks[reply.met].won.as_ref().map(|won| won.rank);
        self.defences[defence].replies.iter().copied().min_by_key(rank)
    }

    /// The moves of the best defence from the first position, which is won.
    pub(super) fn line(&self) -> Vec<Move> {
        self.walk().0
    }

    /// The capture at the end of the best defence; `None` where that is mate.
    pub(super) fn prize(&self) -> Option<&Prize> {
        self.walk().1
    }

    fn walk(&self) -> (Vec<Move>, Option<&Prize>) {
        let mut line = Vec::new();
        let mut at = 0;
        // A position is won by what was won before it, so the walk comes to an end.
        while let Some(won) = &self.attacks[at].won {
            match &won.by {
                By::Prizes(prizes) => {
                    line.extend(prizes.first().into_iter().flat_map(|best| &best.line));
                    return (line, prizes.first());
                }
                By::Check(defence) => {
                    line.push(self.defences[*defence].mv);
                    let Some(reply) = self.best_reply(*defence) else { break };
                    line.push(reply.mv);
                    at = reply.met;
                }
            }
        }
        (line, None)
    }

    /// The pairs of every prize on the lines that win, in order.
    pub(super) fn pairs(&self) -> Vec<(Square, Square)> {
        let mut checks: Vec<Vec<usize>> = vec![Vec::new(); self.attacks.len()];
        for (id, defence) in self.defences.iter().enumerate().filter(|(_, d)| d.won) {
            checks[defence.attack].push(id);
        }
        let mut seen = vec![false; self.attacks.len()];
        let mut pending = vec![0];
        let mut pairs = Vec::new();
        while let Some(at) = pending.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            if let Some(Won { by: By::Prizes(prizes), .. }) = &self.attacks[at].won {
                pairs.extend(prizes.iter().map(|prize| prize.pair));
            }
            for defence in &checks[at] {
                pending.extend(self.defences[*defence].replies.iter().map(|reply| reply.met));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::mate::Bound;

    const BOUND: Bound = Bound { checks: 40, nodes: 20_000, ruling: 20_000 };

    fn run(fen: &str, bound: Bound) -> (Result<Outcome, Spent>, Vec<Move>, u32) {
        let position = Position::from_fen(fen).unwrap();
        let first = checks(&position, SquareSet::EMPTY);
        let mut pursuit = Pursuit::new(&position, first, SquareSet::EMPTY, &[], &Mate);
        let mut budget = Budget::new(bound);
        let outcome = pursuit.run(false, &mut budget);
        (outcome, pursuit.line(), bound.nodes - budget.nodes())
    }

    // The chariot can check for ever, the general steps to and fro: a circle is no mate, and ends the search.
    #[test]
    fn perpetual_check_reaches_nothing() {
        let (outcome, _, nodes) = run("4k4/9/9/9/9/9/9/9/5R3/3K5 w", BOUND);
        assert_eq!(outcome, Ok(Outcome::Refuted));
        assert!(nodes < 1_000, "{nodes}");
    }

    #[test]
    fn a_bound_of_checks_or_positions_is_told() {
        let fen = "3k5/9/9/9/9/9/5n3/9/9/1R2K4 w";
        assert_eq!(run(fen, BOUND).0, Ok(Outcome::Won));
        assert_eq!(run(fen, Bound { checks: 1, ..BOUND }).0, Ok(Outcome::Unproved));
        assert_eq!(run(fen, Bound { nodes: 2, ..BOUND }).0, Err(Spent));
    }
}
