//! XQR, one game in a list of tagged fields with a checksum.
//!
//! Each field is its type, its length and its text in UTF-8, a byte for type and length; behind the type of the moves
//! stand the nodes, depth first; the last field is a CRC-32 of all before it. Layout: `grammars/xqr.ksy`.

use std::borrow::Cow;

use crate::{
    board::Square,
    finding::{Code, Finding, Span, Words},
    record::{Comment, Marker, Outcome, Record, Start},
    source::Encoding,
};

use super::{
    binary::{self, RawNode, bad_field, finding, restore, u32_at},
    strings::Strings,
};

/// The first field of every file.
const MAGIC: &[u8; 4] = b"\x00\x02\x20\x17";

/// The fields that are text: type and the name of the tag.
const TAGS: [(u8, &str); 6] =
    [(1, "Version"), (2, "Event"), (3, "Site"), (4, "Date"), (5, "Red"), (6, "Black")];
const RESULT: u8 = 7;
const FEN: u8 = 8;
const MOVES: u8 = 9;
const CRC: u8 = 10;

/// A continuation follows.
const MORE: u8 = 1;
/// An alternative follows behind all that belongs to the node.
const OTHER: u8 = 2;
/// A comment follows.
const COMMENT: u8 = 4;

/// Whether `bytes` begin like an XQR file.
pub fn is_xqr(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads the game of an XQR file. Total: any bytes give a record with findings.
///
/// ```
/// use qijian::format::xqr;
///
/// let record = xqr::read(b"\x00\x02\x20\x17\x05\x03\xe7\x94\xb2");
/// assert_eq!(record.tag("red").unwrap().value, "甲");
/// assert_eq!(record.findings[0].code.to_string(), "QJ002");
/// ```
pub fn read(bytes: &[u8]) -> Record<'_> {
    let mut record = Record::new(1);
    record.span = Span::new(0, bytes.len());
    record.raw = bytes;
    let mut strings = Strings::in_encoding(Encoding::Utf8);
    let mut at = 0;
    let mut checked = false;
    while let Some((kind, value)) = field(bytes, at) {
        let start = at + 2;
        let span = Span::new(start, start + value.len());
        at = start + value.len();
        if let Some((_, name)) = TAGS.iter().find(|(tag, _)| *tag == kind) {
            record
                .tags
                .extend(strings.tag(name, value, span).filter(|tag| is_told(name, &tag.value)));
            continue;
        }
        match kind {
            0 => {}
            RESULT => record.result = Some(result(value, span, &mut record.findings)),
            FEN => {
                let fen = strings.tag("FEN", value, span);
                if let Some(fen) = fen {
                    record.start = Start::Fen { text: fen.value.clone(), span };
                    record.tags.push(fen);
                }
            }
            MOVES => moves(&mut record, bytes, &mut at, &mut strings),
            CRC => {
                checked = true;
                record.findings.extend(wrong_sum(bytes, start - 2, value));
                break;
            }
            _ => record.findings.push(unknown(kind, start, value.len())),
        }
    }
    if !checked {
        let end = bytes.len();
        let words =
            Words::new("文件不完整，没有校验和", "the file is cut, its checksum is not there");
        record.findings.push(finding(Code::TRUNCATED, end, end, words).help(restore()));
    } else if at < bytes.len() {
        record.findings.push(binary::trailing(at, bytes.len() - at));
    }
    record.findings.extend(strings.finish().1);
    record
}

/// The version of the layout is no tag of the game where it is the usual one.
fn is_told(name: &str, value: &str) -> bool {
    name != "Version" || !value.chars().all(char::is_control)
}

/// The field at `at`: its type and its value, which is cut where the file is.
fn field(bytes: &[u8], at: usize) -> Option<(u8, &[u8])> {
    let [kind, len, rest @ ..] = bytes.get(at..)? else { return None };
    Some((*kind, &rest[..rest.len().min(usize::from(*len))]))
}

/// The codes are those of other programs; the one real file has 1 for a game that Red won.
fn result<'a>(value: &[u8], span: Span, findings: &mut Vec<Finding>) -> Marker<'a> {
    let code = value.first().copied().unwrap_or_default();
    // A digit as text means the same.
    let (text, outcome) = match code.checked_sub(b'0').unwrap_or(code) {
        1 => ("红胜", Outcome::RedWins),
        2 => ("黑胜", Outcome::BlackWins),
        3 => ("和棋", Outcome::Draw),
        _ => ("未知", Outcome::Unknown),
    };
    if code.checked_sub(b'0').unwrap_or(code) > 3 {
        let words = Words::new(
            format!("结果的值 {code} 不在 0 至 3 之内，按未知读取"),
            format!("the result is {code}, not 0 to 3; read as unknown"),
        );
        let range = span.range();
        findings.push(bad_field(range.start, range.end, "result", words).with("value", code));
    }
    Marker { text: Cow::Borrowed(text), outcome, span }
}

fn moves<'a>(record: &mut Record<'a>, bytes: &'a [u8], at: &mut usize, strings: &mut Strings) {
    let start = *at;
    let raw = binary::tree(|| node(bytes, at, start));
    record.findings.extend(raw.truncated((*at).min(bytes.len())));
    record.tree = raw.tree;
    for comment in &raw.comments {
        let text = strings.comment(comment, &record.tree);
        if !text.is_empty() {
            let text = Cow::Owned(text);
            record.tree.comments.push(Comment { node: comment.node, text, span: comment.span });
        }
    }
}

fn node<'a>(bytes: &'a [u8], at: &mut usize, first: usize) -> Option<RawNode<'a>> {
    let [from, to, flags, _, rest @ ..] = bytes.get(*at..)? else { return None };
    let start = *at;
    let mut end = start + 4;
    let mut comment = None;
    if flags & COMMENT != 0 {
        let size = u32_at(rest, 0)? as usize;
        let text = &rest[4..];
        let stored = &text[..size.min(text.len())];
        end = start + 8 + stored.len();
        comment = Some((stored, Span::new(start + 8, end), stored.len() < size));
    }
    *at = end;
    Some(RawNode {
        from: square(*from),
        to: square(*to),
        raw: [*from, *to],
        more: flags & MORE != 0,
        other: flags & OTHER != 0 && start != first,
        comment,
        span: Span::new(start, end),
    })
}

/// The row from the top in the high nibble, the file in the low one.
fn square(byte: u8) -> Option<Square> {
    Square::new(byte & 0x0F, 9u8.checked_sub(byte >> 4)?)
}

/// The checksum is over all bytes before its field.
fn wrong_sum(bytes: &[u8], at: usize, value: &[u8]) -> Option<Finding> {
    let Some(written) = u32_at(value, 0).filter(|_| value.len() == 4) else {
        let words = Words::new("校验和不是四个字节", "the checksum has not four bytes");
        let end = bytes.len();
        return Some(finding(Code::TRUNCATED, at, end, words).help(restore()));
    };
    let sum = crc32fast::hash(&bytes[..at]);
    let words = Words::new(
        format!("校验和应为 {sum:08x}，文件写作 {written:08x}，内容可能已改动"),
        format!("the checksum is {sum:08x}, the file says {written:08x}; it may have been altered"),
    );
    (sum != written)
        .then(|| bad_field(at + 2, at + 6, "crc", words).with("value", format!("{written:08x}")))
}

fn unknown(kind: u8, start: usize, len: usize) -> Finding {
    let words = Words::new(
        format!("字段类型 {kind} 不识，{len} 字节未读取"),
        format!("a field of type {kind} is not known, its {len} bytes are not read"),
    );
    bad_field(start - 2, start + len, "type", words).with("value", kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{NodeId, Written};

    /// h2e2 {好} (b2e2) h9g7, by the layout of reference/formats.md 11.5: h2e2 is 77 74, b2e2 is 71 74.
    fn example() -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(b"\x05\x03\xe7\x94\xb2\x07\x01\x01\x09\x00");
        bytes.extend(b"\0\0\x01\0\x77\x74\x07\0\x03\0\0\0\xe5\xa5\xbd\x07\x26\0\0\x71\x74\0\0");
        let sum = crc32fast::hash(&bytes);
        bytes.extend([CRC, 4]);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    fn codes(bytes: &[u8]) -> Vec<String> {
        read(bytes).findings.iter().map(|finding| finding.code.to_string()).collect()
    }

    #[test]
    fn fields_and_nodes() {
        let bytes = example();
        let record = read(&bytes);
        assert_eq!(record.findings, []);
        assert_eq!(record.result.as_ref().unwrap().outcome, Outcome::RedWins);
        let squares: Vec<String> = (1..=3)
            .map(|index| match record.tree.node(record.tree.nth(index).unwrap()).written {
                Written::Squares { from: Some(from), to: Some(to), .. } => format!("{from}{to}"),
                _ => "?".into(),
            })
            .collect();
        assert_eq!(squares, ["h2e2", "h9g7", "b2e2"]);
        assert_eq!(record.tree.children(NodeId::ROOT).count(), 2);
        assert_eq!(record.tree.comments[0].text, "好");
    }

    #[test]
    fn the_checksum_is_checked() {
        let mut bytes = example();
        bytes[6] ^= 1;
        assert!(codes(&bytes).contains(&"QJ004".to_owned()));
        // The check value of the common CRC-32 is that of "123456789".
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn every_cut_is_told() {
        let bytes = example();
        for length in 4..bytes.len() {
            assert!(codes(&bytes[..length]).contains(&"QJ002".to_owned()), "{length}");
        }
    }

    #[test]
    fn other_faults() {
        assert_eq!(codes(&[example(), vec![0]].concat()), ["QJ003"]);
        let unknown = [&MAGIC[..], b"\x63\x01a"].concat();
        assert_eq!(codes(&unknown), ["QJ004", "QJ002"]);
        let position = [&MAGIC[..], b"\x08\x054k4/9"].concat();
        assert!(matches!(read(&position).start, Start::Fen { .. }));
    }
}
