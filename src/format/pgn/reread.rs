//! Whether what was written is read back as the same game.

use crate::{
    board::Setup,
    finding::Binary,
    record::{NodeId, Outcome, Record, Start, Written},
};

use super::{
    super::{Fate, Loss, Part},
    read_str,
    sheet::{Sheet, TagText, Unheld, as_comment},
    write::by_node,
};

/// The first thing that is not read back as it was meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mismatch {
    /// A ply: it is no ply, another one, or has other alternatives.
    Ply(NodeId),
    /// Comments or marks of a ply.
    Notes(NodeId),
    /// Something about the whole game.
    Game(&'static str),
}

impl Mismatch {
    pub(super) fn loss(self, record: &Record<'_>) -> Loss {
        let (part, node, what) = match self {
            Mismatch::Ply(node) => (Part::Move, node, "moves"),
            Mismatch::Notes(node) => (Part::Comment, node, "comments"),
            Mismatch::Game(what) => (Part::Game, NodeId::ROOT, what),
        };
        let span = if node == NodeId::ROOT { record.span } else { record.tree.node(node).span };
        Loss { part, node, span, fate: Fate::Differs, text: what.to_owned() }
    }
}

/// Reads `text`, which was written for `sheet`, and compares node by node.
pub(super) fn compare(
    sheet: &Sheet<'_, '_>,
    tags: &[TagText<'_>],
    unheld: &Unheld,
    text: &str,
) -> Option<Mismatch> {
    let mut games: Vec<Record<'_>> = Vec::new();
    read_str(text, &Binary, &mut |record| games.push(record));
    let [read] = games.as_slice() else { return Some(Mismatch::Game("games")) };
    compare_trees(sheet, unheld, read).or_else(|| {
        let same_tags = read.tags.len() == tags.len()
            && read.tags.iter().zip(tags).all(|(a, b)| a.name == b.name && a.value == b.value);
        let outcome = read.result.as_ref().map_or(Outcome::Unknown, |result| result.outcome);
        let behind: Vec<_> = sheet.behind_the_end().filter_map(|(text, _)| text).collect();
        let same_behind = behind.len() == read.after_end.len()
            && behind.iter().zip(&read.after_end).all(|(a, (b, _))| *b == Written::Text(a));
        [
            ("tags", same_tags),
            ("start", is_same_start(sheet, &read.start)),
            ("result", outcome == sheet.outcome()),
            ("moves behind the end", same_behind),
        ]
        .into_iter()
        .find_map(|(what, same)| (!same).then_some(Mismatch::Game(what)))
    })
}

fn is_same_start(sheet: &Sheet<'_, '_>, read: &Start<'_>) -> bool {
    match (&sheet.record.start, read) {
        (Start::Standard, Start::Standard) => true,
        (Start::Fen { text: a, .. }, Start::Fen { text: b, .. }) => {
            sheet.adapted_fen().map_or(a == b, |adapted| *b == adapted)
        }
        (Start::Board { setup, .. }, Start::Standard) => setup.squares == Setup::start().squares,
        (Start::Board { setup, .. }, Start::Fen { text, .. }) => {
            Setup::from_fen(text).is_ok_and(|read| read.squares == setup.squares)
        }
        _ => false,
    }
}

/// Both trees in step, nodes before what follows them. A ply that is not read as one also shows as a comment too many,
/// so plies are looked at first.
fn compare_trees(sheet: &Sheet<'_, '_>, unheld: &Unheld, read: &Record<'_>) -> Option<Mismatch> {
    let (ours, theirs) = (&sheet.record.tree, &read.tree);
    let our_comments = by_node(sheet);
    let mut their_comments: Vec<(NodeId, usize)> =
        theirs.comments.iter().enumerate().map(|(index, c)| (c.node, index)).collect();
    their_comments.sort_unstable();
    let mut notes = None;
    let mut waiting = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((a, b)) = waiting.pop() {
        let mut expected: Vec<String> = Vec::new();
        if a != NodeId::ROOT {
            let text = sheet.ply(a).filter(|_| !unheld.contains(&a));
            let omitted = text.is_none() || ours.node(a).written == Written::Omitted;
            let same = match (&text, theirs.node(b).written) {
                (_, Written::Omitted) => omitted,
                (Some(text), Written::Text(read)) => !omitted && text == read,
                _ => false,
            };
            if !same {
                return Some(Mismatch::Ply(a));
            }
            expected.extend(text.is_none().then(|| as_comment(sheet, a)));
        }
        expected.extend(on(&our_comments, a).map(|at| ours.comments[at].text.to_string()));
        let mut expected = expected
            .iter()
            .map(|text| sheet.comment(text).text)
            .filter(|text| !text.trim().is_empty());
        let mut found = on(&their_comments, b)
            .map(|at| &theirs.comments[at].text)
            .filter(|text| !text.trim().is_empty());
        let same_comments = loop {
            match (expected.next(), found.next()) {
                (None, None) => break true,
                (Some(a), Some(b)) if a == *b => {}
                _ => break false,
            }
        };
        if !same_comments || sheet.marks(a) != theirs.node(b).marks {
            notes = notes.or(Some(Mismatch::Notes(a)));
        }
        let (mut a, mut b) = (ours.first_child(a), theirs.first_child(b));
        let first = waiting.len();
        while let (Some(x), Some(y)) = (a, b) {
            waiting.push((x, y));
            (a, b) = (ours.next_sibling(x), theirs.next_sibling(y));
        }
        match (a, b) {
            (Some(missing), _) => return Some(Mismatch::Ply(missing)),
            (None, Some(_)) => return Some(Mismatch::Game("moves")),
            // The main line is looked at first, so that the first ply that differs is found.
            (None, None) => waiting[first..].reverse(),
        }
    }
    notes
}

/// The indices of the comments of `node`.
fn on(comments: &[(NodeId, usize)], node: NodeId) -> impl Iterator<Item = usize> {
    let first = comments.partition_point(|(other, _)| *other < node);
    comments[first..].iter().take_while(move |(other, _)| *other == node).map(|(_, at)| *at)
}
