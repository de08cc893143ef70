//! What the side to move could win by its next move: the captures that make a chase (捉, articles 28.3 and 29).

use crate::board::{Kind, Move, Position, Side, Square};

use super::{
    exchange::{self, Losses, worth},
    mate::{checks, mates_at_once},
    profile::Chase,
};

/// How a threat wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// The capture itself, and what follows on its square (直接吃子).
    Capture,
    /// A sequence of checks that ends in a capture (连续照将).
    Checks,
    /// An exchange that wins on another square (完整的交换过程).
    Exchange,
}

/// A gain that the side to move could make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The square of the piece that begins.
    pub attacker: Square,
    /// Its kind.
    pub by: Kind,
    /// The square of the piece that is won.
    pub victim: Square,
    /// How.
    pub means: Means,
    /// The moves that show it, from the side to move on.
    pub line: Vec<Move>,
    /// Whether nothing guards the victim, in form at least.
    pub unguarded: bool,
}

/// The most checks of a sequence that ends in a capture.
const CHECKS: u32 = 3;

/// The threats of the side to move by captures and exchanges, at most one for each pair of attacker and victim.
///
/// A side that stands in check has the threats that it would have but for the check: what it threatened before it had
/// to answer the check is not made anew by the answer (29.2).
pub fn by_captures(position: &Position, rules: &Chase) -> Vec<Threat> {
    let mut position = position.clone();
    let mut found: Vec<Threat> = Vec::new();
    let captures = if position.in_check(position.side()) {
        captures_by_shape(&position)
    } else {
        captures(&position)
    };
    for mv in &captures {
        if let Some(threat) = by_capture(&mut position, *mv, rules) {
            found.push(threat);
        }
    }
    if rules.by_exchange {
        for mv in &captures {
            if !found.iter().any(|threat| threat.attacker == mv.from && threat.victim == mv.to)
                && let Some(threat) = by_exchange(&mut position, *mv, &found, rules)
            {
                push_new(&mut found, threat);
            }
        }
    }
    found
}

/// The threats of the side to move by sequences of checks that end in a capture, at most one for each pair of first
/// checker and victim. `nodes` bounds the search, in positions; `None` where it runs out.
pub fn by_check_sequences(
    position: &Position,
    rules: &Chase,
    mut nodes: u32,
) -> Option<Vec<Threat>> {
    let mut position = position.clone();
    let mut found: Vec<Threat> = Vec::new();
    for mv in checks(&position) {
        if let Some(threat) = by_checks(&mut position, mv, rules, &mut nodes)? {
            push_new(&mut found, threat);
        }
    }
    Some(found)
}

fn push_new(found: &mut Vec<Threat>, threat: Threat) {
    if !found.iter().any(|known| known.attacker == threat.attacker && known.victim == threat.victim)
    {
        found.push(threat);
    }
}

/// Legal captures of pieces of value by other pieces than the general: what the general itself attacks is idle (27.1).
fn captures(position: &Position) -> Vec<Move> {
    let mut found = captures_by_shape(position);
    found.retain(|mv| position.is_legal(*mv));
    found
}

/// The same, whether the own general is safe then or not.
fn captures_by_shape(position: &Position) -> Vec<Move> {
    let side = position.side();
    let mut found = Vec::new();
    for to in position.occupied_by(side.other()) {
        if position.piece_at(to).is_none_or(|piece| worth(piece, to) == 0) {
            continue;
        }
        for from in position.attackers(to, side) {
            if position.piece_at(from).is_some_and(|piece| piece.kind != Kind::General) {
                found.push(Move { from, to });
            }
        }
    }
    found.sort_unstable();
    found
}

/// The moves that the pieces of the side to move can make, whether the general is safe then or not.
pub(super) fn by_shape(position: &Position) -> Vec<Move> {
    position
        .occupied_by(position.side())
        .flat_map(|from| position.reach(from).map(move |to| Move { from, to }))
        .collect()
}

/// A capture that gains by itself.
fn by_capture(position: &mut Position, mv: Move, rules: &Chase) -> Option<Threat> {
    let us = position.side();
    let (by, prey) = (position.piece_at(mv.from)?.kind, position.piece_at(mv.to)?.kind);
    // Pieces of a kind that can take each other offer an exchange (兑, 28.5).
    if by == prey && can_take_back(position, mv) {
        return None;
    }
    if rules.frozen_is_idle && is_frozen(position, mv) {
        return None;
    }
    let worth = worth(position.piece_at(mv.to)?, mv.to);
    let undo = position.play(mv);
    let mated = rules.void_if_mated && mates_at_once(position).is_some();
    let first = Losses::default().with(worth, prey, false);
    let (end, rest) = exchange::on_square(position, mv.to, us, first);
    let retaken = position
        .attackers(mv.to, us.other())
        .any(|from| position.is_legal(Move { from, to: mv.to }));
    position.undo(undo);
    if mated {
        return None;
    }
    let gains = if rules.count_guards {
        end.gain() > 0
    } else {
        !retaken || rules.protected_chariot && is_lesser(by, prey)
    };
    gains.then(|| Threat {
        attacker: mv.from,
        by,
        victim: mv.to,
        means: Means::Capture,
        line: [vec![mv], rest].concat(),
        unguarded: !retaken,
    })
}

/// Whether the piece on the target could take the piece that attacks it, were it its turn.
fn can_take_back(position: &Position, mv: Move) -> bool {
    passed(position).is_legal(Move { from: mv.to, to: mv.from })
}

/// Whether the piece that attacks is frozen by the horse that it attacks: it stands on that horse's leg and so keeps it
/// from giving check (Asian rules, diagrams 39 to 41).
fn is_frozen(position: &Position, mv: Move) -> bool {
    let horse = position.piece_at(mv.to).is_some_and(|piece| piece.kind == Kind::Horse);
    let Some(general) = position.general(position.side()).filter(|_| horse) else { return false };
    let files = general.file() as i8 - mv.to.file() as i8;
    let ranks = general.rank() as i8 - mv.to.rank() as i8;
    let leg = match (files.abs(), ranks.abs()) {
        (2, 1) => mv.to.offset(files / 2, 0),
        (1, 2) => mv.to.offset(0, ranks / 2),
        _ => None,
    };
    leg == Some(mv.from)
}

/// The position with the other side to move.
pub(super) fn passed(position: &Position) -> Position {
    let mut after = position.clone();
    let nowhere = Square::from_index(0).expect("0 is a square");
    after.play(Move { from: nowhere, to: nowhere });
    after
}

/// Whether `by` is worth so much less than `prey` that no guard protects it (Asian rules).
fn is_lesser(by: Kind, prey: Kind) -> bool {
    match prey {
        Kind::Chariot => matches!(by, Kind::Horse | Kind::Cannon | Kind::Adviser | Kind::Elephant),
        Kind::Horse | Kind::Cannon => matches!(by, Kind::Adviser | Kind::Elephant),
        _ => false,
    }
}

/// An even capture after whose recapture, every one of them, a piece on another square falls that did not before.
fn by_exchange(
    position: &mut Position,
    mv: Move,
    known: &[Threat],
    rules: &Chase,
) -> Option<Threat> {
    let us = position.side();
    let by = position.piece_at(mv.from)?.kind;
    let prey = position.piece_at(mv.to)?;
    let first = Losses::default().with(worth(prey, mv.to), prey.kind, false);
    let attacker_worth = worth(position.piece_at(mv.from)?, mv.from);
    let undo = position.play(mv);
    let recaptures: Vec<Move> =
        position.legal_moves().into_iter().filter(|reply| reply.to == mv.to).collect();
    let mut best: Option<(Vec<Move>, Square)> = None;
    for reply in &recaptures {
        let losses = first.with(attacker_worth, by, true);
        let undo = position.play(*reply);
        let won = captures(position)
            .into_iter()
            .filter(|second| !known.iter().any(|threat| threat.victim == second.to))
            .find_map(|second| {
                let kind = position.piece_at(second.to)?;
                let losses = losses.with(worth(kind, second.to), kind.kind, false);
                let undo = position.play(second);
                let (end, rest) = exchange::on_square(position, second.to, us, losses);
                let mated = rules.void_if_mated && mates_at_once(position).is_some();
                position.undo(undo);
                (end.gain() > 0 && !mated)
                    .then(|| ([vec![mv, *reply, second], rest].concat(), second.to))
            });
        position.undo(undo);
        if won.is_none() {
            best = None;
            break;
        }
        best = won;
    }
    position.undo(undo);
    let (line, victim) = best?;
    Some(Threat { attacker: mv.from, by, victim, means: Means::Exchange, line, unguarded: false })
}

/// A first check after which, whatever the reply, checks go on until a capture gains. `None` past the bound.
fn by_checks(
    position: &mut Position,
    mv: Move,
    rules: &Chase,
    nodes: &mut u32,
) -> Option<Option<Threat>> {
    let us = position.side();
    let Some(by) = position.piece_at(mv.from).map(|piece| piece.kind) else { return Some(None) };
    let line = check_wins(position, mv, us, Losses::default(), CHECKS, rules, nodes)?;
    Some(line.and_then(|line| {
        // The piece that is won is the last one of theirs that falls on the line.
        let mut replay = position.clone();
        let mut victim = None;
        for step in &line {
            let side = replay.side();
            let prey =
                replay.piece_at(step.to).filter(|piece| side == us && worth(*piece, step.to) > 0);
            if prey.is_some() {
                victim = Some(step.to);
            }
            replay.play(*step);
        }
        // A piece that could take its taker is offered an exchange, whatever the checks are for (28.5).
        let last = line.iter().rev().find(|step| {
            Some(step.to) == victim
                && position.piece_at(step.from).is_some_and(|piece| piece.side == us)
        });
        let kinds = |step: &Move| {
            Some((position.piece_at(step.from)?.kind, position.piece_at(step.to)?.kind))
        };
        if last.is_some_and(|step| {
            kinds(step).is_some_and(|(a, b)| a == b) && can_take_back(position, *step)
        }) {
            return None;
        }
        // Squares of pieces that the checks have moved mean nothing before them.
        let stood = victim
            .filter(|square| position.piece_at(*square).is_some_and(|piece| piece.side != us))?;
        Some(Threat {
            attacker: mv.from,
            by,
            victim: stood,
            means: Means::Checks,
            line,
            unguarded: false,
        })
    }))
}

/// Whether the check `mv` leads to a gain against every reply: a line that shows it, or `None` past the bound.
fn check_wins(
    position: &mut Position,
    mv: Move,
    us: Side,
    losses: Losses,
    depth: u32,
    rules: &Chase,
    nodes: &mut u32,
) -> Option<Option<Vec<Move>>> {
    *nodes = nodes.checked_sub(1)?;
    let losses = after_capture(position, mv, us, losses);
    let undo = position.play(mv);
    let replies = position.legal_moves();
    let mut longest: Option<Vec<Move>> = None;
    for reply in replies {
        let losses = after_capture(position, reply, us, losses);
        let back = position.play(reply);
        let won = follow_up(position, us, losses, depth - 1, rules, nodes);
        position.undo(back);
        let Some(won) = won else {
            position.undo(undo);
            return None;
        };
        let Some(rest) = won else {
            position.undo(undo);
            return Some(None);
        };
        let line = [vec![mv, reply], rest].concat();
        if longest.as_ref().is_none_or(|known| known.len() < line.len()) {
            longest = Some(line);
        }
    }
    position.undo(undo);
    // Without a reply it is mate, which is a kill and not a chase.
    Some(longest)
}

/// After a reply: a capture that leaves a gain, or another check.
fn follow_up(
    position: &mut Position,
    us: Side,
    losses: Losses,
    depth: u32,
    rules: &Chase,
    nodes: &mut u32,
) -> Option<Option<Vec<Move>>> {
    for mv in captures(position) {
        let losses = after_capture(position, mv, us, losses);
        let undo = position.play(mv);
        let (end, rest) = exchange::on_square(position, mv.to, us, losses);
        let mated = rules.void_if_mated && mates_at_once(position).is_some();
        position.undo(undo);
        if end.gain() > 0 && !mated {
            return Some(Some([vec![mv], rest].concat()));
        }
    }
    if depth == 0 {
        return Some(None);
    }
    for mv in checks(position) {
        if let Some(line) = check_wins(position, mv, us, losses, depth, rules, nodes)? {
            return Some(Some(line));
        }
    }
    Some(None)
}

fn after_capture(position: &Position, mv: Move, us: Side, losses: Losses) -> Losses {
    match position.piece_at(mv.to) {
        Some(prey) => losses.with(worth(prey, mv.to), prey.kind, prey.side == us),
        None => losses,
    }
}
