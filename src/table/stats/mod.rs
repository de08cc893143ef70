//! Statistics of many games, as Polars group-bys whose parts add up.
//!
//! Every figure is a sum over rows, and a sum of sums is the sum of all: games are counted piece by piece, each piece
//! becomes a small data frame, and the frames of all pieces are summed again. So memory is bounded by the number of groups,
//! not of games, and the outcome depends neither on the pieces nor on the number of threads. Rates, means and medians are made
//! at the end from the sums.

mod facts;
mod finish;
mod specs;

use polars_core::prelude::{
    Column, DataFrame, DataType, IntoColumn, NamedFrom, PolarsError, Series, SortMultipleOptions,
};

use crate::report::{Figure, Grid};

use super::{names::Names, study::Study};
use facts::{Base, Facts};
pub use specs::{Spec, all, named};

/// Why statistics cannot be made.
pub type StatsError = PolarsError;

/// Frames that are kept before they are summed into one.
const MOST_FRAMES: usize = 32;

/// By what a table is split further.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum By {
    /// The year of the date.
    Year,
    /// The event as written.
    Event,
    /// The code of the opening.
    Opening,
    /// The source.
    Source,
    /// The format.
    Format,
    /// The result.
    Result,
    /// How the game ended.
    Termination,
    /// A player: each game counts for both.
    Player,
    /// A team: each game counts for both.
    Team,
    /// The side of the player or team.
    Side,
}

impl By {
    /// All of them.
    pub const ALL: [By; 10] = [
        By::Year,
        By::Event,
        By::Opening,
        By::Source,
        By::Format,
        By::Result,
        By::Termination,
        By::Player,
        By::Team,
        By::Side,
    ];

    /// The dimension of this name.
    pub fn from_name(name: &str) -> Option<By> {
        By::ALL.into_iter().find(|by| by.as_str() == name)
    }

    /// The name of the option and of the column.
    pub const fn as_str(self) -> &'static str {
        match self {
            By::Year => "year",
            By::Event => "event",
            By::Opening => "opening",
            By::Source => "source",
            By::Format => "format",
            By::Result => "result",
            By::Termination => "termination",
            By::Player => "player",
            By::Team => "team",
            By::Side => "side",
        }
    }

    /// Whether a game has one for each side.
    pub(super) const fn of_side(self) -> bool {
        matches!(self, By::Player | By::Team | By::Side)
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The tables.
    pub tables: Vec<&'static Spec>,
    /// By what they are split.
    pub by: Vec<By>,
    /// Groups of fewer games are left out of tables of players, teams, events, openings, pairs and lines.
    pub min_games: i64,
    /// Rows of a table; the first ones, none if `None`.
    pub limit: Option<usize>,
    /// Plies of the opening tree.
    pub depth: usize,
    /// The players of the head-to-head table, by the rules of names; empty for all pairs.
    pub players: Vec<String>,
}

/// A table that cannot be split as asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("--by {by}: {table} 表不能这样分 / the table {table} cannot be split so")]
pub struct NotBy {
    by: &'static str,
    table: &'static str,
}

impl Asked {
    /// Whether every table can be split as asked.
    ///
    /// # Errors
    ///
    /// The first that cannot.
    pub fn check(&self) -> Result<(), NotBy> {
        for table in &self.tables {
            for by in &self.by {
                if by.of_side() && !table.by_side || table.base == Base::Names {
                    return Err(NotBy { by: by.as_str(), table: table.name });
                }
            }
        }
        Ok(())
    }

    fn base(&self, table: &Spec) -> Base {
        match table.base {
            Base::Games if self.by.iter().any(|by| by.of_side()) => Base::Sides,
            base => base,
        }
    }
}

/// What a thread gathers of some games.
#[derive(Default)]
pub struct Gathered {
    facts: Vec<(Base, Facts)>,
    /// Games gathered.
    pub games: usize,
    /// Plies gathered.
    pub plies: usize,
}

impl Gathered {
    /// Adds a game.
    pub fn add(&mut self, study: &Study, asked: &Asked, names: &Names) {
        if !study.is_game() {
            return;
        }
        self.games += 1;
        self.plies += study.plies.len();
        for table in &asked.tables {
            let base = asked.base(table);
            if self.facts.iter().all(|(known, _)| *known != base) {
                self.facts.push((base, Facts::new(base)));
            }
        }
        for (_, facts) in &mut self.facts {
            facts.add(study, asked, names);
        }
    }
}

/// The sums of all games so far.
pub struct Sums {
    asked: Asked,
    /// The frames of each table, of the same columns.
    frames: Vec<Vec<DataFrame>>,
    /// Games counted.
    pub games: u64,
}

impl Sums {
    /// No game yet.
    pub fn new(mut asked: Asked) -> Sums {
        // To be split twice by one thing is to be split once.
        let mut seen = Vec::new();
        asked.by.retain(|by| {
            let is_new = !seen.contains(by);
            seen.push(*by);
            is_new
        });
        let frames = asked.tables.iter().map(|_| Vec::new()).collect();
        Sums { asked, frames, games: 0 }
    }

    /// Adds what a thread has gathered.
    ///
    /// # Errors
    ///
    /// What Polars says.
    pub fn add(&mut self, gathered: Gathered) -> Result<(), PolarsError> {
        self.games += gathered.games as u64;
        let mut frames: Vec<(Base, DataFrame)> = Vec::new();
        for (base, facts) in gathered.facts {
            frames.push((base, facts.frame()?));
        }
        for (index, table) in self.asked.tables.iter().enumerate() {
            let base = self.asked.base(table);
            let Some((_, frame)) = frames.iter().find(|(known, _)| *known == base) else {
                continue;
            };
            let summed = self.summed(table, frame)?;
            self.frames[index].push(summed);
            if self.frames[index].len() >= MOST_FRAMES {
                let all = self.all(index)?;
                self.frames[index] = vec![all];
            }
        }
        Ok(())
    }

    fn keys(&self, table: &Spec) -> Vec<&'static str> {
        let by = self.asked.by.iter().map(|by| by.as_str());
        let own = table.keys.iter().copied();
        let mut keys: Vec<&'static str> = Vec::new();
        for key in by.chain(own) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// The sums of the measures for each value of the keys, in no order.
    fn summed(&self, table: &Spec, frame: &DataFrame) -> Result<DataFrame, PolarsError> {
        let keys = self.keys(table);
        if keys.is_empty() {
            let sums = table.measures.iter().map(|name| {
                let sum = frame.column(name)?.sum_reduce()?.value().extract::<i64>();
                Ok(Series::new((*name).into(), [sum.unwrap_or(0)]).into_column())
            });
            return DataFrame::new(1, sums.collect::<Result<Vec<Column>, PolarsError>>()?);
        }
        #[expect(
            deprecated,
            reason = "the lazy engine does the same, and is half of Polars to compile"
        )]
        let mut sums = frame.group_by(&keys)?.select(table.measures.iter().copied()).sum()?;
        let names: Vec<&str> = keys.iter().chain(table.measures).copied().collect();
        sums.set_column_names(&names)?;
        Ok(sums)
    }

    /// The sums of all frames of a table.
    fn all(&self, index: usize) -> Result<DataFrame, PolarsError> {
        let mut all = DataFrame::default();
        if let Some((first, others)) = self.frames[index].split_first() {
            all = first.clone();
            for frame in others {
                all.vstack_mut(frame)?;
            }
            all.rechunk_mut();
        }
        self.summed(self.asked.tables[index], &all)
    }

    /// The tables.
    ///
    /// # Errors
    ///
    /// What Polars says.
    pub fn finish(self) -> Result<Vec<Grid>, PolarsError> {
        let mut grids = Vec::new();
        for (index, table) in self.asked.tables.iter().enumerate() {
            let mut rows = Vec::new();
            if !self.frames[index].is_empty() {
                let keys = self.keys(table);
                let mut all = self.all(index)?;
                if !keys.is_empty() {
                    all = all.sort(&keys, SortMultipleOptions::default().with_nulls_last(true))?;
                }
                rows = figures(&all)?;
            }
            let extra =
                self.asked.by.iter().filter(|by| !table.keys.contains(&by.as_str())).count();
            grids.push(finish::grid(table, rows, extra, &self.asked, self.asked.base(table)));
        }
        Ok(grids)
    }
}

/// The rows of a frame: text, whole and null values.
fn figures(frame: &DataFrame) -> Result<Vec<Vec<Figure>>, PolarsError> {
    let mut rows = vec![Vec::with_capacity(frame.width()); frame.height()];
    for column in frame.columns() {
        let values: Vec<Figure> = match column.str() {
            Ok(texts) => texts.iter().map(Figure::text).collect(),
            Err(_) => {
                let whole = column.cast(&DataType::Int64)?;
                whole.i64()?.iter().map(|value| value.map_or(Figure::Null, Figure::Count)).collect()
            }
        };
        rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value));
    }
    Ok(rows)
}

/// A grid as a Parquet file, shares as fractions with the ends of their intervals.
///
/// # Errors
///
/// What Polars says.
pub fn parquet(grid: &Grid) -> Result<Vec<u8>, PolarsError> {
    let names = grid.plain_columns();
    let rows: Vec<Vec<Figure>> = grid.rows.iter().map(|row| grid.plain_row(row)).collect();
    let mut columns: Vec<Column> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let values = || rows.iter().map(|row| &row[index]);
        let name = name.as_str().into();
        let series = if values().any(|value| matches!(value, Figure::Text(_))) {
            let texts = values().map(|value| match value {
                Figure::Text(text) => Some(text.clone()),
                Figure::Count(count) => Some(count.to_string()),
                _ => None,
            });
            Series::new(name, texts.collect::<Vec<_>>())
        } else if values().any(|value| matches!(value, Figure::Real(_))) {
            let reals = values().map(|value| match value {
                Figure::Real(real) => Some(*real),
                Figure::Count(count) => Some(*count as f64),
                _ => None,
            });
            Series::new(name, reals.collect::<Vec<_>>())
        } else {
            let counts = values().map(|value| match value {
                Figure::Count(count) => Some(*count),
                _ => None,
            });
            Series::new(name, counts.collect::<Vec<_>>())
        };
        columns.push(series.into_column());
    }
    let mut frame = DataFrame::new(rows.len(), columns)?;
    let mut bytes = Vec::new();
    polars_io::parquet::write::ParquetWriter::new(&mut bytes)
        .set_parallel(false)
        .finish(&mut frame)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
