//! What is wrong with an event as it was played: pairings, colours, line-ups, results, sanctions (`QJ9xx`).

mod colours;
mod knockout;
mod line_up;
mod order;
mod pairings;
mod published;
mod rapid;
mod results;
mod sanctions;

use crate::finding::{Code, Finding, Severity, Words};

use super::{
    model::{Encounter, Event, Origin, Stage},
    standings::StageStandings,
};

/// Everything that is wrong with the pairings and results of an event, in the order of the file.
pub fn audit(event: &Event, stages: &[StageStandings<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for standings in stages {
        let index = standings.table.stage;
        let mut audit = Audit {
            event,
            index,
            stage: &event.stages[index],
            last: standings.table.after_round,
            standings,
            findings: &mut findings,
        };
        audit.pairings();
        audit.order();
        audit.colours();
        audit.line_ups();
        audit.results();
        audit.rapid();
        audit.knockout();
        audit.published();
    }
    sanctions::audit(event, &mut findings);
    findings
}

/// The audit of one stage.
struct Audit<'a> {
    event: &'a Event,
    index: usize,
    stage: &'a Stage,
    last: Option<u32>,
    standings: &'a StageStandings<'a>,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Audit<'a> {
    /// The encounters up to the round that is asked for.
    fn encounters(&self) -> impl Iterator<Item = &'a Encounter> + use<'a> {
        let last = self.last;
        self.stage
            .encounters
            .iter()
            .filter(move |one| last.is_none_or(|last| one.round.is_some_and(|round| round <= last)))
    }

    /// Adds a finding about an entry, with the stage, the round and the names concerned.
    fn report(
        &mut self,
        code: Code,
        severity: Option<Severity>,
        article: Option<&'static str>,
        about: &About,
        words: Words,
    ) {
        let names: Vec<&str> = about.entrants.iter().map(|one| self.event.name_of(*one)).collect();
        let mut finding = Finding::new(code, in_round(about.round, &self.stage.name, words));
        finding.severity = severity.unwrap_or(finding.severity);
        if let Some(article) = article {
            finding.article = Some(article.into());
        }
        finding = finding.with("stage", self.stage.name.as_str()).with("round", about.round);
        if !names.is_empty() {
            finding = finding.with("entrants", names);
        }
        if let Some(source) = about.origin.filter(|origin| origin.source > 0) {
            finding = finding.with("source", self.event.sources[source.source].name.as_str());
        }
        self.findings.push(finding.at(self.event.place(about.origin)));
    }

    /// Adds `value` to the data of the last finding.
    fn with(&mut self, key: &str, value: impl Into<serde_json::Value>) {
        if let Some(last) = self.findings.last_mut() {
            last.data.insert(key.to_owned(), value.into());
        }
    }

    /// What to do about the last finding.
    fn help(&mut self, words: Words) {
        if let Some(last) = self.findings.last_mut() {
            last.help = Some(words);
        }
    }
}

/// What a finding is about.
#[derive(Clone, Default)]
struct About {
    round: Option<u32>,
    entrants: Vec<usize>,
    origin: Option<Origin>,
}

impl About {
    fn new(round: Option<u32>, entrants: &[usize], origin: Option<Origin>) -> About {
        About { round, entrants: entrants.to_vec(), origin }
    }

    fn encounter(encounter: &Encounter, entrants: &[usize]) -> About {
        About::new(encounter.round, entrants, encounter.origin)
    }
}

/// The words with stage and round in front.
fn in_round(round: Option<u32>, stage: &str, words: Words) -> Words {
    let (zh, en) = match (stage.is_empty(), round) {
        (true, None) => return words,
        (true, Some(round)) => (format!("第 {round} 轮："), format!("round {round}: ")),
        (false, None) => (format!("{stage}："), format!("{stage}: ")),
        (false, Some(round)) => {
            (format!("{stage}第 {round} 轮："), format!("{stage}, round {round}: "))
        }
    };
    Words::new(zh + &words.zh, en + &words.en)
}
