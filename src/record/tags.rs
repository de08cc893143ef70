//! Tags, and the standard keys of the contract.

use std::borrow::Cow;

use crate::finding::Span;

/// A tag as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag<'a> {
    /// The name as written.
    pub name: Cow<'a, str>,
    /// The value as written.
    pub value: Cow<'a, str>,
    /// The value in the source.
    pub span: Span,
}

/// The standard key in lower snake case of a tag called `name` in any case, in the spellings of PGN, XQF and CBR
/// programs; `None` if it has no standard key and keeps its own name.
pub fn standard_key(name: &str) -> Option<&'static str> {
    let folded: String =
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let key = match folded.as_str() {
        "game" => "game",
        "title" => "title",
        "event" => "event",
        "site" | "place" => "site",
        "date" => "date",
        "round" => "round",
        "red" | "white" => "red",
        "black" => "black",
        "redteam" | "whiteteam" => "red_team",
        "blackteam" => "black_team",
        "redelo" | "whiteelo" | "redrating" => "red_elo",
        "blackelo" | "blackrating" => "black_elo",
        "redtime" => "red_time",
        "blacktime" => "black_time",
        "result" => "result",
        "termination" | "endtype" => "termination",
        "opening" => "opening",
        "variation" => "variation",
        "ecco" | "eco" => "ecco",
        "timecontrol" | "timerule" => "time_control",
        "fen" => "fen",
        "setup" => "setup",
        "format" => "format",
        "variant" => "variant",
        "annotator" => "annotator",
        "creator" | "author" => "author",
        _ => return None,
    };
    Some(key)
}
