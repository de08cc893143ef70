//! Files, directories and standard input as one ordered stream of inputs.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use walkdir::{DirEntry, WalkDir};

/// The largest file that is read, in bytes: places in a source count in 32 bits.
const FILE_LIMIT: u64 = u32::MAX as u64;

/// The most that is read from standard input, a pipe or a device, in bytes: such a source may never end.
const STREAM_LIMIT: u64 = 1 << 30;

/// One file to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The path as given (or reached from the path given), with `/`; `-` for standard input.
    pub name: String,
    /// Where it is; `None` for standard input.
    pub path: Option<PathBuf>,
    /// Whether the user named it, rather than a walk met it.
    pub named: bool,
    /// Size in bytes where known, for the progress bar.
    pub size: u64,
}

/// A path that cannot be walked or read.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
pub struct InputError {
    /// The path.
    pub name: String,
    /// Whether the user named it.
    pub named: bool,
    /// What the system says.
    pub error: io::Error,
}

impl Input {
    /// All bytes of the input.
    ///
    /// # Errors
    ///
    /// What the system says, and [`io::ErrorKind::FileTooLarge`] for a file over 4 GiB or for more than 1 GiB from
    /// standard input, a pipe or a device.
    pub fn read(&self) -> Result<Vec<u8>, InputError> {
        let bytes = match &self.path {
            None => read_all(io::stdin().lock(), 0, STREAM_LIMIT),
            Some(path) => read_path(path),
        };
        bytes.map_err(|error| InputError { name: self.name.clone(), named: self.named, error })
    }
}

fn read_path(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_file() {
        read_all(file, about.len(), FILE_LIMIT)
    } else {
        read_all(file, 0, STREAM_LIMIT)
    }
}

fn read_all(source: impl Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::from(io::ErrorKind::FileTooLarge);
    if expected > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve(usize::try_from(expected).map_err(|_| too_large())?)?;
    source.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

/// The inputs under `paths`, in order: directories depth first, bytewise by path component, hidden entries skipped.
///
/// A path that does not exist or cannot be walked gives an error in its turn, and the others go on. Symbolic links
/// are followed where they are named, never where a walk meets them, so a walk always ends; neither does it give out
/// pipes and devices, which may be named. Nothing is opened or listed before its turn.
///
/// ```
/// use qijian::source::inputs;
///
/// let names: Vec<String> =
///     inputs(&["src/source/".into(), "-".into()]).map(|input| input.unwrap().name).collect();
/// assert_eq!(names.first().unwrap(), "src/source/encoding.rs");
/// assert_eq!(names.last().unwrap(), "-");
/// ```
pub fn inputs(paths: &[PathBuf]) -> impl Iterator<Item = Result<Input, InputError>> {
    paths.iter().flat_map(|path| {
        let stdin = (path.as_os_str() == "-")
            .then(|| Ok(Input { name: "-".to_owned(), path: None, named: true, size: 0 }));
        let walk = stdin.is_none().then(|| walk(path));
        stdin.into_iter().chain(walk.into_iter().flatten())
    })
}

fn walk(root: &Path) -> impl Iterator<Item = Result<Input, InputError>> {
    WalkDir::new(root)
        .sort_by(|a, b| a.file_name().as_encoded_bytes().cmp(b.file_name().as_encoded_bytes()))
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry))
        .filter_map(move |entry| match entry {
            Ok(entry) => input(root, entry).transpose(),
            Err(error) => {
                let (path, named) = (error.path().unwrap_or(root), error.depth() == 0);
                // The walker's own words name the path a second time.
                let name = name(root, path);
                let words = error.to_string();
                let error = error.into_io_error().unwrap_or_else(|| io::Error::other(words));
                Some(Err(InputError { name, named, error }))
            }
        })
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// What a walk has met under `root`: an input, or nothing to be read.
fn input(root: &Path, entry: DirEntry) -> Result<Option<Input>, InputError> {
    let named = entry.depth() == 0;
    let about = if named {
        fs::metadata(entry.path())
    } else if entry.file_type().is_file() {
        entry.metadata().map_err(io::Error::from)
    } else {
        return Ok(None);
    };
    let name = name(root, entry.path());
    match about {
        Ok(about) if about.is_dir() => Ok(None),
        Ok(about) => {
            let size = if about.is_file() { about.len() } else { 0 };
            Ok(Some(Input { name, path: Some(entry.into_path()), named, size }))
        }
        Err(error) => Err(InputError { name, named, error }),
    }
}

/// The name of `path`, which is `root` or lies below it: `root` as given, and the components below joined by `/`.
fn name(root: &Path, path: &Path) -> String {
    let slashes = |path: &Path| {
        let text = path.to_string_lossy();
        if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace('\\', "/") }
    };
    let below = match path.strip_prefix(root) {
        Ok(below) => slashes(below),
        Err(_) => return slashes(path),
    };
    let root = slashes(root);
    if below.is_empty() { root } else { format!("{}/{below}", root.trim_end_matches('/')) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[PathBuf], base: &Path) -> Vec<String> {
        let base = format!("{}/", base.display());
        inputs(paths)
            .map(|input| match input {
                Ok(input) => {
                    format!(
                        "{}{}",
                        input.name.replace(&base, ""),
                        if input.named { "!" } else { "" }
                    )
                }
                Err(error) => format!("error {}", error.name.replace(&base, "")),
            })
            .collect()
    }

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        dir
    }

    #[test]
    fn walks_depth_first_bytewise_by_component() {
        // CONTRACT section 1. "a" is the whole component and sorts before "a.pgn", though '.' sorts before '/'.
        let dir = tree(&["b.pgn", "a.pgn", "a/z", "a/B", "a/b", "炮.pgn", "A", "a-b/c"]);
        assert_eq!(
            names(&[dir.path().to_owned()], dir.path()),
            ["A", "a/B", "a/b", "a/z", "a-b/c", "a.pgn", "b.pgn", "炮.pgn"]
        );
    }

    #[test]
    fn hidden_entries_are_skipped_below_the_named_path_only() {
        let dir = tree(&[".git/x", "a/.hidden", "a/seen", ".named/y"]);
        let paths = [dir.path().join("a"), dir.path().join(".named"), dir.path().join("a/.hidden")];
        assert_eq!(names(&paths, dir.path()), ["a/seen", ".named/y", "a/.hidden!"]);
        assert_eq!(names(&[dir.path().to_owned()], dir.path()), ["a/seen"]);
    }

    #[test]
    fn names_are_joined_without_a_double_slash() {
        let dir = tree(&["samples/a.pgn"]);
        let slashed = format!("{}/samples//", dir.path().display());
        assert_eq!(names(&[slashed.into()], dir.path()), ["samples/a.pgn"]);
        assert_eq!(name(Path::new("."), Path::new("./a/b.pgn")), "./a/b.pgn");
        assert_eq!(name(Path::new("/"), Path::new("/a")), "/a");
        assert_eq!(name(Path::new("a"), Path::new("a/b.pgn")), "a/b.pgn");
    }

    #[test]
    fn a_missing_path_is_an_error_in_its_turn() {
        // R89: a clear message for a missing path, and the others still run (CONTRACT section 1).
        let dir = tree(&["a", "b"]);
        let paths = ["a", "missing", "b"].map(|name| dir.path().join(name));
        assert_eq!(names(&paths, dir.path()), ["a!", "error missing", "b!"]);
        let error = inputs(&paths).nth(1).unwrap().unwrap_err();
        assert!(error.named);
        assert_eq!(error.error.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_where_named() {
        use std::os::unix::fs::symlink;
        let dir = tree(&["real/a", "single"]);
        symlink(dir.path().join("real"), dir.path().join("real/loop")).unwrap();
        symlink(dir.path().join("real"), dir.path().join("link")).unwrap();
        symlink(dir.path().join("single"), dir.path().join("file")).unwrap();
        symlink(dir.path().join("nowhere"), dir.path().join("broken")).unwrap();
        assert_eq!(names(&[dir.path().to_owned()], dir.path()), ["real/a", "single"]);
        let paths = ["link", "file", "broken"].map(|name| dir.path().join(name));
        assert_eq!(names(&paths, dir.path()), ["link/a", "file!", "error broken"]);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_unicode_are_shown_lossily_and_still_read() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        let dir = tree(&[]);
        fs::write(dir.path().join(OsStr::from_bytes(b"\xbd\xf8.pgn")), b"text").unwrap();
        let input = inputs(&[dir.path().to_owned()]).next().unwrap().unwrap();
        assert!(input.name.ends_with("/\u{FFFD}\u{FFFD}.pgn"), "{}", input.name);
        assert_eq!(input.read().unwrap(), b"text");
        assert_eq!(input.size, 4);
    }

    #[test]
    fn a_stream_without_an_end_is_refused() {
        let endless = io::repeat(0);
        assert_eq!(read_all(endless, 0, 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_all(&b"12345"[..], 0, 5).unwrap(), b"12345");
        assert_eq!(read_all(&b""[..], 6, 5).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn standard_input_is_named_and_has_no_path() {
        let input = inputs(&["-".into()]).next().unwrap().unwrap();
        assert_eq!(input, Input { name: "-".into(), path: None, named: true, size: 0 });
    }
}
