//! What the command prints on `samples/`, kept in `tests/snapshots/` and read in review: one file a faulty sample with
//! its findings in both languages, one for the summary, one for the JSON lines of the valid samples.
//!
//! After a wanted change: `INSTA_UPDATE=always cargo test snapshots`, then read the diff as a user would.

use std::{collections::BTreeSet, fs};

use crate::support::{lines, qijian, root, stdout};

/// Names of the samples, in order.
fn samples() -> Vec<String> {
    let names: BTreeSet<String> = fs::read_dir(root().join("samples"))
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.into_iter().collect()
}

/// Whether a sample is one of those without fault, by its name.
fn is_valid(name: &str) -> bool {
    name.starts_with("valid")
}

fn assert_snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// What `qijian check` prints of `path` in both languages, one below the other.
fn in_both_languages(path: &str, options: &[&str]) -> String {
    let print = |lang| {
        let mut arguments = vec!["check", path, "--lang", lang];
        arguments.extend(options);
        stdout(&qijian(&arguments))
    };
    format!("{}\n{}", print("zh"), print("en"))
}

#[test]
fn faulty_samples_in_both_languages() {
    for name in samples().iter().filter(|name| !is_valid(name)) {
        assert_snapshot(name, &in_both_languages(&format!("samples/{name}"), &["--quiet"]));
    }
}

#[test]
fn the_summary_in_both_languages() {
    // The counts of one faulty and one valid file, so that new samples leave the snapshot alone.
    let print = |lang| {
        let paths = ["samples/nonstandard-notation.pgn", "samples/valid-1.8.xqf"];
        stdout(&qijian(&["check", paths[0], paths[1], "--lang", lang, "--ignore", "QJ4"]))
    };
    let tables = [print("zh"), print("en")].map(|text| {
        let start = text.find("汇总").or_else(|| text.find("Summary")).expect("a summary");
        text[start..].to_owned()
    });
    assert_snapshot("summary", &tables.join("\n"));
    assert_snapshot("summary-of-no-findings", &in_both_languages("samples/valid-big5.pgn", &[]));
}

#[test]
fn valid_samples_as_json_lines() {
    let mut text = String::new();
    for name in samples().iter().filter(|name| is_valid(name)) {
        let output = qijian(&["check", &format!("samples/{name}"), "--format", "jsonl", "--moves"]);
        assert!(lines(&output).iter().all(|game| game["findings"] == serde_json::json!([])));
        text += &stdout(&output);
    }
    assert_snapshot("valid-samples", &text);
}

#[test]
fn no_snapshot_outlives_its_sample() {
    let others = ["summary", "summary-of-no-findings", "valid-samples"];
    let known: BTreeSet<String> = samples()
        .into_iter()
        .filter(|name| !is_valid(name))
        .chain(others.map(str::to_owned))
        .map(|name| format!("{name}.snap"))
        .collect();
    for entry in fs::read_dir(root().join("tests/snapshots")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name) || name.ends_with(".new"), "{name} is of no sample");
    }
}
