//! Files, directories, archives and standard input as one ordered stream of inputs.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
};

use walkdir::{DirEntry, WalkDir};

use crate::finding::Finding;

use super::{
    archive::{Archive, Member},
    unpack::{self, Refusal},
};

/// The largest file that is read, in bytes: places in a source count in 32 bits.
const FILE_LIMIT: u64 = u32::MAX as u64;

/// Files of up to so many bytes are read where the walk looks whether they are archives, so that they are opened once.
const SHORT: u64 = 32 << 10;

/// The most that is read from standard input, a pipe or a device, in bytes: such a source may never end.
const STREAM_LIMIT: u64 = 1 << 30;

/// One file, or one member of an archive, to be read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The path as given (or reached from the path given), with `/`; `-` for standard input. A member of an archive is
    /// called `a.zip!dir/b.pgn`.
    pub name: String,
    /// The file that it is, or that it is a member of; `None` for standard input.
    pub path: Option<PathBuf>,
    /// The name of the member within its archive, `/` between its parts; no path that can be trusted.
    pub member: Option<String>,
    /// Whether the user named it, rather than a walk met it. The members of an archive are met.
    pub named: bool,
    /// Size in bytes where known, for the progress bar.
    pub size: u64,
    content: Content,
}

/// Where the bytes of an input are.
#[derive(Clone, Debug)]
enum Content {
    /// In the file that `path` says.
    File,
    /// Here, because the file is short, or because they came from a stream that cannot be read twice.
    Bytes(Vec<u8>),
    /// In an archive.
    Member(Box<Member>),
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
    /// What is to be reported where the fault is in compressed data: such a source was there, but is not read.
    pub finding: Option<Box<Finding>>,
}

impl InputError {
    fn refused(name: &str, named: bool, refusal: &Refusal) -> InputError {
        let finding = refusal.finding();
        let error = io::Error::new(io::ErrorKind::InvalidData, finding.message.en.clone());
        InputError { name: name.to_owned(), named, error, finding: Some(Box::new(finding)) }
    }

    pub(super) fn system(name: &str, named: bool, error: io::Error) -> InputError {
        InputError { name: name.to_owned(), named, error, finding: None }
    }
}

impl Input {
    /// All bytes of the input; gzip and Zstandard are unpacked, known by their first bytes.
    ///
    /// # Errors
    ///
    /// What the system says, and [`io::ErrorKind::FileTooLarge`] for a file over 4 GiB or for more than 1 GiB from
    /// standard input, a pipe or a device. With a finding: compressed data that is damaged, encrypted or past the limits
    /// ([`super::UNPACKED_LIMIT`], [`super::RATIO_LIMIT`]), and an archive within an archive.
    pub fn read(&self) -> Result<Vec<u8>, InputError> {
        self.raw().and_then(|bytes| self.unpack(bytes))
    }

    /// The error of its being read.
    pub fn error(&self, error: io::Error) -> InputError {
        InputError::system(&self.name, self.named, error)
    }

    /// The file that it is, not the member of an archive and not read from a stream.
    pub(super) fn file(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| matches!(self.content, Content::File))
    }

    /// All bytes of the input as they are stored, gzip and Zstandard still packed.
    ///
    /// # Errors
    ///
    /// Those of [`Input::read`].
    pub fn raw(&self) -> Result<Vec<u8>, InputError> {
        let refused = |refusal: Refusal| InputError::refused(&self.name, self.named, &refusal);
        match (&self.content, &self.path) {
            (Content::Bytes(bytes), _) => Ok(bytes.clone()),
            (Content::Member(member), _) => {
                let bytes = member.read().map_err(refused)?;
                if unpack::is_zip(&bytes) {
                    return Err(refused(Refusal::Nested));
                }
                Ok(bytes)
            }
            (Content::File, Some(path)) => {
                read_path(path).map_err(|error| InputError::system(&self.name, self.named, error))
            }
            (Content::File, None) => Ok(Vec::new()),
        }
    }

    /// What [`Input::raw`] gave, unpacked if it is gzip or Zstandard.
    ///
    /// # Errors
    ///
    /// With a finding: the data is damaged or past the limits.
    pub fn unpack(&self, raw: Vec<u8>) -> Result<Vec<u8>, InputError> {
        unpack::unpack(raw).map_err(|refusal| InputError::refused(&self.name, self.named, &refusal))
    }
}

fn read_path(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    read_file(file, &about)
}

/// All bytes of a file that has been opened.
pub(super) fn read_file(file: File, about: &Metadata) -> io::Result<Vec<u8>> {
    match about.is_file() {
        true => read_all(file, about.len(), FILE_LIMIT),
        false => read_all(file, 0, STREAM_LIMIT),
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
/// pipes and devices, which may be named. Nothing is opened, listed or read before its turn.
///
/// A ZIP archive, known by its first bytes, stands for its members in bytewise order, hidden ones skipped; it is never
/// unpacked to disk. Standard input, a named pipe or device is read when its turn comes.
///
/// ```
/// use qijian::source::inputs;
///
/// let paths = ["src/source/".into(), "samples/valid.zip".into()];
/// let names: Vec<String> = inputs(&paths).map(|input| input.unwrap().name).collect();
/// assert_eq!(names.first().unwrap(), "src/source/archive.rs");
/// assert_eq!(names.last().unwrap(), "samples/valid.zip!b.pgn");
/// ```
pub fn inputs(paths: &[PathBuf]) -> impl Iterator<Item = Result<Input, InputError>> {
    paths.iter().flat_map(|path| {
        // Made only when its turn comes: `then` and `once_with` are lazy.
        let stdin = (path.as_os_str() == "-").then(|| {
            std::iter::once_with(|| {
                stream("-".to_owned(), || read_all(io::stdin().lock(), 0, STREAM_LIMIT))
            })
            .flatten()
        });
        let walk = stdin.is_none().then(|| walk(path).flat_map(opened));
        stdin.into_iter().flatten().chain(walk.into_iter().flatten())
    })
}

/// Whether `path` stands for one input: neither a directory nor an archive.
pub fn is_single(path: &Path) -> bool {
    !path.is_dir() && !is_archive(path)
}

/// What an input stands for: itself, or the members of the archive that it is.
enum Opened {
    One(Option<Result<Input, InputError>>),
    Members {
        archive: Archive,
        name: String,
        path: Option<PathBuf>,
        /// What is wrong with the archive as a whole, told before its members.
        error: Option<InputError>,
    },
}

impl Opened {
    fn new(
        archive: Result<Archive, Refusal>,
        name: String,
        path: Option<PathBuf>,
        named: bool,
    ) -> Opened {
        match archive {
            Ok(archive) => {
                let error = archive
                    .has_duplicates()
                    .then(|| InputError::refused(&name, named, &Refusal::Duplicate));
                Opened::Members { archive, name, path, error }
            }
            Err(refusal) => Opened::One(Some(Err(InputError::refused(&name, named, &refusal)))),
        }
    }
}

impl Iterator for Opened {
    type Item = Result<Input, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Opened::One(input) => input.take(),
            Opened::Members { archive, name, path, error } => {
                if let Some(error) = error.take() {
                    return Some(Err(error));
                }
                let (member, size, content) = archive.next()?;
                Some(Ok(Input {
                    name: format!("{name}!{member}"),
                    path: path.clone(),
                    member: Some(member),
                    named: false,
                    size,
                    content: Content::Member(Box::new(content)),
                }))
            }
        }
    }
}

fn opened(input: Result<Input, InputError>) -> Opened {
    let mut input = match input {
        Ok(Input { name, path: Some(path), named: true, .. }) if !path.is_file() => {
            return stream(name, || read_path(&path));
        }
        Ok(input) => input,
        error => return Opened::One(Some(error)),
    };
    // Of a file that cannot be read this is told later.
    match input.path.as_deref().map(|path| head(path, input.size)) {
        Some(Ok(Head::Archive)) => {
            let Input { name, path, named, .. } = input;
            let archive = path.as_deref().map(Archive::open);
            return archive.map_or(Opened::One(None), |it| Opened::new(it, name, path, named));
        }
        Some(Ok(Head::Whole(bytes))) => input.content = Content::Bytes(bytes),
        _ => {}
    }
    Opened::One(Some(Ok(input)))
}

/// What the beginning of a file shows.
enum Head {
    Archive,
    /// The file, which is short.
    Whole(Vec<u8>),
    Other,
}

/// Looks at the beginning of a regular file that has so many bytes.
fn head(path: &Path, size: u64) -> io::Result<Head> {
    let short = if size > SHORT { 0 } else { size as usize };
    // One byte more than there should be: where that is missing, the file has ended.
    let mut bytes = vec![0; short.max(4) + 1];
    let read = File::open(path)?.read(&mut bytes)?;
    bytes.truncate(read);
    Ok(match () {
        () if unpack::is_zip(&bytes) => Head::Archive,
        () if size <= SHORT && read == short => Head::Whole(bytes),
        () => Head::Other,
    })
}

/// Whether the first bytes of a regular file are those of a ZIP archive.
fn is_archive(path: &Path) -> bool {
    path.is_file() && matches!(head(path, 0), Ok(Head::Archive))
}

/// A source that can be read only once, read now.
fn stream(name: String, read: impl FnOnce() -> io::Result<Vec<u8>>) -> Opened {
    match read() {
        Ok(bytes) if unpack::is_zip(&bytes) => {
            Opened::new(Archive::within(bytes), name, None, true)
        }
        Ok(bytes) => Opened::One(Some(Ok(Input {
            name,
            path: None,
            member: None,
            named: true,
            size: bytes.len() as u64,
            content: Content::Bytes(bytes),
        }))),
        Err(error) => Opened::One(Some(Err(InputError::system(&name, true, error)))),
    }
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
                Some(Err(InputError::system(&name, named, error)))
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
            let path = Some(entry.into_path());
            Ok(Some(Input { name, path, member: None, named, size, content: Content::File }))
        }
        Err(error) => Err(InputError::system(&name, named, error)),
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
    use super::{super::archive::tests::archive, *};

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
    fn a_stream_is_read_in_its_turn_and_may_be_an_archive() {
        let plain: Vec<_> = stream("-".into(), || Ok(b"1. h2e2 *".to_vec())).collect();
        let [Ok(input)] = &plain[..] else { panic!("{plain:?}") };
        assert_eq!((&*input.name, input.named, input.size, &input.path), ("-", true, 9, &None));
        assert_eq!(input.read().unwrap(), b"1. h2e2 *");
        let zip = archive(&[("b", b"2", false), ("a", b"1", true)]);
        let names: Vec<_> =
            stream("-".into(), || Ok(zip)).map(|input| input.unwrap().name).collect();
        assert_eq!(names, ["-!a", "-!b"]);
        let failed = stream("-".into(), || Err(io::ErrorKind::FileTooLarge.into())).next();
        assert!(failed.unwrap().unwrap_err().named);
    }
}
