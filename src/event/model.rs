//! Who plays, in what, and with which results: an event file settled.

use crate::{
    finding::{Excerpt, Place, Span},
    rules::{EventRules, Exact},
};

use super::{
    file::{Decision, Draw, Kind, LineUp, PenaltyKind, Role, Speed, System, TeamTable},
    mark::Mark,
    tie_break::Criterion,
};

/// Where an entry stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Which of the event's [`Source`]s.
    pub source: usize,
    /// The bytes there.
    pub span: Span,
}

/// A text that entries came from: the event file itself, or a table of results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its path as given.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// Line, column and the line itself of `span`.
    pub fn place(&self, span: Span) -> Place {
        let mut start = (span.start as usize).min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[line_start..].lines().next().unwrap_or("");
        let end = (span.end as usize).clamp(start, line_start + line.len().max(start - line_start));
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place {
            line: Some(count(before.matches('\n').count() + 1)),
            column: Some(count(self.text[line_start..start].chars().count() + 1)),
            offset: Some(start as u64),
            excerpt: Some(Excerpt {
                line: line.to_owned(),
                range: start - line_start..end - line_start,
            }),
        }
    }
}

/// A player (棋手).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// The number in the file, else the name.
    pub id: String,
    /// The name.
    pub name: String,
    /// Other spellings of it.
    pub aliases: Vec<String>,
    /// The number drawn or given.
    pub number: Option<u32>,
    /// The rating (等级分).
    pub rating: Option<u32>,
    /// The team, by index.
    pub team: Option<usize>,
    /// The rank in the team's list, from 1.
    pub board: Option<u32>,
    /// Whether he is a substitute.
    pub reserve: bool,
    /// Where he is entered; `None` where only results name him.
    pub origin: Option<Origin>,
}

/// A team (队).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// The number in the file, else the name.
    pub id: String,
    /// The name.
    pub name: String,
    /// Other spellings of it.
    pub aliases: Vec<String>,
    /// The number drawn or given.
    pub number: Option<u32>,
    /// A rating of the team.
    pub rating: Option<u32>,
    /// Its players by index, in the order of its list; empty where results alone name them.
    pub roster: Vec<usize>,
    /// Where it is entered.
    pub origin: Option<Origin>,
}

/// One game of an encounter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The board in a team match, else the number of the game; from 1.
    pub board: u32,
    /// Whether the table gives that board; else it is its place among the rows.
    pub board_given: bool,
    /// The side that has Red: 0 for the encounter's first entrant, 1 for its second.
    pub red: usize,
    /// The players, first Red's; `None` where the table names none.
    pub players: [Option<usize>; 2],
    /// The result.
    pub mark: Mark,
    /// Slow or rapid.
    pub speed: Speed,
    /// The path of its record.
    pub record: Option<String>,
    /// Where it stands; `None` for a game that a rule supplies.
    pub origin: Option<Origin>,
}

impl Game {
    /// The player of a side of the encounter.
    pub fn player(&self, side: usize) -> Option<usize> {
        self.players[usize::from(side != self.red)]
    }
}

/// Two entrants in a round, or one with a bye.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The round, from 1; `None` where the source does not say.
    pub round: Option<u32>,
    /// The number of the match or table in the round.
    pub number: Option<u32>,
    /// The entrants; the first-listed has Red on the first board. `None` for the opponent of a bye.
    pub entrants: [Option<usize>; 2],
    /// Whether the source says who is first (home), rather than the colours.
    pub home_given: bool,
    /// The best place that it is played for, where it is played for places alone.
    pub places: Option<u32>,
    /// The games, in order.
    pub games: Vec<Game>,
    /// Where its first entry stands.
    pub origin: Option<Origin>,
}

impl Encounter {
    /// Whether it is a bye (轮空).
    pub fn is_bye(&self) -> bool {
        self.entrants[1].is_none()
    }

    /// The side on which `entrant` is.
    pub fn side_of(&self, entrant: usize) -> Option<usize> {
        self.entrants.iter().position(|one| *one == Some(entrant))
    }

    /// Both entrants, if there are two.
    pub fn pair(&self) -> Option<[usize; 2]> {
        Some([self.entrants[0]?, self.entrants[1]?])
    }

    /// The opponent of `entrant`.
    pub fn opponent_of(&self, entrant: usize) -> Option<usize> {
        self.entrants[1 - self.side_of(entrant)?]
    }

    /// The slow games.
    pub fn slow(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(|game| game.speed == Speed::Slow)
    }

    /// The rapid tie-break games.
    pub fn rapid(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(|game| game.speed == Speed::Rapid)
    }
}

/// A part of an event that is played in one system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Its name; empty where the event has one stage.
    pub name: String,
    /// The system.
    pub system: System,
    /// How many rounds are planned.
    pub rounds: Option<u32>,
    /// How often a round robin is played: 1 or 2.
    pub cycles: u32,
    /// Games of an encounter of players.
    pub games: u32,
    /// The best of so many games decides an encounter.
    pub best_of: Option<u32>,
    /// How pairs of a knockout are found.
    pub draw: Draw,
    /// The entrants by index; in the order of their numbers, then of ratings, then of names.
    pub entrants: Vec<usize>,
    /// The criteria behind the points, in order.
    pub criteria: Vec<Criterion>,
    /// Who comes from which stage and place.
    pub qualifiers: Vec<(usize, u32)>,
    /// Whether results among its entrants in the stages that they come from count.
    pub carry: bool,
    /// What was played, in the order of the sources.
    pub encounters: Vec<Encounter>,
}

/// A withdrawal or expulsion (退出, 除名; article 20).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Withdrawal {
    /// The stage; `None` for all that come after.
    pub stage: Option<usize>,
    /// Who.
    pub entrant: usize,
    /// The last round that he played; 0 before the start.
    pub after_round: u32,
    /// Whether he was expelled (18.3).
    pub expelled: bool,
    /// Whether the organiser agreed (20.1), where that is recorded.
    pub consent: Option<bool>,
    /// Where it stands.
    pub origin: Origin,
}

/// A foul or sanction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Penalty {
    /// The stage.
    pub stage: Option<usize>,
    /// The round.
    pub round: Option<u32>,
    /// The entrant (a team for a player of a team event).
    pub entrant: usize,
    /// The player, in team events where one is named.
    pub player: Option<usize>,
    /// What it is.
    pub kind: PenaltyKind,
    /// How many.
    pub count: u32,
    /// Who imposed it.
    pub by: Option<Role>,
    /// In a slow or a rapid game.
    pub speed: Speed,
    /// The article.
    pub article: Option<String>,
    /// Where it stands; `None` for one that a game record shows.
    pub origin: Option<Origin>,
}

/// Lateness (迟到; article 21).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Late {
    /// The stage.
    pub stage: Option<usize>,
    /// The round.
    pub round: u32,
    /// The entrant (a team for a player of a team event).
    pub entrant: usize,
    /// The player.
    pub player: Option<usize>,
    /// How late, in minutes.
    pub minutes: Exact,
    /// Where it stands.
    pub origin: Origin,
}

/// An order among entrants that was found otherwise than by the results of the stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// The stage.
    pub stage: Option<usize>,
    /// The round, where it decides one encounter.
    pub round: Option<u32>,
    /// The better one first.
    pub order: Vec<usize>,
    /// How.
    pub by: Decision,
    /// Where it stands.
    pub origin: Origin,
}

/// What somebody has printed about an entrant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    /// The stage.
    pub stage: usize,
    /// After which round; `None` at the end.
    pub after_round: Option<u32>,
    /// The entrant.
    pub entrant: usize,
    /// The points printed.
    pub points: Option<Exact>,
    /// The place printed.
    pub place: Option<u32>,
    /// Tie-breaks printed.
    pub tie_breaks: Vec<(Criterion, Exact)>,
    /// Where it stands.
    pub origin: Origin,
}

/// A fact that no table shows, handed through: organisers, reasons, replacements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The words.
    pub text: String,
    /// The article.
    pub article: Option<String>,
}

/// An event, settled.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The name of the rule profile.
    pub profile: String,
    /// What that profile is loaded by: its name, or the path of its file.
    pub profile_file: String,
    /// The values of that profile, with the event's own in their place.
    pub rules: EventRules,
    /// How many fouls lose a game (4.1.8): the event's, else the profile's.
    pub fouls_lose: u32,
    /// Minutes of lateness after which a game is lost (21.1): the event's, else the profile's; 0 where neither says.
    pub late_minutes: u32,
    /// Players or teams.
    pub kind: Kind,
    /// Boards of a team match; 0 where nothing tells.
    pub boards: u32,
    /// How teams are set up.
    pub line_up: Option<LineUp>,
    /// Whether and how a table of teams is made of an individual event.
    pub team_table: Option<TeamTable>,
    /// The seed of draws, where the event names it.
    pub seed: Option<u64>,
    /// Header fields that are handed through, such as `chief_arbiter`.
    pub header: Vec<(&'static str, String)>,
    /// The players.
    pub players: Vec<Player>,
    /// The teams.
    pub teams: Vec<Team>,
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// Withdrawals.
    pub withdrawals: Vec<Withdrawal>,
    /// Fouls and sanctions.
    pub penalties: Vec<Penalty>,
    /// Lateness.
    pub lates: Vec<Late>,
    /// Play-offs and lots.
    pub decisions: Vec<Decided>,
    /// What was published.
    pub published: Vec<Published>,
    /// What is handed through.
    pub notes: Vec<Note>,
    /// Paths of game records and archives, relative to the event file.
    pub records: Vec<String>,
    /// The event file and its tables of results.
    pub sources: Vec<Source>,
}

impl Event {
    /// The name of an entrant.
    pub fn name_of(&self, entrant: usize) -> &str {
        match self.kind {
            Kind::Individual => &self.players[entrant].name,
            Kind::Team => &self.teams[entrant].name,
        }
    }

    /// The id of an entrant: its number in the file, else its name.
    pub fn id_of(&self, entrant: usize) -> &str {
        match self.kind {
            Kind::Individual => &self.players[entrant].id,
            Kind::Team => &self.teams[entrant].id,
        }
    }

    /// The number of an entrant.
    pub fn number_of(&self, entrant: usize) -> Option<u32> {
        match self.kind {
            Kind::Individual => self.players[entrant].number,
            Kind::Team => self.teams[entrant].number,
        }
    }

    /// The rating of an entrant.
    pub fn rating_of(&self, entrant: usize) -> Option<u32> {
        match self.kind {
            Kind::Individual => self.players[entrant].rating,
            Kind::Team => self.teams[entrant].rating,
        }
    }

    /// How many entrants there are.
    pub fn len(&self) -> usize {
        match self.kind {
            Kind::Individual => self.players.len(),
            Kind::Team => self.teams.len(),
        }
    }

    /// Whether nobody is entered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A key that orders entrants without regard to their order in the file: number, rating from the highest, name, id.
    pub fn key_of(&self, entrant: usize) -> (u32, std::cmp::Reverse<u32>, &str, &str) {
        (
            self.number_of(entrant).unwrap_or(u32::MAX),
            std::cmp::Reverse(self.rating_of(entrant).unwrap_or(0)),
            self.name_of(entrant),
            self.id_of(entrant),
        )
    }

    /// The place of an entry.
    pub fn place(&self, origin: Option<Origin>) -> Place {
        origin
            .and_then(|origin| Some(self.sources.get(origin.source)?.place(origin.span)))
            .unwrap_or_default()
    }

    /// The withdrawal of `entrant` that concerns `stage`.
    pub fn withdrawal(&self, stage: usize, entrant: usize) -> Option<&Withdrawal> {
        self.withdrawals
            .iter()
            .find(|one| one.entrant == entrant && one.stage.is_none_or(|other| other == stage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_characters_and_survives_any_span() {
        let source = Source { name: "x".to_owned(), text: "a = 1\n甲乙 = 丙\n".to_owned() };
        let place = source.place(Span::new(15, 18));
        assert_eq!((place.line, place.column), (Some(2), Some(6)));
        for (start, end) in [(0, 0), (8, 3), (999, 1000), (7, 9)] {
            let place = source.place(Span::new(start, end));
            let excerpt = place.excerpt.unwrap();
            assert!(excerpt.line.get(excerpt.range).is_some());
        }
    }
}
