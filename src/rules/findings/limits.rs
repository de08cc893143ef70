//! Where the natural limit is reached, and what claims of it come to (`QJ601` to `QJ603`, R022, R050, R100, R123).

use serde_json::json;

use super::{
    super::{
        annotation::{Annotation, Claim, Event},
        limit::{Count, counts, past_is_unknown},
        profile::NaturalLimit,
    },
    Judged,
};
use crate::{
    board::Side,
    finding::{Code, Finding, Words},
    replay::{Game, RestStatus},
};

/// Whether so many plies in a row capture nothing that the limit may be reached, which is cheaper to know than the counts.
pub(super) fn may_be_reached(game: &Game, rules: &NaturalLimit) -> bool {
    let plies = 2 * rules.rounds as usize;
    let mut quiet = game.captures.split(|captures| *captures);
    rules.rounds > 0 && game.moves.len() >= plies && quiet.any(|quiet| quiet.len() >= plies)
}

impl Judged<'_, '_> {
    /// `QJ601` where the limit is first reached after a capture, `QJ602` and `QJ603` for claims.
    pub(super) fn limits(&self) -> Vec<Finding> {
        let rules = &self.profile.natural_limit;
        let claims = self.claims();
        // Without so many plies there is nothing to count, unless somebody claims all the same.
        if rules.rounds == 0 || (claims.is_empty() && !may_be_reached(self.game, rules)) {
            return Vec::new();
        }
        let counts = self.counts();
        let mut findings = Vec::new();
        let mut reached = None;
        for (ply, count) in counts.iter().enumerate().take(self.game.moves.len() + 1) {
            let claimant = Side::ALL.into_iter().find(|side| count.is_true(*side, rules));
            if let Some(claimant) = claimant.filter(|_| reached != Some(count.last_capture_ply)) {
                reached = Some(count.last_capture_ply);
                let words = Words::new(
                    format!("自然限着已到：{} 个回合未吃子，可提和", rules.rounds),
                    format!(
                        "the natural limit is reached: {} rounds without a capture",
                        rules.rounds
                    ),
                );
                let finding = self.at(Finding::new(Code::NATURAL_LIMIT_REACHED, words), ply);
                let open = self.is_lower_bound(count);
                findings.push(self.counted(finding, count, claimant, open));
            }
        }
        for entry in claims {
            let ply = entry.ply as usize;
            // Behind a gap it is not known what was played: what stands before it is counted.
            let Some(count) = counts.get(ply).or(counts.last()) else { continue };
            let claimant = entry.side.unwrap_or_else(|| self.side_to_move(ply));
            let mut finding = self.claim(ply, count, claimant, ply >= counts.len());
            finding.text = None;
            finding = finding.at((self.places)(entry.sheet, entry.span));
            // The first sheet's findings are those that say nothing.
            findings.push(match entry.sheet {
                0 => finding,
                number => finding.with("sheet_no", number + 1),
            });
        }
        findings
    }

    /// The counts after each ply: of the main line, and of what was played on although a move was not legal.
    fn counts(&self) -> Vec<Count> {
        let mut moves = self.game.moves.clone();
        if let Some(rest) =
            self.game.rest.as_ref().filter(|rest| rest.status == RestStatus::ReplayedAsStood)
        {
            moves.extend(&rest.moves);
        }
        counts(self.start, &moves, &self.profile.natural_limit)
    }

    /// Claims of the natural limit.
    fn claims(&self) -> Vec<&Annotation> {
        let claims = self.annotations.list.iter();
        claims.filter(|entry| entry.event == Event::Claim(Claim::NaturalLimit)).collect()
    }

    /// `QJ602` or `QJ603`; `gap` says that plies before the claim are not known.
    fn claim(&self, ply: usize, count: &Count, claimant: Side, gap: bool) -> Finding {
        let rules = &self.profile.natural_limit;
        let counted = count.counted(claimant, rules);
        let open = gap || self.is_lower_bound(count);
        let (zh, en) = match claimant {
            Side::Red => ("红", "Red"),
            Side::Black => ("黑", "Black"),
        };
        let finding = if count.is_true(claimant, rules) {
            let words = Words::new(
                format!("{zh}方提自然限着属实，判和"),
                format!("{en}'s claim of the natural limit is true: a draw"),
            );
            Finding::new(Code::NATURAL_LIMIT_CLAIM_TRUE, words)
        } else {
            let (cost_zh, cost_en) = match rules.false_claim.as_str() {
                "loss" => ("判负".to_owned(), "loses".to_owned()),
                _ if rules.minutes > 0 => (
                    format!("判犯规一次，加计 {} 分钟", rules.minutes),
                    format!("is a foul, and {} minutes are added", rules.minutes),
                ),
                _ => ("判犯规一次".to_owned(), "is a foul".to_owned()),
            };
            let [red, black] = counted;
            let limit = rules.rounds;
            let words = if open {
                Words::new(
                    format!(
                        "{zh}方提自然限着，所记着法不足以证实（至少红 {red}、黑 {black}，限着 {limit}）；若不实，{cost_zh}"
                    ),
                    format!(
                        "{en}'s claim of the natural limit is not borne out by the record (at least Red {red}, Black {black} of {limit}); a false claim {cost_en}"
                    ),
                )
            } else {
                Words::new(
                    format!(
                        "{zh}方提自然限着不实（红 {red}、黑 {black}，限着 {limit}），{cost_zh}"
                    ),
                    format!(
                        "{en}'s claim of the natural limit is false (Red {red}, Black {black} of {limit}): it {cost_en}"
                    ),
                )
            };
            Finding::new(Code::NATURAL_LIMIT_CLAIM_FALSE, words)
        };
        let finding = self.counted(self.at(finding, ply), count, claimant, open);
        self.consequence(finding, open)
    }

    /// What a claim costs (9.1.4, 23.3), for the ledger of fouls and the clock. A claim that the record does not bear out
    /// but may yet be true has none.
    fn consequence(&self, finding: Finding, open: bool) -> Finding {
        let rules = &self.profile.natural_limit;
        let is_true = finding.code == Code::NATURAL_LIMIT_CLAIM_TRUE;
        if open && !is_true {
            return finding;
        }
        let loses = !is_true && rules.false_claim == "loss";
        let foul = !is_true && !loses;
        let consequence = json!({
            "foul": u32::from(foul),
            "minutes": if foul { rules.minutes } else { 0 },
            "loses": loses,
            "draws": is_true,
            "article": finding.article,
            "source": self.profile.sources.get("natural_limit.false_claim"),
        });
        finding.with("consequence", consequence)
    }

    /// Whether more may have been played since the last capture than is known.
    fn is_lower_bound(&self, count: &Count) -> bool {
        count.last_capture_ply == 0 && past_is_unknown(self.record, self.start)
    }

    /// The account of a count (23.3): what `data` holds, and the same in words.
    fn counted(&self, finding: Finding, count: &Count, claimant: Side, open: bool) -> Finding {
        let rules = &self.profile.natural_limit;
        let by_side = |[red, black]: [u32; 2]| json!({ "red": red, "black": black });
        let [plies_red, plies_black] = count.plies;
        let [checks_red, checks_black] = count.checks;
        let (since_zh, since_en) = match count.last_capture_ply {
            0 => ("未吃过子".to_owned(), "no capture".to_owned()),
            ply => (format!("最后吃子在第 {ply} 着"), format!("the last capture is ply {ply}")),
        };
        let cap = rules.checks;
        let account = Words::new(
            format!(
                "{since_zh}；其后红 {plies_red} 着（将 {checks_red}）、黑 {plies_black} 着（将 {checks_black}）；提出方的将最多计 {cap} 着"
            ),
            format!(
                "{since_en}; since then Red {plies_red} plies ({checks_red} checks), Black {plies_black} ({checks_black}); of the claimant's checks at most {cap} count"
            ),
        );
        finding
            .help(account)
            .with("last_capture_ply", count.last_capture_ply)
            .with("plies", by_side(count.plies))
            .with("checks", by_side(count.checks))
            .with("cap", rules.checks)
            .with("counted", by_side(count.counted(claimant, rules)))
            .with("limit", rules.rounds)
            .with("lower_bound", open)
            .with("claimant", claimant.as_str())
    }
}
