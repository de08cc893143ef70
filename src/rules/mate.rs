//! Mate by checks only, the threat that makes a ply a kill (杀, article 28.2): a bounded search with all replies.

use std::collections::HashMap;

use super::exchange::has_crossed;
use crate::board::{Kind, Move, Piece, Position, Side, Square, SquareSet};

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
/// The shortest mate is found. `No` means that there is none of at most `bound.checks` checks; `bound.nodes` is that of
/// one search, of which there are at most `bound.checks + 1`.
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
    mate_but_for(position, SquareSet::EMPTY, bound)
}

/// The same, where the checks given by the pieces on `excused` need not be answered: what a side threatens that stands
/// in check is what it would do but for the check.
pub(super) fn mate_but_for(
    position: &Position,
    excused: SquareSet,
    bound: Bound,
) -> Proof<Vec<Move>> {
    let mut position = position.clone();
    if checks(&position, excused).is_empty() {
        return Proof::No;
    }
    let mut within = |checks| {
        let mut search = Search { nodes: bound.nodes, refuted: HashMap::new(), excused };
        search.attack(&mut position, checks)
    };
    // Most positions have no mate, which one search over the full depth shows.
    if within(bound.checks) == Some(None) {
        return Proof::No;
    }
    for checks in 1..=bound.checks {
        match within(checks) {
            Some(Some(line)) => return Proof::Yes(line),
            Some(None) => {}
            None => return Proof::Unproved,
        }
    }
    Proof::No
}

/// Whether the side to move has a move that mates at once.
pub fn mates_at_once(position: &Position) -> Option<Move> {
    let mut position = position.clone();
    checks(&position, SquareSet::EMPTY).into_iter().find(|mv| {
        let undo = position.play(*mv);
        let mated = !position.has_legal_move();
        position.undo(undo);
        mated
    })
}

/// Whether `mv` is legal if the checks of the pieces on `excused` need not be answered.
pub(super) fn is_legal_but_for(position: &Position, mv: Move, excused: SquareSet) -> bool {
    if excused.is_empty() {
        return position.is_legal(mv);
    }
    if !position.reach(mv.from).contains(mv.to) {
        return false;
    }
    let mut after = position.clone();
    after.play(mv);
    !after.generals_facing()
        && after.checkers(position.side()).all(|checker| excused.contains(checker))
}

/// The legal moves that give check, in order of from- and to-square.
pub(super) fn checks(position: &Position, excused: SquareSet) -> Vec<Move> {
    let side = position.side();
    let Some(general) = position.general(side.other()) else { return Vec::new() };
    let lines = Lines::new(position, general);
    let mut after = position.clone();
    let mut found = Vec::new();
    for from in position.occupied_by(side) {
        let Some(piece) = position.piece_at(from) else { continue };
        for to in position.reach(from) {
            let mv = Move { from, to };
            let direct = to != general && attacks_from(position, piece, mv, general);
            if !direct && !lines.leaves.contains(from) && !lines.enters.contains(to) {
                continue;
            }
            let check = direct || {
                let undo = after.play(mv);
                let check = after.in_check(after.side());
                after.undo(undo);
                check
            };
            if check && is_legal_but_for(position, mv, excused) {
                found.push(mv);
            }
        }
    }
    found
}

/// The squares by whose change pieces that do not move give check.
struct Lines {
    /// Between the general and the sliders of the side to move, and the legs of its horses: leaving them may uncover.
    leaves: SquareSet,
    /// Between the general and cannons without a screen: entering them makes one.
    enters: SquareSet,
}

impl Lines {
    fn new(position: &Position, general: Square) -> Lines {
        let side = position.side();
        let (mut leaves, mut enters) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for chariot in position.pieces(side, Kind::Chariot) {
            leaves = leaves | SquareSet::between(chariot, general);
        }
        for cannon in position.pieces(side, Kind::Cannon) {
            let between = SquareSet::between(cannon, general);
            leaves = leaves | between;
            if (between & position.occupied()).is_empty() {
                enters = enters | between;
            }
        }
        for horse in position.pieces(side, Kind::Horse) {
            leaves = leaves | leg(horse, general).into_iter().collect();
        }
        Lines { leaves, enters }
    }
}

/// The leg of a horse on `horse` towards `target`, if that is a horse's move away.
fn leg(horse: Square, target: Square) -> Option<Square> {
    let files = target.file() as i8 - horse.file() as i8;
    let ranks = target.rank() as i8 - horse.rank() as i8;
    match (files.abs(), ranks.abs()) {
        (2, 1) => horse.offset(files / 2, 0),
        (1, 2) => horse.offset(0, ranks / 2),
        _ => None,
    }
}

/// Whether `piece` attacks `general` from where `mv` brings it.
fn attacks_from(position: &Position, piece: Piece, mv: Move, general: Square) -> bool {
    let Move { from, to } = mv;
    let mut occupied = position.occupied();
    occupied.remove(from);
    let files = general.file() as i8 - to.file() as i8;
    let ranks = general.rank() as i8 - to.rank() as i8;
    let in_line = files == 0 || ranks == 0;
    let between = || (SquareSet::between(to, general) & occupied).len();
    match piece.kind {
        Kind::Chariot => in_line && between() == 0,
        Kind::Cannon => in_line && between() == 1,
        Kind::Horse => leg(to, general).is_some_and(|leg| !occupied.contains(leg)),
        Kind::Pawn => {
            let forward = if piece.side == Side::Red { 1 } else { -1 };
            files == 0 && ranks == forward
                || ranks == 0 && files.abs() == 1 && has_crossed(piece.side, to)
        }
        Kind::General | Kind::Adviser | Kind::Elephant => false,
    }
}

struct Search {
    nodes: u32,
    /// Positions from which so many checks do not mate.
    refuted: HashMap<u64, u32>,
    /// Pieces whose check need not be answered.
    excused: SquareSet,
}

impl Search {
    /// A mate within `depth` checks: found, refuted (`Some(None)`), or past the bound (`None`). The recursion is as
    /// deep as the bound, never as the input.
    fn attack(&mut self, position: &mut Position, depth: u32) -> Option<Option<Vec<Move>>> {
        if self.refuted.get(&position.key()).is_some_and(|known| *known >= depth) {
            return Some(None);
        }
        for check in checks(position, self.excused) {
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
        let mut longest: Vec<Move> = Vec::new();
        let mut replies = Replies::new(position, self.excused);
        while let Some(reply) = replies.next(position) {
            if depth == 0 {
                return Some(None);
            }
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

/// The legal moves of a side, those of its general first, found one by one: most checks are refuted by the first few.
pub(super) struct Replies {
    general: SquareSet,
    others: SquareSet,
    from: Option<Square>,
    targets: SquareSet,
    /// The other side's general, where it stands in an excused check: it is not taken.
    spared: Option<Square>,
}

impl Replies {
    pub(super) fn new(position: &Position, excused: SquareSet) -> Replies {
        let side = position.side();
        let general = position.pieces(side, Kind::General);
        let mut others = position.occupied_by(side);
        general.for_each(|square| others.remove(square));
        let spared = position.general(side.other()).filter(|_| !excused.is_empty());
        Replies { general, others, from: None, targets: SquareSet::EMPTY, spared }
    }

    /// The next move; `position` is the one of [`Replies::new`].
    pub(super) fn next(&mut self, position: &Position) -> Option<Move> {
        loop {
            if let (Some(from), Some(to)) = (self.from, self.targets.next()) {
                let mv = Move { from, to };
                if Some(to) != self.spared && position.is_legal(mv) {
                    return Some(mv);
                }
                continue;
            }
            let from = self.general.next().or_else(|| self.others.next())?;
            self.from = Some(from);
            self.targets = position.reach(from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "3k5/9/9/9/9/9/5n3/9/9/1R2K4 w";
    const BOUND: Bound = Bound { checks: 4, nodes: 20_000 };

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn line(fen: &str) -> Option<String> {
        match mate_by_checks(&position(fen), BOUND) {
            Proof::Yes(line) => {
                Some(line.iter().map(Move::to_string).collect::<Vec<_>>().join(" "))
            }
            Proof::No => None,
            Proof::Unproved => panic!("{fen} is small"),
        }
    }

    // Chariots on the eighth and ninth rank leave the general no square.
    #[test]
    fn finds_the_shortest_mate() {
        assert_eq!(line("3k5/R8/9/9/9/9/9/9/9/1R3K3 w").unwrap(), "b0b9");
        // The red general bars the e-file: d0 would mate, but the horse steps between once.
        let two = line(TWO).unwrap();
        assert_eq!(two.split(' ').count(), 3, "{two}");
    }

    // 28.2 speaks of checks: a quiet move that makes mate unavoidable is no kill.
    #[test]
    fn needs_checks_all_the_way() {
        assert_eq!(line("4k4/9/9/9/9/9/9/9/9/1R1K5 w"), None);
        assert_eq!(line("4k4/9/9/9/9/9/9/9/9/3K5 w"), None);
    }

    #[test]
    fn says_so_where_the_bound_is_reached() {
        let bound = Bound { checks: 4, nodes: 1 };
        assert_eq!(mate_by_checks(&position(TWO), bound), Proof::Unproved);
        // Too few checks refute within the bound, as it is stated.
        assert_eq!(mate_by_checks(&position(TWO), Bound { checks: 1, nodes: 9_999 }), Proof::No);
    }

    // The chariot on e5 gives check. Were it not to be answered, b0b9 would mate as above.
    #[test]
    fn a_check_can_be_excused() {
        let checked = position("3k5/R8/9/9/4r4/9/9/9/9/1R2K4 w");
        assert_eq!(mate_by_checks(&checked, BOUND), Proof::No);
        let excused = checked.checkers(checked.side());
        assert!(matches!(mate_but_for(&checked, excused, BOUND), Proof::Yes(_)));
        // A pin is not excused: the chariot on e1 shields its general from the one on e5, the cannon's check is another.
        let pinned = position("3k5/9/9/9/4r4/9/9/9/4R4/c2AK4 w");
        let excused = pinned.checkers(pinned.side());
        assert_eq!(excused.len(), 1);
        assert!(!is_legal_but_for(&pinned, "e1b1".parse().unwrap(), excused));
        assert!(is_legal_but_for(&pinned, "e1e3".parse().unwrap(), excused));
    }

    // The slow definition, on the positions of games in which every move is chosen by a fixed sequence of numbers.
    #[test]
    fn checks_are_the_legal_moves_that_attack_the_general() {
        let mut number = 7u64;
        let mut seen = 0;
        for _ in 0..60 {
            let mut position = Position::start();
            for _ in 0..120 {
                let slow: Vec<Move> = position
                    .legal_moves()
                    .into_iter()
                    .filter(|mv| {
                        let mut after = position.clone();
                        after.play(*mv);
                        after.in_check(after.side())
                    })
                    .collect();
                seen += slow.len();
                assert_eq!(checks(&position, SquareSet::EMPTY), slow, "{}", position.fen());
                let moves = position.legal_moves();
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let Some(mv) = moves.get((number >> 33) as usize % moves.len().max(1)) else {
                    break;
                };
                position.play(*mv);
            }
        }
        assert!(seen > 1_000, "{seen}");
    }

    #[test]
    fn replies_are_the_legal_moves() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "3k5/R8/9/9/4r4/9/9/9/9/1R2K4 w",
            "4ka3/4a4/9/9/9/9/9/4R4/4r4/3K5 b",
        ] {
            let position = position(fen);
            let mut replies = Replies::new(&position, SquareSet::EMPTY);
            let mut found: Vec<Move> = std::iter::from_fn(|| replies.next(&position)).collect();
            found.sort();
            assert_eq!(found, position.legal_moves(), "{fen}");
        }
    }
}
