//! A large text in parts, cut where one game ends and the next begins.
//!
//! What a part holds is never more than it takes: a library of a million games is read with the memory of its largest.
//! Where parts end depends on the text alone, not on who reads them.

use std::{
    borrow::Cow,
    io::{self, Read},
};

use super::{Origin, place::count_line_ends};

/// How many bytes are read before a place to cut is looked for.
const PART: usize = 1 << 18;

/// A part of a text: whole lines, and whole games unless it is all of the text.
#[derive(Debug)]
pub struct Part<'b> {
    /// Its bytes.
    pub bytes: Cow<'b, [u8]>,
    /// Where it begins.
    pub origin: Origin,
}

impl<'b> Part<'b> {
    /// All of a text.
    pub const fn whole(bytes: &'b [u8]) -> Part<'b> {
        Part { bytes: Cow::Borrowed(bytes), origin: Origin { byte: 0, lines: 0 } }
    }

    /// Where the stretch of it begins that begins with the line at `at`.
    pub fn origin_of(&self, at: usize) -> Origin {
        self.origin_behind((0, self.origin), at)
    }

    /// The same, where a place before it is known: only the lines between the two are counted.
    pub(crate) fn origin_behind(&self, (from, origin): (usize, Origin), at: usize) -> Origin {
        let lines = count_line_ends(&self.bytes[from..at]);
        Origin { byte: self.origin.byte + at as u64, lines: origin.lines.saturating_add(lines) }
    }
}

/// The parts of what a reader gives, in order.
///
/// A part ends where a tag line follows behind numbered moves, an end marker and a blank line, the last such place in a
/// quarter of a mebibyte; a game that is larger is a part by itself. Where games follow each other without a blank line, as
/// in files put together by `cat`, the tag line may stand right below the marker: up to the first comment, in which both may
/// stand too.
///
/// ```
/// use qijian::source::Parts;
///
/// let game = "[Event \"x\"]\n\n1. h2e2 h9g7 1-0\n\n";
/// let text = game.repeat(20_000);
/// let parts: Vec<_> = Parts::new(text.as_bytes()).map(Result::unwrap).collect();
/// assert!(parts.len() > 1);
/// assert!(parts.iter().all(|part| part.bytes.starts_with(b"[Event")));
/// assert_eq!(parts.iter().map(|part| part.bytes.len()).sum::<usize>(), text.len());
/// ```
#[derive(Debug)]
pub struct Parts<R> {
    reader: R,
    /// What has been read and not been given.
    held: Vec<u8>,
    origin: Origin,
    ended: bool,
}

impl<R: Read> Parts<R> {
    /// The parts of what `reader` gives.
    pub const fn new(reader: R) -> Parts<R> {
        Parts { reader, held: Vec::new(), origin: Origin { byte: 0, lines: 0 }, ended: false }
    }

    /// Reads on until so many bytes are held, or the text has ended.
    fn hold(&mut self, bytes: usize) -> io::Result<()> {
        if let Some(missing) = bytes.checked_sub(self.held.len()).filter(|_| !self.ended) {
            self.held.reserve(missing);
            let read = (&mut self.reader).take(missing as u64).read_to_end(&mut self.held)?;
            self.ended = read < missing;
        }
        Ok(())
    }

    fn part(&mut self) -> io::Result<Option<Part<'static>>> {
        let mut most = PART;
        let end = loop {
            self.hold(most)?;
            match cut(&self.held) {
                _ if self.ended => break self.held.len(),
                Some(end) => break end,
                // A game that is larger than all this: twice as much is looked at, so that the work stays linear.
                None => most = 2 * self.held.len(),
            }
        };
        if end == 0 {
            return Ok(None);
        }
        let rest = self.held.split_off(end);
        let bytes = std::mem::replace(&mut self.held, rest);
        let part = Part { bytes: Cow::Owned(bytes), origin: self.origin };
        self.origin = part.origin_of(end);
        Ok(Some(part))
    }
}

impl<R: Read> Iterator for Parts<R> {
    type Item = io::Result<Part<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        let part = self.part();
        if part.is_err() {
            // What cannot be read is told once.
            self.ended = true;
            self.held.clear();
        }
        part.transpose()
    }
}

/// The last place of `bytes`, which begin with a game, where a game has ended and a tag begins the next.
fn cut(bytes: &[u8]) -> Option<usize> {
    let last = |bytes: &[u8], ends: &[&[u8]]| {
        memchr::memrchr_iter(b'[', bytes).find(|&at| begins_game(bytes, at, ends))
    };
    last(bytes, &[b"\n\n", b"\n\r\n"]).or_else(|| last(&bytes[..uncommented(bytes)], &[b"\n"]))
}

/// Whether a comment may be opened in `bytes`, in whatever encoding.
pub(crate) fn may_open_a_comment(bytes: &[u8]) -> bool {
    uncommented(bytes) < bytes.len()
}

/// How many of `bytes` stand before all that may open a comment, in whatever encoding: braces and brackets, wide ones too. In
/// lines of tags there are none.
fn uncommented(bytes: &[u8]) -> usize {
    let narrow = memchr::memchr2_iter(b'{', b'(', bytes);
    let others = memchr::memchr3_iter(b'/', 0xEF, 0xA3, bytes).filter(|&at| {
        // `/*`; （ and ｛ in UTF-8; the same in GB18030.
        matches!(
            bytes[at..],
            [b'/', b'*', ..]
                | [0xEF, 0xBC, 0x88, ..]
                | [0xEF, 0xBD, 0x9B, ..]
                | [0xA3, 0xA8 | 0xFB, ..]
        )
    });
    // And in Big5.
    let big5 =
        memchr::memchr_iter(0xA1, bytes).filter(|&at| matches!(bytes[at..], [_, 0x5D | 0x61, ..]));
    [beside_tags(bytes, narrow), beside_tags(bytes, others), beside_tags(bytes, big5)]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(bytes.len())
}

/// The first of `places`, which ascend, that stands in no line of a tag.
fn beside_tags(bytes: &[u8], mut places: impl Iterator<Item = usize>) -> Option<usize> {
    // One past the last line looked at, and whether it is one: no line is looked at twice.
    let (mut end, mut is_tag) = (0, false);
    places.find(|&at| {
        if at >= end {
            let start = memchr::memrchr(b'\n', &bytes[end..at]).map_or(end, |line| end + line + 1);
            is_tag = bytes[start] == b'[';
            end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |line| at + line + 1);
        }
        !is_tag
    })
}

/// Whether a tag at `at` begins a game: it stands behind one of `ends`, and above that an end marker, or the lines that some
/// programs write below it.
fn begins_game(bytes: &[u8], at: usize, ends: &[&[u8]]) -> bool {
    /// So many lines may stand there.
    const FOOTER: usize = 6;
    const MARKERS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
    let (before, tag) = bytes.split_at(at);
    let ended = ends.iter().any(|end| before.ends_with(end));
    if !ended || at == 0 || !super::mixed::begins_tag(tag) {
        return false;
    }
    let mut text = before;
    for _ in 0..=FOOTER {
        text = text.trim_ascii_end();
        let start = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        let line = &text[start..];
        if line.starts_with(b"[") {
            return false;
        }
        let marker = MARKERS.iter().find_map(|marker| line.strip_suffix(*marker));
        if let Some(line) = marker.filter(|line| line.last().is_none_or(u8::is_ascii_whitespace)) {
            return begins_with_number(&bytes[..start + line.len()]);
        }
        text = &text[..start];
    }
    false
}

/// Whether what stands behind the last tag begins with the number of a round, or a comment before one. Prose between two
/// blocks of tags belongs to the game of the second, whatever it ends with.
fn begins_with_number(bytes: &[u8]) -> bool {
    let line = memchr::memmem::rfind(bytes, b"\n[").map(|end| end + 1);
    let line = line.or_else(|| bytes.starts_with(b"[").then_some(0));
    let behind = |line: usize| memchr::memchr(b'\n', &bytes[line..]).map(|end| line + end);
    let text = match line.map(behind) {
        Some(Some(end)) => &bytes[end..],
        Some(None) => &[],
        None => bytes,
    };
    let text = text.trim_ascii_start();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let numbered = digits > 0 && matches!(text.get(digits), Some(b'.' | b' '));
    // A comment may stand before the first move.
    numbered || text.starts_with(b"{") && memchr::memmem::find(text, b"1.").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Encoding;

    fn parts(text: &[u8]) -> Vec<Part<'static>> {
        Parts::new(text).map(Result::unwrap).collect()
    }

    /// Bytes and lines, against counting the slow way.
    #[test]
    fn parts_are_the_text_and_know_where_they_are() {
        for end in ["\n", "\r\n"] {
            let game = format!("[Event \"x\"]{end}{end}1. h2e2 h9g7{end}*{end}{end}{end}");
            let text = game.repeat(50_000);
            let parts = parts(text.as_bytes());
            assert!(parts.len() > 4);
            let (mut byte, mut lines) = (0, 0);
            for part in &parts {
                assert_eq!((part.origin.byte, part.origin.lines as usize), (byte, lines));
                assert!(part.bytes.len() <= PART);
                assert_eq!(part.bytes[..], text.as_bytes()[byte as usize..][..part.bytes.len()]);
                byte += part.bytes.len() as u64;
                lines += text[..byte as usize].lines().count() - lines;
            }
            assert_eq!(byte as usize, text.len());
        }
    }

    #[test]
    fn nothing_is_cut_but_behind_a_marker_and_a_blank_line() {
        let cuts = |text: &str| cut(text.as_bytes()) == text.rfind('[');
        for text in [
            "1. a *\n\n[B \"c\"]",
            "1. x y 1/2-1/2 \r\n\r\n[B \"",
            "1. a 0-1\n \n\n[Result \"*\"]",
            "1. {a\n*\n\n[B \"c\"]",
            "[A \"b\"]\n{a}\n1. a *\n\n[B \"c\"]",
            "1. a\n  *\n  =========\n\n\n[B \"c\"]",
            "1. a *\n===\nsomething\nand more\n\n[B \"c\"]",
            // Without a blank line only where no comment can be open.
            "1. a *\n[B \"c\"]",
            "[A \"{\"]\n\n1. a *\r\n[B \"c\"]",
        ] {
            assert!(cuts(text), "{text}");
        }
        for open in ["{", "(", "/*", "（", "｛"] {
            assert!(!cuts(&format!("1. a {open} b\n*\n[B \"c\"]")), "{open}");
            assert!(cuts(&format!("1. a {open} b\n*\n\n[B \"c\"]")), "{open}");
            for encoding in [Encoding::Gb18030, Encoding::Big5] {
                let text = encoding.encode(format!("1. a {open} b\n*\n[B \"c\"]"));
                assert_eq!(cut(&text), None, "{open} in {encoding:?}");
            }
        }
        for text in [
            "[B \"c\"]",
            "1. a\n\n[B \"c\"]",
            "1. a\n[B \"c\"]",
            "1. a *\na\nb\nc\nd\ne\nf\ng\n\n[B \"c\"]",
            "1. a\n=====\n\n[B \"c\"]",
            "[Result \"1-0\"]\n\n[B \"c\"]",
            "1. a 11-0\n\n[B \"c\"]",
            "1. a *\n\n [B \"c\"]",
            "[A \"b\"]\n\nprose *\n\n[B \"c\"]",
            "[A \"b\"]\n\n{prose} *\n\n[B \"c\"]",
            "1. a\n[A \"b\"]\n0-1\n\n[B \"c\"]",
            "1. a *\n\n[1 \"c\"]",
        ] {
            assert!(!cuts(text), "{text}");
        }
    }

    #[test]
    fn a_game_larger_than_a_part_is_whole() {
        let text = "1. h2e2 h9g7\n".repeat(200_000);
        let parts = parts(text.as_bytes());
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].bytes.len(), text.len());
        assert!(self::parts(b"").is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_told_once() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::Other.into())
            }
        }
        let mut parts = Parts::new((&b"1. h2e2"[..]).chain(Broken));
        assert!(parts.next().unwrap().is_err());
        assert!(parts.next().is_none());
    }
}
