//! What `check` does with one file: sniff, decode, read, replay, report.

use std::{
    cell::Cell,
    io::{self, Read},
    iter,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{
    finding::{self, Binary, Code, Finding, Locate, Severity, Span, Words},
    format::{self, Format},
    record::{Outcome, Record, Tag, Written, standard_key},
    replay::{self, Game, Termination},
    report::{Counts, GameReport, Rest, Tally},
    rules::{self, Profile},
    source::{Contents, Encoding, Input, InputError, LARGE, Part, Parts, detect},
};

use super::{
    duplicates::Duplicates,
    games::{self, Done, Makers},
    numbering::Numbering,
    spread::spread,
};

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format; `None` finds it from the content.
    pub from: Option<Format>,
    /// The encoding of text; `None` finds it from the content.
    pub encoding: Option<Encoding>,
    /// How to replay.
    pub replay: replay::Options,
    /// Whether reports carry the moves.
    pub moves: bool,
    /// Whether the report of a game without findings may leave out tags and positions, which nobody is going to read.
    pub brief: bool,
    /// The rules by which repetitions and limits are judged; `None` judges neither.
    pub profile: Option<Arc<Profile>>,
    /// Whether repetitions are ruled, which costs searches.
    pub rulings: bool,
    /// The duplicates that an earlier walk has found, to be told (`QJ020`).
    pub duplicates: Option<Arc<Duplicates>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            from: None,
            encoding: None,
            replay: replay::Options::default(),
            moves: false,
            brief: false,
            profile: Some(Arc::new(Profile::default())),
            rulings: true,
            duplicates: None,
        }
    }
}

/// Texts of PGN up to this many bytes are read in one part.
const SMALL: usize = 1 << 20;

/// Checks one file. Hands the report of each game to `sink` as soon as it is complete; a file without a readable game
/// gives one report with game 0. `named` says whether the user named the file: an unknown format is then an error,
/// else a warning. Findings carry no repairs, which [`super::fix()`] makes.
pub fn check(
    source: &str,
    bytes: &[u8],
    named: bool,
    options: &Options,
    sink: &mut dyn FnMut(GameReport),
) {
    let file = File { source, named, options };
    file.check(bytes, NonZeroUsize::MIN, &|report| report, &mut |report| {
        sink(report);
        true
    });
}

/// [`check`] of an input, read as far as it needs to be held, on several threads: `sink` gets in order what `work`, on any
/// thread, makes of each report, and says whether to go on: a large PGN file is then read no further. Its games are divided
/// among `jobs`; other formats use one. Returns how many bytes have been read.
///
/// # Errors
///
/// Those of [`Input::read`]; what has been read before has been handed on.
pub fn check_input<T: Send>(
    input: &Input,
    options: &Options,
    jobs: NonZeroUsize,
    work: &(dyn Fn(GameReport) -> T + Sync),
    sink: &mut dyn FnMut(T) -> bool,
) -> Result<u64, InputError> {
    let file = File { source: &input.name, named: input.named, options };
    match input.contents()? {
        Contents::Whole(bytes) => {
            file.check(&bytes, jobs, work, sink);
            Ok(bytes.len() as u64)
        }
        Contents::Large(head, rest) if options.is_pgn(&head) => {
            let mut bytes = 0;
            let parts = Parts::new((&head[..]).chain(rest)).inspect(|part| {
                bytes += part.as_ref().map_or(0, |part| part.bytes.len() as u64);
            });
            let text = (&head[..], options.encoding_of(&head));
            let read = file.pgn(parts, text, jobs, work, sink);
            read.map(|()| bytes).map_err(|error| input.error(error))
        }
        Contents::Large(..) => {
            let bytes = input.read()?;
            file.check(&bytes, jobs, work, sink);
            Ok(bytes.len() as u64)
        }
    }
}

impl Options {
    /// Whether a text that begins with `head` is PGN.
    pub(super) fn is_pgn(&self, head: &[u8]) -> bool {
        let format = self.from.or_else(|| format::sniff(head, self.encoding));
        format == Some(Format::Pgn)
    }

    /// Adds what the rules say of a replayed game.
    pub(super) fn rule(&self, game: &mut Game, record: &Record<'_>, locate: &dyn Locate) {
        let Some(profile) = &self.profile else { return };
        let ruled = rules::judge(game, record, locate, profile, self.rulings);
        if !ruled.is_empty() {
            // A claim is an end where it is true and the game was drawn (23.3).
            let upheld = |finding: &Finding| {
                finding.code == Code::NATURAL_LIMIT_CLAIM_TRUE
                    && finding.ply as usize == game.moves.len()
            };
            let drawn = game.termination == Termination::Unstated && game.outcome == Outcome::Draw;
            if drawn && ruled.iter().any(upheld) {
                game.termination = Termination::NaturalLimit;
            }
            game.findings.extend(ruled);
            finding::sort(&mut game.findings);
        }
    }

    /// The encoding of a text of PGN, large ones by their beginning.
    pub(super) fn encoding_of(&self, bytes: &[u8]) -> Encoding {
        self.encoding.unwrap_or_else(|| detect(&bytes[..bytes.len().min(LARGE)]))
    }
}

/// Whether a text of PGN in memory is worth being read in parts.
pub(super) fn has_parts(bytes: &[u8], encoding: Encoding) -> bool {
    // A line end of UTF-16 is not one byte.
    bytes.len() > SMALL && !matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be)
}

/// A file that is checked.
#[derive(Clone, Copy)]
struct File<'f> {
    source: &'f str,
    named: bool,
    options: &'f Options,
}

impl File<'_> {
    /// Checks all of its bytes.
    fn check<T: Send>(
        self,
        bytes: &[u8],
        jobs: NonZeroUsize,
        work: &(dyn Fn(GameReport) -> T + Sync),
        sink: &mut dyn FnMut(T) -> bool,
    ) {
        let options = self.options;
        let mut give = |report| sink(work(self.marked(report)));
        if self.makers(|makers| games::only(bytes, options, makers, &mut give)) {
            return;
        }
        let format = options.from.or_else(|| format::sniff(bytes, options.encoding));
        if let Some(format @ Format::Pgn) = format {
            let text = (bytes, options.encoding_of(bytes));
            let whole = || iter::once(Ok(Part::whole(bytes)));
            let read = match has_parts(bytes, text.1) {
                true => self.pgn(Parts::new(bytes), text, jobs, work, sink),
                false => self.pgn(whole(), text, jobs, work, sink),
            };
            return debug_assert!(read.is_ok(), "{format:?} in memory can be read");
        }
        let mut games = 0;
        if let Some(format) = format {
            format::read(bytes, format, options.encoding, &mut |record, locate, encoding| {
                games += 1;
                let report = self.judge(&record, locate, (format, encoding), None);
                sink(work(self.marked(report)));
            });
        }
        if games == 0 {
            sink(work(unread(self.source, bytes, self.named)));
        }
    }

    /// Checks the parts of a text of PGN that begins with `head` and is in `encoding`.
    fn pgn<'b, T: Send>(
        self,
        parts: impl Iterator<Item = io::Result<Part<'b>>>,
        (head, encoding): (&[u8], Encoding),
        jobs: NonZeroUsize,
        work: &(dyn Fn(GameReport) -> T + Sync),
        sink: &mut dyn FnMut(T) -> bool,
    ) -> io::Result<()> {
        let mut failed = Ok(());
        let whole = parts.map_while(|part| part.map_err(|error| failed = Err(error)).ok());
        // Where nobody takes what is found, nothing more is read.
        let going = AtomicBool::new(true);
        let read = |part: &Part<'b>, sink: &mut dyn FnMut(GameReport)| {
            self.makers(|makers| {
                games::each(part, encoding, self.options, makers, &mut |report| {
                    sink(report);
                    true
                });
            });
        };
        let numbered = |mut report: GameReport, before: u32| {
            report.game = report.game.saturating_add(before);
            work(self.marked(report))
        };
        let games = Cell::new(0_u32);
        let mut give = |made: T| {
            games.set(games.get().saturating_add(1));
            if !sink(made) {
                going.store(false, Ordering::Relaxed);
            }
        };
        let mut whole = whole.take_while(|_| going.load(Ordering::Relaxed));
        loop {
            // What is found of a part by itself is handed on as it is found.
            let mut alone = None;
            if jobs == NonZeroUsize::MIN {
                alone = whole.next();
            } else {
                let (before, numbering) = (games.get(), Numbering::default());
                let produce = |each: &mut dyn FnMut((usize, Part<'b>))| {
                    for (number, part) in whole.by_ref().enumerate() {
                        if part.bytes.len() > games::LARGEST {
                            // Too much to be kept until its turn comes.
                            alone = Some(part);
                            return;
                        }
                        each((number, part));
                    }
                };
                // Where a part before is still being read, the games wait for their numbers, and not the thread.
                let read = |(number, part): (usize, Part<'b>)| {
                    let mut reports = Vec::new();
                    read(&part, &mut |report| reports.push(report));
                    match numbering.read(number, count(reports.len())) {
                        Some(within) => Ok(reports
                            .into_iter()
                            .map(|report| numbered(report, before.saturating_add(within)))
                            .collect()),
                        None => Err(reports),
                    }
                };
                spread(jobs, produce, read, |made: Result<Vec<T>, Vec<GameReport>>| {
                    let before = games.get();
                    match made {
                        Ok(made) => made.into_iter().for_each(&mut give),
                        Err(reports) => {
                            reports.into_iter().for_each(|report| give(numbered(report, before)))
                        }
                    }
                });
            }
            let Some(part) = alone else { break };
            let before = games.get();
            read(&part, &mut |report| give(numbered(report, before)));
        }
        drop(whole);
        if games.get() == 0 && failed.is_ok() {
            sink(work(unread(self.source, head, self.named)));
        }
        failed
    }

    /// What becomes of a game of PGN, for `used`.
    fn makers<U>(self, used: impl FnOnce(&Makers<'_, GameReport>) -> U) -> U {
        let Options { moves, brief, .. } = *self.options;
        used(&Makers {
            record: &|record, locate, encoding, known| {
                self.judge(record, locate, (Format::Pgn, encoding), known)
            },
            plain: &|done| plain_report(self.source, done, moves, brief),
        })
    }

    /// The report of a record; `known` is how it is played, where that is known.
    fn judge(
        self,
        record: &Record<'_>,
        locate: &dyn Locate,
        (format, encoding): (Format, Encoding),
        known: Option<Game>,
    ) -> GameReport {
        let replay = || replay::replay(record, locate, &self.options.replay);
        let mut game = known.unwrap_or_else(replay);
        self.options.rule(&mut game, record, locate);
        // Places in a text that is gone when the report is read; `fix` makes repairs.
        game.findings.iter_mut().for_each(|finding| finding.repair.clear());
        report(self.source, record, game, format, encoding, self.options.moves)
    }

    /// The report with what an earlier walk has found of its game.
    fn marked(self, mut report: GameReport) -> GameReport {
        let duplicates = self.options.duplicates.as_ref();
        if let Some(found) = duplicates.and_then(|found| found.of_game(self.source, report.game)) {
            report.findings.push(found.finding());
            finding::sort(&mut report.findings);
        }
        report
    }
}

/// The report of a file that holds no readable game.
pub(super) fn unread(source: &str, bytes: &[u8], named: bool) -> GameReport {
    let words = match format::known_but_unread(bytes) {
        _ if bytes.is_empty() => Words::new("文件是空的", "the file is empty"),
        Some(name) => {
            Words::new(format!("{name} 格式尚不能读"), format!("{name} cannot be read yet"))
        }
        None => Words::new("不是所知的棋谱格式", "not a game record of any known format"),
    };
    let finding = Finding::new(Code::UNKNOWN_FORMAT, words)
        .severity(if named { Severity::Error } else { Severity::Warning })
        .at(Binary.place(Span::default()))
        .help(Words::new(
            "若确是棋谱，用 --from 指明格式",
            "if it is a game record, name its format with --from",
        ));
    let mut report = GameReport::new(source, 0);
    report.findings.push(finding);
    report
}

/// The report of a file that a walk met and that cannot be read from the disk.
pub fn unreadable(source: &str, error: &std::io::Error) -> GameReport {
    let mut report = GameReport::new(source, 0);
    report.findings.push(
        Finding::new(Code::UNREADABLE, Words::new("文件无法读取", "the file cannot be read"))
            .with("error", error.to_string()),
    );
    report
}

/// The report of a source whose compressed data is not read, for the reason that `finding` gives.
pub fn refused(source: &str, finding: Finding) -> GameReport {
    let mut report = GameReport::new(source, 0);
    report.findings.push(finding);
    report
}

/// The report of one game, with its moves if `moves`.
pub(super) fn report(
    source: &str,
    record: &Record<'_>,
    game: Game,
    format: Format,
    encoding: Encoding,
    moves: bool,
) -> GameReport {
    let mut report = GameReport::new(source, record.game);
    report.format = Some(format.as_str());
    report.encoding = Some(encoding.as_str());
    report.notation =
        match record.tree.main_line().next().map(|first| record.tree.node(first).written) {
            Some(Written::Squares { .. }) => Some("binary"),
            _ if format.is_binary() => Some("binary"),
            _ => game.dialect.map(|dialect| dialect.notation.as_str()),
        };
    tags(&mut report, &record.tags);
    report.variations = count(record.tree.variations());
    report.comments = count(
        record.tree.comments.iter().filter(|comment| !comment.text.trim().is_empty()).count(),
    );
    report.counts = counts(record, &game, report.comments);
    played(&mut report, game, moves);
    report
}

/// The same of a game without a fault, which has no variations.
pub(super) fn plain_report(source: &str, done: Done<'_>, moves: bool, brief: bool) -> GameReport {
    let mut report = GameReport::new(if brief { "" } else { source }, done.number);
    report.format = Some(Format::Pgn.as_str());
    report.encoding = Some(done.encoding.as_str());
    report.notation = done.game.dialect.map(|dialect| dialect.notation.as_str());
    let tally = |count| Tally { read: count, written: count, refused: 0 };
    let plies = done.game.moves.len() as u64;
    report.comments =
        count(done.remarks.iter().filter(|(_, text)| !text.trim().is_empty()).count());
    let comments = tally(report.comments.into());
    report.counts = Counts { games: tally(1), nodes: tally(plies), comments };
    if brief {
        report.plies = count(done.game.moves.len());
    } else {
        tags(&mut report, &done.tags);
        played(&mut report, done.game, moves);
    }
    report
}

fn tags(report: &mut GameReport, tags: &[Tag<'_>]) {
    for tag in tags {
        let value = tag.value.clone().into_owned();
        match standard_key(&tag.name).filter(|key| report.tags.iter().all(|(name, _)| name != key))
        {
            Some(key) => report.tags.push((key.to_owned(), value)),
            None => report.other_tags.push((tag.name.clone().into_owned(), value)),
        }
    }
}

/// Adds what was played.
fn played(report: &mut GameReport, game: Game, moves: bool) {
    report.start_fen = game.start.as_ref().map(|start| start.fen());
    report.final_fen = game.end.as_ref().map(|end| end.fen());
    report.plies = count(game.moves.len());
    report.result = game.outcome.as_str();
    report.termination = game.termination.as_str();
    report.rest = game.rest.map(|rest| Rest {
        from_ply: rest.from_ply,
        moves: rest.moves,
        texts: rest.texts,
        status: rest.status.as_str(),
    });
    report.moves = moves.then_some(game.moves);
    report.findings = game.findings;
}

fn counts(record: &Record<'_>, game: &Game, comments: u32) -> Counts {
    let nodes = (record.tree.len() + record.after_end.len()) as u64;
    let replayed = game.replayed as u64;
    let comments = u64::from(comments);
    // A record with number 0 only carries findings about a file.
    let games = u64::from(record.game > 0);
    Counts {
        games: Tally { read: games, written: games, refused: 0 },
        nodes: Tally { read: nodes, written: replayed, refused: nodes - replayed },
        comments: Tally { read: comments, written: comments, refused: 0 },
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
