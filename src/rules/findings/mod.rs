//! The findings of rulings and limits on a replayed game (`QJ501`, `QJ601` to `QJ603`).

mod limits;

use serde_json::{Value, json};

use crate::{
    board::{Move, Position, Side},
    finding::{Code, Finding, Locate, Place, Severity, Span, Words},
    notation::chinese,
    record::{NodeId, Outcome, Record, Written},
    replay::{Game, Termination},
};

use super::{
    Profile, Verdict,
    annotation::{self, Annotations},
    arbiter::{Arbitration, arbitrate},
    case::{Case, is_foot},
    cycle::repetitions,
    repetition::{self, Ruling},
    threat::passed,
};

/// What `profile` says of `game`: each repetition, and where the natural limit is reached or claimed. The findings
/// are in the order of the plies. Repetitions cost searches, and are ruled only if `repetitions`.
pub fn judge(
    game: &Game,
    record: &Record<'_>,
    locate: &dyn Locate,
    profile: &Profile,
    repetitions: bool,
) -> Vec<Finding> {
    let Some(start) = &game.start else { return Vec::new() };
    let line: Vec<NodeId> = record.tree.main_line().collect();
    let annotations = annotation::read(record, start.side());
    let places = |_: usize, span| locate.place(span);
    let judged =
        Judged { game, record, locate, places: &places, profile, start, line, annotations };
    let mut findings = if repetitions { judged.repetitions() } else { Vec::new() };
    findings.extend(judged.limits());
    findings.extend(judged.events());
    findings
}

/// Whether [`judge`] finds nothing in `game`, of a record without annotations and without gaps.
pub fn is_silent(game: &Game, profile: &Profile, ruled: bool) -> bool {
    let occurrences = profile.repetition.occurrences;
    let is_new = || repetitions(&game.keys, &game.captures, occurrences).is_empty();
    !limits::may_be_reached(game, &profile.natural_limit) && (!ruled || is_new())
}

/// What `profile` says of `game` as the game of `case`, whose annotations count instead of the record's: the rulings on
/// repetitions and limits, and what follows from the annotations. `places` gives the place of a span of the sheet with
/// this number.
pub fn judge_case(
    game: &Game,
    record: &Record<'_>,
    locate: &dyn Locate,
    profile: &Profile,
    case: &Case,
    places: &dyn Fn(usize, Span) -> Place,
) -> (Vec<Finding>, Arbitration) {
    let line: Vec<NodeId> = record.tree.main_line().collect();
    let annotations = case.annotations.clone();
    let start = &case.start;
    let judged = Judged { game, record, locate, places, profile, start, line, annotations };
    let mut findings = judged.repetitions();
    findings.extend(judged.limits());
    (findings, arbitrate(case, profile, places))
}

struct Judged<'g, 'a> {
    game: &'g Game,
    record: &'g Record<'a>,
    locate: &'g dyn Locate,
    /// The place of a span of the sheet with this number.
    places: &'g dyn Fn(usize, Span) -> Place,
    profile: &'g Profile,
    start: &'g Position,
    /// The nodes of the main line, the rest that could not be played included.
    line: Vec<NodeId>,
    annotations: Annotations,
}

impl Judged<'_, '_> {
    /// What is entered beside the moves, and moves left out (`QJ702`, `QJ706`, `QJ8xx`). Nearly all records have neither.
    fn events(&self) -> Vec<Finding> {
        const SHORTEST: usize = 4;
        let omitted = |run: &[NodeId]| {
            run.iter().all(|id| self.record.tree.node(*id).written == Written::Omitted)
        };
        let gap = self.line.windows(SHORTEST).any(omitted);
        let unmarked = self.game.findings.iter().any(|finding| finding.code == Code::OMITTED_MOVES);
        let foot = self.record.tags.iter().any(|tag| is_foot(&tag.name));
        if self.annotations.is_empty() && !gap && !unmarked && !foot {
            return Vec::new();
        }
        let annotations = self.annotations.clone();
        let case = Case::with(self.game, self.record, self.profile, annotations, self.start);
        let locate = |_, span| self.locate.place(span);
        let findings = arbitrate(&case, self.profile, &locate).findings;
        findings.into_iter().map(|finding| self.placed(finding)).collect()
    }

    /// A finding that has no entry of its own at the move of its ply.
    fn placed(&self, finding: Finding) -> Finding {
        if finding.place.offset.is_some() {
            return finding;
        }
        let node = (finding.ply as usize).checked_sub(1).and_then(|at| self.line.get(at));
        match node.map(|id| self.record.tree.node(*id)) {
            Some(node) => finding.at(self.locate.place(node.span)).text(node.written.text()),
            None => finding,
        }
    }

    fn repetitions(&self) -> Vec<Finding> {
        let Game { moves, keys, captures, .. } = self.game;
        let rules = &self.profile.repetition;
        repetitions(keys, captures, rules.occurrences)
            .into_iter()
            .map(|cycle| self.ruling(&repetition::judge(self.start, moves, cycle, rules)))
            .collect()
    }

    /// `QJ501`.
    fn ruling(&self, ruling: &Ruling) -> Finding {
        let cycle = ruling.cycle;
        let labels = self.labels(ruling);
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
        finding.board = Some(self.position_after(cycle.end).fen());
        finding
    }

    /// The plies of the last period, each with its label and what shows it.
    fn labels(&self, ruling: &Ruling) -> Vec<Value> {
        let mut position = self.position_after(ruling.cycle.start);
        let mut entries = Vec::with_capacity(ruling.labels.len());
        for ((ply, labelled), mv) in (ruling.cycle.start as u32 + 1..)
            .zip(&ruling.labels)
            .zip(&self.game.moves[ruling.cycle.start..])
        {
            let targets: Vec<String> = labelled.targets.iter().map(ToString::to_string).collect();
            let line: Vec<String> = labelled.line.iter().map(Move::to_string).collect();
            let move_zh = chinese::write(*mv, &position);
            position.play(*mv);
            entries.push(json!({
                "ply": ply, "label": labelled.label.as_str(), "targets": targets,
                "why": labelled.why.en, "why_zh": labelled.why.zh, "label_zh": labelled.label.glyph(), "article": labelled.label.article(),
                "move": mv.to_string(), "move_zh": move_zh,
                "line": line, "line_zh": in_chinese(&passed(&position), &labelled.line),
            }));
        }
        entries
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
        if plies.is_multiple_of(2) { self.start.side() } else { self.start.side().other() }
    }

    fn position_after(&self, plies: usize) -> Position {
        let mut position = self.start.clone();
        for mv in &self.game.moves[..plies] {
            position.play(*mv);
        }
        position
    }
}

/// The moves of `line` from `start` on, as they are written.
fn in_chinese(start: &Position, line: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    line.iter()
        .map(|mv| {
            let text = chinese::write(*mv, &position);
            position.play(*mv);
            text
        })
        .collect()
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
