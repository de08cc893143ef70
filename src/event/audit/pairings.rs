//! Who met whom: rematches, double and missing pairings, byes, score gaps (11.4, appendix 2).

use std::collections::{BTreeMap, BTreeSet};

use super::{About, Audit};
use crate::{
    event::{
        draw::Lots,
        file::{Kind, System},
        model::Encounter,
        swiss::{self, Limits},
        table::present,
    },
    finding::{Code, Severity, Words},
    rules::Exact,
};

/// Above so many entrants no better pairing is looked for: the search is cubic.
const GAPS_UP_TO: usize = 400;

impl Audit<'_> {
    pub(super) fn pairings(&mut self) {
        self.rematches();
        self.twice();
        self.byes();
        self.unpaired();
        if self.stage.system == System::Swiss {
            self.gaps();
        }
    }

    /// R061, R059: nobody meets anybody more often than the system says.
    fn rematches(&mut self) {
        let allowed = match self.stage.system {
            System::RoundRobin => self.stage.cycles,
            System::Swiss | System::Knockout => 1,
            System::DoubleElimination | System::AllPlayAll => return,
        };
        let mut met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
        for encounter in self.encounters().filter(|one| one.places.is_none()) {
            let Some(sides) = encounter.pair() else { continue };
            let forfeited = !encounter.games.is_empty()
                && encounter.games.iter().all(|game| game.mark.is_forfeit());
            if forfeited && self.event.rules.forfeit_may_meet_again {
                continue;
            }
            let mut pair = sides;
            pair.sort_unstable();
            let times = met.entry(pair).or_default();
            *times += 1;
            if *times > allowed {
                let [a, b] = sides.map(|one| self.event.name_of(one));
                let words = Words::new(
                    format!("{a}与{b}第 {times} 次相遇，至多 {allowed} 次"),
                    format!("{a} and {b} meet {times} times, at most {allowed} allowed"),
                );
                self.report(Code::REMATCH, None, None, &About::encounter(encounter, &sides), words);
            }
        }
    }

    /// Nobody is in two pairs of a round; no player on two boards.
    fn twice(&mut self) {
        let mut seen: BTreeSet<(u32, usize)> = BTreeSet::new();
        let mut players: BTreeSet<(u32, usize)> = BTreeSet::new();
        for encounter in self.encounters() {
            let Some(round) = encounter.round else { continue };
            for entrant in encounter.entrants.into_iter().flatten() {
                if !seen.insert((round, entrant)) {
                    let name = self.event.name_of(entrant);
                    let words = Words::new(
                        format!("{name}在一轮中编排了两次"),
                        format!("{name} is paired twice in the round"),
                    );
                    let about = About::encounter(encounter, &[entrant]);
                    self.report(Code::PLAYER_TWICE, None, None, &about, words);
                }
            }
            if self.event.kind != Kind::Team || self.stage.system == System::AllPlayAll {
                continue;
            }
            for game in encounter.slow() {
                for player in game.players.into_iter().flatten() {
                    if !players.insert((round, player)) {
                        let name = &self.event.players[player].name;
                        let words = Words::new(
                            format!("{name}在一轮中出场两次"),
                            format!("{name} plays twice in the round"),
                        );
                        let about = About::new(Some(round), &[], game.origin);
                        self.report(Code::PLAYER_TWICE, None, None, &about, words);
                        self.with("player", name.as_str());
                    }
                }
            }
        }
    }

    fn byes(&mut self) {
        if self.stage.system == System::RoundRobin {
            return;
        }
        let mut byes: BTreeMap<usize, u32> = BTreeMap::new();
        for encounter in self.encounters().filter(|one| one.is_bye()) {
            let Some(entrant) = encounter.entrants[0] else { continue };
            let times = byes.entry(entrant).or_default();
            *times += 1;
            if *times == 2 {
                let name = self.event.name_of(entrant);
                let words =
                    Words::new(format!("{name}轮空两次"), format!("{name} has a second bye"));
                // Where cards are drawn nothing forbids it (R133).
                let drawn = self.stage.system.is_knockout();
                let severity = drawn.then_some(Severity::Warning);
                let about = About::encounter(encounter, &[entrant]);
                self.report(Code::BYE_TWICE, severity, None, &about, words);
            }
            if self.stage.system == System::Swiss {
                self.undue_bye(encounter, entrant);
            }
        }
    }

    /// A bye for somebody while a lower score without a bye was there.
    fn undue_bye(&mut self, encounter: &Encounter, entrant: usize) {
        let Some(round) = encounter.round.filter(|round| *round > 1) else { return };
        let all = swiss::contestants(self.event, self.index, round);
        let Some(score) = all.iter().find(|one| one.id == entrant).map(|one| one.score) else {
            return;
        };
        let lower =
            all.iter().filter(|one| one.score < score && !one.had_bye).min_by_key(|one| one.score);
        if let Some(lower) = lower {
            let (name, other) = (self.event.name_of(entrant), self.event.name_of(lower.id));
            let words = Words::new(
                format!("{name}轮空，而{other}分数更低且未轮空过"),
                format!("{name} has the bye, while {other} has fewer points and had none"),
            );
            let about = About::encounter(encounter, &[entrant, lower.id]);
            self.report(Code::UNDUE_BYE, None, None, &about, words);
        }
    }

    /// Everybody plays in every round or has a bye; many missing ones are missing results.
    fn unpaired(&mut self) {
        if self.stage.system.is_knockout() || self.stage.system == System::AllPlayAll {
            return;
        }
        let mut rounds: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
        for encounter in self.encounters() {
            if let Some(round) = encounter.round {
                rounds.entry(round).or_default().extend(encounter.entrants.into_iter().flatten());
            }
        }
        let present: Vec<usize> = present(self.event, self.index).collect();
        for (round, seen) in rounds {
            let withdrawn = |entrant: usize| {
                let gone = self.event.withdrawal(self.index, entrant);
                gone.is_some_and(|one| one.after_round < round)
            };
            let missing: Vec<usize> = present
                .iter()
                .copied()
                .filter(|entrant| !seen.contains(entrant) && !withdrawn(*entrant))
                .collect();
            // In a round robin who would have met somebody who is gone is free, as is one of an odd number.
            let gone = present.iter().filter(|entrant| withdrawn(**entrant)).count();
            let natural = self.stage.system == System::RoundRobin
                && missing.len() <= gone + present.len() % 2;
            let about = About::new(Some(round), &missing, None);
            match missing.len() {
                0 => {}
                _ if natural => {}
                1 => {
                    let name = self.event.name_of(missing[0]);
                    let words = Words::new(
                        format!("{name}没有对手，也没有记轮空"),
                        format!("{name} has no opponent, and no bye is entered"),
                    );
                    self.report(Code::NOT_PAIRED, None, None, &about, words);
                }
                count => {
                    let words = Words::new(
                        format!("{count} 个参赛者没有成绩"),
                        format!("{count} entrants have no result"),
                    );
                    self.report(Code::RESULTS_MISSING, None, None, &about, words);
                }
            }
        }
    }

    /// Pairs with score gaps where nearer scores could have met: the best pairing of the same entrants is sought.
    fn gaps(&mut self) {
        let rounds: BTreeSet<u32> = self.encounters().filter_map(|one| one.round).collect();
        for round in rounds.into_iter().filter(|round| *round > 1) {
            let in_round = || self.encounters().filter(move |one| one.round == Some(round));
            let pairs: Vec<(usize, usize)> =
                in_round().filter_map(|one| one.pair()).map(|[a, b]| (a, b)).collect();
            let paired: BTreeSet<usize> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
            let mut all = swiss::contestants(self.event, self.index, round);
            all.retain(|one| paired.contains(&one.id));
            // Where somebody is in two pairs, or stands in none, there is nothing to compare; nor where the scores are
            // not known because a round of somebody is missing.
            let earlier = |entrant: usize| {
                let mut before =
                    self.encounters().filter(|one| one.round.is_some_and(|one| one < round));
                let own = |one: &Encounter| one.side_of(entrant).is_some();
                let count = before.by_ref().filter(|one| own(one)).count();
                count + 1 == round as usize
            };
            if all.len() != 2 * pairs.len()
                || all.len() > GAPS_UP_TO
                || !paired.iter().all(|one| earlier(*one))
            {
                continue;
            }
            let mut lots = Lots::for_purpose(0, "audit");
            let best = swiss::pair(&all, false, Limits::of(self.event), &mut lots);
            let (found, least) = (swiss::gaps(&all, &pairs), swiss::gaps(&all, &best.pairs));
            if !best.unpaired.is_empty() || found <= least {
                continue;
            }
            let unit = swiss::unit(self.event);
            let in_points = |gaps: &[i64]| -> Vec<String> {
                gaps.iter().map(|gap| (unit * Exact::whole(*gap)).to_string()).collect()
            };
            let (found, least) = (in_points(&found), in_points(&least));
            let (had, could) = (found.join("+"), least.join("+"));
            let words = Words::new(
                format!("分差 {had}，可以编成 {could}（自高分段起）"),
                format!("score gaps {had}, possible are {could} (from the top score down)"),
            );
            let origin = in_round().find_map(|one| one.origin);
            let about = About::new(Some(round), &[], origin);
            self.report(Code::SCORE_GAP, None, None, &about, words);
            let name = |one: usize| self.event.name_of(one).to_owned();
            let better: Vec<Vec<String>> =
                best.pairs.iter().map(|(a, b)| vec![name(*a), name(*b)]).collect();
            self.with("better", better);
            self.with("gaps", found);
            self.with("least", least);
        }
    }
}
