//! Real archives.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use super::*;
use crate::source::detect;

fn shared(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(path)
}

fn decoded(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    Text::decode(&bytes, detect(&bytes)).as_str().to_owned()
}

/// Plies and result of each PGN file as an independent program read them; its moves need a board, their number not.
#[test]
fn archives_have_the_plies_that_another_program_found() {
    let Ok(expected) = std::fs::read_to_string(shared("expected.jsonl")) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no shared data");
        return;
    };
    let (mut count, mut wrong) = (0, Vec::new());
    for line in expected.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let source = value["source"].as_str().unwrap();
        if !source.starts_with("pgn") || !value["stopped"].is_null() {
            continue;
        }
        count += 1;
        let plies = value["moves"].as_str().unwrap().split_whitespace().count();
        let text = decoded(&shared(source));
        let games = games(&text);
        let read = games.first().map_or(0, |record| record.tree.main_line().count());
        let outcome = games.first().and_then(result).map(Outcome::as_str);
        let result = value["result"].as_str().or(Some("*"));
        if games.len() != 1 || read != plies || (outcome.is_some() && outcome != result) {
            wrong.push(format!(
                "{source}: {} games, {read} plies for {plies}, {outcome:?} for {result:?}",
                games.len()
            ));
        }
    }
    assert!(count > 7000);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
