//! One game with all that the tables say of it.

use std::collections::HashMap;

use crate::{
    board::{Kind, Move, Piece, Position, Side},
    report::GameReport,
};

use super::{
    clock::Clock,
    date::Date,
    hash::{self, LineHash},
    names::{Names, Of, stated},
    openings::{self, Classified},
};

/// What a record says at a ply besides the move.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Note {
    /// The clock.
    pub clock: Clock,
    /// The comments, one line each.
    pub comment: String,
}

/// One ply of a main line with what it does on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The piece moved.
    pub piece: Piece,
    /// What it captures.
    pub captured: Option<Piece>,
    /// Whether it gives check.
    pub check: bool,
    /// The key of the position after it.
    pub key: u64,
    /// Plies since the last capture, after it.
    pub since_capture: u32,
    /// How often the position after it has occurred, this time included.
    pub occurrences: u32,
}

/// How a game relates to the richest game of its group of duplicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    /// The richest game.
    pub of: u64,
    /// `identical`, `retagged`, … as in the schema.
    pub kind: String,
}

/// A game, studied.
#[derive(Clone, Debug)]
pub struct Study {
    /// What `check` says of it, with its moves.
    pub report: GameReport,
    /// The start position; `None` if it is not understood.
    pub start: Option<Position>,
    /// The position after the plies.
    pub end: Option<Position>,
    /// What stands at each ply of the main line, in order; may be shorter than `plies`.
    pub notes: Vec<Note>,
    /// The plies played.
    pub plies: Vec<Ply>,
    /// The hash of source and number.
    pub id: u64,
    /// The date.
    pub date: Option<Date>,
    /// The players by the rules of names, Red and Black.
    pub players: [Option<String>; 2],
    /// Their teams.
    pub teams: [Option<String>; 2],
    /// The opening.
    pub opening: Option<Classified>,
    /// The hashes of the line.
    pub(super) line: Option<LineHash>,
    /// Set by a search for duplicates.
    pub copied: Option<Copied>,
}

impl Study {
    /// Studies a game: `report` with its moves, the start position, and what stands at the plies.
    pub fn new(
        report: GameReport,
        start: Option<Position>,
        notes: Vec<Note>,
        names: &Names,
    ) -> Study {
        let moves = report.moves.as_deref().unwrap_or_default();
        let (plies, end, line) = match &start {
            Some(start) => {
                let mut line = LineHash::new(start);
                moves.iter().for_each(|mv| line.push(*mv));
                let (plies, end) = play(start, moves);
                (plies, Some(end), Some(line))
            }
            None => (Vec::new(), None, None),
        };
        let named = |of, keys: [&str; 2]| {
            keys.map(|key| report.tag(key).and_then(|text| names.key(of, text)))
        };
        let opening = match &start {
            Some(start) if is_standard(start) => openings::classify(moves),
            _ => None,
        };
        Study {
            id: game_id(&report.source, report.game),
            date: report.tag("date").and_then(Date::parse),
            players: named(Of::Player, ["red", "black"]),
            teams: named(Of::Team, ["red_team", "black_team"]),
            opening,
            line,
            copied: None,
            plies,
            end,
            start,
            notes,
            report,
        }
    }

    /// Whether a game could be read at all.
    pub fn is_game(&self) -> bool {
        self.report.game > 0
    }

    /// The value of a tag, unless it says that nothing is known.
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.report.tag(key).and_then(stated)
    }

    /// Points of Red: 1, 0.5 or 0.
    pub fn score(&self) -> Option<f64> {
        match self.report.result {
            "1-0" => Some(1.0),
            "1/2-1/2" => Some(0.5),
            "0-1" => Some(0.0),
            _ => None,
        }
    }

    /// Whether the game starts from the start position, Red to move (articles 1.3 and 2.1).
    pub fn is_standard(&self) -> bool {
        self.start.as_ref().is_some_and(is_standard)
    }

    /// The first ply that captures.
    pub fn first_capture(&self) -> Option<usize> {
        self.plies.iter().position(|ply| ply.captured.is_some()).map(|index| index + 1)
    }

    /// The longest run of plies without a capture.
    pub fn longest_quiet(&self) -> u32 {
        let mut run = 0u32;
        let mut longest = 0;
        for ply in &self.plies {
            run = if ply.captured.is_some() { 0 } else { run + 1 };
            longest = longest.max(run);
        }
        longest
    }

    /// How many pieces of one kind a side has at the end.
    pub fn left(&self, side: Side, kind: Kind) -> Option<usize> {
        self.end.as_ref().map(|end| end.pieces(side, kind).len())
    }
}

/// The id of a game: a hash of its source and its number there.
pub fn game_id(source: &str, game: u32) -> u64 {
    hash::of_bytes(source.as_bytes(), u64::from(game))
}

/// Whether `start` is the start position, Red to move.
pub(super) fn is_standard(start: &Position) -> bool {
    start.key() == Position::start().key()
}

fn play(start: &Position, moves: &[Move]) -> (Vec<Ply>, Position) {
    let mut position = start.clone();
    let mut seen: HashMap<u64, u32> = HashMap::from([(position.key(), 1)]);
    let mut plies = Vec::with_capacity(moves.len());
    for mv in moves {
        // A main line that replays legally moves a piece at every ply.
        let Some(piece) = position.piece_at(mv.from) else { break };
        let captured = position.piece_at(mv.to);
        if captured.is_some() {
            seen.clear();
        }
        position.play(*mv);
        let occurrences = seen.entry(position.key()).or_insert(0);
        *occurrences += 1;
        plies.push(Ply {
            mv: *mv,
            piece,
            captured,
            check: position.in_check(position.side()),
            key: position.key(),
            since_capture: position.plies_since_capture(),
            occurrences: *occurrences,
        });
    }
    (plies, position)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A study of `moves` from the start position, with some tags.
    pub(in crate::table) fn study(moves: &str, tags: &[(&str, &str)]) -> Study {
        let mut report = GameReport::new("a.pgn", 1);
        report.moves = Some(moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect());
        report.plies = report.moves.as_ref().map_or(0, Vec::len) as u32;
        report.tags =
            tags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Study::new(report, Some(Position::start()), Vec::new(), &Names::default())
    }

    #[test]
    fn plies_tell_what_they_do() {
        let study = study("h2e2 f9e8 e2e6 e8f7", &[("red", "許銀川"), ("black", "?")]);
        let captures: Vec<bool> = study.plies.iter().map(|ply| ply.captured.is_some()).collect();
        assert_eq!(captures, [false, false, true, false]);
        // 炮五进四 takes the pawn, and the adviser on e8 is its screen.
        let checks: Vec<bool> = study.plies.iter().map(|ply| ply.check).collect();
        assert_eq!(checks, [false, false, true, false]);
        assert_eq!(study.first_capture(), Some(3));
        assert_eq!((study.longest_quiet(), study.plies[3].since_capture), (2, 1));
        assert_eq!(study.players, [Some("许银川".to_owned()), None]);
        assert_eq!(study.left(Side::Black, Kind::Pawn), Some(4));
    }

    #[test]
    fn occurrences_are_counted_since_the_last_capture() {
        let study = study("h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0 g7h9", &[]);
        let counts: Vec<u32> = study.plies.iter().map(|ply| ply.occurrences).collect();
        assert_eq!(counts, [1, 1, 1, 2, 2, 2, 2, 3]);
    }
}
