//! One file of `check --fix`: from its place through the repair to where it goes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    finding::{Code, Words},
    report::GameReport,
    source::{Input, InputError, is_packed},
};

use super::{
    check::{self, Options},
    copies::{Destination, Task, backup},
    fix::{Fixed, fix},
    target::{self, Draft, Existing, Refusal},
};

/// What became of one file.
#[derive(Default, Debug)]
pub struct FixReport {
    /// What is said of its games.
    pub reports: Vec<GameReport>,
    /// Bytes read.
    pub read: u64,
    /// Whether something was repaired.
    pub changed: bool,
    /// Files that were there already and were left alone.
    pub skipped: u64,
}

/// Why one file was not repaired.
#[derive(Debug, thiserror::Error)]
pub enum FixFailure {
    /// It was named and cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The new file cannot be written.
    #[error(transparent)]
    Output(#[from] Refusal),
    /// A backup of the name that is needed is there already.
    #[error("{0}: 已有备份，原文件未改 / a backup is there already, the file is left as it is")]
    Backup(PathBuf),
    /// The new file would be the old one.
    #[error(
        "{0}: 就是源文件，原地修改请用 --in-place / is the source itself; --in-place repairs it"
    )]
    Same(PathBuf),
}

/// Repairs one file as [`fix`] does and puts it where the plan says. Files that need nothing, or cannot be read, go to
/// a new tree byte for byte. Compressed files and members of archives are not repaired, and that is reported (`QJ013`).
///
/// # Errors
///
/// A file that was named cannot be read, or the new one or its backup not written; nothing is then changed.
pub fn fix_job(
    task: Task,
    options: &Options,
    wanted: &dyn Fn(Code) -> bool,
    existing: Existing,
) -> Result<FixReport, FixFailure> {
    let mut report = FixReport::default();
    let Task { input, destination, whole } = task;
    if let Some((from, to)) = whole {
        copy_whole(&from, &to, existing, &mut report)?;
    }
    let input = match input {
        Ok(input) => input,
        Err(error) => return unread(error, report),
    };
    if let Destination::New(to) = &destination
        && !may_write(&input, to, existing)?
    {
        report.skipped += 1;
        return Ok(report);
    }
    let raw = match input.raw() {
        Ok(raw) => raw,
        Err(error) => return unread(error, report),
    };
    report.read = raw.len() as u64;
    let packed = is_packed(&raw);
    let mut fixed = if packed {
        match input.unpack(raw.clone()) {
            Ok(bytes) => fix(&input.name, &bytes, input.named, options, wanted),
            Err(error) => {
                place(&destination, None, &raw, existing)?;
                return unread(error, report);
            }
        }
    } else {
        fix(&input.name, &raw, input.named, options, wanted)
    };
    if packed || input.member.is_some() {
        fixed.withhold(
            Words::new(
                "压缩文件及压缩包的成员不修复，请先解压",
                "compressed files and members of archives are not repaired; unpack them first",
            ),
            "archive",
        );
    }
    let Fixed { reports, bytes } = fixed;
    place(&destination, bytes.as_deref(), &raw, existing)?;
    report.changed = bytes.is_some();
    report.reports = reports;
    Ok(report)
}

/// The report of what cannot be read, or the failure if it was named.
fn unread(error: InputError, mut report: FixReport) -> Result<FixReport, FixFailure> {
    report.reports.push(match error {
        InputError { name, finding: Some(finding), .. } => check::refused(&name, *finding),
        error if error.named => return Err(error.into()),
        error => check::unreadable(&error.name, &error.error),
    });
    Ok(report)
}

/// Whether the new file `to` is to be written.
fn may_write(input: &Input, to: &Path, existing: Existing) -> Result<bool, FixFailure> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    if let Some(path) = &input.path
        && real(path).is_some_and(|source| real(to) == Some(source))
    {
        return Err(FixFailure::Same(to.to_owned()));
    }
    Ok(target::may_write(to, existing)?)
}

/// Copies a file that is not repaired.
fn copy_whole(
    from: &Path,
    to: &Path,
    existing: Existing,
    report: &mut FixReport,
) -> Result<(), FixFailure> {
    if !target::may_write(to, existing)? {
        report.skipped += 1;
        return Ok(());
    }
    let refuse = |error| Refusal::System(from.to_owned(), error);
    let mut source = fs::File::open(from).map_err(refuse)?;
    let mut draft = Draft::new(to, existing == Existing::Replace)?;
    io::copy(&mut source, &mut draft).map_err(refuse)?;
    Ok(draft.finish()?)
}

/// Writes what the file has become, `new` if it was repaired and `raw` as it was read.
fn place(
    destination: &Destination,
    new: Option<&[u8]>,
    raw: &[u8],
    existing: Existing,
) -> Result<(), FixFailure> {
    match (destination, new) {
        (Destination::New(to), new) => {
            target::save(to, new.unwrap_or(raw), existing == Existing::Replace)?;
        }
        (Destination::InPlace(path), Some(new)) => replace(path, new, raw)?,
        (Destination::InPlace(_), None) | (Destination::Nothing, _) => {}
    }
    Ok(())
}

/// Puts `new` in the place of the file, which becomes its backup.
fn replace(path: &Path, new: &[u8], raw: &[u8]) -> Result<(), FixFailure> {
    let backup = backup(path);
    if fs::symlink_metadata(&backup).is_ok() {
        return Err(FixFailure::Backup(backup));
    }
    let mut draft = Draft::new(path, true)?;
    draft.write(new)?;
    draft.like(path)?;
    // A second name for the old file, or where there are no such names a copy; both fail if another program was faster.
    match fs::hard_link(path, &backup) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(FixFailure::Backup(backup));
        }
        Err(_) => target::save(&backup, raw, false)?,
        Ok(()) => {}
    }
    draft.finish().map_err(|error| {
        // The file is as it was, and needs no backup.
        let _ = fs::remove_file(&backup);
        error.into()
    })
}
