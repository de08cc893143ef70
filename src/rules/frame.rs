//! One way of looking at a position and its mirror images: the side that moves plays up the board, and of left and right
//! the same one is chosen whichever way the board is held. Searches that may be cut by their bound are made in this
//! frame, so that a ruling never hangs on colour or wing.

use crate::board::{Move, Piece, Position, Setup, Side, Square};

use super::threat::Threat;

/// How a board is turned to be looked at. Turning it back is the same.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Ranks and sides are exchanged.
    turned: bool,
    /// Files are exchanged.
    mirrored: bool,
}

impl Frame {
    /// The frame of a ply.
    pub(super) fn of(before: &Position, mv: Move) -> Frame {
        let turned = before.side() == Side::Black;
        let [plain, mirrored] = [false, true].map(|mirrored| Frame { turned, mirrored });
        let differ = Square::all().find_map(|square| {
            let seen = |frame: Frame| {
                let piece = before.piece_at(frame.square(square));
                piece.map(|piece| (frame.piece(piece).side as u8, piece.kind as u8))
            };
            let (one, other) = (seen(plain), seen(mirrored));
            (one != other).then_some(one > other)
        });
        let mirror = differ.unwrap_or_else(|| plain.mv(mv) > mirrored.mv(mv));
        if mirror { mirrored } else { plain }
    }

    pub(super) fn square(self, square: Square) -> Square {
        let file = if self.mirrored { 8 - square.file() } else { square.file() };
        let rank = if self.turned { 9 - square.rank() } else { square.rank() };
        Square::new(file, rank).expect("a square of the board turned is one")
    }

    pub(super) fn mv(self, mv: Move) -> Move {
        Move { from: self.square(mv.from), to: self.square(mv.to) }
    }

    pub(super) fn line(self, line: Vec<Move>) -> Vec<Move> {
        line.into_iter().map(|mv| self.mv(mv)).collect()
    }

    pub(super) fn threat(self, threat: Threat) -> Threat {
        Threat {
            attacker: self.square(threat.attacker),
            victim: self.square(threat.victim),
            line: self.line(threat.line),
            ..threat
        }
    }

    pub(super) fn position(self, position: &Position) -> Position {
        let mut setup = Setup::empty();
        for square in position.occupied() {
            setup.squares[self.square(square).index()] =
                position.piece_at(square).map(|piece| self.piece(piece));
        }
        let side = position.side();
        Position::from_setup(&setup, if self.turned { side.other() } else { side })
    }

    fn piece(self, piece: Piece) -> Piece {
        let side = if self.turned { piece.side.other() } else { piece.side };
        Piece { side, ..piece }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // However the board is held, the same is seen, and turning back gives what was there.
    #[test]
    fn all_images_look_the_same() {
        let before = Position::from_fen("3k5/9/9/2n6/9/9/9/9/9/R4K3 b").unwrap();
        let mv: Move = "c6d4".parse().unwrap();
        let frame = Frame::of(&before, mv);
        let seen = frame.position(&before);
        assert_eq!(seen.side(), Side::Red);
        for turned in [false, true] {
            for mirrored in [false, true] {
                let held = Frame { turned, mirrored };
                let (other, other_mv) = (held.position(&before), held.mv(mv));
                let again = Frame::of(&other, other_mv);
                assert_eq!(again.position(&other).key(), seen.key());
                assert_eq!(again.mv(other_mv), frame.mv(mv));
                assert_eq!(again.mv(again.mv(mv)), mv);
            }
        }
    }

    // A board that is its own mirror image is told apart by the move.
    #[test]
    fn a_symmetric_board_is_told_apart_by_the_move() {
        let before = Position::start();
        let [left, right] = ["b2e2", "h2e2"].map(|mv| mv.parse::<Move>().unwrap());
        let seen = |mv| Frame::of(&before, mv).mv(mv);
        assert_eq!(seen(left), seen(right));
    }
}
