//! The formats of reports, and the order in which their parts are written.

use std::{fmt, io, str::FromStr};

use super::{GameReport, Summary, csv, html::checked, json, sarif, summary, text};
use crate::finding::Lang;

/// A format of reports.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// For people.
    Text,
    /// One object with all games and the summary.
    Json,
    /// One object a game, one game a line.
    Jsonl,
    /// One row a finding.
    Csv,
    /// SARIF 2.1.0, the exchange format of checkers.
    Sarif,
    /// A page for a browser and for paper.
    Html,
}

/// The name is not that of a report format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown report format {0:?}: expected text, json, jsonl, csv, sarif or html")]
pub struct UnknownFormat(pub String);

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] =
        [Format::Text, Format::Json, Format::Jsonl, Format::Csv, Format::Sarif, Format::Html];

    /// Whether nothing is shown of a game without findings but its share in the sums.
    pub const fn shows_findings_only(self) -> bool {
        matches!(self, Format::Text | Format::Csv | Format::Sarif)
    }

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::Sarif => "sarif",
            Format::Html => "html",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.as_str() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// How a report looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The language of messages.
    pub lang: Lang,
    /// Findings only, no summary (text).
    pub quiet: bool,
    /// With the colours of a terminal (text).
    pub color: bool,
    /// With the board of every finding that has one, not of errors only (text).
    pub boards: bool,
}

impl Style {
    /// Without colours, with the summary, with the boards of errors.
    pub const fn plain(lang: Lang) -> Style {
        Style { lang, quiet: false, color: false, boards: false }
    }
}

/// Turns reports into bytes of one format. Whole output = head, the games that are not empty with the separator
/// between them, tail; [`Output`] does that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Renderer {
    format: Format,
    style: Style,
}

impl Renderer {
    /// A renderer of `format`.
    pub const fn new(format: Format, style: Style) -> Renderer {
        Renderer { format, style }
    }

    /// What stands before the first game.
    pub fn head(&self) -> Vec<u8> {
        match self.format {
            Format::Text | Format::Jsonl => Vec::new(),
            Format::Json => json::head(),
            Format::Csv => csv::head(),
            Format::Sarif => sarif::head(self.style.lang),
            Format::Html => checked::head(self.style.lang),
        }
    }

    /// One game; empty where the format has nothing to say of it.
    pub fn game(&self, report: &GameReport) -> Vec<u8> {
        match self.format {
            Format::Text => text::game(report, self.style).into_bytes(),
            Format::Json => json::game(report, self.style.lang),
            Format::Jsonl => {
                let mut line = json::game(report, self.style.lang);
                line.push(b'\n');
                line
            }
            Format::Csv => csv::game(report, self.style.lang),
            Format::Sarif => sarif::game(report, self.style.lang),
            Format::Html => checked::game(report, self.style.lang),
        }
    }

    /// What stands between two games that are not empty.
    pub const fn separator(&self) -> &'static str {
        match self.format {
            Format::Text => "\n",
            Format::Json | Format::Sarif => ",\n",
            Format::Jsonl | Format::Csv | Format::Html => "",
        }
    }

    /// What stands after the last game.
    pub fn tail(&self, summary: &Summary) -> Vec<u8> {
        match self.format {
            Format::Text if self.style.quiet => Vec::new(),
            Format::Text => summary::table_of(summary, self.style).into_bytes(),
            Format::Json => json::tail(summary),
            Format::Jsonl | Format::Csv => Vec::new(),
            Format::Sarif => sarif::tail(summary),
            Format::Html => checked::tail(summary, self.style.lang),
        }
    }
}

/// Writes rendered games in the order given.
#[derive(Debug)]
pub struct Output<W> {
    writer: W,
    renderer: Renderer,
    begun: bool,
}

impl<W: io::Write> Output<W> {
    /// Starts an output with the head of `renderer`'s format.
    pub fn new(mut writer: W, renderer: Renderer) -> io::Result<Output<W>> {
        writer.write_all(&renderer.head())?;
        Ok(Output { writer, renderer, begun: false })
    }

    /// Writes one game as [`Renderer::game`] gave it.
    pub fn game(&mut self, rendered: &[u8]) -> io::Result<()> {
        if rendered.is_empty() {
            return Ok(());
        }
        if std::mem::replace(&mut self.begun, true) {
            self.writer.write_all(self.renderer.separator().as_bytes())?;
        }
        self.writer.write_all(rendered)
    }

    /// Writes the tail, flushes, and gives the writer back.
    pub fn finish(mut self, summary: &Summary) -> io::Result<W> {
        let tail = self.renderer.tail(summary);
        if self.begun && self.renderer.format == Format::Text && !tail.is_empty() {
            self.writer.write_all(self.renderer.separator().as_bytes())?;
        }
        self.writer.write_all(&tail)?;
        self.writer.flush()?;
        Ok(self.writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(format: Format, games: &[&str]) -> String {
        let style = Style { quiet: true, ..Style::plain(Lang::En) };
        let mut output = Output::new(Vec::new(), Renderer::new(format, style)).unwrap();
        for game in games {
            output.game(game.as_bytes()).unwrap();
        }
        String::from_utf8(output.finish(&Summary::default()).unwrap()).unwrap()
    }

    #[test]
    fn separators_stand_only_between_games_that_say_something() {
        assert_eq!(whole(Format::Text, &["", "a\n", "", "b\n", ""]), "a\n\nb\n");
        assert_eq!(whole(Format::Jsonl, &["1\n", "2\n"]), "1\n2\n");
        assert_eq!(whole(Format::Text, &["", ""]), "");
    }

    #[test]
    fn names_are_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert_eq!("xml".parse::<Format>(), Err(UnknownFormat("xml".into())));
    }
}
