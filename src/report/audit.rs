//! An audit, for people and as the JSON of CONTRACT section 4.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::{GameReport, Style, json, text, width::printable};
use crate::{
    audit::{Audit, Foul, Open, SheetReport},
    board::{Move, Position, Side},
    finding::{Finding, Lang},
    notation::chinese,
    record::Outcome,
    replay::Termination,
    rules::clock::Check,
};

/// An audit as one JSON object on one line, with its end.
pub fn audit_json(audit: &Audit, lang: Lang) -> Vec<u8> {
    let reconciled = &audit.reconciled;
    let texts = |moves: &[Move]| moves.iter().map(Move::to_string).collect();
    let fouls = |side: Side| {
        let fouls = audit.fouls[side as usize].iter();
        fouls.map(FoulJson::new).collect()
    };
    let clock = |side: Side| audit.clock[side as usize].iter().map(Check::to_json).collect();
    let verdict = &audit.verdict;
    let mut bytes = json::to_bytes(&AuditJson {
        sheets: audit.sheets.iter().map(SheetJson::new).collect(),
        reconciled: ReconciledJson {
            start_fen: reconciled.start.as_ref().map(Position::fen),
            moves: texts(&reconciled.moves),
            witness: reconciled.witness.iter().map(|witness| witness.as_str()).collect(),
            final_fen: reconciled.end.as_ref().map(Position::fen),
            open: reconciled.open.iter().map(OpenJson::new).collect(),
            line: texts(&reconciled.line),
        },
        fouls: SidesJson { red: fouls(Side::Red), black: fouls(Side::Black) },
        clock: SidesJson { red: clock(Side::Red), black: clock(Side::Black) },
        verdict: VerdictJson {
            result: verdict.result.as_str(),
            reason: verdict.reason.as_str(),
            ply: verdict.ply,
            article: verdict.article.as_deref(),
            both_lose: verdict.both_lose,
            agrees: agrees(audit),
            alternatives: verdict
                .alternatives
                .iter()
                .map(|other| AlternativeJson {
                    result: other.result.as_str(),
                    reason: other.reason.as_str(),
                    ply: other.ply,
                    article: other.article.as_deref(),
                })
                .collect(),
        },
        recorded: audit.recorded.iter().map(|outcome| outcome.as_str()).collect(),
        findings: json::findings(&audit.findings, lang),
    });
    bytes.push(b'\n');
    bytes
}

/// An audit as text: the verdict, the game, the sheets, the fouls, and every finding as `check` shows it.
pub fn audit_text(audit: &Audit, style: Style) -> String {
    let lang = style.lang;
    let mut out = String::new();
    let mut line = |zh: String, en: String| {
        out.push_str(match lang {
            Lang::Zh => &zh,
            Lang::En => &en,
        });
        out.push('\n');
    };
    for sheet in &audit.sheets {
        let (zh, en) = owner(sheet.owner);
        let source = printable(&sheet.source);
        let (written, omitted) = (sheet.plies_written, sheet.omitted);
        line(
            format!("{zh}记录 {source}：记 {written} 着，漏 {omitted} 着"),
            format!("{en} sheet {source}: {written} plies written, {omitted} omitted"),
        );
    }
    let moves = &audit.reconciled.moves;
    line(format!("对局：{} 着", moves.len()), format!("game: {} plies", moves.len()));
    for text in rounds(audit) {
        line(text.clone(), text);
    }
    for open in &audit.reconciled.open {
        let readings = readings(audit, open);
        line(
            format!("  第 {} 着未定：{readings}", open.ply),
            format!("  ply {} is open: {readings}", open.ply),
        );
    }
    for side in Side::ALL {
        let (zh, en) = owner(Some(side));
        for (certain, may_zh, may_en) in [(true, "", ""), (false, "可能", "possible ")] {
            let fouls: Vec<&Foul> =
                audit.fouls[side as usize].iter().filter(|foul| foul.certain == certain).collect();
            if !fouls.is_empty() {
                let articles: Vec<&str> = fouls.iter().map(|foul| &*foul.article).collect();
                let count: u32 = fouls.iter().map(|foul| foul.count).sum();
                line(
                    format!("{zh}{may_zh}犯规 {count} 次：{}", articles.join("、")),
                    format!("{en} {may_en}fouls: {count} ({})", articles.join(", ")),
                );
            }
        }
    }
    let verdict = &audit.verdict;
    let article = |article: &Option<Cow<'static, str>>, ply: u32| match article {
        None => Default::default(),
        Some(article) => (
            format!("（{}，第 {ply} 着）", super::article_zh(article)),
            format!(" (article {article}, ply {ply})"),
        ),
    };
    let recorded: Vec<&str> = audit.recorded.iter().map(|outcome| outcome.as_str()).collect();
    let (reason_zh, reason_en) = reason(verdict.reason);
    let (by_zh, by_en): (String, String) = article(&verdict.article, verdict.ply);
    let decided = |zh| decided(verdict.result, verdict.both_lose, zh);
    line(
        format!("裁定：{}，{reason_zh}{by_zh}", decided(true)),
        format!("verdict: {}, {reason_en}{by_en}", decided(false)),
    );
    for other in &verdict.alternatives {
        let (reason_zh, reason_en) = reason(other.reason);
        let (by_zh, by_en) = article(&other.article, other.ply);
        line(
            format!("  证据也容许：{}，{reason_zh}{by_zh}", result(other.result, true)),
            format!(
                "  the evidence also allows: {}, {reason_en}{by_en}",
                result(other.result, false)
            ),
        );
    }
    let (agrees_zh, agrees_en) = match agrees(audit) {
        Some(true) => ("，与裁定相符", ", which agrees"),
        Some(false) => ("，与裁定不符", ", which disagrees"),
        None => ("", ""),
    };
    line(
        format!("所记结果：{}{agrees_zh}", recorded.join("、")),
        format!("recorded: {}{agrees_en}", recorded.join(", ")),
    );
    for (number, sheet) in audit.sheets.iter().enumerate() {
        let mut report = GameReport::new(sheet.source.as_str(), 1);
        report.findings =
            audit.findings.iter().filter(|one| sheet_of(one) == number).cloned().collect();
        let block = text::game(&report, style);
        if !block.is_empty() {
            out.push('\n');
            out.push_str(&block);
        }
    }
    out
}

/// Whether every recorded result is that of the verdict; `None` where none is recorded.
fn agrees(audit: &Audit) -> Option<bool> {
    let mut recorded = audit.recorded.iter().filter(|one| **one != Outcome::Unknown).peekable();
    recorded.peek().is_some().then(|| recorded.all(|one| *one == audit.verdict.result))
}

/// The findings of each sheet as a report of its own, for the formats that list findings.
pub fn audit_reports(audit: &Audit) -> Vec<GameReport> {
    let of = |(number, sheet): (usize, &SheetReport)| {
        let mut report = GameReport::new(sheet.source.as_str(), 1);
        report.findings =
            audit.findings.iter().filter(|one| sheet_of(one) == number).cloned().collect();
        report
    };
    audit.sheets.iter().enumerate().map(of).collect()
}

/// The sheet that a finding is shown with, from 0: its own, else the first.
fn sheet_of(finding: &Finding) -> usize {
    let number = finding.data.get("sheet_no").and_then(Value::as_u64).unwrap_or(1);
    usize::try_from(number).unwrap_or(1).saturating_sub(1)
}

/// The reconciled moves, five rounds a line.
fn rounds(audit: &Audit) -> Vec<String> {
    const ROUNDS: usize = 5;
    let Some(mut position) = audit.reconciled.start.clone() else { return Vec::new() };
    let mut rounds: Vec<String> = Vec::new();
    for mv in &audit.reconciled.moves {
        let text = chinese::write(*mv, &position);
        match (position.side(), rounds.last_mut()) {
            (Side::Black, Some(round)) => round.push_str(&format!(" {text}")),
            (Side::Black, None) => rounds.push(format!("{}. …… {text}", position.round())),
            (Side::Red, _) => rounds.push(format!("{}. {text}", position.round())),
        }
        position.play(*mv);
    }
    rounds.chunks(ROUNDS).map(|rounds| format!("  {}", rounds.join("  "))).collect()
}

/// The readings of an open ply, in full Chinese notation.
fn readings(audit: &Audit, open: &Open) -> String {
    /// Readings listed in full.
    const SHOWN: usize = 5;
    let written = |moves: &Vec<Move>| reading(audit, open, moves, chinese::write);
    let texts: Vec<String> = open.readings.iter().take(SHOWN).map(written).collect();
    let more = if open.readings.len() > SHOWN { " / …" } else { "" };
    texts.join(" / ") + more
}

/// `moves`, a reading of an open ply, as `write` writes them; in ICCS where no position is known in which they can be played.
pub(super) fn reading(
    audit: &Audit,
    open: &Open,
    moves: &[Move],
    write: impl Fn(Move, &Position) -> String,
) -> String {
    // The record may end before.
    if moves.is_empty() {
        return "—".to_owned();
    }
    let mut position = before(audit, open, moves);
    let text = |mv: &Move| match &mut position {
        Some(position) => {
            let text = write(*mv, position);
            position.play(*mv);
            text
        }
        None => mv.to_string(),
    };
    moves.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// A position in which a reading of an open ply can be played: that of the likeliest line, or of one in which a ply that is
/// open before it is read otherwise.
fn before(audit: &Audit, open: &Open, moves: &[Move]) -> Option<Position> {
    /// Plies open before it that are read otherwise, the last first, and readings tried of each.
    const OTHERS: (usize, usize) = (3, 5);
    let reconciled = &audit.reconciled;
    let start = reconciled.start.as_ref()?;
    let line = &reconciled.line[..reconciled.line.len().min(open.ply as usize - 1)];
    let position = |others: Option<(usize, &[Move])>| {
        let (at, instead) = others.unwrap_or((line.len(), &[]));
        let rest = line.get(at + instead.len()..).unwrap_or_default();
        let mut position = start.clone();
        let whole = line[..at].iter().chain(instead).chain(rest).all(|mv| play(*mv, &mut position));
        let mut end = position.clone();
        (whole && moves.iter().all(|mv| play(*mv, &mut end))).then_some(position)
    };
    let earlier = reconciled.open.iter().rev().filter(|other| other.ply < open.ply);
    let others = earlier.take(OTHERS.0).flat_map(|other| {
        let at = other.ply as usize - 1;
        let fits = move |moves: &&Vec<Move>| at + moves.len() <= line.len();
        other.readings.iter().take(OTHERS.1).filter(fits).map(move |moves| (at, &moves[..]))
    });
    std::iter::once(None).chain(others.map(Some)).find_map(position)
}

/// Plays `mv` if it is legal; whether it is.
fn play(mv: Move, position: &mut Position) -> bool {
    let legal = position.is_legal(mv);
    if legal {
        position.play(mv);
    }
    legal
}

pub(super) const fn owner(side: Option<Side>) -> (&'static str, &'static str) {
    match side {
        Some(Side::Red) => ("红方", "Red's"),
        Some(Side::Black) => ("黑方", "Black's"),
        None => ("未注明归属的", "unnamed player's"),
    }
}

/// The result of a verdict.
pub(super) const fn decided(outcome: Outcome, both_lose: bool, zh: bool) -> &'static str {
    match (both_lose, zh) {
        (true, true) => "双方均负",
        (true, false) => "both lose",
        (false, _) => result(outcome, zh),
    }
}

pub(super) const fn result(outcome: Outcome, zh: bool) -> &'static str {
    match (outcome, zh) {
        (Outcome::RedWins, true) => "红胜",
        (Outcome::BlackWins, true) => "黑胜",
        (Outcome::Draw, true) => "和棋",
        (Outcome::Unknown, true) => "未定",
        (outcome, false) => outcome.as_str(),
    }
}

/// How a game ended, in both languages.
pub(super) const fn reason(end: Termination) -> (&'static str, &'static str) {
    match end {
        Termination::Checkmate => ("将死", "checkmate"),
        Termination::Stalemate => ("困毙", "stalemate"),
        Termination::Resignation => ("认输", "resignation"),
        Termination::Agreement => ("议和", "agreement"),
        Termination::Time => ("超时", "time"),
        Termination::Repetition => ("循环反复", "repetition"),
        Termination::NaturalLimit => ("自然限着", "natural limit"),
        Termination::Foul => ("犯规", "fouls"),
        Termination::Forfeit => ("弃权", "forfeit"),
        Termination::IllegalMove => ("违例", "illegal move"),
        Termination::Other => ("其他", "other"),
        Termination::Unstated => ("依所记", "as recorded"),
    }
}

#[derive(Serialize)]
struct AuditJson<'a> {
    sheets: Vec<SheetJson<'a>>,
    reconciled: ReconciledJson,
    fouls: SidesJson<Vec<FoulJson<'a>>>,
    clock: SidesJson<Vec<Value>>,
    verdict: VerdictJson<'a>,
    recorded: Vec<&'a str>,
    findings: Vec<Value>,
}

#[derive(Serialize)]
struct SheetJson<'a> {
    source: &'a str,
    owner: Option<&'a str>,
    plies_written: usize,
    omitted: usize,
    cells: Vec<CellJson<'a>>,
}

impl<'a> SheetJson<'a> {
    fn new(sheet: &'a SheetReport) -> SheetJson<'a> {
        let cell = |cell: &'a crate::audit::Cell| CellJson {
            text: &cell.text,
            ply: cell.ply,
            state: cell.state.as_str(),
        };
        SheetJson {
            source: &sheet.source,
            owner: sheet.owner.map(Side::as_str),
            plies_written: sheet.plies_written,
            omitted: sheet.omitted,
            cells: sheet.cells.iter().map(cell).collect(),
        }
    }
}

#[derive(Serialize)]
struct CellJson<'a> {
    text: &'a str,
    ply: Option<u32>,
    state: &'a str,
}

#[derive(Serialize)]
struct ReconciledJson {
    start_fen: Option<String>,
    moves: Vec<String>,
    witness: Vec<&'static str>,
    final_fen: Option<String>,
    open: Vec<OpenJson>,
    line: Vec<String>,
}

#[derive(Serialize)]
struct OpenJson {
    ply: u32,
    readings: Vec<Vec<String>>,
    scores: Vec<f64>,
    texts: Vec<Option<String>>,
}

impl OpenJson {
    fn new(open: &Open) -> OpenJson {
        let texts = |moves: &Vec<Move>| moves.iter().map(Move::to_string).collect();
        OpenJson {
            ply: open.ply,
            readings: open.readings.iter().map(texts).collect(),
            scores: open.scores.clone(),
            texts: open.texts.clone(),
        }
    }
}

#[derive(Serialize)]
struct SidesJson<T> {
    red: T,
    black: T,
}

#[derive(Serialize)]
struct FoulJson<'a> {
    ply: u32,
    code: &'a str,
    article: &'a str,
    count: u32,
    certain: bool,
    announced: bool,
}

impl<'a> FoulJson<'a> {
    fn new(foul: &'a Foul) -> FoulJson<'a> {
        FoulJson {
            ply: foul.ply,
            code: &foul.code,
            article: &foul.article,
            count: foul.count,
            certain: foul.certain,
            announced: foul.announced,
        }
    }
}

#[derive(Serialize)]
struct VerdictJson<'a> {
    result: &'a str,
    reason: &'a str,
    ply: u32,
    article: Option<&'a str>,
    both_lose: bool,
    agrees: Option<bool>,
    alternatives: Vec<AlternativeJson<'a>>,
}

#[derive(Serialize)]
struct AlternativeJson<'a> {
    result: &'a str,
    reason: &'a str,
    ply: u32,
    article: Option<&'a str>,
}
