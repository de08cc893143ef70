//! How people move: a model of the next move, used to rank readings that the rules leave open.
//!
//! The likelihood of a move is the exponential of its score over the sum of those of all legal moves. Its score has two
//! parts:
//!
//! - **Features** ([`Feature`]), each with one weight: which piece goes from where to where, what it captures, whether
//!   it takes back or goes on with the piece moved last, what the opening books of the training games play; and what a
//!   small search says of it: what it wins or loses after all captures, what it threatens, how much of the threat no
//!   reply parries, what was to be feared, checks with the number of replies, mates in one given, threatened and
//!   allowed; and, where the record tells the length and the result of the game, the same for its last plies.
//! - **A network** with one hidden layer of [`HIDDEN`] values, which sees the whole board and scores the piece, the
//!   squares it leaves and enters and what the search says, as it is and in the mirror.
//!
//! Both are data, `likelihood.bin` (about 200 KB), learned by `cargo run --release --example learn_likelihood`
//! (tests/learn, with the figures in its README) from the 603 320 plies of 6 101 distinct real games; 2 074 others are
//! kept out to measure with.
//!
//! Everything is integer arithmetic in [`NAT`]ths of a nat, and the search is bounded by depth and not by time, so
//! that the ranking is the same on every machine. Openings apart, the model is the same in the mirror and for both
//! sides.

mod features;
mod fixed;
mod groups;
mod model;
mod network;
mod tactics;

pub use fixed::{FINE, log_sum, probability};
pub use groups::{FEATURES, Feature};
pub use model::Parameters;
pub use network::{
    HIDDEN, INPUTS, SLOTS, Slot, TOP, UNIT, VECTORS, mirrored_input, mirrored_vector,
};

use crate::{
    board::{Move, Position},
    record::Outcome,
};

/// Units of a log-likelihood in one nat: `ln 2` is about 710.
pub const NAT: i32 = 1024;

/// The moves before a position that the model looks at.
#[derive(Clone, Copy, Default, Debug)]
pub struct Past {
    /// The opponent's last move.
    pub last: Option<Move>,
    /// The own last move.
    pub own: Option<Move>,
    /// Plies played so far.
    pub plies: u32,
    /// What is known of the end of the game.
    pub ending: Option<Ending>,
}

/// The end of a game, as far as its record tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Plies of the whole game.
    pub plies: u32,
    /// Who won.
    pub outcome: Outcome,
}

impl Past {
    /// The past of the position after `mv`.
    #[must_use]
    pub const fn after(self, mv: Move) -> Past {
        Past { last: Some(mv), own: self.last, plies: self.plies + 1, ending: self.ending }
    }
}

/// A legal move with what the model looks at.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Its features.
    pub features: Vec<Feature>,
    /// The vectors that it is the sum of in the network.
    pub vectors: [Slot; SLOTS],
}

/// A position with its legal moves as the model sees them, for the program that learns.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What the network looks at.
    pub inputs: Vec<Slot>,
    /// The legal moves.
    pub choices: Vec<Choice>,
}

/// What the model looks at in `position`.
pub fn decision(position: &Position, past: Past) -> Decision {
    let scene = features::Scene::new(position, past);
    Decision { inputs: scene.inputs(), choices: scene.choices() }
}

/// The log-likelihood of every legal move of `position`, in [`NAT`]ths, none above 0.
///
/// ```
/// use qijian::{board::Position, replay::likelihood::{Past, log_likelihoods}};
///
/// let best = log_likelihoods(&Position::start(), Past::default()).into_iter().max_by_key(|(_, log)| *log);
/// assert_eq!(best.unwrap().0.to_string(), "h2e2"); // 炮二平五, the commonest first move
/// ```
pub fn log_likelihoods(position: &Position, past: Past) -> Vec<(Move, i32)> {
    let mut scores = model::scores(&decision(position, past));
    let total = log_sum(scores.iter().map(|(_, score)| i64::from(*score) * FINE));
    // To the nearest: all moves of a position shift alike, so their order and ratios stay.
    let total = ((total + FINE / 2).div_euclid(FINE)) as i32;
    for (_, score) in &mut scores {
        *score = (*score - total).min(0);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    const MIDDLE_GAMES: [&str; 3] = [
        "r2akab1r/9/1cn1b1nc1/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB1R w - - 0 6",
        "4kab2/4a4/4b1C2/p7p/1r7/PNCnP4/2P3P1P/3c2N2/5Rn2/2BAKA3 b - - 8 27",
        "3k2c2/4R4/2R1b4/p7p/4Cn3/2P2p3/c2rP1r1P/4B1N2/4A4/2BAK4 b - - 0 24",
    ];

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn past(last: &str, own: &str) -> Past {
        Past { last: last.parse().ok(), own: own.parse().ok(), plies: 40, ending: None }
    }

    /// The moves of `position` with their likelihoods, `square` applied to each.
    fn sorted(
        position: &Position,
        past: Past,
        square: impl Fn(Square) -> Square,
    ) -> Vec<(Move, i32)> {
        let mut list: Vec<_> = log_likelihoods(position, past)
            .into_iter()
            .map(|(mv, log)| (Move { from: square(mv.from), to: square(mv.to) }, log))
            .collect();
        list.sort();
        list
    }

    /// They are probabilities.
    #[test]
    fn likelihoods_sum_to_one() {
        for fen in MIDDLE_GAMES {
            let logs = log_likelihoods(&position(fen), past("h9g7", "h2e2"));
            let sum: f64 =
                logs.iter().map(|(_, log)| (f64::from(*log) / f64::from(NAT)).exp()).sum();
            assert!((sum - 1.0).abs() < 0.01, "{fen}: {sum}");
        }
    }

    /// The chariot mates on the back rank, the other one bars the way forward; people play that.
    #[test]
    fn a_mate_is_the_likeliest_move() {
        let logs = log_likelihoods(&position("4k4/R8/9/9/9/9/9/9/9/1R1K5 w"), past("d9e9", "b2b0"));
        let best = logs.iter().max_by_key(|(_, log)| *log).unwrap();
        assert_eq!(best.0.to_string(), "b0b9");
    }

    /// A chariot that can be taken for nothing is taken or saved, by the interest of either side.
    #[test]
    fn a_loose_chariot_is_noticed() {
        let fen = "4k4/9/9/9/4r4/9/4R3P/9/9/3K5 w";
        let logs = log_likelihoods(&position(fen), past("e9e9", "d0d0"));
        let of = |text: &str| logs.iter().find(|(mv, _)| mv.to_string() == text).unwrap().1;
        assert!(of("e3e5") > of("i3i4"));
    }

    /// Left and right are the same to the rules and to the model, the openings of the books apart.
    #[test]
    fn is_the_same_in_the_mirror() {
        let mirror = |square: Square| Square::new(8 - square.file(), square.rank()).unwrap();
        for fen in MIDDLE_GAMES {
            let (board, rest) = fen.split_once(' ').unwrap();
            let ranks: Vec<String> =
                board.split('/').map(|rank| rank.chars().rev().collect()).collect();
            let mirrored = position(&format!("{} {rest}", ranks.join("/")));
            let (here, there) = (past("h9g7", "e1e2"), past("b9c7", "e1e2"));
            assert_eq!(
                sorted(&position(fen), here, |square| square),
                sorted(&mirrored, there, mirror),
                "{fen}"
            );
        }
    }

    /// Red and Black are the same to the model once the board is turned, the books apart.
    #[test]
    fn is_the_same_for_both_sides() {
        let turn = |square: Square| Square::new(8 - square.file(), 9 - square.rank()).unwrap();
        for fen in MIDDLE_GAMES {
            let (board, rest) = fen.split_once(' ').unwrap();
            let swapped = |c: char| {
                if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
            };
            let board: String = board.chars().rev().map(swapped).collect();
            let side = if rest.starts_with('w') { 'b' } else { 'w' };
            let turned = position(&format!("{board} {side}"));
            let (here, there) = (past("h9g7", "e1e2"), past("b0c2", "e8e7"));
            assert_eq!(
                sorted(&position(fen), here, |square| square),
                sorted(&turned, there, turn),
                "{fen}"
            );
        }
    }

    /// Any position can be asked, also one without a general or without a move.
    #[test]
    fn odd_positions_have_likelihoods_too() {
        for fen in ["9/9/9/9/9/9/9/9/9/9 w", "4k4/9/9/9/9/9/9/9/9/9 w", "9/9/9/9/4R4/9/9/9/9/9 w"] {
            let position = position(fen);
            let logs = log_likelihoods(&position, Past::default());
            assert_eq!(logs.len(), position.legal_moves().len());
        }
    }
}
