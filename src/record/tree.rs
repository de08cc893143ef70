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
    /// Where the digits of that number stand; empty where that is not known.
    pub number_span: Span,
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

impl Comment<'_> {
    /// The most plies that comments can say to be missing at one place.
    pub const MOST_MISSING: u32 = 300;

    /// How many plies it says to be missing behind its node: `[%missing N]` (CONTRACT section 6).
    ///
    /// ```
    /// use qijian::{finding::Span, record::{Comment, NodeId}};
    ///
    /// let said = |text: &str| {
    ///     Comment { node: NodeId::ROOT, text: text.into(), span: Span::default() }.missing()
    /// };
    /// assert_eq!(said("[%clk 0:10:00] [%missing 2]"), 2);
    /// assert_eq!(said("nothing is missing"), 0);
    /// ```
    pub fn missing(&self) -> u32 {
        let commands = self.text.split("[%missing").skip(1);
        let counts = commands.filter_map(|rest| rest.split(']').next()?.trim().parse::<u32>().ok());
        counts.fold(0, u32::saturating_add).min(Self::MOST_MISSING)
    }
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
            number_span: Span::default(),
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
            number_span: Span::default(),
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

    /// The branches taken from the start to `id`, `(ply, index)` for each ply that is not the first continuation, and
    /// its ply; 0 for the start. Of many nodes of one tree, [`Branches`] tells this faster.
    pub fn branch(&self, id: NodeId) -> (Vec<(u32, u32)>, u32) {
        let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let line: Vec<NodeId> = std::iter::successors(Some(id), |id| self.parent(*id)).collect();
        let mut path = Vec::new();
        for (ply, pair) in line.windows(2).rev().enumerate() {
            let index = self.children(pair[1]).position(|child| child == pair[0]).unwrap_or(0);
            if index > 0 {
                path.push((small(ply + 1), small(index)));
            }
        }
        (path, small(line.len() - 1))
    }

    /// The comments by node, for those who ask for many nodes.
    ///
    /// ```
    /// use qijian::{finding::Span, record::{Comment, NodeId, Tree}};
    ///
    /// let mut tree = Tree::new();
    /// tree.comments.push(Comment { node: NodeId::ROOT, text: "热身赛".into(), span: Span::default() });
    /// let texts: Vec<_> = tree.comments_by_node().of(NodeId::ROOT).map(|comment| &*comment.text).collect();
    /// assert_eq!(texts, ["热身赛"]);
    /// ```
    pub fn comments_by_node(&self) -> Comments<'_, 'a> {
        let mut sorted: Vec<&Comment<'a>> = self.comments.iter().collect();
        sorted.sort_by_key(|comment| comment.node);
        Comments { sorted }
    }

    /// How many branches there are other than first children.
    pub fn variations(&self) -> usize {
        self.nodes.iter().filter(|node| node.next_sibling != NONE).count()
    }
}

/// The comments of a tree in the order of their nodes.
#[derive(Clone, Debug)]
pub struct Comments<'t, 'a> {
    sorted: Vec<&'t Comment<'a>>,
}

impl<'t, 'a> Comments<'t, 'a> {
    /// Those of one node, in the order written.
    pub fn of(&self, node: NodeId) -> impl Iterator<Item = &'t Comment<'a>> + '_ {
        let first = self.sorted.partition_point(|comment| comment.node < node);
        self.sorted[first..].iter().copied().take_while(move |comment| comment.node == node)
    }
}

/// Where the lines of a tree part, worked out once for all nodes: to find the place of one node by walking up from it
/// and along its siblings takes as long as the tree is large. Of a tree without variations there is nothing to keep.
#[derive(Clone, Debug)]
pub struct Branches {
    /// For each node its ply; 0 is the root.
    plies: Vec<u32>,
    /// For each node its place among its siblings, from 0.
    places: Vec<u32>,
    /// For each node itself or the nearest one above that is not a first child; 0 where there is none.
    branch: Vec<u32>,
    /// For each node the same of its parent.
    above: Vec<u32>,
}

impl Branches {
    /// The branches of `tree`.
    pub fn of(tree: &Tree<'_>) -> Branches {
        let nodes: &[Node<'_>] = if tree.variations() == 0 { &[] } else { &tree.nodes };
        let zeros = vec![0; nodes.len()];
        let mut branches = Branches {
            plies: zeros.clone(),
            places: zeros.clone(),
            branch: zeros.clone(),
            above: zeros,
        };
        for parent in 0..nodes.len() {
            for (place, child) in (0..).zip(tree.children(NodeId(parent as u32))) {
                branches.places[child.index()] = place;
            }
        }
        // A node is added after its parent, so the parent's values are there.
        for (id, node) in nodes.iter().enumerate().skip(1) {
            let parent = node.parent as usize;
            branches.plies[id] = branches.plies[parent] + 1;
            branches.above[id] = branches.branch[parent];
            branches.branch[id] =
                if branches.places[id] > 0 { id as u32 } else { branches.branch[parent] };
        }
        branches
    }

    /// The branches taken from the start to `id`: `(ply, index)` for each ply that is not the first continuation.
    pub fn path(&self, id: NodeId) -> Vec<(u32, u32)> {
        let mut path = Vec::new();
        let mut at = self.branch.get(id.index()).map_or(ROOT, |branch| *branch as usize);
        while at != ROOT {
            path.push((self.plies[at], self.places[at]));
            at = self.above[at] as usize;
        }
        path.reverse();
        path
    }
}

const ROOT: usize = 0;

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
