//! The reconciled game as a record.

use crate::{
    finding::Binary,
    record::Record,
    replay::{self, Game},
};

use super::Sheet;

/// The record of the reconciled game, and its replay.
pub(super) fn reconciled<'a>(
    sheets: &[Sheet<'_, 'a>],
    games: &[Game],
    options: &replay::Options,
) -> (Record<'a>, Game) {
    match (sheets.first(), games.first()) {
        (Some(sheet), Some(game)) => (sheet.record.clone(), game.clone()),
        _ => {
            let record = Record::new(1);
            let game = replay::replay(&record, &Binary, options);
            (record, game)
        }
    }
}
