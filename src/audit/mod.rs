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
//!     assert_eq!(reconciled.witness[0], Witness::Red);
//!     assert!(reconciled.open.is_empty());
//! });
//! ```

mod case;
mod owner;
mod record;
mod verdict;

use std::{borrow::Cow, sync::Arc};

use serde_json::Value;

use crate::{
    board::{Move, Position, Side},
    finding::{self, Finding, Locate},
    record::{NodeId, Outcome, Record, Written},
    replay::{self, Game, Termination},
    rules::{self, Profile, clock::Check},
};

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
    /// What the clock says of Red and of Black, an object each.
    pub clock: [Vec<Value>; 2],
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
    /// Whose it is: as it says itself, else by the order of the arguments.
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
    let replay = replay::Options { tree: true, ..options.replay.clone() };
    let games: Vec<Game> =
        sheets.iter().map(|sheet| replay::replay(sheet.record, sheet.locate, &replay)).collect();
    let mut findings = Vec::new();
    let mut reports = Vec::new();
    let mut recorded = Vec::new();
    for (number, ((sheet, game), owner)) in sheets.iter().zip(&games).zip(&owners).enumerate() {
        for finding in &game.findings {
            findings.push(match sheets.len() {
                1 => finding.clone(),
                _ => finding.clone().with("sheet_no", number + 1),
            });
        }
        if !recorded.contains(&game.outcome) {
            recorded.push(game.outcome);
        }
        reports.push(report(sheet, *owner, game));
    }
    let (record, game) = record::reconciled(sheets, &games, &replay);
    let profile = &options.profile;
    let ruled = case::case(sheets, &reports, &record, &game, profile).map(|case| {
        // The reconciled game of two sheets stands in neither of them.
        let places = |sheet, span| case::place(sheets, sheet, span);
        let locate: &dyn Locate = match sheets {
            [sheet] => sheet.locate,
            _ => &NOWHERE,
        };
        let (ruled, arbitration) =
            rules::judge_case(&game, &record, locate, profile, &case, &places);
        (case, ruled, arbitration)
    });
    let (verdict, arbitration) = match ruled {
        Some((case, ruled, arbitration)) => {
            let verdict = verdict::of(&case, &arbitration, &ruled, &recorded, profile);
            findings.extend(ruled);
            (verdict, arbitration)
        }
        None => (verdict::unknown(&game), rules::arbiter::Arbitration::default()),
    };
    finding::sort(&mut findings);
    let witness = match owners.first() {
        Some(Some(Side::Black)) => Witness::Black,
        _ => Witness::Red,
    };
    let reconciled = Reconciled {
        start: game.start.clone(),
        moves: game.moves.clone(),
        witness: vec![witness; game.moves.len()],
        end: game.end.clone(),
        open: Vec::new(),
        line: game.moves.clone(),
    };
    let fouls = Side::ALL.map(|side| arbitration.fouls.of(side).to_vec());
    let clock = arbitration.clock.map(|checks| checks.iter().map(Check::to_json).collect());
    let audit = Audit { sheets: reports, reconciled, fouls, clock, verdict, recorded, findings };
    Audited { audit, record, game }
}

/// The places of a game that stands in no source.
const NOWHERE: finding::Binary = finding::Binary;

fn report(sheet: &Sheet<'_, '_>, owner: Option<Side>, game: &Game) -> SheetReport {
    let tree = &sheet.record.tree;
    let line: Vec<NodeId> = tree.main_line().collect();
    let cells: Vec<Cell> = line
        .iter()
        .enumerate()
        .map(|(index, id)| {
            let written = tree.node(*id).written;
            let state = match written {
                Written::Omitted => CellState::Omitted,
                _ if index < game.moves.len() => CellState::Agrees,
                _ => CellState::Open,
            };
            Cell { text: written.text(), ply: Some(index as u32 + 1), state }
        })
        .collect();
    let omitted = cells.iter().filter(|cell| cell.state == CellState::Omitted).count();
    SheetReport {
        source: sheet.source.to_owned(),
        owner,
        plies_written: cells.len() - omitted,
        omitted,
        cells,
    }
}
