//! What the writers of all binary formats share.

use crate::{
    board::{Move, Piece, Setup, Side, Square},
    finding::Span,
    record::{Comments, NodeId, Outcome, Record, Start, Tree, Written, standard_key},
};

use super::{Loss, Part};

/// What a format cannot hold of a record.
pub(super) struct Losses<'l, 'r> {
    record: &'l Record<'r>,
    found: Vec<Loss>,
}

impl<'l, 'r> Losses<'l, 'r> {
    pub(super) fn new(record: &'l Record<'r>) -> Self {
        Losses { record, found: Vec::new() }
    }

    pub(super) fn add(&mut self, loss: Loss) {
        self.found.push(loss);
    }

    pub(super) fn finish(self) -> Vec<Loss> {
        self.found
    }

    /// A tag without a field of its own.
    pub(super) fn no_field(&mut self, tag: usize) {
        let tag = &self.record.tags[tag];
        let text = format!("{}: {}", tag.name, tag.value);
        self.add(Loss::dropped(Part::Tag, NodeId::ROOT, tag.span, text));
    }

    /// A tag of which only `written` fits.
    pub(super) fn shortened(&mut self, tag: usize, written: &str) {
        let tag = &self.record.tags[tag];
        let text = format!("{}: {written}", tag.name);
        self.add(Loss::changed(Part::Tag, NodeId::ROOT, tag.span, text));
    }

    /// What no binary format has a place for: marks, several comments at one ply, plies behind the end.
    pub(super) fn common(&mut self) {
        let record = self.record;
        for id in (1..=record.tree.len()).filter_map(|index| record.tree.nth(index)) {
            let node = record.tree.node(id);
            if !node.marks.is_empty() {
                self.add(Loss::dropped(Part::Marks, id, node.span, node.marks));
            }
        }
        let comments = &record.tree.comments;
        let mut order: Vec<usize> = (0..comments.len()).collect();
        order.sort_by_key(|index| comments[*index].node);
        for pair in order.windows(2) {
            let (before, comment) = (&comments[pair[0]], &comments[pair[1]]);
            if before.node == comment.node {
                // The target has one comment a ply, in which this one is another line.
                let text = format!("{}\n{}", before.text, comment.text);
                self.add(Loss::changed(Part::Comment, comment.node, comment.span, text));
            }
        }
        for (written, span) in &record.after_end {
            self.add(Loss::dropped(Part::Move, NodeId::ROOT, *span, words(written)));
        }
    }
}

/// A ply in words.
fn words(written: &Written<'_>) -> String {
    match written {
        Written::Text(text) => text.trim().to_owned(),
        Written::Omitted => "……".to_owned(),
        Written::Squares { raw: [from, to], .. } => format!("{from:02x} {to:02x}"),
    }
}

/// A start position as the writers need it.
pub(super) struct StartOf {
    pub(super) setup: Setup,
    /// Who moves first, by the first move where it was played, else as written.
    pub(super) side: Option<Side>,
}

/// The start position of a record; reports one that is not understood and counters that binary formats lack.
pub(super) fn start_of(
    record: &Record<'_>,
    moves: &[Option<Move>],
    holds_round: bool,
    losses: &mut Losses<'_, '_>,
) -> StartOf {
    let (setup, span) = match &record.start {
        Start::Standard => (Setup::start(), Span::default()),
        Start::Board { setup, span } => ((**setup).clone(), *span),
        Start::Fen { text, span } => {
            let read = Setup::from_fen_board(text);
            if !matches!(read, Ok((_, None))) {
                losses.add(Loss::dropped(Part::Start, NodeId::ROOT, *span, text.as_ref()));
            }
            (read.map_or_else(|_| Setup::start(), |(setup, _)| setup), *span)
        }
    };
    let plies = setup.plies_since_capture.filter(|plies| *plies > 0);
    let round = setup.round.filter(|round| *round > 1 && !holds_round);
    if plies.is_some() || round.is_some() {
        let text = format!("{} {}", plies.unwrap_or(0), setup.round.unwrap_or(1));
        losses.add(Loss::dropped(Part::Start, NodeId::ROOT, span, text));
    }
    let first = record.tree.first_child(NodeId::ROOT);
    let mover = first
        .and_then(|id| squares_of(record, moves, id))
        .and_then(|(from, _)| setup.squares[from.index()])
        .map(|piece| piece.side);
    let side = mover.or(setup.side);
    StartOf { setup, side }
}

/// The squares of a ply: as it was played, else as a binary format has it.
pub(super) fn squares_of(
    record: &Record<'_>,
    moves: &[Option<Move>],
    id: NodeId,
) -> Option<(Square, Square)> {
    match record.tree.node(id).written {
        Written::Squares { from: Some(from), to: Some(to), .. } => Some((from, to)),
        _ => moves.get(id.index()).copied().flatten().map(|mv| (mv.from, mv.to)),
    }
}

/// The outcome that is written: that of the end marker, else that of the result tag. Reports words that a code cannot
/// hold, and a tag that says another thing.
pub(super) fn outcome_of(record: &Record<'_>, losses: &mut Losses<'_, '_>) -> Outcome {
    let tag = record.tag("result");
    let said = tag.and_then(|tag| Outcome::from_text(&tag.value));
    let marked = record.result.as_ref().map(|marker| marker.outcome);
    let outcome =
        marked.filter(|outcome| *outcome != Outcome::Unknown).or(said).unwrap_or(Outcome::Unknown);
    let texts = [
        tag.map(|tag| (&*tag.value, tag.span)),
        record.result.as_ref().map(|marker| (&*marker.text, marker.span)),
    ];
    for (text, span) in texts.into_iter().flatten() {
        let meant = Outcome::from_text(text);
        if meant.is_none() && !text.trim().is_empty()
            || meant.is_some_and(|meant| meant.contradicts(outcome))
        {
            let written = outcome.as_str();
            losses.add(Loss::changed(Part::Result, NodeId::ROOT, span, written));
        }
    }
    outcome
}

/// Whether a tag says something that stands in every binary file anyway: the game, the start position, the form of the
/// moves, the result.
pub(super) fn is_implied(name: &str, value: &str) -> bool {
    match standard_key(name) {
        Some("fen" | "setup" | "format" | "result") => true,
        Some("game" | "variant") => {
            let value = value.to_ascii_lowercase();
            ["chinese chess", "xiangqi", "象棋"].iter().any(|word| value.contains(word))
        }
        _ => value.trim().is_empty(),
    }
}

/// A node in the order of binary files.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) id: NodeId,
    /// Whether a continuation follows.
    pub(super) more: bool,
    /// Whether an alternative follows behind all that belongs to the node.
    pub(super) other: bool,
}

/// The nodes in the order of binary files, the root first. No recursion: what waits is on a stack.
pub(super) fn depth_first<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = Step> + 't {
    let mut waiting = vec![NodeId::ROOT];
    std::iter::from_fn(move || {
        let id = waiting.pop()?;
        let (child, sibling) = (tree.first_child(id), tree.next_sibling(id));
        waiting.extend(sibling);
        waiting.extend(child);
        Some(Step { id, more: child.is_some(), other: sibling.is_some() })
    })
}

/// The comments of `node` as one, a line each.
pub(super) fn joined(comments: &Comments<'_, '_>, node: NodeId) -> String {
    comments.of(node).map(|comment| &*comment.text).collect::<Vec<_>>().join("\n")
}

/// What stands in the comment of a ply that is no move: its text, in the form that the PGN writer uses too.
pub(super) fn unplayed(record: &Record<'_>, id: NodeId, losses: &mut Losses<'_, '_>) -> String {
    let node = record.tree.node(id);
    let comment = format!("[%written {}]", words(&node.written));
    losses.add(Loss::changed(Part::Move, id, node.span, comment.as_str()));
    comment
}

/// The pieces of a setup with their squares, from `a0` to `i9`.
pub(super) fn pieces(setup: &Setup) -> impl Iterator<Item = (Square, Piece)> {
    Square::all().filter_map(|square| Some((square, setup.squares[square.index()]?)))
}
