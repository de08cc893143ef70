//! The small network of the model: what the whole board has to say about each move.
//!
//! One hidden layer. Its inputs are the pieces, the last moves and what is to be won (all 0 or 1); its [`HIDDEN`]
//! values are cut off below 0 and above [`TOP`]. A move is a sum of a few vectors ([`Slot`]s), and its score the
//! product of that sum with the hidden values. The board is seen as it is and in the mirror, and both scores are added,
//! so that left and right are the same to it.

use crate::board::{Kind, Move, Piece, Position, Side, Square};

use super::{NAT, Past};

/// Hidden values.
pub const HIDDEN: usize = 32;
/// Vectors that a move is the sum of.
pub const SLOTS: usize = 4;
/// Inputs of the hidden layer.
pub const INPUTS: usize = 1260 + 3 * 90 + 5 + 12 + 2;
/// Vectors in all.
pub const VECTORS: usize = 2 * 630 + 32 + 40;
/// One as a fixed-point number: parameters are multiples of a 64th.
pub const UNIT: i32 = 64;
/// Where hidden values are cut off.
pub const TOP: i32 = 4 * UNIT;

/// Number of an input or of a vector.
pub type Slot = u16;

/// What the hidden layer sees of a position.
pub(super) fn inputs(
    position: &Position,
    past: Past,
    phase: usize,
    prize: usize,
    in_check: bool,
) -> Vec<Slot> {
    let side = position.side();
    let seen = |square: Square| seen(square, side);
    let mut inputs = Vec::with_capacity(40);
    for owner in Side::ALL {
        let first = if owner == side { 0 } else { 630 };
        for kind in Kind::ALL {
            let pieces = position.pieces(owner, kind);
            inputs.extend(pieces.map(|square| (first + kind as usize * 90 + seen(square)) as Slot));
        }
    }
    if let Some(last) = past.last {
        inputs.extend([1260 + seen(last.to), 1350 + seen(last.from)].map(|n| n as Slot));
    }
    if let Some(own) = past.own {
        inputs.push((1440 + seen(own.to)) as Slot);
    }
    inputs.push((1530 + phase) as Slot);
    inputs.push((1535 + prize) as Slot);
    inputs.push((1547 + usize::from(in_check)) as Slot);
    inputs
}

/// The vectors of a move by `piece`; `lag` below 32 and `menace` below 40 tell what it wins, loses and threatens.
pub(super) fn vectors(
    piece: Piece,
    mv: Move,
    side: Side,
    lag: usize,
    menace: usize,
) -> [Slot; SLOTS] {
    let first = piece.kind as usize * 90;
    [first + seen(mv.from, side), 630 + first + seen(mv.to, side), 1260 + lag, 1292 + menace]
        .map(|n| n as Slot)
}

/// The square as the side to move sees it: its own back rank is rank 0.
pub(super) fn seen(square: Square, side: Side) -> usize {
    match side {
        Side::Red => square.index(),
        Side::Black => 89 - square.index(),
    }
}

/// The input that `input` becomes in the mirror.
pub const fn mirrored_input(input: Slot) -> Slot {
    if input < 1530 { mirrored(input) } else { input }
}

/// The vector that `slot` becomes in the mirror.
pub const fn mirrored_vector(slot: Slot) -> Slot {
    if slot < 1260 { mirrored(slot) } else { slot }
}

/// Planes of squares start at multiples of nine: only the place in the rank changes.
const fn mirrored(slot: Slot) -> Slot {
    slot / 9 * 9 + 8 - slot % 9
}

/// The hidden values of a position.
pub(super) fn hidden(
    inputs: &[Slot],
    weights: &[[i8; HIDDEN]],
    bias: &[i8; HIDDEN],
) -> [i32; HIDDEN] {
    let mut sums = bias.map(i32::from);
    for input in inputs {
        for (sum, weight) in sums.iter_mut().zip(&weights[usize::from(*input)]) {
            *sum += i32::from(*weight);
        }
    }
    sums.map(|sum| sum.clamp(0, TOP))
}

/// The score of a move in [`NAT`]ths.
pub(super) fn score(
    hidden: &[i32; HIDDEN],
    slots: &[Slot; SLOTS],
    vectors: &[[i8; HIDDEN]],
) -> i32 {
    let mut sums = [0i32; HIDDEN];
    for slot in slots {
        for (sum, weight) in sums.iter_mut().zip(&vectors[usize::from(*slot)]) {
            *sum += i32::from(*weight);
        }
    }
    let product: i32 = sums.iter().zip(hidden).map(|(a, b)| a * b).sum();
    product / (UNIT * UNIT / NAT)
}
