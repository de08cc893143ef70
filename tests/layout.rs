//! The layout of DESIGN.md section 2: who may import whom, and files that stay readable.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::support::root;

/// For each module, what it may import. `lib.rs` and `main.rs` may import all.
const ARROWS: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("finding", &["board"]),
    ("notation", &["board"]),
    ("record", &["board", "finding"]),
    ("source", &["finding", "notation::glyph"]),
    ("format", &["source", "record", "finding", "notation", "board"]),
    ("replay", &["board", "notation", "record", "finding"]),
    ("rules", &["replay", "board", "notation", "record", "finding"]),
    ("audit", &["rules", "replay", "board", "notation", "record", "finding"]),
    ("event", &["record", "replay", "rules", "finding"]),
    (
        "table",
        &["board", "finding", "notation", "record", "replay", "rules", "audit", "event", "report"],
    ),
    ("report", &["board", "finding", "notation", "record", "replay", "rules", "audit", "event"]),
    (
        "run",
        &[
            "board", "finding", "notation", "record", "source", "format", "replay", "rules",
            "audit", "event", "table", "report",
        ],
    ),
    (
        "cli",
        &[
            "board", "finding", "notation", "record", "source", "format", "replay", "rules",
            "audit", "event", "table", "report", "run",
        ],
    ),
];

/// Libraries that keep to their rooms.
const ROOMS: &[(&str, &[&str])] = &[
    ("nom", &["format", "notation"]),
    ("polars", &["table"]),
    ("plotters", &["report/chart.rs"]),
    ("hanconv", &["table/names.rs"]),
    ("clap", &["cli"]),
    ("indicatif", &["run/progress.rs"]),
    ("annotate_snippets", &["report"]),
    ("encoding_rs", &["source"]),
    ("quick_xml", &["format"]),
];

fn sources() -> Vec<(PathBuf, String)> {
    let mut waiting = vec![root().join("src")];
    let mut found = Vec::new();
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && path.file_name().is_some_and(|name| name != "tests.rs")
            {
                let code = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root().join("src")).unwrap().to_owned(), code));
            }
        }
    }
    found.sort();
    found
}

/// Whether a file holds nothing but the unit tests of the module that it lies in.
fn is_tests(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "tests.rs")
}

/// The code of a file without its unit tests and its comments.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    text[..end]
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Every `crate::a::b` path of `code`, use trees with braces taken apart one level.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut name = String::new();
            for c in list.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => found.push(std::mem::take(&mut name)),
                    _ if depth == 0 => name.push(c),
                    _ => {}
                }
            }
            found.push(name);
        } else {
            found.push(
                rest.chars()
                    .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
                    .collect(),
            );
        }
    }
    found
        .iter()
        .map(|name| name.trim().trim_end_matches(':').to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

fn room(path: &Path) -> String {
    let first = path.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn imports_follow_the_design() {
    let arrows: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let room = room(&path);
        if room == "lib" || room == "main" {
            continue;
        }
        let allowed =
            arrows.get(room.as_str()).unwrap_or_else(|| panic!("{room} is not in DESIGN.md"));
        for import in imports(&code(&text)) {
            let fits = import.starts_with(&room)
                || allowed
                    .iter()
                    .any(|name| import == *name || import.starts_with(&format!("{name}::")));
            if !fits {
                wrong.push(format!("{}: crate::{import}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "forbidden imports:\n{}", wrong.join("\n"));
}

#[test]
fn the_import_test_can_fail() {
    assert_eq!(
        imports("use crate::{board::{A, B}, run};\nlet x = crate::cli::run();"),
        ["board", "run", "cli::run"]
    );
}

#[test]
fn libraries_keep_to_their_rooms() {
    let mut wrong = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| !is_tests(path)) {
        let code = code(&text);
        for (library, rooms) in ROOMS {
            let uses =
                code.contains(&format!("{library}::")) || code.contains(&format!("use {library}"));
            if uses && !rooms.iter().any(|room| path.starts_with(room)) {
                wrong.push(format!("{}: {library}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "libraries out of their rooms:\n{}", wrong.join("\n"));
}

#[test]
fn files_stay_short() {
    let long: Vec<String> = sources()
        .into_iter()
        .filter(|(path, _)| !is_tests(path))
        .map(|(path, text)| (path, code(&text).lines().count()))
        .filter(|(_, lines)| *lines > 520)
        .map(|(path, lines)| format!("{}: {lines}", path.display()))
        .collect();
    assert!(long.is_empty(), "files over 500 lines of code:\n{}", long.join("\n"));
}
