//! What all binary formats share: bytes of strings and comments to text, in one encoding for the file.

use std::borrow::Cow;

use crate::{
    finding::{Code, Finding, Locate, Span, Words},
    record::{NodeId, Tag, Tree},
    source::{Encoding, Text, detect_chinese},
};

use super::binary::{RawComment, finding};

/// How many texts with undecodable bytes are reported one by one.
const REPORTED: usize = 100;

/// How much text is weighed to find the encoding, in bytes.
const WEIGHED: usize = 256 << 10;

/// The decoder of a file's texts, and what it could not decode.
pub(super) struct Strings {
    encoding: Encoding,
    findings: Vec<Finding>,
    unreported: usize,
}

impl Strings {
    /// Decides the encoding: as `chosen`, else by all text of the file, as a name alone is too short to tell.
    pub(super) fn new<'t>(
        chosen: Option<Encoding>,
        texts: impl Iterator<Item = &'t [u8]>,
    ) -> Strings {
        let decide = || {
            let mut all = Vec::new();
            for text in texts {
                if all.len() > WEIGHED {
                    break;
                }
                all.extend_from_slice(text);
                all.push(b'\n');
            }
            detect_chinese(&all)
        };
        Strings::in_encoding(chosen.unwrap_or_else(decide))
    }

    /// For a format that has one encoding.
    pub(super) fn in_encoding(encoding: Encoding) -> Strings {
        Strings { encoding, findings: Vec::new(), unreported: 0 }
    }

    /// The tag `name` of a string of the header that stands at `span`; `None` for blanks.
    ///
    /// A string may be cut in the middle of its last character, as there are only 15 bytes for a name: that half of a
    /// character is dropped, and no fault of the file.
    pub(super) fn tag<'a>(
        &mut self,
        name: &'static str,
        bytes: &'a [u8],
        span: Span,
    ) -> Option<Tag<'a>> {
        let whole = without_half_character(bytes, self.encoding);
        let value = self.decode(whole, span, NodeId::ROOT, None);
        (!value.trim().is_empty()).then_some(Tag { name: Cow::Borrowed(name), value, span })
    }

    /// The text of a comment with `\n` as line end, without the line end and the zeros that programs put behind it.
    pub(super) fn comment(&mut self, comment: &RawComment<'_>, tree: &Tree<'_>) -> String {
        let mut bytes = comment.bytes;
        if comment.cut {
            bytes = without_half_character(bytes, self.encoding);
        }
        let text = self.decode(bytes, comment.span, comment.node, Some(tree));
        let text = text.trim_end_matches('\0');
        text.strip_suffix("\r\n").unwrap_or(text).replace("\r\n", "\n")
    }

    fn decode<'a>(
        &mut self,
        bytes: &'a [u8],
        span: Span,
        node: NodeId,
        tree: Option<&Tree<'_>>,
    ) -> Cow<'a, str> {
        let text = Text::decode(bytes, self.encoding);
        let bad = text.bad_bytes();
        let Some(first) = bad.first() else { return text.into_string() };
        if self.findings.len() == REPORTED {
            self.unreported += 1;
            return text.into_string();
        }
        let place = text.place(first.span);
        let at = span.range().start + place.offset.map_or(0, |at| at as usize);
        let bytes: Vec<u8> = bad.iter().flat_map(|bad| &bad.bytes).copied().collect();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let (count, name) = (bytes.len(), self.encoding.as_str());
        let words = Words::new(
            format!("有 {count} 字节不是 {name} 文字，显示为 \u{FFFD}"),
            format!("bytes that are no {name} text: {count}, shown as \u{FFFD}"),
        );
        let help = Words::new(
            "若全文都是乱码，用 --encoding 指定编码",
            "if all of the text is garbled, name its encoding with --encoding",
        );
        let line = place.excerpt.map(|excerpt| excerpt.line).unwrap_or_default();
        let mut finding = finding(Code::UNDECODABLE_TEXT, at, at + 1, words).text(line).help(help);
        if let Some(tree) = tree {
            (finding.path, finding.ply) = tree.branch(node);
        }
        self.findings.push(finding.with("bytes", hex).with("kept", true));
        text.into_string()
    }

    /// The encoding used and the findings.
    pub(super) fn finish(mut self) -> (Encoding, Vec<Finding>) {
        if let Some(last) = self.findings.last_mut().filter(|_| self.unreported > 0) {
            last.data.insert("more".to_owned(), self.unreported.into());
        }
        (self.encoding, self.findings)
    }
}

/// `bytes` without the beginning of a character at their end.
pub(super) fn without_half_character(bytes: &[u8], encoding: Encoding) -> &[u8] {
    let mut at = 0;
    while let Some(&lead) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        let width = match (encoding, lead) {
            (Encoding::Utf16Le | Encoding::Utf16Be, _) => 2,
            (_, 0..=0x80) => 1,
            (Encoding::Utf8, 0xF0..) => 4,
            (Encoding::Utf8, 0xE0..) => 3,
            (Encoding::Utf8, 0xC0..) => 2,
            (Encoding::Utf8, _) => 1,
            (Encoding::Gb18030, _) if next.is_some_and(|next| next.is_ascii_digit()) => 4,
            (Encoding::Gb18030 | Encoding::Big5, _) => {
                // What cannot be a second byte shows that the first stands alone.
                if next.is_some_and(|next| next < 0x40) { 1 } else { 2 }
            }
        };
        if at + width > bytes.len() {
            return &bytes[..at];
        }
        at += width;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_dropped_at_the_end_only() {
        for (bytes, encoding, kept) in [
            (&b"\xba\xfa\xc8"[..], Encoding::Gb18030, 2),
            (b"\xba\xfa", Encoding::Gb18030, 2),
            (b"a\x81\x30\x81", Encoding::Gb18030, 1),
            (b"\x81\x30\x81\x30", Encoding::Gb18030, 4),
            (b"\xadJ\xba", Encoding::Big5, 2),
            (b"\xba\r\nx", Encoding::Gb18030, 4),
            (b"\xe7\x82", Encoding::Utf8, 0),
            (b"a\0\xae", Encoding::Utf16Le, 2),
            (b"", Encoding::Big5, 0),
        ] {
            assert_eq!(without_half_character(bytes, encoding).len(), kept, "{bytes:?}");
        }
    }
}
