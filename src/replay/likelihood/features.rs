//! What the model looks at in a position and its moves.

use crate::{
    board::{Kind, Move, Position, Side, Square, SquareSet},
    record::Outcome,
};

use super::{
    Choice, Ending, Past,
    groups::*,
    network::{self, Slot},
    tactics::{self, MATE, Verdict},
};

/// Plies in which openings are remembered.
const BOOK_PLIES: u32 = 24;

/// What does not depend on the move.
pub(super) struct Scene<'p> {
    position: &'p Position,
    past: Past,
    side: Side,
    /// Own pieces that stand to be lost.
    hanging: SquareSet,
    /// The opponent's pieces that are not protected.
    loose: SquareSet,
    phase: usize,
    /// How the game ends for the mover, and how soon.
    ending: Option<usize>,
    tactics: Tactics,
}

/// What the legal moves win and lose.
struct Tactics {
    verdicts: Vec<Verdict>,
    best: i32,
    second: i32,
    /// What could be captured at once.
    prize: i32,
    in_check: bool,
    all_mated: bool,
    /// The most that a move keeps of its threat.
    kept: i32,
    /// What is lost by doing nothing.
    danger: i32,
}

impl Tactics {
    fn new(position: &Position) -> Tactics {
        let verdicts = tactics::weigh(position);
        let (mut best, mut second) = (-MATE, -MATE);
        for verdict in &verdicts {
            if verdict.gain > best {
                (second, best) = (best, verdict.gain);
            } else {
                second = second.max(verdict.gain);
            }
        }
        let all_mated = verdicts.iter().all(|verdict| verdict.mated);
        let prize = best.max(0);
        let in_check = position.in_check(position.side());
        let kept = verdicts.iter().map(|verdict| verdict.kept).max().unwrap_or(0);
        let danger = if in_check { MATE } else { tactics::danger(position) };
        Tactics { verdicts, best, second, prize, in_check, all_mated, kept, danger }
    }
}

/// A loss or gain as one of twelve levels.
fn level(points: i32) -> usize {
    match points {
        ..=0 => 0,
        1..=5 => 1,
        6..=10 => 2,
        11..=15 => 3,
        16..=20 => 4,
        21..=25 => 5,
        26..=35 => 6,
        36..=50 => 7,
        51..=70 => 8,
        71..=100 => 9,
        101..=1000 => 10,
        _ => 11,
    }
}

/// A threat as one of eight levels.
fn coarse(points: i32) -> usize {
    match points {
        ..=0 => 0,
        1..=10 => 1,
        11..=25 => 2,
        26..=45 => 3,
        46..=75 => 4,
        76..=90 => 5,
        91..=1000 => 6,
        _ => 7,
    }
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

/// By value, kinds of equal value always in the same order, so that no order of squares decides.
const fn rank(kind: Kind) -> (u8, u8) {
    (value(kind), kind as u8)
}

impl<'p> Scene<'p> {
    pub(super) fn new(position: &'p Position, past: Past) -> Scene<'p> {
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
        let tactics = Tactics::new(position);
        let ending = past.ending.map(|ending| ending_of(ending, past.plies, side));
        Scene { position, past, side, hanging, loose, phase, ending, tactics }
    }

    /// Every legal move with what the model looks at.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let piece = |mv: Move| self.position.piece_at(mv.from);
        self.tactics
            .verdicts
            .iter()
            .filter_map(|verdict| {
                let piece = piece(verdict.mv)?;
                let mut features = Vec::with_capacity(28);
                self.features(verdict, piece.kind, &mut features);
                let lag = level(self.tactics.best - verdict.gain) * 2;
                let captures = usize::from(self.position.piece_at(verdict.mv.to).is_some());
                let menace = match verdict.replies {
                    Some(replies) => 32 + replies.min(7),
                    None => coarse(verdict.threat) * 2 + usize::from(verdict.mated),
                };
                let vectors =
                    network::vectors(piece, verdict.mv, self.side, lag + captures, menace);
                Some(Choice { mv: verdict.mv, features, vectors })
            })
            .collect()
    }

    /// What the network looks at.
    pub(super) fn inputs(&self) -> Vec<Slot> {
        let Tactics { prize, in_check, .. } = self.tactics;
        network::inputs(self.position, self.past, self.phase, level(prize), in_check)
    }

    /// The features of one move of a piece of `kind`.
    fn features(&self, verdict: &Verdict, kind: Kind, out: &mut Vec<Feature>) {
        let seen = |square: Square| network::seen(square, self.side);
        let (from, to) = (seen(verdict.mv.from), seen(verdict.mv.to));
        let mirrored = from % 9 > 4 || (from % 9 == 4 && to % 9 > 4);
        let journey = Journey { mv: verdict.mv, kind, from, to, mirrored };
        self.squares(&journey, out);
        let threatened = self.contacts(&journey, out);
        self.tactical(verdict, kind, out);
        self.habits(&journey, threatened, out);
    }

    /// Where the piece goes.
    fn squares(&self, journey: &Journey, out: &mut Vec<Feature>) {
        let Journey { kind, from, to, mirrored, .. } = *journey;
        let k = kind as usize;
        let fold = |square: usize| if mirrored { mirror(square) } else { square };
        let half = |square: usize| square / 9 * 5 + (square % 9).min(8 - square % 9);
        out.push(JOURNEY.at((k * HALF + half(fold(from))) * 90 + fold(to)));
        out.push(ARRIVAL.at((self.phase * KINDS + k) * HALF + half(to)));
        out.push(DEPARTURE.at((self.phase * KINDS + k) * HALF + half(from)));
    }

    /// What attacks and protects the squares left and entered, and what is attacked from there. Says whether the
    /// square entered is attacked.
    fn contacts(&self, journey: &Journey, out: &mut Vec<Feature>) -> bool {
        let Journey { mv, kind, .. } = *journey;
        let k = kind as usize;
        let enemy = self.side.other();
        let numbered = |kind: Option<Kind>| kind.map_or(0, |kind| kind as usize + 1);
        let attackers = self.position.attackers(mv.to, enemy);
        // The mover itself is no protector of the square that it enters.
        let mut protectors = self.position.attackers(mv.to, self.side);
        protectors.remove(mv.from);
        let protected = usize::from(!protectors.is_empty());
        let threat = numbered(least(self.position, attackers));
        let victim = kind_at(self.position, mv.to);
        let captures = usize::from(victim.is_some());
        if let Some(victim) = victim {
            let guarded = usize::from(!self.loose.contains(mv.to));
            out.push(CAPTURE.at((k * KINDS + victim as usize) * 2 + guarded));
        }
        out.push(DANGER.at(((k * 8 + threat) * 2 + protected) * 2 + captures));

        let pursuers = self.position.attackers(mv.from, enemy);
        if !pursuers.is_empty() {
            let pursuer = numbered(least(self.position, pursuers));
            let lost = usize::from(self.hanging.contains(mv.from));
            out.push(ESCAPE.at((k * 8 + pursuer) * 2 + lost));
        }
        let mut left = self.hanging;
        left.remove(mv.from);
        let most =
            left.filter_map(|square| kind_at(self.position, square)).max_by_key(|kind| rank(*kind));
        out.push(LEFT_HANGING.at(numbered(most) * 2 + captures));

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
            .max_by_key(|(square, prey)| (rank(*prey), self.loose.contains(*square)));
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
        threat > 0
    }

    /// What the search says.
    fn tactical(&self, verdict: &Verdict, kind: Kind, out: &mut Vec<Feature>) {
        let Tactics { best, second, prize, in_check, all_mated, kept, danger, .. } = self.tactics;
        let k = kind as usize;
        let captures = usize::from(self.position.piece_at(verdict.mv.to).is_some());
        let lag = level(best - verdict.gain);
        let coarse_lag = coarse(best - verdict.gain);
        let behind = coarse_lag.min(3);
        let in_check = usize::from(in_check);
        out.push(LAG.at(((lag * 5 + self.phase) * 2 + captures) * 2 + in_check));
        let gain = if verdict.gain < 0 {
            level(-verdict.gain).min(7)
        } else {
            8 + level(verdict.gain).min(7)
        };
        let rank = match best - verdict.gain {
            0 => 0,
            1..=10 => 1,
            _ => 2,
        };
        out.push(GAIN.at((k * 16 + gain) * 3 + rank));
        if rank == 0 {
            out.push(LEAD.at(level(verdict.gain - second) * 5 + self.phase));
        }
        match verdict.replies {
            Some(replies) => out.push(REPLIES.at((k * 8 + replies.min(7)) * 4 + behind)),
            None => {
                let before = coarse(prize).div_ceil(2).min(3);
                out.push(MENACE.at(((k * 8 + coarse(verdict.threat)) * 4 + before) * 4 + behind));
            }
        }
        let check = usize::from(verdict.replies.is_some());
        out.push(KEPT.at(((k * 8 + coarse(verdict.kept)) * 4 + behind) * 2 + check));
        out.push(MISSED.at((coarse(kept) * 8 + coarse(verdict.kept)) * 2 + check));
        out.push(DREADED.at(coarse(danger) * 12 + lag));
        if let Some(ending) = self.ending {
            let forces = match verdict.replies {
                Some(0) => 7,
                Some(1) => 6,
                Some(_) => 5,
                None if verdict.threat == MATE => 4,
                None => coarse(verdict.threat).div_ceil(2).min(3),
            };
            out.push(LAST.at(ending * 72 + coarse_lag * 8 + forces));
            let gain = coarse(verdict.gain.abs()).min(3) + if verdict.gain < 0 { 4 } else { 0 };
            out.push(LAST.at(ending * 72 + 64 + gain));
        }
        let mated = usize::from(verdict.mated) * 2 + usize::from(all_mated);
        out.push(MATED.at(self.phase * 4 + mated));
    }

    /// What goes with the moves before, and with the openings learned.
    fn habits(&self, journey: &Journey, threatened: bool, out: &mut Vec<Feature>) {
        let mv = journey.mv;
        let k = journey.kind as usize;
        if let Some(last) = self.past.last {
            if last.to == mv.to {
                out.push(RETAKE.at(k * 2 + usize::from(threatened)));
            }
            let mover = kind_at(self.position, last.to).map_or(7, |kind| kind as usize);
            let [before, arrival, from] = self.turned(journey, last);
            out.push(REPLY.hashed([mover as u64 * 8100 + before, arrival, from]));
        }
        if let Some(own) = self.past.own {
            if own.to == mv.from {
                out.push(GO_ON.at(k * 2 + usize::from(own.from == mv.to)));
            }
            out.push(PLAN.hashed(self.turned(journey, own)));
        }
        if self.past.plies < BOOK_PLIES {
            let [from, to] = [mv.from, mv.to].map(|square| square.index() as u64);
            out.push(BOOK.hashed([self.position.key(), from, to]));
        }
    }

    /// The move before and this one, in the mirror if this one starts on the right; where it keeps to the middle file,
    /// if that one does: answers and plans are the same on both wings.
    fn turned(&self, journey: &Journey, before: Move) -> [u64; 3] {
        let Journey { kind, from, to, mirrored, .. } = *journey;
        let [arrived, left] =
            [before.to, before.from].map(|square| network::seen(square, self.side));
        let middle = from % 9 == 4 && to % 9 == 4;
        let mirrored = mirrored || middle && (arrived % 9 > 4 || arrived % 9 == 4 && left % 9 > 4);
        let turn = |square: usize| if mirrored { mirror(square) } else { square };
        [turn(arrived) * 90 + turn(left), kind as usize * 90 + turn(to), turn(from)]
            .map(|n| n as u64)
    }
}

/// A move with its squares as the mover sees them.
struct Journey {
    mv: Move,
    kind: Kind,
    from: usize,
    to: usize,
    /// Whether it starts on the right half, or goes there from the middle file.
    mirrored: bool,
}

const fn mirror(square: usize) -> usize {
    square / 9 * 9 + 8 - square % 9
}

fn kind_at(position: &Position, square: Square) -> Option<Kind> {
    position.piece_at(square).map(|piece| piece.kind)
}

/// How the game ends for `side` and how soon after the next ply, as a number below 32.
fn ending_of(ending: Ending, plies: u32, side: Side) -> usize {
    let role = match (ending.outcome, side) {
        (Outcome::RedWins, Side::Red) | (Outcome::BlackWins, Side::Black) => 0,
        (Outcome::RedWins, Side::Black) | (Outcome::BlackWins, Side::Red) => 1,
        (Outcome::Draw, _) => 2,
        (Outcome::Unknown, _) => 3,
    };
    let left = match ending.plies.saturating_sub(plies + 1) {
        0 => 0,
        1 => 1,
        2 => 2,
        3..=4 => 3,
        5..=8 => 4,
        9..=16 => 5,
        17..=32 => 6,
        _ => 7,
    };
    role * 8 + left
}

/// The least valuable kind among the pieces on `squares`.
fn least(position: &Position, squares: SquareSet) -> Option<Kind> {
    squares.filter_map(|square| kind_at(position, square)).min_by_key(|kind| rank(*kind))
}
