//! The game of the sheets as a case for the rules.

use crate::{
    board::Side,
    finding::{Locate, Place, Span},
    record::Record,
    replay::Game,
    rules::{
        Profile,
        annotation::{Annotations, read_at},
        case::{self, Case},
        recording::Run,
    },
};

use super::{CellState, Sheet, SheetReport};

/// The case that `sheets` make together; `game` is the replay of `record`, the reconciled game. `None` if its start
/// position is not understood.
pub(super) fn case(
    sheets: &[Sheet<'_, '_>],
    reports: &[SheetReport],
    record: &Record<'_>,
    game: &Game,
    profile: &Profile,
) -> Option<Case> {
    let mut case = Case::of(game, record, profile)?;
    let first = case.start.side();
    let mut annotations = Annotations::default();
    let mut kept = Vec::new();
    for (number, (sheet, report)) in sheets.iter().zip(reports).enumerate() {
        // One sheet is the game itself, and its plies are those of the game.
        let places: Option<Vec<Option<u32>>> =
            (sheets.len() > 1).then(|| report.cells.iter().map(|cell| cell.ply).collect());
        let found = read_at(sheet.record, first, report.owner, places.as_deref());
        annotations.list.extend(found.list.into_iter().map(|mut entry| {
            entry.sheet = number;
            entry
        }));
        annotations.faults.extend(found.faults.into_iter().map(|mut fault| {
            fault.sheet = number;
            fault
        }));
        let runs = match sheets.len() {
            1 => case.sheets.first().map(|sheet| sheet.runs.clone()).unwrap_or_default(),
            _ => runs(report, game.moves.len() as u32),
        };
        kept.push(case::Sheet { owner: report.owner, runs, ..case::foot(sheet.record) });
    }
    annotations.list.sort_by_key(|entry| entry.ply);
    case.annotations = annotations.once();
    case.sheets = kept;
    for sheet in sheets.iter().skip(1) {
        let other = Case::of(game, sheet.record, profile)?;
        for side in Side::ALL {
            let control = &mut case.controls[side as usize];
            *control = control.take().or_else(|| other.controls[side as usize].clone());
        }
        case.late_limit = case.late_limit.or(other.late_limit);
    }
    Some(case)
}

/// The places of spans of the sheets.
pub(super) fn place(sheets: &[Sheet<'_, '_>], sheet: usize, span: Span) -> Place {
    let locate: Option<&dyn Locate> = sheets.get(sheet).map(|sheet| sheet.locate);
    locate.filter(|_| span != Span::default()).map(|locate| locate.place(span)).unwrap_or_default()
}

/// The runs of plies of the game that a sheet does not tell, marked or not, to the end of the game.
fn runs(report: &SheetReport, plies: u32) -> Vec<Run> {
    let told = report.cells.iter().filter(|cell| {
        matches!(cell.state, CellState::Agrees | CellState::Differs | CellState::Open)
    });
    let mut told: Vec<u32> = told.filter_map(|cell| cell.ply).collect();
    told.push(plies + 1);
    told.sort_unstable();
    told.dedup();
    let mut runs = Vec::new();
    let mut last = 0;
    for ply in told {
        if ply > last + 1 {
            runs.push(Run { after_ply: last, plies: ply - last - 1, span: Span::default() });
        }
        last = ply;
    }
    runs
}
