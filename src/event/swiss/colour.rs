//! First moves in a Swiss event: reds and blacks are kept even (appendix 2; 13.3).

/// The colours that an entrant has had, `true` for Red.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Colours {
    /// Reds less blacks.
    pub balance: i32,
    /// The last colour, if any.
    pub last: Option<bool>,
    /// How often in a row it was had.
    pub run: u32,
}

/// How far colours may become uneven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most by which reds and blacks may differ.
    pub difference: u32,
    /// The most equal colours in a row.
    pub run: u32,
}

impl Limits {
    /// No limit at all.
    pub const NONE: Limits = Limits { difference: u32::MAX, run: u32::MAX };
}

/// What a colour costs an entrant; less is better, in the order of the fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Cost {
    /// How far the difference goes beyond one.
    pub imbalance: i64,
    /// Colours in a row beyond two.
    pub run: i64,
    /// Whether the last colour comes again.
    pub repeated: i64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            imbalance: self.imbalance + other.imbalance,
            run: self.run + other.run,
            repeated: self.repeated + other.repeated,
        }
    }
}

impl Colours {
    /// The colours of games in order.
    pub fn of(games: impl IntoIterator<Item = bool>) -> Colours {
        games.into_iter().fold(Colours::default(), Colours::with)
    }

    /// These and one more game.
    #[must_use]
    pub fn with(self, red: bool) -> Colours {
        Colours {
            balance: self.balance + if red { 1 } else { -1 },
            last: Some(red),
            run: if self.last == Some(red) { self.run + 1 } else { 1 },
        }
    }

    /// Whether one more game with that colour stays within `limits`.
    pub fn allows(self, red: bool, limits: Limits) -> bool {
        let next = self.with(red);
        // What is already uneven may become even again.
        let even = next.balance.unsigned_abs() <= limits.difference
            || next.balance.abs() < self.balance.abs();
        even && next.run <= limits.run
    }

    /// What one more game with that colour costs.
    pub fn cost(self, red: bool) -> Cost {
        let next = self.with(red);
        Cost {
            imbalance: i64::from((next.balance.abs() - 1).max(0)),
            run: i64::from(next.run.saturating_sub(2)),
            repeated: i64::from(next.run > 1),
        }
    }
}

/// What the better way to give colours to two entrants costs, and whether the first then has Red; `None` for the
/// colour where both ways cost the same, `None` at all where `limits` allow neither.
pub fn assign(one: Colours, other: Colours, limits: Limits) -> Option<(Cost, Option<bool>)> {
    let way = |red: bool| {
        let allowed = one.allows(red, limits) && other.allows(!red, limits);
        allowed.then(|| one.cost(red) + other.cost(!red))
    };
    match (way(true), way(false)) {
        (Some(red), Some(black)) if red == black => Some((red, None)),
        (Some(red), Some(black)) if red < black => Some((red, Some(true))),
        (Some(red), None) => Some((red, Some(true))),
        (_, Some(black)) => Some((black, Some(false))),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { difference: 2, run: 2 };

    fn colours(text: &str) -> Colours {
        Colours::of(text.chars().map(|c| c == 'r'))
    }

    #[test]
    fn colours_are_counted() {
        assert_eq!(colours("rrbrr"), Colours { balance: 3, last: Some(true), run: 2 });
        assert_eq!(colours(""), Colours::default());
    }

    #[test]
    fn who_has_had_more_blacks_gets_red() {
        assert_eq!(assign(colours("rb"), colours("br"), LIMITS).unwrap().1, Some(true));
        assert_eq!(assign(colours("rrb"), colours("bbr"), LIMITS).unwrap().1, Some(false));
        assert_eq!(assign(colours("r"), colours("r"), LIMITS).unwrap().1, None);
        assert_eq!(assign(colours(""), colours("rb"), LIMITS).unwrap().1, Some(false));
    }

    #[test]
    fn limits_hold_and_what_is_uneven_may_become_even() {
        assert_eq!(assign(colours("rr"), colours("brr"), LIMITS), None);
        assert_eq!(assign(colours("rbrr"), colours("rr"), Limits::NONE).unwrap().1, None);
        assert!(colours("rrbrr").allows(false, LIMITS));
        assert!(!colours("rr").allows(true, LIMITS) && colours("rr").allows(false, LIMITS));
    }
}
