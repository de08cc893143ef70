//! `qijian check PATH...`

use std::{
    fs::File,
    io::{BufWriter, IsTerminal, Write},
    num::NonZeroUsize,
    path::PathBuf,
    sync::Arc,
};

use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::{
    finding::{Code, Lang, Selection},
    format::Format,
    notation::Notation,
    report::{self, GameReport, Output, Renderer, Style, Summary},
    rules::Profile,
    run::{self, Progress},
    source::{self, Encoding, Input, InputError},
};

use super::{Outcome, complain};

/// Reads, replays and validates game records.
#[derive(Args, Debug)]
pub(super) struct Check {
    /// 文件、目录或压缩包，- 为标准输入 Files, directories or archives; - is standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// 输出格式 text, json, jsonl, csv or sarif
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    format: report::Format,
    /// 规则 Rule profile: a name that `qijian rules` lists, or a .toml file
    #[arg(long, default_value = "cxa-classic", value_name = "PROFILE")]
    rules: String,
    /// 棋谱格式 Format of the records: auto, pgn, xqf, moves, csv, json or sheet
    #[arg(long, default_value = "auto", value_name = "FORMAT", value_parser = auto(Format::from_name))]
    from: Auto<Format>,
    /// 文字编码 Encoding of the text: auto, utf-8, gb18030, big5, utf-16le, utf-16be
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = auto(Encoding::from_name))]
    encoding: Auto<Encoding>,
    /// 记谱法 Notation of the moves: auto, chinese, short, wxf, iccs, uci, san, viet
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = auto(Notation::from_name))]
    notation: Auto<Notation>,
    /// 只报这些代码（可用前缀） Only these codes; prefixes allowed: QJ3
    #[arg(long, value_delimiter = ',', value_name = "CODES")]
    select: Vec<String>,
    /// 不报这些代码 Not these codes
    #[arg(long, value_delimiter = ',', value_name = "CODES")]
    ignore: Vec<String>,
    /// 并行数 Jobs at a time; all cores if not given
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// 语言 Language of messages: zh or en
    #[arg(long, value_parser = super::parse_lang)]
    lang: Option<Lang>,
    /// 不印汇总 No summary
    #[arg(long, short)]
    quiet: bool,
    /// 进度条 Progress bar: auto or never
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    progress: When,
    /// 凡有局面的都画出 Draw the board of every finding that has one, not of errors only
    #[arg(long)]
    board: bool,
    /// JSON 中列出着法 Add the moves to JSON
    #[arg(long)]
    moves: bool,
    /// 最多列出几种候选 Candidates listed at most
    #[arg(long, default_value_t = 20, value_name = "N")]
    candidates: usize,
    /// 搜索上限（局面数） Bound of the searches, in positions
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    effort: usize,
    /// 输出到文件 Write to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Found from the content, or given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Auto<T>(pub(super) Option<T>);

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum When {
    Auto,
    Never,
}

/// A parser of `auto` or a name.
pub(super) fn auto<T: Clone + Send + Sync + 'static>(
    from_name: fn(&str) -> Option<T>,
) -> impl Fn(&str) -> Result<Auto<T>, String> + Clone + Send + Sync + 'static {
    move |name| match from_name(name) {
        _ if name == "auto" => Ok(Auto(None)),
        Some(value) => Ok(Auto(Some(value))),
        None => Err("不识 not known".to_owned()),
    }
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
        let selection = Selection::new(&self.select, &self.ignore)?;
        let text = self.format == report::Format::Text;
        let lang = self.lang.unwrap_or_else(|| if text { super::locale() } else { Lang::En });
        let color = text && self.output.is_none() && std::io::stdout().is_terminal();
        let renderer = Renderer::new(
            self.format,
            Style { quiet: self.quiet, color, boards: self.board, ..Style::plain(lang) },
        );
        let out: Box<dyn Write> = match &self.output {
            Some(path) => Box::new(File::create(path).with_context(|| path.display().to_string())?),
            None => Box::new(std::io::stdout().lock()),
        };
        let mut output = Output::new(BufWriter::with_capacity(1 << 16, out), renderer)?;
        let options = self.options(&selection)?;
        let mut progress = Progress::new(self.progress == When::Auto && !self.quiet);
        let mut summary = Summary::default();
        let mut failed = false;
        let mut written = Ok(());
        run::ordered_map(
            source::inputs(&self.paths),
            self.jobs.unwrap_or_else(cores),
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
        let mut options = run::Options {
            from: self.from.0,
            encoding: self.encoding.0,
            moves: self.moves,
            profile: Some(profile).filter(|_| wanted),
            ..run::Options::default()
        };
        options.replay.notation = self.notation.0;
        options.replay.candidates = self.candidates;
        options.replay.effort = self.effort;
        Ok(options)
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

/// All cores.
pub(super) fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
