//! `convert` into each format that can be written: what the target holds is read back, what it does not is told; and
//! files that are split, joined, left for later and interrupted.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use qijian::{
    format::{self, Format},
    record::{Outcome, standard_key},
    run::{Conversion, convert},
    source::Input,
};

use crate::{
    convert::{GAME, Kept, games, names, stderr, tree},
    support::{qijian_in, root, shared, stdout},
};

/// How the conversions into one format went.
#[derive(Default, Debug)]
struct Figures {
    games: usize,
    nodes: usize,
    comments: usize,
    /// Games for which something is told, by part.
    told: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

/// The files below `directory` and the members of its archives.
fn inputs(directory: &Path) -> Vec<Input> {
    qijian::source::inputs(&[directory.to_owned()]).filter_map(Result::ok).collect()
}

impl Figures {
    /// Converts each game of a file by itself, so that what is told is known game by game.
    fn add(&mut self, name: &str, bytes: &[u8], to: Format) {
        let options = Conversion { to, ..Conversion::default() };
        let mut told: Vec<Vec<String>> = Vec::new();
        let out = convert(name, bytes, true, &options, &mut |report| {
            let parts =
                report.findings.iter().filter(|finding| finding.code.to_string() == "QJ010");
            let whole = |finding: &qijian::finding::Finding| finding.data.contains_key("more");
            let mut parts: Vec<String> = parts
                .flat_map(|finding| {
                    let more = whole(finding).then(|| "more".to_owned());
                    [finding.data["part"].as_str().map(str::to_owned), more]
                })
                .flatten()
                .collect();
            parts.dedup();
            if report.game > 0 {
                told.push(parts);
            }
        });
        let Some(out) = out else { return };
        let before = games(bytes, None, None, true);
        let after = games(&out, Some(to), None, true);
        for part in told.iter().flatten() {
            *self.told.entry(part.clone()).or_default() += 1;
        }
        // A list of moves has no line for a game without a start position.
        let unwritten =
            told.iter().filter(|parts| parts.iter().any(|part| part == "start")).count();
        if before.len() != after.len() {
            if to == Format::Moves && before.len() == after.len() + unwritten {
                return;
            }
            self.wrong.push(format!("{name}: {} games, {}", before.len(), after.len()));
            return;
        }
        for ((before, after), told) in before.iter().zip(&after).zip(&told) {
            self.games += 1;
            self.nodes += before.nodes.len();
            self.comments += before.nodes.iter().map(|ply| ply.comments.len()).sum::<usize>();
            let told = |part: &str| told.iter().any(|one| one == part || one == "more");
            // The reader of sheets takes a remark such as 黑方认负 for a result where none stands.
            let told = |part: &str| {
                told(part)
                    || part == "result"
                        && to == Format::Sheet
                        && outcome(before) == Outcome::Unknown
            };
            if let Some(what) = lost(before, after, &told) {
                self.wrong.push(format!("{name}: {what}"));
            }
        }
    }

    /// Prints the figures and gives the first of what went wrong.
    fn judge(self, what: &str) -> impl Iterator<Item = String> + use<> {
        eprintln!(
            "{what}: {} games, {} nodes, {} comments; {} differ in silence; told: {:?}",
            self.games,
            self.nodes,
            self.comments,
            self.wrong.len(),
            self.told
        );
        let what = what.to_owned();
        self.wrong.into_iter().take(10).map(move |wrong| format!("{what}: {wrong}"))
    }
}

/// The recorded result: the end marker, else the tag (CONTRACT section 4), as formats have one or the other.
fn outcome(kept: &Kept) -> Outcome {
    let tag = || {
        let tag = kept.tags.iter().find(|(name, _)| standard_key(name) == Some("result"))?;
        Outcome::from_text(&tag.1)
    };
    match kept.outcome {
        Outcome::Unknown => tag().unwrap_or(Outcome::Unknown),
        outcome => outcome,
    }
}

/// What is not the same although nothing was told of it.
fn lost(before: &Kept, after: &Kept, told: &dyn Fn(&str) -> bool) -> Option<String> {
    let moves = |kept: &Kept| -> Vec<_> {
        kept.nodes.iter().map(|ply| (ply.depth, ply.played.clone().ok())).collect()
    };
    let marks =
        |kept: &Kept| -> Vec<_> { kept.nodes.iter().map(|ply| ply.marks.clone()).collect() };
    // Blanks around a comment and the kind of its line ends are no content.
    let comments = |kept: &Kept| -> Vec<_> {
        let of = |comments: &[String]| {
            let plain: Vec<&str> =
                comments.iter().flat_map(|text| text.lines()).map(str::trim).collect();
            plain.join("\n").trim().to_owned()
        };
        std::iter::once(of(&kept.root))
            .chain(kept.nodes.iter().map(|ply| of(&ply.comments)))
            .collect::<Vec<_>>()
    };
    let difference = |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
        let cut = |text: String| text.chars().take(400).collect::<String>();
        Some(format!("{what} {} | {}", cut(format!("{a:?}")), cut(format!("{b:?}"))))
    };
    if !told("move") {
        let (a, b) = (moves(before), moves(after));
        if a != b {
            let at = a.iter().zip(&b).position(|(a, b)| a != b);
            return difference("moves", &at.map(|at| (at, a[at])), &at.map(|at| b[at]));
        }
        if !told("marks") && marks(before) != marks(after) {
            return difference("marks", &marks(before), &marks(after));
        }
        // A tag without a place may stand as a remark on the whole game, and is told.
        let from = usize::from(told("tag"));
        let (a, b) = (comments(before).split_off(from), comments(after).split_off(from));
        if !told("comment") && a != b {
            let at = a.iter().zip(&b).position(|(a, b)| a != b);
            return difference("comment", &at.map(|at| (at, &a[at])), &at.map(|at| &b[at]));
        }
        if before.after_end != after.after_end {
            return difference("behind the end", &before.after_end, &after.after_end);
        }
    }
    if !told("start") && before.start != after.start {
        return difference("start", &before.start, &after.start);
    }
    // The tag that says it may be what is told.
    if !told("result") && !told("tag") && outcome(before) != outcome(after) {
        return difference("result", &outcome(before), &outcome(after));
    }
    None
}

/// Into each format but PGN, which `convert.rs` looks at more closely.
fn into_each(files: &[Input], what: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for to in Format::WRITTEN {
        let mut figures = Figures::default();
        for input in files {
            if let Ok(bytes) = input.read() {
                figures.add(&input.name, &bytes, to);
            }
        }
        wrong.extend(figures.judge(&format!("{what} to {}", to.as_str())));
    }
    wrong
}

#[track_caller]
fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} differ in silence:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn samples_are_read_back_from_every_format() {
    none(&into_each(&inputs(&root().join("samples")), "samples"));
}

/// Every folder of the archive, each `step`th file of it.
fn real_files(step: usize) {
    let Some(data) = shared("data") else { return };
    let mut folders: Vec<PathBuf> = fs::read_dir(&data)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let mut wrong = Vec::new();
    for folder in folders {
        let files: Vec<Input> = inputs(&folder).into_iter().step_by(step).collect();
        wrong.extend(into_each(&files, &folder.file_name().unwrap().to_string_lossy()));
    }
    none(&wrong);
}

#[test]
fn real_files_are_read_back_from_every_format() {
    real_files(50);
}

#[test]
#[ignore = "many minutes"]
fn all_real_files_are_read_back_from_every_format() {
    real_files(1);
}

/// XQF and CBR files are the same bytes when nothing is asked to change.
#[test]
fn the_same_format_gives_the_same_file() {
    for name in ["valid-1.8.xqf", "valid-1.0.xqf", "valid.cbr"] {
        let bytes = fs::read(root().join("samples").join(name)).unwrap();
        let to = format::sniff(&bytes, None).unwrap();
        let options = Conversion { to, ..Conversion::default() };
        assert!(convert(name, &bytes, true, &options, &mut |_| {}).unwrap() == bytes, "{name}");
    }
}

#[test]
fn the_target_format_is_named_or_told_by_the_extension() {
    let dir = tree(&[("a.pgn", GAME), ("in/b.pgn", GAME)]);
    let run = |arguments: &[&str]| qijian_in(dir.path(), arguments);
    let sniffed = |name: &str| format::sniff(&fs::read(dir.path().join(name)).unwrap(), None);
    for (out, format) in [
        ("x.XQF", Format::Xqf),
        ("x.cbr", Format::Cbr),
        ("x.wxf", Format::Wxf),
        ("x.dhtmlxq", Format::Dhtmlxq),
        ("x.ucci", Format::Moves),
        ("x.jsonl", Format::Json),
        ("x.pgn", Format::Pgn),
        ("x.txt", Format::Pgn),
    ] {
        let output = run(&["convert", "a.pgn", "-o", out]);
        assert_eq!(output.status.code(), Some(0), "{out} {}", stderr(&output));
        assert_eq!(sniffed(out), Some(format), "{out}");
    }
    assert_eq!(run(&["convert", "a.pgn", "-o", "y.pgn", "--to", "sheet"]).status.code(), Some(0));
    assert_eq!(sniffed("y.pgn"), Some(Format::Sheet));
    // A directory has the extension of the format, not the format that its own name ends in.
    assert_eq!(run(&["convert", "in", "-o", "d.xqf"]).status.code(), Some(0));
    assert_eq!(names(&dir.path().join("d.xqf")), ["b.pgn"]);
    assert_eq!(run(&["convert", "in", "-o", "d", "--to", "sheet"]).status.code(), Some(0));
    assert_eq!(names(&dir.path().join("d")), ["b.txt"]);
}

#[test]
fn what_a_format_cannot_be_written_in_is_wrong_usage() {
    let dir = tree(&[("a.pgn", GAME)]);
    for (arguments, says) in [
        (&["--to", "xqf", "--notation", "iccs"][..], "--notation iccs"),
        (&["--to", "wxf", "--notation", "chinese"], "--notation chinese"),
        (&["--to", "dhtmlxq", "--notation", "uci"], "--notation uci"),
        (&["--to", "moves", "--notation", "uci"], "--notation uci"),
        (&["--to", "cbr", "--encoding", "big5"], "--encoding big5"),
        (&["--to", "xqf", "--join"], "--join"),
        (&["--to", "cbl"], "cbl"),
        (&["--split", "--join"], "--join"),
        (&["--resume", "--force"], "--force"),
    ] {
        let all = [&["convert", "a.pgn", "-o", "out"], arguments].concat();
        let output = qijian_in(dir.path(), &all);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(says), "{arguments:?} {}", stderr(&output));
    }
    for (to, notation) in [("moves", "iccs"), ("wxf", "wxf")] {
        let all = ["convert", "a.pgn", "-o", "-", "--to", to, "--notation", notation];
        assert_eq!(qijian_in(dir.path(), &all).status.code(), Some(0));
    }
    assert_eq!(names(dir.path()), ["a.pgn"]);
}

fn three() -> String {
    ["炮二平五", "兵七进一", "马二进三"]
        .map(|text| format!("[Event \"{text}\"]\n\n1. {text}\n*\n"))
        .join("\n")
}

#[test]
fn several_games_need_split_where_the_format_holds_one() {
    let dir = tree(&[("in/a.pgn", &three()), ("in/a-1.pgn", GAME)]);
    let run = |arguments: &[&str]| qijian_in(dir.path(), arguments);
    let output = run(&["convert", "in", "-o", "one", "--to", "xqf"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--split"));
    // The other files still go.
    assert_eq!(names(&dir.path().join("one")), ["a-1.xqf"]);
    let output = run(&["convert", "in", "-o", "apart", "--to", "xqf", "--split"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let files = ["a-1-1.xqf", "a-1.xqf", "a-2.xqf", "a-3.xqf"];
    assert_eq!(names(&dir.path().join("apart")), files);
    // Again: refused as a whole, or only what is missing.
    fs::remove_file(dir.path().join("apart/a-2.xqf")).unwrap();
    assert_eq!(
        run(&["convert", "in", "-o", "apart", "--to", "xqf", "--split"]).status.code(),
        Some(2)
    );
    assert!(!dir.path().join("apart/a-2.xqf").exists());
    let output = run(&["convert", "in", "-o", "apart", "--to", "xqf", "--split", "--resume"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("(3 there already, skipped)"), "{}", stderr(&output));
    assert_eq!(names(&dir.path().join("apart")), files);
    // And back into one.
    let output = run(&["convert", "apart", "-o", "all.pgn", "--join", "--notation", "iccs"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(dir.path().join("all.pgn")).unwrap();
    let moves: Vec<&str> = text.lines().filter(|line| line.starts_with("1.")).collect();
    assert_eq!(moves, ["1. h2e2 h9g7", "1. h2e2", "1. c3c4", "1. h0g2"]);
}

/// Each format that holds many games reads back as many as were joined; UTF-16 has one BOM.
#[test]
fn joined_files_hold_every_game() {
    let dir = tree(&[("in/a.pgn", &three()), ("in/b.pgn", GAME), ("in/c.md", "hello")]);
    for to in Format::WRITTEN.into_iter().filter(|format| format.holds_many()) {
        for encoding in to.encodings() {
            let arguments = ["convert", "in", "-o", "-", "--join", "--to", to.as_str()];
            let all = [&arguments[..], &["--encoding", encoding.as_str()]].concat();
            let output = qijian_in(dir.path(), &all);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            let read = games(&output.stdout, Some(to), None, true);
            let plies: Vec<usize> = read.iter().map(|game| game.nodes.len()).collect();
            assert_eq!(plies, [1, 1, 1, 2], "{to:?} {encoding:?} {:?}", output.stdout);
        }
    }
    // Nothing is written over, and a file below the input is no input.
    let run = |arguments: &[&str]| qijian_in(dir.path(), arguments);
    assert_eq!(run(&["convert", "in", "-o", "in/all.pgn", "--join"]).status.code(), Some(0));
    assert_eq!(run(&["convert", "in", "-o", "in/all.pgn", "--join"]).status.code(), Some(2));
    let before = fs::read(dir.path().join("in/all.pgn")).unwrap();
    assert_eq!(
        run(&["convert", "in", "-o", "in/all.pgn", "--join", "--force"]).status.code(),
        Some(0)
    );
    assert!(fs::read(dir.path().join("in/all.pgn")).unwrap() == before);
}

/// An archive is a directory: its members go into the same tree, and never out of it.
#[test]
fn members_of_an_archive_go_to_a_tree() {
    let dir = tree(&[]);
    let zip = root().join("samples/valid.zip");
    let output = qijian_in(dir.path(), &["convert", zip.to_str().unwrap(), "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let inputs = qijian::source::inputs(&[zip]).count();
    assert_eq!(names(&dir.path().join("out")).len(), inputs);
    assert!(stdout(&output).is_empty());
}

/// The files below `directory` with their bytes.
fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| {
        let bytes = fs::read(directory.join(&name)).unwrap();
        (name, bytes)
    };
    names(directory).into_iter().map(read).collect()
}

/// A run that has been interrupted once it had written some files.
#[cfg(unix)]
fn interrupted(dir: &Path, signal: &str) -> (i32, String) {
    let child: Child = Command::new(env!("CARGO_BIN_EXE_qijian"))
        .args(["convert", "in", "-o", "out", "--jobs", "2", "--quiet"])
        .current_dir(dir)
        .env_remove("LC_ALL")
        .env("LANG", "C")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let written = || fs::read_dir(dir.join("out")).map_or(0, Iterator::count);
    while written() < 20 {
        std::thread::yield_now();
    }
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap_or(-1), stderr(&output))
}

/// Issue 4: a directory of 1 000 files stops cleanly on Ctrl-C and continues with `--resume`.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_whole_files_and_goes_on() {
    let dir = tree(&[]);
    fs::create_dir(dir.path().join("in")).unwrap();
    for index in 0..1000 {
        let text = format!("[Event \"{index}\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8\n*\n");
        fs::write(dir.path().join(format!("in/{index:04}.pgn")), text).unwrap();
    }
    let whole = qijian_in(dir.path(), &["convert", "in", "-o", "whole", "--quiet"]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let whole = contents(&dir.path().join("whole"));
    assert_eq!(whole.len(), 1000);
    for signal in ["-INT", "-TERM"] {
        let (status, says) = interrupted(dir.path(), signal);
        assert_eq!(status, 2, "{says}");
        assert!(says.contains("--resume"), "{says}");
        let part = contents(&dir.path().join("out"));
        assert!(part.len() < 1000, "it was not interrupted");
        // No hidden file is left, and each that is there is whole.
        assert!(
            part.iter().all(|file| whole.contains(file)),
            "{:?}",
            names(&dir.path().join("out"))
        );
        let output = qijian_in(dir.path(), &["convert", "in", "-o", "out", "--resume"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let skipped = format!("({} there already, skipped)", part.len());
        assert!(stderr(&output).contains(&skipped), "{}", stderr(&output));
        assert!(contents(&dir.path().join("out")) == whole);
        fs::remove_dir_all(dir.path().join("out")).unwrap();
    }
}
