//! The arbiter's report: one page for the screen and for A4.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{
    super::{
        GameReport,
        audit::{decided, owner, reading, reason, result},
        score::head,
        svg,
    },
    findings::findings,
    page, player, say,
};
use crate::{
    audit::{Audit, Cell, CellState, Foul, SheetReport, Witness},
    board::{Move, Position, Side},
    finding::{Finding, Lang, Severity},
    notation::{self, Notation},
};

/// Boards drawn at most, the verdict's first.
const BOARDS: usize = 6;

/// An audit as a page of its own, printable on A4: verdict, boards at the deciding plies, a board to step through, the
/// sheets side by side, fouls, clock, findings, and room for signatures. `game` has the tags that stand above.
pub fn audit_html(audit: &Audit, game: &GameReport, lang: Lang) -> String {
    let title = say(lang, "对局审核报告", "Audit of a game");
    let positions = positions(audit);
    let body = html! {
        h1 { (title) }
        dl class="head" {
            @for (name, value) in head(game, lang) { dt { (name) } dd { (value) } }
            @for sheet in &audit.sheets {
                dt { (sheet_name(sheet, lang)) }
                dd {
                    (sheet.source) " "
                    @match lang {
                        Lang::Zh => { "（记 " (sheet.plies_written) " 着，漏 " (sheet.omitted) " 着）" }
                        Lang::En => { "(" (sheet.plies_written) " plies written, " (sheet.omitted) " omitted)" }
                    }
                }
            }
        }
        (verdict(audit, lang))
        (boards(audit, &positions, lang))
        h2 { (say(lang, "核对后的对局", "The reconciled game")) }
        (replay(audit, lang))
        (open(audit, lang))
        h2 { (say(lang, "记录对照", "The sheets side by side")) }
        div class="wide" { (sheets(audit, lang)) }
        h2 { (say(lang, "犯规", "Fouls")) }
        div class="wide" { (fouls(audit, lang)) }
        h2 { (say(lang, "用时", "Clock")) }
        div class="wide" { (clock(audit, lang)) }
        h2 { (say(lang, "审核所见", "Findings")) }
        @if audit.findings.is_empty() { p { (say(lang, "无", "none")) } }
        (findings(&audit.findings, audit.sheets.len(), lang))
        (signatures(lang))
    };
    page(title, lang, body)
}

fn verdict(audit: &Audit, lang: Lang) -> Markup {
    let zh = lang == Lang::Zh;
    let verdict = &audit.verdict;
    let recorded: Vec<&str> = audit.recorded.iter().map(|outcome| result(*outcome, zh)).collect();
    let agrees = audit.recorded.iter().all(|outcome| !outcome.contradicts(verdict.result));
    html! {
        section class="verdict" {
            h2 { (say(lang, "裁定", "Verdict")) }
            p class="result" {
                (decided(verdict.result, verdict.both_lose, zh)) (say(lang, "（", " (")) (words(reason(verdict.reason), zh)) (say(lang, "）", ")"))
            }
            p { (grounds(verdict.ply, verdict.article.as_deref(), lang)) }
            p class=(if agrees { "agrees" } else { "contradicts" }) {
                (say(lang, "所记结果：", "Recorded: ")) (recorded.join(say(lang, "、", ", ")))
                @if !agrees { strong { (say(lang, "，与裁定不符", ", which contradicts the verdict")) } }
            }
            @if !verdict.alternatives.is_empty() {
                p { (say(lang, "证据也容许：", "The evidence also allows:")) }
                ul {
                    @for other in &verdict.alternatives {
                        li {
                            (result(other.result, zh)) (say(lang, "，", ", ")) (words(reason(other.reason), zh)) " "
                            (grounds(other.ply, other.article.as_deref(), lang))
                        }
                    }
                }
            }
        }
    }
}

/// The ply and the article that decide.
fn grounds(ply: u32, article: Option<&str>, lang: Lang) -> String {
    let article = match (article, lang) {
        (Some(article), Lang::Zh) => format!("依据规则 {article}"),
        (Some(article), Lang::En) => format!("by article {article}"),
        (None, Lang::Zh) => "无条文可据，以所记为准".to_owned(),
        (None, Lang::En) => "no article decides; as recorded".to_owned(),
    };
    match (ply, lang) {
        (0, _) => article,
        (_, Lang::Zh) => format!("第 {ply} 着，{article}"),
        (_, Lang::En) => format!("at ply {ply}, {article}"),
    }
}

/// The position after each ply of the likeliest line, the start first.
fn positions(audit: &Audit) -> Vec<Position> {
    let Some(start) = audit.reconciled.start.clone() else { return Vec::new() };
    let mut positions = vec![start];
    for mv in &audit.reconciled.line {
        let mut position = positions[positions.len() - 1].clone();
        position.play(*mv);
        positions.push(position);
    }
    positions
}

/// The boards at the deciding plies: that of the verdict, and of each error on the main line.
fn boards(audit: &Audit, positions: &[Position], lang: Lang) -> Markup {
    let errors = audit.findings.iter().filter(|finding| {
        finding.severity == Severity::Error && finding.path.is_empty() && finding.ply > 0
    });
    let mut plies = Vec::new();
    for ply in std::iter::once(audit.verdict.ply).chain(errors.map(|finding| finding.ply)) {
        // A move that cannot be played is shown by the position before it.
        let ply = (ply as usize).min(positions.len().saturating_sub(1));
        if ply > 0 && !plies.contains(&ply) && plies.len() < BOARDS {
            plies.push(ply);
        }
    }
    html! {
        div class="boards" {
            @for ply in plies {
                figure {
                    (svg::board(&positions[ply], Some(audit.reconciled.line[ply - 1]), lang))
                    figcaption {
                        @match lang {
                            Lang::Zh => { "第 " (ply) " 着 " (text(audit, positions, ply, lang)) " 之后" }
                            Lang::En => { "after ply " (ply) ", " (text(audit, positions, ply, lang)) }
                        }
                    }
                }
            }
        }
    }
}

/// The move of a ply, from 1.
fn text(audit: &Audit, positions: &[Position], ply: usize, lang: Lang) -> String {
    written(audit.reconciled.line[ply - 1], &positions[ply - 1], lang)
}

/// A move as readers of `lang` know it: in Chinese, or in WXF.
fn written(mv: Move, position: &Position, lang: Lang) -> String {
    let notation = match lang {
        Lang::Zh => Notation::Chinese,
        Lang::En => Notation::Wxf,
    };
    notation::write(mv, notation, position)
}

fn replay(audit: &Audit, lang: Lang) -> Markup {
    let reconciled = &audit.reconciled;
    let Some(start) = &reconciled.start else {
        return html! { p { (say(lang, "开始局面不明", "the start position is not understood")) } };
    };
    let mut position = start.clone();
    let mut steps = Vec::new();
    for (index, mv) in reconciled.line.iter().enumerate() {
        let text = written(*mv, &position, lang);
        position.play(*mv);
        let at = |finding: &&Finding| finding.path.is_empty() && finding.ply as usize == index + 1;
        let mut notes: Vec<String> = Vec::new();
        let witness = reconciled.witness.get(index);
        if witness.is_none_or(|witness| *witness == Witness::Reconstructed) {
            notes.push(words(witness_words(witness.copied()), lang == Lang::Zh).to_owned());
        }
        let found: Vec<&Finding> = audit.findings.iter().filter(at).collect();
        notes.extend(found.iter().map(|one| format!("{} {}", one.code, one.message.get(lang))));
        let faulty = found.iter().any(|finding| finding.severity == Severity::Error);
        steps.push(player::Step {
            mv: Some(*mv),
            text,
            notes,
            class: if faulty { "fault" } else { "" },
        });
    }
    player::player(start, &steps, audit.verdict.ply as usize, lang)
}

/// The plies that stay open, with what may have been played.
fn open(audit: &Audit, lang: Lang) -> Markup {
    let reconciled = &audit.reconciled;
    html! {
        @for open in &reconciled.open {
            p class="open" {
                @match lang { Lang::Zh => { "第 " (open.ply) " 着未定：" } Lang::En => { "Ply " (open.ply) " is open: " } }
                @for (index, moves) in open.readings.iter().enumerate() {
                    @if index > 0 { (say(lang, "；", "; ")) }
                    (reading(audit, open, moves, |mv, position| written(mv, position, lang)))
                    @if let Some(score) = open.scores.get(index) { " (" (format!("{:.1} %", score * 100.0)) ")" }
                }
            }
        }
    }
}

/// The cells of all sheets beside the reconciled game, ply by ply; cells that tell no ply stand where they are written.
fn sheets(audit: &Audit, lang: Lang) -> Markup {
    let reconciled = &audit.reconciled;
    let (first, round) = match &reconciled.start {
        Some(start) => (start.side(), start.round()),
        None => (Side::Red, 1),
    };
    let mut texts = Vec::new();
    let mut position = reconciled.start.clone();
    for mv in &reconciled.line {
        if let Some(position) = &mut position {
            texts.push(written(*mv, position, lang));
            position.play(*mv);
        }
    }
    let columns: Vec<BTreeMap<usize, Vec<&Cell>>> = audit.sheets.iter().map(column).collect();
    let last = columns.iter().flat_map(BTreeMap::keys).copied().max().unwrap_or(0).max(texts.len());
    let cells = |column: usize, ply: usize| {
        columns[column].get(&ply).map(Vec::as_slice).unwrap_or_default()
    };
    html! {
        table class="sheets" {
            thead {
                tr {
                    th { (say(lang, "着", "ply")) }
                    th { (say(lang, "回合", "round")) }
                    @for sheet in &audit.sheets { th { (sheet_name(sheet, lang)) } }
                    th { (say(lang, "核对", "reconciled")) }
                    th { (say(lang, "凭据", "witness")) }
                }
            }
            tbody {
                @for ply in 1..=last {
                    @let black = (ply % 2 == 1) == (first == Side::Black);
                    @let number = round as usize + (ply - 1 + usize::from(first == Side::Black)) / 2;
                    @let differs = (0..columns.len()).any(|c| cells(c, ply).iter().any(|cell| cell.state == CellState::Differs));
                    tr class=(if differs { "differs" } else { "" }) {
                        td class="number" { (ply) }
                        td { (number) (if black { say(lang, " 黑", " B") } else { say(lang, " 红", " R") }) }
                        @for column in 0..columns.len() {
                            td { @for cell in cells(column, ply) { (cell_markup(cell)) } }
                        }
                        td { (texts.get(ply - 1).map_or("", String::as_str)) }
                        td { @if ply <= texts.len() { (words(witness_words(reconciled.witness.get(ply - 1).copied()), lang == Lang::Zh)) } }
                    }
                }
            }
        }
        p class="legend" {
            (say(lang, "≠ 与对局不符　… 漏记　＋ 多记　？ 未定", "≠ differs from the game, … omitted, + tells no ply, ? open"))
        }
    }
}

/// The cells of a sheet by the ply that they stand at.
fn column(sheet: &SheetReport) -> BTreeMap<usize, Vec<&Cell>> {
    let mut column: BTreeMap<usize, Vec<&Cell>> = BTreeMap::new();
    let mut at = 1;
    for cell in &sheet.cells {
        at = cell.ply.map_or(at, |ply| ply as usize);
        column.entry(at).or_default().push(cell);
    }
    column
}

fn cell_markup(cell: &Cell) -> Markup {
    let sign = match cell.state {
        CellState::Agrees => "",
        CellState::Differs => "≠ ",
        CellState::Omitted => "",
        CellState::Surplus => "＋ ",
        CellState::Open => "？ ",
    };
    html! { span class={ "cell " (cell.state.as_str()) } { (sign) (cell.text) } }
}

fn fouls(audit: &Audit, lang: Lang) -> Markup {
    if audit.fouls.iter().all(Vec::is_empty) {
        return html! { p { (say(lang, "无", "none")) } };
    }
    html! {
        table {
            thead {
                tr {
                    th { (say(lang, "方", "side")) }
                    th { (say(lang, "次", "no.")) }
                    th { (say(lang, "着", "ply")) }
                    th { (say(lang, "规则", "article")) }
                    th { (say(lang, "代码", "code")) }
                    th { (say(lang, "确否", "certain")) }
                }
            }
            tbody {
                @for side in Side::ALL {
                    @for (numbers, foul) in numbered(&audit.fouls[side as usize]) {
                        tr {
                            td { (side_name(side, lang)) }
                            td class="number" { (numbers) }
                            td class="number" { (foul.ply) }
                            td { (foul.article) }
                            td class="code" { (foul.code) }
                            td {
                                (if foul.certain { say(lang, "确定", "yes") } else { say(lang, "可能", "possible") })
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The fouls of a side, each with its number, or its first and last where one entry is several.
fn numbered(fouls: &[Foul]) -> impl Iterator<Item = (String, &Foul)> {
    fouls.iter().scan(0_u32, |before, foul| {
        let first = before.saturating_add(1);
        *before = before.saturating_add(foul.count);
        let numbers =
            if *before > first { format!("{first}–{before}") } else { first.to_string() };
        Some((numbers, foul))
    })
}

/// The checks of the clock, an object each: the names of the first object head the columns.
fn clock(audit: &Audit, lang: Lang) -> Markup {
    if audit.clock.iter().all(Vec::is_empty) {
        return html! { p { (say(lang, "无用时记录", "no times recorded")) } };
    }
    let word = |(zh, en)| say(lang, zh, en);
    html! {
        table {
            thead {
                tr {
                    th { (say(lang, "方", "side")) }
                    th { (say(lang, "项目", "check")) }
                    th { (say(lang, "着", "ply")) }
                    th { (say(lang, "结论", "answer")) }
                    th { (say(lang, "规则", "article")) }
                    th { (say(lang, "说明", "why")) }
                }
            }
            tbody {
                @for side in Side::ALL {
                    @for check in &audit.clock[side as usize] {
                        tr {
                            td { (side_name(side, lang)) }
                            td { (word(check.kind.words())) }
                            td class="number" { @if check.ply > 0 { (check.ply) } }
                            td { (word(check.answer.words())) }
                            td { (check.article) }
                            td { (check.words.get(lang)) }
                        }
                    }
                }
            }
        }
    }
}

fn signatures(lang: Lang) -> Markup {
    let lines = [
        say(lang, "红方", "Red"),
        say(lang, "黑方", "Black"),
        say(lang, "裁判员", "Arbiter"),
        say(lang, "裁判长", "Chief arbiter"),
        say(lang, "日期", "Date"),
    ];
    html! {
        section class="signatures" {
            h2 { (say(lang, "签名", "Signatures")) }
            @for line in lines { div { span { (line) } span class="line" {} } }
        }
    }
}

fn sheet_name(sheet: &SheetReport, lang: Lang) -> String {
    let (zh, en) = owner(sheet.owner);
    match (sheet.owner, lang) {
        (None, _) => say(lang, "记录（未注明归属）", "Sheet (owner not named)").to_owned(),
        (_, Lang::Zh) => format!("{zh}记录"),
        (_, Lang::En) => format!("{en} sheet"),
    }
}

fn side_name(side: Side, lang: Lang) -> &'static str {
    match side {
        Side::Red => say(lang, "红方", "Red"),
        Side::Black => say(lang, "黑方", "Black"),
    }
}

const fn witness_words(witness: Option<Witness>) -> (&'static str, &'static str) {
    match witness {
        Some(Witness::Both) => ("双方", "both"),
        Some(Witness::Red) => ("红方记录", "Red's sheet"),
        Some(Witness::Black) => ("黑方记录", "Black's sheet"),
        Some(Witness::Unnamed) => ("所给记录", "the sheet"),
        Some(Witness::Reconstructed) => ("推定", "reconstructed"),
        None => ("未定", "open"),
    }
}

const fn words(words: (&'static str, &'static str), zh: bool) -> &'static str {
    if zh { words.0 } else { words.1 }
}
