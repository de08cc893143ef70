//! The command: exit status, formats, order of output.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::support::{lines, qijian, qijian_in, root, stdout};

/// For each faulty sample, the codes that it must give, by what was put into it. All others are clean.
const FAULTY: &[(&str, &[&str])] = &[
    ("ambiguous-move.pgn", &["QJ202"]),
    ("archive-limit.zip!zeros.pgn", &["QJ007"]),
    ("archive-member.zip!inner.zip", &["QJ008"]),
    ("audit-gap-black.txt", &["QJ701"]),
    ("bad-field.xqf", &["QJ004"]),
    ("bad-field.xqr", &["QJ004"]),
    ("bad-syntax.pgn", &["QJ006"]),
    ("deleted-record.cbl", &["QJ012"]),
    ("illegal-move.pgn", &["QJ301"]),
    ("illegal-move.xqf", &["QJ301"]),
    ("impossible-position.pgn", &["QJ303"]),
    ("mixed-encodings.pgn", &["QJ103"]),
    ("mixed-notation.pgn", &["QJ205"]),
    ("move-after-end.pgn", &["QJ302"]),
    ("move-number-sheet.txt", &["QJ204"]),
    ("move-number.pgn", &["QJ204"]),
    ("natural-limit-claim-false.pgn", &["QJ603"]),
    ("natural-limit-claim-true.pgn", &["QJ601", "QJ602"]),
    ("natural-limit-reached.pgn", &["QJ601"]),
    ("nonstandard-notation.pgn", &["QJ203"]),
    ("omitted-moves-sheet.txt", &["QJ701"]),
    ("omitted-moves.pgn", &["QJ701"]),
    ("other-game.pgn", &["QJ307"]),
    ("omitted-round.pgn", &["QJ301", "QJ701"]),
    ("omitted-said.pgn", &["QJ701"]),
    ("overlooked-check.pgn", &["QJ301"]),
    ("perpetual-chase.pgn", &["QJ501"]),
    ("perpetual-check-drawn.pgn", &["QJ501"]),
    ("position-counters.pgn", &["QJ306"]),
    ("repetition-draw.pgn", &["QJ501"]),
    ("result-contradicts-board.pgn", &["QJ401"]),
    ("result-half-stated.pgn", &["QJ404"]),
    ("result-tags-disagree.pgn", &["QJ401"]),
    ("result-unstated.pgn", &["QJ402"]),
    ("side-to-move.pgn", &["QJ305"]),
    ("text-beside.pgn", &["QJ015"]),
    ("trailing-data.xqf", &["QJ003"]),
    ("truncated.xqf", &["QJ002"]),
    ("undecodable-text.pgn", &["QJ101"]),
    ("unknown-format.txt", &["QJ001"]),
    ("unknown-move-text.pgn", &["QJ201"]),
    ("unknown-result.pgn", &["QJ403"]),
    ("unreadable-position.pgn", &["QJ304"]),
];

fn codes(game: &Value) -> Vec<&str> {
    game["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect()
}

#[test]
fn faulty_samples_and_only_they_have_findings() {
    let output = qijian(&["check", "samples/", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let mut wrong = Vec::new();
    for game in lines(&output) {
        let source = game["source"].as_str().unwrap();
        let name = source.strip_prefix("samples/").expect("the path as given");
        // Events are for `standings`, see tests/tournaments.rs.
        if name.starts_with("events/") {
            continue;
        }
        // Those of the arbiter have a test of their own.
        if name.starts_with("arbiter/") {
            continue;
        }
        let mut found = codes(&game);
        found.dedup();
        let expected =
            FAULTY.iter().find(|(faulty, _)| *faulty == name).map_or(&[][..], |(_, codes)| codes);
        // The other games of a file with one faulty game are clean.
        let fits = found == expected || (game["game"] != 1 && found.is_empty());
        if !fits {
            wrong.push(format!("{source} game {}: {found:?}, expected {expected:?}", game["game"]));
        }
        assert!(
            name.starts_with("valid") == expected.is_empty(),
            "{name} is not named for what it shows"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_has_a_sample() {
    // QJ005 needs a file that the system refuses to read; QJ010, QJ011 and QJ206 come from `convert`, QJ013, QJ014 and
    // QJ102 from `check --fix`, where valid samples have them (tests/fix.rs), QJ703 to QJ705 from `audit` (tests/audit.rs), QJ020
    // from `check --duplicates` on valid-duplicates.pgn.
    let without = [
        "QJ005", "QJ010", "QJ011", "QJ206", "QJ013", "QJ014", "QJ102", "QJ703", "QJ704", "QJ705",
        "QJ020",
    ];
    for code in qijian::finding::Code::all().map(|code| code.to_string()) {
        // Those of tournaments have their samples in tests/tournaments.rs.
        if code.starts_with("QJ9") {
            continue;
        }
        let shown = FAULTY.iter().any(|(_, codes)| codes.contains(&code.as_str()))
            || crate::arbiter::CHECK
                .iter()
                .any(|(_, found)| found.iter().any(|(known, ..)| *known == code));
        assert!(shown || without.contains(&code.as_str()), "{code} has no sample");
    }
}

#[test]
fn exit_status() {
    let status = |arguments: &[&str]| qijian(arguments).status.code();
    assert_eq!(status(&["check", "samples/valid-big5.pgn"]), Some(0));
    assert_eq!(status(&["check", "samples/illegal-move.pgn"]), Some(1));
    // Warnings are no errors; an unknown format is an error only where the file was named.
    assert_eq!(status(&["check", "samples/nonstandard-notation.pgn"]), Some(0));
    assert_eq!(status(&["check", "samples/unknown-format.txt"]), Some(1));
    assert_eq!(status(&["check", "samples/illegal-move.pgn", "--ignore", "QJ301"]), Some(0));
    assert_eq!(status(&["check", "samples/illegal-move.pgn", "--select", "QJ2,QJ4"]), Some(0));
    // 2 wins over 1, and the other paths still run.
    let output =
        qijian(&["check", "no/such/file.pgn", "samples/illegal-move.pgn", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(lines(&output).len(), 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/file.pgn"));
    assert_eq!(status(&["check"]), Some(2));
    assert_eq!(status(&["check", "samples", "--select", "QJ999"]), Some(2));
    assert_eq!(status(&["check", "samples", "--format", "yaml"]), Some(2));
    assert_eq!(status(&["check", "samples", "-o", "no/such/directory/out"]), Some(2));
}

#[test]
fn version() {
    let text = stdout(&qijian(&["--version"]));
    assert_eq!(text, format!("qijian {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn one_object_a_game_with_the_keys_of_the_contract() {
    let output = qijian(&["check", "samples/illegal-move.pgn", "--format", "jsonl", "--moves"]);
    let games = lines(&output);
    let game = &games[0];
    let keys: Vec<&str> = game.as_object().unwrap().keys().map(String::as_str).collect();
    for key in [
        "source",
        "game",
        "format",
        "encoding",
        "notation",
        "tags",
        "start_fen",
        "plies",
        "moves",
        "rest",
        "variations",
        "comments",
        "final_fen",
        "result",
        "termination",
        "findings",
    ] {
        assert!(keys.contains(&key), "{key} is missing");
    }
    assert_eq!(game["plies"], 2);
    assert_eq!(game["moves"], serde_json::json!(["h2e2", "h9g7"]));
    assert_eq!(game["rest"]["from_ply"], 3);
    assert_eq!(game["rest"]["status"], "unreadable");
    assert_eq!(game["rest"]["texts"].as_array().unwrap().len(), 4);
    let finding = &game["findings"][0];
    // 马二进四: the horse h0 would jump over g0, where the elephant stands; line 7, column 4 of the file.
    assert_eq!(finding["data"]["reason"], "horse_leg");
    assert_eq!((finding["ply"].as_u64(), finding["round"].as_u64()), (Some(3), Some(2)));
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(7), Some(4)));
    let bytes = fs::read(root().join("samples/illegal-move.pgn")).unwrap();
    let text = finding["text"].as_str().unwrap();
    let offset = finding["offset"].as_u64().unwrap() as usize;
    assert_eq!(&bytes[offset..offset + text.len()], text.as_bytes());
}

#[test]
fn what_both_players_overlooked_is_replayed_as_it_stood() {
    let output = qijian(&["check", "samples/overlooked-check.pgn", "--format", "jsonl", "--moves"]);
    let game = &lines(&output)[0];
    // 2. 炮五进四 gives check over the cannon on e7 (炮8平5); 马8进7 does not answer it.
    assert_eq!(game["plies"], 3);
    assert_eq!(game["findings"][0]["data"]["reason"], "in_check");
    assert_eq!(game["rest"]["status"], "replayed_as_stood");
    assert_eq!(game["rest"]["moves"], serde_json::json!(["h9g7", "h0g2", "d9e8"]));
}

#[test]
fn json_is_the_same_games_with_a_summary() {
    let lines = lines(&qijian(&["check", "samples", "--format", "jsonl"]));
    let whole: Value =
        serde_json::from_slice(&qijian(&["check", "samples", "--format", "json"]).stdout).unwrap();
    assert_eq!(whole["games"].as_array().unwrap(), &lines);
    let summary = &whole["summary"];
    for kind in ["games", "nodes", "comments"] {
        let n = |key: &str| summary[kind][key].as_u64().unwrap();
        assert_eq!(n("read"), n("written") + n("refused"), "{kind} do not add up");
    }
    let findings: usize = lines.iter().map(|game| codes(game).len()).sum();
    let counted: u64 =
        summary["findings"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert_eq!(findings as u64, counted);
}

#[test]
fn csv_has_a_row_for_each_finding() {
    let output = qijian(&["check", "samples", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(output.stdout.as_slice());
    let rows = reader.records().map(Result::unwrap).count();
    let findings: usize = lines(&qijian(&["check", "samples", "--format", "jsonl"]))
        .iter()
        .map(|game| codes(game).len())
        .sum();
    assert_eq!(rows, findings);
}

#[test]
fn sarif_has_a_result_for_each_finding() {
    let sarif: Value =
        serde_json::from_slice(&qijian(&["check", "samples", "--format", "sarif"]).stdout).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let findings: usize = lines(&qijian(&["check", "samples", "--format", "jsonl"]))
        .iter()
        .map(|game| codes(game).len())
        .sum();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), findings);
}

#[test]
fn standard_input_is_a_path() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qijian"))
        .args(["check", "-", "--format", "jsonl", "--moves"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all("1. 炮二平五 马8进7 *".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let game: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(game["source"], "-");
    assert_eq!(game["moves"], serde_json::json!(["h2e2", "h9g7"]));
}

#[test]
fn a_pipe_closed_early_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qijian"))
        .args(["check", "samples", "--format", "json"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panic"));
    assert!(matches!(output.status.code(), Some(0 | 1)), "{:?}", output.status);
}

#[test]
fn directories_are_walked_in_bytewise_order_and_hidden_entries_skipped() {
    let directory = tempfile::tempdir().unwrap();
    let game = "1. 炮二平五 *";
    for name in ["b.pgn", "a/z.pgn", "a.pgn", "B.pgn", ".hidden.pgn", "a/.git/x.pgn"] {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, game).unwrap();
    }
    let output = qijian_in(directory.path(), &["check", ".", "--format", "jsonl"]);
    let games = lines(&output);
    let sources: Vec<&str> = games.iter().map(|game| game["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["./B.pgn", "./a/z.pgn", "./a.pgn", "./b.pgn"]);
}

#[test]
fn an_empty_directory_is_clean() {
    let directory = tempfile::tempdir().unwrap();
    let output = qijian_in(directory.path(), &["check", ".", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let whole: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(whole["games"], serde_json::json!([]));
}

#[test]
fn text_speaks_both_languages() {
    let zh = stdout(&qijian(&["check", "samples/illegal-move.pgn", "--lang", "zh"]));
    let en = stdout(&qijian(&["check", "samples/illegal-move.pgn", "--lang", "en"]));
    assert!(zh.contains("蹩马腿") && zh.contains("QJ301"), "{zh}");
    assert!(en.contains("hobbled") && en.contains("QJ301"), "{en}");
}

#[test]
fn explain_knows_every_code() {
    for code in qijian::finding::Code::all().map(|code| code.to_string()) {
        for lang in ["zh", "en"] {
            let output = qijian(&["explain", &code, "--lang", lang]);
            assert_eq!(output.status.code(), Some(0));
            assert!(stdout(&output).contains(&code));
        }
    }
    assert_eq!(qijian(&["explain", "QJ999"]).status.code(), Some(2));
}

#[test]
fn rules_lists_profiles_and_values_with_their_sources() {
    let all = stdout(&qijian(&["rules", "--lang", "en"]));
    for name in [
        "cxa-classic",
        "league-2012-slow",
        "league-2012-rapid",
        "amateur",
        "axf",
        "cxa-2011",
        "cxa-2020",
    ] {
        assert!(all.lines().any(|line| line.starts_with(name)), "{name} is not in\n{all}");
    }
    let rapid = stdout(&qijian(&["rules", "league-2012-rapid", "--lang", "en"]));
    for value in [
        "natural_limit.rounds = 50",
        "natural_limit.checks = 8",
        "natural_limit.false_claim = loss",
    ] {
        assert!(rapid.contains(value), "{value} is not in\n{rapid}");
    }
    let unread = stdout(&qijian(&["rules", "cxa-2011", "--lang", "zh"]));
    assert!(unread.contains("（未找到出处）"), "{unread}");
    assert_eq!(qijian(&["rules", "cxa-1899"]).status.code(), Some(2));
}

#[test]
fn a_profile_of_the_users_own_decides() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("my.toml");
    let head =
        "name = \"my\"\nextends = \"cxa-classic\"\ntitle = { zh = \"我的\", en = \"mine\" }\n";
    fs::write(&path, format!("{head}[natural_limit]\nrounds = 15\n")).unwrap();
    let sample = root().join("samples/natural-limit-claim-false.pgn");
    let check = |rules: &str| {
        let output =
            qijian(&["check", sample.to_str().unwrap(), "--rules", rules, "--format", "jsonl"]);
        (output.status.code(), lines(&output).first().map(|game| codes(game).join(" ")))
    };
    // Twenty rounds: too few for sixty, enough for fifteen.
    assert_eq!(check("cxa-classic"), (Some(1), Some("QJ603".to_owned())));
    assert_eq!(check(path.to_str().unwrap()), (Some(0), Some("QJ601 QJ602".to_owned())));
    fs::write(&path, format!("{head}[natural_limit]\nround = 15\n")).unwrap();
    assert_eq!(check(path.to_str().unwrap()), (Some(2), None));
    assert_eq!(check("no/such.toml").0, Some(2));
}

#[test]
fn rulings_are_tables_and_boards_are_drawn_on_demand() {
    let check = |options: &[&str]| {
        stdout(&qijian(&[&["check", "samples/perpetual-chase.pgn", "--quiet"], options].concat()))
    };
    let zh = check(&["--lang", "zh"]);
    assert!(zh.contains("车八进五") && zh.contains("捉") && !zh.contains("轮到红方走"), "{zh}");
    let en = check(&["--lang", "en", "--board"]);
    assert!(en.contains("chases the cannon on a6") && en.contains("Red to move"), "{en}");
    let axf = check(&["--lang", "en", "--rules", "axf"]);
    assert!(axf.contains("Red loses"), "{axf}");
}

#[test]
fn output_can_go_to_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.jsonl");
    let to_file = qijian(&["check", "samples", "--format", "jsonl", "-o", path.to_str().unwrap()]);
    assert!(to_file.stdout.is_empty());
    assert_eq!(fs::read(path).unwrap(), qijian(&["check", "samples", "--format", "jsonl"]).stdout);
}

/// A record is changed only where repairs are asked for: an output onto an input is refused, by whatever name.
#[test]
fn no_output_goes_over_an_input() {
    let directory = tempfile::tempdir().unwrap();
    let text = fs::read(root().join("samples/valid-black-first.pgn")).unwrap();
    fs::create_dir(directory.path().join("d")).unwrap();
    for arguments in [
        &["check", "a.pgn", "-o", "a.pgn"][..],
        &["check", "d/../a.pgn", "samples", "-o", "./a.pgn"],
        &["show", "a.pgn", "-o", "a.pgn"],
        &["show", "a.pgn", "--html", "-o", "d/../a.pgn"],
        &["find", "a.pgn", "--player", "x", "-o", "a.pgn"],
        &["audit", "a.pgn", "-o", "a.pgn", "--force"],
    ] {
        fs::write(directory.path().join("a.pgn"), &text).unwrap();
        let output = qijian_in(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(fs::read(directory.path().join("a.pgn")).unwrap(), text, "{arguments:?}");
    }
}
