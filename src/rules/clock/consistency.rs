//! Checks of the data themselves: clocks that gain, times that disagree.

use crate::finding::Words;

use super::{
    super::annotation::SECOND, Answer, Check, CheckKind, MoveTime, Setting, SideClock, seconds,
    show,
};

/// Times are told to the second, cut off or rounded: two readings and what lies between may differ by so much.
const ROUNDING: i64 = 2 * SECOND;

/// The time of all periods that have begun when `moves` moves are made, but for the first.
fn allotted(setting: Setting<'_>, moves: u32) -> i64 {
    let limit = |number| setting.control.and_then(|control| control.limit(number));
    match (limit(1), limit(moves.saturating_add(1))) {
        (Some(first), Some(limit)) => limit - first,
        _ => 0,
    }
}

/// A clock that shows more than before and than the control gives: time runs backwards.
pub(super) fn gain(clock: &SideClock, setting: Setting<'_>) -> Vec<Check> {
    let mut found = Vec::new();
    let shown: Vec<(u32, &MoveTime)> =
        (1..).zip(&clock.moves).filter(|(_, at)| at.left.is_some()).collect();
    let Some(first) = shown.first() else { return found };
    let mut unknown = None;
    let fail = |at: &MoveTime, before: i64, left: i64, most: i64| {
        let words = Words::new(
            format!("余时由 {} 增至 {}，按规定最多为 {}", show(before), show(left), show(most)),
            format!(
                "the clock goes from {} to {}; the control allows {} at most",
                show(before),
                show(left),
                show(most)
            ),
        );
        Check::new(CheckKind::Gain, at.ply, Answer::Fail, "6", words)
            .with("before", seconds(before))
            .with("left", seconds(left))
            .with("most", seconds(most))
    };
    // Before the first move the clock shows what the control gives.
    if let Some(control) = setting.control.filter(|_| setting.whole)
        && let Some(base) = control.limit(1)
    {
        let (number, at) = first;
        let left = at.left.map_or(0, |left| left.ms);
        let most = base
            + control.increment * (i64::from(*number) + 1)
            + allotted(setting, *number)
            + clock.given(0, at.ply).max(0);
        if left > most + ROUNDING {
            if control.sure {
                found.push(fail(at, base, left, most))
            } else {
                unknown = unknown.or(Some(at.ply))
            }
        }
    }
    // Time for the next period may be added when a period is complete or when its time is up.
    let mut shown_before = 0;
    for pair in shown.windows(2) {
        let [(from, before), (upto, at)] = [pair[0], pair[1]];
        let (old, new) = (before.left.map_or(0, |left| left.ms), at.left.map_or(0, |left| left.ms));
        let given = clock.given(before.ply, at.ply).max(0);
        let increment =
            setting.control.map_or(0, |control| control.increment) * i64::from(upto - from);
        let unit = at.left.map_or(SECOND, |left| left.unit).max(SECOND);
        let plain = old + increment + given + unit;
        if new <= plain {
            continue;
        }
        match setting.control {
            None => unknown = unknown.or(Some(at.ply)),
            Some(control) => {
                let due = allotted(setting, upto) - shown_before;
                if new <= plain + due {
                    shown_before += due;
                } else if control.sure && setting.whole {
                    found.push(fail(at, old, new, old + increment + given + due));
                } else {
                    unknown = unknown.or(Some(at.ply));
                }
            }
        }
    }
    if found.is_empty() {
        let (answer, words) = match unknown {
            Some(_) => (
                Answer::Unknown,
                Words::new(
                    "余时有增加，而用时规定不明",
                    "the clock gains, and no control says whether it may",
                ),
            ),
            None => (
                Answer::Pass,
                Words::new("余时没有不当的增加", "the clock never gains more than it may"),
            ),
        };
        found.push(Check::new(CheckKind::Gain, unknown.unwrap_or(0), answer, "6", words));
    }
    found
}

/// What is left after a move is what was left before, less what the move took, and what the control gives.
pub(super) fn agreement(clock: &SideClock, setting: Setting<'_>) -> Vec<Check> {
    let mut found = Vec::new();
    let (mut agreed, mut gaps, mut gains) = (0, 0, Vec::new());
    let mut shown_before = 0;
    for (number, pair) in (2..).zip(clock.moves.windows(2)) {
        let [before, at] = [pair[0], pair[1]];
        let (Some(old), Some(new), Some(taken)) = (before.left, at.left, at.taken) else {
            gaps += 1;
            continue;
        };
        let unit = old.unit.max(new.unit).max(taken.unit);
        let rounding = if unit > SECOND { 2 * unit } else { ROUNDING };
        let gain = new.ms - old.ms + taken.ms - clock.given(before.ply, at.ply);
        gains.push(gain);
        let Some(control) = setting.control.filter(|control| control.sure && setting.whole) else {
            continue;
        };
        let due = allotted(setting, number) - shown_before;
        let fits = |expected: i64| (gain - expected).abs() <= rounding;
        if fits(control.increment) || (due > 0 && fits(control.increment + due)) {
            shown_before += if fits(control.increment) { 0 } else { due };
            agreed += 1;
            continue;
        }
        let expected = old.ms - taken.ms + control.increment + clock.given(before.ply, at.ply);
        let words = Words::new(
            format!(
                "余时 {} 与用时 {} 不符，应为 {}",
                show(new.ms),
                show(taken.ms),
                show(expected)
            ),
            format!(
                "{} left does not agree with {} taken: it should be {}",
                show(new.ms),
                show(taken.ms),
                show(expected)
            ),
        );
        found.push(
            Check::new(CheckKind::Agreement, at.ply, Answer::Fail, "6", words)
                .with("left", seconds(new.ms))
                .with("taken", seconds(taken.ms))
                .with("expected", seconds(expected)),
        );
    }
    if found.is_empty() && !gains.is_empty() {
        // Without a control, the same gain at every move can only be an increment.
        let constant =
            gains.iter().all(|gain| (gain - gains[0]).abs() <= ROUNDING) && gains.len() > 1;
        let pass = gaps == 0 && if agreed == 0 { constant } else { agreed == gains.len() };
        let (answer, words) = if pass {
            (Answer::Pass, Words::new("余时与用时相符", "what is left agrees with what was taken"))
        } else {
            (
                Answer::Unknown,
                Words::new(
                    "数据不全，余时与用时是否相符不能断定",
                    "the data do not tell whether left and taken agree",
                ),
            )
        };
        found.push(Check::new(CheckKind::Agreement, 0, answer, "6", words));
    }
    found
}

/// The used time at the foot of the sheet against the times of the moves (10.1).
pub(super) fn total(clock: &SideClock) -> Vec<Check> {
    let Some(total) = clock.total else { return Vec::new() };
    let late = clock.late.map_or(0, |late| late.ms);
    let taken: Option<Vec<i64>> =
        clock.moves.iter().map(|at| at.taken.map(|time| time.ms)).collect();
    let answer = match taken.filter(|taken| !taken.is_empty()) {
        None => Answer::Unknown,
        Some(taken) => {
            let moves = taken.len() as i64;
            let last = taken.last().copied().unwrap_or(0);
            let sum: i64 = taken.iter().sum();
            // Each move is cut off or rounded to the second.
            let unit = total.unit.max(moves * SECOND);
            let fits = |used: i64| (used - total.ms).abs() <= unit;
            let totals = taken.is_sorted();
            if [sum, sum + late].into_iter().any(fits)
                || (totals && [last, last + late].into_iter().any(fits))
            {
                Answer::Pass
            } else {
                Answer::Fail
            }
        }
    };
    let shown = show(total.ms);
    let (zh, en) = match answer {
        Answer::Pass => ("与各着用时相符", "agrees with the times of the moves"),
        Answer::Fail => ("与各着用时不符", "does not agree with the times of the moves"),
        Answer::Unknown => (
            "各着用时不全，不能核对",
            "cannot be compared: the times of the moves are not complete",
        ),
    };
    let words =
        Words::new(format!("所记总用时 {shown} {zh}"), format!("the used time {shown} {en}"));
    vec![Check::new(CheckKind::Total, 0, answer, "10.1", words).with("total", seconds(total.ms))]
}
