//! What editions say of recording, clocks, fouls and claims.

use serde::Deserialize;

use crate::{finding::Words, rules::control::Control};

use super::{ProfileError, Title};

/// What a run of omitted moves is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Single moves (着).
    Ply,
    /// Rounds of which both moves are omitted (回合).
    Round,
}

impl Unit {
    /// `ply` or `round`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Unit::Ply => "ply",
            Unit::Round => "round",
        }
    }
}

/// Recording (7.1, 7.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recording {
    /// What a run is counted in.
    pub unit: Unit,
    /// How long a run makes a foul; twice as long two.
    pub run: u32,
    /// Seconds left on the clock below which recording may wait; 0 for no such exemption.
    pub exempt_seconds: u32,
    /// Whether that holds where each move adds time.
    pub exempt_increment: bool,
}

/// The clock (6, 21, 22).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockRules {
    /// The control of a game whose record names none; empty if the event chooses one.
    pub default: String,
    /// Whether time saved in a period is kept for the next.
    pub carry_over: bool,
    /// Minutes of lateness that lose; 0 if the event sets them.
    pub late_minutes: u32,
    /// Controls that a record may call by a name.
    pub controls: Vec<NamedControl>,
}

/// A control by its names.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedControl {
    /// The control as in the tag `TimeControl`.
    control: String,
    /// What records call it.
    names: Vec<String>,
}

impl ClockRules {
    /// The control that `name` names.
    pub fn named(&self, name: &str) -> Option<&str> {
        let called = |control: &&NamedControl| control.names.iter().any(|known| known == name);
        self.controls.iter().find(called).map(|control| control.control.as_str())
    }

    /// Every control can be read.
    pub(super) fn checked(self, profile: &str) -> Result<ClockRules, ProfileError> {
        let controls = self.controls.iter().map(|control| control.control.as_str());
        for text in controls.chain([self.default.as_str()]).filter(|text| !text.is_empty()) {
            if Control::parse(text).is_none() {
                let what = format!("unknown time control {text:?}");
                return Err(ProfileError::Malformed(profile.to_owned(), what));
            }
        }
        Ok(self)
    }
}

/// What a foul comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// It is counted.
    Foul,
    /// It loses at once.
    Loss,
}

/// A kind of foul that an arbiter may announce.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoulKind {
    /// The article, or a name where the text has none.
    pub code: String,
    /// Other names for it.
    pub names: Vec<String>,
    /// What it comes to.
    pub effect: Effect,
    /// What it is.
    pub title: Words,
}

/// What an illegal move comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IllegalMove {
    /// The mover loses (4.1.6).
    Loss,
    /// A foul.
    Foul,
}

/// Fouls (4.1.8, 9.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fouls {
    /// How many of one game lose.
    pub limit: u32,
    /// What an illegal move comes to.
    pub illegal_move: IllegalMove,
    /// The kinds known.
    pub kinds: Vec<FoulKind>,
}

impl Fouls {
    /// The kind called `code`.
    pub fn kind(&self, code: &str) -> Option<&FoulKind> {
        let called = |kind: &&FoulKind| {
            kind.code.eq_ignore_ascii_case(code)
                || kind.names.iter().any(|name| name.eq_ignore_ascii_case(code))
        };
        self.kinds.iter().find(called)
    }
}

/// Offers and claims (8.5, 23).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conduct {
    /// Whether a player must wait for an offer of the other before offering again.
    pub alternate_offers: bool,
    /// Whether the natural limit can be claimed after the game.
    pub claims_after_game: bool,
}

macro_rules! optional {
    ($name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[derive(Deserialize, Default)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name { $(pub(super) $field: Option<$type>,)* }
    };
}

optional!(RecordingFile { unit: Unit, run: u32, exempt_seconds: u32, exempt_increment: bool });
optional!(ClockFile {
    default: String,
    carry_over: bool,
    late_minutes: u32,
    controls: Vec<NamedControl>,
});
optional!(FoulsFile { limit: u32, illegal_move: IllegalMove, kinds: Vec<KindFile> });
optional!(ConductFile { alternate_offers: bool, claims_after_game: bool });

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KindFile {
    code: String,
    names: Vec<String>,
    effect: Effect,
    title: Title,
}

/// The kinds of all files, the first that gives a code deciding; its names are taken from the kinds behind it.
pub(super) fn kinds<'f>(files: impl Iterator<Item = &'f FoulsFile>) -> Vec<FoulKind> {
    let mut kinds: Vec<FoulKind> = Vec::new();
    for file in files.flat_map(|file| file.kinds.iter().flatten()) {
        if kinds.iter().any(|kind| kind.code == file.code) {
            continue;
        }
        let taken = |name: &&String| !kinds.iter().any(|kind| kind.names.contains(name));
        kinds.push(FoulKind {
            code: file.code.clone(),
            names: file.names.iter().filter(taken).cloned().collect(),
            effect: file.effect,
            title: Words::new(file.title.zh.clone(), file.title.en.clone()),
        });
    }
    kinds
}

type Values = Vec<(&'static str, String)>;

impl Recording {
    pub(super) fn values(&self) -> Values {
        vec![
            ("recording.unit", self.unit.as_str().to_owned()),
            ("recording.run", self.run.to_string()),
            ("recording.exempt_seconds", self.exempt_seconds.to_string()),
            ("recording.exempt_increment", self.exempt_increment.to_string()),
        ]
    }
}

impl ClockRules {
    pub(super) fn values(&self) -> Values {
        let control =
            |control: &NamedControl| format!("{}: {}", control.names.join("|"), control.control);
        let controls: Vec<String> = self.controls.iter().map(control).collect();
        vec![
            ("clock.default", self.default.clone()),
            ("clock.carry_over", self.carry_over.to_string()),
            ("clock.late_minutes", self.late_minutes.to_string()),
            ("clock.controls", controls.join("; ")),
        ]
    }
}

impl Fouls {
    pub(super) fn values(&self) -> Values {
        let effect = |effect| if effect == Effect::Loss { "loss" } else { "foul" };
        let kind = |kind: &FoulKind| format!("{}: {}", kind.code, effect(kind.effect));
        let kinds: Vec<String> = self.kinds.iter().map(kind).collect();
        let illegal = if self.illegal_move == IllegalMove::Loss { "loss" } else { "foul" };
        vec![
            ("fouls.limit", self.limit.to_string()),
            ("fouls.illegal_move", illegal.to_owned()),
            ("fouls.kinds", kinds.join("; ")),
        ]
    }
}

impl Conduct {
    pub(super) fn values(&self) -> Values {
        vec![
            ("conduct.alternate_offers", self.alternate_offers.to_string()),
            ("conduct.claims_after_game", self.claims_after_game.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    // 4.1.8, R016, R122, R126: three fouls lose, two in rapid and amateur play.
    #[test]
    fn what_editions_change() {
        let fouls = |name| Profile::load(name).unwrap().fouls;
        assert_eq!(fouls("cxa-classic").limit, 3);
        assert_eq!(fouls("league-2012-rapid").limit, 2);
        assert_eq!(fouls("amateur").limit, 2);
        assert_eq!(fouls("amateur").illegal_move, IllegalMove::Foul);
        let rapid = fouls("league-2012-rapid");
        assert_eq!(rapid.kind("phone").unwrap().effect, Effect::Loss);
        assert_eq!(rapid.kind("refusal").unwrap().code, "rapid-5");
        assert_eq!(rapid.kind("9.1.3").unwrap().effect, Effect::Foul);
        assert_eq!(fouls("cxa-classic").kind("phone"), None);
    }

    // 6.1 to 6.4, R113.
    #[test]
    fn controls_by_name() {
        let clock = Profile::default().clock;
        assert_eq!(clock.named("6.1"), Some("40/5400:10/900"));
        assert_eq!(clock.named("6.9"), None);
        let league = Profile::load("league-2012-slow").unwrap().clock;
        assert_eq!((league.default.as_str(), league.named("快棋")), ("3600+30", Some("600+10")));
    }
}
