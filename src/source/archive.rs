//! ZIP archives as directories: their members in order, read one by one, never unpacked to disk.

use std::{
    fs::File,
    io::{self, BufReader, Cursor, Read, Seek, SeekFrom},
    path::Path,
    sync::Arc,
};

use zip::{CompressionMethod, ZipArchive, result::ZipError};

use super::{
    Encoding, Text,
    unpack::{RATIO_LIMIT, Refusal, UNPACKED_LIMIT, read_limited},
};

/// An archive with the members that are to be read.
#[derive(Debug)]
pub(super) struct Archive {
    zip: ZipArchive<Bytes>,
    members: std::vec::IntoIter<Listed>,
    /// Bytes that all members so far claim to unpack to.
    claimed: u64,
    /// The most that all members may claim.
    limit: u64,
}

/// A member in the directory of an archive.
#[derive(Debug)]
struct Listed {
    name: String,
    index: usize,
    size: u64,
}

/// A member to be read.
#[derive(Clone, Debug)]
pub(super) struct Member {
    zip: ZipArchive<Bytes>,
    index: usize,
    refusal: Option<Refusal>,
}

impl Archive {
    /// The archive in the file at `path`.
    pub(super) fn open(path: &Path) -> Result<Archive, Refusal> {
        Archive::new(Bytes::File { path: path.into(), file: None })
    }

    /// The archive in `bytes`.
    pub(super) fn within(bytes: Vec<u8>) -> Result<Archive, Refusal> {
        Archive::new(Bytes::Memory(Cursor::new(bytes.into())))
    }

    fn new(mut bytes: Bytes) -> Result<Archive, Refusal> {
        let damaged = |error: io::Error| Refusal::Damaged(error.to_string());
        let length = bytes.seek(SeekFrom::End(0)).map_err(damaged)?;
        let mut zip = ZipArchive::new(bytes).map_err(refusal)?;
        let mut members = Vec::with_capacity(zip.len());
        let mut packed: u64 = 0;
        for index in 0..zip.len() {
            let member = zip.by_index_raw(index).map_err(refusal)?;
            packed = packed.saturating_add(member.compressed_size());
            let name = name(member.name_raw());
            let hidden =
                name.split('/').any(|part| part.starts_with('.') && part != "." && part != "..");
            if !member.is_dir() && !hidden {
                members.push(Listed { name, index, size: member.size() });
            }
        }
        // Members that share their bytes are the trick of the smallest bombs.
        if packed > length {
            return Err(Refusal::Limit { reason: "overlap", limit: length });
        }
        members.sort_by(|a, b| a.name.split('/').cmp(b.name.split('/')));
        let limit = length.saturating_mul(RATIO_LIMIT).max(UNPACKED_LIMIT);
        Ok(Archive { zip, members: members.into_iter(), claimed: 0, limit })
    }

    /// Whether members share a name, so that some cannot be reached.
    pub(super) fn has_duplicates(&self) -> bool {
        self.zip.has_duplicate_names()
    }
}

impl Iterator for Archive {
    /// Name, claimed size in bytes, and the member.
    type Item = (String, u64, Member);

    fn next(&mut self) -> Option<Self::Item> {
        let Listed { name, index, size } = self.members.next()?;
        self.claimed = self.claimed.saturating_add(size);
        let refusal = (self.claimed > self.limit)
            .then_some(Refusal::Limit { reason: "total", limit: self.limit });
        Some((name, size, Member { zip: self.zip.clone(), index, refusal }))
    }
}

impl Member {
    /// All bytes of the member.
    pub(super) fn read(&self) -> Result<Vec<u8>, Refusal> {
        if let Some(refusal) = &self.refusal {
            return Err(refusal.clone());
        }
        let mut zip = self.zip.clone();
        let raw = zip.by_index_raw(self.index).map_err(refusal)?;
        if raw.encrypted() {
            return Err(Refusal::Encrypted);
        }
        if !matches!(raw.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(Refusal::Method);
        }
        drop(raw);
        let member = zip.by_index(self.index).map_err(refusal)?;
        let (packed, size) = (member.compressed_size(), member.size());
        // One byte more than is claimed tells that the claim is false.
        let bytes = read_limited(member.take(size.saturating_add(1)), packed)?;
        if bytes.len() as u64 != size {
            return Err(Refusal::Damaged("the size is not that of the directory".to_owned()));
        }
        Ok(bytes)
    }
}

fn refusal(error: ZipError) -> Refusal {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            Refusal::Encrypted
        }
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Refusal::Method
        }
        error => Refusal::Damaged(error.to_string()),
    }
}

/// The name of a member, `/` between its parts: UTF-8 if it is that, else GB18030, whatever its flag says, since
/// Chinese programs write either without a flag. Some write `\` for `/`.
fn name(raw: &[u8]) -> String {
    let name = match std::str::from_utf8(raw) {
        Ok(name) => name.to_owned(),
        Err(_) => Text::decode(raw, Encoding::Gb18030).into_string().into_owned(),
    };
    name.replace('\\', "/")
}

/// The bytes of an archive. A clone begins at the start; a file is opened when it is first read, so that what waits to
/// be read holds no file open.
#[derive(Debug)]
enum Bytes {
    File { path: Arc<Path>, file: Option<BufReader<File>> },
    Memory(Cursor<Arc<[u8]>>),
}

impl Bytes {
    fn file<'f>(
        path: &Path,
        file: &'f mut Option<BufReader<File>>,
    ) -> io::Result<&'f mut BufReader<File>> {
        if file.is_none() {
            *file = Some(BufReader::new(File::open(path)?));
        }
        file.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Clone for Bytes {
    fn clone(&self) -> Bytes {
        match self {
            Bytes::File { path, .. } => Bytes::File { path: Arc::clone(path), file: None },
            Bytes::Memory(bytes) => Bytes::Memory(Cursor::new(Arc::clone(bytes.get_ref()))),
        }
    }
}

impl Read for Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Bytes::File { path, file } => Bytes::file(path, file)?.read(buffer),
            Bytes::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Bytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Bytes::File { path, file } => Bytes::file(path, file)?.seek(to),
            Bytes::Memory(bytes) => bytes.seek(to),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    /// An archive of members, each with whether it is compressed.
    pub(in crate::source) fn archive(members: &[(&str, &[u8], bool)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes, packed) in members {
            let method =
                if *packed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
            writer
                .start_file(*name, SimpleFileOptions::default().compression_method(method))
                .unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn names(bytes: Vec<u8>) -> Vec<String> {
        Archive::within(bytes).unwrap().map(|(name, ..)| name).collect()
    }

    /// Every occurrence of `from` in `bytes` replaced by `to`, of the same length.
    fn renamed(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for at in 0..bytes.len() - from.len() {
            if bytes[at..].starts_with(from) {
                bytes[at..at + to.len()].copy_from_slice(to);
            }
        }
        bytes
    }

    #[test]
    fn members_are_in_bytewise_order_of_their_parts_and_hidden_ones_skipped() {
        // CONTRACT section 1, as for directories: "a" sorts before "a-b" and "a.pgn".
        let files = ["b", "a.pgn", "a/z", "a/B", "a-b/c", ".git/x", "a/.y", "__MACOSX/._b", "A"];
        let members: Vec<_> = files.iter().map(|name| (*name, &b""[..], false)).collect();
        assert_eq!(names(archive(&members)), ["A", "a/B", "a/z", "a-b/c", "a.pgn", "b"]);
    }

    #[test]
    fn names_are_utf_8_or_gb18030_and_may_have_backslashes() {
        let zip = archive(&[("12345678.pgn", b"", false), ("炮.pgn", b"", false)]);
        let zip = renamed(&zip, b"12345678", b"\xC6\xE5\xC6\xD7\\\xC5\xDA_");
        assert_eq!(names(zip), ["棋谱/炮_.pgn", "炮.pgn"]);
    }

    #[test]
    fn members_are_read_one_by_one_in_any_order() {
        let zip = archive(&[("a", b"1. h2e2 *", true), ("b", b"1. b2e2 *", false)]);
        let members: Vec<Member> =
            Archive::within(zip).unwrap().map(|(.., member)| member).collect();
        assert_eq!(members[1].read().unwrap(), b"1. b2e2 *");
        assert_eq!(members[0].read().unwrap(), b"1. h2e2 *");
        assert_eq!(members[0].read().unwrap(), b"1. h2e2 *");
    }

    #[test]
    fn a_damaged_member_leaves_the_others_readable() {
        let mut zip = archive(&[("a", b"1. h2e2 *", false), ("b", b"1. b2e2 *", false)]);
        let at = zip.windows(4).position(|window| window == b"h2e2").unwrap();
        zip[at] = b'x';
        let read: Vec<_> =
            Archive::within(zip).unwrap().map(|(.., member)| member.read()).collect();
        assert!(matches!(read[0], Err(Refusal::Damaged(_))), "{:?}", read[0]);
        assert_eq!(read[1].as_deref(), Ok(&b"1. b2e2 *"[..]));
    }

    #[test]
    fn encrypted_members_and_unknown_methods_are_told() {
        let zip = archive(&[("a", b"x", false)]);
        // Bit 0 of the flags, in the local header (APPNOTE 4.4.4, at 6) and in the directory (at 8).
        let directory = zip.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        let mut locked = zip.clone();
        locked[6] |= 1;
        locked[directory + 8] |= 1;
        let read = |zip| Archive::within(zip).unwrap().next().unwrap().2.read();
        assert_eq!(read(locked), Err(Refusal::Encrypted));
        // Method 12 is bzip2 (APPNOTE 4.4.5).
        let mut other = zip;
        other[8] = 12;
        other[directory + 10] = 12;
        assert_eq!(read(other), Err(Refusal::Method));
    }

    #[test]
    fn bombs_are_refused_and_the_next_member_goes_on() {
        let zeros = vec![0; 2 << 20];
        let zip = archive(&[("a", &zeros, true), ("b", b"1. b2e2 *", false)]);
        let read: Vec<_> =
            Archive::within(zip).unwrap().map(|(.., member)| member.read()).collect();
        assert!(matches!(read[0], Err(Refusal::Limit { reason: "ratio", .. })), "{:?}", read[0]);
        assert_eq!(read[1].as_deref(), Ok(&b"1. b2e2 *"[..]));
    }

    #[test]
    fn a_false_size_is_damage_and_reads_no_further() {
        let zip = archive(&[("a", &[b'x'; 100], true)]);
        let directory = zip.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        for size in [0_u8, 10, 101] {
            let mut zip = zip.clone();
            zip[directory + 24] = size;
            let read = Archive::within(zip).unwrap().next().unwrap().2.read();
            assert!(matches!(read, Err(Refusal::Damaged(_))), "{read:?}");
        }
    }

    #[test]
    fn members_that_share_their_bytes_are_refused() {
        let zip = archive(&[("a", &[b'x'; 1000], false), ("b", b"y", false)]);
        let second = zip.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
        let mut zip = zip;
        // The second member claims all bytes of the first, and more (APPNOTE 4.4.8, packed size).
        zip[second + 20..second + 24].copy_from_slice(&1500_u32.to_le_bytes());
        assert!(matches!(
            Archive::within(zip),
            Err(Refusal::Limit { reason: "overlap", .. } | Refusal::Damaged(_))
        ));
    }

    #[test]
    fn any_truncation_and_any_changed_byte_gives_members_or_a_refusal() {
        let zip = archive(&[("a/b", b"1. h2e2 h9g7 *", true), ("c", b"1. b2e2 *", false)]);
        let drain = |bytes: Vec<u8>| {
            if let Ok(archive) = Archive::within(bytes) {
                archive.for_each(|(.., member)| drop(member.read()));
            }
        };
        for length in 0..zip.len() {
            assert!(Archive::within(zip[..length].to_vec()).is_err(), "{length}");
            for value in [0x00, 0xFF, zip[length] ^ 1, zip[length] ^ 0x80] {
                let mut changed = zip.clone();
                changed[length] = value;
                drain(changed);
            }
        }
    }
}
