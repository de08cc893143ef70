//! What a slip of the pen costs: how a written text may stand for a move that it does not say.
//!
//! All costs are in [`NAT`]ths of a nat, on the scale of [`likelihood`](super::likelihood): a cost is minus the logarithm
//! of how often the fault is made, so that the costs of faults and of moves add up and explanations of different kinds
//! compare. They are set by judgement, not learned: no archive of faulty sheets with their originals is at hand. What they say:
//!
//! | fault | cost in nats | that is |
//! | --- | --- | --- |
//! | a ply left out | [`OMISSION`] 4.6 | one ply in a hundred |
//! | the next ply left out too | [`NEXT_OMISSION`] 1.6 | omissions come in runs: one in five goes on |
//! | a text with a slip | [`SLIP`] 4.6 | one ply in a hundred |
//! | in the last digit, the first, the verb, 前/后, the piece | 0.9, 1.4, 1.6, 1.6, 2.3 | shares of the slips |
//! | to a digit beside, or counted from the other side (二 for 八) | 1.2 | a third each way |
//! | to any other digit | 2.3 | the rest |
//! | a second part wrong as well | 1.6 | one slip in five |
//! | another move altogether | [`WHOLE`] 11 | any of some forty moves, and seldom |
//! | two moves exchanged, a move in the other side's cell | [`EXCHANGE`] 5.3 | one in two hundred |
//! | a round written twice | [`REPEAT`] 5.3 | the same |
//! | a cell that tells nothing | [`SURPLUS`] 9, and [`CELL`] 4 for each | very seldom, and it might say any of some forty moves |

use crate::{
    board::{Move, Position, Side},
    notation::{self, Dialect, Form, Notation},
    record::Written,
};

use super::likelihood::NAT;

/// A ply left out.
pub const OMISSION: i32 = 46 * NAT / 10;
/// The ply behind one left out is left out too.
pub const NEXT_OMISSION: i32 = 16 * NAT / 10;
/// A text that does not say the move.
pub const SLIP: i32 = 46 * NAT / 10;
/// A text that has nothing to do with the move.
pub const WHOLE: i32 = 11 * NAT;
/// Two moves exchanged, two rounds exchanged, a move in the other side's cell.
pub const EXCHANGE: i32 = 53 * NAT / 10;
/// A round, or a ply, written twice.
pub const REPEAT: i32 = 53 * NAT / 10;
/// Cells that tell no move at all, to which comes [`CELL`] for each.
pub const SURPLUS: i32 = 9 * NAT;
/// What stands in a cell that tells nothing.
pub const CELL: i32 = 4 * NAT;

const LAST: i32 = 9 * NAT / 10;
const FIRST: i32 = 14 * NAT / 10;
const VERB: i32 = 16 * NAT / 10;
const MARK: i32 = 16 * NAT / 10;
const PIECE: i32 = 23 * NAT / 10;
const NEAR_DIGIT: i32 = 12 * NAT / 10;
const FAR_DIGIT: i32 = 23 * NAT / 10;
/// Digits, or the name of the piece, as the other side writes them.
const FOREIGN: i32 = 3 * NAT;
const SECOND: i32 = 16 * NAT / 10;

/// A text understood without a board, to be compared with those of moves.
#[derive(Clone, Copy, Debug)]
enum Sign {
    Form(Form),
    Squares(Move),
}

/// A written ply whose slips are to be weighed.
#[derive(Clone, Copy, Debug)]
pub struct Slips<'w> {
    written: Written<'w>,
    dialect: Dialect,
    sign: Option<Sign>,
}

impl<'w> Slips<'w> {
    /// Prepares `written`, a text of `dialect` (the usual one where a game has none).
    pub fn of(written: Written<'w>, dialect: Option<Dialect>) -> Slips<'w> {
        let dialect = dialect.unwrap_or_default();
        let sign = match written {
            Written::Text(text) => sign(text, dialect),
            Written::Squares { from: Some(from), to: Some(to), .. } => {
                Some(Sign::Squares(Move { from, to }))
            }
            Written::Squares { .. } | Written::Omitted => None,
        };
        Slips { written, dialect, sign }
    }

    /// What it costs that somebody writes this for `mv`, a legal move of `position` that the text does not say.
    pub fn cost(&self, mv: Move, position: &Position) -> i32 {
        let differences = match (self.sign, self.written) {
            (Some(Sign::Squares(said)), _) => squares(said, mv),
            (Some(Sign::Form(said)), _) => {
                let text = notation::write_as(mv, self.dialect, position);
                match sign(&text, self.dialect) {
                    Some(Sign::Form(meant)) => forms(&said, &meant, position.side()),
                    _ => None,
                }
            }
            (None, Written::Text(text)) => {
                letters(text, &notation::write_as(mv, self.dialect, position))
            }
            (None, _) => None,
        };
        differences.map_or(WHOLE, |differences| (SLIP + differences).min(WHOLE))
    }
}

fn sign(text: &str, dialect: Dialect) -> Option<Sign> {
    let form = match dialect.notation {
        Notation::Chinese => notation::chinese::parse(text),
        Notation::Short => notation::short::parse(text, dialect.bars),
        Notation::Wxf => notation::wxf::parse(text, dialect.numbers, dialect.pawn_letters),
        Notation::Viet => notation::viet::parse(text),
        Notation::Iccs => return notation::iccs::parse(text).ok().map(Sign::Squares),
        Notation::Uci => return notation::uci::parse(text).ok().map(Sign::Squares),
        Notation::San => return None,
    };
    form.ok().map(Sign::Form)
}

/// What differs between two forms, `None` where they have nothing in common.
fn forms(said: &Form, meant: &Form, side: Side) -> Option<i32> {
    let mut parts = Parts::default();
    let other = side.other();
    let foreign = said.digits[other as usize] && !said.digits[side as usize];
    match (foreign, said.named == Some(other)) {
        (true, true) => return None,
        (true, false) | (false, true) => parts.add(FOREIGN),
        (false, false) => {}
    }
    if said.kind != meant.kind {
        parts.add(PIECE);
    }
    match ((said.which, said.file), (meant.which, meant.file)) {
        (one, two) if one == two => {}
        ((None, Some(a)), (None, Some(b))) => parts.add(FIRST + digit(a, b)),
        ((Some(a), _), (Some(b), _)) if a != b => parts.add(MARK),
        ((Some(_), a), (Some(_), b)) => match (a, b) {
            (Some(a), Some(b)) if a != b => parts.add(FIRST + digit(a, b)),
            _ => {}
        },
        _ => parts.add(FIRST + MARK),
    }
    if said.verb.is_some() && said.verb != meant.verb {
        parts.add(VERB);
    }
    match (said.last, meant.last) {
        (Some(a), Some(b)) if a != b => parts.add(LAST + digit(a, b)),
        _ => {}
    }
    parts.sum()
}

/// What differs between two moves in squares: each coordinate is a part.
fn squares(said: Move, meant: Move) -> Option<i32> {
    const WHICH: i32 = 14 * NAT / 10;
    let mut parts = Parts::default();
    for (one, other) in [(said.from, meant.from), (said.to, meant.to)] {
        if one.file() != other.file() {
            parts.add(WHICH + digit(one.file() + 1, other.file() + 1));
        }
        if one.rank() != other.rank() {
            let near = one.rank().abs_diff(other.rank()) == 1;
            parts.add(WHICH + if near { NEAR_DIGIT } else { FAR_DIGIT });
        }
    }
    parts.sum()
}

/// What differs between a text that is not understood and the text of a move, character by character.
fn letters(said: &str, meant: &str) -> Option<i32> {
    let said: Vec<char> = said.chars().filter(|c| !c.is_whitespace()).take(16).collect();
    let meant: Vec<char> = meant.chars().collect();
    if said.len() != meant.len() {
        return None;
    }
    let mut parts = Parts::default();
    for (a, b) in said.iter().zip(&meant) {
        if !super::illegal::same(*a, *b) {
            parts.add(PIECE);
        }
    }
    parts.sum()
}

/// A digit from 1 to 9 for another.
fn digit(said: u8, meant: u8) -> i32 {
    let near = said.abs_diff(meant) == 1 || said.checked_add(meant) == Some(10);
    if near { NEAR_DIGIT } else { FAR_DIGIT }
}

/// The parts of a text that are wrong.
#[derive(Default)]
struct Parts {
    count: u32,
    sum: i32,
}

impl Parts {
    fn add(&mut self, cost: i32) {
        if self.count > 0 {
            self.sum += SECOND;
        }
        self.count += 1;
        self.sum += cost;
    }

    /// What they come to; three wrong parts leave nothing of a text.
    fn sum(&self) -> Option<i32> {
        (self.count < 3).then_some(self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(text: &str, notation: Notation, mv: &str) -> i32 {
        let slips = Slips::of(Written::Text(text), Some(notation.into()));
        slips.cost(mv.parse().unwrap(), &Position::start())
    }

    /// The nearer the text, the less it costs, in every notation.
    #[test]
    fn near_texts_cost_less() {
        for (notation, texts) in [
            // 炮二平五: a digit beside, a digit far off, digit and verb, another piece.
            (Notation::Chinese, ["炮二平六", "炮二平九", "炮二进六", "兵九进一"]),
            (Notation::Wxf, ["C2=6", "C2=9", "C2+6", "P9+1"]),
            (Notation::Iccs, ["h2d2", "h2a2", "h2a1", "a3a4"]),
        ] {
            let costs = texts.map(|text| cost(text, notation, "h2e2"));
            let [near, far, two, another] = costs;
            assert!(near < far && far < two && two <= another, "{costs:?} {notation:?}");
            assert!(costs[0] > SLIP && costs[3] <= WHOLE);
        }
    }

    /// 二 for 八 comes of counting from the wrong side.
    #[test]
    fn the_other_side_is_near() {
        let of = |text| cost(text, Notation::Chinese, "h2e2");
        assert_eq!(of("炮八平五"), of("炮三平五"));
        assert!(of("炮八平五") < of("炮六平五"));
    }

    /// A text that is not understood at all is compared by its characters; one of the other side is none of this move.
    #[test]
    fn odd_texts_have_a_cost_too() {
        assert!(cost("跑二平五", Notation::Chinese, "h2e2") < WHOLE);
        assert_eq!(cost("好", Notation::Chinese, "h2e2"), WHOLE);
        assert_eq!(cost("卒5进1", Notation::Chinese, "e3e4"), WHOLE);
        let nothing = Slips::of(Written::Omitted, None);
        assert_eq!(nothing.cost("h2e2".parse().unwrap(), &Position::start()), WHOLE);
    }
}
