//! The options that the commands share (CONTRACT section 2).

use std::{num::NonZeroUsize, sync::Arc};

use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::{
    finding::{Lang, Selection},
    format::Format,
    notation::Notation,
    replay, report,
    rules::Profile,
    run::{self, Progress},
    source::Encoding,
    table::{Filter, Names},
};

/// How records are read.
#[derive(Args, Debug)]
pub(super) struct Reading {
    /// 棋谱格式 Format of the records: auto, pgn, xqf, cbr, cbl, cbf, dhtmlxq, wxf, ubb, xqr, mxq, ccm, che, chn, moves, csv, json or sheet
    #[arg(long, default_value = "auto", value_name = "FORMAT", value_parser = auto(Format::from_name))]
    pub(super) from: Auto<Format>,
    /// 文字编码 Encoding of the text: auto, utf-8, gb18030, big5, utf-16le, utf-16be
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = auto(Encoding::from_name))]
    pub(super) encoding: Auto<Encoding>,
    /// 记谱法 Notation of the moves: auto, chinese, short, wxf, iccs, uci, san, viet
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = auto(Notation::from_name))]
    pub(super) notation: Auto<Notation>,
    /// 最多列出几种候选 Candidates listed at most
    #[arg(long, default_value_t = 20, value_name = "N")]
    candidates: usize,
    /// 搜索上限（局面数），check 默认 20000 Bound of the searches, in positions; 20000 for check if not given
    #[arg(long, value_name = "N")]
    effort: Option<usize>,
}

impl Reading {
    /// How to replay, with the bound of the searches that this command has by default.
    pub(super) fn replay(&self, effort: usize) -> replay::Options {
        replay::Options {
            notation: self.notation.0,
            candidates: self.candidates,
            effort: self.effort.unwrap_or(effort),
            ..replay::Options::default()
        }
    }
}

/// What is reported, and how.
#[derive(Args, Debug)]
pub(super) struct Reporting {
    /// 报告格式 Format of the report: text, json, jsonl, csv, sarif or html
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    pub(super) format: report::Format,
    /// 只报这些代码（可用前缀） Only these codes; prefixes allowed: QJ3
    #[arg(long, value_delimiter = ',', value_name = "CODES")]
    select: Vec<String>,
    /// 不报这些代码 Not these codes
    #[arg(long, value_delimiter = ',', value_name = "CODES")]
    ignore: Vec<String>,
    /// 语言 Language of messages: zh or en
    #[arg(long, value_parser = super::parse_lang)]
    lang: Option<Lang>,
}

impl Reporting {
    /// The language: for people that of the locale, for programs English.
    pub(super) fn lang(&self) -> Lang {
        let people = matches!(self.format, report::Format::Text | report::Format::Html);
        self.lang.unwrap_or_else(|| if people { super::locale() } else { Lang::En })
    }

    /// The codes asked for.
    pub(super) fn selection(&self) -> anyhow::Result<Selection> {
        Ok(Selection::new(&self.select, &self.ignore)?)
    }
}

/// Which games are studied, and by which rules and names.
#[derive(Args, Debug)]
pub(super) struct Selecting {
    /// 只要这些棋局 Only these games: result=1-0,format=xqf|cbl,year>=1990,player=许银川,code=QJ5
    #[arg(long, value_name = "FILTER", value_parser = crate::table::Filter::parse)]
    only: Option<Filter>,
    /// 别名文件 A TOML file of aliases: [players] and [teams], each "name" = ["other spelling"]
    #[arg(long, value_name = "FILE")]
    aliases: Option<std::path::PathBuf>,
    /// 规则 Rule profile: a name that `qijian rules` lists, or a .toml file
    #[arg(long, default_value = "cxa-classic", value_name = "PROFILE")]
    rules: String,
}

impl Selecting {
    /// How games are studied.
    pub(super) fn studying(&self, reading: &Reading) -> anyhow::Result<run::Studying> {
        let names = match &self.aliases {
            Some(path) => {
                let text =
                    std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
                Names::with_aliases(&text).with_context(|| path.display().to_string())?
            }
            None => Names::default(),
        };
        Ok(run::Studying {
            options: run::Options {
                from: reading.from.0,
                encoding: reading.encoding.0,
                replay: reading.replay(replay::Options::default().effort),
                moves: true,
                brief: false,
                profile: Some(Arc::new(Profile::load(&self.rules)?)),
                rulings: true,
                duplicates: None,
            },
            names: names.into(),
            filter: self.only.clone().unwrap_or_default(),
            duplicates: None,
        })
    }

    /// Whether a filter is given.
    pub(super) fn is_given(&self) -> bool {
        self.only.is_some()
    }

    /// Whether the filter looks at findings, which may come from rulings.
    pub(super) fn asks_for_rulings(&self) -> bool {
        self.only.as_ref().is_some_and(Filter::looks_at_findings)
    }

    /// All of it as text, to be compared when a run is resumed; the aliases by what they say.
    pub(super) fn identity(&self) -> String {
        let aliases = self.aliases.as_ref().map(std::fs::read_to_string).and_then(Result::ok);
        format!("{:?} {aliases:?} {}", self.only, self.rules)
    }
}

/// How many files are worked on.
#[derive(Args, Debug)]
pub(super) struct Working {
    /// 并行数 Jobs at a time; all cores if not given
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// 不印汇总 No summary
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// 进度条 Progress bar: auto or never
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    progress: When,
}

impl Working {
    /// Jobs at a time.
    pub(super) fn jobs(&self) -> NonZeroUsize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(cores)
    }

    /// The progress bar, or none.
    pub(super) fn progress(&self) -> Progress {
        Progress::new(self.progress == When::Auto && !self.quiet)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum When {
    Auto,
    Never,
}

/// Found from the content, or given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Auto<T>(pub(super) Option<T>);

/// A parser of `auto` or a name.
pub(super) fn auto<T: Clone + Send + Sync + 'static>(
    from_name: fn(&str) -> Option<T>,
) -> impl Fn(&str) -> Result<Auto<T>, String> + Clone + Send + Sync + 'static {
    let named = named(from_name);
    move |name| match name {
        "auto" => Ok(Auto(None)),
        _ => named(name).map(|value| Auto(Some(value))),
    }
}

/// A parser of a name.
pub(super) fn named<T: Clone + Send + Sync + 'static>(
    from_name: fn(&str) -> Option<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |name| {
        from_name(name)
            .ok_or_else(|| "不识，名称见 --help / not known; --help lists the names".to_owned())
    }
}
