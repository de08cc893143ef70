//! The game records of an event: read and checked as `check` does, and handed to the event in short.

use std::{num::NonZeroUsize, path::PathBuf};

use serde_json::Value;

use super::{Options, check::report, ordered_map};
use crate::{
    board::Side,
    event::GameRecord,
    finding::{Code, Finding, Locate},
    format,
    record::{Outcome, Record},
    replay::{self, Game},
    report::GameReport,
    rules::{self, Profile, arbiter::Arbitration, case::Case},
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
        Ok(game_records(&input.name, &input.read()?, options))
    };
    ordered_map(
        inputs(paths),
        jobs,
        |_| u64::MAX,
        read,
        |found| match found {
            Ok(found) => {
                records.extend(found);
                true
            }
            Err(error) => {
                failed = Some(error);
                false
            }
        },
    );
    failed.map_or(Ok(records), Err)
}

/// The game records of one file.
pub fn game_records(source: &str, bytes: &[u8], options: &Options) -> Vec<GameRecord> {
    let mut records = Vec::new();
    if let Some(format) = options.from.or_else(|| format::sniff(bytes, options.encoding)) {
        format::read(bytes, format, options.encoding, &mut |record, locate, encoding| {
            let game = replay::replay(&record, locate, &options.replay);
            let judged = options.profile.as_deref().map(|one| judge(&game, &record, locate, one));
            let (verdict, fouls) = judged.unwrap_or((None, [0; 2]));
            let report = report(source, &record, game, format, encoding, false);
            if report.game > 0 {
                records.push(game_record(&report, verdict, fouls));
            }
        });
    }
    records
}

fn game_record(report: &GameReport, verdict: Option<Outcome>, fouls: [u32; 2]) -> GameRecord {
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
        verdict,
        fouls,
    }
}

/// The result that the rules give where they decide beyond doubt, and the certain fouls of both sides, first Red's.
fn judge(
    game: &Game,
    record: &Record<'_>,
    locate: &dyn Locate,
    profile: &Profile,
) -> (Option<Outcome>, [u32; 2]) {
    let Some(case) = Case::of(game, record, profile) else { return (None, [0; 2]) };
    let places = |_: usize, span| locate.place(span);
    let (rulings, found) = rules::judge_case(game, record, locate, profile, &case, &places);
    let decided = found.deciding.iter().find(|one| one.certain && !one.both_lose);
    let verdict = decided.map(|one| one.result).or_else(|| by_repetition(&rulings));
    (verdict.filter(|result| *result != Outcome::Unknown), fouls(&found))
}

/// The last ruling of a repetition, if one side loses by it.
fn by_repetition(rulings: &[Finding]) -> Option<Outcome> {
    let mut rulings = rulings.iter().filter(|one| one.code == Code::REPETITION_RULING);
    match rulings.next_back()?.data.get("verdict").and_then(Value::as_str)? {
        "red_loses" => Some(Outcome::BlackWins),
        "black_loses" => Some(Outcome::RedWins),
        _ => None,
    }
}

fn fouls(found: &Arbitration) -> [u32; 2] {
    [Side::Red, Side::Black].map(|side| {
        let certain = found.fouls.of(side).iter().filter(|foul| foul.certain);
        certain.map(|foul| foul.count).fold(0, u32::saturating_add).min(1000)
    })
}
