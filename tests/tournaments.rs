//! Tournaments, with the real binary: the samples of `samples/events/`, real events, every row of the inventory that a
//! test can decide (R057 to R092, R111 to R136), order of entries, hostile files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::PathBuf,
};

use proptest::prelude::*;
use qijian::event::{self, Event, Loaded, Lots, order_table, swiss};
use serde_json::Value;

use crate::support::{qijian, qijian_in, root, shared, stdout};

/// An event of this text.
fn loaded(text: &str) -> Loaded {
    event::parse("event.toml", text, None, &mut |name| panic!("{name} is not there")).unwrap()
}

/// The rows `place name points decided_by` of the ranking.
fn ranking(text: &str) -> Vec<String> {
    let loaded = loaded(text);
    rows(&loaded)
}

fn rows(loaded: &Loaded) -> Vec<String> {
    let standings = event::standings(loaded, None);
    standings
        .ranking
        .iter()
        .map(|row| {
            let name = loaded.event.name_of(row.entrant);
            format!("{} {name} {} {}", row.place, row.points, row.decided_by.unwrap_or("-"))
        })
        .collect()
}

/// The codes that the audit of an event gives, errors and warnings only, each once; but for shared titles, which small
/// events have by the way.
fn faults(text: &str) -> BTreeSet<String> {
    let loaded = loaded(text);
    let standings = event::standings(&loaded, None);
    standings
        .findings
        .iter()
        .filter(|finding| finding.severity.as_str() != "info")
        .filter(|finding| finding.code != qijian::finding::Code::SHARED_PLACE)
        .map(|finding| finding.code.to_string())
        .collect()
}

fn players(count: usize, more: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 1..=count {
        let _ = writeln!(text, "[[player]]\nno = {number}\nname = \"p{number}\"\n{}", more(number));
    }
    text
}

fn games(list: &[(u32, u32, u32, &str)]) -> String {
    let mut text = String::new();
    for (round, red, black, result) in list {
        let _ = writeln!(
            text,
            "[[game]]\nround = {round}\nred = {red}\nblack = {black}\nresult = \"{result}\"\n"
        );
    }
    text
}

fn individual(system: &str, header: &str, count: usize, list: &[(u32, u32, u32, &str)]) -> String {
    format!(
        "[event]\nname = \"x\"\nsystem = \"{system}\"\n{header}\n{}{}",
        players(count, |_| String::new()),
        games(list)
    )
}

/// A team match as rows: boards from 1, colours as 13.2 has them.
fn team_match(round: u32, first: &str, second: &str, results: &[&str]) -> String {
    let mut text = String::new();
    for (board, result) in (1..).zip(results) {
        let (red, black) = if board % 2 == 1 { (first, second) } else { (second, first) };
        let _ = writeln!(
            text,
            "[[game]]\nround = {round}\nboard = {board}\nred_team = \"{red}\"\nred = \"{red}{board}\"\nblack_team = \"{black}\"\nblack = \"{black}{board}\"\nresult = \"{result}\"\n"
        );
    }
    text
}

fn json(path: &str) -> Value {
    serde_json::from_slice(&qijian(&["standings", path, "--format", "json"]).stdout).unwrap()
}

fn codes(value: &Value) -> Vec<String> {
    let findings = value["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

// ---- samples

#[test]
fn every_tournament_code_has_a_sample_named_for_it_and_valid_ones_have_none() {
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(root().join("samples/events")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".toml") && !name.ends_with(".trf") {
            continue;
        }
        let output = qijian(&["standings", &format!("samples/events/{name}"), "--format", "json"]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        if stem.starts_with("valid") {
            assert_eq!(output.status.code(), Some(0), "{name}");
            let findings = value["findings"].as_array().unwrap();
            assert!(findings.iter().all(|one| one["severity"] == "info"), "{name}: {findings:?}");
            continue;
        }
        let found = codes(&value);
        let code = qijian::finding::Code::all()
            .find(|code| code.entry().name == stem)
            .expect("a name of a code");
        assert!(found.contains(&code.to_string()), "{name}: {found:?}");
        let is_error =
            value["findings"].as_array().unwrap().iter().any(|one| one["severity"] == "error");
        assert_eq!(output.status.code(), Some(i32::from(is_error)), "{name}");
        seen.insert(code.to_string());
    }
    let all: BTreeSet<String> = qijian::finding::Code::all()
        .map(|code| code.to_string())
        .filter(|code| code.starts_with("QJ9"))
        .collect();
    assert_eq!(seen, all);
}

// CONTRACT section 4, `qijian standings --format json`.
#[test]
fn standings_json_has_the_keys_of_the_contract() {
    let value = json("samples/events/valid-round-robin.toml");
    for key in ["event", "profile", "ranking", "bounds", "findings"] {
        assert!(value.get(key).is_some(), "{key}");
    }
    let first = &value["ranking"][0];
    let keys: Vec<&str> = first.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["place", "shared", "id", "name", "points", "tie_breaks", "decided_by"]);
    // 甲一 and 丁四 have 3 points. 小分: 丁四 beat 3 and 0 and drew with 2.5 and 1.5: 3 + 0 + 1.25 + 0.75;
    // 甲一 beat 1.5, 2.5 and 0.
    assert_eq!(first["name"], "丁四");
    assert_eq!(first["tie_breaks"][0], serde_json::json!({"name": "小分", "value": "5"}));
    assert_eq!(value["ranking"][1]["tie_breaks"][0]["value"], "4");
    assert_eq!(first["decided_by"], "小分");
}

#[test]
fn mistakes_have_line_and_column() {
    let value = json("samples/events/event-entry.toml");
    let finding = &value["findings"][0];
    assert_eq!(finding["code"], "QJ901");
    let text = fs::read_to_string(root().join("samples/events/event-entry.toml")).unwrap();
    let at = text.find("[[game]]\nround = 3\nred = \"无名氏\"").unwrap();
    assert_eq!(finding["line"].as_u64().unwrap() as usize, text[..at].lines().count() + 1);
    let directory = tempfile::tempdir().unwrap();
    for (text, place) in [
        ("[event]\nname = 1\n", "e.toml:2:8: "),
        ("[event]\nname = \"x\"\ncolour = 3\n", "e.toml:3:1: "),
        ("[event]\nname = \"x\"\n[[game]]\nround = -1\n", "e.toml:4:9: "),
        ("[event\n", "e.toml:1:7: "),
    ] {
        fs::write(directory.path().join("e.toml"), text).unwrap();
        let output = qijian_in(directory.path(), &["standings", "e.toml"]);
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(place), "{place}: {message}");
    }
    assert_eq!(qijian(&["standings", "no-such.toml"]).status.code(), Some(2));
}

#[test]
fn tables_line_up_in_both_languages() {
    for lang in ["zh", "en"] {
        let text =
            stdout(&qijian(&["standings", "samples/events/valid-league.toml", "--lang", lang]));
        assert!(text.contains("黄队"), "{text}");
        let markdown = stdout(&qijian(&[
            "standings",
            "samples/events/valid-league.toml",
            "--lang",
            lang,
            "--format",
            "markdown",
        ]));
        assert!(markdown.contains("| ---: |"), "{markdown}");
    }
    let csv =
        stdout(&qijian(&["standings", "samples/events/valid-league.toml", "--format", "csv"]));
    assert!(csv.starts_with("stage,place,shared,id,name,team,points,慢棋场分,"), "{csv}");
}

// ---- order tables (R059, R067, R068)

/// The printed tables of `reference/tournaments.md`, 3 to 20 entrants.
#[test]
fn r059_r067_order_tables_are_those_printed_in_the_reference() {
    let Some(path) = shared("reference/tournaments.md") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut size = 0;
    let mut seen = 0;
    for line in text.lines() {
        if let Some((_, even)) = line.strip_suffix(':').and_then(|sizes| sizes.split_once('-')) {
            size = even.parse().unwrap_or(size);
        }
        let Some((round, pairs)) = line.split_once(" | ") else { continue };
        let Ok(round) = round.trim().parse::<u32>() else { continue };
        let printed: Vec<(u32, u32)> = pairs
            .split_whitespace()
            .map(|pair| {
                let (a, b) = pair.split_once('-').unwrap();
                let number = |text: &str| text.trim_matches(['(', ')']).parse().unwrap();
                (number(a), number(b))
            })
            .collect();
        assert_eq!(order_table::pairs(size, round), printed, "{size}, round {round}");
        assert_eq!(order_table::pairs(size - 1, round), printed, "{}, round {round}", size - 1);
        seen += 1;
    }
    assert_eq!(seen, (4..=20).step_by(2).map(|m| m - 1).sum::<u32>());
}

#[test]
fn r059_pair_prints_the_order_table_and_draws_numbers_by_a_printed_seed() {
    let text = stdout(&qijian(&["pair", "samples/events/valid-round-robin.toml", "--lang", "en"]));
    let rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("Round")).collect();
    assert_eq!(rounds.len(), 5);
    assert!(
        text.contains(
            "Round 1\ntable  red     black\n    1  2 乙二  5 戊五\n    2  3 丙三  4 丁四\nbye: 1"
        ) || text.contains("bye: 甲一"),
        "{text}"
    );
    let directory = tempfile::tempdir().unwrap();
    let unnumbered = "[event]\nname = \"x\"\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n[[player]]\nname = \"c\"\n";
    fs::write(directory.path().join("e.toml"), unnumbered).unwrap();
    let draw = |seed: &str| {
        stdout(&qijian_in(directory.path(), &["pair", "e.toml", "--seed", seed, "--lang", "en"]))
    };
    assert!(draw("5").contains("lots of seed 5"));
    assert_eq!(draw("5"), draw("5"));
    let different: BTreeSet<String> = (0..20)
        .map(|seed| draw(&seed.to_string()).split_once("\n\n").unwrap().1.to_owned())
        .collect();
    assert!(different.len() > 1);
}

#[test]
fn what_pair_writes_as_csv_is_read_as_results() {
    let directory = tempfile::tempdir().unwrap();
    let head = "[event]\nname = \"x\"\nsystem = \"swiss\"\nrounds = 5\n";
    let people = players(9, |number| format!("rating = {}\n", 2500 - number));
    fs::write(directory.path().join("e.toml"), format!("{head}{people}")).unwrap();
    let mut all = String::new();
    for round in 1..=5 {
        let output = qijian_in(directory.path(), &["pair", "e.toml", "--format", "csv"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let rows = stdout(&output).replace(",*\n", ",1-0\n");
        let rows = if all.is_empty() { rows } else { rows.split_once('\n').unwrap().1.to_owned() };
        assert!(rows.contains(&format!(",{round},")), "{rows}");
        all += &rows;
        fs::write(directory.path().join("r.csv"), &all).unwrap();
        let text = format!("{head}results = [\"r.csv\"]\n{people}");
        fs::write(directory.path().join("e.toml"), text).unwrap();
    }
    let output = qijian_in(directory.path(), &["standings", "e.toml", "--format", "json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Five rounds of nine: nobody met twice, no second bye, no better pairing, colours as even as can be.
    let found: Vec<String> = codes(&value).into_iter().filter(|code| code != "QJ911").collect();
    assert_eq!(found, Vec::<String>::new(), "{value}");
    let over = qijian_in(directory.path(), &["pair", "e.toml"]);
    assert_eq!(over.status.code(), Some(2));
}

// ---- systems (R058 to R066)

#[test]
fn r058_knockout_brackets_fill_to_a_power_of_two_and_winners_move_on() {
    let text = individual("knockout", "seed = 3", 6, &[]);
    let first = event::plan(&loaded(&text).event, 0, None, 3).unwrap();
    let event = loaded(&text).event;
    let names =
        |list: &[usize]| -> Vec<&str> { list.iter().map(|one| event.name_of(*one)).collect() };
    // Byes for seeds 1 and 2; 4-5 and 3-6 play.
    assert_eq!(names(&first.rounds[0].byes), ["p1", "p2"]);
    let met: BTreeSet<BTreeSet<&str>> =
        first.rounds[0].pairs.iter().map(|pair| names(&pair.sides).into_iter().collect()).collect();
    assert_eq!(met, BTreeSet::from([BTreeSet::from(["p4", "p5"]), BTreeSet::from(["p3", "p6"])]));
    let played = format!(
        "{text}{}[[bye]]\nround = 1\nentrant = 1\n[[bye]]\nround = 1\nentrant = 2\n",
        games(&[(1, 4, 5, "0-1"), (1, 3, 6, "1-0")])
    );
    let second = event::plan(&loaded(&played).event, 0, None, 3).unwrap();
    let met: BTreeSet<BTreeSet<&str>> = second.rounds[0]
        .pairs
        .iter()
        .map(|pair| names(&pair.sides).into_iter().collect())
        .collect();
    assert_eq!(met, BTreeSet::from([BTreeSet::from(["p1", "p5"]), BTreeSet::from(["p2", "p3"])]));
    // A loser who comes back is told; third place is played for apart.
    let on = format!("{played}{}", games(&[(2, 1, 5, "1-0"), (2, 2, 3, "1-0"), (3, 1, 2, "1-0")]));
    assert_eq!(faults(&on), BTreeSet::new());
    let third =
        format!("{on}[[game]]\nround = 3\nred = 3\nblack = 5\nresult = \"1-0\"\nplaces = 3\n");
    assert_eq!(faults(&third), BTreeSet::new());
    assert_eq!(
        ranking(&third),
        ["1 p1 3 淘汰", "2 p2 2 淘汰", "3 p3 2 淘汰", "4 p5 1 淘汰", "5 p4 0 -", "5 p6 0 -"]
    );
    let back = format!("{played}{}", games(&[(2, 1, 4, "1-0")]));
    assert_eq!(faults(&back), BTreeSet::from(["QJ913".to_owned()]));
}

#[test]
fn r058_double_elimination_needs_two_defeats() {
    let text = individual(
        "double-elimination",
        "",
        4,
        &[
            (1, 1, 2, "1-0"),
            (1, 3, 4, "1-0"),
            (2, 1, 3, "1-0"),
            (2, 2, 4, "1-0"),
            (3, 2, 3, "1-0"),
            (4, 1, 2, "0-1"),
            (5, 1, 2, "1-0"),
        ],
    );
    assert_eq!(faults(&text), BTreeSet::new());
    assert_eq!(ranking(&text), ["1 p1 3 淘汰", "2 p2 3 淘汰", "3 p3 1 淘汰", "4 p4 0 -"]);
    let over = format!("{text}{}", games(&[(6, 3, 4, "1-0")]));
    assert!(faults(&over).contains("QJ913"));
    // Whole events by plan: from 5 to 20 players, everybody but the winner has two defeats in the end.
    for count in 5..=20 {
        let mut list: Vec<(u32, u32, u32, &str)> = Vec::new();
        let mut byes = String::new();
        let mut lots = Lots::new(count as u64);
        loop {
            let now = loaded(&(individual("double-elimination", "", count, &list) + &byes));
            let Ok(plan) = event::plan(&now.event, 0, None, 1) else { break };
            let round = &plan.rounds[0];
            assert!(round.number < 40, "{count} never ends");
            for pair in &round.pairs {
                let [red, black] = pair.sides.map(|one| now.event.number_of(one).unwrap());
                list.push((
                    round.number,
                    red,
                    black,
                    if lots.below(2) == 0 { "1-0" } else { "0-1" },
                ));
            }
            for bye in &round.byes {
                let number = now.event.number_of(*bye).unwrap();
                let _ = writeln!(byes, "[[bye]]\nround = {}\nentrant = {number}", round.number);
            }
        }
        let mut defeats: BTreeMap<u32, u32> = BTreeMap::new();
        for (_, red, black, result) in &list {
            *defeats.entry(if *result == "1-0" { *black } else { *red }).or_default() += 1;
        }
        let twice = defeats.values().filter(|count| **count == 2).count();
        assert_eq!(twice, count - 1, "{count}: {defeats:?}");
        assert!(defeats.values().all(|count| *count <= 2));
    }
}

#[test]
fn r060_groups_are_seeded_by_snake_and_qualifiers_meet() {
    assert_eq!(event::snake(10, 2), [vec![0, 3, 4, 7, 8], vec![1, 2, 5, 6, 9]]);
    let plan = stdout(&qijian(&["pair", "samples/events/valid-groups.toml", "--lang", "en"]));
    assert!(plan.contains("甲一") && plan.contains("乙二") && plan.contains("决赛"), "{plan}");
    assert!(plan.contains("colours change in the second game"), "{plan}");
    let groups = stdout(&qijian(&[
        "pair",
        "samples/events/valid-swiss.toml",
        "--groups",
        "2",
        "--lang",
        "en",
    ]));
    assert!(groups.contains("Group 2") && groups.contains("lots of seed 20240501"), "{groups}");
}

// Results of the groups count in the final round robin where the file says `carry`.
#[test]
fn r060_results_are_carried_into_the_final_if_the_event_says_so() {
    let text = |carry: bool| {
        format!(
            "[event]\nname = \"x\"\nsystem = \"round-robin\"\n[[stage]]\nname = \"A\"\nentrants = [1, 2]\n[[stage]]\nname = \"B\"\nentrants = [3, 4]\n[[stage]]\nname = \"F\"\ncarry = {carry}\nqualifiers = [{{ stage = \"A\", place = 1 }}, {{ stage = \"A\", place = 2 }}, {{ stage = \"B\", place = 1 }}]\n{}",
            players(4, |_| String::new())
        ) + &[("A", 1, 1, 2, "1-0"), ("B", 1, 3, 4, "1-0"), ("F", 1, 1, 3, "1/2"), ("F", 2, 2, 3, "1/2")]
            .map(|(stage, round, red, black, result)| {
                format!("[[game]]\nstage = \"{stage}\"\nround = {round}\nred = {red}\nblack = {black}\nresult = \"{result}\"\n")
            })
            .concat()
    };
    let carried = loaded(&text(true));
    let standings = event::standings(&carried, None);
    let last = &standings.stages[2];
    assert_eq!(last.ranking[0].points.to_string(), "1.5");
    assert!(last.bounds.is_empty());
    // Without, 1 and 2 have still to meet.
    let fresh = loaded(&text(false));
    assert!(!event::standings(&fresh, None).stages[2].bounds.is_empty());
}

#[test]
fn r062_r063_r064_r136_line_ups() {
    assert_eq!(event::line_ups(6, 4, 100).len(), 15);
    let all = stdout(&qijian(&["pair", "samples/events/valid-team-reserves.toml", "--line-ups"]));
    assert!(all.contains("  1-2-3-4  红一 红二 红三 红四") && all.contains("  3-4-5-6  "), "{all}");
    let team = |line_up: &str, rating: u32, order: [u32; 2]| {
        format!(
            "[event]\nname = \"x\"\nsystem = \"round-robin\"\nkind = \"team\"\nboards = 2\nline_up = \"{line_up}\"\n[[team]]\nname = \"b\"\nplayers = [\"b1\", \"b2\"]\n[[team]]\nname = \"a\"\n[[player]]\nname = \"a1\"\nteam = \"a\"\nboard = 1\nrating = 2400\n[[player]]\nname = \"a2\"\nteam = \"a\"\nboard = 2\nrating = {rating}\n[[player]]\nname = \"a3\"\nteam = \"a\"\nboard = 3\n[[game]]\nround = 1\nboard = 1\nred_team = \"a\"\nred = \"a{}\"\nblack_team = \"b\"\nblack = \"b1\"\nresult = \"1-0\"\n[[game]]\nround = 1\nboard = 2\nred_team = \"b\"\nred = \"b2\"\nblack_team = \"a\"\nblack = \"a{}\"\nresult = \"1-0\"\n",
            order[0], order[1]
        )
    };
    let line_up = BTreeSet::from(["QJ907".to_owned()]);
    let none = BTreeSet::new();
    assert_eq!(faults(&team("fixed", 2300, [1, 2])), none);
    assert_eq!(faults(&team("fixed", 2300, [1, 3])), line_up);
    assert_eq!(faults(&team("fixed", 2500, [1, 2])), line_up, "rated higher behind");
    assert_eq!(faults(&team("reserves", 2300, [1, 3])), none);
    assert_eq!(faults(&team("reserves", 2300, [2, 1])), line_up);
    assert_eq!(faults(&team("free", 2300, [2, 1])), none);
    assert!(faults(&team("free", 2300, [2, 2])).contains("QJ904"), "a player on two boards");
    assert_eq!(faults(&team("free", 2300, [2, 9])), line_up, "not on the list");
}

#[test]
fn r065_all_play_all_between_two_teams() {
    let text =
        stdout(&qijian(&["pair", "samples/events/valid-all-play-all.toml", "--format", "csv"]));
    let games: BTreeSet<BTreeSet<&str>> =
        text.lines().skip(1).map(|line| line.split(',').skip(3).take(2).collect()).collect();
    assert_eq!(games.len(), 6);
    // All games are one match: the sum decides.
    let sample = fs::read_to_string(root().join("samples/events/valid-all-play-all.toml")).unwrap();
    let rows: String = [("主一", "客一", "1-0"), ("主二", "客二", "0-1"), ("主一", "客二", "1/2"), ("主二", "客一", "1-0"), ("主三", "客一", "1/2"), ("主三", "客二", "1/2")]
        .map(|(red, black, result)| format!("[[game]]\nred_team = \"主队\"\nred = \"{red}\"\nblack_team = \"客队\"\nblack = \"{black}\"\nresult = \"{result}\"\n"))
        .concat();
    let played = format!("{sample}{rows}");
    assert_eq!(ranking(&played), ["1 主队 2 场分", "2 客队 0 -"]);
    assert_eq!(faults(&played), BTreeSet::new());
    let again = format!(
        "{played}[[game]]\nred_team = \"客队\"\nred = \"客一\"\nblack_team = \"主队\"\nblack = \"主一\"\nresult = \"1-0\"\n"
    );
    assert_eq!(faults(&again), BTreeSet::from(["QJ903".to_owned()]));
}

#[test]
fn r066_r078_sum_of_members() {
    let value = json("samples/events/valid-member-sum.toml");
    let teams = value["teams"].as_array().unwrap();
    assert_eq!((teams[0]["name"].as_str(), teams[0]["points"].as_str()), (Some("东"), Some("3")));
    // Equal sums: the best place, then the second-best.
    let text = format!(
        "[event]\nname = \"x\"\nsystem = \"round-robin\"\nteam_table = \"places\"\n{}{}",
        players(4, |number| format!(
            "team = \"{}\"\n",
            if number == 1 || number == 4 { "a" } else { "b" }
        )),
        games(&[
            (1, 1, 4, "1-0"),
            (1, 2, 3, "1-0"),
            (2, 4, 3, "0-1"),
            (2, 1, 2, "1-0"),
            (3, 2, 4, "1-0"),
            (3, 3, 1, "0-1")
        ])
    );
    let loaded_text = loaded(&text);
    let members = event::standings(&loaded_text, None).members.unwrap();
    let shown: Vec<(String, Option<&str>)> = members
        .iter()
        .map(|row| {
            (
                loaded_text.event.teams[row.entrant].name.clone() + " " + &row.points.to_string(),
                row.decided_by,
            )
        })
        .collect();
    assert_eq!(shown, [("a 5".to_owned(), Some("最高名次")), ("b 5".to_owned(), None)]);
    let points = loaded(&text.replace("\"places\"", "\"points\""));
    let members = event::standings(&points, None).members.unwrap();
    assert_eq!(members[0].points.to_string(), "3");
}

// ---- colours (R067 to R071)

#[test]
fn r067_r071_colours() {
    let swapped = individual(
        "round-robin",
        "",
        4,
        &[
            (1, 4, 1, "1-0"),
            (1, 2, 3, "1-0"),
            (2, 4, 3, "1-0"),
            (2, 1, 2, "1-0"),
            (3, 2, 4, "1-0"),
            (3, 3, 1, "1-0"),
        ],
    );
    assert_eq!(faults(&swapped), BTreeSet::from(["QJ902".to_owned()]));
    // 13.5: of two games the second with colours changed.
    let two = |second: (u32, u32)| {
        individual("knockout", "games = 2", 2, &[(1, 1, 2, "1-0"), (1, second.0, second.1, "1/2")])
    };
    assert_eq!(faults(&two((2, 1))), BTreeSet::new());
    assert_eq!(faults(&two((1, 2))), BTreeSet::from(["QJ902".to_owned()]));
    // 13.2: odd and even boards.
    let header = "[event]\nname = \"x\"\nsystem = \"round-robin\"\nkind = \"team\"\nboards = 3\n";
    let right = format!("{header}{}", team_match(1, "a", "b", &["1-0", "1-0", "1/2"]));
    assert_eq!(faults(&right), BTreeSet::new());
    let wrong = right.replace(
        "board = 2\nred_team = \"b\"\nred = \"b2\"\nblack_team = \"a\"\nblack = \"a2\"",
        "board = 2\nred_team = \"a\"\nred = \"a2\"\nblack_team = \"b\"\nblack = \"b2\"",
    );
    assert_ne!(wrong, right);
    assert_eq!(faults(&wrong), BTreeSet::from(["QJ902".to_owned()]));
}

// ---- scores and ranking (R072 to R079, R083, R092)

#[test]
fn r072_r092_scales_and_forfeits() {
    let list = [(1, 1, 2, "+/-"), (2, 3, 1, "1/2"), (3, 2, 3, "-/-")];
    let text = individual("swiss", "", 3, &list);
    let points = |text: &str| -> BTreeMap<String, String> {
        let loaded = loaded(text);
        event::standings(&loaded, None)
            .ranking
            .iter()
            .map(|row| (loaded.event.name_of(row.entrant).to_owned(), row.points.to_string()))
            .collect()
    };
    let map = |values: [&str; 3]| {
        (1..)
            .zip(values)
            .map(|(number, value)| (format!("p{number}"), value.to_owned()))
            .collect::<BTreeMap<_, _>>()
    };
    assert_eq!(points(&text), map(["1.5", "0", "0.5"]));
    // + is a win on any scale.
    let two = individual("swiss", "override = { win = 2, draw = 1, loss = 0 }", 3, &list);
    assert_eq!(points(&two), map(["3", "0", "1"]));
    // R134: a league table of another game, 3/1/0: six wins and two draws are 20.
    let football: Vec<(u32, u32, u32, &str)> = (1..=8)
        .map(|round| (round, 1, round + 1, if round <= 6 { "1-0" } else { "1/2" }))
        .collect();
    let text = individual("swiss", "override = { win = 3, draw = 1, loss = 0 }", 9, &football);
    assert_eq!(ranking(&text)[0], "1 p1 20 积分");
    // A drawn game that counts for Black (the league of 2007).
    let black = individual("swiss", "override = { drawn_game = \"black_wins\" }", 3, &list);
    assert_eq!(points(&black), map(["2", "0", "0"]));
    // The table prints the signs (21.4).
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("e.toml"), individual("round-robin", "", 3, &list)).unwrap();
    let shown = stdout(&qijian_in(directory.path(), &["standings", "e.toml", "--lang", "en"]));
    let row = shown
        .lines()
        .filter(|line| line.contains("p1") || line.contains("p2"))
        .collect::<Vec<_>>()
        .join("\n");
    assert!(row.contains('+') && row.contains(" -"), "{shown}");
}

#[test]
fn r073_r076_team_points_and_round_robin_order() {
    let header = "[event]\nname = \"x\"\nsystem = \"round-robin\"\nkind = \"team\"\nboards = 3\n";
    let text = format!(
        "{header}{}{}{}",
        team_match(1, "b", "c", &["1-0", "1/2", "1/2"]),
        team_match(2, "a", "b", &["1-0", "1/2", "1/2"]),
        team_match(3, "c", "a", &["1-0", "1/2", "1/2"]),
    );
    // Each has won one match and lost one, 2 points, 3 game points, one win; each has beaten one of the others.
    assert_eq!(ranking(&text), ["1 a 2 -", "1 b 2 -", "1 c 2 -"]);
    let more = text.replacen("result = \"1/2\"", "result = \"0-1\"", 1);
    assert_eq!(ranking(&more)[0], "1 b 2 总局分");
    // 21.4: a team that does not come; + is 2.
    let absent = format!(
        "{header}[[game]]\nround = 1\nred_team = \"a\"\nblack_team = \"b\"\nresult = \"+/-\"\n"
    );
    assert_eq!(ranking(&absent), ["1 a 2 场分", "2 b 0 -"]);
}

#[test]
fn r074_round_robin_order_small_points_wins_head_to_head_fouls() {
    // 1 and 2 have 1.5 each against the same scores, no win more: the game between them decides nothing if drawn;
    // fouls do.
    let list = [
        (1, 1, 4, "1-0"),
        (1, 2, 3, "1/2"),
        (2, 4, 3, "1/2"),
        (2, 1, 2, "1/2"),
        (3, 2, 4, "1-0"),
        (3, 3, 1, "1/2"),
    ];
    let text = individual("round-robin", "", 4, &list);
    assert_eq!(ranking(&text)[..2], ["1 p1 2 -", "1 p2 2 积分"]);
    let fouls = format!("{text}[[penalty]]\nround = 2\nentrant = 1\nkind = \"foul\"\n");
    assert_eq!(ranking(&fouls)[..2], ["1 p2 2 犯规", "2 p1 2 积分"]);
    // 直胜 alone.
    let direct = individual(
        "round-robin",
        "tie_breaks = [\"直胜\"]",
        4,
        &[
            (1, 1, 4, "0-1"),
            (1, 2, 3, "1-0"),
            (2, 4, 3, "0-1"),
            (2, 1, 2, "1-0"),
            (3, 2, 4, "1-0"),
            (3, 3, 1, "0-1"),
        ],
    );
    assert_eq!(ranking(&direct)[..2], ["1 p1 2 直胜", "2 p2 2 积分"]);
    // Among three in a ring nobody has beaten all the others; a mini-table does not help either.
    let ring = individual(
        "round-robin",
        "tie_breaks = [\"直胜\"]",
        3,
        &[(1, 2, 3, "1-0"), (2, 1, 2, "1-0"), (3, 3, 1, "1-0")],
    );
    assert_eq!(ranking(&ring), ["1 p1 1 -", "1 p2 1 -", "1 p3 1 -"]);
}

#[test]
fn r075_swiss_order_and_byes_in_opponents_points() {
    let list = [(1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (2, 1, 3, "1-0"), (2, 5, 2, "0-1")];
    let byes = "[[bye]]\nround = 1\nentrant = 5\n[[bye]]\nround = 2\nentrant = 4\n";
    let opponents = |unplayed: &str| {
        let header = format!("override = {{ unplayed_opponent = \"{unplayed}\" }}");
        let loaded = loaded(&(individual("swiss", &header, 5, &list) + byes));
        let standings = event::standings(&loaded, None);
        let row =
            standings.ranking.iter().find(|row| loaded.event.name_of(row.entrant) == "p4").unwrap();
        row.tie_breaks[0].1.unwrap().to_string()
    };
    // 4 lost to 3 (1 point) and had a bye; everybody has at least 1 point.
    assert_eq!(opponents("lowest"), "2");
    assert_eq!(opponents("zero"), "1");
    assert_eq!(opponents("own"), "2");
}

#[test]
fn r077_swiss_teams() {
    let header =
        "[event]\nname = \"x\"\nsystem = \"swiss\"\nrounds = 2\nkind = \"team\"\nboards = 1\n";
    let text = format!(
        "{header}{}{}{}{}",
        team_match(1, "a", "b", &["1-0"]),
        team_match(1, "c", "d", &["1-0"]),
        team_match(2, "c", "a", &["1/2"]),
        team_match(2, "b", "d", &["1/2"]),
    );
    let loaded = loaded(&text);
    let standings = event::standings(&loaded, None);
    let names: Vec<&str> =
        standings.ranking[0].tie_breaks.iter().map(|(one, _)| one.as_str()).collect();
    assert_eq!(names, ["对手分", "总局分", "胜场", "犯规"]);
    assert_eq!(standings.ranking[0].points.to_string(), "3");
    assert_eq!(standings.ranking[0].tie_breaks[0].1.unwrap().to_string(), "4");
}

#[test]
fn r079_a_shared_title_asks_for_a_play_off_which_then_decides() {
    let value = json("samples/events/shared-place.toml");
    assert!(codes(&value).contains(&"QJ911".to_owned()));
    let text = fs::read_to_string(root().join("samples/events/shared-place.toml")).unwrap();
    let decided = format!("{text}[[decision]]\norder = [2, 1]\nby = \"play-off\"\n");
    let rows = ranking(&decided);
    assert!(rows[0].starts_with("1 乙二") && rows[0].ends_with("加赛"), "{rows:?}");
    let decided = loaded(&decided);
    let findings = event::standings(&decided, None).findings;
    assert!(findings.iter().all(|one| one.code != qijian::finding::Code::SHARED_PLACE));
}

#[test]
fn r083_sanctions_come_first_among_equal_points_by_weight_and_number() {
    let list = [
        (1, 1, 4, "1/2"),
        (1, 2, 3, "1/2"),
        (2, 4, 3, "1/2"),
        (2, 1, 2, "1/2"),
        (3, 2, 4, "1/2"),
        (3, 3, 1, "1/2"),
    ];
    let penalty = |entrant: u32, kind: &str, count: u32| {
        format!("[[penalty]]\nround = 1\nentrant = {entrant}\nkind = \"{kind}\"\ncount = {count}\n")
    };
    let text = individual("round-robin", "", 4, &list)
        + &penalty(1, "warning", 2)
        + &penalty(2, "warning", 1)
        + &penalty(3, "foul", 2);
    assert_eq!(ranking(&text), ["1 p4 1.5 犯规", "2 p3 1.5 处分", "3 p2 1.5 处分", "4 p1 1.5 -"]);
    let excluded = text.clone() + "[[penalty]]\nentrant = 4\nkind = \"exclusion\"\n";
    assert_eq!(ranking(&excluded)[3], "4 p4 1.5 -");
    let off = individual("round-robin", "override = { sanctions_first = false }", 4, &list)
        + &penalty(1, "warning", 2);
    assert_eq!(ranking(&off)[0], "1 p1 1.5 -");
}

#[test]
fn r082_sanctions_need_authority_and_an_expulsion_is_a_withdrawal() {
    let base = individual("swiss", "", 2, &[(1, 1, 2, "1-0")]);
    let by = |kind: &str, by: &str| {
        faults(&format!("{base}[[penalty]]\nentrant = 2\nkind = \"{kind}\"\nby = \"{by}\"\n"))
    };
    assert!(by("warning", "arbiter").is_empty() && by("exclusion", "chief-arbiter").is_empty());
    assert!(
        by("exclusion", "arbiter").contains("QJ918")
            && by("expulsion", "chief-arbiter").contains("QJ918")
    );
    assert!(by("expulsion", "organiser").contains("QJ901"), "no withdrawal is entered");
}

// ---- withdrawals and lateness (R085 to R091)

/// Five players, single round robin by the table; 5 withdraws after `after` rounds.
fn with_withdrawal(after: u32) -> String {
    let all = [
        (1, 2, 5, "0-1"),
        (1, 3, 4, "1-0"),
        (2, 5, 3, "1-0"),
        (2, 1, 2, "1-0"),
        (3, 3, 1, "1-0"),
        (3, 4, 5, "0-1"),
        (4, 1, 4, "1-0"),
        (4, 2, 3, "1-0"),
        (5, 5, 1, "1-0"),
        (5, 4, 2, "1-0"),
    ];
    let list: Vec<_> = all
        .into_iter()
        .filter(|(round, red, black, _)| *round <= after || (*red != 5 && *black != 5))
        .collect();
    individual("round-robin", "", 5, &list)
        + &format!("[[withdrawal]]\nentrant = 5\nafter_round = {after}\nconsent = true\n")
}

#[test]
fn r086_r087_round_robin_withdrawals() {
    // One of four opponents met: fewer than half, everything is erased; 小分 and wins too.
    let one = ranking(&with_withdrawal(1));
    assert_eq!(one.len(), 5);
    assert!(one[4].starts_with("5 p5 0"), "{one:?}");
    // 3: beat 4 and 1, lost to 2: 2 points; what 5 did to 2 is gone.
    assert!(one.iter().any(|row| row.starts_with("1 p") && row.contains(" 2 ")), "{one:?}");
    // Exactly half of four: results stand, the rest is forfeited.
    let half = ranking(&with_withdrawal(2));
    let points = |rows: &[String], name: &str| {
        rows.iter().find(|row| row.contains(name)).unwrap().split(' ').nth(2).unwrap().to_owned()
    };
    assert_eq!(points(&half, "p5"), "2");
    assert_eq!(points(&half, "p4"), "2", "4 beat 2 and gets a + from 5");
    assert_eq!(points(&one, "p4"), "1");
    // Before the start: even rest, draw anew.
    let before = loaded(&with_withdrawal(0));
    let standings = event::standings(&before, None);
    let words: Vec<&str> = standings
        .findings
        .iter()
        .filter(|one| one.code.to_string() == "QJ920")
        .map(|one| &*one.message.en)
        .collect();
    assert!(words[0].contains("draw anew"), "{words:?}");
    assert_eq!(standings.ranking.len(), 4);
}

#[test]
fn r088_swiss_withdrawals_keep_results_and_are_not_paired() {
    let base = individual(
        "swiss",
        "rounds = 3",
        6,
        &[(1, 1, 4, "1-0"), (1, 2, 5, "1-0"), (1, 3, 6, "1-0")],
    );
    let gone = format!("{base}[[withdrawal]]\nentrant = 6\nafter_round = 1\n");
    let event = loaded(&gone).event;
    let plan = event::plan(&event, 0, None, 1).unwrap();
    let paired: usize = plan.rounds[0].pairs.len() * 2 + plan.rounds[0].byes.len();
    assert_eq!(paired, 5);
    // Already paired: forfeited.
    let paired = format!("{gone}{}", games(&[(2, 6, 4, "*"), (2, 1, 2, "1/2"), (2, 3, 5, "1-0")]));
    let row = ranking(&paired).into_iter().find(|row| row.contains("p4")).unwrap();
    assert!(row.contains("p4 1 "), "{row}");
    assert!(faults(&format!("{gone}{}", games(&[(2, 6, 4, "1-0")]))).contains("QJ913"));
}

#[test]
fn r085_r089_r091_consent_and_lateness() {
    let base = |result: &str| individual("swiss", "late_minutes = 15", 2, &[(1, 1, 2, result)]);
    let late = |entrant: u32, minutes: u32| {
        format!("[[late]]\nround = 1\nentrant = {entrant}\nminutes = {minutes}\n")
    };
    let none = BTreeSet::new();
    let fault = BTreeSet::from(["QJ919".to_owned()]);
    assert_eq!(faults(&(base("1-0") + &late(2, 15))), none, "just in time");
    assert_eq!(faults(&(base("1-0") + &late(2, 16))), fault, "lost, but not by play");
    assert_eq!(faults(&(base("+/-") + &late(2, 16))), none);
    assert_eq!(faults(&(base("+/-") + &late(2, 10))), fault, "no forfeit within the limit");
    assert_eq!(faults(&(base("-/-") + &late(1, 20) + &late(2, 20))), none, "both over: both lose");
    assert_eq!(faults(&(base("+/-") + &late(1, 20) + &late(2, 20))), fault);
    let consent = base("1-0") + "[[withdrawal]]\nentrant = 2\nafter_round = 1\nconsent = false\n";
    assert_eq!(faults(&consent), BTreeSet::from(["QJ920".to_owned()]));
}

// ---- the league of 2012 (R112 to R121)

#[test]
fn r112_r114_r115_r117_r118_r120_league_sample() {
    let value = json("samples/events/valid-league.toml");
    let row = |index: usize| {
        let row = &value["ranking"][index];
        let values: Vec<&str> = row["tie_breaks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["value"].as_str().unwrap())
            .collect();
        format!(
            "{} {} {}",
            row["name"].as_str().unwrap(),
            row["points"].as_str().unwrap(),
            values.join(" ")
        )
    };
    // By hand from valid-league.csv. 红: beat 绿 5-3, lost the rapid to 黄, beat 蓝 5-3, lost to 绿 3-5, lost the rapid
    // at 黄, beat 蓝 5-3: three matches won, 6; slow 2+1+2+0+1+2 = 8; games 5+4+5+3+4+5 = 26.
    assert_eq!(row(0), "黄队 8 7 25 2 5 0");
    assert_eq!(row(1), "红队 6 8 26 3 4 0");
    // 蓝 as the away team wins at 黄 with two drawn rapid games.
    assert_eq!(row(2), "蓝队 6 6 24 2 3 0");
    assert_eq!(row(3), "绿队 4 3 21 1 2 0");
    assert_eq!(value["ranking"][1]["decided_by"], "慢棋场分");
}

#[test]
fn r116_r119_league_faults() {
    let head = "[event]\nname = \"x\"\nprofile = \"league-2012-slow\"\nsystem = \"round-robin\"\nkind = \"team\"\nboards = 2\n[[team]]\nname = \"a\"\nplayers = [\"a1\", \"a2\", \"a3\", \"a4\"]\n[[team]]\nname = \"b\"\nplayers = [\"b1\", \"b2\", \"b3\", \"b4\"]\n";
    let game = |red: &str, black: &str, result: &str, speed: &str| {
        let board =
            if speed == "slow" { format!("board = {}\n", &red[1..]) } else { String::new() };
        format!(
            "[[game]]\nround = 1\n{board}home = \"a\"\nred_team = \"{}\"\nred = \"{red}\"\nblack_team = \"{}\"\nblack = \"{black}\"\nresult = \"{result}\"\nspeed = \"{speed}\"\n",
            &red[..1],
            &black[..1]
        )
    };
    let slow = |second: &str| game("a1", "b1", "1-0", "slow") + &game("a2", "b2", second, "slow");
    let rapid = BTreeSet::from(["QJ915".to_owned()]);
    let of = |games: &str| faults(&format!("{head}{games}"));
    assert_eq!(of(&(slow("0-1") + &game("a1", "b2", "1-0", "rapid"))), BTreeSet::new());
    assert_eq!(of(&slow("0-1")), rapid, "level, no rapid game");
    assert_eq!(of(&(slow("1/2") + &game("a1", "b1", "1-0", "rapid"))), rapid, "not level");
    let drawn = game("a1", "b1", "1/2", "rapid");
    assert_eq!(of(&(slow("0-1") + &drawn)), rapid, "drawn, a second pair must play");
    assert_eq!(
        of(&(slow("0-1") + &drawn + &game("a2", "b2", "1/2", "rapid"))),
        BTreeSet::new(),
        "the away team wins"
    );
    assert_eq!(
        of(&(slow("0-1") + &drawn + &game("a1", "b2", "1-0", "rapid"))),
        rapid,
        "a1 twice (R119)"
    );
    assert_eq!(
        of(&(slow("0-1") + &game("a3", "b1", "1/2", "rapid") + &game("a4", "b2", "1-0", "rapid"))),
        rapid,
        "two substitutes (R119)"
    );
    assert_eq!(
        of(&(slow("0-1") + &game("b1", "a1", "1-0", "rapid"))),
        BTreeSet::from(["QJ902".to_owned()]),
        "home has Red (R117)"
    );
    let away_red = game("a1", "b1", "1-0", "slow") + &game("b2", "a2", "0-1", "slow");
    assert!(of(&away_red).contains("QJ902"), "R114");
    // The draw names one of each side by a seed (R117).
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("e.toml"), format!("{head}{}", slow("0-1"))).unwrap();
    let drawn = qijian_in(
        directory.path(),
        &["pair", "e.toml", "--round", "1", "--rapid", "--seed", "4", "--lang", "en"],
    );
    let text = stdout(&drawn);
    assert!(
        text.contains("lots of seed 4")
            && text.lines().any(|line| line.starts_with("a a") && line.contains(" - b b")),
        "{text}"
    );
}

#[test]
fn r121_personal_tables_use_slow_games_only() {
    let loaded = event::load(&root().join("samples/events/valid-league.toml"), None).unwrap();
    let slow: usize = loaded.event.stages[0].encounters.iter().map(|one| one.slow().count()).sum();
    assert_eq!(slow, 48);
    let personal = event::personal_table(&loaded.event);
    let games: u32 = personal.iter().map(|row| row.games).sum();
    assert_eq!(games, 96, "two players for each slow game; rapid games are left out");
    let first =
        personal.iter().find(|row| loaded.event.players[row.player].name == "红一").unwrap();
    // 红一: won against 绿一 and 蓝一, lost to 黄一 at home, drew the rest: no rapid loss or win counted.
    assert_eq!((first.games, first.points.to_string()), (6, "7".to_owned()));
}

// ---- the amateur event (R125 to R133)

#[test]
fn r126_r128_r130_r131_r132_r133_amateur_event() {
    let path = root().join("samples/events/valid-card-draw.toml");
    let mut text = fs::read_to_string(path).unwrap();
    for (round, left, pairs) in [(1, 13, 6), (2, 7, 3), (3, 4, 2), (4, 2, 1)] {
        let now = loaded(&text);
        let plan = event::plan(&now.event, 0, None, 13).unwrap();
        let planned = &plan.rounds[0];
        assert_eq!(
            (planned.number, planned.pairs.len(), planned.byes.len()),
            (round, pairs, left % 2),
            "{left} left"
        );
        for pair in &planned.pairs {
            let cards = pair.cards.unwrap();
            assert_eq!(cards, [event::Card::Red(pair.number), event::Card::Black(pair.number)]);
            let [red, black] = pair.sides.map(|one| now.event.number_of(one).unwrap());
            // Two wins of the red side, colours changing.
            text += &games(&[(round, red, black, "1-0"), (round, black, red, "0-1")]);
        }
        for bye in &planned.byes {
            let number = now.event.number_of(*bye).unwrap();
            let _ = writeln!(text, "[[bye]]\nround = {round}\nentrant = {number}");
        }
    }
    assert_eq!(faults(&text), BTreeSet::new());
    let rows = ranking(&text);
    assert!(
        rows[0].starts_with("1 ") && rows[1].starts_with("2 ") && rows[2].starts_with("3 "),
        "{rows:?}"
    );
    // R128: level after three games, an extra game or a lot.
    let three = individual(
        "knockout",
        "profile = \"amateur\"\nbest_of = 3",
        2,
        &[(1, 1, 2, "1-0"), (1, 2, 1, "1-0"), (1, 1, 2, "1/2")],
    );
    assert_eq!(faults(&three), BTreeSet::from(["QJ917".to_owned()]));
    let lot = format!("{three}[[decision]]\nround = 1\norder = [2, 1]\nby = \"lot\"\n");
    assert_eq!((faults(&lot), &ranking(&lot)[0][..4]), (BTreeSet::new(), "1 p2"));
    let extra = format!(
        "{three}[[game]]\nround = 1\nred = 1\nblack = 2\nresult = \"1-0\"\nspeed = \"rapid\"\n"
    );
    assert_eq!((faults(&extra), &ranking(&extra)[0][..4]), (BTreeSet::new(), "1 p1"));
    // R133: a second king is told, no more.
    let again =
        individual("knockout", "draw = \"cards\"", 5, &[(1, 1, 2, "1-0"), (1, 3, 4, "1-0")])
            + "[[bye]]\nround = 1\nentrant = 5\n[[bye]]\nround = 2\nentrant = 5\n"
            + &games(&[(2, 1, 3, "1-0")]);
    assert_eq!(faults(&again), BTreeSet::from(["QJ906".to_owned()]));
    // R126: two technical fouls lose.
    let fouls = |count: u32, result: &str| {
        faults(
            &(individual("knockout", "profile = \"amateur\"", 2, &[(1, 1, 2, result)])
                + &format!(
                    "[[penalty]]\nround = 1\nentrant = 1\nkind = \"foul\"\ncount = {count}\n"
                )),
        )
    };
    assert!(fouls(1, "1-0").is_empty() && fouls(2, "0-1").is_empty());
    assert_eq!(fouls(2, "1-0"), BTreeSet::from(["QJ909".to_owned()]));
}

// ---- partial data

#[test]
fn bounds_are_exact_for_few_missing_games_and_hold_for_many() {
    let value = json("samples/events/valid-partial.toml");
    let bounds: BTreeMap<&str, (u64, u64)> = value["bounds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["name"].as_str().unwrap(),
                (one["best"].as_u64().unwrap(), one["worst"].as_u64().unwrap()),
            )
        })
        .collect();
    // 甲一 and 丙三 (1.5 each) have still to meet; 乙二 has 2, 丁四 0. If they draw, all three have 2 and a share of it:
    // 乙二 drew with both and beat 丁四, as they did.
    assert_eq!(bounds["乙二"], (1, 3));
    assert_eq!(bounds["甲一"], (1, 3));
    assert_eq!(bounds["丁四"], (4, 4));
    assert_eq!(value["bounds"][0]["exact"], true);
}

/// Random round robins with some results taken away: whatever they were, the true place lies within the bounds.
#[test]
fn true_places_lie_within_the_bounds() {
    let mut lots = Lots::new(99);
    for count in [4_u32, 5, 6, 8] {
        for missing in [1, 3, 9] {
            let mut all = Vec::new();
            for round in 1..=order_table::rounds(count) {
                for (red, black) in order_table::pairs(count, round) {
                    if red.max(black) <= count {
                        all.push((
                            round,
                            red,
                            black,
                            ["1-0", "0-1", "1/2"][lots.below(3) as usize],
                        ));
                    }
                }
            }
            let full = loaded(&individual("round-robin", "", count as usize, &all));
            let truth = event::standings(&full, None);
            for at in lots.shuffled(all.len()).into_iter().take(missing) {
                all[at].3 = "*";
            }
            let partial = loaded(&individual("round-robin", "", count as usize, &all));
            let known = event::standings(&partial, None);
            let bounds = &known.stages[0].bounds;
            assert_eq!(bounds.len(), count as usize);
            for bound in bounds {
                let row = truth.ranking.iter().find(|row| row.entrant == bound.entrant).unwrap();
                assert!(bound.best <= row.place && row.place <= bound.worst, "{bound:?} {row:?}");
                assert!(bound.points.0 <= row.points && row.points <= bound.points.1);
            }
        }
    }
}

// ---- records and TRF

#[test]
fn results_and_fouls_come_from_game_records() {
    let directory = tempfile::tempdir().unwrap();
    let game = |round: u32, red: &str, black: &str, result: &str, moves: &str| {
        format!(
            "[Event \"x\"]\n[Round \"{round}\"]\n[Red \"{red}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let claim = "1. 炮二平五 马8进7 {[%claim red natural-limit]} 2. 马二进三";
    let records = game(1, "甲", "丁", "1-0", claim)
        + &game(1, "乙", "丙", "1/2-1/2", "1. 炮二平五")
        + &game(2, "丙", "己", "1-0", "1. 炮二平五");
    fs::create_dir(directory.path().join("games")).unwrap();
    fs::write(directory.path().join("games/all.pgn"), records).unwrap();
    // Nobody is entered: the records name everybody.
    fs::write(
        directory.path().join("e.toml"),
        "[event]\nname = \"x\"\nsystem = \"swiss\"\nrecords = [\"games\"]\n",
    )
    .unwrap();
    let output = qijian_in(directory.path(), &["standings", "e.toml", "--format", "json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let points: BTreeMap<&str, &str> = value["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["points"].as_str().unwrap()))
        .collect();
    assert_eq!(points["甲"], "1");
    assert_eq!(points["乙"], "0.5");
    let first =
        value["ranking"].as_array().unwrap().iter().find(|row| row["name"] == "甲").unwrap();
    let fouls =
        first["tie_breaks"].as_array().unwrap().iter().find(|one| one["name"] == "犯规").unwrap();
    assert_eq!(fouls["value"], "1", "the false claim of 23.3 is a foul");
    // A table that says otherwise, and one that leaves the result to the record.
    let table = "[event]\nname = \"x\"\nsystem = \"swiss\"\nrecords = [\"games\"]\n[[player]]\nname = \"甲\"\n[[player]]\nname = \"乙\"\n[[player]]\nname = \"丙\"\n[[player]]\nname = \"丁\"\n[[game]]\nround = 1\nred = \"甲\"\nblack = \"丁\"\nresult = \"0-1\"\n[[game]]\nround = 1\nred = \"丙\"\nblack = \"乙\"\nresult = \"*\"\n";
    fs::write(directory.path().join("e.toml"), table).unwrap();
    let output = qijian_in(directory.path(), &["standings", "e.toml", "--format", "json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = codes(&value);
    assert_eq!(
        found.iter().filter(|code| *code == "QJ910").count(),
        2,
        "the result, and the colours: {found:?}"
    );
    assert!(found.contains(&"QJ901".to_owned()), "the record of 己 is of no game");
    let points: BTreeMap<&str, &str> = value["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["points"].as_str().unwrap()))
        .collect();
    assert_eq!((points["乙"], points["丙"]), ("0.5", "0.5"));
    let unread =
        qijian_in(directory.path(), &["standings", "e.toml", "--no-records", "--format", "json"]);
    assert!(!codes(&serde_json::from_slice(&unread.stdout).unwrap()).contains(&"QJ910".to_owned()));
}

#[test]
fn trf_is_written_and_read_back() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["valid-swiss.toml", "valid-round-robin.toml", "valid.trf"] {
        let path = format!("samples/events/{name}");
        let output = qijian(&["standings", &path, "--format", "trf"]);
        let file = directory.path().join("e.trf");
        fs::write(&file, &output.stdout).unwrap();
        let file = file.to_str().unwrap();
        let (before, after) = (json(&path), json(file));
        let table = |value: &Value| -> BTreeMap<String, String> {
            value["ranking"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| {
                    (
                        row["name"].as_str().unwrap().to_owned(),
                        row["points"].as_str().unwrap().to_owned(),
                    )
                })
                .collect()
        };
        assert_eq!(table(&before), table(&after), "{name}");
        assert!(
            !codes(&after).contains(&"QJ916".to_owned()),
            "{name}: points and places are those printed"
        );
        let again = qijian(&["standings", file, "--format", "trf"]);
        assert_eq!(stdout(&output), stdout(&again), "{name}");
    }
    // The two sides of a game must agree.
    let text = fs::read_to_string(root().join("samples/events/valid.trf")).unwrap();
    let file = directory.path().join("bad.trf");
    fs::write(&file, text.replace("4 w 1", "4 w =")).unwrap();
    let value = json(file.to_str().unwrap());
    assert!(codes(&value).contains(&"QJ901".to_owned()));
}

// ---- order of entries, hostile files

/// A random event as blocks that may stand in any order.
fn blocks(seed: u64, teams: bool) -> (String, Vec<String>) {
    let mut lots = Lots::new(seed);
    let count = 3 + lots.below(8) as u32;
    let swiss = lots.below(2) == 0;
    let system = if swiss { "swiss" } else { "round-robin" };
    let kind = if teams { "team" } else { "individual" };
    let mut list = Vec::new();
    for number in 1..=count {
        let no = if seed.is_multiple_of(3) { String::new() } else { format!("no = {number}\n") };
        let table = if teams { "team" } else { "player" };
        let rating = format!("rating = {}\n", 2000 + lots.below(5) * 100);
        list.push(format!("[[{table}]]\n{no}name = \"n{number}\"\n{rating}"));
    }
    for round in 1..=order_table::rounds(count).min(5) {
        for (red, black) in order_table::pairs(count, round) {
            if red.max(black) > count {
                let free = red.min(black);
                if swiss {
                    list.push(format!("[[bye]]\nround = {round}\nentrant = \"n{free}\"\n"));
                }
                continue;
            }
            let result = ["1-0", "0-1", "1/2", "1/2", "+/-", "*"][lots.below(6) as usize];
            list.push(if teams {
                format!("[[game]]\nround = {round}\nboard = 1\nred_team = \"n{red}\"\nred = \"a{red}\"\nblack_team = \"n{black}\"\nblack = \"a{black}\"\nresult = \"{result}\"\n")
            } else {
                format!("[[game]]\nround = {round}\nred = \"n{red}\"\nblack = \"n{black}\"\nresult = \"{result}\"\n")
            });
        }
    }
    for _ in 0..lots.below(4) {
        let kind = ["foul", "warning"][lots.below(2) as usize];
        list.push(format!(
            "[[penalty]]\nround = 1\nentrant = \"n{}\"\nkind = \"{kind}\"\n",
            1 + lots.below(u64::from(count))
        ));
    }
    (format!("[event]\nname = \"x\"\nsystem = \"{system}\"\nkind = \"{kind}\"\nrounds = 5\n"), list)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_entries_changes_no_ranking_and_no_pairing(seed in 0_u64..1_000_000, order in 0_u64..1_000_000, teams: bool) {
        let (head, list) = blocks(seed, teams);
        let plain = head.clone() + &list.concat();
        let shuffled: String = Lots::new(order).shuffled(list.len()).into_iter().map(|at| list[at].as_str()).collect();
        let (one, other) = (loaded(&plain), loaded(&(head + &shuffled)));
        prop_assert_eq!(rows(&one), rows(&other));
        let bounds = |loaded: &Loaded| -> BTreeSet<String> {
            event::standings(loaded, None).stages[0].bounds.iter().map(|bound| {
                format!("{} {} {}", loaded.event.name_of(bound.entrant), bound.best, bound.worst)
            }).collect()
        };
        prop_assert_eq!(bounds(&one), bounds(&other));
        let planned = |event: &Event| event::plan(event, 0, None, 7).map(|plan| {
            plan.rounds.iter().flat_map(|round| round.pairs.clone()).map(|pair| pair.sides.map(|side| event.name_of(side).to_owned())).collect::<Vec<_>>()
        });
        prop_assert_eq!(planned(&one.event), planned(&other.event));
    }

    #[test]
    fn no_text_makes_a_reader_of_events_panic(text in "\\PC{0,200}", cut in 0_usize..4000, junk in "[\\[\\]=\"a-z0-9\\n.,{}-]{0,40}") {
        let _ = event::parse("x", &text, None, &mut |_| Ok(("c".into(), text.clone())));
        for sample in ["valid-groups.toml", "valid-league.toml", "valid.trf", "late-forfeit.toml"] {
            let whole = fs::read_to_string(root().join("samples/events").join(sample)).unwrap();
            let mut at = cut.min(whole.len());
            while !whole.is_char_boundary(at) {
                at -= 1;
            }
            let broken = format!("{}{junk}{}", &whole[..at], &whole[at..]);
            let table = fs::read_to_string(root().join("samples/events/valid-league.csv")).unwrap();
            let mut read = |_: &str| Ok(("c".to_owned(), format!("{table}{junk}")));
            if let Ok(loaded) = event::parse(sample, &broken, None, &mut read) {
                let _ = event::standings(&loaded, None);
                let _ = event::plan(&loaded.event, 0, None, 1);
            }
        }
    }
}

#[test]
fn extreme_numbers_are_kept_in_bounds() {
    let text = "[event]\nname = \"x\"\nsystem = \"swiss\"\nrounds = 4000000000\nboards = 4000000000\ncycles = 4000000000\noverride = { win = 1000000, draw = \"1/120\", loss = 0 }\n[[player]]\nno = 4294967295\nname = \"a\"\n[[player]]\nname = \"b\"\n[[game]]\nround = 4294967295\nred = \"a\"\nblack = \"b\"\nresult = \"1-0\"\n[[penalty]]\nentrant = \"a\"\nkind = \"foul\"\ncount = 4294967295\n";
    for text in
        [text.to_owned(), text.replace("swiss", "round-robin"), text.replace("swiss", "knockout")]
    {
        let loaded = loaded(&text);
        let standings = event::standings(&loaded, None);
        assert_eq!(standings.ranking.len(), 2);
        let _ = event::plan(&loaded.event, 0, None, 1);
    }
}

// ---- real events

const REAL: &str = "cases/tournaments";

/// An event file for the results of a real event, in a directory of its own.
struct Real {
    directory: tempfile::TempDir,
    cases: PathBuf,
}

impl Real {
    fn new(name: &str) -> Option<Real> {
        let cases = shared(REAL)?.join(name);
        Some(Real { directory: tempfile::tempdir().unwrap(), cases })
    }

    fn published(&self) -> Vec<csv::StringRecord> {
        let mut reader = csv::Reader::from_path(self.cases.join("published.csv")).unwrap();
        reader.records().map(Result::unwrap).collect()
    }

    fn standings(&self, header: &str, more: &str, arguments: &[&str]) -> Value {
        let games = self.cases.join("games.csv").canonicalize().unwrap();
        let text = format!(
            "[event]\nname = \"real\"\nresults = [{:?}]\n{header}\n{more}",
            games.to_str().unwrap()
        );
        fs::write(self.directory.path().join("e.toml"), text).unwrap();
        let output = self.run(&[&["standings", "e.toml", "--format", "json"], arguments].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        qijian_in(self.directory.path(), arguments)
    }
}

fn names(ranking: &Value) -> Vec<&str> {
    ranking.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

fn messages<'a>(value: &'a Value, code: &str) -> Vec<&'a str> {
    let findings = value["findings"].as_array().unwrap();
    findings
        .iter()
        .filter(|one| one["code"] == code)
        .map(|one| one["message"].as_str().unwrap())
        .collect()
}

const TWO_POINTS: &str = "override = { win = 2, draw = 1, loss = 0 }";

#[test]
fn real_1994_gaoke_cup_follows_the_order_table() {
    let Some(real) = Real::new("1994_gaoke_cup") else { return };
    let value = real.standings(&format!("system = \"round-robin\"\n{TWO_POINTS}"), "", &[]);
    // Complete, all pairs in the rounds and with the colours of the table, without the numbers being given.
    assert_eq!(codes(&value), Vec::<String>::new());
    assert_eq!(names(&value["ranking"])[..3], ["許銀川", "呂欽", "胡榮華"]);
    // With the numbers given, and two of them exchanged, the table is broken.
    let numbers: Value =
        serde_json::from_str(&fs::read_to_string(real.cases.join("event.json")).unwrap()).unwrap();
    let entries = |exchanged: bool| -> String {
        let numbers = numbers["draw_numbers_inferred"].as_object().unwrap();
        numbers
            .iter()
            .map(|(number, name)| {
                let number = match (exchanged, number.as_str()) {
                    (true, "1") => "2",
                    (true, "2") => "1",
                    (_, other) => other,
                };
                format!("[[player]]\nno = {number}\nname = {name}\n")
            })
            .collect()
    };
    let given = real.standings("system = \"round-robin\"", &entries(false), &[]);
    assert_eq!(codes(&given), Vec::<String>::new());
    let wrong = real.standings("system = \"round-robin\"", &entries(true), &[]);
    assert!(codes(&wrong).contains(&"QJ908".to_owned()));
}

#[test]
fn real_2008_asian_teams_give_the_computed_table() {
    let Some(real) = Real::new("2008_asian_team_men") else { return };
    let value = real.standings(&format!("system = \"swiss\"\nrounds = 7\n{TWO_POINTS}"), "", &[]);
    let mut reader = csv::Reader::from_path(real.cases.join("computed.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 16);
    for (row, expected) in value["ranking"].as_array().unwrap().iter().zip(&rows) {
        let values: Vec<&str> = row["tie_breaks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["value"].as_str().unwrap())
            .collect();
        let found = [
            row["name"].as_str().unwrap(),
            row["points"].as_str().unwrap(),
            values[0],
            values[1],
            values[2],
        ];
        let expected: Vec<&str> = expected.iter().skip(1).take(5).collect();
        assert_eq!(found[..], expected[..]);
    }
    // Colours on all boards, no rematch, no better pairing; one player in two spellings.
    assert_eq!(codes(&value), ["QJ921"]);
}

#[test]
fn real_2009_maoshan_cup_conflicts_are_reported() {
    let Some(real) = Real::new("2009_maoshan_cup") else { return };
    let stages = "[[stage]]\nname = \"A\"\nsystem = \"round-robin\"\n[[stage]]\nname = \"B\"\nsystem = \"round-robin\"\n[[stage]]\nname = \"final\"\nsystem = \"knockout\"\nqualifiers = [{ stage = \"A\", place = 1 }, { stage = \"B\", place = 1 }]\n";
    let published: String = real
        .published()
        .iter()
        .map(|row| {
            let points =
                if row[3].is_empty() { String::new() } else { format!("points = {}\n", &row[3]) };
            format!(
                "[[published]]\nstage = \"{}\"\nplace = {}\nentrant = \"{}\"\n{points}\n",
                &row[0], &row[1], &row[2]
            )
        })
        .collect();
    let more = format!("{stages}{published}");
    // By 15.1 (小分 first) 趙鑫鑫 would be second: what was published needs wins first.
    let seed = real.standings(TWO_POINTS, &more, &[]);
    assert!(
        messages(&seed, "QJ916")
            .iter()
            .any(|text| text.contains("於幼華") && text.contains("place")),
        "{seed}"
    );
    let wins =
        real.standings(&format!("{TWO_POINTS}\ntie_breaks = [\"胜局\", \"直胜\"]"), &more, &[]);
    let stage = |index: usize| names(&wins["stages"][index]["ranking"]).join(" ");
    assert_eq!(stage(0), "許銀川 於幼華 趙鑫鑫 呂欽 陶漢明");
    assert_eq!(stage(1), "洪智 趙國榮 柳大華 徐天紅");
    assert_eq!(names(&wins["ranking"])[..2], ["許銀川", "洪智"]);
    let mut differences = messages(&wins, "QJ916");
    differences.sort_unstable();
    assert_eq!(
        differences,
        [
            "A: points of 許銀川: published 8, by the results 6",
            "B: points of 洪智: published 5, by the results 4",
        ]
    );
    // 8 comes out if the bye counts 2, as everybody's of the five did.
    let byes: String = [(1, "許銀川"), (2, "於幼華"), (3, "陶漢明"), (4, "呂欽"), (5, "趙鑫鑫")]
        .map(|(round, name)| {
            format!("[[bye]]\nstage = \"A\"\nround = {round}\nentrant = \"{name}\"\n")
        })
        .concat();
    let with_byes = real.standings(
        &format!("{TWO_POINTS}\ntie_breaks = [\"胜局\", \"直胜\"]"),
        &format!("{more}{byes}"),
        &[],
    );
    assert_eq!(messages(&with_byes, "QJ916"), ["B: points of 洪智: published 5, by the results 4"]);
    assert!(
        !codes(&wins).iter().any(|code| code == "QJ908" || code == "QJ902"),
        "groups follow the order table"
    );
}

#[test]
fn real_2009_asian_indoor_teams_partial() {
    let Some(real) = Real::new("2009_asian_indoor_team_men") else { return };
    let header = "system = \"round-robin\"\nboards = 3\noverride = { match_win = 1, match_draw = 0.5, match_loss = 0 }";
    let value =
        real.standings(header, "[[published]]\nentrant = \"CHN\"\nplace = 1\npoints = 5\n", &[]);
    assert_eq!(value["ranking"][0]["name"], "CHN");
    assert_eq!(value["ranking"][0]["points"], "5");
    assert_eq!(
        codes(&value),
        ["QJ917"],
        "three games are missing, all pairings are the table's: {value}"
    );
    let champion =
        value["bounds"].as_array().unwrap().iter().find(|one| one["name"] == "CHN").unwrap();
    assert_eq!((champion["best"].as_u64(), champion["worst"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn real_2007_league_checkpoints_fit_the_bounds() {
    let Some(real) = Real::new("2007_league_rounds_1_17") else { return };
    let header = "system = \"round-robin\"\ncycles = 2\nrounds = 22\nboards = 4\ntie_breaks = [\"胜场\", \"总局分\"]\noverride = { drawn_game = \"black_wins\", red_boards = \"free\" }";
    let event: Value =
        serde_json::from_str(&fs::read_to_string(real.cases.join("event.json")).unwrap()).unwrap();
    let mut published = String::new();
    for checkpoint in event["published_checkpoints"].as_array().unwrap() {
        let round = checkpoint["after_round"].as_u64().unwrap();
        for (team, points) in checkpoint["points"].as_object().into_iter().flatten() {
            let _ = writeln!(
                published,
                "[[published]]\nafter_round = {round}\nentrant = \"{team}\"\npoints = {points}"
            );
        }
        for (team, place) in
            checkpoint["rank"].as_object().into_iter().flatten().filter(|_| round < 22)
        {
            let _ = writeln!(
                published,
                "[[published]]\nafter_round = {round}\nentrant = \"{team}\"\nplace = {place}"
            );
        }
    }
    let value = real.standings(header, &published, &[]);
    assert_eq!(messages(&value, "QJ916"), Vec::<&str>::new());
    // Without draws for Black the checkpoints do not come out: the check can fail.
    let draws = real.standings(&header.replace("black_wins", "draw"), &published, &[]);
    assert!(!messages(&draws, "QJ916").is_empty());
    // With the completion that event.json infers, round 10 comes out exactly.
    let completed =
        "[[game]]\nround = 1\nred_team = \"廈門\"\nblack_team = \"通訊\"\nresult = \"+/-\"\n";
    let after =
        real.standings(header, &format!("{published}{completed}"), &["--after-round", "10"]);
    let points: BTreeMap<&str, &str> = after["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["points"].as_str().unwrap()))
        .collect();
    assert_eq!(points["廈門"], "15");
}

#[test]
fn real_2005_world_men_places_fit_the_bounds() {
    let Some(real) = Real::new("2005_world_men_partial") else { return };
    let published: String = real
        .published()
        .iter()
        .map(|row| format!("[[published]]\nentrant = \"{}\"\nplace = {}\n", &row[1], &row[0]))
        .collect();
    let value =
        real.standings(&format!("system = \"swiss\"\nrounds = 11\n{TWO_POINTS}"), &published, &[]);
    assert_eq!(messages(&value, "QJ916"), Vec::<&str>::new());
    assert!(!codes(&value).contains(&"QJ903".to_owned()), "nobody met twice");
    assert_eq!(
        value["ranking"].as_array().unwrap().len(),
        value["bounds"].as_array().unwrap().len()
    );
}

// Only the top eight are known: their printed order is that of the columns printed.
#[test]
fn real_2005_nationals_order_is_that_of_its_columns() {
    let Some(real) = Real::new("2005_nationals_men_a_top8") else { return };
    let exact = |text: &str| text.parse::<qijian::rules::Exact>().unwrap_or_default();
    let keys: Vec<_> = real
        .published()
        .iter()
        .map(|row| (exact(&row[2]), exact(&row[3]), exact(&row[4])))
        .collect();
    assert_eq!(keys.len(), 8);
    assert!(keys.is_sorted_by(|a, b| a > b), "points, 对手分, 后手胜 separate all eight");
    assert_eq!(event::Criterion::from_name("后手胜"), Some(event::Criterion::BlackWins));
}

#[test]
fn real_2019_stuttgart_sums_hold() {
    let Some(real) = Real::new("2019_stuttgart_open_table_only") else { return };
    let table = |first: &str| -> String {
        real.published().iter().enumerate().map(|(index, row)| {
            let points = if index == 0 { first } else { &row[2] };
            format!("[[player]]\nname = \"{0}\"\n[[published]]\nentrant = \"{0}\"\nplace = {1}\npoints = {points}\ntie_breaks = {{ \"对手分\" = {2} }}\n", &row[1], &row[0], &row[3])
        }).collect()
    };
    let header = "system = \"swiss\"\nrounds = 5";
    let value = real.standings(header, &table("4.5"), &[]);
    assert_eq!(codes(&value), Vec::<String>::new());
    let wrong = real.standings(header, &table("5"), &[]);
    assert_eq!(messages(&wrong, "QJ916").len(), 2, "points and 对手分 no longer add up");
}

// ---- explanations

/// The sessions of `CODES.md` on events print the line that they show.
#[test]
fn explanations_show_what_is_printed() {
    let text = fs::read_to_string(root().join("src/finding/CODES.md")).unwrap();
    let mut lines = text.lines();
    let mut seen = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ qijian standings ") else { continue };
        let arguments: Vec<&str> = std::iter::once("standings").chain(command.split(' ')).collect();
        let shown = lines.find(|line| *line != "...").unwrap();
        let printed = stdout(&qijian(&arguments));
        assert!(printed.lines().any(|line| line == shown), "{command}: {shown}\n{printed}");
        seen += 1;
    }
    assert_eq!(seen, 21);
}

// ---- the inventory

/// Every row R057 to R092 and R111 to R136 stands in the table of `src/event/EVENTS.md`, with a test of this file that
/// is there, or with the entry that carries what no program can decide.
#[test]
fn every_row_of_the_inventory_is_a_test_or_an_entry() {
    let text = fs::read_to_string(root().join("src/event/EVENTS.md")).unwrap();
    let mut sources = fs::read_to_string(root().join("tests/tournaments.rs")).unwrap();
    let mut waiting = vec![root().join("src/event"), root().join("src/rules")];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            match path.extension().and_then(|extension| extension.to_str()) {
                None => waiting.push(path),
                Some("rs") => sources += &fs::read_to_string(&path).unwrap(),
                Some(_) => {}
            }
        }
    }
    let rows: BTreeMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| R"))
        .filter_map(|line| line.split_once(" | "))
        .collect();
    for number in (57..=92).chain(111..=136) {
        let id = format!("{number:03}");
        let row = rows.get(id.as_str()).unwrap_or_else(|| panic!("R{id} is missing"));
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let [_, test, entry] = cells[..] else { panic!("R{id}: {row}") };
        assert!(test != "–" || entry != "–", "R{id} has neither test nor entry");
        for name in test.split(", ").filter(|name| *name != "–") {
            let name = name.trim_matches('`');
            assert!(sources.contains(&format!("fn {name}(")), "R{id}: there is no test {name}");
        }
    }
    assert_eq!(rows.len(), 36 + 26);
}

#[test]
fn pairing_two_hundred_entries_is_whole() {
    let all: Vec<swiss::Contestant> = (0..200)
        .map(|id| swiss::Contestant {
            id,
            score: (id as i64 * 7) % 9,
            colours: swiss::Colours::default(),
            met: BTreeSet::new(),
            had_bye: false,
            floats: Vec::new(),
        })
        .collect();
    let limits = swiss::Limits { difference: 2, run: 2 };
    let round = swiss::pair(&all, false, limits, &mut Lots::new(1));
    assert_eq!(round.pairs.len(), 100);
    assert!(round.unpaired.is_empty() && round.given_up.is_empty());
}
