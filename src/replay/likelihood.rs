//! How people move: a log-linear model of the next move, used to rank readings that the rules leave open.
//!
//! Each legal move has a few dozen features out of a fixed list: which piece goes from where to where, what it
//! captures, whether it leaves or enters danger, gives check, takes back, goes on with the piece moved last, threatens
//! something, and what the opening books of the training games play. A feature has one integer weight; the likelihood
//! of a move is the exponential of the sum of its weights over that of all legal moves. The weights are data,
//! `likelihood.bin`, learned by `cargo run --release --example learn_likelihood` (tests/learn/likelihood.rs), which
//! also says from which games.
//!
//! Everything is integer arithmetic in [`NAT`]ths of a nat, so that the ranking is the same on every machine.

use std::sync::LazyLock;

use crate::board::{Kind, Move, Piece, Position, Side, Square, SquareSet};

/// Units of a log-likelihood in one nat: `ln 2` is about 710.
pub const NAT: i32 = 1024;

/// The moves before a position that the model looks at.
#[derive(Clone, Copy, Default, Debug)]
pub struct Past {
    /// The opponent's last move.
    pub last: Option<Move>,
    /// The own last move.
    pub own: Option<Move>,
    /// Plies played so far.
    pub plies: u32,
}

impl Past {
    /// The past of the position after `mv`.
    #[must_use]
    pub const fn after(self, mv: Move) -> Past {
        Past { last: Some(mv), own: self.last, plies: self.plies + 1 }
    }
}

/// One group of features: a range of weights, of which a move has at most a few.
#[derive(Clone, Copy)]
struct Group {
    start: usize,
    size: usize,
}

impl Group {
    const fn after(before: Group, size: usize) -> Group {
        Group { start: before.start + before.size, size }
    }

    fn at(self, index: usize) -> Feature {
        debug_assert!(index < self.size);
        (self.start + index % self.size) as Feature
    }

    /// A feature of an open set, spread over the group.
    fn hashed(self, parts: [u64; 3]) -> Feature {
        let mut hash = 0xCBF2_9CE4_8422_2325u64;
        for part in parts {
            hash = (hash ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 29;
        }
        self.at((hash % self.size as u64) as usize)
    }
}

/// The number of a feature, its place in the table of weights.
pub type Feature = u32;

const KINDS: usize = 7;
/// Squares of half a board: moves are mirrored so that they start on the left half.
const HALF: usize = 50;

const JOURNEY: Group = Group { start: 0, size: KINDS * HALF * 90 };
const ARRIVAL: Group = Group::after(JOURNEY, 5 * KINDS * HALF);
const DEPARTURE: Group = Group::after(ARRIVAL, 5 * KINDS * HALF);
const CAPTURE: Group = Group::after(DEPARTURE, KINDS * KINDS * 2);
const DANGER: Group = Group::after(CAPTURE, KINDS * 8 * 2 * 2);
const ESCAPE: Group = Group::after(DANGER, KINDS * 8 * 2);
const CHECK: Group = Group::after(ESCAPE, KINDS * 4);
const RETAKE: Group = Group::after(CHECK, KINDS * 2);
const GO_ON: Group = Group::after(RETAKE, KINDS * 2);
const LEFT_HANGING: Group = Group::after(GO_ON, 8 * 2);
const THREAT: Group = Group::after(LEFT_HANGING, KINDS * 8 * 2);
const MOBILITY: Group = Group::after(THREAT, KINDS * 18);
const NEAR_GENERAL: Group = Group::after(MOBILITY, KINDS * 12);
const REPLY: Group = Group::after(NEAR_GENERAL, 1 << 14);
const PLAN: Group = Group::after(REPLY, 1 << 14);
const BOOK: Group = Group::after(PLAN, 1 << 15);

/// How many weights the model has.
pub const FEATURES: usize = BOOK.start + BOOK.size;

/// Plies in which openings are remembered.
const BOOK_PLIES: u32 = 24;

/// What does not depend on the move.
struct Scene<'p> {
    position: &'p Position,
    past: Past,
    side: Side,
    /// Own pieces that stand to be lost.
    hanging: SquareSet,
    /// The opponent's pieces that are not protected.
    loose: SquareSet,
    phase: usize,
}

const fn value(kind: Kind) -> u8 {
    match kind {
        Kind::General => 100,
        Kind::Chariot => 9,
        Kind::Cannon | Kind::Horse => 4,
        Kind::Adviser | Kind::Elephant => 2,
        Kind::Pawn => 1,
    }
}

impl<'p> Scene<'p> {
    fn new(position: &'p Position, past: Past) -> Scene<'p> {
        let side = position.side();
        let mut hanging = SquareSet::EMPTY;
        for square in position.occupied_by(side) {
            let attackers = position.attackers(square, side.other());
            if attackers.is_empty() {
                continue;
            }
            let worth = kind_at(position, square).map_or(0, value);
            let protected = !position.attackers(square, side).is_empty();
            let least = least(position, attackers).map_or(100, value);
            if !protected || least < worth {
                hanging.insert(square);
            }
        }
        let mut loose = SquareSet::EMPTY;
        for square in position.occupied_by(side.other()) {
            if position.attackers(square, side.other()).is_empty() {
                loose.insert(square);
            }
        }
        let men = position.occupied().len();
        let phase = match (past.plies, men) {
            (0..8, _) => 0,
            (8..20, _) => 1,
            (_, 25..) => 2,
            (_, 15..25) => 3,
            _ => 4,
        };
        Scene { position, past, side, hanging, loose, phase }
    }

    /// The square as the side to move sees it: its own back rank is rank 0.
    fn seen(&self, square: Square) -> usize {
        match self.side {
            Side::Red => square.index(),
            Side::Black => 89 - square.index(),
        }
    }

    fn features(&self, mv: Move, out: &mut Vec<Feature>) {
        let Some(Piece { kind, .. }) = self.position.piece_at(mv.from) else { return };
        let k = kind as usize;
        let (from, to) = (self.seen(mv.from), self.seen(mv.to));
        let mirrored = from % 9 > 4 || (from % 9 == 4 && to % 9 > 4);
        let fold = |square: usize| if mirrored { square / 9 * 9 + 8 - square % 9 } else { square };
        let half = |square: usize| square / 9 * 5 + (square % 9).min(8 - square % 9);
        out.push(JOURNEY.at((k * HALF + half(fold(from))) * 90 + fold(to)));
        out.push(ARRIVAL.at((self.phase * KINDS + k) * HALF + half(to)));
        out.push(DEPARTURE.at((self.phase * KINDS + k) * HALF + half(from)));

        let enemy = self.side.other();
        let attackers = self.position.attackers(mv.to, enemy);
        // The mover itself is no protector of the square that it enters.
        let mut protectors = self.position.attackers(mv.to, self.side);
        protectors.remove(mv.from);
        let protected = usize::from(!protectors.is_empty());
        let threat = least(self.position, attackers).map_or(0, |kind| kind as usize + 1);
        let victim = kind_at(self.position, mv.to);
        if let Some(victim) = victim {
            let guarded = usize::from(!self.loose.contains(mv.to));
            out.push(CAPTURE.at((k * KINDS + victim as usize) * 2 + guarded));
        }
        out.push(DANGER.at(((k * 8 + threat) * 2 + protected) * 2 + usize::from(victim.is_some())));

        let pursuers = self.position.attackers(mv.from, enemy);
        if !pursuers.is_empty() {
            let pursuer = least(self.position, pursuers).map_or(0, |kind| kind as usize + 1);
            let lost = usize::from(self.hanging.contains(mv.from));
            out.push(ESCAPE.at((k * 8 + pursuer) * 2 + lost));
        }
        let mut left = self.hanging;
        left.remove(mv.from);
        let most = left
            .filter_map(|square| kind_at(self.position, square))
            .max_by_key(|kind| value(*kind));
        out.push(
            LEFT_HANGING
                .at(most.map_or(0, |kind| kind as usize + 1) * 2 + usize::from(victim.is_some())),
        );

        let mut after = self.position.clone();
        after.play(mv);
        if after.in_check(enemy) {
            out.push(CHECK.at((k * 2 + usize::from(threat > 0)) * 2 + protected));
        }
        let reach = after.reach(mv.to);
        let targets = reach & self.position.occupied_by(enemy);
        let prey = targets
            .filter_map(|square| kind_at(self.position, square).map(|kind| (square, kind)))
            .filter(|(square, prey)| self.loose.contains(*square) || value(*prey) > value(kind))
            .max_by_key(|(_, prey)| value(*prey));
        if let Some((square, prey)) = prey {
            let loose = usize::from(self.loose.contains(square));
            out.push(THREAT.at((k * 8 + prey as usize) * 2 + loose));
        }
        out.push(MOBILITY.at(k * 18 + reach.len().min(17)));
        if let Some(general) = self.position.general(enemy) {
            let files = mv.to.file().abs_diff(general.file());
            let ranks = mv.to.rank().abs_diff(general.rank());
            out.push(NEAR_GENERAL.at(k * 12 + usize::from(files + ranks).min(11)));
        }

        let arrival = (k * 90 + to) as u64;
        if let Some(last) = self.past.last {
            if last.to == mv.to {
                out.push(RETAKE.at(k * 2 + usize::from(threat > 0)));
            }
            let mover = kind_at(self.position, last.to).map_or(7, |kind| kind as usize);
            let before = (mover * 90 + self.seen(last.to)) * 90 + self.seen(last.from);
            out.push(REPLY.hashed([before as u64, arrival, from as u64]));
        }
        if let Some(own) = self.past.own {
            if own.to == mv.from {
                out.push(GO_ON.at(k * 2 + usize::from(own.from == mv.to)));
            }
            let before = self.seen(own.to) * 90 + self.seen(own.from);
            out.push(PLAN.hashed([before as u64, arrival, from as u64]));
        }
        if self.past.plies < BOOK_PLIES {
            out.push(BOOK.hashed([
                self.position.key(),
                mv.from.index() as u64,
                mv.to.index() as u64,
            ]));
        }
    }
}

fn kind_at(position: &Position, square: Square) -> Option<Kind> {
    position.piece_at(square).map(|piece| piece.kind)
}

/// The least valuable kind among the pieces on `squares`.
fn least(position: &Position, squares: SquareSet) -> Option<Kind> {
    squares.filter_map(|square| kind_at(position, square)).min_by_key(|kind| value(*kind))
}

/// The features of every legal move, for the program that learns the weights: moves, and for each the range of its
/// features in one list.
pub fn features(position: &Position, past: Past) -> Vec<(Move, Vec<Feature>)> {
    let scene = Scene::new(position, past);
    position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut list = Vec::with_capacity(20);
            scene.features(mv, &mut list);
            (mv, list)
        })
        .collect()
}

/// The log-likelihood of every legal move of `position`, in [`NAT`]ths, none above 0.
///
/// ```
/// use qijian::{board::Position, replay::likelihood::{Past, log_likelihoods}};
///
/// let best = log_likelihoods(&Position::start(), Past::default()).into_iter().max_by_key(|(_, log)| *log);
/// assert_eq!(best.unwrap().0.to_string(), "h2e2"); // 炮二平五, the commonest first move
/// ```
pub fn log_likelihoods(position: &Position, past: Past) -> Vec<(Move, i32)> {
    let scene = Scene::new(position, past);
    let mut list = Vec::with_capacity(24);
    let mut scores: Vec<(Move, i32)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            list.clear();
            scene.features(mv, &mut list);
            let weights = list.iter().map(|feature| i32::from(WEIGHTS[*feature as usize]));
            (mv, weights.sum())
        })
        .collect();
    let total = log_sum(scores.iter().map(|(_, score)| *score));
    for (_, score) in &mut scores {
        *score = (*score - total).min(0);
    }
    scores
}

/// `ln` of the sum of exponentials, all in [`NAT`]ths.
pub(super) fn log_sum(scores: impl Iterator<Item = i32> + Clone) -> i32 {
    let Some(most) = scores.clone().max() else { return 0 };
    let sum: u64 = scores.map(|score| exp(score - most)).sum();
    most + ln(sum)
}

/// The probability of a log-likelihood in [`NAT`]ths, rounded to six decimals.
pub(super) fn probability(log: i64) -> f64 {
    let score = i32::try_from(log.min(0)).unwrap_or(i32::MIN);
    let millionths = (u128::from(exp(score)) * 1_000_000 + u128::from(ONE / 2)) >> 32;
    millionths as f64 / 1e6
}

/// One as a fixed-point number.
const ONE: u64 = 1 << 32;

/// `exp(score)` for a score of at most 0, as a multiple of `1 / ONE`.
fn exp(score: i32) -> u64 {
    EXP.get(score.unsigned_abs() as usize).copied().unwrap_or(0)
}

/// The inverse of [`exp`] for sums of at least one.
fn ln(sum: u64) -> i32 {
    // Where exp(-s) is ONE / sum, s is the logarithm of sum / ONE.
    let inverse = (u128::from(ONE) * u128::from(ONE) / u128::from(sum.max(1))) as u64;
    EXP.partition_point(|value| *value > inverse) as i32
}

/// `exp(-i / NAT)`, computed by repeated multiplication of integers so that it is the same everywhere.
static EXP: LazyLock<Vec<u64>> = LazyLock::new(|| {
    // exp(-1/1024) in units of 2^-62.
    const RATIO: u128 = 4_607_184_617_107_619_805;
    let mut table = Vec::new();
    let mut value: u128 = u128::from(ONE) << 30;
    while value >> 30 > 0 {
        table.push((value >> 30) as u64);
        value = (value * RATIO) >> 62;
    }
    table
});

static WEIGHTS: LazyLock<Vec<i16>> = LazyLock::new(|| {
    let bytes: &[u8] = include_bytes!("likelihood.bin");
    let mut weights: Vec<i16> =
        bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    weights.resize(FEATURES, 0);
    weights
});
