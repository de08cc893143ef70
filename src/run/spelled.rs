//! Names of tags, and declarations of encodings, in their standard form.

use std::collections::BTreeMap;

use crate::{
    finding::{Code, Edit, Finding, Locate, Span, Words},
    record::{Record, standard_key},
    source::{Encoding, Text},
};

/// The standard names of PGN tags by their keys (formats.md 5.2).
const NAMES: [(&str, &str); 17] = [
    ("game", "Game"),
    ("event", "Event"),
    ("site", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("red", "Red"),
    ("black", "Black"),
    ("red_team", "RedTeam"),
    ("black_team", "BlackTeam"),
    ("red_elo", "RedElo"),
    ("black_elo", "BlackElo"),
    ("result", "Result"),
    ("opening", "Opening"),
    ("variation", "Variation"),
    ("fen", "FEN"),
    ("format", "Format"),
    ("time_control", "TimeControl"),
];

/// `QJ014` for each tag whose name is another spelling of a standard one: letters of another case, `White` for `Red`,
/// Chinese words. A game that has the standard tag too is left alone.
pub(super) fn tag_names(
    record: &Record<'_>,
    text: Option<&Text<'_>>,
    locate: &dyn Locate,
) -> Vec<Finding> {
    let Some(text) = text else { return Vec::new() };
    let mut of_key: BTreeMap<&str, usize> = BTreeMap::new();
    for key in record.tags.iter().filter_map(|tag| standard_key(&tag.name)) {
        *of_key.entry(key).or_default() += 1;
    }
    let mut found = Vec::new();
    for tag in &record.tags {
        let standard = standard_key(&tag.name)
            .and_then(|key| NAMES.iter().find(|(other, _)| *other == key))
            .filter(|(_, name)| *name != tag.name && is_spelling_of(&tag.name, name));
        let Some((key, name)) = standard else { continue };
        let Some(span) = name_span(text.as_str(), tag.span, &tag.name) else { continue };
        if of_key.get(key).is_some_and(|count| *count > 1) {
            continue;
        }
        let words = Words::new(
            format!("标签名 {} 规范写法是 {name}", tag.name),
            format!("the standard name of the tag {} is {name}", tag.name),
        );
        let finding = Finding::new(Code::TAG_NAME, words).at(locate.place(span));
        let edit = Edit::new(span, tag.name.as_ref(), *name);
        found.push(finding.text(tag.name.as_ref()).with("standard", *name).repaired_by(edit));
    }
    found
}

/// Whether `name` says no more than `standard`: `Place` may be a table number, `ECO` another code.
fn is_spelling_of(name: &str, standard: &str) -> bool {
    let folded = name.to_ascii_lowercase().replace("white", "red");
    folded == standard.to_ascii_lowercase() || !name.is_ascii()
}

/// Where `name` stands before the value at `value`, in brackets and with a quote.
fn name_span(text: &str, value: Span, name: &str) -> Option<Span> {
    let before = text.get(..value.start as usize)?.strip_suffix('"')?;
    let before = before.trim_end_matches([' ', '\t']);
    let start = before.strip_suffix(name)?.len();
    text[..start].trim_end_matches([' ', '\t']).ends_with('[').then_some(())?;
    Some(Span::new(start, before.len()))
}

/// Changes the declaration that a page or an XML file makes of its encoding `old` to UTF-8.
pub(super) fn declaration(text: &str, old: Encoding) -> Vec<Edit> {
    const HEAD: usize = 4096;
    let head = text.char_indices().take_while(|(at, _)| *at < HEAD).last();
    let head = head.map_or("", |(at, c)| &text[..at + c.len_utf8()]);
    let lower = head.to_ascii_lowercase();
    let mut edits = Vec::new();
    for key in ["charset=", "encoding="] {
        for (at, _) in lower.match_indices(key) {
            let tagged = head[..at].rfind('<').is_some_and(|open| !head[open..at].contains('>'));
            let start = at + key.len();
            let start = start + usize::from(head[start..].starts_with(['"', '\'']));
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            let length = head[start..].find(|c| !is_name(c)).unwrap_or(head.len() - start);
            let name = &head[start..start + length];
            if tagged && old != Encoding::Utf8 && Encoding::from_name(name) == Some(old) {
                let span = Span::new(start, start + length);
                edits.push(Edit::new(span, name, Encoding::Utf8.as_str()));
            }
        }
    }
    edits
}
