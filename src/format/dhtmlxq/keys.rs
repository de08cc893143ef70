//! What the keys mean.

use crate::record::standard_key;

use super::blocks::Family;

/// What a key says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key<'t> {
    /// `movelist`
    Moves,
    /// `move_P_N_R`: route R replaces ply N of route P.
    Route { parent: u32, ply: u32, id: u32 },
    /// `commentN`, `commentR_N`: route and ply.
    Comment { route: u32, ply: u32 },
    /// `binit`
    Board,
    /// `fen`
    Fen,
    /// The board of DHJHtmlXQ as letters.
    Letters,
    /// Who moves first in DHJHtmlXQ: 1 for Black.
    First,
    /// Something about the game.
    Tag(&'t str),
}

/// The numbers of DHJHtmlXQ with the keys of DhtmlXQ that say the same.
const NUMBERS: [(&str, &str); 23] = [
    ("10", "title"),
    ("11", "event"),
    ("13", "date"),
    ("14", "place"),
    ("15", "round"),
    ("16", "table"),
    ("17", "red"),
    ("18", "redname"),
    ("19", "redlevel"),
    ("20", "redrating"),
    ("21", "black"),
    ("22", "blackname"),
    ("23", "blacklevel"),
    ("24", "blackrating"),
    ("28", "result"),
    ("29", "redtime"),
    ("30", "blacktime"),
    ("33", "firstply"),
    ("36", "open"),
    ("37", "variation"),
    ("40", "remark"),
    ("41", "author"),
    ("42", "record"),
];

/// What `key` of `family` says.
pub(super) fn key(key: &str, family: Family) -> Key<'_> {
    let folded = key.to_ascii_lowercase();
    if family == Family::Dhj {
        match key {
            "31" => return Key::Letters,
            "32" => return Key::First,
            "34" => return Key::Moves,
            _ => {}
        }
        if let Some((_, name)) = NUMBERS.iter().find(|(number, _)| *number == key) {
            return Key::Tag(name);
        }
    }
    match folded.as_str() {
        "movelist" => return Key::Moves,
        "binit" => return Key::Board,
        "fen" => return Key::Fen,
        _ => {}
    }
    if let Some(numbers) = folded.strip_prefix("move_").and_then(numbers)
        && let [parent, ply, id] = numbers[..]
    {
        return Key::Route { parent, ply, id };
    }
    if let Some(numbers) = folded.strip_prefix("comment") {
        match numbers.strip_prefix('_').unwrap_or(numbers) {
            "" => return Key::Comment { route: 0, ply: 0 },
            rest => match self::numbers(rest).as_deref() {
                Some(&[ply]) => return Key::Comment { route: 0, ply },
                Some(&[route, ply]) => return Key::Comment { route, ply },
                _ => {}
            },
        }
    }
    Key::Tag(key)
}

/// Numbers with `_` between them.
fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split('_').map(|number| number.parse().ok()).collect()
}

/// The key under which a tag called `name` is written; `None` if no key can have such a name.
pub(super) fn name(name: &str) -> Option<&str> {
    let key = match standard_key(name) {
        Some("title") => "title",
        Some("event") => "event",
        Some("site") => "place",
        Some("date") => "date",
        Some("round") => "round",
        Some("red") => "red",
        Some("black") => "black",
        Some("red_team") => "redteam",
        Some("black_team") => "blackteam",
        Some("red_elo") => "redrating",
        Some("black_elo") => "blackrating",
        Some("red_time") => "redtime",
        Some("black_time") => "blacktime",
        Some("result") => "result",
        Some("termination") => "endtype",
        Some("opening") => "open",
        Some("annotator") => "remark",
        Some("author") => "author",
        Some("time_control") => "timerule",
        _ => name,
    };
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let fits = !key.is_empty() && key.len() <= 40 && key.chars().all(word);
    (fits && matches!(self::key(key, Family::Dhtml), Key::Tag(_))).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    // formats.md 9.1, 9.4, 9.5.
    #[test]
    fn keys() {
        let dhtml = |text| key(text, Family::Dhtml);
        assert_eq!(dhtml("MoveList"), Key::Moves);
        assert_eq!(dhtml("move_0_5_1"), Key::Route { parent: 0, ply: 5, id: 1 });
        assert_eq!(dhtml("comment7"), Key::Comment { route: 0, ply: 7 });
        assert_eq!(dhtml("comment2_7"), Key::Comment { route: 2, ply: 7 });
        assert_eq!(dhtml("comment99999999999"), Key::Tag("comment99999999999"));
        assert_eq!(dhtml("move_1"), Key::Tag("move_1"));
        assert_eq!(dhtml("10"), Key::Tag("10"));
        assert_eq!(key("17", Family::Dhj), Key::Tag("red"));
        assert_eq!(key("comment_0_3", Family::Dhj), Key::Comment { route: 0, ply: 3 });
    }

    #[test]
    fn names_of_other_formats() {
        assert_eq!(name("WhiteTeam"), Some("redteam"));
        assert_eq!(name("红方"), Some("red"));
        assert_eq!(name("Weather"), Some("Weather"));
        for bad in ["", "天气", "two words", "movelist", "comment1", "FEN"] {
            assert_eq!(name(bad), None, "{bad}");
        }
    }
}
