//! Results that cannot be: too many games or boards, fouls and exclusions without the loss, lateness (4.1.8, 18.2, 21).

use std::collections::BTreeSet;

use super::{About, Audit};
use crate::{
    event::{
        file::{Kind, PenaltyKind, Speed, System},
        mark::Mark,
        model::{Encounter, Game},
    },
    finding::{Code, Severity, Words},
    rules::Exact,
};

impl Audit<'_> {
    pub(super) fn results(&mut self) {
        self.rounds();
        self.games();
        self.penalties();
        self.lateness();
        self.open();
    }

    fn rounds(&mut self) {
        let Some(planned) = self.stage.rounds else { return };
        for encounter in self.encounters() {
            if let Some(round) = encounter.round.filter(|round| *round > planned || *round == 0) {
                let words = Words::new(
                    format!("本阶段只有 {planned} 轮"),
                    format!("there are {planned} rounds, not {round}"),
                );
                self.report(
                    Code::IMPOSSIBLE_RESULT,
                    None,
                    None,
                    &About::encounter(encounter, &[]),
                    words,
                );
            }
        }
    }

    fn games(&mut self) {
        for encounter in self.encounters() {
            let Some(pair) = encounter.pair() else { continue };
            match self.event.kind {
                Kind::Team => self.board_numbers(encounter, &pair),
                Kind::Individual => self.number_of_games(encounter, &pair),
            }
        }
    }

    fn board_numbers(&mut self, encounter: &Encounter, pair: &[usize]) {
        if self.stage.system == System::AllPlayAll {
            return self.pairs_of_players(encounter, pair);
        }
        let mut seen = BTreeSet::new();
        for game in encounter.slow().filter(|game| game.board_given) {
            let board = game.board;
            let about = About::new(encounter.round, pair, game.origin);
            if !seen.insert(board) {
                let words = Words::new(
                    format!("第 {board} 台有两个结果"),
                    format!("board {board} has two results"),
                );
                self.report(Code::IMPOSSIBLE_RESULT, None, None, &about, words);
            } else if board > self.event.boards {
                let boards = self.event.boards;
                let words =
                    Words::new(format!("只有 {boards} 台"), format!("there are {boards} boards"));
                self.report(Code::IMPOSSIBLE_RESULT, None, None, &about, words);
            }
        }
    }

    /// R065: each pair of players meets once.
    fn pairs_of_players(&mut self, encounter: &Encounter, pair: &[usize]) {
        let mut met = BTreeSet::new();
        for game in encounter.slow() {
            let (Some(one), Some(other)) = (game.player(0), game.player(1)) else { continue };
            if !met.insert((one, other)) {
                let names = [one, other].map(|player| self.event.players[player].name.clone());
                let words = Words::new(
                    format!("{}与{}已经下过", names[0], names[1]),
                    format!("{} and {} have met before", names[0], names[1]),
                );
                let about = About::new(None, pair, game.origin);
                self.report(Code::REMATCH, None, Some("12.4"), &about, words);
            }
        }
    }

    /// R128: a best of so many ends when it is decided.
    fn number_of_games(&mut self, encounter: &Encounter, pair: &[usize]) {
        let most = self.stage.best_of.unwrap_or(self.stage.games);
        let mut wins = [0_u32; 2];
        for (number, game) in (1_u32..).zip(encounter.slow()) {
            let about = About::new(encounter.round, pair, game.origin);
            if number > most && !self.stage.system.is_knockout() {
                let words = Words::new(
                    format!("至多 {most} 局"),
                    format!("at most {most} games are played"),
                );
                self.report(Code::IMPOSSIBLE_RESULT, None, None, &about, words);
            }
            if self.stage.best_of.is_some_and(|best_of| wins.iter().any(|wins| 2 * wins > best_of))
            {
                let words =
                    Words::new("胜负已定，此局不应再下", "the match was decided before this game");
                self.report(Code::IMPOSSIBLE_RESULT, None, None, &about, words);
                break;
            }
            if let Some(colour) = game.mark.winner(&self.event.rules) {
                wins[if colour == 0 { game.red } else { 1 - game.red }] += 1;
            }
        }
    }

    /// The games of `entrant` (of `player`, where one is named) in a round.
    fn games_of(
        &self,
        entrant: usize,
        player: Option<usize>,
        round: u32,
    ) -> Vec<(&Game, usize, Option<u32>)> {
        let mut found = Vec::new();
        for encounter in self.encounters().filter(|one| one.round == Some(round)) {
            let Some(side) = encounter.side_of(entrant) else { continue };
            let of_player = |game: &&Game| match (self.event.kind, player) {
                (Kind::Team, Some(player)) => game.player(side) == Some(player),
                _ => true,
            };
            found.extend(
                encounter.games.iter().filter(of_player).map(|game| (game, side, encounter.round)),
            );
        }
        found
    }

    /// Whether `side` has lost `game`.
    fn has_lost(&self, game: &Game, side: usize) -> bool {
        match game.mark {
            Mark::BothForfeit | Mark::BothLose => true,
            mark => mark.winner(&self.event.rules).is_some_and(|colour| {
                let winner = if colour == 0 { game.red } else { 1 - game.red };
                winner != side
            }),
        }
    }

    /// 4.1.8: so many fouls in a game lose it; 18.2: an exclusion loses it.
    fn penalties(&mut self) {
        for penalty in &self.event.penalties {
            let here = penalty.stage.is_none_or(|stage| stage == self.index);
            let Some(round) = penalty.round.filter(|_| here) else { continue };
            let limit = match penalty.speed {
                Speed::Slow => self.event.fouls_lose,
                Speed::Rapid => self.event.rules.rapid_fouls_lose,
            };
            let (zh, en, article) = match penalty.kind {
                PenaltyKind::Foul if limit > 0 && penalty.count >= limit => {
                    ("犯规次数已满，应判负", "the fouls are so many that the game is lost", "4.1.8")
                }
                PenaltyKind::Exclusion => {
                    ("取消当场比赛资格，应判负", "an exclusion loses the game", "18.2")
                }
                _ => continue,
            };
            let games: Vec<_> = self
                .games_of(penalty.entrant, penalty.player, round)
                .into_iter()
                .filter(|(game, _, _)| game.speed == penalty.speed && game.mark != Mark::Open)
                .collect();
            // In a team event a foul of nobody in particular may be anyone's.
            let known = penalty.player.is_some() || self.event.kind == Kind::Individual;
            let lost = games.iter().any(|(game, side, _)| self.has_lost(game, *side));
            if !known || games.is_empty() || lost {
                continue;
            }
            let name = match penalty.player {
                Some(player) => &self.event.players[player].name,
                None => self.event.name_of(penalty.entrant),
            };
            let words = Words::new(format!("{name}：{zh}"), format!("{name}: {en}"));
            let about = About::new(Some(round), &[penalty.entrant], penalty.origin);
            self.report(Code::IMPOSSIBLE_RESULT, None, Some(article), &about, words);
        }
    }

    /// 21.1 to 21.3: who is too late loses without play, and only he; both too late, both lose.
    fn lateness(&mut self) {
        let limit = Exact::from(self.event.late_minutes);
        for late in &self.event.lates {
            let here = late.stage.is_none_or(|stage| stage == self.index);
            if !here {
                continue;
            }
            let name = match late.player {
                Some(player) => self.event.players[player].name.clone(),
                None => self.event.name_of(late.entrant).to_owned(),
            };
            let entrants = [late.entrant];
            let about = About::new(Some(late.round), &entrants, Some(late.origin));
            if limit == Exact::ZERO {
                let words = Words::new(
                    format!("{name}迟到 {} 分钟，时限未知", late.minutes),
                    format!("{name} was {} minutes late; the limit is not given", late.minutes),
                );
                self.report(
                    Code::LATE_FORFEIT,
                    Some(Severity::Warning),
                    Some("21.1"),
                    &about,
                    words,
                );
                self.help(Words::new(
                    "在 [event] 中写明 late_minutes",
                    "give late_minutes under [event]",
                ));
                continue;
            }
            let over = late.minutes > limit;
            let games: Vec<(Mark, bool)> = self
                .games_of(late.entrant, late.player, late.round)
                .into_iter()
                .map(|(game, side, _)| (game.mark, self.has_lost(game, side)))
                .collect();
            for (mark, lost) in games {
                let forfeited = mark.is_forfeit() && lost;
                if mark == Mark::Open || over == forfeited {
                    continue;
                }
                let words = if over {
                    Words::new(
                        format!("{name}迟到 {} 分钟，超过 {limit} 分钟，应判负（-）", late.minutes),
                        format!(
                            "{name} was {} minutes late, over {limit}: the game is lost (-)",
                            late.minutes
                        ),
                    )
                } else {
                    Words::new(
                        format!(
                            "{name}迟到 {} 分钟，未超过 {limit} 分钟，不应判弃权",
                            late.minutes
                        ),
                        format!(
                            "{name} was {} minutes late, not over {limit}: no forfeit",
                            late.minutes
                        ),
                    )
                };
                let article = if mark == Mark::BothForfeit {
                    "21.3"
                } else if over {
                    "21.1"
                } else {
                    "21.2"
                };
                self.report(Code::LATE_FORFEIT, None, Some(article), &about, words);
            }
        }
    }

    /// Games that are entered without a result, and boards that are not entered at all.
    fn open(&mut self) {
        let table = &self.standings.table;
        let mut games = 0;
        let mut entrants = BTreeSet::new();
        let mut first = None;
        for (encounter, score) in table.encounters.iter().zip(&table.scores) {
            let entered = !encounter.games.is_empty();
            if score.open > 0 && entered && score.counts {
                games += score.open;
                entrants.extend(encounter.entrants.into_iter().flatten());
                first = first.or(encounter.origin);
            }
        }
        let to_come =
            table.encounters.iter().filter(|one| one.games.is_empty() && !one.is_bye()).count();
        let entrants: Vec<usize> = entrants.into_iter().collect();
        if games > 0 {
            let words =
                Words::new(format!("缺 {games} 局的结果"), format!("{games} games have no result"));
            let about = About::new(None, &entrants, first);
            self.report(Code::RESULTS_MISSING, None, None, &about, words);
            self.with("games", games);
        }
        if to_come > 0 && self.event.stages[self.index].encounters.iter().any(|one| !one.is_bye()) {
            let words = Words::new(
                format!("循环赛还有 {to_come} 场没有成绩"),
                format!("{to_come} encounters of the round robin have no result"),
            );
            self.report(Code::RESULTS_MISSING, None, None, &About::default(), words);
            self.with("encounters", to_come);
        }
    }

    /// The slow games of a side that were played, for [`rapid`](super::rapid).
    pub(super) fn slow_players(encounter: &Encounter, side: usize) -> BTreeSet<usize> {
        encounter
            .games
            .iter()
            .filter(|game| game.speed == Speed::Slow)
            .filter_map(|game| game.player(side))
            .collect()
    }
}
