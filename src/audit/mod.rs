//! One disputed game from one or two scoresheets: what was played, what each sheet lacks or gets wrong, what it comes to.
//!
//! [`audit`] replays each sheet, reconciles them into one game with a witness for each ply, and adds what the rules say
//! of it. Nothing is settled in silence: a ply that the evidence leaves open stays open, and every contradiction is a
//! finding.
//!
//! ```
//! use qijian::{audit::{self, Options, Sheet, Witness}, finding::Binary, format::pgn};
//!
//! pgn::read_str("1. 炮二平五 马8进7 2. 马二进三 *", &Binary, &mut |record| {
//!     let sheet = Sheet { source: "red.pgn", record: &record, locate: &Binary };
//!     let audited = audit::audit(&[sheet], &Options::default());
//!     let reconciled = &audited.audit.reconciled;
//!     assert_eq!(reconciled.moves.len(), 3);
//!     assert_eq!(reconciled.witness[0], Witness::Unnamed); // the sheet does not say whose it is
//!     assert!(reconciled.open.is_empty());
//! });
//! ```

mod case;
mod decided;
mod decode;
mod disagree;
mod hand;
mod lattice;
mod look;
mod owner;
mod reconcile;
mod record;
mod times;
mod verdict;

use std::{borrow::Cow, sync::Arc};

use crate::{
    board::{Move, Position, Side},
    finding::{self, Code, Finding, Locate, Place},
    record::{Outcome, Record},
    replay::{self, Game, Termination},
    rules::{self, Profile, arbiter::Arbitration, clock::Check},
};

use disagree::Seen;
use hand::{Hand, Told};
use lattice::Step;
use reconcile::Reconciliation;

pub use crate::rules::fouls::Foul;

/// One sheet as it was read.
#[derive(Clone, Copy)]
pub struct Sheet<'s, 'a> {
    /// The path as given.
    pub source: &'s str,
    /// What it says.
    pub record: &'s Record<'a>,
    /// The way to its places.
    pub locate: &'s dyn Locate,
}

/// How to audit.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to replay; its effort is the bound of each search.
    pub replay: replay::Options,
    /// The rules that apply.
    pub profile: Arc<Profile>,
}

/// The bound of the searches that `audit` has by default, in positions: a hundred times that of `check`.
pub const EFFORT: usize = 2_000_000;

impl Default for Options {
    fn default() -> Options {
        Options {
            replay: replay::Options { effort: EFFORT, ..replay::Options::default() },
            profile: Arc::new(Profile::default()),
        }
    }
}

/// What an arbiter has to know of one game (CONTRACT section 4).
#[derive(Clone, Debug)]
pub struct Audit {
    /// The sheets, in the order given.
    pub sheets: Vec<SheetReport>,
    /// The game as the sheets together tell it.
    pub reconciled: Reconciled,
    /// The fouls of Red and of Black, in the order of the plies.
    pub fouls: [Vec<Foul>; 2],
    /// What the clock says of Red and of Black.
    pub clock: [Vec<Check>; 2],
    /// What the result should be.
    pub verdict: Verdict,
    /// The results recorded, each once, in the order of the sheets.
    pub recorded: Vec<Outcome>,
    /// What is wrong, in the order of [`finding::sort`]. With two sheets, a finding about one of them has its number, from
    /// 1, in `data` under `sheet_no`.
    pub findings: Vec<Finding>,
}

/// One sheet of an audit.
#[derive(Clone, Debug)]
pub struct SheetReport {
    /// The path as given.
    pub source: String,
    /// Whose it is: as it says itself, else by the order of two arguments; `None` for a single sheet that does not say.
    pub owner: Option<Side>,
    /// Plies that it has in writing.
    pub plies_written: usize,
    /// Plies of the game that it lacks, marked or not.
    pub omitted: usize,
    /// Its main line, a cell for each written and each marked omitted ply.
    pub cells: Vec<Cell>,
}

/// One cell of a sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// What stands in it.
    pub text: String,
    /// The ply of the reconciled game that it tells, from 1; `None` where it tells none.
    pub ply: Option<u32>,
    /// How it stands to that ply.
    pub state: CellState,
}

/// How a cell stands to the reconciled game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellState {
    /// It says the move.
    Agrees,
    /// It says another move, or none that is understood.
    Differs,
    /// It is marked as not recorded.
    Omitted,
    /// It tells no ply of the game, as a round copied twice.
    Surplus,
    /// Not settled: behind the point where the evidence leaves the game open.
    Open,
}

impl CellState {
    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            CellState::Agrees => "agrees",
            CellState::Differs => "differs",
            CellState::Omitted => "omitted",
            CellState::Surplus => "surplus",
            CellState::Open => "open",
        }
    }
}

/// Who bears witness to a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witness {
    /// Both sheets.
    Both,
    /// Red's sheet alone.
    Red,
    /// Black's sheet alone.
    Black,
    /// A single sheet that does not say whose it is.
    Unnamed,
    /// No sheet: it follows from the rest.
    Reconstructed,
}

impl Witness {
    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Witness::Both => "both",
            Witness::Red => "red",
            Witness::Black => "black",
            Witness::Unnamed => "unnamed",
            Witness::Reconstructed => "reconstructed",
        }
    }
}

/// The game as the sheets together tell it.
#[derive(Clone, Debug)]
pub struct Reconciled {
    /// The start position; `None` if it is not understood.
    pub start: Option<Position>,
    /// The moves before the first ply that is left open.
    pub moves: Vec<Move>,
    /// Who bears witness to each of them.
    pub witness: Vec<Witness>,
    /// The position after them.
    pub end: Option<Position>,
    /// The plies that the evidence leaves open.
    pub open: Vec<Open>,
    /// The likeliest whole game: `moves`, and what is likeliest behind them.
    pub line: Vec<Move>,
}

/// A ply that the evidence leaves open.
#[derive(Clone, PartialEq, Debug)]
pub struct Open {
    /// The ply, from 1.
    pub ply: u32,
    /// What may have been played from this ply on, as far as the readings differ; the likeliest first.
    pub readings: Vec<Vec<Move>>,
    /// The probability of each reading.
    pub scores: Vec<f64>,
    /// What each sheet says there, in their order; `None` where it says nothing.
    pub texts: Vec<Option<String>>,
}

/// What the result should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The result; unknown where nothing decides.
    pub result: Outcome,
    /// Why, in the words of [`Termination`].
    pub reason: Termination,
    /// The deciding ply; 0 where there is none.
    pub ply: u32,
    /// The deciding article.
    pub article: Option<Cow<'static, str>>,
    /// Whether both sides have lost, as where both came too late (21.3); `result` is then unknown.
    pub both_lose: bool,
    /// What else it may be, where the evidence leaves several.
    pub alternatives: Vec<Alternative>,
}

/// Another verdict that the evidence allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// The result.
    pub result: Outcome,
    /// Why.
    pub reason: Termination,
    /// The deciding ply; 0 where there is none.
    pub ply: u32,
    /// The deciding article.
    pub article: Option<Cow<'static, str>>,
}

/// An audit with the reconciled game as a record, to be written in any format.
#[derive(Clone, Debug)]
pub struct Audited<'a> {
    /// The audit.
    pub audit: Audit,
    /// The reconciled game.
    pub record: Record<'a>,
    /// Its replay, with [`Game::played`].
    pub game: Game,
}

/// Audits one game from one sheet or two; sheets past the second are not looked at.
pub fn audit<'a>(sheets: &[Sheet<'_, 'a>], options: &Options) -> Audited<'a> {
    let sheets = &sheets[..sheets.len().min(2)];
    let owners = owner::owners(sheets);
    // What one sheet alone leaves open the other mostly tells: its own stops are not worth a long search then.
    let effort = match sheets {
        [_, _] => options.replay.effort / 100,
        _ => options.replay.effort,
    };
    let replay = replay::Options { tree: true, effort, ..options.replay.clone() };
    let games: Vec<Game> =
        sheets.iter().map(|sheet| replay::replay(sheet.record, sheet.locate, &replay)).collect();
    let mut hands: Vec<Hand<'a>> =
        sheets.iter().zip(&games).map(|(sheet, game)| Hand::of(sheet.record, game)).collect();
    let behind = behind_the_end(&games, &mut hands);
    let start = games.iter().find_map(|game| game.start.clone());
    let bounds = (options.replay.effort, options.replay.candidates);
    let found = match &start {
        Some(start) => {
            let own = matches!(games[..], [_]).then(|| &games[0].moves[..]);
            reconcile::reconcile(sheets, &hands, &owners, start, own, bounds)
        }
        None => Reconciliation::unread(&hands),
    };
    let mut findings = decided::compare(sheets);
    findings.extend(of_sheets(&games));
    if let Some(start) = &start {
        let (sheets, hands, games, owners) = (sheets, &hands[..], &games[..], &owners[..]);
        let seen = Seen { sheets, hands, games, owners, start, found: &found };
        findings.extend(seen.findings());
    }
    if let ([sheet], [hand], [game]) = (sheets, &hands[..], &games[..])
        && game.rest.is_none()
    {
        findings.extend(look::places(sheet, hand, game));
    }
    let settled = found.reconciled.moves.len();
    let (record, game) = record::reconciled(sheets, &hands, &found.steps[..settled], &replay);
    let mut recorded: Vec<Outcome> = Vec::new();
    for game in &games {
        if !recorded.contains(&game.outcome) {
            recorded.push(game.outcome);
        }
    }
    let reports: Vec<SheetReport> = (0..sheets.len())
        .map(|number| {
            let cells = [&found.cells[number][..], &behind[number]].concat();
            report(&sheets[number], owners[number], number, cells, &found.steps)
        })
        .collect();
    let told = case::Told {
        sheets,
        hands: &hands,
        reports: &reports,
        games: &games,
        found: &found.reconciled,
    };
    let ruled = case::case(&told, &record, &game, &options.profile).map(|case| {
        let places = |sheet, span| case::place(sheets, sheet, span);
        let profile = &options.profile;
        let nowhere = finding::Binary;
        let (rulings, arbitration) =
            rules::judge_case(&game, &record, &nowhere, profile, &case, &places);
        let verdict = verdict::of(&case, &arbitration, &rulings, &recorded, profile);
        findings.extend(times::compare(&case, &places));
        (rulings, arbitration, verdict)
    });
    let (rulings, arbitration, verdict) =
        ruled.unwrap_or_else(|| (Vec::new(), Arbitration::default(), verdict::unknown(&game)));
    let place = |finding| placed(finding, sheets, &hands, &found);
    findings.extend(rulings.into_iter().map(|finding| {
        // A claim has its own place, a ruling has that of its ply.
        let claim = [Code::NATURAL_LIMIT_CLAIM_TRUE, Code::NATURAL_LIMIT_CLAIM_FALSE];
        if claim.contains(&finding.code) { finding } else { place(finding) }
    }));
    findings.extend(arbitration.findings.into_iter().map(|finding| {
        // An entry has its own place, what follows from several has that of its ply.
        let own = finding.place.offset.is_some() || finding.data.contains_key("sheet_no");
        if own { finding } else { place(finding) }
    }));
    finding::sort(&mut findings);
    let audit = Audit {
        sheets: reports,
        reconciled: found.reconciled,
        fouls: Side::ALL.map(|side| arbitration.fouls.of(side).to_vec()),
        clock: arbitration.clock,
        verdict,
        recorded,
        findings,
    };
    Audited { audit, record, game }
}

/// Takes the cells behind a mate or stalemate (3.1, 3.2) out of `hands`, where every sheet has the same end: whatever follows, the
/// game was over, and no other reading is looked for that would make it go on (`QJ302`).
fn behind_the_end(games: &[Game], hands: &mut [Hand<'_>]) -> Vec<Vec<Cell>> {
    let end = games.first().map_or(0, |game| game.moves.len());
    let same = games.iter().all(|game| game.is_over() && game.moves == games[0].moves);
    let surplus = |held: &hand::Held<'_>| Cell {
        text: held.written.text(),
        ply: None,
        state: CellState::Surplus,
    };
    let behind = |hand: &mut Hand<'_>| match same {
        true => hand.end_at(end).iter().map(surplus).collect(),
        false => Vec::new(),
    };
    hands.iter_mut().map(behind).collect()
}

/// What the replay of each sheet has found. What two sheets leave out is told from both together, not from each alone.
fn of_sheets(games: &[Game]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, game) in (1..).zip(games) {
        for finding in &game.findings {
            match games.len() {
                1 => findings.push(finding.clone()),
                _ if finding.code == Code::OMITTED_MOVES => {}
                _ => findings.push(finding.clone().with("sheet_no", number)),
            }
        }
    }
    findings
}

/// A finding about the reconciled game at the cell that tells its ply.
fn placed(
    finding: Finding,
    sheets: &[Sheet<'_, '_>],
    hands: &[Hand<'_>],
    found: &Reconciliation,
) -> Finding {
    let step = (finding.ply as usize).checked_sub(1).and_then(|at| found.steps.get(at));
    let place = |number: usize| {
        let held = &hands[number].cells[reconcile::cell(step?.told[number])? as usize];
        let node = sheets[number].record.tree.node(held.node?);
        Some((number, sheets[number].locate.place(node.span), node.written.text()))
    };
    match (0..sheets.len()).find_map(place) {
        Some((0, place, text)) => finding.at(place).text(text),
        Some((number, place, text)) => finding.at(place).text(text).with("sheet_no", number + 1),
        None => finding.at(Place::default()),
    }
}

fn report(
    sheet: &Sheet<'_, '_>,
    owner: Option<Side>,
    number: usize,
    cells: Vec<Cell>,
    steps: &[Step],
) -> SheetReport {
    let lacks = |step: &&Step| matches!(step.told[number], Told::Lacks | Told::Marked(_));
    // Behind a gap too wide to be filled cells stand for no ply of the game yet.
    let unplaced = |cell: &&Cell| cell.state == CellState::Omitted && cell.ply.is_none();
    SheetReport {
        source: sheet.source.to_owned(),
        owner,
        plies_written: cells.iter().filter(|cell| cell.state != CellState::Omitted).count(),
        omitted: steps.iter().filter(lacks).count() + cells.iter().filter(unplaced).count(),
        cells,
    }
}
