//! The characters of complete notation, known by their bytes.

use std::sync::LazyLock;

use crate::notation::glyph::Sign;

use super::Encoding;

/// The signs of one encoding: what every two bytes (of UTF-8 every three) are.
///
/// ```
/// use qijian::{notation::glyph::Sign, source::{Encoding, Signs}};
///
/// let signs = Signs::of(Encoding::Big5).unwrap();
/// assert_eq!(signs.first(b"\xac\xb6\xa4G"), Sign::of('炮').map(|sign| (sign, 2)));
/// assert_eq!(signs.first(b"5"), Sign::of('5').map(|sign| (sign, 1)));
/// assert_eq!(signs.first(b" "), None);
/// ```
#[derive(Debug)]
pub struct Signs {
    /// Bytes of a character that is no ASCII.
    width: usize,
    /// The number of the sign of each two bytes, big endian, of UTF-8 of each character of the basic plane; 0 is none.
    numbers: Box<[u8]>,
}

/// More than two bytes can count.
const CODES: usize = 1 << 16;

impl Signs {
    /// The signs of `encoding`; `None` for UTF-16.
    pub fn of(encoding: Encoding) -> Option<&'static Signs> {
        static UTF8: LazyLock<Signs> = LazyLock::new(Signs::of_characters);
        static BIG5: LazyLock<Signs> = LazyLock::new(|| Signs::of_pairs(Encoding::Big5));
        static GB: LazyLock<Signs> = LazyLock::new(|| Signs::of_pairs(Encoding::Gb18030));
        match encoding {
            Encoding::Utf8 => Some(&UTF8),
            Encoding::Big5 => Some(&BIG5),
            Encoding::Gb18030 => Some(&GB),
            Encoding::Utf16Le | Encoding::Utf16Be => None,
        }
    }

    /// The sign that `bytes` begin with, and how many bytes it has.
    #[inline]
    pub fn first(&self, bytes: &[u8]) -> Option<(Sign, usize)> {
        let (code, width) = match *bytes {
            [byte, ..] if byte < 0x80 => (usize::from(byte), 1),
            [lead @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, ..]
                if self.width == 3 =>
            {
                let parts = [lead & 0x0F, second & 0x3F, third & 0x3F].map(usize::from);
                (parts[0] << 12 | parts[1] << 6 | parts[2], 3)
            }
            [lead, trail, ..] if self.width == 2 => {
                (usize::from(lead) << 8 | usize::from(trail), 2)
            }
            _ => return None,
        };
        Some((Sign::from_number(*self.numbers.get(code)?)?, width))
    }

    fn new(width: usize) -> Signs {
        let mut numbers = vec![0; CODES].into_boxed_slice();
        for byte in 0..0x80 {
            numbers[usize::from(byte)] = number(char::from(byte));
        }
        Signs { width, numbers }
    }

    fn of_characters() -> Signs {
        let mut signs = Signs::new(3);
        // Characters below have two bytes, those above four.
        for code in 0x0800..CODES {
            signs.numbers[code] = char::from_u32(code as u32).map_or(0, number);
        }
        signs
    }

    /// All pairs of two bytes are decoded, a line for each, so that what is known here is what the decoder knows.
    fn of_pairs(encoding: Encoding) -> Signs {
        let mut signs = Signs::new(2);
        let trails = || 0x40..=0xFE_u8;
        for lead in 0x81..=0xFE_u8 {
            let row: Vec<u8> = trails().flat_map(|trail| [lead, trail, b'\n']).collect();
            let (text, _) = encoding.codec().decode_without_bom_handling(&row);
            for (line, trail) in text.lines().zip(trails()) {
                let mut chars = line.chars();
                if let (Some(c), None) = (chars.next(), chars.next()) {
                    signs.numbers[usize::from(lead) << 8 | usize::from(trail)] = number(c);
                }
            }
        }
        signs
    }
}

fn number(c: char) -> u8 {
    Sign::of(c).map_or(0, Sign::number)
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
                let expected = Sign::of(c).map(|sign| (sign, bytes.len()));
                if !lossy && bytes.len() != 4 {
                    assert_eq!(signs.first(&bytes), expected, "{c} in {encoding:?}");
                    known += usize::from(expected.is_some());
                }
            }
            assert!(known > 40, "{known} in {encoding:?}");
        }
    }
}
