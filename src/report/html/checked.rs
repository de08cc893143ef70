//! What `check` found, as a page: a section for each game that has findings.

use maud::{Markup, html};

use super::{
    super::{GameReport, Summary},
    findings::findings,
    page, say,
};
use crate::finding::{Lang, Severity};

/// Stands where the games go.
const GAMES: char = '\u{0}';

/// What stands before the first game.
pub(in crate::report) fn head(lang: Lang) -> Vec<u8> {
    frame(lang, html! {}).0.into_bytes()
}

/// One game; nothing if it has no findings.
pub(in crate::report) fn game(report: &GameReport, lang: Lang) -> Vec<u8> {
    if report.findings.is_empty() {
        return Vec::new();
    }
    let players = [report.tag("red"), report.tag("black")].map(|name| name.unwrap_or("?"));
    let section = html! {
        section {
            h2 {
                (report.source)
                @if report.game > 0 { " " (say(lang, "第", "game ")) (report.game) (say(lang, "局", "")) }
            }
            @if report.game > 0 { p { (players[0]) " – " (players[1]) " " (report.result) } }
            (findings(&report.findings, 1, lang))
        }
    };
    (section.into_string() + "\n").into_bytes()
}

/// What stands after the last game.
pub(in crate::report) fn tail(summary: &Summary, lang: Lang) -> Vec<u8> {
    let rows = [
        (say(lang, "文件", "files"), summary.files),
        (say(lang, "棋局", "games"), summary.counts.games.read),
        (say(lang, "着数", "plies"), summary.plies),
        (say(lang, "错误", "errors"), summary.of_severity(Severity::Error)),
        (say(lang, "警告", "warnings"), summary.of_severity(Severity::Warning)),
    ];
    let table = html! {
        h2 { (say(lang, "汇总", "Summary")) }
        table { @for (name, count) in rows { tr { th { (name) } td class="number" { (count) } } } }
        table {
            @for ((code, severity), count) in &summary.findings {
                tr { th class="code" { (code) } td { (severity.words().get(lang)) } td { (code.entry().name) } td class="number" { (count) } }
            }
        }
    };
    frame(lang, table).1.into_bytes()
}

/// The page around the games, `after` behind them.
fn frame(lang: Lang, after: Markup) -> (String, String) {
    let title = say(lang, "棋谱校验报告", "Findings in game records");
    let whole = page(title, lang, html! { h1 { (title) } (GAMES) (after) });
    whole
        .split_once(GAMES)
        .map(|(head, tail)| (head.to_owned(), tail.to_owned()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Finding, Words};

    #[test]
    fn head_games_and_tail_make_one_page() {
        let mut report = GameReport::new("<a>.pgn", 1);
        report.findings.push(Finding::new(Code::ILLEGAL_MOVE, Words::new("蹩马腿", "hobbled")));
        let mut summary = Summary { files: 1, ..Summary::default() };
        summary.add(&report);
        let parts = [head(Lang::Zh), game(&report, Lang::Zh), tail(&summary, Lang::Zh)];
        let page = String::from_utf8(parts.concat()).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
        assert!(page.contains("&lt;a&gt;.pgn 第1局"));
        assert!(page.contains("蹩马腿"));
        assert!(!page.contains(GAMES));
        assert!(game(&GameReport::new("b", 1), Lang::Zh).is_empty());
    }
}
