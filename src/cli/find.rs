//! `qijian find PATH...`

use std::{
    io::{BufWriter, Write},
    path::PathBuf,
};

use clap::Args;
use serde_json::{Value, json};

use crate::{
    finding::Lang,
    format::Format,
    run::{self, Conversion, Join},
    source,
    table::Query,
};

use super::{
    Outcome, complain,
    options::{Reading, Selecting, Working, named},
};

/// Finds games by position, material, first moves or player.
#[derive(Args, Debug)]
pub(super) struct Find {
    /// 文件、目录或压缩包，- 为标准输入 Files, directories or archives; - is standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// 局面 A position; the side to move matters if the FEN names it
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// 子力，如 KRPkr All pieces on the board, such as KRPkr
    #[arg(long, value_name = "LETTERS")]
    material: Option<String>,
    /// 开局着法，逗号分隔 First moves, with commas between: 炮二平五,马8进7
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// 棋手（任一方，写法不论） A player, on either side, in any spelling
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// 不计左右镜像 No mirror images
    #[arg(long)]
    exact: bool,
    /// 输出格式 Format: text, json, jsonl or pgn
    #[arg(long, default_value = "text", value_name = "FORMAT", value_parser = named(Printed::from_name))]
    format: Printed,
    /// 语言 Language: zh or en
    #[arg(long, value_parser = super::parse_lang)]
    lang: Option<Lang>,
    /// 输出到文件 Write to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    selecting: Selecting,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    working: Working,
}

/// How hits are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Printed {
    Text,
    Json,
    Jsonl,
    Pgn,
}

impl Printed {
    fn from_name(name: &str) -> Option<Printed> {
        match name {
            "text" => Some(Printed::Text),
            "json" => Some(Printed::Json),
            "jsonl" => Some(Printed::Jsonl),
            "pgn" => Some(Printed::Pgn),
            _ => None,
        }
    }
}

impl Find {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let mut studying = self.selecting.studying(&self.reading)?;
        if !self.selecting.asks_for_rulings() {
            studying.options.profile = None;
        }
        let mut query = Query::default().exact(self.exact);
        if let Some(fen) = &self.fen {
            query = query.fen(fen)?;
        }
        if let Some(letters) = &self.material {
            query = query.material(letters)?;
        }
        if let Some(moves) = &self.moves {
            query = query.moves(moves)?;
        }
        if let Some(name) = &self.player {
            query = query.player(name, &studying.names)?;
        }
        anyhow::ensure!(
            !query.is_empty() || self.selecting.is_given(),
            "找什么？--fen --material --moves --player --only / what for? --fen, --material, --moves, --player, --only"
        );
        let conversion = (self.format == Printed::Pgn).then(|| Conversion {
            from: studying.options.from,
            from_encoding: studying.options.encoding,
            replay: studying.options.replay.clone(),
            ..Conversion::default()
        });
        let lang = self.lang.unwrap_or_else(super::locale);
        let out: Box<dyn Write> = match &self.output {
            Some(path) => Box::new(super::create(path, &self.paths)?),
            None => Box::new(std::io::stdout().lock()),
        };
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let mut progress = self.working.progress();
        let mut join = Join::new(Format::Pgn, None);
        let (mut failed, mut hits, mut looked_at) = (false, 0u64, 0);
        let mut written = Ok(());
        if self.format == Printed::Json {
            out.write_all(b"{\"games\": [\n")?;
        }
        run::find(
            source::inputs(&self.paths),
            self.working.jobs(),
            &studying,
            &query,
            conversion.as_ref(),
            |matched| {
                if let Some(message) = matched.failed {
                    failed = true;
                    progress.print(|| complain(format_args!("{message}")));
                }
                looked_at += matched.looked_at;
                written = progress.print(|| {
                    for game in &matched.games {
                        let comma =
                            if self.format == Printed::Json && hits > 0 { ",\n" } else { "" };
                        hits += 1;
                        match self.format {
                            Printed::Text => writeln!(out, "{}", line(game, lang))?,
                            Printed::Json => write!(out, "{comma}{game}")?,
                            Printed::Jsonl => writeln!(out, "{game}")?,
                            Printed::Pgn => {}
                        }
                    }
                    out.write_all(&join.next(matched.converted))
                });
                progress.file(matched.bytes);
                written.is_ok()
            },
        );
        drop(progress);
        written?;
        match self.format {
            Printed::Json => {
                let summary = json!({ "hits": hits, "games": looked_at });
                writeln!(out, "\n], \"summary\": {summary}}}")?;
            }
            Printed::Text if !self.working.quiet => {
                let text = match lang {
                    Lang::Zh => format!("{looked_at} 局中找到 {hits} 局"),
                    Lang::En => format!("{hits} of {looked_at} games"),
                };
                writeln!(out, "{text}")?;
            }
            _ => {}
        }
        out.flush()?;
        if run::interrupted() {
            complain(format_args!("已中断 / interrupted"));
            return Ok(Outcome::Failed);
        }
        Ok(if failed { Outcome::Failed } else { Outcome::Clean })
    }
}

/// A hit on one line.
fn line(game: &Value, lang: Lang) -> String {
    let tag = |key: &str| game["tags"][key].as_str().filter(|text| !text.is_empty());
    let names = [tag("red"), tag("black")].map(|name| name.unwrap_or("?").to_owned());
    let event = tag("event").or(tag("title")).unwrap_or_default();
    let source = game["source"].as_str().unwrap_or_default();
    let (number, ply) = (&game["game"], &game["ply"]);
    let mirrored = game["mirrored"] == Value::Bool(true);
    let result = game["result"].as_str().unwrap_or_default();
    let place = match (lang, mirrored) {
        (Lang::Zh, true) => format!("第{number}局 第{ply}着后（镜像）"),
        (Lang::Zh, false) => format!("第{number}局 第{ply}着后"),
        (Lang::En, true) => format!("game {number}, after ply {ply} (mirrored)"),
        (Lang::En, false) => format!("game {number}, after ply {ply}"),
    };
    let text = format!("{source}  {place}  {} – {}  {result}  {event}", names[0], names[1]);
    crate::report::printable(text.trim_end())
}
