//! Work in pieces, done by whoever needs the result and by those of the crew who are free.
//!
//! The layers of the parallel searches are lists of pieces. Who needs a layer, its *owner* – or one of them – works
//! on its pieces ([`PieceWork::finish`]) until there are none. Helpers, spawned into the rayon pool that the owner
//! runs in, do the same as long as somebody needs it and no board needs their thread. How many there may be
//! says the [`Crew`]: none when every board has its one thread (`Parallel::Across`), those that are idle, or all. The state
//! is one mutex, held to take a piece and to hand in a report – some 0.2 ms apart – and never during work.
//!
//! # Why nobody waits for ever
//!
//! `join`, `scope` and parallel iterators wait by running *any* job of the pool: the board of another
//! record, say. That board could need what the frame below it on the same stack was about to finish, and
//! would wait for ever; at best, boards half solved pile up in memory. So nobody waits that way here.
//! A piece in work is in the hands of a thread that is running it: pieces start no jobs of the pool and wait for
//! nothing. Who finds no piece left therefore waits only for threads that run, and for no more than
//! a piece each. Helpers that come too late find nothing and go.
//!
//! A worker that waits at a layer's end does nothing else: at most one piece's time a layer.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::sync::{self, Condvar, Mutex, MutexGuard};
use super::{Budget, Crew, Limit};

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
    /// How many of them find no piece and wait.
    waiting: usize,
    total: J::Report,
    panicked: bool,
}

impl<J: Job> State<J> {
    fn is_finished(&self) -> bool {
        self.running == 0 && self.todo.is_empty()
    }
}

/// Who takes a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hand {
    /// A board that needs the result.
    Owner,
    /// A thread that was free.
    Helper,
}

/// A panic in a piece must reach those who wait for it.
struct Guard<'a, J: Job>(&'a PieceWork<J>);

impl<J: Job> Drop for Guard<'_, J> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().panicked = true;
            self.0.changed.notify_all();
        }
    }
}

/// The list as the work on a piece sees it, and whom it may call.
struct Shared<'a, J: Job>(&'a Arc<PieceWork<J>>, &'a Crew);

impl<J: Job> List<J::Piece> for Shared<'_, J> {
    fn is_short(&self) -> bool {
        let hands = self.1.hands();
        let state = self.0.lock();
        state.todo.len() < state.waiting + hands
    }

    fn put(&mut self, piece: J::Piece) {
        self.0.lock().todo.push(piece);
        self.0.changed.notify_one();
        self.0.call(self.1);
    }
}

impl<J: Job> PieceWork<J> {
    /// How long a waiter sleeps before it looks at its limits.
    const PATIENCE: Duration = Duration::from_millis(2);

    pub(super) fn new(job: J, todo: Vec<J::Piece>) -> Arc<PieceWork<J>> {
        let total = J::Report::default();
        let state = State { todo, running: 0, needed_by: 0, waiting: 0, total, panicked: false };
        Arc::new(PieceWork { job, state: Mutex::new(state), changed: Condvar::new() })
    }

    pub(super) fn job(&self) -> &J {
        &self.job
    }

    /// No code of the jobs runs under the lock, so a poisoned one guards a sound state.
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls one of those who are free, if there are any.
    fn call(self: &Arc<Self>, crew: &Crew) {
        let Some(helper) = crew.enlist() else { return };
        let work = Arc::clone(self);
        sync::spawn(move || {
            // Who waits for the piece panics instead: an unwinding job would end the whole process.
            let all = || while !helper.unwanted() && work.step(Hand::Helper, helper.crew()) {};
            drop(std::panic::catch_unwind(std::panic::AssertUnwindSafe(all)));
        });
    }

    /// Works on a piece; `false` when there is none (or, for helpers, nobody who needs it).
    fn step(self: &Arc<Self>, hand: Hand, crew: &Crew) -> bool {
        let mut state = self.lock();
        if hand == Hand::Helper && state.needed_by == 0 {
            return false;
        }
        let Some(piece) = state.todo.pop() else { return false };
        state.running += 1;
        let more = !state.todo.is_empty();
        drop(state);
        if more {
            // One each time: those who come call the next, and who falls free later is called as well.
            self.call(crew);
        }
        let guard = Guard(self);
        let part = self.job.work(piece, &mut Shared(self, crew));
        drop(guard);
        let mut state = self.lock();
        J::add(&mut state.total, part);
        state.running -= 1;
        if state.is_finished() {
            self.changed.notify_all();
        }
        true
    }

    /// Works until the job is finished, or the budget is: then others may go on. Those of the crew who are
    /// free help.
    pub(super) fn finish(self: &Arc<Self>, budget: &Budget, crew: &Crew) -> Result<(), Limit> {
        self.lock().needed_by += 1;
        let end = self.work_on(budget, crew);
        self.lock().needed_by -= 1;
        end
    }

    fn work_on(self: &Arc<Self>, budget: &Budget, crew: &Crew) -> Result<(), Limit> {
        loop {
            if let Some(limit) = budget.interrupted() {
                return Err(limit);
            }
            if self.step(Hand::Owner, crew) {
                continue;
            }
            let mut state = self.lock();
            assert!(!state.panicked, "a piece of this board's work panicked in another thread");
            if state.is_finished() {
                return Ok(());
            }
            if state.todo.is_empty() {
                state.waiting += 1;
                let waited = self.changed.wait_timeout(state, Self::PATIENCE);
                waited.unwrap_or_else(PoisonError::into_inner).0.waiting -= 1;
            }
        }
    }

    /// The reports' sum, once: the default to all who ask later.
    pub(super) fn take_report(&self) -> J::Report {
        std::mem::take(&mut self.lock().total)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicBool;
    use std::thread::ThreadId;

    use super::*;
    use crate::engine::{Limits, Parallel};

    /// Work: tell who does it, when as many are at it as the barrier wants.
    struct WhoIsThere(Barrier);

    impl Job for WhoIsThere {
        type Piece = ();
        type Report = HashSet<ThreadId>;

        fn work(&self, (): (), _: &mut dyn List<()>) -> HashSet<ThreadId> {
            self.0.wait();
            HashSet::from([std::thread::current().id()])
        }

        fn add(total: &mut HashSet<ThreadId>, part: HashSet<ThreadId>) {
            total.extend(part);
        }
    }

    /// The threads of a pool of three that did so many pieces, of which `together` are in work at once.
    fn threads_at(parallel: Parallel, tasks: usize, pieces: usize, together: usize) -> usize {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.install(|| {
            let (crew, stop) = (Crew::new(parallel, 3), AtomicBool::new(false));
            let _tasks: Vec<_> = (0..tasks).map(|_| crew.task()).collect();
            let work = PieceWork::new(WhoIsThere(Barrier::new(together)), vec![(); pieces]);
            work.finish(&Budget::start(&Limits::default(), &stop), &crew).unwrap();
            work.take_report().len()
        })
    }

    #[test]
    fn across_boards_nobody_helps() {
        assert_eq!(threads_at(Parallel::Across, 1, 200, 1), 1);
    }

    #[test]
    fn threads_with_boards_of_their_own_do_not_help() {
        assert_eq!(threads_at(Parallel::Auto, 3, 200, 1), 1);
    }

    /// Ends only if three threads are at it at once.
    #[test]
    fn within_a_board_all_help_and_else_the_idle() {
        assert_eq!(threads_at(Parallel::Within, 9, 30, 3), 3);
        assert_eq!(threads_at(Parallel::Auto, 1, 30, 3), 3);
    }
}
