//! Decoded text that still knows which bytes it came from.

use std::{borrow::Cow, sync::OnceLock};

use encoding_rs::DecoderResult;

use crate::finding::{Locate, Place, Span};

use super::{
    Encoding, detect, mixed,
    place::{self, Aligned, Mark, excerpt},
};

/// A file's bytes decoded, with the way back to byte offsets, lines and columns.
#[derive(Debug)]
pub struct Text<'b> {
    bytes: &'b [u8],
    string: Cow<'b, str>,
    encoding: Encoding,
    bom: usize,
    /// Stretches of one encoding, in order; there is always one, and each begins a line.
    parts: Vec<Part>,
    origin: Origin,
}

/// Where the bytes of a text begin in their source, of which they may be a part that begins with a line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Origin {
    /// Bytes of the source before.
    pub byte: u64,
    /// Lines before.
    pub lines: u32,
}

/// A stretch of one encoding.
#[derive(Debug)]
struct Part {
    encoding: Encoding,
    /// Where it begins in the text.
    text: usize,
    /// Where it begins in the source.
    byte: usize,
    /// Length of the BOM that it begins with.
    bom: usize,
    /// Lines before it.
    lines: u32,
    /// Whether some of its bytes could not be decoded.
    faulty: bool,
    marks: OnceLock<Vec<Mark>>,
}

impl Part {
    fn new(encoding: Encoding, text: usize, byte: usize, faulty: bool) -> Part {
        Part { encoding, text, byte, bom: 0, lines: 0, faulty, marks: OnceLock::new() }
    }
}

/// Bytes that the encoding does not know, shown as U+FFFD in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadBytes {
    /// Place of the U+FFFD in the decoded text; of several, where nothing stands between them.
    pub span: Span,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl<'b> Text<'b> {
    /// The most runs of undecodable bytes that [`Text::bad_bytes`] lists.
    pub const BAD_LIMIT: usize = 10_000;

    /// Decodes `bytes`; never fails. A BOM is dropped.
    ///
    /// ```
    /// use qijian::{finding::{Locate, Span}, source::{Encoding, Text}};
    ///
    /// let text = Text::decode(b"\xc5\xda\xb6\xfe\r\n\xc6\xbd\xce\xe5", Encoding::Gb18030);
    /// assert_eq!(text.as_str(), "炮二\r\n平五");
    /// let at = text.as_str().find('五').unwrap();
    /// let place = text.place(Span::new(at, at + 3));
    /// assert_eq!((place.line, place.column, place.offset), (Some(2), Some(2), Some(8)));
    /// ```
    pub fn decode(bytes: &'b [u8], encoding: Encoding) -> Text<'b> {
        let bom = if bytes.starts_with(encoding.bom()) { encoding.bom().len() } else { 0 };
        let (string, faulty) = encoding.codec().decode_without_bom_handling(&bytes[bom..]);
        let part = Part { bom, ..Part::new(encoding, 0, 0, faulty) };
        Text { bytes, string, encoding, bom, parts: vec![part], origin: Origin::default() }
    }

    /// The same text as a part of a larger source, in which its places are then told.
    #[must_use]
    pub fn from_origin(self, origin: Origin) -> Text<'b> {
        Text { origin, ..self }
    }

    /// Decodes `bytes`, whose encoding is found from the content. Games of a PGN file that are in another encoding than
    /// the rest, as in files that were joined, are decoded by themselves.
    ///
    /// ```
    /// use qijian::source::{Encoding, Text};
    ///
    /// let utf8 = "[Red \"许银川\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n\n";
    /// let gbk = Encoding::Gb18030.encode(utf8.to_owned());
    /// let bytes = [utf8.as_bytes(), &gbk, utf8.as_bytes()].concat();
    /// let text = Text::decode_games(&bytes);
    /// assert_eq!(text.as_str(), utf8.repeat(3));
    /// assert!(text.is_mixed());
    /// assert_eq!(text.encoding_at(utf8.len()), Encoding::Gb18030);
    /// ```
    pub fn decode_games(bytes: &'b [u8]) -> Text<'b> {
        Text::decode_games_of(bytes, detect(bytes), false)
    }

    /// The same of bytes from a source whose encoding is `encoding`: a part of it where there are games in that encoding
    /// `beside` these, which then may all be in another one.
    pub fn decode_games_of(bytes: &'b [u8], encoding: Encoding, beside: bool) -> Text<'b> {
        let text = Text::decode(bytes, encoding);
        let starts = mixed::parts(bytes, encoding, text.is_faulty(), beside);
        if starts.is_empty() { text } else { Text::decode_parts(bytes, encoding, &starts) }
    }

    /// Decodes `bytes` by stretches, each from a line start in its encoding; the first begins with the source.
    fn decode_parts(bytes: &'b [u8], encoding: Encoding, starts: &[(usize, Encoding)]) -> Text<'b> {
        let bom = if bytes.starts_with(encoding.bom()) { encoding.bom().len() } else { 0 };
        let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([bytes.len()]);
        let mut string = String::with_capacity(bytes.len());
        let mut parts = Vec::with_capacity(starts.len());
        let mut lines = 0;
        for ((start, own), end) in starts.iter().zip(ends) {
            // Files that are joined keep their marks.
            let own_bom = match bytes[*start..end].starts_with(own.bom()) {
                true => own.bom().len(),
                false if *start == 0 => bom,
                false => 0,
            };
            let source = &bytes[*start + own_bom..end];
            let (decoded, faulty) = own.codec().decode_without_bom_handling(source);
            let part = Part::new(*own, string.len(), *start, faulty);
            parts.push(Part { lines, bom: own_bom, ..part });
            string.push_str(&decoded);
            lines += place::count_lines(&decoded);
        }
        let origin = Origin::default();
        Text { bytes, string: Cow::Owned(string), encoding, bom, parts, origin }
    }

    /// Whether parts of it are in other encodings than the rest of its source.
    pub fn is_mixed(&self) -> bool {
        self.parts.len() > 1 || self.parts[0].encoding != self.encoding
    }

    /// The encoding of the character at `at` of the text.
    pub fn encoding_at(&self, at: usize) -> Encoding {
        self.part(at).0.encoding
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.string
    }

    /// The text, borrowed from the bytes where they needed no decoding.
    pub fn into_string(self) -> Cow<'b, str> {
        self.string
    }

    /// Whether a BOM was dropped.
    pub fn has_bom(&self) -> bool {
        self.bom > 0
    }

    /// Whether some bytes could not be decoded.
    pub fn is_faulty(&self) -> bool {
        self.parts.iter().any(|part| part.faulty)
    }

    /// The byte of the bytes decoded where the character at `at` of the text begins, their length for the end.
    pub fn offset(&self, at: usize) -> usize {
        self.locate(floor(&self.string, at)).byte as usize
    }

    /// The same in the source of which the bytes are a part.
    pub fn source_offset(&self, at: usize) -> u64 {
        self.origin.byte + self.offset(at) as u64
    }

    /// The encoding it was decoded from, of mixed text that of most of it.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The undecodable bytes, in order, those side by side as one; the first [`Text::BAD_LIMIT`] of them.
    pub fn bad_bytes(&self) -> Vec<BadBytes> {
        let mut found: Vec<BadBytes> = Vec::new();
        for (index, part) in self.parts.iter().enumerate().filter(|(_, part)| part.faulty) {
            let end = self.parts.get(index + 1).map_or(self.bytes.len(), |next| next.byte);
            self.bad_bytes_of(part, end, &mut found);
        }
        found
    }

    fn bad_bytes_of(&self, part: &Part, end: usize, found: &mut Vec<BadBytes>) {
        let mut decoder = part.encoding.codec().new_decoder_without_bom_handling();
        let mut out = [0; 4096];
        let (mut at, mut byte) = (part.text, part.byte + part.bom);
        loop {
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(&self.bytes[byte..end], &mut out, true);
            byte += read;
            at += written;
            match result {
                DecoderResult::InputEmpty => return,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(bad, behind) => {
                    let end = byte - usize::from(behind);
                    let bytes = &self.bytes[end - usize::from(bad)..end];
                    let span = Span::new(at, at + REPLACEMENT);
                    at += REPLACEMENT;
                    let full = found.len() == Self::BAD_LIMIT;
                    match found.last_mut() {
                        Some(last) if last.span.end == span.start => {
                            last.span.end = span.end;
                            last.bytes.extend_from_slice(bytes);
                        }
                        _ if full => return,
                        _ => found.push(BadBytes { span, bytes: bytes.to_vec() }),
                    }
                }
            }
        }
    }

    /// The part that the character at `at` of the text is in, and its end in the text and in the source.
    fn part(&self, at: usize) -> (&Part, usize, usize) {
        let behind = self.parts.partition_point(|part| part.text <= at).max(1);
        let next = self.parts.get(behind);
        let text = next.map_or(self.string.len(), |next| next.text);
        let byte = next.map_or(self.bytes.len(), |next| next.byte);
        (&self.parts[behind - 1], text, byte)
    }

    /// The place of the byte `at` of the text, a character boundary.
    fn locate(&self, at: usize) -> Mark {
        let (part, text, byte) = self.part(at);
        let text = &self.string[part.text..text];
        let aligned = Aligned {
            text,
            bytes: &self.bytes[part.byte..byte],
            encoding: part.encoding,
            bom: part.bom,
            same: part.encoding == Encoding::Utf8 && !part.faulty,
        };
        let marks = part.marks.get_or_init(|| aligned.marks());
        let mut mark = aligned.locate(marks, at - part.text);
        mark.byte = mark.byte.saturating_add(u32::try_from(part.byte).unwrap_or(u32::MAX));
        mark.line = mark.line.saturating_add(part.lines);
        mark
    }
}

/// The length of U+FFFD in UTF-8.
pub(super) const REPLACEMENT: usize = '\u{FFFD}'.len_utf8();

impl Locate for Text<'_> {
    /// The place of `span`, which counts in bytes of the decoded text; what lies past the end is taken as the end.
    ///
    /// `\n`, `\r\n` and a lone `\r` end a line. The offset is that of the first byte of the character at the start of
    /// `span`, the BOM counted. The excerpt is the whole line up to 200 characters, else a part with `…` where it is
    /// cut. The cost does not depend on how far into the text `span` is, once the first place has been asked for.
    fn place(&self, span: Span) -> Place {
        let range = span.range();
        let start = floor(&self.string, range.start);
        let end = floor(&self.string, range.end).max(start);
        let at = self.locate(start);
        Place {
            line: Some(at.line.saturating_add(self.origin.lines)),
            column: Some(at.column),
            offset: Some(self.origin.byte + u64::from(at.byte)),
            excerpt: Some(excerpt(&self.string, start..end)),
        }
    }
}

/// The last character boundary of `text` up to `at`.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ENCODINGS: [Encoding; 5] =
        [Encoding::Utf8, Encoding::Gb18030, Encoding::Big5, Encoding::Utf16Le, Encoding::Utf16Be];

    /// `text` in `encoding`, without a BOM.
    fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
        match encoding {
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            _ => {
                let (bytes, _, lossy) = encoding.codec().encode(text);
                assert!(!lossy, "{text} cannot be written in {encoding:?}");
                bytes.into_owned()
            }
        }
    }

    /// Line and column of each character by counting, the slow way.
    fn by_counting(text: &str) -> Vec<(usize, u32, u32)> {
        let (mut line, mut column) = (1, 1);
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        let mut places = Vec::new();
        for (i, &(at, c)) in chars.iter().enumerate() {
            places.push((at, line, column));
            let next = chars.get(i + 1).map(|&(_, c)| c);
            if c == '\n' || (c == '\r' && next != Some('\n')) {
                (line, column) = (line + 1, 1);
            } else {
                column += 1;
            }
        }
        places.push((text.len(), line, column));
        places
    }

    /// Every character of `text` has, in every encoding, the place known by counting and by encoding what precedes.
    fn assert_exact(text: &str, encoding: Encoding, bom: bool) {
        let mut bytes = if bom { encoding.bom().to_vec() } else { Vec::new() };
        let before = bytes.len();
        bytes.extend(encode(text, encoding));
        let decoded = Text::decode(&bytes, encoding);
        assert_eq!(decoded.as_str(), text);
        assert_eq!(decoded.bad_bytes(), []);
        for (at, line, column) in by_counting(text) {
            let place = decoded.place(Span::new(at, at));
            let offset = before + encode(&text[..at], encoding).len();
            assert_eq!(
                (place.line, place.column, place.offset),
                (Some(line), Some(column), Some(offset as u64)),
                "{encoding:?} at {at} of {text:?}"
            );
        }
    }

    #[test]
    fn places_are_exact_in_every_encoding() {
        let text = "[Event \"全國賽\"]\r\n1. 炮二平五 馬8進7\n\n\r\r\n中\t(2) 兵七進一\r末";
        for encoding in ENCODINGS {
            assert_exact(text, encoding, false);
            assert_exact(text, encoding, true);
        }
        // Four-byte characters of GB18030, surrogate pairs of UTF-16.
        for encoding in [Encoding::Utf8, Encoding::Gb18030, Encoding::Utf16Le, Encoding::Utf16Be] {
            assert_exact("𠮷a\u{E000}é\n😀ü炮\u{FFFD}", encoding, true);
        }
    }

    #[test]
    fn places_are_exact_in_and_behind_very_long_lines() {
        let long = format!("{}\n短\r\n{}\r", "炮2平5 ".repeat(2500), "馬8進7 ".repeat(1200));
        for encoding in ENCODINGS {
            let bytes = encode(&long, encoding);
            let decoded = Text::decode(&bytes, encoding);
            for (at, line, column) in by_counting(&long).into_iter().step_by(97) {
                let place = decoded.place(Span::new(at, at + 1));
                assert_eq!((place.line, place.column), (Some(line), Some(column)));
                assert_eq!(place.offset, Some(encode(&long[..at], encoding).len() as u64));
            }
        }
    }

    #[test]
    fn bad_bytes_have_their_bytes_and_places() {
        let decoded = Text::decode(b"a\xff\xff\xc5\xda\xfe\nb\x81", Encoding::Gb18030);
        assert_eq!(decoded.as_str(), "a\u{FFFD}\u{FFFD}炮\u{FFFD}\nb\u{FFFD}");
        let bad = decoded.bad_bytes();
        let bytes: Vec<&[u8]> = bad.iter().map(|bad| &bad.bytes[..]).collect();
        assert_eq!(bytes, [&b"\xff\xff"[..], b"\xfe", b"\x81"]);
        let offsets: Vec<_> = bad.iter().map(|bad| decoded.place(bad.span).offset).collect();
        assert_eq!(offsets, [Some(1), Some(5), Some(8)]);
        for bad in bad {
            assert!(decoded.as_str()[bad.span.range()].chars().all(|c| c == '\u{FFFD}'));
        }
    }

    #[test]
    fn a_line_end_behind_half_a_character_still_ends_the_line() {
        // Names cut at a field width, then a line end: neither encoding has 0A or 0D as a second byte.
        for encoding in [Encoding::Utf8, Encoding::Gb18030, Encoding::Big5] {
            let decoded = Text::decode(b"\xe4\r\n\xe4\nx", encoding);
            let at = decoded.as_str().find('x').unwrap();
            let place = decoded.place(Span::new(at, at + 1));
            assert_eq!((place.line, place.column, place.offset), (Some(3), Some(1), Some(5)));
        }
    }

    #[test]
    fn spans_past_the_end_are_taken_as_the_end() {
        let decoded = Text::decode("炮\n".as_bytes(), Encoding::Utf8);
        for span in [Span::new(4, 4), Span::new(90, 100), Span { start: 9, end: 2 }] {
            let place = decoded.place(span);
            assert_eq!((place.line, place.column, place.offset), (Some(2), Some(1), Some(4)));
        }
        assert_eq!(decoded.place(Span::new(1, 2)).offset, Some(0));
        assert_eq!(Text::decode(b"", Encoding::Big5).place(Span::new(0, 0)).line, Some(1));
    }

    #[test]
    fn a_list_of_bad_bytes_is_bounded() {
        let bytes = b"\xff ".repeat(Text::BAD_LIMIT + 5);
        assert_eq!(Text::decode(&bytes, Encoding::Utf8).bad_bytes().len(), Text::BAD_LIMIT);
    }

    proptest! {
        #[test]
        fn any_text_has_exact_places(text in "[a1 \r\n炮進馬é\u{20AC}😀]{0,60}") {
            for encoding in [Encoding::Utf8, Encoding::Gb18030, Encoding::Utf16Le, Encoding::Utf16Be] {
                assert_exact(&text, encoding, false);
            }
        }

        #[test]
        fn any_bytes_have_places_in_order(
            bytes in prop::collection::vec(
                prop::sample::select(&[0, 10, 13, 48, 65, 129, 132, 176, 196, 216, 220, 254, 255][..]),
                0..60,
            ),
            copies in prop::sample::select(&[1, 200][..]),
        ) {
            let bytes = bytes.repeat(copies);
            for encoding in ENCODINGS {
                let decoded = Text::decode(&bytes, encoding);
                let mut last = 0;
                let end = decoded.as_str().len();
                let sampled = |&(i, (at, ..)): &(usize, (usize, u32, u32))| {
                    copies == 1 || i % 101 == 0 || at == end
                };
                let places = by_counting(decoded.as_str()).into_iter().enumerate().filter(sampled);
                for (_, (at, line, column)) in places {
                    let place = decoded.place(Span::new(at, at));
                    prop_assert_eq!((place.line, place.column), (Some(line), Some(column)));
                    let offset = place.offset.unwrap();
                    prop_assert!(last <= offset && offset <= bytes.len() as u64);
                    last = offset;
                }
                prop_assert_eq!(last, bytes.len() as u64);
                for bad in decoded.bad_bytes().into_iter().take(60) {
                    let at = decoded.place(bad.span).offset.unwrap() as usize;
                    prop_assert_eq!(&bytes[at..at + bad.bytes.len()], &bad.bytes[..]);
                }
            }
        }
    }
}
