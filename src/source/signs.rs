//! The characters of complete notation, known by their bytes.

use std::sync::LazyLock;

use crate::notation::glyph::{self, Sign};

use super::Encoding;

/// The signs of one encoding: what every two bytes (of UTF-8 every three) are.
///
/// ```
/// use qijian::{notation::glyph::Sign, source::{Encoding, Signs}};
///
/// let signs = Signs::of(Encoding::Big5).unwrap();
/// assert_eq!(signs.first(b"\xac\xb6\xa4G"), Sign::of('炮').map(|sign| (sign, &b"\xa4G"[..])));
/// assert_eq!(signs.first(b"5"), Sign::of('5').map(|sign| (sign, &b""[..])));
/// assert_eq!(signs.first(b" "), None);
/// ```
#[derive(Debug)]
pub struct Signs {
    /// Bytes of a character that is no ASCII.
    width: usize,
    /// The sign of each two bytes, big endian, of UTF-8 of each character of the basic plane.
    signs: Box<[Option<Sign>; CODES]>,
}

/// More than two bytes can count.
const CODES: usize = 1 << 16;

impl Signs {
    /// The signs of `encoding`; `None` for UTF-16.
    pub fn of(encoding: Encoding) -> Option<&'static Signs> {
        static UTF8: LazyLock<Signs> = LazyLock::new(|| Signs::new(Encoding::Utf8, 3));
        static BIG5: LazyLock<Signs> = LazyLock::new(|| Signs::new(Encoding::Big5, 2));
        static GB: LazyLock<Signs> = LazyLock::new(|| Signs::new(Encoding::Gb18030, 2));
        match encoding {
            Encoding::Utf8 => Some(&UTF8),
            Encoding::Big5 => Some(&BIG5),
            Encoding::Gb18030 => Some(&GB),
            Encoding::Utf16Le | Encoding::Utf16Be => None,
        }
    }

    /// The sign that `bytes` begin with, and what stands behind it.
    #[inline]
    pub fn first<'b>(&self, bytes: &'b [u8]) -> Option<(Sign, &'b [u8])> {
        let (code, rest) = match bytes {
            [byte, rest @ ..] if *byte < 0x80 => (u16::from(*byte), rest),
            [lead, trail, rest @ ..] if self.width == 2 => {
                (u16::from_be_bytes([*lead, *trail]), rest)
            }
            [lead @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, rest @ ..]
                if self.width == 3 =>
            {
                let parts = [lead & 0x0F, second & 0x3F, third & 0x3F].map(u16::from);
                (parts[0] << 12 | parts[1] << 6 | parts[2], rest)
            }
            _ => return None,
        };
        Some((self.signs[usize::from(code)]?, rest))
    }

    /// The four signs that `bytes` begin with, and what stands behind them.
    ///
    /// ```
    /// use qijian::{notation::glyph::Sign, source::{Encoding, Signs}};
    ///
    /// let signs = Signs::of(Encoding::Utf8).unwrap();
    /// let (four, rest) = signs.four("马8进7 ".as_bytes()).unwrap();
    /// assert_eq!((four.map(Some), rest), (['马', '8', '进', '7'].map(Sign::of), &b" "[..]));
    /// assert!(signs.four("马8进".as_bytes()).is_none());
    /// ```
    #[inline]
    pub fn four<'b>(&self, bytes: &'b [u8]) -> Option<([Sign; 4], &'b [u8])> {
        // Mostly all four have two bytes.
        if self.width == 2
            && let Some((two, rest)) = bytes.split_first_chunk::<8>()
            && two[0] & two[2] & two[4] & two[6] >= 0x80
        {
            let sign =
                |at: usize| self.signs[usize::from(u16::from_be_bytes([two[at], two[at + 1]]))];
            return Some(([sign(0)?, sign(2)?, sign(4)?, sign(6)?], rest));
        }
        let (first, bytes) = self.first(bytes)?;
        let (second, bytes) = self.first(bytes)?;
        let (third, bytes) = self.first(bytes)?;
        let (fourth, bytes) = self.first(bytes)?;
        Some(([first, second, third, fourth], bytes))
    }

    fn new(encoding: Encoding, width: usize) -> Signs {
        let mut signs = Box::new([None; CODES]);
        for (c, sign) in glyph::signs() {
            let bytes = encoding.encode(String::from(c));
            // What reads back as something else is none, and neither are the few of another width.
            let is_exact = encoding.decode(&bytes).is_some_and(|text| text.chars().eq([c]));
            match *bytes {
                [byte] if is_exact => signs[usize::from(byte)] = Some(sign),
                [lead, trail] if is_exact && width == 2 => {
                    signs[usize::from(u16::from_be_bytes([lead, trail]))] = Some(sign);
                }
                [_, _, _] if is_exact && width == 3 => signs[c as usize] = Some(sign),
                _ => {}
            }
        }
        Signs { width, signs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All characters of the basic plane that an encoding has, in it and back, against the table of characters.
    #[test]
    fn every_character_is_known_by_its_bytes() {
        for encoding in [Encoding::Utf8, Encoding::Gb18030, Encoding::Big5] {
            let signs = Signs::of(encoding).unwrap();
            let mut known = 0;
            for c in (1..0xFFFF_u32).filter_map(char::from_u32) {
                let text = c.to_string();
                let (bytes, _, lossy) = encoding.codec().encode(&text);
                let expected = Sign::of(c).map(|sign| (sign, &b""[..]));
                if !lossy && bytes.len() != 4 {
                    assert_eq!(signs.first(&bytes), expected, "{c} in {encoding:?}");
                    known += usize::from(expected.is_some());
                }
            }
            assert!(known > 40, "{known} in {encoding:?}");
        }
    }
}
