//! Datasets and statistics of many games.
//!
//! A [`Study`] is one game with all that the tables say of it. [`Rows`] are the datasets `games`, `plies` and `findings`
//! of some games, column by column; `SCHEMA.md` describes every column. With the feature `tables` (on by default) they become
//! Polars data frames and Parquet, and `stats` makes statistics of them.
//!
#![doc = include_str!("SCHEMA.md")]

mod cell;
mod clock;
mod date;
mod duplicates;
mod files;
mod filter;
mod hash;
mod names;
pub mod openings;
#[cfg(feature = "tables")]
mod parquet;
mod rows;
pub mod schema;
mod search;
#[cfg(feature = "tables")]
pub mod stats;
mod study;
pub mod text;

pub use cell::{Batch, Cell, Column, Kind, Packed};
pub use clock::Clock;
pub use date::Date;
pub use duplicates::{Copy, Groups, Index, Member};
pub use files::{FileFormat, TableFile};
pub use filter::{Filter, FilterError};
pub use names::{AliasError, Names, Of, Rule};
#[cfg(feature = "tables")]
pub use parquet::frame;
pub use rows::{Rows, packed};
pub use schema::{Positions, Table, partition_name};
pub use search::{Hit, Query, QueryError};
pub use study::{Copied, Note, Ply, Study, game_id};
