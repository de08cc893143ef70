//! Games numbered through a text whose parts are read by several threads.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Adds up how many games the parts have, in their order.
#[derive(Default)]
pub(super) struct Numbering {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The part that is added next.
    part: usize,
    /// Games of the parts before it.
    games: u32,
    /// Whether a thread that works on a part has left before its time.
    broken: bool,
}

impl Numbering {
    /// How many games stand before part number `part`, counted from 0, which has `games` of them. Waits for the parts
    /// before; whoever works on a part must have begun all of them.
    pub(super) fn before(&self, part: usize, games: u32) -> u32 {
        let mut state = self.lock();
        while state.part != part && !state.broken {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let before = state.games;
        state.part = part + 1;
        state.games = before.saturating_add(games);
        drop(state);
        self.changed.notify_all();
        before
    }

    /// To be held while a part is worked on: where that ends by a panic, nobody waits in vain.
    pub(super) fn watch(&self) -> Watch<'_> {
        Watch(self)
    }

    /// The mutex guards counters that no panic leaves half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct Watch<'n>(&'n Numbering);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().broken = true;
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_added_in_their_order() {
        let numbering = Numbering::default();
        let before: Vec<u32> = thread::scope(|scope| {
            let numbering = &numbering;
            let threads: Vec<_> = (0..5)
                .map(|part| scope.spawn(move || numbering.before(part, part as u32)))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(before, [0, 0, 1, 3, 6]);
    }

    #[test]
    fn nobody_waits_for_a_part_that_has_failed() {
        let numbering = Numbering::default();
        thread::scope(|scope| {
            let failing = scope.spawn(|| {
                let _watch = numbering.watch();
                panic!("a part fails");
            });
            assert_eq!(numbering.before(1, 3), 0);
            assert!(failing.join().is_err());
        });
    }
}
