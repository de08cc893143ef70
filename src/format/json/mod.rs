//! Games as JSON objects.
//!
//! A file is one object, objects one after the other (JSON lines), a list of objects, or an object with such a list under
//! `games`, as `qijian check --format json` writes it. An object is a game if it has one of the first two keys:
//!
//! | key | holds |
//! | --- | --- |
//! | `moves` | a list of texts, or one text with blanks between the moves; `null`, `""` and `"..."` are omitted plies |
//! | `start_fen`, `fen` | the start position; without it the usual one |
//! | `tags` | an object: tags by name, those under `other` too; `name#2` is a second tag of that name |
//! | `result` | the result |
//! | `rest` | `{"texts": [...]}`: further moves, as `check` has them behind a move that it could not play |
//! | `after_end` | a list of texts: moves behind the end of the game |
//! | `marks`, `numbers` | `[[ply, value], ...]`: marks such as `!?`, and round numbers as written |
//! | `remarks` | `[[ply, text], ...]`: comments, ply 0 for those before the first move |
//! | `owner` | `red` or `black`: who kept the scoresheet |
//!
//! Any other key with a text or a number is a tag of that name, except those that `check` makes itself (`source`,
//! `game`, `plies`, `findings` and the like). Objects with `"game": 0`, by which `check` tells of a file without a game,
//! and objects whose `plies` are more than none but whose `moves` were not asked for, are no games.
//!
//! [`write()`] writes the same keys; what `check` has written reads back as the same moves.
//!
//! ```
//! use qijian::format::{self, Format};
//!
//! let lines = br#"{"moves": ["h2e2", "h9g7"], "tags": {"red": "A"}}
//! {"moves": "c3c4 g6g5 h0g2"}"#;
//! let mut plies = Vec::new();
//! format::read(lines, Format::Json, None, &mut |record, _, _| plies.push(record.tree.len()));
//! assert_eq!(plies, [2, 3]);
//! ```

mod cursor;
mod game;
mod write;

pub use write::write;

use crate::{
    finding::{Code, Finding, Locate, Severity, Span, Words},
    record::Record,
    source::Text,
};

use super::pgn;
use cursor::{Cursor, Next};
use game::Source;

/// Takes each record, and whether it is the last.
pub(super) type Take<'s> = dyn for<'r> FnMut(Record<'r>, bool) + 's;

/// Reads every game of `text`, handing each to `take` when the next has been found.
pub(super) fn read(text: &Text<'_>, take: &mut Take<'_>) {
    let string = text.as_str();
    let mut cursor = Cursor::new(string);
    let mut number = 0;
    let mut waiting: Option<Source<'_>> = None;
    let mut faults: Vec<Finding> = Vec::new();
    loop {
        let raw = match cursor.next() {
            Next::End => break,
            Next::Fault(at) => {
                if number > 0 || pgn::any_move(string).is_none() {
                    faults.push(malformed(text, at));
                }
                continue;
            }
            Next::Object(raw) => raw,
        };
        let Some(mut source) = Source::new(string, raw) else { continue };
        number += 1;
        source.number = number;
        if let Some(done) = waiting.replace(source) {
            take(done.record(std::mem::take(&mut faults)), false);
        }
    }
    if let Some(last) = waiting {
        take(last.record(faults), true);
    }
}

fn malformed(text: &Text<'_>, at: usize) -> Finding {
    Finding::new(
        Code::BAD_SYNTAX,
        Words::new(
            "此处不合 JSON 的写法，跳到下一行的对象",
            "no JSON from here on; reading goes on with the next object at the start of a line",
        ),
    )
    .severity(Severity::Error)
    .at(text.place(Span::new(at, at)))
}

/// Whether a text, of which this may be only the beginning, is JSON that holds a game.
pub(super) fn holds_game(text: &str) -> bool {
    let begins = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    if !begins.starts_with(['{', '[']) {
        return false;
    }
    let value = |key: &'static str| {
        text.match_indices(key).take(1000).filter_map(move |(at, _)| {
            let rest = text[at + key.len()..].trim_start().strip_prefix(':')?;
            Some(rest.trim_start())
        })
    };
    let is_moves = |rest: &str| {
        let rest = rest.strip_prefix('[').unwrap_or(rest).trim_start();
        let escaped = rest.starts_with("\"\\u");
        let empty = rest.starts_with(']') || rest.starts_with("null");
        let inner = rest.strip_prefix('"').map(str::trim_start);
        empty
            || escaped
            || inner.is_some_and(|inner| {
                pgn::any_move(inner).is_some() || inner.starts_with(['"', '.', '…'])
            })
    };
    let is_fen = |rest: &str| rest.starts_with('"') && pgn::is_position(text_from(rest), 0);
    value("\"moves\"").any(is_moves)
        || value("\"start_fen\"").any(is_fen)
        || value("\"fen\"").any(is_fen)
}

/// What follows the quote.
fn text_from(rest: &str) -> &str {
    rest.get(1..).unwrap_or("")
}

#[cfg(test)]
mod tests;
