//! Gains by a sequence of checks that ends in a capture (连续照将吃子, articles 28.3 and 29.1).

use super::{
    budget::{Budget, Spent},
    checks::checks,
    exceptions::is_by_pawn,
    exchange,
    forced::{Goal, Mate, Outcome, Prize, Pursuit},
    mate::{Proof, mate_but_for},
    profile::Chase,
    state::State,
    threat::{Means, Threat, captures_but, is_even_offer, is_void},
};
use crate::board::{Move, Position, Square, SquareSet};

/// Who takes whom, each by where it stands before the sequence.
type Pair = (Square, Square);

/// The ply whose gains by checks are asked.
pub(super) struct Ply<'p> {
    /// The position after it with the same side to move again.
    pub(super) next: &'p Position,
    /// The position before it.
    pub(super) before: &'p Position,
    /// The ply itself.
    pub(super) mv: Move,
    /// The threats of either position that need no checks: after it, before it.
    pub(super) direct: [&'p [Threat]; 2],
    /// The checks that can be given after it.
    pub(super) first: &'p [Move],
}

impl Ply<'_> {
    fn now<'r>(&'r self, rules: &'r Chase) -> Gains<'r> {
        let mut gains = Gains::new(self.next, self.direct[0], rules);
        // What needed no checks before the ply is no new gain by checks either.
        let moved =
            |(taker, victim)| (if taker == self.mv.from { self.mv.to } else { taker }, victim);
        gains.direct.extend(self.direct[1].iter().map(Threat::pair).map(moved));
        gains
    }

    fn old<'r>(&'r self, rules: &'r Chase) -> Gains<'r> {
        Gains::new(self.before, self.direct[1], rules)
    }
}

/// Whether the ply threatens neither mate nor a gain by checks: one search answers both where the answer is no.
pub(super) fn is_harmless(
    ply: &Ply<'_>,
    rules: &Chase,
    budget: &mut Budget,
) -> Result<bool, Spent> {
    // A check that takes what could be taken anyway is no gain, but may be part of a mate.
    let gains = Gains { every_check: true, ..ply.now(rules) };
    Ok(gains.pursuit(ply.first, &[]).run(false, budget)? == Outcome::Refuted)
}

/// The gains that checks have newly made possible; `mates` says whether the ply may threaten mate.
///
/// A pair of taker and victim is new if it wins against every reply now and did not before. If nothing could be won by
/// checks before, the reply may decide what falls. What falls to a pawn is left out (27.2), and so are first checks
/// that mate whatever is replied: they are a kill.
pub(super) fn new_by_checks(
    ply: &Ply<'_>,
    mates: bool,
    rules: &Chase,
    budget: &mut Budget,
) -> Result<Vec<Threat>, Spent> {
    let now = ply.now(rules);
    let mating = if mates { now.mating(ply.first, budget)? } else { Vec::new() };
    let mut pursuit = now.pursuit(ply.first, &mating);
    if !is_won(pursuit.run(false, budget)?)? {
        return Ok(Vec::new());
    }
    let old = ply.old(rules);
    let earlier = checks(ply.before, old.excused);
    let mut old_mating = Vec::new();
    let mut could = is_won(old.pursuit(&earlier, &[]).run(false, budget)?)?;
    if could {
        old_mating = old.mating(&earlier, budget)?;
        could = old_mating.is_empty()
            || is_won(old.pursuit(&earlier, &old_mating).run(false, budget)?)?;
    }
    // Which pairs there are must not hang on the order of the search: all lines that win are looked at.
    if could && (pursuit.run(true, budget)? != Outcome::Won || pursuit.is_cut()) {
        return Err(Spent);
    }
    let mut found = Vec::new();
    for pair in pursuit.pairs() {
        let before = (if pair.0 == ply.mv.to { ply.mv.from } else { pair.0 }, pair.1);
        let old = ply.old(rules).only(before);
        if could && is_won(old.pursuit(&earlier, &old_mating).run(false, budget)?)? {
            continue;
        }
        let now = ply.now(rules).only(pair);
        let mut alone = now.pursuit(ply.first, &mating);
        if is_won(alone.run(false, budget)?)? {
            found.extend(now.threat(&alone));
        }
    }
    if found.is_empty() && !could {
        found.extend(now.threat(&pursuit));
    }
    Ok(found)
}

fn is_won(outcome: Outcome) -> Result<bool, Spent> {
    match outcome {
        Outcome::Won => Ok(true),
        Outcome::Refuted => Ok(false),
        Outcome::Unproved => Err(Spent),
    }
}

/// The gains that count from one position.
struct Gains<'r> {
    root: &'r Position,
    excused: SquareSet,
    /// Pairs that need no checks.
    direct: Vec<Pair>,
    /// The only pair that counts, if not all do.
    only: Option<Pair>,
    /// Whether checks that take what needs no checks may be part of a sequence.
    every_check: bool,
    rules: &'r Chase,
}

impl<'r> Gains<'r> {
    fn new(root: &'r Position, direct: &[Threat], rules: &'r Chase) -> Gains<'r> {
        Gains {
            root,
            excused: root.checkers(root.side()),
            direct: direct.iter().map(Threat::pair).collect(),
            only: None,
            every_check: false,
            rules,
        }
    }

    fn only(self, pair: Pair) -> Gains<'r> {
        Gains { only: Some(pair), ..self }
    }

    fn pursuit<'g>(&'g self, first: &[Move], without: &'g [Move]) -> Pursuit<'g, Gains<'r>> {
        Pursuit::new(self.root, first.to_vec(), self.excused, without, self)
    }

    /// Those of the checks `first` that mate whatever is replied.
    fn mating(&self, first: &[Move], budget: &mut Budget) -> Result<Vec<Move>, Spent> {
        if mate_but_for(self.root, self.excused, budget) == Proof::No {
            return Ok(Vec::new());
        }
        let mut mating = Vec::new();
        for mv in first {
            let mut pursuit = Pursuit::new(self.root, vec![*mv], self.excused, &[], &Mate);
            if is_won(pursuit.run(false, budget)?)? {
                mating.push(*mv);
            }
        }
        Ok(mating)
    }

    fn threat(&self, pursuit: &Pursuit<'_, Gains<'_>>) -> Option<Threat> {
        let (attacker, victim) = pursuit.prize()?.pair;
        Some(Threat {
            attacker,
            by: self.root.piece_at(attacker)?.kind,
            victim,
            means: Means::Checks,
            line: pursuit.line(),
            unguarded: false,
        })
    }

    /// Whether a piece that has moved in reply to a check takes back elsewhere what was gained (守择佳). What other
    /// pieces can take they could have taken before: that is no matter of this threat.
    fn is_made_up_for(&self, state: &mut State, budget: &mut Budget) -> Result<bool, Spent> {
        let (us, enemy) = (state.us(), state.us().other());
        for from in state.position.occupied_by(enemy) {
            if state.origin(from) == from {
                continue;
            }
            for to in state.position.reach(from) & state.position.occupied_by(us) {
                let mv = Move { from, to };
                if !state.position.is_legal(mv) {
                    continue;
                }
                let taken = state.play(mv);
                let losses = state.losses;
                let end =
                    exchange::on_square(&mut state.position, to, us, losses, self.excused, budget);
                state.undo(taken);
                if end?.0.gain() <= 0 {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What the capture `mv` gains, if it counts and is no offer of an exchange.
    fn prize(
        &self,
        state: &mut State,
        mv: Move,
        budget: &mut Budget,
    ) -> Result<Option<Prize>, Spent> {
        let pair = state.pair(mv);
        if is_even_offer(self.root, Move { from: pair.0, to: pair.1 }) {
            return Ok(None);
        }
        let us = state.us();
        let taken = state.play(mv);
        let losses = state.losses;
        let end = exchange::on_square(&mut state.position, mv.to, us, losses, self.excused, budget);
        let counts = match &end {
            Ok((end, _)) if end.gain() > 0 => {
                let void = is_void(&state.position, self.excused, self.rules);
                if void { Ok(false) } else { self.is_made_up_for(state, budget).map(|made| !made) }
            }
            _ => Ok(false),
        };
        state.undo(taken);
        let (end, rest) = end?;
        Ok(counts?.then(|| Prize { gain: end.gain(), line: [vec![mv], rest].concat(), pair }))
    }
}

impl Goal for Gains<'_> {
    fn prizes(&self, state: &mut State, budget: &mut Budget) -> Result<Vec<Prize>, Spent> {
        let counts = |mv: Move| {
            let pair = state.pair(mv);
            self.only.is_none_or(|only| only == pair)
                && !self.direct.contains(&pair)
                && !is_by_pawn(&state.position, mv)
        };
        let moves = captures_but(&state.position, self.excused, counts);
        let mut prizes = Vec::new();
        for mv in moves {
            prizes.extend(self.prize(state, mv, budget)?);
        }
        prizes.sort_by_key(|prize| {
            std::cmp::Reverse((prize.gain, std::cmp::Reverse(prize.line.len())))
        });
        Ok(prizes)
    }

    /// What is taken with check and needs no checks before it is no gain by checks.
    fn allows(&self, state: &State, mv: Move) -> bool {
        self.every_check
            || state.position.piece_at(mv.to).is_none()
            || !self.direct.contains(&state.pair(mv))
    }

    fn key(&self, state: &State) -> u64 {
        state.identity()
    }
}
