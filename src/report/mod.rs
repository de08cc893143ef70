//! What is said of games and findings, to people and to programs.
//!
//! A [`Renderer`] turns each [`GameReport`] into bytes independently of all others, so that threads may render while
//! one [`Output`] writes what they rendered in order.
//!
//! ```
//! use qijian::finding::{Code, Finding, Lang, Words};
//! use qijian::report::{Format, GameReport, Output, Renderer, Style, Summary};
//!
//! let mut report = GameReport::new("a.pgn", 1);
//! report.findings.push(Finding::new(Code::TRUNCATED, Words::new("文件在第二步后中断", "the file ends after ply 2")));
//! let mut summary = Summary { files: 1, ..Summary::default() };
//! summary.add(&report);
//!
//! let renderer = Renderer::new(Format::Csv, Style::plain(Lang::En));
//! let mut bytes = Vec::new();
//! let mut output = Output::new(&mut bytes, renderer)?;
//! output.game(&renderer.game(&report))?;
//! output.finish(&summary)?;
//! let csv = String::from_utf8_lossy(&bytes);
//! assert!(csv.starts_with("source,game,code,"));
//! assert!(csv.contains("a.pgn,1,QJ002,truncated,error,"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod audit;
mod board;
#[cfg(feature = "tables")]
mod chart;
mod csv;
mod event_page;
mod grid;
mod html;
mod json;
mod pairings;
mod render;
mod ruling;
mod sarif;
mod score;
mod standings;
mod summary;
pub mod svg;
mod text;
mod width;

use std::{collections::BTreeMap, ops::AddAssign};

use crate::{
    board::Move,
    finding::{Code, Finding, Severity},
};

pub use audit::{audit_json, audit_reports, audit_text};
pub use event_page::personal;
pub use html::audit_html;
pub use pairings::pairings;
pub use standings::{TableFormat, event_findings, standings};

pub use grid::{Drawn, Figure, Grid, GridColumn, grids_page, wilson};
pub use render::{Format, Output, Renderer, Style, UnknownFormat};
pub use score::{GameScore, ScorePly};
pub use width::printable;

/// An article in Chinese words: 第 7.1 条; entries of a supplement go by their names alone, as `rapid-3`.
fn article_zh(article: &str) -> String {
    match article.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("第 {article} 条"),
        false => article.to_owned(),
    }
}

/// What `check` says of one game (CONTRACT section 4).
#[derive(Clone, PartialEq, Debug)]
pub struct GameReport {
    /// The path as given; members of an archive as `a.zip!dir/b.pgn`, standard input as `-`.
    pub source: String,
    /// Number of the game in its source, from 1; 0 for a source without a readable game.
    pub game: u32,
    /// Name of the format, such as `xqf`.
    pub format: Option<&'static str>,
    /// Name of the encoding, such as `gb18030`.
    pub encoding: Option<&'static str>,
    /// Name of the notation, such as `chinese`, or `binary`.
    pub notation: Option<&'static str>,
    /// Tags that have a standard key, by that key, values as written, in the order written.
    pub tags: Vec<(String, String)>,
    /// The other tags, by their own names.
    pub other_tags: Vec<(String, String)>,
    /// FEN of the start position; `None` where it is not understood.
    pub start_fen: Option<String>,
    /// Length of the main line as far as it replays legally.
    pub plies: u32,
    /// That main line, where the moves are asked for.
    pub moves: Option<Vec<Move>>,
    /// What the record says after that line, if it says anything.
    pub rest: Option<Rest>,
    /// Branches other than the first child.
    pub variations: u32,
    /// Comments that are not empty, anywhere.
    pub comments: u32,
    /// FEN after the main line.
    pub final_fen: Option<String>,
    /// The recorded result, normalised: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'static str,
    /// How the game ended, such as `checkmate`; `unstated` where nothing tells.
    pub termination: &'static str,
    /// What is wrong, in the order of [`sort`](crate::finding::sort).
    pub findings: Vec<Finding>,
    /// What was read of the record, and what became of it.
    pub counts: Counts,
}

impl GameReport {
    /// A report that says nothing yet of the `game`th game of `source`.
    pub fn new(source: impl Into<String>, game: u32) -> GameReport {
        GameReport {
            source: source.into(),
            game,
            format: None,
            encoding: None,
            notation: None,
            tags: Vec::new(),
            other_tags: Vec::new(),
            start_fen: None,
            plies: 0,
            moves: None,
            rest: None,
            variations: 0,
            comments: 0,
            final_fen: None,
            result: "*",
            termination: "unstated",
            findings: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// The value of the tag whose standard key is `key`, unless it is empty.
    pub fn tag(&self, key: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(name, _)| name == key)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }
}

/// What a record says after the point where its main line stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rest {
    /// The first written ply that is not in `moves`.
    pub from_ply: u32,
    /// The moves that the rest means, where they could be made on the board.
    pub moves: Vec<Move>,
    /// The rest as written.
    pub texts: Vec<String>,
    /// `replayed_as_stood`, `after_gap` or `unreadable`.
    pub status: &'static str,
}

/// How many things of one kind were read, and what became of them: `read` = `written` + `refused`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Found in the source.
    pub read: u64,
    /// Present in the output as read.
    pub written: u64,
    /// Not understood or not possible, and told so by a finding.
    pub refused: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.read += other.read;
        self.written += other.written;
        self.refused += other.refused;
    }
}

/// Games, nodes (written plies anywhere in the tree) and comments of one record or of many.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Games.
    pub games: Tally,
    /// Written plies, those of variations included.
    pub nodes: Tally,
    /// Comments that are not empty.
    pub comments: Tally,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.games += other.games;
        self.nodes += other.nodes;
        self.comments += other.comments;
    }
}

/// What a whole run found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Files looked at.
    pub files: u64,
    /// Files that an earlier run had written and this one left alone.
    pub skipped: u64,
    /// Sum of the games' plies.
    pub plies: u64,
    /// Sum of the games' counts.
    pub counts: Counts,
    /// How many findings of each code and severity.
    pub findings: BTreeMap<(Code, Severity), u64>,
    /// What was repaired; `None` where nothing was to be.
    pub fixes: Option<Fixes>,
}

/// What a run of `check --fix` repaired.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Fixes {
    /// Files that were changed.
    pub files: u64,
    /// How many of the findings were repaired.
    pub findings: BTreeMap<(Code, Severity), u64>,
}

impl Summary {
    /// Counts one game in; `files` is the caller's to count.
    pub fn add(&mut self, report: &GameReport) {
        self.plies += u64::from(report.plies);
        self.counts += report.counts;
        for finding in &report.findings {
            let kind = (finding.code, finding.severity);
            *self.findings.entry(kind).or_default() += 1;
            if is_fixed(finding) {
                let fixes = self.fixes.get_or_insert_default();
                *fixes.findings.entry(kind).or_default() += 1;
            }
        }
    }

    /// Whether there is an error among the findings that has not been repaired: the exit status is then 1.
    pub fn has_errors(&self) -> bool {
        let fixed = self.fixes.as_ref().map_or(0, |fixes| sum_of(&fixes.findings, Severity::Error));
        self.of_severity(Severity::Error) > fixed
    }

    /// How many findings there are of `severity`.
    pub fn of_severity(&self, severity: Severity) -> u64 {
        sum_of(&self.findings, severity)
    }
}

/// Whether a finding has been repaired.
pub(crate) fn is_fixed(finding: &Finding) -> bool {
    finding.data.get("fixed").is_some_and(|fixed| fixed == true)
}

fn sum_of(findings: &BTreeMap<(Code, Severity), u64>, severity: Severity) -> u64 {
    findings.iter().filter(|((_, s), _)| *s == severity).map(|(_, count)| count).sum()
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Summary) {
        self.files += other.files;
        self.skipped += other.skipped;
        self.plies += other.plies;
        self.counts += other.counts;
        for (kind, count) in other.findings {
            *self.findings.entry(kind).or_default() += count;
        }
        if let Some(other) = other.fixes {
            let fixes = self.fixes.get_or_insert_default();
            fixes.files += other.files;
            for (kind, count) in other.findings {
                *fixes.findings.entry(kind).or_default() += count;
            }
        }
    }
}

#[cfg(test)]
mod samples;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Words;

    #[test]
    fn a_summary_adds_up() {
        let mut report = GameReport::new("a.pgn", 1);
        report.plies = 17;
        report.counts.games = Tally { read: 1, written: 1, refused: 0 };
        report.counts.nodes = Tally { read: 20, written: 17, refused: 3 };
        for severity in [Severity::Error, Severity::Warning, Severity::Error] {
            report
                .findings
                .push(Finding::new(Code::ILLEGAL_MOVE, Words::new("", "")).severity(severity));
        }
        let mut summary = Summary::default();
        summary.add(&report);
        summary.add(&report);
        assert_eq!(summary.plies, 34);
        assert_eq!(summary.counts.nodes, Tally { read: 40, written: 34, refused: 6 });
        assert_eq!(summary.findings[&(Code::ILLEGAL_MOVE, Severity::Error)], 4);
        assert_eq!(summary.of_severity(Severity::Warning), 2);
        assert_eq!(summary.of_severity(Severity::Info), 0);
        assert!(summary.has_errors());
        assert!(!Summary::default().has_errors());

        let mut both = summary.clone();
        both += summary;
        assert_eq!(both.plies, 68);
        assert_eq!(both.counts.games, Tally { read: 4, written: 4, refused: 0 });
        assert_eq!(both.of_severity(Severity::Error), 8);
    }

    #[test]
    fn an_empty_tag_is_no_tag() {
        let mut report = GameReport::new("a.pgn", 1);
        report.tags = vec![("red".into(), "甲 ".into()), ("black".into(), " ".into())];
        assert_eq!(report.tag("red"), Some("甲"));
        assert_eq!(report.tag("black"), None);
        assert_eq!(report.tag("event"), None);
    }
}
