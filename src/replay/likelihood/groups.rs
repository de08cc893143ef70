//! The list of all features: which group has which numbers.

/// One group of features: a range of weights, of which a move has at most a few.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) start: usize,
    pub(super) size: usize,
}

impl Group {
    const fn after(before: Group, size: usize) -> Group {
        Group { start: before.start + before.size, size }
    }

    pub(super) fn at(self, index: usize) -> Feature {
        debug_assert!(index < self.size);
        (self.start + index % self.size) as Feature
    }

    /// A feature of an open set, spread over the group.
    pub(super) fn hashed(self, parts: [u64; 3]) -> Feature {
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

pub(super) const KINDS: usize = 7;
/// Squares of half a board: moves are mirrored so that they start on the left half.
pub(super) const HALF: usize = 50;

/// Kind, square left, square entered.
pub(super) const JOURNEY: Group = Group { start: 0, size: KINDS * HALF * 90 };
/// Phase, kind, square entered.
pub(super) const ARRIVAL: Group = Group::after(JOURNEY, 5 * KINDS * HALF);
/// Phase, kind, square left.
pub(super) const DEPARTURE: Group = Group::after(ARRIVAL, 5 * KINDS * HALF);
/// Kind, victim, whether it is protected.
pub(super) const CAPTURE: Group = Group::after(DEPARTURE, KINDS * KINDS * 2);
/// Kind, least attacker of the square entered, whether it is protected, capture or not.
pub(super) const DANGER: Group = Group::after(CAPTURE, KINDS * 8 * 2 * 2);
/// Kind, least attacker of the square left, whether the piece stood to be lost.
pub(super) const ESCAPE: Group = Group::after(DANGER, KINDS * 8 * 2);
/// Checks: kind, attacked or not, protected or not.
pub(super) const CHECK: Group = Group::after(ESCAPE, KINDS * 4);
/// Captures of the piece moved last: kind, attacked or not.
pub(super) const RETAKE: Group = Group::after(CHECK, KINDS * 2);
/// The piece moved last moves again: kind, back or on.
pub(super) const GO_ON: Group = Group::after(RETAKE, KINDS * 2);
/// The most valuable piece left to be lost.
pub(super) const LEFT_HANGING: Group = Group::after(GO_ON, 8 * 2);
/// The most valuable piece attacked by the piece moved.
pub(super) const THREAT: Group = Group::after(LEFT_HANGING, KINDS * 8 * 2);
/// Squares that the piece reaches then.
pub(super) const MOBILITY: Group = Group::after(THREAT, KINDS * 18);
/// How far from the other general.
pub(super) const NEAR_GENERAL: Group = Group::after(MOBILITY, KINDS * 12);
/// The opponent's last move and this one.
pub(super) const REPLY: Group = Group::after(NEAR_GENERAL, 1 << 14);
/// The own last move and this one.
pub(super) const PLAN: Group = Group::after(REPLY, 1 << 14);
/// Position and move.
pub(super) const BOOK: Group = Group::after(PLAN, 1 << 15);
/// What the move wins less than the best, phase, capture or not, in check or not.
pub(super) const LAG: Group = Group::after(BOOK, 12 * 5 * 2 * 2);
/// Kind, what the move wins or loses, how near that is to the best.
pub(super) const GAIN: Group = Group::after(LAG, KINDS * 16 * 3);
/// How much the best move is ahead of the second.
pub(super) const LEAD: Group = Group::after(GAIN, 12 * 5);
/// Kind, what a quiet move threatens, what was to be won at once.
pub(super) const MENACE: Group = Group::after(LEAD, KINDS * 8 * 4 * 4);
/// Whether the other side can mate then, and whether it always can.
pub(super) const MATED: Group = Group::after(MENACE, 5 * 2 * 2);
/// Checks: kind, number of replies.
pub(super) const REPLIES: Group = Group::after(MATED, KINDS * 8 * 4);
/// Who wins and how soon: losses, threats and checks then.
pub(super) const LAST: Group = Group::after(REPLIES, 4 * 8 * (8 * 8 + 8));
/// Kind, what of the threat no reply parries.
pub(super) const KEPT: Group = Group::after(LAST, KINDS * 8 * 4 * 2);
/// The same against the most that any move keeps.
pub(super) const MISSED: Group = Group::after(KEPT, 8 * 8 * 2);
/// What is lost by doing nothing, and by the move.
pub(super) const DREADED: Group = Group::after(MISSED, 8 * 12);

/// All groups.
pub(super) const GROUPS: [Group; 26] = [
    JOURNEY,
    ARRIVAL,
    DEPARTURE,
    CAPTURE,
    DANGER,
    ESCAPE,
    CHECK,
    RETAKE,
    GO_ON,
    LEFT_HANGING,
    THREAT,
    MOBILITY,
    NEAR_GENERAL,
    REPLY,
    PLAN,
    BOOK,
    LAG,
    GAIN,
    LEAD,
    MENACE,
    MATED,
    REPLIES,
    LAST,
    KEPT,
    MISSED,
    DREADED,
];

/// How many weights the model has.
pub const FEATURES: usize = DREADED.start + DREADED.size;
