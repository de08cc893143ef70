//! Gains by a sequence of checks that ends in a capture (连续照将吃子, articles 28.3 and 29.1): a bounded search with all
//! replies.

use std::cmp::Reverse;

use super::{
    exchange::{self, Losses, worth},
    mate::{Replies, checks},
    profile::Chase,
    threat::{Means, Threat, captures, is_even_offer, is_void, push_new},
};
use crate::board::{Kind, Move, Position, Side, Square, SquareSet};

/// The most checks of a sequence that ends in a capture.
const CHECKS: u32 = 3;

/// The threats of the side to move by sequences of checks that end in a capture, at most one for each pair of taker and
/// victim. What is won by the pairs `known` needs no checks and is left out. `nodes` bounds the search, in positions;
/// `None` where it runs out.
pub(super) fn by_check_sequences(
    position: &Position,
    known: &[(Square, Square)],
    rules: &Chase,
    nodes: u32,
) -> Option<Vec<Threat>> {
    let excused = position.checkers(position.side());
    let first = checks(position, excused);
    let mut search = Search {
        root: position,
        us: position.side(),
        known,
        excused,
        rules,
        nodes,
        path: Vec::new(),
    };
    let mut found = Vec::new();
    let mut position = position.clone();
    for mv in first {
        let Some(won) = search.check_wins(&mut position, mv, Losses::default(), CHECKS)? else {
            continue;
        };
        if let Some(threat) = search.threat(won) {
            push_new(&mut found, threat);
        }
    }
    Some(found)
}

/// A line that gains.
struct Won {
    by_pawn: bool,
    gain: i32,
    line: Vec<Move>,
    /// Where the piece that takes in the end, and the piece that it takes, stood at the root; `None` for a mate.
    pair: Option<(Square, Square)>,
}

impl Won {
    /// The defender chooses the least: what only a pawn takes, then the smallest gain, then the longest line, and mate last (守择佳).
    fn rank(&self) -> (bool, bool, i32, Reverse<usize>) {
        (self.pair.is_none(), !self.by_pawn, self.gain, Reverse(self.line.len()))
    }
}

struct Search<'r> {
    root: &'r Position,
    us: Side,
    known: &'r [(Square, Square)],
    excused: SquareSet,
    rules: &'r Chase,
    nodes: u32,
    /// The moves from the root.
    path: Vec<Move>,
}

impl Search<'_> {
    fn threat(&self, won: Won) -> Option<Threat> {
        // Mate in every line is a kill and not a chase.
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

    /// Whether the check `mv` leads to a gain against every reply: the line of the best defence, the longest of equal
    /// ones; or `None` past the bound. The recursion is as deep as [`CHECKS`].
    fn check_wins(
        &mut self,
        position: &mut Position,
        mv: Move,
        losses: Losses,
        depth: u32,
    ) -> Option<Option<Won>> {
        self.nodes = self.nodes.checked_sub(1)?;
        // What is taken with check and needs no checks before it is no gain by checks.
        if position.piece_at(mv.to).is_some() && self.known.contains(&self.origins(mv)) {
            return Some(None);
        }
        let losses = self.after(position, mv, losses);
        let undo = position.play(mv);
        self.path.push(mv);
        let won = self.replies_lose(position, losses, depth);
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
        let mate = || Won { by_pawn: false, gain: 0, line: self.path.clone(), pair: None };
        Some(Some(best.unwrap_or_else(mate)))
    }

    /// After a reply: a capture that leaves a gain, or another check. What a pawn takes comes last (27.2).
    fn follow_up(
        &mut self,
        position: &mut Position,
        losses: Losses,
        depth: u32,
    ) -> Option<Option<Won>> {
        let mut by_pawn = None;
        for mv in captures(position, self.excused) {
            match self.gain(position, mv, losses) {
                Some(won) if !won.by_pawn => return Some(Some(won)),
                Some(won) => by_pawn = by_pawn.or(Some(won)),
                None => {}
            }
        }
        if depth > 0 {
            for mv in checks(position, self.excused) {
                if let Some(won) = self.check_wins(position, mv, losses, depth)? {
                    if !won.by_pawn {
                        return Some(Some(won));
                    }
                    by_pawn = by_pawn.or(Some(won));
                }
            }
        }
        Some(by_pawn)
    }

    /// What the capture `mv` gains, if it gains, is not known, and is no offer of an exchange.
    fn gain(&self, position: &mut Position, mv: Move, losses: Losses) -> Option<Won> {
        let pair = self.origins(mv);
        if self.known.contains(&pair) || is_even_offer(self.root, Move { from: pair.0, to: pair.1 })
        {
            return None;
        }
        let by_pawn = position.piece_at(mv.from)?.kind == Kind::Pawn;
        let losses = self.after(position, mv, losses);
        let undo = position.play(mv);
        let (end, rest) = exchange::on_square(position, mv.to, self.us, losses, self.excused);
        let gain = end.gain();
        let lost = gain > 0
            && (is_void(position, self.excused, self.rules)
                || self.is_made_up_for(position, losses));
        position.undo(undo);
        let line = || [self.path.clone(), vec![mv], rest].concat();
        (gain > 0 && !lost).then(|| Won { by_pawn, gain, line: line(), pair: Some(pair) })
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
