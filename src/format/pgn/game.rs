//! One game under construction: which ply follows which, and what hangs on it.

mod header;

use std::{borrow::Cow, collections::HashSet};

use crate::{
    finding::{Code, Finding, Locate, Span, Words},
    record::{Comment, Marker, NodeId, Outcome, Record, Written},
};

pub(super) use header::is_advertising;

/// The board of the standard start position as FEN.
pub(super) const START_BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
/// Findings about the same kind of slip in one game; more would say nothing new.
const SLIPS: usize = 20;

/// A line of moves being read.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The last ply.
    cur: NodeId,
    /// How many plies precede the next one.
    depth: u32,
    /// How many more a comment says to be missing there.
    missing: u32,
    /// The round number that waits for its ply, and where its digits stand.
    number: Option<(u32, Span)>,
    /// Whether the dots of a Black ply followed it.
    dotted: bool,
    /// The last round number.
    round: Option<u32>,
    /// Plies since then.
    since: u32,
}

/// A variation that is open.
#[derive(Debug)]
struct Frame {
    /// The line to go on with.
    outer: Line,
    /// The ply whose continuation is varied, and the plies up to it.
    base: (NodeId, u32),
    /// Place of the parenthesis.
    open: usize,
    /// Comments before its first ply, by index.
    waiting: Vec<usize>,
    /// Whether it has a ply.
    started: bool,
}

/// How the plies of a game are attached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Numbering {
    /// No number yet.
    Unseen,
    /// Numbers count rounds.
    Rounds,
    /// Each ply has the number of the ply that it follows, 0 for the start position.
    Parents,
}

/// A game being read.
pub(super) struct Game<'t> {
    pub(super) record: Record<'t>,
    /// The names of the tags, in lower case.
    named: HashSet<String>,
    text: &'t str,
    line: Line,
    frames: Vec<Frame>,
    numbering: Numbering,
    black_first: bool,
    set_up: bool,
    marks: Option<(NodeId, Span)>,
    /// The last comment of loose text: its index, to be continued by the next line.
    loose: Option<usize>,
    slips: usize,
    /// Text beside the game, a span or more a line.
    beside: Vec<Span>,
    /// Whether comments or moves have followed the tags.
    pub(super) body: bool,
    /// Where the game begins and ends so far.
    span: Option<(usize, usize)>,
}

impl<'t> Game<'t> {
    pub(super) fn new(text: &'t str, game: u32) -> Self {
        let line = Line {
            cur: NodeId::ROOT,
            depth: 0,
            missing: 0,
            number: None,
            dotted: false,
            round: None,
            since: 0,
        };
        Game {
            record: Record::new(game),
            named: HashSet::new(),
            text,
            line,
            frames: Vec::new(),
            numbering: Numbering::Unseen,
            black_first: false,
            set_up: false,
            marks: None,
            loose: None,
            slips: 0,
            beside: Vec::new(),
            body: false,
            span: None,
        }
    }

    /// Whether there is anything that makes it a game: a tag, a ply, a result.
    pub(super) fn is_game(&self) -> bool {
        !self.record.tags.is_empty() || self.has_moves() || self.record.result.is_some()
    }

    pub(super) fn has_moves(&self) -> bool {
        !self.record.tree.is_empty()
    }

    pub(super) fn ended(&self) -> bool {
        self.record.result.is_some()
    }

    pub(super) fn in_variation(&self) -> bool {
        !self.frames.is_empty()
    }

    pub(super) fn numbered(&self) -> bool {
        self.numbering != Numbering::Unseen
    }

    pub(super) fn round(&self) -> Option<u32> {
        self.line.round
    }

    pub(super) fn has_tag(&self, name: &str) -> bool {
        self.named.contains(&name.to_ascii_lowercase())
    }

    /// Whether the written round still lacks a ply, so that an odd word stands where a move is expected.
    pub(super) fn expects_ply(&self) -> bool {
        let due = if self.line.dotted || (self.black_first && self.line.depth < 1) { 1 } else { 2 };
        self.numbered() && self.line.since < due
    }

    /// Extends the game over `span`.
    fn cover(&mut self, span: Span) {
        let (start, end) = (span.start as usize, span.end as usize);
        let (first, last) = self.span.unwrap_or((start, end));
        self.span = Some((first.min(start), last.max(end)));
    }

    pub(super) fn slip(
        &mut self,
        locate: &dyn Locate,
        span: Span,
        zh: &'static str,
        en: &'static str,
    ) {
        self.slips += 1;
        if self.slips <= SLIPS {
            let finding = Finding::new(Code::BAD_SYNTAX, Words::new(zh, en));
            let text = &self.text[span.range()];
            let cut = text.char_indices().nth(40).map_or(text.len(), |(at, _)| at);
            self.record.findings.push(finding.at(locate.place(span)).text(&text[..cut]));
        }
    }

    /// A round number, or, in a file whose numbers begin at 0, the number of the parent ply.
    pub(super) fn number(&mut self, value: u32, digits: Span) {
        if self.numbering == Numbering::Unseen {
            let parents = value == 0 && !self.has_moves();
            self.numbering = if parents { Numbering::Parents } else { Numbering::Rounds };
        }
        let line = &mut self.line;
        (line.number, line.dotted, line.since) = (Some((value, digits)), false, 0);
        if self.numbering == Numbering::Rounds {
            self.line.round = Some(value);
        }
    }

    /// A token of dots; `directly` after a number.
    pub(super) fn dots(&mut self, span: Span, directly: bool, more: bool) {
        self.cover(span);
        if directly && self.numbering == Numbering::Parents {
            self.numbering = Numbering::Rounds;
        }
        if directly && self.is_placeholder(more) {
            self.line.dotted = true;
        } else {
            self.ply(Written::Omitted, span);
        }
    }

    /// Whether dots directly behind a number stand for Red's half of the line: see the module documentation.
    fn is_placeholder(&mut self, more: bool) -> bool {
        let black = self.black_first;
        let to_move = |depth: u32| depth % 2 == u32::from(!black);
        if let Some(frame) = self.frames.last().filter(|frame| !frame.started) {
            return to_move(frame.base.1) || to_move(frame.outer.depth) || frame.outer.depth == 0;
        }
        if to_move(self.line.depth.saturating_add(self.line.missing)) {
            return true;
        }
        let first = !self.has_moves() && self.set_up && !more;
        self.black_first |= first;
        first
    }

    /// Attaches a ply.
    pub(super) fn ply(&mut self, written: Written<'t>, span: Span) {
        self.cover(span);
        self.body = true;
        self.loose = None;
        if self.numbering == Numbering::Parents {
            if self.indexed_ply(written, span) {
                return;
            }
            self.numbering = Numbering::Rounds;
        }
        let (id, depth) = match self.frames.last_mut().filter(|frame| !frame.started) {
            Some(frame) => {
                frame.started = true;
                let (base, depth) = frame.base_for(&self.line, self.black_first);
                let id = self.record.tree.add(base, written, span);
                for index in frame.waiting.drain(..) {
                    self.record.tree.comments[index].node = id;
                }
                (id, depth)
            }
            None => {
                let parent = self.line.cur;
                let tree = &mut self.record.tree;
                let id = if tree.first_child(parent).is_some() {
                    tree.add_first(parent, written, span)
                } else {
                    tree.add(parent, written, span)
                };
                (id, self.line.depth.saturating_add(self.line.missing))
            }
        };
        let line = &mut self.line;
        if let Some((value, digits)) = line.number.take() {
            let node = self.record.tree.node_mut(id);
            (node.number, node.number_span) = (Some(value), digits);
        }
        (line.cur, line.depth, line.missing) = (id, depth.saturating_add(1), 0);
        line.since += 1;
    }

    /// Attaches a ply to the one whose number precedes it; `false` if that cannot be meant.
    fn indexed_ply(&mut self, written: Written<'t>, span: Span) -> bool {
        let Some((number, _)) = self.line.number else { return false };
        let Some(parent) = self.record.tree.nth(number as usize) else { return false };
        let line = &mut self.line;
        line.number = None;
        line.cur = self.record.tree.add(parent, written, span);
        (line.depth, line.since) = (line.depth.saturating_add(1), 2);
        true
    }

    /// Opens a variation of the last ply, or of the ply to come where none has been written in this line.
    pub(super) fn open(&mut self, at: usize) {
        self.loose = None;
        let base = match self.frames.last().filter(|frame| !frame.started) {
            Some(frame) => frame.base,
            None => match self.record.tree.parent(self.line.cur) {
                Some(parent) => (parent, self.line.depth.saturating_sub(1)),
                None => (NodeId::ROOT, 0),
            },
        };
        self.frames.push(Frame {
            outer: self.line,
            base,
            open: at,
            waiting: Vec::new(),
            started: false,
        });
        let line = &mut self.line;
        (line.number, line.dotted, line.since, line.round) = (None, false, 0, None);
        line.missing = 0;
    }

    /// Closes the innermost variation; `false` if none is open.
    pub(super) fn close(&mut self, end: usize) -> bool {
        let Some(frame) = self.frames.pop() else { return false };
        self.loose = None;
        self.cover(Span::new(frame.open, end));
        self.line = frame.outer;
        for index in frame.waiting {
            self.record.tree.comments[index].node = self.line.cur;
        }
        true
    }

    /// A comment on the last ply; in a variation that has none yet, on its first ply.
    pub(super) fn comment(&mut self, text: Span, whole: Span) {
        self.cover(whole);
        self.body = true;
        self.loose = None;
        let index = self.record.tree.comments.len();
        if let Some(frame) = self.frames.last_mut().filter(|frame| !frame.started) {
            frame.waiting.push(index);
        }
        let node = self.line.cur;
        let comment = Comment { node, text: Cow::Borrowed(&self.text[text.range()]), span: whole };
        let missing = self.line.missing + comment.missing();
        self.line.missing = missing.min(Comment::MOST_MISSING);
        self.record.tree.comments.push(comment);
    }

    /// A ply of a drawn tree.
    pub(super) fn drawn(&mut self, parent: NodeId, written: Written<'t>, span: Span) -> NodeId {
        self.cover(span);
        self.body = true;
        self.record.tree.add(parent, written, span)
    }

    /// A comment on a given ply.
    pub(super) fn comment_on(&mut self, node: NodeId, text: Span, whole: Span) {
        self.comment(text, whole);
        if let Some(comment) = self.record.tree.comments.last_mut() {
            comment.node = node;
        }
    }

    /// Loose text, kept as a comment; lines that follow each other become one. Reported unless `expected`.
    pub(super) fn loose(&mut self, span: Span, expected: bool, locate: &dyn Locate) {
        if let Some(index) = self.loose {
            let comment = &mut self.record.tree.comments[index];
            comment.span.end = span.end;
            comment.text = Cow::Borrowed(&self.text[comment.span.range()]);
            self.cover(span);
            return;
        }
        let (index, body) = (self.record.tree.comments.len(), self.body);
        self.comment(span, span);
        self.loose = Some(index);
        if !expected && self.is_game() {
            self.slip(
                locate,
                span,
                "正文中有既非着法也非注释的文字，按注释保留",
                "text that is neither a move nor a comment; kept as a comment",
            );
        }
        self.body = body;
    }

    /// Marks such as `!?` on the last ply.
    pub(super) fn mark(&mut self, span: Span) {
        self.cover(span);
        let node = self.line.cur;
        let joined = match self.marks {
            Some((marked, before))
                if marked == node
                    && self.text[before.end as usize..span.start as usize].trim().is_empty() =>
            {
                Span { start: before.start, end: span.end }
            }
            Some((marked, _)) if marked == node => return self.comment(span, span),
            _ => span,
        };
        self.marks = Some((node, joined));
        self.record.tree.node_mut(node).marks = &self.text[joined.range()];
    }

    /// The end marker.
    pub(super) fn end(&mut self, outcome: Outcome, span: Span, locate: &dyn Locate) {
        self.cover(span);
        self.body = true;
        self.loose = None;
        let text = &self.text[span.range()];
        match &self.record.result {
            None => {
                self.record.result = Some(Marker { text: Cow::Borrowed(text), outcome, span });
            }
            Some(first) if first.outcome != outcome => {
                self.slip(locate, span, "另有一个不同的终局标记", "another, different end marker");
                self.beside(span);
            }
            Some(first) if first.text != text => self.beside(span),
            Some(_) => {}
        }
        self.close_all(locate);
    }

    /// A move behind the end marker.
    pub(super) fn after_end(&mut self, written: Written<'t>, span: Span) {
        self.cover(span);
        self.record.after_end.push((written, span));
    }

    /// Closes what is open, with a finding.
    fn close_all(&mut self, locate: &dyn Locate) {
        if let Some(outermost) = self.frames.first() {
            let span = Span::new(outermost.open, outermost.open + 1);
            self.slip(
                locate,
                span,
                "变着的括号没有关闭",
                "the parenthesis of a variation is not closed",
            );
        }
        while let Some(end) = self.frames.last().map(|frame| frame.open) {
            self.close(end);
        }
    }

    /// The record, complete.
    pub(super) fn finish(mut self, locate: &dyn Locate) -> Record<'t> {
        self.close_all(locate);
        self.report_beside(locate);
        if let Some((start, end)) = self.span {
            self.record.span = Span::new(start, end);
        }
        self.record
    }
}

impl Frame {
    /// The ply that the first ply of the variation follows, with its depth. Usually the variation replaces the last
    /// ply; where its number is that of the ply to come, it has been written early.
    fn base_for(&self, line: &Line, black_first: bool) -> (NodeId, u32) {
        let black_to_move = |depth: u32| depth % 2 == u32::from(!black_first);
        let early = match (line.number, self.outer.round) {
            (Some(_), _) if line.dotted => {
                !black_to_move(self.base.1) && black_to_move(self.outer.depth)
            }
            (Some((number, _)), Some(last)) => {
                number == last.saturating_add(1)
                    && black_to_move(self.base.1)
                    && !black_to_move(self.outer.depth)
            }
            _ => false,
        };
        if early && self.outer.cur != NodeId::ROOT {
            (self.outer.cur, self.outer.depth)
        } else {
            self.base
        }
    }
}
