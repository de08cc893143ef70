//! What is wrong with a record: codes, places, words in two languages.

mod code;
mod place;
mod words;

pub use code::{Code, Entry, Severity};
pub use place::{Binary, Excerpt, Locate, Place, Span};
pub use words::{Lang, Words};

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::board::Side;

/// One thing found in one game (CONTRACT section 4).
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// What kind of thing.
    pub code: Code,
    /// How bad: the catalogue's severity, unless the case asks for another.
    pub severity: Severity,
    /// Empty on the main line, else the branches taken, `(ply, index)` with the main line as index 0.
    pub path: Vec<(u32, u32)>,
    /// The ply it concerns, from 1; 0 for the whole game.
    pub ply: u32,
    /// The round of that ply.
    pub round: Option<u32>,
    /// Whose ply it is.
    pub side: Option<Side>,
    /// The text as written.
    pub text: Option<String>,
    /// Where in the source.
    pub place: Place,
    /// The article that decides, such as `2.2`.
    pub article: Option<Cow<'static, str>>,
    /// What is wrong.
    pub message: Words,
    /// What to do about it.
    pub help: Option<Words>,
    /// What the code documents.
    pub data: Map<String, Value>,
    /// FEN of the position it concerns, for a diagram.
    pub board: Option<String>,
}

impl Finding {
    /// A finding of `code` about the whole game, with the catalogue's severity and article.
    pub fn new(code: Code, message: Words) -> Finding {
        let entry = code.entry();
        Finding {
            code,
            severity: entry.severity,
            path: Vec::new(),
            ply: 0,
            round: None,
            side: None,
            text: None,
            place: Place::default(),
            article: entry.article.map(Cow::Borrowed),
            message,
            help: None,
            data: Map::new(),
            board: None,
        }
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Finding {
        self.place = place;
        self
    }

    /// Sets the text as written.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Finding {
        self.text = Some(text.into());
        self
    }

    /// Sets ply, round and side.
    #[must_use]
    pub fn ply(mut self, ply: u32, round: u32, side: Side) -> Finding {
        self.ply = ply;
        self.round = Some(round);
        self.side = Some(side);
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: Words) -> Finding {
        self.help = Some(help);
        self
    }

    /// Sets the severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Finding {
        self.severity = severity;
        self
    }

    /// Adds one value to `data`.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Finding {
        self.data.insert(key.to_owned(), value.into());
        self
    }
}
