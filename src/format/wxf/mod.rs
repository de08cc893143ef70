//! WXF files (`.wxf`): a head of keywords, then moves between `START{` and `}END`; several games a file.
//!
//! `RED` and `BLACK` have four parts with semicolons between them: name, team, country, rating; `EVENT` has two, name
//! and group. Text between `/*` and `*/` is a comment. The moves are in the notation that `FORMAT` names or in any
//! other; they are read like those of a PGN game, so marks may stand behind a move or before the next number (`!!12.`).
//! Syntax: `grammars/wxf-file.bnf`.

use std::borrow::Cow;

use crate::{
    finding::{Code, Finding, Locate, Span, Words},
    record::{Comment, NodeId, Record, Start, Tag},
    source::Text,
};

use super::pgn;

mod write;

pub use write::write;

/// The keywords, and the tags of their parts, in order; the last takes whatever remains.
const KEYWORDS: [(&str, &[&str]); 14] = [
    ("FORMAT", &["Format"]),
    ("GAME", &["Game"]),
    ("RED", &["Red", "RedTeam", "RedCountry", "RedElo"]),
    ("BLACK", &["Black", "BlackTeam", "BlackCountry", "BlackElo"]),
    ("DATE", &["Date"]),
    ("RESULT", &["Result"]),
    ("EVENT", &["Event", "Group"]),
    ("FEN", &["FEN"]),
    ("SITE", &["Site"]),
    ("ROUND", &["Round"]),
    ("OPENING", &["Opening"]),
    ("TIME", &["Time"]),
    ("AUTHOR", &["Author"]),
    ("TITLE", &["Title"]),
];

/// Whether `text` is a WXF file: a line `START{`, or a head that begins with `FORMAT` and names a player.
///
/// ```
/// assert!(qijian::format::wxf::is_wxf("FORMAT  \tWXF\nRED\t;;;\n"));
/// ```
pub fn is_wxf(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty()).peekable();
    let format =
        lines.peek().is_some_and(|line| keyword(line).is_some_and(|(word, ..)| word == "FORMAT"));
    // A head is short; behind it there is nothing that could tell.
    let mut head = lines.take(60);
    head.any(|line| {
        is_start(line) || (format && matches!(keyword(line), Some(("RED" | "BLACK" | "FEN", ..))))
    })
}

/// `START{` with blanks.
fn is_start(line: &str) -> bool {
    line.strip_prefix("START").is_some_and(|rest| rest.trim_start().starts_with('{'))
}

/// The keyword of a line, the tags of its parts, and its value with its place.
fn keyword(line: &str) -> Option<(&'static str, &'static [&'static str], &str)> {
    let length = line.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = line.split_at(length);
    let (word, parts) = KEYWORDS.iter().find(|(name, _)| *name == word)?;
    (rest.is_empty() || rest.starts_with([' ', '\t', ':'])).then(|| {
        let value = rest.trim_start_matches([' ', '\t', ':', '\u{3000}']).trim_end();
        (*word, *parts, value)
    })
}

/// Reads every game of `text`, handing each to `sink` as soon as it is complete.
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    read_str(text.as_str(), text, sink);
}

/// Reads every game of `text`, handing each to `sink` as soon as it is complete; `locate` gives findings their place.
pub fn read_str<'t>(text: &'t str, locate: &dyn Locate, sink: &mut dyn FnMut(Record<'t>)) {
    let mut games = 0;
    let mut reader = Reader { text, at: 0, locate, head: Head::default(), unclosed: false };
    while reader.at < text.len() {
        let body = reader.head();
        let head = std::mem::take(&mut reader.head);
        let Some(body) = body else {
            if head.is_game() {
                games += 1;
                sink(head.record(games));
            }
            continue;
        };
        let (end, closed) = end_of_body(text, body);
        reader.at = end;
        let mut head = Some(head);
        let mut findings = Vec::new();
        if !closed {
            let words = Words::new("缺少结尾的 }END", "the closing }END is missing");
            let place = locate.place(Span::new(end, end));
            findings.push(Finding::new(Code::TRUNCATED, words).at(place));
        }
        let inner = if closed { text[..end].rfind('}').unwrap_or(end) } else { end };
        let fen = head.as_ref().and_then(Head::fen);
        pgn::read_body(&text[..inner], body, fen, locate, &mut |mut record| {
            games += 1;
            record.game = games;
            if let Some(head) = head.take() {
                head.put_before(&mut record);
            }
            record.findings.append(&mut findings);
            sink(record);
        });
        // No move at all.
        if let Some(head) = head {
            games += 1;
            let mut record = head.record(games);
            record.findings.append(&mut findings);
            sink(record);
        }
    }
}

/// One past the `}END` of the moves that begin at `body`, and whether there is one.
fn end_of_body(text: &str, body: usize) -> (usize, bool) {
    let mut from = body;
    while let Some(length) = text[from..].find('}') {
        let at = from + length + 1;
        let rest = text[at..].trim_start();
        if rest.starts_with("END") {
            return (text.len() - rest.len() + "END".len(), true);
        }
        // Without the word the brace must at least end the text or a game.
        if rest.is_empty() || rest.starts_with("FORMAT") {
            return (at, true);
        }
        from = at;
    }
    (text.len(), false)
}

struct Reader<'t, 'r> {
    text: &'t str,
    at: usize,
    locate: &'r dyn Locate,
    head: Head<'t>,
    /// Whether a comment has been found that nothing closes, so that no other is closed either.
    unclosed: bool,
}

/// What stands before the moves.
#[derive(Default)]
struct Head<'t> {
    tags: Vec<Tag<'t>>,
    comments: Vec<(&'t str, Span)>,
    findings: Vec<Finding>,
    start: usize,
    end: usize,
}

impl<'t> Reader<'t, '_> {
    /// Reads lines up to `START{`; returns where the moves begin, `None` at the end of the text.
    fn head(&mut self) -> Option<usize> {
        let text = self.text;
        self.head.start = self.at;
        while self.at < text.len() {
            let rest = &text[self.at..];
            let indent = rest.len() - rest.trim_start().len();
            if indent > 0 {
                self.at += indent;
                continue;
            }
            if !self.unclosed && rest.starts_with("/*") {
                self.comment();
                continue;
            }
            let end = self.at + rest.find(['\n', '\r']).unwrap_or(rest.len());
            let line = &text[self.at..end];
            if is_start(line) {
                let brace = self.at + line.find('{')? + 1;
                self.head.end = brace;
                return Some(brace);
            }
            self.line(line);
            self.head.end = end;
            self.at = end;
        }
        None
    }

    fn line(&mut self, line: &'t str) {
        let Some((_, names, value)) = keyword(line) else {
            let line = line.trim_end();
            if line.chars().any(char::is_alphanumeric) {
                self.head.comments.push((line, Span::new(self.at, self.at + line.len())));
            }
            return;
        };
        let mut at = self.at + (value.as_ptr() as usize - line.as_ptr() as usize);
        for (part, name) in value.splitn(names.len(), ';').zip(names) {
            let text = part.trim();
            let start = at + (part.len() - part.trim_start().len());
            if !text.is_empty() {
                let (name, value) = (Cow::Borrowed(*name), Cow::Borrowed(text));
                self.head.tags.push(Tag {
                    name,
                    value,
                    span: Span::new(start, start + text.len()),
                });
            }
            at += part.len() + 1;
        }
    }

    fn comment(&mut self) {
        let from = self.at + "/*".len();
        let (inner, end) = match self.text[from..].find("*/") {
            Some(length) => (from + length, from + length + "*/".len()),
            None => {
                self.unclosed = true;
                let words = Words::new("注释没有以 */ 结束", "the comment is not closed by */");
                let place = self.locate.place(Span::new(self.at, from));
                self.head.findings.push(Finding::new(Code::BAD_SYNTAX, words).at(place));
                let end = self.text[from..].find('\n').map_or(self.text.len(), |n| from + n);
                (end, end)
            }
        };
        self.head.comments.push((self.text[from..inner].trim(), Span::new(from, inner)));
        (self.at, self.head.end) = (end, end);
    }
}

impl<'t> Head<'t> {
    /// Whether it makes a game without moves: a position or a player.
    fn is_game(&self) -> bool {
        !self.tags.is_empty()
    }

    fn fen(&self) -> Option<(&'t str, Span)> {
        let tag = self.tags.iter().find(|tag| tag.name == "FEN")?;
        match tag.value {
            Cow::Borrowed(fen) => Some((fen, tag.span)),
            Cow::Owned(_) => None,
        }
    }

    fn record(self, game: u32) -> Record<'t> {
        let mut record = Record::new(game);
        record.span = Span::new(self.start, self.end);
        if let Some((fen, span)) = self.fen() {
            record.start = Start::Fen { text: Cow::Borrowed(fen), span };
        }
        self.put_before(&mut record);
        record
    }

    /// Adds the head to the game whose moves follow it.
    fn put_before(self, record: &mut Record<'t>) {
        record.span.start = Span::new(self.start, self.end).start;
        record.tags.splice(0..0, self.tags);
        record.findings.splice(0..0, self.findings);
        let comments = self.comments.into_iter().filter(|(text, _)| !text.is_empty());
        let comments: Vec<Comment<'t>> = comments
            .map(|(text, span)| Comment { node: NodeId::ROOT, text: Cow::Borrowed(text), span })
            .collect();
        record.tree.comments.splice(0..0, comments);
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use super::*;
    use crate::{
        board::Side,
        finding::Binary,
        format::{self, Format},
        replay,
    };

    fn records(text: &str) -> Vec<Record<'_>> {
        let mut records = Vec::new();
        read_str(text, &Binary, &mut |record| records.push(record));
        records
    }

    fn tags(record: &Record<'_>) -> Vec<(String, String)> {
        record.tags.iter().map(|tag| (tag.name.to_string(), tag.value.to_string())).collect()
    }

    const GAME: &str = "FORMAT  \tWXF\nGAME    \t\nRED     \t甲;队;国;2500\nBLACK   \t乙;;;\n/*慢棋\n两行*/\n\n\
                        START{\n 1.  C2.5  H8+7     2.  H2+3!  R9.8\n!!3.  R1.2\n}END\n";

    #[test]
    fn head_comments_moves_and_marks() {
        let records = records(GAME);
        let [record] = &records[..] else { panic!("one game") };
        let expected = [
            ("Format", "WXF"),
            ("Red", "甲"),
            ("RedTeam", "队"),
            ("RedCountry", "国"),
            ("RedElo", "2500"),
            ("Black", "乙"),
        ];
        assert_eq!(tags(record), expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(&GAME[record.tags[4].span.range()], "2500");
        assert_eq!(record.tree.comments[0].text, "慢棋\n两行");
        let line: Vec<NodeId> = record.tree.main_line().collect();
        let marks: Vec<&str> = line.iter().map(|id| record.tree.node(*id).marks).collect();
        assert_eq!(marks, ["", "", "!", "!!", ""]);
        let game = replay::replay(record, &Binary, &replay::Options::default());
        assert_eq!(game.moves.len(), 5);
        assert!(game.findings.is_empty(), "{:?}", game.findings);
    }

    // R25: a position with the letters H and E, and nothing else.
    #[test]
    fn a_position_with_letters_of_the_west() {
        let text = "FORMAT WXF\nRED ;;;\nBLACK ;;;\nFEN rheakae1r/9/1c4hc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RHEAKAEHR b\n\
                    START{\n1. ... R9.8\n}END\n";
        for text in [text, &text[..text.find("START").unwrap()]] {
            assert!(is_wxf(text));
            let records = records(text);
            let game = replay::replay(&records[0], &Binary, &replay::Options::default());
            assert_eq!(game.start.unwrap().side(), Side::Black);
            assert!(game.findings.is_empty(), "{:?}", game.findings);
            assert_eq!(game.moves.len(), usize::from(text.contains("START")));
        }
    }

    #[test]
    fn several_games_and_comments_among_moves() {
        let text = format!("{GAME}\n{}", GAME.replace("H8+7", "/* 应着 */ H2+3 /* 打开"));
        let records = records(&text);
        assert_eq!(records.len(), 2);
        assert_eq!(records[1].game, 2);
        let comments: Vec<&str> =
            records[1].tree.comments.iter().map(|comment| comment.text.as_ref()).collect();
        assert!(comments.contains(&"应着") || comments.contains(&" 应着 "), "{comments:?}");
        assert_eq!(records[1].findings.len(), 1);
    }

    #[test]
    fn a_cut_file_is_told() {
        let cut = &GAME[..GAME.len() - 5];
        assert_eq!(records(cut)[0].findings[0].code, Code::TRUNCATED);
        assert_eq!(records(cut)[0].tree.len(), 5);
        assert!(records("").is_empty());
        assert!(!is_wxf("1. C2.5 H8+7\n") && !is_wxf("FORMAT is a word\nof prose\n"));
    }

    #[test]
    fn hostile_texts() {
        for text in [
            "START{".repeat(20_000),
            "/*".repeat(20_000),
            format!("START{{{}", "}".repeat(20_000)),
            format!("START{{{}", "/*".repeat(20_000)),
            "START{\n}END\n".repeat(5000),
            format!("RED {}", ";".repeat(20_000)),
        ] {
            for record in records(&text) {
                assert!(record.findings.len() < 100);
            }
        }
    }

    /// The four files of the archive; two of them need look-ahead over pawns that are not marked (formats.md 7.4). One
    /// has no head and is loose text.
    #[test]
    fn real_files_replay() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/wxf-txt");
        if !std::path::Path::new(folder).exists() {
            let _ = writeln!(std::io::stderr(), "SKIPPED: no shared data");
            return;
        }
        let (mut games, mut plies) = (0, 0);
        for entry in walkdir::WalkDir::new(folder) {
            let entry = entry.unwrap();
            if !entry.file_type().is_file() {
                continue;
            }
            let bytes = fs::read(entry.path()).unwrap();
            let expected = if bytes.starts_with(b"FORMAT") { Format::Wxf } else { Format::Pgn };
            assert_eq!(format::sniff(&bytes, None), Some(expected));
            format::read(&bytes, expected, None, &mut |record, locate, _| {
                let game = replay::replay(&record, locate, &replay::Options::default());
                assert_eq!(game.moves.len(), record.tree.len(), "{:?}", game.findings);
                games += 1;
                plies += game.moves.len();
            });
        }
        // 43, 50 and 61 rounds, the last two with Red's move alone at the end or not; 50 rounds less one ply.
        assert_eq!((games, plies), (4, 86 + 99 + 122 + 99));
    }
}
