//! Tournaments (articles 11 to 15, 18, 20, 21 and the appendices): an event file is read, its results scored and
//! ranked, its pairings audited, its next round paired.
//!
//! ```text
//! EVENT.toml ── load ──► Event ── Table ──► rank ──► Ranking
//!                          ├── audit ──► findings (QJ9xx)
//!                          └── pair ───► order tables, Swiss rounds, brackets, lots
//! ```
//!
#![doc = include_str!("EVENTS.md")]

mod audit;
mod bounds;
mod draw;
mod entrants;
mod file;
mod knockout;
mod load;
mod mark;
mod model;
pub mod order_table;
mod personal;
mod plan;
mod ranking;
mod records;
mod rows;
mod score;
mod standings;
pub mod swiss;
mod table;
mod table_file;
mod team;
mod tie_break;
mod trf;

pub use audit::audit;
pub use bounds::{Bound, COMPLETIONS, bounds};
pub use draw::{Card, Lots, cards};
pub use file::{Decision, Draw, Kind, LineUp, PenaltyKind, Role, Speed, System, TeamTable};
pub use knockout::bracket;
pub use load::{EventError, Loaded, Reader, load, parse};
pub use mark::Mark;
pub use model::{
    Decided, Encounter, Event, Game, Late, Note, Origin, Penalty, Player, Published, Source, Stage,
    Team, Withdrawal,
};
pub use personal::{Personal, personal_table};
pub use plan::{NoPlan, Plan, Planned, PlannedRound, plan, qualify, rapid_draw, snake};
pub use ranking::{Rank, Ranking, rank, rank_members, rank_stages};
pub use records::{Attached, GameRecord, attach};
pub use score::{Scale, Score};
pub use standings::{StageStandings, Standings, standings};
pub use table::{Line, Meeting, Outcome, Table};
pub use team::{TeamGame, all_play_all, is_by_strength, is_in_order, line_ups};
pub use tie_break::Criterion;
pub use trf::write_trf;
