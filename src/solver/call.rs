//! The options of a call (its limits and its cancellation token) and its answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;

use crate::board::{Board, Path};
use crate::engine::Proof;
use crate::system::{Limit, Limits};

/// A token with which another thread can cancel calls. Clones cancel the same calls.
///
/// A cancelled search ends with [`Answer::Unsolved`](super::Answer::Unsolved) and
/// [`Limit::Cancelled`](crate::Limit::Cancelled). Boards that need no search are still answered. A
/// token remains cancelled: the next call needs a new one.
///
/// ```
/// use taquin::{Answer, Board, CancelToken, Goal, Limit, SolveOptions, Solver};
///
/// let board: Board = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1".parse()?; // 80 moves
/// let token = CancelToken::new();
/// token.cancel(); // usually from another thread
/// let answer = Solver::new().solve_with(&board, &Goal::BlankLast, &SolveOptions::new().cancel(&token))?;
/// assert!(matches!(answer, Answer::Unsolved { limit: Limit::Cancelled, .. }));
/// # Ok::<(), taquin::Error>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct CancelToken(Arc<Flag>);

#[derive(Default, Debug)]
struct Flag {
    cancelled: AtomicBool,
    /// Tokens that are cancelled with this one.
    children: Mutex<Vec<Weak<Flag>>>,
}

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Ends the calls that have this token. A search ends within about a millisecond. A build of
    /// tables that were chosen automatically ends at its next step. Tables that were requested by
    /// name are completed, because they serve all calls.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
        let children = std::mem::take(&mut *self.0.children.lock());
        for child in children.iter().filter_map(Weak::upgrade) {
            CancelToken(child).cancel();
        }
    }

    /// Returns true if the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Creates a token that is cancelled with this one but can also be cancelled separately.
    pub(crate) fn child(&self) -> CancelToken {
        let child = CancelToken::new();
        let mut children = self.0.children.lock();
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&child.0));
        drop(children);
        // The parent may have been cancelled before the child was registered.
        if self.is_cancelled() {
            child.cancel();
        }
        child
    }

    /// Returns the flag that searches poll.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0.cancelled
    }
}

/// The limits and the token of one call. The solver's limits apply where none are set.
#[derive(Clone, Default, Debug)]
#[must_use]
pub struct SolveOptions {
    pub(super) limits: Limits,
    pub(super) cancel: CancelToken,
}

impl SolveOptions {
    /// Creates options with nothing set.
    pub fn new() -> SolveOptions {
        SolveOptions::default()
    }

    /// Sets the time limit for each board. Results may then differ from run to run. Building tables
    /// that were requested by name is not limited, because they are built once for all boards.
    pub fn time_limit(mut self, time: Duration) -> SolveOptions {
        self.limits.time = Some(time);
        self
    }

    /// Sets the node limit for each board. The same limit gives the same answers on every machine
    /// with the same memory. If the memory is small, the answers may also depend on the number of
    /// threads among which it is divided. If the solver was built with a node limit, only answers of
    /// A* and of the bidirectional engine depend on the number of threads.
    pub fn node_limit(mut self, nodes: u64) -> SolveOptions {
        self.limits.nodes = Some(nodes);
        self
    }

    /// Sets a token by which another thread can cancel the call.
    pub fn cancel(mut self, token: &CancelToken) -> SolveOptions {
        self.cancel = token.clone();
        self
    }

    /// Returns the limits of this call, completed by those of the solver.
    pub(super) fn limits_over(&self, solver: &Limits) -> Limits {
        Limits { nodes: self.limits.nodes.or(solver.nodes), time: self.limits.time.or(solver.time) }
    }
}

/// The answer of a solver for a board and its goal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Answer {
    /// A path was found.
    Solved(Solution),
    /// No path leads from the board to the goal.
    Unsolvable,
    /// A path exists, but a limit or a cancellation ended the search before it found a path of the
    /// required quality.
    Unsolved {
        /// A proven lower bound on the number of moves.
        lower_bound: u64,
        /// The limit that ended the search.
        limit: Limit,
    },
}

impl Answer {
    /// Returns the number of moves of the path, if there is one.
    pub fn moves(&self) -> Option<usize> {
        self.solution().map(Solution::moves)
    }

    /// Returns the solution, if there is one.
    pub fn solution(&self) -> Option<&Solution> {
        if let Answer::Solved(solution) = self { Some(solution) } else { None }
    }
}

/// A path from a board to its goal, and what is proven about it.
///
/// Every path is verified move by move by code that is independent of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// The board that was solved.
    pub board: Board,
    /// The moves of the blank.
    pub path: Path,
    /// The proof for the path.
    pub proof: Proof,
    /// The limit that prevented a better path or a proof, if any.
    pub limit: Option<Limit>,
}

impl Solution {
    /// Returns the path as letters: `U` moves the blank up and the tile above it down.
    pub fn letters(&self) -> &str {
        self.path.as_str()
    }

    /// Returns the number of moves.
    pub fn moves(&self) -> usize {
        self.path.len()
    }

    /// Returns all boards along the path, from the solved board to the goal.
    ///
    /// ```
    /// # use taquin::{Board, Solver};
    /// let board: Board = "1 2 3/4 5 6/0 7 8".parse()?;
    /// let answer = Solver::new().solve(&board)?;
    /// let boards: Vec<String> = answer.solution().unwrap().boards().map(|board| board.to_string()).collect();
    /// assert_eq!(boards, ["1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/7 8 0"]);
    /// # Ok::<(), taquin::Error>(())
    /// ```
    pub fn boards(&self) -> impl Iterator<Item = Board> + '_ {
        let mut moves = self.path.moves();
        std::iter::successors(Some(self.board.clone()), move |board| board.after(moves.next()?))
    }

    /// Returns true if the path is proven to be shortest.
    ///
    /// If shortest paths are searched for (the default for boards of up to 25 cells), the path is
    /// the canonical one: the first in the order D < L < R < U. A good path (with
    /// [`Quality::Good`](crate::Quality::Good), or of a larger board) may happen to be as short as
    /// its lower bound. It is then a shortest path, but not necessarily the canonical one.
    pub fn is_optimal(&self) -> bool {
        self.lower_bound() == self.path.len() as u64
    }

    /// Returns a proven lower bound on the number of moves.
    pub fn lower_bound(&self) -> u64 {
        match self.proof {
            Proof::Optimal => self.path.len() as u64,
            Proof::AtLeast(lower_bound) => lower_bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_cancelled_with_its_parent_but_not_vice_versa() {
        let parent = CancelToken::new();
        let (first, second) = (parent.child(), parent.child());
        first.cancel();
        assert!(!parent.is_cancelled() && !second.is_cancelled());
        parent.cancel();
        assert!(second.is_cancelled() && parent.child().is_cancelled());
    }
}
