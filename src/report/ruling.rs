//! The table of a repetition ruling (`QJ501`): what each ply of the last period is, and the line that proves it.

use serde_json::Value;

use super::width::{Align, printable, table};
use crate::finding::{Code, Finding, Lang};

/// The plies of the ruling in `finding`, one a line under a head, without a line end after the last; `None` for other
/// findings.
pub(super) fn plies(finding: &Finding, lang: Lang) -> Option<String> {
    let mut align = [Align::Left; 7];
    align[0] = Align::Right;
    Some(table(&rows(finding, lang)?, align).trim_end().to_owned())
}

/// The head and a row for each ply: ply, move, label, what it is aimed at, article, why, and the moves that show it, as if
/// the other side passed.
pub(super) fn rows(finding: &Finding, lang: Lang) -> Option<Vec<[String; 7]>> {
    if finding.code != Code::REPETITION_RULING {
        return None;
    }
    let labels = finding.data.get("labels")?.as_array()?;
    let head = match lang {
        Lang::Zh => ["着", "着法", "称", "对象", "条", "理由", "演示"],
        Lang::En => ["ply", "move", "label", "target", "article", "why", "shown by"],
    };
    let mut rows = vec![head.map(str::to_owned)];
    let (mv, label, why, line) = match lang {
        Lang::Zh => ("move_zh", "label_zh", "why_zh", "line_zh"),
        Lang::En => ("move", "label", "why", "line"),
    };
    for entry in labels {
        let of = |key: &str| words(entry.get(key));
        rows.push(["ply", mv, label, "targets", "article", why, line].map(of));
    }
    Some(rows)
}

/// A value on one line, the parts of a list with spaces between.
fn words(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => printable(text),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(Value::as_str).map(printable).collect::<Vec<_>>().join(" ")
        }
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::width::width, *};
    use crate::finding::Words;

    fn ruling() -> Finding {
        Finding::new(Code::REPETITION_RULING, Words::new("", "")).with(
            "labels",
            json!([
                {"ply": 9, "label": "chase", "label_zh": "捉", "targets": ["e5", "c3"], "article": "28.3", "why": "chases the horse on e5",
                 "why_zh": "车捉马（e5，无根）", "move": "a1a5", "move_zh": "车九进四", "line": ["a5e5"], "line_zh": ["车九平五"]},
                {"ply": 10, "label": "idle", "label_zh": "闲", "targets": [], "article": "28.9", "why": "idle", "why_zh": "闲着",
                 "move": "e5c4", "move_zh": "马5进3", "line": [], "line_zh": []},
            ]),
        )
    }

    #[test]
    fn columns_stay_straight_under_chinese_characters() {
        let zh = plies(&ruling(), Lang::Zh).unwrap();
        let lines: Vec<&str> = zh.lines().collect();
        assert_eq!(lines.len(), 3, "{zh}");
        let at = |line: &str, part: &str| width(&line[..line.find(part).unwrap()]);
        assert_eq!(at(lines[0], "着法"), at(lines[1], "车九进四"), "{zh}");
        assert_eq!(at(lines[1], "捉"), at(lines[2], "闲"), "{zh}");
        assert_eq!(at(lines[0], "理由"), at(lines[2], "闲着"), "{zh}");
        assert_eq!(at(lines[0], "演示"), at(lines[1], "车九平五"), "{zh}");
        let en = plies(&ruling(), Lang::En).unwrap();
        assert!(en.lines().nth(1).unwrap().starts_with("  9  a1a5  chase  e5 c3"), "{en}");
    }

    #[test]
    fn other_findings_have_no_table() {
        let other = Finding::new(Code::ILLEGAL_MOVE, Words::new("", ""));
        assert_eq!(plies(&other, Lang::En), None);
    }
}
