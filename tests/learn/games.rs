//! The real games that the likelihood model is learned from, and those kept out to measure it.

use std::{collections::HashSet, path::Path};

use qijian::{
    board::{Move, Position},
    record::Outcome,
    run::{self, Options},
    source,
};

/// The moves of a game, and who won.
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) moves: Vec<Move>,
    pub(crate) outcome: Outcome,
}

/// The distinct games of `../shared/data` from the start position that have 20 plies or more.
pub(crate) struct Games {
    /// Three in four.
    #[allow(dead_code, reason = "the benchmarks use the others only")]
    pub(crate) training: Vec<Game>,
    /// One in four, none of which shares its first 30 plies with a training game.
    pub(crate) held_out: Vec<Game>,
}

impl Games {
    /// Reads them in the order of the archive.
    pub(crate) fn read() -> Games {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
        let options = Options { moves: true, ..Options::default() };
        let mut games = Games { training: Vec::new(), held_out: Vec::new() };
        let mut seen = HashSet::new();
        let start = Position::start().fen();
        for input in source::inputs(&[data]).flatten() {
            let Ok(bytes) = input.read() else { continue };
            run::check(&input.name, &bytes, false, &options, &mut |report| {
                let Some(moves) = report.moves.filter(|moves| moves.len() >= 20) else { return };
                if report.start_fen.as_deref() != Some(&start) || !seen.insert(moves.clone()) {
                    return;
                }
                let side =
                    if is_held_out(&moves) { &mut games.held_out } else { &mut games.training };
                let outcome = Outcome::from_text(report.result).unwrap_or(Outcome::Unknown);
                side.push(Game { moves, outcome });
            });
        }
        games
    }
}

/// One game in four by a hash of its first 30 plies, so that copies of a game are never on both sides.
fn is_held_out(moves: &[Move]) -> bool {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for mv in moves.iter().take(30) {
        for byte in [mv.from.index() as u8, mv.to.index() as u8] {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    (hash >> 32).is_multiple_of(4)
}
