//! The standings of an event: text tables, Markdown, CSV, and the JSON of CONTRACT section 4.

use std::{fmt, str::FromStr};

use serde_json::{Map, Value, json};

use super::{
    GameReport, Renderer, Style,
    event_page::page,
    json::{FindingJson, to_bytes},
};
use crate::{
    event::{Bound, Event, Kind, Ranking, Standings, personal_table},
    finding::{Finding, Lang},
};

/// A format of standings and pairings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFormat {
    /// Aligned tables for people.
    Text,
    /// Tables in Markdown.
    Markdown,
    /// One row an entrant.
    Csv,
    /// One object.
    Json,
    /// The same on one line.
    Jsonl,
    /// FIDE's tournament report file, for individual events of one stage.
    Trf,
}

impl FromStr for TableFormat {
    type Err = super::UnknownFormat;

    fn from_str(name: &str) -> Result<TableFormat, super::UnknownFormat> {
        Ok(match name {
            "text" => TableFormat::Text,
            "markdown" | "md" => TableFormat::Markdown,
            "csv" => TableFormat::Csv,
            "json" => TableFormat::Json,
            "jsonl" => TableFormat::Jsonl,
            "trf" => TableFormat::Trf,
            _ => return Err(super::UnknownFormat(name.to_owned())),
        })
    }
}

/// Standings in `format`; findings are part of it, except in CSV, which has rows of the table only.
pub fn standings(standings: &Standings<'_>, format: TableFormat, style: Style) -> Vec<u8> {
    match format {
        TableFormat::Json | TableFormat::Jsonl => json_of(standings, style.lang),
        TableFormat::Csv => csv_of(standings),
        TableFormat::Trf => crate::event::write_trf(standings).into_bytes(),
        TableFormat::Text | TableFormat::Markdown => {
            page(standings, format == TableFormat::Markdown, style).into_bytes()
        }
    }
}

/// The findings about an event as text, those of each source together.
pub fn event_findings(event: &Event, findings: &[Finding], style: Style) -> String {
    let renderer = Renderer::new(super::Format::Text, style);
    let mut blocks = Vec::new();
    for (index, source) in event.sources.iter().enumerate() {
        let mut report = GameReport::new(source.name.clone(), 0);
        let of = |finding: &&Finding| match finding.data.get("source").and_then(Value::as_str) {
            Some(name) => name == source.name,
            None => index == 0,
        };
        report.findings = findings.iter().filter(of).cloned().collect();
        if !report.findings.is_empty() {
            blocks.push(String::from_utf8_lossy(&renderer.game(&report)).into_owned());
        }
    }
    blocks.join("\n")
}

fn ranking_json(
    event: &Event,
    ranking: &Ranking,
    name: impl Fn(usize) -> (String, String),
) -> Vec<Value> {
    let row = |row: &crate::event::Rank| {
        let (id, entrant) = name(row.entrant);
        let tie_breaks: Vec<Value> = row
            .tie_breaks
            .iter()
            .map(|(criterion, value)| {
                json!({"name": criterion.as_str(), "value": value.map(|value| value.to_string())})
            })
            .collect();
        json!({
            "place": row.place,
            "shared": row.shared > 1,
            "id": id,
            "name": entrant,
            "points": row.points.to_string(),
            "tie_breaks": tie_breaks,
            "decided_by": row.decided_by,
        })
    };
    let _ = event;
    ranking.iter().map(row).collect()
}

fn bounds_json(event: &Event, bounds: &[Bound]) -> Vec<Value> {
    let row = |bound: &Bound| {
        json!({
            "id": event.id_of(bound.entrant),
            "name": event.name_of(bound.entrant),
            "best": bound.best,
            "worst": bound.worst,
            "points": [bound.points.0.to_string(), bound.points.1.to_string()],
            "exact": bound.exact,
        })
    };
    bounds.iter().map(row).collect()
}

fn json_of(standings: &Standings<'_>, lang: Lang) -> Vec<u8> {
    let event = standings.event;
    let entrant = |one: usize| (event.id_of(one).to_owned(), event.name_of(one).to_owned());
    let team = |one: usize| (event.teams[one].id.clone(), event.teams[one].name.clone());
    let mut whole = Map::new();
    whole.insert("event".into(), event.name.clone().into());
    whole.insert("profile".into(), event.profile.clone().into());
    whole.insert("ranking".into(), ranking_json(event, &standings.ranking, entrant).into());
    let last = standings.stages.last();
    let bounds = last.map_or_else(Vec::new, |stage| bounds_json(event, &stage.bounds));
    whole.insert("bounds".into(), bounds.into());
    if standings.stages.len() > 1 {
        let stages: Vec<Value> = standings
            .stages
            .iter()
            .map(|stage| {
                let of = &event.stages[stage.table.stage];
                json!({
                    "name": of.name,
                    "system": of.system.as_str(),
                    "ranking": ranking_json(event, &stage.ranking, entrant),
                    "bounds": bounds_json(event, &stage.bounds),
                })
            })
            .collect();
        whole.insert("stages".into(), stages.into());
    }
    if let Some(members) = &standings.members {
        whole.insert("teams".into(), ranking_json(event, members, team).into());
    }
    if event.kind == Kind::Team {
        let players: Vec<Value> = personal_table(event)
            .iter()
            .map(|row| {
                let player = &event.players[row.player];
                json!({
                    "name": player.name,
                    "team": player.team.map(|team| event.teams[team].name.as_str()),
                    "games": row.games,
                    "won": row.record[0],
                    "drawn": row.record[1],
                    "lost": row.record[2],
                    "points": row.points.to_string(),
                })
            })
            .collect();
        whole.insert("players".into(), players.into());
    }
    if !event.header.is_empty() || !event.notes.is_empty() {
        let header: Map<String, Value> = event
            .header
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone().into()))
            .collect();
        whole.insert("header".into(), header.into());
        let notes: Vec<Value> = event
            .notes
            .iter()
            .map(|note| json!({"article": note.article, "text": note.text}))
            .collect();
        whole.insert("notes".into(), notes.into());
    }
    let findings: Vec<Value> = standings
        .findings
        .iter()
        .filter_map(|finding| serde_json::to_value(FindingJson::new(finding, lang)).ok())
        .collect();
    whole.insert("findings".into(), findings.into());
    let mut bytes = to_bytes(&Value::Object(whole));
    bytes.push(b'\n');
    bytes
}

fn csv_of(standings: &Standings<'_>) -> Vec<u8> {
    let event = standings.event;
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for stage in &standings.stages {
        let of = &event.stages[stage.table.stage];
        let criteria = of.criteria.iter().map(|criterion| criterion.as_str().to_owned());
        let head = ["stage", "place", "shared", "id", "name", "team", "points"].map(str::to_owned);
        let tail = ["decided_by", "best", "worst"].map(str::to_owned);
        let criteria: Vec<String> =
            if of.system.is_knockout() { Vec::new() } else { criteria.collect() };
        let mut rows = vec![[&head[..], &criteria, &tail].concat()];
        for row in &stage.ranking {
            let bound = stage.bounds.iter().find(|bound| bound.entrant == row.entrant);
            let place =
                |place: Option<u32>| place.map(|place| place.to_string()).unwrap_or_default();
            let mut cells = vec![
                of.name.clone(),
                row.place.to_string(),
                (row.shared > 1).to_string(),
                event.id_of(row.entrant).to_owned(),
                event.name_of(row.entrant).to_owned(),
                team_of(event, row.entrant),
                row.points.to_string(),
            ];
            cells.extend(row.tie_breaks.iter().map(|(_, value)| cell(*value)));
            cells.push(row.decided_by.unwrap_or_default().to_owned());
            cells.push(place(bound.map(|bound| bound.best)));
            cells.push(place(bound.map(|bound| bound.worst)));
            rows.push(cells);
        }
        for row in rows {
            writer
                .write_record(row)
                .expect("memory takes every byte, and rows may differ in length");
        }
    }
    writer.into_inner().expect("memory takes every byte")
}

pub(super) fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

pub(super) fn team_of(event: &Event, entrant: usize) -> String {
    match event.kind {
        Kind::Individual => event.players[entrant]
            .team
            .map(|team| event.teams[team].name.clone())
            .unwrap_or_default(),
        Kind::Team => String::new(),
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableFormat::Text => "text",
            TableFormat::Markdown => "markdown",
            TableFormat::Csv => "csv",
            TableFormat::Json => "json",
            TableFormat::Jsonl => "jsonl",
            TableFormat::Trf => "trf",
        })
    }
}
