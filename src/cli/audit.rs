//! `qijian audit SHEET [SHEET]`

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    sync::Arc,
};

use anyhow::Context;
use clap::Args;

use crate::{
    audit,
    finding::{Lang, Severity},
    format::Format,
    notation::Notation,
    report::{self, Output, Renderer, Style, Summary},
    rules::Profile,
    run::{self, AuditOptions, Conversion},
    source,
};

use super::{
    Outcome, complain,
    options::{Reading, Reporting, named},
};

/// Audits one disputed game from one or two scoresheets: reconciles, reconstructs, rules.
#[derive(Args, Debug)]
pub(super) struct Audit {
    /// 一份或两份记录（红方、黑方），- 为标准输入 One or two sheets, Red's and Black's; - is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "SHEET")]
    sheets: Vec<PathBuf>,
    /// 规则 Rule profile: a name that `qijian rules` lists, or a .toml file
    #[arg(long, default_value = "cxa-classic", value_name = "PROFILE")]
    rules: String,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    reporting: Reporting,
    /// 凡有局面的都画出 Draw the board of every finding that has one, not of errors only
    #[arg(long)]
    board: bool,
    /// 写出核对后的对局 Write the reconciled game
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// 写出的格式，不给则看扩展名，否则 pgn Format of that file; by its extension if not given, else pgn
    #[arg(long, value_name = "FORMAT", value_parser = named(super::convert::writable))]
    to: Option<Format>,
    /// 写出的记谱法，不给则中文 Notation of that file, Chinese if not given
    #[arg(long, value_name = "NAME", value_parser = named(Notation::from_name))]
    to_notation: Option<Notation>,
    /// 覆盖已有文件 Overwrite a file that exists
    #[arg(long)]
    force: bool,
}

impl Audit {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let selection = self.reporting.selection()?;
        let mut sources = Vec::new();
        for path in &self.sheets {
            for input in source::inputs(std::slice::from_ref(path)) {
                let input = input?;
                let bytes = input.read()?;
                sources.push((input.name, bytes));
            }
        }
        anyhow::ensure!(
            (1..=2).contains(&sources.len()),
            "audit 取一份或两份记录，所给有 {} 份 / audit takes one or two sheets, not {}",
            sources.len(),
            sources.len()
        );
        let sources: Vec<(&str, &[u8])> =
            sources.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        let mut done = run::audit(&sources, &self.options()?)?;
        done.audit.findings.retain(|finding| selection.contains(finding.code));
        std::io::stdout().lock().write_all(&self.report(&done.audit, &done.report)?)?;
        if let (Some(path), Some(bytes)) = (&self.output, &done.written) {
            if path.as_os_str() == "-" {
                std::io::stdout().lock().write_all(bytes)?;
            } else {
                super::refuse_input(path, &self.sheets)?;
                run::save(path, bytes, self.force)?;
            }
            let lang = self.reporting.lang();
            for loss in &done.losses {
                complain(format_args!("{}: {}", loss.code, loss.message.get(lang)));
            }
        }
        let wrong = |finding: &crate::finding::Finding| finding.severity == Severity::Error;
        Ok(match done.audit.findings.iter().any(wrong) {
            true => Outcome::Errors,
            false => Outcome::Clean,
        })
    }

    fn report(&self, audit: &audit::Audit, game: &report::GameReport) -> anyhow::Result<Vec<u8>> {
        let lang: Lang = self.reporting.lang();
        let color = std::io::stdout().is_terminal();
        let style = Style { color, boards: self.board, ..Style::plain(lang) };
        Ok(match self.reporting.format {
            report::Format::Text => report::audit_text(audit, style).into_bytes(),
            report::Format::Html => report::audit_html(audit, game, lang).into_bytes(),
            report::Format::Json | report::Format::Jsonl => report::audit_json(audit, lang),
            format => {
                let renderer = Renderer::new(format, style);
                let mut output = Output::new(Vec::new(), renderer)?;
                let mut summary = Summary::default();
                for report in report::audit_reports(audit) {
                    summary.add(&report);
                    output.game(&renderer.game(&report))?;
                }
                output.finish(&summary)?
            }
        })
    }

    fn options(&self) -> anyhow::Result<AuditOptions> {
        let profile = Arc::new(Profile::load(&self.rules)?);
        let replay = self.reading.replay(audit::EFFORT);
        let write = self.output.as_ref().map(|path| self.conversion(path)).transpose()?;
        Ok(AuditOptions {
            from: self.reading.from.0,
            encoding: self.reading.encoding.0,
            audit: audit::Options { replay, profile },
            write,
        })
    }

    fn conversion(&self, path: &std::path::Path) -> anyhow::Result<Conversion> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let to = self.to.or(extension.and_then(Format::from_extension)).unwrap_or(Format::Pgn);
        if let Some(notation) = self.to_notation.filter(|one| !to.holds_notation(*one)) {
            let (name, format) = (notation.as_str(), to.as_str());
            anyhow::bail!(
                "--to-notation {name}: {format} 不用此记谱法 / not a notation of {format}"
            );
        }
        if !self.force && path.as_os_str() != "-" {
            let exists = path.try_exists().with_context(|| path.display().to_string())?;
            anyhow::ensure!(!exists, run::Refusal::Exists(path.to_owned()));
        }
        Ok(Conversion { to, notation: self.to_notation, ..Conversion::default() })
    }
}
