//! What was published against what the results give; shared places; names that may be one person (15.6).

use super::{About, Audit};
use crate::{
    event::{
        bounds::bounds,
        file::{Kind, System},
        knockout,
        ranking::rank,
        table::Table,
    },
    finding::{Code, Words},
    rules::Exact,
};

/// Above so many names no two are compared.
const NAMES_UP_TO: usize = 500;

impl Audit<'_> {
    pub(super) fn published(&mut self) {
        self.tables();
        self.sums();
        self.shared();
        if self.index == 0 {
            self.same_person();
        }
    }

    fn tables(&mut self) {
        let mut known: std::collections::BTreeMap<Option<u32>, (Table<'_>, Vec<_>, Vec<_>)> =
            std::collections::BTreeMap::new();
        let (event, index) = (self.event, self.index);
        let here = event.published.iter().filter(|one| one.stage == index);
        // A table without rounds has nothing to compare.
        if self.stage.encounters.is_empty() {
            return;
        }
        for one in here {
            let (table, ranking, bounds) = known.entry(one.after_round).or_insert_with(|| {
                let table = Table::new(event, index, one.after_round);
                let ranking = match event.stages[index].system.is_knockout() {
                    true => knockout::rank(&table),
                    false => rank(&table),
                };
                let bounds = bounds(&table);
                (table, ranking, bounds)
            });
            let Some(line) = table.lines.iter().find(|line| line.entrant == one.entrant) else {
                continue;
            };
            let bound = bounds.iter().find(|bound| bound.entrant == one.entrant);
            let name = self.event.name_of(one.entrant);
            let (least, most) = bound.map_or((line.least, line.most), |bound| bound.points);
            let mut differences: Vec<(String, String, String)> = Vec::new();
            let range = |least: String, most: String| {
                if least == most { least } else { format!("{least}–{most}") }
            };
            if let Some(points) = one.points.filter(|points| *points < least || *points > most) {
                let computed = range(least.to_string(), most.to_string());
                differences.push(("积分/points".to_owned(), points.to_string(), computed));
            }
            if let Some(place) = one.place {
                let row = ranking.iter().find(|row| row.entrant == one.entrant);
                let (best, worst) = match (bound, row) {
                    (Some(bound), _) => (bound.best, bound.worst),
                    (None, Some(row)) => (row.place, row.place + row.shared.saturating_sub(1)),
                    (None, None) => continue,
                };
                if !(best..=worst).contains(&place) {
                    let computed = range(best.to_string(), worst.to_string());
                    differences.push(("名次/place".to_owned(), place.to_string(), computed));
                }
            }
            // Tie-breaks of a table with missing results are not known.
            for (criterion, value) in one.tie_breaks.iter().filter(|_| bound.is_none()) {
                let at =
                    table.lines.iter().position(|line| line.entrant == one.entrant).unwrap_or(0);
                let level: Vec<usize> = (0..table.lines.len())
                    .filter(|other| table.lines[*other].points == line.points)
                    .collect();
                let computed = table.value(*criterion, at, &level);
                if let Some(computed) = computed.filter(|computed| computed != value) {
                    let what = format!("{criterion}/{}", criterion.english());
                    differences.push((what, value.to_string(), computed.to_string()));
                }
            }
            let (entrant, round, origin) = (one.entrant, one.after_round, one.origin);
            let name = name.to_owned();
            for (what, published, computed) in differences {
                let (zh, en) = what.split_once('/').unwrap_or((&what, &what));
                let words = Words::new(
                    format!("{name}的{zh}公布为 {published}，按成绩为 {computed}"),
                    format!("{en} of {name}: published {published}, by the results {computed}"),
                );
                let about = About::new(round, &[entrant], Some(origin));
                self.report(Code::PUBLISHED_DIFFERS, None, None, &about, words);
                self.with("what", en);
                self.with("published", published);
                self.with("computed", computed);
            }
        }
    }

    /// A published table without rounds: points add up to those of all games; without byes and forfeits, 对手分 to the
    /// number of rounds times that.
    fn sums(&mut self) {
        let here: Vec<_> = self
            .event
            .published
            .iter()
            .filter(|one| one.stage == self.index && one.after_round.is_none())
            .collect();
        let points: Vec<Exact> = here.iter().filter_map(|one| one.points).collect();
        let count = self.stage.entrants.len();
        let (Some(rounds), true) = (self.stage.rounds, self.stage.system == System::Swiss) else {
            return;
        };
        if points.len() != count || count < 2 || count % 2 == 1 || !self.stage.encounters.is_empty()
        {
            return;
        }
        let rules = &self.event.rules;
        let encounter = match self.event.kind {
            Kind::Individual => rules.win + rules.loss,
            Kind::Team => rules.match_win + rules.match_loss,
        };
        let rounds = Exact::from(rounds);
        let due = encounter * rounds * Exact::whole(count as i64).half();
        let sum: Exact = points.iter().copied().sum();
        let opponents: Vec<Exact> = here
            .iter()
            .flat_map(|one| &one.tie_breaks)
            .filter(|(criterion, _)| *criterion == crate::event::Criterion::Opponents)
            .map(|(_, value)| *value)
            .collect();
        let all: Exact = opponents.iter().copied().sum();
        let mut sums = Vec::new();
        if sum != due {
            sums.push(("积分", "points", sum, due));
        }
        if opponents.len() == count && all != rounds * sum {
            sums.push(("对手分", "opponents' points", all, rounds * sum));
        }
        for (zh, en, sum, due) in sums {
            let words = Words::new(
                format!("公布的{zh}合计 {sum}，应为 {due}（若无轮空和弃权）"),
                format!(
                    "published {en} add up to {sum}, due are {due} (without byes and forfeits)"
                ),
            );
            self.report(Code::PUBLISHED_DIFFERS, None, None, &About::default(), words);
        }
    }

    /// R079: a title that is shared.
    fn shared(&mut self) {
        let is_last = self.index + 1 == self.event.stages.len();
        let begun = self.stage.encounters.iter().any(|one| !one.is_bye());
        let done = self.standings.bounds.is_empty() && self.last.is_none();
        if !is_last || !begun || !done || self.stage.system.is_knockout() {
            return;
        }
        let protected = self.event.rules.protected_places;
        let mut places: Vec<(u32, Vec<usize>)> = Vec::new();
        for row in
            self.standings.ranking.iter().filter(|row| row.shared > 1 && row.place <= protected)
        {
            match places.last_mut().filter(|(place, _)| *place == row.place) {
                Some((_, entrants)) => entrants.push(row.entrant),
                None => places.push((row.place, vec![row.entrant])),
            }
        }
        for (place, entrants) in places {
            let names: Vec<&str> = entrants.iter().map(|one| self.event.name_of(*one)).collect();
            let words = Words::new(
                format!("第 {place} 名并列：{}", names.join("、")),
                format!("place {place} is shared by {}", names.join(", ")),
            );
            let about = About::new(None, &entrants, None);
            self.report(Code::SHARED_PLACE, None, None, &about, words);
            self.help(Words::new(
                "加赛或抽签，结果记作 [[decision]]",
                "play off or draw lots, and enter the outcome as [[decision]]",
            ));
        }
    }

    /// Names that differ in one character and never meet in a round: possibly one person in two spellings.
    fn same_person(&mut self) {
        let players = &self.event.players;
        if players.len() > NAMES_UP_TO {
            return;
        }
        let mut rounds: Vec<std::collections::BTreeSet<(usize, Option<u32>)>> =
            vec![Default::default(); players.len()];
        for (stage, encounters) in self.event.stages.iter().enumerate() {
            for encounter in &encounters.encounters {
                for player in encounter.games.iter().flat_map(|game| game.players).flatten() {
                    rounds[player].insert((stage, encounter.round));
                }
            }
        }
        let mut pairs = Vec::new();
        for (index, one) in players.iter().enumerate() {
            for (other_index, other) in players.iter().enumerate().skip(index + 1) {
                let only_in_results = one.origin.is_none() && other.origin.is_none();
                if only_in_results
                    && one.team == other.team
                    && differ_in_one(&one.name, &other.name)
                    && rounds[index].is_disjoint(&rounds[other_index])
                {
                    pairs.push((one.name.clone(), other.name.clone()));
                }
            }
        }
        for (one, other) in pairs {
            let words = Words::new(
                format!("“{one}”与“{other}”可能是同一人"),
                format!("{one:?} and {other:?} may be the same person"),
            );
            self.report(Code::SAME_PERSON, None, None, &About::default(), words);
            self.with("names", vec![one, other]);
            self.help(Words::new(
                "若是，在 [[player]] 的 aliases 中写明",
                "if so, enter one as an alias of the other in [[player]]",
            ));
        }
    }
}

/// Whether two names of three characters or more have the same length and one character that differs.
fn differ_in_one(one: &str, other: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    a.len() == b.len() && a.len() >= 3 && a.iter().zip(&b).filter(|(a, b)| a != b).count() == 1
}
