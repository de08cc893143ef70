//! What two sheets say of the game besides its moves: result, times, fouls, signatures (article 10.1).

use std::collections::HashMap;

use crate::{
    board::Side,
    finding::{Code, Finding, Words},
    record::{Outcome, Tag, standard_key},
};

use super::{Sheet, owner};

/// Names of tags that speak of the sheet, not of the game.
pub(super) fn speaks_of_sheet(name: &str) -> bool {
    const NAMES: [&str; 10] = [
        "sheet",
        "owner",
        "recorder",
        "scorer",
        "记录",
        "记录方",
        "记录者",
        "记录人",
        "记录表",
        "記錄者",
    ];
    NAMES.contains(&name.to_lowercase().as_str())
}

/// What kind of thing a tag says that article 10.1 wants recorded.
fn kind(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match standard_key(name) {
        Some("result") => Some("result"),
        Some("red_time" | "black_time") => Some("time"),
        Some("red" | "black" | "date" | "round") => Some("heading"),
        _ if has(&["签字", "签名", "簽字", "簽名", "signature", "signed"]) => {
            Some("signature")
        }
        _ if has(&["犯规", "犯規", "foul"]) => Some("fouls"),
        _ if has(&["用时", "用時", "time used"]) => Some("time"),
        _ => None,
    }
}

/// What tags of one meaning have in common.
pub(super) fn key(name: &str) -> String {
    standard_key(name).map_or_else(|| name.to_lowercase(), str::to_owned)
}

/// The first tag of each key.
fn by_key<'t, 'a>(tags: &'t [Tag<'a>]) -> HashMap<String, &'t Tag<'a>> {
    let mut first = HashMap::new();
    for tag in tags {
        first.entry(key(&tag.name)).or_insert(tag);
    }
    first
}

/// `QJ703` for each thing that the two sheets say differently.
pub(super) fn compare(sheets: &[Sheet<'_, '_>]) -> Vec<Finding> {
    let [one, other] = sheets else { return Vec::new() };
    let mut findings = Vec::new();
    findings.extend(one_owner(one, other));
    let (ones, others) = (by_key(&one.record.tags), by_key(&other.record.tags));
    for tag in &one.record.tags {
        let Some(kind) = kind(&tag.name) else { continue };
        let second = others.get(&key(&tag.name)).copied();
        let said = tag.value.trim();
        let differs = match second {
            Some(second) if kind == "result" => {
                let of = |tag: &Tag<'_>| Outcome::from_text(&tag.value).unwrap_or(Outcome::Unknown);
                of(tag).contradicts(of(second))
            }
            Some(second) => said != second.value.trim(),
            // A sheet that says nothing contradicts nothing, but a signature is missing.
            None => kind == "signature" && !said.is_empty(),
        };
        if differs {
            let second = second.map_or("", |second| second.value.trim());
            let finding = finding(kind, &tag.name, said, second);
            findings.push(finding.at(one.locate.place(tag.span)));
        }
    }
    for tag in &other.record.tags {
        let signed = kind(&tag.name) == Some("signature") && !tag.value.trim().is_empty();
        let known = ones.contains_key(&key(&tag.name));
        if signed && !known {
            findings.push(
                finding("signature", &tag.name, "", tag.value.trim())
                    .at(other.locate.place(tag.span))
                    .with("sheet_no", 2),
            );
        }
    }
    if let (Some(first), Some(second)) = (&one.record.result, &other.record.result)
        && first.outcome.contradicts(second.outcome)
    {
        findings.push(
            finding("result", "结果", &first.text, &second.text).at(one.locate.place(first.span)),
        );
    }
    findings
}

/// Both sheets say that they are the same player's: the order of the arguments decides, but not in silence.
fn one_owner(one: &Sheet<'_, '_>, other: &Sheet<'_, '_>) -> Option<Finding> {
    let side = owner::said(one.record).filter(|side| owner::said(other.record) == Some(*side))?;
    let (zh, en) = match side {
        Side::Red => ("红方", "Red's"),
        Side::Black => ("黑方", "Black's"),
    };
    let words = Words::new(
        format!("两份记录都写明是{zh}的：按次序，第一份作红方的，第二份作黑方的"),
        format!(
            "both sheets say that they are {en}: by their order the first is taken as Red's, the second as Black's"
        ),
    );
    let help = Words::new(
        "先查明各是谁的记录，漏记的责任随之而定",
        "find out whose each is: who has omitted moves depends on it",
    );
    let place = owner::tag(other.record).map(|tag| other.locate.place(tag.span));
    Some(
        Finding::new(Code::SHEETS_DISAGREE, words)
            .help(help)
            .at(place.unwrap_or_default())
            .with("kind", "owner")
            .with("owner", side.as_str())
            .with("sheet_no", 2),
    )
}

fn finding(kind: &str, name: &str, first: &str, second: &str) -> Finding {
    let shown = |text: &str| if text.is_empty() { "—".to_owned() } else { text.to_owned() };
    let mut finding = Finding::new(
        Code::SHEETS_DISAGREE,
        Words::new(
            format!("两份记录的“{name}”不一致：{} / {}", shown(first), shown(second)),
            format!("the sheets disagree on {name}: {} / {}", shown(first), shown(second)),
        ),
    )
    .help(Words::new(
        "由双方和裁判当场核对签字",
        "have both players and the arbiter check and sign",
    ))
    .with("kind", kind)
    .with("name", name)
    .with("texts", vec![first, second]);
    finding.article = Some("10.1".into());
    finding
}
