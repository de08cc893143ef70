//! Mate by checks only, the threat that makes a ply a kill (杀, article 28.2): a bounded search with all replies.

use std::{collections::HashMap, sync::LazyLock};

use crate::board::{Move, Position, Square, SquareSet};

use super::threat::by_shape;

/// What a bounded search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof<T> {
    /// Shown.
    Yes(T),
    /// Refuted within the stated bound.
    No,
    /// The bound was reached first.
    Unproved,
}

/// How far a search may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Checks in a row that are looked at.
    pub checks: u32,
    /// Positions looked at.
    pub nodes: u32,
}

/// Whether the side to move of `position` mates by checks alone, against every reply, within `bound`. The line is one
/// longest defence: checks and replies in turn, the last move mates.
///
/// The shortest mate is found. `No` means that there is none of at most `bound.checks` checks.
///
/// ```
/// use qijian::{board::Position, rules::mate::{Bound, Proof, mate_by_checks}};
///
/// let double_chariots = Position::from_fen("3k5/R8/9/9/9/9/9/9/9/1R2K4 w").unwrap();
/// let bound = Bound { checks: 3, nodes: 10_000 };
/// let Proof::Yes(line) = mate_by_checks(&double_chariots, bound) else { panic!() };
/// assert_eq!(line.len(), 1);
/// ```
pub fn mate_by_checks(position: &Position, bound: Bound) -> Proof<Vec<Move>> {
    let mut search = Search { nodes: bound.nodes, refuted: HashMap::new() };
    let mut position = position.clone();
    for depth in 1..=bound.checks {
        match search.attack(&mut position, depth) {
            Some(Some(line)) => return Proof::Yes(line),
            Some(None) => {}
            None => return Proof::Unproved,
        }
    }
    Proof::No
}

/// Whether the side to move, which stands in check itself, would mate by checks but for that check: its first move need
/// not answer it. What was threatened before a check is not made anew by the answer to it.
pub(super) fn would_mate(position: &Position, bound: Bound) -> bool {
    let mut after = position.clone();
    by_shape(position).into_iter().any(|mv| {
        let undo = after.play(mv);
        let mut search = Search { nodes: bound.nodes, refuted: HashMap::new() };
        let mates = after.in_check(after.side())
            && matches!(search.defend(&mut after, bound.checks - 1), Some(Some(_)));
        after.undo(undo);
        mates
    })
}

/// Whether the side to move has a move that mates at once.
pub fn mates_at_once(position: &Position) -> Option<Move> {
    let mut position = position.clone();
    checks(&position).into_iter().find(|mv| {
        let undo = position.play(*mv);
        let mated = !position.has_legal_move();
        position.undo(undo);
        mated
    })
}

/// The legal moves that give check, in order of from- and to-square.
pub(super) fn checks(position: &Position) -> Vec<Move> {
    let side = position.side();
    let Some(general) = position.general(side.other()) else { return Vec::new() };
    let near = &NEAR[general.index()];
    let mut after = position.clone();
    let mut found = Vec::new();
    for from in position.occupied_by(side) {
        let mut targets = position.reach(from);
        // A piece far from the general's lines gives check only by coming there.
        if !near.contains(from) {
            targets = targets & *near;
        }
        for to in targets {
            let mv = Move { from, to };
            let undo = after.play(mv);
            let check = after.in_check(after.side());
            after.undo(undo);
            if check && position.is_legal(mv) {
                found.push(mv);
            }
        }
    }
    found
}

/// For each square of a general, the squares that matter to checks: its file and rank, the squares a horse's move away,
/// and the diagonal neighbours, on which the legs of those horses stand.
static NEAR: LazyLock<Vec<SquareSet>> = LazyLock::new(|| {
    let near = |general: Square, square: Square| {
        let (files, ranks) =
            (general.file().abs_diff(square.file()), general.rank().abs_diff(square.rank()));
        files == 0 || ranks == 0 || (files <= 2 && ranks <= 2 && files + ranks <= 3)
    };
    Square::all()
        .map(|general| Square::all().filter(|square| near(general, *square)).collect())
        .collect()
});

struct Search {
    nodes: u32,
    /// Positions from which so many checks do not mate.
    refuted: HashMap<u64, u32>,
}

impl Search {
    /// A mate within `depth` checks: found, refuted (`Some(None)`), or past the bound (`None`). The recursion is as
    /// deep as the bound, never as the input.
    fn attack(&mut self, position: &mut Position, depth: u32) -> Option<Option<Vec<Move>>> {
        if self.refuted.get(&position.key()).is_some_and(|known| *known >= depth) {
            return Some(None);
        }
        for check in checks(position) {
            self.nodes = self.nodes.checked_sub(1)?;
            let undo = position.play(check);
            let defence = self.defend(position, depth - 1);
            position.undo(undo);
            if let Some(rest) = defence? {
                return Some(Some([vec![check], rest].concat()));
            }
        }
        self.refuted.insert(position.key(), depth);
        Some(None)
    }

    /// Whether every reply to a check is followed by a mate within `depth` more checks; the longest defence if so.
    fn defend(&mut self, position: &mut Position, depth: u32) -> Option<Option<Vec<Move>>> {
        let replies = position.legal_moves();
        if depth == 0 && !replies.is_empty() {
            return Some(None);
        }
        let mut longest: Vec<Move> = Vec::new();
        for reply in replies {
            let undo = position.play(reply);
            let attack = self.attack(position, depth);
            position.undo(undo);
            match attack? {
                Some(line) if line.len() + 1 > longest.len() => {
                    longest = [vec![reply], line].concat()
                }
                Some(_) => {}
                None => return Some(None),
            }
        }
        Some(Some(longest))
    }
}
