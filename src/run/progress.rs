//! The progress bar: files and bytes, on standard error, and only there where a person looks at it.

use std::{io::IsTerminal, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};

/// Counts files and bytes done.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    files: u64,
}

impl Progress {
    /// A bar on standard error if `wanted` and standard error is a terminal, else one that shows nothing.
    pub fn new(wanted: bool) -> Progress {
        let bar = if wanted && std::io::stderr().is_terminal() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        // The total is not known: a walk over 100 000 files begins to check before it has found the last.
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {msg}  {bytes} ({bytes_per_sec})  {elapsed}")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Progress { bar, files: 0 }
    }

    /// One more file of `bytes` is done.
    pub fn file(&mut self, bytes: u64) {
        self.files += 1;
        self.bar.inc(bytes);
        self.bar.set_message(format!("{}", self.files));
    }

    /// Runs `print` without the bar in its way.
    pub fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
