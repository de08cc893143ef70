//! A parallel map that keeps the order of its input and holds only a window of it.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// How many results each job may be ahead of the one being written, whatever they weigh.
const WINDOW_PER_JOB: usize = 16;
/// How many if all of them together weigh little: a slow item then holds up nobody.
const LIGHT_PER_JOB: usize = 1024;
/// What is little.
const LIGHT: u64 = 8 << 20;
/// More threads than this gain nothing on any machine and cost memory each.
const MOST_JOBS: usize = 256;

/// Applies `work` to every item on `jobs` threads, of which this is one, and hands the results to `sink`, here and in the
/// order of the items; more than 256 jobs are as 256. At most 16 results a job wait at any time, or 1 024 where the items
/// weigh no more than 8 MiB together by `weigh`. Stops early when `sink` returns `false`.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// let mut squares = Vec::new();
/// let two = NonZeroUsize::new(2).unwrap();
/// qijian::run::ordered_map(1..=4, two, |_| 0, |n| n * n, |square| { squares.push(square); true });
/// assert_eq!(squares, [1, 4, 9, 16]);
/// ```
pub fn ordered_map<I, T>(
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    jobs: NonZeroUsize,
    weigh: impl Fn(&I) -> u64 + Sync,
    work: impl Fn(I) -> T + Sync,
    mut sink: impl FnMut(T) -> bool,
) where
    I: Send,
    T: Send,
{
    let jobs = jobs.get().min(MOST_JOBS);
    let queue = Mutex::new(items.into_iter().enumerate().fuse());
    let next_item = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let shared = Shared::new(jobs);
    thread::scope(|scope| {
        // By a panic here, too: nobody waits in vain.
        let _stopping = Stopping(&shared);
        for _ in 1..jobs {
            scope.spawn(|| {
                let _leaving = Leaving(&shared);
                while let Some((number, item)) = next_item() {
                    let weight = weigh(&item);
                    if !shared.enter(number, weight) {
                        return;
                    }
                    shared.add(number, work(item), weight);
                }
            });
        }
        let mut held = None;
        loop {
            while let Some(result) = shared.take() {
                if !sink(result) {
                    return;
                }
            }
            // A result is not waited for while there is something to do.
            if let Some((number, item)) = held.take().or_else(next_item) {
                let weight = weigh(&item);
                if shared.may_enter(number, weight) {
                    shared.add(number, work(item), weight);
                    continue;
                }
                held = Some((number, item));
            }
            if !shared.wait() {
                return;
            }
        }
    });
}

struct State<T> {
    /// Results that wait for an earlier one, with the weights of their items.
    done: BTreeMap<usize, (T, u64)>,
    /// The number of the result to be written next.
    next: usize,
    /// What all items weigh that are being worked on or whose results wait.
    weight: u64,
    /// Threads beside this one that may still add results.
    working: usize,
    /// Those of them that wait for room.
    sleeping: usize,
    /// Whether this thread waits for a result.
    is_awaited: bool,
    stopped: bool,
}

impl<T> State<T> {
    /// Lets item `number` be begun if there is room for it.
    fn admit(&mut self, number: usize, weight: u64, jobs: usize) -> bool {
        let ahead = number - self.next;
        let sum = self.weight.saturating_add(weight);
        let has_room =
            ahead < WINDOW_PER_JOB * jobs || (sum <= LIGHT && ahead < LIGHT_PER_JOB * jobs);
        if has_room {
            self.weight = sum;
        }
        has_room
    }
}

/// What the threads have in common. They are woken only where they wait: waking costs more than a small item.
struct Shared<T> {
    state: Mutex<State<T>>,
    /// There may be room.
    room: Condvar,
    /// The next result is there, or there will be none.
    ready: Condvar,
    jobs: usize,
}

impl<T> Shared<T> {
    fn new(jobs: usize) -> Shared<T> {
        let state = State {
            done: BTreeMap::new(),
            next: 0,
            weight: 0,
            working: jobs - 1,
            sleeping: 0,
            is_awaited: false,
            stopped: false,
        };
        Shared { state: Mutex::new(state), room: Condvar::new(), ready: Condvar::new(), jobs }
    }

    /// The mutex guards plain counters and a map that no panic leaves half changed.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room for an item; false if nothing more is to be done.
    fn enter(&self, number: usize, weight: u64) -> bool {
        let mut state = self.lock();
        while !state.stopped && !state.admit(number, weight, self.jobs) {
            state.sleeping += 1;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.sleeping -= 1;
        }
        !state.stopped
    }

    /// Whether there is room for an item.
    fn may_enter(&self, number: usize, weight: u64) -> bool {
        self.lock().admit(number, weight, self.jobs)
    }

    fn add(&self, number: usize, result: T, weight: u64) {
        let mut state = self.lock();
        state.done.insert(number, (result, weight));
        if state.is_awaited && state.next == number {
            self.ready.notify_one();
        }
    }

    /// The next result, if it is there.
    fn take(&self) -> Option<T> {
        let mut state = self.lock();
        let next = state.next;
        let (result, weight) = state.done.remove(&next)?;
        state.next += 1;
        state.weight = state.weight.saturating_sub(weight);
        if state.sleeping > 0 {
            self.room.notify_all();
        }
        Some(result)
    }

    /// Waits for the next result; false if there will be none.
    fn wait(&self) -> bool {
        let mut state = self.lock();
        loop {
            if state.done.contains_key(&state.next) {
                return true;
            }
            if state.stopped || state.working == 0 {
                return false;
            }
            state.is_awaited = true;
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.is_awaited = false;
        }
    }

    fn stop(&self, state: &mut State<T>) {
        state.stopped = true;
        self.room.notify_all();
    }
}

/// Sends the other threads home when this one ends.
struct Stopping<'s, T>(&'s Shared<T>);

impl<T> Drop for Stopping<'_, T> {
    fn drop(&mut self) {
        self.0.stop(&mut self.0.lock());
    }
}

/// Counts a thread out when it ends; if it panics, all is over.
struct Leaving<'s, T>(&'s Shared<T>);

impl<T> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.working -= 1;
        if thread::panicking() {
            self.0.stop(&mut state);
        }
        self.0.ready.notify_one();
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
    fn keeps_the_order_for_any_number_of_jobs() {
        for n in 1..=5 {
            let mut seen = Vec::new();
            // Early items take longest, so that later ones overtake them.
            let work = |i: u64| {
                thread::sleep(std::time::Duration::from_micros(500 / (i + 1)));
                i
            };
            ordered_map(
                0..200,
                jobs(n),
                |_| 0,
                work,
                |i| {
                    seen.push(i);
                    true
                },
            );
            assert_eq!(seen, (0..200).collect::<Vec<_>>());
        }
    }

    /// How many results wait at most where each item weighs so much and the first takes long.
    fn most_waiting(weight: u64) -> usize {
        let made = AtomicUsize::new(0);
        let mut most = 0;
        let mut written = 0;
        ordered_map(
            0..500,
            jobs(2),
            |_| weight,
            |i: usize| {
                made.fetch_add(1, Ordering::SeqCst);
                if i == 0 {
                    thread::sleep(std::time::Duration::from_millis(20));
                }
            },
            |()| {
                written += 1;
                most = most.max(made.load(Ordering::SeqCst) - written);
                true
            },
        );
        assert_eq!(written, 500);
        most
    }

    #[test]
    fn a_slow_item_does_not_let_results_pile_up() {
        for weight in [LIGHT + 1, u64::MAX] {
            let most = most_waiting(weight);
            assert!(most <= 2 * WINDOW_PER_JOB + 2, "{most} results waited");
        }
        let most = most_waiting(LIGHT / 100);
        assert!(most <= 100 + 2, "{most} results waited");
    }

    /// On whatever thread: it is told, and nobody waits for ever.
    #[test]
    fn a_panic_ends_everything() {
        for (n, at) in [(1, 40), (2, 0), (2, 40), (3, 399)] {
            let caught = std::panic::catch_unwind(|| {
                let work = |i: usize| assert_ne!(i, at, "on purpose");
                ordered_map(0..400, jobs(n), |_| LIGHT, work, |()| true);
            });
            assert!(caught.is_err(), "{n} jobs, item {at}");
        }
    }

    #[test]
    fn stops_when_the_sink_says_so() {
        for n in 1..=3 {
            let mut seen = 0;
            ordered_map(
                0..1_000_000,
                jobs(n),
                |_| 0,
                |i| i,
                |_| {
                    seen += 1;
                    seen < 10
                },
            );
            assert_eq!(seen, 10);
        }
    }
}
