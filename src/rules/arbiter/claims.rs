//! Claims (articles 8.5, 23.3, 24; R043, R050, R099 to R103, R123).

use crate::{
    board::Side,
    finding::{Code, Severity, Words},
    replay::Termination,
    rules::{
        annotation::{Annotation, Claim, Event, MINUTE},
        case::Case,
        clock::Answer,
        cycle::{Cycle, repetitions},
        limit::{Count, counts},
        repetition::{self, Ruling},
        verdict::Verdict,
    },
};

use super::{Deciding, Desk, RepetitionClaim, side_words};

/// Minutes to be added to a side's clock: whose, behind which ply, in milliseconds.
pub(super) type Penalties = Vec<(Side, u32, i64)>;

impl Desk<'_> {
    /// All claims; returns the minutes that false ones add.
    pub(super) fn claims(&mut self) -> Penalties {
        let case = self.case;
        let mut penalties = Vec::new();
        let (mut counted, mut keyed) = (None, None);
        for entry in &case.annotations.list {
            let (Event::Claim(claim), Some(side)) = (&entry.event, entry.side) else { continue };
            self.turn(entry, *claim, side);
            match claim {
                Claim::NaturalLimit => {
                    let rules = &self.profile.natural_limit;
                    let counts =
                        counted.get_or_insert_with(|| counts(&case.start, &case.moves, rules));
                    penalties.extend(self.natural_limit(counts, entry.ply, side));
                }
                Claim::Repetition => {
                    let (keys, captures) = keyed.get_or_insert_with(|| keys(case));
                    self.repetition(keys, captures, entry, side);
                }
            }
        }
        penalties
    }

    /// 8.5: questions are raised in the own time. A claim that is true is none without cause, so the foul of 9.1.1 is the
    /// arbiter's to find.
    fn turn(&mut self, entry: &Annotation, claim: Claim, side: Side) {
        let after = claim == Claim::NaturalLimit
            && self.profile.conduct.claims_after_game
            && entry.ply == self.case.plies;
        if !entry.exact || after || self.case.to_move(entry.ply) == side {
            return;
        }
        let words = Words::new(
            "在对方走棋的时间内提出；应在自己走棋的时间内提出",
            "raised in the opponent's time: questions are raised in the own time",
        );
        let finding = self.finding(Code::OUT_OF_TURN, words, entry);
        self.found.findings.push(finding.with("claimant", side.as_str()));
    }

    /// 23.3: true draws; false is a foul and minutes, or loses. `QJ602` and `QJ603` tell of it.
    fn natural_limit(
        &mut self,
        counts: &[Count],
        ply: u32,
        side: Side,
    ) -> Option<(Side, u32, i64)> {
        let rules = &self.profile.natural_limit;
        if rules.rounds == 0 {
            return None;
        }
        let behind_gap = ply as usize >= counts.len();
        let count = counts.get(ply as usize).or(counts.last())?;
        let reason = Termination::NaturalLimit;
        if count.is_true(side, rules) {
            self.found.deciding.push(Deciding::drawn(ply, reason, "23.3", !behind_gap));
            return None;
        }
        // More may have been played since the last capture than is known.
        let open = count.last_capture_ply == 0 && self.case.past_unknown;
        let certain = !behind_gap && !open;
        if rules.false_claim == "loss" {
            self.found.deciding.push(Deciding::lost(side, ply, reason, "23.3", certain));
            return None;
        }
        let ms = i64::from(rules.minutes) * MINUTE;
        self.foul(side, ply, "QJ603", "9.1.4", certain);
        (certain && ms > 0).then_some((side, ply, ms))
    }

    /// 24: a ruling is claimed.
    fn repetition(&mut self, keys: &[u64], captures: &[bool], entry: &Annotation, side: Side) {
        let rules = &self.profile.repetition;
        let (ply, case) = (entry.ply as usize, self.case);
        // Each claim looks at all that was played; no game has so many.
        const MOST: usize = 50;
        let known = ply < keys.len() && self.found.claims.len() < MOST;
        let cycle: Option<Cycle> = known
            .then(|| repetitions(&keys[..=ply], &captures[..ply], rules.occurrences))
            .and_then(|found| found.into_iter().find(|cycle| cycle.end == ply));
        let ruling =
            cycle.map(|cycle| repetition::judge(&case.start, &case.moves[..ply], cycle, rules));
        let answer = match (known, &ruling) {
            (false, _) => Answer::Unknown,
            (true, Some(_)) => Answer::Pass,
            (true, None) => Answer::Fail,
        };
        match &ruling {
            Some(ruling) => self.true_claim(ruling, entry, side),
            None if known => {
                let times = rules.occurrences;
                let (zh, en) = side_words(side);
                let words = Words::new(
                    format!("{zh}方要求裁决，但此时局面没有循环反复 {times} 次"),
                    format!(
                        "{en} claims a ruling, but the position has not occurred {times} times"
                    ),
                );
                let finding = self
                    .finding(Code::REPETITION_CLAIM, words, entry)
                    .severity(Severity::Warning)
                    .with("claimant", side.as_str())
                    .with("answer", answer.as_str());
                self.found.findings.push(finding);
            }
            None => {}
        }
        self.found.claims.push(RepetitionClaim { ply: entry.ply, claimant: side, answer, ruling });
    }

    fn true_claim(&mut self, ruling: &Ruling, entry: &Annotation, side: Side) {
        let (zh, en) = side_words(side);
        let (verdict_zh, verdict_en) = ruling.verdict.words();
        let times = ruling.cycle.occurrences;
        let words = Words::new(
            format!("{zh}方要求裁决属实：局面第 {times} 次出现，{verdict_zh}"),
            format!(
                "{en} rightly claims a ruling (occurrence {times} of the position): {verdict_en}"
            ),
        );
        let mut finding = self
            .finding(Code::REPETITION_CLAIM, words, entry)
            .with("claimant", side.as_str())
            .with("answer", Answer::Pass.as_str())
            .with("occurrences", times)
            .with("verdict", ruling.verdict.as_str());
        // 24.3: whoever must change loses with one more cycle.
        if matches!(ruling.verdict, Verdict::RedMustChange | Verdict::BlackMustChange) {
            let period = ruling.cycle.end - ruling.cycle.start;
            finding = finding.with("deadline_ply", ruling.cycle.end + period);
        }
        finding.article = Some(ruling.article.clone().into());
        self.found.findings.push(finding);
        self.found.deciding.extend(Deciding::by_ruling(ruling));
    }
}

/// The key behind each number of plies, and which plies capture.
fn keys(case: &Case) -> (Vec<u64>, Vec<bool>) {
    let mut position = case.start.clone();
    let mut keys = vec![position.key()];
    let mut captures = Vec::new();
    for mv in &case.moves {
        captures.push(position.piece_at(mv.to).is_some());
        position.play(*mv);
        keys.push(position.key());
    }
    (keys, captures)
}
