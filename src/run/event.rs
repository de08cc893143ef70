//! The game records of an event: read and checked as `check` does, and handed to the event in short.

use std::{num::NonZeroUsize, path::PathBuf};

use serde_json::Value;

use super::{Options, check, ordered_map};
use crate::{
    board::Side,
    event::GameRecord,
    finding::Code,
    record::Outcome,
    report::GameReport,
    source::{Input, InputError, inputs},
};

/// The game records under `paths`, in order. What has no readable game gives none.
///
/// # Errors
///
/// A path that cannot be read.
pub fn event_records(
    paths: &[PathBuf],
    options: &Options,
    jobs: NonZeroUsize,
) -> Result<Vec<GameRecord>, InputError> {
    let mut records = Vec::new();
    let mut failed = None;
    let read = |input: Result<Input, InputError>| -> Result<Vec<GameRecord>, InputError> {
        let input = input?;
        let bytes = input.read()?;
        let mut found = Vec::new();
        check(&input.name, &bytes, input.named, options, &mut |report| {
            if report.game > 0 {
                found.push(game_record(&report));
            }
        });
        Ok(found)
    };
    ordered_map(inputs(paths), jobs, read, |found| match found {
        Ok(found) => {
            records.extend(found);
            true
        }
        Err(error) => {
            failed = Some(error);
            false
        }
    });
    failed.map_or(Ok(records), Err)
}

/// What an event needs of a game's report.
pub fn game_record(report: &GameReport) -> GameRecord {
    let tag = |key: &str| report.tag(key).map(str::to_owned);
    let digits: String = report
        .tag("round")
        .unwrap_or_default()
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    GameRecord {
        source: (report.source.clone(), report.game),
        event: tag("event"),
        round: digits.parse().ok(),
        names: [tag("red"), tag("black")],
        teams: [tag("red_team"), tag("black_team")],
        outcome: Outcome::from_text(report.result).unwrap_or(Outcome::Unknown),
        termination: report.termination.to_owned(),
        verdict: verdict(report),
        fouls: fouls(report),
    }
}

/// The result that the rules give where they decide: the last ruling of a repetition.
fn verdict(report: &GameReport) -> Option<Outcome> {
    let rulings = report.findings.iter().filter(|one| one.code == Code::REPETITION_RULING);
    rulings.last().and_then(|ruling| match ruling.data.get("verdict").and_then(Value::as_str)? {
        "red_loses" => Some(Outcome::BlackWins),
        "black_loses" => Some(Outcome::RedWins),
        _ => None,
    })
}

/// The fouls that findings count, first Red's: those with `fouls` in their data, by sheet or by side, and false claims.
fn fouls(report: &GameReport) -> [u32; 2] {
    let mut counts = [0; 2];
    for finding in &report.findings {
        let side = match finding.data.get("sheet").and_then(Value::as_str) {
            Some("red") => Some(Side::Red),
            Some("black") => Some(Side::Black),
            _ => finding.side,
        };
        let claimant = finding.data.get("claimant").and_then(Value::as_str);
        let count = match finding.data.get("fouls").and_then(Value::as_u64) {
            Some(count) => u32::try_from(count).unwrap_or(u32::MAX),
            None => u32::from(finding.code == Code::NATURAL_LIMIT_CLAIM_FALSE),
        };
        let side = match claimant {
            Some("red") => Some(Side::Red),
            Some("black") => Some(Side::Black),
            _ => side,
        };
        if let Some(side) = side {
            let count = count.min(1000);
            counts[usize::from(side == Side::Black)] += count;
        }
    }
    counts
}
