//! The quick way through games without a fault against the reading of everything: both must say the same.
//!
//! With `replay.tree` a check replays every game in full, which changes nothing of what it reports.

use std::{
    fs,
    io::{BufWriter, Write},
    num::NonZeroUsize,
    path::PathBuf,
};

use proptest::prelude::*;
use qijian::{
    finding::Code,
    format::pgn::plain,
    replay,
    report::GameReport,
    run::{self, Options},
    source::{self, Encoding},
};

use crate::support::{qijian, shared};

fn check(bytes: &[u8], in_full: bool) -> Vec<GameReport> {
    let replay = replay::Options { tree: in_full, ..replay::Options::default() };
    let options = Options { moves: true, replay, ..Options::default() };
    let mut reports = Vec::new();
    run::check("x.pgn", bytes, true, &options, &mut |report| reports.push(report));
    reports
}

/// Both ways say the same of `bytes`.
fn assert_alike(bytes: &[u8]) {
    let (quick, full) = (check(bytes, false), check(bytes, true));
    for (quick, full) in quick.iter().zip(&full) {
        assert_eq!(quick, full, "{}", String::from_utf8_lossy(bytes));
    }
    assert_eq!(quick.len(), full.len(), "{}", String::from_utf8_lossy(bytes));
}

/// Whether the first game is read and played by the quick way.
fn is_quick(bytes: &[u8]) -> bool {
    let at = bytes.iter().position(|byte| *byte == b'[').unwrap_or(0);
    let game = plain::read(bytes, at, source::detect(bytes));
    game.is_some_and(|game| {
        let plain::Plain { start, moves, first_round, outcome, .. } = &game;
        replay::plain(*start, moves, *first_round, *outcome, &[]).is_some()
    })
}

/// Files of the archives of PGN, every `nth` of those that are not large.
fn files(nth: usize) -> Option<Vec<Vec<u8>>> {
    let data = shared("data")?;
    let folders = ["pgn-big5-ccpd", "pgn-gbk-online", "pgn-misc"].map(|folder| data.join(folder));
    let inputs = source::inputs(&folders).step_by(nth);
    let read = inputs.filter_map(|input| input.and_then(|input| input.read()).ok());
    Some(read.filter(|bytes| bytes.len() < 1 << 18).collect())
}

fn compare(files: &[Vec<u8>]) {
    let mut quick = 0;
    for bytes in files {
        assert_alike(bytes);
        quick += usize::from(is_quick(bytes));
    }
    let _ = writeln!(std::io::stderr(), "plain: {quick} of {} files by the quick way", files.len());
    assert!(quick * 3 > files.len(), "{quick} of {}", files.len());
}

#[test]
fn real_games_are_the_same_both_ways() {
    let Some(files) = files(23) else { return };
    compare(&files);
}

#[test]
#[ignore = "minutes: every file of the archives"]
fn all_real_games_are_the_same_both_ways() {
    let Some(files) = files(1) else { return };
    compare(&files);
}

/// Real games joined in any order, with and without a heading, a remark or another game between them: each is still by itself,
/// with its number and its places.
#[test]
fn joined_games_are_the_same_both_ways() {
    let Some(mut files) = files(61) else { return };
    // Some of them in another encoding.
    let utf8 =
        files.iter().step_by(3).map(|bytes| source::Text::decode_games(bytes).as_str().into());
    files.extend(utf8.collect::<Vec<_>>());
    const BETWEEN: [&str; 11] = [
        "\n\n",
        "",
        "\n\nA heading\n\n",
        "\n\n[Red \"x\"]\n\n",
        "\n\n% escaped\n\n[Event \"x\"]\n[Red \"y\"]\n\nprose of a game without moves\n\n",
        "\n\n[Event \"x\"]\n\n1. h2e2 {not closed\n\n",
        "\n\n[Event \"x\"]\n\n1. h2e2 /* not closed\n\n",
        "\n\n[Event \"x\"]\n\n1. h2e2 */ *\n\n",
        "\n(\n",
        "\n\n[Event \"x\"]\n\n1. h2e2 (not closed\n",
        "\n\n\u{FEFF}",
    ];
    let mut dice = 1_usize;
    let mut below = |n: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % n
    };
    for _ in 0..150 {
        let mut joined = Vec::new();
        for _ in 0..2 + below(6) {
            joined.extend(BETWEEN[below(BETWEEN.len())].as_bytes());
            joined.extend(&files[below(files.len())]);
        }
        assert_alike(&joined);
    }
}

/// Without rulings all else is said as with them.
#[test]
fn rulings_that_nobody_asks_for_are_all_that_is_missing() {
    let mut ruled = 0;
    for input in source::inputs(&[PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples")]) {
        let Some(input) = input.ok() else { continue };
        let Ok(bytes) = input.read() else { continue };
        let [with, without] = [true, false].map(|rulings| {
            let options = Options { rulings, ..Options::default() };
            let mut reports = Vec::new();
            run::check(&input.name, &bytes, false, &options, &mut |report| reports.push(report));
            reports
        });
        for (mut with, without) in with.into_iter().zip(without) {
            let before = with.findings.len();
            with.findings.retain(|finding| finding.code != Code::REPETITION_RULING);
            ruled += before - with.findings.len();
            assert_eq!(with, without);
        }
    }
    assert!(ruled > 3, "{ruled}");
}

const GAME: &str = "[Game \"Chinese Chess\"]\n[Event \"全國賽\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n\n\
    1. 炮二平五 馬８進７\n2. 馬二進三 {好} 車９平８\n3. 車一平二 卒７進１\n4. 車二進六 馬２進３\n\n1-0\n\n";

#[test]
fn the_sample_of_mutations_goes_the_quick_way() {
    for encoding in [Encoding::Utf8, Encoding::Big5, Encoding::Gb18030] {
        assert!(is_quick(&encoding.encode(GAME.to_owned())), "{encoding:?}");
    }
}

/// What has been found by changing games at random: a byte that is no text behind a result, a lone `\r` in a tag.
#[test]
fn faults_between_games_are_those_of_the_game_before() {
    let byte = [GAME.trim_end().as_bytes(), b"\x80\n\n", GAME.as_bytes()].concat();
    assert_alike(&byte);
    let games: Vec<u32> = check(&byte, false)
        .iter()
        .filter(|report| report.findings.iter().any(|one| one.code == Code::UNDECODABLE_TEXT))
        .map(|report| report.game)
        .collect();
    assert_eq!(games, [1]);
    assert_alike(GAME.replace("全國", "全\r國").as_bytes());
}

/// What is put in, taken out or doubled.
fn any_change() -> impl Strategy<Value = (usize, usize, Vec<u8>)> {
    let pieces: Vec<&'static str> = vec![
        "",
        "\n",
        "\n\n",
        " ",
        "\t",
        "\r",
        ".",
        "...",
        "1. ",
        "2.",
        "*",
        "1-0",
        "0-1\n",
        "1/2-1/2",
        "[Red \"x\"]\n",
        "[",
        "]",
        "\"",
        "{",
        "}",
        "{x}",
        "/*",
        "*/",
        "(",
        ")",
        ";",
        "%",
        "!",
        "炮二平五 ",
        "將５進１",
        "前",
        "上",
        "５",
        "x",
        "====\n",
        "…",
        "\u{FEFF}",
        "｝",
    ];
    let piece = prop::sample::select(pieces).prop_map(|text| text.as_bytes().to_vec());
    let bytes = prop::collection::vec(any::<u8>(), 1..3);
    (any::<usize>(), 0..6_usize, prop_oneof![3 => piece, 1 => bytes])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn changed_games_are_the_same_both_ways(
        encoding in prop::sample::select(&[Encoding::Utf8, Encoding::Big5, Encoding::Gb18030][..]),
        copies in 1..4_usize,
        changes in prop::collection::vec(any_change(), 1..3),
    ) {
        let mut bytes = encoding.encode(GAME.repeat(copies));
        for (at, length, new) in changes {
            let at = at % (bytes.len() + 1);
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, new);
        }
        assert_alike(&bytes);
    }
}

/// A large file is read in parts, from the disk and by several threads; the places in it are those of the whole.
#[test]
fn a_large_file_is_read_in_parts() {
    in_parts(GAME);
    // As `cat` puts together files without a blank line at their end.
    in_parts(&format!("{}\n", GAME.replace(" {好}", "").trim_end()));
}

fn in_parts(game: &str) {
    let dir = tempfile::tempdir().unwrap();
    let path: PathBuf = dir.path().join("large.pgn");
    // Every hundredth game has a fault: Red's horse at h0 is hindered by the cannon.
    let fault = game.replace("車一平二", "車一平三");
    assert_ne!(fault, game);
    let copies = 4 * source::LARGE / game.len() + 300;
    let parts = source::Parts::new(game.repeat(copies).as_bytes()).count();
    assert!(parts > 10, "{parts}");
    let mut file = BufWriter::new(fs::File::create(&path).unwrap());
    let (mut places, mut offset) = (Vec::new(), 0);
    for copy in 1..=copies {
        let text = if copy % 100 == 0 { &*fault } else { game };
        if copy % 100 == 0 {
            let line = (copy - 1) * game.lines().count() + 9;
            places.push((
                copy as u64,
                line as u64,
                (offset + fault.find("車一平三").unwrap()) as u64,
            ));
        }
        file.write_all(text.as_bytes()).unwrap();
        offset += text.len();
    }
    drop(file);
    let path = path.to_string_lossy();
    let run = |jobs: &str| {
        let args = ["check", &path, "--format", "jsonl", "--select", "QJ3", "--jobs", jobs];
        qijian(&args)
    };
    let output = run("1");
    for jobs in ["2", "5"] {
        assert!(run(jobs).stdout == output.stdout, "{jobs} jobs");
    }
    let games = crate::support::lines(&output);
    assert_eq!(games.len(), copies);
    let found: Vec<_> = games
        .iter()
        .filter_map(|game| {
            let finding = game["findings"].get(0)?;
            let number = |key: &str| finding[key].as_u64().unwrap();
            Some((game["game"].as_u64().unwrap(), number("line"), number("offset")))
        })
        .collect();
    assert_eq!(found, places);
    // Read at once, as from a compressed file, the same is said.
    let bytes = fs::read(&*path).unwrap();
    let mut reports = Vec::new();
    let jobs = NonZeroUsize::MIN;
    let input = source::inputs(&[PathBuf::from(&*path)]).next().unwrap().unwrap();
    let options = Options::default();
    let mut keep = |report| {
        reports.push(report);
        true
    };
    run::check_input(&input, &options, jobs, &|report| report, &mut keep).unwrap();
    let mut whole = Vec::new();
    run::check(&input.name, &bytes, true, &options, &mut |report| whole.push(report));
    assert!(reports == whole);
    // Nobody takes more than the first game, as where a pipe is closed: the rest is not read. Several threads may be as far
    // ahead as all of a file of this size.
    let mut stop = |_| false;
    let read = run::check_input(&input, &options, jobs, &|report| report, &mut stop).unwrap();
    assert!(read < bytes.len() as u64 / 2, "{read} bytes");
}

/// What never ends is not looked for again and again: a megabyte takes as long as a megabyte.
#[test]
fn hostile_texts_take_linear_time() {
    let games = |text: &str| {
        let bytes = text.repeat((1 << 20) / text.len() - 1);
        check(bytes.as_bytes(), false).len()
    };
    for text in [
        "[Red \"x\"]\n\n1. 炮二平五 {\n\n",
        "[Red \"x\"]\n\n1. 炮二平五 {x} {",
        "[Red \"x\"]\n[Black \"",
        "x\n[Red \"x\"]\n",
        "[Red \"x\"]\n\n*\n\n",
        "\n\n[",
    ] {
        assert!(games(text) > 0, "{text}");
    }
}
