//! The stages of an event file, with who is named for them and how ties are broken.

use crate::finding::{Span, Words};

use super::{
    super::{
        entrants::Register,
        file::{Draw, File, Header, Kind, StageEntry, System},
        model::{Event, Origin, Stage},
        tie_break::Criterion,
    },
    Mistakes, origin, unknown,
};

/// The stages; an event without any is one stage of its own.
pub(super) fn stages(
    file: &File,
    event: &Event,
    register: &mut Register,
    mistakes: &mut Mistakes,
) -> Vec<Stage> {
    let header = &file.event;
    let whole = StageEntry {
        name: String::new(),
        system: header.system,
        rounds: header.rounds,
        cycles: header.cycles,
        games: header.games,
        best_of: header.best_of,
        draw: header.draw,
        tie_breaks: header.tie_breaks.clone(),
        entrants: Vec::new(),
        qualifiers: Vec::new(),
        carry: false,
    };
    let here = Origin { source: 0, span: Span::default() };
    let single = [(&whole, here)];
    let listed: Vec<(&StageEntry, Origin)> =
        file.stage.iter().map(|entry| (entry.get_ref(), origin(entry))).collect();
    let entries = if listed.is_empty() { &single[..] } else { &listed[..] };
    let mut stages: Vec<Stage> = Vec::new();
    for (entry, at) in entries {
        if stages.iter().any(|stage| stage.name == entry.name) {
            mistakes.add(*at, Words::new("阶段重名", "two stages have this name"));
            continue;
        }
        let system = entry.system.or(header.system).unwrap_or(System::RoundRobin);
        let mut stage = Stage {
            name: entry.name.clone(),
            system,
            rounds: entry.rounds.or(header.rounds).map(|rounds| rounds.min(1000)),
            cycles: entry.cycles.or(header.cycles).unwrap_or(1).clamp(1, 4),
            games: entry.games.or(header.games).unwrap_or(1).clamp(1, 20),
            best_of: entry.best_of.or(header.best_of).map(|games| games.clamp(1, 21)),
            draw: entry.draw.or(header.draw).unwrap_or(Draw::Bracket),
            entrants: Vec::new(),
            criteria: Vec::new(),
            qualifiers: Vec::new(),
            carry: entry.carry,
            encounters: Vec::new(),
        };
        stage.criteria = criteria(entry, header, event, system, mistakes);
        for reference in &entry.entrants {
            match register.find_entrant(reference.get_ref()) {
                Some(entrant) if stage.entrants.contains(&entrant) => {
                    mistakes.add(origin(reference), Words::new("重复列入", "listed twice"));
                }
                Some(entrant) => stage.entrants.push(entrant),
                None => mistakes.add(origin(reference), unknown(reference.get_ref())),
            }
        }
        for qualifier in &entry.qualifiers {
            let wanted = qualifier.get_ref();
            match stages.iter().position(|stage| stage.name == wanted.stage) {
                Some(from) => stage.qualifiers.push((from, wanted.place)),
                None => mistakes.add(
                    origin(qualifier),
                    Words::new("前面没有此阶段", "no stage before this one has that name"),
                ),
            }
        }
        stages.push(stage);
    }
    stages
}

/// The criteria of a stage: its own, the event's, else the profile's for the system.
fn criteria(
    entry: &StageEntry,
    header: &Header,
    event: &Event,
    system: System,
    mistakes: &mut Mistakes,
) -> Vec<Criterion> {
    let own = if entry.tie_breaks.is_empty() { &header.tie_breaks } else { &entry.tie_breaks };
    if !own.is_empty() {
        let mut list = Vec::new();
        for name in own {
            match Criterion::from_name(name.get_ref()) {
                Some(criterion) => list.push(criterion),
                None => mistakes.add(
                    origin(name),
                    Words::new(
                        format!("没有名为“{}”的区分项", name.get_ref()),
                        format!("no tie-break is called {:?}", name.get_ref()),
                    ),
                ),
            }
        }
        return list;
    }
    let rules = &event.rules;
    let names = match (event.kind, system) {
        (Kind::Individual, System::Swiss) => &rules.tie_breaks_swiss,
        (Kind::Individual, _) => &rules.tie_breaks_round_robin,
        (Kind::Team, System::Swiss) => &rules.tie_breaks_team_swiss,
        (Kind::Team, _) => &rules.tie_breaks_team_round_robin,
    };
    let mut list = Vec::new();
    for name in names {
        match Criterion::from_name(name) {
            Some(criterion) => list.push(criterion),
            None => mistakes.add(
                Origin { source: 0, span: Span::default() },
                Words::new(
                    format!("规则中的区分项“{name}”不识"),
                    format!("the profile names the unknown tie-break {name:?}"),
                ),
            ),
        }
    }
    list
}
