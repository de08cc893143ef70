//! `manifest.json` of an export: which parts are whole, and how far in the input they reach.

use std::{fs, io, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::table::{FileFormat, Table, schema};

use super::{
    study::Reached,
    target::{Refusal, save},
};

/// The name of the file.
pub(super) const NAME: &str = "manifest.json";

/// Rows of the three tables.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
pub struct RowCounts {
    /// Rows of `games`.
    pub games: u64,
    /// Rows of `plies`.
    pub plies: u64,
    /// Rows of `findings`.
    pub findings: u64,
    /// Rows of `findings` with severity error.
    pub errors: u64,
}

impl std::ops::AddAssign for RowCounts {
    fn add_assign(&mut self, other: RowCounts) {
        self.games += other.games;
        self.plies += other.plies;
        self.findings += other.findings;
        self.errors += other.errors;
    }
}

/// One part that is whole in all three tables.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(super) struct Part {
    /// Its number, from 1.
    pub(super) part: u32,
    #[serde(flatten)]
    pub(super) rows: RowCounts,
    /// Inputs that are done with this part.
    pub(super) inputs: usize,
    /// Games that are done of the next input.
    pub(super) games_of_next: u32,
    /// The name of the input that it ends in.
    pub(super) input: String,
}

/// The whole of it.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub(super) struct Manifest {
    pub(super) schema_version: String,
    pub(super) complete: bool,
    /// What makes the files what they are; another run may only go on with the same.
    pub(super) options: Value,
    pub(super) rows: RowCounts,
    pub(super) parts: Vec<Part>,
}

impl Manifest {
    pub(super) fn new(options: Value) -> Manifest {
        Manifest {
            schema_version: schema::VERSION.to_owned(),
            complete: false,
            options,
            rows: RowCounts::default(),
            parts: Vec::new(),
        }
    }

    /// The manifest of the dataset in `directory`, if there is one.
    pub(super) fn read(directory: &Path) -> io::Result<Option<Manifest>> {
        let bytes = match fs::read(directory.join(NAME)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other?,
        };
        Ok(Some(serde_json::from_slice(&bytes)?))
    }

    pub(super) fn write(&self, directory: &Path) -> Result<(), Refusal> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|error| Refusal::System(directory.join(NAME), error.into()))?;
        bytes.push(b'\n');
        save(&directory.join(NAME), &bytes, true)
    }

    pub(super) fn add(&mut self, part: Part) {
        self.rows += part.rows;
        self.parts.push(part);
    }

    /// How far the parts reach.
    pub(super) fn reached(&self) -> Reached {
        let last = self.parts.last();
        last.map_or(Reached::default(), |part| Reached {
            inputs: part.inputs,
            games: part.games_of_next,
        })
    }

    /// The number of the last part.
    pub(super) fn last_part(&self) -> u32 {
        self.parts.last().map_or(0, |part| part.part)
    }
}

/// The name of the file of part `part`.
pub(super) fn file_name(part: u32, format: FileFormat) -> String {
    format!("part-{part:05}.{}", format.as_str())
}

/// Removes from the tables in `directory` what no manifest vouches for: parts after the `done`th, and files that a run
/// that was killed has left half written.
pub(super) fn clean(directory: &Path, done: u32) -> io::Result<()> {
    let is_part = |name: &str| {
        let number = name.strip_prefix("part-").and_then(|rest| rest.split('.').next());
        number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number > done)
    };
    let is_draft = |name: &str| name.starts_with(".qijian-") && name.ends_with(".part");
    let folders = Table::ALL.map(|table| walkdir::WalkDir::new(directory.join(table.as_str())));
    let top = walkdir::WalkDir::new(directory).max_depth(1);
    for entry in folders.into_iter().chain([top]).flatten() {
        let entry = match entry {
            Ok(entry) => entry,
            // A folder that is not there yet, or not any more.
            Err(error) if error.io_error().is_some_and(|e| e.kind() == io::ErrorKind::NotFound) => {
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let name = entry.file_name().to_string_lossy();
        let inside = entry.depth() > 0 && entry.path().parent() != Some(directory);
        if entry.file_type().is_file() && (is_draft(&name) || inside && is_part(&name)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_manifest_vouches_for_goes() {
        let dir = tempfile::tempdir().unwrap();
        let files = [
            "games/part-00001.parquet",
            "games/part-00002.parquet",
            "games/year=1999/part-00003.parquet",
            "games/.qijian-1-0.part",
            ".qijian-1-1.part",
            "games/notes.txt",
            "part-00009.txt",
        ];
        for name in files {
            fs::create_dir_all(dir.path().join(name).parent().unwrap()).unwrap();
            fs::write(dir.path().join(name), "x").unwrap();
        }
        clean(dir.path(), 1).unwrap();
        let left: Vec<&str> =
            files.into_iter().filter(|name| dir.path().join(name).exists()).collect();
        assert_eq!(left, ["games/part-00001.parquet", "games/notes.txt", "part-00009.txt"]);
    }

    #[test]
    fn a_manifest_reads_back() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(dir.path()).unwrap(), None);
        let mut manifest = Manifest::new(serde_json::json!({"as": "csv"}));
        let rows = RowCounts { games: 2, plies: 30, findings: 1, errors: 0 };
        manifest.add(Part { part: 1, rows, inputs: 3, games_of_next: 7, input: "a".into() });
        manifest.write(dir.path()).unwrap();
        assert_eq!(Manifest::read(dir.path()).unwrap().as_ref(), Some(&manifest));
        assert_eq!(manifest.reached(), Reached { inputs: 3, games: 7 });
    }
}
