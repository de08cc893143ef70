//! Many files: an ordered parallel map, and what each command does with one file.

mod audit;
mod check;
mod convert;
mod copies;
mod digest;
mod duplicates;
mod event;
mod export;
mod find;
mod fix;
mod fix_job;
mod games;
mod interrupt;
mod losses;
mod manifest;
mod numbering;
mod ordered;
mod page;
mod progress;
mod show;
mod spelled;
mod spread;
#[cfg(feature = "tables")]
mod stats;
mod stream;
mod study;
mod target;

pub use audit::{AuditDone, AuditFailure, AuditOptions, audit};
pub use check::{Options, check, check_input, refused, unreadable};
pub use convert::{Conversion, Done, Failure, Placing, convert, convert_job};
pub use copies::{Copies, Destination, Task};
pub use duplicates::{Duplicates, Found};
pub use event::{event_records, game_records};
pub use export::{Export, ExportError, Exported, Partition, export};
pub use find::{Matched, find};
pub use fix::{Fixed, fix};
pub use fix_job::{FixFailure, FixReport, fix_job};
pub use interrupt::{interrupted, on_interrupt};
pub use manifest::RowCounts;
pub use ordered::ordered_map;
pub use page::Join;
pub use progress::Progress;
pub use show::show;
pub use spread::spread;
#[cfg(feature = "tables")]
pub use stats::{Counted, stats};
pub use stream::ordered_stream;
pub use study::{Piece, Reached, Studying, studies, study};
pub use target::{Draft, Existing, Job, Refusal, Target, Targets, save};
