//! Learns `src/replay/likelihood.bin`, the numbers of `replay::likelihood`, from the real games of `../shared/data`.
//!
//! Games are read by the library, repeated games dropped, and split by a hash of their first 30 plies, so that two
//! copies of a game, or a game and its beginning, are never on both sides: one in four is held out for measuring, the
//! others train. Training maximises the likelihood of the moves played (a softmax over all legal moves) by stochastic
//! gradient steps of decreasing size, in a fixed order: the same data gives the same bytes.
//!
//! `cargo run --release --example learn_likelihood [-- OUT]` prints the figures and writes the table. With `--dev N`
//! it learns from five in six of the first N training games and measures on the sixth, for trying changes out.

#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

#[path = "games.rs"]
mod games;
#[path = "trainer.rs"]
mod trainer;

use std::path::PathBuf;

use games::{Game, Games};
use qijian::{
    board::Position,
    replay::likelihood::{Ending, Past, decision},
};
use trainer::{Choices, Trainer};

const EPOCHS: usize = 6;

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut dev = None;
    if arguments.next_if_eq("--dev").is_some() {
        dev = arguments.next().and_then(|n| n.parse::<usize>().ok());
    }
    let out =
        arguments.next().map_or_else(|| PathBuf::from("src/replay/likelihood.bin"), PathBuf::from);
    let Games { mut training, mut held_out } = Games::read();
    if let Some(count) = dev {
        let part = |dev: bool| {
            let numbered = training.iter().take(count).enumerate();
            numbered.filter(|(n, _)| (n % 6 == 5) == dev).map(|(_, game)| game.clone()).collect()
        };
        (training, held_out) = (part(false), part(true));
    }
    println!("{} games for training, {} held out", training.len(), held_out.len());
    let (training, measuring) = (choices(&training), choices(&held_out));
    println!("{} plies for training, {} held out", training.len(), measuring.len());
    let mut trainer = Trainer::new();
    for epoch in 1..=EPOCHS {
        let train = trainer.learn(&training, epoch);
        let test = trainer.measure(&measuring);
        println!("epoch {epoch}: training {train}, held out {test}");
    }
    let bytes = trainer.parameters.to_bytes();
    std::fs::write(&out, &bytes).expect("the table can be written");
    println!("{}: {} bytes", out.display(), bytes.len());
}

/// What the model sees in all positions of `games`, found on all processors.
fn choices(games: &[Game]) -> Choices {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = games.len().div_ceil(threads).max(1);
    let mut all = Choices::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            games.chunks(share).map(|games| scope.spawn(|| choices_of(games))).collect();
        for worker in workers {
            all.append(worker.join().expect("a worker ends"));
        }
    });
    all
}

fn choices_of(games: &[Game]) -> Choices {
    let mut choices = Choices::default();
    for game in games {
        let mut position = Position::start();
        let ending = Ending { plies: game.moves.len() as u32, outcome: game.outcome };
        let mut past = Past { ending: Some(ending), ..Past::default() };
        for mv in &game.moves {
            choices.push(&decision(&position, past), *mv);
            position.play(*mv);
            past = past.after(*mv);
        }
    }
    choices
}
