//! `qijian pair EVENT`

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::{
    event::{self, Event},
    finding::Lang,
    report::{self, TableFormat},
};

use super::{Outcome, standings::Common};

/// Prints what is to be played: an order table, the next round, a bracket, cards.
#[derive(Args, Debug)]
pub(super) struct Pair {
    /// 赛事文件（.toml 或 TRF） The event file, or a FIDE TRF file
    event: PathBuf,
    /// 输出格式 text, markdown, csv or json; csv has the columns of a table of results
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    format: TableFormat,
    /// 第几轮（不给则为下一轮） Which round; the next one, or the whole order table
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// 哪个阶段 Which stage; the last one that has entrants
    #[arg(long, value_name = "NAME")]
    stage: Option<String>,
    /// 抽签种子（文件所写，否则 1） Seed of the lots; the file's, else 1
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// 蛇形分组 Seeds the entrants into so many groups
    #[arg(long, value_name = "N", conflicts_with_all = ["round", "line_ups", "rapid"])]
    groups: Option<usize>,
    /// 列出可能的出场顺序（12.2） Lists the line-ups that each team may choose from
    #[arg(long, conflicts_with_all = ["round", "rapid"])]
    line_ups: bool,
    /// 为打平的场次抽快棋加赛的棋手 Draws the players of the rapid tie-breaks of --round
    #[arg(long, requires = "round")]
    rapid: bool,
    #[command(flatten)]
    common: Common,
}

impl Pair {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let loaded = self.common.load(&self.event)?;
        let event = &loaded.event;
        let style = self.common.style(self.format);
        let seed = self.seed.or(event.seed).unwrap_or(1);
        // What is mistaken in the file may pair the wrong people: it is said, and the exit status tells.
        let findings = report::event_findings(event, &loaded.mistakes, style);
        std::io::Write::write_all(&mut std::io::stderr(), findings.as_bytes())?;
        let stage = self.stage(event)?;
        let bytes = if let Some(groups) = self.groups {
            groups_text(event, stage, groups.clamp(1, 1000), seed, style.lang).into_bytes()
        } else if self.line_ups {
            line_ups_text(event).into_bytes()
        } else if let (true, Some(round)) = (self.rapid, self.round) {
            rapid_text(event, stage, round, seed, style.lang).into_bytes()
        } else {
            let plan =
                event::plan(event, stage, self.round, seed).map_err(|error| match style.lang {
                    Lang::Zh => anyhow::anyhow!("{}", error.0.zh),
                    Lang::En => anyhow::anyhow!("{}", error.0.en),
                })?;
            report::pairings(event, &plan, self.format, style)
        };
        self.common.write(&bytes)?;
        Ok(if loaded.has_errors() { Outcome::Errors } else { Outcome::Clean })
    }

    fn stage(&self, event: &Event) -> anyhow::Result<usize> {
        match &self.stage {
            Some(name) => event
                .stages
                .iter()
                .position(|stage| stage.name == *name)
                .with_context(|| format!("没有阶段 / no stage {name:?}")),
            None => {
                Ok(event.stages.iter().rposition(|stage| !stage.entrants.is_empty()).unwrap_or(0))
            }
        }
    }
}

/// Groups by snake, numbers drawn within each group.
fn groups_text(event: &Event, stage: usize, groups: usize, seed: u64, lang: Lang) -> String {
    let mut entrants = event.stages[stage].entrants.clone();
    entrants.sort_by(|a, b| {
        let strength = |one: usize| {
            let (number, rating, name, id) = event.key_of(one);
            (rating, number, name, id)
        };
        strength(*a).cmp(&strength(*b))
    });
    let mut text = match lang {
        Lang::Zh => format!("抽签种子 {seed}\n"),
        Lang::En => format!("lots of seed {seed}\n"),
    };
    for (index, group) in event::snake(entrants.len(), groups).into_iter().enumerate() {
        text.push_str(&match lang {
            Lang::Zh => format!("\n第 {} 组\n", index + 1),
            Lang::En => format!("\nGroup {}\n", index + 1),
        });
        let drawn = event::Lots::for_purpose(seed, &format!("group {index}")).shuffled(group.len());
        for (number, at) in (1..).zip(drawn) {
            text.push_str(&format!("{number:>3} {}\n", event.name_of(entrants[group[at]])));
        }
    }
    text
}

fn line_ups_text(event: &Event) -> String {
    let mut text = String::new();
    for team in &event.teams {
        text.push_str(&format!("{}\n", team.name));
        // More than anybody chooses from; a list of thirty for fifteen boards has 155 million.
        for line_up in event::line_ups(team.roster.len(), event.boards as usize, 1000) {
            let places: Vec<String> = line_up.iter().map(usize::to_string).collect();
            let names: Vec<&str> = line_up
                .iter()
                .map(|place| event.players[team.roster[place - 1]].name.as_str())
                .collect();
            text.push_str(&format!("  {}  {}\n", places.join("-"), names.join(" ")));
        }
    }
    text
}

fn rapid_text(event: &Event, stage: usize, round: u32, seed: u64, lang: Lang) -> String {
    let mut text = match lang {
        Lang::Zh => format!("抽签种子 {seed}，主队执先\n"),
        Lang::En => format!("lots of seed {seed}; the home player has Red\n"),
    };
    for [home, away] in event::rapid_draw(event, stage, round, seed) {
        let named = |player: usize| {
            let player = &event.players[player];
            let team = player.team.map_or("", |team| event.teams[team].name.as_str());
            format!("{team} {}", player.name)
        };
        text.push_str(&format!("{} - {}\n", named(home), named(away)));
    }
    text
}
