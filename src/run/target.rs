//! Where converted files go, and how they get there: never over another file unasked, never half-written.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Component, Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use crate::source::{self, Input, InputError};

/// Where one file goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

/// One input with its target.
#[derive(Clone, Debug)]
pub struct Job {
    /// What to read.
    pub input: Input,
    /// Where to write.
    pub target: Target,
}

/// What to do where the file to be written exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// Nothing is written, and that is an error.
    Refuse,
    /// It is replaced.
    Replace,
    /// It stays as it is: since files appear whole or not at all, an earlier run has written it.
    Keep,
}

/// Why an output cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It exists, and nobody said that it may be replaced.
    #[error("{0}: 已存在，要覆盖请用 --force / exists; --force overwrites it")]
    Exists(PathBuf),
    /// Several inputs, or a directory, and an output that is no directory.
    #[error("{0}: 多个输入须输出到目录 / several inputs need a directory as output")]
    NoDirectory(PathBuf),
    /// A directory stands where a file is to be written.
    #[error("{0}: 是目录 / is a directory")]
    Directory(PathBuf),
    /// What the system says.
    #[error("{0}: {1}")]
    System(PathBuf, #[source] io::Error),
}

/// The plan of a conversion: which input goes where.
#[derive(Debug)]
pub struct Targets {
    roots: Vec<Root>,
    out: Out,
    extension: &'static str,
}

/// An input as given.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) path: PathBuf,
    /// Where the output directory lies below it, so that a walk does not convert what was just written.
    pub(super) own: Option<PathBuf>,
}

/// Where the output goes.
#[derive(Clone, Debug)]
pub(super) enum Out {
    Stdout,
    File(PathBuf),
    Directory(PathBuf),
    /// All inputs go to this one output, which the caller writes.
    Joined(PathBuf),
}

impl Targets {
    /// Plans to convert `inputs` to `out`, giving files the name extension `extension`.
    ///
    /// One input that is neither directory nor archive goes to the file `out`, to standard output if that is `-`, or into `out` if that
    /// is a directory. Several inputs, a directory or an archive go into the directory `out`, which is made: files under their
    /// names, what lies in a directory in the same tree.
    ///
    /// # Errors
    ///
    /// `out` is needed as a directory and is none, or cannot be made.
    pub fn new(
        inputs: &[PathBuf],
        out: &Path,
        extension: &'static str,
    ) -> Result<Targets, Refusal> {
        let out = Out::new(inputs, out)?;
        let roots = inputs.iter().map(|path| Root::new(path, &out));
        Ok(Targets { roots: roots.collect(), out, extension })
    }

    /// Plans to convert all `inputs` to one output, `out`: each job has the target [`Target::Stdout`].
    pub fn joined(inputs: &[PathBuf], out: &Path) -> Targets {
        let out = Out::Joined(out.to_owned());
        let roots = inputs.iter().map(|path| Root::new(path, &out));
        Targets { roots: roots.collect(), out, extension: "" }
    }

    /// The inputs in order, each with its target. Two inputs never have the same: the later one keeps its extension,
    /// `a.xqf.pgn`, or is given a number.
    pub fn jobs(&self) -> impl Iterator<Item = Result<Job, InputError>> {
        let mut taken: HashSet<PathBuf> = HashSet::new();
        let found = self.roots.iter().flat_map(|root| {
            source::inputs(std::slice::from_ref(&root.path))
                .filter(|input| !root.is_own(input))
                .map(move |input| (root, input))
        });
        found.map(move |(root, input)| {
            let input = input?;
            let target = match &self.out {
                Out::Stdout | Out::Joined(_) => Target::Stdout,
                Out::File(path) => Target::File(path.clone()),
                Out::Directory(directory) => {
                    let below = root.below(&input);
                    let mut path = directory.join(with_extension(&below, self.extension));
                    let mut number = 1;
                    while !taken.insert(path.clone()) {
                        path = directory.join(appended(&below, self.extension, number));
                        number += 1;
                    }
                    Target::File(path)
                }
            };
            Ok(Job { input, target })
        })
    }
}

impl Out {
    /// `out` as one file, standard output or a directory, which is made, by what the inputs are.
    pub(super) fn new(inputs: &[PathBuf], out: &Path) -> Result<Out, Refusal> {
        let one = matches!(inputs, [input] if source::is_single(input));
        let out = match (one, out.as_os_str() == "-") {
            (true, true) => Out::Stdout,
            (true, false) if !out.is_dir() => Out::File(out.to_owned()),
            (false, true) => return Err(Refusal::NoDirectory(out.to_owned())),
            _ => Out::Directory(out.to_owned()),
        };
        if let Out::Directory(path) = &out {
            if path.exists() && !path.is_dir() {
                return Err(Refusal::NoDirectory(path.clone()));
            }
            fs::create_dir_all(path).map_err(|error| Refusal::System(path.clone(), error))?;
        }
        Ok(out)
    }
}

impl Root {
    pub(super) fn new(path: &Path, out: &Out) -> Root {
        Root { path: path.to_owned(), own: own(path, out) }
    }

    pub(super) fn is_own(&self, input: &Result<Input, InputError>) -> bool {
        let path = input.as_ref().ok().and_then(|input| input.path.as_deref());
        let below = path.and_then(|path| path.strip_prefix(&self.path).ok());
        self.own.as_deref().zip(below).is_some_and(|(own, below)| below.starts_with(own))
    }

    /// The path of `input` below the root, its name if it is the root. A member of an archive lies in a directory that
    /// is called as the archive without its extension.
    fn below(&self, input: &Input) -> PathBuf {
        let file = self.below_path(input.path.as_deref());
        let Some(member) = &input.member else { return file };
        // A member may be called `../../x` or `/x`: only plain names stay, so that nothing leaves the directory.
        let plain =
            Path::new(member).components().filter(|part| matches!(part, Component::Normal(_)));
        file.with_extension("").join(plain.collect::<PathBuf>())
    }

    /// The path of a file below the root, its name if it is the root.
    pub(super) fn below_path(&self, path: Option<&Path>) -> PathBuf {
        match path.map(|path| (path, path.strip_prefix(&self.path))) {
            None => PathBuf::from("stdin"),
            Some((_, Ok(below))) if !below.as_os_str().is_empty() => below.to_owned(),
            Some((path, _)) => PathBuf::from(path.file_name().unwrap_or(path.as_os_str())),
        }
    }
}

/// Where the output lies below the directory `root`, if it does.
fn own(root: &Path, out: &Out) -> Option<PathBuf> {
    let (Out::Directory(out) | Out::Joined(out)) = out else { return None };
    let (root, out) = (fs::canonicalize(root).ok()?, fs::canonicalize(out).ok()?);
    let below = out.strip_prefix(root).ok()?;
    (!below.as_os_str().is_empty()).then(|| below.to_owned())
}

/// `path` with `extension` in place of its own; one that begins with a digit is part of the name (棋谱v1.0).
fn with_extension(path: &Path, extension: &str) -> PathBuf {
    let own = path.extension().and_then(|own| own.to_str());
    if own.is_some_and(|own| own.starts_with(|c: char| c.is_ascii_alphabetic())) {
        path.with_extension(extension)
    } else {
        appended(path, extension, 1)
    }
}

/// `path` with `extension` behind its own, and a number before it if that is not enough.
fn appended(path: &Path, extension: &str, number: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    if number > 1 {
        name.push(format!(".{number}"));
    }
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Writes `bytes` to `path`, making its directory: a [`Draft`] in one step.
///
/// # Errors
///
/// [`Refusal::Exists`] if there is a file and not `force`; what the system says.
pub fn save(path: &Path, bytes: &[u8], force: bool) -> Result<(), Refusal> {
    let mut draft = Draft::new(path, force)?;
    draft.write(bytes)?;
    draft.finish()
}

/// A file in the making. It appears whole or not at all: it is written under a hidden name beside its place and renamed
/// at the end; dropped before that, it is gone. A device or pipe is written to as it is.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    file: File,
    /// The hidden file and its place; none for a device.
    hidden: Option<(Temporary, PathBuf)>,
    force: bool,
}

impl Draft {
    /// Begins the file `path`, making its directory.
    ///
    /// # Errors
    ///
    /// [`Refusal::Exists`] if there is a file and not `force`; what the system says.
    pub fn new(path: &Path, force: bool) -> Result<Draft, Refusal> {
        let refuse = |error| Refusal::System(path.to_owned(), error);
        may_write(path, if force { Existing::Replace } else { Existing::Refuse })?;
        let path = path.to_owned();
        if fs::metadata(&path).is_ok_and(|about| !about.is_file()) {
            let file = OpenOptions::new().write(true).open(&path).map_err(refuse)?;
            return Ok(Draft { path, file, hidden: None, force });
        }
        // The file behind a link is replaced, not the link.
        let place = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let directory = match place.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(directory).map_err(refuse)?;
        let (file, temporary) = temporary(directory).map_err(refuse)?;
        Ok(Draft { path, file, hidden: Some((temporary, place)), force })
    }

    /// Adds `bytes`.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.file.write_all(bytes).map_err(|error| Refusal::System(self.path.clone(), error))
    }

    /// Gives the file the permissions of the one at `path`.
    pub(super) fn like(&mut self, path: &Path) -> Result<(), Refusal> {
        let permissions = fs::metadata(path).map(|about| about.permissions());
        permissions
            .and_then(|permissions| self.file.set_permissions(permissions))
            .map_err(|error| Refusal::System(self.path.clone(), error))
    }

    /// Adds `bytes` as [`Draft::write`] does, with the system's own words.
    pub(super) fn write_buffered(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// [`Refusal::Exists`] if another program has made such a file meanwhile and it is not to be replaced; what the
    /// system says.
    pub fn finish(self) -> Result<(), Refusal> {
        let Draft { path, mut file, hidden, force } = self;
        let result = file.flush();
        drop(file);
        let moved = result.and_then(|()| match &hidden {
            None => Ok(()),
            Some((from, place)) if force => fs::rename(&from.0, place),
            Some((from, place)) => link(&from.0, place),
        });
        moved.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Refusal::Exists(path),
            _ => Refusal::System(path, error),
        })
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether a file is to be written to `path`, asked before so that nobody works in vain.
///
/// # Errors
///
/// It is a directory, or a file exists and is to be refused.
pub(super) fn may_write(path: &Path, existing: Existing) -> Result<bool, Refusal> {
    // A link that leads nowhere is there all the same.
    let Ok(link) = fs::symlink_metadata(path) else { return Ok(true) };
    match (fs::metadata(path), existing) {
        (Ok(about), _) if about.is_dir() => Err(Refusal::Directory(path.to_owned())),
        (Ok(about), _) if !about.is_file() => Ok(true),
        (Ok(_), Existing::Replace) => Ok(true),
        (Ok(_), Existing::Keep) => Ok(false),
        (Err(_), Existing::Replace) if link.is_symlink() => Ok(true),
        _ => Err(Refusal::Exists(path.to_owned())),
    }
}

/// The path of the `game`th of `games` games: `a-07.xqf`. Two sources whose paths differ never share such a path, as
/// the last hyphen tells them apart.
pub(super) fn numbered(path: &Path, game: usize, games: usize) -> PathBuf {
    let width = games.to_string().len();
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{game:0width$}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Gives the file at `from` the name `to`, which must be free.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Some file systems have no links; between the question and the answer another program may slip in there.
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
        Ok(()) => Ok(()),
    }
}

/// A file that vanishes with this value.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // It is gone where it has been renamed.
        let _ = fs::remove_file(&self.0);
    }
}

/// A new hidden file in `directory`; hidden so that no walk converts it.
fn temporary(directory: &Path) -> io::Result<(File, Temporary)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!(".qijian-{}-{count}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, Temporary(path))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a directory");
        for name in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, "x").expect("written");
        }
        dir
    }

    fn plan(inputs: &[&Path], out: &Path) -> Vec<PathBuf> {
        let inputs: Vec<PathBuf> = inputs.iter().map(|path| path.to_path_buf()).collect();
        let targets = Targets::new(&inputs, out, "pgn").expect("a plan");
        targets
            .jobs()
            .map(|job| match job.expect("an input").target {
                Target::File(path) => path.strip_prefix(out).unwrap_or(&path).to_owned(),
                Target::Stdout => PathBuf::from("-"),
            })
            .collect()
    }

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn a_tree_goes_to_the_same_tree() {
        let dir = tree(&["in/a.xqf", "in/b/c.d.XQF", "in/b/v1.0", "in/z", "in/.hidden/x.pgn"]);
        let out = dir.path().join("out");
        assert_eq!(
            plan(&[&dir.path().join("in")], &out),
            paths(&["a.pgn", "b/c.d.pgn", "b/v1.0.pgn", "z.pgn"])
        );
        assert!(out.is_dir());
    }

    #[test]
    fn two_inputs_never_have_the_same_target() {
        let dir = tree(&["in/a.pgn", "in/a.xqf", "in/a.XQF", "b/a.pgn", "c/a.pgn"]);
        let out = dir.path().join("out");
        let at = |name: &str| dir.path().join(name);
        let found = plan(&[&at("in"), &at("b/a.pgn"), &at("c/a.pgn")], &out);
        let set: HashSet<&PathBuf> = found.iter().collect();
        assert_eq!(set.len(), 5, "{found:?}");
        // Bytewise, a.XQF comes first.
        assert_eq!(found[..3], paths(&["a.pgn", "a.pgn.pgn", "a.xqf.pgn"])[..]);
    }

    #[test]
    fn one_file_goes_to_a_file_a_directory_or_standard_output() {
        let dir = tree(&["a.xqf", "out/x"]);
        let a = dir.path().join("a.xqf");
        // The file itself: nothing lies below it.
        assert_eq!(plan(&[&a], &dir.path().join("new")), paths(&[""]));
        assert_eq!(plan(&[&a], &dir.path().join("out")), paths(&["a.pgn"]));
        assert_eq!(plan(&[&a], Path::new("-")), paths(&["-"]));
        assert_eq!(plan(&[Path::new("-")], &dir.path().join("out")), paths(&["stdin.pgn"]));
    }

    #[test]
    fn several_inputs_need_a_directory() {
        let dir = tree(&["in/a.xqf", "file"]);
        let input = [dir.path().join("in")];
        for out in [dir.path().join("file"), PathBuf::from("-")] {
            assert!(matches!(Targets::new(&input, &out, "pgn"), Err(Refusal::NoDirectory(_))));
        }
    }

    #[test]
    fn what_was_written_below_the_input_is_no_input() {
        let dir = tree(&["in/a.xqf", "in/out/b.pgn", "in/out2/c.pgn"]);
        let input = dir.path().join("in");
        assert_eq!(plan(&[&input], &input.join("out")), paths(&["a.pgn", "out2/c.pgn"]));
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_overwritten_unasked_and_nothing_left_behind() {
        let dir = tree(&["a"]);
        let a = dir.path().join("a");
        assert!(matches!(save(&a, b"new", false), Err(Refusal::Exists(_))));
        assert_eq!(fs::read(&a).expect("read"), b"x");
        save(&a, b"new", true).expect("saved");
        assert_eq!(fs::read(&a).expect("read"), b"new");
        save(&dir.path().join("d/e/b"), b"b", false).expect("saved");
        assert!(matches!(save(&dir.path().join("d"), b"b", true), Err(Refusal::Directory(_))));
        assert_eq!(names(dir.path()), ["a", "d"]);
        assert_eq!(names(&dir.path().join("d/e")), ["b"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices() {
        let dir = tree(&["a"]);
        let (a, link) = (dir.path().join("a"), dir.path().join("link"));
        std::os::unix::fs::symlink("a", &link).expect("a link");
        assert!(matches!(save(&link, b"new", false), Err(Refusal::Exists(_))));
        save(&link, b"new", true).expect("saved");
        assert_eq!(fs::read(&a).expect("read"), b"new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        save(Path::new("/dev/null"), b"new", false).expect("saved");
        let broken = dir.path().join("broken");
        std::os::unix::fs::symlink("nowhere", &broken).expect("a link");
        assert!(matches!(save(&broken, b"new", false), Err(Refusal::Exists(_))));
    }
}
