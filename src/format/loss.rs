//! What a target format cannot hold, told by its writer.

use crate::{finding::Span, record::NodeId};

/// Something of a record that its target cannot hold as it is (`QJ010`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// What it is.
    pub part: Part,
    /// The ply that it belongs to; the root for the whole game.
    pub node: NodeId,
    /// Where it stands in the source.
    pub span: Span,
    /// What became of it.
    pub fate: Fate,
    /// What it says where it was dropped, what was written for it where it was changed, and what does not read back the
    /// same.
    pub text: String,
}

impl Loss {
    /// Something that is not in the file at all.
    pub fn dropped(part: Part, node: NodeId, span: Span, text: impl Into<String>) -> Loss {
        Loss { part, node, span, fate: Fate::Dropped, text: text.into() }
    }

    /// Something for which `written` stands in the file.
    pub fn changed(part: Part, node: NodeId, span: Span, written: impl Into<String>) -> Loss {
        Loss { part, node, span, fate: Fate::Changed, text: written.into() }
    }
}

/// What becomes of something that a target cannot hold as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fate {
    /// It is not in the file.
    Dropped,
    /// Something else stands for it.
    Changed,
    /// It was written, but does not read back as what was meant.
    Differs,
}

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// A tag.
    Tag,
    /// The start position.
    Start,
    /// A ply.
    Move,
    /// Marks such as `!`.
    Marks,
    /// A comment.
    Comment,
    /// The result.
    Result,
    /// Text beside the game.
    Beside,
    /// The game as a whole.
    Game,
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
            Part::Beside => "beside",
            Part::Game => "game",
        }
    }
}
