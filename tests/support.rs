//! What several test modules need.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The crate's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// `../shared/NAME`, or `None` with a visible line if it is not there.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not there", path.display());
    None
}

/// The real binary, run in the crate's root with `LC_ALL` unset, so that the locale of the machine changes nothing.
pub(crate) fn qijian(arguments: &[&str]) -> Output {
    qijian_in(root(), arguments)
}

/// The real binary, run in `directory`.
pub(crate) fn qijian_in(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_qijian"))
        .args(arguments)
        .current_dir(directory)
        .env_remove("LC_ALL")
        .env("LANG", "C")
        .output()
        .expect("the binary runs")
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

/// The JSON lines of standard output.
pub(crate) fn lines(output: &Output) -> Vec<serde_json::Value> {
    stdout(output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is a JSON object"))
        .collect()
}

/// The real archives as `check` sees them, one JSON object a game with its moves, read once for all tests.
pub(crate) fn ruled_archive() -> &'static [serde_json::Value] {
    static ARCHIVE: std::sync::OnceLock<Vec<serde_json::Value>> = std::sync::OnceLock::new();
    ARCHIVE.get_or_init(|| {
        lines(&qijian(&["check", "../shared/data", "--format", "jsonl", "--moves"]))
    })
}
