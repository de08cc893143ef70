//! Games in which nothing departs from the standard, read from the bytes of the file.
//!
//! Nearly all of a large archive is the same: tags, round numbers, moves of four signs, a result. Such a game needs no
//! tree, no places and no text but its tags, and so is read here at a tenth of the cost. Whatever is written in any other
//! way is left to the reader of everything ([`super::read`]): a game is either read here to the same end, or not at all.
//!
//! ```
//! use qijian::{format::pgn::plain, source::Encoding};
//!
//! let text = "[Red \"许银川\"]\n[Result \"1-0\"]\n\n1. 炮二平五 马8进7\n2. 马二进三\n1-0\n";
//! let game = plain::read(text.as_bytes(), 0, Encoding::Utf8).unwrap();
//! assert_eq!((game.moves.len(), game.end), (3, text.len()));
//! let text = text.replace("马8进7", "马8进7 (马2进3)");
//! assert!(plain::read(text.as_bytes(), 0, Encoding::Utf8).is_none());
//! ```

use std::borrow::Cow;

use crate::{
    board::Side,
    finding::Span,
    notation::glyph::Sign,
    record::{Outcome, Tag},
    source::{Encoding, Signs},
};

use super::game::is_advertising;

/// A game of tags, moves in standard writing and a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Plain<'b> {
    /// The tags in the order written; none is there twice, and each span counts in the bytes read.
    pub tags: Vec<Tag<'b>>,
    /// The value of the tag FEN, if it is there and not empty, and the side to move that it names.
    pub start: Option<(&'b str, Side)>,
    /// The moves.
    pub moves: Vec<[Sign; 4]>,
    /// The comments, each with the number of moves before it.
    pub remarks: Vec<(u32, Cow<'b, str>)>,
    /// The first round number; the others follow it.
    pub first_round: u32,
    /// The result, in which tag and end marker agree.
    pub outcome: Outcome,
    /// One past the game and what is blank behind it: the end of the bytes, or a tag that begins a line.
    pub end: usize,
}

/// The encodings in which games can be read here.
pub const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Gb18030, Encoding::Big5];

/// The game that begins with a tag at `at` of `bytes`, a line start; `None` if anything about it departs from the standard,
/// or if it is not followed by the end or by another game.
pub fn read(bytes: &[u8], at: usize, encoding: Encoding) -> Option<Plain<'_>> {
    let signs = Signs::of(encoding)?;
    let mut reader = Reader { bytes, rest: bytes.get(at..)?, encoding };
    let Head { tags, start, result } = reader.head()?;
    let black_first = matches!(start, Some((_, Side::Black)));
    let Body { moves, remarks, first_round, outcome } = reader.body(signs, black_first)?;
    let told = result.is_none_or(|result| result == outcome);
    reader.tail()?;
    let end = reader.at();
    // A game whose bytes are UTF-8 too may be in that encoding, among others that are not.
    let is_sure = encoding == Encoding::Utf8 || std::str::from_utf8(&bytes[at..end]).is_err();
    (told && is_sure).then_some(Plain { tags, start, moves, remarks, first_round, outcome, end })
}

/// Where the next game may begin behind `from`: at a tag line that follows a line which is none.
///
/// ```
/// use qijian::format::pgn::plain::next_start;
///
/// let text = "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 *\n\n[Red \"c\"]\n";
/// assert_eq!(next_start(text.as_bytes(), 0), text.rfind('['));
/// ```
pub fn next_start(bytes: &[u8], from: usize) -> Option<usize> {
    let brackets = memchr::memchr_iter(b'[', bytes.get(from + 1..)?).map(|at| from + 1 + at);
    let follows_tag = |at: usize| {
        let text = bytes[..at].trim_ascii_end();
        let line = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        bytes.get(line) == Some(&b'[')
    };
    brackets
        .filter(|&at| bytes[..at].ends_with(b"\n") && begins_tag(&bytes[at..]))
        .find(|&at| !follows_tag(at))
}

/// What the tags say.
struct Head<'b> {
    tags: Vec<Tag<'b>>,
    start: Option<(&'b str, Side)>,
    result: Option<Outcome>,
}

/// What the moves say.
struct Body<'b> {
    moves: Vec<[Sign; 4]>,
    remarks: Vec<(u32, Cow<'b, str>)>,
    first_round: u32,
    outcome: Outcome,
}

struct Reader<'b> {
    bytes: &'b [u8],
    /// What is still to be read of them.
    rest: &'b [u8],
    encoding: Encoding,
}

/// Names of tags that say nothing which the rules or the replay would ask about, and those that are read here.
const NAMES: [&str; 23] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "Red",
    "RedTeam",
    "RedElo",
    "Black",
    "BlackTeam",
    "BlackElo",
    "Result",
    "FEN",
    "Game",
    "ECCO",
    "ECO",
    "Opening",
    "Variation",
    "Title",
    "Author",
    "Annotator",
    "TimeControl",
    "RedTime",
    "BlackTime",
];

impl<'b> Reader<'b> {
    /// How many of the bytes have been read.
    fn at(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// Lines of tags, `[Name "value"]` each.
    fn head(&mut self) -> Option<Head<'b>> {
        let mut head = Head { tags: Vec::with_capacity(12), start: None, result: None };
        let mut seen = 0_u32;
        while let [b'[', rest @ ..] = self.rest {
            let (name, rest) = rest.split_at(memchr::memchr(b' ', rest.get(..16)?)?);
            let number = NAMES.iter().position(|known| known.as_bytes() == name)?;
            if seen >> number & 1 == 1 {
                return None;
            }
            seen |= 1 << number;
            self.rest = rest.strip_prefix(b" \"")?;
            let start = self.at();
            // No byte of a character of several is a quote or a line end.
            let (value, rest) = self.rest.split_at(memchr::memchr3(b'"', b'\n', b'\r', self.rest)?);
            self.rest = line_end(rest.strip_prefix(b"\"]")?)?;
            let span = Span::new(start, start + value.len());
            let value = self.value(value)?;
            match NAMES[number] {
                "Result" => head.result = result(&value)?,
                "FEN" if !value.is_empty() => head.start = Some(position(&value)?),
                "Game" if !matches!(&*value, "Chinese Chess" | "Xiangqi" | "") => return None,
                _ => {}
            }
            head.tags.push(Tag { name: Cow::Borrowed(NAMES[number]), value, span });
        }
        Some(head)
    }

    fn value(&self, bytes: &'b [u8]) -> Option<Cow<'b, str>> {
        match std::str::from_utf8(bytes) {
            Ok(text) if bytes.is_ascii() || self.encoding == Encoding::Utf8 => {
                Some(Cow::Borrowed(text))
            }
            _ => self.encoding.decode(bytes),
        }
    }

    /// Numbers, moves, and the result.
    fn body(&mut self, signs: &Signs, black_first: bool) -> Option<Body<'b>> {
        let mut moves = Vec::with_capacity(96);
        let mut remarks = Vec::new();
        let (mut first, mut round) = (None, 0_u32);
        let mut numbered = false;
        let outcome = loop {
            let (blank, mut rest) = blanks(self.rest)?;
            let red = (moves.len() % 2 == 1) == black_first;
            match *rest.first()? {
                b'{' if !numbered => {
                    self.rest = rest;
                    remarks.push((moves.len() as u32, self.remark()?));
                    continue;
                }
                b'0'..=b'9' | b'*' => {
                    if let Some((outcome, rest)) = marker(rest) {
                        self.rest = rest;
                        break outcome;
                    }
                    let number;
                    (number, rest) = self::number(rest)?;
                    let wanted = first.is_none() || (red && number == round.checked_add(1)?);
                    if numbered || !wanted || number == 0 || (blank && first.is_some()) {
                        return None;
                    }
                    (numbered, round) = (true, number);
                    first = first.or(Some(number));
                    while let [b' ', behind @ ..] = rest {
                        rest = behind;
                    }
                }
                _ if blank && !moves.is_empty() => return None,
                _ => {}
            }
            // A number stands before each move of Red, and before the first.
            if numbered != (red || moves.is_empty()) {
                return None;
            }
            let (four, behind) = signs.four(rest)?;
            if !behind.first()?.is_ascii_whitespace() {
                return None;
            }
            moves.push(four);
            numbered = false;
            self.rest = behind;
        };
        let is_whole = !numbered && self.rest.first().is_none_or(u8::is_ascii_whitespace);
        let first_round = first.filter(|_| is_whole)?;
        Some(Body { moves, remarks, first_round, outcome })
    }

    /// Passes a comment in braces; one with brackets inside may be something else, and may be without an end.
    fn remark(&mut self) -> Option<Cow<'b, str>> {
        let inner = self.rest.strip_prefix(b"{")?;
        let mut length = 0;
        // The second byte of a character may be that of a brace.
        loop {
            length += match *inner.get(length..)? {
                [b'}', ..] => break,
                [b'{' | b'[', ..] => return None,
                [byte, ..] if byte < 0x80 || self.encoding == Encoding::Utf8 => 1,
                [0x81..=0xFE, b'0'..=b'9', ..] => 4,
                [0x81..=0xFE, _, ..] => 2,
                // 80 is a character by itself in some tables of GBK.
                _ => return None,
            };
        }
        self.rest = &inner[length + 1..];
        let text = self.value(&inner[..length])?;
        (!text.contains(['}', '｛', '｝', ']'])).then_some(text)
    }

    /// What may follow a game: blank lines, a rule of `=` and the footer of a program, and then the end or a tag.
    fn tail(&mut self) -> Option<()> {
        (_, self.rest) = blanks(self.rest)?;
        let rule = self.rest.iter().take_while(|byte| **byte == b'=').count();
        if rule >= 3 {
            // Behind the result, on its line, it is something else.
            let before = &self.bytes[..self.at()];
            let blanks_before = before.iter().rev().take_while(|byte| **byte == b' ').count();
            before[..before.len() - blanks_before].ends_with(b"\n").then_some(())?;
            (_, self.rest) = blanks(&self.rest[rule..])?;
            while self.footer()? {}
        }
        let begins_line = self.bytes[..self.at()].ends_with(b"\n");
        (self.rest.is_empty() || (begins_line && begins_tag(self.rest))).then_some(())
    }

    /// Passes a line of a footer; whether there was one.
    fn footer(&mut self) -> Option<bool> {
        if self.rest.is_empty() || self.rest.starts_with(b"[") {
            return Some(false);
        }
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = self.value(line)?;
        is_advertising(text.trim_end_matches(' ')).then_some(())?;
        (_, self.rest) = blanks(&self.rest[line.len()..])?;
        Some(true)
    }
}

/// Behind a line end; `None` where something else stands.
fn line_end(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// Behind blanks and line ends, and whether a blank line was among them.
fn blanks(mut bytes: &[u8]) -> Option<(bool, &[u8])> {
    let mut lines = 0;
    loop {
        match bytes {
            [b' ', rest @ ..] => bytes = rest,
            [b'\n' | b'\r', ..] => {
                bytes = line_end(bytes)?;
                lines += 1;
            }
            _ => return Some((lines > 1, bytes)),
        }
    }
}

/// A number, and what stands behind its full stop.
fn number(mut bytes: &[u8]) -> Option<(u32, &[u8])> {
    let mut number = 0_u32;
    loop {
        match bytes {
            [byte @ b'0'..=b'9', rest @ ..] => {
                number = number.checked_mul(10)?.checked_add(u32::from(byte - b'0'))?;
                bytes = rest;
            }
            [b'.', rest @ ..] => return Some((number, rest)),
            _ => return None,
        }
    }
}

/// An end marker, and what stands behind it.
fn marker(bytes: &[u8]) -> Option<(Outcome, &[u8])> {
    match bytes {
        [b'*', rest @ ..] => Some((Outcome::Unknown, rest)),
        [b'1', b'-', b'0', rest @ ..] => Some((Outcome::RedWins, rest)),
        [b'0', b'-', b'1', rest @ ..] => Some((Outcome::BlackWins, rest)),
        [b'1', b'/', b'2', b'-', b'1', b'/', b'2', rest @ ..] => Some((Outcome::Draw, rest)),
        _ => None,
    }
}

/// What a tag says of the result; an empty one says that it is not known.
fn result(value: &str) -> Option<Option<Outcome>> {
    match (marker(value.as_bytes()), value) {
        (Some((outcome, [])), _) => Some(Some(outcome)),
        (_, "") => Some(Some(Outcome::Unknown)),
        _ => None,
    }
}

/// A FEN that names the side to move, as far as the reading of moves depends on it.
fn position<'b>(value: &Cow<'b, str>) -> Option<(&'b str, Side)> {
    let Cow::Borrowed(text) = *value else { return None };
    let side = match text.split(' ').nth(1)? {
        "w" | "r" => Side::Red,
        "b" => Side::Black,
        _ => return None,
    };
    (text.is_ascii() && !text.starts_with(' ')).then_some((text, side))
}

/// Whether a tag begins here: a name in ASCII, a blank, a quote.
fn begins_tag(bytes: &[u8]) -> bool {
    let name = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match bytes {
        [b'[', rest @ ..] if rest.first().is_some_and(u8::is_ascii_alphabetic) => {
            rest[name(rest).min(rest.len())..].starts_with(b" \"")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Game \"Chinese Chess\"]\n[Red \"呂欽\"]\n[Result \"1-0\"]\n\n  1. 炮二平五 馬８進７\n  2. 馬二進三\n\n1-0\n\n\n";

    fn plain(text: &str) -> Option<(usize, Outcome)> {
        [Encoding::Utf8, Encoding::Big5]
            .map(|encoding| {
                let bytes = encoding.encode(text.to_owned());
                read(&bytes, 0, encoding).map(|game| (game.moves.len(), game.outcome))
            })
            .into_iter()
            .reduce(|utf8, big5| {
                assert_eq!(utf8, big5, "{text}");
                utf8
            })
            .flatten()
    }

    #[test]
    fn a_game_of_tags_moves_and_a_result() {
        assert_eq!(plain(GAME), Some((3, Outcome::RedWins)));
        for (from, to) in [
            ("\n", "\r\n"),
            ("馬８進７\n", "馬8進7  \n"),
            ("馬８進７\n  2. ", "馬８進７ 2."),
            ("[Result \"1-0\"]\n", ""),
            ("\n\n1-0", " 1-0"),
            ("\n\n\n", "\n=====\n\n[Red \"\"]\n"),
            ("\n\n\n", ""),
            ("五 馬", "五 {一功} {成} 馬"),
            ("\n\n\n", "\n=====\n http://a.net/ \n\n"),
            ("1. 炮", "7. 炮"),
        ] {
            let text =
                GAME.replace(from, to).replace("  2.", if from == "1. 炮" { "8." } else { "  2." });
            assert_eq!(plain(&text).map(|(moves, _)| moves), Some(3), "{text}");
        }
    }

    #[test]
    fn anything_else_is_left_to_the_other_reader() {
        for (from, to) in [
            ("[Red ", "[red "),
            ("[Red ", "[Result \"*\"]\n[Red "),
            ("[Red ", "[Red  "),
            ("[Red ", " [Red "),
            ("呂欽\"]", "呂\"欽\"]"),
            ("呂欽\"]", "呂\r欽\"]"),
            ("呂欽\"]", "呂欽\"] "),
            ("Chinese Chess", "Chess"),
            ("[Result \"1-0\"]", "[Result \"0-1\"]"),
            ("[Result \"1-0\"]", "[Result \"*\"]"),
            ("[Result \"1-0\"]", "[Result \"紅勝\"]"),
            ("  1.", "  0."),
            ("  2.", "  3."),
            ("  2. ", ""),
            ("馬８", "1. 馬８"),
            ("馬８進７\n", "馬８進７\n\n"),
            ("馬８進７\n", "馬８進７！\n"),
            ("馬８進７\n", "馬８上７\n"),
            ("五 馬", "五馬"),
            ("五 馬", "五 ... 馬"),
            ("五 馬", "五{} 馬"),
            ("五 馬", "五 {{}} 馬"),
            ("五 馬", "五 {[%clk 1:00:00]} 馬"),
            ("五 馬", "五 {｝} 馬"),
            ("1. ", "1. {} "),
            ("1-0\n\n", "1-0 ====\n\n"),
            ("\n1-0", "\n1-01"),
            ("\n1-0", ""),
            ("1-0\n\n\n", "1-0\n\n歡迎\n"),
            ("1-0\n\n\n", "1-0\n====\n歡迎\n"),
            ("1-0\n\n\n", "1-0\n\n [Red \"\"]\n"),
            ("1-0\n\n\n", "1-0\n\n[Red:\"\"]\n"),
        ] {
            assert!(GAME.contains(from), "{from}");
            assert_eq!(plain(&GAME.replacen(from, to, 1)), None, "{from} -> {to}");
        }
    }

    #[test]
    fn black_may_begin_from_a_position() {
        let fen = "4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1";
        let text = format!("[FEN \"{fen}\"]\n\n1. 將５進１\n2. 帥六進一 將５退１ *");
        let game = read(text.as_bytes(), 0, Encoding::Utf8).unwrap();
        assert_eq!(
            (game.start, game.first_round, game.moves.len()),
            (Some((fen, Side::Black)), 1, 3)
        );
        let red = text.replace(" b ", " w ");
        assert!(read(red.as_bytes(), 0, Encoding::Utf8).is_none());
    }

    /// GBK as some have it: a byte 80 is `€`, and the brace behind it closes the comment.
    #[test]
    fn a_single_byte_before_a_brace_swallows_nothing() {
        let gb = |text: &str| Encoding::Gb18030.encode(text.to_owned());
        let head = "[Red \"甲\"]\n[Result \"*\"]\n\n1. 炮二平五 {a";
        let tail = "} 马8进7 2. 马二进三 车9平8 } 马8进7\n2. 马二进三 车9平8\n*\n\n";
        let bytes = [gb(head), vec![0x80], gb(tail)].concat();
        assert!(read(&bytes, 0, Encoding::Gb18030).is_none());
    }

    #[test]
    fn undecodable_tags_are_left() {
        let mut bytes = Encoding::Big5.encode(GAME.to_owned());
        let at = bytes.iter().position(|byte| *byte >= 0x80).unwrap();
        bytes[at + 1] = b' ';
        assert!(read(&bytes, 0, Encoding::Big5).is_none());
    }
}
