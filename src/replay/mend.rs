//! What may be wrong where a written move is impossible: plies left out, or a slip of the pen before or there.
//!
//! Every fault of a few kinds ([`Fault`]) at every place up to the impossible move is tried: the line is played with it
//! undone, and a fault explains the stop if all that is written behind can then be played. What explains is weighed by
//! the cost of the fault ([`super::slip`]) and the likelihood of all moves that it changes, those before the stop and some
//! behind it ([`super::weigh`]): one scale, so that omissions and slips compare.
//!
//! Omissions are tried shortest first, and the shortest that explain are all listed: their number is exact while
//! [`Mending::complete`]. One and two plies are tried everywhere, three and four only as far as the likeliest moves go.

use std::collections::HashMap;

use crate::{
    board::{Move, Position},
    notation::{Dialect, Reading},
    record::Written,
};

use super::{
    likelihood::{self, NAT, Past},
    line,
    readings::Ply,
    slip::{self, Slips},
};

/// A fault of the writer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fault {
    /// So many plies are left out.
    Omission(u8),
    /// The text does not say the move.
    Slip,
    /// Two moves of one side, next to each other, are exchanged.
    Exchange,
    /// Each of two plies stands in the other's cell.
    Swap,
    /// Two rounds are exchanged.
    Rounds,
    /// So many plies are written twice.
    Repeat(u8),
}

impl Fault {
    /// The word used in JSON.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Fault::Omission(_) => "omission",
            Fault::Slip => "slip",
            Fault::Exchange => "exchange",
            Fault::Swap => "swap",
            Fault::Rounds => "rounds",
            Fault::Repeat(_) => "repeat",
        }
    }

    /// The cells that are read instead, by their distance from the first, and how many are used up.
    const fn order(self) -> (&'static [usize], usize) {
        match self {
            Fault::Omission(_) => (&[], 0),
            Fault::Slip => (&[], 1),
            Fault::Exchange => (&[2, 1, 0], 3),
            Fault::Swap => (&[1, 0], 2),
            Fault::Rounds => (&[2, 3, 0, 1], 4),
            Fault::Repeat(count) => (&[], count as usize),
        }
    }

    /// How many moves have to be found for it.
    const fn free(self) -> usize {
        match self {
            Fault::Omission(count) => count as usize,
            Fault::Slip => 1,
            _ => 0,
        }
    }

    /// What it costs, the text of a slip aside.
    fn cost(self) -> i32 {
        match self {
            Fault::Omission(count) => slip::OMISSION + slip::NEXT_OMISSION * (i32::from(count) - 1),
            Fault::Slip => 0,
            Fault::Exchange | Fault::Swap | Fault::Rounds => slip::EXCHANGE,
            Fault::Repeat(_) => slip::REPEAT,
        }
    }
}

/// What a text says on a position.
pub(super) enum Said {
    One(Move),
    Several(Vec<Move>),
    /// No legal move.
    Nothing,
}

/// A line up to a written move that cannot be played.
pub(super) struct Track<'t, 'a> {
    /// All plies of the line.
    pub(super) plies: &'t [Ply<'a>],
    /// The positions before each ply, that of the impossible move the last.
    pub(super) positions: Vec<Position>,
    /// The moves between them.
    pub(super) moves: Vec<Move>,
    /// The past of the first position.
    pub(super) past: Past,
    pub(super) dialect: Option<Dialect>,
    /// Whether the writer has kept the digits and pieces of the sides apart: then a text of the other side is none of this one.
    pub(super) strict: bool,
    /// How far a repair has to reach, see [`horizon`].
    pub(super) horizon: usize,
    /// Where the round numbers jump: the place, and how many plies they leave room for.
    pub(super) jumps: Vec<(usize, usize)>,
}

/// How far a repair has to reach where ply `stop` is impossible: to the end, or to the next marked gap.
pub(super) fn horizon(plies: &[Ply<'_>], stop: usize) -> usize {
    let gap = plies[stop..].iter().position(|ply| ply.written == Written::Omitted);
    gap.map_or(plies.len(), |gap| stop + gap)
}

/// One way to mend a line.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    /// The first ply concerned, counted from 0.
    pub(super) at: usize,
    pub(super) fault: Fault,
    /// The moves found for the plies left out, or for the text that is wrong.
    pub(super) moves: Vec<Move>,
    /// The first ply that cannot be played even so; the number of plies where all can.
    pub(super) reach: usize,
    /// What the fault costs.
    pub(super) cost: i64,
}

impl Repair {
    /// The cells that are read behind the moves found, in their order, up to `end`.
    pub(super) fn cells(&self, end: usize) -> impl Iterator<Item = usize> {
        let (order, used) = self.fault.order();
        let at = self.at;
        order.iter().map(move |cell| at + cell).chain(at + used..end)
    }
}

/// All ways found.
#[derive(Default)]
pub(super) struct Mending {
    pub(super) repairs: Vec<Repair>,
    /// Whether all omissions of the length found, and of every shorter one, have been tried.
    pub(super) complete: bool,
}

/// How far a search may go.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Plies read.
    pub(super) readings: usize,
    /// Positions shown to the model of likelihood.
    pub(super) weighed: usize,
}

impl Bounds {
    /// The bounds that an effort in positions gives: a position that is weighed costs as much as a hundred that are read.
    pub(super) fn of(effort: usize) -> Bounds {
        Bounds { readings: effort, weighed: (effort / 100).min(MOST_WEIGHED) }
    }
}

/// The most positions that the model is asked about, whatever the effort: more changes the ranking of nothing likely.
const MOST_WEIGHED: usize = 6_000;
/// Readings followed side by side where a text is ambiguous.
const WIDTH: usize = 8;
/// The longest omission that is looked for where nothing marks it.
const LONGEST: u8 = 4;

impl<'a> Track<'_, 'a> {
    /// What ply `cell` says on `position`: the moves that it may be.
    pub(super) fn read(&self, cell: usize, position: &Position) -> Said {
        let (said, deviations) =
            match line::read(&self.plies[cell].written, self.dialect, position).reading {
                Reading::Move { mv, deviations } => (Said::One(mv), deviations),
                Reading::Ambiguous { moves, deviations } => (Said::Several(moves), deviations),
                Reading::Illegal { .. } | Reading::Unknown { .. } => return Said::Nothing,
            };
        if self.strict && deviations.is_foreign() { Said::Nothing } else { said }
    }

    /// The impossible ply.
    pub(super) fn stop(&self) -> usize {
        self.positions.len() - 1
    }

    /// The past of the position before ply `at`.
    pub(super) fn past_at(&self, at: usize) -> Past {
        let from = at.saturating_sub(2);
        let mut past = Past { plies: self.past.plies + from as u32, ..self.past };
        for mv in &self.moves[from..at] {
            past = past.after(*mv);
        }
        past
    }

    /// Tries everything that explains the stop.
    pub(super) fn mend(&self, bounds: Bounds) -> Mending {
        let mut search =
            Search { track: self, left: bounds.readings, cut: false, found: Vec::new() };
        for at in (0..=self.stop()).rev() {
            for fault in [
                Fault::Omission(1),
                Fault::Slip,
                Fault::Exchange,
                Fault::Swap,
                Fault::Rounds,
                Fault::Repeat(1),
                Fault::Repeat(2),
            ] {
                search.attempt(at, fault);
            }
        }
        let mut complete = !search.cut;
        let mut weighed = bounds.weighed / 4;
        for count in 2..=LONGEST {
            // Three plies and more explain nearly anything: only where nothing shorter does are they looked for.
            if search.explained(count > 2) {
                break;
            }
            for at in (0..=self.stop()).rev() {
                if count == 2 {
                    search.attempt(at, Fault::Omission(2));
                } else if weighed > 0 {
                    search.likeliest(at, count, &mut weighed);
                }
            }
            complete &= !search.cut && count == 2;
        }
        let repairs = search.found;
        Mending { repairs, complete }
    }
}

struct Search<'s, 't, 'a> {
    track: &'s Track<'t, 'a>,
    /// Plies that may still be read.
    left: usize,
    cut: bool,
    found: Vec<Repair>,
}

impl<'a> Search<'_, '_, 'a> {
    /// Whether an omission, or with `any` any fault, explains everything.
    fn explained(&self, any: bool) -> bool {
        let horizon = self.track.horizon;
        let explains =
            |one: &Repair| (any || matches!(one.fault, Fault::Omission(_))) && one.reach >= horizon;
        self.found.iter().any(explains)
    }

    /// Tries `fault` at ply `at` with every legal move where moves have to be found.
    fn attempt(&mut self, at: usize, fault: Fault) {
        let track = self.track;
        let (order, used) = fault.order();
        if at + used > track.plies.len() || self.is_idle(at, fault) {
            return;
        }
        let position = &track.positions[at];
        match fault.free() {
            0 => self.test(position.clone(), at, fault, &[], order),
            1 => {
                for mv in position.legal_moves() {
                    // The move written is no correction of itself.
                    if fault == Fault::Slip && track.moves.get(at) == Some(&mv) {
                        continue;
                    }
                    let mut next = position.clone();
                    next.play(mv);
                    self.test(next, at, fault, &[mv], order);
                }
            }
            _ => {
                for first in position.legal_moves() {
                    let mut between = position.clone();
                    between.play(first);
                    for second in between.legal_moves() {
                        if self.left == 0 {
                            self.cut = true;
                            return;
                        }
                        let mut next = between.clone();
                        next.play(second);
                        self.test(next, at, fault, &[first, second], order);
                    }
                }
            }
        }
    }

    /// Whether a fault would change nothing, or is the same as one at another place.
    fn is_idle(&self, at: usize, fault: Fault) -> bool {
        let plies = self.track.plies;
        let same = |a: usize, b: usize| plies[at + a].written == plies[at + b].written;
        let marked = |range: std::ops::Range<usize>| {
            plies[range].iter().any(|ply| ply.written == Written::Omitted)
        };
        let used = fault.order().1;
        match fault {
            Fault::Exchange => same(0, 2) || marked(at..at + used),
            Fault::Rounds => same(0, 2) && same(1, 3) || marked(at..at + used),
            Fault::Swap => same(0, 1) || marked(at..at + used),
            Fault::Repeat(_) => marked(at..at + used),
            Fault::Omission(_) | Fault::Slip => false,
        }
    }

    /// Plays on from `position` with the cells of `order`, counted from `at`, and those behind; keeps what gets beyond the stop.
    fn test(
        &mut self,
        position: Position,
        at: usize,
        fault: Fault,
        moves: &[Move],
        order: &[usize],
    ) {
        let track = self.track;
        let used = fault.order().1;
        let behind = at + used..track.horizon;
        let cells = order.iter().map(|cell| at + cell).chain(behind.clone());
        let played = self.play(position, cells);
        let reach = match played.checked_sub(order.len()) {
            Some(played) => behind.start.max(at) + played,
            None => return,
        };
        if reach <= track.stop() {
            return;
        }
        let mut cost = i64::from(fault.cost());
        match fault {
            Fault::Slip => {
                let slips = Slips::of(track.plies[at].written, track.dialect);
                cost += i64::from(slips.cost(moves[0], &track.positions[at]));
            }
            Fault::Repeat(count) => {
                let count = usize::from(count);
                let twice = |of: usize| {
                    let before = at.checked_sub(of);
                    before.is_some_and(|before| {
                        (0..count)
                            .all(|n| track.plies[before + n].written == track.plies[at + n].written)
                    })
                };
                if !twice(2) && !twice(count) {
                    cost += i64::from(slip::SURPLUS - slip::REPEAT + slip::CELL * count as i32);
                }
            }
            Fault::Omission(count) => {
                let room =
                    |(place, plies): &(usize, usize)| *place == at && *plies == usize::from(count);
                if track.jumps.iter().any(room) {
                    cost -= i64::from(slip::OMISSION);
                }
            }
            _ => {}
        }
        self.found.push(Repair { at, fault, moves: moves.to_vec(), reach, cost });
    }

    /// How many of `cells` can be played one after the other.
    fn play(&mut self, position: Position, cells: impl Iterator<Item = usize>) -> usize {
        let track = self.track;
        let mut front = vec![position];
        let mut played = 0;
        for cell in cells {
            if self.left < front.len() {
                self.cut = true;
                return played;
            }
            self.left -= front.len();
            let mut next: Vec<Position> = Vec::new();
            for mut position in front {
                match track.read(cell, &position) {
                    Said::One(mv) => {
                        position.play(mv);
                        next.push(position);
                    }
                    Said::Several(moves) => {
                        for mv in moves {
                            let mut position = position.clone();
                            position.play(mv);
                            next.push(position);
                        }
                    }
                    Said::Nothing => {}
                }
            }
            if next.is_empty() {
                return played;
            }
            if next.len() > WIDTH {
                next.truncate(WIDTH);
                self.cut = true;
            }
            front = next;
            played += 1;
        }
        played
    }

    /// Tries omissions of `count` plies at `at`, the likeliest moves first, as far as `weighed` positions go.
    fn likeliest(&mut self, at: usize, count: u8, weighed: &mut usize) {
        /// Less likely than this a whole filling is not tried.
        const LEAST: i64 = 14 * NAT as i64;
        let track = self.track;
        let mut front: Vec<(Position, Past, Vec<Move>, i64)> =
            vec![(track.positions[at].clone(), track.past_at(at), Vec::new(), 0)];
        let places = track.stop() + 1;
        // Each place has its share, the nearer ones a larger one.
        let mut share = (*weighed / places.min(12)).max(1).min(*weighed);
        for step in 0..count {
            let mut next = Vec::new();
            let mut known: HashMap<u64, usize> = HashMap::new();
            for (position, past, moves, sum) in front {
                let last = step + 1 == count;
                if share == 0 {
                    break;
                }
                share -= 1;
                *weighed -= 1;
                for (mv, log) in likelihood::log_likelihoods(&position, past) {
                    let sum = sum + i64::from(log);
                    if sum < -LEAST {
                        continue;
                    }
                    let mut after = position.clone();
                    after.play(mv);
                    let mut moves = moves.clone();
                    moves.push(mv);
                    if last {
                        self.test(after, at, Fault::Omission(count), &moves, &[]);
                    } else if known.insert(after.key(), next.len()).is_none() {
                        next.push((after, past.after(mv), moves, sum));
                    }
                }
            }
            next.sort_by_key(|(_, _, _, sum)| std::cmp::Reverse(*sum));
            front = next;
        }
    }
}
