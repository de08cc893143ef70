//! Rule profiles, editions as data, and what they govern: repetitions (棋例) and the natural limit (自然限着).
//!
//! Code holds facts (who gives check, what is won by which capture); a [`Profile`] holds judgement (what that costs in
//! an edition). Every ruling carries its evidence.
//!
#![doc = include_str!("RULINGS.md")]

pub mod annotation;
pub mod arbiter;
mod budget;
pub mod case;
mod checks;
pub mod clock;
pub mod control;
pub mod cycle;
mod event_rules;
mod exact;
mod exceptions;
mod exchange;
mod findings;
mod forced;
pub mod fouls;
mod frame;
mod idle;
pub mod label;
pub mod limit;
pub mod mate;
pub mod offers;
mod profile;
pub mod recording;
pub mod repetition;
mod sequence;
mod state;
pub mod threat;
pub mod touch;
mod verdict;

pub use event_rules::{
    ByeScore, DrawnGame, DrawnMatch, EventRules, EventRulesFile, HeadToHead, RapidLevel, RedBoards,
    SharedPlaces, Unplayed,
};
pub use exact::{Exact, NotExact};
pub use exchange::{Losses, has_crossed, worth};
pub use findings::{is_silent, judge, judge_case};
pub use profile::{
    Chase, ClockRules, Conduct, Effect, FoulKind, Fouls, IllegalMove, NaturalLimit, Profile,
    ProfileError, Recording, Repetition, Table, Unit, Value,
};
pub use verdict::{Behaviour, Verdict};
