//! Learns `src/replay/likelihood.bin`, the weights of `replay::likelihood`, from the real games of `../shared/data`.
//!
//! Games are read by the library, repeated games dropped, and split by a hash of their first 30 plies, so that two
//! copies of a game, or a game and its beginning, are never on both sides: one in four is held out for measuring, the
//! others train. Training maximises the likelihood of the moves played (a softmax over all legal moves) by stochastic
//! gradient steps of decreasing size, in a fixed order: the same data gives the same bytes.
//!
//! `cargo run --release --example learn_likelihood [-- OUT]` prints the figures and writes the table.

#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

#[path = "games.rs"]
mod games;

use std::path::PathBuf;

use games::Games;
use qijian::{
    board::{Move, Position},
    replay::likelihood::{FEATURES, Feature, NAT, Past, features},
};

const EPOCHS: usize = 4;
const RATE: f32 = 0.15;
const DECAY: f32 = 1e-7;

/// One decision: the features of every legal move, and which was played.
struct Decision {
    /// Range of `Choices::ends` of its moves.
    first: usize,
    count: usize,
    played: usize,
}

#[derive(Default)]
struct Choices {
    features: Vec<Feature>,
    /// For each move, the end of its features.
    ends: Vec<usize>,
    decisions: Vec<Decision>,
}

fn main() {
    let out = std::env::args()
        .nth(1)
        .map_or_else(|| PathBuf::from("src/replay/likelihood.bin"), PathBuf::from);
    let Games { training, held_out } = Games::read();
    println!("{} games for training, {} held out", training.len(), held_out.len());
    let (training, measuring) = (choices(&training), choices(&held_out));
    println!(
        "{} plies for training, {} held out",
        training.decisions.len(),
        measuring.decisions.len()
    );
    let mut weights = vec![0f32; FEATURES];
    let mut squares = vec![1e-3f32; FEATURES];
    for epoch in 1..=EPOCHS {
        let rate = RATE / (epoch as f32).sqrt();
        let train = pass(&training, &mut weights, Some((&mut squares, rate)));
        let test = pass(&measuring, &mut weights, None);
        println!("epoch {epoch}: training {train}, held out {test}");
    }
    let scaled: Vec<i16> = weights
        .iter()
        .map(|weight| {
            (weight * NAT as f32).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        })
        .collect();
    println!(
        "{} of {} weights are not zero",
        scaled.iter().filter(|weight| **weight != 0).count(),
        FEATURES
    );
    let bytes: Vec<u8> = scaled.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    std::fs::write(&out, &bytes).expect("the table can be written");
    println!("{}: {} bytes", out.display(), bytes.len());
}

fn choices(games: &[Vec<Move>]) -> Choices {
    let mut choices = Choices::default();
    for game in games {
        let mut position = Position::start();
        let mut past = Past::default();
        for mv in game {
            let legal = features(&position, past);
            let first = choices.ends.len();
            let count = legal.len();
            let played =
                legal.iter().position(|(legal, _)| legal == mv).expect("the game is legal");
            for (_, list) in legal {
                choices.features.extend(list);
                choices.ends.push(choices.features.len());
            }
            choices.decisions.push(Decision { first, count, played });
            position.play(*mv);
            past = past.after(*mv);
        }
    }
    choices
}

/// One pass over all decisions, learning if asked. Returns the mean log-likelihood and how often the likeliest move
/// was played.
fn pass(choices: &Choices, weights: &mut [f32], mut learn: Option<(&mut Vec<f32>, f32)>) -> String {
    let (mut log, mut first) = (0f64, 0usize);
    let mut scores = Vec::new();
    // A fixed stride that shares no factor with the count visits all decisions in a mixed order.
    let n = choices.decisions.len();
    let stride = (0..).map(|k| 1_000_003 + 2 * k).find(|stride| gcd(*stride, n) == 1).unwrap_or(1);
    for turn in 0..n {
        let decision = &choices.decisions[turn * stride % n];
        let range = |index: usize| {
            let at = decision.first + index;
            let start = if at == 0 { 0 } else { choices.ends[at - 1] };
            start..choices.ends[at]
        };
        scores.clear();
        for index in 0..decision.count {
            scores.push(
                choices.features[range(index)].iter().map(|f| weights[*f as usize]).sum::<f32>(),
            );
        }
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let total: f32 = scores.iter().map(|score| (score - most).exp()).sum();
        log += f64::from(scores[decision.played] - most - total.ln());
        first += usize::from(scores[decision.played] >= most);
        let Some((squares, rate)) = learn.as_mut() else { continue };
        for (index, score) in scores.iter().enumerate() {
            let likelihood = (score - most).exp() / total;
            let gradient = f32::from(u8::from(index == decision.played)) - likelihood;
            if gradient.abs() < 1e-4 {
                continue;
            }
            for feature in &choices.features[range(index)] {
                let f = *feature as usize;
                squares[f] += gradient * gradient;
                weights[f] += *rate * gradient / squares[f].sqrt() - DECAY * weights[f];
            }
        }
    }
    format!(
        "{:.4} nats a ply, likeliest move played {:.2} %",
        log / n as f64,
        100.0 * first as f64 / n as f64
    )
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
