//! Records to XQF.

use crate::{
    board::{Move, Setup, Side, Square},
    finding::Span,
    record::{Marker, NodeId, Outcome, Record, Start, Written, standard_key},
    source::Encoding,
};

use super::{
    super::{
        Loss, Part,
        binary::RawComment,
        strings::Strings,
        write::{
            Losses, depth_first, is_implied, joined, outcome_of, pieces, squares_of, start_of,
            unplayed,
        },
    },
    HEADER_LEN, SIGNATURE,
    fields::{self, LAYOUT, Layout},
    header::{BOARD, Header, LAST_PLAIN, ORDER, PIECES, RESULT, SIDE, START, VERSION},
    keys::Keys,
    moves::{FROM_BASE, TO_BASE},
};

/// What a byte of the piece table, or of a ply that is no move, is before it is masked; no point has this number.
const NOWHERE: u8 = 0xFF;
/// Where the kind of record stands, and that of a position set up.
const KIND: usize = 0x40;
const SET_UP: u8 = 3;

/// Writes a record as an XQF file: of version 1.0, which every program reads, or with the version and the keys of the
/// XQF file that it was read from. `moves` is what each ply was played as, by [`NodeId::index`]; it may be empty for a
/// record with squares. `encoding` is GB18030 or Big5. Returns the file and what it cannot hold.
///
/// Of a record that was read from XQF all bytes stay that still say the same: a file that is read and written again is
/// the same file. Text that is too long for its field is cut behind a whole character. A ply that is no move becomes
/// one off the board with its text as comment, so that what follows it is kept.
///
/// ```
/// use qijian::{finding::Span, format::xqf, record::{NodeId, Record, Written}, board::Square, source::Encoding};
///
/// let mut record = Record::new(1);
/// let (from, to) = (Square::new(7, 2), Square::new(4, 2));
/// record.tree.add(NodeId::ROOT, Written::Squares { from, to, raw: [0; 2] }, Span::default());
/// let (file, losses) = xqf::write(&record, &[], Encoding::Gb18030);
/// assert!(losses.is_empty());
/// assert_eq!(file[1024..], [0x18, 0x20, 0xF0, 0xFF, 0, 0, 0, 0, 0x60, 0x4A, 0, 0, 0, 0, 0, 0]);
/// ```
pub fn write(
    record: &Record<'_>,
    moves: &[Option<Move>],
    encoding: Encoding,
) -> (Vec<u8>, Vec<Loss>) {
    let is_source = record.raw.starts_with(SIGNATURE) && record.raw.len() >= HEADER_LEN;
    let source = if is_source { record.raw } else { &[] };
    let stored = Header::new(source);
    let keys = Keys::new(&stored);
    let mut header = vec![0; HEADER_LEN];
    if is_source {
        header.copy_from_slice(&source[..HEADER_LEN]);
    } else {
        header[..2].copy_from_slice(SIGNATURE);
        header[VERSION] = LAST_PLAIN;
    }
    let plain = keys.unmask(source.get(HEADER_LEN..).unwrap_or_default(), HEADER_LEN);
    let mut losses = Losses::new(record);
    let mut pen = Pen { record, moves, encoding, stored, keys, plain, out: header };
    pen.tags(&mut losses);
    pen.codes(&mut losses);
    losses.common();
    pen.nodes(&mut losses);
    (pen.out, losses.finish())
}

struct Pen<'p, 'a> {
    record: &'p Record<'a>,
    moves: &'p [Option<Move>],
    encoding: Encoding,
    /// The header of the XQF file that the record was read from, else an empty one.
    stored: Header<'a>,
    keys: Keys,
    /// The moves of that file, unmasked.
    plain: Vec<u8>,
    out: Vec<u8>,
}

impl Pen<'_, '_> {
    fn is_copy(&self) -> bool {
        self.stored.byte(VERSION).is_some()
    }

    fn is_masked(&self) -> bool {
        self.is_copy() && self.stored.is_masked()
    }

    /// The tags, into the strings of the header.
    fn tags(&mut self, losses: &mut Losses<'_, '_>) {
        let record = self.record;
        let mut used = vec![false; record.tags.len()];
        let stored = fields::read(&self.stored);
        for layout in &LAYOUT {
            let found = record.tags.iter().enumerate().position(|(index, tag)| {
                let key = standard_key(layout.name);
                !used[index]
                    && (tag.name.eq_ignore_ascii_case(layout.name)
                        || key.is_some() && standard_key(&tag.name) == key)
            });
            if let Some(index) = found {
                used[index] = true;
            }
            let value = found.map(|index| &*record.tags[index].value);
            let before = stored.iter().find(|field| field.name == layout.name);
            let mut strings = Strings::in_encoding(self.encoding);
            let before = before.and_then(|field| strings.tag(field.name, field.bytes, field.span));
            if self.is_copy() && before.as_ref().map(|tag| &*tag.value) == value {
                continue;
            }
            let written = self.string(layout, value.unwrap_or_default());
            if let Some(index) = found.filter(|_| Some(&*written) != value) {
                losses.shortened(index, &written);
            }
        }
        for (index, tag) in record.tags.iter().enumerate() {
            if !used[index] && !is_implied(&tag.name, &tag.value) {
                losses.no_field(index);
            }
        }
    }

    /// Writes as much of `value` as there is room for, and says how much.
    fn string(&mut self, layout: &Layout, value: &str) -> String {
        let mut written = String::new();
        let mut bytes = Vec::new();
        for c in value.chars() {
            let held = self.held(c);
            let encoded = self.encoding.encode(held.clone());
            if bytes.len() + encoded.len() >= layout.size {
                break;
            }
            bytes.extend(encoded);
            written.push_str(&held);
        }
        // Zeros at the end are padding to every reader.
        let room = &mut self.out[layout.at..layout.at + layout.size];
        room.fill(0);
        room[0] = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
        room[1..=bytes.len()].copy_from_slice(&bytes);
        written
    }

    /// Board, side, result and kind.
    fn codes(&mut self, losses: &mut Losses<'_, '_>) {
        let outcome = outcome_of(self.record, losses);
        let start = start_of(self.record, self.moves, false, losses);
        let said = |marker: &Marker<'_>| (marker.text.to_string(), marker.outcome);
        let before = self.stored.result();
        if before.is_none() || before.as_ref().map(said) != self.record.result.as_ref().map(said) {
            self.out[RESULT] = match outcome {
                Outcome::Unknown => 0,
                Outcome::RedWins => 1,
                Outcome::BlackWins => 2,
                Outcome::Draw => 3,
            };
        }
        let before = self.is_copy().then(|| self.stored.setup(&self.keys));
        let now = match &self.record.start {
            Start::Board { setup, .. } => Some(&**setup),
            _ => None,
        };
        let same = before.as_ref().zip(now);
        if same.is_none_or(|(before, now)| before.side != now.side) {
            let side = same.map_or(start.side, |(_, now)| now.side);
            self.out[SIDE] = u8::from(side == Some(Side::Black));
        }
        if same.is_none_or(|(before, now)| before.squares != now.squares) {
            self.board(&start.setup, losses);
            let standard = start.setup.squares == Setup::start().squares;
            if !standard && self.out[KIND] < 2 {
                self.out[KIND] = SET_UP;
            }
        }
    }

    /// The piece table: the pieces in the places of the start position as far as they stand there, the others in the
    /// order of the board.
    fn board(&mut self, setup: &Setup, losses: &mut Losses<'_, '_>) {
        let mut table = [NOWHERE; PIECES];
        let mut waiting = Vec::new();
        let order = |slot: usize| {
            let side = if slot < ORDER.len() { Side::Red } else { Side::Black };
            (side, ORDER[slot % ORDER.len()])
        };
        for (square, piece) in pieces(setup) {
            let at_home = (0..PIECES).find(|slot| {
                START[*slot] == byte_of(square) && order(*slot) == (piece.side, piece.kind)
            });
            match at_home {
                Some(slot) => table[slot] = byte_of(square),
                None => waiting.push((square, piece)),
            }
        }
        for (square, piece) in waiting {
            let free = (0..PIECES)
                .find(|slot| table[*slot] == NOWHERE && order(*slot) == (piece.side, piece.kind));
            match free {
                Some(slot) => table[slot] = byte_of(square),
                None => {
                    let span = match &self.record.start {
                        Start::Board { span, .. } | Start::Fen { span, .. } => *span,
                        Start::Standard => Span::default(),
                    };
                    // The piece table has two chariots a side, and so on.
                    let text = format!("{}{square}", piece.letter());
                    losses.add(Loss::dropped(Part::Start, NodeId::ROOT, span, text));
                }
            }
        }
        for (slot, square) in table.into_iter().enumerate() {
            let at =
                if self.is_copy() { self.stored.place_of(slot, &self.keys) } else { BOARD + slot };
            self.out[at] = square.wrapping_add(self.keys.board);
        }
    }

    fn nodes(&mut self, losses: &mut Losses<'_, '_>) {
        let comments = self.record.tree.comments_by_node();
        let mut body = Vec::new();
        let mut end = 0;
        for step in depth_first(&self.record.tree) {
            let stored = self.stored(step.id);
            end = end.max(stored.map_or(0, |(at, bytes)| at + bytes.len()));
            let stored = stored.map(|(_, bytes)| bytes);
            let mut text = joined(&comments, step.id);
            let [from, to] = self.squares(step.id, stored).unwrap_or_else(|| {
                let written = unplayed(self.record, step.id, losses);
                text = if text.is_empty() { written } else { format!("{written}\n{text}") };
                [NOWHERE; 2]
            });
            let comment = self.comment(step.id, stored, &text, losses);
            let is_root = step.id == NodeId::ROOT;
            let other = step.other || is_root && stored.is_some_and(|node| self.flags(node[2]).1);
            let tag = self.tag(stored, step.more, other, comment.is_some());
            let reserved = match stored {
                Some(node) => node[3],
                None => {
                    if is_root {
                        0xFF
                    } else {
                        0
                    }
                }
            };
            body.extend([from, to, tag, reserved]);
            if self.has_length(tag) {
                let bytes = comment.unwrap_or_default();
                let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                // A negative length means no comment too; it stays as it is.
                let odd = stored.and_then(|node| node.get(4..8)).filter(|_| bytes.is_empty());
                match odd {
                    Some(length) => body.extend(length),
                    None => body.extend(length.wrapping_add(self.keys.comment).to_le_bytes()),
                }
                body.extend(bytes);
            }
        }
        // What no reader understands stays where it was.
        body.extend(self.plain.get(end..).unwrap_or_default());
        self.out.extend(self.keys.mask(&body, HEADER_LEN));
    }

    /// The node in the source, unmasked, with its place behind the header there.
    fn stored(&self, id: NodeId) -> Option<(usize, &[u8])> {
        let span = self.record.tree.node(id).span.range();
        let at = span.start.checked_sub(HEADER_LEN)?;
        let bytes = self.plain.get(at..span.end.checked_sub(HEADER_LEN)?)?;
        (bytes.len() >= 4).then_some((at, bytes))
    }

    fn squares(&self, id: NodeId, stored: Option<&[u8]>) -> Option<[u8; 2]> {
        let is_squares = matches!(self.record.tree.node(id).written, Written::Squares { .. });
        match stored {
            Some(node) if is_squares || id == NodeId::ROOT => return Some([node[0], node[1]]),
            _ if id != NodeId::ROOT => {}
            _ if self.is_masked() => return Some(*b"XQ"),
            _ => return Some([FROM_BASE, TO_BASE]),
        }
        squares_of(self.record, self.moves, id).map(|(from, to)| {
            [
                byte_of(from).wrapping_add(FROM_BASE).wrapping_add(self.keys.from),
                byte_of(to).wrapping_add(TO_BASE).wrapping_add(self.keys.to),
            ]
        })
    }

    /// The bytes of a comment: those of the source where they say the same, `None` where there is none.
    fn comment(
        &self,
        id: NodeId,
        stored: Option<&[u8]>,
        text: &str,
        losses: &mut Losses<'_, '_>,
    ) -> Option<Vec<u8>> {
        let before = stored.filter(|node| self.has_length(node[2])).and_then(|node| node.get(8..));
        let said = before.map_or_else(String::new, |bytes| {
            let comment = RawComment { node: id, bytes, span: Span::default(), cut: false };
            Strings::in_encoding(self.encoding).comment(&comment, &self.record.tree)
        });
        if stored.is_some() && said == text {
            return before.map(<[u8]>::to_vec);
        }
        if text.is_empty() {
            return None;
        }
        let held: String = text.chars().map(|c| self.held(c)).collect();
        if held != text {
            let span = self.record.tree.node(id).span;
            losses.add(Loss::changed(Part::Comment, id, span, held.as_str()));
        }
        Some(self.encoding.encode(held.replace('\n', "\r\n") + "\r\n"))
    }

    /// A character, or a reference to it where the encoding lacks it.
    fn held(&self, c: char) -> String {
        if self.encoding.holds(c) { c.to_string() } else { format!("&#x{:X};", u32::from(c)) }
    }

    /// Continuation and alternative of a tag byte.
    fn flags(&self, tag: u8) -> (bool, bool) {
        if self.is_masked() {
            (tag & 0x80 != 0, tag & 0x40 != 0)
        } else {
            (tag & 0xF0 != 0, tag & 0x0F != 0)
        }
    }

    fn has_length(&self, tag: u8) -> bool {
        !self.is_masked() || tag & 0x20 != 0
    }

    fn tag(&self, stored: Option<&[u8]>, more: bool, other: bool, comment: bool) -> u8 {
        let before = stored.map_or(0, |node| node[2]);
        let flag = |holds: bool, flag: u8| if holds { flag } else { 0 };
        if self.is_masked() {
            return before & 0x1F | flag(more, 0x80) | flag(other, 0x40) | flag(comment, 0x20);
        }
        if stored.is_some() && self.flags(before) == (more, other) {
            return before;
        }
        flag(more, 0xF0) | flag(other, 0x0F)
    }
}

/// A square as it is stored: `file * 10 + rank`.
fn byte_of(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}
