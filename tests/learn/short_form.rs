//! Strips real games of the bars of their short form and asks for them back.
//!
//! `cargo run --release --example measure_short_form [-- GAMES [EFFORT]]`: games that were kept out of training, each
//! written in bar-less short form with its result, and replayed as a record.

#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

#[path = "games.rs"]
mod games;

use std::time::Instant;

use games::{Game, Games};
use qijian::{
    board::{Move, Position},
    finding::{Binary, Code, Finding, Span},
    notation::{Bars, Dialect, Notation, write_as},
    record::{Marker, NodeId, Record, Written},
    replay::{self, Options},
};

#[derive(Default)]
struct Tally {
    games: usize,
    plies: usize,
    plies_right: usize,
    games_right: usize,
    settled: usize,
    listed: usize,
    silent: usize,
    past_bound: usize,
    short: usize,
    /// For each tenth of probability: plies, and how many of them were right.
    calibration: [(usize, usize); 11],
    slowest: f64,
    seconds: f64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let effort = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(Options::default().effort);
    let games = Games::read().held_out;
    println!(
        "{} games held out, {} measured, effort {effort}",
        games.len(),
        count.min(games.len())
    );
    let mut tally = Tally::default();
    for game in games.iter().take(count) {
        measure(game, effort, &mut tally);
    }
    tally.print();
}

fn measure(Game { moves, outcome }: &Game, effort: usize, tally: &mut Tally) {
    let dialect = Dialect { bars: Bars::Lost, ..Dialect::from(Notation::Short) };
    let mut position = Position::start();
    let texts: Vec<String> = moves
        .iter()
        .map(|mv| {
            let text = write_as(*mv, dialect, &position);
            position.play(*mv);
            text
        })
        .collect();
    let mut record = Record::new(1);
    let mut last = NodeId::ROOT;
    for text in &texts {
        last = record.tree.add(last, Written::Text(text), Span::default());
    }
    record.result =
        Some(Marker { text: outcome.as_str().into(), outcome: *outcome, span: Span::default() });
    let options = Options { effort, notation: Some(Notation::Short), ..Options::default() };
    let begun = Instant::now();
    let game = replay::replay(&record, &Binary, &options);
    let seconds = begun.elapsed().as_secs_f64();
    tally.seconds += seconds;
    tally.slowest = tally.slowest.max(seconds);
    let right = game.moves.iter().zip(moves).filter(|(ours, theirs)| ours == theirs).count();
    let whole = game.moves == *moves;
    tally.games += 1;
    tally.plies += moves.len();
    tally.plies_right += right;
    tally.games_right += usize::from(whole);
    tally.short += usize::from(game.moves.len() < moves.len());
    let finding = game.findings.iter().find(|finding| finding.code == Code::AMBIGUOUS_MOVE);
    match finding {
        None => {
            tally.settled += 1;
            tally.listed += usize::from(whole);
            tally.silent += usize::from(!whole);
        }
        Some(finding) => {
            tally.listed += usize::from(lists(finding, &game.moves, moves));
            tally.past_bound += usize::from(finding.data["complete"] == false);
            for doubt in finding.data["doubtful"].as_array().into_iter().flatten() {
                let ply = doubt["ply"].as_u64().unwrap_or(1) as usize;
                let p = doubt["p"].as_f64().unwrap_or(0.0);
                let bin = if p >= 0.99 { 10 } else { (p * 10.0) as usize };
                tally.calibration[bin].0 += 1;
                tally.calibration[bin].1 +=
                    usize::from(game.moves.get(ply - 1) == moves.get(ply - 1));
            }
        }
    }
}

/// Whether the listed readings hold the original.
fn lists(finding: &Finding, first: &[Move], original: &[Move]) -> bool {
    let parts_at = finding.data["parts_at_ply"].as_u64().unwrap_or(1) as usize - 1;
    if first.get(..parts_at) != original.get(..parts_at) {
        return false;
    }
    let rest: Vec<String> = original[parts_at..].iter().map(ToString::to_string).collect();
    finding.data["readings"].as_array().is_some_and(|readings| {
        readings.iter().any(|reading| reading["moves"] == serde_json::json!(rest))
    })
}

impl Tally {
    fn print(&self) {
        let share = |n: usize, of: usize| {
            format!("{n} of {of} ({:.2} %)", 100.0 * n as f64 / of.max(1) as f64)
        };
        println!(
            "plies whose first reading is the original: {}",
            share(self.plies_right, self.plies)
        );
        println!("whole games first: {}", share(self.games_right, self.games));
        println!("original among the listed readings: {}", share(self.listed, self.games));
        println!("settled without a finding: {}", share(self.settled, self.games));
        println!("wrong without a finding: {}", share(self.silent, self.games));
        println!("main line cut short: {}", share(self.short, self.games));
        println!("past the bound: {}", share(self.past_bound, self.games));
        println!(
            "time a game: mean {:.1} ms, slowest {:.1} ms",
            1e3 * self.seconds / self.games as f64,
            1e3 * self.slowest
        );
        println!("calibration of doubtful plies (probability given, plies, share right):");
        for (bin, (plies, right)) in self.calibration.iter().enumerate() {
            let range = match bin {
                10 => "0.99..1.00".to_owned(),
                9 => "0.90..0.99".to_owned(),
                _ => format!("{:.2}..{:.2}", bin as f64 / 10.0, (bin + 1) as f64 / 10.0),
            };
            println!(
                "  {range}  {plies:7}  {:.2} %",
                100.0 * *right as f64 / (*plies).max(1) as f64
            );
        }
    }
}
