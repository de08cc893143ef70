//! Records to CBR, kind 2.

use crate::{
    board::{Move, Side, Square},
    finding::Span,
    record::{NodeId, Outcome, Record, Start, Written, standard_key},
    source::Encoding,
};

use super::{
    super::{
        Loss,
        binary::RawComment,
        strings::Strings,
        write::{
            Losses, depth_first, is_implied, joined, outcome_of, squares_of, start_of, unplayed,
        },
    },
    COMMENT, Field, GUID, KIND, KIND_2, LEAF, Layout, MAGIC, OTHER, Reader, is_code, mirrored,
};
use crate::board::Piece;

const LAYOUT: &Layout = &KIND_2;
/// The ply that the program showed last; all ones for none.
const SHOWN: std::ops::Range<usize> = 2210..2214;
/// The byte of a square for a ply that is no move; no point has this number.
const NOWHERE: u8 = 0xFF;

/// Writes a record as a CBR file of kind 2. `moves` is what each ply was played as, by [`NodeId::index`]; it may be
/// empty for a record with squares. Returns the file and what it cannot hold.
///
/// Of a record that was read from CBR all bytes stay that still say the same: a file that is read and written again is
/// the same file. Text that is too long for its field is cut behind a whole character. A ply that is no move becomes
/// one off the board with its text as comment, so that what follows it is kept.
///
/// ```
/// use qijian::{board::Square, finding::Span, format::cbr, record::{NodeId, Record, Written}};
///
/// let mut record = Record::new(1);
/// let (from, to) = (Square::new(7, 2), Square::new(4, 2));
/// record.tree.add(NodeId::ROOT, Written::Squares { from, to, raw: [0; 2] }, Span::default());
/// let (file, losses) = cbr::write(&record, &[]);
/// assert!(losses.is_empty());
/// assert_eq!(file[2214..], [0, 0, 0, 0, 1, 0, 0x46, 0x43]);
/// ```
pub fn write(record: &Record<'_>, moves: &[Option<Move>]) -> (Vec<u8>, Vec<Loss>) {
    let is_source =
        record.raw.starts_with(MAGIC) && record.raw.len() >= LAYOUT.nodes && record.raw[KIND] == 2;
    let source = if is_source { record.raw } else { &[] };
    let mut losses = Losses::new(record);
    let mut pen = Pen { record, moves, source, out: header(source) };
    pen.strings(&mut losses);
    pen.codes(&mut losses);
    losses.common();
    pen.nodes(&mut losses);
    if source.is_empty() {
        let guid = guid(&pen.out);
        pen.put(GUID, &guid);
    }
    (pen.out, losses.finish())
}

/// The header to begin with: that of the source, else an empty one.
fn header(source: &[u8]) -> Vec<u8> {
    if let Some(header) = source.get(..LAYOUT.nodes) {
        return header.to_vec();
    }
    let mut header = vec![0; LAYOUT.nodes];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header[KIND] = 2;
    header[LAYOUT.record_type] = 1;
    header[LAYOUT.side] = 1;
    header[LAYOUT.round] = 1;
    header[SHOWN].fill(0xFF);
    header
}

/// A GUID that depends on the content alone (FNV-1a, the version bits of a custom one), so that equal records give
/// equal files.
fn guid(content: &[u8]) -> [u8; 16] {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    for byte in content {
        hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    }
    let mut guid = hash.to_le_bytes();
    guid[7] = guid[7] & 0x0F | 0x80;
    guid[8] = guid[8] & 0x3F | 0x80;
    guid
}

struct Pen<'p, 'a> {
    record: &'p Record<'a>,
    moves: &'p [Option<Move>],
    /// The CBR record that it was read from, else empty.
    source: &'a [u8],
    out: Vec<u8>,
}

impl<'a> Pen<'_, 'a> {
    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.out[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn reader(&self) -> Option<Reader<'a>> {
        let base = self.record.span.start as usize;
        (!self.source.is_empty()).then_some(Reader { bytes: self.source, base, layout: LAYOUT })
    }

    /// The tags, into the strings of the header and the two codes that are tags.
    fn strings(&mut self, losses: &mut Losses<'_, '_>) {
        let tags = &self.record.tags;
        let mut used = vec![false; tags.len()];
        for field in LAYOUT.fields {
            let found = tag_for(self.record, field.name, &used);
            let value = found.map(|index| &*tags[index].value);
            if let Some(index) = found {
                used[index] = true;
            }
            let mut strings = Strings::in_encoding(Encoding::Utf16Le);
            let stored = self.reader().and_then(|reader| reader.tag(field, &mut strings));
            if self.source.is_empty() || stored.as_ref().map(|tag| &*tag.value) != value {
                let written = self.string(field, value.unwrap_or_default());
                if let Some(index) = found.filter(|_| Some(&*written) != value) {
                    losses.shortened(index, &written);
                }
            }
        }
        for name in ["ECCO", "RecordType"] {
            let found = tag_for(self.record, name, &used);
            let value = found.map(|index| &*tags[index].value);
            let held = if name == "ECCO" { self.ecco(value) } else { self.record_type(value) };
            if let Some(index) = found.filter(|_| held) {
                used[index] = true;
            }
        }
        for (index, tag) in tags.iter().enumerate() {
            if !used[index] && !is_implied(&tag.name, &tag.value) {
                losses.no_field(index);
            }
        }
    }

    /// Writes as much of `value` as there is room for, and says how much.
    fn string(&mut self, field: &Field, value: &str) -> String {
        let mut written = String::new();
        let mut bytes = Vec::with_capacity(field.size);
        let mut units = [0; 2];
        for c in value.chars().take_while(|c| *c != '\0') {
            let units = c.encode_utf16(&mut units);
            // The zero behind it needs two bytes.
            if bytes.len() + units.len() * 2 + 2 > field.size {
                break;
            }
            bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
            written.push(c);
        }
        bytes.resize(field.size, 0);
        self.put(field.at, &bytes);
        written
    }

    fn ecco(&mut self, value: Option<&str>) -> bool {
        let Some(at) = LAYOUT.ecco else { return false };
        let stored = self.reader().and_then(|reader| reader.ecco());
        if self.source.is_empty() || stored.as_ref().map(|tag| &*tag.value) != value {
            self.put(at, &[0; 4]);
            let Some(code) = value.filter(|code| code.len() < 4 && is_code(code)) else {
                return false;
            };
            self.put(at, code.as_bytes());
        }
        true
    }

    fn record_type(&mut self, value: Option<&str>) -> bool {
        let kind = value.and_then(|value| value.trim().parse().ok());
        self.out[LAYOUT.record_type] = kind.unwrap_or(1);
        kind.is_some()
    }

    /// Result, side, round and board.
    fn codes(&mut self, losses: &mut Losses<'_, '_>) {
        let outcome = outcome_of(self.record, losses);
        let start = start_of(self.record, self.moves, true, losses);
        let stored = self.reader();
        let marker = stored.as_ref().and_then(Reader::result);
        let said = |marker: &crate::record::Marker<'_>| (marker.text.to_string(), marker.outcome);
        if marker.is_none() || marker.as_ref().map(said) != self.record.result.as_ref().map(said) {
            let several =
                self.record.result.as_ref().is_some_and(|result| result.text == "多种结果");
            self.out[LAYOUT.result] = match outcome {
                Outcome::RedWins => 1,
                Outcome::BlackWins => 2,
                Outcome::Draw => 3,
                Outcome::Unknown if several => 4,
                Outcome::Unknown => 0,
            };
        }
        let stored = stored.map(|reader| reader.start());
        let (before, now) = match (&stored, &self.record.start) {
            (Some(Start::Board { setup: before, .. }), Start::Board { setup: now, .. }) => {
                (Some(before), Some(now))
            }
            _ => (None, None),
        };
        let same = before.zip(now);
        if same.is_none_or(|(before, now)| before.side != now.side) {
            let side = same.map_or(start.side, |(_, now)| now.side);
            self.out[LAYOUT.side] = if side == Some(Side::Black) { 2 } else { 1 };
        }
        if same.is_none_or(|(before, now)| before.round != now.round) {
            let round = u16::try_from(start.setup.round.unwrap_or(1)).unwrap_or(u16::MAX);
            self.put(LAYOUT.round, &round.to_le_bytes());
        }
        if same.is_none_or(|(before, now)| before.squares != now.squares) {
            for (index, piece) in start.setup.squares.iter().enumerate() {
                self.out[LAYOUT.board + mirrored(index)] = piece.map_or(0, code);
            }
        }
    }

    fn nodes(&mut self, losses: &mut Losses<'_, '_>) {
        let comments = self.record.tree.comments_by_node();
        let mut end = LAYOUT.nodes;
        for step in depth_first(&self.record.tree) {
            let stored = self.stored(step.id);
            end = end.max(stored.map_or(0, |(at, bytes)| at + bytes.len()));
            let is_root = step.id == NodeId::ROOT;
            let stored = stored.map_or(&[][..], |(_, bytes)| bytes);
            let mut text = joined(&comments, step.id);
            let squares = self.squares(step.id).unwrap_or_else(|| {
                let written = unplayed(self.record, step.id, losses);
                text = if text.is_empty() { written } else { format!("{written}\n{text}") };
                [NOWHERE; 2]
            });
            let comment = self.comment(step.id, stored, &text);
            let kept = match (stored.first(), is_root) {
                (Some(flags), true) => flags & !(LEAF | COMMENT),
                (Some(flags), false) => flags & !(LEAF | COMMENT | OTHER),
                (None, _) => 0,
            };
            let flag = |holds: bool, flag: u8| if holds { flag } else { 0 };
            let flags = kept
                | flag(!step.more, LEAF)
                | flag(step.other, OTHER)
                | flag(comment.is_some(), COMMENT);
            let reserved = stored.get(1).copied().unwrap_or_default();
            self.out.extend([flags, reserved, squares[0], squares[1]]);
            if let Some(bytes) = comment {
                self.out.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
                self.out.extend(bytes);
            }
        }
        // What no reader understands stays where it was.
        self.out.extend(self.source.get(end..).unwrap_or_default());
    }

    /// The node in the source, with its place there.
    fn stored(&self, id: NodeId) -> Option<(usize, &'a [u8])> {
        let span = self.record.tree.node(id).span;
        let at = span.start.checked_sub(self.record.span.start)? as usize;
        let len = span.end.checked_sub(span.start)? as usize;
        let bytes = self.source.get(at..at + len)?;
        (at >= LAYOUT.nodes && len >= 4).then_some((at, bytes))
    }

    fn squares(&self, id: NodeId) -> Option<[u8; 2]> {
        if id == NodeId::ROOT {
            return Some(self.stored(id).map_or([0; 2], |(_, bytes)| [bytes[2], bytes[3]]));
        }
        if let Written::Squares { raw, .. } = self.record.tree.node(id).written
            && !self.source.is_empty()
        {
            return Some(raw);
        }
        let point = |square: Square| mirrored(square.index()) as u8;
        squares_of(self.record, self.moves, id).map(|(from, to)| [point(from), point(to)])
    }

    /// The bytes of a comment: those of the source where they say the same, `None` where there is none.
    fn comment(&self, id: NodeId, stored: &'a [u8], text: &str) -> Option<Vec<u8>> {
        let before = stored.get(8..).filter(|_| stored[0] & COMMENT != 0);
        let said = before.map_or_else(String::new, |bytes| {
            let comment = RawComment { node: id, bytes, span: Span::default(), cut: false };
            Strings::in_encoding(Encoding::Utf16Le).comment(&comment, &self.record.tree)
        });
        if !stored.is_empty() && said == text {
            return before.map(<[u8]>::to_vec);
        }
        // A line end behind the text is taken as the program's, not the writer's.
        let end = if text.ends_with('\n') { "\r\n" } else { "" };
        let lines = text.replace('\n', "\r\n") + end;
        (!text.is_empty()).then(|| lines.encode_utf16().flat_map(u16::to_le_bytes).collect())
    }
}

/// The first tag not yet used that belongs into the field `name`: called so, else with the same standard key.
fn tag_for(record: &Record<'_>, name: &str, used: &[bool]) -> Option<usize> {
    let free = |index: &usize| !used[*index];
    let mut all = (0..record.tags.len()).filter(free);
    let by_name = all.find(|index| record.tags[*index].name.eq_ignore_ascii_case(name));
    let key = standard_key(name);
    by_name.or_else(|| {
        let mut all = (0..record.tags.len()).filter(free);
        all.find(|index| key.is_some() && standard_key(&record.tags[*index].name) == key)
    })
}

fn code(piece: Piece) -> u8 {
    let side = if piece.side == Side::Red { 0x10 } else { 0x20 };
    let kind = super::PIECES.iter().position(|kind| *kind == piece.kind).unwrap_or_default();
    side | (kind as u8 + 1)
}
