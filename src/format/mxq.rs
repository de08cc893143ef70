//! MXQ, the format of 弈天: strings with their length before them. Layout: `grammars/mxq.ksy`.
//!
//! The first eleven strings are: site, date, event, rating of Red and of Black, three about the time rule, the seconds
//! that Red and Black have left, and how the game ended. Then come `Moves`, the moves, `Ends`, and, in every real file,
//! `CommentsEnd`. What stands between the last two is not known; it is kept as comments on the last move.
//!
//! From the 17 real files: of the time rule the first number is the minutes a player has for the game, because no
//! player has more left than that, and because the player who exceeds it (局超时) has 0 left. The other two are most
//! likely minutes a move and seconds of 读秒; they keep the names `Time2` and `Time3`.
//!
//! The event is `Red-胜-Black`, with 负 or 和, the strength of each player in parentheses: names and result come from it.

use std::borrow::Cow;

use crate::{
    board::Square,
    finding::{Binary, Code, Finding, Locate, Span, Words},
    record::{Comment, Marker, NodeId, Outcome, Record, Tag, Written},
    source::{Encoding, Text, detect_chinese},
};

use super::binary::cut;

/// The tags of the strings before the moves.
const NAMES: [&str; 11] = [
    "Site",
    "Date",
    "Event",
    "RedElo",
    "BlackElo",
    "TimeControl",
    "Time2",
    "Time3",
    "RedSecondsLeft",
    "BlackSecondsLeft",
    "Termination",
];
/// Which of them names players and result.
const EVENT: usize = 2;
const MOVES: &[u8] = b"Moves";
const ENDS: &[u8] = b"Ends";
const COMMENTS_END: &[u8] = b"CommentsEnd";

/// A string of the file.
#[derive(Clone, Copy, Debug)]
struct Field<'a> {
    bytes: &'a [u8],
    /// Where its text stands.
    at: usize,
    /// Whether the file ends within it.
    cut: bool,
}

impl Field<'_> {
    fn span(&self) -> Span {
        Span::new(self.at, self.at + self.bytes.len())
    }
}

/// The strings of `bytes`.
fn strings(bytes: &[u8]) -> impl Iterator<Item = Field<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let length = usize::from(*bytes.get(at)?);
        let start = at + 1;
        let end = (start + length).min(bytes.len());
        at = start + length;
        Some(Field { bytes: &bytes[start..end], at: start, cut: start + length > bytes.len() })
    })
}

/// Whether `bytes` are an MXQ file: strings that lead to `Moves`, then a move or `Ends`.
///
/// ```
/// assert!(!qijian::format::mxq::is_mxq(b"\x05Moves but nothing before"));
/// ```
pub fn is_mxq(bytes: &[u8]) -> bool {
    let mut fields = strings(bytes).skip(NAMES.len());
    fields.next().is_some_and(|field| field.bytes == MOVES)
        && fields.next().is_none_or(|field| {
            field.cut || field.bytes == ENDS || matches!(written(&field), Written::Squares { .. })
        })
}

/// Reads the game of an MXQ file; `encoding` `None` decides between GB18030 and Big5 by the file's own text. Total: any
/// bytes give a record with findings. Returns the encoding used.
///
/// ```
/// use qijian::format::mxq;
///
/// let (record, _) = mxq::read(b"\x01a", None);
/// assert_eq!(record.findings[0].code.to_string(), "QJ002");
/// ```
pub fn read(bytes: &[u8], encoding: Option<Encoding>) -> (Record<'_>, Encoding) {
    let fields: Vec<Field<'_>> = strings(bytes).collect();
    let encoding = encoding.unwrap_or_else(|| decide(&fields));
    let mut reader = Reader { record: Record::new(1), encoding };
    reader.record.span = Span::new(0, bytes.len());
    let moves = fields.iter().position(|field| field.bytes == MOVES);
    let head = moves.unwrap_or(fields.len());
    for (index, field) in fields[..head].iter().enumerate() {
        reader.head(index, field);
    }
    let behind = fields.get(head + 1..).unwrap_or_default();
    let length = behind.iter().position(|field| field.bytes == ENDS);
    let (list, rest) = behind.split_at(length.unwrap_or(behind.len()));
    let mut node = NodeId::ROOT;
    for field in list {
        if field.cut {
            continue;
        }
        node = reader.record.tree.add(node, written(field), field.span());
    }
    reader.rest(rest.get(1..).unwrap_or_default(), node, bytes.len());
    if length.is_none() || fields.last().is_some_and(|field| field.cut) {
        reader.truncated(bytes.len());
    }
    (reader.record, encoding)
}

/// The encoding of the strings, weighed together.
fn decide(fields: &[Field<'_>]) -> Encoding {
    let texts = fields.iter().filter(|field| !field.bytes.is_ascii()).take(64);
    let all: Vec<&[u8]> = texts.map(|field| field.bytes).collect();
    detect_chinese(&all.join(&b'\n'))
}

/// The move of a string: file and row letter from the bottom, any sign, file and row letter.
fn written<'a>(field: &Field<'a>) -> Written<'a> {
    let square = |file: u8, row: u8| {
        Square::new(file.checked_sub(b'0')?, row.to_ascii_uppercase().checked_sub(b'A')?)
    };
    if let [f1, r1, _, f2, r2] = *field.bytes
        && let (Some(from), Some(to)) = (square(f1, r1), square(f2, r2))
    {
        return Written::Squares { from: Some(from), to: Some(to), raw: [f1, r1] };
    }
    match std::str::from_utf8(field.bytes) {
        Ok(text) if !text.trim().is_empty() => Written::Text(text),
        _ => {
            let raw = |index| field.bytes.get(index).copied().unwrap_or_default();
            Written::Squares { from: None, to: None, raw: [raw(0), raw(1)] }
        }
    }
}

struct Reader<'a> {
    record: Record<'a>,
    encoding: Encoding,
}

impl<'a> Reader<'a> {
    fn decode(&mut self, field: &Field<'a>) -> Cow<'a, str> {
        let text = Text::decode(field.bytes, self.encoding);
        let bad: Vec<u8> = text.bad_bytes().into_iter().flat_map(|bad| bad.bytes).collect();
        if !bad.is_empty() {
            let hex: String = bad.iter().map(|byte| format!("{byte:02x}")).collect();
            let name = self.encoding.as_str();
            let words = Words::new(
                format!("字节 {hex} 不是 {name} 文字"),
                format!("bytes {hex} are no {name} text"),
            );
            let finding = finding(Code::UNDECODABLE_TEXT, field.at, words);
            self.record.findings.push(finding.with("bytes", hex).with("kept", true));
        }
        text.into_string()
    }

    /// The `index`th string before the moves.
    fn head(&mut self, index: usize, field: &Field<'a>) {
        if field.bytes.is_empty() {
            return;
        }
        let value = self.decode(field);
        let name = match NAMES.get(index) {
            Some(name) => Cow::Borrowed(*name),
            None => Cow::Owned(format!("Field{}", index + 1)),
        };
        let span = field.span();
        if index == EVENT {
            self.players(&value, field);
        }
        self.record.tags.push(Tag { name, value, span });
    }

    /// Names and result of `Red-胜-Black`.
    fn players(&mut self, event: &str, field: &Field<'a>) {
        const MARKS: [&str; 5] = ["-胜-", "-勝-", "-负-", "-負-", "-和-"];
        let found =
            MARKS.into_iter().find_map(|mark| event.split_once(mark).map(|halves| (mark, halves)));
        let Some((mark, (red, black))) = found else { return };
        let span = field.span();
        for (name, value) in [("Red", red), ("Black", black)] {
            if !value.is_empty() {
                let (name, value) = (Cow::Borrowed(name), Cow::Owned(value.to_owned()));
                self.record.tags.push(Tag { name, value, span });
            }
        }
        let word = mark.trim_matches('-');
        let outcome = Outcome::from_text(word).unwrap_or(Outcome::Unknown);
        self.record.result = Some(Marker { text: Cow::Borrowed(word), outcome, span });
    }

    /// What stands behind the moves.
    fn rest(&mut self, rest: &[Field<'a>], last: NodeId, len: usize) {
        let end = rest.iter().position(|field| field.bytes == COMMENTS_END);
        for field in &rest[..end.unwrap_or(rest.len())] {
            let text = self.decode(field);
            if !text.trim().is_empty() {
                self.record.tree.comments.push(Comment { node: last, text, span: field.span() });
            }
        }
        let behind = end.and_then(|end| rest.get(end + 1)).map(|field| field.at - 1);
        if let Some(at) = behind {
            let count = len - at;
            let words = Words::new(
                format!("棋谱结束后还有 {count} 字节"),
                format!("{count} bytes follow the end of the record"),
            );
            let trailing = finding(Code::TRAILING_DATA, at, words).with("bytes", count);
            self.record.findings.push(trailing.repaired_by(cut(at, len)));
        }
    }

    fn truncated(&mut self, len: usize) {
        let words = Words::new("文件在着法结束前中断", "the file ends before the end of its moves");
        let help = Words::new(
            "请从来源或备份重新取得该文件",
            "get the file again from its source or a backup",
        );
        self.record.findings.push(finding(Code::TRUNCATED, len, words).help(help));
    }
}

fn finding(code: Code, at: usize, words: Words) -> Finding {
    Finding::new(code, words).at(Binary.place(Span::new(at, at + 1)))
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use super::*;
    use crate::{
        format::{self, Format},
        replay::{self, Termination},
    };

    fn file(strings: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for string in strings {
            bytes.push(string.len() as u8);
            bytes.extend_from_slice(string);
        }
        bytes
    }

    fn game(event: &str, moves: &[&[u8]]) -> Vec<u8> {
        let encode = |text: &str| match text {
            "甲-胜-乙" => b"\xbc\xd7-\xca\xa4-\xd2\xd2".to_vec(),
            "甲-負-乙" => b"\xa5\xd2-\xadt-\xa4A".to_vec(),
            _ => text.as_bytes().to_vec(),
        };
        let event = encode(event);
        let mut all: Vec<&[u8]> = vec![b"site", b"date", &event, b"1800", b"1700"];
        all.extend([&b"10"[..], b"5", b"0", b"30", b"40", b"", b"Moves"]);
        all.extend(moves);
        all.extend([&b"Ends"[..], b"CommentsEnd"]);
        file(&all)
    }

    // formats.md 11.1: 05 37 43 2D 34 43 is h2e2.
    #[test]
    fn names_result_and_moves() {
        let bytes = game("甲-胜-乙", &[b"7C-4C", b"7J-6H"]);
        assert!(is_mxq(&bytes));
        let (record, encoding) = read(&bytes, None);
        assert_eq!(encoding, Encoding::Gb18030);
        assert_eq!(record.tag("red").unwrap().value, "甲");
        assert_eq!(record.tag("black").unwrap().value, "乙");
        assert_eq!(record.tag("red_elo").unwrap().value, "1800");
        assert_eq!(record.result.as_ref().unwrap().outcome, Outcome::RedWins);
        let game = replay::replay(&record, &Binary, &replay::Options::default());
        let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["h2e2", "h9g7"]);
        assert!(game.findings.is_empty(), "{:?}", game.findings);
    }

    #[test]
    fn traditional_files() {
        let bytes = game("甲-負-乙", &[]);
        let (record, _) = read(&bytes, Some(Encoding::Big5));
        assert_eq!(record.result.unwrap().outcome, Outcome::BlackWins);
    }

    #[test]
    fn faults() {
        let whole = game("a", &[b"7C-4C", b"9C-4C", b"\xff\xff"]);
        let (record, _) = read(&whole, None);
        let written: Vec<_> =
            record.tree.main_line().map(|id| record.tree.node(id).written).collect();
        assert_eq!(written[1], Written::Text("9C-4C"));
        assert_eq!(written[2], Written::Squares { from: None, to: None, raw: [0xff, 0xff] });
        for length in 0..whole.len() - 12 {
            let (record, _) = read(&whole[..length], None);
            assert!(
                record.findings.iter().any(|finding| finding.code == Code::TRUNCATED),
                "{length}"
            );
        }
        let more = [&whole[..], b"\x01x"].concat();
        let (record, _) = read(&more, None);
        assert_eq!(record.findings[0].code, Code::TRAILING_DATA);
        assert_eq!(record.findings[0].place.offset, Some(whole.len() as u64));
    }

    #[test]
    fn other_files_are_not() {
        for bytes in [&b""[..], b"\x00\x00\x00", b"[Event \"x\"]\n1. h2e2", &game("a", &[])[..40]] {
            assert!(!is_mxq(bytes));
        }
        assert!(is_mxq(&game("a", &[])));
        assert!(!is_mxq(&game("a", &[b"xxxxx"])));
    }

    /// The 17 real files: every ply replays, in GB18030, and what the file's name says of the result is what is read.
    #[test]
    fn real_files_replay() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/mxq");
        if !std::path::Path::new(folder).exists() {
            let _ = writeln!(std::io::stderr(), "SKIPPED: no shared data");
            return;
        }
        let mut files = 0;
        let mut ends = Vec::new();
        for entry in walkdir::WalkDir::new(folder) {
            let entry = entry.unwrap();
            if !entry.file_type().is_file() {
                continue;
            }
            files += 1;
            let name = entry.file_name().to_string_lossy().into_owned();
            let bytes = fs::read(entry.path()).unwrap();
            assert_eq!(format::sniff(&bytes, None), Some(Format::Mxq), "{name}");
            let (record, encoding) = read(&bytes, None);
            assert_eq!(encoding, Encoding::Gb18030, "{name}");
            assert!(record.findings.is_empty(), "{name}: {:?}", record.findings);
            let game = replay::replay(&record, &Binary, &replay::Options::default());
            assert_eq!(game.moves.len(), record.tree.len(), "{name}: {:?}", game.findings);
            let expected = if name.contains("-胜-") {
                "1-0"
            } else if name.contains("-负-") {
                "0-1"
            } else {
                "1/2-1/2"
            };
            assert_eq!(game.outcome.as_str(), expected, "{name}");
            let red = record.tag("red").unwrap().value.clone();
            assert!(name.starts_with(red.as_ref()), "{name}: {red}");
            // The time left is never more than the first number of the time rule says, in minutes.
            let number = |key: &str| -> u32 {
                let tag = record.tags.iter().find(|tag| tag.name == key).unwrap();
                tag.value.parse().unwrap()
            };
            let minutes = number("TimeControl");
            assert!(
                number("RedSecondsLeft").max(number("BlackSecondsLeft")) <= 60 * minutes,
                "{name}"
            );
            assert!(number("Time2") <= minutes, "{name}");
            ends.push(game.termination);
        }
        assert_eq!(files, 17);
        assert!(ends.contains(&Termination::Resignation) && ends.contains(&Termination::Time));
        assert!(ends.contains(&Termination::Checkmate) && ends.contains(&Termination::Agreement));
    }
}
