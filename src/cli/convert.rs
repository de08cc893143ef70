//! `qijian convert IN... -o OUT`

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use clap::Args;

use crate::{
    finding::Selection,
    format::Format,
    notation::Notation,
    report::{self, GameReport, Output, Renderer, Style, Summary},
    run::{self, Conversion, Draft, Existing, Job, Join, Placing, Targets},
    source::{self, Encoding, InputError},
};

use super::{
    Outcome, complain,
    options::{Auto, Reporting, Working, auto, named},
};

/// Converts game records between formats, notations and encodings; what the target cannot hold is reported on standard error.
#[derive(Args, Debug)]
pub(super) struct Convert {
    /// 文件、目录或压缩包，- 为标准输入 Files, directories or archives; - is standard input
    #[arg(required = true, value_name = "IN")]
    paths: Vec<PathBuf>,
    /// 输出文件，- 为标准输出；目录输入则为目录 The file to write, - is standard output; a directory for a directory
    #[arg(short, long, required = true, value_name = "OUT")]
    output: PathBuf,
    /// 目标格式，不给则看 OUT 的扩展名，否则 pgn Format to write: pgn, xqf, cbr, dhtmlxq, wxf, moves, sheet, json; by the extension of OUT if not given, else pgn
    #[arg(long, value_name = "FORMAT", value_parser = named(writable))]
    to: Option<Format>,
    /// 目标记谱法（pgn、sheet、json），不给则文字着法照原样 Notation to write, for pgn, sheet and json: chinese, short, wxf, iccs, uci, san, viet; texts stay as written if not given
    #[arg(long, value_name = "NAME", value_parser = named(Notation::from_name))]
    notation: Option<Notation>,
    /// 目标编码，默认 utf-8，xqf 为 gb18030 Encoding to write: utf-8, gb18030, big5, utf-16le, utf-16be; if not given utf-8, for xqf gb18030
    #[arg(long, value_name = "NAME", value_parser = named(Encoding::from_name))]
    encoding: Option<Encoding>,
    /// 每局一个文件：名-1.xqf、名-2.xqf One file a game: name-1.xqf, name-2.xqf
    #[arg(long, conflicts_with = "join")]
    split: bool,
    /// 全部合为一个文件 All games of all inputs in one file
    #[arg(long)]
    join: bool,
    /// 源格式 Format of the source: auto, or a name that `check --from` takes
    #[arg(long, default_value = "auto", value_name = "FORMAT", value_parser = auto(Format::from_name))]
    from: Auto<Format>,
    /// 源编码 Encoding of the source: auto, or a name as for --encoding
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = auto(Encoding::from_name))]
    from_encoding: Auto<Encoding>,
    /// 源记谱法 Notation of the source: auto, or a name as for --notation
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = auto(Notation::from_name))]
    from_notation: Auto<Notation>,
    /// 重复的棋局只留内容最全的一局 Of each group of duplicates write only the richest game
    #[arg(long)]
    dedupe: bool,
    /// 覆盖已有文件 Overwrite files that exist
    #[arg(long)]
    force: bool,
    /// 已有的文件视为完成，续做其余 Leave files that exist as they are, and make the others
    #[arg(long, conflicts_with_all = ["force", "join"])]
    resume: bool,
    #[command(flatten)]
    reporting: Reporting,
    #[command(flatten)]
    working: Working,
}

/// The format that can be written under this name.
pub(super) fn writable(name: &str) -> Option<Format> {
    Format::from_name(name).filter(|format| Format::WRITTEN.contains(format))
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
        let selection = self.reporting.selection()?;
        let format = self.reporting.format;
        let color = format == report::Format::Text && io::stderr().is_terminal();
        let renderer = Renderer::new(
            format,
            Style { quiet: self.working.quiet, color, ..Style::plain(self.reporting.lang()) },
        );
        let mut conversion = self.conversion()?;
        let to = conversion.to;
        let is_stdout = self.output.as_os_str() == "-";
        anyhow::ensure!(
            !(self.split && is_stdout),
            "--split 须输出到文件 / --split needs files to write"
        );
        anyhow::ensure!(
            !self.join || to.holds_many(),
            "--join: {} 一个文件只有一局 / {} holds one game a file",
            to.as_str(),
            to.as_str()
        );
        let targets = if self.join {
            Targets::joined(&self.paths, &self.output)
        } else {
            Targets::new(&self.paths, &self.output, to.extension())?
        };
        let existing = match (self.force, self.resume) {
            (true, _) => Existing::Replace,
            (_, true) => Existing::Keep,
            _ => Existing::Refuse,
        };
        let placing = Placing { existing, split: self.split };
        let mut joined = match self.join && !is_stdout {
            true => Some(Draft::new(&self.output, self.force)?),
            false => None,
        };
        // A read of standard input that waits for a person is ended by Ctrl-C as ever.
        if !self.paths.iter().any(|path| path.as_os_str() == "-") {
            run::on_interrupt()?;
        }
        if self.dedupe {
            let is_stream = self.paths.iter().any(|path| path.as_os_str() == "-");
            anyhow::ensure!(!is_stream, "标准输入不能读两次 / standard input cannot be read twice");
            let options = run::Options {
                from: conversion.from,
                encoding: conversion.from_encoding,
                replay: conversion.replay.clone(),
                ..run::Options::default()
            };
            let studying = run::Studying { options, ..run::Studying::default() };
            let found = run::Duplicates::find(&self.paths, self.working.jobs(), &studying);
            conversion.dedupe = Some(std::sync::Arc::new(found));
        }
        let mut join = Join::new(to, conversion.encoding);
        let mut output = Output::new(io::stderr(), renderer)?;
        let mut progress = self.working.progress();
        let mut summary = Summary::default();
        let mut failed = false;
        let mut written: anyhow::Result<()> = Ok(());
        run::ordered_map(
            targets.jobs(),
            self.working.jobs(),
            |_| u64::MAX,
            |job| match run::interrupted() {
                true => Converted::default(),
                false => convert(job, &conversion, placing, &selection, &renderer),
            },
            |converted| {
                if let Some(message) = converted.failed {
                    failed = true;
                    progress.print(|| complain(format_args!("{message}")));
                }
                summary += converted.summary;
                let out = join.next(converted.out);
                written = progress.print(|| {
                    match &mut joined {
                        Some(draft) => draft.write(&out)?,
                        None => io::stdout().lock().write_all(&out)?,
                    }
                    io::stdout().flush()?;
                    Ok(converted.rendered.iter().try_for_each(|game| output.game(game))?)
                });
                progress.file(converted.bytes);
                written.is_ok() && !run::interrupted()
            },
        );
        drop(progress);
        written?;
        output.finish(&summary)?;
        if run::interrupted() {
            let how = match self.join {
                true => "未写出 / interrupted, nothing written",
                false => {
                    "写完的文件都完整，--resume 续做 / interrupted; files written are whole, --resume goes on"
                }
            };
            complain(format_args!("已中断：{how}"));
            return Ok(Outcome::Failed);
        }
        if let Some(draft) = joined.filter(|_| join.is_begun()) {
            draft.finish()?;
        }
        Ok(match summary.has_errors() {
            _ if failed => Outcome::Failed,
            true => Outcome::Errors,
            false => Outcome::Clean,
        })
    }

    /// The format to write.
    fn format(&self) -> Format {
        let is_file = self.join
            || !self.output.is_dir()
                && matches!(&self.paths[..], [path] if source::is_single(path));
        let extension = self.output.extension().and_then(|extension| extension.to_str());
        let named = extension.filter(|_| is_file).and_then(Format::from_extension);
        self.to.or(named).unwrap_or(Format::Pgn)
    }

    fn conversion(&self) -> anyhow::Result<Conversion> {
        let to = self.format();
        let name = to.as_str();
        if let Some(notation) = self.notation.filter(|notation| !to.holds_notation(*notation)) {
            let notation = notation.as_str();
            anyhow::bail!("--notation {notation}: {name} 不用此记谱法 / not a notation of {name}");
        }
        if let Some(encoding) = self.encoding.filter(|one| !to.encodings().contains(one)) {
            let encoding = encoding.as_str();
            anyhow::bail!("--encoding {encoding}: {name} 不用此编码 / not an encoding of {name}");
        }
        let mut conversion = Conversion {
            from: self.from.0,
            from_encoding: self.from_encoding.0,
            to,
            encoding: self.encoding,
            notation: self.notation,
            ..Conversion::default()
        };
        conversion.replay.notation = self.from_notation.0;
        Ok(conversion)
    }
}

fn convert(
    job: Result<Job, InputError>,
    conversion: &Conversion,
    placing: Placing,
    selection: &Selection,
    renderer: &Renderer,
) -> Converted {
    let mut converted = Converted::default();
    let mut add = |mut report: GameReport| {
        report.findings.retain(|finding| selection.contains(finding.code));
        converted.summary.add(&report);
        converted.rendered.push(renderer.game(&report));
    };
    match run::convert_job(job, conversion, placing, &mut add) {
        Ok(done) => {
            converted.bytes = done.read;
            converted.out = done.out;
            converted.summary.files += 1;
            converted.summary.skipped += done.skipped;
        }
        Err(error) => converted.failed = Some(error.to_string()),
    }
    converted
}
