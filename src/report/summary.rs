//! The table at the end of the text format.

use super::{
    Style, Summary, Tally,
    width::{Align, table},
};
use crate::finding::{Lang, Severity, Words};

/// Files, games, plies and nodes, then the findings by code.
pub(super) fn table_of(summary: &Summary, style: Style) -> String {
    let say = |zh: &'static str, en: &'static str| Words::new(zh, en).get(style.lang).to_owned();
    let counts = &summary.counts;
    let tally = |name: String, tally: Tally| {
        [name, tally.read.to_string(), tally.written.to_string(), tally.refused.to_string()]
    };
    let (files, plies) = (summary.files, summary.plies);
    let skipped = match (summary.skipped, style.lang) {
        (0, _) => String::new(),
        (skipped, Lang::Zh) => format!("（已有而跳过 {skipped}）"),
        (skipped, Lang::En) => format!(" ({skipped} there already, skipped)"),
    };
    let mut text = match style.lang {
        Lang::Zh => format!("汇总：文件 {files}{skipped}，主线 {plies} 着\n\n"),
        Lang::En => format!("Summary: files {files}{skipped}, plies of main lines {plies}\n\n"),
    };
    text += &table(
        &[
            [String::new(), say("读入", "read"), say("保留", "written"), say("拒收", "refused")],
            tally(say("对局", "games"), counts.games),
            tally(say("着法（含变着）", "nodes"), counts.nodes),
            tally(say("注释", "comments"), counts.comments),
        ],
        [Align::Left, Align::Right, Align::Right, Align::Right],
    );
    text.push('\n');
    if summary.findings.is_empty() {
        return text
            + &say("没有发现问题。\n", "No findings.\n")
            + &fixes_line(summary, style.lang);
    }
    let mut rows = vec![[
        say("代码", "code"),
        say("级别", "severity"),
        say("名称", "name"),
        say("次数", "count"),
    ]];
    for ((code, severity), count) in &summary.findings {
        rows.push([
            code.to_string(),
            severity.words().get(style.lang).to_owned(),
            code.entry().title().get(style.lang).to_owned(),
            count.to_string(),
        ]);
    }
    text += &table(&rows, [Align::Left, Align::Left, Align::Left, Align::Right]);
    let of = |severity| summary.of_severity(severity);
    let (error, warning, info) = (of(Severity::Error), of(Severity::Warning), of(Severity::Info));
    text += &match style.lang {
        Lang::Zh => format!("\n合计：错误 {error}，警告 {warning}，提示 {info}\n"),
        Lang::En => format!("\nTotal: errors {error}, warnings {warning}, infos {info}\n"),
    };
    text += &fixes_line(summary, style.lang);
    text
}

/// How much was repaired, where that was asked for.
fn fixes_line(summary: &Summary, lang: Lang) -> String {
    let Some(fixes) = &summary.fixes else { return String::new() };
    let (files, count): (u64, u64) = (fixes.files, fixes.findings.values().sum());
    match lang {
        Lang::Zh => format!("已修复：{count} 处，改动文件 {files}\n"),
        Lang::En => format!("Repaired: findings {count}, files changed {files}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{samples, width::width},
        *,
    };
    use crate::finding::Code;

    fn filled() -> Summary {
        let mut summary = Summary { files: 2, ..Summary::default() };
        summary.add(&samples::illegal_horse());
        summary.findings.insert((Code::NONSTANDARD_NOTATION, Severity::Warning), 1234);
        summary
    }

    #[test]
    fn it_counts_and_lines_up_in_both_languages() {
        for lang in [Lang::Zh, Lang::En] {
            let text = table_of(&filled(), Style::plain(lang));
            let rows: Vec<&str> =
                text.lines().skip_while(|line| !line.contains("QJ203")).take(2).collect();
            assert!(rows[0].ends_with("  1234") && rows[1].starts_with("QJ301"), "{text}");
            assert_eq!(width(rows[0]), width(rows[1]), "{text}");
            let tallies: Vec<usize> = text.lines().skip(2).take(4).map(width).collect();
            assert!(tallies.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
        }
    }

    #[test]
    fn words_are_in_the_language_asked_for() {
        let zh = table_of(&filled(), Style::plain(Lang::Zh));
        assert!(zh.contains("QJ301  错误  着法违规"), "{zh}");
        assert!(zh.contains("合计：错误 1，警告 1234，提示 0"), "{zh}");
        let en = table_of(&filled(), Style::plain(Lang::En));
        assert!(en.is_ascii(), "{en}");
        assert!(en.contains("QJ301  error     illegal move"), "{en}");
    }

    #[test]
    fn nothing_found_is_said() {
        let style = Style::plain(Lang::Zh);
        assert!(table_of(&Summary::default(), style).ends_with("没有发现问题。\n"));
    }
}
