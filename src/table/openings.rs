//! Openings (开局): ECCO-style codes by position.
//!
//! There are two codings that share the name; this is that of ECCO 2004 (A00 to E48), which databases on the web and the
//! tags of real records use. `openings.toml` holds for each code the moves by which it is known. Of these only the
//! outcome counts: a game belongs to a code once all its pieces stand where those moves put them and have left where
//! they came from, in whatever order, and its mirror image belongs to the same. That must be so by a certain ply (`by`, else
//! one more than the moves it asks for), since later a game may come to look like any opening. Of several codes the one
//! that asks for most moves wins, then the one that was reached first, then the one that stands first in the file.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::{
    board::{Move, Piece, Position, Setup, Side, Square},
    finding::Words,
};

use super::hash::mirror_square;

/// No code is settled later than this: the openings of the table are over by then.
const LAST_PLY: usize = 30;

/// One code of the table, as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    code: String,
    zh: String,
    en: String,
    #[serde(default)]
    red: String,
    #[serde(default)]
    black: String,
    by: Option<usize>,
}

#[derive(Deserialize)]
struct File {
    opening: Vec<Entry>,
}

/// Where pieces stand once some moves are made, and where none of them stands any more.
#[derive(Default)]
struct Pattern {
    here: Vec<(Square, Piece)>,
    gone: Vec<(Square, Piece)>,
}

impl Pattern {
    fn fits(&self, position: &Position) -> bool {
        self.here.iter().all(|(square, piece)| position.piece_at(*square) == Some(*piece))
            && self.gone.iter().all(|(square, piece)| position.piece_at(*square) != Some(*piece))
    }

    fn mirrored(&self) -> Pattern {
        let turn = |list: &[(Square, Piece)]| {
            list.iter().map(|(square, piece)| (mirror_square(*square), *piece)).collect()
        };
        Pattern { here: turn(&self.here), gone: turn(&self.gone) }
    }
}

/// One code with what it asks for.
struct Opening {
    code: String,
    zh: String,
    en: String,
    /// How many moves it asks for.
    moves: usize,
    /// The last ply at which it counts.
    by: usize,
    patterns: [Pattern; 2],
}

static TABLE: LazyLock<Vec<Opening>> =
    LazyLock::new(|| read(include_str!("openings.toml")).expect("a test reads the embedded table"));

/// The table of a TOML document; the error names the code and the move at fault.
fn read(text: &str) -> Result<Vec<Opening>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    file.opening.into_iter().map(opening).collect()
}

fn opening(entry: Entry) -> Result<Opening, String> {
    let Entry { code, zh, en, red, black, by } = entry;
    let start = Position::start();
    let mut pattern = Pattern::default();
    let mut moves = 0;
    for (side, places) in [(Side::Red, red), (Side::Black, black)] {
        let fault = |text: &str| format!("{code}: {text}");
        let places: Vec<Move> = places
            .split_whitespace()
            .map(|text| text.parse().map_err(|_| fault(text)))
            .collect::<Result<_, _>>()?;
        for place in &places {
            let piece = start.piece_at(place.from).filter(|piece| piece.side == side);
            let piece = piece.ok_or_else(|| fault(&place.to.to_string()))?;
            moves += distance(piece, *place).ok_or_else(|| fault(&place.to_string()))?;
            pattern.here.push((place.to, piece));
            if places.iter().all(|other| other.to != place.from) {
                pattern.gone.push((place.from, piece));
            }
        }
    }
    let patterns = [pattern.mirrored(), pattern];
    Ok(Opening { code, zh, en, moves, by: by.unwrap_or(moves + 1), patterns })
}

/// How many moves `piece` needs for its way on an empty board; `None` if it cannot go there in four.
fn distance(piece: Piece, way: Move) -> Option<usize> {
    let mut reached = vec![way.from];
    for moves in 1..=4 {
        let next = reached.iter().flat_map(|from| {
            let mut alone = Setup::empty();
            alone.squares[from.index()] = Some(piece);
            Position::from_setup(&alone, piece.side).reach(*from)
        });
        reached = next.collect();
        if reached.contains(&way.to) {
            return Some(moves);
        }
        reached.sort_unstable();
        reached.dedup();
    }
    None
}

/// The code of a game, and the ply at which it is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classified {
    index: usize,
    /// The ply.
    pub ply: usize,
}

impl Classified {
    /// The code, such as `C42`.
    pub fn code(self) -> &'static str {
        &TABLE[self.index].code
    }

    /// Its name.
    pub fn words(self) -> Words {
        let opening = &TABLE[self.index];
        Words::new(opening.zh.as_str(), opening.en.as_str())
    }
}

/// The opening of a line from the start position; `None` without a move.
///
/// ```
/// use qijian::table::openings::classify;
///
/// let line = |text: &str| text.split(' ').map(|mv| mv.parse().unwrap()).collect::<Vec<_>>();
/// // 炮二平五 炮8平5, and the same in the mirror: 顺炮局.
/// assert_eq!(classify(&line("h2e2 h7e7")).unwrap().code(), "D00");
/// assert_eq!(classify(&line("b2e2 b7e7")).unwrap().code(), "D00");
/// ```
pub fn classify(moves: &[Move]) -> Option<Classified> {
    let mut position = Position::start();
    let mut best: Option<Classified> = None;
    for (ply, mv) in (1..=LAST_PLY).zip(moves) {
        position.play(*mv);
        for (index, opening) in TABLE.iter().enumerate() {
            let better = best.is_none_or(|best| opening.moves > TABLE[best.index].moves);
            // No more moves can be asked for than have been played.
            let in_time = opening.moves <= ply && ply <= opening.by;
            if better && in_time && opening.patterns.iter().any(|p| p.fits(&position)) {
                best = Some(Classified { index, ply });
            }
        }
    }
    best
}

/// The codes of the table with their names, each once, in the order of the file.
pub fn codes() -> Vec<(&'static str, Words)> {
    let mut codes: Vec<(&'static str, Words)> = Vec::new();
    for opening in TABLE.iter() {
        if codes.iter().all(|(code, _)| *code != opening.code) {
            codes.push((&opening.code, Words::new(opening.zh.as_str(), opening.en.as_str())));
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(moves: &str) -> &'static str {
        let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        classify(&moves).unwrap().code()
    }

    #[test]
    fn the_table_is_sound() {
        let table = read(include_str!("openings.toml")).unwrap();
        for opening in &table {
            assert!(opening.code.len() == 3 && opening.code.starts_with(['A', 'B', 'C', 'D', 'E']));
            assert!(!opening.zh.is_empty() && !opening.en.is_empty(), "{}", opening.code);
            let first = table.iter().find(|other| other.code == opening.code).unwrap();
            assert_eq!((&first.zh, &first.en), (&opening.zh, &opening.en));
        }
        assert!(codes().len() > 150);
    }

    #[test]
    fn every_game_has_a_code() {
        for mv in Position::start().legal_moves() {
            assert!(classify(&[mv]).is_some(), "{mv}");
        }
        assert_eq!(classify(&[]), None);
    }

    /// The order of moves does not matter, nor left and right.
    #[test]
    fn transpositions_agree() {
        let orders = [
            "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7",
            "h2e2 b9c7 h0g2 h9g7 i0h0 i9h9 h0h6 g6g5",
            "b2e2 b9c7 b0c2 a9b9 a0b0 c6c5 b0b6 h9g7",
        ];
        let codes = orders.map(code);
        assert_eq!(codes[0], codes[1]);
        assert_eq!(codes[0], codes[2]);
        assert!(codes[0].starts_with('C'));
    }

    /// Well-known openings (xqbase.com ECCO 2004; xqinenglish.com lists the moves of A4 to A6).
    #[test]
    fn well_known_openings() {
        for (moves, expected) in [
            ("h0g2 g6g5 h2i2", "A42"),
            ("h0g2 g6g5 c3c4", "A45"),
            ("h2f2 h9g7", "A51"),
            ("h2d2 h7e7 h0g2 h9g7 i0h0 i9i8", "A65"),
            ("g0e2 h7e7", "A27"),
            ("h2e2 h7e7 h0g2 h9g7 i0h0 i9i8", "D20"),
            ("c3c4 b7c7", "E10"),
            ("c3c4 g6g5", "E40"),
        ] {
            assert_eq!(code(moves), expected, "{moves}");
        }
    }

    #[test]
    fn a_faulty_table_is_told() {
        for red in ["C2=9", "h2e3e", "h2e9x", "e4e5", "a9a8", "g0e4"] {
            let text = format!("[[opening]]\ncode='A00'\nzh='x'\nen='x'\nred='{red}'");
            assert!(read(&text).is_err(), "{red}");
        }
    }
}
