//! Two damaged sheets of one game.

use std::time::Instant;

use qijian::{
    audit::{self, Audited, Options, Sheet},
    board::{Move, Position},
    finding::{Binary, Code},
    notation::Notation,
    record::Record,
    replay,
};

use crate::{
    damage::{self, Dice, texts},
    games::Game,
    record, share,
};

/// The faults of one sheet: its cells, and the plies whose text is wrong, from 1.
struct Damaged {
    cells: Vec<Option<String>>,
    slips: Vec<usize>,
    /// The plies, from 0, at which exchanged rounds begin.
    exchanged: Vec<usize>,
    faults: usize,
}

/// Damages at most `percent` cells in a hundred, at random places and none twice: cells left out (every second one marked),
/// slips, rounds exchanged with the next, each kind as often as any as long as there is room (an exchange takes four cells).
fn damage(good: &[String], percent: usize, dice: &mut Dice) -> Damaged {
    let mut cells: Vec<Option<String>> = good.iter().cloned().map(Some).collect();
    let mut touched = vec![false; good.len()];
    let (mut slips, mut exchanged) = (Vec::new(), Vec::new());
    let mut gone = vec![false; good.len()];
    let mut faults = 0;
    let mut room = good.len() * percent / 100;
    // Each throw that finds no place costs a try, so that it ends.
    for _ in 0..20 * good.len() {
        if room == 0 {
            break;
        }
        let at = dice.below(good.len());
        match dice.below(3) {
            0 if !touched[at] => {
                touched[at] = true;
                if dice.below(2) == 0 {
                    cells[at] = None;
                } else {
                    gone[at] = true;
                }
                room -= 1;
            }
            1 if !touched[at] => {
                let Some(bad) = damage::slip(&good[at], dice) else { continue };
                touched[at] = true;
                cells[at] = Some(bad);
                slips.push(at + 1);
                room -= 1;
            }
            2 if room >= 4 => {
                let round = at / 2 * 2;
                if round + 4 > good.len() || touched[round..round + 4].contains(&true) {
                    continue;
                }
                touched[round..round + 4].fill(true);
                cells.swap(round, round + 2);
                cells.swap(round + 1, round + 3);
                exchanged.push(round);
                room -= 4;
            }
            _ => continue,
        }
        faults += 1;
    }
    let kept = cells.into_iter().zip(gone).filter(|(_, gone)| !gone).map(|(text, _)| text);
    Damaged { cells: kept.collect(), slips, exchanged, faults }
}

pub(crate) fn measure(games: &[Game], count: usize, effort: usize) {
    let mut dice = Dice::new(2024);
    let options = Options {
        replay: replay::Options {
            effort,
            notation: Some(Notation::Chinese),
            ..replay::Options::default()
        },
        ..Options::default()
    };
    let show = std::env::var_os("SHOW").is_some();
    // One trial alone, to look into it.
    let only: Option<usize> = std::env::var("TRIAL").ok().and_then(|n| n.parse().ok());
    let (mut equal, mut likeliest, mut listed, mut wrong, mut silent, mut unread) =
        (0, 0, 0, 0, 0, 0);
    // Why a trial is lost: rounds exchanged on one sheet, on both alike, other faults.
    let (mut by_rounds, mut by_both, mut by_others) = (0, 0, 0);
    // Trials in which a sheet has rounds exchanged in an order that the rules allow too, and those of the others that are equal.
    let (mut undecided, mut decided_equal, mut decided_likeliest) = (0, 0, 0);
    let mut wrong_silently = 0;
    let (mut slips, mut faults, mut seconds, mut slowest) = (0, 0, 0.0, 0.0_f64);
    for trial in 0..count {
        let game = &games[dice.below(games.len())];
        let good = texts(&game.moves);
        let red = damage(&good, 1 + dice.below(10), &mut dice);
        let black = damage(&good, 1 + dice.below(10), &mut dice);
        if only.is_some_and(|only| only != trial) {
            continue;
        }
        faults += red.faults + black.faults;
        let records = [record(&red.cells), record(&black.cells)];
        let begun = Instant::now();
        let Audited { audit, .. } = audit::audit(&sheets(&records), &options);
        let time = begun.elapsed().as_secs_f64();
        seconds += time;
        slowest = slowest.max(time);
        let reconciled = &audit.reconciled;
        let whole = reconciled.moves == game.moves && reconciled.open.is_empty();
        equal += usize::from(whole);
        let either = red.exchanged.iter().chain(&black.exchanged);
        let two_orders = either.clone().any(|round| may_be_exchanged(&game.moves, *round));
        undecided += usize::from(two_orders);
        decided_equal += usize::from(whole && !two_orders);
        if !whole {
            let doubtful = |ply: usize| {
                reconciled.line.get(ply) != game.moves.get(ply)
                    || reconciled.open.iter().any(|open| open.ply as usize == ply + 1)
            };
            let first = (0..game.moves.len()).find(|ply| doubtful(*ply)).unwrap_or(0);
            let here = |round: &&usize| (**round..**round + 4).contains(&first);
            match (red.exchanged.iter().find(here), black.exchanged.iter().find(here)) {
                (Some(one), Some(other)) if one == other => by_both += 1,
                (None, None) => by_others += 1,
                _ => by_rounds += 1,
            }
        }
        let likely = reconciled.line == game.moves;
        likeliest += usize::from(likely);
        decided_likeliest += usize::from(likely && !two_orders);
        let holds = holds(&audit, &game.moves);
        listed += usize::from(holds);
        let false_moves = !game.moves.starts_with(&reconciled.moves);
        wrong += usize::from(false_moves);
        if false_moves {
            let pairs = reconciled.moves.iter().zip(&game.moves);
            let first = pairs.take_while(|(one, other)| one == other).count() + 1;
            // At the ply itself: what is taken there is said to be doubtful or reconstructed.
            let told = audit.findings.iter().any(|finding| {
                matches!(finding.code, Code::SHEETS_DISAGREE | Code::RECONSTRUCTED)
                    && finding.ply as usize == first
            });
            wrong_silently += usize::from(!told);
            if !told && show {
                println!("  trial {trial}: wrong at ply {first} without a finding");
            }
        }
        unread += usize::from(reconciled.open.iter().any(|open| open.readings.is_empty()));
        for ply in red.slips.iter().chain(&black.slips) {
            slips += 1;
            let told = audit.findings.iter().any(|finding| {
                matches!(finding.code, Code::SHEETS_DISAGREE | Code::RECONSTRUCTED)
                    && finding.ply as usize == *ply
            });
            silent += usize::from(!told);
            if !told && show {
                let told: Vec<String> = audit
                    .findings
                    .iter()
                    .map(|finding| format!("{}@{}", finding.code, finding.ply))
                    .collect();
                println!("  trial {trial}: slip at {ply} without a finding: {told:?}");
            }
        }
        if only.is_some() {
            println!("  {good:?}\n  red {:?}\n  black {:?}", red.cells, black.cells);
            println!("  line {:?}", texts(&reconciled.line));
        }
        if !whole && show {
            let at = reconciled.moves.iter().zip(&game.moves).position(|(a, b)| a != b);
            println!(
                "  trial {trial}: {} plies, {} settled, wrong at {at:?}, line right {likely}, {}",
                game.moves.len(),
                reconciled.moves.len(),
                reconciled
                    .open
                    .iter()
                    .map(|open| format!(
                        "open {} {:?} {:?}",
                        open.ply,
                        &open.scores[..open.scores.len().min(3)],
                        open.texts
                    ))
                    .collect::<Vec<_>>()
                    .join("; ")
            );
            for sheet in [&red, &black] {
                let near = at.or(Some(reconciled.moves.len())).unwrap_or(0);
                let range = near.saturating_sub(3)..(near + 4).min(sheet.cells.len());
                println!("      {:?}", sheet.cells.get(range));
            }
            println!(
                "      {:?}",
                good.get(
                    at.unwrap_or(reconciled.moves.len()).saturating_sub(3)
                        ..(at.unwrap_or(reconciled.moves.len()) + 4).min(good.len())
                )
            );
        }
    }
    println!("two sheets, {count} trials, {faults} faults:");
    println!("  reconciled equals the original, nothing open: {}", share(equal, count));
    println!("  likeliest line equals the original: {}", share(likeliest, count));
    println!("  trials in which the rules allow both orders of rounds exchanged: {undecided}");
    println!("  equal among the others: {}", share(decided_equal, count - undecided));
    println!("  likeliest line equal among them: {}", share(decided_likeliest, count - undecided));
    println!("  original among the readings: {}", share(listed, count));
    println!("  a settled move is wrong: {}", share(wrong, count));
    println!("  the first of them without a finding at its ply: {wrong_silently}");
    println!(
        "  lost first at rounds exchanged on one sheet: {by_rounds}, on both alike: {by_both}, elsewhere: {by_others}"
    );
    println!("  not read to the end: {}", share(unread, count));
    println!("  slips without a finding at their ply: {}", share(silent, slips));
    println!(
        "  time: mean {:.1} ms, slowest {:.0} ms",
        1e3 * seconds / count.max(1) as f64,
        1e3 * slowest
    );
}

/// Whether the game can be played with the rounds from ply `round` on, counted from 0, exchanged.
fn may_be_exchanged(moves: &[Move], round: usize) -> bool {
    let mut moves = moves.to_vec();
    moves.swap(round, round + 2);
    moves.swap(round + 1, round + 3);
    let mut position = Position::start();
    moves.iter().all(|mv| {
        let legal = position.is_legal(*mv);
        position.play(*mv);
        legal
    })
}

fn sheets<'s, 'a>(records: &'s [Record<'a>; 2]) -> [Sheet<'s, 'a>; 2] {
    let sheet = |source, record| Sheet { source, record, locate: &Binary };
    [sheet("red", &records[0]), sheet("black", &records[1])]
}

/// Whether the original is the line with, at each open place, one of the readings.
fn holds(audit: &audit::Audit, moves: &[Move]) -> bool {
    let reconciled = &audit.reconciled;
    let open = |ply: usize| {
        reconciled.open.iter().any(|open| {
            open.readings.iter().any(|reading| {
                let from = open.ply as usize - 1;
                (from..from + reading.len()).contains(&ply)
                    && moves.get(from..from + reading.len()) == Some(reading.as_slice())
            })
        })
    };
    reconciled.line.len() == moves.len()
        && (0..moves.len()).all(|ply| reconciled.line[ply] == moves[ply] || open(ply))
}
