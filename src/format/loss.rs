//! What a target format cannot hold, told by its writer.

use crate::{finding::Span, record::NodeId};

/// Something of a record that its target cannot hold as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// What it is.
    pub part: Part,
    /// The ply that it belongs to; the root for the whole game.
    pub node: NodeId,
    /// Where it stands in the source.
    pub span: Span,
    /// What it says, or what was written for it.
    pub text: String,
}

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// A tag.
    Tag,
    /// The start position.
    Start,
    /// A ply, with what follows it.
    Move,
    /// Marks such as `!`.
    Marks,
    /// A comment.
    Comment,
    /// The result.
    Result,
}

impl Part {
    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Part::Tag => "tag",
            Part::Start => "start",
            Part::Move => "move",
            Part::Marks => "marks",
            Part::Comment => "comment",
            Part::Result => "result",
        }
    }
}
