//! One at a time, in the order of arrival, and nobody waits.
//!
//! Who finds somebody at work leaves his item with him and goes; who works goes on until nothing is
//! left. So all other threads stay free to help with the one item that is worked on.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A queue that is worked off by whoever comes to it first.
#[derive(Debug)]
pub struct Turns<T>(Mutex<State<T>>);

#[derive(Debug)]
struct State<T> {
    waiting: VecDeque<T>,
    /// Somebody is at work, and will see what is left here.
    taken: bool,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Turns(Mutex::new(State { waiting: VecDeque::new(), taken: false }))
    }
}

impl<T> Turns<T> {
    /// Works on this item and on all that others leave meanwhile, or leaves it to who is at work.
    ///
    /// `work` must not panic: what is left would never be worked on.
    pub fn take(&self, item: T, work: impl Fn(T)) {
        let mut state = self.lock();
        state.waiting.push_back(item);
        if state.taken {
            return;
        }
        state.taken = true;
        while let Some(item) = state.waiting.pop_front() {
            drop(state);
            work(item);
            state = self.lock();
        }
        state.taken = false;
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // The queue is whole between any two statements: a panic elsewhere cannot spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn everything_is_worked_on_once_and_never_two_at_once() {
        let (turns, at_work, done) = (Turns::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for item in 0..500 {
                        turns.take(item, |item: usize| {
                            assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0);
                            done.fetch_add(item, Ordering::SeqCst);
                            at_work.fetch_sub(1, Ordering::SeqCst);
                        });
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), 4 * 499 * 500 / 2);
    }

    #[test]
    fn what_is_left_by_the_worker_himself_comes_next() {
        let (turns, order) = (Turns::default(), Mutex::new(Vec::new()));
        turns.take(1, |item| {
            order.lock().unwrap().push(item);
            if item < 3 {
                turns.take(item + 1, |_| panic!("it was taken before its turn"));
            }
        });
        assert_eq!(order.into_inner().unwrap(), [1, 2, 3]);
    }
}
