//! The game of the sheets as a case for the rules.

use crate::{
    finding::{Code, Finding, Locate, Place, Span},
    record::Record,
    replay::Game,
    rules::{
        Profile,
        annotation::{Annotations, read_at},
        case::{self, Case, Illegal},
        recording::Run,
    },
};

use super::{CellState, Reconciled, Sheet, SheetReport, hand::Hand};

/// What the audit knows of the sheets.
#[derive(Clone, Copy)]
pub(super) struct Told<'t> {
    pub(super) sheets: &'t [Sheet<'t, 't>],
    pub(super) hands: &'t [Hand<'t>],
    pub(super) reports: &'t [SheetReport],
    /// The replay of each.
    pub(super) games: &'t [Game],
    pub(super) found: &'t Reconciled,
}

/// The case that the sheets make together; `game` is the replay of `record`, the reconciled game. `None` if its start
/// position is not understood.
pub(super) fn case(
    told: &Told<'_>,
    record: &Record<'_>,
    game: &Game,
    profile: &Profile,
) -> Option<Case> {
    // One sheet to which nothing was added is the game itself, with what it says behind a stop.
    if let ([sheet], [own], [report]) = (told.sheets, told.games, told.reports)
        && told.found.moves.len() <= own.moves.len()
    {
        let mut case = Case::of(own, sheet.record, profile)?;
        if case.sheets[0].owner != report.owner {
            case.sheets[0].owner = report.owner;
            case.annotations = read_at(sheet.record, case.start.side(), report.owner, None);
        }
        return Some(case);
    }
    let mut case = Case::of(game, record, profile)?;
    case.illegal = case.illegal.or_else(|| illegal(told));
    let first = case.start.side();
    let mut annotations = Annotations::default();
    let (mut kept, mut plies) = (Vec::new(), case.plies.max(told.found.line.len() as u32));
    for (number, (sheet, report)) in told.sheets.iter().zip(told.reports).enumerate() {
        // Cells that only a remark makes have no node.
        let of_node = report.cells.iter().zip(&told.hands[number].cells);
        let of_node = of_node.filter(|(_, held)| held.node.is_some());
        let places: Vec<Option<u32>> = of_node.map(|(cell, _)| cell.ply).collect();
        plies = report.cells.iter().filter_map(|cell| cell.ply).fold(plies, u32::max);
        let found = read_at(sheet.record, first, report.owner, Some(&places));
        annotations.list.extend(found.list.into_iter().map(|mut entry| {
            entry.sheet = number;
            entry
        }));
        annotations.faults.extend(found.faults.into_iter().map(|mut fault| {
            fault.sheet = number;
            fault
        }));
        let runs = runs(report, &told.hands[number], sheet.record, game.moves.len() as u32);
        kept.push(case::Sheet { owner: report.owner, runs, ..case::foot(sheet.record) });
    }
    annotations.list.sort_by_key(|entry| entry.ply);
    case.annotations = annotations.once();
    case.sheets = kept;
    case.plies = plies;
    for sheet in told.sheets {
        let other = Case::of(game, sheet.record, profile)?;
        for (control, other) in case.controls.iter_mut().zip(other.controls) {
            *control = control.take().or(other);
        }
        case.late_limit = case.late_limit.or(other.late_limit);
    }
    Some(case)
}

/// The illegal move of a single sheet, though another is proposed in its place; of two sheets the one that both have behind all
/// that is settled.
fn illegal(told: &Told<'_>) -> Option<Illegal> {
    let stop = |game: &Game| {
        let is_stop =
            |finding: &&Finding| finding.code == Code::ILLEGAL_MOVE && finding.path.is_empty();
        game.findings.iter().find(is_stop).map(|found| (found.text.clone(), Illegal::of(found)))
    };
    match told.games {
        [one] => stop(one).map(|(_, illegal)| illegal),
        [one, other] => {
            let ((text, illegal), same) = (stop(one)?, stop(other)?);
            let here = illegal.ply as usize == told.found.moves.len() + 1;
            (here && text.is_some() && (text, illegal) == same).then_some(illegal)
        }
        _ => None,
    }
}

/// The places of spans of the sheets.
pub(super) fn place(sheets: &[Sheet<'_, '_>], sheet: usize, span: Span) -> Place {
    let locate: Option<&dyn Locate> = sheets.get(sheet).map(|sheet| sheet.locate);
    locate.filter(|_| span != Span::default()).map(|locate| locate.place(span)).unwrap_or_default()
}

/// The runs of plies of the game that a sheet does not tell, marked or not, to the end of the game. The place of each is the
/// cell behind it, at the end of the game the last one.
fn runs(report: &SheetReport, hand: &Hand<'_>, record: &Record<'_>, plies: u32) -> Vec<Run> {
    let told = report.cells.iter().zip(&hand.cells).filter(|(cell, _)| {
        matches!(cell.state, CellState::Agrees | CellState::Differs | CellState::Open)
    });
    let mut told: Vec<(u32, Span)> = told
        .filter_map(|(cell, held)| Some((cell.ply?, record.tree.node(held.node?).span)))
        .collect();
    told.sort_unstable_by_key(|(ply, span)| (*ply, span.start));
    told.push((plies + 1, told.last().map_or(Span::default(), |(_, span)| *span)));
    told.dedup_by_key(|(ply, _)| *ply);
    let mut runs = Vec::new();
    let mut last = 0;
    for (ply, span) in told {
        if ply > last + 1 {
            runs.push(Run { after_ply: last, plies: ply - last - 1, span });
        }
        last = ply;
    }
    runs
}
