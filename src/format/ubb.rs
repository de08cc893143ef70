//! Bare lists of digits (`.ubb`): the moves of DhtmlXQ without anything else, from the start position.
//!
//! Files count from Red's left. Ranks count from the top as in DhtmlXQ (`7747` is h2e2) or from the bottom (`7242` is):
//! Red moves first (article 2.1), so the first move begins in Red's half. The one real file counts from the bottom, and
//! its owner expects the position that this gives.
//!
//! A file is one game, unless a line begins with a move that only the start position allows: then a game a line.
//! Text in blocks (`[DhtmlXQ]`) goes by the same file name and is read as such.

use crate::{
    board::{Move, Position},
    finding::{Code, Finding, Locate, Span, Words},
    record::{NodeId, Record, Written},
    source::Text,
};

use super::dhtmlxq::{self, Digits, moves, squares};

/// Moves that must be legal for a list of digits to be a game.
const PROBED: usize = 4;

/// Whether `text` is nothing but digits, four a move, whose first moves are legal.
///
/// ```
/// use qijian::format::ubb;
///
/// assert!(ubb::is_ubb("77477062\n"));
/// assert!(!ubb::is_ubb("20011231"));
/// ```
pub fn is_ubb(text: &str) -> bool {
    let text = text.trim_start_matches('\u{FEFF}');
    if !text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace()) {
        return false;
    }
    let (list, _) = moves(text);
    let flip = from_the_bottom(&list);
    let mut position = Position::start();
    let mut board = list.iter().map(|found| as_move(&squares(found.digits, flip)));
    let probed = board.by_ref().take(PROBED).all(|mv| {
        let legal = mv.filter(|mv| position.is_legal(*mv));
        legal.map(|mv| position.play(mv)).is_some()
    });
    list.len() > 1 && probed && board.all(|mv| mv.is_some())
}

/// Reads every game of `text`, handing each to `sink` as soon as it is complete.
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    if dhtmlxq::is_dhtmlxq(text.as_str().as_bytes()) {
        dhtmlxq::read(text, sink);
    } else {
        read_str(text.as_str(), text, sink);
    }
}

/// Reads every game of a list of digits; `locate` gives findings their place.
pub fn read_str<'t>(text: &'t str, locate: &dyn Locate, sink: &mut dyn FnMut(Record<'t>)) {
    let (list, odd) = moves(text);
    let flip = from_the_bottom(&list);
    let mut record = Record::new(1);
    let mut position = Some(Position::start());
    let mut node = NodeId::ROOT;
    let mut last = 0;
    for found in list {
        let written = squares(found.digits, flip);
        let mv = as_move(&written);
        let fits = |position: &Position| mv.is_some_and(|mv| position.is_legal(mv));
        let fresh = text[last..found.start].contains(['\n', '\r']) && node != NodeId::ROOT;
        if fresh && !position.as_ref().is_some_and(fits) && fits(&Position::start()) {
            let next = Record::new(record.game.saturating_add(1));
            sink(std::mem::replace(&mut record, next));
            (position, node) = (Some(Position::start()), NodeId::ROOT);
        }
        if node == NodeId::ROOT {
            record.span = Span::new(found.start, found.end);
        }
        node = record.tree.add(node, written, Span::new(found.start, found.end));
        record.span.end = Span::new(found.end, found.end).end;
        position = position.filter(fits).zip(mv).map(|(mut position, mv)| {
            position.play(mv);
            position
        });
        last = found.end;
    }
    if let Some((start, end)) = odd {
        let words = Words::new("不是四位数字一着，略去", "not four digits a move; left out");
        let place = locate.place(Span::new(start, end));
        record.findings.push(Finding::new(Code::BAD_SYNTAX, words).at(place));
    }
    if !record.tree.is_empty() {
        sink(record);
    }
}

/// Whether ranks count from the bottom.
fn from_the_bottom(list: &[Digits]) -> bool {
    list.first().is_some_and(|first| first.digits[1] < 5)
}

fn as_move(written: &Written<'_>) -> Option<Move> {
    match *written {
        Written::Squares { from: Some(from), to: Some(to), .. } => Some(Move { from, to }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::{finding::Binary, replay};

    fn games(text: &str) -> Vec<(String, usize)> {
        let mut games = Vec::new();
        read_str(text, &Binary, &mut |record| {
            let game = replay::replay(&record, &Binary, &replay::Options::default());
            let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
            games.push((moves.join(" "), game.findings.len()));
        });
        games
    }

    // formats.md 9.3: 7747 is h2e2.
    #[test]
    fn one_game_and_a_game_a_line() {
        assert_eq!(games("7747 7062\n7967"), [("h2e2 h9g7 h0g2".to_owned(), 0)]);
        assert_eq!(games("72427967"), [("h2e2 h9g7".to_owned(), 0)]);
        let two = games("77477062\n17477062\n");
        assert_eq!(two, [("h2e2 h9g7".to_owned(), 0), ("b2e2 h9g7".to_owned(), 0)]);
        assert_eq!(games("7747706"), [("h2e2".to_owned(), 1)]);
        assert_eq!(games(""), []);
    }

    /// The file's owner tests that it ends so (benckx/elephantchess, HalfMoveTest).
    #[test]
    fn the_real_file_ends_as_its_owner_expects() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../shared/data/dhtmlxq/benckx+elephantchess/head/xiangqi-core/src/test/resources/game1.ubb"
        );
        let Ok(text) = std::fs::read_to_string(path) else {
            let _ = writeln!(std::io::stderr(), "SKIPPED: no shared data");
            return;
        };
        assert!(is_ubb(&text));
        let mut ends = Vec::new();
        read_str(&text, &Binary, &mut |record| {
            let game = replay::replay(&record, &Binary, &replay::Options::default());
            assert!(game.findings.is_empty(), "{:?}", game.findings);
            ends.push((game.moves.len(), game.end.unwrap().fen()));
        });
        let [(114, end)] = &ends[..] else { panic!("one game of 114 plies: {ends:?}") };
        assert!(
            end.starts_with("3ak1b2/1C2a3n/2Nrb4/2R3P1p/9/4P3P/p2r5/4B4/3pA4/2B1KA3 w"),
            "{end}"
        );
    }

    #[test]
    fn numbers_are_no_games() {
        for text in [
            "",
            "7747",
            "20260101 20260202",
            "77477747",
            "77477062x",
            "7747706277477747",
            "7747 7062 9999",
        ] {
            assert!(!is_ubb(text), "{text}");
        }
        assert!(is_ubb("\u{FEFF}7747 7062\r\n7967"));
    }
}
