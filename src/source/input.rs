//! Files, directories and standard input as one ordered stream of inputs.

use std::path::PathBuf;

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
    pub error: std::io::Error,
}

impl Input {
    /// All bytes of the input.
    pub fn read(&self) -> Result<Vec<u8>, InputError> {
        todo!()
    }
}

/// The inputs under `paths`, in order: directories depth first, bytewise by path component, hidden entries skipped.
pub fn inputs(_paths: &[PathBuf]) -> impl Iterator<Item = Result<Input, InputError>> {
    std::iter::empty()
}
