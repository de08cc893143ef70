//! `qijian export PATHS... -o DIR`

use std::{
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
};

use clap::Args;

use crate::{
    run::{self, Export as Job, Exported, Partition},
    table::{FileFormat, Positions, schema},
};

use super::{
    Outcome, complain,
    options::{Reading, Selecting, Working, named},
};

/// Writes datasets for researchers: one row a game, a ply, a finding.
#[derive(Args, Debug)]
pub(super) struct Export {
    /// 文件、目录或压缩包 Files, directories or archives; - is standard input
    #[arg(required_unless_present = "schema", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// 输出目录 The directory of the dataset
    #[arg(short, long, required_unless_present = "schema", value_name = "DIR")]
    output: Option<PathBuf>,
    /// 文件格式 Format of the files: parquet, csv or jsonl
    #[arg(long = "as", default_value = DEFAULT, value_name = "FORMAT", value_parser = named(FileFormat::from_name))]
    format: FileFormat,
    /// 各着的局面 Position of each ply: fen, packed (46 bytes) or none
    #[arg(long, default_value = "fen", value_name = "HOW", value_parser = named(Positions::from_name))]
    positions: Positions,
    /// 按何分目录 Split the files by year, event or source
    #[arg(long, value_name = "COLUMN", value_parser = named(Partition::from_name))]
    partition_by: Option<Partition>,
    /// 行组的行数 Rows of a row group
    #[arg(long, default_value = "65536", value_name = "N")]
    row_group: NonZeroUsize,
    /// 一个部分的着数，默认 1048576，分目录时 262144 Plies of a part; 1048576 if not given, 262144 with --partition-by
    #[arg(long, value_name = "N")]
    part: Option<NonZeroU64>,
    /// 续做 Go on with what an interrupted run has left
    #[arg(long)]
    resume: bool,
    /// 重做已有的数据集 Replace a dataset that exists
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// 查重，填入 duplicate_of Look for duplicates, for the columns duplicate_of and duplicate_kind
    #[arg(long)]
    duplicates: bool,
    /// 印出各列的说明 Print what the columns mean, and nothing else
    #[arg(long)]
    schema: bool,
    #[command(flatten)]
    selecting: Selecting,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    working: Working,
}

/// The format if none is asked for.
const DEFAULT: &str = if cfg!(feature = "tables") { "parquet" } else { "csv" };

impl Export {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        if self.schema {
            return super::print(schema::DOCUMENT);
        }
        let Some(directory) = self.output else {
            anyhow::bail!("-o DIR");
        };
        let is_stream = self.paths.iter().any(|path| path.as_os_str() == "-");
        anyhow::ensure!(
            !(is_stream && (self.resume || self.duplicates)),
            "标准输入不能读两次 / standard input cannot be read twice"
        );
        let mut studying = self.selecting.studying(&self.reading)?;
        let jobs = self.working.jobs();
        if !is_stream {
            run::on_interrupt()?;
        }
        if self.duplicates {
            studying.duplicates = Some(run::Duplicates::find(&self.paths, jobs, &studying).into());
        }
        let export = Job {
            options: serde_json::json!({
                "select": self.selecting.identity(),
                "reading": format!("{:?}", self.reading),
                "duplicates": self.duplicates,
            }),
            paths: self.paths,
            directory,
            format: self.format,
            positions: self.positions,
            partition: self.partition_by,
            row_group: self.row_group,
            part: self.part,
            resume: self.resume,
            force: self.force,
        };
        let mut progress = self.working.progress();
        let mut failed = false;
        let exported = run::export(&export, &studying, jobs, &mut |bytes, failure| {
            if let Some(message) = failure {
                failed = true;
                progress.print(|| complain(format_args!("{message}")));
            }
            progress.file(bytes);
        })?;
        drop(progress);
        let Exported { rows, parts, complete } = exported;
        if !complete {
            complain(format_args!(
                "已中断，{parts} 个部分完整，--resume 续做 / interrupted; {parts} parts are whole, --resume goes on"
            ));
            return Ok(Outcome::Failed);
        }
        if !self.working.quiet {
            let text = format!(
                "games     {}\nplies     {}\nfindings  {}\nparts     {parts}\n",
                rows.games, rows.plies, rows.findings
            );
            super::print(&text)?;
        }
        Ok(match rows.errors {
            _ if failed => Outcome::Failed,
            0 => Outcome::Clean,
            _ => Outcome::Errors,
        })
    }
}
