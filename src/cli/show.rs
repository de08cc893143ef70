//! `qijian show PATH`

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    sync::Arc,
};

use anyhow::{Context, bail};
use clap::Args;

use crate::{
    finding::Lang, notation::Notation, replay, report::GameReport, rules::Profile, run, source,
};

use super::{
    Outcome,
    options::{Reading, named},
};

/// Shows one game: the board and the moves.
#[derive(Args, Debug)]
pub(super) struct Show {
    /// 文件、目录或压缩包，- 为标准输入 A file, directory or archive; - is standard input
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// 第几局 Which game of all that the path holds
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// 第几着之后的局面，不给则终局 The position after this ply; the last one if not given
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// 输出局面的 SVG The board as an SVG document
    #[arg(long, conflicts_with = "html")]
    svg: bool,
    /// 输出可打谱的网页 A page with a board to step through
    #[arg(long)]
    html: bool,
    /// 着法用何记谱法显示，中文界面默认 chinese，英文界面默认 wxf Notation to show the moves in; chinese for zh, wxf for en if not given
    #[arg(long, value_name = "NAME", value_parser = named(Notation::from_name))]
    show_notation: Option<Notation>,
    /// 规则 Rule profile: a name that `qijian rules` lists, or a .toml file
    #[arg(long, default_value = "cxa-classic", value_name = "PROFILE")]
    rules: String,
    /// 语言 Language: zh or en
    #[arg(long, value_parser = super::parse_lang)]
    lang: Option<Lang>,
    #[command(flatten)]
    reading: Reading,
    /// 输出到文件 Write to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let lang = self.lang.unwrap_or_else(super::locale);
        let notation = self.show_notation.unwrap_or(match lang {
            Lang::Zh => Notation::Chinese,
            Lang::En => Notation::Wxf,
        });
        let score = self.find(notation)?;
        let ply = self.ply.unwrap_or(score.played());
        if ply > score.played() {
            let played = score.played();
            bail!("--ply {ply}: 只走到第 {played} 着 / only {played} plies are played");
        }
        let color = !self.svg && !self.html && self.output.is_none() && io::stdout().is_terminal();
        let shown = match (self.svg, self.html) {
            (true, _) => score.svg(ply, lang),
            (_, true) => score.html(ply, lang),
            _ => Some(score.text(ply, lang, color)),
        };
        let shown = shown
            .context("开始局面不明，无法画出 / the start position is not understood: no board")?;
        match &self.output {
            Some(path) => super::create(path, std::slice::from_ref(&self.path))?
                .write_all(shown.as_bytes())
                .with_context(|| path.display().to_string())?,
            None => io::stdout().lock().write_all(shown.as_bytes())?,
        }
        Ok(Outcome::Clean)
    }

    /// The game asked for; games count on from source to source.
    fn find(&self, notation: Notation) -> anyhow::Result<crate::report::GameScore> {
        let options = run::Options {
            from: self.reading.from.0,
            encoding: self.reading.encoding.0,
            replay: self.reading.replay(replay::Options::default().effort),
            moves: true,
            brief: false,
            profile: Some(Arc::new(Profile::load(&self.rules)?)),
            rulings: true,
            duplicates: None,
        };
        let mut before = 0;
        for input in source::inputs(std::slice::from_ref(&self.path)) {
            let input = input?;
            let bytes = input.read()?;
            match run::show(
                &input.name,
                &bytes,
                self.game - before,
                Some(notation.into()),
                &options,
            ) {
                Ok(score) => return Ok(score),
                Err(Some(unread)) if input.named => bail!("{}", reason(&unread)),
                Err(_) => before += games(&input.name, &bytes, &options),
            }
        }
        let path = self.path.display();
        bail!("{path}: 只有 {before} 局 / holds {before} games")
    }
}

/// How many games a source holds.
fn games(name: &str, bytes: &[u8], options: &run::Options) -> u32 {
    let options = run::Options { profile: None, ..options.clone() };
    let mut games = 0;
    run::check(name, bytes, false, &options, &mut |report| games = games.max(report.game));
    games
}

/// Why a source shows nothing.
fn reason(unread: &GameReport) -> String {
    let words = unread.findings.first().map(|finding| &finding.message);
    let words = words.map(|words| format!("{} / {}", words.zh, words.en)).unwrap_or_default();
    format!("{}: {words}", unread.source)
}
