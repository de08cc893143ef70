//! Order tables, rounds and brackets as text, CSV (the columns that results are read from) and JSON.

use serde_json::{Map, Value, json};

use super::{
    Style, TableFormat,
    event_page::{markdown, plain},
    json::to_bytes,
    width::{Align, printable},
};
use crate::{
    event::{Event, Kind, Plan, Planned},
    finding::Lang,
};

/// A plan in `format`; TRF has no form for it and is written as CSV.
pub fn pairings(event: &Event, plan: &Plan, format: TableFormat, style: Style) -> Vec<u8> {
    match format {
        TableFormat::Json | TableFormat::Jsonl => json_of(event, plan, style.lang),
        TableFormat::Csv | TableFormat::Trf => csv_of(event, plan),
        TableFormat::Text => text(event, plan, style.lang, plain).into_bytes(),
        TableFormat::Markdown => text(event, plan, style.lang, markdown).into_bytes(),
    }
}

fn name(event: &Event, plan: &Plan, one: usize) -> String {
    match plan.of_players {
        true => event.players[one].name.clone(),
        false => event.name_of(one).to_owned(),
    }
}

fn id(event: &Event, plan: &Plan, one: usize) -> String {
    match plan.of_players {
        true => event.players[one].id.clone(),
        false => event.id_of(one).to_owned(),
    }
}

fn text(
    event: &Event,
    plan: &Plan,
    lang: Lang,
    set: fn(&[Vec<String>], &[Align]) -> String,
) -> String {
    let say = |zh: &'static str, en: &'static str| match lang {
        Lang::Zh => zh.to_owned(),
        Lang::En => en.to_owned(),
    };
    let stage = &event.stages[plan.stage];
    let mut text = printable(&event.name);
    if !stage.name.is_empty() {
        text.push_str(&format!(" {}", printable(&stage.name)));
    }
    text.push('\n');
    if plan.drawn {
        text.push_str(&match lang {
            Lang::Zh => format!("抽签种子 {}（--seed {} 可重现）\n", plan.seed, plan.seed),
            Lang::En => {
                format!("lots of seed {} (made again by --seed {})\n", plan.seed, plan.seed)
            }
        });
    }
    for note in &plan.notes {
        text.push_str(&printable(note.get(lang)));
        text.push('\n');
    }
    let side = |pair: &Planned, at: usize| {
        let name = printable(&name(event, plan, pair.sides[at]));
        match (pair.numbers, pair.cards) {
            (Some(numbers), _) => format!("{} {name}", numbers[at]),
            (_, Some(_)) => {
                let suit = if at == 0 { say("红", "red ") } else { say("黑", "black ") };
                format!("{name} ({suit}{})", pair.number)
            }
            _ => name,
        }
    };
    for round in &plan.rounds {
        text.push('\n');
        text.push_str(&match lang {
            Lang::Zh => format!("第 {} 轮\n", round.number),
            Lang::En => format!("Round {}\n", round.number),
        });
        let (first, second) = match event.kind {
            Kind::Team if !plan.of_players => (say("先", "first"), say("后", "second")),
            _ => (say("红方", "red"), say("黑方", "black")),
        };
        let mut rows = vec![vec![say("台", "table"), first, second]];
        for pair in &round.pairs {
            rows.push(vec![pair.number.to_string(), side(pair, 0), side(pair, 1)]);
        }
        text.push_str(&set(&rows, &[Align::Right, Align::Left, Align::Left]));
        for bye in &round.byes {
            text.push_str(&format!(
                "{}{}\n",
                say("轮空：", "bye: "),
                printable(&name(event, plan, *bye))
            ));
        }
    }
    text
}

fn csv_of(event: &Event, plan: &Plan) -> Vec<u8> {
    let stage = &event.stages[plan.stage];
    let mut writer = csv::Writer::from_writer(Vec::new());
    let teams = event.kind == Kind::Team && !plan.of_players;
    let head = match teams {
        true => ["stage", "round", "match", "red_team", "black_team", "result"],
        false => ["stage", "round", "match", "red", "black", "result"],
    };
    let mut rows = vec![head.map(str::to_owned)];
    for round in &plan.rounds {
        let row = |number: String, red: String, black: String, result: &str| {
            [stage.name.clone(), round.number.to_string(), number, red, black, result.to_owned()]
        };
        for pair in &round.pairs {
            let [red, black] = pair.sides.map(|one| name(event, plan, one));
            rows.push(row(pair.number.to_string(), red, black, "*"));
        }
        for bye in &round.byes {
            rows.push(row(String::new(), name(event, plan, *bye), String::new(), "bye"));
        }
    }
    for row in rows {
        writer.write_record(row).expect("memory takes every byte, and all rows have one length");
    }
    writer.into_inner().expect("memory takes every byte")
}

fn json_of(event: &Event, plan: &Plan, lang: Lang) -> Vec<u8> {
    let stage = &event.stages[plan.stage];
    let who = |one: usize| json!({"id": id(event, plan, one), "name": name(event, plan, one)});
    let rounds: Vec<Value> = plan
        .rounds
        .iter()
        .map(|round| {
            let pairs: Vec<Value> = round
                .pairs
                .iter()
                .map(|pair| {
                    let mut object = Map::new();
                    object.insert("match".into(), pair.number.into());
                    object.insert("red".into(), who(pair.sides[0]));
                    object.insert("black".into(), who(pair.sides[1]));
                    if let Some(numbers) = pair.numbers {
                        object.insert("numbers".into(), json!(numbers));
                    }
                    Value::Object(object)
                })
                .collect();
            let byes: Vec<Value> = round.byes.iter().map(|one| who(*one)).collect();
            json!({"round": round.number, "pairs": pairs, "byes": byes})
        })
        .collect();
    let notes: Vec<&str> = plan.notes.iter().map(|note| note.get(lang)).collect();
    let whole = json!({
        "event": event.name,
        "profile": event.profile,
        "stage": stage.name,
        "system": stage.system.as_str(),
        "seed": plan.drawn.then_some(plan.seed),
        "rounds": rounds,
        "notes": notes,
    });
    let mut bytes = to_bytes(&whole);
    bytes.push(b'\n');
    bytes
}
