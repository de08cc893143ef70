//! Who is entered: numbers, names and aliases of players and teams.

use std::collections::BTreeMap;

use crate::finding::Words;

use super::{
    file::{File, GameEntry, Kind, Reference},
    load::{LIMIT, Mistakes, origin, unknown},
    model::{Origin, Player, Team},
};

/// An entrant, and the player named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) entrant: usize,
    pub(super) player: Option<usize>,
}

/// Everybody entered, by number, name and alias.
#[derive(Clone, Debug)]
pub(super) struct Register {
    kind: Kind,
    players: Vec<Player>,
    teams: Vec<Team>,
    /// Players by what they may be called.
    player_names: BTreeMap<String, Vec<usize>>,
    team_names: BTreeMap<String, usize>,
    /// Whether no list of players, or of teams, is given, so that results name them.
    players_open: bool,
    teams_open: bool,
    /// Teams of which a list of players is given.
    listed: Vec<bool>,
}

/// A name as it is compared: without case of ASCII letters and without regard to the number of spaces.
fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase()
}

impl Register {
    /// Enters who the file lists and, where it lists nobody, who the rows name.
    pub(super) fn new(
        kind: Kind,
        file: &File,
        rows: &[(GameEntry, Origin)],
        mistakes: &mut Mistakes,
    ) -> Register {
        let mut register = Register {
            kind,
            players: Vec::new(),
            teams: Vec::new(),
            player_names: BTreeMap::new(),
            team_names: BTreeMap::new(),
            players_open: file.player.is_empty(),
            teams_open: file.team.is_empty(),
            listed: Vec::new(),
        };
        for entry in &file.team {
            let team = entry.get_ref();
            let at = origin(entry);
            let index = register.add_team(team.no, &team.name, &team.aliases, Some(at), mistakes);
            let Some(index) = index else { continue };
            register.teams[index].rating = team.rating;
            register.listed[index] |= !team.players.is_empty();
            for (board, name) in (1..).zip(&team.players) {
                let player = register.add_player(None, name, &[], Some(index), Some(at), mistakes);
                if let Some(player) = player {
                    register.players[player].board = Some(board);
                }
            }
        }
        for entry in &file.player {
            let player = entry.get_ref();
            let at = origin(entry);
            let team = player.team.as_ref().and_then(|reference| {
                let team = register.team(reference.get_ref(), Some(at));
                if team.is_none() {
                    mistakes.add(origin(reference), unknown(reference.get_ref()));
                }
                team
            });
            let index = register.add_player(
                player.no,
                &player.name,
                &player.aliases,
                team,
                Some(at),
                mistakes,
            );
            let Some(index) = index else { continue };
            if let Some(team) = team {
                register.listed[team] = true;
            }
            let one = &mut register.players[index];
            one.rating = player.rating;
            one.board = player.board;
            one.reserve = player.reserve;
        }
        for (row, at) in rows {
            let teams = [&row.red_team, &row.black_team];
            for (team, player) in teams.into_iter().zip([&row.red, &row.black]) {
                let team = team.as_ref().and_then(|team| register.team(team, None));
                if let Some(player) = player {
                    register.player(player, team, *at);
                }
            }
        }
        register
    }

    fn add_team(
        &mut self,
        number: Option<u32>,
        name: &str,
        aliases: &[String],
        at: Option<Origin>,
        mistakes: &mut Mistakes,
    ) -> Option<usize> {
        let index = self.teams.len();
        let id = number.map_or_else(|| name.to_owned(), |number| number.to_string());
        for key in keys(&id, name, aliases) {
            if self.team_names.contains_key(&key) {
                let words = Words::new(
                    format!("“{key}”已是另一队的名称或号码"),
                    format!("{key:?} is the name or number of another team"),
                );
                mistakes.add(at?, words);
                return None;
            }
        }
        for key in keys(&id, name, aliases) {
            self.team_names.insert(key, index);
        }
        self.teams.push(Team {
            id,
            name: name.trim().to_owned(),
            aliases: aliases.to_vec(),
            number,
            rating: None,
            roster: Vec::new(),
            origin: at,
        });
        self.listed.push(false);
        Some(index)
    }

    fn add_player(
        &mut self,
        number: Option<u32>,
        name: &str,
        aliases: &[String],
        team: Option<usize>,
        at: Option<Origin>,
        mistakes: &mut Mistakes,
    ) -> Option<usize> {
        let index = self.players.len();
        let id = number.map_or_else(|| name.trim().to_owned(), |number| number.to_string());
        for key in keys(&id, name, aliases) {
            let same =
                |other: &usize| self.kind == Kind::Individual || self.players[*other].team == team;
            if self.player_names.get(&key).is_some_and(|others| others.iter().any(same)) {
                let words = Words::new(
                    format!("“{key}”已是另一人的姓名或号码"),
                    format!("{key:?} is the name or number of another player"),
                );
                mistakes.add(at?, words);
                return None;
            }
        }
        for key in keys(&id, name, aliases) {
            self.player_names.entry(key).or_default().push(index);
        }
        self.players.push(Player {
            id,
            name: name.trim().to_owned(),
            aliases: aliases.to_vec(),
            number,
            rating: None,
            team,
            board: None,
            reserve: false,
            origin: at,
        });
        Some(index)
    }

    /// The team of this name or number; entered if teams are open or `listing` says that a list names it.
    fn team(&mut self, reference: &Reference, listing: Option<Origin>) -> Option<usize> {
        let found = self.team_names.get(&folded(&reference.0)).copied();
        let may_enter = (self.teams_open || (listing.is_some() && self.kind == Kind::Individual))
            && self.teams.len() < LIMIT
            && !reference.0.is_empty();
        if found.is_none() && may_enter {
            return self.add_team(None, &reference.0, &[], listing, &mut Mistakes::default());
        }
        found
    }

    /// The player of this name or number in `team`; entered where his list is open.
    pub(super) fn player(
        &mut self,
        reference: &Reference,
        team: Option<usize>,
        at: Origin,
    ) -> Option<usize> {
        let found = self.find_player(reference, team);
        let open = match team {
            Some(team) => !self.listed[team],
            None => self.kind == Kind::Individual && self.players_open,
        };
        if found.is_none() && open && self.players.len() < LIMIT && !reference.0.is_empty() {
            let mut index =
                self.add_player(None, &reference.0, &[], team, Some(at), &mut Mistakes::default());
            if let Some(player) = index.as_mut().and_then(|index| self.players.get_mut(*index)) {
                player.origin = None;
            }
            return index;
        }
        found
    }

    fn find_player(&self, reference: &Reference, team: Option<usize>) -> Option<usize> {
        let found = self.player_names.get(&folded(&reference.0))?;
        let of_team = |index: &&usize| team.is_none() || self.players[**index].team == team;
        match found.iter().filter(of_team).collect::<Vec<_>>()[..] {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// Whether a list of the team's players is given.
    pub(super) fn is_listed(&self, team: usize) -> bool {
        self.listed[team]
    }

    /// The team of a player.
    pub(super) fn team_of(&self, player: usize) -> Option<usize> {
        self.players[player].team
    }

    /// The entrant of this name or number.
    pub(super) fn find_entrant(&self, reference: &Reference) -> Option<usize> {
        match self.kind {
            Kind::Team => self.team_names.get(&folded(&reference.0)).copied(),
            Kind::Individual => self.find_player(reference, None),
        }
    }

    /// The entrant or, in a team event, the team with the player of this name or number.
    pub(super) fn find(&self, reference: &Reference) -> Option<Found> {
        if let Some(entrant) = self.find_entrant(reference) {
            let player = (self.kind == Kind::Individual).then_some(entrant);
            return Some(Found { entrant, player });
        }
        let player = self.find_player(reference, None)?;
        Some(Found { entrant: self.players[player].team?, player: Some(player) })
    }

    /// Players and teams, the rosters in order.
    pub(super) fn finish(mut self) -> (Vec<Player>, Vec<Team>) {
        for (index, player) in self.players.iter().enumerate() {
            if let Some(team) = player.team {
                self.teams[team].roster.push(index);
            }
        }
        let players = &self.players;
        for team in &mut self.teams {
            // Substitutes stand behind the others; players without a board keep the order of the file.
            team.roster.sort_by_key(|index| {
                let player = &players[*index];
                (player.origin.is_none(), player.reserve, player.board.unwrap_or(u32::MAX))
            });
        }
        (self.players, self.teams)
    }
}

/// What an entrant may be called.
fn keys(id: &str, name: &str, aliases: &[String]) -> Vec<String> {
    let mut keys: Vec<String> = [id, name]
        .into_iter()
        .chain(aliases.iter().map(String::as_str))
        .map(folded)
        .filter(|key| !key.is_empty())
        .collect();
    keys.sort();
    keys.dedup();
    keys
}
