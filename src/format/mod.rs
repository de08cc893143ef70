//! Bytes to records, one file a format, and the sniffer that tells them apart.

pub mod csv;
mod decoded;
pub mod json;
mod loss;
pub mod moves;
pub mod pgn;
pub mod sheet;
mod sniff;
pub mod xqf;

pub use loss::{Loss, Part};
pub use sniff::{known_but_unread, sniff};

use crate::{
    finding::{Binary, Locate},
    record::Record,
    source::Encoding,
};

/// Takes the records of a file one by one, with the way to their places and the encoding of their text.
pub type Sink<'s> = dyn for<'r> FnMut(Record<'r>, &dyn Locate, Encoding) + 's;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// PGN with Chinese, ICCS or other moves.
    Pgn,
    /// XQF 1.0 to 1.8 (XQStudio, 象棋演播室).
    Xqf,
    /// Bare lists of moves and positions.
    Moves,
    /// Tables of moves as separated values.
    Csv,
    /// Games as JSON objects, our own output among them.
    Json,
    /// Hand-kept scoresheets in text.
    Sheet,
}

impl Format {
    /// The name used on the command line and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Xqf => "xqf",
            Format::Moves => "moves",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Sheet => "sheet",
        }
    }

    /// The format called `name` on the command line.
    pub fn from_name(name: &str) -> Option<Format> {
        ALL.into_iter().find(|format| format.as_str() == name)
    }
}

/// Every format.
const ALL: [Format; 6] =
    [Format::Pgn, Format::Xqf, Format::Moves, Format::Csv, Format::Json, Format::Sheet];

/// Reads every game of `bytes` as `format`, handing each to `sink` as soon as it is complete; none where nothing is
/// readable. `encoding` `None` finds the encoding of text from the content.
///
/// ```
/// use qijian::format::{self, Format};
///
/// let mut plies = Vec::new();
/// format::read("1. 炮二平五 马8进7 *".as_bytes(), Format::Pgn, None, &mut |record, _, _| plies.push(record.tree.len()));
/// assert_eq!(plies, [2]);
/// ```
pub fn read(bytes: &[u8], format: Format, encoding: Option<Encoding>, sink: &mut Sink<'_>) {
    match format {
        Format::Pgn => decoded::read(bytes, encoding, pgn::read, sink),
        Format::Moves => decoded::read(bytes, encoding, moves::read, sink),
        Format::Csv => decoded::read(bytes, encoding, csv::read, sink),
        Format::Sheet => decoded::read(bytes, encoding, sheet::read, sink),
        Format::Json => decoded::read_each(bytes, encoding, json::read, sink),
        Format::Xqf => {
            let (record, encoding) = xqf::read(bytes, encoding);
            sink(record, &Binary, encoding);
        }
    }
}
