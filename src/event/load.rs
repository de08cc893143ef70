//! From an event file to an [`Event`]: profiles, entrants, stages; what is mistaken is reported with its place.

mod stages;

use std::{
    io,
    path::{Path, PathBuf},
};

use toml::Spanned;

use crate::{
    finding::{Code, Finding, Severity, Span, Words},
    rules::{Profile, ProfileError},
};

use super::{
    entrants::Register,
    file::{File, GameEntry, Header, Kind, Reference, Tables},
    model::{Decided, Event, Late, Note, Origin, Penalty, Published, Source, Withdrawal},
    rows::Rows,
    table_file,
    tie_break::Criterion,
    trf,
};

/// The most rows of results, players and teams that are read.
pub(super) const LIMIT: usize = 100_000;

/// An event file that cannot be used at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// A file cannot be read.
    #[error("{0}: {1}")]
    Unreadable(String, io::Error),
    /// The file is not of the schema.
    #[error("{path}:{line}:{column}: {message}")]
    Malformed {
        /// The file.
        path: String,
        /// 1-based line.
        line: u32,
        /// 1-based column in characters.
        column: u32,
        /// What is wrong.
        message: String,
    },
    /// The rule profile cannot be used.
    #[error(transparent)]
    Profile(#[from] ProfileError),
}

/// An event with what is wrong with its entries.
#[derive(Debug)]
pub struct Loaded {
    /// The event.
    pub event: Event,
    /// `QJ901` and other findings about entries, in the order of the file.
    pub mistakes: Vec<Finding>,
}

impl Loaded {
    /// Whether an entry is mistaken.
    pub fn has_errors(&self) -> bool {
        self.mistakes.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// Reads the event file (TOML, or a FIDE TRF file, known by its content) at `path` and the tables of results that it names, which lie beside it. `profile` stands in
/// for the profile that the file names.
///
/// # Errors
///
/// [`EventError`]: a file that cannot be read, is not TOML or not of the schema (with line and column), or names a
/// profile that there is not.
pub fn load(path: &Path, profile: Option<&str>) -> Result<Loaded, EventError> {
    let read = |path: &Path| {
        std::fs::read_to_string(path)
            .map_err(|error| EventError::Unreadable(path.display().to_string(), error))
    };
    let directory = path.parent().map(Path::to_owned).unwrap_or_default();
    let text = read(path)?;
    settle(&path.display().to_string(), &text, profile, &directory, &mut |name| {
        let path: PathBuf = directory.join(name);
        Ok((path.display().to_string(), read(&path)?))
    })
}

/// What finds a file that the event names: its text, and the name to report it by.
pub type Reader<'r> = dyn FnMut(&str) -> Result<(String, String), EventError> + 'r;

/// Reads an event from `text`; `read` gives path and text of each table of results that it names.
///
/// # Errors
///
/// As [`load`].
///
/// ```
/// use qijian::event;
///
/// let text = r#"
/// [event]
/// name = "三人循环赛"
/// system = "round-robin"
/// [[player]]
/// no = 1
/// name = "甲"
/// [[player]]
/// no = 2
/// name = "乙"
/// [[game]]
/// round = 1
/// red = 1
/// black = "乙"
/// result = "1-0"
/// "#;
/// let loaded = event::parse("a.toml", text, None, &mut |_| unreachable!())?;
/// assert!(loaded.mistakes.is_empty());
/// assert_eq!(loaded.event.stages[0].encounters.len(), 1);
/// let error = event::parse("a.toml", "[event]\nname = 7\n", None, &mut |_| unreachable!()).unwrap_err();
/// assert!(error.to_string().starts_with("a.toml:2:8: "));
/// # Ok::<(), qijian::event::EventError>(())
/// ```
pub fn parse(
    name: &str,
    text: &str,
    profile: Option<&str>,
    read: &mut Reader<'_>,
) -> Result<Loaded, EventError> {
    settle(name, text, profile, Path::new(""), read)
}

fn settle(
    name: &str,
    text: &str,
    profile: Option<&str>,
    directory: &Path,
    read: &mut Reader<'_>,
) -> Result<Loaded, EventError> {
    let source = Source { name: name.to_owned(), text: text.to_owned() };
    let mut mistakes = Mistakes { sources: vec![source.clone()], ..Mistakes::default() };
    let file: File = match trf::is_trf(text) {
        true => trf::read(&source, &mut mistakes),
        false => toml::from_str(text).map_err(|error| malformed(&source, &error))?,
    };
    let header = &file.event;
    // A profile that the file names as a file lies beside it.
    let profile_file = match (profile, header.profile.as_deref()) {
        (Some(name), _) => name.to_owned(),
        (None, Some(name)) if name.ends_with(".toml") => directory.join(name).display().to_string(),
        (None, name) => name.unwrap_or("cxa-classic").to_owned(),
    };
    let profile = Profile::load(&profile_file)?;
    let mut sources = vec![source];
    let mut rows: Vec<(GameEntry, Origin)> =
        file.game.iter().map(|entry| (entry.get_ref().clone(), origin(entry))).collect();
    for table in &header.results {
        let (path, text) = read(table.get_ref())?;
        sources.push(Source { name: path, text });
        table_file::read(&sources, &mut rows, &mut mistakes);
    }
    mistakes.sources.clone_from(&sources);
    if rows.len() > LIMIT || file.player.len() > LIMIT || file.team.len() > LIMIT {
        let words = Words::new("条目过多", "too many entries");
        mistakes.add(Origin { source: 0, span: Span::default() }, words);
        rows.truncate(LIMIT);
    }
    let kind = kind(&file, &rows);
    let mut register = Register::new(kind, &file, &rows, &mut mistakes);
    let mut event = Event {
        name: header.name.clone(),
        profile: profile.name.clone(),
        profile_file,
        rules: profile.event.overridden(&header.rules),
        fouls_lose: header.fouls_lose.unwrap_or(profile.fouls.limit),
        late_minutes: header.late_minutes.unwrap_or(profile.clock.late_minutes),
        kind,
        boards: header.boards.unwrap_or(0),
        line_up: header.line_up,
        team_table: header.team_table,
        seed: header.seed,
        header: facts(header),
        players: Vec::new(),
        teams: Vec::new(),
        stages: Vec::new(),
        withdrawals: Vec::new(),
        penalties: Vec::new(),
        lates: Vec::new(),
        decisions: Vec::new(),
        published: Vec::new(),
        notes: notes(&file),
        records: header.records.iter().map(|path| path.get_ref().clone()).collect(),
        sources: Vec::new(),
    };
    if let Some(places) = header.protected_places {
        event.rules.protected_places = places;
    }
    event.stages = stages::stages(&file, &event, &mut register, &mut mistakes);
    for (entry, origin) in byes(&file) {
        rows.push((entry, origin));
    }
    let red_boards = event.rules.red_boards;
    Rows { kind, red_boards, register: &mut register, mistakes: &mut mistakes }
        .settle(rows, &mut event.stages);
    (event.players, event.teams) = register.clone().finish();
    entries(&file, &mut event, &register, &mut mistakes);
    event.boards = event.boards.max(boards_seen(&event));
    for index in 0..event.stages.len() {
        order_entrants(&mut event, index);
    }
    event.sources = mistakes.sources;
    Ok(Loaded { event, mistakes: mistakes.found })
}

/// What is wrong with entries.
#[derive(Default)]
pub(super) struct Mistakes {
    pub(super) sources: Vec<Source>,
    pub(super) found: Vec<Finding>,
}

impl Mistakes {
    /// Reports that the entry at `origin` cannot be used.
    pub(super) fn add(&mut self, origin: Origin, words: Words) {
        self.push(origin, Finding::new(Code::EVENT_ENTRY, words));
    }

    /// Reports `finding` of the entry at `origin`.
    pub(super) fn push(&mut self, origin: Origin, finding: Finding) {
        let place = self.sources.get(origin.source).map(|source| source.place(origin.span));
        let finding = finding.at(place.unwrap_or_default());
        self.found.push(match self.sources.get(origin.source) {
            Some(source) if origin.source > 0 => finding.with("source", source.name.as_str()),
            _ => finding,
        });
    }
}

fn malformed(source: &Source, error: &toml::de::Error) -> EventError {
    let span = error.span().unwrap_or(0..0);
    let place = source.place(Span::new(span.start, span.end));
    EventError::Malformed {
        path: source.name.clone(),
        line: place.line.unwrap_or(1),
        column: place.column.unwrap_or(1),
        message: error.message().replace('\n', "; "),
    }
}

/// The place of an entry of the event file.
pub(super) fn origin<T>(entry: &Spanned<T>) -> Origin {
    let span = entry.span();
    Origin { source: 0, span: Span::new(span.start, span.end) }
}

fn kind(file: &File, rows: &[(GameEntry, Origin)]) -> Kind {
    let teams = !file.team.is_empty() || rows.iter().any(|(row, _)| row.red_team.is_some());
    match file.event.kind {
        Some(kind) => kind,
        None if teams && file.event.team_table.is_none() => Kind::Team,
        None => Kind::Individual,
    }
}

fn facts(header: &Header) -> Vec<(&'static str, String)> {
    let fields = [
        ("date", &header.date),
        ("place", &header.place),
        ("organiser", &header.organiser),
        ("chief_arbiter", &header.chief_arbiter),
        ("appeals", &header.appeals),
        ("time_control", &header.time_control),
    ];
    fields.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect()
}

fn notes(file: &File) -> Vec<Note> {
    let mut notes: Vec<Note> = file
        .note
        .iter()
        .map(|entry| entry.get_ref())
        .map(|note| Note { text: note.text.clone(), article: note.article.clone() })
        .collect();
    for entry in &file.withdrawal {
        if let Some(reason) = &entry.get_ref().reason {
            let text = format!("{}: {reason}", entry.get_ref().entrant.get_ref().0);
            notes.push(Note { text, article: Some("20.1".to_owned()) });
        }
    }
    notes
}

/// Nobody has this number or name.
pub(super) fn unknown(reference: &Reference) -> Words {
    Words::new(
        format!("没有名为“{0}”或号码为 {0} 的参赛者", reference.0),
        format!("nobody entered has the name or number {:?}", reference.0),
    )
}

/// Byes as rows without an opponent.
fn byes(file: &File) -> Vec<(GameEntry, Origin)> {
    let row = |entry: &Spanned<super::file::ByeEntry>| {
        let bye = entry.get_ref();
        let game = GameEntry {
            stage: bye.stage.clone(),
            round: Some(bye.round),
            result: "bye".to_owned(),
            red: Some(bye.entrant.get_ref().clone()),
            red_team: Some(bye.entrant.get_ref().clone()),
            ..GameEntry::default()
        };
        (game, origin(entry))
    };
    file.bye.iter().map(row).collect()
}

/// Withdrawals, penalties, lateness, decisions and publications.
fn entries(file: &File, event: &mut Event, register: &Register, mistakes: &mut Mistakes) {
    let names: Vec<String> = event.stages.iter().map(|stage| stage.name.clone()).collect();
    // An entry without a stage concerns the only stage, or all of them.
    let mut stage_of = |name: &Option<String>, at: Origin| -> Option<Option<usize>> {
        let Some(name) = name else { return Some((names.len() == 1).then_some(0)) };
        let found = names.iter().position(|other| other == name);
        if found.is_none() {
            mistakes.add(at, Words::new("没有此阶段", "no stage has this name"));
        }
        found.map(Some)
    };
    let mut missing = Vec::new();
    let mut find = |reference: &Spanned<Reference>| {
        let found = register.find(reference.get_ref());
        if found.is_none() {
            missing.push((origin(reference), unknown(reference.get_ref())));
        }
        found
    };
    each(&file.withdrawal, |entry, at| {
        let (stage, who) = (stage_of(&entry.stage, at)?, find(&entry.entrant)?);
        event.withdrawals.push(Withdrawal {
            stage,
            entrant: who.entrant,
            after_round: entry.after_round,
            expelled: entry.expelled,
            consent: entry.consent,
            origin: at,
        });
        Some(())
    });
    each(&file.penalty, |entry, at| {
        let (stage, who) = (stage_of(&entry.stage, at)?, find(&entry.entrant)?);
        event.penalties.push(Penalty {
            stage,
            round: entry.round,
            entrant: who.entrant,
            player: who.player,
            kind: entry.kind,
            count: entry.count.unwrap_or(1).min(1000),
            by: entry.by,
            speed: entry.speed,
            article: entry.article.clone(),
            origin: Some(at),
        });
        Some(())
    });
    each(&file.late, |entry, at| {
        let (stage, who) = (stage_of(&entry.stage, at)?, find(&entry.entrant)?);
        event.lates.push(Late {
            stage,
            round: entry.round,
            entrant: who.entrant,
            player: who.player,
            minutes: entry.minutes,
            origin: at,
        });
        Some(())
    });
    each(&file.decision, |entry, at| {
        let stage = stage_of(&entry.stage, at)?;
        let order = entry.order.iter().filter_map(|one| Some(find(one)?.entrant)).collect();
        event.decisions.push(Decided {
            stage,
            round: entry.round,
            order,
            by: entry.by,
            origin: at,
        });
        Some(())
    });
    let mut unknown_columns = Vec::new();
    each(&file.published, |entry, at| {
        let (stage, who) = (stage_of(&entry.stage, at)?, find(&entry.entrant)?);
        let mut tie_breaks = Vec::new();
        for (name, value) in &entry.tie_breaks {
            match Criterion::from_name(name) {
                Some(criterion) => tie_breaks.push((criterion, *value)),
                None => unknown_columns.push(at),
            }
        }
        event.published.push(Published {
            stage: stage.unwrap_or(event.stages.len().saturating_sub(1)),
            after_round: entry.after_round,
            entrant: who.entrant,
            points: entry.points,
            place: entry.place,
            tie_breaks,
            origin: at,
        });
        Some(())
    });
    for at in unknown_columns {
        mistakes.add(at, Words::new("区分项不识", "an unknown tie-break is named"));
    }
    for (at, words) in missing {
        mistakes.add(at, words);
    }
}

fn each<T>(tables: &Tables<T>, mut take: impl FnMut(&T, Origin) -> Option<()>) {
    for entry in tables {
        // What cannot be taken has been reported by then.
        let _ = take(entry.get_ref(), origin(entry));
    }
}

fn boards_seen(event: &Event) -> u32 {
    if event.kind == Kind::Individual {
        return 0;
    }
    let games = event.stages.iter().flat_map(|stage| &stage.encounters);
    games.flat_map(|encounter| encounter.slow()).map(|game| game.board).max().unwrap_or(0)
}

/// Settles who is in a stage: those listed, those met in its results, or everybody; in an order that does not depend
/// on the order of the file.
fn order_entrants(event: &mut Event, index: usize) {
    let mut entrants = event.stages[index].entrants.clone();
    let mut listed: std::collections::BTreeSet<usize> = entrants.iter().copied().collect();
    let everybody = event.stages.len() == 1 && entrants.is_empty();
    let met = event.stages[index].encounters.iter().flat_map(|encounter| encounter.entrants);
    let others = met.flatten().chain((0..event.len()).filter(|_| everybody));
    for entrant in others.collect::<Vec<usize>>() {
        if listed.insert(entrant) {
            entrants.push(entrant);
        }
    }
    if event.stages[index].entrants.is_empty() {
        entrants.sort_by(|a, b| event.key_of(*a).cmp(&event.key_of(*b)));
    }
    event.stages[index].entrants = entrants;
}
