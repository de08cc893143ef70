//! Many files: an ordered parallel map, and what each command does with one file.

mod audit;
mod check;
mod convert;
mod copies;
mod digest;
mod event;
mod fix;
mod fix_job;
mod interrupt;
mod losses;
mod ordered;
mod page;
mod progress;
mod show;
mod spelled;
mod target;

pub use audit::{AuditDone, AuditFailure, AuditOptions, audit};
pub use check::{Options, check, refused, unreadable};
pub use convert::{Conversion, Done, Failure, Placing, convert, convert_job};
pub use copies::{Copies, Destination, Task};
pub use event::{event_records, game_records};
pub use fix::{Fixed, fix};
pub use fix_job::{FixFailure, FixReport, fix_job};
pub use interrupt::{interrupted, on_interrupt};
pub use ordered::ordered_map;
pub use page::Join;
pub use progress::Progress;
pub use show::show;
pub use target::{Draft, Existing, Job, Refusal, Target, Targets, save};
