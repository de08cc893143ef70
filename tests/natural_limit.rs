//! The natural limit (4.2.4, 23.3): an independent plain counter on all real games, and hand-made games at the edges.

use qijian::{
    board::{Move, Position, Side},
    finding::{Code, Severity},
    report::GameReport,
    rules::{Profile, limit::counts},
    run::{self, Options},
};
use std::sync::Arc;

use serde_json::json;

use crate::support::{ruled_archive, shared};

/// The plain count: looks back from the ply to the last capture, every time anew.
fn plain(plies: &[(bool, bool)], first: Side, upto: usize) -> ([u32; 2], [u32; 2]) {
    let (mut moved, mut checks) = ([0; 2], [0; 2]);
    for ply in (0..upto).rev() {
        let (captures, check) = plies[ply];
        if captures {
            break;
        }
        let side = if ply % 2 == 0 { first } else { first.other() };
        moved[side as usize] += 1;
        checks[side as usize] += u32::from(check);
    }
    (moved, checks)
}

#[test]
fn a_plain_counter_agrees_at_every_ply_of_all_real_games() {
    if shared("data").is_none() {
        return;
    }
    let rules = Profile::default().natural_limit;
    let (mut games, mut compared, mut reached) = (0, 0, 0);
    for game in ruled_archive() {
        let Some(start) = game["start_fen"].as_str() else { continue };
        let start = Position::from_fen(start).unwrap();
        let list = game["moves"].as_array().unwrap();
        let moves: Vec<Move> =
            list.iter().map(|mv| mv.as_str().unwrap().parse().unwrap()).collect();
        let mut position = start.clone();
        let mut plies = Vec::new();
        for mv in &moves {
            let captures = position.piece_at(mv.to).is_some();
            position.play(*mv);
            plies.push((captures, position.in_check(position.side())));
        }
        let counts = counts(&start, &moves, &rules);
        assert_eq!(counts.len(), moves.len() + 1);
        games += 1;
        let mut first = None;
        let mut window = 0;
        for (ply, count) in counts.iter().enumerate() {
            let (moved, checks) = plain(&plies, start.side(), ply);
            assert_eq!(
                (count.plies, count.checks),
                (moved, checks),
                "{} ply {ply}",
                game["source"]
            );
            if ply > 0 && plies[ply - 1].0 {
                window = ply;
            }
            for claimant in Side::ALL {
                let (own, other) = (claimant as usize, claimant.other() as usize);
                let mut counted = moved;
                counted[own] -= checks[own].saturating_sub(10);
                assert_eq!(count.counted(claimant, &rules), counted);
                let holds = counted[own] >= 60 && counted[other] >= 60;
                assert_eq!(count.is_true(claimant, &rules), holds);
                if holds && first.is_none_or(|(_, at)| at != window) {
                    first = Some((ply, window));
                    reached += 1;
                    // QJ601 stands exactly where the limit is first reached after a capture.
                    let found = game["findings"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .any(|finding| finding["code"] == "QJ601" && finding["ply"] == ply);
                    assert!(found, "{} ply {ply}", game["source"]);
                }
            }
            compared += 1;
        }
        let found = game["findings"].as_array().unwrap().iter();
        let found = found.filter(|finding| finding["code"] == "QJ601").count();
        assert!(first.is_some() == (found > 0), "{}", game["source"]);
    }
    eprintln!(
        "{games} games, {compared} counts of both sides, the limit is reached {reached} times"
    );
}

/// A game in which Red's chariot checks where `checks` says and moves idly elsewhere; Black's general steps to and fro.
fn game(checks: &dyn Fn(usize) -> bool, rounds: usize) -> Vec<String> {
    let (mut chariot, mut general) = (1, 9);
    let mut moves = Vec::new();
    for round in 0..rounds {
        let to = match (checks(round), chariot) {
            (true, _) => general,
            (false, 1) => 2,
            (false, _) => 1,
        };
        moves.push(format!("a{chariot}a{to}"));
        chariot = to;
        let next = if general == 9 { 8 } else { 9 };
        moves.push(format!("d{general}d{next}"));
        general = next;
    }
    moves
}

const START: &str = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1";

/// What `check` says of `moves` with `after` put behind the ply of that number.
fn check(profile: &str, fen: &str, moves: &[String], after: usize, note: &str) -> GameReport {
    let mut text = format!("[FEN \"{fen}\"]\n\n");
    for (index, mv) in moves.iter().enumerate() {
        if index % 2 == 0 {
            text += &format!("{}. ", index / 2 + 1);
        }
        text += mv;
        text += " ";
        if index + 1 == after {
            text += note;
            text += " ";
        }
    }
    text += "*\n";
    let options =
        Options { profile: Some(Arc::new(Profile::load(profile).unwrap())), ..Options::default() };
    let mut reports = Vec::new();
    run::check("game.pgn", text.as_bytes(), true, &options, &mut |report| reports.push(report));
    let report = reports.remove(0);
    assert_eq!(report.plies as usize, moves.len(), "{:?}", report.findings);
    report
}

/// The codes of the natural limit with their plies.
fn limits(report: &GameReport) -> Vec<(u16, u32)> {
    let number = |code: Code| code.to_string()[2..].parse().unwrap();
    report
        .findings
        .iter()
        .map(|finding| (number(finding.code), finding.ply))
        .filter(|(code, _)| (600..700).contains(code))
        .collect()
}

/// The codes of a claim `note` behind `ply` of a game of `rounds` rounds, of which the first `checks` are checks.
fn claimed(profile: &str, rounds: usize, checks: usize, ply: usize, note: &str) -> Vec<(u16, u32)> {
    let moves = game(&|round| round < checks, rounds);
    limits(&check(profile, START, &moves, ply, note))
}

const RED: &str = "{[%claim red natural-limit]}";
const BLACK: &str = "{[%claim black natural-limit]}";

// R64: when a claim is good; R66: half-moves taken for rounds.
#[test]
fn fifty_nine_rounds_are_too_few_and_sixty_enough() {
    assert_eq!(claimed("cxa-classic", 59, 0, 118, RED), [(603, 118)]);
    assert_eq!(claimed("cxa-classic", 59, 0, 118, BLACK), [(603, 118)]);
    // 4.2.4: sixty rounds, so Black's sixtieth ply is needed as well.
    assert_eq!(claimed("cxa-classic", 60, 0, 119, RED), [(603, 119), (601, 120)]);
    assert_eq!(claimed("cxa-classic", 60, 0, 120, RED), [(601, 120), (602, 120)]);
    assert_eq!(claimed("cxa-classic", 60, 0, 120, BLACK), [(601, 120), (602, 120)]);
    // The limit is reached once; a claim later than that is as true.
    assert_eq!(claimed("cxa-classic", 61, 0, 122, BLACK), [(601, 120), (602, 122)]);
    assert_eq!(claimed("cxa-classic", 61, 0, 117, RED), [(603, 117), (601, 120)]);
}

#[test]
fn the_eleventh_check_of_the_claimant_does_not_count() {
    // 23.3: of the claimant's checks at most ten.
    assert_eq!(claimed("cxa-classic", 60, 10, 120, RED), [(601, 120), (602, 120)]);
    assert_eq!(claimed("cxa-classic", 60, 11, 120, RED), [(601, 120), (603, 120)]);
    assert_eq!(claimed("cxa-classic", 61, 11, 122, RED), [(601, 120), (602, 122)]);
    // The other side's claim is not touched by Red's checks.
    assert_eq!(claimed("cxa-classic", 60, 11, 120, BLACK), [(601, 120), (602, 120)]);
    assert_eq!(claimed("cxa-classic", 60, 60, 120, BLACK), [(601, 120), (602, 120)]);
    assert_eq!(claimed("cxa-classic", 60, 60, 120, RED), [(601, 120), (603, 120)]);
}

#[test]
fn rapid_games_of_2012_have_fifty_rounds_and_eight_checks_and_a_false_claim_loses() {
    let rapid = "league-2012-rapid";
    assert_eq!(claimed(rapid, 49, 0, 98, RED), [(603, 98)]);
    assert_eq!(claimed(rapid, 50, 8, 100, RED), [(601, 100), (602, 100)]);
    assert_eq!(claimed(rapid, 50, 9, 100, RED), [(601, 100), (603, 100)]);
    assert_eq!(claimed(rapid, 50, 9, 100, BLACK), [(601, 100), (602, 100)]);
    assert_eq!(claimed("cxa-classic", 50, 0, 100, RED), [(603, 100)]);
    let false_claim = |profile| {
        let report = check(profile, START, &game(&|_| false, 20), 40, RED);
        report
            .findings
            .into_iter()
            .find(|finding| finding.code == Code::NATURAL_LIMIT_CLAIM_FALSE)
            .unwrap()
    };
    let (classic, rapid) = (false_claim("cxa-classic"), false_claim(rapid));
    assert_eq!((classic.severity, rapid.severity), (Severity::Error, Severity::Error));
    assert!(classic.message.zh.contains("犯规一次") && classic.message.zh.contains("5 分钟"));
    assert!(rapid.message.zh.contains("判负"));
    // What follows, for the ledger of fouls and the clock.
    let costs = |claim: &qijian::finding::Finding| {
        let consequence = &claim.data["consequence"];
        ["foul", "minutes", "loses", "draws", "article"].map(|key| consequence[key].clone())
    };
    assert_eq!(json!(costs(&classic)), json!([1, 5, false, false, "23.3"]));
    assert_eq!(json!(costs(&rapid)[..4]), json!([0, 0, true, false]));
    let amateur = false_claim("amateur");
    assert_eq!(json!(costs(&amateur)[..3]), json!([1, 0, false]));
    let report = check("cxa-classic", START, &game(&|_| false, 60), 120, RED);
    let claim = report.findings.iter().find(|f| f.code == Code::NATURAL_LIMIT_CLAIM_TRUE).unwrap();
    assert_eq!(json!(costs(claim)[..4]), json!([0, 0, false, true]));
    assert_eq!(classic.data["counted"], json!({"red": 20, "black": 20}));
    assert_eq!((&classic.data["limit"], &rapid.data["limit"]), (&60.into(), &50.into()));
    assert_eq!((&classic.data["cap"], &rapid.data["cap"]), (&10.into(), &8.into()));
}

#[test]
fn a_capture_on_the_last_ply_starts_the_count_anew() {
    // A black pawn on i2, which Red takes on ply 119, his sixtieth.
    let fen = "3k5/9/9/9/9/9/9/8p/R8/5K3 w - - 0 1";
    let mut moves = game(&|_| false, 60);
    // The chariot stands on rank 2 after an odd number of idle moves.
    let idle = moves.len() - 2;
    assert_eq!(moves[idle], "a2a1");
    moves[idle] = "a2i2".to_owned();
    let report = check("cxa-classic", fen, &moves, 120, RED);
    assert_eq!(limits(&report), [(603, 120)]);
    let claim = report
        .findings
        .iter()
        .find(|finding| finding.ply == 120 && finding.severity == Severity::Error)
        .unwrap();
    assert_eq!(claim.data["last_capture_ply"], 119);
    assert_eq!(claim.data["plies"], json!({"red": 0, "black": 1}));
    assert_eq!(claim.data["lower_bound"], false);
    // Pawn moves do not start it anew (4.2.4 names captures only).
    let mut pawn = game(&|_| false, 60);
    pawn[101] = "i2i1".to_owned();
    pawn[103] = "i1i0".to_owned();
    let report = check("cxa-classic", "3k5/9/9/9/9/9/9/8p/R8/5K3 w - - 0 1", &pawn, 120, RED);
    assert_eq!(limits(&report), [(601, 120), (602, 120)]);
}

#[test]
fn words_of_scoresheets_and_the_side_to_move() {
    for (ply, note, claimant) in [
        (40, "{提自然限着}", "red"),
        (39, "{提出自然限着}", "black"),
        (40, "{黑方提自然限着}", "black"),
        (39, "{[%claim natural-limit]}", "black"),
        (39, "{[%claim red natural-limit] 裁判审核}", "red"),
    ] {
        let report = check("cxa-classic", START, &game(&|_| false, 25), ply, note);
        let claim =
            report.findings.iter().find(|f| f.code == Code::NATURAL_LIMIT_CLAIM_FALSE).unwrap();
        assert_eq!(claim.data["claimant"], claimant, "{note}");
        assert_eq!(claim.ply as usize, ply);
    }
    let none = check("cxa-classic", START, &game(&|_| false, 25), 40, "{双方未提自然限着}");
    assert_eq!(limits(&none), []);
}

/// The account of a claim at the end of a record whose move text is `text`.
fn lower_bound(text: &str) -> bool {
    let mut found = None;
    run::check("game.pgn", text.as_bytes(), true, &Options::default(), &mut |report| {
        let claim = report.findings.iter().find(|f| f.code == Code::NATURAL_LIMIT_CLAIM_FALSE);
        found = Some(
            claim.unwrap_or_else(|| panic!("{:?}", report.findings)).data["lower_bound"] == true,
        );
    });
    found.unwrap()
}

#[test]
fn a_gap_or_an_unknown_past_makes_the_count_a_lower_bound() {
    // The start of a game, and a FEN that says that the last move was a capture: all is known.
    assert!(!lower_bound("1. 炮二平五 马8进7 {[%claim red natural-limit]} *"));
    let board = "3k5/9/9/9/9/9/9/9/R8/5K3 w";
    assert!(!lower_bound(&format!("[FEN \"{board} - - 0 1\"]\n\n1. a1a2 d9d8 {RED} *")));
    // A FEN without counters, or with plies before it of which nothing else is known.
    assert!(lower_bound(&format!("[FEN \"{board}\"]\n\n1. a1a2 d9d8 {RED} *")));
    assert!(lower_bound(&format!("[FEN \"{board} - - 20 11\"]\n\n1. a1a2 d9d8 {RED} *")));
    // A capture in the record makes an end of the unknown past.
    let pawn = "3k5/9/9/9/9/9/9/9/R7p/5K3 w";
    assert!(!lower_bound(&format!("[FEN \"{pawn}\"]\n\n1. a1i1 d9d8 {RED} *")));
    // A claim behind a gap.
    assert!(lower_bound(&format!("1. 炮二平五 马8进7 2. …… …… 3. 车一平二 {RED} *")));
}
