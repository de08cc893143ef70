//! What the side to move could win by its next move: the captures that make a chase (捉, articles 28.3 and 29).
//!
//! A side that stands in check has the threats that it would have but for the check: what it threatened before it had
//! to answer the check is not made anew by the answer (29.2). The pieces whose check need not be answered are called
//! excused throughout.

use crate::board::{Kind, Move, Position, Square, SquareSet};

use super::{
    budget::{Budget, Spent},
    exceptions::is_by_general,
    exchange::{self, Losses, worth},
    mate::mates_at_once,
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
    /// The square of the piece that takes.
    pub attacker: Square,
    /// Its kind.
    pub by: Kind,
    /// The square of the piece that is won.
    pub victim: Square,
    /// How.
    pub means: Means,
    /// The moves that show it, from the side to move on.
    pub line: Vec<Move>,
    /// Whether nothing takes back.
    pub unguarded: bool,
}

impl Threat {
    /// Who takes whom: what makes a threat the same as another (29.2).
    pub fn pair(&self) -> (Square, Square) {
        (self.attacker, self.victim)
    }
}

/// The threats of the side to move by captures and exchanges, at most one for each pair of attacker and victim.
pub(super) fn by_captures(
    position: &Position,
    rules: &Chase,
    budget: &mut Budget,
) -> Result<Vec<Threat>, Spent> {
    let excused = position.checkers(position.side());
    let captures = captures_but(position, excused, |_| true);
    if captures.is_empty() {
        return Ok(Vec::new());
    }
    let mut position = position.clone();
    let mut found: Vec<Threat> = Vec::new();
    for mv in &captures {
        found.extend(by_capture(&mut position, *mv, excused, rules, budget)?);
    }
    if rules.by_exchange {
        let known = found.clone();
        for mv in &captures {
            if known.iter().any(|threat| threat.pair() == (mv.from, mv.to)) {
                continue;
            }
            for threat in by_exchange(&mut position, *mv, &known, excused, rules, budget)? {
                push_new(&mut found, threat);
            }
        }
    }
    Ok(found)
}

/// Adds a threat, unless there is one of the same pair.
fn push_new(found: &mut Vec<Threat>, threat: Threat) {
    if !found.iter().any(|known| known.pair() == threat.pair()) {
        found.push(threat);
    }
}

/// Legal captures of pieces of value that `counts` lets pass, by other pieces than the general (27.1), in order.
pub(super) fn captures_but(
    position: &Position,
    excused: SquareSet,
    counts: impl Fn(Move) -> bool,
) -> Vec<Move> {
    let side = position.side();
    let prey = position.occupied_by(side.other());
    let mut found = Vec::new();
    for from in position.occupied_by(side) {
        for to in position.reach(from) & prey {
            let mv = Move { from, to };
            if position.piece_at(to).is_some_and(|piece| worth(piece, to) > 0)
                && !is_by_general(position, mv)
                && counts(mv)
                && position.is_safe_but_for(mv, excused)
            {
                found.push(mv);
            }
        }
    }
    found
}

/// Whether the side to move, which has just been captured from, mates at once: the capture is void then (29.4). Asked
/// only of a side that stood in no check, for a check that is not answered proves nothing of the capture.
pub(super) fn is_void(position: &Position, excused: SquareSet, rules: &Chase) -> bool {
    rules.void_if_mated && excused.is_empty() && mates_at_once(position).is_some()
}

/// A capture that gains by itself.
fn by_capture(
    position: &mut Position,
    mv: Move,
    excused: SquareSet,
    rules: &Chase,
    budget: &mut Budget,
) -> Result<Option<Threat>, Spent> {
    let us = position.side();
    let (Some(taker), Some(prey)) = (position.piece_at(mv.from), position.piece_at(mv.to)) else {
        return Ok(None);
    };
    if is_even_offer(position, mv) || rules.frozen_is_idle && is_frozen(position, mv) {
        return Ok(None);
    }
    let undo = position.play(mv);
    let first = Losses::default().with(worth(prey, mv.to), prey.kind, false);
    let (end, rest) = exchange::on_square(position, mv.to, us, first, excused, budget)?;
    let retaken = position
        .attackers(mv.to, us.other())
        .any(|from| position.is_legal(Move { from, to: mv.to }));
    let gains = if rules.count_guards {
        end.gain() > 0
    } else {
        !retaken || rules.protected_chariot && is_lesser(taker.kind, prey.kind)
    };
    let void = gains && is_void(position, excused, rules);
    position.undo(undo);
    Ok((gains && !void).then(|| Threat {
        attacker: mv.from,
        by: taker.kind,
        victim: mv.to,
        means: Means::Capture,
        line: [vec![mv], rest].concat(),
        unguarded: !retaken,
    }))
}

/// Whether the capture is of a piece of the same kind that could take its taker, were it its turn: an exchange is
/// offered (兑, 28.5), whoever would take first.
pub(super) fn is_even_offer(position: &Position, mv: Move) -> bool {
    let kind = |square| position.piece_at(square).map(|piece| piece.kind);
    kind(mv.from) == kind(mv.to) && passed(position).is_legal(Move { from: mv.to, to: mv.from })
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

/// The threats of an even capture after whose recapture, every one of them, the same piece on another square falls that
/// did not before.
fn by_exchange(
    position: &mut Position,
    mv: Move,
    known: &[Threat],
    excused: SquareSet,
    rules: &Chase,
    budget: &mut Budget,
) -> Result<Vec<Threat>, Spent> {
    let us = position.side();
    let (Some(taker), Some(prey)) = (position.piece_at(mv.from), position.piece_at(mv.to)) else {
        return Ok(Vec::new());
    };
    let mut after = position.clone();
    after.play(mv);
    let replies: Vec<Move> = after
        .attackers(mv.to, us.other())
        .map(|from| Move { from, to: mv.to })
        .filter(|reply| after.is_legal(*reply))
        .collect();
    let first = Losses::default().with(worth(prey, mv.to), prey.kind, false);
    let losses = first.with(worth(taker, mv.to), taker.kind, true);
    let mut won: Option<Vec<(Move, Vec<Move>)>> = None;
    for reply in replies {
        let back = after.play(reply);
        let seconds = captures_but(&after, excused, |second| {
            second.to != mv.to
                && !known.iter().any(|threat| threat.victim == second.to)
                && !is_even_offer(position, second)
                && won.as_ref().is_none_or(|won| won.iter().any(|(known, _)| *known == second))
        });
        let mut falls = Vec::new();
        for second in seconds {
            let Some(kind) = after.piece_at(second.to) else { continue };
            let losses = losses.with(worth(kind, second.to), kind.kind, false);
            let undo = after.play(second);
            let (end, rest) =
                exchange::on_square(&mut after, second.to, us, losses, excused, budget)?;
            if end.gain() > 0 && !is_void(&after, excused, rules) {
                falls.push((second, [vec![mv, reply, second], rest].concat()));
            }
            after.undo(undo);
        }
        after.undo(back);
        let none = falls.is_empty();
        won = Some(falls);
        if none {
            break;
        }
    }
    let threat = |(second, line): (Move, Vec<Move>)| {
        Some(Threat {
            attacker: second.from,
            by: position.piece_at(second.from)?.kind,
            victim: second.to,
            means: Means::Exchange,
            line,
            unguarded: false,
        })
    };
    Ok(won.unwrap_or_default().into_iter().filter_map(threat).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    fn found(position: &Position, rules: &Chase) -> Vec<Threat> {
        let mut budget = Budget::new(Profile::default().repetition.bound);
        by_captures(position, rules, &mut budget).unwrap()
    }

    /// The threats of the side to move under `profile`, as attacker and victim.
    fn threats(profile: &str, fen: &str) -> Vec<String> {
        let rules = Profile::load(profile).unwrap().repetition.chase;
        found(&Position::from_fen(fen).unwrap(), &rules)
            .iter()
            .map(|threat| format!("{}{}", threat.attacker, threat.victim))
            .collect()
    }

    fn classic(fen: &str) -> Vec<String> {
        threats("cxa-classic", fen)
    }

    // 28.16: the elephant guards the horse; without it the chariot wins it.
    #[test]
    fn a_guard_protects() {
        assert_eq!(classic("3k5/9/9/9/2n6/9/9/9/9/R1R1K4 w").len(), 1);
        assert_eq!(classic("3k5/9/9/2n6/9/9/9/9/9/2R1K4 w"), ["c0c6"]);
        assert_eq!(classic("3k1n3/9/9/9/9/9/9/9/9/4KR3 w"), ["f0f9"]);
        assert!(classic("4kn3/9/9/9/9/9/9/9/9/3K1R3 w").is_empty());
    }

    // R53: neither the general on d9 nor the horse between guards the cannon on f9.
    #[test]
    fn a_general_out_of_reach_is_no_guard() {
        let found = classic("3kncC2/5R3/9/9/9/9/9/9/9/5K3 w");
        assert!(found.contains(&"f8f9".to_owned()), "{found:?}");
    }

    // 假根: the adviser on e8 would uncover its general to the chariot on e2 if it took back.
    #[test]
    fn a_pinned_guard_is_a_false_root() {
        assert_eq!(classic("4k4/4a4/3n5/9/9/9/9/4R4/9/3R1K3 w"), ["d0d7"]);
        // With the chariot elsewhere the adviser guards.
        assert!(classic("4k4/4a4/3n5/9/9/9/9/R8/9/3R1K3 w").is_empty());
    }

    // 少根: chariot and horse attack the cannon, one horse guards it: two horses' worth and more for one chariot.
    #[test]
    fn too_few_roots_are_none() {
        let fen = "3k5/9/9/4c4/2n6/9/9/9/9/4RK3 w";
        assert!(classic(fen).is_empty());
        let two = "3k5/9/9/4c4/2n6/3N5/9/9/9/4RK3 w";
        assert!(classic(two).contains(&"d4e6".to_owned()), "{:?}", classic(two));
        // Under the Asian rules one true guard protects, however many attack (diagrams 86 to 89).
        assert!(threats("axf", two).is_empty());
    }

    // 27.1: what the general itself attacks is idle. 28.5: pieces of a kind that can take each other.
    #[test]
    fn generals_and_even_offers_do_not_count() {
        assert!(classic("3k5/9/9/9/9/9/9/9/4p4/4K4 w").is_empty());
        assert!(classic("3k5/9/9/r8/9/9/9/9/9/R3K4 w").is_empty());
        // A pinned chariot cannot take back: it is chased.
        assert_eq!(classic("4k4/9/9/4r4/9/9/9/9/9/4R1K2 w").len(), 0);
    }

    // 29.4: the horse on i3 is not guarded, but b0 would be mate, the other chariot holding rank 1.
    #[test]
    fn a_capture_that_is_mated_at_once_is_void() {
        let position = Position::from_fen("3k5/9/9/9/9/9/4R3n/1r7/r8/4K4 w").unwrap();
        let rules = Profile::default().repetition.chase;
        assert_eq!(found(&position, &rules), []);
        let blind = found(&position, &Chase { void_if_mated: false, ..rules });
        assert_eq!(blind.len(), 1);
    }

    // Asian rules, diagrams 39 to 41: the chariot that keeps the horse from giving check attacks it idly.
    #[test]
    fn a_frozen_piece_attacks_idly_under_the_asian_rules() {
        let fen = "5k3/9/9/9/9/9/9/4n4/4R4/3K5 w";
        assert_eq!(classic(fen), ["e1e2"]);
        assert!(threats("axf", fen).is_empty());
    }

    // In check, what would be threatened but for the check.
    #[test]
    fn a_side_in_check_keeps_its_threats() {
        assert_eq!(classic("3k5/9/9/2n6/9/9/9/9/9/2R1K3r w"), ["c0c6"]);
    }
}
