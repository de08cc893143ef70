//! DhtmlXQ (东萍象棋网 dpxq.com): blocks of text in forums, pages and files, several a file.
//!
//! `[DhtmlXQ]`, then keys `[DhtmlXQ_key]value[/DhtmlXQ_key]`, then `[/DhtmlXQ]`; syntax in `grammars/dhtmlxq.bnf`.
//! DHJHtmlXQ (打虎将, 广东象棋网) is the same with numbers for keys and is read too.
//!
//! A block is a game if it has moves, a position, or names something. The pages of viewers hold their own templates as
//! blocks, in which program code stands for moves; those are none.
//!
//! - Closing tags need not match. Of a repeated key the first value counts for the standard keys; different values are
//!   kept as further tags. Empty values are as good as none.
//! - The side to move is not stored: the first move decides. A `fen` of the same board decides it before that.
//! - `comment0` is the comment of the start position; without it, `other` is.
//! - Routes that leave no other route (`QJ006`) are kept as tags by their keys.
//!
//! ```
//! use qijian::{finding::Binary, format::dhtmlxq};
//!
//! let text = "[DhtmlXQ][DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\
//!             [DhtmlXQ_move_0_1_1]2625[/DhtmlXQ_move_0_1_1][/DhtmlXQ]";
//! let mut games = Vec::new();
//! dhtmlxq::read_str(text, &Binary, &mut |record| games.push(record));
//! assert_eq!(games[0].tree.main_line().count(), 2);
//! assert_eq!(games[0].tree.variations(), 1);
//! ```

mod blocks;
mod keys;
mod record;
mod routes;
mod start;
mod value;
mod version2;
mod write;

pub(super) use routes::{Digits, moves, squares};
pub use write::write;

use crate::{finding::Locate, record::Record, source::Text};

/// What every block begins with, in lower case.
const MARKS: [&[u8]; 2] = [b"[dhtmlxq", b"[dhjhtmlxq"];

/// Whether `bytes` hold a tag of DhtmlXQ anywhere; zeros are passed over, so that UTF-16 is known too.
///
/// ```
/// assert!(qijian::format::dhtmlxq::is_dhtmlxq(b"<p>[DhtmlXQ]"));
/// ```
pub fn is_dhtmlxq(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'[', rest) {
        rest = &rest[at..];
        let begins = |mark: &[u8]| {
            let mut found = rest.iter().take(2 * mark.len()).filter(|byte| **byte != 0);
            mark.iter().all(|byte| found.next().is_some_and(|c| c.eq_ignore_ascii_case(byte)))
        };
        if MARKS.into_iter().any(begins) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

/// Reads every game of `text`, handing each to `sink` as soon as it is complete.
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    read_str(text.as_str(), text, sink);
}

/// Reads every game of `text`, handing each to `sink` as soon as it is complete; `locate` gives findings their place.
pub fn read_str<'t>(text: &'t str, locate: &dyn Locate, sink: &mut dyn FnMut(Record<'t>)) {
    let mut games = 0;
    blocks::each(text, &mut |block| {
        if let Some(record) = record::read(&block, games + 1, locate) {
            games += 1;
            sink(record);
        }
    });
}

#[cfg(test)]
mod tests;
