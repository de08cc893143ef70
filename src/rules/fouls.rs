//! The ledger of fouls (犯规, articles 4.1.8, 9.1, 9.2; R016, R047 to R055, R122, R124, R129).

use crate::board::Side;

use super::profile::{Effect, Fouls};

/// One entry of a side's ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foul {
    /// The ply behind which it was made.
    pub ply: u32,
    /// The finding that tells of it, such as `QJ702`, or the code that the arbiter gave.
    pub code: String,
    /// The article.
    pub article: String,
    /// How many fouls it is.
    pub count: u32,
    /// Whether the evidence leaves no doubt.
    pub certain: bool,
    /// Whether the arbiter has announced it (9.2), as the record says.
    pub announced: bool,
    /// Whether it loses at once.
    pub loses: bool,
}

/// Both sides' fouls, in the order of the plies.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ledger {
    fouls: [Vec<Foul>; 2],
}

/// A side that has reached the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// Who.
    pub side: Side,
    /// By the foul of this ply.
    pub ply: u32,
    /// How many there are.
    pub count: u32,
    /// Whether the certain ones alone reach it.
    pub certain: bool,
}

/// How many plies may lie between a foul and the note that the arbiter makes of it.
const NEAR: u32 = 2;

impl Ledger {
    /// The fouls of a side.
    pub fn of(&self, side: Side) -> &[Foul] {
        &self.fouls[side as usize]
    }

    /// Enters a foul that follows from the record. An announcement of the same kind at the same place is the same foul.
    pub fn add(&mut self, side: Side, foul: Foul, rules: &Fouls) {
        // Nobody commits so many at one place; the bound is for those who try.
        const MOST: usize = 64;
        let kind = |foul: &Foul| {
            rules.kind(&foul.code).or(rules.kind(&foul.article)).map(|kind| &kind.code)
        };
        let own = kind(&foul);
        let list = &mut self.fouls[side as usize];
        let from = list.partition_point(|other| other.ply + NEAR < foul.ply);
        let upto = list.partition_point(|other| other.ply <= foul.ply + NEAR);
        let same = list[from..upto].iter_mut().rev().take(MOST).find(|other| {
            let unnamed = other.code == "9.1" || foul.code == "9.1";
            other.announced != foul.announced && own.is_some() && (unnamed || kind(other) == own)
        });
        match same {
            Some(other) => {
                let computed = if other.announced { foul } else { other.clone() };
                // What the arbiter has announced is no more in doubt; it keeps its place in the order.
                *other = Foul { announced: true, certain: true, ply: other.ply, ..computed };
            }
            None => {
                let at = list.partition_point(|other| other.ply <= foul.ply);
                list.insert(at, foul);
            }
        }
    }

    /// Who has reached the limit of the profile, and by which foul; once a side and certainty.
    pub fn reached(&self, rules: &Fouls) -> Vec<Reached> {
        let mut found = Vec::new();
        for side in Side::ALL {
            let (mut all, mut certain) = (0_u32, 0_u32);
            let mut doubtful = false;
            for foul in self.of(side).iter().filter(|foul| !foul.loses) {
                all = all.saturating_add(foul.count);
                certain = certain.saturating_add(if foul.certain { foul.count } else { 0 });
                if rules.limit > 0 && certain >= rules.limit {
                    found.push(Reached { side, ply: foul.ply, count: certain, certain: true });
                    break;
                }
                if rules.limit > 0 && all >= rules.limit && !doubtful {
                    doubtful = true;
                    found.push(Reached { side, ply: foul.ply, count: all, certain: false });
                }
            }
        }
        found
    }

    /// Enters what the arbiter has announced; `None` if the profile knows no such foul.
    pub fn announce(&mut self, side: Side, ply: u32, code: &str, rules: &Fouls) -> Option<()> {
        let kind = rules.kind(code)?;
        let foul = Foul {
            ply,
            code: code.to_owned(),
            article: kind.code.clone(),
            count: 1,
            certain: true,
            announced: true,
            loses: kind.effect == Effect::Loss,
        };
        self.add(side, foul, rules);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    fn foul(ply: u32, code: &str, article: &str, certain: bool) -> Foul {
        Foul {
            ply,
            code: code.into(),
            article: article.into(),
            count: 1,
            certain,
            announced: false,
            loses: false,
        }
    }

    // 4.1.8: three fouls lose; two by the supplement for rapid games and in the amateur event.
    #[test]
    fn the_limit_of_each_profile() {
        for (name, limit) in [("cxa-classic", 3), ("league-2012-rapid", 2), ("amateur", 2)] {
            let rules = Profile::load(name).unwrap().fouls;
            let mut ledger = Ledger::default();
            for count in 1..=limit {
                assert_eq!(ledger.reached(&rules), [], "{name}");
                ledger.announce(Side::Black, count * 10, "9.1.1", &rules).unwrap();
            }
            let reached =
                Reached { side: Side::Black, ply: limit * 10, count: limit, certain: true };
            assert_eq!(ledger.reached(&rules), [reached], "{name}");
            assert!(ledger.of(Side::Red).is_empty());
        }
    }

    // 9.2: the arbiter announces and notes a foul at once; the note is not a second foul.
    #[test]
    fn an_announcement_is_the_same_foul() {
        let rules = Profile::default().fouls;
        let mut ledger = Ledger::default();
        ledger.add(Side::Red, foul(40, "QJ702", "7.1", false), &rules);
        ledger.announce(Side::Red, 41, "9.1.7", &rules).unwrap();
        assert_eq!(ledger.of(Side::Red).len(), 1);
        let entry = &ledger.of(Side::Red)[0];
        assert!(entry.certain && entry.announced);
        assert_eq!((entry.code.as_str(), entry.article.as_str()), ("QJ702", "7.1"));
        // The other way round, and of another kind, later, or the other side's.
        ledger.announce(Side::Red, 60, "9.1.4", &rules).unwrap();
        ledger.add(Side::Red, foul(60, "QJ603", "9.1.4", true), &rules);
        assert_eq!(ledger.of(Side::Red).len(), 2);
        ledger.announce(Side::Red, 60, "9.1.1", &rules).unwrap();
        ledger.announce(Side::Red, 70, "9.1.4", &rules).unwrap();
        ledger.announce(Side::Black, 60, "9.1.4", &rules).unwrap();
        assert_eq!((ledger.of(Side::Red).len(), ledger.of(Side::Black).len()), (4, 1));
        assert_eq!(ledger.announce(Side::Red, 1, "9.9.9", &rules), None);
    }

    #[test]
    fn doubtful_fouls_reach_the_limit_doubtfully() {
        let rules = Profile::default().fouls;
        let mut ledger = Ledger::default();
        ledger.add(Side::Red, Foul { count: 2, ..foul(10, "QJ702", "7.1", false) }, &rules);
        ledger.add(Side::Red, foul(20, "QJ811", "9.1.3", true), &rules);
        let doubtful = Reached { side: Side::Red, ply: 20, count: 3, certain: false };
        assert_eq!(ledger.reached(&rules), [doubtful]);
        ledger.announce(Side::Red, 30, "9.1.1", &rules);
        ledger.announce(Side::Red, 31, "9.1.2", &rules);
        let certain = Reached { side: Side::Red, ply: 31, count: 3, certain: true };
        assert_eq!(ledger.reached(&rules), [doubtful, certain]);
    }

    #[test]
    fn some_breaches_lose_at_once() {
        let rapid = Profile::load("league-2012-rapid").unwrap().fouls;
        let mut ledger = Ledger::default();
        ledger.announce(Side::Red, 5, "phone", &rapid).unwrap();
        assert!(ledger.of(Side::Red)[0].loses);
        assert_eq!(ledger.reached(&rapid), []);
    }
}
