//! `find`: the games of many inputs that have what is looked for.

use std::{collections::BTreeSet, num::NonZeroUsize, sync::Arc};

use serde_json::{Value, json};

use crate::{
    source::{Input, InputError},
    table::{Hit, Query, Study},
};

use super::{
    convert::{Conversion, convert},
    interrupt::interrupted,
    stream::ordered_stream,
    study::{Studying, studies},
};

/// What one input has.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Matched {
    /// The games, as JSON objects: `source`, `game`, `ply`, `mirrored`, `fen` (the position after that ply), `tags`, `result`, `plies`.
    pub games: Vec<Value>,
    /// The games in the format of the conversion, if one was asked for.
    pub converted: Vec<u8>,
    /// Games looked at.
    pub looked_at: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Why a named input cannot be read.
    pub failed: Option<String>,
}

/// Looks for games, and hands what each input has to `sink`, in order; ends early when it returns `false`.
pub fn find(
    inputs: impl Iterator<Item = Result<Input, InputError>> + Send,
    jobs: NonZeroUsize,
    studying: &Studying,
    query: &Query,
    conversion: Option<&Conversion>,
    sink: impl FnMut(Matched) -> bool,
) {
    let work = |input: Result<Input, InputError>, give: &mut dyn FnMut(Matched) -> bool| {
        if !interrupted() {
            give(matched(input, studying, query, conversion));
        }
    };
    ordered_stream(inputs, jobs, work, sink);
}

fn matched(
    input: Result<Input, InputError>,
    studying: &Studying,
    query: &Query,
    conversion: Option<&Conversion>,
) -> Matched {
    let mut matched = Matched::default();
    let (input, bytes) = match input.and_then(|input| input.read().map(|bytes| (input, bytes))) {
        Ok(read) => read,
        Err(error) => {
            let is_fault = error.named || error.finding.is_some();
            matched.failed = is_fault.then(|| error.to_string());
            return matched;
        }
    };
    matched.bytes = bytes.len() as u64;
    let mut numbers = BTreeSet::new();
    studies(&input.name, &bytes, input.named, studying, &mut |study| {
        matched.looked_at += u64::from(study.is_game());
        let holds = || studying.filter.holds(&study, &studying.names);
        if let Some(hit) = query.find(&study).filter(|_| holds()) {
            numbers.insert(study.report.game);
            matched.games.push(object(&study, hit));
        }
    });
    if let Some(conversion) = conversion.filter(|_| !numbers.is_empty()) {
        let conversion = Conversion { only: Some(Arc::new(numbers)), ..conversion.clone() };
        let converted = convert(&input.name, &bytes, input.named, &conversion, &mut |_| {});
        matched.converted = converted.unwrap_or_default();
    }
    matched
}

fn object(study: &Study, hit: Hit) -> Value {
    let report = &study.report;
    let mut tags = serde_json::Map::new();
    for (key, value) in &report.tags {
        // The first tag of a name counts.
        tags.entry(key.clone()).or_insert_with(|| value.as_str().into());
    }
    let fen = study.start.clone().map(|mut position| {
        study.plies.iter().take(hit.ply).for_each(|ply| {
            position.play(ply.mv);
        });
        position.fen()
    });
    json!({
        "source": report.source, "game": report.game, "ply": hit.ply, "mirrored": hit.mirrored,
        "fen": fen, "tags": tags, "result": report.result, "plies": report.plies,
    })
}
