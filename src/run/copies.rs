//! Where repaired files go: into a new tree, file by file as the old one, or in the place of the old ones.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use crate::source::{self, Input, InputError};

use super::target::{Out, Refusal, Root};

/// Where one file goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    /// To a new file, repaired or not.
    New(PathBuf),
    /// Over itself, if it is repaired.
    InPlace(PathBuf),
    /// Nowhere: a member of an archive.
    Nothing,
}

/// One input with its destination.
#[derive(Debug)]
pub struct Task {
    /// What to read.
    pub input: Result<Input, InputError>,
    /// Where to write.
    pub destination: Destination,
    /// A file to be copied whole before that, from and to: an archive, or what cannot be read.
    pub whole: Option<(PathBuf, PathBuf)>,
}

/// The plan of a repair: which input goes where.
#[derive(Debug)]
pub struct Copies {
    roots: Vec<Root>,
    /// `None` in place.
    out: Option<Out>,
}

impl Copies {
    /// Plans to write the repaired `inputs` to `out`: one file to the file `out`, or into `out` if that is a directory;
    /// several, a directory or an archive into the directory `out`, which is made, in the same tree.
    ///
    /// # Errors
    ///
    /// `out` is needed as a directory and is none, or cannot be made.
    pub fn to(inputs: &[PathBuf], out: &Path) -> Result<Copies, Refusal> {
        let out = Out::new(inputs, out)?;
        let roots = inputs.iter().map(|path| Root::new(path, &out)).collect();
        Ok(Copies { roots, out: Some(out) })
    }

    /// Plans to repair `inputs` in their places.
    pub fn in_place(inputs: &[PathBuf]) -> Copies {
        let roots = inputs.iter().map(|path| Root { path: path.clone(), own: None }).collect();
        Copies { roots, out: None }
    }

    /// The inputs in order, each with its destination. In place, a file that is reached twice comes once, and backups
    /// that a walk meets do not come.
    pub fn tasks(&self) -> impl Iterator<Item = Task> {
        let mut taken: HashSet<PathBuf> = HashSet::new();
        let mut archive: Option<PathBuf> = None;
        let found = self.roots.iter().flat_map(|root| {
            source::inputs(std::slice::from_ref(&root.path))
                .filter(|input| !root.is_own(input))
                .map(move |input| (root, input))
        });
        found.filter_map(move |(root, input)| {
            let path = match &input {
                Ok(input) => input.path.clone(),
                // The name is the path as given.
                Err(error) => Some(PathBuf::from(&error.name)).filter(|path| path.is_file()),
            };
            let is_whole = match &input {
                Ok(input) => input.member.is_some(),
                Err(_) => true,
            };
            let Some(out) = &self.out else {
                let destination = match path.filter(|_| !is_whole) {
                    Some(path) => {
                        let named = input.as_ref().is_ok_and(|input| input.named);
                        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                        if (!named && is_backup(&path)) || !taken.insert(real.clone()) {
                            return None;
                        }
                        Destination::InPlace(real)
                    }
                    None => Destination::Nothing,
                };
                return Some(Task { input, destination, whole: None });
            };
            let first = archive != path || path.is_none();
            archive = path.clone().filter(|_| is_whole);
            if is_whole && !first {
                return Some(Task { input, destination: Destination::Nothing, whole: None });
            }
            let new = match out {
                Out::Directory(directory) => {
                    let below = root.below_path(path.as_deref());
                    let mut new = directory.join(&below);
                    let mut number = 2;
                    while !taken.insert(new.clone()) {
                        new = directory.join(numbered(&below, number));
                        number += 1;
                    }
                    new
                }
                Out::File(path) | Out::Joined(path) => path.clone(),
                Out::Stdout => {
                    return Some(Task { input, destination: Destination::Nothing, whole: None });
                }
            };
            Some(match path.filter(|_| is_whole) {
                Some(path) => {
                    Task { input, destination: Destination::Nothing, whole: Some((path, new)) }
                }
                None if is_whole => Task { input, destination: Destination::Nothing, whole: None },
                None => Task { input, destination: Destination::New(new), whole: None },
            })
        })
    }
}

/// The backup of a file: its name with `.bak` behind it.
pub(super) fn backup(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}

/// Whether `path` is called as the backup of a file that is there.
fn is_backup(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "bak") && path.with_extension("").exists()
}

/// `a.pgn` as `a.2.pgn`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(copies: &Copies, base: &Path) -> Vec<String> {
        let show = |path: &Path| path.strip_prefix(base).unwrap_or(path).display().to_string();
        copies
            .tasks()
            .map(|task| match (&task.destination, &task.whole) {
                (Destination::New(path), _) => show(path),
                (Destination::InPlace(path), _) => format!("={}", show(path)),
                (Destination::Nothing, Some((_, to))) => format!("whole {}", show(to)),
                (Destination::Nothing, None) => "-".to_owned(),
            })
            .collect()
    }

    fn tree() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().expect("a directory");
        let base = fs::canonicalize(dir.path()).expect("a path");
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
        for name in ["in/a.pgn", "in/b/c.pgn", "in/a.pgn.bak", "in/alone.bak", "d/a.pgn"] {
            let path = base.join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::copy(samples.join("illegal-move.pgn"), path).expect("copied");
        }
        fs::copy(samples.join("valid.zip"), base.join("in/v.zip")).expect("copied");
        (dir, base)
    }

    #[test]
    fn a_tree_goes_to_the_same_tree_and_archives_go_whole() {
        let (_dir, base) = tree();
        let out = base.join("out");
        let inputs = [base.join("in"), base.join("d/a.pgn")];
        let found = plan(&Copies::to(&inputs, &out).expect("a plan"), &out);
        let expected =
            ["a.pgn", "a.pgn.bak", "alone.bak", "b/c.pgn", "whole v.zip", "-", "a.2.pgn"];
        assert_eq!(found, expected);
    }

    #[test]
    fn in_place_each_file_comes_once_and_no_backup() {
        let (_dir, base) = tree();
        let inputs = [base.join("in"), base.join("in/b"), base.join("in/a.pgn")];
        let found = plan(&Copies::in_place(&inputs), &base);
        assert_eq!(found, ["=in/a.pgn", "=in/alone.bak", "=in/b/c.pgn", "-", "-"]);
    }
}
