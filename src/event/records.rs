//! Results from the game records of an archive, and the table against them.

use std::collections::BTreeMap;

use crate::{
    finding::{Code, Finding, Words},
    record::Outcome,
};

use super::{
    file::{Kind, PenaltyKind, Speed},
    load::Loaded,
    mark::Mark,
    model::{Encounter, Event, Game, Penalty, Player, Team},
};

/// What a game record says, as `check` reports it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Its source and number, such as `games/r1.pgn` and 1.
    pub source: (String, u32),
    /// The name of the event, if it has one.
    pub event: Option<String>,
    /// The round, if it has one that is a number.
    pub round: Option<u32>,
    /// The names of the players, first Red's.
    pub names: [Option<String>; 2],
    /// The names of their teams, in the same order.
    pub teams: [Option<String>; 2],
    /// The recorded result.
    pub outcome: Outcome,
    /// How it ended, in the words of `check`, such as `forfeit`.
    pub termination: String,
    /// The result that the rules give, where `check` or `audit` has a verdict that contradicts the record.
    pub verdict: Option<Outcome>,
    /// Fouls found or recorded in it, first Red's.
    pub fouls: [u32; 2],
}

/// How a record was used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Attached {
    /// Records that belong to a game of the table.
    pub matched: u32,
    /// Games that the table had not, or had without a result.
    pub added: u32,
    /// Records of nobody in the event, or of no game that can be told.
    pub unmatched: u32,
}

/// Puts the results of `records` into the table where it has none, adds their fouls, and reports where the two
/// contradict each other (`QJ910`). A record belongs to the game of its path (`record = "a.pgn"`, of a file of several
/// games `"a.pgn#2"`), else to the game of its
/// players in its round, else to the only game of its players. Records that belong to no game of the table make one if
/// both players are entered and it names a round. Where the file enters nobody, the records do.
pub fn attach(loaded: &mut Loaded, records: &[GameRecord]) -> Attached {
    let mut attached = Attached::default();
    if loaded.event.players.is_empty() && loaded.event.teams.is_empty() {
        enter(&mut loaded.event, records);
    }
    for record in records {
        let place = find(&loaded.event, record);
        match place {
            Some(place) => {
                attached.matched += 1;
                attached.added += u32::from(compare(loaded, place, record));
                fouls(&mut loaded.event, place, record);
            }
            None => match add(&mut loaded.event, record) {
                Some(place) => {
                    attached.added += 1;
                    fouls(&mut loaded.event, place, record);
                }
                None => {
                    attached.unmatched += 1;
                    unmatched(loaded, record);
                }
            },
        }
    }
    attached
}

/// Enters who the records name, in the order of names.
fn enter(event: &mut Event, records: &[GameRecord]) {
    let mut names: BTreeMap<(String, String), ()> = BTreeMap::new();
    for record in records {
        for (name, team) in record.names.iter().zip(&record.teams) {
            let team = team.as_deref().filter(|_| event.kind == Kind::Team).unwrap_or("");
            if let Some(name) = name {
                names.insert((team.trim().to_owned(), name.trim().to_owned()), ());
            }
        }
    }
    for ((team, name), ()) in names.into_iter().take(super::load::LIMIT) {
        let known = event.teams.iter().position(|one| one.name == team);
        let team = (!team.is_empty()).then(|| {
            known.unwrap_or_else(|| {
                event.teams.push(Team {
                    id: team.clone(),
                    name: team,
                    aliases: Vec::new(),
                    number: None,
                    rating: None,
                    roster: Vec::new(),
                    origin: None,
                });
                event.teams.len() - 1
            })
        });
        if let Some(team) = team {
            event.teams[team].roster.push(event.players.len());
        }
        event.players.push(Player {
            id: name.clone(),
            name,
            aliases: Vec::new(),
            number: None,
            rating: None,
            team,
            board: None,
            reserve: false,
            origin: None,
        });
    }
}

/// Stage, encounter and game.
type Place = (usize, usize, usize);

/// The player of a name.
fn player(event: &Event, name: &str) -> Option<usize> {
    let same = |other: &str| other.trim() == name.trim();
    let mut found =
        event.players.iter().enumerate().filter(|(_, player)| {
            same(&player.name) || player.aliases.iter().any(|alias| same(alias))
        });
    let first = found.next()?.0;
    // Two players of one name cannot be told by a record.
    found.next().is_none().then_some(first)
}

fn players(event: &Event, record: &GameRecord) -> Option<[usize; 2]> {
    let of = |side: usize| player(event, record.names[side].as_deref()?);
    Some([of(0)?, of(1)?])
}

fn find(event: &Event, record: &GameRecord) -> Option<Place> {
    let by_path = |game: &Game| {
        game.record.as_deref().is_some_and(|path| {
            let (source, number) = &record.source;
            let (path, wanted) = match path.rsplit_once('#') {
                Some((path, wanted)) => (path, wanted.parse().unwrap_or(1)),
                None => (path, 1),
            };
            *number == wanted && (source == path || source.ends_with(&format!("/{path}")))
        })
    };
    let mut candidates = Vec::new();
    let pair = players(event, record);
    for (stage, of) in event.stages.iter().enumerate() {
        for (index, encounter) in of.encounters.iter().enumerate() {
            for (at, game) in encounter.games.iter().enumerate() {
                if by_path(game) {
                    return Some((stage, index, at));
                }
                let Some(pair) = pair else { continue };
                let named = game.players.into_iter().flatten().collect::<Vec<_>>();
                let same = named.len() == 2 && named.iter().all(|one| pair.contains(one));
                let in_round = record.round.is_none() || encounter.round == record.round;
                if same && in_round {
                    candidates
                        .push(((stage, index, at), game.players == [Some(pair[0]), Some(pair[1])]));
                }
            }
        }
    }
    // Of two games of one pair the one with the same colours.
    let with_colours: Vec<Place> =
        candidates.iter().filter(|(_, same)| *same).map(|(place, _)| *place).collect();
    match (&with_colours[..], &candidates[..]) {
        ([one], _) => Some(*one),
        ([], [(one, _)]) => Some(*one),
        _ => None,
    }
}

fn mark_of(record: &GameRecord) -> Mark {
    let forfeit = record.termination == "forfeit";
    match (record.outcome, forfeit) {
        (Outcome::RedWins, false) => Mark::RedWins,
        (Outcome::RedWins, true) => Mark::RedByForfeit,
        (Outcome::BlackWins, false) => Mark::BlackWins,
        (Outcome::BlackWins, true) => Mark::BlackByForfeit,
        (Outcome::Draw, _) => Mark::Draw,
        (Outcome::Unknown, _) => Mark::Open,
    }
}

/// The outcome that a mark of the table states.
fn outcome_of(mark: Mark) -> Outcome {
    match mark {
        Mark::RedWins | Mark::RedByForfeit => Outcome::RedWins,
        Mark::BlackWins | Mark::BlackByForfeit => Outcome::BlackWins,
        Mark::Draw => Outcome::Draw,
        _ => Outcome::Unknown,
    }
}

fn turned(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::RedWins => Outcome::BlackWins,
        Outcome::BlackWins => Outcome::RedWins,
        other => other,
    }
}

/// Whether the record's result filled a gap of the table.
fn compare(loaded: &mut Loaded, (stage, index, at): Place, record: &GameRecord) -> bool {
    let pair = players(&loaded.event, record);
    let encounter = &loaded.event.stages[stage].encounters[index];
    let (round, game) = (encounter.round, encounter.games[at].clone());
    let exchanged = pair.is_some_and(|pair| game.players == [Some(pair[1]), Some(pair[0])]);
    let outcome = if exchanged { turned(record.outcome) } else { record.outcome };
    let source = format!("{}#{}", record.source.0, record.source.1);
    let mut report = |words: Words, key: &str, value: String| {
        let finding = Finding::new(Code::TABLE_CONTRADICTS_RECORD, words)
            .at(loaded.event.place(game.origin))
            .with("record", source.as_str())
            .with("round", round)
            .with("table", game.mark.as_str())
            .with(key, value);
        loaded.mistakes.push(finding);
    };
    if exchanged {
        report(
            Words::new("棋谱中红黑与成绩表相反", "the record has the colours the other way round"),
            "colours",
            "exchanged".to_owned(),
        );
    }
    if game.mark.is_forfeit() && record.termination != "forfeit" && outcome != Outcome::Unknown {
        report(
            Words::new(
                "成绩表记为弃权，却有棋谱",
                "the table has a forfeit, yet there is a record",
            ),
            "recorded",
            outcome.as_str().to_owned(),
        );
    } else if outcome_of(game.mark).contradicts(outcome) {
        report(
            Words::new(
                format!("成绩表为 {}，棋谱为 {}", game.mark.as_str(), outcome.as_str()),
                format!("the table has {}, the record {}", game.mark.as_str(), outcome.as_str()),
            ),
            "recorded",
            outcome.as_str().to_owned(),
        );
    }
    let verdict = record.verdict.map(|verdict| if exchanged { turned(verdict) } else { verdict });
    if let Some(verdict) = verdict.filter(|verdict| outcome_of(game.mark).contradicts(*verdict)) {
        report(
            Words::new(
                format!("成绩表为 {}，按规则应为 {}", game.mark.as_str(), verdict.as_str()),
                format!(
                    "the table has {}, by the rules it is {}",
                    game.mark.as_str(),
                    verdict.as_str()
                ),
            ),
            "verdict",
            verdict.as_str().to_owned(),
        );
    }
    let fills = game.mark == Mark::Open && outcome != Outcome::Unknown;
    if fills {
        let mark = mark_of(&GameRecord { outcome, ..record.clone() });
        loaded.event.stages[stage].encounters[index].games[at].mark = mark;
    }
    fills
}

/// Fouls of the record, unless the file enters fouls of the same player in the same round itself.
fn fouls(event: &mut Event, (stage, index, at): Place, record: &GameRecord) {
    let encounter = &event.stages[stage].encounters[index];
    let game = &encounter.games[at];
    let round = encounter.round;
    let mut counts: BTreeMap<(usize, Option<usize>), u32> = BTreeMap::new();
    for (side, count) in record.fouls.into_iter().enumerate() {
        let named = record.names[side].as_deref().and_then(|name| player(event, name));
        let player = named.or(game.players[side]);
        let entrant = match event.kind {
            Kind::Individual => player,
            Kind::Team => player.and_then(|player| event.players[player].team),
        };
        if let (Some(entrant), true) = (entrant, count > 0) {
            *counts.entry((entrant, player)).or_default() += count;
        }
    }
    let speed = game.speed;
    for ((entrant, player), count) in counts {
        let entered = event.penalties.iter().any(|one| {
            one.kind == PenaltyKind::Foul
                && one.entrant == entrant
                && one.round == round
                && one.origin.is_some()
        });
        if !entered {
            event.penalties.push(Penalty {
                stage: Some(stage),
                round,
                entrant,
                player,
                kind: PenaltyKind::Foul,
                count,
                by: None,
                speed,
                article: None,
                origin: None,
            });
        }
    }
}

/// A game that the table has not.
fn add(event: &mut Event, record: &GameRecord) -> Option<Place> {
    let [red, black] = players(event, record)?;
    let round = record.round?;
    let entrants = match event.kind {
        Kind::Individual => [red, black],
        Kind::Team => [event.players[red].team?, event.players[black].team?],
    };
    if entrants[0] == entrants[1] || event.stages.len() != 1 {
        return None;
    }
    let stage = &mut event.stages[0];
    let several = event.kind == Kind::Team || stage.games > 1 || stage.best_of.is_some();
    let known = stage.encounters.iter().position(|one| {
        several
            && one.round == Some(round)
            && one.pair().is_some_and(|pair| entrants.iter().all(|entrant| pair.contains(entrant)))
    });
    let index = known.unwrap_or_else(|| {
        stage.encounters.push(Encounter {
            round: Some(round),
            number: None,
            entrants: entrants.map(Some),
            home_given: false,
            places: None,
            games: Vec::new(),
            origin: None,
        });
        stage.encounters.len() - 1
    });
    let encounter = &mut stage.encounters[index];
    let board = encounter.games.len() + 1;
    encounter.games.push(Game {
        board: u32::try_from(board).unwrap_or(u32::MAX),
        board_given: false,
        red: usize::from(encounter.entrants[0] != Some(entrants[0])),
        players: [Some(red), Some(black)],
        mark: mark_of(record),
        speed: Speed::Slow,
        record: Some(format!("{}#{}", record.source.0, record.source.1)),
        origin: None,
    });
    for entrant in entrants {
        if !stage.entrants.contains(&entrant) {
            stage.entrants.push(entrant);
        }
    }
    Some((0, index, board - 1))
}

fn unmatched(loaded: &mut Loaded, record: &GameRecord) {
    let names: Vec<&str> = record.names.iter().map(|name| name.as_deref().unwrap_or("?")).collect();
    let words = Words::new(
        format!(
            "棋谱 {}#{}（{}）对不上任何一局",
            record.source.0,
            record.source.1,
            names.join("对")
        ),
        format!(
            "record {}#{} ({}) is of no game of the event",
            record.source.0,
            record.source.1,
            names.join(" v ")
        ),
    );
    let finding = Finding::new(Code::EVENT_ENTRY, words)
        .severity(crate::finding::Severity::Warning)
        .with("record", format!("{}#{}", record.source.0, record.source.1))
        .help(Words::new(
            "在成绩中写明 record，或在 [[player]] 中补上姓名或别名",
            "name the record in the results, or the player or an alias under [[player]]",
        ));
    loaded.mistakes.push(finding);
}
