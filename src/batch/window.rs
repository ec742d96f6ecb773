//! Permits: how far the reader may run ahead of the writer.
//!
//! Every chunk between reading and writing holds one permit, and the bytes of its text are counted: first those
//! that were read, then those that are to be written. So memory is bounded by the window whatever a board in it costs,
//! and however long records or results are. A second, smaller number bounds the chunks that nobody has begun:
//! what is read long before it is solved only falls out of the caches. The reader waits here; a
//! worker never does.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The window of chunks in flight.
#[derive(Debug)]
pub struct Window {
    state: Mutex<State>,
    changed: Condvar,
    most_in_flight: usize,
    most_waiting: usize,
    most_bytes: usize,
}

#[derive(Debug, Default)]
struct State {
    in_flight: usize,
    waiting: usize,
    bytes: usize,
    closed: bool,
    /// The reader waits.
    asleep: bool,
}

impl Window {
    /// A window of at most `most_in_flight` chunks, of which at most `most_waiting` are not begun. Nothing more is read
    /// while those in flight hold so many bytes.
    pub fn new(most_in_flight: usize, most_waiting: usize, most_bytes: usize) -> Window {
        Window { state: Mutex::default(), changed: Condvar::new(), most_in_flight, most_waiting, most_bytes }
    }

    /// Waits for a permit; `false` when the window was closed and nothing more is to be read.
    pub fn enter(&self) -> bool {
        let mut state = self.lock();
        if !self.has_room(&state) || state.waiting >= self.most_waiting {
            state.asleep = true;
            let full = |state: &mut State| !state.closed && !self.is_worth_waking(state);
            state = self.changed.wait_while(state, full).unwrap_or_else(PoisonError::into_inner);
            state.asleep = false;
        }
        if state.closed {
            return false;
        }
        state.in_flight += 1;
        state.waiting += 1;
        true
    }

    /// A worker has begun a chunk.
    pub fn begin(&self) {
        self.change(|state| state.waiting -= 1);
    }

    /// A chunk was written, or dropped.
    pub fn leave(&self) {
        self.change(|state| state.in_flight -= 1);
    }

    /// Wakes the reader only if it sleeps and there is something for it to do: to tell somebody is a call of the
    /// system, and twice as many as chunks of cheap boards would cost more than reading them.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        let wake = state.asleep && self.is_worth_waking(&state);
        drop(state);
        if wake {
            self.changed.notify_one();
        }
    }

    /// Whether there is a permit, and so few chunks wait that reading some at once is soon needed.
    fn is_worth_waking(&self, state: &State) -> bool {
        self.has_room(state) && state.waiting <= self.most_waiting / 2
    }

    /// Whether one more chunk may be in flight.
    fn has_room(&self, state: &State) -> bool {
        state.in_flight < self.most_in_flight && state.bytes < self.most_bytes
    }

    /// A chunk in flight holds so many bytes more.
    pub fn hold(&self, bytes: usize) {
        self.lock().bytes += bytes;
    }

    /// And so many less.
    pub fn release(&self, bytes: usize) {
        self.change(|state| state.bytes -= bytes);
    }

    /// Nothing more is to be read.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The numbers are right between any two statements: a panic elsewhere cannot spoil them.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_reader_waits_for_permits_and_for_beginnings() {
        let window = Window::new(2, 1, 100);
        let entered = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while window.enter() {
                    entered.fetch_add(1, Ordering::SeqCst);
                }
            });
            let reaches = |count| {
                while entered.load(Ordering::SeqCst) < count {
                    std::thread::yield_now();
                }
            };
            reaches(1);
            // One waits: only its beginning lets the second in, only a departure the third.
            assert_eq!(window.lock().in_flight, 1);
            window.begin();
            reaches(2);
            window.begin();
            assert_eq!(window.lock().in_flight, 2);
            window.leave();
            reaches(3);
            window.begin();
            // There is a place, but those in flight hold too much: only what they give back lets the fourth in.
            window.hold(120);
            window.leave();
            let has_room = || window.has_room(&window.lock());
            let (early, later) = (has_room(), {
                window.release(21);
                has_room() || entered.load(Ordering::SeqCst) > 3
            });
            // Nobody is left waiting where this fails.
            if early || !later {
                window.close();
            }
            assert!(!early && later);
            reaches(4);
            window.close();
        });
        assert_eq!(entered.load(Ordering::SeqCst), 4);
    }
}
