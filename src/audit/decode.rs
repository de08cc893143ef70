//! The search for the games that the sheets may tell: all sheets are read side by side, cell by cell.
//!
//! A state is a position with how far each sheet has been read. Where the sheets agree on a legal move there is one way
//! on. Where they do not, or one says what cannot be played, every reading is followed: the one says the move and the other
//! has a slip, has left it out, has it out of order, or has written something twice; each at its cost
//! ([`replay::slip`](crate::replay::slip)). Equal states are merged, so that a lattice is left of all games that explain the
//! sheets. Where no way leads on, the search goes some plies back and lets moves be found that no sheet has: a ply that all
//! have left out or got wrong costs what it costs to leave it out, and its own likelihood.
//!
//! Bounded by counted states and by positions shown to the model; [`Decoded::complete`] says whether any was given up.

use std::collections::HashMap;

use crate::{
    board::{Move, Position},
    replay::likelihood::{self, NAT, Past},
};

use super::hand::{Cursor, Hand, Heads, Told, Way};

/// States followed side by side.
const WIDTH: usize = 64;
/// The same where a stop is being explained.
const WIDE: usize = 6000;
/// How far back an explanation is looked for, in cells; and how many plies may be found in a row. Each try is wider; the first
/// takes only what the sheets say for possible, in whatever order.
const TRIES: [(usize, u8); 4] = [(12, 0), (12, 1), (12, 2), (40, 2)];
/// Stops that are explained in one game at most.
const STOPS: usize = 16;
/// A state that costs so much more than the best one some cells before explains nothing.
const DEAD: i32 = 30 * NAT;
/// How many cells before.
const BEFORE: usize = 16;
/// At states as near to the best as this a ply may be one that no sheet says, if one at least has something there.
const NEAR: i32 = 10 * NAT;
/// So much may the faults of both sheets at such a ply cost, with the likelihood of its move: a slip on each, one of them of
/// a whole text.
const MOST: i32 = 20 * NAT;
/// Of the states left to the search, explaining one stop takes no more than one in so many.
const SHARE: usize = 4;
/// A move less likely than this is not taken for one that nobody has written.
const LEAST: i32 = 9 * NAT;
/// So many moves tried, each with the cost of the texts that do not say it, take as long as a state is worth.
const TRIED: usize = 16;
/// The most plies in a row that are filled where all sheets have blanks.
const BLANKS: u8 = 4;

/// A position with how far each sheet has been read.
pub(super) struct State {
    pub(super) position: Position,
    pub(super) past: Past,
    /// Plies played so far.
    pub(super) ply: u32,
    cursors: [Cursor; 2],
    /// The cheapest way here.
    best: i32,
    /// The arcs that lead here.
    pub(super) from: Vec<usize>,
    /// How many moves may still be found in a row that no sheet has.
    free: u8,
    /// Plies filled in a row.
    blanks: u8,
    expanded: bool,
}

/// A move from a state to another.
pub(super) struct Arc {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) mv: Move,
    /// What the faults cost that it takes.
    pub(super) cost: i32,
    /// What the likelihood of a move costs that no sheet has, as far as it was asked for.
    pub(super) found: i32,
    /// How each sheet tells it.
    pub(super) told: [Told; 2],
}

/// The lattice of all games found.
pub(super) struct Decoded {
    pub(super) states: Vec<State>,
    pub(super) arcs: Vec<Arc>,
    /// The states at the end of all sheets; where none was reached, those that got furthest.
    pub(super) ends: Vec<usize>,
    /// Whether all cells have been read.
    pub(super) whole: bool,
    /// Whether no way was given up.
    pub(super) complete: bool,
}

/// How far the search may go.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// States made, and one for every [`TRIED`] moves that were tried.
    pub(super) states: usize,
    /// Positions shown to the model.
    pub(super) weighed: usize,
}

/// Reads `hands`, one sheet or two, from `start`.
pub(super) fn decode(hands: &[Hand<'_>], start: &Position, bounds: Bounds) -> Decoded {
    let total: usize = hands.iter().map(|hand| hand.cells.len()).sum();
    let mut search = Search {
        hands,
        bounds,
        states: Vec::new(),
        arcs: Vec::new(),
        buckets: vec![Vec::new(); total + 1],
        known: HashMap::new(),
        complete: true,
        weighed: HashMap::new(),
        tried: 0,
        floor: vec![None; total + 1],
        wide_until: 0,
        wide_most: bounds.states,
    };
    search.reach(start.clone(), Past::default(), 0, [Cursor::default(); 2], (0, 0, 0));
    let mut from = 0;
    let mut last = (usize::MAX, 0);
    for _ in 0..STOPS {
        search.run(from);
        if !search.buckets[total].is_empty() {
            break;
        }
        let furthest = search.furthest();
        let tried = if last.0 == furthest { last.1 + 1 } else { 0 };
        last = (furthest, tried);
        // Nobody bears out that a single sheet says right moves in the wrong places: slips are weighed at once.
        let first = usize::from(hands.len() == 1);
        let Some((back, free)) = TRIES.get(first + tried).copied() else { break };
        from = furthest.saturating_sub(back * hands.len());
        search.reopen(from, furthest, free);
    }
    let whole = !search.buckets[total].is_empty();
    let ends = match whole {
        true => search.buckets[total].clone(),
        // All that got so far: what they agree on is settled, and only that.
        false => search.buckets[search.furthest()].clone(),
    };
    let complete = search.complete && whole;
    Decoded { states: search.states, arcs: search.arcs, ends, whole, complete }
}

/// What makes two states one. The two moves before belong to it, as the likelihood of the next ones hangs on them.
type Known = (u64, [Cursor; 2], u32, Option<Move>, Option<Move>);

/// What the likelihood of moves hangs on: the position, and the last move of either side.
type Weighed = (u64, Option<Move>, Option<Move>);

struct Search<'s, 'a> {
    hands: &'s [Hand<'a>],
    bounds: Bounds,
    states: Vec<State>,
    arcs: Vec<Arc>,
    /// The states by the number of cells used up.
    buckets: Vec<Vec<usize>>,
    known: HashMap<Known, usize>,
    complete: bool,
    /// What the model has said: the same position is met with the sheets read to different places.
    weighed: HashMap<Weighed, Vec<(Move, i32)>>,
    /// Moves tried.
    tried: usize,
    /// The cost of the best state of each bucket.
    floor: Vec<Option<i32>>,
    /// Up to this bucket many states are followed; 0 as long as no stop has been met.
    wide_until: usize,
    /// So many states there may be while a stop is being explained.
    wide_most: usize,
}

impl Search<'_, '_> {
    /// The last bucket that has states.
    fn furthest(&self) -> usize {
        self.buckets.iter().rposition(|bucket| !bucket.is_empty()).unwrap_or(0)
    }

    /// How much of the bound on states is used up.
    fn used(&self) -> usize {
        self.states.len() + self.tried / TRIED
    }

    /// Follows every state from bucket `from` on.
    fn run(&mut self, from: usize) {
        for bucket in from..self.buckets.len() {
            let mut order = self.buckets[bucket].clone();
            order.sort_by_key(|state| (self.states[*state].best, *state));
            self.buckets[bucket] = order;
            let explaining = self.wide_until > 0 && bucket <= self.wide_until;
            let width = if explaining { WIDE } else { WIDTH };
            // Where a stop is explained no cell takes what the next ones need.
            let share = match explaining {
                true => {
                    let left = self.wide_most.saturating_sub(self.used());
                    left / (self.wide_until - bucket + 1)
                }
                false => self.bounds.states.saturating_sub(self.used()),
            };
            let most = self.used() + share;
            let window = bucket.saturating_sub(BEFORE).max(self.wide_until)..bucket;
            let floor = window.filter_map(|bucket| self.floor[bucket]).min();
            let best = self.buckets[bucket].first().map(|state| self.states[*state].best);
            self.floor[bucket] = best;
            let limit = match (floor, explaining) {
                (Some(floor), false) => floor.saturating_add(DEAD),
                _ => i32::MAX,
            };
            let mut at = 0;
            // States found on the way that use up no cell are added behind.
            while let Some(state) = self.buckets[bucket].get(at).copied() {
                if at >= width || self.used() >= most {
                    self.complete = false;
                    break;
                }
                at += 1;
                let cost = self.states[state].best;
                if cost > limit || std::mem::replace(&mut self.states[state].expanded, true) {
                    continue;
                }
                let near = best.is_some_and(|best| cost <= best.saturating_add(NEAR));
                self.expand(state, near, explaining);
            }
        }
    }

    /// Lets moves be found that no sheet has, from the states of some buckets on.
    fn reopen(&mut self, from: usize, to: usize, free: u8) {
        self.wide_until = to + self.hands.len();
        let left = self.bounds.states.saturating_sub(self.used());
        self.wide_most = self.used() + left / SHARE;
        for bucket in from..=to {
            for state in self.buckets[bucket].clone() {
                self.states[state].expanded = false;
                self.states[state].free = free;
            }
        }
    }

    /// Adds a state, or a way to one that is known; `(cost, free, blanks)`.
    fn reach(
        &mut self,
        position: Position,
        past: Past,
        ply: u32,
        cursors: [Cursor; 2],
        (best, free, blanks): (i32, u8, u8),
    ) -> usize {
        let key = (position.key(), cursors, ply, past.last, past.own);
        if let Some(known) = self.known.get(&key).copied() {
            let state = &mut self.states[known];
            if best < state.best {
                (state.best, state.past) = (best, past);
            }
            return known;
        }
        let number = self.states.len();
        self.states.push(State {
            position,
            past,
            ply,
            cursors,
            best,
            from: Vec::new(),
            free,
            blanks,
            expanded: false,
        });
        self.known.insert(key, number);
        let used: usize =
            self.hands.iter().zip(cursors).map(|(hand, cursor)| hand.used(cursor)).sum();
        self.buckets[used].push(number);
        number
    }

    /// Adds every way on from a state: the agreed one alone, unless a stop is being explained.
    fn expand(&mut self, state: usize, near: bool, explaining: bool) {
        let here = &self.states[state];
        let position = here.position.clone();
        let (free, blanks) = (here.free, here.blanks);
        let hands = self.hands;
        let mut heads: Vec<Heads> = hands
            .iter()
            .zip(here.cursors)
            .map(|(hand, cursor)| hand.heads(cursor, &position))
            .collect();
        if heads.iter().all(|head| head.head.is_none()) {
            return;
        }
        let agreed = agreed(&heads);
        if let (false, Some((mv, true))) = (explaining, agreed) {
            let ways: Vec<Way> = hands
                .iter()
                .zip(&heads)
                .filter_map(|(hand, head)| hand.ways(head, mv, &position).into_iter().next())
                .collect();
            self.go(state, mv, &ways, 0, (0, 0));
            return;
        }
        let blank = heads.iter().all(|head| head.marked || head.head.is_none());
        let run = || hands.iter().zip(&heads).map(|(hand, head)| hand.blanks(head)).max();
        if blank && usize::from(blanks) + run().unwrap_or(0) > usize::from(BLANKS) {
            self.complete = false;
            return;
        }
        // A single sheet is taken at its word until it stops.
        if explaining || hands.len() > 1 {
            for (hand, head) in hands.iter().zip(&mut heads) {
                hand.look_ahead(head, &position);
            }
        }
        // Of one sheet alone every ply might be wrong: only where it stops is that looked into.
        let near = near && hands.len() > 1 && (explaining || agreed.is_none());
        let found = blank || free > 0 || near;
        let logs = if found { self.weigh(state) } else { Vec::new() };
        for mv in position.legal_moves() {
            // What it costs to say another move is the dearest thing here, and not needed where no sheet may be wrong, nor
            // for a move that is too unlikely to be one that no sheet says.
            let log = logs.iter().find(|(legal, _)| *legal == mv).map_or(LEAST, |(_, log)| -log);
            let worth_trying = found && (blank || log < LEAST);
            if !worth_trying && !heads.iter().any(|head| head.says(mv)) {
                continue;
            }
            self.tried += 1;
            let first = hands[0].ways(&heads[0], mv, &position);
            let second = match (hands.get(1), heads.get(1)) {
                (Some(hand), Some(head)) => hand.ways(head, mv, &position),
                _ => Vec::new(),
            };
            let both = first.iter().flat_map(|one| match second.is_empty() {
                true => vec![[*one, *one]],
                false => second.iter().map(|other| [*one, *other]).collect(),
            });
            for pair in both {
                let ways = &pair[..hands.len()];
                let cost: i32 = ways.iter().map(|way| way.cost).sum();
                let says = ways.iter().any(|way| matches!(way.told, Told::Says(_)));
                let tells = ways.iter().any(|way| !matches!(way.told, Told::Lacks | Told::Ended));
                if says {
                    self.go(state, mv, ways, 0, (0, 0));
                } else if blank && tells && ways.iter().all(|way| is_blank(way.told)) {
                    // Every sheet says that it does not know: any move will do.
                    self.go(state, mv, ways, log, (0, blanks + 1));
                } else if log < LEAST && (tells && near && cost + log <= MOST || free > 0) {
                    let left = if tells { 0 } else { free - 1 };
                    self.go(state, mv, ways, log, (left, blanks));
                }
            }
        }
    }

    /// Adds one way on.
    fn go(&mut self, state: usize, mv: Move, ways: &[Way], extra: i32, (free, blanks): (u8, u8)) {
        let here = &self.states[state];
        let cost: i32 = ways.iter().map(|way| way.cost).sum();
        let mut position = here.position.clone();
        position.play(mv);
        let (past, ply, best) = (here.past.after(mv), here.ply + 1, here.best + cost + extra);
        let mut cursors = here.cursors;
        let mut told = [Told::Ended; 2];
        for (index, way) in ways.iter().enumerate() {
            cursors[index] = way.then;
            told[index] = way.told;
        }
        let to = self.reach(position, past, ply, cursors, (best, free, blanks));
        let known = self.states[to].from.iter().any(|arc| {
            let arc = &self.arcs[*arc];
            arc.from == state && arc.mv == mv && arc.told == told
        });
        if !known {
            self.states[to].from.push(self.arcs.len());
            self.arcs.push(Arc { from: state, to, mv, cost, found: extra, told });
        }
    }

    /// The likelihoods of the moves of a state, as long as the model may be asked.
    fn weigh(&mut self, state: usize) -> Vec<(Move, i32)> {
        let state = &self.states[state];
        let key = (state.position.key(), state.past.last, state.past.own);
        if let Some(logs) = self.weighed.get(&key) {
            return logs.clone();
        }
        if self.bounds.weighed == 0 {
            self.complete = false;
            return Vec::new();
        }
        self.bounds.weighed -= 1;
        let logs = likelihood::log_likelihoods(&state.position, state.past);
        self.weighed.insert(key, logs.clone());
        logs
    }
}

fn is_blank(told: Told) -> bool {
    matches!(told, Told::Marked(_) | Told::Ended)
}

/// The move that every sheet says which has one here, if they say the same and at least one does; and whether none is blank.
/// Where one is, nobody bears the other out: its cells may be out of order, or it may lack the ply itself.
fn agreed(heads: &[Heads]) -> Option<(Move, bool)> {
    let mut agreed = None;
    for head in heads.iter().filter(|head| head.head.is_some() && !head.marked) {
        match (&head.moves[..], agreed) {
            ([one], None) => agreed = Some(*one),
            ([one], Some(known)) if *one == known => {}
            _ => return None,
        }
    }
    Some((agreed?, heads.iter().all(|head| !head.marked)))
}
