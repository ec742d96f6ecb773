//! A crew: work in pieces, done by whoever needs the result and by idle workers of the pool.
//!
//! The layers of the parallel searches are lists of pieces. Who needs a layer works on its pieces
//! ([`PieceWork::finish`]) until there are none; helpers, spawned into the rayon pool that it runs in, do
//! the same as long as somebody needs it. The state is one mutex, held to take a piece and to hand in
//! a report – a millisecond apart – and never during work.
//!
//! # Why nobody waits for ever
//!
//! `join`, `scope` and parallel iterators wait by running *any* job of the pool: the board of another
//! record, say. That board could need what the frame below it on the same stack was about to finish, and
//! would wait for ever; at best, boards half solved pile up in memory. So a crew never waits that way.
//! A piece in work is in the hands of a thread that is running it: pieces start no jobs of the pool and wait for
//! nothing. Who finds no piece left therefore waits only for threads that run, and for no more than
//! a piece each. Helpers that come too late find nothing and go.
//!
//! A worker that waits at a layer's end does nothing else: at most one piece's time a layer.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Budget, Limit};

/// What the pieces of a layer are and what is to be done with one.
pub(super) trait Job: Sized + Send + Sync + 'static {
    /// A piece: a few milliseconds of work at most, because limits are looked at between pieces.
    type Piece: Send;
    /// What became of all pieces together.
    type Report: Default + Send;

    /// Works on one piece; may put pieces on the list. Must neither wait nor run jobs of the pool.
    fn work(&self, piece: Self::Piece, list: &mut dyn List<Self::Piece>) -> Self::Report;

    /// Adds what one piece brought.
    fn add(total: &mut Self::Report, part: Self::Report);
}

/// The list of pieces as the work on one of them sees it.
pub(super) trait List<P> {
    /// Whether somebody has nothing to do.
    fn is_short(&self) -> bool;
    /// Puts a piece on the list.
    fn put(&mut self, piece: P);
}

/// A job, its pieces and its reports.
pub(super) struct PieceWork<J: Job> {
    job: J,
    threads: usize,
    state: Mutex<State<J>>,
    /// Notified when a piece was put on the list and when the last piece was handed in.
    changed: Condvar,
}

struct State<J: Job> {
    todo: Vec<J::Piece>,
    /// Pieces in work. The job is finished when this is 0 and `todo` is empty, and then it stays so.
    running: usize,
    /// How many need the result now.
    needed_by: usize,
    total: J::Report,
    panicked: bool,
}

/// A panic in a piece must reach those who wait for it.
struct Hands<'a, J: Job>(&'a PieceWork<J>);

impl<J: Job> Drop for Hands<'_, J> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().panicked = true;
            self.0.changed.notify_all();
        }
    }
}

struct Shared<'a, J: Job>(&'a Arc<PieceWork<J>>);

impl<J: Job> List<J::Piece> for Shared<'_, J> {
    fn is_short(&self) -> bool {
        self.0.threads > 1 && self.0.lock().todo.len() < self.0.threads
    }

    fn put(&mut self, piece: J::Piece) {
        self.0.lock().todo.push(piece);
        self.0.changed.notify_one();
        if self.0.threads > 1 {
            self.0.call_helper();
        }
    }
}

impl<J: Job> PieceWork<J> {
    /// How long a waiter sleeps before it looks at its limits.
    const PATIENCE: Duration = Duration::from_millis(2);

    pub(super) fn new(job: J, todo: Vec<J::Piece>) -> Arc<PieceWork<J>> {
        let state = State { todo, running: 0, needed_by: 0, total: J::Report::default(), panicked: false };
        let threads = rayon::current_num_threads();
        Arc::new(PieceWork { job, threads, state: Mutex::new(state), changed: Condvar::new() })
    }

    pub(super) fn job(&self) -> &J {
        &self.job
    }

    /// No code of the jobs runs under the lock, so a poisoned one guards a sound state.
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call_helper(self: &Arc<Self>) {
        let crew = Arc::clone(self);
        rayon::spawn(move || {
            // Who waits for the piece panics instead: an unwinding job would end the whole process.
            let all = std::panic::AssertUnwindSafe(|| while crew.step(true) {});
            drop(std::panic::catch_unwind(all));
        });
    }

    /// Works on a piece; `false` when there is none (or, for helpers, nobody who needs it).
    fn step(self: &Arc<Self>, helper: bool) -> bool {
        let mut state = self.lock();
        if helper && state.needed_by == 0 {
            return false;
        }
        let Some(piece) = state.todo.pop() else { return false };
        state.running += 1;
        drop(state);
        let hands = Hands(self);
        let part = self.job.work(piece, &mut Shared(self));
        drop(hands);
        let mut state = self.lock();
        J::add(&mut state.total, part);
        state.running -= 1;
        if state.running == 0 && state.todo.is_empty() {
            self.changed.notify_all();
        }
        true
    }

    /// Works until the job is finished, or the budget is: then others may go on.
    pub(super) fn finish(self: &Arc<Self>, budget: &Budget) -> Result<(), Limit> {
        let pieces = {
            let mut state = self.lock();
            state.needed_by += 1;
            state.todo.len()
        };
        for _ in 1..pieces.min(self.threads) {
            self.call_helper();
        }
        let end = self.work_on(budget);
        self.lock().needed_by -= 1;
        end
    }

    fn work_on(self: &Arc<Self>, budget: &Budget) -> Result<(), Limit> {
        loop {
            if let Some(limit) = budget.interrupted() {
                return Err(limit);
            }
            if self.step(false) {
                continue;
            }
            let state = self.lock();
            assert!(!state.panicked, "a piece of this board's work panicked in another thread");
            if state.running == 0 && state.todo.is_empty() {
                return Ok(());
            }
            if state.todo.is_empty() {
                drop(self.changed.wait_timeout(state, Self::PATIENCE));
            }
        }
    }

    /// The reports' sum, once: the default to all who ask later.
    pub(super) fn take_report(&self) -> J::Report {
        std::mem::take(&mut self.lock().total)
    }
}
