use super::*;
use crate::rules::annotation::{HOUR, MINUTE, SECOND};

const NOTHING: (Option<i64>, Option<i64>) = (None, None);

/// A clock from pairs of what is left and what was taken, in seconds; Red's moves are the odd plies.
fn clock(times: &[(Option<i64>, Option<i64>)]) -> SideClock {
    let moves = (0..).zip(times).map(|(index, (left, taken))| MoveTime {
        ply: index * 2 + 1,
        left: left.map(Time::seconds),
        taken: taken.map(Time::seconds),
        made: None,
    });
    SideClock { moves: moves.collect(), ..SideClock::default() }
}

fn taken(times: &[i64]) -> SideClock {
    clock(&times.iter().map(|time| (None, Some(*time))).collect::<Vec<_>>())
}

fn left(times: &[i64]) -> SideClock {
    clock(&times.iter().map(|time| (Some(*time), None)).collect::<Vec<_>>())
}

fn judged(clock: &SideClock, control: &str) -> Vec<Check> {
    let control = Control::parse(control);
    check(clock, setting(control.as_ref()))
}

fn setting(control: Option<&Control>) -> Setting<'_> {
    Setting {
        control,
        whole: true,
        carry_over: true,
        late_limit: None,
        ended_at: None,
        last_ply: 0,
        side: Side::Red,
    }
}

fn answers(checks: &[Check], kind: CheckKind) -> Vec<(u32, Answer)> {
    let of_kind = checks.iter().filter(|check| check.kind == kind);
    of_kind.map(|check| (check.ply, check.answer)).collect()
}

use Answer::{Fail, Pass, Unknown};

// The worked cases of the reference (tournaments.md 7.2) for 6.1, as sums of times: the last taken makes the total.
#[test]
fn the_periods_of_6_1() {
    let case = |moves: i64, total: i64| {
        let mut times = vec![1; moves as usize];
        times[0] = 2;
        times[moves as usize - 1] = total - moves;
        answers(&judged(&taken(&times), "40/5400:10/900"), CheckKind::Period)
    };
    assert_eq!(case(40, 5399), [(79, Pass)]);
    assert_eq!(case(40, 5401), [(79, Fail)]);
    assert_eq!(case(50, 6240), [(79, Pass), (99, Pass)]);
    assert_eq!(case(41, 6600), [(79, Pass), (81, Fail)]);
    // 55 moves made at 1:30: move 60 is due by 2:00, nothing by 1:45.
    assert_eq!(case(55, 5400), [(79, Pass), (99, Pass), (109, Pass)]);
    // One time is missing: nothing can be said.
    let mut times = vec![(None, Some(60)); 40];
    times[3] = NOTHING;
    assert_eq!(
        answers(&judged(&clock(&times), "40/5400:10/900"), CheckKind::Period),
        [(79, Unknown)]
    );
}

// 6.2 to 6.5.
#[test]
fn the_other_controls() {
    for (control, moves, limit) in [
        ("30/3600:10/600", 30, 3600),
        ("40/600:30/300", 40, 600),
        ("30/300", 30, 300),
        ("1200", 25, 1200),
    ] {
        let case = |total: i64| {
            let mut times = vec![2; moves];
            times[0] = total - 2 * (moves as i64 - 1);
            answers(&judged(&taken(&times), control), CheckKind::Period)[0].1
        };
        assert_eq!([case(limit), case(limit + 1)], [Pass, Fail], "{control}");
    }
    // 6.4: the second thirty moves are due five minutes later.
    let mut times = vec![9; 60];
    times[59] = 600 - 59 * 9;
    assert_eq!(
        answers(&judged(&taken(&times), "30/300"), CheckKind::Period),
        [(59, Pass), (119, Pass)]
    );
}

// R113: an increment may come before the first move or after it, so a time between the two is not decided.
#[test]
fn increments_blur_the_limit_by_one_of_them() {
    let case =
        |second: i64| answers(&judged(&taken(&[3600, second]), "3600+30"), CheckKind::Period)[0].1;
    assert_eq!([case(30), case(45), case(61)], [Pass, Unknown, Fail]);
    // What the clock shows decides.
    assert_eq!(answers(&judged(&left(&[3000, 1]), "3600+30"), CheckKind::Period), [(3, Pass)]);
    assert_eq!(answers(&judged(&left(&[3000, 0]), "3600+30"), CheckKind::Period), [(3, Unknown)]);
    assert_eq!(answers(&judged(&left(&[3000, -4]), "3600+30"), CheckKind::Period), [(3, Fail)]);
    assert_eq!(answers(&judged(&left(&[3000, -4]), ""), CheckKind::Period), [(3, Fail)]);
}

// A column of times that never falls may hold running totals.
#[test]
fn running_totals_are_not_summed_blindly() {
    let totals = [300, 700, 1100, 1190];
    assert_eq!(answers(&judged(&taken(&totals), "1200"), CheckKind::Period), [(7, Unknown)]);
    // By either reading the fifth move is too late.
    let late = [300, 700, 1100, 1190, 1300];
    assert_eq!(answers(&judged(&taken(&late), "1200"), CheckKind::Period), [(9, Fail)]);
    assert_eq!(
        answers(&judged(&taken(&[1300, 1400, 1500]), "1200"), CheckKind::Period),
        [(1, Fail)]
    );
    assert_eq!(answers(&judged(&taken(&[10, 20, 30]), "1200"), CheckKind::Period), [(5, Pass)]);
}

// 22.5
#[test]
fn a_last_move_made_in_time_stands_if_it_ends_the_game() {
    let with = |made: Option<i64>, ended_at| {
        let mut clock = taken(&[1190, 20]);
        clock.moves[1].made = made.map(Time::seconds);
        let control = Control::parse("1200").unwrap();
        let setting = Setting { ended_at, ..setting(Some(&control)) };
        let checks = check(&clock, setting);
        (answers(&checks, CheckKind::Period)[0].1, answers(&checks, CheckKind::Press))
    };
    assert_eq!(with(Some(5), Some(3)), (Pass, vec![(3, Pass)]));
    assert_eq!(with(Some(15), Some(3)), (Fail, vec![(3, Fail)]));
    assert_eq!(with(None, Some(3)), (Unknown, vec![(3, Unknown)]));
    // Any other move too late is too late.
    assert_eq!(with(Some(5), None), (Fail, vec![]));
}

// R125
#[test]
fn a_limit_for_each_move() {
    let case = |times: &SideClock| answers(&judged(times, "每着限时30秒"), CheckKind::PerMove);
    assert_eq!(case(&taken(&[30, 20, 29])), [(0, Pass)]);
    assert_eq!(case(&taken(&[30, 20, 31])), [(5, Fail)]);
    assert_eq!(case(&clock(&[(None, Some(20)), NOTHING])), [(0, Unknown)]);
}

// 21.1, 21.2
#[test]
fn lateness() {
    let case = |late: i64, limit: Option<i64>, first: Option<i64>| {
        let mut clock = clock(&[(first, None)]);
        clock.late = Some(Time::seconds(late));
        let control = Control::parse("3600").unwrap();
        let setting =
            Setting { late_limit: limit.map(|limit| limit * SECOND), ..setting(Some(&control)) };
        let checks = check(&clock, setting);
        (
            answers(&checks, CheckKind::Lateness)[0].1,
            answers(&checks, CheckKind::LatenessDeducted)[0].1,
        )
    };
    assert_eq!(case(600, Some(900), Some(2990)), (Pass, Pass));
    assert_eq!(case(901, Some(900), None), (Fail, Unknown));
    assert_eq!(case(600, None, Some(3590)), (Unknown, Fail));
    // 21.2: what is left after the lateness must do for the same moves.
    let mut clock = taken(&[3100]);
    clock.late = Some(Time::seconds(600));
    assert_eq!(answers(&judged(&clock, "3600"), CheckKind::Period), [(1, Fail)]);
    // 21.1: the clock runs from the turn of who is late; an hour later nothing is left of an hour, moves or none.
    let case = |late: i64, moves: &[(Option<i64>, Option<i64>)]| {
        let mut clock = self::clock(moves);
        clock.late = Some(Time::seconds(late));
        answers(&judged(&clock, "3600"), CheckKind::Period)
    };
    assert_eq!(case(3660, &[NOTHING, NOTHING]), [(1, Fail)]);
    assert_eq!(case(3660, &[]), [(0, Fail)]);
    assert_eq!(case(3540, &[NOTHING, NOTHING]), [(3, Unknown)]);
}

#[test]
fn times_that_are_known_may_be_too_long_already() {
    let case = |times: &[(Option<i64>, Option<i64>)], control: &str| {
        answers(&judged(&clock(times), control), CheckKind::Period)
    };
    assert_eq!(case(&[(None, Some(1800)), NOTHING, (None, Some(1801))], "3600"), [(5, Fail)]);
    assert_eq!(case(&[(None, Some(1800)), NOTHING, (None, Some(1799))], "3600"), [(5, Unknown)]);
}

/// Where only the clock shows it, nothing is said of the time used.
#[test]
fn a_clock_past_zero_tells_no_sum() {
    let checks = judged(&left(&[3590, 20, -1]), "60/3600");
    let period = checks.iter().find(|check| check.kind == CheckKind::Period).unwrap();
    assert_eq!((period.ply, period.answer), (5, Fail));
    assert!(!period.words.en.contains("used"), "{}", period.words.en);
}

/// Each time that is told in minutes may be up to a minute less.
#[test]
fn times_in_minutes_blur_the_sum() {
    let case = |minutes: &[i64]| {
        let mut clock = taken(&minutes.iter().map(|time| time * 60).collect::<Vec<_>>());
        for at in &mut clock.moves {
            at.taken = at.taken.map(|time| Time { unit: MINUTE, ..time });
        }
        answers(&judged(&clock, "3600"), CheckKind::Period)
    };
    assert_eq!(case(&[1, 31, 30]), [(5, Unknown)]);
    assert_eq!(case(&[1, 33, 30]), [(5, Fail)]);
    assert_eq!(case(&[1, 30, 25]), [(5, Pass)]);
}

// 23.3
#[test]
fn minutes_added_after_a_false_claim() {
    let case = |times: &[(Option<i64>, Option<i64>)], control: &str| {
        let mut clock = clock(times);
        clock.penalties.push((2, 5 * MINUTE));
        let checks = judged(&clock, control);
        (answers(&checks, CheckKind::Penalty)[0].1, answers(&checks, CheckKind::PenaltyAdded)[0].1)
    };
    assert_eq!(case(&[(Some(600), None), (Some(290), None)], "3600"), (Pass, Pass));
    assert_eq!(case(&[(Some(600), None), (Some(590), None)], "3600"), (Pass, Fail));
    assert_eq!(case(&[(Some(299), None)], "3600"), (Fail, Unknown));
    assert_eq!(case(&[NOTHING], "3600"), (Unknown, Unknown));
    // Without a clock the sums tell: an hour less 2 s is used, and five minutes more oversteps.
    assert_eq!(case(&[(None, Some(3598))], "3600"), (Fail, Unknown));
    assert_eq!(case(&[(None, Some(3000))], "3600"), (Pass, Unknown));
}

#[test]
fn time_running_backwards() {
    let case =
        |times: &[i64], control: &str| answers(&judged(&left(times), control), CheckKind::Gain);
    assert_eq!(case(&[3590, 3500, 3400], "3600"), [(0, Pass)]);
    assert_eq!(case(&[3590, 3500, 3600], "3600"), [(5, Fail)]);
    assert_eq!(case(&[3700], "3600"), [(1, Fail)]);
    assert_eq!(case(&[3600, 3625, 3650], "3600+30"), [(0, Pass)]);
    assert_eq!(case(&[3600, 3500, 3540], "3600+30"), [(5, Fail)]);
    // Nobody says whether time may be added.
    assert_eq!(case(&[3500, 3520], "?"), [(3, Unknown)]);
    assert_eq!(case(&[3500, 3480], "?"), [(0, Pass)]);
    // The time of the next period, once its moves are made, or later when the first is used up.
    let mut times = vec![60; 41];
    times[39] = 950;
    times[40] = 940;
    assert_eq!(case(&times, "40/5400:10/900"), [(0, Pass)]);
    times[39] = 50;
    assert_eq!(case(&times, "40/5400:10/900"), [(0, Pass)]);
    times[38] = 950;
    assert_eq!(case(&times, "40/5400:10/900")[0], (77, Fail));
}

#[test]
fn left_and_taken_must_agree() {
    let case = |times: &[(i64, i64)], control: &str| {
        let times: Vec<_> = times.iter().map(|(left, taken)| (Some(*left), Some(*taken))).collect();
        answers(&judged(&clock(&times), control), CheckKind::Agreement)
    };
    assert_eq!(case(&[(3590, 10), (3570, 20)], "3600"), [(0, Pass)]);
    assert_eq!(case(&[(3590, 10), (3550, 20)], "3600"), [(3, Fail)]);
    assert_eq!(case(&[(3620, 10), (3630, 20), (3640, 20)], "3600+30"), [(0, Pass)]);
    // Without a control a constant gain is an increment, a changing one is not understood.
    assert_eq!(case(&[(3620, 10), (3630, 20), (3640, 20)], "?"), [(0, Pass)]);
    assert_eq!(case(&[(3620, 10), (3630, 20), (3700, 20)], "?"), [(0, Unknown)]);
}

// 10.1
#[test]
fn the_used_time_at_the_foot_of_the_sheet() {
    let case = |times: &SideClock, total: Time| {
        let clock = SideClock { total: Some(total), ..times.clone() };
        answers(&judged(&clock, "3600"), CheckKind::Total)[0].1
    };
    let minutes = |n: i64| Time { ms: n * MINUTE, unit: MINUTE };
    assert_eq!(case(&taken(&[600, 60, 30]), minutes(11)), Pass);
    assert_eq!(case(&taken(&[600, 60, 30]), minutes(14)), Fail);
    assert_eq!(case(&clock(&[NOTHING]), minutes(14)), Unknown);
}

#[test]
fn nothing_known_gives_no_checks() {
    assert_eq!(judged(&clock(&[NOTHING, NOTHING]), "?"), []);
    assert_eq!(answers(&judged(&clock(&[NOTHING]), "3600"), CheckKind::Period), [(1, Unknown)]);
    assert_eq!(show(HOUR + 29 * MINUTE + 5 * SECOND), "1:29:05");
    assert_eq!((show(5500), show(-5000)), ("0:05.500".to_owned(), "-0:05".to_owned()));
}
