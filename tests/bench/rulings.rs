//! How long rulings take, one by one, and how much of them is not proved.
//!
//! `cargo run --release --example measure_rulings [-- [--nodes N] [--ruling N] [--list] PATH...]`: every repetition of the games under
//! the paths (default `../shared/data`), and cycles generated from their positions, each ruled alone with the default
//! bound, or with that of `--nodes` and `--ruling`. A generated cycle is two moves of each side, there and back, chosen by a fixed
//! sequence of numbers. `--list` prints the position before each ply of a real repetition that is not proved.

#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

use std::{collections::BTreeMap, path::PathBuf, time::Instant};

use qijian::{
    board::{Move, Position},
    report::GameReport,
    rules::{
        Profile,
        cycle::{Cycle, repetitions},
        label::Label,
        repetition::judge,
    },
    run::{self, Options},
    source,
};

/// What rulings came to.
#[derive(Default)]
struct Tally {
    rulings: usize,
    seconds: f64,
    slowest: (f64, String),
    labels: BTreeMap<&'static str, usize>,
    verdicts: BTreeMap<&'static str, usize>,
    list: bool,
}

impl Tally {
    fn rule(
        &mut self,
        name: &str,
        start: &Position,
        moves: &[Move],
        cycle: Cycle,
        profile: &Profile,
    ) {
        let clock = Instant::now();
        let ruling = judge(start, moves, cycle, &profile.repetition);
        let seconds = clock.elapsed().as_secs_f64();
        self.rulings += 1;
        self.seconds += seconds;
        if seconds > self.slowest.0 {
            self.slowest = (seconds, format!("{name}, plies {} to {}", cycle.start + 1, cycle.end));
        }
        for labelled in &ruling.labels {
            *self.labels.entry(labelled.label.as_str()).or_default() += 1;
        }
        if self.list {
            let mut position = start.clone();
            for (ply, mv) in moves[..cycle.end].iter().enumerate() {
                let labelled = ply.checked_sub(cycle.start).map(|at| ruling.labels[at].label);
                if labelled == Some(Label::Unproved) {
                    println!("{} {mv}", position.fen());
                }
                position.play(*mv);
            }
        }
        *self.verdicts.entry(ruling.verdict.as_str()).or_default() += 1;
    }

    fn print(&self, what: &str) {
        let labels: usize = self.labels.values().sum();
        let unproved = self.labels.get("unproved").copied().unwrap_or_default();
        println!("{what}: {} rulings in {:.3} s, {labels} plies", self.rulings, self.seconds);
        println!("  slowest {:.4} s: {}", self.slowest.0, self.slowest.1);
        println!(
            "  unproved labels {unproved} ({:.3} %)",
            100.0 * unproved as f64 / labels.max(1) as f64
        );
        println!("  labels {:?}\n  verdicts {:?}", self.labels, self.verdicts);
    }
}

fn main() {
    let mut profile = Profile::default();
    let mut real = Tally::default();
    let mut paths = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--nodes" => {
                let nodes = arguments.next().and_then(|nodes| nodes.parse().ok());
                profile.repetition.bound.nodes = nodes.unwrap_or(0);
            }
            "--ruling" => {
                let nodes = arguments.next().and_then(|nodes| nodes.parse().ok());
                profile.repetition.bound.ruling = nodes.unwrap_or(0);
            }
            "--list" => real.list = true,
            path => paths.push(PathBuf::from(path)),
        }
    }
    if paths.is_empty() {
        paths.push(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data")));
    }
    let options = Options { moves: true, profile: None, ..Options::default() };
    let mut generated = Tally::default();
    let mut chance = Chance(1);
    for input in source::inputs(&paths).flatten() {
        let Ok(bytes) = input.read() else { continue };
        run::check(&input.name, &bytes, input.named, &options, &mut |report| {
            measure(&report, &profile, &mut real, &mut generated, &mut chance);
        });
    }
    real.print("real repetitions");
    generated.print("generated cycles");
}

fn measure(
    report: &GameReport,
    profile: &Profile,
    real: &mut Tally,
    generated: &mut Tally,
    chance: &mut Chance,
) {
    let (Some(fen), Some(moves)) = (&report.start_fen, &report.moves) else { return };
    let Ok(start) = Position::from_fen(fen) else { return };
    let name = format!("{} game {}", report.source, report.game);
    let mut position = start.clone();
    let (mut keys, mut captures) = (vec![position.key()], Vec::new());
    for mv in moves {
        captures.push(position.piece_at(mv.to).is_some());
        position.play(*mv);
        keys.push(position.key());
    }
    for cycle in repetitions(&keys, &captures, profile.repetition.occurrences) {
        real.rule(&name, &start, &moves[..cycle.end], cycle, profile);
    }
    if moves.len() < 20 {
        return;
    }
    let until = 10 + chance.below(moves.len() - 10);
    let mut position = start;
    for mv in &moves[..until] {
        position.play(*mv);
    }
    if let Some(period) = shuffle(&position, chance) {
        let cycle = Cycle { start: 4, end: 8, occurrences: 3 };
        let moves = [period.clone(), period].concat();
        generated.rule(&format!("{name} after {until}"), &position, &moves, cycle, profile);
    }
}

/// A move of each side that can be taken back by both, and back.
fn shuffle(position: &Position, chance: &mut Chance) -> Option<Vec<Move>> {
    'tries: for _ in 0..20 {
        let mut after = position.clone();
        let mut period = Vec::new();
        for _ in 0..2 {
            let moves = after.legal_moves();
            let Some(mv) = moves.get(chance.below(moves.len())) else { continue 'tries };
            if after.piece_at(mv.to).is_some() {
                continue 'tries;
            }
            after.play(*mv);
            period.push(*mv);
        }
        for forth in [period[0], period[1]] {
            let back = Move { from: forth.to, to: forth.from };
            if !after.is_legal(back) {
                continue 'tries;
            }
            after.play(back);
            period.push(back);
        }
        return Some(period);
    }
    None
}

/// A fixed sequence of numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}
