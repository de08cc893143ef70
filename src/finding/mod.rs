//! What is wrong with a record: codes, places, words in two languages.

mod code;
mod explain;
mod place;
mod repair;
mod select;
mod words;

pub use code::{Code, Entry, Severity, UnknownCode};
pub use explain::{explain, what_it_finds};
pub use place::{Binary, Excerpt, Locate, Place, Span};
pub use repair::Edit;
pub use select::Selection;
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
    /// What would repair it safely; empty where nothing would. The first edit stands at the finding's own place.
    pub repair: Vec<Edit>,
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
            repair: Vec::new(),
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

    /// Adds one edit to the repair.
    #[must_use]
    pub fn repaired_by(mut self, edit: Edit) -> Finding {
        self.repair.push(edit);
        self
    }

    /// Adds one value to `data`.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Finding {
        self.data.insert(key.to_owned(), value.into());
        self
    }
}

/// Puts findings into the order of CONTRACT section 4: by path, ply, offset and code; equal ones stay as they are.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        (&a.path, a.ply, a.place.offset, a.code).cmp(&(&b.path, b.ply, b.place.offset, b.code))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    // CONTRACT section 4: "Findings are ordered by path, ply, offset, code."
    #[test]
    fn findings_are_ordered_by_path_then_ply_then_offset_then_code() {
        let finding = |path: &[(u32, u32)], ply, offset, code| {
            let mut finding = Finding::new(code, Words::new("", ""));
            finding.path = path.to_vec();
            finding.ply = ply;
            finding.place.offset = offset;
            finding
        };
        let ordered = [
            finding(&[], 0, None, Code::TRUNCATED),
            finding(&[], 0, Some(9), Code::TRUNCATED),
            finding(&[], 3, Some(5), Code::MOVE_NUMBER),
            finding(&[], 3, Some(5), Code::ILLEGAL_MOVE),
            finding(&[], 30, Some(1), Code::UNKNOWN_FORMAT),
            finding(&[(2, 1)], 2, Some(3), Code::UNKNOWN_FORMAT),
            finding(&[(2, 1), (4, 1)], 4, Some(2), Code::UNKNOWN_FORMAT),
            finding(&[(2, 2)], 1, Some(0), Code::UNKNOWN_FORMAT),
        ];
        let mut findings = ordered.to_vec();
        findings.reverse();
        sort(&mut findings);
        assert_eq!(findings, ordered);
    }
}
