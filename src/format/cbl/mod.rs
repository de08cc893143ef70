//! CBL, libraries of CCBridge (象棋桥), in both forms.
//!
//! The present form, `CCBridgeLibrary`, is a header with the library's own fields and an index, then records in the
//! form of CBR, each from a multiple of 4096 bytes on. Layout: `grammars/cbl.ksy`. The older form, `CCBridge`, is
//! compressed and laid out otherwise: [`old`].
//!
//! The name of the library stands in the tag `Library` of each game, what else is said of the library in tags of the
//! first game alone, as remarks may be long.

pub mod old;

use std::collections::HashMap;

use crate::{
    finding::{Code, Finding, Severity, Words},
    record::{Record, Tag},
    source::Encoding,
};

use super::{
    binary::{bad_field, finding, restore, u32_at},
    cbr,
    strings::Strings,
};

/// Where the number of entries of the index stands.
const CAPACITY: usize = 60;
const INDEX: usize = 66_624;
const ENTRY: usize = 276;
/// Records begin on multiples of this behind the index.
const SLOT: usize = 4096;
/// The state of an entry whose record was deleted or replaced by another.
const DELETED: u32 = 5;
/// The GUID in an entry, without the zero behind it.
const GUID_TEXT: std::ops::Range<usize> = 20..96;

/// A string of the header: the name of its tag, where it stands, bytes.
type Field = (&'static str, usize, usize);

const NAME: Field = ("Library", 64, 512);
const OTHERS: [Field; 6] = [
    ("LibrarySource", 576, 256),
    ("LibraryCreator", 832, 64),
    ("LibraryCreatorEmail", 896, 64),
    ("LibraryCreated", 960, 64),
    ("LibraryModified", 1024, 64),
    ("LibraryRemarks", 1088, 65_536),
];

/// Whether `bytes` are a library of the older form.
pub fn is_old(bytes: &[u8]) -> bool {
    bytes
        .strip_prefix(b"CCBridge")
        .is_some_and(|rest| !rest.starts_with(b" ") && !rest.starts_with(b"L"))
}

/// Reads the games of a library of the present form in the order of the file. Total: any bytes give at least one
/// record, if need be an empty one with number 0 that only carries findings. Findings about the library go with the
/// first game.
///
/// What counts is where records begin, not the index, which may be out of step; the index only tells which records were
/// deleted. Those are reported (`QJ012`) and not read.
///
/// ```
/// use qijian::format::cbl;
///
/// let mut codes = Vec::new();
/// cbl::read(b"CCBridgeLibrary\0", &mut |record| codes.push(record.findings[0].code.to_string()));
/// assert_eq!(codes, ["QJ002"]);
/// ```
pub fn read<'b>(bytes: &'b [u8], sink: &mut dyn FnMut(Record<'b>)) {
    let mut strings = Strings::in_encoding(Encoding::Utf16Le);
    let mut tag = |(name, at, size): Field| {
        let room = bytes.get(at..).unwrap_or_default();
        let stored = cbr::text(&room[..room.len().min(size)]);
        strings.tag(name, stored, crate::finding::Span::new(at, at + stored.len()))
    };
    let name = tag(NAME);
    let mut others: Vec<Tag<'b>> = OTHERS.into_iter().filter_map(tag).collect();
    let (_, mut findings) = strings.finish();
    let capacity = u32_at(bytes, CAPACITY).unwrap_or_default() as usize;
    let first = capacity.saturating_mul(ENTRY).saturating_add(INDEX);
    let begins = begins(bytes, first, &mut findings);
    let index = Index::new(bytes, capacity, first);
    let ends = begins.iter().skip(1).copied().chain([bytes.len()]);
    let mut live = Vec::new();
    for (at, end) in begins.iter().copied().zip(ends) {
        if index.is_deleted(bytes, at) {
            findings.push(deleted(at, end));
        } else {
            live.push(at..end);
        }
    }
    if live.is_empty() {
        let mut nothing = Record::new(0);
        nothing.tags.extend(name);
        nothing.findings = findings;
        nothing.findings.push(no_record(bytes.len()));
        sink(nothing);
        return;
    }
    for (game, range) in (1..).zip(live) {
        let mut record = cbr::read_at(&bytes[range.clone()], range.start, game);
        record.tags.extend(name.clone());
        record.tags.append(&mut others);
        record.findings.append(&mut findings);
        sink(record);
    }
}

/// Where records begin.
fn begins(bytes: &[u8], first: usize, findings: &mut Vec<Finding>) -> Vec<usize> {
    let is_record = |at: &usize| bytes[*at..].starts_with(cbr::MAGIC);
    let mut begins: Vec<usize> = (first..bytes.len()).step_by(SLOT).filter(is_record).collect();
    if begins.first() != Some(&first) {
        // A header that says where the first record is not: the first magic behind the header is.
        let found = memchr(bytes, INDEX.min(bytes.len()), cbr::MAGIC);
        if let Some(found) = found.filter(|at| begins.first().is_none_or(|first| at < first)) {
            let words = Words::new(
                format!("索引容量与棋谱位置不符，从 {found} 字节处的棋谱读起"),
                format!(
                    "the capacity of the index does not lead to the records; read from byte {found} on"
                ),
            );
            findings
                .push(bad_field(CAPACITY, CAPACITY + 4, "capacity", words).with("found", found));
            begins = (found..bytes.len()).step_by(SLOT).filter(is_record).collect();
        }
    }
    begins
}

/// The first place of `needle` from `start` on.
fn memchr(bytes: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    let found = bytes[start..].windows(needle.len()).position(|window| window == needle);
    found.map(|at| start + at)
}

/// What the index says of deleted records.
#[derive(Default)]
struct Index<'b> {
    /// The entry for the record at a place, by the slots of the entries before it: whether it is deleted, and its GUID
    /// as text in UTF-16.
    by_place: HashMap<usize, (bool, &'b [u8])>,
    /// For a GUID as text, whether all entries that name it are deleted.
    by_guid: HashMap<&'b [u8], bool>,
}

impl<'b> Index<'b> {
    fn new(bytes: &'b [u8], capacity: usize, first: usize) -> Index<'b> {
        let all = bytes.get(INDEX..first.min(bytes.len())).unwrap_or_default();
        let state = |entry: &[u8]| u32_at(entry, 0).unwrap_or_default();
        let entries = || all.chunks_exact(ENTRY).take(capacity).filter(|entry| state(entry) != 0);
        let mut index = Index::default();
        if entries().all(|entry| state(entry) != DELETED) {
            return index;
        }
        let mut at = first;
        for entry in entries() {
            let (is_deleted, guid) = (state(entry) == DELETED, &entry[GUID_TEXT]);
            index.by_place.insert(at, (is_deleted, guid));
            *index.by_guid.entry(guid).or_insert(true) &= is_deleted;
            let slots = u32_at(entry, 8).unwrap_or_default() as usize;
            at = at.saturating_add(slots.saturating_mul(SLOT));
        }
        index
    }

    /// Whether the record at `at` is marked as deleted: by the entry for its place if that names its GUID, else by
    /// all entries that name it.
    fn is_deleted(&self, bytes: &[u8], at: usize) -> bool {
        let Some(guid) = bytes.get(at + cbr::GUID..at + cbr::GUID + 16) else { return false };
        let guid = guid_text(guid);
        match self.by_place.get(&at) {
            Some((is_deleted, named)) if **named == *guid => *is_deleted,
            _ => self.by_guid.get(&*guid).copied().unwrap_or_default(),
        }
    }
}

/// A GUID of Microsoft's layout as `{XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX}` in UTF-16.
fn guid_text(guid: &[u8]) -> Vec<u8> {
    const ORDER: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    let mut text = String::from("{");
    for (place, index) in ORDER.into_iter().enumerate() {
        if matches!(place, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{:02X}", guid.get(index).copied().unwrap_or_default()));
    }
    text.push('}');
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn deleted(at: usize, end: usize) -> Finding {
    let words = Words::new(
        "库中已标为删除的棋谱，未读取",
        "a record that the library marks as deleted is not read",
    );
    finding(Code::DELETED_RECORD, at, end, words)
}

fn no_record(len: usize) -> Finding {
    let words = Words::new("库中没有棋谱", "the library holds no record");
    finding(Code::TRUNCATED, len, len, words).severity(Severity::Error).help(restore())
}

#[cfg(test)]
mod tests;
