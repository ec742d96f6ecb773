//! Permits: how far the thread that reads jobs may run ahead of those that finish them.
//!
//! Every job between its reading and the end of its output holds one permit, and the bytes it keeps in memory are
//! counted: first those that were read, then those that are to be written. So memory is bounded by the window, however
//! long one job takes and however large inputs or outputs are. A second, smaller number bounds the jobs that no worker
//! has started: what is read long before it is needed only falls out of the caches. The reader waits here; a worker
//! never does.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The window of jobs in flight.
#[derive(Debug)]
pub struct Window {
    state: Mutex<State>,
    changed: Condvar,
    max_in_flight: usize,
    max_queued: usize,
    max_bytes: usize,
}

#[derive(Debug, Default)]
struct State {
    /// Jobs with a permit.
    in_flight: usize,
    /// Those of them that no worker has started.
    queued: usize,
    /// Bytes that the jobs in flight hold.
    bytes: usize,
    closed: bool,
    /// The reader waits in [`Window::enter`].
    asleep: bool,
}

impl Window {
    /// A window of at most `max_in_flight` jobs, of which at most `max_queued` are not started. No permit is given
    /// while those in flight hold `max_bytes` or more.
    pub fn new(max_in_flight: usize, max_queued: usize, max_bytes: usize) -> Window {
        Window { state: Mutex::default(), changed: Condvar::new(), max_in_flight, max_queued, max_bytes }
    }

    /// Waits for a permit; `false` when the window was closed and nothing more is to be read.
    pub fn enter(&self) -> bool {
        let mut state = self.lock();
        if !self.has_room(&state) || state.queued >= self.max_queued {
            state.asleep = true;
            let full = |state: &mut State| !state.closed && !self.is_worth_waking(state);
            state = self.changed.wait_while(state, full).unwrap_or_else(PoisonError::into_inner);
            state.asleep = false;
        }
        if state.closed {
            return false;
        }
        state.in_flight += 1;
        state.queued += 1;
        true
    }

    /// A worker has started a job.
    pub fn begin(&self) {
        self.change(|state| state.queued -= 1);
    }

    /// The output of a job was written, or the job was dropped: its permit is free again.
    pub fn leave(&self) {
        self.change(|state| state.in_flight -= 1);
    }

    /// Wakes the reader only if it sleeps and enough has become free: a wake-up is a system call, and two for
    /// every cheap job would cost more than reading it.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        let wake = state.asleep && self.is_worth_waking(&state);
        drop(state);
        if wake {
            self.changed.notify_one();
        }
    }

    /// Whether there is a permit, and at most half of the jobs that may be queued are: then the reader has several to
    /// read each time it is woken.
    fn is_worth_waking(&self, state: &State) -> bool {
        self.has_room(state) && state.queued <= self.max_queued / 2
    }

    /// Whether one more job may be in flight.
    fn has_room(&self, state: &State) -> bool {
        state.in_flight < self.max_in_flight && state.bytes < self.max_bytes
    }

    /// A job in flight holds this many more bytes.
    pub fn hold(&self, bytes: usize) {
        self.lock().bytes += bytes;
    }

    /// A job in flight gave back this many of the bytes it held.
    pub fn release(&self, bytes: usize) {
        self.change(|state| state.bytes -= bytes);
    }

    /// No permit is given from now on.
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
    fn the_reader_waits_for_permits_and_for_jobs_to_start() {
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
            // One job is queued: only its start lets the second in, only the end of one the third.
            assert_eq!(window.lock().in_flight, 1);
            window.begin();
            reaches(2);
            window.begin();
            assert_eq!(window.lock().in_flight, 2);
            window.leave();
            reaches(3);
            window.begin();
            // There is a permit, but the jobs in flight hold too much: only released bytes let the fourth in.
            window.hold(120);
            window.leave();
            let has_room = || window.has_room(&window.lock());
            let (early, later) = (has_room(), {
                window.release(21);
                has_room() || entered.load(Ordering::SeqCst) > 3
            });
            // Closed first, so that the other thread ends where this fails.
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
