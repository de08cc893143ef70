//! Which encoding a file has.

use std::borrow::Cow;

use encoding_rs::{BIG5, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};

use super::weigh;

/// An encoding of text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// UTF-8 (and ASCII).
    Utf8,
    /// GB18030, which holds GBK and GB2312.
    Gb18030,
    /// Big5.
    Big5,
    /// UTF-16, little endian.
    Utf16Le,
    /// UTF-16, big endian.
    Utf16Be,
}

impl Encoding {
    /// `utf-8`, `gb18030`, `big5`, `utf-16le`, `utf-16be`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Gb18030 => "gb18030",
            Encoding::Big5 => "big5",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
        }
    }

    /// The encoding called `name` on the command line; GBK and GB2312 are read as GB18030; labels of WHATWG and common spellings.
    ///
    /// ```
    /// use qijian::source::Encoding;
    ///
    /// assert_eq!(Encoding::from_name("GBK"), Some(Encoding::Gb18030));
    /// assert_eq!(Encoding::from_name("utf8"), Some(Encoding::Utf8));
    /// assert_eq!(Encoding::from_name("latin1"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Encoding> {
        let folded: String = name
            .chars()
            .filter(|c| !matches!(c, '-' | '_' | ' '))
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let encoding = match folded.as_str() {
            "ascii" | "usascii" => Encoding::Utf8,
            "cp936" | "ms936" | "windows936" | "936" | "euccn" => Encoding::Gb18030,
            "cp950" | "ms950" | "windows950" | "950" => Encoding::Big5,
            "utf16" | "utf16le" => Encoding::Utf16Le,
            "utf16be" => Encoding::Utf16Be,
            _ => {
                let known = encoding_rs::Encoding::for_label(name.as_bytes())?;
                match known {
                    _ if known == UTF_8 => Encoding::Utf8,
                    _ if known == GB18030 || known == GBK => Encoding::Gb18030,
                    _ if known == BIG5 => Encoding::Big5,
                    _ if known == UTF_16LE => Encoding::Utf16Le,
                    _ if known == UTF_16BE => Encoding::Utf16Be,
                    _ => return None,
                }
            }
        };
        Some(encoding)
    }

    /// `bytes` as text, `None` if some of them are none.
    ///
    /// ```
    /// use qijian::source::Encoding;
    ///
    /// assert_eq!(Encoding::Big5.decode(b"\xac\xb6").as_deref(), Some("炮"));
    /// assert_eq!(Encoding::Big5.decode(b"\xac"), None);
    /// ```
    pub fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        self.codec().decode_without_bom_handling_and_without_replacement(bytes)
    }

    /// The byte order mark of the encoding.
    pub(super) const fn bom(self) -> &'static [u8] {
        match self {
            Encoding::Utf8 => &[0xEF, 0xBB, 0xBF],
            Encoding::Gb18030 => &[0x84, 0x31, 0x95, 0x33],
            Encoding::Big5 => &[],
            Encoding::Utf16Le => &[0xFF, 0xFE],
            Encoding::Utf16Be => &[0xFE, 0xFF],
        }
    }

    /// The decoder's name for it.
    pub(super) const fn codec(self) -> &'static encoding_rs::Encoding {
        match self {
            Encoding::Utf8 => UTF_8,
            Encoding::Gb18030 => GB18030,
            Encoding::Big5 => BIG5,
            Encoding::Utf16Le => UTF_16LE,
            Encoding::Utf16Be => UTF_16BE,
        }
    }
}

/// The encoding of `bytes`: BOM, UTF-16 by its zero bytes, UTF-8, else GB18030 or Big5 by the moves and words found under each.
///
/// A few bytes that are no UTF-8 do not make a UTF-8 file something else: they are counted against the characters
/// that can hardly be anything but UTF-8. A file whose only odd bytes stand alone among ASCII (a Latin-1 name) is
/// neither GB18030 nor Big5; it is taken as UTF-8, so that those bytes are reported rather than turned into a
/// Chinese character that nobody wrote. ASCII is UTF-8.
///
/// ```
/// use qijian::source::{Encoding, detect};
///
/// assert_eq!(detect("1. 炮二平五 马8进7".as_bytes()), Encoding::Utf8);
/// assert_eq!(detect(b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5"), Encoding::Gb18030); // 炮二平五
/// assert_eq!(detect(b"\xac\xb6\xa4G\xa5\xad\xa4\xad"), Encoding::Big5); // 炮二平五
/// ```
pub fn detect(bytes: &[u8]) -> Encoding {
    const MARKED: [Encoding; 4] =
        [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Gb18030];
    if let Some(marked) = MARKED.into_iter().find(|encoding| bytes.starts_with(encoding.bom())) {
        return marked;
    }
    if let Some(utf16) = utf16_by_zeros(bytes) {
        return utf16;
    }
    if is_mostly_utf8(bytes) { Encoding::Utf8 } else { weigh::detect_legacy(bytes) }
}

/// UTF-16 without a BOM: the digits, blanks and line ends of a record have a zero byte, always on the same side.
fn utf16_by_zeros(bytes: &[u8]) -> Option<Encoding> {
    let head = &bytes[..bytes.len().min(8192) & !1];
    let mut zeros = [0usize; 2];
    for pair in head.chunks_exact(2) {
        zeros[0] += usize::from(pair[0] == 0);
        zeros[1] += usize::from(pair[1] == 0);
    }
    let clear = |many: usize, few: usize| many * 20 > head.len() / 2 && few * 8 <= many;
    if clear(zeros[1], zeros[0]) {
        Some(Encoding::Utf16Le)
    } else if clear(zeros[0], zeros[1]) {
        Some(Encoding::Utf16Be)
    } else {
        None
    }
}

/// Whether `bytes` are UTF-8 but for a few faults.
///
/// Two bytes of GB18030 are often a two-byte sequence of UTF-8, three hardly ever: in 7 517 real files of GB18030 and
/// Big5 the sequences of three were at most a tenth of the bad ones, those of two up to 1.5 times.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    const ENOUGH: usize = 1 << 16;
    const FEW: usize = 64;
    let (mut long, mut short, mut bad) = (0usize, 0usize, 0usize);
    let mut rest = bytes.len();
    for chunk in bytes.utf8_chunks() {
        rest -= chunk.valid().len() + chunk.invalid().len();
        for byte in chunk.valid().bytes() {
            long += usize::from(byte >= 0xE0);
            short += usize::from((0xC0..0xE0).contains(&byte));
        }
        let cut_at_the_end = rest == 0 && is_incomplete(chunk.invalid());
        bad += usize::from(!chunk.invalid().is_empty() && !cut_at_the_end);
        let clearly_not = bad > FEW && long * 4 < bad;
        if clearly_not || (bad > 0 && long + short + bad > ENOUGH) {
            break;
        }
    }
    bad == 0 || long >= bad || long + short >= 8 * bad
}

/// Whether `bytes`, the last of a file, are the beginning of a UTF-8 character.
fn is_incomplete(bytes: &[u8]) -> bool {
    matches!(std::str::from_utf8(bytes), Err(error) if error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Event \"全国赛\"]\n1. 炮二平五 马8进7 2. 马二进三 车9平8\n";

    fn utf16(text: &str, swap: bool) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if swap { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    }

    #[test]
    fn byte_order_marks_decide() {
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Gb18030] {
            let bytes = [encoding.bom(), b"12"].concat();
            assert_eq!(detect(&bytes), encoding);
        }
    }

    #[test]
    fn utf16_is_known_without_a_mark() {
        assert_eq!(detect(&utf16(GAME, false)), Encoding::Utf16Le);
        assert_eq!(detect(&utf16(GAME, true)), Encoding::Utf16Be);
        // Valid UTF-8 too, as all bytes are under 0x80.
        assert_eq!(detect(&utf16("1. h2e2 h9g7\r\n", false)), Encoding::Utf16Le);
        assert_eq!(detect(&[0u8; 64]), Encoding::Utf8);
    }

    #[test]
    fn utf8_survives_a_few_bad_bytes_and_a_cut() {
        // R30, R31: one bad byte in a name must not change the whole file.
        let mut bytes = GAME.as_bytes().to_vec();
        bytes.insert(9, 0xFC);
        assert_eq!(detect(&bytes), Encoding::Utf8);
        for end in 0..GAME.len() {
            assert_eq!(detect(&GAME.as_bytes()[..end]), Encoding::Utf8, "cut at {end}");
        }
    }

    #[test]
    fn a_latin_name_among_ascii_is_not_chinese() {
        // R30: the byte FC of Latin-1 and the r behind it are one GBK character.
        assert_eq!(detect(b"[Red \"J\xfcrgen M\xfcller\"]\n1. h2e2 h9g7"), Encoding::Utf8);
    }

    #[test]
    fn legacy_encodings_by_their_moves() {
        let (gbk, _, _) = GB18030.encode(GAME);
        assert_eq!(detect(&gbk), Encoding::Gb18030);
        let (big5, _, lossy) = BIG5.encode("1. 炮二平五 馬8進7 2. 馬二進三 車9平8");
        assert!(!lossy);
        assert_eq!(detect(&big5), Encoding::Big5);
    }

    #[test]
    fn nothing_and_ascii_are_utf8() {
        assert_eq!(detect(b""), Encoding::Utf8);
        assert_eq!(detect(b"1. h2e2"), Encoding::Utf8);
    }

    #[test]
    fn names_of_encodings() {
        for encoding in [
            Encoding::Utf8,
            Encoding::Gb18030,
            Encoding::Big5,
            Encoding::Utf16Le,
            Encoding::Utf16Be,
        ] {
            assert_eq!(Encoding::from_name(encoding.as_str()), Some(encoding));
        }
        for (name, encoding) in [
            ("GBK", Encoding::Gb18030),
            ("gb2312", Encoding::Gb18030),
            ("GB_2312-80", Encoding::Gb18030),
            ("cp936", Encoding::Gb18030),
            ("big5-hkscs", Encoding::Big5),
            ("CP950", Encoding::Big5),
            ("UTF8", Encoding::Utf8),
            ("utf-16", Encoding::Utf16Le),
            ("ascii", Encoding::Utf8),
        ] {
            assert_eq!(Encoding::from_name(name), Some(encoding), "{name}");
        }
        assert_eq!(Encoding::from_name("latin1"), None);
        assert_eq!(Encoding::from_name(""), None);
    }
}
