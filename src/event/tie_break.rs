//! The criteria behind the points, and their exact values (articles 15.1 to 15.5; the league's of 2012).

use std::fmt;

use crate::rules::{Exact, HeadToHead, Unplayed};

use super::{
    file::{Kind, Speed},
    table::{Line, Meeting, Outcome, Table},
};

macro_rules! criteria {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $english:literal, $more:literal;)*) => {
        /// A criterion that separates entrants with equal points.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Criterion { $($(#[$doc])* $variant,)* }

        impl Criterion {
            /// Every criterion.
            pub const ALL: &'static [Criterion] = &[$(Criterion::$variant,)*];

            /// Its name in rules and tables.
            pub const fn as_str(self) -> &'static str {
                match self { $(Criterion::$variant => $name,)* }
            }

            /// Its name in English; in event files it may stand for the Chinese one.
            pub const fn english(self) -> &'static str {
                match self { $(Criterion::$variant => $english,)* }
            }

            /// Whether more is better.
            pub const fn more_is_better(self) -> bool {
                match self { $(Criterion::$variant => $more,)* }
            }
        }
    };
}

criteria! {
    /// 小分: scores of beaten opponents and half of those of drawn ones (15.1; Sonneborn-Berger).
    SonnebornBerger = "小分", "sonneborn-berger", true;
    /// 对手分: the sum of the opponents' points (15.2, 15.4; Buchholz).
    Opponents = "对手分", "opponents", true;
    /// 累进分: the sum of the running points after each round.
    Progressive = "累进分", "progressive", true;
    /// 胜局: games won (15.1, 15.3).
    Wins = "胜局", "wins", true;
    /// 胜场: encounters won (15.4).
    MatchWins = "胜场", "match-wins", true;
    /// 总局分: game points of a team (15.3).
    GamePoints = "总局分", "game-points", true;
    /// 直胜: the result among those concerned (15.1).
    HeadToHead = "直胜", "head-to-head", true;
    /// 犯规: fouls, fewer first (15.1 to 15.5).
    Fouls = "犯规", "fouls", false;
    /// 后手胜: games won with Black.
    BlackWins = "后手胜", "black-wins", true;
    /// 后手局: games played with Black.
    BlackGames = "后手局", "black-games", true;
    /// 最好对手名次: the points of the best opponent.
    BestOpponent = "最好对手", "best-opponent", true;
    /// 慢棋场分 (R120): a drawn slow match gives one each.
    SlowMatchPoints = "慢棋场分", "slow-match-points", true;
    /// 慢棋总局分 (R120).
    SlowGamePoints = "慢棋总局分", "slow-game-points", true;
    /// 慢棋胜场 (R120).
    SlowMatchWins = "慢棋胜场", "slow-match-wins", true;
    /// 慢棋胜局 (R120).
    SlowWins = "慢棋胜局", "slow-wins", true;
    /// 慢棋犯规 (R120), fewer first.
    SlowFouls = "慢棋犯规", "slow-fouls", false;
    /// 最高个人名次 of a sum of members (15.5), lower first.
    BestPlace = "最高名次", "best-place", false;
    /// 次高个人名次 of a sum of members (15.5), lower first.
    SecondPlace = "次高名次", "second-place", false;
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Criterion {
    /// The criterion of a Chinese or English name.
    ///
    /// ```
    /// use qijian::event::Criterion;
    /// assert_eq!(Criterion::from_name("小分"), Some(Criterion::SonnebornBerger));
    /// assert_eq!(Criterion::from_name("opponents"), Some(Criterion::Opponents));
    /// ```
    pub fn from_name(name: &str) -> Option<Criterion> {
        let other = match name {
            "局分" | "全队总局分" => Some(Criterion::GamePoints),
            "全队胜局" => Some(Criterion::Wins),
            "全队胜场" => Some(Criterion::MatchWins),
            "团体对手分" | "buchholz" => Some(Criterion::Opponents),
            "全队犯规" => Some(Criterion::Fouls),
            _ => None,
        };
        let named = |one: &&Criterion| one.as_str() == name || one.english() == name;
        other.or_else(|| Criterion::ALL.iter().find(named).copied())
    }

    /// Whether a round later than the present one may still change it without a game of the entrant.
    pub const fn needs_opponents(self) -> bool {
        matches!(self, Criterion::SonnebornBerger | Criterion::Opponents | Criterion::BestOpponent)
    }
}

impl Table<'_> {
    /// The value of `criterion` for the entrant of `line`; `group` are the lines that are level with it, itself among
    /// them. `None` where the criterion does not apply to a table.
    pub fn value(&self, criterion: Criterion, line: usize, group: &[usize]) -> Option<Exact> {
        let of = &self.lines[line];
        Some(match criterion {
            Criterion::SonnebornBerger => self.sonneborn_berger(of),
            Criterion::Opponents => self.opponents(of),
            Criterion::Progressive => progressive(of),
            Criterion::Wins | Criterion::SlowWins => of.wins.into(),
            Criterion::MatchWins => of.match_wins.into(),
            Criterion::GamePoints | Criterion::SlowGamePoints => of.game_points,
            Criterion::HeadToHead => self.head_to_head(line, group),
            Criterion::Fouls => of.fouls[0].into(),
            Criterion::BlackWins => of.black_wins.into(),
            Criterion::BlackGames => of.black_games.into(),
            Criterion::BestOpponent => of
                .meetings
                .iter()
                .filter_map(|meeting| meeting.opponent)
                .map(|opponent| self.lines[opponent].points)
                .max()
                .unwrap_or(Exact::ZERO),
            Criterion::SlowMatchPoints => of.slow_match_points,
            Criterion::SlowMatchWins => of.slow_match_wins.into(),
            Criterion::SlowFouls => of.fouls[1].into(),
            Criterion::BestPlace | Criterion::SecondPlace => return None,
        })
    }

    /// 小分. Of several games against one opponent each counts for itself, a match of a team as one.
    fn sonneborn_berger(&self, line: &Line) -> Exact {
        let terms = line.meetings.iter().filter_map(|meeting| {
            let score = self.lines[meeting.opponent?].points;
            Some(match self.event.kind {
                Kind::Team => score * share(meeting.outcome),
                Kind::Individual => self.game_shares(meeting, line) * score,
            })
        });
        terms.sum()
    }

    /// How many games of an encounter were won, drawn ones as halves.
    fn game_shares(&self, meeting: &Meeting, line: &Line) -> Exact {
        let encounter = &self.encounters[meeting.encounter];
        let Some(side) = encounter.side_of(line.entrant) else { return Exact::ZERO };
        let rules = &self.event.rules;
        let games = encounter.games.iter().filter(|game| game.speed == Speed::Slow);
        games
            .filter_map(|game| {
                let points = game.mark.points(rules)?;
                let mine = points[usize::from(game.red != side)];
                Some(match mine {
                    points if points == rules.win => Exact::whole(1),
                    points if points == rules.draw => Exact::new(1, 2),
                    _ => Exact::ZERO,
                })
            })
            .sum()
    }

    /// 对手分. Opponents who withdrew count with the points that they ended with; a bye as the profile says.
    fn opponents(&self, line: &Line) -> Exact {
        let lowest = || self.lines.iter().map(|line| line.points).min().unwrap_or(Exact::ZERO);
        let terms = line.meetings.iter().map(|meeting| match meeting.opponent {
            Some(opponent) => self.lines[opponent].points,
            None => match self.event.rules.unplayed_opponent {
                Unplayed::Lowest => lowest(),
                Unplayed::Zero => Exact::ZERO,
                Unplayed::Own => line.points,
            },
        });
        terms.sum()
    }

    /// 直胜 within `group`.
    fn head_to_head(&self, line: usize, group: &[usize]) -> Exact {
        let among = self.lines[line]
            .meetings
            .iter()
            .filter(|meeting| meeting.opponent.is_some_and(|other| group.contains(&other)));
        if self.event.rules.head_to_head == HeadToHead::MiniTable {
            return among.map(|meeting| meeting.points).sum();
        }
        let mut balance: std::collections::BTreeMap<usize, i64> = std::collections::BTreeMap::new();
        for meeting in among {
            let step = match meeting.outcome {
                Outcome::Won => 1,
                Outcome::Lost => -1,
                _ => 0,
            };
            *balance.entry(meeting.opponent.unwrap_or(line)).or_default() += step;
        }
        let beaten = balance.values().filter(|sum| **sum > 0).count();
        Exact::whole(i64::from(group.len() > 1 && beaten == group.len() - 1))
    }
}

/// The share of an opponent's score that an outcome brings.
fn share(outcome: Outcome) -> Exact {
    match outcome {
        Outcome::Won => Exact::whole(1),
        Outcome::Drawn => Exact::new(1, 2),
        Outcome::Lost | Outcome::Open => Exact::ZERO,
    }
}

/// 累进分: a round without result keeps the running points.
fn progressive(line: &Line) -> Exact {
    let last = line.meetings.iter().filter_map(|meeting| meeting.round).max().unwrap_or(0);
    // Every meeting counts once for each round from its own on.
    let terms = line.meetings.iter().filter_map(|meeting| {
        let round = meeting.round?;
        Some(meeting.points * (Exact::from(last - round) + Exact::whole(1)))
    });
    terms.sum()
}
