//! Processes one item at a time, in the order of arrival, without a waiting thread.
//!
//! A thread that finds another one working leaves its item in the queue and returns; the working
//! thread continues until the queue is empty. So all other threads are free to help with the
//! current item.

use parking_lot::{Mutex, MutexGuard};
use std::collections::VecDeque;

/// A queue that is processed by the first thread that adds an item.
#[derive(Debug)]
pub struct SerialQueue<T>(Mutex<State<T>>);

#[derive(Debug)]
struct State<T> {
    waiting: VecDeque<T>,
    /// True if a thread is working, which will check the queue again before it ends.
    busy: bool,
}

impl<T> Default for SerialQueue<T> {
    fn default() -> Self {
        SerialQueue(Mutex::new(State { waiting: VecDeque::new(), busy: false }))
    }
}

impl<T> SerialQueue<T> {
    /// Queues an item. If no thread is working, this one processes all items.
    ///
    /// `work` must not panic: the items left in the queue would never be processed.
    pub fn run(&self, item: T, work: impl Fn(T)) {
        let mut state = self.lock();
        state.waiting.push_back(item);
        if state.busy {
            return;
        }
        state.busy = true;
        while let Some(item) = state.waiting.pop_front() {
            drop(state);
            work(item);
            state = self.lock();
        }
        state.busy = false;
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // The queue is consistent between any two statements, so a panic elsewhere cannot corrupt
        // it.
        self.0.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn everything_is_worked_on_once_and_never_two_at_once() {
        let (queue, at_work, done) = (SerialQueue::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for item in 0..500 {
                        queue.run(item, |item: usize| {
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
    fn items_queued_by_the_work_itself_come_next() {
        let (queue, order) = (SerialQueue::default(), Mutex::new(Vec::new()));
        queue.run(1, |item| {
            order.lock().push(item);
            if item < 3 {
                queue.run(item + 1, |_| panic!("it was run before its turn"));
            }
        });
        assert_eq!(order.into_inner(), [1, 2, 3]);
    }
}
