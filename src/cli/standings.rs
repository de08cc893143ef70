//! `qijian standings EVENT`

use std::{
    io::Write,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use clap::Args;

use crate::{
    event::{self, Kind, Loaded},
    finding::{Lang, Selection, Severity},
    report::{self, Style, TableFormat},
    rules::Profile,
    run,
};

use super::Outcome;

/// Prints the table of an event, and audits its pairings and results.
#[derive(Args, Debug)]
pub(super) struct Standings {
    /// 赛事文件（.toml 或 TRF） The event file, or a FIDE TRF file
    event: PathBuf,
    /// 输出格式 text, markdown, csv, json, jsonl or trf
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    format: TableFormat,
    /// 第几轮之后 After which round
    #[arg(long, value_name = "N")]
    after_round: Option<u32>,
    /// 团体赛另印个人成绩（慢棋） In a team event, the players' results in slow games too (text)
    #[arg(long)]
    players: bool,
    #[command(flatten)]
    common: Common,
}

/// What `standings` and `pair` have in common.
#[derive(Args, Debug)]
pub(super) struct Common {
    /// 规则，代替文件所写 Rule profile in place of the file's
    #[arg(long, value_name = "PROFILE")]
    rules: Option<String>,
    /// 只报这些代码（可用前缀） Only these codes; prefixes allowed: QJ9
    #[arg(long, value_delimiter = ',', value_name = "CODES")]
    select: Vec<String>,
    /// 不报这些代码 Not these codes
    #[arg(long, value_delimiter = ',', value_name = "CODES")]
    ignore: Vec<String>,
    /// 语言 Language of messages: zh or en
    #[arg(long, value_parser = super::parse_lang)]
    lang: Option<Lang>,
    /// 不核对棋谱 Leave the game records that the event names unread
    #[arg(long)]
    no_records: bool,
    /// 写入文件 Write to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Common {
    /// The event, its records read.
    pub(super) fn load(&self, path: &Path) -> anyhow::Result<Loaded> {
        if let Some(output) = &self.output {
            super::refuse_input(output, &[path.to_owned()])?;
        }
        let mut loaded = event::load(path, self.rules.as_deref())?;
        if self.no_records || loaded.event.records.is_empty() {
            event::qualify(&mut loaded.event);
            return Ok(loaded);
        }
        let beside = path.parent().unwrap_or(Path::new(""));
        let paths: Vec<PathBuf> =
            loaded.event.records.iter().map(|record| beside.join(record)).collect();
        let options = run::Options {
            profile: Some(Arc::new(Profile::load(&loaded.event.profile_file)?)),
            ..run::Options::default()
        };
        let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let records = run::event_records(&paths, &options, jobs)?;
        event::attach(&mut loaded, &records);
        event::qualify(&mut loaded.event);
        Ok(loaded)
    }

    /// The style of the output in `format`.
    pub(super) fn style(&self, format: TableFormat) -> Style {
        let text = matches!(format, TableFormat::Text | TableFormat::Markdown);
        Style::plain(self.lang.unwrap_or_else(|| if text { super::locale() } else { Lang::En }))
    }

    pub(super) fn selection(&self) -> anyhow::Result<Selection> {
        Ok(Selection::new(&self.select, &self.ignore)?)
    }

    /// Writes the output.
    pub(super) fn write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        match &self.output {
            Some(path) => std::fs::write(path, bytes).with_context(|| path.display().to_string()),
            None => {
                let mut out = std::io::stdout().lock();
                out.write_all(bytes)?;
                Ok(out.flush()?)
            }
        }
    }
}

impl Standings {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let selection = self.common.selection()?;
        let loaded = self.common.load(&self.event)?;
        let mut standings = event::standings(&loaded, self.after_round);
        standings.findings.retain(|finding| selection.contains(finding.code));
        let style = self.common.style(self.format);
        let mut bytes = report::standings(&standings, self.format, style);
        if self.players && self.format == TableFormat::Text && loaded.event.kind == Kind::Team {
            bytes.push(b'\n');
            bytes.extend(report::personal(&loaded.event, style.lang).into_bytes());
        }
        self.common.write(&bytes)?;
        let errors = standings.findings.iter().any(|one| one.severity == Severity::Error);
        if matches!(self.format, TableFormat::Csv | TableFormat::Trf) {
            let text = report::event_findings(&loaded.event, &standings.findings, style);
            std::io::stderr().write_all(text.as_bytes())?;
        }
        Ok(if errors { Outcome::Errors } else { Outcome::Clean })
    }
}
