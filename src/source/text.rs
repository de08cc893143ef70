//! Decoded text that still knows which bytes it came from.

use std::borrow::Cow;

use crate::finding::{Locate, Place, Span};

use super::Encoding;

/// A file's bytes decoded, with the way back to byte offsets, lines and columns.
#[derive(Debug)]
pub struct Text<'b> {
    bytes: &'b [u8],
    string: Cow<'b, str>,
    encoding: Encoding,
}

/// Bytes that the encoding does not know, shown as U+FFFD in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadBytes {
    /// Place of the U+FFFD in the decoded text.
    pub span: Span,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl<'b> Text<'b> {
    /// Decodes `bytes`; never fails. A BOM is dropped.
    pub fn decode(_bytes: &'b [u8], _encoding: Encoding) -> Text<'b> {
        todo!()
    }
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.string
    }
    /// The encoding it was decoded from.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }
    /// The undecodable bytes, in order.
    pub fn bad_bytes(&self) -> Vec<BadBytes> {
        let _ = self.bytes;
        todo!()
    }
}

impl Locate for Text<'_> {
    fn place(&self, _span: Span) -> Place {
        todo!()
    }
}
