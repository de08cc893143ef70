//! What an idle ply is called (兑, 献, 拦, 跟, 闲, articles 28.5 to 28.9). The name changes no verdict.

use super::{
    exchange::{has_crossed, worth},
    label::Label,
};
use crate::{
    board::{Kind, Move, Position, Square, SquareSet},
    finding::Words,
};

/// Which kind of idle ply it is (28.5 to 28.9). The name changes no verdict.
pub(super) fn name(after: &Position, mv: Move) -> (Label, Vec<Square>, Words) {
    let Some(mover) = after.piece_at(mv.to) else {
        return (Label::Idle, Vec::new(), Words::new("闲着", "idle"));
    };
    let enemy = mover.side.other();
    let aimed: Vec<Square> = (after.reach(mv.to) & after.occupied_by(enemy))
        .filter(|square| after.piece_at(*square).is_some_and(|piece| worth(piece, *square) > 0))
        .collect();
    let attacked = !after.attackers(mv.to, enemy).is_empty();
    let guarded = !after.attackers(mv.to, mover.side).is_empty();
    let same: Vec<Square> = aimed
        .iter()
        .copied()
        .filter(|square| {
            after
                .piece_at(*square)
                .is_some_and(|piece| worth(piece, *square) == worth(mover, mv.to))
        })
        .collect();
    let valuable =
        worth(mover, mv.to) > 0 && (mover.kind != Kind::Pawn || has_crossed(mover.side, mv.to));
    if attacked && guarded && !same.is_empty() {
        return (Label::Exchange, same, Words::new("邀兑", "offers an exchange"));
    }
    if attacked && !guarded && valuable {
        return (Label::Offer, vec![mv.to], Words::new("献子", "offers a piece"));
    }
    if !aimed.is_empty() {
        return (Label::Follow, aimed, Words::new("跟住有根子", "follows a protected piece"));
    }
    if blocks(after, mv) {
        return (Label::Block, Vec::new(), Words::new("拦挡", "blocks a line"));
    }
    (Label::Idle, Vec::new(), Words::new("闲着", "idle"))
}

/// Whether the piece that has moved stands in a line of an enemy chariot or cannon towards a piece of its own side.
fn blocks(after: &Position, mv: Move) -> bool {
    let Some(mover) = after.piece_at(mv.to) else { return false };
    let enemy = mover.side.other();
    let sliders = after.pieces(enemy, Kind::Chariot) | after.pieces(enemy, Kind::Cannon);
    sliders.into_iter().any(|slider| {
        let own = after.occupied_by(mover.side);
        own.into_iter().filter(|square| *square != mv.to).any(|square| {
            let between = SquareSet::between(slider, square);
            between.contains(mv.to) && (between & after.occupied()).len() == 1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(fen: &str, mv: &str) -> &'static str {
        let mut after = Position::from_fen(fen).unwrap();
        let mv: Move = mv.parse().unwrap();
        assert!(after.is_legal(mv), "{fen} {mv}");
        after.play(mv);
        name(&after, mv).0.as_str()
    }

    #[test]
    fn each_name_has_its_article() {
        // 28.5: guarded chariots face each other. 28.6: the chariot stands unguarded before the other.
        assert_eq!(name_of("3k5/9/9/r8/9/9/9/9/1R7/R4K3 w", "b1a1"), "exchange");
        assert_eq!(name_of("3k5/9/9/r8/9/9/9/9/1R7/5K3 w", "b1a1"), "offer");
        // 28.8: the horse is guarded by the elephant on a7.
        assert_eq!(name_of("2bk5/9/b8/9/2n6/9/9/9/1R7/5K3 w", "b1c1"), "follow");
        // 28.7: the horse steps between the chariot and the elephant.
        assert_eq!(name_of("3k5/9/9/2r6/9/9/9/9/4N4/2B2K3 w", "e1c2"), "offer");
        assert_eq!(name_of("3k5/9/9/2r6/9/9/9/4R4/9/2B2K3 w", "e2e3"), "idle");
    }
}
