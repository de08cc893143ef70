//! FIDE's tournament report file (TRF16 and the fields of TRFx): fixed columns, for individual events (red = white).

use super::{
    file::Kind,
    model::{Event, Mark},
    standings::Standings,
    table::{Line, Meeting, Table},
};

/// Writes the first stage of an individual event as TRF; players are numbered in the order of the stage's entrants.
/// What TRF cannot hold (teams as entrants, erased results, several games an encounter) is left out with a `###` line
/// that says so.
pub fn write_trf(standings: &Standings<'_>) -> String {
    let event = standings.event;
    let mut text = format!("012 {}\n", one_line(&event.name));
    let get = |key: &str| event.header.iter().find(|(name, _)| *name == key).map(|(_, value)| value);
    for (code, key) in [("022", "place"), ("042", "date"), ("102", "chief_arbiter"), ("122", "time_control")] {
        if let Some(value) = get(key) {
            text.push_str(&format!("{code} {}\n", one_line(value)));
        }
    }
    let Some(stage) = standings.stages.first().filter(|_| event.kind == Kind::Individual) else {
        text.push_str("### TRF holds individual events only\n");
        return text;
    };
    let table = &stage.table;
    if standings.stages.len() > 1 {
        text.push_str("### only the first stage is written\n");
    }
    let rounds = table.encounters.iter().filter_map(|one| one.round).max().unwrap_or(0);
    let planned = event.stages[table.stage].rounds.unwrap_or(rounds).max(rounds);
    text.push_str(&format!("062 {}\n", table.lines.len()));
    let rated = table.lines.iter().filter(|line| event.rating_of(line.entrant).is_some()).count();
    text.push_str(&format!("072 {rated}\n092 {}\n", event.stages[table.stage].system.as_str()));
    text.push_str(&format!("XXR {planned}\n"));
    let several = table.encounters.iter().any(|one| one.games.len() > 1);
    if several {
        text.push_str("### of encounters of several games the first is written\n");
    }
    for (index, line) in table.lines.iter().enumerate() {
        let place = stage.ranking.iter().find(|row| row.entrant == line.entrant).map_or(0, |row| row.place);
        text.push_str(&player(event, table, index, line, place, rounds));
        text.push('\n');
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A `001` line: number 5–8, name 15–47, rating 49–52, points 81–84, place 86–89, then ten columns a round.
fn player(event: &Event, table: &Table<'_>, index: usize, line: &Line, place: u32, rounds: u32) -> String {
    let name: String = one_line(event.name_of(line.entrant)).chars().take(33).collect();
    let rating = event.rating_of(line.entrant).map(|rating| rating.to_string()).unwrap_or_default();
    // Points of TRF are 1, 0.5 and 0 whatever the event's scale is; the result codes say the same.
    let halves: u32 = line.meetings.iter().map(|meeting| halves(event, meeting)).sum();
    let points = format!("{}.{}", halves / 2, if halves % 2 == 1 { 5 } else { 0 });
    let mut text = format!(
        "001 {:>4}      {name:<33} {rating:>4}{:28}{points:>4} {place:>4}",
        index + 1,
        ""
    );
    for round in 1..=rounds {
        let meeting = line.meetings.iter().find(|meeting| meeting.round == Some(round));
        text.push_str(&cell(event, table, line, meeting));
    }
    text.trim_end().to_owned()
}

fn halves(event: &Event, meeting: &Meeting) -> u32 {
    let rules = &event.rules;
    match meeting.points {
        points if points == rules.win => 2,
        points if points == rules.draw => 1,
        _ => 0,
    }
}

fn cell(event: &Event, table: &Table<'_>, line: &Line, meeting: Option<&Meeting>) -> String {
    let Some(meeting) = meeting else { return format!("  {:>4} - Z", "0000") };
    let Some(opponent) = meeting.opponent else {
        let code = match halves(event, meeting) {
            2 => 'U',
            1 => 'H',
            _ => 'Z',
        };
        return format!("  {:>4} - {code}", "0000");
    };
    let encounter = &table.encounters[meeting.encounter];
    let game = encounter.games.first();
    let mine = encounter.side_of(line.entrant).unwrap_or(0);
    let has_red = game.is_none_or(|game| game.red == mine);
    let code = match game.map_or(Mark::Open, |game| game.mark) {
        Mark::RedWins => if has_red { '1' } else { '0' },
        Mark::BlackWins => if has_red { '0' } else { '1' },
        Mark::Draw => '=',
        Mark::RedByForfeit => if has_red { '+' } else { '-' },
        Mark::BlackByForfeit => if has_red { '-' } else { '+' },
        Mark::BothForfeit => '-',
        Mark::BothLose => '0',
        Mark::Void | Mark::Open => ' ',
    };
    format!("  {:>4} {} {code}", opponent + 1, if has_red { 'w' } else { 'b' })
}
