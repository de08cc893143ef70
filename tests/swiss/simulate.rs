//! Plays simulated Swiss events and prints what the pairings came to.
//!
//! ```sh
//! cargo run --release --example simulate_swiss -- 1000            # figures
//! cargo run --release --example simulate_swiss -- 40 rounds.jsonl # and every round, for tests/oracle/swiss_dutch.py
//! ```
//!
//! Half of the events are of players, half of teams (2/1/0 instead of 1/0.5/0, more decided encounters); 8 to 200
//! entries, evenly on a logarithmic scale; 5 to 11 rounds; in each round one entrant in a hundred withdraws and one
//! pairing in two hundred is forfeited.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that measures, and prints what it finds"
)]

use std::{collections::BTreeSet, fs::File, io::Write, time::Instant};

use qijian::event::{
    Lots,
    swiss::{Colours, Contestant, Limits, Round, gaps, pair},
};

const LIMITS: Limits = Limits { difference: 2, run: 2 };

/// What all events came to.
#[derive(Default, Debug)]
struct Figures {
    events: u64,
    rounds: u64,
    pairs: u64,
    rematches: u64,
    second_byes: u64,
    unpaired: u64,
    limits_given_up: u64,
    most_colour_difference: u32,
    longest_colour_run: u32,
    most_floats_one_way: usize,
    longest_floats_in_a_row: usize,
    floats: u64,
    gap: i64,
    slowest_round_ms: u128,
    slowest_round_entries: usize,
}

struct Simulation {
    contestants: Vec<Contestant>,
    strength: Vec<i64>,
    colours: Vec<Vec<bool>>,
    present: Vec<bool>,
    /// Units of a win; a draw is half of it.
    win: i64,
    draws: u64,
}

impl Simulation {
    fn new(entries: usize, teams: bool, lots: &mut Lots) -> Simulation {
        let contestant = |id| Contestant {
            id,
            score: 0,
            colours: Colours::default(),
            met: BTreeSet::new(),
            had_bye: false,
            floats: Vec::new(),
        };
        let mut strength: Vec<i64> = (0..entries).map(|_| lots.below(600) as i64).collect();
        strength.sort_unstable_by_key(|one| std::cmp::Reverse(*one));
        Simulation {
            contestants: (0..entries).map(contestant).collect(),
            strength,
            colours: vec![Vec::new(); entries],
            present: vec![true; entries],
            win: 2,
            draws: if teams { 25 } else { 45 },
        }
    }

    fn result(&self, red: usize, black: usize, lots: &mut Lots) -> (i64, i64) {
        let edge = (self.strength[red] - self.strength[black] + 30).clamp(-500, 500) / 10;
        let draw = (self.draws as i64 - edge.abs() / 2).max(5);
        let red_wins = (100 - draw) / 2 + edge * (100 - draw) / 110;
        match lots.below(100) as i64 {
            lot if lot < draw => (self.win / 2, self.win / 2),
            lot if lot < draw + red_wins => (self.win, 0),
            _ => (0, self.win),
        }
    }

    /// Plays a round as paired.
    fn play(&mut self, round: &Round, figures: &mut Figures, lots: &mut Lots) {
        let before: Vec<i64> = self.contestants.iter().map(|one| one.score).collect();
        for (red, black) in &round.pairs {
            figures.pairs += 1;
            figures.rematches += u64::from(self.contestants[*red].met.contains(black));
            self.contestants[*red].met.insert(*black);
            self.contestants[*black].met.insert(*red);
            let forfeited = lots.below(200) == 0;
            let result = if forfeited { (self.win, 0) } else { self.result(*red, *black, lots) };
            for (own, other, points, colour) in
                [(*red, *black, result.0, true), (*black, *red, result.1, false)]
            {
                let one = &mut self.contestants[own];
                one.score += points;
                if !forfeited {
                    one.colours = one.colours.with(colour);
                    self.colours[own].push(colour);
                }
                one.floats.push((before[own] - before[other]).signum() as i8);
                figures.floats += u64::from(before[own] != before[other]);
                figures.gap += (before[own] - before[other]).max(0);
            }
        }
        if let Some(bye) = round.bye {
            let one = &mut self.contestants[bye];
            figures.second_byes += u64::from(one.had_bye);
            one.had_bye = true;
            one.score += self.win;
            one.floats.push(1);
        }
        for one in &self.contestants {
            figures.most_colour_difference =
                figures.most_colour_difference.max(one.colours.balance.unsigned_abs());
            figures.longest_colour_run = figures.longest_colour_run.max(one.colours.run);
            for way in [1, -1] {
                let count = one.floats.iter().filter(|float| **float == way).count();
                let row =
                    one.floats.split(|float| *float != way).map(<[i8]>::len).max().unwrap_or(0);
                figures.most_floats_one_way = figures.most_floats_one_way.max(count);
                figures.longest_floats_in_a_row = figures.longest_floats_in_a_row.max(row);
            }
        }
        for present in &mut self.present {
            *present &= lots.below(100) > 0;
        }
    }
}

/// How many rounds an event of so many entries has.
fn rounds(entries: usize) -> u32 {
    match entries {
        0..12 => 5,
        12..50 => 7,
        50..120 => 9,
        _ => 11,
    }
}

fn write_round(
    out: &mut File,
    event: u64,
    number: u32,
    total: u32,
    all: &[Contestant],
    colours: &[Vec<bool>],
    round: &Round,
) -> std::io::Result<()> {
    let players: Vec<serde_json::Value> = all
        .iter()
        .enumerate()
        .map(|(rank, one)| {
            serde_json::json!({
                "id": one.id, "rank": rank + 1, "score": one.score, "bye": one.had_bye, "floats": one.floats,
                "met": one.met, "colours": colours[one.id],
            })
        })
        .collect();
    let line = serde_json::json!({
        "event": event, "round": number, "rounds": total, "players": players, "pairs": round.pairs, "bye": round.bye,
        "gaps": gaps(all, &round.pairs),
    });
    writeln!(out, "{line}")
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let events: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1000);
    let mut out = arguments.next().map(File::create).transpose()?;
    let mut figures = Figures::default();
    for event in 0..events {
        let mut lots = Lots::new(event);
        // 8 · 25^x for x in 0..1, in 64 steps.
        let step = lots.below(65) as i32;
        let entries = (8.0 * 25_f64.powf(f64::from(step) / 64.0)).round() as usize;
        let mut simulation = Simulation::new(entries, event % 2 == 1, &mut lots);
        let total = rounds(entries);
        figures.events += 1;
        for number in 1..=total {
            let all: Vec<Contestant> = simulation
                .contestants
                .iter()
                .filter(|one| simulation.present[one.id])
                .cloned()
                .collect();
            let begun = Instant::now();
            let round =
                pair(&all, number == 1, LIMITS, &mut Lots::for_purpose(event, &number.to_string()));
            let took = begun.elapsed().as_millis();
            if took > figures.slowest_round_ms {
                (figures.slowest_round_ms, figures.slowest_round_entries) = (took, all.len());
            }
            figures.rounds += 1;
            figures.unpaired += round.unpaired.len() as u64;
            figures.limits_given_up += u64::from(!round.given_up.is_empty());
            if let Some(out) = &mut out {
                write_round(out, event, number, total, &all, &simulation.colours, &round)?;
            }
            simulation.play(&round, &mut figures, &mut lots);
        }
    }
    println!("{figures:#?}");
    Ok(())
}
