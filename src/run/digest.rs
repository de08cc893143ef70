//! What a repair must leave as it is, as one number a game.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use crate::{
    finding::{Edit, Span},
    record::{Outcome, Record, Start, Written, standard_key},
    replay::Game,
};

/// A hash of all that `record` says and `game` made of it: tags, start, moves as written and as played, numbers, marks,
/// comments, result. Where `edits` change one of these, it is taken as changed.
pub(super) fn of(record: &Record<'_>, game: &Game, edits: &[Edit]) -> u64 {
    let changed: HashMap<Span, &str> =
        edits.iter().map(|edit| (edit.span, edit.now.as_str())).collect();
    let now = |span: Span, was: &'_ str| changed.get(&span).map_or(was, |now| *now).to_owned();
    let mut hasher = DefaultHasher::new();
    for tag in &record.tags {
        standard_key(&tag.name).unwrap_or(&tag.name).hash(&mut hasher);
        now(tag.span, &tag.value).hash(&mut hasher);
    }
    match &record.start {
        Start::Standard => 0_u8.hash(&mut hasher),
        Start::Fen { text, .. } => text.hash(&mut hasher),
        Start::Board { setup, .. } => format!("{setup:?}").hash(&mut hasher),
    }
    game.start.as_ref().map(|start| start.fen()).hash(&mut hasher);
    for index in 1..=record.tree.len() {
        let Some(id) = record.tree.nth(index) else { continue };
        let node = record.tree.node(id);
        record.tree.parent(id).map(|parent| parent.index()).hash(&mut hasher);
        match node.written {
            Written::Text(text) => now(node.span, text).hash(&mut hasher),
            written => written.text().hash(&mut hasher),
        }
        let number = node.number.map(|number| match changed.get(&node.number_span) {
            Some(now) => (*now).to_owned(),
            None => number.to_string(),
        });
        number.hash(&mut hasher);
        node.marks.hash(&mut hasher);
        let played = game.played.get(index).copied().flatten();
        played.map(|mv| mv.to_string()).hash(&mut hasher);
    }
    for comment in &record.tree.comments {
        comment.node.index().hash(&mut hasher);
        comment.text.hash(&mut hasher);
    }
    if let Some(marker) = &record.result {
        let text = now(marker.span, &marker.text);
        Outcome::from_text(&text).map(Outcome::as_str).hash(&mut hasher);
        text.hash(&mut hasher);
    }
    for (text, _) in &record.beside {
        text.hash(&mut hasher);
    }
    for (written, _) in &record.after_end {
        written.text().hash(&mut hasher);
    }
    record.owner.map(|side| side.as_str()).hash(&mut hasher);
    game.moves.len().hash(&mut hasher);
    hasher.finish()
}
