//! What is written: tags, start position, move tree, comments, result, each with its place in the source.
//!
//! Written is not played: nothing here is normalised or judged, the replay decides what it means. Text is borrowed
//! from the source where the source is text, so a record costs no string a move.

mod outcome;
mod tags;
mod tree;

pub use outcome::Outcome;
pub use tags::{Tag, standard_key};
pub use tree::{Branches, Comment, Comments, Node, NodeId, Tree, Written};

use std::borrow::Cow;

use crate::{
    board::{Setup, Side},
    finding::{Finding, Span},
};

/// One game as written.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// 1-based number of the game in its source.
    pub game: u32,
    /// Tags in the order written, unknown ones too.
    pub tags: Vec<Tag<'a>>,
    /// Where the game starts.
    pub start: Start<'a>,
    /// The moves.
    pub tree: Tree<'a>,
    /// The end marker of the move text, or the result field of a binary file.
    pub result: Option<Marker<'a>>,
    /// Moves written after the end marker, in order.
    pub after_end: Vec<(Written<'a>, Span)>,
    /// The player who kept the scoresheet (记录者), where the record says so; a remark without a side is this player's.
    pub owner: Option<Side>,
    /// Whether the remarks stand in columns of the sides (红方备注, 黑方备注): a remark is then that of the side whose move it
    /// stands on, whoever kept the sheet.
    pub sided_remarks: bool,
    /// What the reader found wrong.
    pub findings: Vec<Finding>,
    /// Text beside the game, a line each: escaped lines, what stands behind a rule or behind the end marker and is no
    /// move. It is no part of the game, and kept so that nothing is lost.
    pub beside: Vec<(Cow<'a, str>, Span)>,
    /// All of the record in the source.
    pub span: Span,
    /// The bytes at `span` for binary formats, else empty. A writer of the same format takes from here what this type
    /// has no place for: keys, reserved fields, padding, and everything that reads back as what the record says.
    pub raw: &'a [u8],
}

/// The start position as written.
#[derive(Clone, PartialEq, Debug)]
pub enum Start<'a> {
    /// Not written: the start position of the game (article 1.3).
    Standard,
    /// A FEN, understood or not.
    Fen {
        /// The text of the tag.
        text: Cow<'a, str>,
        /// Where it stands.
        span: Span,
    },
    /// A board of a binary file.
    Board {
        /// The pieces, and the side to move where the format has a field that can be trusted.
        setup: Box<Setup>,
        /// Where it stands.
        span: Span,
    },
}

/// A result as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker<'a> {
    /// The words or the value.
    pub text: Cow<'a, str>,
    /// What they mean.
    pub outcome: Outcome,
    /// Where they stand.
    pub span: Span,
}

impl Record<'_> {
    /// An empty record, the `game`th of its source.
    pub fn new(game: u32) -> Self {
        Record {
            game,
            tags: Vec::new(),
            start: Start::Standard,
            tree: Tree::new(),
            result: None,
            after_end: Vec::new(),
            owner: None,
            sided_remarks: false,
            findings: Vec::new(),
            beside: Vec::new(),
            span: Span::default(),
            raw: &[],
        }
    }

    /// The value of the first tag whose standard key is `key`, such as `result`.
    pub fn tag(&self, key: &str) -> Option<&Tag<'_>> {
        self.tags.iter().find(|tag| standard_key(&tag.name) == Some(key))
    }
}
