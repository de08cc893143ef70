//! Compressed bytes unpacked in memory, with limits against bombs.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use crate::finding::{Code, Finding, Severity, Words};

/// The most that one compressed file or member unpacks to, in bytes.
pub const UNPACKED_LIMIT: u64 = 1 << 30;

/// How many times its packed size a file or member may unpack to, once it is larger than [`RATIO_FREE`]. Records of
/// games shrink to a tenth at best, a bomb to a thousandth.
pub const RATIO_LIMIT: u64 = 200;

/// The size in bytes up to which the ratio does not matter.
pub const RATIO_FREE: u64 = 1 << 20;

/// Why packed bytes are not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// More than the `limit` in bytes; `reason` says which limit.
    Limit { reason: &'static str, limit: u64 },
    /// The bytes are not as their format has them.
    Damaged(String),
    /// A password is needed.
    Encrypted,
    /// A compression that is not known here.
    Method,
    /// An archive within an archive or within compressed bytes.
    Nested,
    /// Several members of one name, of which only the last can be read.
    Duplicate,
}

impl Refusal {
    /// The finding about the source that is not read.
    pub(super) fn finding(&self) -> Finding {
        let (code, words, reason) = match self {
            Refusal::Limit { reason, limit } => {
                return Finding::new(
                    Code::ARCHIVE_LIMIT,
                    Words::new(
                        "解压后大得异常，没有读",
                        "it unpacks to more than is allowed, and was not read",
                    ),
                )
                .help(Words::new(
                    "若不是压缩炸弹，请先解压再检查",
                    "if it is no bomb, unpack it first and check the files",
                ))
                .with("reason", *reason)
                .with("limit", *limit);
            }
            Refusal::Damaged(error) => {
                return member(
                    Words::new("压缩数据已损坏", "the compressed data is damaged"),
                    "damaged",
                )
                .with("error", error.as_str());
            }
            Refusal::Encrypted => (
                Severity::Error,
                Words::new("已加密，读不了", "it is encrypted and cannot be read"),
                "encrypted",
            ),
            Refusal::Method => (
                Severity::Error,
                Words::new("压缩方法不识", "it is compressed by a method that is not known"),
                "method",
            ),
            Refusal::Nested => (
                Severity::Warning,
                Words::new(
                    "压缩包里的压缩包，没有打开",
                    "an archive within an archive is not opened",
                ),
                "nested",
            ),
            Refusal::Duplicate => (
                Severity::Warning,
                Words::new(
                    "有同名成员，只读最后一个",
                    "members share a name; only the last of them is read",
                ),
                "duplicate",
            ),
        };
        member(words, reason).severity(code)
    }
}

fn member(words: Words, reason: &'static str) -> Finding {
    Finding::new(Code::ARCHIVE_MEMBER, words)
        .help(Words::new("请先解压再检查", "unpack it first and check the files"))
        .with("reason", reason)
}

/// Whether `bytes` begin as a ZIP archive does.
pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

const GZIP: &[u8] = b"\x1F\x8B\x08";
const ZSTD: &[u8] = b"\x28\xB5\x2F\xFD";

/// Whether `bytes` begin as gzip or Zstandard do.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || bytes.starts_with(ZSTD)
}

/// `bytes` unpacked if they are gzip or Zstandard by their first bytes, else as they are.
///
/// # Errors
///
/// [`Refusal::Limit`], [`Refusal::Damaged`], and [`Refusal::Nested`] where a ZIP archive is inside.
pub(super) fn unpack(bytes: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    let packed = bytes.len() as u64;
    let unpacked = if bytes.starts_with(GZIP) {
        read_limited(MultiGzDecoder::new(bytes.as_slice()), packed)?
    } else if bytes.starts_with(ZSTD) {
        read_limited(Frames { rest: Some(bytes.as_slice()), frame: None }, packed)?
    } else {
        return Ok(bytes);
    };
    if is_zip(&unpacked) { Err(Refusal::Nested) } else { Ok(unpacked) }
}

/// All of `reader`, whose packed form has `packed` bytes, within the limits.
pub(super) fn read_limited(reader: impl Read, packed: u64) -> Result<Vec<u8>, Refusal> {
    let by_ratio = packed.saturating_mul(RATIO_LIMIT).max(RATIO_FREE);
    let limit = by_ratio.min(UNPACKED_LIMIT);
    let mut bytes = Vec::new();
    reader
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Refusal::Damaged(error.to_string()))?;
    if bytes.len() as u64 > limit {
        let reason = if limit == by_ratio { "ratio" } else { "size" };
        return Err(Refusal::Limit { reason, limit });
    }
    Ok(bytes)
}

/// The frames of a Zstandard file one after the other, those to be skipped left out.
struct Frames<'b> {
    /// What follows, while no frame is open.
    rest: Option<&'b [u8]>,
    frame: Option<Box<StreamingDecoder<&'b [u8], ruzstd::decoding::FrameDecoder>>>,
}

impl Read for Frames<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                let decoder = &frame.decoder;
                let stored = decoder.get_checksum_from_data();
                if stored.is_some() && stored != decoder.get_calculated_checksum() {
                    return Err(io::Error::other("checksum of a frame does not match"));
                }
                self.rest = self.frame.take().map(|frame| frame.into_inner());
            }
            let Some(rest) = self.rest.take().filter(|rest| !rest.is_empty()) else { return Ok(0) };
            match skippable(rest) {
                Some(behind) => self.rest = Some(behind),
                None => {
                    let frame = StreamingDecoder::new(rest).map_err(io::Error::other)?;
                    self.frame = Some(Box::new(frame));
                }
            }
        }
    }
}

/// What follows the frame at the start of `bytes`, if it is one that decoders skip.
fn skippable(bytes: &[u8]) -> Option<&[u8]> {
    let (head, behind) = bytes.split_first_chunk::<8>()?;
    let [kind, 0x2A, 0x4D, 0x18, size @ ..] = *head else { return None };
    let size = usize::try_from(u32::from_le_bytes(size)).ok()?;
    (kind & 0xF0 == 0x50).then(|| behind.get(size..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// What `zstd -19 --check` of the reference implementation makes of "1. h2e2 *\n".
    const FRAME: &[u8] = &[
        0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x0A, 0x51, 0x00, 0x00, 0x31, 0x2E, 0x20, 0x68, 0x32, 0x65,
        0x32, 0x20, 0x2A, 0x0A, 0x06, 0x38, 0xFB, 0x5E,
    ];

    #[test]
    fn gzip_and_what_is_not_packed() {
        assert_eq!(unpack(gzip(b"1. h2e2 *")).unwrap(), b"1. h2e2 *");
        assert_eq!(unpack(b"1. h2e2 *".to_vec()).unwrap(), b"1. h2e2 *");
        // RFC 1952, 2.2: a file is any number of members.
        let two = [gzip(b"1. h2e2 "), gzip(b"h9g7 *")].concat();
        assert_eq!(unpack(two).unwrap(), b"1. h2e2 h9g7 *");
    }

    #[test]
    fn a_cut_or_changed_gzip_is_damaged() {
        let whole = gzip(b"1. h2e2 h9g7 *");
        for length in 3..whole.len() {
            assert!(matches!(unpack(whole[..length].to_vec()), Err(Refusal::Damaged(_))));
        }
        let mut changed = whole;
        let at = changed.len() - 6;
        changed[at] ^= 1;
        assert!(matches!(unpack(changed), Err(Refusal::Damaged(_))));
    }

    #[test]
    fn a_bomb_is_refused_and_a_small_dense_file_is_not() {
        let free = RATIO_FREE as usize;
        assert_eq!(unpack(gzip(&vec![b' '; free])).unwrap().len(), free);
        let refusal = unpack(gzip(&vec![b' '; free + 1])).unwrap_err();
        assert!(matches!(refusal, Refusal::Limit { reason: "ratio", .. }), "{refusal:?}");
        let finding = refusal.finding();
        assert_eq!((finding.code, finding.severity), (Code::ARCHIVE_LIMIT, Severity::Error));
    }

    #[test]
    fn zstandard_frames_follow_each_other() {
        assert_eq!(unpack(FRAME.to_vec()).unwrap(), b"1. h2e2 *\n");
        // RFC 8878, 3.1.2: a skippable frame of two bytes between two frames.
        let skipped = b"\x5A\x2A\x4D\x18\x02\0\0\0ab";
        let file = [FRAME, skipped, FRAME].concat();
        assert_eq!(unpack(file).unwrap(), b"1. h2e2 *\n1. h2e2 *\n");
        for length in 4..FRAME.len() {
            let cut = unpack(FRAME[..length].to_vec());
            assert!(matches!(cut, Err(Refusal::Damaged(_))), "{length}: {cut:?}");
        }
        let mut changed = FRAME.to_vec();
        changed[12] ^= 1;
        assert!(matches!(unpack(changed), Err(Refusal::Damaged(_))));
    }

    #[test]
    fn an_archive_within_is_not_opened() {
        assert_eq!(unpack(gzip(b"PK\x03\x04...")).unwrap_err(), Refusal::Nested);
    }
}
