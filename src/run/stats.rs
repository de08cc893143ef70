//! `stats`: statistics of many games.

use std::num::NonZeroUsize;

use crate::{
    report::Grid,
    source::{Input, InputError},
    table::stats::{Asked, Gathered, StatsError, Sums},
};

use super::{
    interrupt::interrupted,
    study::{Reached, Studying, study},
};

/// Plies that a thread gathers before it hands them on, and games.
const PIECE: usize = 65_536;
const GAMES: usize = 4_096;

/// What was counted.
#[derive(Debug)]
pub struct Counted {
    /// The tables.
    pub grids: Vec<Grid>,
    /// Games counted.
    pub games: u64,
    /// Whether the user has interrupted the counting.
    pub interrupted: bool,
}

/// Counts the games of `inputs`. `event` is told of bytes read and of inputs that failed.
///
/// # Errors
///
/// What Polars says.
pub fn stats(
    inputs: impl Iterator<Item = Result<Input, InputError>> + Send,
    jobs: NonZeroUsize,
    studying: &Studying,
    asked: &Asked,
    event: &mut dyn FnMut(u64, Option<&str>),
) -> Result<Counted, StatsError> {
    let mut sums = Sums::new(asked.clone());
    let mut failure = None;
    study(
        inputs,
        jobs,
        studying,
        Reached::default(),
        |gathered: &mut Gathered, study| gathered.add(&study, asked, &studying.names),
        |gathered| gathered.games >= GAMES || gathered.plies >= PIECE,
        |piece| {
            if piece.last || piece.failed.is_some() {
                event(piece.bytes, piece.failed.as_deref());
            }
            if piece.made.games > 0 {
                failure = sums.add(piece.made).err();
            }
            failure.is_none()
        },
    );
    if let Some(failure) = failure {
        return Err(failure);
    }
    Ok(Counted { games: sums.games, grids: sums.finish()?, interrupted: interrupted() })
}
