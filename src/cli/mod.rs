//! The command line: one file a command. Options are parsed and results printed here; the work is library calls.

mod audit;
mod check;
mod convert;
mod explain;
mod export;
mod find;
mod options;
mod pair;
mod rules;
mod show;
mod standings;
#[cfg(feature = "tables")]
mod stats;

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::finding::Lang;

/// 棋鉴 qijian: reads xiangqi game records, replays them, and says exactly what is wrong.
#[derive(Parser, Debug)]
#[command(
    name = "qijian",
    version,
    about = "棋鉴：读象棋棋谱，复盘，指出错在哪里\nReads xiangqi game records, replays them, and says exactly what is wrong"
)]
#[command(
    after_help = "退出状态 / exit status: 0 无错误 no error · 1 有错误 errors found · 2 无法完成 could not do its job"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// 校验棋谱 Read, replay and validate every game under the paths
    Check(check::Check),
    /// 审核争议对局 Audit one game from one or two scoresheets
    Audit(audit::Audit),
    /// 转换棋谱 Convert between formats, notations and encodings
    Convert(convert::Convert),
    /// 导出数据集 Datasets of games, plies and findings
    Export(export::Export),
    /// 统计 Statistics tables
    #[cfg(feature = "tables")]
    Stats(stats::Stats),
    /// 检索棋局 Games by position, material, moves, names
    Find(find::Find),
    /// 解释代码 What a finding means, its article, how to repair it
    Explain(explain::Explain),
    /// 观看棋局 Board and moves in the terminal, as SVG or as a page
    Show(show::Show),
    /// 赛事名次与核查 Cross table, ranking with deciding tie-breaks, audit of pairings and results
    Standings(standings::Standings),
    /// 编排：秩序表、下一轮、对阵 Order table, next round, brackets
    Pair(pair::Pair),
    /// 规则与数值 The rule profiles and their values
    Rules(rules::Rules),
}

/// Opens the file for an output, which is none of the inputs: a record is never changed unless repairs are asked for.
fn create(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<File> {
    refuse_input(path, inputs)?;
    File::create(path).with_context(|| path.display().to_string())
}

/// Refuses an output that is one of the inputs, by whatever name.
fn refuse_input(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let Ok(real) = path.canonicalize() else { return Ok(()) };
    let is_input = |input: &PathBuf| input.canonicalize().is_ok_and(|input| input == real);
    anyhow::ensure!(
        !(real.is_file() && inputs.iter().any(is_input)),
        "{}: 是所读的文件，-o 请另写一个 / is one of the inputs: name another file with -o",
        path.display()
    );
    Ok(())
}

/// What a command came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// No selected finding of severity error.
    Clean,
    /// At least one.
    Errors,
    /// The command could not do its job.
    Failed,
}

/// Runs the command that the process was called with. Exit status 0, 1 or 2 (CONTRACT section 3).
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Command::Check(check) => check.run(),
        Command::Audit(audit) => audit.run(),
        Command::Convert(convert) => convert.run(),
        Command::Export(export) => export.run(),
        #[cfg(feature = "tables")]
        Command::Stats(stats) => stats.run(),
        Command::Find(find) => find.run(),
        Command::Explain(explain) => explain.run(),
        Command::Show(show) => show.run(),
        Command::Pair(pair) => pair.run(),
        Command::Rules(rules) => rules.run(),
        Command::Standings(standings) => standings.run(),
    };
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Errors) => ExitCode::from(1),
        Ok(Outcome::Failed) => ExitCode::from(2),
        // A reader that has seen enough, such as `head`, is no failure of ours.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// One line on standard error.
fn complain(message: std::fmt::Arguments<'_>) {
    use std::io::Write;
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "qijian: {message}");
}

/// Prints a text to standard output.
fn print(text: &str) -> anyhow::Result<Outcome> {
    print_bytes(text.as_bytes())?;
    Ok(Outcome::Clean)
}

/// Prints bytes to standard output.
fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// The language of the user's locale: Chinese if `LC_ALL`, or else `LANG`, says `zh`.
fn locale() -> Lang {
    let speaks = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    match speaks("LC_ALL").or_else(|| speaks("LANG")) {
        Some(value) if value.to_ascii_lowercase().starts_with("zh") => Lang::Zh,
        _ => Lang::En,
    }
}

fn parse_lang(text: &str) -> Result<Lang, String> {
    match text {
        "zh" => Ok(Lang::Zh),
        "en" => Ok(Lang::En),
        _ => Err("zh 或 en / zh or en".to_owned()),
    }
}
