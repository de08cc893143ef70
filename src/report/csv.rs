//! CSV: one row a finding. Cells without a value are empty; `path` and `data` are JSON.

use super::{GameReport, json};
use crate::finding::Lang;

const HEADER: [&str; 17] = [
    "source", "game", "code", "name", "severity", "path", "ply", "round", "side", "text", "line",
    "column", "offset", "article", "message", "help", "data",
];

/// The row of column names.
pub(super) fn head() -> Vec<u8> {
    rows(std::iter::once(HEADER.map(str::to_owned)))
}

/// The rows of one game.
pub(super) fn game(report: &GameReport, lang: Lang) -> Vec<u8> {
    rows(report.findings.iter().map(|finding| {
        [
            report.source.clone(),
            report.game.to_string(),
            finding.code.to_string(),
            finding.code.entry().name.to_owned(),
            finding.severity.as_str().to_owned(),
            json::to_string(&finding.path),
            finding.ply.to_string(),
            cell(finding.round),
            cell(finding.side.map(|side| side.as_str())),
            cell(finding.text.as_deref()),
            cell(finding.place.line),
            cell(finding.place.column),
            cell(finding.place.offset),
            cell(finding.article.as_deref()),
            finding.message.get(lang).to_owned(),
            cell(finding.help.as_ref().map(|help| help.get(lang))),
            json::to_string(&finding.data),
        ]
    }))
}

fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn rows(rows: impl Iterator<Item = [String; HEADER.len()]>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("memory takes every byte, and all rows have one length");
    }
    writer.into_inner().expect("memory takes every byte")
}

#[cfg(test)]
mod tests {
    use super::{super::samples, *};
    use crate::finding::{Code, Finding, Words};

    #[test]
    fn a_finding_is_a_row() {
        let mut report = samples::illegal_horse();
        report.findings[0].message = Words::new("马，\"腿\"\n被蹩", "leg");
        report.findings.push(Finding::new(Code::TRUNCATED, Words::new("断", "cut")));
        let bytes = [head(), game(&report, Lang::Zh)].concat();
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), HEADER);
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.len(), 2);
        let expected = [
            "samples/a.pgn",
            "1",
            "QJ301",
            "illegal-move",
            "error",
            "[]",
            "3",
            "2",
            "red",
            "马八进六",
            "12",
            "17",
            "345",
            "2.2",
            "马，\"腿\"\n被蹩",
            "核对原谱",
            "{\"reason\":\"horse_leg\"}",
        ];
        assert_eq!(rows[0].iter().collect::<Vec<_>>(), expected);
        assert_eq!(rows[1].iter().skip(7).collect::<String>(), "断{}");
    }

    #[test]
    fn a_game_without_findings_has_no_row() {
        assert!(game(&GameReport::new("a", 1), Lang::En).is_empty());
    }
}
