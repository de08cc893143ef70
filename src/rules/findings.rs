//! The findings of rulings and limits on a replayed game (`QJ501`, `QJ601` to `QJ603`).

use serde_json::{Value, json};

use crate::{
    board::{Move, Position, Side},
    finding::{Code, Finding, Locate, Severity, Words},
    record::{NodeId, Outcome, Record},
    replay::{Game, Termination},
};

use super::{
    Profile, Verdict, claim,
    cycle::repetitions,
    limit::{Count, counts},
    repetition::{self, Ruling},
};

/// What `profile` says of `game`: each repetition, and where the natural limit is reached or claimed. The findings
/// are in the order of the plies.
pub fn judge(
    game: &Game,
    record: &Record<'_>,
    locate: &dyn Locate,
    profile: &Profile,
) -> Vec<Finding> {
    let Some(start) = &game.start else { return Vec::new() };
    let line: Vec<NodeId> = record.tree.main_line().take(game.moves.len()).collect();
    let judged = Judged { game, record, locate, profile, start, line };
    let mut findings = judged.repetitions();
    findings.extend(judged.limits());
    findings
}

struct Judged<'g, 'a> {
    game: &'g Game,
    record: &'g Record<'a>,
    locate: &'g dyn Locate,
    profile: &'g Profile,
    start: &'g Position,
    /// The nodes of the main line that were played.
    line: Vec<NodeId>,
}

impl Judged<'_, '_> {
    fn repetitions(&self) -> Vec<Finding> {
        let moves = &self.game.moves;
        let mut position = self.start.clone();
        let mut keys = Vec::with_capacity(moves.len() + 1);
        let mut captures = Vec::with_capacity(moves.len());
        keys.push(position.key());
        for mv in moves {
            captures.push(position.piece_at(mv.to).is_some());
            position.play(*mv);
            keys.push(position.key());
        }
        let rules = &self.profile.repetition;
        repetitions(&keys, &captures, rules.occurrences)
            .into_iter()
            .map(|cycle| self.ruling(&repetition::judge(self.start, moves, cycle, rules)))
            .collect()
    }

    /// `QJ501`.
    fn ruling(&self, ruling: &Ruling) -> Finding {
        let cycle = ruling.cycle;
        let labels: Vec<Value> = (cycle.start as u32 + 1..)
            .zip(&ruling.labels)
            .zip(&self.game.moves[cycle.start..])
            .map(|((ply, labelled), mv)| {
                let targets: Vec<String> = labelled.targets.iter().map(ToString::to_string).collect();
                let line: Vec<String> = labelled.line.iter().map(Move::to_string).collect();
                json!({
                    "ply": ply, "label": labelled.label.as_str(), "targets": targets, "why": labelled.why.en,
                    "move": mv.to_string(), "why_zh": labelled.why.zh, "line": line,
                })
            })
            .collect();
        let [red, black] = ruling.behaviours;
        let ((red_zh, red_en), (black_zh, black_en)) = (red.words(), black.words());
        let (verdict_zh, verdict_en) = ruling.verdict.words();
        let times = cycle.occurrences;
        let contradicted = self.contradicts(ruling);
        let words = Words::new(
            format!("局面第 {times} 次出现：红方{red_zh}，黑方{black_zh}，{verdict_zh}"),
            format!(
                "the position occurs for the {} time: Red {red_en}, Black {black_en}: {verdict_en}",
                ordinal(times)
            ),
        );
        let help = if contradicted {
            Words::new(
                format!("所记结果 {} 与裁定不符，查明终局原因", self.game.outcome.as_str()),
                format!(
                    "the recorded result {} disagrees; find out how the game ended",
                    self.game.outcome.as_str()
                ),
            )
        } else {
            Words::new("裁定理由见各着的标注", "the reasons stand at each ply")
        };
        let mut finding = self
            .at(Finding::new(Code::REPETITION_RULING, words), cycle.end)
            .severity(if contradicted { Severity::Error } else { Severity::Info })
            .help(help)
            .with("cycle_start_ply", cycle.start + 1)
            .with("cycle_end_ply", cycle.end)
            .with("occurrences", times)
            .with("red", red.as_str())
            .with("black", black.as_str())
            .with("verdict", ruling.verdict.as_str())
            .with("labels", labels)
            .with("profile", self.profile.name.as_str());
        finding.article = Some(ruling.article.clone().into())
            .filter(|article: &std::borrow::Cow<'_, str>| !article.is_empty());
        finding.board = self.position_after(cycle.end);
        finding
    }

    /// Whether the record ends with this repetition and with another result than the verdict's. A result that came
    /// about otherwise, as by resignation or time, contradicts no ruling.
    fn contradicts(&self, ruling: &Ruling) -> bool {
        let ends_here = self.game.moves.len() == ruling.cycle.end && self.game.rest.is_none();
        let by_ruling = matches!(
            self.game.termination,
            Termination::Unstated | Termination::Repetition | Termination::Other
        );
        let decided = match ruling.verdict {
            Verdict::RedLoses => Outcome::BlackWins,
            Verdict::BlackLoses => Outcome::RedWins,
            Verdict::Draw => Outcome::Draw,
            Verdict::RedMustChange | Verdict::BlackMustChange | Verdict::Unproved => return false,
        };
        ends_here && by_ruling && decided.contradicts(self.game.outcome)
    }

    /// `QJ601` where the limit is first reached after a capture, `QJ602` and `QJ603` for claims.
    fn limits(&self) -> Vec<Finding> {
        let rules = &self.profile.natural_limit;
        let claims = self.claims();
        // Without so many plies there is nothing to count, unless somebody claims all the same.
        if rules.rounds == 0
            || (claims.is_empty() && self.game.moves.len() < 2 * rules.rounds as usize)
        {
            return Vec::new();
        }
        let counts = counts(self.start, &self.game.moves, rules);
        let mut findings = Vec::new();
        let mut reached = None;
        for (ply, count) in counts.iter().enumerate() {
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
                findings.push(self.counted(finding, count, claimant));
            }
        }
        for (ply, side) in claims {
            let Some(count) = counts.get(ply) else { continue };
            let claimant = side.unwrap_or_else(|| self.side_to_move(ply));
            findings.push(self.claim(ply, count, claimant));
        }
        findings
    }

    /// Claims of the natural limit in the comments of the main line, with the number of plies played.
    fn claims(&self) -> Vec<(usize, Option<Side>)> {
        let comments = &self.record.tree.comments;
        comments
            .iter()
            .filter_map(|comment| {
                let side = claim::natural_limit(&comment.text)?;
                let ply = match comment.node {
                    NodeId::ROOT => 0,
                    node => self.line.iter().position(|id| *id == node)? + 1,
                };
                Some((ply, side))
            })
            .collect()
    }

    fn claim(&self, ply: usize, count: &Count, claimant: Side) -> Finding {
        let rules = &self.profile.natural_limit;
        let counted = count.counted(claimant, rules);
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
            let words = Words::new(
                format!(
                    "{zh}方提自然限着不实（红 {red}、黑 {black}，限着 {}），{cost_zh}",
                    rules.rounds
                ),
                format!(
                    "{en}'s claim of the natural limit is false (Red {red}, Black {black} of {}): it {cost_en}",
                    rules.rounds
                ),
            );
            Finding::new(Code::NATURAL_LIMIT_CLAIM_FALSE, words)
        };
        self.counted(self.at(finding, ply), count, claimant)
    }

    fn counted(&self, finding: Finding, count: &Count, claimant: Side) -> Finding {
        let rules = &self.profile.natural_limit;
        let by_side = |[red, black]: [u32; 2]| json!({ "red": red, "black": black });
        finding
            .with("last_capture_ply", count.last_capture_ply)
            .with("plies", by_side(count.plies))
            .with("checks", by_side(count.checks))
            .with("cap", rules.checks)
            .with("counted", by_side(count.counted(claimant, rules)))
            .with("limit", rules.rounds)
            .with("lower_bound", false)
            .with("claimant", claimant.as_str())
    }

    /// Completes a finding that concerns the position after `plies` plies.
    fn at(&self, finding: Finding, plies: usize) -> Finding {
        let Some(id) = plies.checked_sub(1).and_then(|index| self.line.get(index)) else {
            return finding;
        };
        let node = self.record.tree.node(*id);
        let ply = plies as u32;
        let black_first = u32::from(self.start.side() == Side::Black);
        let round = self.start.round().saturating_add((ply - 1 + black_first) / 2);
        finding
            .at(self.locate.place(node.span))
            .ply(ply, round, self.side_to_move(plies).other())
            .text(node.written.text())
    }

    fn side_to_move(&self, plies: usize) -> Side {
        if plies % 2 == 0 { self.start.side() } else { self.start.side().other() }
    }

    fn position_after(&self, plies: usize) -> Option<String> {
        let mut position = self.start.clone();
        for mv in &self.game.moves[..plies] {
            position.play(*mv);
        }
        Some(position.fen())
    }
}

fn ordinal(n: u32) -> String {
    let suffix = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{suffix}")
}
