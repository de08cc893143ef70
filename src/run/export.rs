//! `export`: datasets of many games, part by part, in bounded memory.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    num::{NonZeroU64, NonZeroUsize},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;

use crate::{
    finding::Severity,
    source,
    table::{Batch, FileFormat, Positions, Rows, Study, Table, TableFile, partition_name},
};

use super::{
    interrupt::interrupted,
    manifest::{self, Manifest, Part, RowCounts},
    study::{Piece, Reached, Studying, study},
    target::{Draft, Refusal},
};

/// Plies that a thread gathers before it hands them on.
const PIECE: usize = 8_192;
/// Plies of a part; fewer if it is partitioned, as its rows then wait in memory.
const PART: u64 = 1 << 20;
const PARTITIONED_PART: u64 = 1 << 18;

/// By what the files are split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partition {
    /// The year of the date.
    Year,
    /// The event as written.
    Event,
    /// The source.
    Source,
}

impl Partition {
    /// The option of this name.
    pub fn from_name(name: &str) -> Option<Partition> {
        match name {
            "year" => Some(Partition::Year),
            "event" => Some(Partition::Event),
            "source" => Some(Partition::Source),
            _ => None,
        }
    }

    /// The name of the option and of the column.
    pub const fn as_str(self) -> &'static str {
        match self {
            Partition::Year => "year",
            Partition::Event => "event",
            Partition::Source => "source",
        }
    }

    fn key(self, study: &Study) -> String {
        let value = match self {
            Partition::Year => study.date.map(|date| date.year.to_string()),
            Partition::Event => study.tag("event").map(str::to_owned),
            Partition::Source => Some(study.report.source.clone()),
        };
        partition_name(self.as_str(), value.as_deref())
    }
}

/// What to export and how.
#[derive(Clone, Debug)]
pub struct Export {
    /// The inputs.
    pub paths: Vec<PathBuf>,
    /// Where the dataset goes.
    pub directory: PathBuf,
    /// The format of the files.
    pub format: FileFormat,
    /// How plies tell the position.
    pub positions: Positions,
    /// By what the files are split.
    pub partition: Option<Partition>,
    /// Rows of a row group.
    pub row_group: NonZeroUsize,
    /// Plies of a part; `None` is a million, and a quarter of that where files are split, as their rows wait in memory.
    pub part: Option<NonZeroU64>,
    /// Go on with what an earlier run has left.
    pub resume: bool,
    /// Replace a dataset that is there.
    pub force: bool,
    /// What else makes the files what they are, to be compared when a run is resumed.
    pub options: Value,
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// There is a dataset already.
    #[error(
        "{0}: 已有数据集；--resume 续做，--force 重做 / holds a dataset: --resume goes on, --force begins anew"
    )]
    Exists(PathBuf),
    /// The earlier run had other options.
    #[error("{0}: 与上次的选项不同，不能续做 / cannot go on: the earlier run had other options")]
    OtherOptions(PathBuf),
    /// The input has changed.
    #[error(
        "{0}: 输入已变（上次到 {1}），不能续做 / cannot go on: the input has changed (the earlier run had come to {1})"
    )]
    OtherInput(PathBuf, String),
    /// The manifest is damaged.
    #[error("{0}: {1}")]
    Manifest(PathBuf, io::Error),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] Refusal),
}

/// What an export came to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Exported {
    /// Rows of the whole dataset.
    pub rows: RowCounts,
    /// Parts.
    pub parts: u32,
    /// Whether it is whole; else the user has interrupted it.
    pub complete: bool,
}

/// Exports datasets. `event` is told of bytes read and of inputs that failed.
///
/// # Errors
///
/// The directory holds a dataset that is not to be replaced or that cannot be gone on with, or cannot be written to.
pub fn export(
    export: &Export,
    studying: &Studying,
    jobs: NonZeroUsize,
    event: &mut dyn FnMut(u64, Option<&str>),
) -> Result<Exported, ExportError> {
    let mut manifest = begin(export)?;
    let done = |manifest: &Manifest| Exported {
        rows: manifest.rows,
        parts: manifest.last_part(),
        complete: manifest.complete,
    };
    if manifest.complete {
        return Ok(done(&manifest));
    }
    let reached = manifest.reached();
    let mut writer = Writer::new(export, manifest.last_part() + 1);
    let mut at = (reached, String::new());
    let mut failure = None;
    let mut counts = RowCounts::default();
    let usual = if export.partition.is_some() { PARTITIONED_PART } else { PART };
    let limit = export.part.map_or(usual, NonZeroU64::get);
    let piece = PIECE.min(usize::try_from(limit).unwrap_or(PIECE));
    study(
        source::inputs(&export.paths),
        jobs,
        studying,
        reached,
        |made: &mut Made, study| made.add(&study, export),
        |made| made.plies >= piece || made.counts.games >= PIECE as u64 / 4,
        |piece| {
            // What comes after an interruption may have holes.
            if interrupted() {
                return false;
            }
            if piece.last || piece.failed.is_some() {
                event(piece.bytes, piece.failed.as_deref());
            }
            let Piece { input, name, games, last, made, .. } = piece;
            at.0 = match last {
                true => Reached { inputs: input + 1, games: 0 },
                false => Reached { inputs: input, games },
            };
            at.1 = name.to_string();
            counts += made.counts;
            let step = || -> Result<(), ExportError> {
                writer.add(made)?;
                if counts.plies.max(counts.games * 8).max(counts.findings) >= limit {
                    writer.close(&mut manifest, std::mem::take(&mut counts), &at)?;
                }
                Ok(())
            };
            failure = step().err();
            failure.is_none()
        },
    );
    if let Some(failure) = failure {
        return Err(failure);
    }
    if !interrupted() {
        if counts.games > 0 || manifest.parts.is_empty() {
            writer.close(&mut manifest, counts, &at)?;
        }
        manifest.complete = true;
        manifest.write(&export.directory)?;
    }
    Ok(done(&manifest))
}

/// The manifest to go on with, in a directory that holds nothing else of a dataset.
fn begin(export: &Export) -> Result<Manifest, ExportError> {
    let directory = &export.directory;
    let fault = |error| ExportError::Manifest(directory.join(manifest::NAME), error);
    let system = |error| ExportError::Output(Refusal::System(directory.clone(), error));
    let known = if export.force { None } else { Manifest::read(directory).map_err(fault)? };
    let options = options(export);
    let manifest = match known {
        Some(_) if !export.resume => return Err(ExportError::Exists(directory.clone())),
        Some(manifest) if manifest.options != options => {
            return Err(ExportError::OtherOptions(directory.clone()));
        }
        Some(manifest) => manifest,
        None => {
            let taken = Table::ALL.iter().any(|table| directory.join(table.as_str()).exists());
            if taken && !export.force && !export.resume {
                return Err(ExportError::Exists(directory.clone()));
            }
            Manifest::new(options)
        }
    };
    same_input(export, &manifest)?;
    manifest::clean(directory, manifest.last_part()).map_err(system)?;
    if manifest.parts.is_empty() {
        manifest.write(directory)?;
    }
    Ok(manifest)
}

/// Whether the input that the last part ends in is still where it was.
fn same_input(export: &Export, manifest: &Manifest) -> Result<(), ExportError> {
    let Some(part) = manifest.parts.last() else { return Ok(()) };
    let at = if part.games_of_next > 0 { part.inputs } else { part.inputs.saturating_sub(1) };
    let name = match source::inputs(&export.paths).nth(at) {
        Some(Ok(input)) => input.name,
        Some(Err(error)) => error.name,
        None => String::new(),
    };
    match name == part.input {
        true => Ok(()),
        false => Err(ExportError::OtherInput(export.directory.clone(), part.input.clone())),
    }
}

/// All that makes the files what they are.
fn options(export: &Export) -> Value {
    let paths: Vec<String> =
        export.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    serde_json::json!({
        "paths": paths,
        "as": export.format.as_str(),
        "positions": export.positions.as_str(),
        "partition_by": export.partition.map(Partition::as_str),
        "row_group": export.row_group,
        "part": export.part,
        "more": export.options,
    })
}

/// What a thread gathers: rows by partition.
#[derive(Default)]
struct Made {
    groups: BTreeMap<String, Rows>,
    counts: RowCounts,
    plies: usize,
}

impl Made {
    fn add(&mut self, study: &Study, export: &Export) {
        let key = export.partition.map(|partition| partition.key(study)).unwrap_or_default();
        let rows = self.groups.entry(key).or_insert_with(|| Rows::new(export.positions));
        rows.push(study);
        let findings = &study.report.findings;
        self.plies += study.plies.len();
        self.counts += RowCounts {
            games: 1,
            plies: study.plies.len() as u64,
            findings: findings.len() as u64,
            errors: findings.iter().filter(|f| f.severity == Severity::Error).count() as u64,
        };
    }
}

/// Writes the parts.
struct Writer<'e> {
    export: &'e Export,
    part: u32,
    /// Rows that wait, by partition.
    waiting: BTreeMap<String, Rows>,
    /// The open files of the part, without partitions: one a table.
    open: BTreeMap<Table, (TableFile<Shared>, Shared)>,
}

impl<'e> Writer<'e> {
    fn new(export: &'e Export, part: u32) -> Writer<'e> {
        Writer { export, part, waiting: BTreeMap::new(), open: BTreeMap::new() }
    }

    fn add(&mut self, made: Made) -> Result<(), ExportError> {
        for (key, rows) in made.groups {
            match self.waiting.get_mut(&key) {
                Some(waiting) => waiting.append(rows),
                None => {
                    self.waiting.insert(key, rows);
                }
            }
        }
        if self.export.partition.is_none() {
            self.flush("", false)?;
        }
        Ok(())
    }

    /// Writes the row groups of one partition that are full, or with `all` whatever waits.
    fn flush(&mut self, key: &str, all: bool) -> Result<(), ExportError> {
        let positions = self.export.positions;
        for table in Table::ALL {
            let path = self.path(table, key);
            let Some(rows) = self.waiting.get_mut(key) else { return Ok(()) };
            let batch = &mut rows.batches[table as usize];
            if !all && batch.rows < self.export.row_group.get() {
                continue;
            }
            let full = std::mem::replace(batch, Batch::new(table, positions));
            let system = |error| Refusal::System(path.clone(), error);
            if !self.open.contains_key(&table) {
                let draft = Shared::new(Draft::new(&path, true)?);
                let file = TableFile::new(self.export.format, table, positions, draft.clone());
                self.open.insert(table, (file.map_err(system)?, draft));
            }
            if let Some((file, _)) = self.open.get_mut(&table).filter(|_| full.rows > 0) {
                file.write(&full).map_err(system)?;
            }
        }
        Ok(())
    }

    /// Ends the files that are open and puts them in their places.
    fn finish(&mut self, key: &str) -> Result<(), ExportError> {
        for (table, (file, draft)) in std::mem::take(&mut self.open) {
            let path = self.path(table, key);
            file.finish().map_err(|error| Refusal::System(path, error))?;
            draft.finish()?;
        }
        Ok(())
    }

    /// Ends the part.
    fn close(
        &mut self,
        manifest: &mut Manifest,
        rows: RowCounts,
        (reached, input): &(Reached, String),
    ) -> Result<(), ExportError> {
        if self.waiting.is_empty() {
            self.waiting.insert(String::new(), Rows::new(self.export.positions));
        }
        let keys: Vec<String> = self.waiting.keys().cloned().collect();
        for key in keys {
            self.flush(&key, true)?;
            self.finish(&key)?;
            self.waiting.remove(&key);
        }
        manifest.add(Part {
            part: self.part,
            rows,
            inputs: reached.inputs,
            games_of_next: reached.games,
            input: input.clone(),
        });
        manifest.write(&self.export.directory)?;
        self.part += 1;
        Ok(())
    }

    fn path(&self, table: Table, key: &str) -> PathBuf {
        let folder: &Path = &self.export.directory;
        let folder = folder.join(table.as_str());
        let folder = if key.is_empty() { folder } else { folder.join(key) };
        folder.join(manifest::file_name(self.part, self.export.format))
    }
}

/// A draft that a writer of files may own while we still can finish it.
#[derive(Clone)]
struct Shared(Arc<Mutex<Option<Draft>>>);

impl Shared {
    fn new(draft: Draft) -> Shared {
        Shared(Arc::new(Mutex::new(Some(draft))))
    }

    fn finish(self) -> Result<(), Refusal> {
        let draft = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        draft.map_or(Ok(()), Draft::finish)
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(draft) => draft.write_buffered(bytes).map(|()| bytes.len()),
            None => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
