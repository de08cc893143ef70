//! The keys that mask squares, moves and comments from version 1.1 on.

use super::header::Header;

/// Where `KeysSum`, `KeyXY`, `KeyXYf` and `KeyXYt` stand.
pub(super) const KEYS: usize = 12;
/// How many they are.
pub(super) const KEYS_LEN: usize = 4;

const MASK: usize = 3;
const OR: usize = 8;

/// The text that the program's author chose as the base of the mask.
const BASE: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// What is to be taken from the bytes of a file; all zero for version 1.0.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    /// Added to each byte of the piece table.
    pub(super) board: u8,
    /// Added to the square left, besides 0x18.
    pub(super) from: u8,
    /// Added to the square reached, besides 0x20.
    pub(super) to: u8,
    /// Added to the length of a comment.
    pub(super) comment: u32,
    mask: [u8; 32],
}

impl Keys {
    /// The keys of a file.
    pub(super) fn new(header: &Header<'_>) -> Keys {
        if !header.is_masked() {
            return Keys::default();
        }
        let at = |at: usize| header.byte(at).unwrap_or_default();
        let seeds: [u8; KEYS_LEN] = std::array::from_fn(|i| at(KEYS + i));
        let [sum, xy, xy_from, xy_to] = seeds;
        let board = spread(xy).wrapping_mul(xy);
        let from = spread(xy_from).wrapping_mul(board);
        let to = spread(xy_to).wrapping_mul(from);
        let comment = u32::from(u16::from_be_bytes([sum, xy])) % 32_000 + 767;
        let mask = std::array::from_fn(|i| {
            let key = (seeds[i % 4] & at(MASK)) | at(OR + i % 4);
            BASE[i] & key
        });
        Keys { board, from, to, comment, mask }
    }

    /// The bytes to store for `plain`, which stand in the file at `at`.
    pub(super) fn mask(&self, plain: &[u8], at: usize) -> Vec<u8> {
        let mask = self.mask.iter().cycle().skip(at % self.mask.len());
        plain.iter().zip(mask).map(|(byte, mask)| byte.wrapping_add(*mask)).collect()
    }

    /// The plain bytes of `stored`, which stand in the file at `at`.
    pub(super) fn unmask(&self, stored: &[u8], at: usize) -> Vec<u8> {
        let mask = self.mask.iter().cycle().skip(at % self.mask.len());
        stored.iter().zip(mask).map(|(byte, mask)| byte.wrapping_sub(*mask)).collect()
    }
}

/// `54 * key² + 221` in eight bits.
fn spread(key: u8) -> u8 {
    key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_worked_example() {
        // reference/formats.md 1.10: seeds FA 01 02 03, mask FF, or 10 20 30 A0.
        let header = b"XQ\x12\xff\0\0\0\0\x10\x20\x30\xa0\xfa\x01\x02\x03";
        let keys = Keys::new(&Header::new(header));
        assert_eq!((keys.board, keys.from, keys.to, keys.comment), (19, 111, 141, 768));
        assert_eq!(keys.mask[..8], [0x5A, 0x20, 0x02, 0x21, 0x20, 0x01, 0x22, 0x20]);
        assert_eq!(keys.mask[28..], [0x60, 0x21, 0x22, 0x01]);
    }

    #[test]
    fn zero_keys_still_lengthen_comments() {
        // reference/formats.md 1.5: 767 even when all keys are 0.
        let keys =
            Keys::new(&Header::new(&[b'X', b'Q', 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        assert_eq!((keys.board, keys.comment, keys.mask), (0, 767, [0; 32]));
        assert_eq!(Keys::new(&Header::new(b"XQ\x0a")).comment, 0);
    }
}
