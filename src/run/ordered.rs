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

/// Applies `work` to every item on `jobs` threads and hands the results to `sink` in the order of the items, as soon
/// as they are ready; more than 256 jobs are as 256. At most 16 results a job wait at any time, or 1 024 where the items
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
    let mut items = items.into_iter();
    if jobs.get() == 1 {
        for item in items {
            if !sink(work(item)) {
                return;
            }
        }
        return;
    }
    let jobs = jobs.get().min(MOST_JOBS);
    let queue = Mutex::new((0usize, items.by_ref()));
    let state = State { done: BTreeMap::new(), next: 0, weight: 0, working: jobs, stopped: false };
    let state = Mutex::new(state);
    let changed = Condvar::new();
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let _left = Leaving { state: &state, changed: &changed };
                loop {
                    let (number, item) = {
                        let mut queue = lock(&queue);
                        let Some(item) = queue.1.next() else { return };
                        queue.0 += 1;
                        (queue.0 - 1, item)
                    };
                    let weight = weigh(&item);
                    {
                        let mut state = lock(&state);
                        while !state.stopped && !state.has_room(number, weight, jobs) {
                            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                        }
                        if state.stopped {
                            return;
                        }
                        state.weight = state.weight.saturating_add(weight);
                    }
                    let result = work(item);
                    lock(&state).done.insert(number, (result, weight));
                    changed.notify_all();
                }
            });
        }
        loop {
            let mut guard = lock(&state);
            let result = loop {
                let next = guard.next;
                if let Some((result, weight)) = guard.done.remove(&next) {
                    guard.weight = guard.weight.saturating_sub(weight);
                    break result;
                }
                if guard.working == 0 {
                    return;
                }
                guard = changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
            };
            guard.next += 1;
            drop(guard);
            changed.notify_all();
            if !sink(result) {
                lock(&state).stopped = true;
                changed.notify_all();
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
    /// Threads that may still add results.
    working: usize,
    stopped: bool,
}

impl<T> State<T> {
    /// Whether item `number` may be begun.
    fn has_room(&self, number: usize, weight: u64, jobs: usize) -> bool {
        let ahead = number - self.next;
        let light = self.weight.saturating_add(weight) <= LIGHT;
        ahead < WINDOW_PER_JOB * jobs || (light && ahead < LIGHT_PER_JOB * jobs)
    }
}

/// Counts a worker out when it ends, by a panic too, so that the writer never waits for it in vain.
struct Leaving<'s, T> {
    state: &'s Mutex<State<T>>,
    changed: &'s Condvar,
}

impl<T> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        lock(self.state).working -= 1;
        self.changed.notify_all();
    }
}

/// The mutexes guard plain counters and maps that no panic leaves half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
