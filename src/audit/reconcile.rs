//! From what the search has found to one game: which plies are settled and by whom, which stay open.

use std::collections::HashSet;

use crate::{
    board::{Move, Position, Side},
    record::Written,
};

use super::{
    Cell, CellState, Open, Reconciled, Sheet, Witness,
    decode::{self, Decoded},
    hand::{Hand, Told},
    lattice::{self, Step},
};

/// A ply that a sheet bears witness to is settled if it is as likely as this; the contradiction is reported all the same.
const SURE: f64 = 0.9;
/// A ply that no sheet says is settled if it is as likely as this, where one has another text there: what is written is then
/// evidence of a slip of this very move.
const TOLD: f64 = 0.99;
/// The same where every sheet is blank or lacks it: what is likely alone is never so likely, only what has no rival but with
/// further faults.
const UNTOLD: f64 = 0.9999;
/// A third reading of an open ply, and any further one, is listed only if it is as likely as this: with enough slips on both
/// sheets nearly any move may have been played.
const LISTED: f64 = 1e-4;
/// The longest reading listed of an open ply, in plies.
const LONGEST: usize = 12;

/// One game from the sheets.
pub(super) struct Reconciliation {
    pub(super) reconciled: Reconciled,
    /// The likeliest whole game, ply by ply.
    pub(super) steps: Vec<Step>,
    /// The cells of each sheet.
    pub(super) cells: Vec<Vec<Cell>>,
}

impl Reconciliation {
    /// What is left where the start position is not understood: cells, and no game.
    pub(super) fn unread(hands: &[Hand<'_>]) -> Reconciliation {
        let open = |hand: &Hand<'_>| {
            let cell = |held: &super::hand::Held<'_>| Cell {
                text: held.written.text(),
                ply: None,
                state: CellState::Open,
            };
            hand.cells.iter().map(cell).collect()
        };
        let reconciled = Reconciled {
            start: None,
            moves: Vec::new(),
            witness: Vec::new(),
            end: None,
            open: Vec::new(),
            line: Vec::new(),
        };
        Reconciliation { reconciled, steps: Vec::new(), cells: hands.iter().map(open).collect() }
    }
}

/// Reconciles `hands`, the cells of one sheet or two; of a single sheet `own` are the legal moves that it begins with: what
/// explains a fault behind them may make another thing of them, but that is not settled.
pub(super) fn reconcile(
    sheets: &[Sheet<'_, '_>],
    hands: &[Hand<'_>],
    owners: &[Option<Side>],
    start: &Position,
    own: Option<&[Move]>,
    (effort, candidates): (usize, usize),
) -> Reconciliation {
    let bounds = decode::Bounds {
        states: (effort / 10).clamp(2_000, 400_000),
        weighed: (effort / 200).clamp(50, 10_000),
    };
    let decoded = decode::decode(hands, start, bounds);
    let weighed = lattice::weigh(&decoded, (effort / 500).clamp(50, 3_000));
    let steps = weighed.line;
    let passed = match hands {
        [hand] => passed_over(hand, &steps),
        _ => HashSet::new(),
    };
    let settled = |at: usize| {
        let step = &steps[at];
        if passed.contains(&at) {
            return false;
        }
        if own.and_then(|own| own.get(at)).is_some_and(|own| *own != step.mv) {
            return false;
        }
        let told = &step.told[..hands.len()];
        let says = told.iter().any(|told| matches!(told, Told::Says(_)));
        let differs = told.iter().any(|told| matches!(told, Told::Differs(_)));
        // A text of one sheet alone is not replaced, nor its blanks filled, by what is likely.
        let least = match (says, differs) {
            (true, _) => SURE,
            _ if hands.len() < 2 => f64::INFINITY,
            (false, true) => TOLD,
            (false, false) => UNTOLD,
        };
        step.only && (says || decoded.complete) || step.p >= least
    };
    let count = (0..steps.len()).position(|at| !settled(at)).unwrap_or(steps.len());
    let line: Vec<Move> = steps.iter().map(|step| step.mv).collect();
    let order: Vec<Vec<Option<u32>>> =
        (0..hands.len()).map(|number| order(&steps, number)).collect();
    let mut open = opens(hands, &steps, &order, settled, &weighed.lines, candidates);
    // What the sheet says there is a reading, however unlikely.
    if let Some((own, first)) = own.zip(open.first_mut()) {
        let at = first.ply as usize - 1;
        let known =
            own.get(at).is_none_or(|own| first.readings.iter().any(|it| it.first() == Some(own)));
        if !known {
            first.readings.push(vec![own[at]]);
            first.scores.push(0.0);
        }
    }
    if !decoded.whole {
        open.push(Open {
            ply: line.len() as u32 + 1,
            readings: Vec::new(),
            scores: Vec::new(),
            texts: hands.iter().map(|hand| next_text(hand, &steps, hands)).collect(),
        });
    }
    let mut end = start.clone();
    for mv in &line[..count] {
        end.play(*mv);
    }
    let witness = (0..count).map(|at| witness(&steps[at], at, &order, owners)).collect();
    let cells = (0..sheets.len())
        .map(|number| cells(&hands[number], number, &steps, &settled, &decoded))
        .collect();
    let reconciled = Reconciled {
        start: Some(start.clone()),
        moves: line[..count].to_vec(),
        witness,
        end: Some(end),
        open,
        line,
    };
    Reconciliation { reconciled, steps, cells }
}

/// The plies of a single sheet directly before which cells are passed over that do not repeat others: nobody bears out that
/// they tell nothing.
fn passed_over(hand: &Hand<'_>, steps: &[Step]) -> HashSet<usize> {
    let told: HashSet<u32> = steps.iter().filter_map(|step| cell(step.told[0])).collect();
    let is_passed =
        |cell: &u32| !told.contains(cell) && hand.cells[*cell as usize].written != Written::Omitted;
    let passes = |step: &Step| {
        let next = cell(step.told[0])?;
        let count = (0..next).rev().take_while(is_passed).count() as u32;
        (count > 0 && !hand.repeats(next - count, count)).then_some(())
    };
    (0..steps.len()).filter(|at| passes(&steps[*at]).is_some()).collect()
}

/// Runs of plies that are not settled, with what may have been played there.
fn opens(
    hands: &[Hand<'_>],
    steps: &[Step],
    order: &[Vec<Option<u32>>],
    settled: impl Fn(usize) -> bool,
    lines: &[(Vec<Move>, f64)],
    candidates: usize,
) -> Vec<Open> {
    let mut open = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        if settled(at) {
            at += 1;
            continue;
        }
        let run = (at..steps.len()).take_while(|at| !settled(*at)).count();
        let end = at + run.min(LONGEST);
        let mut readings: Vec<(Vec<Move>, f64)> = Vec::new();
        for (moves, p) in lines {
            let reading = &moves[at.min(moves.len())..end.min(moves.len())];
            match readings.iter_mut().find(|(known, _)| known == reading) {
                Some((_, share)) => *share += p,
                None => readings.push((reading.to_vec(), *p)),
            }
        }
        readings.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let likely = readings.iter().take_while(|(_, p)| *p >= LISTED).count();
        readings.truncate(likely.clamp(2, candidates.max(2)));
        let stands = hands.iter().zip(order).zip(steps[at].told);
        let texts = stands
            .map(|((hand, order), told)| match order[at] {
                Some(cell) => text(hand, Told::Says(cell)),
                None => text(hand, told),
            })
            .collect();
        let (readings, scores) = readings.into_iter().unzip();
        open.push(Open { ply: at as u32 + 1, readings, scores, texts });
        at += run;
    }
    open
}

/// The text of the cell that tells a ply.
pub(super) fn text(hand: &Hand<'_>, told: Told) -> Option<String> {
    match told {
        Told::Says(cell) | Told::Differs(cell) => Some(hand.cells[cell as usize].written.text()),
        Told::Marked(_) | Told::Lacks | Told::Ended => None,
    }
}

/// The cell of a way of telling.
pub(super) const fn cell(told: Told) -> Option<u32> {
    match told {
        Told::Says(cell) | Told::Differs(cell) | Told::Marked(cell) => Some(cell),
        Told::Lacks | Told::Ended => None,
    }
}

/// What a sheet says behind the last ply that could be read.
fn next_text(hand: &Hand<'_>, steps: &[Step], hands: &[Hand<'_>]) -> Option<String> {
    let number = hands.iter().position(|other| std::ptr::eq(other, hand))?;
    let last = steps.iter().filter_map(|step| cell(step.told[number])).max();
    let next = last.map_or(0, |last| last as usize + 1);
    hand.cells.get(next).map(|held| held.written.text())
}

/// For each ply the cell that stands there in the order in which sheet `number` is written: another one than that which tells
/// the ply where moves are out of order.
pub(super) fn order(steps: &[Step], number: usize) -> Vec<Option<u32>> {
    let told = |step: &Step| cell(step.told[number]);
    let mut sorted: Vec<u32> = steps.iter().filter_map(told).collect();
    sorted.sort_unstable();
    let mut sorted = sorted.into_iter();
    steps.iter().map(|step| told(step).and_then(|_| sorted.next())).collect()
}

/// Who bears witness to the ply of `step`, number `at` from 0: whoever says the move there, and not in another place, unless
/// nobody does.
fn witness(step: &Step, at: usize, order: &[Vec<Option<u32>>], owners: &[Option<Side>]) -> Witness {
    let says = |number: usize| number < owners.len() && matches!(step.told[number], Told::Says(_));
    let there = |number: usize| {
        says(number) && order.get(number).is_some_and(|order| order[at] == cell(step.told[number]))
    };
    let of = |number: usize| match owners.get(number) {
        Some(Some(Side::Red)) => Witness::Red,
        Some(Some(Side::Black)) => Witness::Black,
        _ => Witness::Unnamed,
    };
    let both = match (there(0), there(1)) {
        (false, false) => (says(0), says(1)),
        there => there,
    };
    match both {
        (true, true) => Witness::Both,
        (true, false) => of(0),
        (false, true) => of(1),
        (false, false) => Witness::Reconstructed,
    }
}

/// The cells of sheet `number` as they stand to the game.
fn cells(
    hand: &Hand<'_>,
    number: usize,
    steps: &[Step],
    settled: &impl Fn(usize) -> bool,
    decoded: &Decoded,
) -> Vec<Cell> {
    let mut told: Vec<Option<(u32, CellState)>> = vec![None; hand.cells.len()];
    let mut reached = 0;
    for (ply, step) in (1..).zip(steps) {
        let Some(cell) = cell(step.told[number]) else { continue };
        let state = match step.told[number] {
            Told::Marked(_) => CellState::Omitted,
            _ if !settled(ply as usize - 1) => CellState::Open,
            Told::Says(_) => CellState::Agrees,
            _ => CellState::Differs,
        };
        told[cell as usize] = Some((ply, state));
        reached = reached.max(cell as usize + 1);
    }
    if decoded.whole {
        reached = hand.cells.len();
    }
    hand.cells
        .iter()
        .zip(told)
        .enumerate()
        .map(|(index, (held, told))| {
            let text = held.written.text();
            match told {
                Some((ply, state)) => Cell { text, ply: Some(ply), state },
                None if held.written == Written::Omitted => {
                    Cell { text, ply: None, state: CellState::Omitted }
                }
                None if index < reached => Cell { text, ply: None, state: CellState::Surplus },
                None => Cell { text, ply: None, state: CellState::Open },
            }
        })
        .collect()
}
