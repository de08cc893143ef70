//! Records as DhtmlXQ text.

use std::collections::HashSet;

use crate::{
    board::{Move, Position, Setup, Side},
    finding::Span,
    record::{NodeId, Outcome, Record, Start, Written, standard_key},
};

use super::{
    super::loss::{Loss, Part},
    keys, start, value,
};

/// Writes `record`. `moves` are the moves that its plies were played as, by [`NodeId::index`]; a ply without one is
/// written by its own squares, if it has them.
///
/// What the format cannot hold is returned, never dropped in silence: plies without squares with all that follows
/// them, marks, moves behind the end, tags whose name can be no key.
///
/// ```
/// use qijian::{finding::Binary, format::dhtmlxq};
///
/// let text = "[DhtmlXQ][DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]";
/// dhtmlxq::read_str(text, &Binary, &mut |record| {
///     let (written, losses) = dhtmlxq::write(&record, &[]);
///     assert!(written.contains("[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"));
///     assert!(losses.is_empty());
/// });
/// ```
pub fn write(record: &Record<'_>, moves: &[Option<Move>]) -> (String, Vec<Loss>) {
    let mut pen =
        Pen { record, moves, text: String::new(), losses: Vec::new(), used: HashSet::new() };
    pen.text.push_str("[DhtmlXQ]\n");
    pen.tags();
    pen.start();
    pen.tree();
    pen.after_end();
    pen.text.push_str("[/DhtmlXQ]\n");
    (pen.text, pen.losses)
}

struct Pen<'p, 'a> {
    record: &'p Record<'a>,
    moves: &'p [Option<Move>],
    text: String,
    losses: Vec<Loss>,
    /// Keys written, in lower case.
    used: HashSet<String>,
}

/// A route to be written.
struct Waiting {
    /// The route that it leaves, and the ply that it replaces.
    parent: u32,
    ply: u32,
    first: NodeId,
}

impl Pen<'_, '_> {
    fn entry(&mut self, key: &str, text: &str) {
        self.text.push_str(&format!("[DhtmlXQ_{key}]"));
        value::escape_into(&mut self.text, text);
        self.text.push_str(&format!("[/DhtmlXQ_{key}]\n"));
    }

    fn lose(&mut self, part: Part, node: NodeId, span: Span, text: impl Into<String>) {
        self.losses.push(Loss::dropped(part, node, span, text));
    }

    fn tags(&mut self) {
        // What every viewer expects first.
        for (key, text) in [("ver", "www_dpxq_com"), ("init", "500,350")] {
            if !self.record.tags.iter().any(|tag| tag.name.eq_ignore_ascii_case(key)) {
                self.entry(key, text);
            }
        }
        let record = self.record;
        for tag in &record.tags {
            if tag.value.trim().is_empty() || standard_key(&tag.name) == Some("fen") {
                continue;
            }
            let own = |key: &&str| !self.used.contains(&key.to_ascii_lowercase());
            let key = keys::name(&tag.name).filter(own).or_else(|| {
                // A second tag with the same meaning keeps its own name.
                let name = tag.name.as_ref();
                Some(name).filter(|name| keys::name(name).is_some()).filter(own)
            });
            match key {
                Some(key) => {
                    self.used.insert(key.to_ascii_lowercase());
                    self.entry(key, &tag.value);
                }
                None => {
                    let text = format!("{}: {}", tag.name, tag.value);
                    self.lose(Part::Tag, NodeId::ROOT, tag.span, text);
                }
            }
        }
        self.result();
    }

    /// The result that stands behind the moves, where no tag says the same.
    fn result(&mut self) {
        let record = self.record;
        let Some(marker) = &record.result else { return };
        let tag = record.tag("result").filter(|tag| !tag.value.trim().is_empty());
        let Some(tag) = tag else {
            let text = match marker.outcome {
                Outcome::RedWins => "红胜",
                Outcome::BlackWins => "黑胜",
                Outcome::Draw => "和棋",
                Outcome::Unknown => "未知",
            };
            self.entry("result", text);
            return;
        };
        if Outcome::from_text(&tag.value) != Some(marker.outcome) {
            self.lose(Part::Result, NodeId::ROOT, marker.span, marker.text.as_ref());
        }
    }

    fn start(&mut self) {
        let standard = Setup::start();
        let (setup, fen, span) = match &self.record.start {
            Start::Standard => (Some(standard), None, Span::default()),
            Start::Fen { text, span } => (Setup::from_fen(text).ok(), Some(text.clone()), *span),
            Start::Board { setup, span } => {
                let side = setup.side.filter(|side| *side == Side::Black || !self.has_moves());
                let fen = side.map(|side| Position::from_setup(setup, side).fen().into());
                (Some((**setup).clone()), fen, *span)
            }
        };
        match setup.as_ref().and_then(start::to_binit) {
            Some(binit) => self.entry("binit", &binit),
            None => {
                let text = fen.as_deref().unwrap_or_default().to_owned();
                self.lose(Part::Start, NodeId::ROOT, span, text);
            }
        }
        if let Some(fen) = fen {
            self.entry("fen", &fen);
        } else if let Some(setup) = setup.filter(|setup| start::to_binit(setup).is_none()) {
            let side = setup.side.unwrap_or(Side::Red);
            self.entry("fen", &Position::from_setup(&setup, side).fen());
        }
    }

    fn has_moves(&self) -> bool {
        !self.record.tree.is_empty()
    }

    /// The four digits of a ply.
    fn digits(&self, id: NodeId) -> Option<String> {
        if let Some(Some(mv)) = self.moves.get(id.index()) {
            let ranks = [9 - mv.from.rank(), 9 - mv.to.rank()];
            return Some(format!("{}{}{}{}", mv.from.file(), ranks[0], mv.to.file(), ranks[1]));
        }
        match self.record.tree.node(id).written {
            Written::Squares { from: Some(from), to: Some(to), .. } => {
                let ranks = [9 - from.rank(), 9 - to.rank()];
                Some(format!("{}{}{}{}", from.file(), ranks[0], to.file(), ranks[1]))
            }
            // Values off the board stay as they are where they are two digits each.
            Written::Squares { raw: [from, to], .. } => {
                let digits = format!("{from:02X}{to:02X}");
                digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)
            }
            Written::Text(_) | Written::Omitted => None,
        }
    }

    /// The moves as routes, then the comments.
    fn tree(&mut self) {
        let tree = &self.record.tree;
        // Route and ply of each node that is written.
        let mut places: Vec<Option<(u32, u32)>> = vec![None; tree.len() + 1];
        places[0] = Some((0, 0));
        let start = |first| Waiting { parent: 0, ply: 1, first };
        let mut waiting: Vec<Waiting> = tree.children(NodeId::ROOT).map(start).collect();
        let mut next = 0;
        let mut routes: u32 = 0;
        while next < waiting.len() {
            let Waiting { parent, ply, first } = waiting[next];
            next += 1;
            let id = routes;
            let mut digits = String::new();
            let mut depth = ply;
            let mut node = Some(first);
            while let Some(at) = node {
                let Some(four) = self.digits(at) else { break };
                digits.push_str(&four);
                places[at.index()] = Some((id, depth));
                let marks = tree.node(at).marks;
                if !marks.is_empty() {
                    self.lose(Part::Marks, at, tree.node(at).span, marks);
                }
                // The first continuation belongs to this route, so those beside it leave this route.
                let children = tree.children(at).skip(1);
                depth += 1;
                waiting.extend(children.map(|first| Waiting { parent: id, ply: depth, first }));
                node = tree.first_child(at);
            }
            if id == 0 {
                self.entry("movelist", &digits);
                routes += 1;
            } else if !digits.is_empty() {
                self.entry(&format!("move_{parent}_{ply}_{id}"), &digits);
                routes += 1;
            }
        }
        // A ply that cannot be written takes all with it that follows.
        for id in
            (1..places.len()).filter(|index| places[*index].is_none()).filter_map(|n| tree.nth(n))
        {
            let text = self.cut(id);
            self.lose(Part::Move, id, tree.node(id).span, text);
        }
        self.comments(&places);
    }

    /// A ply that cannot be written, in words.
    fn cut(&self, id: NodeId) -> String {
        match self.record.tree.node(id).written {
            Written::Text(text) => text.to_owned(),
            Written::Omitted => "……".to_owned(),
            Written::Squares { raw: [from, to], .. } => format!("{from:02X} {to:02X}"),
        }
    }

    fn comments(&mut self, places: &[Option<(u32, u32)>]) {
        let mut texts: Vec<(usize, String)> = Vec::new();
        let record = self.record;
        let mut order: Vec<usize> = (0..record.tree.comments.len()).collect();
        order.sort_by_key(|index| record.tree.comments[*index].node);
        for comment in order.into_iter().map(|index| &record.tree.comments[index]) {
            if comment.text.trim().is_empty() {
                continue;
            }
            let node = comment.node.index();
            if places.get(node).copied().flatten().is_none() {
                self.lose(Part::Comment, comment.node, comment.span, comment.text.as_ref());
                continue;
            }
            match texts.last_mut().filter(|(last, _)| *last == node) {
                // One key holds all comments of a ply.
                Some((_, text)) => {
                    text.push('\n');
                    text.push_str(&comment.text);
                    self.losses.push(Loss::changed(
                        Part::Comment,
                        comment.node,
                        comment.span,
                        &*comment.text,
                    ));
                }
                None => texts.push((node, comment.text.to_string())),
            }
        }
        for (node, text) in texts {
            match places[node] {
                Some((0, ply)) => self.entry(&format!("comment{ply}"), &text),
                Some((route, ply)) => self.entry(&format!("comment{route}_{ply}"), &text),
                None => {}
            }
        }
    }

    fn after_end(&mut self) {
        let record = self.record;
        for (written, span) in &record.after_end {
            let text = match written {
                Written::Text(text) => (*text).to_owned(),
                _ => "……".to_owned(),
            };
            self.lose(Part::Move, NodeId::ROOT, *span, text);
        }
    }
}
