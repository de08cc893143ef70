//! What `check` does with one file: sniff, decode, read, replay, report.

use std::{num::NonZeroUsize, sync::Arc};

use crate::{
    finding::{self, Binary, Code, Finding, Locate, Severity, Span, Words},
    format::{self, Format},
    record::{Record, Written, standard_key},
    replay::{self, Game},
    report::{Counts, GameReport, Rest, Tally},
    rules::{self, Profile},
    source::{Encoding, Text},
};

use super::{duplicates::Duplicates, spread::spread};

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
    /// The rules by which repetitions and limits are judged; `None` judges neither.
    pub profile: Option<Arc<Profile>>,
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
            profile: Some(Arc::new(Profile::default())),
            duplicates: None,
        }
    }
}

/// Files up to this many bytes are not worth a second thread.
const SMALL: usize = 1 << 18;
/// How many bytes of games go to a thread together.
const PART: usize = 1 << 15;

/// Checks one file. Hands the report of each game to `sink` as soon as it is complete; a file without a readable game
/// gives one report with game 0. `named` says whether the user named the file: an unknown format is then an error,
/// else a warning.
pub fn check(
    source: &str,
    bytes: &[u8],
    named: bool,
    options: &Options,
    sink: &mut dyn FnMut(GameReport),
) {
    check_each(source, bytes, named, options, NonZeroUsize::MIN, &|report| report, sink);
}

/// [`check`] of one file on several threads: `sink` gets in order what `work`, on any thread, makes of each report. The
/// games of a large PGN file are divided among `jobs`; other formats use one.
pub fn check_each<T: Send>(
    source: &str,
    bytes: &[u8],
    named: bool,
    options: &Options,
    jobs: NonZeroUsize,
    work: &(dyn Fn(GameReport) -> T + Sync),
    sink: &mut dyn FnMut(T),
) {
    let mut games = 0;
    let format = options.from.or_else(|| format::sniff(bytes, options.encoding));
    let judge = |record: &Record<'_>, locate: &dyn Locate, format, encoding| {
        let mut game = replay::replay(record, locate, &options.replay);
        if let Some(profile) = &options.profile {
            rule(&mut game, record, locate, profile);
        }
        let duplicates = options.duplicates.as_ref();
        if let Some(found) = duplicates.and_then(|found| found.of_game(source, record.game)) {
            game.findings.push(found.finding());
            finding::sort(&mut game.findings);
        }
        work(report(source, record, game, format, encoding, options.moves))
    };
    match format {
        Some(format @ Format::Pgn) if jobs.get() > 1 && bytes.len() > SMALL => {
            let Some(text) = format::text(bytes, format, options.encoding) else { return };
            let each = |(record, encoding): &(Record<'_>, Encoding)| {
                judge(record, &text, format, *encoding)
            };
            games = divide(&text, jobs, &each, sink);
        }
        Some(format) => {
            format::read(bytes, format, options.encoding, &mut |record, locate, encoding| {
                games += 1;
                sink(judge(&record, locate, format, encoding));
            });
        }
        None => {}
    }
    if games == 0 {
        sink(work(unread(source, bytes, named)));
    }
}

/// Hands what `work`, on any of `jobs` threads, makes of the records of `text` to `sink` in order; how many there are.
fn divide<'t, T: Send>(
    text: &'t Text<'_>,
    jobs: NonZeroUsize,
    work: &(dyn Fn(&(Record<'t>, Encoding)) -> T + Sync),
    sink: &mut dyn FnMut(T),
) -> usize {
    let mut games = 0;
    let produce = |give: &mut dyn FnMut(Vec<(Record<'t>, Encoding)>)| {
        let (mut part, mut size) = (Vec::new(), 0);
        format::read_pgn(text, &mut |record, encoding| {
            games += 1;
            size += record.span.range().len();
            part.push((record, encoding));
            if size >= PART {
                size = 0;
                give(std::mem::take(&mut part));
            }
        });
        give(part);
    };
    let work = |part: Vec<(Record<'t>, Encoding)>| part.iter().map(work).collect();
    spread(jobs, produce, work, |results: Vec<T>| results.into_iter().for_each(&mut *sink));
    games
}

/// Adds what the rules say of a replayed game.
pub(super) fn rule(game: &mut Game, record: &Record<'_>, locate: &dyn Locate, profile: &Profile) {
    let ruled = rules::judge(game, record, locate, profile);
    if !ruled.is_empty() {
        game.findings.extend(ruled);
        finding::sort(&mut game.findings);
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
    for tag in &record.tags {
        let value = tag.value.clone().into_owned();
        match standard_key(&tag.name).filter(|key| report.tags.iter().all(|(name, _)| name != key))
        {
            Some(key) => report.tags.push((key.to_owned(), value)),
            None => report.other_tags.push((tag.name.clone().into_owned(), value)),
        }
    }
    report.start_fen = game.start.as_ref().map(|start| start.fen());
    report.final_fen = game.end.as_ref().map(|end| end.fen());
    report.plies = count(game.moves.len());
    report.variations = count(record.tree.variations());
    report.comments = count(
        record.tree.comments.iter().filter(|comment| !comment.text.trim().is_empty()).count(),
    );
    report.result = game.outcome.as_str();
    report.termination = game.termination.as_str();
    report.counts = counts(record, &game, report.comments);
    report.rest = game.rest.map(|rest| Rest {
        from_ply: rest.from_ply,
        moves: rest.moves,
        texts: rest.texts,
        status: rest.status.as_str(),
    });
    report.moves = moves.then_some(game.moves);
    report.findings = game.findings;
    report
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
