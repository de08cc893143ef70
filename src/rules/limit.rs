//! The natural limit (自然限着, articles 4.2.4 and 23.3; R022, R050, R100, R123).
//!
//! Counted is what has been played since the last capture by either side; pawn moves do not start the count anew. For
//! a claimant, the own plies count less the own checks beyond the cap; the opponent's plies count in full, unless the
//! profile takes off the replies to those checks too. The claim is true when both counts reach the limit.

use crate::{
    board::{Move, Position, Setup, Side},
    record::{Record, Start},
};

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

/// Whether it is not known what was played just before `start`, the start position of `record`: it is not the start of a
/// game, and no FEN says that its last move was a capture.
pub fn past_is_unknown(record: &Record<'_>, start: &Position) -> bool {
    let stated = match &record.start {
        Start::Standard => Some(0),
        Start::Board { setup, .. } => setup.plies_since_capture,
        Start::Fen { text, .. } => {
            Setup::from_fen_board(text).ok().and_then(|(setup, _)| setup.plies_since_capture)
        }
    };
    let standard = start.key() == Position::start().key();
    stated != Some(0) && !(standard && stated.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    fn count(plies: [u32; 2], checks: [u32; 2]) -> Count {
        Count { plies, checks, ..Count::default() }
    }

    // 23.3: of the claimant's checks at most ten count; the opponent's plies count in full.
    #[test]
    fn the_cap_is_the_claimants() {
        let rules = Profile::default().natural_limit;
        assert!(count([60, 60], [10, 60]).is_true(Side::Red, &rules));
        assert!(!count([60, 60], [11, 0]).is_true(Side::Red, &rules));
        assert!(count([60, 60], [11, 0]).is_true(Side::Black, &rules));
        assert!(count([61, 60], [11, 0]).is_true(Side::Red, &rules));
        assert!(!count([61, 59], [0, 0]).is_true(Side::Red, &rules));
    }

    // The program rule of the references (editions.md 3, no. 2): the reply to an excess check is not counted either.
    #[test]
    fn replies_to_excess_checks_may_be_taken_off() {
        let rules =
            NaturalLimit { excess_reply: true, checks: 1, ..Profile::default().natural_limit };
        let moves = ["a0a9", "d9d8", "a9a8", "d8d7", "a8a7", "d7d8"].map(|mv| mv.parse().unwrap());
        let start = Position::from_fen("3k5/9/9/9/9/9/9/9/9/R4K3 w").unwrap();
        let last = counts(&start, &moves, &rules)[6];
        assert_eq!((last.plies, last.checks), ([3, 3], [3, 0]));
        // Checks two and three are excess, and so are the replies to them.
        assert_eq!(last.counted(Side::Red, &rules), [1, 1]);
    }

    #[test]
    fn no_limit_is_never_reached() {
        let rules = NaturalLimit { rounds: 0, ..Profile::default().natural_limit };
        assert!(!count([900, 900], [0, 0]).is_true(Side::Red, &rules));
    }
}
