//! CBR, one game of CCBridge (象棋桥), also as it stands in a CBL library.
//!
//! A header with strings of fixed width in UTF-16 and the board, then the moves with their comments, depth first.
//! Kind 2 is what programs write; kind 1 is an older layout; of kind 3 nothing is published. Layout:
//! `grammars/cbr.ksy`.

mod layout;
mod write;

pub use write::write;

use std::borrow::Cow;

use crate::{
    board::{Kind, Piece, Setup, Side, Square},
    finding::{Code, Finding, Span, Words},
    record::{Comment, Marker, Outcome, Record, Start, Tag},
    source::Encoding,
};

use super::{
    binary::{self, RawNode, bad_field, finding, restore, u32_at},
    strings::Strings,
};
use layout::{Field, KIND_1, KIND_2, Layout, POINTS};

/// The first bytes of every record.
pub(super) const MAGIC: &[u8; 16] = b"CCBridge Record\0";

/// Where the kind stands.
const KIND: usize = 19;
/// Where the GUID stands, 16 bytes in Microsoft's layout.
pub(super) const GUID: usize = 20;

/// The line ends here: no continuation follows.
const LEAF: u8 = 1;
/// An alternative follows behind all that belongs to the node.
const OTHER: u8 = 2;
/// A comment follows.
const COMMENT: u8 = 4;

/// Reads the game of a CBR file. Total: any bytes give a record with findings.
///
/// The side to move is given only where the header says Black, as for XQF. A record of a kind that nobody has
/// described has game number 0 and the one finding `QJ001`.
///
/// ```
/// use qijian::format::cbr;
///
/// let record = cbr::read(b"CCBridge Record\0\0\0\0\x02");
/// assert_eq!(record.findings[0].code.to_string(), "QJ002");
/// ```
pub fn read(bytes: &[u8]) -> Record<'_> {
    let mut record = read_at(bytes, 0, 1);
    if record.findings.iter().any(|finding| finding.code == Code::UNKNOWN_FORMAT) {
        record.game = 0;
    }
    let end = record.span.end as usize;
    let rest = bytes.get(end..).unwrap_or_default();
    let is_cut = record.findings.iter().any(|finding| finding.code == Code::TRUNCATED);
    if !is_cut && record.game > 0 && rest.iter().any(|byte| *byte != 0) {
        record.findings.push(binary::trailing(end, rest.len()));
    }
    record.span = Span::new(0, bytes.len());
    record.raw = bytes;
    record
}

/// Reads the record that begins `bytes` and stands in its file at `base`; its span ends with its last node.
pub(super) fn read_at(bytes: &[u8], base: usize, game: u32) -> Record<'_> {
    let mut record = Record::new(game);
    let whole = Span::new(base, base + bytes.len());
    (record.span, record.raw) = (whole, bytes);
    let layout = match bytes.get(KIND) {
        Some(1) => &KIND_1,
        Some(2) => &KIND_2,
        Some(kind) => {
            record.findings.push(unknown_kind(*kind, base));
            return record;
        }
        None => {
            record.findings.push(cut_header(bytes, base, KIND + 1));
            return record;
        }
    };
    let reader = Reader { bytes, base, layout };
    if bytes.len() < layout.nodes {
        record.findings.push(cut_header(bytes, base, layout.nodes));
    }
    let mut strings = Strings::in_encoding(Encoding::Utf16Le);
    for field in layout.fields {
        record.tags.extend(reader.tag(field, &mut strings));
    }
    record.tags.extend(reader.ecco());
    record.tags.extend(reader.record_type());
    record.result = reader.result();
    record.start = reader.start();
    record.findings.extend(reader.findings());
    if bytes.len() < layout.nodes {
        record.findings.extend(strings.finish().1);
        return record;
    }
    let mut at = layout.nodes;
    let raw = binary::tree(|| reader.node(&mut at));
    record.findings.extend(raw.truncated(base + at.min(bytes.len())));
    record.span = Span::new(base, base + at);
    record.raw = &bytes[..at];
    record.tree = raw.tree;
    for comment in &raw.comments {
        let text = strings.comment(comment, &record.tree);
        if !text.is_empty() {
            let text = Cow::Owned(text);
            record.tree.comments.push(Comment { node: comment.node, text, span: comment.span });
        }
    }
    record.findings.extend(strings.finish().1);
    record
}

/// A record, or the piece of one that is there.
struct Reader<'a> {
    bytes: &'a [u8],
    /// Where it stands in its file.
    base: usize,
    layout: &'static Layout,
}

impl<'a> Reader<'a> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The `len` bytes at `at` in the file.
    fn span(&self, at: usize, len: usize) -> Span {
        Span::new(self.base + at, self.base + at + len)
    }

    /// The text of a field: up to the first zero character, which begins at an even offset.
    fn text(&self, field: &Field) -> &'a [u8] {
        let room = self.bytes.get(field.at..).unwrap_or_default();
        text(&room[..room.len().min(field.size)])
    }

    fn tag(&self, field: &Field, strings: &mut Strings) -> Option<Tag<'a>> {
        let bytes = self.text(field);
        strings.tag(field.name, bytes, self.span(field.at, bytes.len()))
    }

    fn ecco(&self) -> Option<Tag<'a>> {
        let at = self.layout.ecco?;
        let stored = self.bytes.get(at..at + 4)?;
        let code = stored.split(|byte| *byte == 0).next().unwrap_or_default();
        let value = std::str::from_utf8(code).ok().filter(|code| is_code(code))?;
        let span = self.span(at, value.len());
        Some(Tag { name: "ECCO".into(), value: value.into(), span })
    }

    fn record_type(&self) -> Option<Tag<'a>> {
        let at = self.layout.record_type;
        let kind = self.byte(at).filter(|kind| *kind != 1)?;
        let span = self.span(at, 1);
        Some(Tag { name: "RecordType".into(), value: kind.to_string().into(), span })
    }

    /// The result with the words of the program's menu.
    fn result(&self) -> Option<Marker<'a>> {
        let (text, outcome) = match self.byte(self.layout.result)? {
            1 => ("红胜", Outcome::RedWins),
            2 => ("黑胜", Outcome::BlackWins),
            3 => ("和棋", Outcome::Draw),
            4 => ("多种结果", Outcome::Unknown),
            _ => ("未知", Outcome::Unknown),
        };
        Some(Marker { text: text.into(), outcome, span: self.span(self.layout.result, 1) })
    }

    fn start(&self) -> Start<'a> {
        let at = self.layout.board;
        let Some(points) = self.bytes.get(at..at + POINTS) else { return Start::Standard };
        let mut setup = Setup::empty();
        for (square, code) in Square::all().zip((0..POINTS).map(|i| points[mirrored(i)])) {
            setup.squares[square.index()] = piece(code).unwrap_or_default();
        }
        setup.side = (self.byte(self.layout.side) == Some(2)).then_some(Side::Black);
        let round = u16::from_le_bytes([
            self.byte(self.layout.round).unwrap_or_default(),
            self.byte(self.layout.round + 1).unwrap_or_default(),
        ]);
        setup.round = (round > 1).then_some(u32::from(round));
        Start::Board { setup: Box::new(setup), span: self.span(at, POINTS) }
    }

    fn node(&self, at: &mut usize) -> Option<RawNode<'a>> {
        let rest = self.bytes.get(*at..)?;
        let [flags, reserved, from, to, rest @ ..] = rest else { return None };
        // In a damaged library the slot is padding from here on: a ply that goes nowhere.
        let is_root = *at == self.layout.nodes;
        if !is_root && [*flags, *reserved, *from, *to] == [0; 4] {
            return None;
        }
        let start = *at;
        let mut end = start + 4;
        let mut comment = None;
        if flags & COMMENT != 0 {
            let size = u32_at(rest, 0)? as usize;
            let text = &rest[4..];
            let bytes = &text[..size.min(text.len())];
            let at = start + 8;
            comment = Some((bytes, self.span(at, bytes.len()), bytes.len() < size));
            end = at + bytes.len();
        }
        *at = end;
        Some(RawNode {
            from: self.square(*from),
            to: self.square(*to),
            raw: [*from, *to],
            more: flags & LEAF == 0,
            other: flags & OTHER != 0 && !is_root,
            comment,
            span: self.span(start, end - start),
        })
    }

    fn square(&self, byte: u8) -> Option<Square> {
        if self.layout.nibbles {
            Square::new(byte >> 4, 9u8.checked_sub(byte & 0x0F)?)
        } else {
            Square::new(byte % 9, 9u8.checked_sub(byte / 9)?)
        }
    }

    fn findings(&self) -> impl Iterator<Item = Finding> {
        [self.check_result(), self.check_side(), self.check_board()].into_iter().flatten()
    }

    fn check_result(&self) -> Option<Finding> {
        let at = self.layout.result;
        let result = self.byte(at).filter(|result| *result > 4)?;
        let words = Words::new(
            format!("结果的值 {result} 不在 0 至 4 之内，按未知读取"),
            format!("the result is {result}, not 0 to 4; read as unknown"),
        );
        Some(self.bad_field(at, 1, "result", words).with("value", result))
    }

    fn check_side(&self) -> Option<Finding> {
        let at = self.layout.side;
        let side = self.byte(at).filter(|side| !matches!(side, 1 | 2))?;
        let words = Words::new(
            format!("先行方的值 {side} 不是 1（红）或 2（黑），由首着决定"),
            format!("side to move is {side}, not 1 (Red) or 2 (Black); the first move decides"),
        );
        Some(self.bad_field(at, 1, "side", words).with("value", side))
    }

    fn check_board(&self) -> Option<Finding> {
        let at = self.layout.board;
        let points = self.bytes.get(at..at + POINTS)?;
        let bad: Vec<usize> = (0..POINTS).filter(|i| piece(points[*i]).is_none()).collect();
        let first = *bad.first()?;
        let words = Words::new(
            format!("局面中有 {} 个值不是棋子，按空点读取", bad.len()),
            format!("{} values on the board are no pieces, read as empty points", bad.len()),
        );
        Some(
            self.bad_field(at + first, 1, "board", words)
                .with("value", points[first])
                .with("count", bad.len()),
        )
    }

    fn bad_field(&self, at: usize, len: usize, name: &str, words: Words) -> Finding {
        let at = self.base + at;
        bad_field(at, at + len, name, words)
    }
}

/// What stands before the first zero character.
pub(super) fn text(room: &[u8]) -> &[u8] {
    let end = room.chunks_exact(2).position(|unit| unit == [0, 0]).map_or(room.len(), |n| n * 2);
    &room[..end]
}

/// Whether a text can stand in the field of the opening's code.
fn is_code(code: &str) -> bool {
    !code.is_empty() && code.len() <= 4 && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The pieces in the order of their codes from 1 on.
const PIECES: [Kind; 7] = [
    Kind::Chariot,
    Kind::Horse,
    Kind::Elephant,
    Kind::Adviser,
    Kind::General,
    Kind::Cannon,
    Kind::Pawn,
];

/// What a code of the board means: nothing there, or a piece; `None` for a code that is no piece.
fn piece(code: u8) -> Option<Option<Piece>> {
    let side = match code >> 4 {
        0 if code == 0 => return Some(None),
        1 => Side::Red,
        2 => Side::Black,
        _ => return None,
    };
    let kind = *PIECES.get(usize::from(code & 0x0F).checked_sub(1)?)?;
    Some(Some(Piece { side, kind }))
}

/// The number of a point from Black's left corner for one from Red's, row by row, and the other way round.
const fn mirrored(index: usize) -> usize {
    (9 - index / 9) * 9 + index % 9
}

fn unknown_kind(kind: u8, base: usize) -> Finding {
    let words = Words::new(
        format!("CBR 种类 {kind} 的格式没有公开，不能读取"),
        format!("a CBR record of kind {kind}: its layout is not published, it cannot be read"),
    );
    finding(Code::UNKNOWN_FORMAT, base + KIND, base + KIND + 1, words).with("kind", kind).help(
        Words::new(
            "在象棋桥中另存为 XQF 或 PGN，再检查",
            "save it in CCBridge as XQF or PGN and check that",
        ),
    )
}

fn cut_header(bytes: &[u8], base: usize, needed: usize) -> Finding {
    let len = bytes.len();
    let words = Words::new(
        format!("文件头应为 {needed} 字节，只有 {len} 字节"),
        format!("the header has {len} of its {needed} bytes"),
    );
    finding(Code::TRUNCATED, base + len, base + len, words).help(restore())
}

#[cfg(test)]
mod tests;
