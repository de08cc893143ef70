//! `qijian convert IN... -o OUT`

use std::{
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    path::PathBuf,
};

use clap::Args;

use crate::{
    finding::{Lang, Selection},
    format::Format,
    notation::Notation,
    report::{self, GameReport, Output, Renderer, Style, Summary},
    run::{self, Conversion, Job, Progress, Targets},
    source::{Encoding, InputError},
};

use super::{
    Outcome,
    check::{Auto, When, auto, cores},
    complain,
};

/// Converts game records between formats, notations and encodings; what the target cannot hold is reported.
#[derive(Args, Debug)]
pub(super) struct Convert {
    /// 文件或目录，- 为标准输入 Files or directories; - is standard input
    #[arg(required = true, value_name = "IN")]
    paths: Vec<PathBuf>,
    /// 输出文件，- 为标准输出；目录输入则为目录 The file to write, - is standard output; a directory for a directory
    #[arg(short, long, required = true, value_name = "OUT")]
    output: PathBuf,
    /// 目标格式 Format to write: pgn
    #[arg(long, default_value = "pgn", value_name = "FORMAT", value_parser = ["pgn"])]
    to: String,
    /// 目标记谱法，不给则文字着法照原样 Notation to write: chinese, short, wxf, iccs, uci, san, viet; texts stay as written if not given
    #[arg(long, value_name = "NAME", value_parser = named(Notation::from_name))]
    notation: Option<Notation>,
    /// 目标编码 Encoding to write: utf-8, gb18030, big5, utf-16le, utf-16be
    #[arg(long, default_value = "utf-8", value_name = "NAME", value_parser = named(Encoding::from_name))]
    encoding: Encoding,
    /// 源格式 Format of the source: auto, pgn or xqf
    #[arg(long, default_value = "auto", value_name = "FORMAT", value_parser = auto(Format::from_name))]
    from: Auto<Format>,
    /// 源编码 Encoding of the source: auto, or a name as for --encoding
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = auto(Encoding::from_name))]
    from_encoding: Auto<Encoding>,
    /// 源记谱法 Notation of the source: auto, or a name as for --notation
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = auto(Notation::from_name))]
    from_notation: Auto<Notation>,
    /// 覆盖已有文件 Overwrite files that exist
    #[arg(long)]
    force: bool,
    /// 报告格式（写到标准错误） Format of the report on standard error: text, json, jsonl, csv or sarif
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    format: report::Format,
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
}

/// A parser of a name.
fn named<T: Clone + Send + Sync + 'static>(
    from_name: fn(&str) -> Option<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |name| from_name(name).ok_or_else(|| "不识 not known".to_owned())
}

/// What one file came to.
#[derive(Default)]
struct Converted {
    rendered: Vec<Vec<u8>>,
    summary: Summary,
    bytes: u64,
    failed: Option<String>,
    /// What goes to standard output.
    out: Vec<u8>,
}

impl Convert {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let selection = Selection::new(&self.select, &self.ignore)?;
        let text = self.format == report::Format::Text;
        let lang = self.lang.unwrap_or_else(|| if text { super::locale() } else { Lang::En });
        let color = text && io::stderr().is_terminal();
        let renderer =
            Renderer::new(self.format, Style { quiet: self.quiet, color, ..Style::plain(lang) });
        let targets = Targets::new(&self.paths, &self.output, Format::Pgn.as_str())?;
        let conversion = self.conversion();
        let mut output = Output::new(io::stderr(), renderer)?;
        let mut progress = Progress::new(self.progress == When::Auto && !self.quiet);
        let mut summary = Summary::default();
        let mut failed = false;
        let mut written = Ok(());
        run::ordered_map(
            targets.jobs(),
            self.jobs.unwrap_or_else(cores),
            |job| convert(job, &conversion, self.force, &selection, &renderer),
            |converted| {
                if let Some(message) = converted.failed {
                    failed = true;
                    progress.print(|| complain(format_args!("{message}")));
                }
                summary += converted.summary;
                written = progress.print(|| {
                    io::stdout().lock().write_all(&converted.out)?;
                    io::stdout().flush()?;
                    converted.rendered.iter().try_for_each(|game| output.game(game))
                });
                progress.file(converted.bytes);
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

    fn conversion(&self) -> Conversion {
        let mut conversion = Conversion {
            from: self.from.0,
            from_encoding: self.from_encoding.0,
            encoding: self.encoding,
            notation: self.notation,
            ..Conversion::default()
        };
        conversion.replay.notation = self.from_notation.0;
        conversion
    }
}

fn convert(
    job: Result<Job, InputError>,
    conversion: &Conversion,
    force: bool,
    selection: &Selection,
    renderer: &Renderer,
) -> Converted {
    let mut converted = Converted::default();
    let mut add = |mut report: GameReport| {
        report.findings.retain(|finding| selection.contains(finding.code));
        converted.summary.add(&report);
        converted.rendered.push(renderer.game(&report));
    };
    match run::convert_job(job, conversion, force, &mut add) {
        Ok(done) => {
            converted.bytes = done.read;
            converted.out = done.out;
            converted.summary.files += 1;
        }
        Err(error) => converted.failed = Some(error.to_string()),
    }
    converted
}
