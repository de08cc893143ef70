//! Many files: an ordered parallel map, and what `check` does with each file.

mod check;
mod ordered;
mod progress;

pub use check::{Options, check, refused, unreadable};
pub use ordered::ordered_map;
pub use progress::Progress;
