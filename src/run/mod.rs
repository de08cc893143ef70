//! Many files: an ordered parallel map, and what each command does with one file.

mod check;
mod convert;
mod event;
mod interrupt;
mod losses;
mod ordered;
mod page;
mod progress;
mod show;
mod target;

pub use check::{Options, check, refused, unreadable};
pub use convert::{Conversion, Done, Failure, Placing, convert, convert_job};
pub use event::{event_records, game_record};
pub use interrupt::{interrupted, on_interrupt};
pub use ordered::ordered_map;
pub use page::Join;
pub use progress::Progress;
pub use show::show;
pub use target::{Draft, Existing, Job, Refusal, Target, Targets, save};
