//! Rule profiles: everything that editions change, as data.
//!
//! A profile is a TOML file of [`profiles/`](https://docs.rs/crate/qijian/latest/source/src/rules/profiles/). It may
//! extend another; what it does not name, it inherits. Unknown keys are errors. Code knows no edition by name.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;

use crate::finding::Words;

use super::{
    event_rules::{EventRules, EventRulesFile},
    verdict::{Behaviour, Verdict},
};

mod arbiter;

use arbiter::{ClockFile, ConductFile, FoulsFile, RecordingFile};
pub use arbiter::{ClockRules, Conduct, Effect, FoulKind, Fouls, IllegalMove, Recording, Unit};

/// A rule profile with every value settled.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its name on the command line.
    pub name: String,
    /// Its title.
    pub title: Words,
    /// Repetitions (棋例).
    pub repetition: Repetition,
    /// The natural limit (自然限着).
    pub natural_limit: NaturalLimit,
    /// Recording (记录, article 7).
    pub recording: Recording,
    /// The clock (计时, articles 6, 21 and 22).
    pub clock: ClockRules,
    /// Fouls (犯规, article 9).
    pub fouls: Fouls,
    /// Offers and claims (articles 8.5, 23).
    pub conduct: Conduct,
    /// Events: scores, colours, tie-breaks.
    pub event: EventRules,
    /// Where each value comes from, by its path; values without a source are named so by `qijian rules`.
    pub sources: BTreeMap<String, String>,
}

/// How repetitions are judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The occurrence of a position that opens the case.
    pub occurrences: u32,
    /// Whether the side at fault is first told to change, and loses with one more cycle (24.3).
    pub must_change: bool,
    /// Whether a threat of mate counts (25.2); where not, it is idle.
    pub kill: bool,
    /// Whether a kill that was there before the ply still counts.
    pub old_kill: bool,
    /// What makes a chase.
    pub chase: Chase,
    /// What a pair of behaviours comes to.
    pub table: Table,
    /// Bounds of the searches for mates and gains.
    pub bound: super::mate::Bound,
}

/// What makes a chase (捉).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chase {
    /// Whether the same piece must be chased by every ply.
    pub one_victim: bool,
    /// Whether guards are counted against attackers (少根); where not, one true guard protects.
    pub count_guards: bool,
    /// Whether pieces of these pairs are chased even if protected.
    pub protected_chariot: bool,
    /// Gain by a sequence of checks (29.1).
    pub by_checks: bool,
    /// Gain by an exchange on one square that wins on another (29.1).
    pub by_exchange: bool,
    /// Whether a pawn's chase counts once both sides attack all the time (27.2).
    pub pawn_if_mutual: bool,
    /// Whether a capture after which the capturer is mated at once is void (29.4).
    pub void_if_mated: bool,
    /// Whether a piece that is frozen by a horse attacks that horse idly.
    pub frozen_is_idle: bool,
    /// Whether the chase of advisers and elephants is idle where it holds a simple draw (27.3): such plies are
    /// `unproved`.
    pub key_point: bool,
    /// Whether, where both sides chase all the time, the one that never needs a second piece for it (联合捉子) must
    /// change (2020, figures 10 and 11).
    pub joint_is_lighter: bool,
}

/// The table of verdicts: behaviours of Red and Black; rows are tried in order, the first that fits decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Behaviours of one side; `any` for all.
    one: Vec<String>,
    /// Behaviours of the other side.
    other: Vec<String>,
    /// `draw`, `one_loses`, `one_must_change`, `other_loses`, `other_must_change` or `unproved`.
    verdict: String,
    article: String,
}

/// How the natural limit is counted.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NaturalLimit {
    /// Rounds without a capture; 0 for none.
    pub rounds: u32,
    /// Checks of the claimant that count.
    pub checks: u32,
    /// What a false claim costs: `foul` (a foul and minutes) or `loss`.
    pub false_claim: String,
    /// Minutes added to the clock after a false claim.
    pub minutes: u32,
    /// Whether the opponent's reply to a check beyond the cap is not counted either.
    pub excess_reply: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    extends: Option<String>,
    title: Title,
    repetition: Option<RepetitionFile>,
    natural_limit: Option<NaturalLimitFile>,
    recording: Option<RecordingFile>,
    clock: Option<ClockFile>,
    fouls: Option<FoulsFile>,
    conduct: Option<ConductFile>,
    event: Option<EventRulesFile>,
    #[serde(default)]
    sources: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Title {
    zh: String,
    en: String,
}

macro_rules! optional {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Deserialize, Default)]
        #[serde(deny_unknown_fields)]
        struct $name { $($field: Option<$type>,)* }
    };
}

optional!(RepetitionFile {
    occurrences: u32,
    must_change: bool,
    kill: bool,
    old_kill: bool,
    chase: ChaseFile,
    verdicts: Vec<Row>,
    bound: BoundFile,
});
optional!(ChaseFile {
    one_victim: bool,
    count_guards: bool,
    protected_chariot: bool,
    by_checks: bool,
    by_exchange: bool,
    pawn_if_mutual: bool,
    void_if_mated: bool,
    frozen_is_idle: bool,
    key_point: bool,
    joint_is_lighter: bool,
});
optional!(BoundFile { checks: u32, nodes: u32, ruling: u32 });
optional!(NaturalLimitFile {
    rounds: u32,
    checks: u32,
    false_claim: String,
    minutes: u32,
    excess_reply: bool,
});

/// The built-in profiles, by name.
const BUILT_IN: [(&str, &str); 7] = [
    ("cxa-classic", include_str!("profiles/cxa-classic.toml")),
    ("league-2012-slow", include_str!("profiles/league-2012-slow.toml")),
    ("league-2012-rapid", include_str!("profiles/league-2012-rapid.toml")),
    ("amateur", include_str!("profiles/amateur.toml")),
    ("axf", include_str!("profiles/axf.toml")),
    ("cxa-2011", include_str!("profiles/cxa-2011.toml")),
    ("cxa-2020", include_str!("profiles/cxa-2020.toml")),
];

/// A profile that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// No built-in profile and no file has this name.
    #[error("no profile is called {0:?}; `qijian rules` lists them")]
    Unknown(String),
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Unreadable(String, std::io::Error),
    /// The file is not a profile.
    #[error("{0}: {1}")]
    Malformed(String, String),
    /// Profiles extend each other in a ring.
    #[error("{0}: profiles extend each other")]
    Ring(String),
    /// A value is missing in the profile and all that it extends.
    #[error("{0}: {1} is given nowhere")]
    Missing(String, &'static str),
}

impl Profile {
    /// The names of the built-in profiles, the default first.
    pub fn built_in() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The profile of a built-in name or of a `.toml` file.
    ///
    /// # Errors
    ///
    /// [`ProfileError`] says which file and what is wrong with it.
    pub fn load(name: &str) -> Result<Profile, ProfileError> {
        let mut files = Vec::new();
        let mut next = Some(name.to_owned());
        while let Some(name) = next {
            // No sensible chain is longer than this.
            if files.len() > 8 {
                return Err(ProfileError::Ring(name));
            }
            let file = read(&name)?;
            next = file.extends.as_ref().map(|other| beside(&name, other));
            files.push(file);
        }
        merge(name, &files)
    }
}

/// One value of a profile, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Its path, such as `natural_limit.rounds`.
    pub path: &'static str,
    /// The value.
    pub value: String,
    /// Where it comes from; `None` where no source was found.
    pub source: Option<String>,
}

impl Profile {
    /// Every value with its source: that named for the value itself, else for the section around it.
    pub fn values(&self) -> Vec<Value> {
        let (repetition, chase, limit) =
            (&self.repetition, &self.repetition.chase, &self.natural_limit);
        let rows: Vec<String> = repetition.table.rows.iter().map(Row::to_string).collect();
        let mut values: Vec<(&'static str, String)> = vec![
            ("repetition.occurrences", repetition.occurrences.to_string()),
            ("repetition.must_change", repetition.must_change.to_string()),
            ("repetition.kill", repetition.kill.to_string()),
            ("repetition.old_kill", repetition.old_kill.to_string()),
            ("repetition.chase.one_victim", chase.one_victim.to_string()),
            ("repetition.chase.count_guards", chase.count_guards.to_string()),
            ("repetition.chase.protected_chariot", chase.protected_chariot.to_string()),
            ("repetition.chase.by_checks", chase.by_checks.to_string()),
            ("repetition.chase.by_exchange", chase.by_exchange.to_string()),
            ("repetition.chase.pawn_if_mutual", chase.pawn_if_mutual.to_string()),
            ("repetition.chase.void_if_mated", chase.void_if_mated.to_string()),
            ("repetition.chase.frozen_is_idle", chase.frozen_is_idle.to_string()),
            ("repetition.chase.key_point", chase.key_point.to_string()),
            ("repetition.chase.joint_is_lighter", chase.joint_is_lighter.to_string()),
            ("repetition.verdicts", rows.join("; ")),
            ("repetition.bound.checks", repetition.bound.checks.to_string()),
            ("repetition.bound.nodes", repetition.bound.nodes.to_string()),
            ("repetition.bound.ruling", repetition.bound.ruling.to_string()),
            ("natural_limit.rounds", limit.rounds.to_string()),
            ("natural_limit.checks", limit.checks.to_string()),
            ("natural_limit.false_claim", limit.false_claim.clone()),
            ("natural_limit.minutes", limit.minutes.to_string()),
            ("natural_limit.excess_reply", limit.excess_reply.to_string()),
        ];
        values.extend(self.recording.values());
        values.extend(self.clock.values());
        values.extend(self.fouls.values());
        values.extend(self.conduct.values());
        values
            .into_iter()
            .chain(self.event.values())
            .map(|(path, value)| Value { path, value, source: self.source(path) })
            .collect()
    }

    fn source(&self, path: &str) -> Option<String> {
        let mut path = path;
        loop {
            if let Some(source) = self.sources.get(path) {
                return Some(source.clone()).filter(|source| !source.is_empty());
            }
            path = path.rsplit_once('.')?.0;
        }
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} / {}: {} ({})",
            self.one.join("|"),
            self.other.join("|"),
            self.verdict,
            self.article
        )
    }
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::load("cxa-classic").expect("the built-in profiles are tested to load")
    }
}

fn read(name: &str) -> Result<File, ProfileError> {
    let text = match BUILT_IN.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => (*text).to_owned(),
        None if is_file(name) => std::fs::read_to_string(name)
            .map_err(|error| ProfileError::Unreadable(name.to_owned(), error))?,
        None => return Err(ProfileError::Unknown(name.to_owned())),
    };
    toml::from_str(&text)
        .map_err(|error| ProfileError::Malformed(name.to_owned(), error.to_string()))
}

/// The name of what a profile extends: a file is looked for beside the one that names it.
fn beside(name: &str, other: &str) -> String {
    match Path::new(name).parent() {
        Some(directory) if is_file(name) && is_file(other) => {
            directory.join(other).to_string_lossy().into_owned()
        }
        _ => other.to_owned(),
    }
}

fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// The values of the first file that gives each.
fn merge(name: &str, files: &[File]) -> Result<Profile, ProfileError> {
    let missing = |what| ProfileError::Missing(name.to_owned(), what);
    macro_rules! first {
        ($section:ident . $($path:ident).+) => {
            files
                .iter()
                .find_map(|file| first!(@get file.$section.as_ref()?, $($path).+))
                .ok_or_else(|| missing(concat!(stringify!($section), $(".", stringify!($path)),+)))?
        };
        (@get $from:expr, $field:ident) => { $from.$field.clone() };
        (@get $from:expr, $field:ident . $($rest:ident).+) => { $from.$field.as_ref().and_then(|inner| inner.$($rest).+.clone()) };
    }
    let table = Table { rows: first!(repetition.verdicts) };
    table.check(name)?;
    let mut sources = BTreeMap::new();
    for file in files.iter().rev() {
        // What a profile says of a section replaces what those it extends say of the values within.
        for section in file.sources.keys() {
            sources.retain(|path: &String, _| !path.starts_with(&format!("{section}.")));
        }
        sources.extend(file.sources.clone());
    }
    let event = EventRules::merge(files.iter().filter_map(|file| file.event.as_ref()))
        .map_err(|what| ProfileError::Missing(name.to_owned(), what))?;
    let file = &files[0];
    Ok(Profile {
        name: file.name.clone(),
        title: Words::new(file.title.zh.clone(), file.title.en.clone()),
        repetition: Repetition {
            occurrences: first!(repetition.occurrences),
            must_change: first!(repetition.must_change),
            kill: first!(repetition.kill),
            old_kill: first!(repetition.old_kill),
            chase: Chase {
                one_victim: first!(repetition.chase.one_victim),
                count_guards: first!(repetition.chase.count_guards),
                protected_chariot: first!(repetition.chase.protected_chariot),
                by_checks: first!(repetition.chase.by_checks),
                by_exchange: first!(repetition.chase.by_exchange),
                pawn_if_mutual: first!(repetition.chase.pawn_if_mutual),
                void_if_mated: first!(repetition.chase.void_if_mated),
                frozen_is_idle: first!(repetition.chase.frozen_is_idle),
                key_point: first!(repetition.chase.key_point),
                joint_is_lighter: first!(repetition.chase.joint_is_lighter),
            },
            bound: super::mate::Bound {
                checks: first!(repetition.bound.checks),
                nodes: first!(repetition.bound.nodes),
                ruling: first!(repetition.bound.ruling),
            },
            table,
        },
        natural_limit: NaturalLimit {
            rounds: first!(natural_limit.rounds),
            checks: first!(natural_limit.checks),
            false_claim: first!(natural_limit.false_claim),
            minutes: first!(natural_limit.minutes),
            excess_reply: first!(natural_limit.excess_reply),
        },
        recording: Recording {
            unit: first!(recording.unit),
            run: first!(recording.run),
            exempt_seconds: first!(recording.exempt_seconds),
            exempt_increment: first!(recording.exempt_increment),
        },
        clock: ClockRules {
            default: first!(clock.default),
            carry_over: first!(clock.carry_over),
            late_minutes: first!(clock.late_minutes),
            controls: first!(clock.controls),
        }
        .checked(name)?,
        fouls: Fouls {
            limit: first!(fouls.limit),
            illegal_move: first!(fouls.illegal_move),
            // A profile adds to the kinds of the one it extends, and may give one of them another effect.
            kinds: arbiter::kinds(files.iter().filter_map(|file| file.fouls.as_ref())),
        },
        conduct: Conduct {
            alternate_offers: first!(conduct.alternate_offers),
            claims_after_game: first!(conduct.claims_after_game),
        },
        event,
        sources,
    })
}

impl Table {
    /// The verdict on a pair of behaviours, with the article.
    pub fn verdict(&self, red: Behaviour, black: Behaviour) -> (Verdict, &str) {
        for row in &self.rows {
            for (one, other, swapped) in [(red, black, false), (black, red, true)] {
                if row.fits(one, other)
                    && let Some(verdict) = Verdict::from_row(&row.verdict, swapped)
                {
                    return (verdict, &row.article);
                }
            }
        }
        (Verdict::Unproved, "")
    }

    /// Every row names known things, and every pair of behaviours has a row.
    fn check(&self, name: &str) -> Result<(), ProfileError> {
        let malformed = |what: String| Err(ProfileError::Malformed(name.to_owned(), what));
        for row in &self.rows {
            for behaviour in row.one.iter().chain(&row.other) {
                if behaviour != "any"
                    && Behaviour::ALL.iter().all(|known| known.as_str() != behaviour)
                {
                    return malformed(format!("unknown behaviour {behaviour:?}"));
                }
            }
            if Verdict::from_row(&row.verdict, false).is_none() {
                return malformed(format!("unknown verdict {:?}", row.verdict));
            }
        }
        for red in Behaviour::ALL {
            for black in Behaviour::ALL {
                if !self.rows.iter().any(|row| row.fits(red, black) || row.fits(black, red)) {
                    return malformed(format!(
                        "no verdict on {} against {}",
                        red.as_str(),
                        black.as_str()
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Row {
    fn fits(&self, one: Behaviour, other: Behaviour) -> bool {
        let named = |list: &[String], behaviour: Behaviour| {
            list.iter().any(|name| name == "any" || name == behaviour.as_str())
        };
        named(&self.one, one) && named(&self.other, other)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_pair_of_behaviours_has_exactly_one_verdict_in_every_profile() {
        for name in Profile::built_in() {
            let table = Profile::load(name).unwrap().repetition.table;
            for red in Behaviour::ALL {
                for black in Behaviour::ALL {
                    let (verdict, article) = table.verdict(red, black);
                    let known = red != Behaviour::Unproved && black != Behaviour::Unproved;
                    assert!(!article.is_empty());
                    if known {
                        assert_ne!(verdict, Verdict::Unproved, "{name}: {red:?} {black:?}");
                    }
                    // Whoever has the red pieces, the ruling is the same.
                    let (other, _) = table.verdict(black, red);
                    let swapped = match verdict {
                        Verdict::RedLoses => Verdict::BlackLoses,
                        Verdict::BlackLoses => Verdict::RedLoses,
                        Verdict::RedMustChange => Verdict::BlackMustChange,
                        Verdict::BlackMustChange => Verdict::RedMustChange,
                        same => same,
                    };
                    assert_eq!(other, swapped, "{name}: {red:?} {black:?}");
                    // 24.1, 26.1: one-sided perpetual check loses, whatever else happens.
                    if red == Behaviour::LongCheck && black != Behaviour::LongCheck {
                        assert_eq!(verdict, Verdict::RedLoses, "{name}: {black:?}");
                    }
                }
            }
        }
    }

    // 24.2, 24.3, 26.2 to 26.4.
    #[test]
    fn the_classic_table_is_that_of_the_articles() {
        let table = Profile::default().repetition.table;
        let forbidden = &Behaviour::ALL[1..7];
        for one in forbidden {
            let (verdict, article) = table.verdict(*one, Behaviour::Allowed);
            assert_eq!((verdict, article), (Verdict::RedMustChange, "24.3"));
            for other in forbidden {
                assert_eq!(table.verdict(*one, *other).0, Verdict::Draw);
            }
        }
        assert_eq!(table.verdict(Behaviour::Allowed, Behaviour::Allowed).0, Verdict::Draw);
        assert_eq!(table.verdict(Behaviour::LongCheck, Behaviour::LongCheck).0, Verdict::Draw);
    }

    /// The error of a profile of the user with this text.
    fn error(text: &str) -> String {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("my.toml");
        fs::write(&path, text).unwrap();
        Profile::load(path.to_str().unwrap()).unwrap_err().to_string()
    }

    const HEAD: &str = "name = \"my\"\ntitle = { zh = \"我的\", en = \"mine\" }\n";

    #[test]
    fn what_is_wrong_with_a_profile_is_said() {
        assert!(Profile::load("cxa-1999").unwrap_err().to_string().contains("cxa-1999"));
        assert!(matches!(Profile::load("no/such.toml"), Err(ProfileError::Unreadable(..))));
        let based = format!("{HEAD}extends = \"cxa-classic\"\n");
        for (text, part) in [
            (format!("{based}[repetition]\ncolour = 1\n"), "colour"),
            (format!("{based}[natural_limit]\nrounds = \"sixty\"\n"), "rounds"),
            (
                format!(
                    "{based}[[repetition.verdicts]]\none = [\"long_walk\"]\nother = [\"any\"]\nverdict = \"draw\"\narticle = \"1\"\n"
                ),
                "long_walk",
            ),
            (
                format!(
                    "{based}[[repetition.verdicts]]\none = [\"any\"]\nother = [\"any\"]\nverdict = \"win\"\narticle = \"1\"\n"
                ),
                "win",
            ),
            (
                format!(
                    "{based}[[repetition.verdicts]]\none = [\"allowed\"]\nother = [\"any\"]\nverdict = \"draw\"\narticle = \"1\"\n"
                ),
                "no verdict",
            ),
            (HEAD.to_owned(), "is given nowhere"),
            ("name = 1".to_owned(), "name"),
        ] {
            let message = error(&text);
            assert!(message.contains(part), "{part}: {message}");
        }
    }

    #[test]
    fn a_profile_extends_another_file_beside_it_but_never_in_a_ring() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let write = |name: &str, text: String| fs::write(path(name), text).unwrap();
        write("a.toml", format!("{HEAD}extends = \"b.toml\"\n[natural_limit]\nrounds = 40\n"));
        write(
            "b.toml",
            format!("{HEAD}extends = \"league-2012-rapid\"\n[repetition]\nkill = false\n"),
        );
        let profile = Profile::load(path("a.toml").to_str().unwrap()).unwrap();
        assert_eq!((profile.natural_limit.rounds, profile.natural_limit.checks), (40, 8));
        assert!(!profile.repetition.kill && profile.repetition.chase.by_checks);
        write("b.toml", format!("{HEAD}extends = \"a.toml\"\n"));
        let ring = Profile::load(path("a.toml").to_str().unwrap());
        assert!(matches!(ring, Err(ProfileError::Ring(_))), "{ring:?}");
    }

    // A value without a source says so.
    #[test]
    fn every_value_is_listed_with_its_source() {
        let values = Profile::default().values();
        let of = |path: &str| values.iter().find(|value| value.path == path).unwrap();
        assert_eq!(of("natural_limit.rounds").value, "60");
        assert_eq!(of("natural_limit.rounds").source.as_deref(), Some("seed 4.2.4"));
        assert_eq!(of("repetition.bound.nodes").source, of("repetition.bound.checks").source);
        assert_eq!(of("repetition.chase.frozen_is_idle").source, None);
        let later = Profile::load("cxa-2011").unwrap();
        assert!(later.values().iter().all(|value| value.source.is_none()));
    }
}
