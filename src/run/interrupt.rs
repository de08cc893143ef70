//! Ctrl-C: the files at work are finished, no other is begun.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on a first SIGINT, SIGTERM or SIGHUP only sets what [`interrupted`] tells; a second one ends the process at
/// once with exit status 2, for the case that a file takes long.
///
/// # Errors
///
/// The system refuses, or there is a handler already.
pub fn on_interrupt() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(2);
        }
    })
}

/// Whether the user wants the run to stop.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
