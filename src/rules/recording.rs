//! The four-move rule (每连续漏记4着判犯规一次, articles 7.1 and 7.2; R037, R038, R053).

use crate::{
    board::Side,
    finding::Span,
    record::{Record, Written},
    replay::main_plies,
};

use super::{
    annotation::{Annotations, Event},
    clock::{Answer, Setting, SideClock, left},
    profile::{Recording, Unit},
};

/// Moves omitted in a row on one sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The plies before it.
    pub after_ply: u32,
    /// The plies omitted.
    pub plies: u32,
    /// Where it begins.
    pub span: Span,
}

/// The runs of omitted plies that `record` marks, by dots or empty cells for each ply or by a number (`[%missing 4]`, 漏记四着)
/// behind the last ply that is recorded. The number of a command comes on top of the marks beside it, as it does for the
/// replay; one in words tells of the same plies, and the larger counts.
pub fn runs(record: &Record<'_>, annotations: &Annotations) -> Vec<Run> {
    let missing = |exact: bool| {
        annotations.list.iter().filter_map(move |entry| match entry.event {
            Event::Missing(plies) if entry.exact == exact => {
                Some(Run { after_ply: entry.ply, plies, span: entry.span })
            }
            _ => None,
        })
    };
    let mut marks: Vec<Run> = missing(true).collect();
    for (ply, id) in main_plies(&record.tree) {
        let node = record.tree.node(id);
        if node.written == Written::Omitted {
            marks.push(Run { after_ply: ply - 1, plies: 1, span: node.span });
        }
    }
    marks.sort_by_key(|run| run.after_ply);
    let mut runs: Vec<Run> = Vec::new();
    for mark in marks {
        match runs.last_mut().filter(|run| run.after_ply + run.plies >= mark.after_ply) {
            Some(run) => run.plies = run.plies.saturating_add(mark.plies),
            None => runs.push(mark),
        }
    }
    let mut told = Vec::new();
    for words in missing(false) {
        let at = runs.partition_point(|run| run.after_ply + run.plies < words.after_ply);
        match runs.get_mut(at).filter(|run| run.after_ply <= words.after_ply) {
            Some(run) => run.plies = run.plies.max(words.plies),
            None => told.push(words),
        }
    }
    runs.extend(told);
    runs.sort_by_key(|run| run.after_ply);
    runs
}

/// A run that is long enough for a foul.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OmissionFoul {
    /// The run, in the profile's unit.
    pub run: u32,
    /// How many fouls it makes.
    pub fouls: u32,
    /// Whether 7.2 exempts it.
    pub exempt: Answer,
    /// The first own move of the next period that is recorded although the run is not filled in (7.2).
    pub next_period_ply: Option<u32>,
}

/// The clock of the player who keeps a sheet.
#[derive(Clone, Debug)]
pub struct Keeper<'c> {
    clock: &'c SideClock,
    setting: Setting<'c>,
    /// What is left after each own move, in milliseconds.
    left: Vec<Option<i64>>,
}

impl<'c> Keeper<'c> {
    /// The keeper whose clock this is.
    pub fn new(clock: &'c SideClock, setting: Setting<'c>) -> Keeper<'c> {
        Keeper { clock, setting, left: left(clock, setting) }
    }
}

/// Judges a run on the sheet of `keeper`; `first` moves first. `None` if it is too short.
pub fn judge(
    run: &Run,
    first: Side,
    keeper: Option<&Keeper<'_>>,
    rules: &Recording,
) -> Option<OmissionFoul> {
    let length = match rules.unit {
        Unit::Ply => run.plies,
        Unit::Round => {
            // The run may begin with a move of Black, which is half a round.
            let behind_red = run.after_ply % 2 == u32::from(first == Side::Red);
            run.plies.saturating_sub(u32::from(behind_red)) / 2
        }
    };
    let fouls = length.checked_div(rules.run).unwrap_or(0);
    if fouls == 0 {
        return None;
    }
    let (exempt, next_period_ply) = match keeper {
        _ if rules.exempt_seconds == 0 => (Answer::Fail, None),
        None => (Answer::Unknown, None),
        Some(keeper) => exempt(run, keeper, rules),
    };
    Some(OmissionFoul { run: length, fouls, exempt, next_period_ply })
}

/// Whether the keeper had so little time during the run that recording could wait, and whether it was made up in time.
fn exempt(run: &Run, keeper: &Keeper<'_>, rules: &Recording) -> (Answer, Option<u32>) {
    let Keeper { clock, setting, left } = keeper;
    let bound = i64::from(rules.exempt_seconds) * 1000;
    let end = run.after_ply.saturating_add(run.plies);
    let increment = setting.control.map_or(0, |control| control.increment);
    if increment > 0 && !rules.exempt_increment {
        return (Answer::Fail, None);
    }
    let before = clock.moves.partition_point(|at| at.ply <= run.after_ply);
    let behind = clock.moves.partition_point(|at| at.ply <= end);
    let at_start = before.checked_sub(1).and_then(|last| left[last]);
    let within = left[before..behind].iter().flatten().copied();
    let at_end = left.get(behind).copied().flatten();
    // The last move before the next period begins, and with it more time.
    let period = setting.control.and_then(|control| control.period(before as u32 + 1));
    let last_move = period.and_then(|at| at.last_move).map(|last| last as usize);
    let same_period = last_move.is_none_or(|last| behind < last);
    let moves = (behind - before) as i64 + 1;
    let starts_short = at_start.is_some_and(|left| left < bound);
    let stays_short = same_period && at_end.is_none_or(|left| left < bound + increment * moves);
    // Time only runs down but for what is added, so whoever has so much at the end had it all along.
    let never_short = same_period
        && at_start.is_some_and(|left| left >= bound)
        && at_end.is_some_and(|left| left - increment * moves >= bound);
    let answer = if starts_short
        && within.clone().all(|left| left < bound + increment)
        && (stays_short || !same_period)
    {
        Answer::Pass
    } else if never_short {
        Answer::Fail
    } else {
        Answer::Unknown
    };
    // 7.2: with the next period the run must be filled in before the next move; here it still stands open.
    let next = last_move.filter(|last| clock.moves.len() > *last).map(|last| clock.moves[last].ply);
    match (answer, next.filter(|ply| *ply > end)) {
        (Answer::Pass, Some(ply)) => (Answer::Fail, Some(ply)),
        (answer, _) => (answer, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        finding::Binary,
        format::pgn,
        rules::{
            Profile,
            annotation::{self, Time},
            clock::MoveTime,
            control::Control,
        },
    };

    fn found(moves: &str) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        pgn::read_str(moves, &Binary, &mut |record| {
            let annotations = annotation::read(&record, Side::Red);
            found =
                runs(&record, &annotations).iter().map(|run| (run.after_ply, run.plies)).collect();
        });
        found
    }

    #[test]
    fn marks_and_numbers() {
        assert_eq!(found("1. 炮二平五 …… 2. …… …… 3. 马二进三 …… *"), [(1, 3), (5, 1)]);
        assert_eq!(found("1. 炮二平五 {[%missing 4]} 马8进7 *"), [(1, 4)]);
        // Behind an odd number the plies go on with the other side: 马二进三 is the sixth.
        assert_eq!(found("1. 炮二平五 {[%missing 3]} …… 2. 马二进三 …… *"), [(1, 4), (6, 1)]);
        // A command comes on top of the mark, words tell of the same plies.
        assert_eq!(found("1. 炮二平五 …… {[%missing 4]} 2. 马二进三 *"), [(1, 5)]);
        assert_eq!(found("1. 炮二平五 {漏记四着} …… 2. 马二进三 *"), [(1, 4)]);
        assert_eq!(found("1. 炮二平五 马8进7 *"), []);
    }

    fn rules(unit: Unit) -> Recording {
        Recording { unit, ..Profile::default().recording }
    }

    fn run(after_ply: u32, plies: u32) -> Run {
        Run { after_ply, plies, span: Span::default() }
    }

    // 7.1: each four in a row are one foul.
    #[test]
    fn fouls_of_a_run() {
        let fouls = |plies| {
            judge(&run(10, plies), Side::Red, None, &rules(Unit::Ply)).map(|foul| foul.fouls)
        };
        assert_eq!(
            [3, 4, 7, 8, 11, 12].map(fouls),
            [None, Some(1), Some(1), Some(2), Some(2), Some(3)]
        );
        // In rounds, half a round at either end counts for nothing.
        let rounds = |after, plies| {
            judge(&run(after, plies), Side::Red, None, &rules(Unit::Round)).map(|foul| foul.run)
        };
        assert_eq!(
            [rounds(10, 8), rounds(11, 8), rounds(11, 9), rounds(10, 7)],
            [Some(4), None, Some(4), None]
        );
    }

    /// Red's clock: what is left after each own move, in seconds.
    fn exempt(times: &[Option<i64>], run: Run, control: &str) -> (Answer, Option<u32>) {
        let moves = (0..).zip(times).map(|(index, left)| MoveTime {
            ply: index * 2 + 1,
            left: left.map(Time::seconds),
            ..MoveTime::default()
        });
        let clock = SideClock { moves: moves.collect(), ..SideClock::default() };
        let control = Control::parse(control);
        let setting = Setting {
            control: control.as_ref(),
            whole: true,
            carry_over: true,
            late_limit: None,
            ended_at: None,
            last_ply: 0,
            side: Side::Red,
        };
        let foul =
            judge(&run, Side::Red, Some(&Keeper::new(&clock, setting)), &rules(Unit::Ply)).unwrap();
        (foul.exempt, foul.next_period_ply)
    }

    // 7.2
    #[test]
    fn under_three_minutes() {
        let none = None;
        // Plies 4 to 7 are missing: Red's moves 3 and 4 (plies 5 and 7).
        let gap = run(3, 4);
        let case =
            |times: [i64; 2], end| exempt(&[none, Some(times[0]), none, none, end], gap, "1200").0;
        assert_eq!(case([179, 0], Some(60)), Answer::Pass);
        assert_eq!(case([179, 0], None), Answer::Pass);
        assert_eq!(case([600, 0], Some(180)), Answer::Fail);
        // It fell below somewhere in between, or nobody knows.
        assert_eq!(case([600, 0], Some(100)), Answer::Unknown);
        assert_eq!(case([600, 0], None), Answer::Unknown);
        assert_eq!(exempt(&[none; 5], gap, "1200").0, Answer::Unknown);
        // With time added: from 200 down and up again, it may have been below in between.
        assert_eq!(
            exempt(&[none, Some(200), none, none, Some(200)], gap, "600+30").0,
            Answer::Unknown
        );
        assert_eq!(
            exempt(&[none, Some(600), none, none, Some(500)], gap, "600+30").0,
            Answer::Fail
        );
        assert_eq!(
            exempt(&[none, Some(100), none, none, Some(120)], gap, "600+30").0,
            Answer::Pass
        );
    }

    #[test]
    fn to_be_filled_in_before_the_first_move_of_the_next_period() {
        // Six moves in five minutes, again and again; moves 3 and 4 are missing.
        let times = |count| vec![Some(100); count];
        assert_eq!(exempt(&times(6), run(3, 4), "6/300"), (Answer::Pass, None));
        assert_eq!(exempt(&times(7), run(3, 4), "6/300"), (Answer::Fail, Some(13)));
        // In a game without periods there is no such moment.
        assert_eq!(exempt(&times(40), run(3, 4), "1200"), (Answer::Pass, None));
    }
}
