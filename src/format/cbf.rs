//! CBF, one game of CCBridge (象棋桥) as XML.
//!
//! `ChineseChessRecord` holds `Head`, an element a field, and `MoveList`, an element `Move` a ply: its `value` is the
//! squares, file and row from the top of each in a digit, as `77-47`; its text is the comment. The first is `00-00`, the
//! start position; `end="1"` is on the last ply of a line.
//!
//! How variations are written is not known: no file with one was found. Plies behind the end of the line are kept apart
//! from it and reported.

use std::{borrow::Cow, ops::Range};

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

use crate::{
    board::Square,
    finding::{Code, Finding, Locate, Span, Words},
    record::{Comment, Marker, NodeId, Outcome, Record, Start, Tag, Written},
    source::{Encoding, Text},
};

/// The element that holds everything.
const ROOT: &str = "ChineseChessRecord";
/// Bytes in which it stands in every file.
const PREFIX: usize = 1024;
const MARK: char = '\u{FEFF}';

/// Elements of the head with the names of their tags, those of CBR; others keep their own.
const TAGS: [(&str, &str); 13] = [
    ("Name", "Title"),
    ("From", "Source"),
    ("ContestType", "EventClass"),
    ("Contest", "Event"),
    ("TimeRule", "TimeControl"),
    ("RedRating", "RedElo"),
    ("BlackRating", "BlackElo"),
    ("Commentator", "Annotator"),
    ("Creator", "Author"),
    ("DateCreated", "Created"),
    ("DateModified", "Modified"),
    ("RecordKind", "Nature"),
    ("ResultType", "Termination"),
];

/// Whether `bytes` begin like a CBF file in any encoding.
///
/// ```
/// assert!(qijian::format::cbf::is_cbf(b"<ChineseChessRecord Version=\"1.0\">"));
/// assert!(!qijian::format::cbf::is_cbf(b"ChineseChessRecord"));
/// ```
pub fn is_cbf(bytes: &[u8]) -> bool {
    // UTF-16 is ASCII with zeros between.
    let prefix = bytes.iter().take(PREFIX).filter(|byte| **byte != 0);
    let ascii: Vec<u8> = prefix.copied().filter(u8::is_ascii).collect();
    let begins = ascii.trim_ascii_start().starts_with(b"<");
    begins && ascii.windows(ROOT.len() + 1).any(|at| at[0] == b'<' && at[1..] == *ROOT.as_bytes())
}

/// The encoding that the declaration names, where the file can be in it; a BOM goes before it.
///
/// ```
/// use qijian::{format::cbf, source::Encoding};
///
/// let file = b"<?xml version=\"1.0\" encoding=\"GB2312\"?><ChineseChessRecord/>";
/// assert_eq!(cbf::declared(file), Some(Encoding::Gb18030));
/// ```
pub fn declared(bytes: &[u8]) -> Option<Encoding> {
    let head = bytes.strip_prefix(b"<?xml")?;
    let end = head.windows(2).take(PREFIX).position(|pair| pair == b"?>")?;
    let head = std::str::from_utf8(&head[..end]).ok()?;
    let (_, value) = head.split_once("encoding")?;
    let name = value.split(['"', '\'']).nth(1)?;
    let encoding = Encoding::from_name(name)?;
    Text::decode(bytes, encoding).bad_bytes().is_empty().then_some(encoding)
}

/// Reads the game of a CBF file. Total: any text gives a record with findings.
///
/// ```
/// use qijian::{format::cbf, source::{Encoding, Text}};
///
/// let file = "<ChineseChessRecord><Head><Red>甲</Red></Head>\
///     <MoveList><Move value=\"00-00\"/><Move value=\"77-47\">好</Move></MoveList></ChineseChessRecord>";
/// let text = Text::decode(file.as_bytes(), Encoding::Utf8);
/// cbf::read(&text, &mut |record| {
///     assert_eq!(record.tag("red").unwrap().value, "甲");
///     assert_eq!((record.tree.len(), &*record.tree.comments[0].text), (1, "好"));
///     assert!(record.findings.is_empty());
/// });
/// ```
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    let source = text.as_str();
    let marks = source.len() - source.trim_start_matches(MARK).len();
    let mut record = Record::new(1);
    record.span = Span::new(0, source.len());
    let mut parser = Parser {
        text: source,
        base: marks,
        locate: text,
        record,
        field: None,
        content: String::new(),
        last: NodeId::ROOT,
        started: false,
        ended: false,
        has_root: false,
    };
    parser.run();
    sink(parser.record);
}

/// What an element that is open is.
enum Open {
    Root,
    Field(String, usize),
    Move,
}

struct Parser<'t, 'l> {
    text: &'t str,
    /// Bytes of `text` before the XML begins.
    base: usize,
    locate: &'l dyn Locate,
    record: Record<'t>,
    /// The element whose text is being read.
    field: Option<Open>,
    content: String,
    /// The ply that text belongs to.
    last: NodeId,
    /// Whether the start position has been read.
    started: bool,
    /// Whether the line has ended.
    ended: bool,
    has_root: bool,
}

impl Parser<'_, '_> {
    fn run(&mut self) {
        let mut reader = Reader::from_str(&self.text[self.base..]);
        let mut depth = 0usize;
        loop {
            let start = self.base + position(reader.buffer_position());
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = self.base + position(reader.error_position());
                    self.malformed(at, &error.to_string());
                    return;
                }
            };
            let end = self.base + position(reader.buffer_position());
            match event {
                Event::Start(element) => {
                    depth += 1;
                    self.open(&element, start..end);
                }
                Event::Empty(element) => {
                    self.open(&element, start..end);
                    self.close(end, end);
                }
                Event::End(_) => {
                    depth = depth.saturating_sub(1);
                    self.close(start, end);
                }
                // Blanks between elements belong to nothing.
                Event::Text(text) => {
                    let text = text.xml10_content();
                    if !text.trim().is_empty() {
                        self.content.push_str(&text);
                    }
                }
                Event::CData(text) => self.content.push_str(&text.xml10_content()),
                Event::GeneralRef(reference) => {
                    let name: &str = &reference;
                    match reference.resolve_char_ref() {
                        Ok(Some(c)) => self.content.push(c),
                        _ => match quick_xml::escape::resolve_predefined_entity(name) {
                            Some(text) => self.content.push_str(text),
                            None => {
                                // Entities that a file declares are not expanded: they can grow without bound.
                                self.content.push_str(&self.text[start..end]);
                                self.report(
                                    start..end,
                                    "实体不识，照原样保留",
                                    "an entity is not known; it stays as it is",
                                );
                            }
                        },
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        let end = self.text.len();
        if depth > 0 || !self.has_root {
            let words = Words::new("文件在元素中间结束", "the file ends within an element");
            let place = self.locate.place(Span::new(end, end));
            let help = super::binary::restore();
            self.record.findings.push(Finding::new(Code::TRUNCATED, words).at(place).help(help));
        }
    }

    fn open(&mut self, element: &BytesStart<'_>, at: Range<usize>) {
        let name = element.name();
        let name: &str = name.as_ref();
        self.content.clear();
        self.field = match name {
            ROOT | "Head" | "MoveList" => {
                self.has_root |= name == ROOT;
                Some(Open::Root)
            }
            "Move" => {
                self.ply(element, at);
                Some(Open::Move)
            }
            _ => Some(Open::Field(name.to_owned(), at.end)),
        };
    }

    fn close(&mut self, start: usize, end: usize) {
        let content = std::mem::take(&mut self.content);
        match self.field.take() {
            Some(Open::Field(name, begin)) => self.tag(&name, content, Span::new(begin, start)),
            Some(Open::Move) => {
                let text = content.trim_end();
                if !text.is_empty() {
                    let text = Cow::Owned(text.to_owned());
                    let span = self.record.tree.node(self.last).span;
                    let span = Span::new(span.end as usize, end.max(span.end as usize));
                    self.record.tree.comments.push(Comment { node: self.last, text, span });
                }
            }
            Some(Open::Root) | None => {}
        }
    }

    fn tag(&mut self, name: &str, value: String, span: Span) {
        if value.trim().is_empty() {
            return;
        }
        match name {
            "RecordResult" => {
                self.record.result = Some(self.result(&value, span));
                return;
            }
            "RecordType" if value.trim() == "1" => return,
            "FEN" => self.record.start = Start::Fen { text: value.clone().into(), span },
            _ => {}
        }
        let known = TAGS.iter().find(|(element, _)| *element == name);
        let name =
            known.map_or_else(|| Cow::Owned(name.to_owned()), |(_, tag)| Cow::Borrowed(*tag));
        self.record.tags.push(Tag { name, value: value.into(), span });
    }

    /// The codes of CBR; 3 is seen for a draw.
    fn result(&mut self, value: &str, span: Span) -> Marker<'static> {
        let (text, outcome) = match value.trim() {
            "0" => ("未知", Outcome::Unknown),
            "1" => ("红胜", Outcome::RedWins),
            "2" => ("黑胜", Outcome::BlackWins),
            "3" => ("和棋", Outcome::Draw),
            "4" => ("多种结果", Outcome::Unknown),
            _ => {
                let words = Words::new(
                    format!("结果的值 {value} 不在 0 至 4 之内，按未知读取"),
                    format!("the result is {value}, not 0 to 4; read as unknown"),
                );
                let finding = Finding::new(Code::BAD_FIELD, words).at(self.locate.place(span));
                self.record.findings.push(finding.with("field", "result").with("value", value));
                ("未知", Outcome::Unknown)
            }
        };
        Marker { text: text.into(), outcome, span }
    }

    fn ply(&mut self, element: &BytesStart<'_>, at: Range<usize>) {
        let attribute = |name: &str| {
            let found = element.try_get_attribute(name).ok().flatten()?;
            found.normalized_value(XmlVersion::Implicit1_0).ok().map(Cow::into_owned)
        };
        let value = attribute("value").unwrap_or_default();
        let span = Span::new(at.start, at.end);
        if !std::mem::replace(&mut self.started, true) && value == "00-00" {
            self.record.tree.node_mut(NodeId::ROOT).span = span;
            self.last = NodeId::ROOT;
            return;
        }
        let written = squares(&value).unwrap_or_else(|| {
            // What is no move stays as text.
            let element = &self.text[at.clone()];
            let from = element.find(&value).unwrap_or_default();
            Written::Text(
                element
                    .get(from..from + value.len())
                    .filter(|text| !text.is_empty())
                    .unwrap_or(element),
            )
        });
        if self.ended {
            if self.record.after_end.is_empty() {
                let words = (
                    "主线结束之后还有着法，变着的写法不明，未接入",
                    "plies behind the end of the line; how variations are written is not known, they are kept apart",
                );
                self.report(at, words.0, words.1);
            }
            self.record.after_end.push((written, span));
        } else {
            self.last = self.record.tree.add(self.last, written, span);
        }
        self.ended |= attribute("end").is_some_and(|end| end == "1");
    }

    fn malformed(&mut self, at: usize, error: &str) {
        let at = at.min(self.text.len());
        let words = Words::new(
            format!("XML 不合语法，其后未读取：{error}"),
            format!("the XML is not well formed, nothing behind it is read: {error}"),
        );
        let place = self.locate.place(Span::new(at, at));
        let finding = Finding::new(Code::BAD_SYNTAX, words).at(place);
        self.record.findings.push(finding.help(super::binary::restore()));
    }

    fn report(&mut self, at: Range<usize>, zh: &'static str, en: &'static str) {
        let place = self.locate.place(Span::new(at.start, at.end));
        self.record.findings.push(Finding::new(Code::BAD_SYNTAX, Words::new(zh, en)).at(place));
    }
}

fn position(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The squares of `77-47`: file and row from the top, each from 0 on.
fn squares(value: &str) -> Option<Written<'static>> {
    let [file, row, b'-', to_file, to_row] = *value.as_bytes() else { return None };
    let digits = [file, row, to_file, to_row].map(|byte| byte.wrapping_sub(b'0'));
    if digits.iter().any(|digit| *digit > 9) {
        return None;
    }
    let [file, row, to_file, to_row] = digits;
    Some(Written::Squares {
        from: Square::new(file, 9 - row),
        to: Square::new(to_file, 9 - to_row),
        raw: [file * 10 + row, to_file * 10 + to_row],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record<T>(moves: &str, check: impl Fn(&Record<'_>) -> T) -> T {
        all(
            &format!(
                "<ChineseChessRecord><Head/><MoveList><Move value=\"00-00\"/>{moves}</MoveList></ChineseChessRecord>"
            ),
            check,
        )
    }

    fn all<T>(file: &str, check: impl Fn(&Record<'_>) -> T) -> T {
        let text = Text::decode(file.as_bytes(), Encoding::Utf8);
        let mut result = None;
        read(&text, &mut |record| result = Some(check(&record)));
        result.unwrap()
    }

    fn codes(record: &Record<'_>) -> Vec<String> {
        record.findings.iter().map(|finding| finding.code.to_string()).collect()
    }

    #[test]
    fn moves_and_comments() {
        let moves = "<Move value=\"77-47\"><![CDATA[<当头炮>\r\n]]></Move>\n<Move value=\"72-42\">甲 &amp; 乙&#33;</Move>\
                     <Move value=\"79-67\" end=\"1\"/>";
        record(moves, |record| {
            assert_eq!(codes(record), Vec::<String>::new());
            let squares: Vec<String> = record
                .tree
                .main_line()
                .map(|id| match record.tree.node(id).written {
                    Written::Squares { from: Some(from), to: Some(to), .. } => {
                        format!("{from}{to}")
                    }
                    _ => "?".into(),
                })
                .collect();
            // reference/formats.md 4: 77-47 is h2e2.
            assert_eq!(squares, ["h2e2", "h7e7", "h0g2"]);
            let comments: Vec<_> = record.tree.comments.iter().map(|c| &*c.text).collect();
            assert_eq!(comments, ["<当头炮>", "甲 & 乙!"]);
        });
    }

    #[test]
    fn plies_behind_the_end_are_kept_apart() {
        let moves = "<Move value=\"77-47\" end=\"1\"/><Move value=\"17-47\"/>";
        record(moves, |record| {
            assert_eq!((record.tree.len(), record.after_end.len()), (1, 1));
            assert_eq!(codes(record), ["QJ006"]);
        });
    }

    #[test]
    fn faults() {
        record("<Move value=\"9z-47\"/>", |record| {
            let first = record.tree.first_child(NodeId::ROOT).unwrap();
            assert_eq!(record.tree.node(first).written, Written::Text("9z-47"));
        });
        record("<Move value=\"97-47\"/>", |record| {
            let first = record.tree.first_child(NodeId::ROOT).unwrap();
            assert!(matches!(record.tree.node(first).written, Written::Squares { from: None, .. }));
        });
        let cut = "<ChineseChessRecord><Head><Red>甲</Red>";
        all(cut, |record| assert_eq!(codes(record), ["QJ002"]));
        all("<ChineseChessRecord></Head>", |record| assert_eq!(codes(record), ["QJ006"]));
        all("<a/>", |record| assert_eq!(codes(record), ["QJ002"]));
        // Twice a BOM, and entities that grow (formats.md 4 and billion laughs).
        all("\u{FEFF}\u{FEFF}<ChineseChessRecord/>", |record| assert!(record.findings.is_empty()));
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\
                    <ChineseChessRecord><Head><Red>&b;</Red></Head></ChineseChessRecord>";
        all(bomb, |record| {
            assert_eq!(record.tag("red").unwrap().value, "&b;");
            assert_eq!(codes(record), ["QJ006"]);
        });
    }

    #[test]
    fn encodings() {
        let (bytes, _, _) =
            (b"<?xml version='1.0' encoding='gbk'?><ChineseChessRecord>\xba\xec", 0, 0);
        assert_eq!(declared(bytes), Some(Encoding::Gb18030));
        // What the declaration says must be possible.
        assert_eq!(declared(b"<?xml version='1.0' encoding='utf-8'?><a>\xba\xec"), None);
        assert!(is_cbf("\u{FEFF}<?xml?><ChineseChessRecord>".as_bytes()));
        let utf16: Vec<u8> =
            "\u{FEFF}<ChineseChessRecord/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(is_cbf(&utf16));
        assert!(!is_cbf(b"<html>ChineseChessRecord</html>"));
    }
}
