//! The arbiter's articles on `samples/arbiter/`: for each a record that passes, one that fails and one that leaves it
//! unknown, run through the real binary. What is expected follows from the articles that the names begin with.

use std::{collections::BTreeSet, fs};

use serde_json::Value;

use crate::support::{lines, qijian, root, stdout};

/// A finding: code, severity and ply.
type Found = (&'static str, &'static str, u32);

/// What `check` must find, by the names without their ending; what is not listed is silent. Codes with the severity
/// and the ply of each.
pub(crate) const CHECK: &[(&str, &[Found])] = &[
    ("10.1-not-signed-fail", &[("QJ706", "warning", 0)]),
    ("10.1-used-time-fail", &[("QJ706", "warning", 0)]),
    ("21.1-late-fail", &[("QJ804", "error", 0)]),
    ("21.2-lateness-deducted-fail", &[("QJ804", "warning", 1)]),
    ("23.1-repeated-offer-unknown", &[("QJ701", "warning", 5), ("QJ811", "warning", 7)]),
    ("21.3-both-late-fail", &[("QJ804", "warning", 0), ("QJ804", "warning", 0)]),
    ("22.2-flag-fail", &[("QJ802", "error", 4)]),
    ("22.5-mate-before-the-press-fail", &[("QJ802", "error", 1)]),
    ("23.1-offer-before-the-move-fail", &[("QJ811", "warning", 2)]),
    ("23.1-repeated-offer-fail", &[("QJ811", "error", 5)]),
    ("23.1-reply-without-offer-fail", &[("QJ812", "warning", 2)]),
    ("23.3-five-minutes-added-fail", &[("QJ603", "error", 40)]),
    ("23.3-five-minutes-not-added-fail", &[("QJ603", "error", 40), ("QJ803", "warning", 41)]),
    ("23.3-five-minutes-overstep-fail", &[("QJ802", "error", 40), ("QJ603", "error", 40)]),
    ("23.3-past-not-known-unknown", &[("QJ603", "error", 40)]),
    ("23.3-true-claim-pass", &[("QJ601", "info", 120), ("QJ602", "info", 120)]),
    ("24-ruling-claimed-fail", &[("QJ814", "warning", 4)]),
    ("24-ruling-claimed-unknown", &[("QJ701", "warning", 5)]),
    (
        "24.1-ruling-claimed-fail",
        &[("QJ501", "error", 9), ("QJ405", "error", 9), ("QJ814", "info", 9)],
    ),
    ("24.1-ruling-claimed-pass", &[("QJ501", "info", 9), ("QJ814", "info", 9)]),
    ("24.2-ruling-claimed-pass", &[("QJ501", "info", 8), ("QJ814", "info", 8)]),
    ("4.1.8-three-fouls-fail", &[("QJ832", "error", 6)]),
    ("4.1.8-three-fouls-pass", &[("QJ832", "info", 6)]),
    ("4.1.8-three-fouls-unknown", &[("QJ603", "error", 40), ("QJ832", "warning", 40)]),
    ("4.1.9-resigned-fail", &[("QJ405", "error", 8)]),
    ("4.1.9-resigned-unknown", &[("QJ801", "warning", 8)]),
    ("4.2.2-agreed-fail", &[("QJ405", "error", 8)]),
    ("5.1-own-piece-fail", &[("QJ821", "error", 3)]),
    ("5.2-other-piece-fail", &[("QJ821", "error", 3)]),
    ("5.3-own-then-other-fail", &[("QJ821", "error", 3)]),
    ("5.4-other-then-own-fail", &[("QJ821", "error", 3)]),
    ("5.5-both-at-once-fail", &[("QJ821", "error", 3)]),
    ("6-clock-and-time-taken-fail", &[("QJ803", "warning", 3)]),
    ("6-clock-runs-backwards-fail", &[("QJ803", "warning", 5)]),
    ("6-each-move-fail", &[("QJ802", "warning", 5)]),
    ("6-increment-fail", &[("QJ802", "warning", 3)]),
    ("6.1-ninety-minutes-fail", &[("QJ802", "warning", 79)]),
    ("6.2-sixty-minutes-fail", &[("QJ802", "warning", 59)]),
    ("6.3-ten-minutes-fail", &[("QJ802", "warning", 79)]),
    ("6.4-five-minutes-fail", &[("QJ802", "warning", 59)]),
    ("6.5-sudden-death-fail", &[("QJ802", "warning", 11)]),
    ("7.1-four-omitted-fail", &[("QJ701", "warning", 5), ("QJ702", "error", 5)]),
    ("7.1-four-omitted-unknown", &[("QJ701", "warning", 5), ("QJ702", "warning", 5)]),
    ("7.1-nobody-s-sheet-unknown", &[("QJ701", "warning", 5), ("QJ702", "info", 5)]),
    ("7.1-three-omitted-pass", &[("QJ701", "warning", 5)]),
    ("7.2-fell-below-in-between-unknown", &[("QJ701", "warning", 5), ("QJ702", "warning", 5)]),
    ("7.2-not-made-up-fail", &[("QJ701", "warning", 5), ("QJ702", "error", 5)]),
    ("7.2-under-three-minutes-pass", &[("QJ701", "warning", 5), ("QJ702", "info", 5)]),
    ("8.5-claim-in-own-time-pass", &[("QJ601", "info", 120), ("QJ602", "info", 120)]),
    ("8.5-claim-in-the-other-s-time-fail", &[("QJ813", "warning", 4), ("QJ814", "warning", 4)]),
    // What may have been out of turn is not said to be; the claim itself is false.
    ("8.5-claim-in-words-unknown", &[("QJ814", "warning", 4)]),
    ("9-unknown-foul-fail", &[("QJ801", "warning", 2)]),
    ("9.1.5-own-piece-that-cannot-move-fail", &[("QJ822", "error", 1)]),
    ("9.1.5-own-piece-that-cannot-move-unknown", &[("QJ701", "warning", 1)]),
    ("9.1.6-piece-that-cannot-be-taken-fail", &[("QJ822", "error", 1)]),
    ("9.1.6-piece-that-cannot-be-taken-unknown", &[("QJ701", "warning", 1)]),
    ("9.2-announced-pass", &[("QJ811", "info", 5)]),
    ("9.2-announced-unknown", &[("QJ801", "warning", 5)]),
    ("9.2-not-announced-fail", &[("QJ811", "error", 5)]),
    (
        "malformed-annotation-fail",
        &[("QJ801", "warning", 1), ("QJ801", "warning", 2), ("QJ801", "warning", 3)],
    ),
];

/// Names that show something of another profile than the default.
fn of_profile(name: &str) -> Option<&'static str> {
    let profiles = [("rapid", "league-2012-rapid"), ("amateur", "amateur")];
    profiles.into_iter().find(|(word, _)| name.starts_with(word)).map(|(_, profile)| profile)
}

/// The names of all samples, without their ending.
fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("samples/arbiter")).unwrap();
    entries
        .map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.rsplit_once('.').unwrap().0.to_owned()
        })
        .collect()
}

fn path(name: &str) -> String {
    let of = |ending: &str| format!("samples/arbiter/{name}.{ending}");
    if root().join(of("pgn")).exists() { of("pgn") } else { of("txt") }
}

#[test]
fn check_finds_what_the_articles_say() {
    let output = qijian(&["check", "samples/arbiter", "--format", "jsonl", "--effort", "1000"]);
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for game in lines(&output) {
        let source = game["source"].as_str().unwrap();
        let name = source.rsplit_once('/').unwrap().1.rsplit_once('.').unwrap().0;
        seen.insert(name.to_owned());
        if of_profile(name).is_some() {
            continue;
        }
        let expected =
            CHECK.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, found)| found);
        let mut found: Vec<(&str, &str, u32)> = game["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| {
                let text = |key: &str| finding[key].as_str().unwrap();
                (text("code"), text("severity"), finding["ply"].as_u64().unwrap() as u32)
            })
            .collect();
        let mut expected = expected.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        if found != expected {
            wrong.push(format!("{name}: {found:?}, expected {expected:?}"));
        }
        // Whoever breaks an article is named; nothing else is called an error.
        let errors = found.iter().any(|(_, severity, _)| *severity == "error");
        assert!(!errors || !name.ends_with("-pass"), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(seen, names());
    for (name, _) in CHECK {
        assert!(seen.contains(*name), "{name} is not there");
    }
}

fn audit(name: &str, options: &[&str]) -> Value {
    let path = path(name);
    // What fills the gaps is not the subject here.
    let mut arguments = vec!["audit", &path, "--format", "json", "--effort", "1000"];
    arguments.extend(options);
    serde_json::from_slice(&qijian(&arguments).stdout).unwrap_or_else(|_| panic!("{name}"))
}

/// The answers of Red's clock to one check.
fn answers(audit: &Value, check: &str) -> Vec<String> {
    let checks = audit["clock"]["red"].as_array().unwrap().iter();
    let of_kind = checks.filter(|entry| entry["check"] == check);
    of_kind.map(|entry| entry["answer"].as_str().unwrap().to_owned()).collect()
}

// Every check of a clock answers pass, fail or unknown.
#[test]
fn the_three_answers_of_the_clock() {
    for (topic, check) in [
        ("6.1-ninety-minutes", "period"),
        ("6.2-sixty-minutes", "period"),
        ("6.3-ten-minutes", "period"),
        ("6.4-five-minutes", "period"),
        ("6.5-sudden-death", "period"),
        ("6-increment", "period"),
        ("6-each-move", "per_move"),
        ("6-clock-runs-backwards", "gain"),
        ("6-clock-and-time-taken", "agreement"),
        ("21.1-late", "lateness"),
        ("21.2-lateness-deducted", "lateness_deducted"),
        ("22.5-mate-before-the-press", "press"),
        ("10.1-used-time", "total"),
        ("21.3-both-late", "lateness"),
    ] {
        for answer in ["pass", "fail", "unknown"] {
            let name = format!("{topic}-{answer}");
            let name = if name == "10.1-used-time-pass" { "10.1-signed-pass" } else { &name };
            assert_eq!(answers(&audit(name, &[]), check), [answer], "{name}");
        }
    }
    assert_eq!(answers(&audit("22.2-flag-unknown", &[]), "period"), ["unknown"]);
    assert_eq!(answers(&audit("22.2-flag-fail", &[]), "flag"), ["fail"]);
    let penalty = |name| {
        let found = audit(name, &[]);
        (answers(&found, "penalty"), answers(&found, "penalty_added"))
    };
    let list = |answers: &[&str]| answers.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(penalty("23.3-five-minutes-added-fail"), (list(&["pass"]), list(&["pass"])));
    assert_eq!(penalty("23.3-five-minutes-not-added-fail"), (list(&["pass"]), list(&["fail"])));
    assert_eq!(penalty("23.3-five-minutes-overstep-fail"), (list(&["fail"]), list(&["unknown"])));
}

// The result that the articles give, with the deciding ply and article.
#[test]
fn the_verdict_of_each_record() {
    let classic: &[&str] = &[];
    let rapid: &[&str] = &["--rules", "league-2012-rapid"];
    for (name, options, expected) in [
        ("21.1-late-fail", classic, ("0-1", "forfeit", 0, "4.1.5")),
        ("21.3-both-late-fail", classic, ("*", "forfeit", 0, "21.3")),
        ("22.2-flag-fail", classic, ("0-1", "time", 4, "4.1.4")),
        ("22.5-mate-before-the-press-pass", classic, ("1-0", "checkmate", 1, "4.1.1")),
        ("22.5-mate-before-the-press-fail", classic, ("0-1", "time", 1, "4.1.4")),
        ("23.3-five-minutes-overstep-fail", classic, ("0-1", "time", 40, "23.3")),
        ("23.3-true-claim-pass", classic, ("1/2-1/2", "natural_limit", 120, "23.3")),
        ("24.1-ruling-claimed-fail", classic, ("0-1", "repetition", 9, "24.1")),
        ("24.2-ruling-claimed-pass", classic, ("1/2-1/2", "repetition", 8, "24.2")),
        ("4.1.8-three-fouls-fail", classic, ("0-1", "foul", 6, "4.1.8")),
        ("4.1.9-resigned-fail", classic, ("0-1", "resignation", 8, "4.1.9")),
        ("4.2.2-agreed-fail", classic, ("1/2-1/2", "agreement", 8, "4.2.2")),
        ("6.1-ninety-minutes-fail", classic, ("0-1", "time", 79, "4.1.4")),
        // R122, R123: the supplement for rapid games.
        ("rapid-two-fouls-fail", rapid, ("0-1", "foul", 4, "4.1.8")),
        ("rapid-telephone-fail", rapid, ("1-0", "foul", 4, "rapid-4")),
        ("rapid-false-claim-fail", rapid, ("0-1", "natural_limit", 8, "23.3")),
        ("rapid-claim-after-the-game-pass", rapid, ("1/2-1/2", "natural_limit", 100, "23.3")),
        ("amateur-illegal-move-fail", classic, ("1-0", "illegal_move", 2, "4.1.6")),
    ] {
        let verdict = &audit(name, options)["verdict"];
        let (result, reason, ply, article) = expected;
        assert_eq!(verdict["result"], result, "{name}: {verdict}");
        assert_eq!((&verdict["reason"], &verdict["ply"]), (&reason.into(), &ply.into()), "{name}");
        assert_eq!(verdict["article"], article, "{name}");
    }
    assert_eq!(audit("21.3-both-late-fail", &[])["verdict"]["both_lose"], true);
    // Who resigned, whether the offer was accepted, whether the flag fell, when lateness loses: not known.
    for (name, reason) in [
        ("4.1.9-resigned-unknown", "resignation"),
        ("4.2.2-agreed-unknown", "unstated"),
        ("22.2-flag-unknown", "unstated"),
        ("21.3-both-late-unknown", "unstated"),
        ("21.3-both-late-pass", "unstated"),
    ] {
        let verdict = &audit(name, &[])["verdict"];
        assert_eq!(
            (&verdict["result"], &verdict["reason"]),
            (&"*".into(), &reason.into()),
            "{name}"
        );
        assert_eq!(verdict["both_lose"], false, "{name}");
    }
    // The third foul may be none: the recorded result stands, and the other is an alternative.
    let fouls = audit("4.1.8-three-fouls-unknown", &[]);
    assert_eq!(fouls["verdict"]["result"], "1-0");
    assert_eq!(fouls["verdict"]["alternatives"][0]["result"], "0-1");
    assert_eq!(fouls["verdict"]["alternatives"][0]["article"], "4.1.8");
    // When the mating move was made is not known: the flag may have fallen first.
    let unknown = audit("22.5-mate-before-the-press-unknown", &[]);
    assert_eq!(unknown["verdict"]["result"], "1-0");
    assert_eq!(unknown["verdict"]["alternatives"][0]["result"], "0-1");
    // Two fouls are one too few; in the amateur event a move to an impossible point is a foul, not a loss (R129).
    assert_eq!(audit("4.1.8-two-fouls-pass", &[])["verdict"]["result"], "1-0");
    let amateur = audit("amateur-illegal-move-fail", &["--rules", "amateur"]);
    assert_eq!(amateur["verdict"]["result"], "*");
    assert_eq!(amateur["fouls"]["black"][0]["article"], "M5.5");
}

#[test]
fn the_ledger_of_each_record() {
    let entries = |name: &str, side: &str| -> Vec<(u64, String, String)> {
        let audit = audit(name, &[]);
        let fouls = audit["fouls"][side].as_array().unwrap().iter();
        let text = |foul: &Value, key: &str| foul[key].as_str().unwrap().to_owned();
        fouls
            .map(|foul| (foul["ply"].as_u64().unwrap(), text(foul, "code"), text(foul, "article")))
            .collect()
    };
    for (name, expected) in [
        ("7.1-four-omitted-fail", vec![(8, "QJ702", "7.1")]),
        ("7.1-three-omitted-pass", vec![]),
        ("7.2-under-three-minutes-pass", vec![]),
        ("7.2-not-made-up-fail", vec![(8, "QJ702", "7.1")]),
        ("23.1-repeated-offer-fail", vec![(5, "QJ811", "9.1.3")]),
        // Nothing says whose foul was announced: nobody's ledger has it.
        ("9.2-announced-unknown", vec![]),
        ("9.2-not-announced-fail", vec![(5, "QJ811", "9.1.3")]),
        // The announcement is no second foul.
        ("9.2-announced-pass", vec![(5, "QJ811", "9.1.3")]),
        ("23.3-five-minutes-added-fail", vec![(40, "QJ603", "9.1.4")]),
        ("9.1.5-own-piece-that-cannot-move-fail", vec![(1, "QJ822", "9.1.5")]),
        ("9.1.6-piece-that-cannot-be-taken-fail", vec![(1, "QJ822", "9.1.6")]),
        ("4.1.8-two-fouls-pass", vec![(2, "9.1.1", "9.1.1"), (4, "9.1.2", "9.1.2")]),
    ] {
        let expected: Vec<(u64, String, String)> = expected
            .into_iter()
            .map(|(ply, code, article)| (ply, code.to_owned(), article.to_owned()))
            .collect();
        assert_eq!(entries(name, "red"), expected, "{name}");
        assert!(entries(name, "black").is_empty(), "{name}");
    }
}

/// The findings of a PGN text, by `check` with `options`.
fn of_text(text: &str, options: &[&str]) -> Vec<Value> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.pgn");
    fs::write(&path, text).unwrap();
    let mut arguments = vec!["check", path.to_str().unwrap(), "--format", "jsonl"];
    arguments.extend(options);
    lines(&qijian(&arguments))[0]["findings"].as_array().unwrap().clone()
}

// R124, R129, 24.3: values of profiles, and a deadline.
#[test]
fn other_profiles_and_the_deadline_of_24_3() {
    let between = "1. h2e2 {[%foul red between] [%foul red 9.1.1]} h9g7 1-0";
    let found = of_text(between, &["--rules", "league-2012-rapid"]);
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&"QJ832".into(), &"error".into()));
    assert_eq!(of_text(between, &[])[0]["code"], "QJ801");
    // The chariot chases the cannon: Black claims, Red must change, and loses with one more cycle (four plies).
    let chase = "[FEN \"4ka3/4a4/9/c8/9/9/9/9/1R7/3K5 w - - 0 1\"]\n\n1. b1a1 a6b6 2. a1b1 b6a6 3. b1a1 a6b6 4. a1b1 b6a6 5. b1a1";
    let claim =
        of_text(&format!("{chase} {{[%claim black repetition]}} *"), &["--select", "QJ814"]);
    assert_eq!(
        (&claim[0]["data"]["verdict"], &claim[0]["data"]["deadline_ply"]),
        (&"red_must_change".into(), &13.into())
    );
    let again = format!(
        "{chase} {{[%claim black repetition]}} 5... a6b6 6. a1b1 b6a6 7. b1a1 {{[%claim black repetition]}} *"
    );
    let claims = of_text(&again, &["--select", "QJ814"]);
    assert_eq!(claims[1]["data"]["verdict"], "red_loses");
}

/// 5.1 to 5.6 bind who is to move; an empty point is no piece, whatever else was touched.
#[test]
fn touches_that_cannot_be_judged_accuse_nobody() {
    for (text, why) in [
        ("{[%touch black h9]} 1. h2e2 i9i8 *", "out of turn"),
        ("1. h2e2 h9g7 2. h0g2 {[%touch black e3 h9]} i9h9 *", "no piece to touch"),
    ] {
        let found = of_text(text, &[]);
        let touch = |code: &str| found.iter().filter(|one| one["code"] == code).count();
        assert_eq!((touch("QJ801"), touch("QJ821"), touch("QJ822")), (1, 0, 0), "{text}");
        let told = found.iter().find(|one| one["code"] == "QJ801").unwrap();
        assert_eq!(told["data"]["why"], why);
        assert!(!told["message"].as_str().unwrap().contains("e3"), "{told}");
    }
}

#[test]
fn audit_speaks_of_fouls_in_both_languages() {
    let path = path("4.1.8-three-fouls-fail");
    let zh = stdout(&qijian(&["audit", &path, "--lang", "zh"]));
    let en = stdout(&qijian(&["audit", &path, "--lang", "en"]));
    assert!(zh.contains("犯规 3 次") && zh.contains("裁定：黑胜"), "{zh}");
    assert!(en.contains("3 fouls") && en.contains("verdict: 0-1"), "{en}");
}

/// A pair of sheets of one game: each sheet's own gaps count against its keeper alone.
#[test]
fn two_sheets_each_with_its_own_omissions() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let red = write(
        "red.pgn",
        "1. h2e2 {[%clk 0:59:00]} h9g7 2. h0g2 {[%clk 0:58:00]} i9h9 3. i0h0 b9c7 4. b0c2 {[%clk 0:50:00]} g6g5 *",
    );
    let black = write("black.pgn", "1. h2e2 h9g7 2. …… …… 3. …… …… 4. b0c2 g6g5 *");
    let output = qijian(&["audit", &red, &black, "--format", "json", "--effort", "1000"]);
    let audit: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(audit["fouls"]["red"], serde_json::json!([]));
    let foul = &audit["fouls"]["black"][0];
    assert_eq!((&foul["code"], &foul["article"]), (&"QJ702".into(), &"7.1".into()));
    // Black's clock is not known, so 7.2 may excuse it.
    assert_eq!(foul["certain"], false);
}

// Several entries behind one ply, in one comment of two lines: each finding stands at its own entry.
#[test]
fn findings_stand_at_their_own_entries() {
    let text = "[TimeControl \"60\"]\n\n1. h2e2 {[%offer red draw]} h9g7 {[%foul red 9.9.9]\n\
                [%offer red draw] [%claim red natural-limit] [%reply red refuse] [%flag red]} *";
    let entries = [
        ("QJ801", "[%foul red 9.9.9]"),
        ("QJ811", "\n[%offer red draw]"),
        ("QJ603", "[%claim red"),
        ("QJ812", "[%reply red"),
        ("QJ802", "[%flag red]"),
    ];
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.pgn");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let found: Value =
        serde_json::from_slice(&qijian(&["audit", path, "--format", "json"]).stdout).unwrap();
    // What has no entry, as that the five minutes of the claim are more than the whole time, stands at its move.
    let penalty = of_text(text, &[]).into_iter().find(|one| one["data"]["check"] == "penalty");
    assert_eq!(penalty.unwrap()["offset"], text.find("h9g7").unwrap());
    for found in [of_text(text, &[]), found["findings"].as_array().unwrap().clone()] {
        for (code, entry) in entries {
            let at = text.find(entry).unwrap() + usize::from(entry.starts_with('\n'));
            let line = 1 + text[..at].matches('\n').count();
            let stands = |finding: &&Value| {
                finding["code"] == code && finding["offset"] == at && finding["line"] == line
            };
            assert!(found.iter().any(|finding| stands(&finding)), "{code}");
        }
    }
}
