//! Work on the parts of one file by several threads, in the order of the parts.

use std::{
    collections::{BTreeMap, VecDeque},
    num::NonZeroUsize,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// How many parts each job may have waiting: what is read ahead and what is done ahead of the one being taken.
const WINDOW_PER_JOB: usize = 8;
/// More threads than this gain nothing on any machine and cost memory each.
const MOST_JOBS: usize = 256;

/// Hands every part that `produce` gives to `work`, on `jobs` threads of which this is one, and the results to `sink`,
/// here and in order. Reading is not divided: this thread reads, and where the others can't keep up it works too.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// let mut squares = Vec::new();
/// let two = NonZeroUsize::new(2).unwrap();
/// let produce = |give: &mut dyn FnMut(u32)| (1..=4).for_each(give);
/// qijian::run::spread(two, produce, |n| n * n, |square| squares.push(square));
/// assert_eq!(squares, [1, 4, 9, 16]);
/// ```
pub fn spread<I: Send, T: Send>(
    jobs: NonZeroUsize,
    produce: impl FnOnce(&mut dyn FnMut(I)),
    work: impl Fn(I) -> T + Sync,
    mut sink: impl FnMut(T),
) {
    let jobs = jobs.get().min(MOST_JOBS);
    let window = WINDOW_PER_JOB * jobs;
    let shared = Shared { state: Mutex::new(State::default()), changed: Condvar::new() };
    thread::scope(|scope| {
        // By a panic here or in a part, too: nobody waits in vain.
        let _closed = Closing(&shared);
        for _ in 1..jobs {
            scope.spawn(|| {
                let _closed = Closing(&shared);
                while let Some((number, part)) = shared.next() {
                    let result = work(part);
                    shared.lock().done.insert(number, result);
                    shared.changed.notify_all();
                }
            });
        }
        let mut parts = 0;
        produce(&mut |part| {
            let number = parts;
            parts += 1;
            shared.lock().waiting.push_back((number, part));
            shared.changed.notify_all();
            // While too much waits, this thread works as well.
            while shared.lock().ahead() >= window && !shared.help(&work, &mut sink) {}
            shared.take_ready(&mut sink);
        });
        shared.lock().complete = true;
        shared.changed.notify_all();
        while shared.lock().taken < parts {
            if shared.help(&work, &mut sink) {
                return;
            }
        }
    });
}

struct State<I, T> {
    waiting: VecDeque<(usize, I)>,
    /// Results that wait for an earlier one.
    done: BTreeMap<usize, T>,
    /// How many results have been taken.
    taken: usize,
    /// Whether there will be no more parts.
    complete: bool,
    /// Whether a thread has left before its time.
    broken: bool,
}

impl<I, T> Default for State<I, T> {
    fn default() -> Self {
        State {
            waiting: VecDeque::new(),
            done: BTreeMap::new(),
            taken: 0,
            complete: false,
            broken: false,
        }
    }
}

impl<I, T> State<I, T> {
    fn ahead(&self) -> usize {
        self.waiting.len() + self.done.len()
    }
}

struct Shared<I, T> {
    state: Mutex<State<I, T>>,
    changed: Condvar,
}

impl<I, T> Shared<I, T> {
    /// The mutex guards queues and counters that no panic leaves half changed.
    fn lock(&self) -> MutexGuard<'_, State<I, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next part to work on; `None` when there will be none.
    fn next(&self) -> Option<(usize, I)> {
        let mut state = self.lock();
        loop {
            if state.broken {
                return None;
            }
            if let Some(part) = state.waiting.pop_front() {
                return Some(part);
            }
            if state.complete {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Works on a part, or waits for a result where none is left; takes what is ready. Whether to give up, because
    /// another thread has.
    fn help(&self, work: &impl Fn(I) -> T, sink: &mut impl FnMut(T)) -> bool {
        let part = self.lock().waiting.pop_front();
        match part {
            Some((number, part)) => {
                let result = work(part);
                self.lock().done.insert(number, result);
            }
            None => {
                let mut state = self.lock();
                while !state.broken && !state.done.contains_key(&state.taken) {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                if state.broken {
                    return true;
                }
            }
        }
        self.take_ready(sink);
        false
    }

    fn take_ready(&self, sink: &mut impl FnMut(T)) {
        loop {
            let mut state = self.lock();
            let next = state.taken;
            let Some(result) = state.done.remove(&next) else { return };
            state.taken += 1;
            drop(state);
            sink(result);
        }
    }
}

/// Tells the others if its thread panics.
struct Closing<'s, I, T>(&'s Shared<I, T>);

impl<I, T> Drop for Closing<'_, I, T> {
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn jobs(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap()
    }

    #[test]
    fn results_keep_the_order_for_any_number_of_jobs() {
        for n in 1..=5 {
            let mut seen = Vec::new();
            let produce = |give: &mut dyn FnMut(u64)| (0..300).for_each(give);
            let work = |part: u64| {
                // Early parts take longest, so that later ones overtake them.
                thread::sleep(std::time::Duration::from_micros(500 / (part % 7 + 1)));
                part
            };
            spread(jobs(n), produce, work, |part| seen.push(part));
            assert_eq!(seen, (0..300).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_slow_part_does_not_let_others_pile_up() {
        let taken = AtomicUsize::new(0);
        let mut most = 0;
        let produce = |give: &mut dyn FnMut(usize)| {
            for part in 0..500 {
                give(part);
                most = most.max(part - taken.load(Ordering::SeqCst).min(part));
            }
        };
        let work = |part: usize| {
            if part == 0 {
                thread::sleep(std::time::Duration::from_millis(30));
            }
        };
        spread(jobs(2), produce, work, |()| {
            taken.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(taken.load(Ordering::SeqCst), 500);
        assert!(most <= 2 * WINDOW_PER_JOB + 2, "{most} parts waited");
    }

    #[test]
    fn a_panic_ends_the_others() {
        for n in 1..=3 {
            let produce = |give: &mut dyn FnMut(u32)| (0..100).for_each(give);
            let work = |part: u32| assert!(part != 40);
            let run = || spread(jobs(n), produce, work, |()| {});
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        }
    }
}
