//! The values of a profile that govern events: scores, forfeits, colours, tie-breaks (articles 12 to 15, 18, 20, 21).

use serde::Deserialize;

use super::exact::Exact;

/// Defines the settled struct, the struct of a file in which every value may be missing, and what joins the two.
macro_rules! values {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)*) => {
        /// How an event is scored, paired and ranked.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct EventRules { $($(#[$doc])* pub $field: $type,)* }

        /// The same as a file gives it: what is missing is inherited.
        #[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct EventRulesFile { $($(#[$doc])* pub $field: Option<$type>,)* }

        impl EventRules {
            /// The values of the first of `files` that gives each.
            ///
            /// # Errors
            ///
            /// The name of the first value that none gives.
            pub(super) fn merge<'a>(files: impl Iterator<Item = &'a EventRulesFile> + Clone) -> Result<EventRules, &'static str> {
                Ok(EventRules {
                    $($field: files.clone().find_map(|file| file.$field.clone()).ok_or(concat!("event.", stringify!($field)))?,)*
                })
            }

            /// With the values that `file` gives put in place of its own.
            #[must_use]
            pub fn overridden(self, file: &EventRulesFile) -> EventRules {
                EventRules { $($field: file.$field.clone().unwrap_or(self.$field),)* }
            }

            /// Every value by its path, as text.
            pub(super) fn values(&self) -> Vec<(&'static str, String)> {
                vec![$((concat!("event.", stringify!($field)), self.$field.show()),)*]
            }
        }
    };
}

values! {
    /// Points of a game won (14.1); also of a `+` and a bye.
    win: Exact,
    /// Points of a drawn game (14.1).
    draw: Exact,
    /// Points of a game lost (14.1); also of a `-`.
    loss: Exact,
    /// What a drawn game counts for: `draw`, or `black_wins` (和棋黑胜).
    drawn_game: DrawnGame,
    /// 场分 of a match won (14.2); also of a team's `+` (21.4).
    match_win: Exact,
    /// 场分 of a drawn match (14.2).
    match_draw: Exact,
    /// 场分 of a match lost (14.2).
    match_loss: Exact,
    /// What follows a drawn team match: `draw`, or `rapid` for tie-break games (league 2012).
    drawn_match: DrawnMatch,
    /// The most rapid tie-break games of a match.
    rapid_games: u32,
    /// Who wins if all rapid games are drawn: `second` (the away team) or `nobody`.
    rapid_level: RapidLevel,
    /// The most substitutes on a team's list for the rapid games.
    rapid_substitutes: u32,
    /// How many fouls lose a rapid tie-break game; of other games `fouls.limit` says so.
    rapid_fouls_lose: u32,
    /// The boards on which the first team has Red: `odd` (13.2), `all` (home teams of the league), or `free` where
    /// colours are drawn or bid for.
    red_boards: RedBoards,
    /// What a bye is worth: `win`, `draw` or `nothing`.
    bye: ByeScore,
    /// Whether a bye and a `+` count among the games won (胜局).
    forfeit_is_win: bool,
    /// Whether a match won without play brings the game points of all boards.
    forfeit_fills_boards: bool,
    /// What a round without an opponent adds to 对手分: `lowest` (the lowest score of the event), `zero` or `own`.
    unplayed_opponent: Unplayed,
    /// How 直胜 is read among more than two: `beat_all` or `mini_table`.
    head_to_head: HeadToHead,
    /// Whether warnings and exclusions put an entrant behind others with the same points (18.4).
    sanctions_first: bool,
    /// The place that entrants who share places count with in a sum of members (15.5): `mean` or `lowest`.
    shared_places: SharedPlaces,
    /// How many places must not be shared (15.6).
    protected_places: u32,
    /// The most by which an entrant's reds and blacks may differ in a Swiss event.
    colour_difference: u32,
    /// The most equal colours in a row in a Swiss event.
    colour_run: u32,
    /// Whether two entrants whose game was forfeited may be paired again.
    forfeit_may_meet_again: bool,
    /// Whether a double round robin reverses the last two rounds of its first half.
    second_cycle_reversed: bool,
    /// Tie-breaks of a round robin of players (15.1).
    tie_breaks_round_robin: Vec<String>,
    /// Tie-breaks of a Swiss event of players (15.2).
    tie_breaks_swiss: Vec<String>,
    /// Tie-breaks of a round robin of teams (15.3).
    tie_breaks_team_round_robin: Vec<String>,
    /// Tie-breaks of a Swiss event of teams (15.4).
    tie_breaks_team_swiss: Vec<String>,
    /// Tie-breaks of the sum of members (15.5).
    tie_breaks_members: Vec<String>,
}

/// A value of a profile as `qijian rules` prints it.
trait Show {
    fn show(&self) -> String;
}

macro_rules! show {
    ($($type:ty),*) => { $(impl Show for $type { fn show(&self) -> String { self.to_string() } })* };
}
show!(Exact, u32, bool);

impl Show for Vec<String> {
    fn show(&self) -> String {
        self.join(", ")
    }
}

/// Defines a choice between named values.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)* }

        impl Show for $name {
            fn show(&self) -> String {
                match self { $($name::$variant => $text.to_owned(),)* }
            }
        }
    };
}

choice! {
    /// What a drawn game counts for.
    DrawnGame {
        /// A draw.
        Draw = "draw",
        /// A win of Black (和棋黑胜).
        BlackWins = "black_wins",
    }
}
choice! {
    /// What follows a drawn team match.
    DrawnMatch {
        /// It is drawn.
        Draw = "draw",
        /// Rapid tie-break games decide it.
        Rapid = "rapid",
    }
}
choice! {
    /// Who wins a match whose rapid games are all drawn.
    RapidLevel {
        /// The second-listed, away team.
        Second = "second",
        /// Nobody.
        Nobody = "nobody",
    }
}
choice! {
    /// The boards on which the first-listed team has Red.
    RedBoards {
        /// The odd ones (13.2).
        Odd = "odd",
        /// All of them.
        All = "all",
        /// Any: colours are drawn or bid for (贴时竞叫).
        Free = "free",
    }
}
choice! {
    /// What a bye is worth.
    ByeScore {
        /// A win.
        Win = "win",
        /// A draw.
        Draw = "draw",
        /// Nothing.
        Nothing = "nothing",
    }
}
choice! {
    /// What a round without an opponent adds to 对手分.
    Unplayed {
        /// The lowest score of the event.
        Lowest = "lowest",
        /// Nothing.
        Zero = "zero",
        /// The entrant's own score.
        Own = "own",
    }
}
choice! {
    /// How 直胜 is read among more than two.
    HeadToHead {
        /// One who beat all the others comes first.
        BeatAll = "beat_all",
        /// The points of the games among them.
        MiniTable = "mini_table",
    }
}
choice! {
    /// The place that entrants who share places count with.
    SharedPlaces {
        /// The mean of the places shared.
        Mean = "mean",
        /// The best of them, the one that is printed.
        Lowest = "lowest",
    }
}
