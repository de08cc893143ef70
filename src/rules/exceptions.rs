//! The exceptions of article 27, each by its name. The heaviest name (27.4) is given by [`super::label::label`].

use super::{exchange::worth, profile::Chase, verdict::Behaviour};
use crate::board::{Kind, Move, Position, Side, Square};

/// Article 27.1: what the general itself attacks is idle (允许帅(将)本身步步叫吃对方的棋子). What another piece takes
/// together with the general, or because the general covers a line, is that piece's chase.
pub(super) fn is_by_general(position: &Position, mv: Move) -> bool {
    position.piece_at(mv.from).is_some_and(|piece| piece.kind == Kind::General)
}

/// Article 27.2, first half: what a pawn itself takes is idle (兵(卒)本身捉吃对方的棋子，按闲处理).
pub(super) fn is_by_pawn(position: &Position, mv: Move) -> bool {
    position.piece_at(mv.from).is_some_and(|piece| piece.kind == Kind::Pawn)
}

/// Article 27.2, second half: once one side attacks with every ply (长打), what the pawns of the other attack counts,
/// if that side then attacks with every ply too (形成相互长打局面).
///
/// `plain` are the behaviours of both sides with pawns idle, `with_pawns` those with the pawns' captures as chases.
pub(super) fn mutual_pawn_chases(
    plain: [Behaviour; 2],
    with_pawns: [Behaviour; 2],
) -> [Behaviour; 2] {
    let attacks = |behaviour| !matches!(behaviour, Behaviour::Allowed | Behaviour::Unproved);
    match (attacks(plain[0]), attacks(plain[1])) {
        (true, false) if attacks(with_pawns[1]) => [plain[0], with_pawns[1]],
        (false, true) if attacks(with_pawns[0]) => [with_pawns[0], plain[1]],
        _ => plain,
    }
}

/// Article 27.3: whether a chase of advisers and elephants may be that of a piece which takes up a key point and so
/// holds a simple draw at once (占据防守要点，立即构成简明和棋，附带产生的捉士相(象)). Such a ply is `unproved`: that the
/// draw is simple is proved by no search here, and that it is none by no search either.
///
/// It may be where only advisers and elephants are chased, by the side that defends: one piece at most that attacks,
/// against an enemy who has more, in an ending of at most four such pieces.
pub(super) fn may_hold_a_simple_draw(
    after: &Position,
    side: Side,
    victims: &[Square],
    rules: &Chase,
) -> bool {
    let kind = |square: &Square| after.piece_at(*square).map(|piece| piece.kind);
    if !rules.key_point
        || !victims
            .iter()
            .all(|square| matches!(kind(square), Some(Kind::Adviser | Kind::Elephant)))
    {
        return false;
    }
    // The pieces that attack, and what they are worth.
    let force = |side: Side| {
        after
            .occupied_by(side)
            .filter_map(|square| Some((after.piece_at(square)?, square)))
            .filter(|(piece, _)| !matches!(piece.kind, Kind::Adviser | Kind::Elephant))
            .map(|(piece, square)| worth(piece, square))
            .filter(|worth| *worth > 0)
            .fold((0, 0), |(pieces, sum), worth| (pieces + 1, sum + worth))
    };
    let ((ours, our_worth), (theirs, their_worth)) = (force(side), force(side.other()));
    ours <= 1 && ours + theirs <= 4 && our_worth < their_worth
}
