//! Findings as a list, with the table of a repetition ruling.

use maud::{Markup, html};
use serde_json::Value;

use super::{super::ruling, say};
use crate::finding::{Finding, Lang};

/// A list of findings of so many `sheets`, each with its place, its article and what to do.
pub(in crate::report) fn findings<'f>(
    findings: impl IntoIterator<Item = &'f Finding>,
    sheets: usize,
    lang: Lang,
) -> Markup {
    html! {
        ul class="findings" {
            @for finding in findings {
                li class=(finding.severity.as_str()) { (one(finding, sheets, lang)) }
            }
        }
    }
}

fn one(finding: &Finding, sheets: usize, lang: Lang) -> Markup {
    let separator = say(lang, "，", ", ");
    html! {
        span class="code" { (finding.code) } " "
        strong { (finding.message.get(lang)) }
        @let facts = facts(finding, sheets, lang);
        @if !facts.is_empty() { span class="facts" { (say(lang, "（", " (")) (facts.join(separator)) (say(lang, "）", ")")) } }
        @if let Some(help) = &finding.help { div class="help" { (say(lang, "建议：", "Next: ")) (help.get(lang)) } }
        @if let Some(rows) = ruling::rows(finding, lang) {
            div class="wide" {
                table class="ruling" {
                    @for (index, row) in rows.iter().enumerate() {
                        tr { @for cell in row { @if index == 0 { th { (cell) } } @else { td { (cell) } } } }
                    }
                }
            }
        }
    }
}

/// Where it is and by which article; of several sheets on which.
fn facts(finding: &Finding, sheets: usize, lang: Lang) -> Vec<String> {
    let mut facts = Vec::new();
    if !finding.path.is_empty() {
        facts.push(say(lang, "变着中", "in a variation").to_owned());
    }
    if finding.ply > 0 {
        facts.push(match lang {
            Lang::Zh => format!("第 {} 着", finding.ply),
            Lang::En => format!("ply {}", finding.ply),
        });
    }
    facts.extend(finding.text.clone());
    if let (Some(line), Some(column)) = (finding.place.line, finding.place.column) {
        let sheet = finding.data.get("sheet_no").and_then(Value::as_u64).unwrap_or(1);
        facts.push(match (lang, sheets) {
            (Lang::Zh, 0 | 1) => format!("第 {line} 行第 {column} 列"),
            (Lang::En, 0 | 1) => format!("line {line}, column {column}"),
            (Lang::Zh, _) => format!("第 {sheet} 份记录第 {line} 行第 {column} 列"),
            (Lang::En, _) => format!("sheet {sheet}, line {line}, column {column}"),
        });
    }
    facts.extend(finding.article.as_ref().map(|article| match lang {
        Lang::Zh => format!("规则 {article}"),
        Lang::En => format!("article {article}"),
    }));
    facts
}
