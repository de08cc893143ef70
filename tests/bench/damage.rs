//! Faults of the pen, by a seeded dice.

use qijian::{
    board::{Move, Position},
    notation::{Notation, write},
};

/// SplitMix64: the same throws on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}

/// The moves in complete Chinese notation.
pub(crate) fn texts(moves: &[Move]) -> Vec<String> {
    let mut position = Position::start();
    moves
        .iter()
        .map(|mv| {
            let text = write(*mv, Notation::Chinese, &position);
            position.play(*mv);
            text
        })
        .collect()
}

/// `text` with one character wrong: a digit, 进 for 退, 前 for 后, another piece; each as often as any. `None` where the
/// character thrown has no other.
pub(crate) fn slip(text: &str, dice: &mut Dice) -> Option<String> {
    const SETS: [&str; 6] =
        ["一二三四五六七八九", "123456789", "进退平", "前中后", "车马炮相仕兵帅", "车马炮象士卒将"];
    let mut characters: Vec<char> = text.chars().collect();
    let at = dice.below(characters.len());
    let old = characters[at];
    // The last digit says whose text it is: 车马炮 stand in both sets.
    let black = characters.iter().any(char::is_ascii_digit);
    let sets: Vec<&str> = SETS
        .into_iter()
        .enumerate()
        .filter(|(n, set)| set.contains(old) && !(*n == 4 && black || *n == 5 && !black))
        .map(|(_, set)| set)
        .collect();
    let others: Vec<char> = sets.first()?.chars().filter(|c| *c != old).collect();
    characters[at] = others[dice.below(others.len())];
    Some(characters.into_iter().collect())
}
