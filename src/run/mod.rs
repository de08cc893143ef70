//! Many files: an ordered parallel map, and what each command does with one file.

mod check;
mod convert;
mod duplicates;
mod export;
mod find;
mod interrupt;
mod losses;
mod manifest;
mod ordered;
mod page;
mod progress;
mod show;
#[cfg(feature = "tables")]
mod stats;
mod stream;
mod study;
mod target;

pub use check::{Options, check, refused, unreadable};
pub use convert::{Conversion, Done, Failure, Placing, convert, convert_job};
pub use duplicates::{Duplicates, Found};
pub use export::{Export, ExportError, Exported, Partition, export};
pub use find::{Matched, find};
pub use interrupt::{interrupted, on_interrupt};
pub use manifest::RowCounts;
pub use ordered::ordered_map;
pub use page::Join;
pub use progress::Progress;
pub use show::show;
#[cfg(feature = "tables")]
pub use stats::{Counted, stats};
pub use stream::ordered_stream;
pub use study::{Piece, Reached, Studying, studies, study};
pub use target::{Draft, Existing, Job, Refusal, Target, Targets, save};
