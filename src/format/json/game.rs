//! One object as a record.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    board::Side,
    finding::{Finding, Span},
    record::{Comment, Marker, NodeId, Outcome, Record, Start, Tag, Written, standard_key},
};

use super::super::{
    moves::{Item, items},
    pgn,
};

/// Keys that `check` makes and that say nothing that the record does not.
const MADE: [&str; 10] = [
    "source",
    "game",
    "format",
    "encoding",
    "notation",
    "plies",
    "variations",
    "comments",
    "final_fen",
    "findings",
];

/// A text with its place.
#[derive(Clone, Debug)]
struct Piece<'t> {
    text: Cow<'t, str>,
    span: Span,
}

/// A ply.
#[derive(Clone, Debug)]
enum Ply<'t> {
    Text(Piece<'t>),
    Omitted(Span),
}

/// A game as its object has it. Texts with escapes are its own, so that a record can borrow them from here.
#[derive(Debug)]
pub(super) struct Source<'t> {
    pub(super) number: u32,
    span: Span,
    plies: Vec<Ply<'t>>,
    after_end: Vec<Ply<'t>>,
    start: Option<Piece<'t>>,
    tags: Vec<(Cow<'t, str>, Piece<'t>)>,
    result: Option<Piece<'t>>,
    remarks: Vec<(u32, Piece<'t>)>,
    marks: Vec<(u32, Piece<'t>)>,
    numbers: Vec<(u32, u32)>,
    owner: Option<Side>,
}

/// The keys of an object in order, with their values as written.
struct Entries<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Entries<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(Keys).map(Entries)
    }
}

impl<'t> Source<'t> {
    /// The game that the object `raw` of `text` holds, if it holds one.
    pub(super) fn new(text: &'t str, raw: &'t str) -> Option<Source<'t>> {
        let Entries(entries) = serde_json::from_str(raw).ok()?;
        let get =
            |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, raw)| raw.get());
        let is_zero = |key| get(key) == Some("0");
        let moves = get("moves").filter(|raw| *raw != "null");
        let fen = get("start_fen").or_else(|| get("fen")).filter(|raw| raw.starts_with('"'));
        let unasked = moves.is_none() && get("plies").is_some() && !is_zero("plies");
        if is_zero("game") || unasked || (moves.is_none() && fen.is_none()) {
            return None;
        }
        let at = |piece: &str| offset(text, piece);
        let mut source = Source {
            number: 0,
            span: Span::new(at(raw), at(raw) + raw.len()),
            plies: moves.map(|raw| plies(text, raw)).unwrap_or_default(),
            after_end: get("after_end").map(|raw| plies(text, raw)).unwrap_or_default(),
            start: fen.and_then(|raw| piece(text, raw)),
            tags: Vec::new(),
            result: None,
            remarks: Vec::new(),
            marks: Vec::new(),
            numbers: Vec::new(),
            owner: None,
        };
        if let Some(Entries(rest)) = get("rest").and_then(|raw| serde_json::from_str(raw).ok())
            && let Some((_, texts)) = rest.iter().find(|(name, _)| name == "texts")
        {
            source.plies.extend(plies(text, texts.get()));
        }
        let ours = get("findings").is_some();
        for (name, raw) in &entries {
            let raw = raw.get();
            match name.as_str() {
                "moves" | "rest" | "after_end" | "start_fen" | "fen" => {}
                "tags" => source.tags(text, raw, 0),
                "result" => {
                    // Our own `*` may stand for nothing written, but not where a tag says something else.
                    let told = source.tags.iter().any(|(name, value)| {
                        standard_key(name) == Some("result") && value.text != "*"
                    });
                    source.result =
                        piece(text, raw).filter(|piece| piece.text != "*" || !ours || told);
                }
                "remarks" => source.remarks = pairs(text, raw),
                "marks" => source.marks = pairs(text, raw),
                "numbers" => source.numbers = serde_json::from_str(raw).unwrap_or_default(),
                "owner" => {
                    source.owner = match raw {
                        "\"red\"" => Some(Side::Red),
                        "\"black\"" => Some(Side::Black),
                        _ => None,
                    };
                }
                "termination" if ours && raw == "\"unstated\"" => {}
                name if MADE.contains(&name) => {}
                _ => source.tag(name.clone(), text, raw),
            }
        }
        if source.start.is_none() {
            let fen = source.tags.iter().find(|(name, _)| standard_key(name) == Some("fen"));
            source.start = fen.map(|(_, value)| value.clone());
        }
        Some(source)
    }

    /// The tags of an object; `other` within it holds more of them.
    fn tags(&mut self, text: &'t str, raw: &'t str, depth: u32) {
        let Ok(Entries(entries)) = serde_json::from_str(raw) else { return };
        for (name, raw) in entries {
            if name == "other" && depth == 0 && raw.get().starts_with('{') {
                self.tags(text, raw.get(), 1);
            } else {
                self.tag(name, text, raw.get());
            }
        }
    }

    fn tag(&mut self, name: String, text: &'t str, raw: &'t str) {
        // A second tag of a name has its number behind it.
        let first = name.rsplit_once('#').filter(|(first, times)| {
            times.parse::<u32>().is_ok() && self.tags.iter().any(|(name, _)| name == first)
        });
        let name = first.map_or(name.clone(), |(first, _)| first.to_owned());
        let value = match raw.as_bytes().first() {
            Some(b'"') => piece(text, raw),
            Some(b'{' | b'[' | b'n') | None => None,
            Some(_) => Some(plain(text, raw)),
        };
        if let Some(value) = value {
            self.tags.push((Cow::Owned(name), value));
        }
    }

    /// The record, with `findings` about what stands around it.
    pub(super) fn record(&self, findings: Vec<Finding>) -> Record<'_> {
        let mut record = Record::new(self.number);
        record.span = self.span;
        record.findings = findings;
        record.owner = self.owner;
        if let Some(piece) = &self.start {
            record.start = Start::Fen { text: Cow::Borrowed(&*piece.text), span: piece.span };
        }
        for (name, value) in &self.tags {
            record.tags.push(Tag {
                name: Cow::Borrowed(name),
                value: Cow::Borrowed(&value.text),
                span: value.span,
            });
        }
        let mut last = NodeId::ROOT;
        for ply in &self.plies {
            let (written, span) = ply.written();
            last = record.tree.add(last, written, span);
        }
        record.after_end = self.after_end.iter().map(Ply::written).collect();
        for (ply, mark) in &self.marks {
            if let Some(id) = record.tree.nth(*ply as usize) {
                record.tree.node_mut(id).marks = &mark.text;
            }
        }
        for (ply, number) in &self.numbers {
            if let Some(id) = record.tree.nth(*ply as usize) {
                record.tree.node_mut(id).number = Some(*number);
            }
        }
        for (ply, remark) in &self.remarks {
            let node = record.tree.nth(*ply as usize).unwrap_or(last);
            let text = Cow::Borrowed(&*remark.text);
            record.tree.comments.push(Comment { node, text, span: remark.span });
        }
        record.result = self.result.as_ref().map(|piece| Marker {
            text: Cow::Borrowed(&*piece.text),
            outcome: Outcome::from_text(&piece.text).unwrap_or(Outcome::Unknown),
            span: piece.span,
        });
        record
    }
}

impl Ply<'_> {
    fn written(&self) -> (Written<'_>, Span) {
        match self {
            Ply::Text(piece) => (Written::Text(&piece.text), piece.span),
            Ply::Omitted(span) => (Written::Omitted, *span),
        }
    }
}

/// Where `piece`, a part of `text`, begins in it.
fn offset(text: &str, piece: &str) -> usize {
    (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn plain<'t>(text: &str, raw: &'t str) -> Piece<'t> {
    let start = offset(text, raw);
    Piece { text: Cow::Borrowed(raw), span: Span::new(start, start + raw.len()) }
}

/// The text of a JSON string; `None` for any other value.
fn piece<'t>(text: &str, raw: &'t str) -> Option<Piece<'t>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    let mut piece = plain(text, inner);
    if inner.contains('\\') {
        piece.text = Cow::Owned(serde_json::from_str(raw).ok()?);
    }
    Some(piece)
}

/// The moves of a list of texts, or of one text.
fn plies<'t>(text: &str, raw: &'t str) -> Vec<Ply<'t>> {
    if raw.starts_with('"') {
        let Some(piece) = piece(text, raw) else { return Vec::new() };
        return split(piece);
    }
    let values: Vec<&'t RawValue> = serde_json::from_str(raw).unwrap_or_default();
    let ply = |raw: &'t RawValue| match piece(text, raw.get()) {
        Some(piece) if !is_omitted(&piece.text) => Ply::Text(piece),
        Some(piece) => Ply::Omitted(piece.span),
        None if raw.get() == "null" => Ply::Omitted(plain(text, raw.get()).span),
        None => Ply::Text(plain(text, raw.get())),
    };
    values.into_iter().map(ply).collect()
}

fn is_omitted(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || pgn::dots(text, 0) == Some(text.len())
}

/// The moves of one text.
fn split(piece: Piece<'_>) -> Vec<Ply<'_>> {
    let base = piece.span.start as usize;
    let ply = |span: Span, item: Item, text: Cow<'_, str>| match item {
        Item::Move => Some(Ply::Text(Piece { text: Cow::Owned(text.into_owned()), span })),
        Item::Omitted => Some(Ply::Omitted(span)),
        Item::End(_) => None,
    };
    match piece.text {
        Cow::Borrowed(inner) => items(inner, 0, inner.len())
            .filter_map(|(span, item)| {
                let range = span.range();
                let span = Span::new(base + range.start, base + range.end);
                match item {
                    Item::Move => {
                        Some(Ply::Text(Piece { text: Cow::Borrowed(&inner[range]), span }))
                    }
                    Item::Omitted => Some(Ply::Omitted(span)),
                    Item::End(_) => None,
                }
            })
            .collect(),
        // Of a text with escapes no place within is known.
        Cow::Owned(inner) => items(&inner, 0, inner.len())
            .filter_map(|(range, item)| ply(piece.span, item, Cow::Borrowed(&inner[range.range()])))
            .collect(),
    }
}

/// `[[ply, text], ...]`
fn pairs<'t>(text: &str, raw: &'t str) -> Vec<(u32, Piece<'t>)> {
    let values: Vec<(u32, &'t RawValue)> = serde_json::from_str(raw).unwrap_or_default();
    values.into_iter().filter_map(|(ply, raw)| Some((ply, piece(text, raw.get())?))).collect()
}
