//! A game in which nothing departs from the standard, replayed without looking for anything to report.
//!
//! It gives what [`replay`](super::replay) gives of the same record, or nothing: where a move is not the one legal move of
//! a standard text, or the end of the game has something to be told, the record has to be read and replayed in full.

use crate::{
    board::{Position, Setup, Side},
    finding::{self, Locate},
    notation::{Deviation, Deviations, Notation, chinese, glyph::Sign, plain},
    record::{Outcome, Record},
};

use super::{
    Clock, Game, TOLD, Termination, illegal,
    outcome::{board_end, won_by},
};

/// The game of `moves` from `start`, a FEN (`None`: the start position) with the side to move; its first round has the
/// number `first_round`. `last` are the remarks behind the last move. With it come the moves, counted from 0, in which 前 or 后
/// is left out and only one piece can move so: of them [`unqualified`] has something to tell.
///
/// ```
/// use qijian::{notation::glyph::Sign, record::Outcome, replay};
///
/// let moves: Vec<[Sign; 4]> = ["炮二平五", "马8进7"]
///     .map(|text| text.chars().map(|c| Sign::of(c).unwrap()).collect::<Vec<_>>().try_into().unwrap())
///     .into();
/// let (game, unqualified) = replay::plain(None, &moves, 1, Outcome::Unknown, &["议和"]).unwrap();
/// assert!(unqualified.is_empty());
/// assert_eq!(game.moves[1].to_string(), "h9g7");
/// assert_eq!(game.termination, replay::Termination::Agreement);
/// assert!(replay::plain(None, &moves[1..], 1, Outcome::Unknown, &[]).is_none());
/// ```
pub fn replay(
    start: Option<(&str, Side)>,
    moves: &[[Sign; 4]],
    first_round: u32,
    outcome: Outcome,
    last: &[&str],
) -> Option<(Game, Vec<usize>)> {
    let start = match start {
        // Rounds are counted from the start of the game (R004).
        None => (first_round == 1).then(Position::start)?,
        Some((text, side)) => set_up(text, side)?,
    };
    let mut end = start.clone();
    let mut game = Game {
        moves: Vec::with_capacity(moves.len()),
        keys: Vec::with_capacity(moves.len() + 1),
        captures: Vec::with_capacity(moves.len()),
        start: Some(start),
        end: None,
        rest: None,
        dialect: Some(Notation::Chinese.into()),
        outcome,
        termination: Termination::of_remarks(last.iter().copied(), outcome),
        replayed: moves.len(),
        played: Vec::new(),
        findings: Vec::new(),
    };
    game.keys.push(end.key());
    let mut is_calm = false;
    let mut unqualified = Vec::new();
    for signs in moves {
        let plain::Text { mv, qualified } = plain::read_if(is_calm, *signs, &end)?;
        if !qualified {
            unqualified.push(game.moves.len());
        }
        game.captures.push(end.play(mv).captured().is_some());
        // Who is next to move has just moved, and so was in no check before this.
        is_calm = match game.moves.is_empty() {
            true => !end.in_check(end.side()),
            false => !end.is_checked_by(mv),
        };
        game.keys.push(end.key());
        game.moves.push(mv);
    }
    game.end = Some(end);
    // A mate or stalemate with another result is to be told (R007, R008).
    if let Some((termination, winner)) = board_end(&game) {
        game.termination = termination;
        (outcome == won_by(winner)).then_some(())?;
    }
    Some((game, unqualified))
}

/// Tells of those `moves` of `game`, in order, in which 前 or 后 is left out (`QJ203`), as [`replay`](super::replay) does where
/// it plays `record` itself.
pub fn unqualified(game: &mut Game, moves: &[usize], record: &Record<'_>, locate: &dyn Locate) {
    let Some(mut position) = game.start.clone() else { return };
    let clock = Clock { first: position.side(), round: position.round() };
    let mut deviations = Deviations::default();
    deviations.insert(Deviation::NoQualifier);
    let line = record.tree.main_line();
    let mut left_out = moves.iter().copied().take(TOLD).peekable();
    for ((at, mv), id) in game.moves.iter().enumerate().zip(line) {
        if left_out.next_if_eq(&at).is_some() {
            let (node, ply) = (record.tree.node(id), at as u32 + 1);
            let text = node.written.text();
            let finding = illegal::nonstandard(&text, deviations, &chinese::write(*mv, &position))
                .at(locate.place(node.span))
                .ply(ply, clock.round(ply), clock.side(ply))
                .text(text);
            game.findings.push(finding);
        }
        position.play(*mv);
    }
    let more = moves.len().saturating_sub(TOLD);
    if let Some(last) = game.findings.last_mut().filter(|_| more > 0) {
        last.data.insert("more".to_owned(), more.into());
    }
    finding::sort(&mut game.findings);
}

/// How most records write the start position.
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR ";

/// A start position in which nothing is amiss.
fn set_up(text: &str, side: Side) -> Option<Position> {
    if let Some("r - - 0 1" | "w - - 0 1") = text.strip_prefix(START) {
        return Some(Position::start());
    }
    let (setup, None) = Setup::from_fen_board(text).ok()? else { return None };
    let is_sound = setup.side == Some(side) && setup.faults(side).is_empty();
    is_sound.then(|| Position::from_setup(&setup, side))
}
