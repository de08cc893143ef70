//! The schema of an event file (TOML), as written. What the entries mean is settled in `load`.

use std::fmt;

use serde::{Deserialize, Deserializer, de};
use toml::Spanned;

use crate::rules::{EventRulesFile, Exact};

/// A list of tables, each with its place.
pub(super) type Tables<T> = Vec<Spanned<T>>;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) event: Header,
    #[serde(default)]
    pub(super) player: Tables<PlayerEntry>,
    #[serde(default)]
    pub(super) team: Tables<TeamEntry>,
    #[serde(default)]
    pub(super) stage: Tables<StageEntry>,
    #[serde(default)]
    pub(super) game: Tables<GameEntry>,
    #[serde(default)]
    pub(super) bye: Tables<ByeEntry>,
    #[serde(default)]
    pub(super) withdrawal: Tables<WithdrawalEntry>,
    #[serde(default)]
    pub(super) penalty: Tables<PenaltyEntry>,
    #[serde(default)]
    pub(super) late: Tables<LateEntry>,
    #[serde(default)]
    pub(super) decision: Tables<DecisionEntry>,
    #[serde(default)]
    pub(super) published: Tables<PublishedEntry>,
    #[serde(default)]
    pub(super) note: Tables<NoteEntry>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) profile: Option<String>,
    pub(super) kind: Option<Kind>,
    pub(super) system: Option<System>,
    pub(super) rounds: Option<u32>,
    pub(super) cycles: Option<u32>,
    pub(super) games: Option<u32>,
    pub(super) best_of: Option<u32>,
    pub(super) draw: Option<Draw>,
    #[serde(default)]
    pub(super) tie_breaks: Vec<Spanned<String>>,
    pub(super) boards: Option<u32>,
    pub(super) line_up: Option<LineUp>,
    pub(super) team_table: Option<TeamTable>,
    pub(super) protected_places: Option<u32>,
    pub(super) fouls_lose: Option<u32>,
    pub(super) late_minutes: Option<u32>,
    pub(super) time_control: Option<String>,
    pub(super) date: Option<String>,
    pub(super) place: Option<String>,
    pub(super) organiser: Option<String>,
    pub(super) chief_arbiter: Option<String>,
    pub(super) appeals: Option<String>,
    pub(super) seed: Option<u64>,
    #[serde(default)]
    pub(super) results: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) records: Vec<Spanned<String>>,
    #[serde(default, rename = "override")]
    pub(super) rules: EventRulesFile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StageEntry {
    pub(super) name: String,
    pub(super) system: Option<System>,
    pub(super) rounds: Option<u32>,
    pub(super) cycles: Option<u32>,
    pub(super) games: Option<u32>,
    pub(super) best_of: Option<u32>,
    pub(super) draw: Option<Draw>,
    #[serde(default)]
    pub(super) tie_breaks: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) entrants: Vec<Spanned<Reference>>,
    #[serde(default)]
    pub(super) qualifiers: Vec<Spanned<Qualifier>>,
    #[serde(default)]
    pub(super) carry: bool,
}

/// The `place`th of a stage.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Qualifier {
    pub(super) stage: String,
    pub(super) place: u32,
}

/// Whether players or teams compete.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Players.
    Individual,
    /// Teams.
    Team,
}

/// How a stage is played (article 11).
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// 循环制: everyone meets everyone (11.2).
    RoundRobin,
    /// 积分编排制: equal scores meet (11.4).
    Swiss,
    /// 单淘汰制: one defeat is the end (11.1).
    Knockout,
    /// 双淘汰制: two defeats are the end (11.1).
    DoubleElimination,
    /// 全队轮赛制: every member of one team meets every member of the other (12.4).
    AllPlayAll,
}

impl System {
    /// The name in event files.
    pub const fn as_str(self) -> &'static str {
        match self {
            System::RoundRobin => "round-robin",
            System::Swiss => "swiss",
            System::Knockout => "knockout",
            System::DoubleElimination => "double-elimination",
            System::AllPlayAll => "all-play-all",
        }
    }

    /// Whether the beaten leave.
    pub const fn is_knockout(self) -> bool {
        matches!(self, System::Knockout | System::DoubleElimination)
    }
}

/// How pairs of a knockout are found.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// A bracket by seeds.
    Bracket,
    /// Cards are drawn before every round (the amateur event).
    Cards,
}

/// How teams are set up (article 12).
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum LineUp {
    /// 分台定人制 (12.1).
    Fixed,
    /// 分台换人制 (12.2).
    Reserves,
    /// 临时定台制 (12.3).
    Free,
}

/// How a table of teams is made of an individual event (12.5, 15.5).
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum TeamTable {
    /// By the sum of places (15.5).
    Places,
    /// By the sum of points (12.5 as worded).
    Points,
}

/// An entrant by number or by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reference(pub(super) String);

impl<'de> Deserialize<'de> for Reference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Reference, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Reference;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a name")
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Reference, E> {
                Ok(Reference(n.to_string()))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Reference, E> {
                Ok(Reference(text.trim().to_owned()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerEntry {
    pub(super) name: String,
    pub(super) no: Option<u32>,
    #[serde(default)]
    pub(super) aliases: Vec<String>,
    pub(super) team: Option<Spanned<Reference>>,
    pub(super) rating: Option<u32>,
    pub(super) board: Option<u32>,
    #[serde(default)]
    pub(super) reserve: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TeamEntry {
    pub(super) name: String,
    pub(super) no: Option<u32>,
    #[serde(default)]
    pub(super) aliases: Vec<String>,
    pub(super) rating: Option<u32>,
    #[serde(default)]
    pub(super) players: Vec<String>,
}

/// One game; a row of a CSV file holds the same.
#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct GameEntry {
    pub(super) stage: Option<String>,
    pub(super) round: Option<u32>,
    #[serde(rename = "match")]
    pub(super) number: Option<u32>,
    pub(super) board: Option<u32>,
    pub(super) red_team: Option<Reference>,
    pub(super) red: Option<Reference>,
    pub(super) black_team: Option<Reference>,
    pub(super) black: Option<Reference>,
    pub(super) home: Option<Reference>,
    #[serde(default)]
    pub(super) result: String,
    pub(super) speed: Option<Speed>,
    pub(super) places: Option<u32>,
    pub(super) record: Option<String>,
    pub(super) note: Option<String>,
}

/// Whether a game counts as slow or as rapid tie-break.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Speed {
    /// 慢棋
    #[default]
    Slow,
    /// 快棋加赛
    Rapid,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByeEntry {
    pub(super) stage: Option<String>,
    pub(super) round: u32,
    pub(super) entrant: Spanned<Reference>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WithdrawalEntry {
    pub(super) stage: Option<String>,
    pub(super) entrant: Spanned<Reference>,
    pub(super) after_round: u32,
    #[serde(default)]
    pub(super) expelled: bool,
    pub(super) consent: Option<bool>,
    pub(super) reason: Option<String>,
}

/// What a penalty is (articles 9 and 18).
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum PenaltyKind {
    /// 犯规 (9.1).
    Foul,
    /// 警告 (18.1).
    Warning,
    /// 取消当场比赛资格 (18.2).
    Exclusion,
    /// 除名 (18.3).
    Expulsion,
}

/// Who imposed a penalty (article 18).
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// 监局裁判
    Arbiter,
    /// 裁判长
    ChiefArbiter,
    /// 竞赛组织机构
    Organiser,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PenaltyEntry {
    pub(super) stage: Option<String>,
    pub(super) round: Option<u32>,
    pub(super) entrant: Spanned<Reference>,
    pub(super) kind: PenaltyKind,
    pub(super) count: Option<u32>,
    pub(super) by: Option<Role>,
    #[serde(default)]
    pub(super) speed: Speed,
    pub(super) article: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LateEntry {
    pub(super) stage: Option<String>,
    pub(super) round: u32,
    pub(super) entrant: Spanned<Reference>,
    pub(super) minutes: Exact,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionEntry {
    pub(super) stage: Option<String>,
    pub(super) round: Option<u32>,
    pub(super) order: Vec<Spanned<Reference>>,
    pub(super) by: Decision,
}

/// What decided between entrants that games left level.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// 加赛 (15.6).
    PlayOff,
    /// 抽签
    Lot,
    /// A rule of the event.
    Rule,
}

impl Decision {
    /// The name of its column.
    pub const fn as_str(self) -> &'static str {
        match self {
            Decision::PlayOff => "加赛",
            Decision::Lot => "抽签",
            Decision::Rule => "规程",
        }
    }
}

/// What somebody printed: compared with what the results give.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedEntry {
    pub(super) stage: Option<String>,
    pub(super) after_round: Option<u32>,
    pub(super) entrant: Spanned<Reference>,
    pub(super) points: Option<Exact>,
    pub(super) place: Option<u32>,
    #[serde(default)]
    pub(super) tie_breaks: std::collections::BTreeMap<String, Exact>,
}

/// What no table shows: handed through to the report (articles 16, 17, 20.1; R111).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteEntry {
    pub(super) text: String,
    pub(super) article: Option<String>,
}
