//! Rapid tie-break games of a drawn team match (the league's regulation of 2012).

use std::collections::BTreeSet;

use super::{About, Audit};
use crate::{
    event::{file::Kind, mark::Mark, model::Encounter},
    finding::{Code, Words},
    rules::{DrawnMatch, RedBoards},
};

impl Audit<'_> {
    /// R117 to R119: rapid games if and only if the slow match is level; one decides; at most so many; the home team
    /// has Red; nobody plays twice; at most so many substitutes on the list.
    pub(super) fn rapid(&mut self) {
        if self.event.kind != Kind::Team {
            return;
        }
        let scale = self.event.scale(self.index);
        for encounter in self.encounters() {
            let Some(pair) = encounter.pair() else { continue };
            let score = scale.score(encounter);
            let slow_is_level = score.open == 0 && score.slow_winner.is_none() && score.counts;
            let rapid = encounter.rapid().count();
            let most = self.event.rules.rapid_games as usize;
            let by_rapid = self.event.rules.drawn_match == DrawnMatch::Rapid;
            let mut fault = |zh: &str, en: &str| {
                let words = Words::new(zh.to_owned(), en.to_owned());
                self.report(
                    Code::RAPID_TIE_BREAK,
                    None,
                    None,
                    &About::encounter(encounter, &pair),
                    words,
                );
            };
            if !by_rapid {
                if rapid > 0 {
                    fault("规程没有快棋加赛", "the regulation knows no rapid tie-break");
                }
                continue;
            }
            if slow_is_level && rapid == 0 {
                fault(
                    "慢棋打平，缺快棋加赛",
                    "the slow match is level, but no rapid game is entered",
                );
            }
            if !slow_is_level && score.open == 0 && rapid > 0 {
                fault(
                    "慢棋已分胜负，不应加赛",
                    "the slow match was decided: no rapid game is played",
                );
            }
            if rapid > most {
                fault("快棋加赛局数过多", "more rapid games than the regulation allows");
            }
            self.rapid_order(encounter, &pair);
            self.rapid_players(encounter, &pair);
        }
    }

    fn rapid_order(&mut self, encounter: &Encounter, pair: &[usize]) {
        let mut decided = false;
        let mut drawn = 0;
        for game in encounter.rapid() {
            let about = About::new(encounter.round, pair, game.origin);
            if decided {
                let words = Words::new(
                    "金球已分胜负，不应再赛",
                    "the game before this one decided the match",
                );
                self.report(Code::RAPID_TIE_BREAK, None, None, &about, words);
            }
            if game.red != 0 && self.event.rules.red_boards == RedBoards::All {
                let words = Words::new("快棋加赛主队执先", "the home team has Red in rapid games");
                self.report(Code::WRONG_COLOUR, None, None, &about, words);
                if let Some(last) = self.findings.last_mut() {
                    last.article = None;
                }
            }
            decided |= game.mark.winner(&self.event.rules).is_some();
            drawn += u32::from(game.mark == Mark::Draw);
        }
        if !decided && drawn > 0 && drawn < self.event.rules.rapid_games {
            let words = Words::new(
                "快棋弈和，须抽第二对再赛",
                "the rapid game was drawn: a second pair must play",
            );
            self.report(
                Code::RAPID_TIE_BREAK,
                None,
                None,
                &About::encounter(encounter, pair),
                words,
            );
        }
    }

    fn rapid_players(&mut self, encounter: &Encounter, pair: &[usize]) {
        for (side, team) in pair.iter().enumerate() {
            let slow = Self::slow_players(encounter, side);
            let mut seen = BTreeSet::new();
            let mut substitutes = BTreeSet::new();
            for game in encounter.rapid() {
                let Some(player) = game.player(side) else { continue };
                let name = self.event.players[player].name.clone();
                let about = About::new(encounter.round, &[*team], game.origin);
                if !seen.insert(player) {
                    let words = Words::new(
                        format!("{name}一场中两次参加快棋加赛"),
                        format!("{name} plays two rapid games of one match"),
                    );
                    self.report(Code::RAPID_TIE_BREAK, None, None, &about, words);
                }
                if !slow.is_empty() && !slow.contains(&player) {
                    substitutes.insert(player);
                }
            }
            let most = self.event.rules.rapid_substitutes as usize;
            if substitutes.len() > most && encounter.rapid().count() > 0 {
                let words = Words::new(
                    format!("快棋加赛名单至多 {most} 名替补"),
                    format!("at most {most} substitute may stand on the list for rapid games"),
                );
                let about = About::encounter(encounter, std::slice::from_ref(team));
                self.report(Code::RAPID_TIE_BREAK, None, None, &about, words);
            }
        }
    }
}
