//! Repetitions in whole records: several in a game, shifting ones, those left in time, and what the recorded result does
//! to the ruling. Games made by hand; and reports of users of other programs (`../shared/reference/peers.md` section 3).

use std::sync::Arc;

use qijian::{
    finding::{Code, Finding, Severity},
    report::GameReport,
    rules::Profile,
    run::{self, Options},
};

/// Black's cannon is chased by every second ply and checked by the others: check and chase in turn (25.2).
const CHECK_CHASE: (&str, &str) = ("5k3/9/6c2/9/9/9/9/6R2/9/3K5 w - - 0 1", "g2f2 f9e9 f2g2 e9f9");
/// One-sided perpetual check.
const CHECK: (&str, &str) = ("4k4/9/9/9/9/9/9/9/5R3/3K5 w - - 0 1", "f1e1 e9f9 e1f1 f9e9");
/// Nothing is attacked.
const IDLE: (&str, &str) = ("3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1", "a1a2 d9d8 a2a1 d8d9");

fn check_under(profile: &str, fen: &str, moves: &str, result: &str) -> GameReport {
    let mut text = format!("[FEN \"{fen}\"]\n\n");
    for (index, mv) in moves.split_whitespace().enumerate() {
        if index % 2 == 0 {
            text += &format!("{}. ", index / 2 + 1);
        }
        text += mv;
        text += " ";
    }
    text += result;
    let profile = Some(Arc::new(Profile::load(profile).unwrap()));
    let options = Options { profile, ..Options::default() };
    let mut reports = Vec::new();
    run::check("game.pgn", text.as_bytes(), true, &options, &mut |report| reports.push(report));
    let report = reports.remove(0);
    assert_eq!(report.plies as usize, moves.split_whitespace().count(), "{:?}", report.findings);
    report
}

fn check(fen: &str, moves: &str, result: &str) -> Vec<Finding> {
    let report = check_under("cxa-classic", fen, moves, result);
    report.findings.into_iter().filter(|f| f.code == Code::REPETITION_RULING).collect()
}

/// Plies of the last period, occurrences and verdict of the only ruling.
fn only(found: &[Finding]) -> (u64, u64, u64, &str) {
    assert_eq!(found.len(), 1, "{found:?}");
    let data = &found[0].data;
    let number = |key: &str| data[key].as_u64().unwrap();
    let verdict = data["verdict"].as_str().unwrap();
    (number("cycle_start_ply"), number("cycle_end_ply"), number("occurrences"), verdict)
}

fn times((_, period): (&str, &str), times: usize) -> String {
    vec![period; times].join(" ")
}

// 24.3: told at the third occurrence; lost one cycle later. 24: two occurrences are no case.
#[test]
fn who_must_change_is_told_at_the_third_occurrence_and_has_lost_at_the_fourth() {
    let rule = |cycles| check(CHECK_CHASE.0, &times(CHECK_CHASE, cycles), "*");
    assert_eq!(rule(1), []);
    assert_eq!(only(&rule(2)), (5, 8, 3, "red_must_change"));
    assert_eq!(only(&rule(3)), (9, 12, 4, "red_loses"));
    assert_eq!(only(&rule(4)), (13, 16, 5, "red_loses"));
}

// 24.1 says 立即: perpetual check is not told first.
#[test]
fn perpetual_check_loses_at_the_third_occurrence() {
    let found = check(CHECK.0, &times(CHECK, 2), "*");
    assert_eq!(only(&found), (5, 8, 3, "red_loses"));
    assert_eq!(found[0].article.as_deref(), Some("24.1"));
}

#[test]
fn the_recorded_result_decides_the_severity() {
    for (game, cycles, result, severity) in [
        (CHECK, 2, "0-1", Severity::Info),
        (CHECK, 2, "1-0", Severity::Error),
        (CHECK, 2, "1/2-1/2", Severity::Error),
        // Nothing is recorded, so nothing contradicts.
        (CHECK, 2, "*", Severity::Info),
        // To be told to change ends no game.
        (CHECK_CHASE, 2, "1-0", Severity::Info),
        (CHECK_CHASE, 3, "1-0", Severity::Error),
        (CHECK_CHASE, 3, "0-1", Severity::Info),
        (IDLE, 2, "1/2-1/2", Severity::Info),
        (IDLE, 2, "1-0", Severity::Error),
    ] {
        let found = check(game.0, &times(game, cycles), result);
        assert_eq!((found.len(), found[0].severity), (1, severity), "{game:?} {cycles} {result}");
    }
}

// 24.3: whoever changes in time has done what he was told, whatever the game ends with; the case is told all the same.
#[test]
fn a_cycle_left_in_time_contradicts_no_result() {
    let moves = format!("{} g2h2 f9f8", times(CHECK_CHASE, 2));
    for result in ["1-0", "0-1", "1/2-1/2", "*"] {
        let found = check(CHECK_CHASE.0, &moves, result);
        assert_eq!(only(&found), (5, 8, 3, "red_must_change"));
        assert_eq!(found[0].severity, Severity::Info, "{result}");
    }
    // Changed after the second occurrence: no case at all.
    let moves = format!("{} g2h2 f9f8", times(CHECK_CHASE, 1));
    assert_eq!(check(CHECK_CHASE.0, &moves, "1-0"), []);
}

// CONTRACT section 5: one for each maximal repetition.
#[test]
fn each_repetition_of_a_game_is_told() {
    // Check and chase; away; an idle one; and as the last the perpetual check.
    let idle = "h2i2 f8e8 i2h2 e8f8";
    let checks = "h2f2 f8e8 f2e2 e8f8 e2f2 f8e8 f2e2 e8f8 e2f2";
    let moves = format!("{} g2h2 f9f8 {idle} {idle} {checks}", times(CHECK_CHASE, 2));
    let found = check(CHECK_CHASE.0, &moves, "*");
    let told: Vec<(u64, &str)> = found
        .iter()
        .map(|f| (f.data["occurrences"].as_u64().unwrap(), f.data["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [(3, "red_must_change"), (3, "draw"), (3, "red_loses")], "{found:?}");
    assert!(found.windows(2).all(|pair| pair[0].ply < pair[1].ply));
}

// The same position a third time by other moves: judged is the last period (RULINGS.md, "The case").
#[test]
fn of_a_shifting_cycle_the_last_period_is_judged() {
    let idle = "g2h2 f9f8 h2g2 f8f9";
    let forbidden_last = format!("{idle} {}", CHECK_CHASE.1);
    assert_eq!(only(&check(CHECK_CHASE.0, &forbidden_last, "*")), (5, 8, 3, "red_must_change"));
    let allowed_last = format!("{} {idle}", CHECK_CHASE.1);
    assert_eq!(only(&check(CHECK_CHASE.0, &allowed_last, "*")), (5, 8, 3, "draw"));
}

// A capture ends what was before it: nothing can come back.
#[test]
fn a_capture_between_makes_no_repetition() {
    let fen = "4k4/9/9/9/9/9/9/9/p4R3/3K5 w - - 0 1";
    // The pawn is taken on the way: two cycles before, two after, never three.
    let moves = format!("{} f1a1 e9f9 a1f1 f9e9 {}", CHECK.1, CHECK.1);
    let report = check_under("cxa-classic", fen, &moves, "*");
    let rulings = report.findings.iter().filter(|f| f.code == Code::REPETITION_RULING);
    assert_eq!(rulings.count(), 0);
}

// R56: perpetual check by one side was given as a draw. R65: the parser stopped at the repetition.
#[test]
fn a_record_goes_on_past_its_repetitions() {
    let moves = format!("{} f1f2", times(CHECK, 6));
    let report = check_under("cxa-classic", CHECK.0, &moves, "*");
    assert_eq!(report.plies, 25);
}

// R62, R67: which edition rules is a parameter, and is told with the ruling.
#[test]
fn the_profile_decides_and_is_named() {
    for (profile, verdict) in [
        ("cxa-classic", "red_must_change"),
        ("league-2012-rapid", "red_must_change"),
        // Check and chase in turn is allowed by the Asian rules.
        ("axf", "draw"),
    ] {
        let report = check_under(profile, CHECK_CHASE.0, &times(CHECK_CHASE, 2), "*");
        let ruling = report.findings.iter().find(|f| f.code == Code::REPETITION_RULING).unwrap();
        assert_eq!(ruling.data["verdict"], verdict, "{profile}");
        assert_eq!(ruling.data["profile"], profile);
    }
}

// R54: two pieces that check in turn were no perpetual check. The pawn is now the screen of one cannon, now of the other.
#[test]
fn two_pieces_that_check_in_turn_check_perpetually() {
    let fen = "4k4/9/9/3P5/9/9/9/9/9/3CCK3 w - - 0 1";
    let found = check(fen, &["d6e6 e9d9 e6d6 d9e9"; 2].join(" "), "*");
    assert_eq!(only(&found), (5, 8, 3, "red_loses"));
    assert_eq!(
        (&found[0].data["red"], found[0].article.as_deref()),
        (&"long_check".into(), Some("24.1"))
    );
}

// R55: the perpetual chase of an unprotected cannon was given as a draw; with a root (有根) it is one.
#[test]
fn whether_the_chased_piece_has_a_root_decides() {
    let ruled = |fen| {
        let found = check(fen, &["h2g2 g3h3 g2h2 h3g3"; 3].join(" "), "*");
        only(&found).3.to_owned()
    };
    assert_eq!(ruled("3k5/9/9/9/9/9/6c2/7R1/9/5K3 w - - 0 1"), "red_loses");
    assert_eq!(ruled("3k5/9/9/9/9/9/r5c2/7R1/9/5K3 w - - 0 1"), "draw");
}

// R57: a program ended games for want of attacking pieces. The rules know no such end.
#[test]
fn a_game_without_attackers_goes_on() {
    let report = check_under(
        "cxa-classic",
        "3k5/4a4/9/9/9/9/9/9/4A4/5K3 w - - 0 1",
        "e1d2 e8f7 d2e1 f7e8",
        "1-0",
    );
    assert_eq!(report.findings, [], "{:?}", report.findings);
}
