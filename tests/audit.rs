//! `qijian audit`: sheets made by hand, what stays open, hostile input.

use std::{fs, path::Path, process::Output};

use serde_json::{Value, json};

use crate::support::{qijian, qijian_in, stdout};

const RED: &str = "samples/valid-audit-red.txt";
const BLACK: &str = "samples/audit-gap-black.txt";

/// The audit of these files.
fn audit(arguments: &[&str]) -> Value {
    let output = qijian(&[&["audit"], arguments, &["--format", "json"]].concat());
    serde_json::from_str(&stdout(&output)).expect("one JSON object")
}

/// The audit of these texts, each in a file of its own.
fn audit_of(texts: &[&str]) -> Value {
    let directory = tempfile::tempdir().unwrap();
    audit_in(directory.path(), texts)
}

/// `audit` of these texts, each in a file of its own.
fn run_in(directory: &Path, texts: &[&str], options: &[&str]) -> Output {
    let names: Vec<String> = (0..texts.len()).map(|number| format!("{number}.txt")).collect();
    for (name, text) in names.iter().zip(texts) {
        fs::write(directory.join(name), text).unwrap();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    qijian_in(directory, &[&["audit"], &names[..], options].concat())
}

fn audit_in(directory: &Path, texts: &[&str]) -> Value {
    let output = run_in(directory, texts, &["--format", "json"]);
    serde_json::from_str(&stdout(&output))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn codes(audit: &Value) -> Vec<&str> {
    let findings = audit["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

fn finding<'v>(audit: &'v Value, code: &str) -> &'v Value {
    let findings = audit["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["code"] == code).expect(code)
}

/// CONTRACT section 4, and 7.1: what Black lacks Red supplies, each ply has its witness.
#[test]
fn each_sheet_supplies_what_the_other_lacks() {
    let audit = audit(&[RED, BLACK]);
    assert_eq!(audit["sheets"][0]["owner"], "red");
    assert_eq!(audit["sheets"][1]["owner"], "black");
    assert_eq!(audit["sheets"][0]["plies_written"], 12);
    assert_eq!(
        (&audit["sheets"][1]["plies_written"], &audit["sheets"][1]["omitted"]),
        (&json!(11), &json!(1))
    );
    let reconciled = &audit["reconciled"];
    assert_eq!(reconciled["moves"][4], "i0h0");
    assert_eq!(reconciled["witness"][4], "red");
    assert_eq!(reconciled["witness"][0], "both");
    let gap = finding(&audit, "QJ701");
    assert_eq!((&gap["data"]["sheet"], &gap["data"]["after_ply"]), (&json!("black"), &json!(4)));
}

/// 车二进六 and 车二进五 are both legal and so is all that follows: told, whatever is taken.
#[test]
fn a_contradiction_is_never_silent() {
    let audit = audit(&[RED, BLACK]);
    let findings = audit["findings"].as_array().unwrap();
    let told =
        findings.iter().find(|one| one["code"] == "QJ703" && one["ply"] == 7).expect("QJ703");
    assert_eq!(told["data"]["texts"], json!(["车二进六", "车二进五"]));
    let leads = told["data"]["leads_to"].as_array().unwrap();
    assert!(leads.iter().all(|one| one["legal"] == true && one["to_end"] == true));
    // Also where one of them is impossible.
    let good = "1. 炮二平五 马8进7 2. 马二进三 车9平8 *";
    let bad = "1. 炮二平五 马8进7 2. 马二进四 车9平8 *";
    let one = audit_of(&[good, bad]);
    assert_eq!(one["reconciled"]["moves"], json!(["h2e2", "h9g7", "h0g2", "i9h9"]));
    assert_eq!(one["reconciled"]["witness"][2], "red");
    let told = finding(&one, "QJ703");
    assert_eq!(told["ply"], 3);
    assert_eq!(told["data"]["leads_to"][1]["legal"], false);
    assert!(codes(&one).contains(&"QJ301"), "the fault stays an error of its sheet");
}

/// 10.1: results and signatures.
#[test]
fn results_and_signatures_are_compared() {
    let audit = audit(&[RED, BLACK]);
    let kinds: Vec<&str> = audit["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["code"] == "QJ703")
        .filter_map(|one| one["data"]["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"result") && kinds.contains(&"signature"), "{kinds:?}");
    assert_eq!(audit["recorded"], json!(["1-0", "1/2-1/2"]));
    assert_eq!(audit["verdict"]["result"], "*");
}

/// Two orders of two rounds lead to the same position, and nothing tells which was played: open, or told by QJ703.
#[test]
fn rounds_in_another_order_are_told() {
    let one = "1. 炮二平五 马8进7 2. 兵三进一 卒3进1 3. 兵九进一 卒1进1 4. 马二进三 车9平8 *";
    let two = "1. 炮二平五 马8进7 2. 兵九进一 卒1进1 3. 兵三进一 卒3进1 4. 马二进三 车9平8 *";
    let audit = audit_of(&[one, two]);
    let open = audit["reconciled"]["open"].as_array().unwrap();
    assert!(!open.is_empty() || codes(&audit).contains(&"QJ703"));
    assert_eq!(audit["reconciled"]["line"].as_array().unwrap().len(), 8);
}

/// Both lack a ply and many would fit: the game stops before it, and the readings are listed.
#[test]
fn what_nobody_has_stays_open() {
    let sheet = "1. 炮二平五 …… 2. 马二进三 车9平8 *";
    let audit = audit_of(&[sheet, sheet]);
    let reconciled = &audit["reconciled"];
    assert_eq!(reconciled["moves"], json!(["h2e2"]));
    let open = &reconciled["open"][0];
    assert_eq!(open["ply"], 2);
    // The chariot leaves i9 for h9, so it is the horse of h9 that has moved.
    let readings = open["readings"].as_array().unwrap();
    assert!(readings.contains(&json!(["h9g7"])) && readings.len() <= 3, "{readings:?}");
}

/// Of one sheet, the only filling is taken and said to be reconstructed; check leaves it out.
#[test]
fn the_only_filling_is_reconstructed() {
    // The chariot gives check on the d file; the general can only go to e9, for Red's own holds the f file.
    let sheet = "[FEN \"3k5/9/9/9/R8/9/9/9/9/5K3 w - - 0 1\"]\n\n1. 车九平六 …… 2. 车六进一 *";
    let audit = audit_of(&[sheet]);
    let reconciled = &audit["reconciled"];
    assert_eq!(reconciled["moves"], json!(["a5d5", "d9e9", "d5d6"]));
    assert_eq!(reconciled["witness"], json!(["unnamed", "reconstructed", "unnamed"]));
    assert_eq!(finding(&audit, "QJ704")["ply"], 2);
    assert_eq!(finding(&audit, "QJ701")["data"]["unique"], true);
}

/// CONTRACT section 5, `QJ701`: the whole round is missing, QJ301 stays.
#[test]
fn an_unmarked_round_is_found() {
    let audit = audit(&["samples/omitted-round.pgn"]);
    assert_eq!(codes(&audit)[..2], ["QJ301", "QJ701"]);
    let data = &finding(&audit, "QJ701")["data"];
    assert_eq!(
        (&data["missing"], &data["after_ply"], &data["marked"]),
        (&json!(2), &json!(2), &json!(false))
    );
    assert_eq!(data["sides"], json!(["red", "black"]));
    assert_eq!(data["candidates"][0]["moves"][0], "h0g2");
    assert_eq!(audit["reconciled"]["open"][0]["ply"], 3);
}

/// A text one stroke off is corrected, not filled up: a slip explains more with less.
#[test]
fn a_slip_is_no_omission() {
    let text = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 卒7进1 4. 车二进六 马2进4 5. 兵七进一 炮8平9 *";
    let audit = audit_of(&[text]);
    assert!(!codes(&audit).contains(&"QJ701"), "{:?}", codes(&audit));
    let corrections = finding(&audit, "QJ301")["data"]["corrections"].as_array().unwrap();
    assert_eq!(corrections[0]["fault"], "slip");
    assert_eq!(corrections[0]["move"], "b9c7");
}

/// Places to look are hints: a game of the books has none worth an error, and none is a warning.
#[test]
fn places_to_look_are_information() {
    let audit = audit(&[RED]);
    for one in audit["findings"].as_array().unwrap() {
        assert_eq!((&one["code"], &one["severity"]), (&json!("QJ705"), &json!("info")));
    }
}

/// `-o` writes what is settled, in the format of the extension; a file that exists stays.
#[test]
fn the_reconciled_game_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out.xqf");
    let path = out.to_str().unwrap();
    let first = qijian(&["audit", RED, BLACK, "-o", path]);
    assert_eq!(first.status.code(), Some(0));
    let read = qijian(&["check", path, "--format", "jsonl", "--moves"]);
    let game: Value = serde_json::from_str(stdout(&read).trim()).unwrap();
    assert_eq!(game["moves"], audit(&[RED, BLACK])["reconciled"]["moves"]);
    assert_eq!(qijian(&["audit", RED, "-o", path]).status.code(), Some(2));
    assert_eq!(qijian(&["audit", RED, "-o", path, "--force"]).status.code(), Some(0));
}

/// A single sheet that does not say whose it is belongs to nobody, in either language, and on the page too.
#[test]
fn a_sheet_without_an_owner_is_nobodys() {
    let path = "samples/arbiter/6-increment-fail.pgn";
    let told = |more: &[&str]| stdout(&qijian(&[&["audit", path], more].concat()));
    assert!(told(&["--lang", "zh"]).starts_with(&format!("未注明归属的记录 {path}：")));
    assert!(told(&["--lang", "en"]).starts_with(&format!("unnamed player's sheet {path}: ")));
    let zh = told(&["--lang", "zh", "--format", "html"]);
    let en = told(&["--lang", "en", "--format", "html"]);
    assert!(zh.contains("<th>记录（未注明归属）</th>") && zh.contains("<td>所给记录</td>"));
    assert!(en.contains("<th>Sheet (owner not named)</th>") && en.contains("<td>the sheet</td>"));
}

/// What the clock says stands on the page in words of one language.
const BEGUN: &str = "| 1 | 炮二平五 | 马8进7 |\n| 2 | 马二进三 | 车9平8 |";
const GONE_ON: &str =
    "| 5 | 兵七进一 | 炮8平9 |\n| 6 | 车二进六 | 士4进5 |\n| 7 | 马七进六 | 象3进5 |";

/// A sheet of fourteen plies that lacks these rounds.
fn sheet(owner: &str, rounds: &str, foot: &str) -> String {
    format!(
        "红方：甲\n黑方：乙\n记录者：{owner}\n\n| 回合 | 红方 | 黑方 |\n| --- | --- | --- |\n{BEGUN}\n{rounds}\n{GONE_ON}\n\n{foot}\n"
    )
}

const KEPT: &str = "| 3 | 车一平二 | 马2进3 |\n| 4 | 马八进七 | 卒7进1 |";
const LEFT_OUT: &str = "| 3 |  |  |\n| 4 |  |  |";

/// The audit of these texts for people.
fn told(texts: &[&str], options: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    stdout(&run_in(directory.path(), texts, options))
}

/// CONTRACT section 4: the order decides where the sheets contradict each other, but nothing is settled in silence.
#[test]
fn two_sheets_of_one_player_are_told() {
    let (red, other) = (sheet("红方", KEPT, ""), sheet("红方", LEFT_OUT, ""));
    let audit = audit_of(&[&red, &other]);
    assert_eq!(audit["sheets"][1]["owner"], "black");
    let clash = audit["findings"].as_array().unwrap();
    let clash = clash.iter().find(|one| one["data"]["kind"] == "owner").expect("a finding");
    assert_eq!((&clash["code"], &clash["line"]), (&json!("QJ703"), &json!(3)));
}

/// Four plies that both sheets lack can be filled in several orders: each reading is written as it would be on a board on
/// which it can be played. By hand: without 马2进3 before, 马 from b9 to c7 is 马2进3.
#[test]
fn open_plies_are_written_as_they_can_be_played() {
    let (red, black) = (sheet("红方", LEFT_OUT, ""), sheet("黑方", LEFT_OUT, ""));
    let text = told(&[&red, &black], &["--lang", "zh"]);
    let open: Vec<&str> = text.lines().filter(|line| line.contains("着未定")).collect();
    assert!(open.len() > 1 && open.iter().all(|line| line.contains("马2进3")), "{text}");
    let page = told(&[&red, &black], &["--lang", "zh", "--format", "html"]);
    assert!(page.contains("马2进3") && !page.contains("卒2进2"));
    // The time left is not known: no more than a foul that may be one.
    assert!(text.contains("红方可能犯规 1 次：7.1") && !text.contains("红方犯规"), "{text}");
}

/// What else the verdict may be stands in the text too; with results that contradict each other it is either.
#[test]
fn other_verdicts_are_told_in_words() {
    let red = sheet("红方", KEPT, "结果：红胜");
    let black = sheet("黑方", KEPT, "结果：黑胜");
    let text = told(&[&red, &black], &["--lang", "zh"]);
    for words in ["裁定：未定", "证据也容许：红胜", "证据也容许：黑胜"] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

/// 10.1: times that differ are told once a kind, where they part by more than the unit they are told in.
#[test]
fn times_are_compared() {
    let sheet = |owner: &str, left: [&str; 2]| {
        let rows = format!(
            "| 1 | 炮二平五 | {} | 马8进7 | 50:00 |\n| 2 | 马二进三 | {} | 车9平8 | 40:00 |",
            left[0], left[1]
        );
        format!(
            "记录者：{owner}\n\n| 回合 | 红方 | 红余时 | 黑方 | 黑余时 |\n| --- | --- | --- | --- | --- |\n{rows}\n"
        )
    };
    let told = |black: [&str; 2]| {
        let audit = audit_of(&[&sheet("红方", ["50:00", "30:00"]), &sheet("黑方", black)]);
        let findings = audit["findings"].as_array().unwrap().clone();
        let time = |one: &&Value| one["code"] == "QJ703" && one["data"]["kind"] == "time";
        findings
            .iter()
            .filter(time)
            .map(|one| (one["ply"].clone(), one["data"]["count"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(["50:00", "30:01"]), []);
    assert_eq!(told(["50:00", "31:00"]), [(json!(3), json!(1))]);
    assert_eq!(told(["49:00", "5:00"]), [(json!(1), json!(2))]);
}

/// What a sheet lacks is told at a place in that sheet: at its blank cell, else where the next move stands.
#[test]
fn an_omission_has_its_place_in_the_sheet_that_lacks_it() {
    let red = "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n3. 车一平二 马2进3 *";
    for (black, line) in [
        ("记录者：黑方\n\n1. 炮二平五 马8进7\n\n2. …… 车9平8\n3. 车一平二 马2进3 *", 5),
        ("记录者：黑方\n\n1. 炮二平五 马8进7\n\n2. 车9平8\n3. 车一平二 马2进3 *", 5),
    ] {
        let audit = audit_of(&[red, black]);
        let gap = finding(&audit, "QJ701");
        assert_eq!((&gap["data"]["sheet_no"], &gap["line"]), (&json!(2), &json!(line)), "{gap}");
    }
}

/// 7.3: an impossible move of a single sheet is no reason to pass over what is written; the corrections and the way without the
/// round are readings of an open ply.
#[test]
fn a_single_sheet_is_not_shortened_in_silence() {
    let sheet = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 马三进二 卒7进1 5. 兵七进一 炮8进4 *";
    let audit = audit_of(&[sheet]);
    assert_eq!(audit["reconciled"]["moves"].as_array().unwrap().len(), 6);
    let open = &audit["reconciled"]["open"][0];
    assert_eq!((&open["ply"], &open["texts"][0]), (&json!(7), &json!("马三进二")));
    let readings = open["readings"].as_array().unwrap();
    let begins = |mv: &str| readings.iter().any(|reading| reading[0] == mv);
    assert!(begins("b0c2") && begins("c3c4"), "{open}");
    // A round written twice is what it is.
    let twice = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 马二进三 车9平8 4. 车一平二 马2进3 *";
    let audit = audit_of(&[twice]);
    assert_eq!(audit["reconciled"]["moves"].as_array().unwrap().len(), 6);
}

/// Sheets that agree on less than half of the shorter one may be of two games; those of one game with a slip do not, nor do
/// sheets with the moves of one side each.
#[test]
fn sheets_of_two_games_are_told() {
    let one = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 5. 车二进六 炮8平9 *";
    let slip = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 5. 车二进六 炮8平6 *";
    let other = "1. 兵七进一 炮2平3 2. 炮二平五 象3进5 3. 马二进三 车9进1 4. 车一平二 车9平6 5. 马八进九 卒3进1 *";
    let red = "1. 炮二平五 …… 2. 马二进三 …… 3. 车一平二 …… *";
    let black = "1. …… 马8进7 2. …… 车9平8 3. …… 马2进3 *";
    let told = |sheets: [&str; 2]| {
        let audit = audit_of(&sheets);
        let of_game = |one: &Value| one["data"]["kind"] == "game";
        audit["findings"].as_array().unwrap().iter().any(of_game)
    };
    assert!(told([one, other]));
    assert!(!told([one, slip]));
    assert!(!told([red, black]));
    assert!(!told([one, one]));
}

/// 3.1, 4.1.1: what is written behind a mate is no part of the game, and no other move is looked for in its place.
#[test]
fn a_move_behind_a_mate_changes_nothing() {
    let fen = "[FEN \"4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1\"]";
    for (moves, sheets) in [("1. b1b9 e9e8", 1), ("1. b1b9 e9e8", 2), ("1. b1b9", 1)] {
        let text = format!("{fen}\n\n{moves} *\n");
        let audit = audit_of(&vec![text.as_str(); sheets]);
        let verdict = &audit["verdict"];
        assert_eq!((&verdict["result"], &verdict["reason"]), (&json!("1-0"), &json!("checkmate")));
        assert_eq!((&verdict["ply"], &verdict["article"]), (&json!(1), &json!("4.1.1")));
        assert_eq!(audit["reconciled"]["moves"], json!(["b1b9"]));
        assert_eq!(audit["reconciled"]["open"], json!([]));
        let told = codes(&audit).iter().filter(|code| **code == "QJ302").count();
        assert_eq!(told, if moves.ends_with("e8") { sheets } else { 0 }, "{:?}", codes(&audit));
    }
}

/// 4.1.6: two witnesses of the same illegal move at the end of the game are no weaker than one.
#[test]
fn an_illegal_last_move_on_both_sheets() {
    let rounds = "| 3 | 车一平二 | 马2进3 |\n| 4 | 马八进七 | 卒7进1 |\n| 5 | 车二进九 |  |";
    let sheet = |owner: &str| {
        format!(
            "记录者：{owner}\n\n| 回合 | 红方 | 黑方 |\n| --- | --- | --- |\n{BEGUN}\n{rounds}\n\n结果：黑胜\n"
        )
    };
    let audit = audit_of(&[&sheet("红方"), &sheet("黑方")]);
    let verdict = &audit["verdict"];
    assert_eq!(
        (&verdict["reason"], &verdict["article"]),
        (&json!("illegal_move"), &json!("4.1.6"))
    );
    assert_eq!((&verdict["result"], &verdict["ply"]), (&json!("0-1"), &json!(9)));
    let both = finding(&audit, "QJ703")["message"].as_str().unwrap();
    assert!(both.starts_with("both sheets have 车二进九"), "{both}");
}

/// Whoever has a move in another place bears no witness to it here.
#[test]
fn rounds_exchanged_have_one_witness() {
    let exchanged = "| 3 | 马八进七 | 卒7进1 |\n| 4 | 车一平二 | 马2进3 |";
    let audit = audit_of(&[&sheet("红方", KEPT, ""), &sheet("黑方", exchanged, "")]);
    let reconciled = &audit["reconciled"];
    for ply in 4..8 {
        let witness = &reconciled["witness"][ply];
        assert!(*witness != "both", "{ply}: {reconciled}");
    }
    for open in reconciled["open"].as_array().unwrap() {
        let texts = open["texts"].as_array().unwrap();
        assert_ne!(texts[0], texts[1], "{open}");
    }
}

/// Twelve marked plies are omitted, though too many to be filled in.
#[test]
fn a_wide_gap_is_counted() {
    let blanks: String = (3..=8).map(|round| format!("| {round} |  |  |\n")).collect();
    let text = format!(
        "记录者：黑方\n\n| 回合 | 红方 | 黑方 |\n| --- | --- | --- |\n{BEGUN}\n{blanks}| 9 | 炮八平九 | 炮9平7 |\n"
    );
    // Three fouls in one entry, none of them certain.
    let page = told(&[&text], &["--lang", "en", "--format", "html"]);
    assert!(page.contains(">1–3</td>") && page.contains("<td>possible</td>"), "{page}");
    let sheets = &audit_of(&[&text])["sheets"];
    assert_eq!((&sheets[0]["omitted"], &sheets[0]["plies_written"]), (&json!(12), &json!(6)));
}

#[test]
fn the_clock_is_told_in_words() {
    let page = |lang| {
        let path = "samples/arbiter/6-increment-fail.pgn";
        stdout(&qijian(&["audit", path, "--lang", lang, "--format", "html"]))
    };
    let clock = |lang, heading: &str| {
        let page = page(lang);
        let (_, clock) = page.split_once(heading).expect("a heading");
        clock[..clock.find("</table>").expect("a table")].to_owned()
    };
    let (zh, en) = (clock("zh", "<h2>用时</h2>"), clock("en", "<h2>Clock</h2>"));
    assert!(zh.contains("<td>时限</td>") && zh.contains("<td>违规</td>"), "{zh}");
    assert!(en.contains("<td>period</td>") && en.contains("<td>fail</td>"), "{en}");
    assert!(!zh.contains("overstepped") && !en.contains("超时"));
    assert!([zh, en].iter().all(|table| !table.contains("{")));
}

#[test]
fn wrong_usage_is_no_audit() {
    for arguments in [&["audit"][..], &["audit", RED, RED, RED], &["audit", "samples/nothing.pgn"]]
    {
        assert_eq!(qijian(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(qijian(&["audit", "samples/valid-many-games.pgn"]).status.code(), Some(2));
    assert_eq!(qijian(&["audit", "samples/unknown-format.txt"]).status.code(), Some(2));
}

/// Ten thousand blanks, lengths that contradict each other, an empty sheet, the same file twice: an answer each time.
#[test]
fn hostile_sheets_have_an_answer() {
    let blanks = format!("1. 炮二平五 {} *", "…… ".repeat(10_000));
    let long = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 *";
    let empty = "[Event \"?\"]\n\n*";
    let nonsense = format!("1. {} *", "炮二平五 ".repeat(500));
    let said = "1. 炮二平五 {[%missing 4294967295]} 马8进7 *";
    for texts in [
        &[blanks.as_str()][..],
        &[&blanks, long],
        &[empty],
        &[empty, long],
        &[long, empty],
        &[nonsense.as_str(), &nonsense],
        &[&nonsense, long],
        &[said],
        &[said, long],
    ] {
        let audit = audit_of(texts);
        assert_eq!(audit["sheets"].as_array().unwrap().len(), texts.len());
    }
    let twice = audit(&[RED, RED]);
    assert_eq!(twice["reconciled"]["witness"][0], "both");
    // Whatever else is wrong, one sheet is not those of two players.
    assert_eq!(
        (codes(&twice), &twice["findings"][0]["data"]["kind"]),
        (vec!["QJ703"], &"owner".into())
    );
}

/// A sheet of another game, or of another start: nothing is forced together.
#[test]
fn sheets_of_different_games_do_not_fit() {
    let one = "1. 炮二平五 马8进7 2. 马二进三 车9平8 *";
    let other = "1. 兵七进一 炮2平3 2. 相三进五 象3进5 *";
    let audit = audit_of(&[one, other]);
    let moves = audit["reconciled"]["moves"].as_array().unwrap();
    assert!(codes(&audit).contains(&"QJ703") || moves.is_empty());
}

/// CONTRACT section 6: `[%missing N]` marks plies left out. Of an odd number the ply behind is the other side's: Red's move of
/// the second round is missing, 马8进7 is Black's, and 车一平二 is Red's third, which has the round that is written.
#[test]
fn an_odd_number_of_plies_is_missing() {
    let sheet = "1. 炮二平五 炮8平5 {[%missing 1]} 2. 马8进7 3. 车一平二 {[%clk 0:10:00]} 车9平8 4. 车二进六 *";
    let alone = audit_of(&[sheet]);
    assert_eq!(codes(&alone), ["QJ701"]);
    let gap = &alone["findings"][0]["data"];
    assert_eq!((&gap["after_ply"], &gap["missing"]), (&2.into(), &1.into()));
    assert_eq!(gap["sides"], json!(["red"]));
    // The one move that lets the chariot go to 二 at all is one of the horse.
    assert_eq!(gap["candidates"][0]["moves"][0], "h0g2");
    let plies: Vec<u64> = alone["sheets"][0]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|cell| cell["ply"].as_u64())
        .collect();
    assert_eq!(plies, [1, 2, 3, 4, 5, 6, 7]);
    // The clock stands behind the fifth ply, which is Red's.
    let clocks = |side: &str| alone["clock"][side].as_array().unwrap().len();
    assert!(clocks("red") >= clocks("black"));
    // With a sheet that has it all, the remark is filled and does not end the game.
    let whole = "1. 炮二平五 炮8平5 2. 马二进三 马8进7 3. 车一平二 车9平8 4. 车二进六 *";
    let both = audit_of(&[sheet, whole]);
    assert_eq!(both["reconciled"]["moves"].as_array().unwrap().len(), 7);
    assert_eq!(codes(&both), ["QJ701"]);
}
