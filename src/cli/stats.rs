//! `qijian stats PATH...`

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::{
    finding::{Lang, Words},
    report::{self, Grid},
    run, source,
    table::{
        Filter, Of,
        stats::{self, Asked, By, Spec},
    },
};

use super::{
    Outcome, complain,
    options::{Reading, Selecting, Working, named},
};

/// Counts: tables of results, players, openings and more.
#[derive(Args, Debug)]
pub(super) struct Stats {
    /// 文件、目录或压缩包，- 为标准输入 Files, directories or archives; - is standard input
    #[arg(required_unless_present = "list", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// 表，逗号分隔，不给则全部 Tables, with commas between; all if not given
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = named(stats::named))]
    table: Vec<&'static Spec>,
    /// 列出各表 List the tables
    #[arg(long)]
    list: bool,
    /// 再按何分 Split further: year, event, opening, source, format, result, termination, player, team, side
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS", value_parser = named(By::from_name))]
    by: Vec<By>,
    /// 自某年或某日 From a year or day on: 1990, 1990-05-01
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// 至某年或某日 Up to a year or day
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// 少于此数的组不列 Leave out groups of fewer games
    #[arg(long, default_value_t = 1, value_name = "N")]
    min_games: i64,
    /// 每表最多行数 Rows of a table at most
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// 开局树的着数 Plies of the opening tree
    #[arg(long, default_value_t = 4, value_name = "N")]
    depth: usize,
    /// 两名棋手的交手 Head to head of two players: NAME,NAME
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    players: Vec<String>,
    /// 输出格式 Format: text, csv, json, markdown, parquet or html
    #[arg(long, default_value = "text", value_name = "FORMAT", value_parser = named(Printed::from_name))]
    format: Printed,
    /// 语言 Language: zh or en
    #[arg(long, value_parser = super::parse_lang)]
    lang: Option<Lang>,
    /// 输出到文件；多表的 csv 与 parquet 为目录 Write to a file; to a directory for several tables as csv or parquet
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    selecting: Selecting,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    working: Working,
}

/// How tables are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Printed {
    Text,
    Csv,
    Json,
    Markdown,
    Parquet,
    Html,
}

impl Printed {
    fn from_name(name: &str) -> Option<Printed> {
        match name {
            "text" => Some(Printed::Text),
            "csv" => Some(Printed::Csv),
            "json" => Some(Printed::Json),
            "markdown" => Some(Printed::Markdown),
            "parquet" => Some(Printed::Parquet),
            "html" => Some(Printed::Html),
            _ => None,
        }
    }
}

impl Stats {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let people = matches!(self.format, Printed::Text | Printed::Markdown | Printed::Html);
        let lang = self.lang.unwrap_or(if people { super::locale() } else { Lang::En });
        if self.list {
            let lines = stats::all()
                .map(|table| format!("{:<16}{}\n", table.name, table.title().get(lang)));
            return super::print(&lines.collect::<String>());
        }
        let mut studying = self.selecting.studying(&self.reading)?;
        let bounds = [("date", ">=", &self.since), ("date", "<=", &self.until)];
        for (column, operator, value) in bounds {
            let Some(value) = value else { continue };
            // A year is known more often than the day.
            let column = if value.len() == 4 { "year" } else { column };
            studying.filter =
                studying.filter.and(Filter::parse(&format!("{column}{operator}{value}"))?);
        }
        let tables =
            if self.table.is_empty() { stats::all().collect() } else { self.table.clone() };
        let names: Vec<String> =
            self.players.iter().filter_map(|name| studying.names.key(Of::Player, name)).collect();
        anyhow::ensure!(
            names.len() == self.players.len() && matches!(names.len(), 0 | 2),
            "--players: 要两个名字 / takes two names"
        );
        // Where all tables are asked for, those that cannot be split are left out.
        let asked_all = self.table.is_empty();
        let mut asked = Asked {
            tables,
            by: self.by.clone(),
            min_games: self.min_games,
            limit: self.limit,
            depth: self.depth,
            players: names,
        };
        if asked_all {
            let single = |table: &&'static Spec| {
                Asked { tables: vec![table], ..asked.clone() }.check().is_ok()
            };
            let fit: Vec<_> = asked.tables.iter().copied().filter(|table| single(table)).collect();
            asked.tables = fit;
        }
        asked.check()?;
        // Rulings cost searches: none is made that no table counts.
        let rulings = asked.tables.iter().any(|table| matches!(table.name, "limits" | "findings"));
        if !rulings && !self.selecting.asks_for_rulings() {
            studying.options.profile = None;
        }
        let grids = self.count(&studying, &asked)?;
        let Some((grids, failed)) = grids else { return Ok(Outcome::Failed) };
        self.write(&grids, lang)?;
        Ok(if failed { Outcome::Failed } else { Outcome::Clean })
    }

    fn count(
        &self,
        studying: &run::Studying,
        asked: &Asked,
    ) -> anyhow::Result<Option<(Vec<Grid>, bool)>> {
        let mut progress = self.working.progress();
        let mut failed = false;
        let counted = run::stats(
            source::inputs(&self.paths),
            self.working.jobs(),
            studying,
            asked,
            &mut |bytes, failure| {
                if let Some(message) = failure {
                    failed = true;
                    progress.print(|| complain(format_args!("{message}")));
                }
                progress.file(bytes);
            },
        )?;
        drop(progress);
        if counted.interrupted {
            complain(format_args!("已中断 / interrupted"));
            return Ok(None);
        }
        Ok(Some((counted.grids, failed)))
    }

    fn write(&self, grids: &[Grid], lang: Lang) -> anyhow::Result<()> {
        let several = grids.len() > 1 && matches!(self.format, Printed::Csv | Printed::Parquet);
        if several {
            let extension = if self.format == Printed::Csv { "csv" } else { "parquet" };
            let directory = self.output.as_deref().context(
                "多个表的 csv 与 parquet 须用 -o DIR / several tables as csv or parquet need -o DIR",
            )?;
            for grid in grids {
                let path = directory.join(format!("{}.{extension}", grid.name));
                run::save(&path, &self.rendered(std::slice::from_ref(grid), lang)?, true)?;
            }
            return Ok(());
        }
        let bytes = self.rendered(grids, lang)?;
        match &self.output {
            Some(path) => {
                super::refuse_input(path, &self.paths)?;
                save(path, &bytes)
            }
            None => super::print_bytes(&bytes),
        }
    }

    fn rendered(&self, grids: &[Grid], lang: Lang) -> anyhow::Result<Vec<u8>> {
        let all = |one: &dyn Fn(&Grid) -> String| {
            let texts: Vec<String> = grids.iter().map(one).collect();
            texts.join("\n").into_bytes()
        };
        Ok(match self.format {
            Printed::Text => all(&|grid| grid.text(lang)),
            Printed::Markdown => all(&|grid| grid.markdown(lang)),
            Printed::Csv => all(&Grid::csv),
            Printed::Json => {
                let tables: Vec<_> = grids.iter().map(|grid| grid.json(lang)).collect();
                let mut bytes = serde_json::to_vec(&serde_json::json!({ "tables": tables }))?;
                bytes.push(b'\n');
                bytes
            }
            Printed::Html => {
                let title = Words::new("棋谱统计", "Statistics of game records");
                report::grids_page(&title, grids, lang).into_bytes()
            }
            Printed::Parquet => {
                grids.iter().map(stats::parquet).collect::<Result<Vec<_>, _>>()?.concat()
            }
        })
    }
}

fn save(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| path.display().to_string())
}
