//! What `convert` does with one file: read, replay, rewrite the moves, write.

use crate::{
    finding::{self, Code, Finding, Locate, Words},
    format::{
        self, Format,
        pgn::{self, Loss, Page, Part, Sheet},
    },
    notation::{Dialect, Notation},
    record::{Record, Written},
    replay::{self, Rewritten},
    report::{Counts, GameReport, Tally},
    source::{Encoding, InputError},
};

use super::{
    check,
    target::{self, Job, Refusal, Target},
};

/// How to convert.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The format of the source; `None` finds it from the content.
    pub from: Option<Format>,
    /// The encoding of the source's text; `None` finds it from the content.
    pub from_encoding: Option<Encoding>,
    /// The encoding to write.
    pub encoding: Encoding,
    /// The notation to write; `None` keeps moves that are text as they are, and writes those of binary formats in
    /// Chinese.
    pub notation: Option<Notation>,
    /// How to replay; [`replay::Options::tree`] is set in any case.
    pub replay: replay::Options,
}

impl Default for Conversion {
    fn default() -> Conversion {
        Conversion {
            from: None,
            from_encoding: None,
            encoding: Encoding::Utf8,
            notation: None,
            replay: replay::Options::default(),
        }
    }
}

/// Losses are reported one by one up to this number in a game.
const MOST_LOSSES: usize = 100;

/// Converts one file to PGN: the bytes of the new file, or `None` if the source holds no readable game. Hands to `sink`
/// the report of each game: what `check` says of it, what the target cannot hold (`QJ010`), where a tag had to follow
/// (`QJ011`), and moves that the notation cannot tell (`QJ206`). The counts say what has been written.
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
    let mut text = String::new();
    let mut games = 0;
    let mut told = false;
    let replay = replay::Options { tree: true, ..options.replay.clone() };
    let format = options.from.or_else(|| format::sniff(bytes, options.from_encoding));
    if let Some(format) = format {
        format::read(bytes, format, options.from_encoding, &mut |record, locate, encoding| {
            let game = replay::replay(&record, locate, &replay);
            if record.game == 0 {
                // It only carries what is wrong with a file that holds no game.
                told = true;
                sink(check::report(source, &record, game, format, encoding, false));
                return;
            }
            let rewriting = rewriting(&record, &game, options.notation);
            let moves = match rewriting {
                Some(dialect) => replay::rewrite(&record, &game, dialect, locate),
                None => Rewritten::default(),
            };
            let holds = |c| options.encoding.holds(c);
            let sheet = Sheet {
                record: &record,
                texts: &moves.texts,
                after_end: &moves.after_end,
                start: game.start.as_ref(),
                notation: options.notation.and(rewriting).map(|dialect| dialect.notation),
                holds: &holds,
            };
            let page = pgn::write(&sheet);
            if games > 0 {
                text.push('\n');
            }
            text.push_str(&page.text);
            games += 1;
            let adapted = adapted(&sheet, locate);
            let mut report = check::report(source, &record, game, format, encoding, false);
            report.counts = counts(&record, report.comments, &page);
            report.findings.iter_mut().for_each(undecodable_is_lost);
            report.findings.extend(moves.findings);
            report.findings.extend(adapted);
            report.findings.extend(losses(&record, &page, locate));
            finding::sort(&mut report.findings);
            sink(report);
        });
    }
    if games == 0 {
        if !told {
            sink(check::unread(source, bytes, named));
        }
        return None;
    }
    Some(options.encoding.encode(text))
}

/// What became of one file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Done {
    /// Bytes read.
    pub read: u64,
    /// What is to go to standard output.
    pub out: Vec<u8>,
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
    /// The new file cannot be written.
    #[error(transparent)]
    Output(#[from] Refusal),
}

/// Converts one file from its place to its target; what [`convert`] reports goes to `sink`. A file that a walk met and
/// that cannot be read, or holds no game, is reported and passed over.
///
/// # Errors
///
/// A file that was named cannot be read or holds no game, or the target cannot be written; nothing is then written.
pub fn convert_job(
    job: Result<Job, InputError>,
    options: &Conversion,
    force: bool,
    sink: &mut dyn FnMut(GameReport),
) -> Result<Done, Failure> {
    let target = |job: Job| match &job.target {
        Target::File(path) => target::may_write(path, force).map(|()| job),
        Target::Stdout => Ok(job),
    };
    let read = match job.map(target) {
        Ok(job) => {
            let job = job?;
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
    let mut done = Done { read: bytes.len() as u64, out: Vec::new() };
    match (convert(&input.name, &bytes, input.named, options, sink), target) {
        (Some(written), Target::Stdout) => done.out = written,
        (Some(written), Target::File(path)) => target::save(&path, &written, force)?,
        (None, _) if input.named => return Err(Failure::NoGame(input.name)),
        (None, _) => {}
    }
    Ok(done)
}

/// The dialect to put the moves of `record` into, if they are to be put into another.
fn rewriting(
    record: &Record<'_>,
    game: &replay::Game,
    notation: Option<Notation>,
) -> Option<Dialect> {
    let first = record.tree.main_line().next().map(|id| record.tree.node(id).written);
    match (notation, first) {
        (Some(notation), _) => Some(notation.into()),
        (None, Some(Written::Squares { .. })) => Some(Notation::Chinese.into()),
        // Where the first ply of a binary file is left out, the others still are squares.
        (None, _) => game.dialect.is_none().then(|| Notation::Chinese.into()),
    }
}

/// `QJ011` for each tag that would no longer tell the truth of the file.
fn adapted(sheet: &Sheet<'_, '_>, locate: &dyn Locate) -> Vec<Finding> {
    let finding = |(index, value): (usize, String)| {
        let tag = sheet.record.tags.get(index)?;
        let words = Words::new(
            format!("标签 {} 改为 {value}，与所写着法相符", tag.name),
            format!("tag {} now says {value}, to suit the moves as written", tag.name),
        );
        let finding = Finding::new(Code::TAG_ADAPTED, words).at(locate.place(tag.span));
        Some(finding.text(tag.value.as_ref()).with("tag", tag.name.as_ref()).with("written", value))
    };
    sheet.adapted().into_iter().filter_map(finding).collect()
}

/// Undecodable bytes are told by their finding; the file that is written has U+FFFD for them.
fn undecodable_is_lost(finding: &mut Finding) {
    if finding.code == Code::UNDECODABLE_TEXT {
        finding.data.insert("kept".to_owned(), false.into());
    }
}

/// `QJ010` for each loss.
fn losses(record: &Record<'_>, page: &Page, locate: &dyn Locate) -> Vec<Finding> {
    let mut findings: Vec<Finding> = page
        .losses
        .iter()
        .take(MOST_LOSSES)
        .map(|loss| not_representable(record, loss, locate))
        .collect();
    if let Some(last) = findings.last_mut().filter(|_| page.losses.len() > MOST_LOSSES) {
        last.data.insert("more".to_owned(), (page.losses.len() - MOST_LOSSES).into());
    }
    findings
}

fn not_representable(record: &Record<'_>, loss: &Loss, locate: &dyn Locate) -> Finding {
    let shown: String = loss.written.chars().take(60).collect();
    let (zh, en) = match loss.part {
        Part::Tag => ("标签", "a tag"),
        Part::Comment => ("注释", "a comment"),
        Part::Move => ("着法", "a move"),
        Part::Game => ("整局", "the game"),
    };
    let words = if loss.part == Part::Game || loss.is_unsettled {
        Words::new(
            format!("{zh}写出后读回不同：{shown}"),
            format!("{en} does not read back the same: {shown}"),
        )
    } else {
        Words::new(
            format!("目标不能原样容纳{zh}，写作 {shown}"),
            format!("the target cannot hold {en} as it is; written as {shown}"),
        )
    };
    let (path, ply) = replay::branch(&record.tree, loss.node);
    let mut finding = Finding::new(Code::NOT_REPRESENTABLE, words)
        .at(locate.place(loss.span))
        .with("part", loss.part.as_str())
        .with("written", loss.written.as_str());
    (finding.path, finding.ply) = (path, ply);
    finding.help(Words::new(
        "改用能容纳的编码或格式，或先改正源文件此处",
        "choose an encoding or format that holds it, or change the source here first",
    ))
}

/// What has been written: a ply or comment counts as refused where it does not read back, or stands only in a comment.
fn counts(record: &Record<'_>, comments: u32, page: &Page) -> Counts {
    let refused =
        |wanted: fn(&Loss) -> bool| page.losses.iter().filter(|loss| wanted(loss)).count() as u64;
    let tally = |read: u64, refused: u64| {
        let refused = refused.min(read);
        Tally { read, written: read - refused, refused }
    };
    Counts {
        games: tally(1, 0),
        nodes: tally(
            (record.tree.len() + record.after_end.len()) as u64,
            refused(|loss| loss.part == Part::Move),
        ),
        comments: tally(
            u64::from(comments),
            refused(|loss| loss.part == Part::Comment && loss.is_unsettled),
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
        let options = Conversion { encoding: Encoding::Big5, ..Conversion::default() };
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
