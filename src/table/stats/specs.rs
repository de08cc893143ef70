//! The tables of `stats`: what each counts, by which keys.

use crate::finding::Words;

use super::facts::Base;

/// One table.
#[derive(PartialEq, Eq, Debug)]
pub struct Spec {
    /// Its name on the command line.
    pub name: &'static str,
    title: (&'static str, &'static str),
    note: (&'static str, &'static str),
    pub(super) base: Base,
    /// Its own keys.
    pub(super) keys: &'static [&'static str],
    /// What is summed.
    pub(super) measures: &'static [&'static str],
    /// Whether it can be split by player, team or side.
    pub(super) by_side: bool,
    /// Whether rows are groups of games of which small ones may be left out, and large ones come first.
    pub(super) ranked: bool,
}

impl Spec {
    /// The title.
    pub fn title(&self) -> Words {
        Words::new(self.title.0, self.title.1)
    }

    /// What must be known to read it.
    pub fn note(&self) -> Words {
        Words::new(self.note.0, self.note.1)
    }
}

const OUTCOMES: &[&str] = &["games", "wins", "draws", "losses", "open"];
const OF_SIDE: &[&str] = &["games", "wins", "draws", "losses", "open", "as_red"];

const fn of_games(
    name: &'static str,
    title: (&'static str, &'static str),
    keys: &'static [&'static str],
    ranked: bool,
) -> Spec {
    Spec {
        name,
        title,
        note: RATES,
        base: Base::Games,
        keys,
        measures: OUTCOMES,
        by_side: true,
        ranked,
    }
}

const RATES: (&str, &str) = (
    "百分率只计已知结果的局，括号内为 95% 置信区间（Wilson）。",
    "Percentages are of games with a known result; in brackets the 95% interval (Wilson).",
);
const NONE: (&str, &str) = ("", "");

static TABLES: &[Spec] = &[
    of_games("results", ("结果", "Results"), &[], false),
    of_games("years", ("各年", "Years"), &["year"], false),
    of_games("events", ("各赛事", "Events"), &["event"], true),
    Spec {
        base: Base::Sides,
        measures: OF_SIDE,
        ..of_games("sides", ("红黑双方", "Sides"), &["side"], false)
    },
    Spec {
        base: Base::Sides,
        measures: OF_SIDE,
        ..of_games("players", ("棋手", "Players"), &["player"], true)
    },
    Spec {
        base: Base::Sides,
        measures: OF_SIDE,
        ..of_games("teams", ("单位", "Teams"), &["team"], true)
    },
    of_games("openings", ("开局", "Openings"), &["opening", "opening_name"], true),
    of_games(
        "first-moves",
        ("首着与先行之利", "First moves and the advantage of moving first"),
        &["first_move"],
        true,
    ),
    Spec {
        by_side: false,
        ..of_games("lengths", ("着数分布", "Lengths of games"), &["length"], false)
    },
    Spec {
        name: "plies",
        title: ("各着的吃子与将军", "Captures and checks by ply"),
        note: (
            "百分率是下到该着的局中的比例。",
            "Percentages are of the games that reach the ply.",
        ),
        base: Base::Plies,
        keys: &["ply"],
        measures: &["plies", "captures", "checks"],
        by_side: false,
        ranked: false,
    },
    Spec {
        note: ("", ""),
        measures: &["games"],
        ..of_games("first-captures", ("首次吃子", "First captures"), &["first_capture"], false)
    },
    Spec {
        note: ("百分率是和局中的比例。", "Percentages are of the drawn games."),
        measures: &["games"],
        ..of_games("draws", ("和棋原因", "Draws by cause"), &["drawn_by"], false)
    },
    Spec {
        name: "limits",
        title: ("循环与自然限着", "Repetitions and the natural limit"),
        note: NONE,
        base: Base::Findings,
        keys: &["code", "verdict"],
        measures: &["findings", "ruled_games"],
        by_side: false,
        ranked: false,
    },
    Spec {
        name: "findings",
        title: ("各代码的发现", "Findings by code"),
        note: NONE,
        base: Base::Findings,
        keys: &["code", "severity"],
        measures: &["findings", "games"],
        by_side: false,
        ranked: false,
    },
    Spec {
        name: "head-to-head",
        title: ("交手", "Head to head"),
        note: RATES,
        base: Base::Pairs,
        keys: &["player", "opponent"],
        measures: OF_SIDE,
        by_side: false,
        ranked: true,
    },
    Spec {
        name: "tree",
        title: ("开局树", "Opening tree"),
        note: RATES,
        base: Base::Tree,
        keys: &["line", "moves"],
        measures: OUTCOMES,
        by_side: false,
        ranked: false,
    },
    Spec {
        name: "pieces",
        title: ("子力存留", "Pieces left at the end"),
        note: (
            "只计从开局局面开始的对局，看主线结束时。",
            "Games from the start position only, at the end of the main line.",
        ),
        base: Base::Pieces,
        keys: &["side", "order", "piece"],
        measures: &["games", "start", "left", "gone"],
        by_side: false,
        ranked: false,
    },
    Spec {
        measures: &["games"],
        note: NONE,
        base: Base::Sides,
        ..of_games("activity", ("棋手活跃度", "Activity of players"), &["player", "year"], false)
    },
    Spec {
        measures: &["games"],
        note: (
            "A00 至 E48 按局面归类，与棋谱所带 ECCO 标签比较：代码相同、前两位相同、字母相同、不同。",
            "Codes by position compared with the ECCO tags of the records: same code, first two characters, letter, none.",
        ),
        ..of_games(
            "ecco-tags",
            ("开局代码与标签", "Opening codes and tags"),
            &["tag_agrees"],
            false,
        )
    },
    Spec {
        name: "names",
        title: ("归并的名字", "Names brought together"),
        note: (
            "一名多写的才列出；规则见 SCHEMA.md。",
            "Only names of several spellings; the rules stand in SCHEMA.md.",
        ),
        base: Base::Names,
        keys: &["kind", "name", "spelling", "rules"],
        measures: &["games"],
        by_side: false,
        ranked: false,
    },
];

/// Every table, in the order in which they are printed.
pub fn all() -> impl Iterator<Item = &'static Spec> {
    TABLES.iter()
}

/// The table of this name.
///
/// ```
/// use qijian::table::stats;
///
/// assert!(stats::named("players").is_some());
/// assert!(stats::named("moon").is_none());
/// ```
pub fn named(name: &str) -> Option<&'static Spec> {
    TABLES.iter().find(|table| table.name == name)
}
