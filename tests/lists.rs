//! Move lists, tables, JSON, scoresheets and archives: real files, round trips, hostile input.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, Write},
};

use qijian::{
    finding::Severity,
    format::{self, Format, json, sheet},
    record::{Record, Written},
    report::GameReport,
    run::{self, Options},
};
use serde_json::Value;

use crate::support::{lines, qijian, qijian_in, shared};

fn check(name: &str, bytes: &[u8]) -> Vec<GameReport> {
    let mut reports = Vec::new();
    let options = Options { moves: true, ..Options::default() };
    run::check(name, bytes, true, &options, &mut |report| reports.push(report));
    reports
}

/// The moves of a report as one text.
fn moves(report: &GameReport) -> String {
    let moves = report.moves.iter().flatten().map(ToString::to_string);
    moves.collect::<Vec<_>>().join(" ")
}

/// All 572 lists of `uci-plain-niu2x`, of which 455 have their position behind the moves, and all 920 `.eglib` entries.
#[test]
fn real_move_lists() {
    let Some(_) = shared("data") else { return };
    let games = lines(&qijian(&[
        "check",
        "../shared/data/uci-plain-niu2x",
        "../shared/data/eglib",
        "--format",
        "jsonl",
    ]));
    let mut faults: BTreeMap<String, u32> = BTreeMap::new();
    for game in &games {
        assert_eq!((&game["format"], game["game"] != 0), (&Value::from("moves"), true), "{game}");
        for finding in game["findings"].as_array().unwrap() {
            *faults.entry(finding["code"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    eprintln!("move lists: {} games, findings {faults:?}", games.len());
    assert_eq!(games.len(), 572 + 920);
    // Every position is understood, and hardly a move is impossible.
    assert_eq!(faults.get("QJ304"), None);
    assert!(faults.get("QJ301").is_none_or(|count| *count <= 10), "{faults:?}");
}

/// Every game of the real table ends on the board as its column `game_status` says.
#[test]
fn real_table() {
    let Some(data) = shared("data/csv-elephantchess") else { return };
    let path = data.join(
        "benckx+elephantchess/head/csv-dump-parser/src/test/resources/pvp_game_moves_xiangqi_059.csv",
    );
    let reports = check("x.csv", &fs::read(path).unwrap());
    assert_eq!(reports.len(), 54);
    assert_eq!(reports.iter().map(|report| report.plies).sum::<u32>(), 2378);
    for report in &reports {
        assert_eq!(report.format, Some("csv"));
        // Repetitions are told; that they agree with the outcome makes them no error.
        let odd = report.findings.iter().find(|finding| finding.severity != Severity::Info);
        assert!(odd.is_none(), "{odd:?}");
        let status = report.other_tags.iter().find(|(name, _)| name == "game_status").unwrap();
        let board = match status.1.as_str() {
            "CHECKMATED" => "checkmate",
            "STALEMATED" => "stalemate",
            _ => continue,
        };
        assert_eq!(report.termination, board, "{}", report.game);
    }
}

/// `expected.jsonl` is JSON with moves too: as a source it gives back its own moves.
#[test]
fn expected_moves_as_a_source() {
    let Some(data) = shared("data") else { return };
    let file = fs::read(data.join("expected.jsonl")).unwrap();
    // A tenth of it will do, as every line is of the same kind.
    let part: Vec<Vec<u8>> =
        file.lines().step_by(10).map(|line| line.unwrap().into_bytes()).collect();
    let reports = check("expected.jsonl", &part.join(&b'\n'));
    assert_eq!(reports.len(), part.len());
    for (report, line) in reports.iter().zip(&part) {
        let expected: Value = serde_json::from_slice(line).unwrap();
        assert_eq!(moves(report), expected["moves"].as_str().unwrap(), "{}", expected["source"]);
    }
}

/// The archive gives what its member gives, in every packing, and through standard input.
#[test]
fn real_archive_in_every_packing() {
    let Some(data) = shared("data") else { return };
    let zip = data.join(
        "pgn-uci-zip/maksimKorzh+wukong-xiangqi/head/xqdb/xqdb/Liu_Dahua_1125_UCI_games.pgn.zip",
    );
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::copy(&zip, at("a.zip")).unwrap();
    let inputs: Vec<_> = qijian::source::inputs(&[at("a.zip")]).map(Result::unwrap).collect();
    assert!(inputs[0].name.ends_with("a.zip!Liu_Dahua_1125_UCI_games.pgn"), "{}", inputs[0].name);
    let bytes = inputs[0].read().unwrap();
    fs::write(at("plain.pgn"), &bytes).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&bytes).unwrap();
    fs::write(at("b.gz"), gzip.finish().unwrap()).unwrap();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    fs::write(at("c.zst"), ruzstd::encoding::compress_to_vec(bytes.as_slice(), level)).unwrap();
    let games = |arguments: &[&str]| {
        let mut games = lines(&qijian_in(directory.path(), arguments));
        games.iter_mut().for_each(|game| game["source"] = Value::Null);
        games
    };
    let plain = games(&["check", "plain.pgn", "--format", "jsonl", "--moves"]);
    assert_eq!(plain.len(), 1125);
    for name in ["a.zip", "b.gz", "c.zst"] {
        assert!(games(&["check", name, "--format", "jsonl", "--moves"]) == plain, "{name}");
    }
}

/// A large file is divided among the threads: the same bytes, in every format, and every game once.
#[test]
fn a_large_file_is_the_same_for_any_number_of_jobs() {
    let mut joined = Vec::new();
    let mut samples: Vec<_> = fs::read_dir(crate::support::root().join("samples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pgn"))
        .collect();
    // Faults take searches: each sample once, then those without faults until the file is large enough to be divided.
    samples.sort();
    for sample in &samples {
        joined.extend(fs::read(sample).unwrap());
        joined.extend(b"\n\n");
    }
    samples.retain(|path| path.file_name().unwrap().to_string_lossy().starts_with("valid"));
    while joined.len() < 300_000 {
        for sample in &samples {
            joined.extend(fs::read(sample).unwrap());
            joined.extend(b"\n\n");
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("large.pgn");
    fs::write(&file, &joined).unwrap();
    let file = file.to_str().unwrap();
    for format in ["text", "json", "html"] {
        let run = |jobs| qijian(&["check", file, "--format", format, "--jobs", jobs]);
        let one = run("1");
        assert_eq!(one.status.code(), Some(1));
        for jobs in ["2", "5"] {
            assert!(run(jobs).stdout == one.stdout, "{format}, {jobs} jobs");
        }
    }
    let games = lines(&qijian(&["check", file, "--format", "jsonl", "--jobs", "3"]));
    let numbers: Vec<u64> = games.iter().map(|game| game["game"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=games.len() as u64).collect::<Vec<_>>());
}

#[test]
fn an_archive_is_the_same_for_any_number_of_jobs_and_on_standard_input() {
    let run = |jobs| {
        qijian(&[
            "check",
            "samples",
            "samples/valid.zip",
            "--format",
            "jsonl",
            "--moves",
            "--jobs",
            jobs,
        ])
        .stdout
    };
    assert_eq!(run("1"), run("4"));
    let sources = |games: &[Value]| -> Vec<String> {
        games.iter().map(|game| game["source"].as_str().unwrap().to_owned()).collect()
    };
    let games = lines(&qijian(&["check", "samples/valid.zip", "--format", "jsonl"]));
    assert_eq!(sources(&games), ["samples/valid.zip!a/c.pgn", "samples/valid.zip!b.pgn"]);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_qijian"))
        .args(["check", "-", "--format", "jsonl"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let zip = fs::read(crate::support::root().join("samples/valid.zip")).unwrap();
    child.stdin.take().unwrap().write_all(&zip).unwrap();
    let games = lines(&child.wait_with_output().unwrap());
    assert_eq!(sources(&games), ["-!a/c.pgn", "-!b.pgn"]);
}

/// CONTRACT section 3: a member that is not read is a finding of the archive, not a failure of the command.
#[test]
fn members_that_are_not_read_are_findings() {
    let directory = tempfile::tempdir().unwrap();
    let zip = fs::read(crate::support::root().join("samples/valid.zip")).unwrap();
    fs::write(directory.path().join("cut.zip"), &zip[..zip.len() - 30]).unwrap();
    fs::write(directory.path().join("good.pgn"), "1. 炮二平五 *").unwrap();
    let output =
        qijian_in(directory.path(), &["check", "cut.zip", "good.pgn", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let games = lines(&output);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0]["findings"][0]["code"], "QJ008");
    assert_eq!(games[0]["findings"][0]["data"]["reason"], "damaged");
}

/// What `check` writes as JSON reads back with the same moves, start, result and tags.
#[test]
fn our_own_output_reads_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.jsonl");
    for format in ["jsonl", "json"] {
        let output = qijian(&["check", "samples", "--format", format, "--moves"]);
        fs::write(&path, &output.stdout).unwrap();
        let games: Vec<Value> = match format {
            "jsonl" => lines(&output),
            _ => {
                let whole: Value = serde_json::from_slice(&output.stdout).unwrap();
                whole["games"].as_array().unwrap().clone()
            }
        };
        let written: Vec<&Value> = games.iter().filter(|game| game["game"] != 0).collect();
        let back =
            lines(&qijian(&["check", path.to_str().unwrap(), "--format", "jsonl", "--moves"]));
        assert_eq!(written.len(), back.len());
        for (before, after) in written.iter().zip(&back) {
            for key in ["start_fen", "moves", "final_fen", "result", "termination"] {
                assert_eq!(before[key], after[key], "{key} of {before}");
            }
            assert_eq!(before["tags"]["event"], after["tags"]["event"]);
            assert_eq!(after["format"], "json");
        }
    }
}

/// Every game of the samples and of a part of the archive, through a writer and back: plies, comments, result.
fn round_trip(format: Format, write: fn(&Record<'_>) -> (String, usize)) -> (usize, usize) {
    let mut files: Vec<_> = ["samples", "../shared/data/pgn-gbk-online", "../shared/data/pgn-misc"]
        .iter()
        .filter_map(|name| {
            let path = crate::support::root().join(name);
            path.exists().then_some(path)
        })
        .collect();
    files.sort();
    let (mut games, mut lossy) = (0, 0);
    for input in qijian::source::inputs(&files).map_while(Result::ok) {
        let Ok(bytes) = input.read() else { continue };
        let Some(found) = format::sniff(&bytes, None) else { continue };
        if found.is_binary() || bytes.len() > 200_000 {
            continue;
        }
        format::read(&bytes, found, None, &mut |record, _, _| {
            games += 1;
            let (text, losses) = write(&record);
            if losses > 0 {
                lossy += 1;
                return;
            }
            let mut back = Vec::new();
            format::read(text.as_bytes(), format, None, &mut |again, _, _| back.push(said(&again)));
            assert_eq!(back, [said(&record)], "{} game {}:\n{text}", input.name, record.game);
        });
    }
    (games, lossy)
}

/// Plies with their marks, comments with their ply, and the result.
fn said(record: &Record<'_>) -> (Vec<String>, Vec<(usize, String)>, Option<&'static str>) {
    let mut place = BTreeMap::new();
    let plies = record.tree.main_line().enumerate().map(|(ply, id)| {
        place.insert(id.index(), ply + 1);
        let node = record.tree.node(id);
        let text = if let Written::Text(text) = node.written { text.trim() } else { "……" };
        format!("{text}{}", node.marks)
    });
    let plies = plies.collect();
    let mut comments: Vec<(usize, String)> = record
        .tree
        .comments
        .iter()
        .map(|comment| {
            (place.get(&comment.node.index()).copied().unwrap_or(0), comment.text.trim().to_owned())
        })
        .filter(|(_, text)| !text.is_empty())
        .collect();
    comments.sort_by_key(|(ply, _)| *ply);
    (plies, comments, record.result.as_ref().map(|result| result.outcome.as_str()))
}

#[test]
fn json_round_trip() {
    let (games, lossy) = round_trip(Format::Json, |record| {
        let (text, losses) = json::write(record, &[], None);
        (text, losses.len())
    });
    eprintln!("JSON: {games} games, {lossy} with variations");
    assert!(games > 20);
}

#[test]
fn sheet_round_trip() {
    let (games, lossy) = round_trip(Format::Sheet, |record| {
        let (text, losses) = sheet::write(record, &[], None);
        (text, losses.len())
    });
    eprintln!("scoresheets: {games} games, {lossy} with something that no sheet holds");
    assert!(games > 20);
}

/// A member called `../../x.pgn` stays within the target, as does one from a drive or the root.
#[test]
fn a_conversion_of_an_archive_keeps_its_tree_and_leaves_the_target_alone() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["a/b.txt", "../../outside.txt", "/rooted.txt"] {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all("1. 炮二平五 马8进7 *".as_bytes()).unwrap();
    }
    let path = directory.path().join("in/games.zip");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, writer.finish().unwrap().into_inner()).unwrap();
    let output = qijian_in(&directory.path().join("in"), &["convert", "games.zip", "-o", "../out"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: Vec<String> = walkdir::WalkDir::new(directory.path())
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(directory.path()).unwrap().display().to_string())
        .collect();
    found.sort();
    assert_eq!(
        found,
        ["in/games.zip", "out/games/a/b.pgn", "out/games/outside.pgn", "out/games/rooted.pgn"]
    );
}
