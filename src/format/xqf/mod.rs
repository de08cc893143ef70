//! XQF, the format of XQStudio (象棋演播室), versions 1.0 to 1.8.
//!
//! A header of 1024 bytes with the board and some short strings, then the moves with their comments, depth first.
//! From version 1.1 on squares, moves and comments are masked by keys that stand in the header. Layout:
//! `grammars/xqf.ksy`.

mod fields;
mod header;
mod keys;
mod moves;
mod write;

pub use write::write;

use std::borrow::Cow;

use crate::{
    finding::Span,
    record::{Comment, Record, Start},
    source::Encoding,
};

use super::{
    binary::{bad_field, finding, restore},
    strings::Strings,
};
pub(super) use header::ORDER;
use header::{HEADER_LEN, Header};
use keys::Keys;

/// The first two bytes of every XQF file.
const SIGNATURE: &[u8; 2] = b"XQ";

/// Whether `bytes` begin like an XQF file: the signature, a version that can be, and a whole header.
///
/// ```
/// assert!(!qijian::format::xqf::is_xqf(b"XQ is no header"));
/// ```
pub fn is_xqf(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE) && bytes.len() >= HEADER_LEN && bytes[2] <= 0x20
}

/// Reads the game of an XQF file; `encoding` `None` decides between GB18030 and Big5 by the file's own text. Total: any bytes give a record with findings. Returns the encoding used.
///
/// The start position is always that of the piece table, whatever the kind of record the header names (R22).
/// Variations keep their place in the tree (R17). The side to move is given only where the header says Black, as
/// most programs leave it at Red.
///
/// ```
/// use qijian::format::xqf;
///
/// let (record, _) = xqf::read(b"XQ\x0a", None);
/// assert_eq!(record.findings[0].code.to_string(), "QJ002");
/// ```
pub fn read(bytes: &[u8], encoding: Option<Encoding>) -> (Record<'_>, Encoding) {
    let header = Header::new(bytes);
    let keys = Keys::new(&header);
    let plain = keys.unmask(bytes.get(HEADER_LEN..).unwrap_or_default(), HEADER_LEN);
    let moves = moves::read(&plain, bytes, &header, &keys);
    let fields = fields::read(&header);

    let texts = fields.iter().map(|field| field.bytes);
    let texts = texts.chain(moves.comments.iter().map(|comment| comment.bytes));
    let mut strings = Strings::new(encoding, texts);
    let mut record = Record::new(1);
    record.span = Span::new(0, bytes.len());
    record.raw = bytes;
    record.findings = header.findings(&keys);
    record.start = Start::Board { setup: Box::new(header.setup(&keys)), span: header.board_span() };
    record.result = header.result();
    record.tags = fields
        .iter()
        .filter_map(|field| strings.tag(field.name, field.bytes, field.span))
        .collect();
    record.tree = moves.tree;
    for comment in &moves.comments {
        let text = strings.comment(comment, &record.tree);
        if !text.is_empty() {
            let text = Cow::Owned(text);
            record.tree.comments.push(Comment { node: comment.node, text, span: comment.span });
        }
    }
    record.findings.extend(fields.iter().filter_map(fields::Field::finding));
    record.findings.extend(moves.findings);
    let (encoding, findings) = strings.finish();
    record.findings.extend(findings);
    (record, encoding)
}

#[cfg(test)]
mod tests;
