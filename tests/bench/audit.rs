//! Damages real games and asks for them back: what the search for omissions and slips finds, and what two damaged sheets
//! come to.
//!
//! `cargo run --release --example measure_audit -- SUBJECT [GAMES [EFFORT [PLIES]]]`, where SUBJECT is `marked`,
//! `unmarked`, `slips` or `sheets`; PLIES, 1 to 4, takes omissions of that length alone. Games that were kept out of
//! training, the same faults on every run.

#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

#[path = "damage.rs"]
mod damage;
#[path = "../learn/games.rs"]
#[allow(dead_code, reason = "other programs use more of it")]
mod games;
#[path = "sheets.rs"]
mod sheets;

use std::time::Instant;

use damage::{Dice, texts};
use games::{Game, Games};
use qijian::{
    board::Move,
    finding::{Binary, Code, Finding, Span},
    notation::Notation,
    record::{NodeId, Record, Written},
    replay::{self, Options},
};
use serde_json::Value;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let subject = arguments.next().unwrap_or_default();
    let count: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(500);
    let effort = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(qijian::audit::EFFORT);
    let plies: Option<usize> = arguments.next().and_then(|n| n.parse().ok());
    let plies = plies.map_or(1..=4, |plies| plies..=plies);
    let games = Games::read().held_out;
    // Spread over the archive, whose neighbours are alike.
    let step = (games.len() / count.max(1)).max(1);
    let chosen: Vec<&Game> = games.iter().step_by(step).take(count).collect();
    println!("{} games, effort {effort}", chosen.len());
    let options = Options { effort, ..Options::default() };
    match subject.as_str() {
        "marked" => plies.for_each(|plies| omissions(&chosen, plies, true, &options)),
        "unmarked" => plies.for_each(|plies| omissions(&chosen, plies, false, &options)),
        "slips" => slips(&chosen, &options),
        "sheets" => sheets::measure(&games, count, effort),
        _ => println!("marked, unmarked, slips or sheets"),
    }
}

/// The record of these texts; `None` is a cell without a move.
fn record<'t>(texts: &'t [Option<String>]) -> Record<'t> {
    let mut record = Record::new(1);
    let mut last = NodeId::ROOT;
    for text in texts {
        let written = text.as_deref().map_or(Written::Omitted, Written::Text);
        last = record.tree.add(last, written, Span::default());
    }
    record
}

/// How often, how fast.
#[derive(Default)]
struct Clock {
    seconds: f64,
    slowest: f64,
    count: usize,
}

impl Clock {
    fn time<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let value = run();
        let seconds = begun.elapsed().as_secs_f64();
        self.seconds += seconds;
        self.slowest = self.slowest.max(seconds);
        self.count += 1;
        value
    }

    fn print(&self) {
        println!(
            "  time: mean {:.1} ms, slowest {:.0} ms",
            1e3 * self.seconds / self.count.max(1) as f64,
            1e3 * self.slowest
        );
    }
}

fn share(n: usize, of: usize) -> String {
    format!("{n} of {of} ({:.1} %)", 100.0 * n as f64 / of.max(1) as f64)
}

/// Leaves out `plies` plies of each game.
fn omissions(games: &[&Game], plies: usize, marked: bool, options: &Options) {
    let mut dice = Dice::new(1000 + plies as u64);
    let mut clock = Clock::default();
    let (mut all, mut legal, mut count, mut side, mut near, mut exact) = (0, 0, 0, 0, 0, 0);
    let (mut first, mut ten, mut listed, mut whole, mut listed_whole) = (0, 0, 0, 0, 0);
    let mut silent = 0;
    for game in games {
        let moves = &game.moves;
        if moves.len() < plies + 8 {
            continue;
        }
        let at = dice.below(moves.len() - plies - 4);
        let mut cells: Vec<Option<String>> = texts(moves).into_iter().map(Some).collect();
        if marked {
            cells[at..at + plies].fill(None);
        } else {
            cells.drain(at..at + plies);
        }
        let record = record(&cells);
        let options = Options { notation: Some(Notation::Chinese), ..options.clone() };
        let game = clock.time(|| replay::replay(&record, &Binary, &options));
        if game.moves.len() == cells.len() {
            legal += 1;
            continue;
        }
        all += 1;
        let Some(finding) = game.findings.iter().find(|one| one.code == Code::OMITTED_MOVES) else {
            silent += 1;
            continue;
        };
        let number = |key: &str| finding.data[key].as_u64().unwrap_or(999) as usize;
        let right = number("missing") == plies;
        count += usize::from(right);
        let sides: Vec<&str> =
            (at..at + plies).map(|ply| if ply % 2 == 0 { "red" } else { "black" }).collect();
        side += usize::from(finding.data["sides"] == serde_json::json!(sides));
        let after = number("after_ply");
        exact += usize::from(right && after == at);
        near += usize::from(right && after.abs_diff(at) <= 2);
        let complete = finding.data["complete"] == true;
        whole += usize::from(complete);
        let rank = (right && after == at).then(|| rank(finding, &moves[at..at + plies])).flatten();
        first += usize::from(rank == Some(0));
        ten += usize::from(rank.is_some_and(|rank| rank < 10));
        listed += usize::from(rank.is_some());
        listed_whole += usize::from(complete && rank.is_some());
        if std::env::var_os("SHOW").is_some() && !(right && after.abs_diff(at) <= 2) {
            println!(
                "  at {at}, stop {:?}, found {} after {after}: {}",
                game.rest.as_ref().map(|rest| rest.from_ply),
                number("missing"),
                finding.data.get("locations").unwrap_or(&Value::Null)
            );
        }
    }
    println!("{} plies left out, {}:", plies, if marked { "marked" } else { "not marked" });
    if !marked {
        println!("  all the rest legal as written: {}", share(legal, legal + all));
        println!("  no omission reported: {}", share(silent, all));
    }
    println!("  count right: {}", share(count, all));
    println!("  sides right: {}", share(side, all));
    println!("  place and count exact: {}", share(exact, all));
    println!("  count right, place within two plies: {}", share(near, all));
    println!("  true filling first: {}", share(first, all));
    println!("  among the first ten: {}", share(ten, all));
    println!("  among the {} listed: {}", options.candidates, share(listed, all));
    println!(
        "  search complete: {}, listed there: {}",
        share(whole, all),
        share(listed_whole, whole)
    );
    clock.print();
}

/// The place of `moves` among the candidates.
fn rank(finding: &Finding, moves: &[Move]) -> Option<usize> {
    let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
    let moves = serde_json::json!(moves);
    finding.data["candidates"].as_array()?.iter().position(|one| one["moves"] == moves)
}

/// Makes one slip in each game.
fn slips(games: &[&Game], options: &Options) {
    let mut dice = Dice::new(7);
    let mut clock = Clock::default();
    let (mut legal, mut impossible, mut first, mut third, mut listed, mut omission) =
        (0, 0, 0, 0, 0, 0);
    let (mut here, mut here_third) = (0, 0);
    for game in games {
        let moves = &game.moves;
        let good = texts(moves);
        let at = dice.below(moves.len());
        let Some(bad) = damage::slip(&good[at], &mut dice) else { continue };
        let mut cells: Vec<Option<String>> = good.iter().cloned().map(Some).collect();
        cells[at] = Some(bad.clone());
        let record = record(&cells);
        let options = Options { notation: Some(Notation::Chinese), ..options.clone() };
        let played = clock.time(|| replay::replay(&record, &Binary, &options));
        if played.moves.len() == cells.len() {
            legal += 1;
            continue;
        }
        impossible += 1;
        let stop = played.moves.len();
        let finding = played
            .findings
            .iter()
            .find(|one| matches!(one.code, Code::ILLEGAL_MOVE | Code::UNKNOWN_MOVE_TEXT));
        let corrections = finding.and_then(|one| one.data.get("corrections")?.as_array());
        let is_true = |one: &Value| {
            one["fault"] == "slip" && one["ply"] == at + 1 && one["move"] == moves[at].to_string()
        };
        let rank = corrections.and_then(|list| list.iter().position(is_true));
        first += usize::from(rank == Some(0));
        third += usize::from(rank.is_some_and(|rank| rank < 3));
        listed += usize::from(rank.is_some());
        here += usize::from(stop == at);
        here_third += usize::from(stop == at && rank.is_some_and(|rank| rank < 3));
        omission += usize::from(played.findings.iter().any(|one| one.code == Code::OMITTED_MOVES));
        if std::env::var_os("SHOW").is_some() && rank.is_none_or(|rank| rank > 2) {
            println!(
                "  ply {} {} for {}, stop {}, rank {rank:?}: {}",
                at + 1,
                bad,
                good[at],
                stop + 1,
                Value::from(corrections.map(|list| list[..list.len().min(3)].to_vec()))
            );
        }
    }
    println!("one slip:");
    println!("  all legal as written: {}", share(legal, legal + impossible));
    println!("  true move first: {}", share(first, impossible));
    println!("  among the first three: {}", share(third, impossible));
    println!("  listed: {}", share(listed, impossible));
    println!(
        "  impossible at once: {}, first three: {}",
        share(here, impossible),
        share(here_third, here)
    );
    println!("  omission reported: {}", share(omission, impossible));
    clock.print();
}
