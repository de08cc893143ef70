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
    source::Encoding,
};

use crate::support::{lines, qijian, qijian_in, root, shared, stdout};

/// A game as a reader sees it, without the texts of moves that were played: what a conversion must keep.
#[derive(PartialEq, Debug)]
struct Kept {
    /// Those that conversion adds or changes (`Format`, `FEN` for a bare position, `[Event "?"]`) left out.
    tags: Vec<(String, String)>,
    start: Option<String>,
    outcome: Outcome,
    /// In the order of a walk that takes the main line first.
    nodes: Vec<Ply>,
    root: Vec<String>,
    after_end: usize,
}

#[derive(PartialEq, Debug)]
struct Ply {
    depth: usize,
    /// The move, or the text where it was not played.
    played: Result<Move, String>,
    marks: String,
    /// Not the empty ones.
    comments: Vec<String>,
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
        outcome: record.result.as_ref().map_or(Outcome::Unknown, |result| result.outcome),
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
fn games(
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
        let after = games(&out, Some(Format::Pgn), notation, true);
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
        for told in &self.told {
            eprintln!("  {told}");
        }
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
