//! Gains by a sequence of checks that ends in a capture (连续照将吃子, articles 28.3 and 29.1): a bounded search with all
//! replies.

use std::{cmp::Reverse, collections::BTreeSet};

use super::{
    exchange::{self, Losses, worth},
    mate::{Replies, checks},
    profile::Chase,
    threat::{Means, Threat, captures, is_even_offer, is_void},
};
use crate::board::{Kind, Move, Position, Side, Square, SquareSet};

/// The most checks of a sequence that ends in a capture.
const CHECKS: u32 = 3;

/// The gains that checks have newly made possible: `next` is the position after a ply with the same side to move again,
/// `before` that before the ply, `mv` the ply. `direct` are the threats of either that need no checks.
///
/// A pair of taker and victim is new if it wins against every reply now and did not before. If no single pair does, the
/// reply decides what falls; that is new if before the ply some reply lost nothing. What falls to a pawn is left out
/// (27.2). `nodes` bounds all of it, in positions; `None` where it runs out.
pub(super) fn new_by_checks(
    next: &Position,
    before: &Position,
    mv: Move,
    direct: [&[Threat]; 2],
    rules: &Chase,
    nodes: u32,
) -> Option<Vec<Threat>> {
    let search = |position, direct: &[Threat]| Search {
        root: position,
        us: position.side(),
        excused: position.checkers(position.side()),
        direct: direct.iter().map(Threat::pair).collect(),
        only: None,
        seen: Vec::new(),
        rules,
        nodes: 0,
        path: Vec::new(),
    };
    let mut nodes = nodes;
    let mut now = search(next, direct[0]);
    let mut old = search(before, direct[1]);
    // What needed no checks before the ply is no new gain by checks either.
    let moved = |(taker, victim)| (if taker == mv.from { mv.to } else { taker }, victim);
    now.direct.extend(old.direct.iter().copied().map(moved));
    let Some(any) = now.run(&mut nodes)? else { return Some(Vec::new()) };
    let mut found = Vec::new();
    let seen: BTreeSet<_> = std::mem::take(&mut now.seen).into_iter().collect();
    for pair in seen {
        let earlier = (if pair.0 == mv.to { mv.from } else { pair.0 }, pair.1);
        now.only = Some(pair);
        old.only = Some(earlier);
        let Some(won) = now.run(&mut nodes)? else { continue };
        if old.run(&mut nodes)?.is_none() {
            found.extend(now.threat(won));
        }
    }
    old.only = None;
    if found.is_empty() && now.only.is_some() && old.run(&mut nodes)?.is_none() {
        found.extend(now.threat(any));
    }
    Some(found)
}

/// A line that gains.
struct Won {
    gain: i32,
    line: Vec<Move>,
    /// Where the piece that takes in the end, and the piece that it takes, stood at the root; `None` for a mate.
    pair: Option<(Square, Square)>,
}

impl Won {
    /// The defender chooses the least gain, then the longest line, and mate last (守择佳).
    fn rank(&self) -> (bool, i32, Reverse<usize>) {
        (self.pair.is_none(), self.gain, Reverse(self.line.len()))
    }
}

struct Search<'r> {
    root: &'r Position,
    us: Side,
    excused: SquareSet,
    /// Pairs of taker and victim that need no checks.
    direct: Vec<(Square, Square)>,
    /// The only pair that counts, if not all do.
    only: Option<(Square, Square)>,
    /// The pairs of every gain on the lines that win, whatever the order in which they were met.
    seen: Vec<(Square, Square)>,
    rules: &'r Chase,
    /// Positions that may still be looked at.
    nodes: u32,
    /// The moves from the root.
    path: Vec<Move>,
}

impl Search<'_> {
    /// The gain of some first check: the best of them for the side to move, whatever the order of its pieces.
    fn run(&mut self, nodes: &mut u32) -> Option<Option<Won>> {
        self.nodes = *nodes;
        let mut position = self.root.clone();
        let mut best: Option<Won> = None;
        for mv in checks(self.root, self.excused) {
            let won = self.check_wins(&mut position, mv, Losses::default(), CHECKS)?;
            // Mate in every line is a kill and not a chase.
            if let Some(won) = won.filter(|won| won.pair.is_some()) {
                if best.as_ref().is_none_or(|known| won.rank() > known.rank()) {
                    best = Some(won);
                }
                if self.only.is_some() {
                    break;
                }
            }
        }
        *nodes = self.nodes;
        Some(best)
    }

    fn threat(&self, won: Won) -> Option<Threat> {
        let (attacker, victim) = won.pair?;
        Some(Threat {
            attacker,
            by: self.root.piece_at(attacker)?.kind,
            victim,
            means: Means::Checks,
            line: won.line,
            unguarded: false,
        })
    }

    /// Whether the check `mv` leads to a gain against every reply: the line of the best defence, or `None` past the
    /// bound. The recursion is as deep as [`CHECKS`].
    fn check_wins(
        &mut self,
        position: &mut Position,
        mv: Move,
        losses: Losses,
        depth: u32,
    ) -> Option<Option<Won>> {
        self.nodes = self.nodes.checked_sub(1)?;
        // What is taken with check and needs no checks before it is no gain by checks.
        if position.piece_at(mv.to).is_some() && self.direct.contains(&self.origins(mv)) {
            return Some(None);
        }
        let losses = self.after(position, mv, losses);
        let undo = position.play(mv);
        self.path.push(mv);
        let seen = self.seen.len();
        let won = self.replies_lose(position, losses, depth);
        if !matches!(won, Some(Some(_))) {
            self.seen.truncate(seen);
        }
        self.path.pop();
        position.undo(undo);
        won
    }

    fn replies_lose(
        &mut self,
        position: &mut Position,
        losses: Losses,
        depth: u32,
    ) -> Option<Option<Won>> {
        let mut best: Option<Won> = None;
        let mut replies = Replies::new(position, self.excused);
        while let Some(reply) = replies.next(position) {
            let losses = self.after(position, reply, losses);
            let undo = position.play(reply);
            self.path.push(reply);
            let won = self.follow_up(position, losses, depth - 1);
            self.path.pop();
            position.undo(undo);
            let Some(won) = won? else { return Some(None) };
            if best.as_ref().is_none_or(|known| won.rank() < known.rank()) {
                best = Some(won);
            }
        }
        let mate = || Won { gain: 0, line: self.path.clone(), pair: None };
        Some(Some(best.unwrap_or_else(mate)))
    }

    /// After a reply: a capture that leaves a gain, or another check.
    fn follow_up(
        &mut self,
        position: &mut Position,
        losses: Losses,
        depth: u32,
    ) -> Option<Option<Won>> {
        self.nodes = self.nodes.checked_sub(1)?;
        let mut best: Option<Won> = None;
        for mv in captures(position, self.excused) {
            if let Some(won) = self.gain(position, mv, losses) {
                self.seen.extend(won.pair);
                if best.as_ref().is_none_or(|known| won.rank() > known.rank()) {
                    best = Some(won);
                }
            }
        }
        if best.is_some() {
            return Some(best);
        }
        if depth > 0 {
            for mv in checks(position, self.excused) {
                let Some(won) = self.check_wins(position, mv, losses, depth)? else { continue };
                let is_gain = won.pair.is_some();
                if best.as_ref().is_none_or(|known| is_gain && known.pair.is_none()) {
                    best = Some(won);
                }
                if is_gain && self.only.is_some() {
                    break;
                }
            }
        }
        Some(best)
    }

    /// What the capture `mv` gains, if it counts and is no offer of an exchange.
    fn gain(&self, position: &mut Position, mv: Move, losses: Losses) -> Option<Won> {
        let pair = self.origins(mv);
        if self.only.is_some_and(|only| only != pair)
            || self.direct.contains(&pair)
            || position.piece_at(mv.from)?.kind == Kind::Pawn
            || is_even_offer(self.root, Move { from: pair.0, to: pair.1 })
        {
            return None;
        }
        let losses = self.after(position, mv, losses);
        let undo = position.play(mv);
        let (end, rest) = exchange::on_square(position, mv.to, self.us, losses, self.excused);
        let gain = end.gain();
        let lost = gain > 0
            && (is_void(position, self.excused, self.rules)
                || self.is_made_up_for(position, losses));
        position.undo(undo);
        let line = || [self.path.clone(), vec![mv], rest].concat();
        (gain > 0 && !lost).then(|| Won { gain, line: line(), pair: Some(pair) })
    }

    /// Whether a piece that has moved in reply to a check takes back elsewhere what was gained (守择佳). What other
    /// pieces can take they could have taken before: that is no matter of this threat.
    fn is_made_up_for(&self, position: &mut Position, losses: Losses) -> bool {
        let enemy = self.us.other();
        let mut moved: Vec<Square> = self.path.iter().skip(1).step_by(2).map(|mv| mv.to).collect();
        moved.dedup();
        moved.into_iter().any(|from| {
            if position.piece_at(from).is_none_or(|piece| piece.side != enemy) {
                return false;
            }
            let targets = position.reach(from) & position.occupied_by(self.us);
            targets.into_iter().any(|to| {
                let mv = Move { from, to };
                if !position.is_legal(mv) {
                    return false;
                }
                let losses = self.after(position, mv, losses);
                let undo = position.play(mv);
                let (end, _) = exchange::on_square(position, to, self.us, losses, self.excused);
                position.undo(undo);
                end.gain() <= 0
            })
        })
    }

    /// Where the piece that stands on `square` now stood at the root.
    fn origin(&self, square: Square) -> Square {
        self.path.iter().rev().fold(square, |at, mv| if mv.to == at { mv.from } else { at })
    }

    fn origins(&self, mv: Move) -> (Square, Square) {
        (self.origin(mv.from), self.origin(mv.to))
    }

    fn after(&self, position: &Position, mv: Move, losses: Losses) -> Losses {
        match position.piece_at(mv.to) {
            Some(prey) => losses.with(worth(prey, mv.to), prey.kind, prey.side == self.us),
            None => losses,
        }
    }
}
