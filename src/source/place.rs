//! From a byte of the decoded text to line, column and the byte of the source.
//!
//! Text and source run side by side: a line end of the one is a line end of the other in every encoding that is
//! read, as neither 0A nor 0D is ever part of another character. So whole lines are skipped by counting their ends,
//! and only within a line must characters be decoded one by one. Marks every few thousand bytes bound both.

use std::ops::Range;

use encoding_rs::DecoderResult;

use crate::finding::Excerpt;

use super::{Encoding, text::REPLACEMENT};

/// A point of the text with its place in the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// Byte of the decoded text.
    text: u32,
    /// Byte of the source.
    pub(super) byte: u32,
    /// 1-based line.
    pub(super) line: u32,
    /// 1-based column in characters.
    pub(super) column: u32,
}

/// Bytes of the text from one mark to the next.
const STRIDE: usize = 4096;

/// A decoded text and its source.
#[derive(Clone, Copy)]
pub(super) struct Aligned<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) encoding: Encoding,
    /// Length of the BOM, which the text has not.
    pub(super) bom: usize,
    /// Whether the text is the source behind the BOM, byte for byte.
    pub(super) same: bool,
}

impl Aligned<'_> {
    /// Marks through the whole text, in order; the first is its start.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let mut last = Mark { text: 0, byte: small(self.bom), line: 1, column: 1 };
        let mut marks = vec![last];
        while let Some(target) = self.stride(last.text as usize) {
            last = match last_line_start(self.text, last.text as usize..target) {
                Some(start) => self.advance(last, start),
                None => match self.advance_within_line(last, target) {
                    Some(mark) => mark,
                    None => break,
                },
            };
            marks.push(last);
        }
        marks
    }

    /// The place of the byte `target` of the text, a character boundary.
    pub(super) fn locate(&self, marks: &[Mark], target: usize) -> Mark {
        let behind = marks.partition_point(|mark| mark.text as usize <= target);
        self.advance(marks[behind.max(1) - 1], target)
    }

    /// The end of the stretch that the next mark closes; `None` where the text ends before.
    fn stride(&self, from: usize) -> Option<usize> {
        (from + STRIDE..self.text.len()).find(|&at| self.text.is_char_boundary(at))
    }

    fn advance(&self, from: Mark, target: usize) -> Mark {
        let start = from.text as usize;
        let stretch = stretch(self.text, start..target);
        let (mut mark, line_start) = match line_ends(stretch).next_back() {
            None => (from, start),
            Some(line_end) => {
                let line_start = start + line_end;
                let count = line_ends(stretch).count();
                let byte = self.skip_lines(from.byte as usize, count);
                (
                    Mark { byte: small(byte), line: from.line + small(count), column: 1, ..from },
                    line_start,
                )
            }
        };
        mark.byte = small(self.walk(line_start, mark.byte as usize, target, false).1);
        mark.column += small(self.text[line_start..target].chars().count());
        mark.text = small(target);
        mark
    }

    /// A mark at or behind `target`, which no line end separates from `from`; `None` where the text ends before one
    /// is found.
    fn advance_within_line(&self, from: Mark, target: usize) -> Option<Mark> {
        let start = from.text as usize;
        let (text, byte) = self.walk(start, from.byte as usize, target, true);
        (text < self.text.len()).then(|| match last_line_start(self.text, start..text) {
            Some(line_start) => self.advance(from, line_start),
            None => Mark {
                text: small(text),
                byte: small(byte),
                column: from.column + small(self.text[start..text].chars().count()),
                ..from
            },
        })
    }

    /// The byte of the source behind the `count`th line end from `from` on.
    fn skip_lines(&self, from: usize, count: usize) -> usize {
        let rest = &self.bytes[from..];
        let end = match self.encoding {
            Encoding::Utf16Le | Encoding::Utf16Be => {
                let low = usize::from(self.encoding == Encoding::Utf16Be);
                wide_line_ends(rest, low).nth(count - 1)
            }
            Encoding::Utf8 | Encoding::Gb18030 | Encoding::Big5 => line_ends(rest).nth(count - 1),
        };
        end.map_or(self.bytes.len(), |end| from + end)
    }

    /// Decodes from the byte `byte` of the source, where the character at `text` begins, to the character at
    /// `target`, and gives both places there. With `clean` it goes on to the first place behind which the decoder
    /// holds nothing back, so that decoding can begin there anew.
    fn walk(&self, text: usize, byte: usize, target: usize, clean: bool) -> (usize, usize) {
        if self.same || text == target {
            return (target, byte + (target - text));
        }
        let mut decoder = self.encoding.codec().new_decoder_without_bom_handling();
        let mut out = [0; 32];
        let (mut at, mut start) = (text, byte);
        for next in byte + 1..=self.bytes.len() + 1 {
            // The decoder is given one byte at a time, at last none and the word that this was the end.
            let last = next > self.bytes.len();
            let mut source = self.bytes.get(next - 1..next).unwrap_or_default();
            let before = at;
            let mut faulty = false;
            loop {
                let (result, read, written) =
                    decoder.decode_to_utf8_without_replacement(source, &mut out, last);
                source = &source[read..];
                for c in self.text[at..at + written].chars() {
                    if at >= target && !clean {
                        return (at, start);
                    }
                    at += c.len_utf8();
                    start = if c.is_ascii() && self.is_bytewise() { start + 1 } else { next };
                }
                match result {
                    DecoderResult::InputEmpty => break,
                    DecoderResult::OutputFull => {}
                    DecoderResult::Malformed(bad, _) => {
                        faulty = true;
                        if at >= target && !clean {
                            return (at, start);
                        }
                        at += REPLACEMENT;
                        start += usize::from(bad);
                    }
                }
            }
            if at >= target && !faulty && at > before && (clean || start == next) {
                return (at, start);
            }
        }
        (self.text.len(), self.bytes.len())
    }

    fn is_bytewise(&self) -> bool {
        !matches!(self.encoding, Encoding::Utf16Le | Encoding::Utf16Be)
    }
}

/// Sizes as they are kept; what lies past 4 GiB is clamped, as no source is so large.
fn small(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

/// How many lines end in `text`.
pub(super) fn count_lines(text: &str) -> u32 {
    count_line_ends(text.as_bytes())
}

/// The same of bytes in an encoding that has ASCII as it is.
pub(super) fn count_line_ends(bytes: &[u8]) -> u32 {
    // Nearly all texts have the one or the other line end throughout, and counting one byte is quicker than looking at each.
    match memchr::memchr(b'\r', bytes) {
        None => small(memchr::memchr_iter(b'\n', bytes).count()),
        Some(_) => small(line_ends(bytes).count()),
    }
}

/// Where the last line begins that begins behind `range.start` and up to `range.end`.
fn last_line_start(text: &str, range: Range<usize>) -> Option<usize> {
    line_ends(stretch(text, range.clone())).next_back().map(|end| range.start + end)
}

/// The bytes of `range`, without a `\r` at its end that is half of `\r\n`.
fn stretch(text: &str, range: Range<usize>) -> &[u8] {
    let bytes = text.as_bytes();
    let split = bytes.get(range.end) == Some(&b'\n') && bytes[range.clone()].ends_with(b"\r");
    &bytes[range.start..range.end - usize::from(split)]
}

/// The places behind the line ends of `bytes`: `\n`, `\r\n`, or a lone `\r`.
fn line_ends(bytes: &[u8]) -> impl DoubleEndedIterator<Item = usize> + '_ {
    memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'))
        .map(|at| at + 1)
}

/// The same of UTF-16, whose units have their low byte at `low`.
fn wide_line_ends(bytes: &[u8], low: usize) -> impl Iterator<Item = usize> + '_ {
    let unit = move |at: usize| match bytes.get(at..at + 2) {
        Some(unit) if unit[1 - low] == 0 => unit[low],
        _ => 0,
    };
    memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(move |at| at % 2 == low)
        .map(move |at| at - low)
        .filter(move |&at| unit(at) == b'\n' || unit(at) == b'\r' && unit(at + 2) != b'\n')
        .map(|at| at + 2)
}

/// The line around `range` of `text`, of a long one a part.
pub(super) fn excerpt(text: &str, range: Range<usize>) -> Excerpt {
    const MOST: usize = 200;
    const BEFORE: usize = 60;
    let is_end = |c: char| matches!(c, '\n' | '\r');
    // A range that begins at the \n of \r\n belongs to the line that it ends.
    let after_cr = text[range.start..].starts_with('\n') && text[..range.start].ends_with('\r');
    let anchor = range.start - usize::from(after_cr);
    let back = |most: usize| {
        let chars = text[..anchor].char_indices().rev().take(most);
        chars.take_while(|&(_, c)| !is_end(c)).last().map_or(anchor, |(at, _)| at)
    };
    let forth = |from: usize, most: usize| {
        let mut chars = text[from..].char_indices();
        let end = chars.by_ref().take(most).find(|&(_, c)| is_end(c)).map(|(at, _)| at);
        from + end.or_else(|| chars.next().map(|(at, _)| at)).unwrap_or(text.len() - from)
    };
    let whole = back(MOST + 1)..forth(anchor, MOST + 1);
    let (part, cut_before, cut_behind) = if text[whole.clone()].chars().count() <= MOST {
        (whole, false, false)
    } else {
        let start = back(BEFORE);
        let end = forth(start, MOST).max(anchor);
        (start..end, start > whole.start, end < whole.end)
    };
    let mut line = String::with_capacity(part.len() + 2 * '…'.len_utf8());
    line.extend(cut_before.then_some('…'));
    let shift = line.len();
    line.push_str(&text[part.clone()]);
    let inside = |at: usize| at.clamp(part.start, part.end) - part.start + shift;
    let range = inside(range.start)..inside(range.end);
    line.extend(cut_behind.then_some('…'));
    Excerpt { line, range }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, range: Range<usize>) -> (String, String) {
        let excerpt = excerpt(text, range);
        (excerpt.line.clone(), excerpt.line[excerpt.range].to_owned())
    }

    #[test]
    fn an_excerpt_is_the_line_without_its_end() {
        let text = "一\r\n二三\n\n四";
        let at = text.find('三').unwrap();
        assert_eq!(marked(text, at..at + 3), ("二三".into(), "三".into()));
        assert_eq!(marked(text, 0..text.len()), ("一".into(), "一".into()));
        // The end of the line itself, and an empty line.
        assert_eq!(marked(text, 3..5), ("一".into(), String::new()));
        assert_eq!(marked(text, 4..5), ("一".into(), String::new()));
        assert_eq!(marked(text, 12..13), (String::new(), String::new()));
        assert_eq!(marked(text, text.len()..text.len()), ("四".into(), String::new()));
    }

    #[test]
    fn an_excerpt_of_a_long_line_is_a_window_around_the_range() {
        let line = "炮二平五 ".repeat(1000);
        let text = format!("x\n{line}\ny");
        let at = 2 + line.len() / 2 / 13 * 13;
        let (part, inside) = marked(&text, at..at + 12);
        assert_eq!(inside, "炮二平五");
        assert!(part.starts_with('…') && part.ends_with('…'));
        assert_eq!(part.chars().count(), 202);
        let (part, inside) = marked(&text, 2..14);
        assert_eq!(inside, "炮二平五");
        assert!(part.starts_with('炮') && part.ends_with('…'));
        // A range longer than the window is cut with it.
        let (part, inside) = marked(&text, 2..2 + line.len());
        assert_eq!(format!("{inside}…"), part);
    }

    #[test]
    fn a_line_of_two_hundred_characters_is_whole() {
        for (count, whole) in [(199, true), (200, true), (201, false)] {
            let line = "车".repeat(count);
            let end = line.len();
            assert_eq!(marked(&line, end - 3..end).0 == line, whole, "{count}");
        }
    }
}
