//! What all binary formats share: findings with offsets, and a tree that is stored depth first.

use crate::{
    board::Square,
    finding::{Binary, Code, Edit, Finding, Locate, Span, Words},
    record::{NodeId, Tree, Written},
};

/// A finding about the bytes of the file from `start` to `end`.
pub(super) fn finding(code: Code, start: usize, end: usize, words: Words) -> Finding {
    Finding::new(code, words).at(Binary.place(Span::new(start, end)))
}

/// What to do about a file that is cut.
pub(super) fn restore() -> Words {
    Words::new("请从来源或备份重新取得该文件", "get the file again from its source or a backup")
}

/// A finding about a field of the header or the moves that holds what it cannot hold (`QJ004`).
pub(super) fn bad_field(start: usize, end: usize, name: &str, words: Words) -> Finding {
    finding(Code::BAD_FIELD, start, end, words).with("field", name)
}

/// `count` bytes from `start` on that are not read (`QJ003`).
pub(super) fn trailing(start: usize, count: usize) -> Finding {
    let words = Words::new(
        format!("着法之后还有 {count} 字节，未读取"),
        format!("{count} bytes after the moves are not read"),
    );
    finding(Code::TRAILING_DATA, start, start + count, words)
        .with("bytes", count)
        .repaired_by(cut(start, start + count))
}

/// Cuts the bytes of the file from `start` to `end`.
pub(super) fn cut(start: usize, end: usize) -> Edit {
    Edit::new(Span::new(start, end), "", "")
}

/// A comment before it is decoded.
pub(super) struct RawComment<'p> {
    pub(super) node: NodeId,
    pub(super) bytes: &'p [u8],
    /// Its place in the file.
    pub(super) span: Span,
    /// Whether the file ends within it.
    pub(super) cut: bool,
}

/// One node as stored.
pub(super) struct RawNode<'p> {
    pub(super) from: Option<Square>,
    pub(super) to: Option<Square>,
    pub(super) raw: [u8; 2],
    /// Whether a continuation follows.
    pub(super) more: bool,
    /// Whether an alternative follows behind all that belongs to the node.
    pub(super) other: bool,
    /// The comment, its place in the file, and whether the file ends within it.
    pub(super) comment: Option<(&'p [u8], Span, bool)>,
    /// The node's place in the file.
    pub(super) span: Span,
}

/// A tree that was read, as far as it goes.
pub(super) struct RawTree<'p> {
    pub(super) tree: Tree<'static>,
    pub(super) comments: Vec<RawComment<'p>>,
    /// Plies announced that are not there; 0 for a whole tree.
    pub(super) missing: usize,
}

/// Reads a tree from the nodes that `next` gives, `None` where there are no more; the first is the root.
///
/// A node is followed by its continuation with all that belongs to it, then by the alternative to it. So the nodes
/// whose next child is still owed lie on a stack: no recursion, however deep the tree.
pub(super) fn tree<'p>(mut next: impl FnMut() -> Option<RawNode<'p>>) -> RawTree<'p> {
    let mut raw = RawTree { tree: Tree::new(), comments: Vec::new(), missing: 0 };
    let Some(root) = next() else {
        raw.missing = 1;
        return raw;
    };
    raw.tree.node_mut(NodeId::ROOT).span = root.span;
    raw.comment(NodeId::ROOT, root.comment);
    let mut owed = Vec::new();
    owed.extend(root.more.then_some(NodeId::ROOT));
    while let Some(parent) = owed.pop() {
        let Some(node) = next() else {
            raw.missing = owed.len() + 1;
            break;
        };
        let RawNode { from, to, raw: bytes, more, other, comment, span } = node;
        let id = raw.tree.add(parent, Written::Squares { from, to, raw: bytes }, span);
        raw.comment(id, comment);
        owed.extend(other.then_some(parent));
        owed.extend(more.then_some(id));
    }
    raw
}

impl<'p> RawTree<'p> {
    fn comment(&mut self, node: NodeId, comment: Option<(&'p [u8], Span, bool)>) {
        if let Some((bytes, span, cut)) = comment.filter(|(bytes, ..)| !bytes.is_empty()) {
            self.comments.push(RawComment { node, bytes, span, cut });
        }
    }

    /// What to report where the file, or the part of it that can be read, ends at `end`.
    pub(super) fn truncated(&self, end: usize) -> Option<Finding> {
        let cut = self.comments.last().is_some_and(|comment| comment.cut);
        let words = match self.missing {
            0 if cut => {
                Words::new("文件在评注中间结束", "the file ends in the middle of a comment")
            }
            0 => return None,
            missing => Words::new(
                format!("文件在着法中间结束，还缺至少 {missing} 步"),
                format!("the file ends within the moves, at least {missing} more are announced"),
            ),
        };
        Some(finding(Code::TRUNCATED, end, end, words).help(restore()))
    }
}

/// The little-endian number at `at` of `bytes`; `None` where they are too short.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}
