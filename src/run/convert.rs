//! What `convert` does with one file: read, replay, rewrite the moves, write.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    finding::{self, Code, Finding, Locate, Words},
    format::{self, Fate, Format, Loss, Part},
    notation::Notation,
    record::Record,
    replay,
    report::{Counts, GameReport, Tally},
    source::{Encoding, InputError},
};

use super::{
    check,
    duplicates::Duplicates,
    losses,
    page::{Page, Pages, compose},
    target::{self, Existing, Job, Refusal, Target},
};

/// How to convert.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The format of the source; `None` finds it from the content.
    pub from: Option<Format>,
    /// The encoding of the source's text; `None` finds it from the content.
    pub from_encoding: Option<Encoding>,
    /// The format to write, one of [`Format::WRITTEN`].
    pub to: Format,
    /// The encoding to write, one of [`Format::encodings`]; `None` is the first of them, and for XQF from XQF that of
    /// the source.
    pub encoding: Option<Encoding>,
    /// The notation to write, where the format has a choice; `None` keeps moves that are text as they are, and writes
    /// those of binary formats in Chinese.
    pub notation: Option<Notation>,
    /// How to replay; [`replay::Options::tree`] is set in any case.
    pub replay: replay::Options,
    /// Leave out the games that these are richer forms of.
    pub dedupe: Option<Arc<Duplicates>>,
    /// Convert only the games of these numbers.
    pub only: Option<Arc<BTreeSet<u32>>>,
}

impl Default for Conversion {
    fn default() -> Conversion {
        Conversion {
            from: None,
            from_encoding: None,
            to: Format::Pgn,
            encoding: None,
            notation: None,
            replay: replay::Options::default(),
            dedupe: None,
            only: None,
        }
    }
}

impl Conversion {
    /// The encoding of text that is written.
    pub(super) fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or(self.to.encodings()[0])
    }
}

/// Converts one file: the bytes of the new file, or `None` if the source holds no readable game, or more games than a
/// file of the target format can hold. Hands to `sink` the report of each game: what `check` says of it, what the
/// target cannot hold (`QJ010`), where a tag had to follow (`QJ011`), and moves that the notation cannot tell
/// (`QJ206`). The counts say what has been written.
///
/// ```
/// use qijian::run::{Conversion, convert};
///
/// let bytes = convert("a.pgn", "1. 炮25 马87".as_bytes(), true, &Conversion::default(), &mut |_| {});
/// assert_eq!(bytes.as_deref(), Some("[Event \"?\"]\n\n1. 炮25 马87\n*\n".as_bytes()));
/// ```
pub fn convert(
    source: &str,
    bytes: &[u8],
    named: bool,
    options: &Conversion,
    sink: &mut dyn FnMut(GameReport),
) -> Option<Vec<u8>> {
    let pages = pages(source, bytes, named, options, sink);
    let fits = pages.pages.len() == 1 || pages.pages.len() > 1 && options.to.holds_many();
    fits.then(|| pages.joined())
}

/// The games of a source in the target format, each reported to `sink`; none if it holds no readable game.
fn pages(
    source: &str,
    bytes: &[u8],
    named: bool,
    options: &Conversion,
    sink: &mut dyn FnMut(GameReport),
) -> Pages {
    let mut pages =
        Pages { to: options.to, encoding: options.encoding(), pages: Vec::new(), dropped: false };
    let mut dropped = false;
    // Whether a report says why there is nothing to write.
    let mut told = false;
    let replay = replay::Options { tree: true, ..options.replay.clone() };
    let format = options.from.or_else(|| format::sniff(bytes, options.from_encoding));
    if let Some(format) = format {
        format::read(bytes, format, options.from_encoding, &mut |record, locate, encoding| {
            if options.only.as_ref().is_some_and(|only| !only.contains(&record.game)) {
                return;
            }
            let game = replay::replay(&record, locate, &replay);
            if record.game == 0 {
                // It only carries what is wrong with a file that holds no game.
                told = true;
                sink(check::report(source, &record, game, format, encoding, false));
                return;
            }
            let found =
                options.dedupe.as_ref().and_then(|found| found.of_game(source, record.game));
            if let Some(found) = found {
                // It is told, and counted as refused.
                told = true;
                let mut report = check::report(source, &record, game, format, encoding, false);
                report.counts.games = Tally { read: 1, written: 0, refused: 1 };
                let Tally { read, .. } = report.counts.nodes;
                report.counts.nodes = Tally { read, written: 0, refused: read };
                let Tally { read, .. } = report.counts.comments;
                report.counts.comments = Tally { read, written: 0, refused: read };
                report.findings.push(found.finding().with("dropped", true));
                finding::sort(&mut report.findings);
                dropped = true;
                sink(report);
                return;
            }
            let composed = compose(&record, &game, options, (format, encoding), locate);
            let is_written = composed.page != Page::Text(String::new());
            if is_written {
                pages.pages.push(composed.page);
            }
            let mut report = check::report(source, &record, game, format, encoding, false);
            report.counts = counts(&record, report.comments, &composed.losses, is_written);
            report.findings.iter_mut().for_each(undecodable_is_lost);
            report.findings.extend(composed.moves.findings);
            report.findings.extend(adapted(&record, composed.adapted, locate));
            report.findings.extend(losses::findings(&record, &composed.losses, locate));
            finding::sort(&mut report.findings);
            told = true;
            sink(report);
        });
    }
    if pages.pages.is_empty() && !told {
        sink(check::unread(source, bytes, named));
    }
    pages.dropped = dropped;
    pages
}

/// What became of one file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Done {
    /// Bytes read.
    pub read: u64,
    /// What is to go to the one output of all files.
    pub out: Vec<u8>,
    /// Files that were there already and were left alone.
    pub skipped: u64,
}

/// Why one file was not converted.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It was named and cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It was named and holds no readable game.
    #[error("{0}: 没有可读的棋局，未转换 / no readable game, not converted")]
    NoGame(String),
    /// It holds several games, and the target format holds one.
    #[error(
        "{0}: 有 {1} 局，目标格式一个文件只有一局，用 --split / {1} games, the target format holds one a file: --split"
    )]
    ManyGames(String, usize),
    /// The new file cannot be written.
    #[error(transparent)]
    Output(#[from] Refusal),
}

/// What to do with the files that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placing {
    /// What to do with one that is there already.
    pub existing: Existing,
    /// Write one file a game, numbered from 1: `a-1.xqf`, with as many digits as the number of games has.
    pub split: bool,
}

/// Converts one file from its place to its target; what [`convert`] reports goes to `sink`. A file that a walk met and
/// that cannot be read, or holds no game, is reported and passed over.
///
/// # Errors
///
/// A file that was named cannot be read or holds no game, the target format cannot hold all its games, or the target
/// cannot be written; nothing is then written.
pub fn convert_job(
    job: Result<Job, InputError>,
    options: &Conversion,
    placing: Placing,
    sink: &mut dyn FnMut(GameReport),
) -> Result<Done, Failure> {
    let Placing { existing, split } = placing;
    let read = match job {
        Ok(job) => {
            if let Target::File(path) = &job.target
                && !split
                && !target::may_write(path, existing)?
            {
                return Ok(Done { skipped: 1, ..Done::default() });
            }
            job.input.read().map(|bytes| (job, bytes))
        }
        Err(error) => Err(error),
    };
    let (job, bytes) = match read {
        Ok(read) => read,
        Err(InputError { name, finding: Some(finding), .. }) => {
            sink(check::refused(&name, *finding));
            return Ok(Done::default());
        }
        Err(error) if error.named => return Err(error.into()),
        Err(error) => {
            sink(check::unreadable(&error.name, &error.error));
            return Ok(Done::default());
        }
    };
    let Job { input, target } = job;
    let mut done = Done { read: bytes.len() as u64, ..Done::default() };
    let mut reports = Vec::new();
    let pages =
        pages(&input.name, &bytes, input.named, options, &mut |report| reports.push(report));
    let games = pages.pages.len();
    let dropped = pages.dropped;
    if games > 1 && !split && !options.to.holds_many() {
        return Err(Failure::ManyGames(input.name, games));
    }
    match target {
        _ if games == 0 => {}
        Target::Stdout => done.out = pages.joined(),
        Target::File(path) if split => {
            let paths: Vec<_> = (1..=games).map(|n| target::numbered(&path, n, games)).collect();
            let wanted: Vec<bool> = paths
                .iter()
                .map(|path| target::may_write(path, existing))
                .collect::<Result<_, _>>()?;
            for ((path, bytes), wanted) in paths.iter().zip(pages.apart()).zip(wanted) {
                if wanted {
                    target::save(path, &bytes, existing == Existing::Replace)?;
                } else {
                    done.skipped += 1;
                }
            }
        }
        Target::File(path) => {
            target::save(&path, &pages.joined(), existing == Existing::Replace)?;
        }
    }
    reports.into_iter().for_each(&mut *sink);
    if games == 0 && input.named && !dropped {
        return Err(Failure::NoGame(input.name));
    }
    Ok(done)
}

/// `QJ011` for each tag that would no longer tell the truth of the file.
fn adapted(
    record: &Record<'_>,
    adapted: Vec<(usize, String)>,
    locate: &dyn Locate,
) -> Vec<Finding> {
    let finding = |(index, value): (usize, String)| {
        let tag = record.tags.get(index)?;
        let words = Words::new(
            format!("标签 {} 改为 {value}，与所写着法相符", tag.name),
            format!("tag {} now says {value}, to suit the moves as written", tag.name),
        );
        let finding = Finding::new(Code::TAG_ADAPTED, words).at(locate.place(tag.span));
        Some(finding.text(tag.value.as_ref()).with("tag", tag.name.as_ref()).with("written", value))
    };
    adapted.into_iter().filter_map(finding).collect()
}

/// Undecodable bytes are told by their finding; the file that is written has U+FFFD for them.
fn undecodable_is_lost(finding: &mut Finding) {
    if finding.code == Code::UNDECODABLE_TEXT {
        finding.data.insert("kept".to_owned(), false.into());
    }
}

/// What has been written: a ply or comment counts as refused where it does not read back, or stands only in a comment.
fn counts(record: &Record<'_>, comments: u32, losses: &[Loss], is_written: bool) -> Counts {
    let refused =
        |wanted: fn(&Loss) -> bool| losses.iter().filter(|loss| wanted(loss)).count() as u64;
    let tally = |read: u64, refused: u64| {
        let refused = refused.min(read);
        Tally { read, written: read - refused, refused }
    };
    Counts {
        games: tally(1, u64::from(!is_written)),
        nodes: tally(
            (record.tree.len() + record.after_end.len()) as u64,
            refused(|loss| loss.part == Part::Move),
        ),
        comments: tally(
            u64::from(comments),
            refused(|loss| loss.part == Part::Comment && loss.fate != Fate::Changed),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(text: &str, options: &Conversion) -> (String, Vec<GameReport>) {
        let mut reports = Vec::new();
        let bytes = convert("a.pgn", text.as_bytes(), true, options, &mut |r| reports.push(r));
        (String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned(), reports)
    }

    fn codes(report: &GameReport) -> Vec<String> {
        report.findings.iter().map(|finding| finding.code.to_string()).collect()
    }

    #[test]
    fn without_a_notation_the_moves_stay_as_written() {
        let text = "[Format \"Chinese\"]\n\n1. 砲二平五 馬8进7\n*\n";
        let (written, reports) = converted(text, &Conversion::default());
        assert_eq!(written, text);
        assert!(reports[0].findings.is_empty());
    }

    /// Standard values of the tag: Chinese, WXF, ICCS (formats.md 5.2).
    #[test]
    fn the_format_tag_follows_the_notation() {
        let options = Conversion { notation: Some(Notation::Iccs), ..Conversion::default() };
        let (written, reports) = converted("[Format \"Chinese\"]\n\n1. 炮二平五 *", &options);
        assert_eq!(written, "[Format \"ICCS\"]\n\n1. h2e2\n*\n");
        assert_eq!(codes(&reports[0]), ["QJ011"]);
        assert_eq!(reports[0].findings[0].text.as_deref(), Some("Chinese"));
        let (written, reports) = converted("[Red \"甲\"]\n\n1. 炮二平五 *", &options);
        assert_eq!(written, "[Red \"甲\"]\n[Format \"ICCS\"]\n\n1. h2e2\n*\n");
        assert!(reports[0].findings.is_empty());
        let chinese = Conversion { notation: Some(Notation::Chinese), ..options };
        let (back, _) = converted(&written, &chinese);
        assert_eq!(back, "[Red \"甲\"]\n[Format \"Chinese\"]\n\n1. 炮二平五\n*\n");
    }

    /// 炮二平五 shows that Red moves first although the FEN says Black; `C2=5` shows nothing, so the FEN must.
    #[test]
    fn a_wrong_side_in_the_fen_is_put_right_where_the_moves_no_longer_tell() {
        let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let text = format!("[FEN \"{board} b - - 0 1\"]\n\n1. 炮二平五 马8进7\n*\n");
        let (same, _) = converted(&text, &Conversion::default());
        assert_eq!(same, text);
        let options = Conversion { notation: Some(Notation::Wxf), ..Conversion::default() };
        let (written, reports) = converted(&text, &options);
        assert_eq!(
            written,
            format!("[FEN \"{board} w - - 0 1\"]\n[Format \"WXF\"]\n\n1. C2=5 H8+7\n*\n")
        );
        assert_eq!(codes(&reports[0]), ["QJ011", "QJ305"]);
    }

    /// R38: games in = games out; a game without tags behind another keeps apart.
    #[test]
    fn games_stay_apart() {
        let text = "1. 炮二平五 马8进7 1-0\n\n1. 马二进四 *\n\n[Event \"x\"]\n\n1. 兵七进一 *";
        let (written, reports) = converted(text, &Conversion::default());
        assert_eq!(
            written,
            "[Event \"?\"]\n\n1. 炮二平五 马8进7\n1-0\n\n[Event \"?\"]\n\n1. 马二进四\n*\n\n[Event \"x\"]\n\n1. 兵七进一\n*\n"
        );
        assert_eq!(reports.len(), 3);
        assert_eq!(codes(&reports[1]), ["QJ301"]);
    }

    /// R33: what could not be read is written through unchanged.
    #[test]
    fn what_stands_behind_an_illegal_move_stays_as_written() {
        let options = Conversion { notation: Some(Notation::Wxf), ..Conversion::default() };
        let text = "1. 炮二平五 马8进7 2. 马二进四 {?} 车9平8 xxxx *";
        let (written, reports) = converted(text, &options);
        assert_eq!(
            written,
            "[Format \"WXF\"]\n\n1. C2=5 H8+7\n2. 马二进四 {?} 2... 车9平8 …… {[%written xxxx]}\n*\n"
                .replace("…… {[%written xxxx]}", "{xxxx}")
        );
        assert!(codes(&reports[0]).contains(&"QJ301".to_owned()));
        let nodes = reports[0].counts.nodes;
        assert_eq!((nodes.read, nodes.written, nodes.refused), (4, 4, 0));
    }

    /// What Big5 lacks is told with its place; moves have a traditional form.
    #[test]
    fn big5_lacks_simplified_characters() {
        let options = Conversion { encoding: Some(Encoding::Big5), ..Conversion::default() };
        let text = "[Red \"赵国荣\"]\n\n1. 炮二平五 马8进7 {好棋} 2. 马二进三 {先手}\n*\n";
        let mut reports = Vec::new();
        let bytes = convert("a.pgn", text.as_bytes(), true, &options, &mut |r| reports.push(r))
            .expect("a game");
        let text = crate::source::Text::decode(&bytes, Encoding::Big5);
        assert_eq!(
            text.as_str(),
            "[Red \"&#x8D75;&#x56FD;&#x8363;\"]\n\n1. 炮二平五 馬8進7 {好棋}\n2. 馬二進三 {先手}\n*\n"
        );
        assert_eq!(codes(&reports[0]), ["QJ010"]);
        assert_eq!(reports[0].findings[0].place.line, Some(1));
        assert_eq!(reports[0].findings[0].data["part"], "tag");
    }

    #[test]
    fn undecodable_bytes_are_told_not_to_be_kept() {
        let mut reports = Vec::new();
        let bytes = b"[Red \"a\xff\"]\n\n1. h2e2 *";
        convert("a.pgn", bytes, true, &Conversion::default(), &mut |r| reports.push(r));
        assert_eq!(codes(&reports[0]), ["QJ101"]);
        assert_eq!(reports[0].findings[0].data["kept"], false);
    }

    #[test]
    fn a_file_without_a_game_gives_no_bytes() {
        let mut reports = Vec::new();
        let options = Conversion::default();
        assert!(convert("a", b"hello", true, &options, &mut |r| reports.push(r)).is_none());
        assert_eq!((reports[0].game, codes(&reports[0])), (0, vec!["QJ001".to_owned()]));
    }
}
