//! What a move wins or loses by captures: a quiescence search, and what is threatened if the other side did nothing.
//!
//! Units are tenths of a pawn before the river. The search is bounded by its depth, counts no time and is the same on
//! every machine.

use crate::board::{Kind, Move, Position, Side, Square};

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

/// What is known of the general of the side to move: little has to be looked at while it is [`Guard::Calm`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// It is neither attacked nor faced.
    Calm,
    /// It may be; the other side's is not.
    Attacked,
    /// Nothing, and nothing of the other side's either.
    Unknown,
}

impl Guard {
    /// Of a side whose general is known to be neither attacked nor faced on `board`: of use while palaces hold the generals.
    fn of(board: &Position) -> Guard {
        if board.is_orderly() { Guard::Calm } else { Guard::Unknown }
    }

    /// Behind `mv`, just played on `board` by a side whose general is safe since.
    fn after(self, mv: Move, board: &Position) -> Guard {
        match self {
            Guard::Unknown => Guard::Unknown,
            _ if board.is_checked_by(mv) => Guard::Attacked,
            _ => Guard::Calm,
        }
    }

    /// [`Position::is_safe`].
    fn is_safe(self, mv: Move, board: &Position) -> bool {
        if self == Guard::Calm { board.stays_safe(mv) } else { board.is_safe(mv) }
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
        let guard = Guard::of(&board);
        if board.in_check(mover.other()) {
            let replies = board.legal_moves();
            verdict.replies = Some(replies.len());
            verdict.gain = won;
            let (best, _) = after_replies(&mut board, &replies, -MATE, guard);
            let best = -best;
            verdict.gain = if best == -MATE { MATE } else { won - best };
            verdict.kept = verdict.gain.max(0);
        } else if !board.has_legal_move() {
            verdict.gain = MATE;
        } else {
            verdict.gain = won - quiet(&mut board, 0, -MATE, MATE, DEPTH, None, guard);
            verdict.mated = mates(&mut board, guard);
            let pass = board.play(Move { from: mv.to, to: mv.to });
            verdict.threat = if mates(&mut board, guard) {
                MATE
            } else {
                quiet(&mut board, 0, -MATE, MATE, DEPTH - 2, None, guard)
            };
            board.undo(pass);
            if verdict.threat > 0 {
                verdict.kept = kept(&mut board, &mut parries, guard);
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
    let is_calm =
        !Side::ALL.into_iter().any(|side| board.in_check(side)) && !board.generals_facing();
    let guard = if is_calm { Guard::of(&board) } else { Guard::Unknown };
    board.play(Move { from: any, to: any });
    if mates(&mut board, guard) {
        MATE
    } else {
        quiet(&mut board, 0, -MATE, MATE, DEPTH, None, guard)
    }
}

/// What of its threat the side that is not to move keeps whatever the reply; `parries` are replies that have parried the
/// threats of other moves, the latest first. What threatens is mostly the same, so that one of them mostly does again.
fn kept(board: &mut Position, parries: &mut Vec<Move>, guard: Guard) -> i32 {
    let parry =
        parries.iter().position(|reply| board.is_legal(*reply) && parried(board, *reply, guard));
    if let Some(latest) = parry {
        parries[..=latest].rotate_right(1);
        return 0;
    }
    let (most, parry) = after_replies(board, &board.legal_moves(), 0, guard);
    parries.truncate(PARRIES - 1);
    parries.splice(..0, parry);
    most.max(0)
}

/// Whether `reply` leaves the other side neither a mate nor anything to win.
fn parried(board: &mut Position, reply: Move, guard: Guard) -> bool {
    let undo = board.play(reply);
    let lost = undo.captured().map_or(0, |piece| worth(piece.kind, piece.side, reply.to));
    let guard = guard.after(reply, board);
    let parried = quiet(board, -lost, 0, 1, DEPTH - 2, None, guard) <= 0 && !mates(board, guard);
    board.undo(undo);
    parried
}

/// What the side that is not to move wins after the best of `replies`, looked for until one leaves it `enough` or less:
/// that one.
fn after_replies(
    board: &mut Position,
    replies: &[Move],
    enough: i32,
    guard: Guard,
) -> (i32, Option<Move>) {
    let mut least = MATE;
    for reply in replies {
        let undo = board.play(*reply);
        let lost = undo.captured().map_or(0, |piece| worth(piece.kind, piece.side, reply.to));
        let guard = guard.after(*reply, board);
        // Only while every reply so far is mated can another mate matter.
        let won = if least == MATE && mates(board, guard) {
            MATE
        } else {
            quiet(board, -lost, enough, least, DEPTH - 2, None, guard)
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
fn mates(board: &mut Position, guard: Guard) -> bool {
    let checks: Vec<Move> = board.checking().collect();
    checks.into_iter().any(|mv| {
        guard.is_safe(mv, board) && {
            let undo = board.play(mv);
            let mate = !board.has_legal_move();
            board.undo(undo);
            mate
        }
    })
}

/// What the side to move wins from `balance` on by captures, or by none, within `low..high`; where `only` is given, by those
/// on that square.
fn quiet(
    board: &mut Position,
    balance: i32,
    low: i32,
    high: i32,
    depth: u32,
    only: Option<Square>,
    guard: Guard,
) -> i32 {
    if balance >= high || depth == 0 {
        return balance;
    }
    let low = low.max(balance);
    let mut search = Captures { balance, best: balance, low, high, depth, guard };
    match only {
        Some(target) => {
            search.on(target, board);
        }
        None => search.anywhere(board),
    }
    search.best
}

/// The captures of one position, see [`quiet`].
struct Captures {
    balance: i32,
    best: i32,
    low: i32,
    high: i32,
    depth: u32,
    guard: Guard,
}

impl Captures {
    fn anywhere(&mut self, board: &mut Position) {
        let enemy = board.side().other();
        for (kind, most) in PRIZES {
            // The dearer kinds come first: of what follows nothing can matter any more.
            if self.balance + most <= self.low {
                return;
            }
            for target in board.pieces(enemy, kind) {
                if self.on(target, board) {
                    return;
                }
            }
        }
    }

    /// Tries those on `target`, where a piece of the other side stands; whether none matters any more.
    fn on(&mut self, target: Square, board: &mut Position) -> bool {
        let side = board.side();
        let prize = match board.piece_at(target) {
            Some(prey) if prey.kind != Kind::General => worth(prey.kind, prey.side, target),
            _ => return false,
        };
        if self.balance + prize <= self.low {
            return false;
        }
        let hunters = board.attackers(target, side);
        if let Some(from) = hunters.first().filter(|_| hunters.is_single()) {
            return self.by(Move { from, to: target }, prize, board);
        }
        const CHEAPEST_FIRST: [Kind; 7] = [
            Kind::Pawn,
            Kind::Elephant,
            Kind::Adviser,
            Kind::Horse,
            Kind::Cannon,
            Kind::Chariot,
            Kind::General,
        ];
        !hunters.is_empty()
            && CHEAPEST_FIRST.into_iter().any(|kind| {
                let mut hunters = hunters & board.pieces(side, kind);
                hunters.any(|from| self.by(Move { from, to: target }, prize, board))
            })
    }

    /// Tries one; whether no other matters any more.
    fn by(&mut self, mv: Move, prize: i32, board: &mut Position) -> bool {
        // It can capture there by its shape.
        if !self.guard.is_safe(mv, board) {
            return false;
        }
        let score = if self.depth == 1 {
            // No reply is looked at any more.
            self.balance + prize
        } else {
            let next = (self.depth <= DEPTH - WIDE).then_some(mv.to);
            let undo = board.play(mv);
            let guard = self.guard.after(mv, board);
            let (balance, depth) = (-self.balance - prize, self.depth - 1);
            let lost = quiet(board, balance, -self.high, -self.low, depth, next, guard);
            board.undo(undo);
            -lost
        };
        self.best = self.best.max(score);
        self.low = self.low.max(score);
        self.low >= self.high
    }
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
                let guard = Guard::of(&board);
                let guard = if board.in_check(board.side()) { Guard::Attacked } else { guard };
                assert_eq!(mates(&mut board, guard), mate, "{}", board.fen());
                for verdict in weigh(&board) {
                    if verdict.replies.is_some() || verdict.threat <= 0 || verdict.gain == MATE {
                        continue;
                    }
                    threats += 1;
                    let mut after = board.clone();
                    after.play(verdict.mv);
                    let replies = after.legal_moves();
                    let kept = after_replies(&mut after, &replies, 0, Guard::Unknown).0.max(0);
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
