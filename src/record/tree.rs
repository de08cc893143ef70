//! The move tree, in one vector: no recursion and no allocation a move.

use std::borrow::Cow;

use crate::{board::Square, finding::Span};

/// The number of a node in its [`Tree`]; 0 is the root, the start position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The start position.
    pub const ROOT: NodeId = NodeId(0);

    /// The number itself; nodes count from 0 in the order they were added.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written<'a> {
    /// Text in some notation.
    Text(&'a str),
    /// The squares of a binary format, with the bytes of the file; `None` for a value off the board.
    Squares {
        /// The square left.
        from: Option<Square>,
        /// The square reached.
        to: Option<Square>,
        /// The two bytes as stored.
        raw: [u8; 2],
    },
    /// A ply marked as not recorded (`……`, `...`, `---`, an empty cell).
    Omitted,
}

impl Written<'_> {
    /// The ply as text: squares as ICCS, or their bytes where they are off the board.
    pub fn text(&self) -> String {
        match self {
            Written::Text(text) => (*text).to_owned(),
            Written::Squares { from: Some(from), to: Some(to), .. } => format!("{from}{to}"),
            Written::Squares { raw: [from, to], .. } => format!("{from:02X} {to:02X}"),
            Written::Omitted => "……".to_owned(),
        }
    }
}

/// One written ply.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// The ply.
    pub written: Written<'a>,
    /// Where it stands.
    pub span: Span,
    /// The round number written before it, if there is one, with whether it was followed by the dots of a Black
    /// ply (`12...`).
    pub number: Option<u32>,
    /// Marks such as `!`, `?!`, `$3`, as written.
    pub marks: &'a str,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

/// A comment as written, without its braces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment<'a> {
    /// The node it follows; the root for a comment before the first move.
    pub node: NodeId,
    /// The text.
    pub text: Cow<'a, str>,
    /// Where it stands.
    pub span: Span,
}

/// Moves with their alternatives, and comments.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    /// Comments in the order written.
    pub comments: Vec<Comment<'a>>,
}

const NONE: u32 = 0;

impl Default for Tree<'_> {
    fn default() -> Self {
        Tree::new()
    }
}

impl<'a> Tree<'a> {
    /// A tree of the root alone.
    pub fn new() -> Tree<'a> {
        let root = Node {
            written: Written::Omitted,
            span: Span::default(),
            number: None,
            marks: "",
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        };
        Tree { nodes: vec![root], comments: Vec::new() }
    }

    /// Adds a ply after `parent`, behind the children it has: the first child continues the line, the others are
    /// variations.
    pub fn add(&mut self, parent: NodeId, written: Written<'a>, span: Span) -> NodeId {
        let id = self.push(parent, written, span);
        let elder = std::mem::replace(&mut self.nodes[parent.index()].last_child, id.0);
        if elder == NONE {
            self.nodes[parent.index()].first_child = id.0;
        } else {
            self.nodes[elder as usize].next_sibling = id.0;
        }
        id
    }

    /// Adds a ply after `parent`, before the children it has: for a file that writes a variation before the line
    /// that it varies.
    pub fn add_first(&mut self, parent: NodeId, written: Written<'a>, span: Span) -> NodeId {
        let id = self.push(parent, written, span);
        let above = &mut self.nodes[parent.index()];
        let younger = std::mem::replace(&mut above.first_child, id.0);
        if younger == NONE {
            above.last_child = id.0;
        }
        self.nodes[id.index()].next_sibling = younger;
        id
    }

    fn push(&mut self, parent: NodeId, written: Written<'a>, span: Span) -> NodeId {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(Node {
            written,
            span,
            number: None,
            marks: "",
            parent: parent.0,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        });
        NodeId(id)
    }

    /// The `index`th ply in the order written, from 1; 0 is the root.
    pub fn nth(&self, index: usize) -> Option<NodeId> {
        let id = u32::try_from(index).ok()?;
        (index < self.nodes.len()).then_some(NodeId(id))
    }

    /// The ply `id`.
    pub fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.index()]
    }

    /// The ply `id`, to be completed while reading.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<'a> {
        &mut self.nodes[id.index()]
    }

    /// Written plies, in the order written; the root is not one.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether no ply is written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ply before `id`, or the root; `None` for the root itself.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::ROOT).then(|| NodeId(self.node(id).parent))
    }

    /// The continuations of `id`, main line first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(link(self.node(id).first_child), |child| self.next_sibling(*child))
    }

    /// The first continuation of `id`.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).first_child)
    }

    /// The next alternative to `id`.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).next_sibling)
    }

    /// The main line: first child after first child.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(NodeId::ROOT), |id| self.first_child(*id))
    }

    /// How many branches there are other than first children.
    pub fn variations(&self) -> usize {
        self.nodes.iter().filter(|node| node.next_sibling != NONE).count()
    }
}

fn link(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_written_after_its_variations_is_the_main_line() {
        let mut tree = Tree::new();
        let first = tree.add(NodeId::ROOT, Written::Text("b"), Span::default());
        let second = tree.add(NodeId::ROOT, Written::Text("c"), Span::default());
        let main = tree.add_first(NodeId::ROOT, Written::Text("a"), Span::default());
        let last = tree.add(NodeId::ROOT, Written::Text("d"), Span::default());
        let children: Vec<_> = tree.children(NodeId::ROOT).collect();
        assert_eq!(children, [main, first, second, last]);
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [main]);
        assert_eq!(tree.variations(), 3);
        let alone = tree.add_first(main, Written::Omitted, Span::default());
        let beside = tree.add(main, Written::Omitted, Span::default());
        assert_eq!(tree.children(main).collect::<Vec<_>>(), [alone, beside]);
    }
}
