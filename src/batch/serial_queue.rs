//! Processes items one at a time, in the order of arrival, without blocking threads.
//!
//! If another thread is processing items, a thread adds its item to the queue and returns. The
//! other thread continues until the queue is empty. So all threads but one are free to help with
//! the current item.

use std::collections::VecDeque;

use parking_lot::Mutex;

/// A queue that is processed by the thread that adds the first item.
#[derive(Debug)]
pub struct SerialQueue<T>(Mutex<State<T>>);

#[derive(Debug)]
struct State<T> {
    waiting: VecDeque<T>,
    /// True if a thread is processing items. It will check the queue again before it ends.
    busy: bool,
}

impl<T> Default for SerialQueue<T> {
    fn default() -> Self {
        SerialQueue(Mutex::new(State { waiting: VecDeque::new(), busy: false }))
    }
}

impl<T> SerialQueue<T> {
    /// Adds an item. If no other thread is processing items, this one processes all of them.
    ///
    /// `work` must not panic, because the remaining items would never be processed.
    pub fn run(&self, item: T, work: impl Fn(T)) {
        let mut state = self.0.lock();
        state.waiting.push_back(item);
        if state.busy {
            return;
        }
        state.busy = true;
        while let Some(item) = state.waiting.pop_front() {
            drop(state);
            work(item);
            state = self.0.lock();
        }
        state.busy = false;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn items_are_processed_once_and_one_at_a_time() {
        let (queue, active, done) = (SerialQueue::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for item in 0..500 {
                        queue.run(item, |item: usize| {
                            assert_eq!(active.fetch_add(1, Ordering::SeqCst), 0);
                            done.fetch_add(item, Ordering::SeqCst);
                            active.fetch_sub(1, Ordering::SeqCst);
                        });
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), 4 * 499 * 500 / 2);
    }

    #[test]
    fn items_added_by_the_work_are_processed_next() {
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
