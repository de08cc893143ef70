//! Record to played game: resolves the written moves on the board, reports, recovers.
//!
//! The main line is replayed until a move is illegal, left out or not understood; what is written after that point is
//! kept as [`Rest`], and replayed as it stood where both players overlooked the fault. Variations are replayed from the
//! main line. Nothing here fails: every record gives a [`Game`].
//!
//! ```
//! use qijian::{finding::Span, format::pgn, replay, source::{Encoding, Text}};
//!
//! let text = Text::decode("1. 炮二平五 马8进7 2. 炮五进四 *".as_bytes(), Encoding::Utf8);
//! let mut games = Vec::new();
//! pgn::read(&text, &mut |record| games.push(replay::replay(&record, &text, &replay::Options::default())));
//! assert_eq!(games[0].moves.len(), 3);
//! assert!(games[0].findings.is_empty());
//! ```

mod dialect;
mod explain;
mod gap;
mod illegal;
pub mod likelihood;
mod line;
mod mend;
mod numbers;
mod outcome;
mod plain;
mod readings;
mod repair;
mod rewrite;
pub mod slip;
mod start;
mod survey;
mod variations;
mod weigh;

pub use gap::main_plies;
pub use outcome::Termination;
pub use plain::{replay as plain, unqualified};
pub use rewrite::{Rewritten, rewrite};

use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap},
};

use crate::{
    board::{Move, Position, Side},
    finding::{self, Code, Finding, Locate, Words},
    notation::{Dialect, Notation, Reading},
    record::{Branches, Comments, NodeId, Outcome, Record, Written},
};

/// How to replay.
#[derive(Clone, Debug)]
pub struct Options {
    /// The notation of move texts; `None` finds it from the texts of each game.
    pub notation: Option<Notation>,
    /// Bound of the search over alternative readings, in positions looked at for one line.
    pub effort: usize,
    /// How many alternative readings a finding lists at most.
    pub candidates: usize,
    /// Whether [`Game::played`] is filled.
    pub tree: bool,
    /// Whether findings say what would repair them ([`Finding::repair`]).
    pub repairs: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { notation: None, effort: 20_000, candidates: 20, tree: false, repairs: false }
    }
}

/// A game as played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The start position; `None` if it is not understood.
    pub start: Option<Position>,
    /// The main line as far as it is legal.
    pub moves: Vec<Move>,
    /// The key of the start position, and of that after each of `moves`.
    pub keys: Vec<u64>,
    /// Whether each of `moves` captures.
    pub captures: Vec<bool>,
    /// The position after `moves`.
    pub end: Option<Position>,
    /// What the main line says after that point.
    pub rest: Option<Rest>,
    /// The notation of the move texts; `None` for squares of binary formats and where no move is written.
    pub dialect: Option<Dialect>,
    /// The recorded result.
    pub outcome: Outcome,
    /// How the game ended.
    pub termination: Termination,
    /// Written plies that were replayed, variations and rest included.
    pub replayed: usize,
    /// With [`Options::tree`], the move that each node of the record's tree was played as, by [`NodeId::index`].
    pub played: Vec<Option<Move>>,
    /// What is wrong, the findings of the reader included, in the order of the contract.
    pub findings: Vec<Finding>,
}

impl Game {
    /// Whether the board shows the end of the game behind its legal moves, a mate or a stalemate (articles 3.1 and 3.2).
    pub fn is_over(&self) -> bool {
        outcome::winner_on_board(self).is_some()
    }
}

/// The main line from the first ply that could not be played legally.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rest {
    /// The ply it starts with.
    pub from_ply: u32,
    /// The moves replayed as they stood; empty unless `status` says so.
    pub moves: Vec<Move>,
    /// All plies of the rest as written.
    pub texts: Vec<String>,
    /// What could be done with it.
    pub status: RestStatus,
}

/// What could be done with the rest of a main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RestStatus {
    /// The illegal move could be made on the board, both players overlooked it, the game went on.
    ReplayedAsStood,
    /// Moves were left out before it.
    AfterGap,
    /// It cannot be placed on the board.
    Unreadable,
}

impl RestStatus {
    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            RestStatus::ReplayedAsStood => "replayed_as_stood",
            RestStatus::AfterGap => "after_gap",
            RestStatus::Unreadable => "unreadable",
        }
    }
}

/// What a written ply means on `position`, in `dialect` or, where it is none of its texts, in another notation.
pub fn read(written: &Written<'_>, dialect: Option<Dialect>, position: &Position) -> Reading {
    line::read(written, dialect, position).reading
}

/// Replays `record`; `locate` turns its spans into places of the source.
pub fn replay(record: &Record<'_>, locate: &dyn Locate, options: &Options) -> Game {
    let main: Vec<NodeId> = record.tree.main_line().collect();
    let dialect = dialect::detect(record, &main, options.notation);
    let mut findings = record.findings.clone();
    let start = start::settle(record, locate, dialect, &main, &mut findings);
    let played = vec![None; if options.tree { record.tree.len() + 1 } else { 0 }];
    let mut scene = Scene {
        record,
        locate,
        options,
        dialect,
        clock: Clock::default(),
        findings,
        played,
        mixed: Vec::new(),
        path: None,
        branches: OnceCell::new(),
        comments: OnceCell::new(),
        said_missing: gap::all_said(&record.tree),
        told: BTreeMap::new(),
    };
    let mut game = match start {
        Some(position) => scene.play(position, &main),
        None => scene.unplayed(&main),
    };
    scene.report_mixed();
    scene.report_more();
    outcome::judge(&mut scene, &mut game);
    if options.repairs {
        repair::propose(&mut scene, &game, &main);
    }
    game.findings = scene.findings;
    game.played = scene.played;
    finding::sort(&mut game.findings);
    game
}

/// Findings of one code about single plies that are told of a game, unless each is to be repaired. No game that people have
/// played has as many; a finding takes a thousand times the place of the few bytes that it is about.
const TOLD: usize = 4096;

/// Everything that the parts of a replay share.
struct Scene<'r, 'a> {
    record: &'r Record<'a>,
    locate: &'r dyn Locate,
    options: &'r Options,
    dialect: Option<Dialect>,
    clock: Clock,
    findings: Vec<Finding>,
    played: Vec<Option<Move>>,
    /// The branches taken to the line that is being played, once they have been looked up.
    path: Option<Vec<(u32, u32)>>,
    /// Where the lines part; made when the first finding needs it.
    branches: OnceCell<Branches>,
    /// The comments by node; made when the first line is looked into.
    comments: OnceCell<Comments<'r, 'a>>,
    /// How many plies remarks say to be missing behind each node.
    said_missing: HashMap<NodeId, u32>,
    /// How many findings of a code there were that a ply may have.
    told: BTreeMap<Code, usize>,
    /// Plies in another notation than the game's.
    mixed: Vec<(NodeId, u32, Notation)>,
}

/// Which side and which round a ply belongs to.
#[derive(Clone, Copy, Debug)]
struct Clock {
    first: Side,
    round: u32,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { first: Side::Red, round: 1 }
    }
}

impl Clock {
    fn side(self, ply: u32) -> Side {
        if ply % 2 == 1 { self.first } else { self.first.other() }
    }

    fn round(self, ply: u32) -> u32 {
        let black_first = u32::from(self.first == Side::Black);
        self.round.saturating_add((ply - 1 + black_first) / 2)
    }
}

impl Scene<'_, '_> {
    fn play(&mut self, start: Position, main: &[NodeId]) -> Game {
        self.clock = Clock { first: start.side(), round: start.round() };
        let numbered = gap::numbered(&self.record.tree, &self.said_missing, main);
        numbers::check(self, &numbered);
        let mut end = start.clone();
        let line = self.play_line(main, 0, &mut end);
        let mut replayed = line.moves.len();
        let mut stood = Vec::new();
        let rest = line.stop.as_ref().map(|stop| {
            let mut position = end.clone();
            stood = self.play_on(main, stop, &mut position);
            gap::further(self, main, 0, stop.index + stood.len());
            Rest {
                from_ply: stop.index as u32 + 1,
                texts: std::iter::repeat_n(Written::Omitted.text(), stop.said() as usize)
                    .chain(main[stop.index..].iter().map(|id| self.text_of(*id)))
                    .collect(),
                status: stop.status(!stood.is_empty()),
                moves: stood.clone(),
            }
        });
        let rest = self.after_end(rest, &line.moves, &end);
        replayed += stood.len();
        let on_board: Vec<Move> = line.moves.iter().chain(&stood).copied().collect();
        replayed += variations::replay(self, &start, main, &on_board);
        Game {
            start: Some(start),
            moves: line.moves,
            keys: line.keys,
            captures: line.captures,
            end: Some(end),
            rest,
            dialect: self.dialect,
            outcome: Outcome::Unknown,
            termination: Termination::Unstated,
            replayed,
            played: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// A game whose start position is not understood: everything is rest.
    fn unplayed(&self, main: &[NodeId]) -> Game {
        let rest = (!main.is_empty()).then(|| Rest {
            from_ply: 1,
            moves: Vec::new(),
            texts: main.iter().map(|id| self.text_of(*id)).collect(),
            status: RestStatus::Unreadable,
        });
        Game {
            start: None,
            moves: Vec::new(),
            keys: Vec::new(),
            captures: Vec::new(),
            end: None,
            rest,
            dialect: self.dialect,
            outcome: Outcome::Unknown,
            termination: Termination::Unstated,
            replayed: 0,
            played: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Reports moves written behind the end marker and keeps them with the rest.
    fn after_end(&mut self, rest: Option<Rest>, moves: &[Move], end: &Position) -> Option<Rest> {
        let Some((written, span)) = self.record.after_end.first() else { return rest };
        let last = main_plies(&self.record.tree).last().map_or(0, |(ply, _)| *ply);
        let from_ply = last.saturating_add(1);
        let text = written.text();
        let count = self.record.after_end.len();
        self.findings.push(
            Finding::new(
                Code::MOVE_AFTER_END,
                Words::new(
                    format!("结果之后还写有 {count} 步着法"),
                    format!("{count} plies are written after the result"),
                ),
            )
            .at(self.locate.place(*span))
            .ply(from_ply, self.clock.round(from_ply), self.clock.side(from_ply))
            .text(text)
            .help(Words::new(
                "核对结果标记的位置，或把后面的着法另立一局",
                "move the result to the end, or make the moves a game of their own",
            ))
            .with("after", "result"),
        );
        let texts = self.record.after_end.iter().map(|(written, _)| written.text());
        match rest {
            Some(mut rest) => {
                rest.texts.extend(texts);
                Some(rest)
            }
            None => {
                debug_assert_eq!(moves.len() as u32 + 1, from_ply);
                let stood = self.play_after_end(end);
                let status = if stood.is_empty() {
                    RestStatus::Unreadable
                } else {
                    RestStatus::ReplayedAsStood
                };
                Some(Rest { from_ply, moves: stood, texts: texts.collect(), status })
            }
        }
    }

    /// Reports that some plies are written in another notation than the game's (`QJ205`).
    fn report_mixed(&mut self) {
        let Some((id, ply, _)) = self.mixed.first().copied() else { return };
        self.path = None;
        let mut names: Vec<&str> =
            self.mixed.iter().map(|(_, _, notation)| notation.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let count = self.mixed.len();
        let list = names.join(", ");
        let finding = Finding::new(
            Code::MIXED_NOTATION,
            Words::new(
                format!("本局混用记谱法，有 {count} 着写作 {list}"),
                match count {
                    1 => format!("the game mixes notations: one ply is in {list}"),
                    _ => format!("the game mixes notations: {count} plies are in {list}"),
                },
            ),
        )
        .help(Words::new(
            "用 qijian convert --notation 统一写法",
            "make it one with `qijian convert --notation`",
        ))
        .with("notations", names)
        .with("count", count);
        let finding = self.place_at(finding, id, ply).text(self.text_of(id));
        self.findings.push(finding);
    }

    /// Adds a finding that each ply may have; past [`TOLD`] only their number is kept.
    fn tell(&mut self, finding: Finding) {
        let count = self.told.entry(finding.code).or_default();
        *count += 1;
        if *count <= TOLD || self.options.repairs {
            self.findings.push(finding);
        }
    }

    /// Lets the last finding told of a code say how many more there are.
    fn report_more(&mut self) {
        for (code, count) in &self.told {
            let last = self.findings.iter_mut().rev().find(|finding| finding.code == *code);
            if let Some(last) = last.filter(|_| *count > TOLD && !self.options.repairs) {
                last.data.insert("more".to_owned(), (count - TOLD).into());
            }
        }
    }

    fn text_of(&self, id: NodeId) -> String {
        self.record.tree.node(id).written.text()
    }
}
