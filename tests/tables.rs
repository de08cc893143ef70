//! Datasets, statistics, duplicates and searches: the real binary on games made for it, and on real archives.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use qijian::board::{Move, Position};
use serde_json::Value;

#[cfg(feature = "tables")]
use crate::support::shared;
use crate::support::{lines, qijian, stdout};

/// A generator of numbers that are the same on every machine (Knuth's constants for 64 bits).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// A game of legal moves, `plies` long or until there is none.
fn game(numbers: &mut Numbers, plies: usize) -> Vec<Move> {
    let mut position = Position::start();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[numbers.below(legal.len())];
        position.play(mv);
        moves.push(mv);
    }
    moves
}

fn mirrored(moves: &[Move]) -> Vec<Move> {
    let turn = |text: String| {
        let files = text.chars().map(|c| match c {
            'a'..='i' => char::from(b'a' + b'i' - c as u8),
            other => other,
        });
        files.collect::<String>().parse().unwrap()
    };
    moves.iter().map(|mv| turn(mv.to_string())).collect()
}

/// The first two moves of Red and of Black exchanged, if that is legal and leads to the same position.
fn transposed(moves: &[Move]) -> Option<Vec<Move>> {
    let mut other = moves.to_vec();
    other.swap(0, 2);
    let play = |moves: &[Move]| {
        let mut position = Position::start();
        for mv in moves {
            position.is_legal(*mv).then(|| position.play(*mv))?;
        }
        Some(position.key())
    };
    let differs = other != moves;
    (differs && play(&other)? == play(moves)? && play(&other[..4])? == play(&moves[..4])?)
        .then_some(other)
}

fn pgn(moves: &[Move], tags: &[(&str, &str)]) -> String {
    let mut text: String =
        tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    text.push('\n');
    for (index, mv) in moves.iter().enumerate() {
        if index % 2 == 0 {
            text.push_str(&format!("{}. ", index / 2 + 1));
        }
        text.push_str(&format!("{mv} "));
    }
    text.push_str("*\n\n");
    text
}

fn write(directory: &Path, name: &str, text: &str) -> String {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Precision and recall of 1 on a made set: copied, cut, mirrored, re-tagged, with the beginning in another order, and
/// combinations; among games of which none is another's copy.
#[test]
fn duplicates_of_a_made_set_are_found_and_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(7);
    let mut text = String::new();
    let mut number = 0;
    let mut expected: BTreeMap<u64, (u64, &str)> = BTreeMap::new();
    for index in 0..120 {
        let plies = 60 + index % 50;
        let moves = game(&mut numbers, plies);
        let (red, black) = (format!("红{index}"), format!("黑{index}"));
        let own = [("Red", red.as_str()), ("Black", black.as_str()), ("Event", "甲")];
        let other = [("Red", "别人"), ("Black", "另人"), ("Event", "乙")];
        let mut add = |moves: &[Move], tags: &[(&str, &str)]| {
            number += 1;
            text.push_str(&pgn(moves, tags));
            number
        };
        let first = add(&moves, &own);
        let cut = &moves[..moves.len() * 3 / 4];
        let copy = match index % 10 {
            0 => Some((add(&moves, &own), "identical")),
            1 => Some((add(&moves, &other), "retagged")),
            2 => Some((add(&mirrored(&moves), &own), "mirrored")),
            3 => Some((add(cut, &own), "truncated")),
            4 => Some((add(&mirrored(cut), &own), "mirrored+truncated")),
            5 => Some((add(cut, &[("Red", &red), ("Black", &black)]), "truncated+retagged")),
            6 => transposed(&moves).map(|moves| (add(&moves, &own), "transposed")),
            // A beginning in common, and no more: no copy.
            7 => {
                let mut position = Position::start();
                moves[..20].iter().for_each(|mv| {
                    position.play(*mv);
                });
                add(&moves[..20], &other);
                None
            }
            _ => None,
        };
        if let Some((copy, kind)) = copy {
            expected.insert(copy, (first, kind));
        }
    }
    assert!(
        expected.values().any(|(_, kind)| *kind == "transposed"),
        "the set shows no transposition"
    );
    let path = write(dir.path(), "made.pgn", &text);
    let output =
        qijian(&["check", &path, "--duplicates", "--select", "QJ020", "--format", "jsonl"]);
    let mut found: BTreeMap<u64, (u64, String)> = BTreeMap::new();
    for game in lines(&output) {
        for finding in game["findings"].as_array().unwrap() {
            let data = &finding["data"];
            let kind = data["kind"].as_str().unwrap().to_owned();
            found.insert(game["game"].as_u64().unwrap(), (data["game"].as_u64().unwrap(), kind));
        }
    }
    let expected: BTreeMap<u64, (u64, String)> = expected
        .into_iter()
        .map(|(copy, (first, kind))| (copy, (first, kind.to_owned())))
        .collect();
    assert_eq!(found, expected);

    // What is converted without them has none left.
    let out = dir.path().join("once.pgn");
    let out = out.to_str().unwrap();
    let output = qijian(&["convert", &path, "-o", out, "--dedupe", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let games =
        lines(&qijian(&["check", out, "--duplicates", "--format", "jsonl", "--select", "QJ020"]));
    assert_eq!(games.len() as u64, number - expected.len() as u64);
    assert!(games.iter().all(|game| game["findings"].as_array().unwrap().is_empty()));
}

/// The files below `directory`, by path, with their bytes.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Some files of games with dates and clocks, one of them with a fault.
fn archive(directory: &Path) -> String {
    let mut numbers = Numbers(3);
    for file in 0..6 {
        let mut text = String::new();
        for index in 0..40 {
            let moves = game(&mut numbers, 30 + index);
            let date = format!("{}.0{}.11", 1990 + index % 3, index % 9 + 1);
            let date = if index % 7 == 0 { "?" } else { &date };
            text.push_str(&pgn(&moves, &[("Red", "許銀川"), ("Black", "吕钦"), ("Date", date)]));
        }
        write(directory, &format!("in/{file}.pgn"), &text);
    }
    write(directory, "in/fault.pgn", "1. 炮二平五 马8进7 {[%clk 0:10:00] 好} 2. 马二进四 *\n");
    directory.join("in").to_str().unwrap().to_owned()
}

#[test]
fn an_export_is_the_same_for_any_number_of_jobs_and_joins_up() {
    let dir = tempfile::tempdir().unwrap();
    let input = archive(dir.path());
    let run = |name: &str, jobs: &str, more: &[&str]| {
        let out = dir.path().join(name);
        let arguments =
            ["export", &input, "-o", out.to_str().unwrap(), "--jobs", jobs, "--as", "jsonl"];
        let output = qijian(&[&arguments[..], more].concat());
        // An illegal move is among the findings.
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        (files(&out), stdout(&output))
    };
    let (one, summary) = run("one", "1", &[]);
    let (four, _) = run("four", "4", &[]);
    assert_eq!(one, four);
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        [
            "findings/part-00001.jsonl",
            "games/part-00001.jsonl",
            "manifest.json",
            "plies/part-00001.jsonl"
        ]
    );
    let rows = |name: &str| -> Vec<Value> {
        let text = String::from_utf8(one[&format!("{name}/part-00001.jsonl")].clone()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (games, plies, findings) = (rows("games"), rows("plies"), rows("findings"));
    let checked = lines(&qijian(&["check", &input, "--format", "jsonl", "--moves"]));
    assert_eq!(games.len(), checked.len());
    assert!(summary.contains(&format!("games     {}", games.len())));
    let ids: BTreeSet<u64> = games.iter().map(|game| game["game_id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), games.len());
    for (game, check) in games.iter().zip(&checked) {
        assert_eq!(game["source"], check["source"]);
        assert_eq!(game["plies"], check["plies"]);
        assert_eq!(game["final_fen"], check["final_fen"]);
        let moves: Vec<&str> =
            check["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert_eq!(game["moves"], moves.join(" "));
        let mut own = plies.iter().filter(|ply| ply["game_id"] == game["game_id"]);
        assert_eq!(own.clone().count(), moves.len());
        if let Some(last) = own.next_back() {
            assert_eq!(last["fen"], check["final_fen"]);
        }
        let own = findings.iter().filter(|finding| finding["game_id"] == game["game_id"]);
        assert_eq!(own.count(), check["findings"].as_array().unwrap().len());
    }
    let clocked = plies.iter().find(|ply| !ply["clock"].is_null()).unwrap();
    assert_eq!((&clocked["clock"], &clocked["move_zh"]), (&600.0.into(), &"马8进7".into()));
    assert_eq!(games[0]["red_player"], "许银川");

    // Split by year, the rows are the same.
    let (split, _) = run("split", "3", &["--partition-by", "year"]);
    let years: BTreeSet<&str> = split
        .keys()
        .filter_map(|name| name.strip_prefix("games/year=")?.split('/').next())
        .collect();
    assert_eq!(years, BTreeSet::from(["1990", "1991", "1992", "__HIVE_DEFAULT_PARTITION__"]));
    let sorted = |all: &BTreeMap<String, Vec<u8>>, table: &str| {
        let mut lines: Vec<String> = Vec::new();
        for (_, bytes) in all.iter().filter(|(name, _)| name.starts_with(table)) {
            lines.extend(String::from_utf8_lossy(bytes).lines().map(str::to_owned));
        }
        lines.sort();
        lines
    };
    for table in ["games", "plies", "findings"] {
        assert_eq!(sorted(&split, table), sorted(&one, table));
    }
}

#[test]
fn a_dataset_is_never_overwritten_or_mixed_unasked() {
    let dir = tempfile::tempdir().unwrap();
    let input = archive(dir.path());
    let out = dir.path().join("out");
    let out = out.to_str().unwrap();
    let status = |more: &[&str]| {
        qijian(&[&["export", &input, "-o", out, "--as", "csv", "--quiet"], more].concat())
            .status
            .code()
    };
    assert_eq!(status(&[]), Some(1));
    let first = files(Path::new(out));
    assert_eq!(status(&[]), Some(2));
    assert_eq!(status(&["--resume", "--positions", "none"]), Some(2));
    assert_eq!(status(&["--resume"]), Some(1));
    assert_eq!(files(Path::new(out)), first);
    // What a killed run leaves is cleared away: parts that no manifest vouches for, and drafts.
    let manifest = dir.path().join("out/manifest.json");
    let mut begun: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    begun["complete"] = false.into();
    begun["parts"] = serde_json::json!([]);
    begun["rows"] = serde_json::json!({"games": 0, "plies": 0, "findings": 0, "errors": 0});
    fs::write(&manifest, begun.to_string()).unwrap();
    write(dir.path(), "out/plies/part-00007.csv", "left");
    write(dir.path(), "out/plies/.qijian-1-1.part", "left");
    assert_eq!(status(&["--resume"]), Some(1));
    assert_eq!(files(Path::new(out)), first);
    // Another input is no going on.
    begun["parts"] = serde_json::json!([{"part": 1, "games": 1, "plies": 1, "findings": 0, "errors": 0, "inputs": 2, "games_of_next": 0, "input": "elsewhere.pgn"}]);
    fs::write(&manifest, begun.to_string()).unwrap();
    assert_eq!(status(&["--resume"]), Some(2));
    assert_eq!(status(&["--force"]), Some(1));
    assert_eq!(files(Path::new(out)), first);
}

/// Killed as soon as some parts are whole, then resumed: the files of a single run, byte for byte.
#[test]
fn a_killed_export_is_resumed_without_a_lost_or_doubled_row() {
    let dir = tempfile::tempdir().unwrap();
    let input = archive(dir.path());
    let arguments = |out: &Path| -> Vec<String> {
        let out = out.to_str().unwrap();
        let words =
            ["export", &input, "-o", out, "--as", "jsonl", "--part", "500", "--quiet", "--resume"];
        words.map(str::to_owned).to_vec()
    };
    let whole = dir.path().join("whole");
    let run = |out: &Path| {
        let arguments = arguments(out);
        qijian(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).status.code()
    };
    assert_eq!(run(&whole), Some(1));
    let expected = files(&whole);
    assert!(expected.keys().filter(|name| name.starts_with("plies/")).count() > 10);
    let parts = |out: &Path| {
        let bytes = fs::read(out.join("manifest.json")).unwrap_or_default();
        let manifest: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        manifest["parts"].as_array().map_or(0, Vec::len)
    };
    for killed_at in [0, 1, 4, 9] {
        let out = dir.path().join(format!("killed-{killed_at}"));
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_qijian"))
            .args(arguments(&out))
            .current_dir(crate::support::root())
            .spawn()
            .unwrap();
        while parts(&out) < killed_at && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        // SIGKILL on Unix; where the run was faster, there is nothing left to resume, and that must hold too.
        let _ = child.kill();
        child.wait().unwrap();
        assert_eq!(run(&out), Some(1));
        assert!(files(&out) == expected, "killed after {killed_at} parts");
    }
}

#[test]
fn filters_choose_games() {
    let dir = tempfile::tempdir().unwrap();
    let input = archive(dir.path());
    let count = |filter: &str| {
        let out = dir.path().join("out");
        qijian(&[
            "export",
            &input,
            "-o",
            out.to_str().unwrap(),
            "--as",
            "csv",
            "--force",
            "--quiet",
            "--only",
            filter,
        ]);
        let manifest: Value =
            serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
        manifest["rows"]["games"].as_u64().unwrap()
    };
    let all = count("format=pgn");
    assert_eq!(all, 241);
    assert_eq!(count("code=QJ301"), 1);
    assert_eq!(count("date=") + count("date!="), all);
    assert_eq!(count("year=1990|1991") + count("year=1992") + count("year="), all);
    assert_eq!(count("player=许银川"), 240);
    let output = qijian(&["export", &input, "-o", "x", "--only", "colour=red"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A filter takes the formats that the schema names: all that there are.
#[test]
fn every_format_can_be_asked_for() {
    let mut names = qijian::format::Format::ALL.map(qijian::format::Format::as_str).to_vec();
    for name in &names {
        let filter = format!("format={name}");
        assert!(qijian::table::Filter::parse(&filter).is_ok(), "{name}");
    }
    names.push("doc");
    let none = qijian::table::Filter::parse(&format!("format={}", names.join("|")));
    assert!(none.is_err());
}

#[test]
fn games_are_found_by_position_material_moves_and_player() {
    let dir = tempfile::tempdir().unwrap();
    let games = [
        ("1. 炮二平五 马8进7 2. 马二进三 *", "許銀川"),
        ("1. 炮八平五 马2进3 *", "吕钦"),
        ("1. 兵七进一 卒7进1 *", "赵国荣"),
    ];
    let text: String =
        games.iter().map(|(moves, red)| format!("[Red \"{red}\"]\n\n{moves}\n\n")).collect();
    let path = write(dir.path(), "a.pgn", &text);
    let found = |arguments: &[&str]| -> Vec<(u64, u64, bool)> {
        let output = qijian(&[&["find", &path, "--format", "jsonl"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let number = |game: &Value, key: &str| game[key].as_u64().unwrap();
        lines(&output)
            .iter()
            .map(|game| {
                (number(game, "game"), number(game, "ply"), game["mirrored"] == Value::Bool(true))
            })
            .collect()
    };
    let fen = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w";
    assert_eq!(found(&["--fen", fen]), [(1, 2, false), (2, 2, true)]);
    assert_eq!(found(&["--fen", fen, "--exact"]), [(1, 2, false)]);
    assert_eq!(found(&["--moves", "炮二平五,马8进7"]), [(1, 2, false), (2, 2, true)]);
    assert_eq!(found(&["--player", "许银川", "--moves", "C2=5"]), [(1, 1, false)]);
    assert_eq!(found(&["--material", "KAABBNNRRCCPPPPPkaabbnnrrccppppp"]).len(), 3);
    let pgn = stdout(&qijian(&["find", &path, "--player", "赵国荣", "--format", "pgn"]));
    assert_eq!(pgn, "[Red \"赵国荣\"]\n\n1. 兵七进一 卒7进1\n*\n");
    assert_eq!(qijian(&["find", &path]).status.code(), Some(2));
    assert_eq!(qijian(&["find", &path, "--moves", "炮二平九"]).status.code(), Some(2));
}

/// Every table on the real archives in every format; the figures against a count of the JSON of `check`.
#[cfg(feature = "tables")]
#[test]
fn statistics_agree_with_a_plain_count() {
    let Some(data) = shared("data") else { return };
    let data = data.to_str().unwrap();
    let games = crate::support::ruled_archive();
    let games: Vec<&Value> = games.iter().filter(|game| game["game"] != 0).collect();
    let json = |arguments: &[&str]| -> Vec<Value> {
        let output = qijian(&[&["stats", data, "--format", "json"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let mut all: Value = serde_json::from_slice(&output.stdout).unwrap();
        all["tables"].as_array_mut().unwrap().drain(..).collect()
    };
    let tables = json(&[]);
    assert!(tables.len() >= 18);
    let table = |name: &str| {
        tables.iter().find(|table| table["name"] == name).unwrap()["rows"].as_array().unwrap()
    };
    let with = |test: &dyn Fn(&Value) -> bool| games.iter().filter(|game| test(game)).count();
    let results = &table("results")[0];
    assert_eq!(results["games"], games.len());
    for (column, result) in
        [("red_wins", "1-0"), ("draws", "1/2-1/2"), ("black_wins", "0-1"), ("open", "*")]
    {
        assert_eq!(results[column], with(&|game| game["result"] == result), "{column}");
    }
    let sum = |name: &str, column: &str| -> u64 {
        table(name).iter().filter_map(|row| row[column].as_u64()).sum()
    };
    for name in ["years", "events", "openings", "lengths"] {
        assert_eq!(sum(name, "games"), games.len() as u64, "{name}");
    }
    let plies: u64 = games.iter().filter_map(|game| game["plies"].as_u64()).sum();
    assert_eq!(sum("plies", "games"), plies);
    let findings: usize = games.iter().map(|game| game["findings"].as_array().unwrap().len()).sum();
    assert_eq!(sum("findings", "findings"), findings as u64);
    let agreed = with(&|game| game["result"] == "1/2-1/2" && game["termination"] == "agreement");
    let row = table("draws").iter().find(|row| row["drawn_by"] == "agreement");
    assert_eq!(row.map_or(0, |row| row["games"].as_u64().unwrap()), agreed as u64);
    let part = format!("{data}/pgn-big5-ccpd");
    for format in ["text", "markdown", "html"] {
        let text = stdout(&qijian(&[
            "stats",
            &part,
            "--table",
            "players,tree",
            "--limit",
            "20",
            "--format",
            format,
        ]));
        assert!(text.contains("許銀川") || text.contains("许银川"), "{format}");
    }
}

#[test]
fn commands_answer_wrong_usage() {
    assert_eq!(qijian(&["export", "samples"]).status.code(), Some(2));
    let schema = stdout(&qijian(&["export", "--schema"]));
    assert!(schema.contains("| `game_id` | uint64 |"));
    #[cfg(feature = "tables")]
    {
        assert_eq!(qijian(&["stats", "samples", "--table", "moon"]).status.code(), Some(2));
        assert_eq!(
            qijian(&["stats", "samples", "--table", "plies", "--by", "player"]).status.code(),
            Some(2)
        );
        assert!(stdout(&qijian(&["stats", "--list"])).contains("head-to-head"));
    }
}
