//! Many files: an ordered parallel map, and what each command does with one file.

mod check;
mod convert;
mod ordered;
mod progress;
mod target;

pub use check::{Options, check, refused, unreadable};
pub use convert::{Conversion, Done, Failure, convert, convert_job};
pub use ordered::ordered_map;
pub use progress::Progress;
pub use target::{Job, Refusal, Target, Targets, save};
