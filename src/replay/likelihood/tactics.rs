//! What a move wins or loses by captures: a quiescence search, and what is threatened if the other side did nothing.
//!
//! Units are tenths of a pawn before the river. The search is bounded by its depth, counts no time and is the same on
//! every machine.

use crate::board::{Kind, Move, Position, Side, Square, SquareSet};

/// Replies that are tried first, as they have parried threats of other moves.
const PARRIES: usize = 4;

/// The score of a mate.
pub(super) const MATE: i32 = 2000;

/// Captures looked at one after the other.
const DEPTH: u32 = 6;
/// Of these, how many may be on any square; later ones retake where the last piece was captured.
const WIDE: u32 = 3;

/// The kinds that are captured, the dearest first, with the most that one is worth.
const PRIZES: [(Kind, i32); 6] = [
    (Kind::Chariot, 90),
    (Kind::Cannon, 45),
    (Kind::Horse, 40),
    (Kind::Adviser, 20),
    (Kind::Elephant, 20),
    (Kind::Pawn, 20),
];

/// What a piece is worth.
pub(super) fn worth(kind: Kind, side: Side, square: Square) -> i32 {
    match kind {
        Kind::General => MATE,
        Kind::Chariot => 90,
        Kind::Cannon => 45,
        Kind::Horse => 40,
        Kind::Adviser | Kind::Elephant => 20,
        Kind::Pawn if (side == Side::Red) == (square.rank() >= 5) => 20,
        Kind::Pawn => 10,
    }
}

/// What a legal move comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    pub(super) mv: Move,
    /// What is won by it, less what was there to be won, after the best captures of both sides; negative if it loses.
    pub(super) gain: i32,
    /// What the mover would win next if the other side did nothing; [`MATE`] if it would mate. 0 for checks.
    pub(super) threat: i32,
    /// What of the threat no reply parries; for a check what is won after the best reply.
    pub(super) kept: i32,
    /// How many legal moves answer the check given; `None` if it is none.
    pub(super) replies: Option<usize>,
    /// Whether the other side can mate at once after it.
    pub(super) mated: bool,
}

/// Weighs every legal move of `position`.
pub(super) fn weigh(position: &Position) -> Vec<Verdict> {
    let mut board = position.clone();
    let mover = position.side();
    let moves = position.legal_moves();
    let mut verdicts = Vec::with_capacity(moves.len());
    let mut parries = Vec::new();
    for mv in moves {
        let undo = board.play(mv);
        let won = undo.captured().map_or(0, |piece| worth(piece.kind, piece.side, mv.to));
        let mut verdict = Verdict { mv, gain: 0, threat: 0, kept: 0, replies: None, mated: false };
        if board.in_check(mover.other()) {
            let replies = board.legal_moves();
            verdict.replies = Some(replies.len());
            verdict.gain = won;
            let (best, _) = after_replies(&mut board, &replies, -MATE);
            let best = -best;
            verdict.gain = if best == -MATE { MATE } else { won - best };
            verdict.kept = verdict.gain.max(0);
        } else if !board.has_legal_move() {
            verdict.gain = MATE;
        } else {
            verdict.gain = won - quiet(&mut board, 0, -MATE, MATE, DEPTH, None);
            verdict.mated = mates(&mut board);
            let pass = board.play(Move { from: mv.to, to: mv.to });
            verdict.threat = if mates(&mut board) {
                MATE
            } else {
                quiet(&mut board, 0, -MATE, MATE, DEPTH - 2, None)
            };
            board.undo(pass);
            if verdict.threat > 0 {
                verdict.kept = kept(&mut board, &mut parries);
            }
        }
        board.undo(undo);
        verdicts.push(verdict);
    }
    verdicts
}

/// What the side to move loses if it does nothing.
pub(super) fn danger(position: &Position) -> i32 {
    let mut board = position.clone();
    let Some(any) = Square::from_index(0) else { return 0 };
    board.play(Move { from: any, to: any });
    if mates(&mut board) { MATE } else { quiet(&mut board, 0, -MATE, MATE, DEPTH, None) }
}

/// What of its threat the side that is not to move keeps whatever the reply; `parries` are replies that have parried the
/// threats of other moves, the latest first. What threatens is mostly the same, so that one of them mostly does again.
fn kept(board: &mut Position, parries: &mut Vec<Move>) -> i32 {
    let parry = parries.iter().position(|reply| board.is_legal(*reply) && parried(board, *reply));
    if let Some(latest) = parry {
        parries[..=latest].rotate_right(1);
        return 0;
    }
    let (most, parry) = after_replies(board, &board.legal_moves(), 0);
    parries.truncate(PARRIES - 1);
    parries.splice(..0, parry);
    most.max(0)
}

/// Whether `reply` leaves the other side neither a mate nor anything to win.
fn parried(board: &mut Position, reply: Move) -> bool {
    let undo = board.play(reply);
    let lost = undo.captured().map_or(0, |piece| worth(piece.kind, piece.side, reply.to));
    let parried = quiet(board, -lost, 0, 1, DEPTH - 2, None) <= 0 && !mates(board);
    board.undo(undo);
    parried
}

/// What the side that is not to move wins after the best of `replies`, looked for until one leaves it `enough` or less:
/// that one.
fn after_replies(board: &mut Position, replies: &[Move], enough: i32) -> (i32, Option<Move>) {
    let mut least = MATE;
    for reply in replies {
        let undo = board.play(*reply);
        let lost = undo.captured().map_or(0, |piece| worth(piece.kind, piece.side, reply.to));
        // Only while every reply so far is mated can another mate matter.
        let won = if least == MATE && mates(board) {
            MATE
        } else {
            quiet(board, -lost, enough, least, DEPTH - 2, None)
        };
        board.undo(undo);
        least = least.min(won);
        if least <= enough {
            return (least, Some(*reply));
        }
    }
    (least, None)
}

/// Whether the side to move has a mate at once.
fn mates(board: &mut Position) -> bool {
    let checks: Vec<Move> = board.checking().collect();
    checks.into_iter().any(|mv| {
        let safe = board.is_safe(mv);
        safe && {
            let undo = board.play(mv);
            let mate = !board.has_legal_move();
            board.undo(undo);
            mate
        }
    })
}

/// What the side to move wins from `balance` on by captures, or by none, within `low..high`.
fn quiet(
    board: &mut Position,
    balance: i32,
    mut low: i32,
    high: i32,
    depth: u32,
    only: Option<Square>,
) -> i32 {
    let mut best = balance;
    if best >= high || depth == 0 {
        return best;
    }
    low = low.max(best);
    let side = board.side();
    let within = only.map_or(board.occupied_by(side.other()), SquareSet::of);
    for (kind, most) in PRIZES {
        // The dearer kinds come first: of what follows nothing can matter any more.
        if balance + most <= low {
            break;
        }
        for target in board.pieces(side.other(), kind) & within {
            let prize = worth(kind, side.other(), target);
            if balance + prize <= low {
                continue;
            }
            let attackers = board.attackers(target, side);
            if attackers.is_empty() {
                continue;
            }
            for hunter in [
                Kind::Pawn,
                Kind::Elephant,
                Kind::Adviser,
                Kind::Horse,
                Kind::Cannon,
                Kind::Chariot,
                Kind::General,
            ] {
                for from in attackers & board.pieces(side, hunter) {
                    let mv = Move { from, to: target };
                    // It can capture there by its shape.
                    if !board.is_safe(mv) {
                        continue;
                    }
                    if depth == 1 {
                        // No reply is looked at any more.
                        low = balance + prize;
                        best = low;
                        if low >= high {
                            return best;
                        }
                        continue;
                    }
                    let undo = board.play(mv);
                    let next = (depth <= DEPTH - WIDE).then_some(target);
                    let score = -quiet(board, -balance - prize, -high, -low, depth - 1, next);
                    board.undo(undo);
                    best = best.max(score);
                    low = low.max(score);
                    if low >= high {
                        return best;
                    }
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(fen: &str, text: &str) -> Verdict {
        let position = Position::from_fen(fen).unwrap();
        let mv = text.parse().unwrap();
        weigh(&position).into_iter().find(|verdict| verdict.mv == mv).unwrap()
    }

    /// By hand: loose and protected pieces, and an exchange of a chariot for a pawn that nobody wants.
    #[test]
    fn counts_captures_to_the_end() {
        for (fen, text, gain) in [
            ("3k5/9/9/9/4n4/9/9/4R4/9/5K3 w", "e2e5", 40),
            ("3k5/9/9/4p4/4n4/9/9/4R4/9/5K3 w", "e2e5", 40 - 90),
            ("3k5/9/9/4p4/4r4/9/9/4R4/9/5K3 w", "e2e5", 0),
            // Leaves the chariot where it can be taken.
            ("3k5/9/9/9/4r4/9/9/4R4/9/5K3 w", "f0f1", -90),
            // Pinned pawns protect nothing: taking back would let the generals face.
            ("4k4/9/9/9/9/9/3np4/3R5/9/4K4 w", "d2d3", 40),
        ] {
            assert_eq!(verdict(fen, text).gain, gain, "{fen} {text}");
        }
    }

    /// By hand: a fork of two loose pieces keeps one of them, an attack on one keeps nothing.
    #[test]
    fn knows_threats_that_are_not_parried() {
        let attack = verdict("3k5/9/9/n8/9/9/9/9/8R/5K3 w", "i1a1");
        assert_eq!((attack.gain, attack.threat, attack.kept), (0, 40, 0));
        let fork = verdict("3k5/9/9/n8/9/9/9/8R/9/n4K3 w", "i2a2");
        assert_eq!((fork.threat, fork.kept), (40, 40));
    }

    /// By hand: mates at once, mates threatened, mates allowed.
    #[test]
    fn knows_mates() {
        let mate = verdict("4k4/R8/9/9/9/9/9/9/9/1R1K5 w", "b0b9");
        assert_eq!((mate.gain, mate.replies), (MATE, Some(0)));
        let quiet = verdict("4k4/R8/9/9/9/9/9/9/9/1R1K5 w", "b0b1");
        assert_eq!((quiet.threat, quiet.mated), (MATE, false));
        let careless = verdict("3k5/9/9/9/9/9/9/r8/1r2N4/4K4 w", "e1g2");
        assert!(careless.mated);
    }

    /// The slow definitions, on the positions of games in which every move is chosen by a fixed sequence of numbers: a mate is
    /// a legal check without an answer, and what is kept hangs on the replies and not on the order in which they are tried.
    #[test]
    fn short_cuts_change_nothing() {
        let mut number = 11u64;
        let (mut mating, mut threats) = (0, 0);
        for _ in 0..20 {
            let mut board = Position::start();
            for _ in 0..60 {
                let moves = board.legal_moves();
                let mate = moves.iter().any(|mv| {
                    let mut after = board.clone();
                    after.play(*mv);
                    after.in_check(after.side()) && !after.has_legal_move()
                });
                mating += usize::from(mate);
                assert_eq!(mates(&mut board), mate, "{}", board.fen());
                for verdict in weigh(&board) {
                    if verdict.replies.is_some() || verdict.threat <= 0 || verdict.gain == MATE {
                        continue;
                    }
                    threats += 1;
                    let mut after = board.clone();
                    after.play(verdict.mv);
                    let replies = after.legal_moves();
                    let kept = after_replies(&mut after, &replies, 0).0.max(0);
                    assert_eq!(verdict.kept, kept, "{} {}", board.fen(), verdict.mv);
                }
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let Some(mv) = moves.get((number >> 33) as usize % moves.len().max(1)) else {
                    break;
                };
                board.play(*mv);
            }
        }
        assert!(mating > 5 && threats > 5_000, "{mating} {threats}");
    }
}
