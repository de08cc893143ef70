//! Behaviours of the sides over a cycle, and what they come to.

use super::label::Label;

/// What a side does over a cycle (CONTRACT section 5, `QJ501`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Behaviour {
    /// 长将
    LongCheck,
    /// 长杀
    LongKill,
    /// 长捉
    LongChase,
    /// 一将一杀
    CheckKill,
    /// 一将一捉
    CheckChase,
    /// 一杀一捉
    KillChase,
    /// 将, 杀 and 捉
    MixedForbidden,
    /// 允许着法: at least one ply is idle.
    Allowed,
    /// The bound of a search was reached and the answer hangs on it.
    Unproved,
}

impl Behaviour {
    /// All of them.
    pub const ALL: [Behaviour; 9] = [
        Behaviour::LongCheck,
        Behaviour::LongKill,
        Behaviour::LongChase,
        Behaviour::CheckKill,
        Behaviour::CheckChase,
        Behaviour::KillChase,
        Behaviour::MixedForbidden,
        Behaviour::Allowed,
        Behaviour::Unproved,
    ];

    /// The word used in JSON and in profiles.
    pub const fn as_str(self) -> &'static str {
        match self {
            Behaviour::LongCheck => "long_check",
            Behaviour::LongKill => "long_kill",
            Behaviour::LongChase => "long_chase",
            Behaviour::CheckKill => "check_kill",
            Behaviour::CheckChase => "check_chase",
            Behaviour::KillChase => "kill_chase",
            Behaviour::MixedForbidden => "mixed_forbidden",
            Behaviour::Allowed => "allowed",
            Behaviour::Unproved => "unproved",
        }
    }

    /// The Chinese and English names.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Behaviour::LongCheck => ("长将", "perpetual check"),
            Behaviour::LongKill => ("长杀", "perpetual kill"),
            Behaviour::LongChase => ("长捉", "perpetual chase"),
            Behaviour::CheckKill => ("一将一杀", "check and kill in turn"),
            Behaviour::CheckChase => ("一将一捉", "check and chase in turn"),
            Behaviour::KillChase => ("一杀一捉", "kill and chase in turn"),
            Behaviour::MixedForbidden => ("将杀捉兼有", "check, kill and chase"),
            Behaviour::Allowed => ("允许着法", "allowed moves"),
            Behaviour::Unproved => ("未能断定", "not proved"),
        }
    }

    /// The behaviour of a side whose plies over the cycle have these labels (25.2, 28.10 to 28.15). One idle ply makes
    /// all allowed, whatever is not proved of the others.
    pub fn of(labels: &[Label]) -> Behaviour {
        let has = |label: Label| labels.contains(&label);
        if labels.is_empty() || labels.iter().any(|label| label.is_idle()) {
            return Behaviour::Allowed;
        }
        if has(Label::Unproved) {
            return Behaviour::Unproved;
        }
        match (has(Label::Check), has(Label::Kill), has(Label::Chase)) {
            (true, true, true) => Behaviour::MixedForbidden,
            (true, true, false) => Behaviour::CheckKill,
            (true, false, true) => Behaviour::CheckChase,
            (false, true, true) => Behaviour::KillChase,
            (true, false, false) => Behaviour::LongCheck,
            (false, true, false) => Behaviour::LongKill,
            _ => Behaviour::LongChase,
        }
    }
}

/// What the arbiter says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// 红负
    RedLoses,
    /// 黑负
    BlackLoses,
    /// 不变作和
    Draw,
    /// 红方须变着
    RedMustChange,
    /// 黑方须变着
    BlackMustChange,
    /// A search reached its bound.
    Unproved,
}

impl Verdict {
    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::RedLoses => "red_loses",
            Verdict::BlackLoses => "black_loses",
            Verdict::Draw => "draw",
            Verdict::RedMustChange => "red_must_change",
            Verdict::BlackMustChange => "black_must_change",
            Verdict::Unproved => "unproved",
        }
    }

    /// The Chinese and English words.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Verdict::RedLoses => ("红负", "Red loses"),
            Verdict::BlackLoses => ("黑负", "Black loses"),
            Verdict::Draw => ("不变作和", "draw"),
            Verdict::RedMustChange => ("红方须变着", "Red must change"),
            Verdict::BlackMustChange => ("黑方须变着", "Black must change"),
            Verdict::Unproved => ("未能断定", "not proved"),
        }
    }

    /// The verdict of a row of a profile's table; `swapped` where `one` is Black.
    pub(super) fn from_row(word: &str, swapped: bool) -> Option<Verdict> {
        Some(match (word, swapped) {
            ("draw", _) => Verdict::Draw,
            ("one_loses", false) | ("other_loses", true) => Verdict::RedLoses,
            ("one_loses", true) | ("other_loses", false) => Verdict::BlackLoses,
            ("one_must_change", false) | ("other_must_change", true) => Verdict::RedMustChange,
            ("one_must_change", true) | ("other_must_change", false) => Verdict::BlackMustChange,
            ("unproved", _) => Verdict::Unproved,
            _ => return None,
        })
    }

    /// The verdict after one more cycle: who was told to change and did not has lost (24.3).
    #[must_use]
    pub const fn one_cycle_later(self) -> Verdict {
        match self {
            Verdict::RedMustChange => Verdict::RedLoses,
            Verdict::BlackMustChange => Verdict::BlackLoses,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // 25.2 and 28.10 to 28.15.
    #[test]
    fn behaviours_are_what_the_plies_add_up_to() {
        use Label::{Chase, Check, Follow, Idle, Kill, Unproved};
        for (labels, expected) in [
            (&[Check, Check][..], Behaviour::LongCheck),
            (&[Kill, Kill], Behaviour::LongKill),
            (&[Chase, Chase], Behaviour::LongChase),
            (&[Check, Kill], Behaviour::CheckKill),
            (&[Check, Chase], Behaviour::CheckChase),
            (&[Kill, Chase], Behaviour::KillChase),
            (&[Check, Kill, Chase], Behaviour::MixedForbidden),
            (&[Check, Idle], Behaviour::Allowed),
            (&[Check, Check, Check, Follow], Behaviour::Allowed),
            // One idle ply allows all, whatever the others are.
            (&[Unproved, Idle], Behaviour::Allowed),
            (&[Unproved, Check], Behaviour::Unproved),
            (&[], Behaviour::Allowed),
        ] {
            assert_eq!(Behaviour::of(labels), expected, "{labels:?}");
        }
    }

    #[test]
    fn who_does_not_change_loses_one_cycle_later() {
        assert_eq!(Verdict::RedMustChange.one_cycle_later(), Verdict::RedLoses);
        assert_eq!(Verdict::BlackMustChange.one_cycle_later(), Verdict::BlackLoses);
        assert_eq!(Verdict::Draw.one_cycle_later(), Verdict::Draw);
    }
}
