//! `qijian check PATH...`

use std::{
    io::{BufWriter, IsTerminal, Write},
    num::NonZeroUsize,
    path::PathBuf,
    sync::Arc,
};

use clap::Args;

use crate::{
    finding::{Code, Selection},
    replay,
    report::{self, Fixes, GameReport, Output, Renderer, Style, Summary},
    rules::Profile,
    run::{self, Copies, Existing, Progress, Task},
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
    /// 输出到文件；用 --fix 时为修复后文件的新目录 Write to a file; with --fix the new tree of repaired files
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// 只做稳妥的修复，须有 -o 或 --in-place Make the safe repairs; needs -o or --in-place
    #[arg(long)]
    fix: bool,
    /// 原地修复，原文件存为 .bak Repair in place, keeping the old file as name.bak
    #[arg(long, requires = "fix", conflicts_with = "output")]
    in_place: bool,
    /// 与 --fix -o 同用：覆盖已有文件 With --fix -o: overwrite files that exist
    #[arg(long, requires = "fix", conflicts_with = "in_place")]
    force: bool,
    /// 与 --fix -o 同用：跳过已有文件，续做其余 With --fix -o: leave files that exist, and make the others
    #[arg(long, requires = "fix", conflicts_with_all = ["force", "in_place"])]
    resume: bool,
}

/// What one file came to, its games aside.
#[derive(Default)]
struct Checked {
    summary: Summary,
    bytes: u64,
    failed: Option<String>,
}

impl Check {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        if self.fix {
            return self.run_fix();
        }
        let selection = self.reporting.selection()?;
        let text = self.reporting.format == report::Format::Text;
        let lang = self.reporting.lang();
        let color = text && self.output.is_none() && std::io::stdout().is_terminal();
        let renderer = Renderer::new(
            self.reporting.format,
            Style { quiet: self.working.quiet, color, boards: self.board, ..Style::plain(lang) },
        );
        let out: Box<dyn Write> = match &self.output {
            Some(path) => Box::new(super::create(path, &self.paths)?),
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
        let jobs = self.working.jobs();
        let mut tell = |checked: Checked, progress: &mut Progress| {
            if let Some(message) = checked.failed {
                failed = true;
                progress.print(|| complain(format_args!("{message}")));
            }
            summary += checked.summary;
            progress.file(checked.bytes);
        };
        if matches!(&self.paths[..], [path] if source::is_single(path)) {
            // All threads work on the one file, and no game waits for the last.
            for input in source::inputs(&self.paths) {
                let checked = check(input, &options, &selection, &renderer, jobs, &mut |game| {
                    if written.is_ok() {
                        written = progress.print(|| output.game(&game));
                    }
                    written.is_ok()
                });
                tell(checked, &mut progress);
            }
        } else {
            let one = NonZeroUsize::MIN;
            run::ordered_map(
                source::inputs(&self.paths),
                jobs,
                |input| input.as_ref().map_or(0, |input| input.size),
                |input| {
                    let mut games = Vec::new();
                    let mut add = |game| {
                        games.push(game);
                        true
                    };
                    let checked = check(input, &options, &selection, &renderer, one, &mut add);
                    (games, checked)
                },
                |(games, checked)| {
                    written =
                        progress.print(|| games.iter().try_for_each(|game| output.game(game)));
                    tell(checked, &mut progress);
                    written.is_ok()
                },
            );
        }
        drop(progress);
        written?;
        output.finish(&summary)?;
        Ok(match summary.has_errors() {
            _ if failed => Outcome::Failed,
            true => Outcome::Errors,
            false => Outcome::Clean,
        })
    }

    fn run_fix(self) -> anyhow::Result<Outcome> {
        let selection = self.reporting.selection()?;
        let stdin = self.paths.iter().any(|path| path.as_os_str() == "-");
        let copies = match (&self.output, self.in_place) {
            (None, false) => anyhow::bail!(
                "--fix 须有 -o DIR（写到新目录）或 --in-place（原地修改，留 .bak） / --fix needs -o DIR (a new tree) or --in-place (with backups)"
            ),
            (Some(out), _) if out.as_os_str() == "-" => {
                anyhow::bail!("--fix: -o 须是文件或目录 / -o must be a file or a directory")
            }
            (None, true) if stdin => {
                anyhow::bail!("--in-place: 标准输入无处可改 / standard input has no place")
            }
            (Some(out), _) => Copies::to(&self.paths, out)?,
            (None, true) => Copies::in_place(&self.paths),
        };
        let existing = match (self.force, self.resume) {
            (true, _) => Existing::Replace,
            (_, true) => Existing::Keep,
            _ => Existing::Refuse,
        };
        let text = self.reporting.format == report::Format::Text;
        let color = text && std::io::stdout().is_terminal();
        let renderer = Renderer::new(
            self.reporting.format,
            Style {
                quiet: self.working.quiet,
                color,
                boards: self.board,
                ..Style::plain(self.reporting.lang())
            },
        );
        let options = self.options(&selection)?;
        if !stdin {
            run::on_interrupt()?;
        }
        let out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        let mut output = Output::new(out, renderer)?;
        let mut progress = self.working.progress();
        let mut summary = Summary { fixes: Some(Fixes::default()), ..Summary::default() };
        let mut failed = false;
        let mut written = Ok(());
        run::ordered_map(
            copies.tasks(),
            self.working.jobs(),
            |_| u64::MAX,
            |task| match run::interrupted() {
                true => <(Vec<Vec<u8>>, Checked)>::default(),
                false => fix(task, &options, &selection, existing, &renderer),
            },
            |(games, checked)| {
                if let Some(message) = checked.failed {
                    failed = true;
                    progress.print(|| complain(format_args!("{message}")));
                }
                summary += checked.summary;
                written = progress.print(|| games.iter().try_for_each(|game| output.game(game)));
                progress.file(checked.bytes);
                written.is_ok() && !run::interrupted()
            },
        );
        drop(progress);
        written?;
        output.finish(&summary)?;
        if run::interrupted() {
            complain(format_args!(
                "已中断：写完的文件都完整，再运行即续做（-o 加 --resume） / interrupted; files written are whole, run it again to go on (with -o: --resume)"
            ));
            return Ok(Outcome::Failed);
        }
        Ok(match summary.has_errors() {
            _ if failed => Outcome::Failed,
            true => Outcome::Errors,
            false => Outcome::Clean,
        })
    }

    fn options(&self, selection: &Selection) -> anyhow::Result<run::Options> {
        let profile = Arc::new(Profile::load(&self.rules)?);
        // What the rules say costs time, rulings most: nothing is looked for that nobody asks for.
        let ruled = [
            Code::RESULT_CONTRADICTS_EVENT,
            Code::REPETITION_RULING,
            Code::NATURAL_LIMIT_REACHED,
            Code::NATURAL_LIMIT_CLAIM_TRUE,
            Code::NATURAL_LIMIT_CLAIM_FALSE,
            Code::OMISSION_FOUL,
            Code::SHEET_FOOT,
        ];
        let of_events = |code: Code| code.matches_prefix("QJ8");
        let mut wanted = ruled.into_iter().chain(Code::all().filter(|code| of_events(*code)));
        let wanted = wanted.any(|code| selection.contains(code));
        Ok(run::Options {
            from: self.reading.from.0,
            encoding: self.reading.encoding.0,
            replay: self.reading.replay(replay::Options::default().effort),
            moves: self.moves,
            brief: !self.duplicates && self.reporting.format.shows_findings_only(),
            profile: Some(profile).filter(|_| wanted),
            rulings: selection.contains(Code::REPETITION_RULING),
            duplicates: None,
        })
    }
}

/// Checks one input on `jobs` threads; `give` gets each game as it is to be written, in order, and says whether to go on.
fn check(
    input: Result<Input, InputError>,
    options: &run::Options,
    selection: &Selection,
    renderer: &Renderer,
    jobs: NonZeroUsize,
    give: &mut dyn FnMut(Vec<u8>) -> bool,
) -> Checked {
    let mut checked = Checked::default();
    let work = |mut report: GameReport| {
        report.findings.retain(|finding| selection.contains(finding.code));
        let mut summary = Summary::default();
        summary.add(&report);
        (renderer.game(&report), summary)
    };
    let mut add = |(game, summary)| {
        checked.summary += summary;
        give(game)
    };
    let read = input.and_then(|input| run::check_input(&input, options, jobs, &work, &mut add));
    match read {
        Ok(bytes) => {
            checked.summary.files += 1;
            checked.bytes = bytes;
        }
        Err(InputError { name, finding: Some(finding), .. }) => {
            add(work(run::refused(&name, *finding)));
            checked.summary.files += 1;
        }
        Err(error) if error.named => checked.failed = Some(error.to_string()),
        Err(error) => {
            add(work(run::unreadable(&error.name, &error.error)));
            checked.summary.files += 1;
        }
    }
    checked
}

/// [`check`] with repairs.
fn fix(
    task: Task,
    options: &run::Options,
    selection: &Selection,
    existing: Existing,
    renderer: &Renderer,
) -> (Vec<Vec<u8>>, Checked) {
    let mut checked = Checked::default();
    let mut games = Vec::new();
    match run::fix_job(task, options, &|code| selection.contains(code), existing) {
        Ok(done) => {
            for mut report in done.reports {
                report.findings.retain(|finding| selection.contains(finding.code));
                checked.summary.add(&report);
                games.push(renderer.game(&report));
            }
            checked.summary.files += 1;
            checked.summary.skipped += done.skipped;
            checked.summary.fixes.get_or_insert_default().files += u64::from(done.changed);
            checked.bytes = done.read;
        }
        Err(error) => checked.failed = Some(error.to_string()),
    }
    (games, checked)
}
