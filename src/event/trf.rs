//! FIDE's tournament report file (TRF16 and the fields of TRFx): fixed columns, for individual events (red = white).

use std::collections::BTreeMap;

use toml::Spanned;

use crate::{
    finding::{Span, Words},
    rules::Exact,
};

use super::{
    file::{
        File, GameEntry, Header, Kind, NoteEntry, PlayerEntry, PublishedEntry, Reference, System,
        Tables,
    },
    load::{LIMIT, Mistakes},
    mark::Mark,
    model::{Event, Origin, Source},
    standings::Standings,
    table::{Line, Meeting, Table},
};

/// Writes the first stage of an individual event as TRF; players are numbered in the order of the stage's entrants.
/// What TRF cannot hold (teams as entrants, erased results, several games an encounter) is left out with a `###` line
/// that says so.
pub fn write_trf(standings: &Standings<'_>) -> String {
    let event = standings.event;
    let mut text = format!("012 {}\n", one_line(&event.name));
    let get =
        |key: &str| event.header.iter().find(|(name, _)| *name == key).map(|(_, value)| value);
    for (code, key) in
        [("022", "place"), ("042", "date"), ("102", "chief_arbiter"), ("122", "time_control")]
    {
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
    // More rounds than this are a slip of somebody's pen, and every player would have a cell for each.
    let rounds = table.encounters.iter().filter_map(|one| one.round).max().unwrap_or(0).min(1000);
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
        let place =
            stage.ranking.iter().find(|row| row.entrant == line.entrant).map_or(0, |row| row.place);
        text.push_str(&player(event, table, index, line, place, rounds));
        text.push('\n');
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A `001` line: number 5–8, name 15–47, rating 49–52, points 81–84, place 86–89, then ten columns a round.
fn player(
    event: &Event,
    table: &Table<'_>,
    index: usize,
    line: &Line,
    place: u32,
    rounds: u32,
) -> String {
    let name: String = one_line(event.name_of(line.entrant)).chars().take(33).collect();
    let rating = event.rating_of(line.entrant).map(|rating| rating.to_string()).unwrap_or_default();
    // Points of TRF are 1, 0.5 and 0 whatever the event's scale is; the result codes say the same.
    let halves: u32 = line.meetings.iter().map(|meeting| halves(event, meeting)).sum();
    let points = format!("{}.{}", halves / 2, if halves % 2 == 1 { 5 } else { 0 });
    let mut text =
        format!("001 {:>4}      {name:<33} {rating:>4}{:28}{points:>4} {place:>4}", index + 1, "");
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
        Mark::RedWins => {
            if has_red {
                '1'
            } else {
                '0'
            }
        }
        Mark::BlackWins => {
            if has_red {
                '0'
            } else {
                '1'
            }
        }
        Mark::Draw => '=',
        Mark::RedByForfeit => {
            if has_red {
                '+'
            } else {
                '-'
            }
        }
        Mark::BlackByForfeit => {
            if has_red {
                '-'
            } else {
                '+'
            }
        }
        Mark::BothForfeit => '-',
        Mark::BothLose => '0',
        Mark::Void | Mark::Open => ' ',
    };
    format!("  {:>4} {} {code}", opponent + 1, if has_red { 'w' } else { 'b' })
}

/// Whether `text` begins with a line of a TRF file.
pub(super) fn is_trf(text: &str) -> bool {
    let first = text.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| {
        let mut chars = line.chars();
        let code: Vec<char> = chars.by_ref().take(3).collect();
        let is_code = code.len() == 3 && code.iter().all(char::is_ascii_digit);
        (is_code && chars.next().is_none_or(|c| c == ' ')) || line.starts_with("###")
    })
}

/// One cell of a player's line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    opponent: u32,
    has_red: Option<bool>,
    result: char,
}

/// The characters `from..=to` of a line, counted from 1.
fn columns(line: &str, from: usize, to: usize) -> String {
    let cut: String = line.chars().skip(from - 1).take(to + 1 - from).collect();
    cut.trim().to_owned()
}

/// A TRF file as an event file: players, results, and the printed points and places as published ones.
pub(super) fn read(source: &Source, mistakes: &mut Mistakes) -> File {
    let mut header = Header {
        name: String::new(),
        kind: Some(Kind::Individual),
        system: Some(System::Swiss),
        ..Header::default()
    };
    let mut players: Tables<PlayerEntry> = Vec::new();
    let mut published = Vec::new();
    let mut cells: BTreeMap<u32, (Vec<Cell>, std::ops::Range<usize>)> = BTreeMap::new();
    let mut unused = std::collections::BTreeSet::new();
    let mut at = 0;
    for raw in source.text.split_inclusive('\n') {
        let range = at..at + raw.trim_end().len();
        at += raw.len();
        let line = raw.trim_end().trim_start_matches('\u{feff}');
        let code: String = line.chars().take(3).collect();
        let rest = columns(line, 5, line.chars().count().max(5));
        match code.as_str() {
            "012" => header.name = rest,
            "022" => header.place = Some(rest),
            "042" => header.date = Some(rest),
            "102" => header.chief_arbiter = Some(rest),
            "122" => header.time_control = Some(rest),
            "092" if rest.to_ascii_lowercase().contains("round") => {
                header.system = Some(System::RoundRobin)
            }
            "142" | "XXR" => {
                header.rounds = rest.split_whitespace().next().and_then(|n| n.parse().ok())
            }
            "001" if players.len() < LIMIT => {
                let place = Origin { source: 0, span: Span::new(range.start, range.end) };
                let Ok(number) = columns(line, 5, 8).parse::<u32>() else {
                    mistakes.add(place, Words::new("号码读不出", "the number cannot be read"));
                    continue;
                };
                let name = columns(line, 15, 47);
                players.push(Spanned::new(
                    range.clone(),
                    PlayerEntry {
                        name: if name.is_empty() { number.to_string() } else { name },
                        no: Some(number),
                        aliases: Vec::new(),
                        team: None,
                        rating: columns(line, 49, 52).parse().ok().filter(|rating| *rating > 0),
                        board: None,
                        reserve: false,
                    },
                ));
                let points: Option<Exact> = columns(line, 81, 84).parse().ok();
                let rank = columns(line, 86, 89).parse().ok().filter(|place| *place > 0);
                if points.is_some() || rank.is_some() {
                    published.push(Spanned::new(
                        range.clone(),
                        PublishedEntry {
                            stage: None,
                            after_round: None,
                            entrant: Spanned::new(range.clone(), Reference(number.to_string())),
                            points,
                            place: rank,
                            tie_breaks: BTreeMap::new(),
                        },
                    ));
                }
                let read = player_cells(line, place, mistakes);
                if cells.insert(number, (read, range)).is_some() {
                    mistakes.add(place, Words::new("号码重复", "the number is there twice"));
                }
            }
            "" | "###" | "032" | "052" | "062" | "072" | "082" | "092" | "112" | "132" => {}
            _ => {
                unused.insert(code);
            }
        }
    }
    if header.name.is_empty() {
        header.name.clone_from(&source.name);
    }
    let game = games(&cells, mistakes);
    let mut note = Vec::new();
    if !unused.is_empty() {
        let codes: Vec<String> = unused.into_iter().take(50).collect();
        let text = format!("TRF fields that are not used: {}", codes.join(", "));
        note.push(Spanned::new(0..0, NoteEntry { text, article: None }));
    }
    File { event: header, player: players, game, published, note, ..File::default() }
}

fn player_cells(line: &str, place: Origin, mistakes: &mut Mistakes) -> Vec<Cell> {
    let mut cells = Vec::new();
    let width = line.chars().count();
    let mut from = 92;
    while from <= width && cells.len() < 1000 {
        let (opponent, colour, result) = (
            columns(line, from, from + 3),
            columns(line, from + 5, from + 5),
            columns(line, from + 7, from + 7),
        );
        let opponent = if opponent.is_empty() { Ok(0) } else { opponent.parse::<u32>() };
        let has_red = match colour.as_str() {
            "w" | "W" => Some(true),
            "b" | "B" => Some(false),
            _ => None,
        };
        match (opponent, result.chars().next()) {
            (Ok(opponent), result) => {
                cells.push(Cell {
                    opponent,
                    has_red,
                    result: result.unwrap_or(' ').to_ascii_uppercase(),
                });
            }
            (Err(_), _) => {
                mistakes.add(
                    place,
                    Words::new(
                        format!("第 {} 轮读不出", cells.len() + 1),
                        format!("round {} cannot be read", cells.len() + 1),
                    ),
                );
                cells.push(Cell { opponent: 0, has_red: None, result: ' ' });
            }
        }
        from += 10;
    }
    cells
}

/// The games of all cells; what two cells of one game say is compared.
fn games(
    cells: &BTreeMap<u32, (Vec<Cell>, std::ops::Range<usize>)>,
    mistakes: &mut Mistakes,
) -> Tables<GameEntry> {
    let mut games = Vec::new();
    for (number, (own, range)) in cells {
        let place = Origin { source: 0, span: Span::new(range.start, range.end) };
        for (index, cell) in own.iter().enumerate() {
            let round = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let reference = |number: u32| Some(Reference(number.to_string()));
            if cell.opponent == 0 {
                // U and F are byes with the points of a win; H, half a point, has no entry of its own in our tables.
                let result = match cell.result {
                    'U' | 'F' | '+' | '1' | 'W' => "bye",
                    'H' | '=' | 'D' => {
                        let words = Words::new(
                            format!("第 {round} 轮的半分轮空按本赛事的轮空计"),
                            format!(
                                "the half-point bye of round {round} counts as this event's byes do"
                            ),
                        );
                        mistakes.add(place, words);
                        "bye"
                    }
                    _ => continue,
                };
                let game = GameEntry {
                    round: Some(round),
                    red: reference(*number),
                    result: result.to_owned(),
                    ..GameEntry::default()
                };
                games.push(Spanned::new(range.clone(), game));
                continue;
            }
            let other = cells.get(&cell.opponent).and_then(|(cells, _)| cells.get(index));
            let mirrored = other.is_some_and(|other| {
                other.opponent == *number
                    && (other.has_red != cell.has_red || cell.has_red.is_none())
                    && fits(cell.result, other.result)
            });
            if !mirrored {
                mistakes.add(
                    place,
                    Words::new(
                        format!("第 {round} 轮与对手（{}）所记不符", cell.opponent),
                        format!("round {round} is not what the opponent ({}) has", cell.opponent),
                    ),
                );
            }
            let has_red = cell.has_red.unwrap_or(*number < cell.opponent);
            // Each game once, from the side with Red, or from the only one that has it.
            let opponent_tells = other.is_some_and(|other| other.opponent == *number);
            if !has_red && opponent_tells {
                continue;
            }
            let mark = match cell.result {
                '1' | 'W' => Mark::RedWins,
                '0' | 'L' if other.is_some_and(|other| matches!(other.result, '0' | 'L')) => {
                    Mark::BothLose
                }
                '0' | 'L' => Mark::BlackWins,
                '=' | 'D' => Mark::Draw,
                '+' => Mark::RedByForfeit,
                '-' if other.is_some_and(|other| other.result == '-') => Mark::BothForfeit,
                '-' => Mark::BlackByForfeit,
                _ => Mark::Open,
            };
            let (red, black) = (*number, cell.opponent);
            let mark = match (has_red, mark) {
                (false, Mark::RedWins) => Mark::BlackWins,
                (false, Mark::BlackWins) => Mark::RedWins,
                (false, Mark::RedByForfeit) => Mark::BlackByForfeit,
                (false, Mark::BlackByForfeit) => Mark::RedByForfeit,
                (_, mark) => mark,
            };
            let (red, black) = if has_red { (red, black) } else { (black, red) };
            let game = GameEntry {
                round: Some(round),
                red: reference(red),
                black: reference(black),
                result: mark.as_str().to_owned(),
                ..GameEntry::default()
            };
            games.push(Spanned::new(range.clone(), game));
        }
    }
    games
}

/// Whether the results of the two sides of a game fit each other.
fn fits(one: char, other: char) -> bool {
    matches!(
        (one, other),
        ('1' | 'W', '0' | 'L')
            | ('0' | 'L', '1' | 'W' | '0' | 'L')
            | ('=' | 'D', '=' | 'D')
            | ('+', '-')
            | ('-', '+' | '-')
    ) || (one == ' ' && other == ' ')
}
