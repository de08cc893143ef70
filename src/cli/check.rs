//! `qijian check PATH...`

use std::{
    fs::File,
    io::{BufWriter, IsTerminal, Write},
    path::PathBuf,
    sync::Arc,
};

use anyhow::Context;
use clap::Args;

use crate::{
    finding::{Code, Selection},
    replay,
    report::{self, GameReport, Output, Renderer, Style, Summary},
    rules::Profile,
    run,
    source::{self, Input, InputError},
};

use super::{
    Outcome, complain,
    options::{Reading, Reporting, Working},
};

/// Reads, replays and validates game records.
#[derive(Args, Debug)]
pub(super) struct Check {
    /// 文件、目录或压缩包，- 为标准输入 Files, directories or archives; - is standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// 规则 Rule profile: a name that `qijian rules` lists, or a .toml file
    #[arg(long, default_value = "cxa-classic", value_name = "PROFILE")]
    rules: String,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    reporting: Reporting,
    #[command(flatten)]
    working: Working,
    /// 凡有局面的都画出 Draw the board of every finding that has one, not of errors only
    #[arg(long)]
    board: bool,
    /// 查重 Look for games that are there more than once (QJ020); reads everything twice
    #[arg(long)]
    duplicates: bool,
    /// JSON 中列出着法 Add the moves to JSON
    #[arg(long)]
    moves: bool,
    /// 输出到文件 Write to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What one file came to.
struct Checked {
    rendered: Vec<Vec<u8>>,
    summary: Summary,
    bytes: u64,
    failed: Option<String>,
}

impl Check {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let selection = self.reporting.selection()?;
        let text = self.reporting.format == report::Format::Text;
        let lang = self.reporting.lang();
        let color = text && self.output.is_none() && std::io::stdout().is_terminal();
        let renderer = Renderer::new(
            self.reporting.format,
            Style { quiet: self.working.quiet, color, boards: self.board, ..Style::plain(lang) },
        );
        let out: Box<dyn Write> = match &self.output {
            Some(path) => Box::new(File::create(path).with_context(|| path.display().to_string())?),
            None => Box::new(std::io::stdout().lock()),
        };
        let mut output = Output::new(BufWriter::with_capacity(1 << 16, out), renderer)?;
        let mut options = self.options(&selection)?;
        if self.duplicates {
            let is_stream = self.paths.iter().any(|path| path.as_os_str() == "-");
            anyhow::ensure!(!is_stream, "标准输入不能读两次 / standard input cannot be read twice");
            let studying = run::Studying { options: options.clone(), ..run::Studying::default() };
            let found = run::Duplicates::find(&self.paths, self.working.jobs(), &studying);
            options.duplicates = Some(Arc::new(found));
        }
        let mut progress = self.working.progress();
        let mut summary = Summary::default();
        let mut failed = false;
        let mut written = Ok(());
        run::ordered_map(
            source::inputs(&self.paths),
            self.working.jobs(),
            |input| check(input, &options, &selection, &renderer),
            |checked| {
                if let Some(message) = checked.failed {
                    failed = true;
                    progress.print(|| complain(format_args!("{message}")));
                }
                summary += checked.summary;
                written = progress
                    .print(|| checked.rendered.iter().try_for_each(|game| output.game(game)));
                progress.file(checked.bytes);
                written.is_ok()
            },
        );
        drop(progress);
        written?;
        output.finish(&summary)?;
        Ok(match summary.has_errors() {
            _ if failed => Outcome::Failed,
            true => Outcome::Errors,
            false => Outcome::Clean,
        })
    }

    fn options(&self, selection: &Selection) -> anyhow::Result<run::Options> {
        let profile = Arc::new(Profile::load(&self.rules)?);
        // Rulings cost searches: none is made that nobody asks for.
        let ruled = [
            Code::REPETITION_RULING,
            Code::NATURAL_LIMIT_REACHED,
            Code::NATURAL_LIMIT_CLAIM_TRUE,
            Code::NATURAL_LIMIT_CLAIM_FALSE,
        ];
        let wanted = ruled.iter().any(|code| selection.contains(*code));
        Ok(run::Options {
            from: self.reading.from.0,
            encoding: self.reading.encoding.0,
            replay: self.reading.replay(replay::Options::default().effort),
            moves: self.moves,
            profile: Some(profile).filter(|_| wanted),
            duplicates: None,
        })
    }
}

fn check(
    input: Result<Input, InputError>,
    options: &run::Options,
    selection: &Selection,
    renderer: &Renderer,
) -> Checked {
    let mut checked =
        Checked { rendered: Vec::new(), summary: Summary::default(), bytes: 0, failed: None };
    let mut add = |mut report: GameReport| {
        report.findings.retain(|finding| selection.contains(finding.code));
        checked.summary.add(&report);
        checked.rendered.push(renderer.game(&report));
    };
    match input.and_then(|input| input.read().map(|bytes| (input, bytes))) {
        Ok((input, bytes)) => {
            run::check(&input.name, &bytes, input.named, options, &mut add);
            checked.summary.files += 1;
            checked.bytes = bytes.len() as u64;
        }
        Err(InputError { name, finding: Some(finding), .. }) => {
            add(run::refused(&name, *finding));
            checked.summary.files += 1;
        }
        Err(error) if error.named => checked.failed = Some(error.to_string()),
        Err(error) => {
            add(run::unreadable(&error.name, &error.error));
            checked.summary.files += 1;
        }
    }
    checked
}
