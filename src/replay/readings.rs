//! The one search over alternative readings of a line: ambiguous texts, and plies left out.
//!
//! All positions that some reading reaches are kept ply by ply, equal positions merged; a reading in which a later
//! written move is impossible dies. What survives is a lattice of moves, each with its log-likelihood
//! ([`likelihood`]), from which [`Survey`](super::survey::Survey) takes counts, the best lines and the probability of
//! each ply.
//!
//! The search is exact while it looks at no more than [`Options::effort`](super::Options::effort) positions. The
//! effort is spread evenly over the plies that remain; where more positions would have to be followed, the least
//! likely are given up and the lattice says that it is not complete. Positions far less likely than the likeliest are
//! followed for the count, at a flat likelihood and without asking the model, which costs most of the time.

use std::collections::HashMap;

use crate::{
    board::{Move, Position},
    notation::{Dialect, Reading},
    record::Written,
};

use super::{
    likelihood::{self, Past},
    line,
};

/// Positions followed side by side however little effort is left.
const LEAST_WIDTH: usize = 24;

/// A position whose likeliest reading is this much less likely than the likeliest of all is not worth the model's time.
const HOPELESS: i64 = 8 * likelihood::NAT as i64;
/// The most positions of a layer that the model is asked about, the likeliest; it costs most of the time.
const WEIGHED: usize = 256;
/// The most positions of a line that the model is asked about, whatever the effort.
const MOST_WEIGHED: usize = 20_000;
/// What a move costs there: more than moves cost where people play them.
const HOPELESS_MOVE: i32 = -4 * likelihood::NAT;

/// One written ply with what else the record tells of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply<'a> {
    /// The ply; `Omitted` may be any legal move.
    pub(super) written: Written<'a>,
    /// A full move text in its comment, which names the move if it is one of the readings.
    pub(super) spelled: Option<&'a str>,
}

/// A way from a position to one of the next layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) mv: Move,
    /// Number of the position in the next layer.
    pub(super) next: usize,
    /// Log-likelihood of the move among all legal ones, in [`likelihood::NAT`]ths.
    pub(super) log: i32,
}

/// The readings of a line that survive, as far as any does.
#[derive(Debug)]
pub(super) struct Lattice {
    /// For each ply the positions before it, each with the moves that it may be.
    pub(super) layers: Vec<Vec<Vec<Step>>>,
    /// How many positions there are behind the last ply.
    pub(super) last: usize,
    /// Whether no reading was given up.
    pub(super) complete: bool,
}

/// A position that is being followed.
struct Followed {
    position: Position,
    past: Past,
    /// Ways here, saturating.
    ways: u64,
    /// Log-likelihood of the likeliest way here.
    best: i64,
}

/// How to search.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    /// The dialect of the texts.
    pub(super) dialect: Option<Dialect>,
    /// Positions looked at.
    pub(super) effort: usize,
    /// Whether to go on to the end of the line even where one reading alone is left.
    pub(super) to_end: bool,
    /// Judges the positions at the very end of the line; where none pleases it, all stay.
    pub(super) accept: &'s dyn Fn(&Position) -> bool,
}

/// Follows every reading of `plies` from `position`, until one alone is left, all are refuted, or the line ends.
pub(super) fn follow(
    position: &Position,
    past: Past,
    plies: &[Ply<'_>],
    search: Search<'_>,
) -> Lattice {
    let first = Followed { position: position.clone(), past, ways: 1, best: 0 };
    let mut front = vec![first];
    let mut layers = Vec::new();
    let mut looked_at = 0;
    let mut left = MOST_WEIGHED;
    let mut complete = true;
    for (index, ply) in plies.iter().enumerate() {
        looked_at += front.len();
        let (mut layer, mut next) = advance(&front, ply, search.dialect, &mut left);
        if next.is_empty() {
            break;
        }
        let width = search.effort.saturating_sub(looked_at) / (plies.len() - index);
        complete &= narrow(&mut layer, &mut next, width.max(LEAST_WIDTH));
        if index + 1 == plies.len() && next.len() > 1 {
            refute(&mut layer, &mut next, search.accept);
        }
        layers.push(layer);
        front = next;
        if !search.to_end && complete && matches!(front.as_slice(), [one] if one.ways == 1) {
            break;
        }
    }
    Lattice { layers, last: front.len(), complete }
}

/// Reads one ply on every position.
fn advance(
    front: &[Followed],
    ply: &Ply<'_>,
    dialect: Option<Dialect>,
    left: &mut usize,
) -> (Vec<Vec<Step>>, Vec<Followed>) {
    let mut next: Vec<Followed> = Vec::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    let mut layer = Vec::with_capacity(front.len());
    let mut bests: Vec<i64> = front.iter().map(|from| from.best).collect();
    bests.sort_unstable_by_key(|best| std::cmp::Reverse(*best));
    let likeliest = bests.first().copied().unwrap_or(0);
    let least = bests.get(WEIGHED).copied().unwrap_or(i64::MIN).max(likeliest - HOPELESS);
    for from in front {
        let choices = choices(ply, dialect, &from.position);
        // A single way needs no likelihood: there is nothing to weigh it against.
        let alone = front.len() == 1 && choices.len() == 1;
        let hopeless = from.best < least || *left == 0;
        let logs = if alone || hopeless || choices.is_empty() {
            Vec::new()
        } else {
            *left -= 1;
            likelihood::log_likelihoods(&from.position, from.past)
        };
        let mut steps = Vec::with_capacity(choices.len());
        for mv in choices {
            let log = match logs.iter().find(|(legal, _)| *legal == mv) {
                Some((_, log)) => *log,
                None if hopeless => HOPELESS_MOVE,
                None => 0,
            };
            let best = from.best + i64::from(log);
            let mut position = from.position.clone();
            position.play(mv);
            let number = *known.entry(position.key()).or_insert(next.len());
            if number == next.len() {
                next.push(Followed {
                    position,
                    past: from.past.after(mv),
                    ways: 0,
                    best: i64::MIN,
                });
            }
            let to = &mut next[number];
            to.ways = to.ways.saturating_add(from.ways);
            if best > to.best {
                (to.best, to.past) = (best, from.past.after(mv));
            }
            steps.push(Step { mv, next: number, log });
        }
        layer.push(steps);
    }
    (layer, next)
}

/// Keeps the `width` likeliest positions. Says whether all could stay.
fn narrow(layer: &mut [Vec<Step>], next: &mut Vec<Followed>, width: usize) -> bool {
    if next.len() <= width {
        return true;
    }
    let mut order: Vec<usize> = (0..next.len()).collect();
    order.sort_by_key(|number| (std::cmp::Reverse(next[*number].best), *number));
    order.truncate(width);
    keep(layer, next, order);
    false
}

/// Gives up the ends of the line that the record contradicts, unless it contradicts all.
fn refute(layer: &mut [Vec<Step>], next: &mut Vec<Followed>, accept: &dyn Fn(&Position) -> bool) {
    let accepted: Vec<usize> =
        (0..next.len()).filter(|number| accept(&next[*number].position)).collect();
    if !accepted.is_empty() && accepted.len() < next.len() {
        keep(layer, next, accepted);
    }
}

/// Keeps only the positions numbered in `kept`, and the steps to them.
fn keep(layer: &mut [Vec<Step>], next: &mut Vec<Followed>, mut kept: Vec<usize>) {
    kept.sort_unstable();
    let mut renumbered = vec![usize::MAX; next.len()];
    for (new, old) in kept.iter().enumerate() {
        renumbered[*old] = new;
    }
    let mut old = 0;
    next.retain(|_| {
        old += 1;
        renumbered[old - 1] != usize::MAX
    });
    for steps in layer {
        steps.retain_mut(|step| {
            step.next = renumbered[step.next];
            step.next != usize::MAX
        });
    }
}

/// The legal moves that one written ply may be.
fn choices(ply: &Ply<'_>, dialect: Option<Dialect>, position: &Position) -> Vec<Move> {
    if ply.written == Written::Omitted {
        return position.legal_moves();
    }
    match line::read(&ply.written, dialect, position).reading {
        Reading::Move { mv, .. } => vec![mv],
        Reading::Ambiguous { moves, .. } => spelled(ply, position, &moves)
            .or_else(|| checking(&ply.written, position, &moves))
            .unwrap_or(moves),
        Reading::Illegal { .. } | Reading::Unknown { .. } => Vec::new(),
    }
}

/// The one of `moves` that the comment of the ply spells out.
fn spelled(ply: &Ply<'_>, position: &Position, moves: &[Move]) -> Option<Vec<Move>> {
    match line::read(&Written::Text(ply.spelled?), None, position).reading {
        Reading::Move { mv, .. } if moves.contains(&mv) => Some(vec![mv]),
        _ => None,
    }
}

/// Those of `moves` that give check, if the text bears a check mark and some do and some do not.
fn checking(written: &Written<'_>, position: &Position, moves: &[Move]) -> Option<Vec<Move>> {
    let Written::Text(text) = written else { return None };
    let marked = text.trim_end().ends_with(['+', '#', '＋', '＃']);
    let checking: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|mv| {
            marked && {
                let mut after = position.clone();
                after.play(*mv);
                after.in_check(after.side())
            }
        })
        .collect();
    (!checking.is_empty() && checking.len() < moves.len()).then_some(checking)
}
