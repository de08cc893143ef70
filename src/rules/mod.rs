//! Rule profiles, editions as data, and what they govern: repetitions (棋例) and the natural limit (自然限着).
//!
//! Code holds facts (who gives check, what is won by which capture); a [`Profile`] holds judgement (what that costs in
//! an edition). Every ruling carries its evidence.
//!
#![doc = include_str!("RULINGS.md")]

mod checks;
pub mod claim;
pub mod cycle;
mod exceptions;
mod exchange;
mod findings;
mod forced;
mod frame;
mod idle;
pub mod label;
pub mod limit;
pub mod mate;
mod profile;
pub mod repetition;
mod sequence;
pub mod threat;
mod verdict;

pub use exchange::{Losses, has_crossed, worth};
pub use findings::judge;
pub use profile::{Chase, NaturalLimit, Profile, ProfileError, Repetition, Table, Value};
pub use verdict::{Behaviour, Verdict};
