//! 64-bit hashes that are the same on every machine and in every release, so that they may be stored in files.

use crate::board::{Move, Position, Setup, Square};

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the input changes half of the output.
const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Adds `value` to the hash `hash` of what came before.
pub(super) const fn fold(hash: u64, value: u64) -> u64 {
    mix(hash.rotate_left(5) ^ value)
}

/// The hash of `bytes` and a number: of a source and the game in it.
pub(super) fn of_bytes(bytes: &[u8], number: u64) -> u64 {
    let mut hash = fold(bytes.len() as u64, number);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = fold(hash, u64::from_le_bytes(word));
    }
    hash
}

/// `square` seen in a mirror: left and right change places (articles 1.1 and 2.2 know neither).
pub(super) fn mirror_square(square: Square) -> Square {
    Square::new(8 - square.file(), square.rank()).unwrap_or(square)
}

/// `mv` seen in a mirror.
pub(super) fn mirror_move(mv: Move) -> Move {
    Move { from: mirror_square(mv.from), to: mirror_square(mv.to) }
}

/// `position` seen in a mirror, with its counters.
pub(super) fn mirror_position(position: &Position) -> Position {
    let mut setup = Setup::empty();
    for square in Square::all() {
        setup.squares[mirror_square(square).index()] = position.piece_at(square);
    }
    setup.plies_since_capture = Some(position.plies_since_capture());
    setup.round = Some(position.round());
    Position::from_setup(&setup, position.side())
}

/// The hash of a line as it grows ply by ply, with that of its mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineHash {
    plain: u64,
    mirrored: u64,
}

impl LineHash {
    /// The line without a ply that starts from `start`.
    pub(super) fn new(start: &Position) -> LineHash {
        LineHash { plain: mix(start.key()), mirrored: mix(mirror_position(start).key()) }
    }

    /// The line of the standard start position or of another one, without looking at it again: `keys` are the keys of
    /// the start position and of its mirror image.
    pub(super) fn from_keys(keys: [u64; 2]) -> LineHash {
        LineHash { plain: mix(keys[0]), mirrored: mix(keys[1]) }
    }

    /// Adds a ply.
    pub(super) fn push(&mut self, mv: Move) {
        self.plain = fold(self.plain, number(mv));
        self.mirrored = fold(self.mirrored, number(mirror_move(mv)));
    }

    /// The hash of the line as it is.
    pub(super) fn plain(self) -> u64 {
        self.plain
    }

    /// The hash that the line shares with its mirror image.
    pub(super) fn either(self) -> u64 {
        self.plain.min(self.mirrored)
    }
}

/// A number from 1 for each move.
pub(super) fn number(mv: Move) -> u64 {
    (mv.from.index() * Square::COUNT + mv.to.index() + 1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &[&str]) -> LineHash {
        let mut hash = LineHash::new(&Position::start());
        moves.iter().for_each(|mv| hash.push(mv.parse().unwrap()));
        hash
    }

    #[test]
    fn a_line_and_its_mirror_image_share_one_hash() {
        let (a, b) = (line(&["h2e2", "h9g7"]), line(&["b2e2", "b9c7"]));
        assert_ne!(a.plain(), b.plain());
        assert_eq!(a.either(), b.either());
        assert_ne!(a.either(), line(&["h2e2", "b9c7"]).either());
        assert_ne!(a.either(), line(&["h2e2"]).either());
    }

    #[test]
    fn order_counts() {
        assert_ne!(line(&["h2e2", "h9g7"]).plain(), line(&["h9g7", "h2e2"]).plain());
        assert_ne!(of_bytes(b"ab", 1), of_bytes(b"ba", 1));
        assert_ne!(of_bytes(b"ab", 1), of_bytes(b"ab\0", 1));
        assert_ne!(of_bytes(b"a", 12), of_bytes(b"a", 1));
    }

    /// They stand in files: a change here breaks comparisons with older exports.
    #[test]
    fn hashes_never_change() {
        assert_eq!(of_bytes(b"a.pgn", 1), of_bytes(b"a.pgn", 1));
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf); // The first output of SplitMix64 from seed 0, as published.
    }

    #[test]
    fn a_mirror_shown_to_a_mirror_is_the_original() {
        let fen = "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 3 4";
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(mirror_position(&mirror_position(&position)), position);
        assert_ne!(mirror_position(&position), position);
    }
}
