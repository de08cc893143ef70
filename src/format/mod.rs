//! Bytes to records, one file a format, and the sniffer that tells them apart.

pub mod pgn;
mod sniff;
pub mod xqf;

pub use sniff::{known_but_unread, sniff};

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// PGN with Chinese, ICCS or other moves.
    Pgn,
    /// XQF 1.0 to 1.8 (XQStudio, 象棋演播室).
    Xqf,
}

impl Format {
    /// The name used on the command line and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Xqf => "xqf",
        }
    }

    /// The format called `name` on the command line.
    pub fn from_name(name: &str) -> Option<Format> {
        [Format::Pgn, Format::Xqf].into_iter().find(|format| format.as_str() == name)
    }
}
