//! What one encounter is worth to both sides (articles 14, 21.4; the league's rapid games).

use crate::rules::{ByeScore, DrawnMatch, EventRules, Exact, RapidLevel};

use super::{file::Kind, mark::Mark, model::Encounter};

/// The worth of an encounter; the first of each pair is the first entrant's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// What goes into the ranking's points, as far as it is certain: 积分 of players, 场分 of teams.
    pub points: [Exact; 2],
    /// The least and the most that `points` can become.
    pub range: [(Exact, Exact); 2],
    /// 局分 of the slow games.
    pub game_points: [Exact; 2],
    /// 场分 of the slow games alone.
    pub slow_match_points: [Exact; 2],
    /// Slow games won.
    pub wins: [u32; 2],
    /// Games won with Black (后手胜).
    pub black_wins: [u32; 2],
    /// Games played with Black (后手局).
    pub black_games: [u32; 2],
    /// The side that has won the encounter.
    pub winner: Option<usize>,
    /// The side that has won by the slow games.
    pub slow_winner: Option<usize>,
    /// Slow games whose result is not there.
    pub open: u32,
    /// Whether the points are certain.
    pub decided: bool,
    /// Whether anything was played over the board.
    pub played: bool,
    /// Whether it counts at all: not where everything is erased.
    pub counts: bool,
}

/// How an encounter is scored.
#[derive(Clone, Copy, Debug)]
pub struct Scale<'a> {
    /// The values.
    pub rules: &'a EventRules,
    /// Players or teams.
    pub kind: Kind,
    /// Slow games of an encounter: boards of a team match, games of a match of players.
    pub games: u32,
}

impl Scale<'_> {
    /// The worth of `encounter`.
    pub fn score(&self, encounter: &Encounter) -> Score {
        let mut score = Score {
            points: [Exact::ZERO; 2],
            range: [(Exact::ZERO, Exact::ZERO); 2],
            game_points: [Exact::ZERO; 2],
            slow_match_points: [Exact::ZERO; 2],
            wins: [0; 2],
            black_wins: [0; 2],
            black_games: [0; 2],
            winner: None,
            slow_winner: None,
            open: 0,
            decided: true,
            played: encounter.games.iter().any(|game| game.mark.is_played()),
            counts: true,
        };
        if encounter.is_bye() {
            self.bye(&mut score);
            return score;
        }
        let slow = encounter.slow().count();
        let erased = encounter.slow().filter(|game| game.mark == Mark::Void).count();
        if slow > 0 && erased == slow {
            score.counts = false;
            return score;
        }
        let scale = self.whole_match(encounter);
        for game in encounter.slow() {
            let Some(points) = game.mark.points(self.rules) else {
                score.open += u32::from(game.mark == Mark::Open);
                continue;
            };
            let sides = [game.red, 1 - game.red];
            for (colour, side) in sides.into_iter().enumerate() {
                score.game_points[side] += points[colour] * scale.into();
            }
            if game.mark.is_played() {
                score.black_games[sides[1]] += 1;
            }
            if let Some(colour) = game.mark.winner(self.rules) {
                if !game.mark.is_forfeit() || self.rules.forfeit_is_win {
                    score.wins[sides[colour]] += scale;
                }
                score.black_wins[sides[1]] += u32::from(colour == 1 && game.mark.is_played());
            }
        }
        if !self.is_whole_forfeit(encounter) {
            let known = u32::try_from(slow).unwrap_or(u32::MAX);
            score.open += self.games.saturating_sub(known);
        }
        match self.kind {
            Kind::Team => self.team(encounter, &mut score),
            Kind::Individual => self.individual(encounter, &mut score),
        }
        score
    }

    fn bye(&self, score: &mut Score) {
        let rules = self.rules;
        let pick = |win: Exact, draw: Exact, loss: Exact| match rules.bye {
            ByeScore::Win => win,
            ByeScore::Draw => draw,
            ByeScore::Nothing => loss,
        };
        let won = rules.bye == ByeScore::Win;
        let game = pick(rules.win, rules.draw, rules.loss);
        let games = match self.kind {
            Kind::Team if rules.forfeit_fills_boards => self.games,
            Kind::Team => 0,
            Kind::Individual => 1,
        };
        score.game_points[0] = game * games.into();
        let points = match self.kind {
            Kind::Team => pick(rules.match_win, rules.match_draw, rules.match_loss),
            Kind::Individual => game,
        };
        score.points[0] = points;
        score.slow_match_points[0] = points;
        score.range[0] = (points, points);
        score.winner = won.then_some(0);
        score.slow_winner = score.winner;
        score.wins[0] = if won && rules.forfeit_is_win { games } else { 0 };
    }

    /// Whether a whole match was won without play: one row, no players.
    fn is_whole_forfeit(&self, encounter: &Encounter) -> bool {
        matches!(&encounter.games[..], [game]
            if game.mark.is_forfeit() && (self.kind == Kind::Individual || game.players == [None; 2]))
    }

    /// How many boards one row stands for.
    fn whole_match(&self, encounter: &Encounter) -> u32 {
        match self.kind {
            Kind::Team if self.is_whole_forfeit(encounter) => {
                if self.rules.forfeit_fills_boards {
                    self.games.max(1)
                } else {
                    0
                }
            }
            _ => 1,
        }
    }

    fn individual(&self, encounter: &Encounter, score: &mut Score) {
        let spread = (self.rules.win - self.rules.loss) * score.open.into();
        let floor = self.rules.loss * score.open.into();
        score.points = score.game_points;
        score.decided = score.open == 0;
        for side in 0..2 {
            let least = score.points[side] + floor;
            score.range[side] = (least, least + spread);
        }
        score.slow_winner = ahead(score.game_points).filter(|_| score.decided);
        score.slow_match_points = score.points;
        let rapid = encounter.rapid().filter_map(|game| {
            game.mark
                .winner(self.rules)
                .map(|colour| if colour == 0 { game.red } else { 1 - game.red })
        });
        score.winner = score.slow_winner.or(rapid.last().filter(|_| score.decided));
    }

    fn team(&self, encounter: &Encounter, score: &mut Score) {
        let rules = self.rules;
        if let [game] = &encounter.games[..]
            && self.is_whole_forfeit(encounter)
        {
            score.slow_winner = match game.mark {
                Mark::RedByForfeit => Some(game.red),
                Mark::BlackByForfeit => Some(1 - game.red),
                _ => None,
            };
            score.winner = score.slow_winner;
            for side in 0..2 {
                score.points[side] =
                    if score.winner == Some(side) { rules.match_win } else { rules.match_loss };
                score.range[side] = (score.points[side], score.points[side]);
            }
            score.slow_match_points = score.points;
            return;
        }
        // What the open boards can still turn.
        let swing = (rules.win - rules.loss) * score.open.into();
        let lead = score.game_points[0] - score.game_points[1];
        let (worst, best) = (lead - swing, lead + swing);
        let slow = |lead: Exact| match lead.cmp(&Exact::ZERO) {
            std::cmp::Ordering::Greater => [rules.match_win, rules.match_loss],
            std::cmp::Ordering::Less => [rules.match_loss, rules.match_win],
            std::cmp::Ordering::Equal => [rules.match_draw, rules.match_draw],
        };
        let is_certain = slow(worst) == slow(best);
        score.decided = is_certain;
        if is_certain {
            score.slow_match_points = slow(lead);
            score.slow_winner = ahead(score.game_points);
            score.winner = score.slow_winner;
            score.points = score.slow_match_points;
            for side in 0..2 {
                score.range[side] = (score.points[side], score.points[side]);
            }
        } else {
            let (low, high) = (slow(worst), slow(best));
            score.range = [(low[0], high[0]), (high[1], low[1])];
        }
        if is_certain && score.slow_winner.is_none() && rules.drawn_match == DrawnMatch::Rapid {
            self.rapid(encounter, score);
        }
    }

    /// The rapid games of a drawn match: the first won decides; if so many as may be played are drawn, the rule does.
    fn rapid(&self, encounter: &Encounter, score: &mut Score) {
        let rules = self.rules;
        let mut drawn = 0;
        for game in encounter.rapid().take(rules.rapid_games as usize) {
            match game.mark {
                Mark::RedWins | Mark::RedByForfeit => score.winner = Some(game.red),
                Mark::BlackWins | Mark::BlackByForfeit => score.winner = Some(1 - game.red),
                Mark::Draw => drawn += 1,
                _ => {}
            }
            if score.winner.is_some() {
                break;
            }
        }
        if score.winner.is_none()
            && drawn >= rules.rapid_games
            && rules.rapid_level == RapidLevel::Second
        {
            score.winner = Some(1);
        }
        score.decided = score.winner.is_some();
        for side in 0..2 {
            score.points[side] = match score.winner {
                Some(winner) if winner == side => rules.match_win,
                Some(_) => rules.match_loss,
                None => Exact::ZERO,
            };
            score.range[side] = match score.winner {
                Some(_) => (score.points[side], score.points[side]),
                None => (rules.match_loss, rules.match_win),
            };
        }
    }
}

/// The side that has more.
fn ahead(points: [Exact; 2]) -> Option<usize> {
    match points[0].cmp(&points[1]) {
        std::cmp::Ordering::Greater => Some(0),
        std::cmp::Ordering::Less => Some(1),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::{file::Speed, model::Game},
        rules::Profile,
    };

    /// A team match of four boards by the first side's results, `w`, `d`, `l`, and rapid games likewise.
    fn encounter(slow: &str, rapid: &str) -> Encounter {
        let game = |(board, result): (usize, char), speed: Speed| Game {
            board: board as u32 + 1,
            board_given: true,
            red: 0,
            players: [Some(1), Some(2)],
            mark: match result {
                'w' => Mark::RedWins,
                'l' => Mark::BlackWins,
                'd' => Mark::Draw,
                _ => Mark::Open,
            },
            speed,
            record: None,
            origin: None,
        };
        let slow = slow.chars().enumerate().map(|one| game(one, Speed::Slow));
        let rapid = rapid.chars().enumerate().map(|one| game(one, Speed::Rapid));
        Encounter {
            round: Some(1),
            number: None,
            entrants: [Some(0), Some(1)],
            home_given: true,
            places: None,
            games: slow.chain(rapid).collect(),
            origin: None,
        }
    }

    fn points(profile: &str, slow: &str, rapid: &str) -> (Vec<String>, bool) {
        let rules = Profile::load(profile).unwrap().event;
        let scale = Scale { rules: &rules, kind: Kind::Team, games: 4 };
        let score = scale.score(&encounter(slow, rapid));
        (score.points.iter().map(Exact::to_string).collect(), score.decided)
    }

    // 14.2.
    #[test]
    fn more_game_points_win_the_match() {
        assert_eq!(points("cxa-classic", "wddd", ""), (vec!["2".into(), "0".into()], true));
        assert_eq!(points("cxa-classic", "wldd", ""), (vec!["1".into(), "1".into()], true));
        // Two boards missing can turn it; one cannot.
        assert!(!points("cxa-classic", "wd", "").1);
        assert_eq!(points("cxa-classic", "wwd", ""), (vec!["2".into(), "0".into()], true));
    }

    // R117, R118: the first rapid game won decides; two drawn ones are the away team's.
    #[test]
    fn rapid_games_decide_a_level_match() {
        let league = |rapid: &str| points("league-2012-slow", "wldd", rapid);
        assert_eq!(league("w").0, ["2", "0"]);
        assert_eq!(league("dl").0, ["0", "2"]);
        assert_eq!(league("dd").0, ["0", "2"]);
        assert!(!league("").1 && !league("d").1);
        assert_eq!(points("league-2012-slow", "wddd", "l").0, ["2", "0"]);
    }

    #[test]
    fn the_range_of_an_open_match_holds_every_outcome() {
        let rules = Profile::default().event;
        let scale = Scale { rules: &rules, kind: Kind::Team, games: 4 };
        let range = scale.score(&encounter("ww", "")).range;
        assert_eq!(range[0], (Exact::whole(1), Exact::whole(2)));
        assert_eq!(range[1], (Exact::ZERO, Exact::whole(1)));
    }
}
