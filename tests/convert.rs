//! `convert`: what is written is read back as the same game, and no file is harmed.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use qijian::{
    board::Move,
    format::{self, Format},
    notation::Notation,
    record::{NodeId, Outcome, Record, Tree, Written, standard_key},
    replay,
    run::{Conversion, convert},
};

use crate::support::{lines, qijian, qijian_in, root, shared, stdout};

/// A game as a reader sees it, without the texts of moves that were played: what a conversion must keep.
#[derive(PartialEq, Debug)]
pub(crate) struct Kept {
    /// Those that conversion adds or changes (`Format`, `FEN` for a bare position, `[Event "?"]`) left out.
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) start: Option<String>,
    pub(crate) outcome: Outcome,
    /// In the order of a walk that takes the main line first.
    pub(crate) nodes: Vec<Ply>,
    pub(crate) root: Vec<String>,
    pub(crate) after_end: usize,
}

#[derive(PartialEq, Debug)]
pub(crate) struct Ply {
    pub(crate) depth: usize,
    /// The move, or the text where it was not played.
    pub(crate) played: Result<Move, String>,
    pub(crate) marks: String,
    /// Not the empty ones.
    pub(crate) comments: Vec<String>,
}

/// What `record` holds. `added`: the tags of the conversion are taken away.
fn kept(record: &Record<'_>, game: &replay::Game, added: bool) -> Kept {
    let tags = record.tags.iter().filter(|tag| {
        let of_conversion = match standard_key(&tag.name) {
            Some("format") => true,
            Some("fen") => true,
            Some("event") => tag.value == "?",
            _ => false,
        };
        !(added && of_conversion)
    });
    let mut comments: Vec<Vec<String>> = vec![Vec::new(); record.tree.len() + 1];
    for comment in record.tree.comments.iter().filter(|comment| !comment.text.trim().is_empty()) {
        comments[comment.node.index()].push(comment.text.to_string());
    }
    let ply = |id: NodeId, depth| {
        let node = record.tree.node(id);
        let text = match node.written {
            Written::Text(text) => text.to_owned(),
            Written::Squares { from: Some(from), to: Some(to), .. } => format!("{from}{to}"),
            // What has no text becomes an omitted ply with a comment; see `of_squares`.
            Written::Squares { raw: [from, to], .. } => format!("[%written {from:02X} {to:02X}]"),
            Written::Omitted => "……".to_owned(),
        };
        Ply {
            depth,
            played: game.played[id.index()].ok_or(text),
            marks: node.marks.to_owned(),
            comments: comments[id.index()].clone(),
        }
    };
    Kept {
        tags: tags.map(|tag| (tag.name.to_string(), tag.value.to_string())).collect(),
        // The counters of a FEN are not in a board.
        start: game
            .start
            .as_ref()
            .map(|start| start.fen())
            .map(|fen| fen.split(' ').take(2).collect::<Vec<_>>().join(" ")),
        // The marker, else the tag (CONTRACT section 4, `result`).
        outcome: record
            .result
            .as_ref()
            .map(|result| result.outcome)
            .or_else(|| Outcome::from_text(&record.tag("result")?.value))
            .unwrap_or(Outcome::Unknown),
        nodes: walk(&record.tree).into_iter().map(|(id, depth)| ply(id, depth)).collect(),
        root: comments[0].clone(),
        after_end: record.after_end.len(),
    }
}

fn walk(tree: &Tree<'_>) -> Vec<(NodeId, usize)> {
    let mut found = Vec::new();
    let mut waiting: Vec<(NodeId, usize)> =
        tree.first_child(NodeId::ROOT).map(|id| (id, 1)).into_iter().collect();
    while let Some((id, depth)) = waiting.pop() {
        found.push((id, depth));
        waiting.extend(tree.next_sibling(id).map(|next| (next, depth)));
        waiting.extend(tree.first_child(id).map(|next| (next, depth + 1)));
    }
    found
}

/// Every game of `bytes`.
pub(crate) fn games(
    bytes: &[u8],
    format: Option<Format>,
    notation: Option<Notation>,
    added: bool,
) -> Vec<Kept> {
    let options = replay::Options { tree: true, notation, ..replay::Options::default() };
    let mut found = Vec::new();
    let Some(format) = format.or_else(|| format::sniff(bytes, None)) else { return found };
    format::read(bytes, format, None, &mut |record, locate, _| {
        let game = replay::replay(&record, locate, &options);
        found.push(kept(&record, &game, added));
    });
    found
}

/// Plies of a binary file that no text can hold are read back as omitted ones, with the bytes in a comment.
fn of_squares(games: &mut [Kept]) {
    for ply in games.iter_mut().flat_map(|game| &mut game.nodes) {
        if let Err(text) = &ply.played
            && text.starts_with("[%written")
        {
            ply.comments.insert(0, text.clone());
            ply.played = Err("……".to_owned());
        }
    }
}

/// How a file went.
#[derive(Default)]
struct Figures {
    files: usize,
    games: usize,
    nodes: usize,
    comments: usize,
    /// Conversions whose report says that something could not be held.
    told: Vec<String>,
    wrong: Vec<String>,
}

impl Figures {
    fn add(&mut self, name: &str, bytes: &[u8], notation: Option<Notation>) {
        let mut told = false;
        let options = Conversion { notation, ..Conversion::default() };
        let mut refused = 0;
        let out = convert(name, bytes, true, &options, &mut |report| {
            told |= report.findings.iter().any(|finding| finding.code.to_string() == "QJ010");
            for tally in [report.counts.games, report.counts.nodes, report.counts.comments] {
                assert_eq!(tally.read, tally.written + tally.refused, "{name}");
            }
            refused += report.counts.nodes.refused + report.counts.comments.refused;
        });
        let Some(out) = out else { return };
        let mut before = games(bytes, None, None, true);
        of_squares(&mut before);
        // The usual notations need not be named to be found again.
        let hint = notation.filter(|notation| {
            !matches!(notation, Notation::Chinese | Notation::Iccs | Notation::Wxf)
        });
        let after = games(&out, None, hint, true);
        self.files += 1;
        self.games += before.len();
        for game in &before {
            self.nodes += game.nodes.len();
            self.comments +=
                game.nodes.iter().map(|ply| ply.comments.len()).sum::<usize>() + game.root.len();
        }
        if told {
            self.told.push(format!("{name} as {notation:?}: {refused} refused"));
        }
        // Losses are told, and their effect on this comparison is not worked out here; they are counted.
        if before == after || told {
            return;
        }
        let what = before.iter().zip(&after).find(|(a, b)| a != b).map_or_else(
            || format!("{} games, {}", before.len(), after.len()),
            |(a, b)| difference(a, b),
        );
        self.wrong.push(format!("{name} as {notation:?}: {what}"));
    }

    #[track_caller]
    fn judge(&self, what: &str) {
        eprintln!(
            "{what}: {} conversions of {} games, {} nodes, {} comments; {} differ, {} told of losses",
            self.files,
            self.games,
            self.nodes,
            self.comments,
            self.wrong.len(),
            self.told.len()
        );
        // UTF-8 and the tree of PGN hold everything that these files have.
        assert!(self.told.is_empty(), "told of losses:\n{}", self.told.join("\n"));
        let first: Vec<&str> = self.wrong.iter().take(20).map(String::as_str).collect();
        assert!(self.wrong.is_empty(), "{} differ:\n{}", self.wrong.len(), first.join("\n"));
    }
}

fn difference(a: &Kept, b: &Kept) -> String {
    let ply = a.nodes.iter().zip(&b.nodes).position(|(a, b)| a != b);
    match ply {
        _ if a.tags != b.tags => format!("tags {:?} | {:?}", a.tags, b.tags),
        _ if a.start != b.start => format!("start {:?} | {:?}", a.start, b.start),
        _ if a.outcome != b.outcome => format!("{:?} | {:?}", a.outcome, b.outcome),
        _ if a.root != b.root => format!("root {:?} | {:?}", a.root, b.root),
        Some(at) => format!("node {at}: {:?} | {:?}", a.nodes[at], b.nodes[at]),
        None => format!(
            "{} nodes | {}, {} | {} behind the end",
            a.nodes.len(),
            b.nodes.len(),
            a.after_end,
            b.after_end
        ),
    }
}

fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let inputs = qijian::source::inputs(&[directory.to_owned()])
        .filter_map(|input| input.unwrap().path)
        .collect::<Vec<_>>();
    inputs
        .into_iter()
        .filter(|path| {
            let own = path.extension().and_then(|own| own.to_str()).unwrap_or_default();
            own.to_ascii_lowercase().starts_with(extension)
        })
        .collect()
}

/// Real files into PGN in each notation, every `step`th of them.
fn round_trips(step: usize) {
    let Some(data) = shared("data") else { return };
    for extension in ["xqf", "pgn"] {
        let files = files(&data, extension);
        assert!(files.len() > 3000, "{} files", files.len());
        for notation in [None, Some(Notation::Chinese), Some(Notation::Iccs), Some(Notation::Wxf)] {
            let mut figures = Figures::default();
            for path in files.iter().step_by(step) {
                let bytes = fs::read(path).unwrap();
                let name = path.strip_prefix(&data).unwrap().display().to_string();
                figures.add(&name, &bytes, notation);
            }
            figures.judge(&format!(
                "{extension} to {}",
                notation.map_or("as written", Notation::as_str)
            ));
        }
    }
}

#[test]
fn real_games_are_read_back_equal() {
    round_trips(7);
}

#[test]
#[ignore = "some minutes"]
fn all_real_games_are_read_back_equal() {
    round_trips(1);
}

#[test]
fn samples_are_read_back_equal() {
    let mut figures = Figures::default();
    for path in files(&root().join("samples"), "") {
        let bytes = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for notation in std::iter::once(None).chain(Notation::ALL.map(Some)) {
            figures.add(&name, &bytes, notation);
        }
    }
    assert!(figures.files > 150);
    figures.judge("samples");
}

/// Four chariot moves along the rank have no bar in the short form: as bars are not seen, each may be a retreat as well. It is
/// told; with an advance among them it is clear what a move without a bar is.
#[test]
fn a_short_form_that_is_read_otherwise_is_told() {
    let fen = "[FEN \"4k4/4a4/r8/9/9/9/9/R8/4A4/4K4 w - - 0 1\"]\n\n";
    let told = |moves: &str| {
        let directory = tree(&[("a.pgn", &format!("{fen}{moves} *\n"))]);
        let output = qijian_in(
            directory.path(),
            &["convert", "a.pgn", "-o", "out", "--to", "pgn", "--notation", "short"],
        );
        stderr(&output).contains("QJ010")
    };
    assert!(told("1. a2b2 a7b7 2. b2c2 b7c7"));
    assert!(!told("1. a2b2 e9d9 2. b2c2 d9e9"));
}

/// A directory with `files`, each with its text.
pub(crate) fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

/// All files below `directory`, hidden ones too.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(path) = waiting.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.push(path.strip_prefix(directory).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

pub(crate) const GAME: &str = "[Event \"?\"]\n\n1. 炮二平五 马8进7\n*\n";

pub(crate) fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_file_goes_to_standard_output() {
    let output = qijian(&["convert", "samples/valid-1.8.xqf", "-o", "-", "--notation", "iccs"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("[Format \"ICCS\"]") && text.contains("1. "), "{text}");
    assert!(stderr(&output).contains("Summary"));
}

#[test]
fn a_tree_goes_to_the_same_tree() {
    let dir = tree(&[
        ("in/a.pgn", GAME),
        ("in/b/c.txt", GAME),
        ("in/b/notes.md", "hello"),
        ("in/.git/x.pgn", GAME),
    ]);
    let output = qijian_in(dir.path(), &["convert", "in", "-o", "out", "--notation", "wxf"]);
    // A file that is no record is passed over with a warning.
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("QJ001"));
    assert_eq!(names(&dir.path().join("out")), ["a.pgn", "b/c.pgn"]);
    let text = fs::read_to_string(dir.path().join("out/b/c.pgn")).unwrap();
    assert_eq!(text, "[Event \"?\"]\n[Format \"WXF\"]\n\n1. C2=5 H8+7\n*\n");
    // The sources are as they were.
    assert_eq!(fs::read_to_string(dir.path().join("in/a.pgn")).unwrap(), GAME);
}

#[test]
fn the_same_bytes_for_any_number_of_jobs() {
    let dir = tree(&[]);
    let out = |jobs: &str| {
        let out = dir.path().join(jobs);
        let arguments = [
            "convert",
            "samples",
            "-o",
            out.to_str().unwrap(),
            "--jobs",
            jobs,
            "--format",
            "jsonl",
        ];
        let output = qijian(&arguments);
        assert_eq!(output.status.code(), Some(1));
        let files = names(&out);
        let bytes: Vec<Vec<u8>> =
            files.iter().map(|name| fs::read(out.join(name)).unwrap()).collect();
        (files, bytes, output.stderr)
    };
    let (one, three) = (out("1"), out("3"));
    assert!(one == three);
    assert!(one.0.len() >= 30);
}

#[test]
fn nothing_is_overwritten_without_force() {
    let dir = tree(&[
        ("a.pgn", GAME),
        ("out.pgn", "mine"),
        ("in/x.pgn", GAME),
        ("in/y.pgn", GAME),
        ("out/x.pgn", "mine"),
    ]);
    let run = |arguments: &[&str]| qijian_in(dir.path(), arguments);
    let output = run(&["convert", "a.pgn", "-o", "out.pgn"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--force") && stderr(&output).contains("out.pgn"));
    assert_eq!(fs::read_to_string(dir.path().join("out.pgn")).unwrap(), "mine");
    // The other files still go.
    assert_eq!(run(&["convert", "in", "-o", "out"]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(dir.path().join("out/x.pgn")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(dir.path().join("out/y.pgn")).unwrap(), GAME);
    assert_eq!(run(&["convert", "in", "-o", "out", "--force"]).status.code(), Some(0));
    assert_eq!(run(&["convert", "a.pgn", "-o", "out.pgn", "--force"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(dir.path().join("out.pgn")).unwrap(), GAME);
    // In place, too: all of the source has been read.
    assert_eq!(run(&["convert", "a.pgn", "-o", "a.pgn"]).status.code(), Some(2));
    let in_place = run(&["convert", "a.pgn", "-o", "a.pgn", "--force", "--encoding", "big5"]);
    assert_eq!(in_place.status.code(), Some(0));
    assert_eq!(
        names(dir.path()),
        ["a.pgn", "in/x.pgn", "in/y.pgn", "out.pgn", "out/x.pgn", "out/y.pgn"]
    );
}

#[test]
fn exit_status() {
    let dir = tree(&[("none.txt", "hello"), ("file", GAME)]);
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let status = |arguments: &[&str]| qijian(arguments).status.code();
    // An error in the record: it is converted all the same.
    let out = path("illegal.pgn");
    assert_eq!(status(&["convert", "samples/illegal-move.pgn", "-o", &out]), Some(1));
    assert!(fs::read_to_string(&out).unwrap().contains("马二进四"));
    assert_eq!(
        status(&["convert", "samples/illegal-move.pgn", "-o", "-", "--ignore", "QJ301"]),
        Some(0)
    );
    // Named, and no record: nothing is written.
    assert_eq!(status(&["convert", &path("none.txt"), "-o", &path("none.pgn")]), Some(2));
    assert!(!dir.path().join("none.pgn").exists());
    assert_eq!(status(&["convert", "no/such/file", "-o", "-"]), Some(2));
    assert_eq!(status(&["convert", "samples/valid-big5.pgn"]), Some(2));
    assert_eq!(status(&["convert", "samples", "-o", "-"]), Some(2));
    assert_eq!(status(&["convert", "samples", "-o", &path("file")]), Some(2));
    assert_eq!(status(&["convert", "samples/valid-big5.pgn", "-o", "-", "--to", "xyz"]), Some(2));
    let nowhere = path("file/below.pgn");
    assert_eq!(status(&["convert", "samples/valid-big5.pgn", "-o", &nowhere]), Some(2));
}

#[test]
fn standard_input_to_standard_output() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qijian"))
        .args(["convert", "-", "-o", "-", "--notation", "uci", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GAME.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(stdout(&output), "[Event \"?\"]\n[Format \"UCI\"]\n\n1. h3e3 h10g8\n*\n");
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_pipe_closed_early_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qijian"))
        .args(["convert", "samples/valid-many-games.pgn", "-o", "-"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!stderr(&output).contains("panic"));
    assert_eq!(output.status.code(), Some(0));
}

/// The encodings, each found again by `check` without being told.
#[test]
fn every_encoding_is_found_again() {
    let dir = tree(&[("a.pgn", "[Event \"比赛\"]\n\n1. 炮二平五 马8进7 {先手好棋}\n*\n")]);
    for name in ["utf-8", "gb18030", "big5", "utf-16le"] {
        let file = format!("{name}.pgn");
        let output = qijian_in(dir.path(), &["convert", "a.pgn", "-o", &file, "--encoding", name]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        // 赛 is 賽 in Big5, which is not for us to decide; the moves are the same moves.
        assert_eq!(stderr(&output).contains("QJ010"), name == "big5", "{name}");
        let game =
            &lines(&qijian_in(dir.path(), &["check", &file, "--format", "jsonl", "--moves"]))[0];
        assert_eq!(game["encoding"], name);
        assert_eq!(game["moves"], serde_json::json!(["h2e2", "h9g7"]));
        assert_eq!(game["comments"], 1);
    }
}

/// R17, R21, M10: an XQF file with variations keeps every one of them. M06: nothing is made up, no date, no result.
#[test]
fn a_binary_file_keeps_its_tree_and_gets_no_tags_of_ours() {
    let bytes = fs::read(root().join("samples/valid-1.8.xqf")).unwrap();
    let mut before = None;
    format::read(&bytes, Format::Xqf, None, &mut |record, _, _| {
        let tags: Vec<String> = record.tags.iter().map(|tag| tag.name.to_string()).collect();
        before = Some((record.tree.len(), record.tree.variations(), tags));
    });
    let out = convert("a.xqf", &bytes, true, &Conversion::default(), &mut |_| {}).unwrap();
    let mut after = None;
    format::read(&out, Format::Pgn, None, &mut |record, _, _| {
        let tags: Vec<String> = record.tags.iter().map(|tag| tag.name.to_string()).collect();
        after = Some((record.tree.len(), record.tree.variations(), tags));
    });
    assert!(before.as_ref().is_some_and(|(_, variations, _)| *variations > 0));
    assert_eq!(before, after);
}

/// What is told by a tag alone is the end marker of the PGN too, and comments that a format joins are told (`QJ010`).
#[test]
fn results_of_tags_and_joined_comments() {
    let directory = tempfile::tempdir().unwrap();
    let text = "[Red \"甲\"]\n[Result \"1-0\"]\n\n1. 炮二平五 {一} {二} 马8进7 1-0\n";
    fs::write(directory.path().join("a.pgn"), text).unwrap();
    for format in ["dhtmlxq", "wxf"] {
        let other = format!("a.{format}");
        let to = ["convert", "a.pgn", "-o", &other, "--to", format, "--format", "jsonl"];
        let told = qijian_in(directory.path(), &to);
        // The report stands beside the results.
        let report = String::from_utf8(told.stderr).unwrap();
        assert_eq!(report.matches("QJ010").count(), usize::from(format == "dhtmlxq"), "{report}");
        let back = ["convert", &other, "-o", "b.pgn", "--force"];
        assert_eq!(qijian_in(directory.path(), &back).status.code(), Some(0), "{format}");
        let back = fs::read_to_string(directory.path().join("b.pgn")).unwrap();
        assert!(back.trim_end().ends_with("1-0"), "{format}: {back}");
    }
}
