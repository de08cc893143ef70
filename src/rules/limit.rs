//! The natural limit (自然限着, articles 4.2.4 and 23.3; R022, R050, R100, R123).
//!
//! Counted is what has been played since the last capture by either side; pawn moves do not start the count anew. For
//! a claimant, the own plies count less the own checks beyond the cap; the opponent's plies count in full, unless the
//! profile takes off the replies to those checks too. The claim is true when both counts reach the limit.

use crate::board::{Move, Position, Side};

use super::profile::NaturalLimit;

/// What has been played since the last capture, by side (Red, Black).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Count {
    /// The ply of the last capture, 0 if there was none.
    pub last_capture_ply: u32,
    /// Plies.
    pub plies: [u32; 2],
    /// Plies that gave check.
    pub checks: [u32; 2],
    /// Replies to checks beyond the cap.
    excess_replies: [u32; 2],
}

impl Count {
    /// The counts of both sides if `claimant` claims: its own less the checks beyond the cap, the opponent's.
    pub fn counted(&self, claimant: Side, rules: &NaturalLimit) -> [u32; 2] {
        let (own, other) = (claimant as usize, claimant.other() as usize);
        let mut counted = self.plies;
        counted[own] -= self.checks[own].saturating_sub(rules.checks);
        if rules.excess_reply {
            counted[other] -= self.excess_replies[other];
        }
        counted
    }

    /// Whether a claim of `claimant` is true.
    pub fn is_true(&self, claimant: Side, rules: &NaturalLimit) -> bool {
        rules.rounds > 0 && self.counted(claimant, rules).iter().all(|count| *count >= rules.rounds)
    }
}

/// The count after each ply of a line, from that before the first.
///
/// ```
/// use qijian::{board::Position, rules::{Profile, limit::counts}};
///
/// let line = ["h2e2", "h9g7"].map(|mv| mv.parse().unwrap());
/// let counts = counts(&Position::start(), &line, &Profile::default().natural_limit);
/// assert_eq!(counts[2].plies, [1, 1]);
/// ```
pub fn counts(start: &Position, moves: &[Move], rules: &NaturalLimit) -> Vec<Count> {
    let mut position = start.clone();
    let mut count = Count::default();
    let mut counts = Vec::with_capacity(moves.len() + 1);
    counts.push(count);
    let mut excess = false;
    for (ply, mv) in (1u32..).zip(moves) {
        let side = position.side() as usize;
        let captures = position.piece_at(mv.to).is_some();
        position.play(*mv);
        if captures {
            count = Count { last_capture_ply: ply, ..Count::default() };
            excess = false;
        } else {
            count.plies[side] += 1;
            count.excess_replies[side] += u32::from(excess);
            let check = position.in_check(position.side());
            count.checks[side] += u32::from(check);
            excess = check && count.checks[side] > rules.checks;
        }
        counts.push(count);
    }
    counts
}
