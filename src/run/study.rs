//! Many inputs as one stream of studied games: what export, statistics, duplicates and searches begin with.

use std::{
    cell::Cell,
    io::{self, Read},
    iter,
    num::NonZeroUsize,
    sync::Arc,
};

use crate::{
    board::Position,
    finding::Locate,
    format::{self, Format},
    record::{NodeId, Record},
    replay::{self, Game},
    report::GameReport,
    source::{Contents, Encoding, Input, InputError, Part, Parts},
    table::{Copied, Filter, Names, Note, Study},
};

use super::{
    check::{self, Options},
    duplicates::Duplicates,
    games::{self, Done, Makers},
    interrupt::interrupted,
    stream::ordered_stream,
};

/// How games are studied.
#[derive(Clone, Debug, Default)]
pub struct Studying {
    /// How they are read, replayed and ruled.
    pub options: Options,
    /// How names are brought together.
    pub names: Arc<Names>,
    /// Which games are wanted.
    pub filter: Filter,
    /// The duplicates that an earlier walk has found.
    pub duplicates: Option<Arc<Duplicates>>,
}

/// Some games of one input, or its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece<T> {
    /// The number of the input, from 0.
    pub input: usize,
    /// The name of the input.
    pub name: Arc<str>,
    /// Games of the input that are read by now, those that the filter leaves out too.
    pub games: u32,
    /// Whether this is the last piece of the input.
    pub last: bool,
    /// Bytes of the input; with the last piece.
    pub bytes: u64,
    /// Why a named input could not be read.
    pub failed: Option<String>,
    /// What has been made of the games.
    pub made: T,
}

/// How far an earlier run has come: so many inputs whole, and so many games of the next.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reached {
    /// Inputs that are done.
    pub inputs: usize,
    /// Games of the next input that are done.
    pub games: u32,
}

/// Studies the games of `inputs` on `jobs` threads, and hands to `sink` what `add` makes of them, in order: a piece each
/// time that `is_full` says so, and one at the end of each input. Games that `reached` covers are passed over. Ends early when `sink`
/// returns `false` or the user interrupts.
pub fn study<T: Default + Send>(
    inputs: impl Iterator<Item = Result<Input, InputError>> + Send,
    jobs: NonZeroUsize,
    studying: &Studying,
    reached: Reached,
    add: impl Fn(&mut T, Study) + Sync,
    is_full: impl Fn(&T) -> bool + Sync,
    sink: impl FnMut(Piece<T>) -> bool,
) {
    let work = |(input, source): (usize, Result<Input, InputError>),
                give: &mut dyn FnMut(Piece<T>) -> bool| {
        if interrupted() {
            return;
        }
        let passed = if input == reached.inputs { reached.games } else { 0 };
        let name: Arc<str> = match &source {
            Ok(source) => source.name.as_str().into(),
            Err(error) => error.name.as_str().into(),
        };
        let mut games = passed;
        let mut made = T::default();
        let mut going = true;
        let done = games_of(source, studying, passed, &mut |study| {
            games += 1;
            if studying.filter.holds(&study, &studying.names) {
                add(&mut made, study);
            }
            if is_full(&made) {
                let made = std::mem::take(&mut made);
                let piece = Piece {
                    input,
                    name: name.clone(),
                    games,
                    last: false,
                    bytes: 0,
                    failed: None,
                    made,
                };
                going = give(piece);
            }
            // A file may hold millions of games; what is not whole is not handed on.
            going = going && !interrupted();
            going
        });
        let (bytes, failed) = match done {
            Ok(bytes) => (bytes, None),
            Err(message) => (0, Some(message)),
        };
        if going {
            give(Piece { input, name, games, last: true, bytes, failed, made });
        }
    };
    let rest = inputs.enumerate().skip(reached.inputs);
    ordered_stream(rest, jobs, work, sink);
}

/// Hands the games of an input after the first `passed` to `sink`, as [`studies_after`] does; a file without a readable game
/// is one with number 0. Returns the bytes read, or why a named input cannot be.
fn games_of(
    source: Result<Input, InputError>,
    studying: &Studying,
    passed: u32,
    sink: &mut dyn FnMut(Study) -> bool,
) -> Result<u64, String> {
    let read = source.and_then(|input| {
        let studied = Studied { source: &input.name, named: input.named, studying, passed };
        match input.contents()? {
            Contents::Whole(bytes) => {
                studied.bytes(&bytes, sink);
                Ok(bytes.len() as u64)
            }
            Contents::Large(head, rest) if studying.options.is_pgn(&head) => {
                let parts = Parts::new((&head[..]).chain(rest));
                let text = (&head[..], studying.options.encoding_of(&head));
                studied.pgn(parts, text, sink).map_err(|error| input.error(error))
            }
            Contents::Large(..) => {
                let bytes = input.read()?;
                studied.bytes(&bytes, sink);
                Ok(bytes.len() as u64)
            }
        }
    });
    let nothing = |report| Study::new(report, None, Vec::new(), &studying.names);
    match read {
        Ok(bytes) => Ok(bytes),
        Err(InputError { name, finding: Some(finding), .. }) => {
            if passed == 0 {
                sink(nothing(check::refused(&name, *finding)));
            }
            Ok(0)
        }
        Err(error) if error.named => Err(error.to_string()),
        Err(error) => {
            if passed == 0 {
                sink(nothing(check::unreadable(&error.name, &error.error)));
            }
            Ok(0)
        }
    }
}

/// Studies every game of one file, as [`super::check()`] checks them.
///
/// ```
/// use qijian::run::{Studying, studies};
///
/// let mut plies = Vec::new();
/// studies("a.pgn", "1. 炮二平五 马8进7 *".as_bytes(), true, &Studying::default(), &mut |game| plies.push(game.plies.len()));
/// assert_eq!(plies, [2]);
/// ```
pub fn studies(
    source: &str,
    bytes: &[u8],
    named: bool,
    studying: &Studying,
    sink: &mut dyn FnMut(Study),
) {
    Studied { source, named, studying, passed: 0 }.bytes(bytes, &mut |study| {
        sink(study);
        true
    });
}

/// A file that is studied without its first `passed` games.
#[derive(Clone, Copy)]
struct Studied<'s> {
    source: &'s str,
    named: bool,
    studying: &'s Studying,
    passed: u32,
}

/// Takes the games of a file one by one, and says whether to go on.
type Sink<'s> = dyn FnMut(Study) -> bool + 's;

impl Studied<'_> {
    fn bytes(self, bytes: &[u8], sink: &mut Sink<'_>) {
        let options = &self.studying.options;
        let is_wanted = |_: u32| self.passed == 0;
        let mut give = |study: Option<Study>| study.is_none_or(&mut *sink);
        if self.makers(0, &is_wanted, |makers| games::only(bytes, options, makers, &mut give)) {
            return;
        }
        let format = options.from.or_else(|| format::sniff(bytes, options.encoding));
        if let Some(format @ Format::Pgn) = format {
            let text = (bytes, options.encoding_of(bytes));
            let read = match check::has_parts(bytes, text.1) {
                true => self.pgn(Parts::new(bytes), text, sink),
                false => self.pgn(iter::once(Ok(Part::whole(bytes))), text, sink),
            };
            return debug_assert!(read.is_ok(), "{format:?} in memory can be read");
        }
        let (mut games, mut going) = (0_u32, true);
        if let Some(format) = format {
            format::read(bytes, format, options.encoding, &mut |record, locate, encoding| {
                games = games.saturating_add(1);
                // The games before and after are read, which is quick, but not replayed and ruled.
                if games > self.passed && going {
                    going = sink(self.played(&record, locate, 0, (format, encoding), None));
                }
            });
        }
        self.unread(games, bytes, sink);
    }

    /// Studies a text of PGN that begins with `head` and is in `encoding` part by part; how many bytes have been read.
    fn pgn<'b>(
        self,
        parts: impl Iterator<Item = io::Result<Part<'b>>>,
        (head, encoding): (&[u8], Encoding),
        sink: &mut Sink<'_>,
    ) -> io::Result<u64> {
        let options = &self.studying.options;
        let going = Cell::new(true);
        let (mut bytes, mut games) = (0, 0_u32);
        for part in parts {
            let part = part?;
            let before = games;
            let is_wanted =
                |number: u32| going.get() && before.saturating_add(number) > self.passed;
            self.makers(before, &is_wanted, |makers| {
                games::each(&part, encoding, options, makers, &mut |study| {
                    games = games.saturating_add(1);
                    going.set(going.get() && study.is_none_or(&mut *sink));
                    going.get()
                });
            });
            bytes += part.bytes.len() as u64;
            if !going.get() {
                return Ok(bytes);
            }
        }
        self.unread(games, head, sink);
        Ok(bytes)
    }

    /// What becomes of a game of PGN behind as many games of the file, if its number is wanted, for `used`.
    fn makers<U>(
        self,
        before: u32,
        is_wanted: &dyn Fn(u32) -> bool,
        used: impl FnOnce(&Makers<'_, Option<Study>>) -> U,
    ) -> U {
        used(&Makers {
            record: &|record, locate, encoding, known| {
                let format = (Format::Pgn, encoding);
                is_wanted(record.game).then(|| self.played(record, locate, before, format, known))
            },
            plain: &|done| is_wanted(done.number).then(|| self.plain(done, before)),
        })
    }

    /// A file without a game that was passed over was one row.
    fn unread(self, games: u32, bytes: &[u8], sink: &mut Sink<'_>) {
        if games == 0 && self.passed == 0 {
            let report = check::unread(self.source, bytes, self.named);
            sink(Study::new(report, None, Vec::new(), &self.studying.names));
        }
    }

    /// The study of a record, behind as many games of the file.
    fn played(
        self,
        record: &Record<'_>,
        locate: &dyn Locate,
        before: u32,
        (format, encoding): (Format, Encoding),
        known: Option<Game>,
    ) -> Study {
        let options = &self.studying.options;
        let mut game = known.unwrap_or_else(|| replay::replay(record, locate, &options.replay));
        options.rule(&mut game, record, locate);
        let notes = notes(record, game.moves.len());
        let start = game.start.clone();
        let report = check::report(self.source, record, game, format, encoding, true);
        self.study(report, before, start, notes)
    }

    fn plain(self, done: Done<'_>, before: u32) -> Study {
        let start = done.game.start.clone();
        let placed = done
            .remarks
            .iter()
            .filter_map(|(behind, text)| Some(((*behind as usize).checked_sub(1)?, &**text)));
        let notes = notes_of(placed, done.game.moves.len());
        self.study(check::plain_report(self.source, done, true, false), before, start, notes)
    }

    fn study(
        self,
        mut report: GameReport,
        before: u32,
        start: Option<Position>,
        notes: Vec<Note>,
    ) -> Study {
        report.game = report.game.saturating_add(before);
        marked(Study::new(report, start, notes, &self.studying.names), self.studying)
    }
}

/// The study with what an earlier walk has found of it.
fn marked(mut study: Study, studying: &Studying) -> Study {
    let duplicates = studying.duplicates.as_deref();
    if let Some(found) = duplicates.and_then(|duplicates| duplicates.of(study.id)) {
        study.copied = Some(Copied { of: found.best_id, kind: found.kind.clone() });
        study.report.findings.push(found.finding());
        crate::finding::sort(&mut study.report.findings);
    }
    study
}

/// What stands at the first `plies` plies of the main line.
fn notes(record: &Record<'_>, plies: usize) -> Vec<Note> {
    let tree = &record.tree;
    if tree.comments.is_empty() {
        return Vec::new();
    }
    // Comments lie anywhere in the list, so the line's place of each node is looked up once.
    let mut place = vec![usize::MAX; tree.len() + 1];
    for (index, id) in tree.main_line().take(plies).enumerate() {
        place[id.index()] = index;
    }
    let comments = tree.comments.iter().filter(|comment| comment.node != NodeId::ROOT);
    let placed = comments
        .filter_map(|comment| Some((*place.get(comment.node.index())?, comment.text.as_ref())));
    notes_of(placed, plies)
}

/// The notes of remarks, each with the ply that it stands behind, from 0.
fn notes_of<'r>(remarks: impl Iterator<Item = (usize, &'r str)>, plies: usize) -> Vec<Note> {
    let mut notes = Vec::new();
    for (ply, text) in remarks {
        if notes.is_empty() {
            notes = vec![Note::default(); plies];
        }
        let Some(note) = notes.get_mut(ply) else { continue };
        note.clock.read(text);
        let text = text.trim();
        if !text.is_empty() {
            if !note.comment.is_empty() {
                note.comment.push('\n');
            }
            note.comment.push_str(text);
        }
    }
    notes
}
