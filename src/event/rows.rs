//! Rows of results become encounters: the games of one match together, the first-listed entrant first.

use std::collections::BTreeMap;

use crate::{
    finding::{Code, Finding, Words},
    rules::RedBoards,
};

use super::{
    entrants::Register,
    file::{GameEntry, Kind, Speed, System},
    load::{Mistakes, unknown},
    mark::Mark,
    model::{Encounter, Game, Origin, Stage},
};

/// A row with its names settled.
struct Settled {
    entry: GameEntry,
    origin: Origin,
    /// Red's entrant and Black's.
    entrants: [usize; 2],
    players: [Option<usize>; 2],
    home: Option<usize>,
    mark: Mark,
    /// Whether the row itself names the board.
    board_given: bool,
}

/// What rows that belong together have in common.
type Key = (Option<u32>, Option<u32>, [usize; 2], usize);

pub(super) struct Rows<'a> {
    pub(super) kind: Kind,
    pub(super) red_boards: RedBoards,
    pub(super) register: &'a mut Register,
    pub(super) mistakes: &'a mut Mistakes,
}

impl Rows<'_> {
    /// Puts the rows into the encounters of their stages.
    pub(super) fn settle(mut self, rows: Vec<(GameEntry, Origin)>, stages: &mut [Stage]) {
        let mut groups: Vec<BTreeMap<Key, usize>> = vec![BTreeMap::new(); stages.len()];
        let mut grouped: Vec<Vec<Vec<Settled>>> = stages.iter().map(|_| Vec::new()).collect();
        for (count, (row, origin)) in rows.into_iter().enumerate() {
            let Some(index) = self.stage_of(&row, origin, stages) else { continue };
            if row.result == "bye" || row.result == "轮空" {
                self.bye(&row, origin, &mut stages[index]);
                continue;
            }
            let Some(settled) = self.settled(row, origin) else { continue };
            let stage = &stages[index];
            let together = self.kind == Kind::Team
                || stage.games > 1
                || stage.best_of.is_some()
                || settled.entry.speed == Some(Speed::Rapid);
            let mut pair = settled.entrants;
            pair.sort_unstable();
            // Rows that do not belong together have a key of their own.
            let own = if together { 0 } else { count + 1 };
            let number = settled.entry.number.filter(|_| self.kind == Kind::Team);
            // All games of two teams that play all against all are one match (12.4).
            let one_match = stage.system == System::AllPlayAll;
            let (round, number) = match one_match {
                true => (None, None),
                false => (settled.entry.round, number),
            };
            let key = (round, number, pair, own);
            let into = groups[index].get(&key).copied().or_else(|| {
                // A rapid game belongs to the slow one of the same round.
                let rapid = settled.entry.speed == Some(Speed::Rapid);
                let same = |(known, _): &(&Key, &usize)| (known.0, known.2) == (round, pair);
                groups[index].iter().find(same).filter(|_| rapid).map(|(_, at)| *at)
            });
            match into {
                Some(at) => grouped[index][at].push(settled),
                None => {
                    groups[index].insert(key, grouped[index].len());
                    grouped[index].push(vec![settled]);
                }
            }
        }
        for (stage, groups) in stages.iter_mut().zip(grouped) {
            for group in groups {
                let mut encounter = self.encounter(group);
                if stage.system == System::AllPlayAll {
                    encounter.round = None;
                }
                stage.encounters.push(encounter);
            }
        }
    }

    fn stage_of(&mut self, row: &GameEntry, origin: Origin, stages: &[Stage]) -> Option<usize> {
        let found = match &row.stage {
            Some(name) => stages.iter().position(|stage| stage.name == *name),
            None if stages.len() == 1 => Some(0),
            None => None,
        };
        if found.is_none() {
            let words = Words::new(
                "没有此阶段，或未写明阶段",
                "no stage has this name, or the stage is not named",
            );
            self.mistakes.add(origin, words);
        }
        found
    }

    fn bye(&mut self, row: &GameEntry, origin: Origin, stage: &mut Stage) {
        let named = [&row.red_team, &row.red, &row.black_team, &row.black];
        let found =
            named.into_iter().flatten().find_map(|reference| self.register.find_entrant(reference));
        let Some(entrant) = found else {
            let words = named.into_iter().flatten().next().map(unknown);
            let nobody = || Words::new("轮空未写明是谁", "the bye names nobody");
            self.mistakes.add(origin, words.unwrap_or_else(nobody));
            return;
        };
        stage.encounters.push(Encounter {
            round: row.round,
            number: row.number,
            entrants: [Some(entrant), None],
            home_given: false,
            places: None,
            games: Vec::new(),
            origin: Some(origin),
        });
    }

    fn settled(&mut self, entry: GameEntry, origin: Origin) -> Option<Settled> {
        let Some(mark) = Mark::from_text(&entry.result) else {
            let words = Words::new(
                format!("结果“{}”不识", entry.result),
                format!("the result {:?} is not understood", entry.result),
            );
            let help = Words::new(
                "用 1-0、0-1、1/2、+/-、-/+、-/-、0-0、void、*、bye",
                "write 1-0, 0-1, 1/2, +/-, -/+, -/-, 0-0, void, * or bye",
            );
            self.mistakes.push(origin, Finding::new(Code::EVENT_ENTRY, words).help(help));
            return None;
        };
        let sides = [(&entry.red_team, &entry.red), (&entry.black_team, &entry.black)];
        let mut entrants = [0; 2];
        let mut players = [None; 2];
        for (side, (team, player)) in sides.into_iter().enumerate() {
            let team_index = match team {
                Some(team) if self.kind == Kind::Team => {
                    let found = self.register.find_entrant(team);
                    if found.is_none() {
                        self.mistakes.add(origin, unknown(team));
                        return None;
                    }
                    found
                }
                _ => None,
            };
            if let Some(player) = player {
                let found = self.register.player(player, team_index, origin);
                if found.is_none() {
                    self.stranger(player, team_index, origin)?;
                }
                players[side] = found;
            }
            let entrant = match self.kind {
                Kind::Individual => players[side],
                Kind::Team => team_index.or_else(|| self.register.team_of(players[side]?)),
            };
            let Some(entrant) = entrant else {
                let words = Words::new("未写明双方", "the row does not say who played");
                self.mistakes.add(origin, words);
                return None;
            };
            entrants[side] = entrant;
        }
        if entrants[0] == entrants[1] {
            self.mistakes.add(origin, Words::new("双方相同", "both sides are the same"));
            return None;
        }
        let home = entry.home.as_ref().and_then(|home| self.register.find_entrant(home));
        if entry.home.is_some() && !home.is_some_and(|home| entrants.contains(&home)) {
            self.mistakes
                .add(origin, Words::new("主队不在双方之中", "the home side is neither of both"));
        }
        let board_given = entry.board.is_some_and(|board| board > 0);
        Some(Settled { entry, origin, entrants, players, home, mark, board_given })
    }

    /// Somebody who is on no list: fatal for the row in an individual event, a fault of the line-up in a team event.
    fn stranger(
        &mut self,
        player: &super::file::Reference,
        team: Option<usize>,
        origin: Origin,
    ) -> Option<()> {
        match team {
            Some(team) if self.register.is_listed(team) => {
                let words = Words::new(
                    format!("“{}”不在该队名单上", player.0),
                    format!("{:?} is not on the team's list", player.0),
                );
                let finding = Finding::new(Code::LINE_UP, words).with("player", player.0.as_str());
                self.mistakes.push(origin, finding);
                Some(())
            }
            _ => {
                self.mistakes.add(origin, unknown(player));
                None
            }
        }
    }

    /// The rows of one match as an encounter.
    fn encounter(&self, mut rows: Vec<Settled>) -> Encounter {
        let first = self.first(&rows);
        let second = {
            let pair = rows[0].entrants;
            if pair[0] == first { pair[1] } else { pair[0] }
        };
        let mut next = 1;
        for row in &mut rows {
            let given = row.entry.board.filter(|_| row.board_given);
            let board = given.unwrap_or(next);
            next = board.saturating_add(1);
            // The board of an individual event is its table, the number of the encounter.
            row.entry.number = row.entry.number.or(given.filter(|_| self.kind == Kind::Individual));
            row.entry.board = Some(board);
        }
        let games = rows
            .iter()
            .enumerate()
            .map(|(index, row)| Game {
                board: match self.kind {
                    Kind::Team => row.entry.board.unwrap_or(1),
                    Kind::Individual => u32::try_from(index + 1).unwrap_or(u32::MAX),
                },
                board_given: row.board_given,
                red: usize::from(row.entrants[0] != first),
                players: row.players,
                mark: row.mark,
                speed: row.entry.speed.unwrap_or_default(),
                record: row.entry.record.clone(),
                origin: Some(row.origin),
            })
            .collect();
        Encounter {
            round: rows[0].entry.round,
            number: rows[0].entry.number,
            entrants: [Some(first), Some(second)],
            home_given: rows.iter().any(|row| row.home.is_some()),
            places: rows.iter().find_map(|row| row.entry.places),
            games,
            origin: Some(rows[0].origin),
        }
    }

    /// Who is listed first: the home side, else who has Red where the first has Red.
    fn first(&self, rows: &[Settled]) -> usize {
        let named = rows.iter().find_map(|row| row.home.filter(|home| row.entrants.contains(home)));
        if let Some(home) = named {
            return home;
        }
        if self.kind == Kind::Individual || self.red_boards == RedBoards::Free {
            return rows[0].entrants[0];
        }
        let all = self.red_boards == RedBoards::All;
        let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.entry.speed != Some(Speed::Rapid)) {
            let odd = row.entry.board.is_none_or(|board| board % 2 == 1);
            let red_is_first = all || odd;
            if row.board_given || all {
                *votes.entry(row.entrants[usize::from(!red_is_first)]).or_default() += 1;
            }
        }
        let most = votes.values().max().copied();
        let leaders: Vec<usize> = votes
            .into_iter()
            .filter(|(_, count)| Some(*count) == most)
            .map(|(who, _)| who)
            .collect();
        match leaders[..] {
            [one] => one,
            _ => rows[0].entrants[0],
        }
    }
}
