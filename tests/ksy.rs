//! The Kaitai grammars: a reader that their compiler makes finds the same in samples and real files as ours.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use qijian::{
    format::{self, Format},
    record::{NodeId, Record, Written},
};
use serde_json::Value;

use crate::support::{root, shared};

/// The fields of `file` as the reader made of `grammar` has them; `None` with a visible line where Node or the packages
/// (see `tests/oracle/ksy.js`) are not there.
fn oracle(grammar: &str, file: &Path) -> Option<Value> {
    let output = Command::new("node")
        .arg(root().join("tests/oracle/ksy.js"))
        .arg(root().join("grammars").join(grammar))
        .arg(file)
        .output();
    let skipped = match &output {
        Err(error) => error.to_string(),
        Ok(output) if output.status.code() == Some(3) => {
            String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned()
        }
        Ok(_) => String::new(),
    };
    if !skipped.is_empty() {
        eprintln!("SKIPPED {grammar}: {skipped}");
        return None;
    }
    let output = output.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", file.display());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A sample, and the first `most` real files of a folder.
fn files(sample: &str, folder: &str, most: usize) -> Vec<PathBuf> {
    let mut files = vec![root().join("samples").join(sample)];
    if let Some(data) = shared("data") {
        let real = walkdir::WalkDir::new(data.join(folder)).sort_by_file_name();
        let real = real.into_iter().map(|entry| entry.unwrap().into_path());
        files.extend(real.filter(|path| path.is_file()).take(most));
    }
    files
}

fn each_record(bytes: &[u8], check: &mut dyn FnMut(&Record<'_>)) {
    let format = format::sniff(bytes, None).unwrap();
    format::read(bytes, format, None, &mut |record, _, _| check(&record));
}

/// Squares of the plies and bytes of their comments, in the order of the file.
fn same_nodes(record: &Record<'_>, bytes: &[u8], theirs: &Value, nodes: &Value, file: &Path) {
    let squares = theirs["squares"].as_array().unwrap();
    let nodes = nodes.as_array().unwrap();
    assert_eq!(squares.len(), record.tree.len() + 1, "{}", file.display());
    let is_xqf = bytes.starts_with(b"XQ");
    for (index, (pair, node)) in squares.iter().zip(nodes).enumerate() {
        let id = record.tree.nth(index).unwrap();
        if let (Written::Squares { from, to, raw }, false) =
            (record.tree.node(id).written, id == NodeId::ROOT)
        {
            let byte = |square: Option<qijian::board::Square>| {
                square.map(|square| square.file() * 10 + square.rank())
            };
            let ours = if is_xqf { [byte(from), byte(to)] } else { raw.map(Some) };
            for (ours, theirs) in ours.into_iter().zip(pair.as_array().unwrap()) {
                let theirs = theirs.as_u64().unwrap() as u8;
                assert_eq!(ours.unwrap_or(theirs), theirs, "{} {index}", file.display());
            }
        }
        if is_xqf {
            continue;
        }
        for comment in record.tree.comments.iter().filter(|comment| comment.node == id) {
            assert_eq!(node["comment"], hex(&bytes[comment.span.range()]), "{}", file.display());
        }
    }
}

#[test]
fn cbr() {
    for file in files("valid.cbr", "cbr", 9) {
        let Some(theirs) = oracle("cbr.ksy", &file) else { return };
        let bytes = fs::read(&file).unwrap();
        each_record(&bytes, &mut |record| {
            let fields = &theirs["fields"];
            same_nodes(record, &bytes, &theirs, &fields["nodes"], &file);
            let names = [
                ("Title", "title"),
                ("Category", "category"),
                ("Event", "event"),
                ("Date", "date"),
                ("Site", "site"),
                ("Red", "red"),
                ("Black", "black"),
                ("RedTeam", "redTeam"),
                ("BlackTeam", "blackTeam"),
                ("Annotator", "annotator"),
                ("Author", "author"),
                ("Created", "created"),
                ("Modified", "modified"),
                ("ECCO", "ecco"),
            ];
            for (ours, name) in names {
                let stored = fields["header"][name].as_str().unwrap();
                match record.tags.iter().find(|tag| tag.name == ours) {
                    Some(tag) => assert!(stored.starts_with(&hex(&bytes[tag.span.range()]))),
                    None => assert!(stored.starts_with("0000"), "{name}: {stored}"),
                }
            }
            assert_eq!(
                fields["header"]["result"],
                bytes[record.result.as_ref().unwrap().span.range()][0]
            );
        });
    }
}

#[test]
fn cbl() {
    for file in files("valid.cbl", "cbl", 9) {
        let Some(theirs) = oracle("cbl.ksy", &file) else { return };
        let bytes = fs::read(&file).unwrap();
        let fields = &theirs["fields"];
        let slots = fields["slots"].as_array().unwrap();
        let mut begins = slots
            .iter()
            .map(|slot| slot["data"].as_str().unwrap())
            .filter(|data| data.starts_with(&hex(b"CCBridge Record\0")));
        let index = fields["index"].as_array().unwrap();
        let mut live = index.iter().filter(|entry| entry["state"] == 7);
        each_record(&bytes, &mut |record| {
            let start = begins.next().unwrap();
            let raw = hex(record.raw);
            assert!(start.starts_with(&raw[..raw.len().min(start.len())]));
            let entry = live.next().unwrap();
            assert_eq!(entry["length"], record.raw.len() as u64, "{}", file.display());
            assert_eq!(entry["slots"], record.raw.len().div_ceil(4096) as u64);
            let title = record.tag("title").unwrap();
            let title = hex(&bytes[title.span.range()]);
            assert!(entry["name"].as_str().unwrap().starts_with(&title));
            let name = record.tags.iter().find(|tag| tag.name == "Library").unwrap();
            assert!(fields["name"].as_str().unwrap().starts_with(&hex(&bytes[name.span.range()])));
        });
        assert!(begins.next().is_none() && live.next().is_none());
    }
}

#[test]
fn older_cbl() {
    for file in files("valid-old.cbl", "cbl-old", 9) {
        let Some(theirs) = oracle("cbl-old.ksy", &file) else { return };
        let bytes = fs::read(&file).unwrap();
        let mut games = theirs["fields"]["library"]["games"].as_array().unwrap().iter();
        each_record(&bytes, &mut |record| {
            let game = &games.next().unwrap()["game"];
            let plies = game["plies"].as_array().unwrap();
            assert_eq!(plies.len(), record.tree.len());
            for (index, ply) in plies.iter().enumerate() {
                let node = record.tree.node(record.tree.nth(index + 1).unwrap());
                let Written::Squares { raw, .. } = node.written else { panic!("no squares") };
                assert_eq!([&ply["fromSquare"], &ply["toSquare"]], [raw[0], raw[1]].each_ref());
            }
            let title = record.tag("title").unwrap();
            assert_eq!(game["title"]["length"], title.span.range().len() as u64);
            // Each line that is not empty is the comment of its ply.
            let lines: Vec<_> = game["comments"].as_str().unwrap().as_bytes().chunks(2).collect();
            let filled = lines.split(|byte| *byte == b"0a").filter(|line| line.len() > 1).count();
            let of_plies = record.tree.comments.iter().filter(|it| it.node != NodeId::ROOT);
            assert!(of_plies.count() <= filled);
        });
        assert!(games.next().is_none());
    }
}

#[test]
fn xqr() {
    for file in files("valid.xqr", "xqr", 9) {
        let Some(theirs) = oracle("xqr.ksy", &file) else { return };
        let bytes = fs::read(&file).unwrap();
        each_record(&bytes, &mut |record| {
            let fields = &theirs["fields"];
            same_nodes(record, &bytes, &theirs, &fields["nodes"], &file);
            for (key, number) in [("event", 2), ("site", 3), ("date", 4), ("red", 5), ("black", 6)]
            {
                let all = fields["fields"].as_array().unwrap();
                let field = all.iter().find(|field| field["type"] == number).unwrap();
                assert_eq!(field["value"], hex(record.tag(key).unwrap().value.as_bytes()));
            }
            assert!(record.findings.is_empty(), "the checksum is right");
        });
    }
}

#[test]
fn xqf() {
    let mut all = files("valid-1.8.xqf", "xqf", 9);
    all.push(root().join("samples/valid-1.0.xqf"));
    for file in all {
        let Some(theirs) = oracle("xqf.ksy", &file) else { return };
        let bytes = fs::read(&file).unwrap();
        assert_eq!(format::sniff(&bytes, None), Some(Format::Xqf));
        each_record(&bytes, &mut |record| {
            let fields = &theirs["fields"];
            same_nodes(record, &bytes, &theirs, &fields["body"]["nodes"], &file);
            for (key, name) in [("title", "title"), ("red", "red"), ("black", "black")] {
                if let Some(tag) = record.tag(key) {
                    let stored = fields["header"][name]["text"].as_str().unwrap();
                    assert!(stored.starts_with(&hex(&bytes[tag.span.range()])));
                }
            }
        });
    }
}
