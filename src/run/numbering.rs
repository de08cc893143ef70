//! Games numbered through a text whose parts are read by several threads.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// Adds up how many games the parts have, in their order.
#[derive(Default)]
pub(super) struct Numbering(Mutex<State>);

#[derive(Default)]
struct State {
    /// The first part that has not been read yet.
    part: usize,
    /// Games of the parts before it.
    games: u32,
    /// Games of parts that have been read behind it.
    ahead: BTreeMap<usize, u32>,
}

impl Numbering {
    /// Says that part number `part`, counted from 0, has so many `games`; how many stand before it, if all parts before have
    /// been read too.
    pub(super) fn read(&self, part: usize, games: u32) -> Option<u32> {
        // Counters, which no panic leaves half changed.
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.ahead.insert(part, games);
        let before = (state.part == part).then_some(state.games);
        let State { part, games, ahead } = &mut *state;
        while let Some(more) = ahead.remove(part) {
            (*part, *games) = (*part + 1, games.saturating_add(more));
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_is_known_once_it_has_been_read() {
        let numbering = Numbering::default();
        assert_eq!(numbering.read(0, 3), Some(0));
        assert_eq!(numbering.read(2, 5), None);
        assert_eq!(numbering.read(3, 1), None);
        assert_eq!(numbering.read(1, 4), Some(3));
        assert_eq!(numbering.read(4, 1), Some(13));
    }
}
