//! What the writers of all binary formats share.

use crate::{
    board::{Move, Piece, Setup, Side, Square},
    finding::{Code, Finding, Locate, Span, Words},
    record::{NodeId, Outcome, Record, Start, Tree, Written, standard_key},
};

use super::strings::branch;

/// Losses are reported one by one up to this number in a game.
const REPORTED: usize = 100;

/// What a format cannot hold of a record (`QJ010`).
pub(super) struct Losses<'l, 'r> {
    record: &'l Record<'r>,
    locate: &'l dyn Locate,
    findings: Vec<Finding>,
    more: usize,
}

impl<'l, 'r> Losses<'l, 'r> {
    pub(super) fn new(record: &'l Record<'r>, locate: &'l dyn Locate) -> Self {
        Losses { record, locate, findings: Vec::new(), more: 0 }
    }

    /// Reports a loss at `node`, the root for the whole game. `part` is the word of the catalogue's `data`, `written`
    /// what stands in the file for it.
    pub(super) fn add(
        &mut self,
        part: &str,
        node: NodeId,
        span: Span,
        words: Words,
        written: &str,
    ) {
        if self.findings.len() == REPORTED {
            self.more += 1;
            return;
        }
        let mut finding = Finding::new(Code::NOT_REPRESENTABLE, words)
            .at(self.locate.place(span))
            .with("part", part)
            .with("written", written)
            .help(Words::new(
                "改用能容纳的格式，或先改正源文件此处",
                "choose a format that holds it, or change the source here first",
            ));
        (finding.path, finding.ply) = branch(&self.record.tree, node);
        self.findings.push(finding);
    }

    pub(super) fn finish(mut self) -> Vec<Finding> {
        if let Some(last) = self.findings.last_mut().filter(|_| self.more > 0) {
            last.data.insert("more".to_owned(), self.more.into());
        }
        self.findings
    }

    /// A tag without a field of its own.
    pub(super) fn no_field(&mut self, tag: usize) {
        let tag = &self.record.tags[tag];
        let words = Words::new(
            format!("目标没有标签 {} 的字段，未写入", tag.name),
            format!("the target has no field for the tag {}, it is not written", tag.name),
        );
        self.add("tag", NodeId::ROOT, tag.span, words, "");
    }

    /// A tag of which only `written` fits.
    pub(super) fn shortened(&mut self, tag: usize, written: &str) {
        let tag = &self.record.tags[tag];
        let words = Words::new(
            format!("标签 {} 的文字放不下，写作 {written}", tag.name),
            format!("the text of the tag {} does not fit, written as {written}", tag.name),
        );
        self.add("tag", NodeId::ROOT, tag.span, words, written);
    }

    /// What no binary format has a place for: marks, several comments at one ply, plies behind the end.
    pub(super) fn common(&mut self) {
        let record = self.record;
        for id in (1..=record.tree.len()).filter_map(|index| record.tree.nth(index)) {
            let node = record.tree.node(id);
            if !node.marks.is_empty() {
                let marks = node.marks;
                let words = Words::new(
                    format!("目标没有符号 {marks} 的位置，未写入"),
                    format!("the target has no place for the mark {marks}, it is not written"),
                );
                self.add("mark", id, node.span, words, "");
            }
        }
        let mut nodes: Vec<_> =
            record.tree.comments.iter().map(|comment| (comment.node, comment.span)).collect();
        nodes.sort_by_key(|(node, _)| *node);
        for pair in nodes.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let words = Words::new(
                "目标一着只有一条评注，与前一条合为一条",
                "the target has one comment a ply; this one is joined to the one before",
            );
            self.add("comment", pair[1].0, pair[1].1, words, "");
        }
        if let Some((_, span)) = record.after_end.first() {
            let count = record.after_end.len();
            let words = Words::new(
                format!("目标没有终局后着法的位置，{count} 步未写入"),
                format!(
                    "the target has no place for {count} plies behind the end, they are not written"
                ),
            );
            self.add("move", NodeId::ROOT, *span, words, "");
        }
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
            let setup = Setup::from_fen(text).unwrap_or_else(|_| {
                let words = Words::new(
                    format!("起始局面 {text} 不识，写作开局局面"),
                    format!(
                        "the start position {text} is not understood; that of a game is written"
                    ),
                );
                losses.add("position", NodeId::ROOT, *span, words, "");
                Setup::start()
            });
            (setup, *span)
        }
    };
    let round = setup.round.filter(|round| *round > 1 && !holds_round);
    let counters = setup.plies_since_capture.filter(|plies| *plies > 0).or(round);
    if counters.is_some() {
        let words = Words::new(
            "目标没有起始局面计数的位置，未写入",
            "the target has no place for the counters of the start position, they are not written",
        );
        losses.add("position", NodeId::ROOT, span, words, "");
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
            let words = Words::new(
                format!("目标的结果只有代码，{text} 写作 {written}"),
                format!(
                    "the target has only a code for the result; {text} is written as {written}"
                ),
            );
            losses.add("result", NodeId::ROOT, span, words, written);
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

/// The comments of a record by node.
pub(super) struct Comments<'c> {
    sorted: Vec<(NodeId, &'c str)>,
}

impl<'c> Comments<'c> {
    pub(super) fn of(record: &'c Record<'_>) -> Comments<'c> {
        let comments = record.tree.comments.iter();
        let mut sorted: Vec<_> = comments.map(|comment| (comment.node, &*comment.text)).collect();
        sorted.sort_by_key(|(node, _)| *node);
        Comments { sorted }
    }

    /// The comments of `node` as one, a line each.
    pub(super) fn at(&self, node: NodeId) -> String {
        let first = self.sorted.partition_point(|(at, _)| *at < node);
        let here = self.sorted[first..].iter().take_while(|(at, _)| *at == node);
        here.map(|(_, text)| *text).collect::<Vec<_>>().join("\n")
    }
}

/// What stands in the comment of a ply that is no move: its text, in the form that the PGN writer uses too.
pub(super) fn unplayed(record: &Record<'_>, id: NodeId, losses: &mut Losses<'_, '_>) -> String {
    let node = record.tree.node(id);
    let text = match node.written {
        Written::Text(text) => text.trim().to_owned(),
        Written::Omitted => "……".to_owned(),
        Written::Squares { raw: [from, to], .. } => format!("{from:02x} {to:02x}"),
    };
    let comment = format!("[%written {text}]");
    let words = Words::new(
        format!("{text} 不成着法，写作棋盘外的着法，文字在评注中"),
        format!("{text} is no move; a move off the board stands for it, its text in the comment"),
    );
    losses.add("move", id, node.span, words, &comment);
    comment
}

/// The pieces of a setup with their squares, from `a0` to `i9`.
pub(super) fn pieces(setup: &Setup) -> impl Iterator<Item = (Square, Piece)> {
    Square::all().filter_map(|square| Some((square, setup.squares[square.index()]?)))
}
