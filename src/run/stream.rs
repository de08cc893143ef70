//! A parallel map whose items may give any number of results, in the order of the items, a bounded number at a time.

use std::{
    collections::{BTreeMap, VecDeque},
    num::NonZeroUsize,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// How many results of one item may wait to be taken.
const WAITING: usize = 4;
/// How many items each job may be ahead of the one that is being taken.
const WINDOW_PER_JOB: usize = 16;
/// More threads than this gain nothing on any machine and cost memory each.
const MOST_JOBS: usize = 256;

/// Hands every item to `work` on `jobs` threads; what `work` gives to its second argument goes to `sink`, in the order of the
/// items and of the giving. A thread that is ahead waits, so a large item never piles up. `work` should stop when its
/// argument returns `false`: `sink` has returned `false`.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// let mut all = Vec::new();
/// let two = NonZeroUsize::new(2).unwrap();
/// let count = |n: u32, give: &mut dyn FnMut(u32) -> bool| {
///     (0..n).all(|i| give(10 * n + i));
/// };
/// qijian::run::ordered_stream(1..=3, two, count, |number| { all.push(number); true });
/// assert_eq!(all, [10, 20, 21, 30, 31, 32]);
/// ```
pub fn ordered_stream<I, T>(
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    jobs: NonZeroUsize,
    work: impl Fn(I, &mut dyn FnMut(T) -> bool) + Sync,
    mut sink: impl FnMut(T) -> bool,
) where
    I: Send,
    T: Send,
{
    let mut items = items.into_iter();
    let jobs = jobs.get().min(MOST_JOBS);
    if jobs == 1 {
        let mut going = true;
        while going && let Some(item) = items.next() {
            work(item, &mut |result| {
                going = going && sink(result);
                going
            });
        }
        return;
    }
    let window = WINDOW_PER_JOB * jobs;
    let queue = Mutex::new((0usize, items));
    let shared = Shared {
        state: Mutex::new(State { open: BTreeMap::new(), next: 0, working: jobs, stopped: false }),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let _left = Leaving { shared: &shared };
                loop {
                    let (number, item) = {
                        let mut queue = lock(&queue);
                        let Some(item) = queue.1.next() else { return };
                        queue.0 += 1;
                        // Under the lock of the queue, so that no item is ever unknown to the taker.
                        lock(&shared.state).open.insert(queue.0 - 1, Results::default());
                        (queue.0 - 1, item)
                    };
                    if !shared.wait(|state| number < state.next + window) {
                        return;
                    }
                    let _closed = Closing { shared: &shared, number };
                    work(item, &mut |result| shared.give(number, result));
                }
            });
        }
        while let Some(result) = shared.take() {
            if !sink(result) {
                lock(&shared.state).stopped = true;
                shared.changed.notify_all();
                return;
            }
        }
    });
}

struct Results<T> {
    waiting: VecDeque<T>,
    done: bool,
}

impl<T> Default for Results<T> {
    fn default() -> Self {
        Results { waiting: VecDeque::new(), done: false }
    }
}

struct State<T> {
    /// The results of the items that are at work or wait.
    open: BTreeMap<usize, Results<T>>,
    /// The number of the item whose results are taken next.
    next: usize,
    /// Threads that may still open an item.
    working: usize,
    stopped: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T> Shared<T> {
    /// Waits until `ready` or the end; whether to go on.
    fn wait(&self, ready: impl Fn(&State<T>) -> bool) -> bool {
        let mut state = lock(&self.state);
        while !state.stopped && !ready(&state) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.stopped
    }

    fn give(&self, number: usize, result: T) -> bool {
        let has_room = |state: &State<T>| {
            state.open.get(&number).is_some_and(|results| results.waiting.len() < WAITING)
        };
        if !self.wait(has_room) {
            return false;
        }
        if let Some(results) = lock(&self.state).open.get_mut(&number) {
            results.waiting.push_back(result);
        }
        self.changed.notify_all();
        true
    }

    /// The next result in order; `None` when there will be none any more.
    fn take(&self) -> Option<T> {
        let mut state = lock(&self.state);
        loop {
            let next = state.next;
            if let Some(results) = state.open.get_mut(&next) {
                if let Some(result) = results.waiting.pop_front() {
                    self.changed.notify_all();
                    return Some(result);
                }
                if results.done {
                    state.open.remove(&next);
                    state.next += 1;
                    self.changed.notify_all();
                    continue;
                }
            } else if state.working == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Closes an item when its work ends, by a panic too, so that nobody waits for it in vain.
struct Closing<'s, T> {
    shared: &'s Shared<T>,
    number: usize,
}

impl<T> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        if let Some(results) = lock(&self.shared.state).open.get_mut(&self.number) {
            results.done = true;
        }
        self.shared.changed.notify_all();
    }
}

/// Counts a worker out when it ends.
struct Leaving<'s, T> {
    shared: &'s Shared<T>,
}

impl<T> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        lock(&self.shared.state).working -= 1;
        self.shared.changed.notify_all();
    }
}

/// The mutexes guard plain queues and counters that no panic leaves half changed.
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
    fn results_keep_the_order_for_any_number_of_jobs() {
        let expected: Vec<(u32, u32)> =
            (0..60).flat_map(|n| (0..n % 7).map(move |i| (n, i))).collect();
        for n in 1..=5 {
            let mut seen = Vec::new();
            let work = |item: u32, give: &mut dyn FnMut((u32, u32)) -> bool| {
                for i in 0..item % 7 {
                    if item.is_multiple_of(5) {
                        thread::sleep(std::time::Duration::from_micros(200));
                    }
                    give((item, i));
                }
            };
            ordered_stream(0..60, jobs(n), work, |result| {
                seen.push(result);
                true
            });
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn one_large_item_does_not_pile_up() {
        let made = AtomicUsize::new(0);
        let mut taken = 0;
        let mut most = 0;
        let work = |_, give: &mut dyn FnMut(()) -> bool| {
            for _ in 0..1000 {
                made.fetch_add(1, Ordering::SeqCst);
                give(());
            }
        };
        ordered_stream(0..2, jobs(2), work, |()| {
            taken += 1;
            most = most.max(made.load(Ordering::SeqCst) - taken);
            true
        });
        assert_eq!(taken, 2000);
        // What waits of each item, and the one that each thread holds in its hand.
        assert!(most <= 2 * (WAITING + 1), "{most}");
    }

    #[test]
    fn stops_when_the_sink_says_so() {
        for n in 1..=3 {
            let mut seen = 0;
            let work = |i: u32, give: &mut dyn FnMut(u32) -> bool| {
                while give(i) {}
            };
            ordered_stream(0..1_000_000, jobs(n), work, |_| {
                seen += 1;
                seen < 10
            });
            assert_eq!(seen, 10);
        }
    }
}
