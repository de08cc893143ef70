//! The moves: nodes in depth-first order, each with its comment.

use crate::{
    finding::{Code, Finding, Span, Words},
    record::{NodeId, Tree, Written},
};

use super::{
    super::binary::{RawComment, cut},
    bad_field, finding,
    header::{HEADER_LEN, Header, square},
    keys::Keys,
    restore,
};

/// Added to the square left, in every version.
pub(super) const FROM_BASE: u8 = 0x18;
/// Added to the square reached, in every version.
pub(super) const TO_BASE: u8 = 0x20;

/// The moves of a file.
pub(super) struct Moves<'p> {
    pub(super) tree: Tree<'static>,
    pub(super) comments: Vec<RawComment<'p>>,
    pub(super) findings: Vec<Finding>,
}

/// One record of the stream.
struct RawNode<'p> {
    squares: [u8; 2],
    has_continuation: bool,
    has_alternative: bool,
    comment: Option<RawText<'p>>,
}

struct RawText<'p> {
    bytes: &'p [u8],
    start: usize,
    cut: bool,
}

/// Reads the moves from `plain`, the unmasked bytes behind the header of `file`.
///
/// A node is followed by its continuation with all that belongs to it, then by the alternative to it. So the nodes
/// whose next child is still owed lie on a stack: no recursion, and a tree as deep as the file is long does no harm.
pub(super) fn read<'p>(
    plain: &'p [u8],
    file: &[u8],
    header: &Header<'_>,
    keys: &Keys,
) -> Moves<'p> {
    let mut moves = Moves { tree: Tree::new(), comments: Vec::new(), findings: Vec::new() };
    if file.len() < HEADER_LEN {
        return moves;
    }
    let mut stream = Stream { plain, at: 0, masked: header.is_masked(), keys, negative: None };
    let root = stream.node();
    moves.tree.node_mut(NodeId::ROOT).span = stream.span_since(0);
    let mut owed = Vec::new();
    // The root has no alternative; where it claims one, and more follows, that can only be one more first move.
    let mut beside_root = None;
    let mut truncated = root.is_none().then_some(0);
    if let Some(root) = root {
        moves.comment(NodeId::ROOT, root.comment);
        if root.has_alternative {
            beside_root = Some(NodeId::ROOT);
            moves.findings.push(root_alternative());
        }
        owed.extend(root.has_continuation.then_some(NodeId::ROOT));
    }
    while let Some(parent) =
        owed.pop().or_else(|| beside_root.take().filter(|_| stream.at < plain.len()))
    {
        let start = stream.at;
        let Some(node) = stream.node() else {
            truncated = Some(start);
            break;
        };
        let [from, to] = node.squares;
        let at = HEADER_LEN + start;
        let written = Written::Squares {
            from: square(from.wrapping_sub(FROM_BASE).wrapping_sub(keys.from)),
            to: square(to.wrapping_sub(TO_BASE).wrapping_sub(keys.to)),
            raw: [file[at], file[at + 1]],
        };
        let id = moves.tree.add(parent, written, stream.span_since(start));
        moves.comment(id, node.comment);
        owed.extend(node.has_alternative.then_some(parent));
        owed.extend(node.has_continuation.then_some(id));
    }
    moves.report(&stream, truncated, owed.len());
    moves
}

impl<'p> Moves<'p> {
    fn comment(&mut self, node: NodeId, text: Option<RawText<'p>>) {
        let Some(RawText { bytes, start, cut }) = text.filter(|text| !text.bytes.is_empty()) else {
            return;
        };
        let start = HEADER_LEN + start;
        let span = Span::new(start, start + bytes.len());
        self.comments.push(RawComment { node, bytes, span, cut });
    }

    /// Reports how the stream ended; `truncated` is where the node begins that is not there.
    fn report(&mut self, stream: &Stream<'_, '_>, truncated: Option<usize>, owed: usize) {
        self.findings.extend(stream.negative.map(negative_length));
        let end = HEADER_LEN + stream.plain.len();
        let cut_comment = self.comments.last().is_some_and(|comment| comment.cut);
        if let Some(start) = truncated {
            let words = if start == 0 {
                Words::new("文件只有文件头，没有着法部分", "the file ends before its moves")
            } else {
                Words::new(
                    format!("文件在着法中间结束，还缺至少 {} 步", owed + 1),
                    format!(
                        "the file ends within the moves, at least {} more are announced",
                        owed + 1
                    ),
                )
            };
            let at = HEADER_LEN + start;
            self.findings.push(finding(Code::TRUNCATED, at, end, words).help(restore()));
        } else if cut_comment {
            let words =
                Words::new("文件在评注中间结束", "the file ends in the middle of a comment");
            self.findings.push(finding(Code::TRUNCATED, end, end, words).help(restore()));
        } else if stream.at < stream.plain.len() {
            let at = HEADER_LEN + stream.at;
            let count = end - at;
            let words = Words::new(
                format!("着法之后还有 {count} 字节，未读取"),
                format!("{count} bytes after the moves are not read"),
            );
            let trailing = finding(Code::TRAILING_DATA, at, end, words).with("bytes", count);
            self.findings.push(trailing.repaired_by(cut(at, end)));
        }
    }
}

/// The unmasked bytes of the moves, read from the front.
struct Stream<'p, 'k> {
    plain: &'p [u8],
    at: usize,
    masked: bool,
    keys: &'k Keys,
    /// The first length that is less than nothing, its place, and how many there are.
    negative: Option<Negative>,
}

#[derive(Clone, Copy)]
struct Negative {
    at: usize,
    length: i64,
    count: usize,
}

impl<'p> Stream<'p, '_> {
    /// The next node; `None`, and nothing taken, where the file ends within it. A comment may be cut.
    fn node(&mut self) -> Option<RawNode<'p>> {
        let [from, to, tag, _, rest @ ..] = &self.plain[self.at..] else { return None };
        let (has_continuation, has_alternative, has_comment) = if self.masked {
            (tag & 0x80 != 0, tag & 0x40 != 0, tag & 0x20 != 0)
        } else {
            (tag & 0xF0 != 0, tag & 0x0F != 0, true)
        };
        let mut node =
            RawNode { squares: [*from, *to], has_continuation, has_alternative, comment: None };
        if !has_comment {
            self.at += 4;
            return Some(node);
        }
        let (length, rest) = rest.split_first_chunk()?;
        let length = i64::from(i32::from_le_bytes(*length)) - i64::from(self.keys.comment);
        if length < 0 {
            let Negative { count, .. } =
                *self.negative.get_or_insert(Negative { at: self.at + 4, length, count: 0 });
            self.negative = self.negative.map(|first| Negative { count: count + 1, ..first });
        }
        let length = usize::try_from(length).unwrap_or(0);
        let bytes = &rest[..length.min(rest.len())];
        let start = self.at + 8;
        node.comment = Some(RawText { bytes, start, cut: bytes.len() < length });
        self.at = start + bytes.len();
        Some(node)
    }

    /// The place in the file of what was read since `start`.
    fn span_since(&self, start: usize) -> Span {
        Span::new(HEADER_LEN + start, HEADER_LEN + self.at)
    }
}

fn root_alternative() -> Finding {
    let words = Words::new(
        "起始局面标有变着；主线之后若还有着法，作为另一个首着",
        "the start position is marked as having an alternative; what follows the tree is one more first move",
    );
    bad_field(HEADER_LEN + 2, HEADER_LEN + 3, "root", words)
}

fn negative_length(Negative { at, length, count }: Negative) -> Finding {
    let at = HEADER_LEN + at;
    let words = Words::new(
        format!("评注长度为负（{length}），按无评注处理，共 {count} 处"),
        format!("a comment of negative length ({length}) is taken as none, {count} in all"),
    );
    bad_field(at, at + 4, "comment_length", words).with("value", length).with("count", count)
}
