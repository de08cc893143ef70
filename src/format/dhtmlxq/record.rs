//! One block as a record.

use std::{borrow::Cow, collections::HashSet};

use crate::{
    board::{Setup, Side},
    finding::{Code, Finding, Locate, Span, Words},
    record::{Comment, NodeId, Record, Start, Tag},
};

use super::{
    blocks::{Block, Ending, Entry, Family},
    keys::{self, Key},
    routes::{Branches, Fault, Route},
    start, value, version2,
};

/// Findings about the form of one block; more would say nothing new.
const FINDINGS: usize = 20;

/// Digits of a `binit` below which a block without anything else is no game.
const LEAST_BOARD: usize = 60;

/// A comment with the route and ply that it belongs to.
struct Note<'t> {
    route: u32,
    ply: u32,
    entry: Entry<'t>,
}

/// A block being read.
struct Reader<'t, 'r> {
    record: Record<'t>,
    locate: &'r dyn Locate,
    main: Option<Route<'t>>,
    routes: Vec<Route<'t>>,
    notes: Vec<Note<'t>>,
    binit: Option<(Setup, Span)>,
    fen: Option<(Cow<'t, str>, Span)>,
    first: Option<Side>,
    /// `other` and the place of its tag, which is a comment if there is no better one.
    other: Option<usize>,
}

/// The game of `block`, the `game`th of its file; `None` if it holds none.
pub(super) fn read<'t>(block: &Block<'t>, game: u32, locate: &dyn Locate) -> Option<Record<'t>> {
    if !is_game(block) {
        return None;
    }
    let mut reader = Reader {
        record: Record::new(game),
        locate,
        main: None,
        routes: Vec::new(),
        notes: Vec::new(),
        binit: None,
        fen: None,
        first: None,
        other: None,
    };
    reader.record.span = Span::new(block.start, block.end);
    let mut seen = HashSet::new();
    for entry in block.entries.iter().filter(|entry| !entry.value.trim().is_empty()) {
        if !entry.closed {
            reader.unclosed(entry);
        }
        // The same again says nothing new.
        if seen.insert((entry.key, entry.value)) {
            reader.entry(entry, block.family);
        }
    }
    let code = match block.ending {
        Ending::Closed => None,
        Ending::Next => Some(Code::BAD_SYNTAX),
        Ending::Cut => Some(Code::TRUNCATED),
    };
    if let Some(code) = code {
        let end = Span::new(block.end, block.end);
        reader.finding(code, end, "缺少结尾的 [/DhtmlXQ]", "the closing [/DhtmlXQ] is missing");
    }
    Some(reader.finish(block.family))
}

/// Whether a block is a game: moves, a position, or the name of something, and no program code.
fn is_game(block: &Block<'_>) -> bool {
    let mut tags = 0;
    for entry in &block.entries {
        let value = entry.value.trim();
        let is_code = value.contains("'+");
        if value.is_empty() || is_code {
            continue;
        }
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        match keys::key(entry.key, block.family) {
            Key::Moves | Key::Route { .. } if digits >= 4 => return true,
            Key::Board if digits >= LEAST_BOARD => return true,
            Key::Fen | Key::Letters => return true,
            Key::Tag(name) => {
                let named = ["title", "event", "red", "black", "result", "redname", "blackname"];
                tags += usize::from(named.iter().any(|key| name.eq_ignore_ascii_case(key)));
            }
            _ => {}
        }
    }
    tags > 0
}

impl<'t> Reader<'t, '_> {
    fn entry(&mut self, entry: &Entry<'t>, family: Family) {
        let span = span(entry);
        match keys::key(entry.key, family) {
            Key::Moves => self.main_line(entry),
            Key::Route { id: 0, .. } => self.main_line(entry),
            Key::Route { parent, ply, id } => {
                self.routes.push(Route { id, parent, ply, value: entry.value, at: entry.at });
            }
            Key::Comment { route, ply } => self.notes.push(Note { route, ply, entry: *entry }),
            Key::Board if self.binit.is_none() => self.binit(entry.value, span),
            Key::Fen if self.fen.is_none() => self.fen = Some((value::unescape(entry.value), span)),
            Key::Letters if self.binit.is_none() => match start::letters(entry.value) {
                Some(setup) => self.binit = Some((setup, span)),
                None => self.finding(
                    Code::BAD_SYNTAX,
                    span,
                    "局面应为九十个字母，按开局局面读取",
                    "the position has not its 90 letters; the start position is used",
                ),
            },
            Key::First if self.first.is_none() => {
                let black = entry.value.trim() == "1";
                self.first = Some(if black { Side::Black } else { Side::Red });
            }
            Key::Board | Key::Fen | Key::Letters | Key::First => self.tag(entry.key, entry),
            Key::Tag(name) => {
                if name.eq_ignore_ascii_case("other") && self.other.is_none() {
                    self.other = Some(self.record.tags.len());
                }
                self.tag(name, entry);
            }
        }
    }

    fn main_line(&mut self, entry: &Entry<'t>) {
        let route = Route { id: 0, parent: 0, ply: 1, value: entry.value, at: entry.at };
        match &self.main {
            None => self.main = Some(route),
            Some(main) if main.value.trim() == entry.value.trim() => {}
            Some(_) => {
                self.finding(
                    Code::BAD_SYNTAX,
                    span(entry),
                    "另有一个不同的主线，作为变着读取",
                    "a second, different main line; read as a variation",
                );
                // No route can refer to it, because 0 is taken.
                self.routes.push(route);
            }
        }
    }

    fn binit(&mut self, value: &str, span: Span) {
        let (setup, faults) = start::binit(value);
        if let Some(digits) = faults.digits {
            self.finding(
                Code::BAD_SYNTAX,
                span,
                format!("binit 应为 64 位数字，实有 {digits} 位；缺少的按开局局面补足"),
                format!(
                    "binit has {digits} digits, not 64; what is missing is as in the start position"
                ),
            );
        }
        if !faults.shared.is_empty() {
            let squares: Vec<String> = faults.shared.iter().map(ToString::to_string).collect();
            let list = squares.join(", ");
            self.finding(
                Code::BAD_SYNTAX,
                span,
                format!("多个棋子在同一点：{list}，保留排在后面的"),
                format!("several pieces on {list}; the later in the list is kept"),
            );
        }
        self.binit = Some((setup, span));
    }

    fn tag(&mut self, name: &'t str, entry: &Entry<'t>) {
        self.record.tags.push(Tag {
            name: Cow::Borrowed(name),
            value: value::unescape(entry.value),
            span: span(entry),
        });
    }

    fn finish(mut self, family: Family) -> Record<'t> {
        let mut branches = Branches::new();
        let main = self.main.unwrap_or(Route { id: 0, parent: 0, ply: 1, value: "", at: 0 });
        let entries = (self.routes.is_empty() && version2::is_version2(main.value))
            .then(|| version2::read(&mut branches, main.value, main.at));
        if entries.is_none() {
            let routes: Vec<Route<'t>> =
                [main].into_iter().chain(self.routes.iter().copied()).collect();
            branches.join(&routes, family == Family::Dhj);
        }
        for (fault, span) in std::mem::take(&mut branches.faults) {
            self.fault(fault, span, &main);
        }
        self.comments(&branches, entries.as_deref());
        self.record.tree = {
            let comments = std::mem::take(&mut self.record.tree.comments);
            let mut tree = branches.tree;
            tree.comments = comments;
            tree
        };
        self.record.start = self.start();
        self.record
    }

    fn start(&mut self) -> Start<'t> {
        match start::settle(self.binit.take(), self.fen.take()) {
            Start::Board { mut setup, span } => {
                setup.side = self.first;
                Start::Board { setup, span }
            }
            start => start,
        }
    }

    /// Puts the comments on their plies; `entries` are the nodes of a list of version 2.
    fn comments(&mut self, branches: &Branches<'t>, entries: Option<&[Option<NodeId>]>) {
        let notes = std::mem::take(&mut self.notes);
        for note in &notes {
            let found = match (entries, note.route) {
                (Some(entries), 0) if note.ply > 0 => {
                    entries.get(note.ply as usize - 1).copied().flatten().ok_or(NodeId::ROOT)
                }
                _ => branches.find(note.route, note.ply),
            };
            let span = span(&note.entry);
            let node = found.unwrap_or_else(|nearest| {
                self.finding(
                    Code::BAD_SYNTAX,
                    span,
                    "注释所指的着法不存在",
                    "the comment belongs to a ply that does not exist",
                );
                nearest
            });
            self.comment(node, value::unescape(note.entry.value), span);
        }
        let has_first =
            self.record.tree.comments.iter().any(|comment| comment.node == NodeId::ROOT);
        if let Some(index) = self.other.filter(|_| !has_first) {
            let tag = self.record.tags.remove(index);
            self.comment(NodeId::ROOT, tag.value, tag.span);
        }
    }

    fn comment(&mut self, node: NodeId, text: Cow<'t, str>, span: Span) {
        self.record.tree.comments.push(Comment { node, text, span });
    }

    fn fault(&mut self, fault: Fault, span: Span, main: &Route<'t>) {
        match fault {
            Fault::Digits => self.finding(
                Code::BAD_SYNTAX,
                span,
                "不是四位数字一着，略去",
                "not four digits a move; left out",
            ),
            Fault::Unplaced => {
                self.finding(
                    Code::BAD_SYNTAX,
                    span,
                    "变着所接的着法不存在，未能接入",
                    "the variation leaves a ply that does not exist; it is not part of the tree",
                );
                let lost = self.routes.iter().find(|route| route.at == span.start as usize);
                let (name, value) = match lost {
                    Some(Route { id, parent, ply, value, .. }) => {
                        (format!("move_{parent}_{ply}_{id}"), *value)
                    }
                    None => {
                        let range = span.start as usize - main.at..span.end as usize - main.at;
                        ("movelist_entry".to_owned(), main.value.get(range).unwrap_or_default())
                    }
                };
                let (name, value) = (Cow::Owned(name), Cow::Borrowed(value));
                self.record.tags.push(Tag { name, value, span });
            }
        }
    }

    fn unclosed(&mut self, entry: &Entry<'t>) {
        let (zh, en) = ("值没有结尾的方括号标签", "the value has no closing tag");
        self.finding(Code::BAD_SYNTAX, span(entry), zh, en);
    }

    fn finding(
        &mut self,
        code: Code,
        span: Span,
        zh: impl Into<Cow<'static, str>>,
        en: impl Into<Cow<'static, str>>,
    ) {
        if self.record.findings.len() < FINDINGS {
            let finding = Finding::new(code, Words::new(zh, en)).at(self.locate.place(span));
            self.record.findings.push(finding);
        }
    }
}

fn span(entry: &Entry<'_>) -> Span {
    Span::new(entry.at, entry.at + entry.value.len())
}
