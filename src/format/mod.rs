//! Bytes to records, one file a format, and the sniffer that tells them apart.
//!
#![doc = include_str!("FORMATS.md")]

mod binary;
pub mod cbf;
pub mod cbl;
pub mod cbr;
pub mod ccm;
pub mod che;
pub mod chn;
mod coordinates;
pub mod csv;
mod decoded;
pub mod dhtmlxq;
pub mod json;
mod loss;
pub mod moves;
pub mod mxq;
pub mod pgn;
pub mod sheet;
mod sniff;
mod strings;
mod target;
pub mod ubb;
pub mod ucci;
mod write;
pub mod wxf;
pub mod xqf;
pub mod xqr;

pub use loss::{Fate, Loss, Part};
pub use sniff::{known_but_unread, sniff};

use crate::{
    finding::{Binary, Locate},
    record::Record,
    source::{Encoding, Text},
};

/// Takes the records of a file one by one, with the way to their places and the encoding of their text.
pub type Sink<'s> = dyn for<'r> FnMut(Record<'r>, &dyn Locate, Encoding) + 's;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// PGN with Chinese, ICCS or other moves.
    Pgn,
    /// DhtmlXQ and DHJHtmlXQ text in files and pages.
    Dhtmlxq,
    /// Files with `START{ … }END`.
    Wxf,
    /// Bare lists of digits.
    Ubb,
    /// MXQ (弈天).
    Mxq,
    /// CCM (中国游戏中心).
    Ccm,
    /// CHE (QQ 象棋).
    Che,
    /// CHN (联众).
    Chn,
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
    /// Every format.
    pub const ALL: [Format; 17] = [
        Format::Pgn,
        Format::Xqf,
        Format::Cbr,
        Format::Cbl,
        Format::Xqr,
        Format::Cbf,
        Format::Dhtmlxq,
        Format::Wxf,
        Format::Ubb,
        Format::Mxq,
        Format::Ccm,
        Format::Che,
        Format::Chn,
        Format::Moves,
        Format::Csv,
        Format::Json,
        Format::Sheet,
    ];

    /// The name used on the command line and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Xqf => "xqf",
            Format::Cbr => "cbr",
            Format::Cbl => "cbl",
            Format::Xqr => "xqr",
            Format::Cbf => "cbf",
            Format::Dhtmlxq => "dhtmlxq",
            Format::Wxf => "wxf",
            Format::Ubb => "ubb",
            Format::Mxq => "mxq",
            Format::Ccm => "ccm",
            Format::Che => "che",
            Format::Chn => "chn",
            Format::Moves => "moves",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Sheet => "sheet",
        }
    }

    /// The format called `name` on the command line.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Whether moves are squares, not texts in a notation.
    pub const fn is_binary(self) -> bool {
        !matches!(
            self,
            Format::Pgn | Format::Wxf | Format::Moves | Format::Csv | Format::Json | Format::Sheet
        )
    }
}

/// The text of a file of a text format, decoded as its reader decodes it, so that the spans of its records count in it;
/// `None` for formats that are no text.
pub fn text<'b>(bytes: &'b [u8], format: Format, encoding: Option<Encoding>) -> Option<Text<'b>> {
    match format {
        Format::Pgn => Some(decoded::decode_games(bytes, encoding)),
        Format::Dhtmlxq
        | Format::Wxf
        | Format::Ubb
        | Format::Che
        | Format::Moves
        | Format::Csv
        | Format::Sheet
        | Format::Json => Some(decoded::decode(bytes, encoding)),
        Format::Cbf => Some(decoded::decode(bytes, encoding.or_else(|| cbf::declared(bytes)))),
        Format::Mxq
        | Format::Ccm
        | Format::Chn
        | Format::Xqf
        | Format::Cbr
        | Format::Cbl
        | Format::Xqr => None,
    }
}

/// Reads every game of `text`, which [`text`] has given for PGN, handing each with its encoding to `sink` as soon as it
/// is complete. Unlike those of [`read`] the records may be kept as long as the text.
pub fn read_pgn<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>, Encoding)) {
    decoded::records(text, pgn::read, sink);
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
        Format::Pgn => {
            decoded::read_text(&decoded::decode_games(bytes, encoding), pgn::read, sink);
        }
        Format::Dhtmlxq => decoded::read(bytes, encoding, dhtmlxq::read, sink),
        Format::Wxf => decoded::read(bytes, encoding, wxf::read, sink),
        Format::Ubb => decoded::read(bytes, encoding, ubb::read, sink),
        Format::Che => decoded::read(bytes, encoding, che::read, sink),
        Format::Mxq => {
            let (record, encoding) = mxq::read(bytes, encoding);
            sink(record, &Binary, encoding);
        }
        Format::Ccm => sink(ccm::read(bytes), &Binary, encoding.unwrap_or(Encoding::Gb18030)),
        Format::Chn => sink(chn::read(bytes), &Binary, encoding.unwrap_or(Encoding::Gb18030)),
        Format::Moves => decoded::read(bytes, encoding, moves::read, sink),
        Format::Csv => decoded::read(bytes, encoding, csv::read, sink),
        Format::Sheet => decoded::read(bytes, encoding, sheet::read, sink),
        Format::Json => decoded::read_each(bytes, encoding, json::read, sink),
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
