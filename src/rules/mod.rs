//! Rule profiles, editions as data, and what they govern: repetitions (棋例) and the natural limit (自然限着).
//!
//! Code holds facts (who gives check, what is won by which capture); a [`Profile`] holds judgement (what that costs in
//! an edition). Every ruling carries its evidence.
//!
#![doc = include_str!("RULINGS.md")]

pub mod claim;
pub mod cycle;
mod event_rules;
mod exact;
mod exchange;
mod findings;
mod idle;
pub mod label;
pub mod limit;
pub mod mate;
mod profile;
pub mod repetition;
mod sequence;
pub mod threat;
mod verdict;

pub use event_rules::{
    ByeScore, DrawnGame, DrawnMatch, EventRules, EventRulesFile, HeadToHead, RapidLevel, RedBoards,
    SharedPlaces, Unplayed,
};
pub use exact::{Exact, NotExact};
pub use exchange::{Losses, has_crossed, worth};
pub use findings::judge;
pub use profile::{Chase, NaturalLimit, Profile, ProfileError, Repetition, Table, Value};
pub use verdict::{Behaviour, Verdict};
