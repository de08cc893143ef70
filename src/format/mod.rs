//! Bytes to records, one file a format, and the sniffer that tells them apart.

mod binary;
pub mod cbf;
pub mod cbl;
pub mod cbr;
mod decoded;
pub mod pgn;
mod sniff;
mod strings;
mod write;
pub mod xqf;
pub mod xqr;

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
    /// CBR (CCBridge, 象棋桥), one game.
    Cbr,
    /// CBL (CCBridge), a library in either form.
    Cbl,
    /// XQR.
    Xqr,
    /// CBF (CCBridge), XML.
    Cbf,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] =
        [Format::Pgn, Format::Xqf, Format::Cbr, Format::Cbl, Format::Xqr, Format::Cbf];

    /// The name used on the command line and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Xqf => "xqf",
            Format::Cbr => "cbr",
            Format::Cbl => "cbl",
            Format::Xqr => "xqr",
            Format::Cbf => "cbf",
        }
    }

    /// The format called `name` on the command line.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Whether moves are squares, not texts in a notation.
    pub const fn is_binary(self) -> bool {
        !matches!(self, Format::Pgn)
    }
}

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
        Format::Xqf => {
            let (record, encoding) = xqf::read(bytes, encoding);
            sink(record, &Binary, encoding);
        }
        Format::Cbr => sink(cbr::read(bytes), &Binary, Encoding::Utf16Le),
        Format::Cbl if cbl::is_old(bytes) => {
            cbl::old::read(bytes, encoding, &mut |record, encoding| {
                sink(record, &cbl::old::Inflated::of(bytes), encoding);
            });
        }
        Format::Cbl => {
            cbl::read(bytes, &mut |record| sink(record, &Binary, Encoding::Utf16Le));
        }
        Format::Xqr => sink(xqr::read(bytes), &Binary, Encoding::Utf8),
        Format::Cbf => {
            let encoding = encoding.or_else(|| cbf::declared(bytes));
            decoded::read(bytes, encoding, cbf::read, sink);
        }
    }
}
