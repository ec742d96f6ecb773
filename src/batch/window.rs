//! The memory of jobs in flight: a limit on how far the thread that reads jobs may run ahead of the
//! threads that finish them ([`Window`]), and the buffers that new jobs take over from finished
//! ones ([`BufferPool`]).
//!
//! A job (a chunk of records) needs a permit to be read, and keeps the permit until its output is
//! written or dropped. The bytes that jobs keep in memory are counted: first the input, then the
//! output. No permit is given while the count is at or above a limit, so a slow job does not let
//! memory grow. Another limit bounds the number of jobs that no worker has started, because data
//! that is read long before it is used is evicted from the CPU's caches. Only the reader waits
//! here, never a worker.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::{Condvar, Mutex, MutexGuard};

/// The limits on the jobs in flight.
#[derive(Debug)]
pub struct Window {
    state: Mutex<JobCounts>,
    changed: Condvar,
    max_in_flight: usize,
    max_queued: usize,
    max_bytes: usize,
}

#[derive(Debug, Default)]
struct JobCounts {
    /// Jobs with a permit.
    in_flight: usize,
    /// Jobs with a permit that no worker has started.
    queued: usize,
    /// Bytes that the jobs in flight hold.
    bytes: usize,
    closed: bool,
    /// True if the reader waits in [`Window::enter`].
    asleep: bool,
}

impl Window {
    /// Creates a window of at most `max_in_flight` jobs, of which at most `max_queued` are not
    /// started. No permit is given while the jobs in flight hold `max_bytes` bytes or more.
    pub fn new(max_in_flight: usize, max_queued: usize, max_bytes: usize) -> Window {
        Window { state: Mutex::default(), changed: Condvar::new(), max_in_flight, max_queued, max_bytes }
    }

    /// Waits for a permit. Returns false if the window was closed; then reading must end.
    pub fn enter(&self) -> bool {
        let mut state = self.state.lock();
        if !self.has_room(&state) || state.queued >= self.max_queued {
            state.asleep = true;
            self.changed.wait_while(&mut state, |state| !state.closed && !self.is_worth_waking(state));
            state.asleep = false;
        }
        if state.closed {
            return false;
        }
        state.in_flight += 1;
        state.queued += 1;
        true
    }

    /// Notes that a worker has started a job.
    pub fn begin(&self) {
        self.change(|state| state.queued -= 1);
    }

    /// Frees the permit of a job whose output was written or dropped.
    pub fn leave(&self) {
        self.change(|state| state.in_flight -= 1);
    }

    /// Changes the state, and wakes the reader if it sleeps and can read several jobs. Waking it
    /// for every job would cost more than reading a cheap job.
    fn change(&self, change: impl FnOnce(&mut JobCounts)) {
        let mut state = self.state.lock();
        change(&mut state);
        let wake = state.asleep && self.is_worth_waking(&state);
        drop(state);
        if wake {
            self.changed.notify_one();
        }
    }

    /// Returns true if a permit is free and at most half of the maximum number of jobs are queued,
    /// so that the reader can usually read several jobs.
    fn is_worth_waking(&self, state: &JobCounts) -> bool {
        self.has_room(state) && state.queued <= self.max_queued / 2
    }

    /// Returns true if a permit is free.
    fn has_room(&self, state: &JobCounts) -> bool {
        state.in_flight < self.max_in_flight && state.bytes < self.max_bytes
    }

    /// Adds bytes that a job in flight holds.
    pub fn hold(&self, bytes: usize) {
        self.state.lock().bytes += bytes;
    }

    /// Subtracts bytes that a job in flight has freed.
    pub fn release(&self, bytes: usize) {
        self.change(|state| state.bytes -= bytes);
    }

    /// Closes the window. No further permit is given.
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }
}

/// Stacks of empty buffers. The buffer used last is reused first, because it is probably still in a
/// cache.
///
/// Each thread that fills buffers has its own stack. A buffer that another thread wrote is in that
/// thread's cache, and every cache line would have to be transferred just to be overwritten.
#[derive(Debug)]
pub struct BufferPool {
    stacks: Vec<Mutex<Vec<Vec<u8>>>>,
    /// The capacity of all buffers together, in bytes.
    bytes: AtomicUsize,
    /// Maximum capacity of all buffers together, in bytes.
    max_bytes: usize,
}

impl BufferPool {
    /// Creates an empty pool, which keeps buffers with a total capacity of at most `max_bytes`.
    pub fn new(stacks: usize, max_bytes: usize) -> BufferPool {
        let stacks = (0..stacks.max(1)).map(|_| Mutex::default()).collect();
        BufferPool { stacks, bytes: AtomicUsize::new(0), max_bytes }
    }

    /// Returns an empty buffer, which reuses the memory of the one last returned to this stack.
    pub fn take(&self, stack: usize) -> Vec<u8> {
        let buffer = self.stack(stack).pop().unwrap_or_default();
        self.bytes.fetch_sub(buffer.capacity(), Ordering::Relaxed);
        buffer
    }

    /// Keeps the memory of a buffer, or drops it if the pool is full.
    pub fn give_back(&self, stack: usize, mut buffer: Vec<u8>) {
        buffer.clear();
        let bytes = buffer.capacity();
        // No other memory depends on this number, so relaxed ordering suffices.
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.max_bytes {
            self.stack(stack).push(buffer);
        } else {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    fn stack(&self, stack: usize) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.stacks[stack % self.stacks.len()].lock()
    }
}

#[cfg(test)]
mod tests {
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
            // The first job is queued. The second enters when the first starts, and the third when
            // one ends.
            assert_eq!(window.state.lock().in_flight, 1);
            window.begin();
            reaches(2);
            window.begin();
            assert_eq!(window.state.lock().in_flight, 2);
            window.leave();
            reaches(3);
            window.begin();
            // The jobs in flight hold too many bytes. The fourth job enters when some are released.
            window.hold(120);
            window.leave();
            let has_room = || window.has_room(&window.state.lock());
            let (before, after) = (has_room(), {
                window.release(21);
                has_room() || entered.load(Ordering::SeqCst) > 3
            });
            // Close the window before a failing assertion, so that the other thread ends.
            if before || !after {
                window.close();
            }
            assert!(!before && after);
            reaches(4);
            window.close();
        });
        assert_eq!(entered.load(Ordering::SeqCst), 4);
    }

    #[test]
    fn the_last_buffer_is_reused_first_and_the_limit_is_kept() {
        let pool = BufferPool::new(2, 1000);
        assert_eq!(pool.take(1).capacity(), 0);
        for capacity in [100, 2000, 200, 300] {
            let mut buffer = Vec::with_capacity(capacity);
            buffer.push(1);
            pool.give_back(1, buffer);
        }
        // The other stack is empty.
        assert_eq!(pool.take(0).capacity(), 0);
        let capacities = [(); 4].map(|()| pool.take(1)).map(|buffer| (buffer.len(), buffer.capacity()));
        assert_eq!(capacities, [(0, 300), (0, 200), (0, 100), (0, 0)]);
    }
}
