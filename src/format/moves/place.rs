//! Where a game stands while it is read, to tell whether a line goes on with it.

use crate::{
    board::{Position, Setup, Side},
    notation::{self, Reading},
    record::Written,
};

/// Plies of a line that are tried.
const TRIED: usize = 12;

/// The position so far; `None` once a move could not be followed.
#[derive(Clone, Debug)]
pub(super) struct Board(Option<Position>);

impl Board {
    pub(super) fn start() -> Board {
        Board(Some(Position::start()))
    }

    pub(super) fn from_fen(fen: &str) -> Board {
        let setup = Setup::from_fen(fen).ok();
        Board(setup.map(|setup| Position::from_setup(&setup, setup.side.unwrap_or(Side::Red))))
    }

    pub(super) fn play(&mut self, written: Written<'_>) {
        let Some(position) = &mut self.0 else { return };
        let Written::Text(text) = written else {
            self.0 = None;
            return;
        };
        if !step(position, text) {
            self.0 = None;
        }
    }

    /// Whether a line of moves does not go on from here but begins anew at the start position.
    pub(super) fn is_left_by<'t>(&self, texts: impl Iterator<Item = &'t str>) -> bool {
        let texts: Vec<&str> = texts.take(TRIED).collect();
        let playable = |mut position: Position| {
            texts.iter().take_while(|text| step(&mut position, text)).count()
        };
        let anew = playable(Position::start());
        match &self.0 {
            None => texts.len() > 2 && anew == texts.len(),
            Some(position) => {
                let on = playable(position.clone());
                anew > on || (anew == on && texts.len() > 2 && anew == texts.len())
            }
        }
    }
}

/// Plays `text` if it is one legal move.
fn step(position: &mut Position, text: &str) -> bool {
    let mv = notation::shapes(text).find_map(|shape| match notation::read(text, shape, position) {
        Reading::Move { mv, .. } => Some(mv),
        _ => None,
    });
    mv.is_some_and(|mv| {
        position.play(mv);
        true
    })
}
