//! The clock (计时, articles 6, 21, 22 and 23.3; R012, R031 to R036, R089 to R097, R113, R125).
//!
//! Every check answers pass, fail or unknown. It fails only where every reading of the data fails: an increment may have
//! been given before the first move or after it, a column of times may hold running totals, a time in minutes may be
//! a minute more or less; and it passes only where every reading passes.

mod checks;
mod consistency;

pub(super) use checks::left;

use serde_json::{Map, Value};

use crate::{board::Side, finding::Words};

use super::{annotation::Time, control::Control};

/// The answer of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// As it should be.
    Pass,
    /// Not as it should be, whatever way the data are read.
    Fail,
    /// The data do not tell.
    Unknown,
}

impl Answer {
    /// `pass`, `fail` or `unknown`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Answer::Pass => "pass",
            Answer::Fail => "fail",
            Answer::Unknown => "unknown",
        }
    }

    /// The word for people.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Answer::Pass => ("合规", "pass"),
            Answer::Fail => ("违规", "fail"),
            Answer::Unknown => ("不能断定", "unknown"),
        }
    }

    /// The answer that both of two readings give; unknown where they differ.
    pub(super) fn both(self, other: Answer) -> Answer {
        if self == other { self } else { Answer::Unknown }
    }
}

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckKind {
    /// The moves of a period within its time (4.1.4, 6.1 to 6.5, 22.1).
    Period,
    /// Each move within the limit of a move (R125).
    PerMove,
    /// The last move was made in time although the clock was not pressed in time (22.5).
    Press,
    /// The flag (22.2).
    Flag,
    /// Lateness within the limit (4.1.5, 21.1).
    Lateness,
    /// Lateness deducted (21.2, 21.3).
    LatenessDeducted,
    /// Time left for the minutes added after a false claim (23.3).
    Penalty,
    /// Those minutes added (23.3).
    PenaltyAdded,
    /// The clock never gains more than the control gives.
    Gain,
    /// What is left agrees with what was taken.
    Agreement,
    /// The used time at the foot of the sheet agrees with the times of the moves (10.1).
    Total,
}

impl CheckKind {
    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            CheckKind::Period => "period",
            CheckKind::PerMove => "per_move",
            CheckKind::Press => "press",
            CheckKind::Flag => "flag",
            CheckKind::Lateness => "lateness",
            CheckKind::LatenessDeducted => "lateness_deducted",
            CheckKind::Penalty => "penalty",
            CheckKind::PenaltyAdded => "penalty_added",
            CheckKind::Gain => "gain",
            CheckKind::Agreement => "agreement",
            CheckKind::Total => "total",
        }
    }

    /// The name for people.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            CheckKind::Period => ("时限", "period"),
            CheckKind::PerMove => ("每着限时", "time for each move"),
            CheckKind::Press => ("停钟前的最后一着", "the last move before the press"),
            CheckKind::Flag => ("落旗", "flag"),
            CheckKind::Lateness => ("迟到", "lateness"),
            CheckKind::LatenessDeducted => ("迟到扣时", "lateness deducted"),
            CheckKind::Penalty => ("加罚的时间", "time for the penalty"),
            CheckKind::PenaltyAdded => ("加罚入钟", "penalty added"),
            CheckKind::Gain => ("余时增多", "clock gains"),
            CheckKind::Agreement => ("余时与用时相符", "left and taken agree"),
            CheckKind::Total => ("总用时", "total"),
        }
    }

    /// Whether failing it loses the game.
    pub const fn loses(self) -> bool {
        matches!(
            self,
            CheckKind::Period
                | CheckKind::PerMove
                | CheckKind::Press
                | CheckKind::Flag
                | CheckKind::Lateness
                | CheckKind::Penalty
        )
    }
}

/// One check with its answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// What is checked.
    pub kind: CheckKind,
    /// The ply that decides, 0 for the whole game.
    pub ply: u32,
    /// The answer.
    pub answer: Answer,
    /// The article.
    pub article: &'static str,
    /// The answer in words.
    pub words: Words,
    /// Its numbers, times in seconds.
    pub data: Map<String, Value>,
}

impl Check {
    pub(super) fn new(
        kind: CheckKind,
        ply: u32,
        answer: Answer,
        article: &'static str,
        words: Words,
    ) -> Check {
        Check { kind, ply, answer, article, words, data: Map::new() }
    }

    #[must_use]
    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Check {
        self.data.insert(key.to_owned(), value.into());
        self
    }

    /// The check as JSON.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("check".into(), self.kind.as_str().into());
        object.insert("ply".into(), self.ply.into());
        object.insert("answer".into(), self.answer.as_str().into());
        object.insert("article".into(), self.article.into());
        object.insert("message".into(), self.words.en.as_ref().into());
        object.insert("message_zh".into(), self.words.zh.as_ref().into());
        object.insert("data".into(), Value::Object(self.data.clone()));
        Value::Object(object)
    }
}

/// The times of one own move.
#[derive(Clone, Copy, Default, Debug)]
pub struct MoveTime {
    /// The ply.
    pub ply: u32,
    /// Left after the press.
    pub left: Option<Time>,
    /// Taken up to the press.
    pub taken: Option<Time>,
    /// Taken when the piece was let go.
    pub made: Option<Time>,
}

/// Everything about one side's clock.
#[derive(Clone, Default, Debug)]
pub struct SideClock {
    /// Its moves in order.
    pub moves: Vec<MoveTime>,
    /// Lateness.
    pub late: Option<Time>,
    /// Time that the arbiter has given (negative: taken) behind a ply: adjustments.
    pub adjusted: Vec<(u32, i64)>,
    /// Minutes added to the used time behind a ply, for a false claim.
    pub penalties: Vec<(u32, i64)>,
    /// Plies behind which its flag is said to have fallen.
    pub flags: Vec<u32>,
    /// The used time at the foot of the sheet.
    pub total: Option<Time>,
}

impl SideClock {
    /// Whether nothing is known of it.
    pub fn is_blank(&self) -> bool {
        self.late.is_none()
            && self.adjusted.is_empty()
            && self.penalties.is_empty()
            && self.flags.is_empty()
            && self.total.is_none()
            && self
                .moves
                .iter()
                .all(|at| at.left.is_none() && at.taken.is_none() && at.made.is_none())
    }

    /// Time given behind the ply `from` and up to the ply `upto`, penalties taken off.
    pub(super) fn given(&self, from: u32, upto: u32) -> i64 {
        let within = |ply: u32| from <= ply && ply < upto;
        let sum = |list: &[(u32, i64)]| -> i64 {
            list.iter().filter(|(ply, _)| within(*ply)).map(|(_, ms)| ms).sum()
        };
        sum(&self.adjusted) - sum(&self.penalties)
    }
}

/// What the checks must know of the game.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'s> {
    /// The control of this side, if it is known.
    pub control: Option<&'s Control>,
    /// Whether the record begins with the game, so that moves and times count from its first ply.
    pub whole: bool,
    /// Whether time saved in a period is kept.
    pub carry_over: bool,
    /// Lateness that loses, in milliseconds.
    pub late_limit: Option<i64>,
    /// The last ply, if the game ended with it on the board or by what both agreed: 22.5 lets such an end stand.
    pub ended_at: Option<u32>,
    /// The last ply of the record.
    pub last_ply: u32,
    /// Whose clock.
    pub side: Side,
}

/// All checks of one side's clock, in the order of their kinds and plies. Empty where nothing is known of the clock and no
/// control is either.
pub fn check(clock: &SideClock, setting: Setting<'_>) -> Vec<Check> {
    if clock.is_blank() && setting.control.is_none() {
        return Vec::new();
    }
    let mut found = checks::periods(clock, setting);
    found.extend(checks::per_move(clock, setting));
    found.extend(checks::flags(clock));
    found.extend(checks::lateness(clock, setting));
    found.extend(checks::penalties(clock, setting));
    found.extend(consistency::gain(clock, setting));
    found.extend(consistency::agreement(clock, setting));
    found.extend(consistency::total(clock));
    found.sort_by_key(|check| (check.kind, check.ply));
    found
}

/// Milliseconds as seconds, for JSON and words.
pub(super) fn seconds(ms: i64) -> Value {
    if ms % 1000 == 0 { Value::from(ms / 1000) } else { Value::from(ms as f64 / 1000.0) }
}

/// A time for people: 1:29:59, 12:30, 0:05.5.
pub fn show(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    let ms = ms.unsigned_abs();
    let (whole, rest) = (ms / 1000, ms % 1000);
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:03}") };
    match hours {
        0 => format!("{sign}{minutes}:{seconds:02}{fraction}"),
        _ => format!("{sign}{hours}:{minutes:02}:{seconds:02}{fraction}"),
    }
}

#[cfg(test)]
mod tests;
