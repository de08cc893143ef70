//! The constants of the position key.
//!
//! The key is the exclusive or of one constant for each piece on its square, and of one more if Black is to move. The
//! constants are consecutive outputs of SplitMix64 (Steele, Lea and Flood 2014) from a fixed seed, so that keys may be
//! stored in files: they never change between releases.

use super::Square;

/// The bytes of "xiangqi1".
const SEED: u64 = 0x7869_616e_6771_6931;

/// The number of piece codes, see `position::code`: 0 is the empty square, whose constants are zero as are those of 15, which
/// is none.
const CODES: usize = 16;

const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

const fn constants() -> ([[u64; Square::COUNT]; CODES], u64) {
    let mut table = [[0; Square::COUNT]; CODES];
    let mut state = SEED;
    let mut code = 1;
    while code < CODES - 1 {
        let mut square = 0;
        while square < Square::COUNT {
            (state, table[code][square]) = split_mix(state);
            square += 1;
        }
        code += 1;
    }
    let (_, black) = split_mix(state);
    (table, black)
}

/// For each piece code and square; zero for the empty square.
pub(super) static PIECE: [[u64; Square::COUNT]; CODES] = constants().0;

/// In the key if Black is to move.
pub(super) const BLACK_TO_MOVE: u64 = constants().1;

#[cfg(test)]
mod tests {
    use crate::board::{Position, samples::samples};

    /// The keys in the table were worked out by the script that made it, from the description at the head of this file.
    #[test]
    fn keys_never_change() {
        for sample in samples() {
            assert_eq!(sample.position().key(), sample.key, "{}", sample.fen);
        }
        assert_eq!(Position::start().key(), samples().next().unwrap().key);
    }
}
