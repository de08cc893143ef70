//! `check --fix`: what is safe is repaired, everything else stays to the byte.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use proptest::prelude::*;
use qijian::{
    finding::Code,
    report::GameReport,
    run::{Fixed, Options, check, fix},
    source::{Encoding, inputs},
};
use serde_json::Value;

use crate::support::{lines, qijian, qijian_in, root, shared};

fn fixed(bytes: &[u8]) -> Fixed {
    fix("a.pgn", bytes, true, &options(), &|_| true)
}

fn options() -> Options {
    Options { moves: true, ..Options::default() }
}

/// The text after the repair, the text itself where nothing is repaired.
fn repaired(text: &str) -> String {
    match fixed(text.as_bytes()).bytes {
        Some(bytes) => String::from_utf8(bytes).unwrap(),
        None => text.to_owned(),
    }
}

fn is_fixed(data: &serde_json::Map<String, Value>) -> bool {
    data.get("fixed") == Some(&Value::Bool(true))
}

/// What a repair must not change, and how often each code is found.
type Game = (Value, BTreeMap<String, usize>);

fn games(name: &str, bytes: &[u8]) -> Vec<Game> {
    let mut games = Vec::new();
    check(name, bytes, true, &options(), &mut |report| games.push(game(&report)));
    games
}

fn game(report: &GameReport) -> Game {
    let mut codes = BTreeMap::new();
    for finding in &report.findings {
        *codes.entry(finding.code.to_string()).or_default() += 1;
    }
    let tags: Vec<_> = report.tags.iter().filter(|(key, _)| key != "result").collect();
    let moves: Vec<String> = report.moves.iter().flatten().map(ToString::to_string).collect();
    let rest = report.rest.as_ref().map(|rest| (rest.from_ply, rest.texts.clone()));
    let kept = serde_json::json!({
        "game": report.game, "format": report.format, "tags": tags, "other": report.other_tags,
        "start": report.start_fen, "moves": moves, "rest": rest, "variations": report.variations,
        "comments": report.comments, "end": report.final_fen,
        "nodes": report.counts.nodes.read, "replayed": report.counts.nodes.written,
    });
    (kept, codes)
}

/// Repairs and checks again by the command's own means: the same games, none of the repaired findings, no new one, and
/// nothing left to repair. Returns how many findings were repaired.
fn assert_sound(name: &str, bytes: &[u8]) -> usize {
    let fixed = fix(name, bytes, true, &options(), &|_| true);
    let mut count = 0;
    let mut left: Vec<BTreeMap<String, usize>> = Vec::new();
    for report in &fixed.reports {
        let mut codes = BTreeMap::new();
        for finding in &report.findings {
            let own_of_fix = [Code::TEXT_ENCODING, Code::TAG_NAME, Code::NOT_REPAIRED];
            if is_fixed(&finding.data) {
                assert!(finding.data.contains_key("was") && finding.data.contains_key("now"));
                count += 1;
            } else if !own_of_fix.contains(&finding.code) {
                *codes.entry(finding.code.to_string()).or_default() += 1;
            }
        }
        left.push(codes);
    }
    let Some(after) = fixed.bytes else {
        assert_eq!(count, 0, "{name}: repaired and not written");
        return 0;
    };
    assert!(count > 0, "{name}: written and nothing repaired");
    let (before, after_games) = (games(name, bytes), games(name, &after));
    assert_eq!(before.len(), after_games.len(), "{name}");
    for ((old, new), left) in before.iter().zip(&after_games).zip(&left) {
        assert_eq!(old.0, new.0, "{name}");
        for (code, count) in &new.1 {
            assert!(left.get(code).is_some_and(|left| left >= count), "{name}: {code} is back");
        }
    }
    let again = fix(name, &after, true, &options(), &|_| true);
    assert!(again.bytes.is_none(), "{name}: a second repair changes it again");
    count
}

#[test]
fn without_a_place_to_write_the_message_names_both() {
    let output = qijian(&["check", "--fix", "samples/valid.csv"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("-o") && told.contains("--in-place"), "{told}");
    for wrong in [&["--in-place"][..], &["--fix", "--in-place", "-o", "x"], &["--fix", "-o", "-"]] {
        let output = qijian(&[&["check", "samples/valid.csv"], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

/// The standard form of each move is that of article 7.5 and reference/notation.md.
#[test]
fn moves_are_spelled_with_as_few_changes_as_can_be() {
    for (text, expected) in [
        // Digits of the other side, in the script and width of the text.
        ("1. 炮2平5 马8进7 *", "1. 炮二平五 马8进7 *"),
        ("1. 砲2平5 馬８進７ 2. 馬2進3 車九平八 *", "1. 砲二平五 馬８進７ 2. 馬二進三 車9平8 *"),
        ("1.  炮二平五　马八进７\r\n2.马二上三 *", "1.  炮二平五　马８进７\r\n2.马二进三 *"),
        // The other side's glyph, 上 and 下, a missing step count.
        ("1. 卒七进一 兵7进 *", "1. 兵七进一 卒7进1 *"),
        ("1.馬二上三 卒7進 *", "1.馬二進三 卒7進1 *"),
        // Marks and comments behind the move stay.
        ("1. 炮2平5!? {炮2平5} 马8进7 *", "1. 炮二平五!? {炮2平5} 马8进7 *"),
        // Variations too.
        ("1. 炮二平五 马8进7 (1... 炮八平五) *", "1. 炮二平五 马8进7 (1... 炮8平5) *"),
        // Glued moves.
        ("1.炮2平5马8进72.马二进三 *", "1.炮二平五马8进72.马二进三 *"),
    ] {
        assert_eq!(repaired(text), expected);
        assert_sound("a.pgn", text.as_bytes());
    }
}

/// Standard forms are not touched: traditional, full width, 士 for Red (CONTRACT section 5, QJ203).
#[test]
fn what_is_standard_stays() {
    for text in [
        "1. 砲二平五 馬８進７ 2. 馬二進三 車９平８ *",
        "1. h2e2 h9g7 2. h0g2 *",
        "1. C2=5 H8+7 *",
        "[Event \"a\"]\r\n\r\n1. 炮25 马87\r\n*",
    ] {
        assert!(fixed(text.as_bytes()).bytes.is_none(), "{text}");
    }
}

/// Behind a place where several readings survive, or an illegal move, nobody knows the moves for certain.
#[test]
fn moves_that_are_not_settled_stay() {
    // 炮23 without bars is 炮二平三 or 炮二进三, and nothing decides.
    let ambiguous = "1. 炮23 马87 *";
    assert!(fixed(ambiguous.as_bytes()).bytes.is_none());
    // The rest behind a hobbled horse.
    let illegal = "1. 炮二平五 马8进7 2. 马二进四 车9平8 3. 车1平2 *";
    assert_eq!(repaired(illegal), illegal);
    // A ply played as it stood, and what follows.
    let stood = "1. 炮二平五 炮8平5 2. 炮五进四 马8进7 3. 马2进3 *";
    assert_eq!(repaired(stood), stood);
}

#[test]
fn numbers_follow_where_every_move_is_legal() {
    for (text, expected) in [
        (
            "1. 炮二平五 马8进7 3. 马二进三 车9平8 4. 车一平二 *",
            "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 *",
        ),
        // A slip of one number alone.
        (
            "1. 炮二平五 马8进7 12. 马二进三 车9平8 3. 车一平二 *",
            "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 *",
        ),
        ("１．炮二平五 马8进7 ３．马二进三 *", "１．炮二平五 马8进7 ２．马二进三 *"),
        (
            "第1回合 炮二平五 马8进7 第4回合 马二进三 *",
            "第1回合 炮二平五 马8进7 第2回合 马二进三 *",
        ),
        // The number of a variation that slipped along.
        (
            "1. 炮二平五 马8进7 3. 马二进三 (3. 炮八平六) *",
            "1. 炮二平五 马8进7 2. 马二进三 (2. 炮八平六) *",
        ),
    ] {
        assert_eq!(repaired(text), expected);
        assert_sound("a.pgn", text.as_bytes());
    }
    for text in [
        // Moves may be missing: an illegal one follows, or a gap.
        "1. 炮二平五 马8进7 3. 马二进四 车9平8 *",
        "1. 炮二平五 马8进7 3. 马二进三 …… 4. 车一平二 *",
        // A position of its own may start at any number.
        "[FEN \"3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1\"]\n\n9. 车一进一 将4进1 *",
    ] {
        assert_eq!(repaired(text), text);
    }
}

/// Red mates with the chariot on the back rank: articles 3.1 and 4.1.1.
const MATE: &str = "[FEN \"3k5/R8/9/9/9/9/9/9/9/4K3R w - - 0 1\"]\n\n1. 车一进九";

#[test]
fn results_are_settled_by_board_and_record_together() {
    let game = |tag: &str, marker: &str| format!("[Result \"{tag}\"]\n{MATE} {marker}\n");
    for (tag, marker, expected) in [
        ("*", "1-0", Some(("1-0", "1-0"))),
        ("", "1-0", Some(("1-0", "1-0"))),
        ("1-0", "*", Some(("1-0", "1-0"))),
        ("*", "*", Some(("1-0", "1-0"))),
        ("0-1", "1-0", Some(("1-0", "1-0"))),
        ("1-0", "1/2-1/2", Some(("1-0", "1-0"))),
        // Nothing agrees with the board: who resigned or lost on time is not on it.
        ("0-1", "0-1", None),
        ("0-1", "*", None),
        ("1-0", "1-0", None),
        ("判红胜？", "*", None),
    ] {
        let text = game(tag, marker);
        let expected = expected.map_or(text.clone(), |(tag, marker)| game(tag, marker));
        assert_eq!(repaired(&text), expected, "{tag} {marker}");
        assert_sound("a.pgn", text.as_bytes());
    }
    let open =
        |tag: &str, marker: &str| format!("[Result \"{tag}\"]\n\n1. 炮二平五 马8进7 {marker}\n");
    assert_eq!(repaired(&open("*", "1-0")), open("1-0", "1-0"));
    for (tag, marker) in [("1-0", "*"), ("1-0", "0-1"), ("*", "*"), ("和？", "1-0")] {
        assert_eq!(repaired(&open(tag, marker)), open(tag, marker));
    }
}

#[test]
fn tags_get_their_ends_and_names() {
    let text = "[white \"甲]\n[Black \"乙\"\n[Result \"*\"]\n\n1. 炮二平五 *\n";
    assert_eq!(repaired(text), "[Red \"甲\"]\n[Black \"乙\"]\n[Result \"*\"]\n\n1. 炮二平五 *\n");
    assert_sound("a.pgn", text.as_bytes());
    // Both names: which is right is not known. Quotes inside a value are no fault that has one repair.
    for text in [
        "[White \"甲\"]\n[Red \"乙\"]\n\n1. 炮二平五 *\n",
        "[Event \"\"甲杯\" 决赛\"]\n\n1. 炮二平五 *\n",
    ] {
        assert_eq!(repaired(text), text);
    }
}

#[test]
fn text_becomes_utf_8_without_a_mark() {
    let text = "[Event \"全國賽\"]\r\n\r\n1. 炮二平五 {好} 馬8進7\r\n*\r\n";
    for encoding in [Encoding::Gb18030, Encoding::Big5, Encoding::Utf16Le, Encoding::Utf16Be] {
        let bytes = encoding.encode(text.to_owned());
        let fixed = fixed(&bytes);
        assert_eq!(fixed.bytes.as_deref(), Some(text.as_bytes()), "{encoding:?}");
        let finding = &fixed.reports[0].findings[0];
        assert_eq!(finding.code, Code::TEXT_ENCODING);
        assert!(is_fixed(&finding.data));
        assert_eq!(finding.data["was"], encoding.as_str());
        assert_sound("a.pgn", &bytes);
    }
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    assert_eq!(fixed(&marked).bytes.as_deref(), Some(text.as_bytes()));
}

/// The declaration follows the text, or other programs would read garbage.
#[test]
fn a_declared_encoding_follows() {
    let page = fs::read_to_string(root().join("samples/valid-web-page.html")).unwrap();
    let page = page.replacen("<head>", "<head><meta charset=\"gb2312\">", 1);
    let page = page.replace("charset=utf-8", "charset=gb2312");
    let expected = page.replace("gb2312", "utf-8");
    let bytes = Encoding::Gb18030.encode(page.clone());
    let fixed = fix("a.html", &bytes, true, &options(), &|_| true);
    assert_eq!(fixed.bytes.map(|bytes| String::from_utf8(bytes).unwrap()), Some(expected));
}

/// Bytes that nobody can decode stay, and so does the encoding around them; the rest is repaired in it.
#[test]
fn undecodable_bytes_stay() {
    let mut bytes =
        Encoding::Gb18030.encode("[Event \"全国赛?\"]\n\n1. 炮2平5 马8进7 *\n".to_owned());
    let bad = bytes.iter().position(|byte| *byte == b'?').unwrap();
    bytes[bad] = 0xFF;
    let mut expected =
        Encoding::Gb18030.encode("[Event \"全国赛?\"]\n\n1. 炮二平五 马8进7 *\n".to_owned());
    expected[bad] = 0xFF;
    let fixed = fixed(&bytes);
    assert_eq!(fixed.bytes, Some(expected));
    let codes: Vec<Code> = fixed.reports[0].findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::NOT_REPAIRED) && codes.contains(&Code::UNDECODABLE_TEXT));
}

/// Games of three encodings in one file: each is read, told, and all become UTF-8.
#[test]
fn a_joined_file_of_several_encodings_becomes_one() {
    let game = |red: &str| {
        format!("[Red \"{red}\"]\n\n1. 炮二平五 馬8進7 2. 馬二進三 車9平8 3. 車一平二 *\n\n")
    };
    let [one, two, three] = ["許銀川", "胡榮華", "呂欽"].map(game);
    let bytes = [
        one.clone().into_bytes(),
        Encoding::Gb18030.encode(two.clone()),
        Encoding::Big5.encode(three.clone()),
    ]
    .concat();
    let file = qijian::source::detect(&bytes);
    let mut told = Vec::new();
    check("a.pgn", &bytes, true, &options(), &mut |report| {
        told.push((report.encoding, report.tag("red").map(str::to_owned), report.plies));
        // One decision for the file, and a finding for each game that is otherwise.
        let place = report.findings.first().map(|finding| (finding.code, finding.place.line));
        let is_foreign = report.encoding != Some(file.as_str());
        let expected = (Code::MIXED_ENCODINGS, Some(report.game * 4 - 3));
        assert_eq!(place, Some(expected).filter(|_| is_foreign));
        for finding in &report.findings {
            assert_eq!(finding.data["file_encoding"], file.as_str());
            let start = finding.data["start"].as_u64().unwrap() as usize;
            assert_eq!(Some(start as u64), finding.place.offset);
            assert!(bytes[start..].starts_with(b"[Red \""));
        }
    });
    let red = |name: &str| Some(name.to_owned());
    assert_eq!(
        told,
        [
            (Some("utf-8"), red("許銀川"), 5),
            (Some("gb18030"), red("胡榮華"), 5),
            (Some("big5"), red("呂欽"), 5)
        ]
    );
    let expected = [one, two, three].concat();
    assert_eq!(fixed(&bytes).bytes.as_deref(), Some(expected.as_bytes()));
    assert_sound("a.pgn", &bytes);
}

fn copied(names: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in names {
        fs::create_dir_all(dir.path().join("in/sub")).unwrap();
        fs::copy(root().join("samples").join(name), dir.path().join("in/sub").join(name)).unwrap();
    }
    dir
}

#[test]
fn a_new_tree_has_every_file_and_the_old_one_is_untouched() {
    let names = [
        "nonstandard-notation.pgn",
        "trailing-data.xqf",
        "unknown-format.txt",
        "valid-1.8.xqf",
        "valid.csv",
        "valid.zip",
        "valid.pgn.gz",
        "archive-limit.zip",
    ];
    let dir = copied(&names);
    let run = |jobs: &str, out: &str| {
        let args = ["check", "--fix", "in", "-o", out, "--jobs", jobs, "--format", "jsonl"];
        qijian_in(dir.path(), &args)
    };
    let output = run("4", "out");
    assert_eq!(output.stdout, run("1", "out1").stdout);
    for name in names {
        let [old, new, one, sample] = [
            dir.path().join("in/sub").join(name),
            dir.path().join("out/sub").join(name),
            dir.path().join("out1/sub").join(name),
            root().join("samples").join(name),
        ]
        .map(|path| fs::read(path).unwrap());
        assert_eq!(old, sample, "{name}");
        assert_eq!(new, one, "{name}");
        let changes = ["nonstandard-notation.pgn", "trailing-data.xqf"].contains(&name);
        assert_eq!(new != old, changes, "{name}");
    }
    let cut = fs::read(dir.path().join("out/sub/trailing-data.xqf")).unwrap();
    let whole = fs::read(dir.path().join("in/sub/trailing-data.xqf")).unwrap();
    assert!(whole.starts_with(&cut));
    // What is there already is not overwritten; --resume goes on, --force begins anew.
    assert_eq!(run("2", "out").status.code(), Some(2));
    fs::remove_file(dir.path().join("out/sub/trailing-data.xqf")).unwrap();
    fs::write(dir.path().join("out/sub/valid.csv"), "mine").unwrap();
    let more = |option| qijian_in(dir.path(), &["check", "--fix", "in", "-o", "out", option]);
    more("--resume");
    assert_eq!(fs::read(dir.path().join("out/sub/trailing-data.xqf")).unwrap(), cut);
    assert_eq!(fs::read(dir.path().join("out/sub/valid.csv")).unwrap(), b"mine");
    more("--force");
    assert_ne!(fs::read(dir.path().join("out/sub/valid.csv")).unwrap(), b"mine");
    // The source is never its own target.
    assert_eq!(
        qijian_in(dir.path(), &["check", "--fix", "in", "-o", "in", "--force"]).status.code(),
        Some(2)
    );
}

#[test]
fn in_place_keeps_a_backup_and_never_overwrites_one() {
    let dir = copied(&["nonstandard-notation.pgn", "valid.csv"]);
    let at = |name: &str| dir.path().join("in/sub").join(name);
    let old = fs::read(at("nonstandard-notation.pgn")).unwrap();
    let run = || qijian_in(dir.path(), &["check", "--fix", "--in-place", "in"]);
    assert_eq!(run().status.code(), Some(0));
    let new = fs::read(at("nonstandard-notation.pgn")).unwrap();
    assert_ne!(new, old);
    assert_eq!(fs::read(at("nonstandard-notation.pgn.bak")).unwrap(), old);
    assert!(!at("valid.csv.bak").exists());
    // Again: nothing is left to do, and the backup is no input.
    assert_eq!(run().status.code(), Some(0));
    assert_eq!(fs::read_dir(dir.path().join("in/sub")).unwrap().count(), 3);
    // A new fault where a backup is: refused, and nothing changes.
    fs::write(at("nonstandard-notation.pgn"), "1. 炮2平5 *").unwrap();
    let output = run();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains(".bak"));
    assert_eq!(fs::read(at("nonstandard-notation.pgn")).unwrap(), "1. 炮2平5 *".as_bytes());
    assert_eq!(fs::read(at("nonstandard-notation.pgn.bak")).unwrap(), old);
    assert_eq!(fs::read_dir(dir.path().join("in/sub")).unwrap().count(), 3);
}

#[test]
fn an_error_that_is_repaired_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    fs::write(&path, format!("[Result \"0-1\"]\n{MATE} 1-0\n")).unwrap();
    let run = |args: &[&str]| qijian_in(dir.path(), args);
    assert_eq!(run(&["check", "a.pgn"]).status.code(), Some(1));
    let output = run(&["check", "--fix", "a.pgn", "-o", "b.pgn", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding = &told["games"][0]["findings"][0];
    assert_eq!(finding["code"], "QJ401");
    assert_eq!(finding["data"]["fixed"], true);
    assert_eq!((&finding["data"]["was"], &finding["data"]["now"]), (&"0-1".into(), &"1-0".into()));
    assert_eq!(told["summary"]["fixed"], serde_json::json!({"files": 1, "findings": {"QJ401": 1}}));
    assert_eq!(run(&["check", "b.pgn"]).status.code(), Some(0));
    // What is not asked for is not repaired.
    let output = run(&["check", "--fix", "a.pgn", "-o", "c.pgn", "--ignore", "QJ401"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read(dir.path().join("c.pgn")).unwrap(), fs::read(&path).unwrap());
}

/// Every repair is listed in the text too, where findings are otherwise shown three of a kind.
#[test]
fn every_repair_is_listed() {
    let dir = tempfile::tempdir().unwrap();
    let moves = "1. 炮2平5 马八进七 2. 马2进3 车九平八 3. 车1平2 卒七进一 *";
    fs::write(dir.path().join("a.pgn"), moves).unwrap();
    let output = qijian_in(dir.path(), &["check", "--fix", "a.pgn", "-o", "b.pgn", "--lang", "zh"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for now in ["炮二平五", "马8进7", "马二进三", "车9平8", "车一平二", "卒7进1"]
    {
        assert!(text.lines().any(|l| l.contains("→ ") && l.contains(now)), "{now}\n{text}");
    }
    assert!(text.contains("已修复：6 处，改动文件 1"), "{text}");
}

#[test]
fn compressed_files_are_refused_and_copied() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = zip::ZipWriter::new(fs::File::create(dir.path().join("a.zip")).unwrap());
    writer.start_file("x.pgn", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut writer, "1. 炮2平5 *".as_bytes()).unwrap();
    writer.finish().unwrap();
    let output =
        qijian_in(dir.path(), &["check", "--fix", "a.zip", "-o", "out", "--format", "jsonl"]);
    let told = lines(&output);
    let codes: Vec<&str> = told[0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["QJ013", "QJ203"]);
    assert!(told[0]["findings"][1]["data"].get("fixed").is_none());
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert_eq!(read("a.zip"), read("out/a.zip"));
}

#[test]
fn the_samples_are_sound() {
    let mut repaired = 0;
    for input in inputs(&[root().join("samples")]).flatten() {
        if let Ok(bytes) = input.read() {
            repaired += assert_sound(&input.name, &bytes);
        }
    }
    assert!(repaired >= 14, "{repaired}");
}

/// Every folder of text files, some of each; all of them: `tests/oracle/README.md`.
#[test]
fn real_text_files_are_sound() {
    let Some(data) = shared("data") else { return };
    let (mut files, mut repaired) = (0, 0);
    for (folder, every) in [
        ("pgn-misc", 1),
        ("pgn-big5-ccpd", 200),
        ("pgn-gbk-online", 100),
        ("wxf-txt", 10),
        ("dhtmlxq", 40),
        ("cbf", 10),
        ("csv-elephantchess", 1),
        ("xqf", 200),
        ("xqr", 20),
        ("mxq", 4),
    ] {
        let paths: Vec<PathBuf> = vec![data.join(folder)];
        for input in inputs(&paths).flatten().step_by(every).filter(|input| input.size < 1 << 20) {
            if let Ok(bytes) = input.read() {
                repaired += assert_sound(&input.name, &bytes);
                files += 1;
            }
        }
    }
    assert!(files > 200 && repaired > 100, "{files} {repaired}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Damaged files: never a panic, and what is written is sound.
    #[test]
    fn damaged_files_are_repaired_soundly_or_not_at_all(
        sample in prop::sample::select(&[
            "nonstandard-notation.pgn", "move-number.pgn", "result-unstated.pgn", "valid-gb18030.pgn",
            "valid-big5.pgn", "trailing-data.xqf", "valid-many-games.pgn", "valid.csv", "valid-game.wxf",
            "move-number-sheet.txt", "valid-web-page.html", "valid.cbf", "valid.jsonl",
        ][..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6),
    ) {
        let mut bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(sample)).unwrap();
        for (index, byte, how) in changes {
            let at = index.index(bytes.len().max(1)).min(bytes.len());
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.splice(at..(at + usize::from(byte % 8)).min(bytes.len()), None); }
            }
        }
        assert_sound(sample, &bytes);
    }
}
