//! What belongs to one call rather than to the solver: its limits and what cancels it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;

use crate::system::Limits;

/// Cancels calls from another thread. All clones cancel the same calls.
///
/// A call that was cancelled ends with [`Answer::Unsolved`](super::Answer::Unsolved) and [`Limit::Cancelled`](
/// crate::Limit::Cancelled). A token stays cancelled: the next call needs a new one.
///
/// ```
/// use taquin::{Answer, Board, CancelToken, Goal, Limit, SolveOptions, Solver};
///
/// let board: Board = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1".parse()?; // 80 moves
/// let token = CancelToken::new();
/// token.cancel(); // as a rule from another thread
/// let answer = Solver::new().solve_with(&board, &Goal::BlankLast, &SolveOptions::new().cancel(&token))?;
/// assert!(matches!(answer, Answer::Unsolved { limit: Limit::Cancelled, .. }));
/// # Ok::<(), taquin::Error>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct CancelToken(Arc<Flag>);

#[derive(Default, Debug)]
struct Flag {
    cancelled: AtomicBool,
    /// What is cancelled with it.
    children: Mutex<Vec<Weak<Flag>>>,
}

impl CancelToken {
    /// A token that has cancelled nothing yet.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Ends the calls that have this token: a search within about a millisecond, a call that builds tables because they
    /// pay at the next step of the build. Tables that the solver was asked for by name are built to their end: they are
    /// for all calls.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
        let children = std::mem::take(&mut *self.0.children.lock());
        for child in children.iter().filter_map(Weak::upgrade) {
            CancelToken(child).cancel();
        }
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// A token that is cancelled with this one, and that can be cancelled by itself.
    pub(crate) fn child(&self) -> CancelToken {
        let child = CancelToken::new();
        let mut children = self.0.children.lock();
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&child.0));
        drop(children);
        // Cancelled before the child was there to be seen.
        if self.is_cancelled() {
            child.cancel();
        }
        child
    }

    /// The flag that searches look at.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0.cancelled
    }
}

/// What one call may spend, and what cancels it. What is not set is as the solver has it.
#[derive(Clone, Default, Debug)]
pub struct SolveOptions {
    limits: Limits,
    cancel: CancelToken,
}

impl SolveOptions {
    /// Nothing set.
    pub fn new() -> SolveOptions {
        SolveOptions::default()
    }

    /// Wall-clock time for each board. What is reached in it differs from run to run. It does not hold for the building of
    /// tables that the solver was asked for by name, which is once for all boards.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> SolveOptions {
        self.limits.time = Some(time);
        self
    }

    /// Nodes generated for each board: the same number gives the same answers on every machine with the same memory, unless that is so short that
    /// the share of a thread matters; a limit that the solver was built with does not depend on that.
    #[must_use]
    pub fn node_limit(mut self, nodes: u64) -> SolveOptions {
        self.limits.nodes = Some(nodes);
        self
    }

    /// A token by which another thread can end the call.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> SolveOptions {
        self.cancel = token.clone();
        self
    }

    /// The limits of a call to a solver that has these of its own.
    pub(super) fn limits_over(&self, own: &Limits) -> Limits {
        Limits { nodes: self.limits.nodes.or(own.nodes), time: self.limits.time.or(own.time) }
    }

    pub(super) fn stop(&self) -> &AtomicBool {
        self.cancel.flag()
    }

    /// The same options, but with a token of their own, which the caller's cancels too.
    pub(super) fn with_child_token(&self) -> (SolveOptions, CancelToken) {
        let child = self.cancel.child();
        (SolveOptions { cancel: child.clone(), ..self.clone() }, child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_cancelled_with_its_parent_and_not_the_other_way_round() {
        let parent = CancelToken::new();
        let (first, second) = (parent.child(), parent.child());
        first.cancel();
        assert!(!parent.is_cancelled() && !second.is_cancelled());
        parent.cancel();
        assert!(second.is_cancelled() && parent.child().is_cancelled());
    }
}
