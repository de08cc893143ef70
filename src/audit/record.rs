//! The reconciled game as a record, to be ruled on and to be written.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use crate::{
    board::{Position, Side},
    finding::{Binary, Span},
    record::{Comment, Marker, NodeId, Outcome, Record, Written},
    replay::{self, Game},
};

use super::{Sheet, decided, hand::Hand, lattice::Step, reconcile::cell};

/// The record of the settled moves, with the tags, remarks and result of the sheets, and its replay. What both sheets say
/// stands there once; of two results that contradict each other neither does.
pub(super) fn reconciled<'a>(
    sheets: &[Sheet<'_, 'a>],
    hands: &[Hand<'a>],
    steps: &[Step],
    options: &replay::Options,
) -> (Record<'a>, Game) {
    let mut record = Record::new(1);
    if let Some(sheet) = sheets.first() {
        record.start = sheet.record.start.clone();
    }
    let mut known = HashSet::new();
    for tag in sheets.iter().flat_map(|sheet| &sheet.record.tags) {
        // Who kept the sheet says nothing of the game.
        if !decided::speaks_of_sheet(&tag.name) && known.insert(decided::key(&tag.name)) {
            record.tags.push(tag.clone());
        }
    }
    let mut nodes = vec![NodeId::ROOT];
    let mut last = NodeId::ROOT;
    for step in steps {
        let written = Written::Squares {
            from: Some(step.mv.from),
            to: Some(step.mv.to),
            raw: [step.mv.from.index() as u8, step.mv.to.index() as u8],
        };
        last = record.tree.add(last, written, Span::default());
        nodes.push(last);
    }
    remarks(&mut record, sheets, hands, steps, &nodes);
    record.result = result(sheets);
    record.findings.clear();
    let game = replay::replay(&record, &Binary, options);
    (record, game)
}

/// The comments of all sheets at their plies, each once.
fn remarks<'a>(
    record: &mut Record<'a>,
    sheets: &[Sheet<'_, 'a>],
    hands: &[Hand<'a>],
    steps: &[Step],
    nodes: &[NodeId],
) {
    let mut known: HashSet<(NodeId, String)> = HashSet::new();
    for (number, (sheet, hand)) in sheets.iter().zip(hands).enumerate() {
        let mut places = HashMap::from([(NodeId::ROOT, NodeId::ROOT)]);
        for (step, node) in steps.iter().zip(&nodes[1..]) {
            let held = cell(step.told[number]).and_then(|cell| hand.cells.get(cell as usize));
            if let Some(written) = held.and_then(|held| held.node) {
                places.entry(written).or_insert(*node);
            }
        }
        for comment in &sheet.record.tree.comments {
            // Others are remarks of a variation, or of a ply that is not settled.
            let Some(node) = places.get(&comment.node).copied() else { continue };
            let text = without_missing(&comment.text);
            if text.trim().is_empty() && !comment.text.trim().is_empty() {
                continue;
            }
            if known.insert((node, text.trim().to_owned())) {
                record.tree.comments.push(Comment { node, text, span: Span::default() });
            }
        }
    }
    record.tree.comments.sort_by_key(|comment| comment.node);
}

/// A remark without what it says to be missing: the reconciled game has these plies, or ends before them.
fn without_missing<'a>(text: &Cow<'a, str>) -> Cow<'a, str> {
    const COMMAND: &str = "[%missing";
    if !text.contains(COMMAND) {
        return text.clone();
    }
    let mut pieces = text.split(COMMAND);
    let mut left = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        left.push_str(piece.split_once(']').map_or("", |(_, behind)| behind));
    }
    left.into()
}

/// The result that the sheets agree on.
fn result<'a>(sheets: &[Sheet<'_, 'a>]) -> Option<Marker<'a>> {
    let known = |marker: &&Marker<'a>| marker.outcome != Outcome::Unknown;
    let mut markers = sheets.iter().filter_map(|sheet| sheet.record.result.as_ref());
    let first = markers.clone().find(known).or(markers.next())?;
    let mut all = sheets.iter().filter_map(|sheet| sheet.record.result.as_ref());
    match all.any(|other| other.outcome.contradicts(first.outcome)) {
        true => Some(Marker {
            text: Cow::Borrowed("*"),
            outcome: Outcome::Unknown,
            span: Span::default(),
        }),
        false => Some(Marker { span: Span::default(), ..first.clone() }),
    }
}

/// The side and the round of a ply of a game from `start`.
pub(super) fn clock(start: &Position, ply: u32) -> (Side, u32) {
    let first = start.side();
    let side = if ply % 2 == 1 { first } else { first.other() };
    let black_first = u32::from(first == Side::Black);
    (side, start.round().saturating_add((ply.max(1) - 1 + black_first) / 2))
}
