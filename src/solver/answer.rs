//! Answers and solutions.

use crate::board::{Board, Path};
use crate::engine::Proof;
use crate::system::Limit;

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
        match self {
            Answer::Solved(solution) => Some(solution),
            Answer::Unsolvable | Answer::Unsolved { .. } => None,
        }
    }

    /// Converts the answer into its solution, if there is one.
    pub fn into_solution(self) -> Option<Solution> {
        match self {
            Answer::Solved(solution) => Some(solution),
            Answer::Unsolvable | Answer::Unsolved { .. } => None,
        }
    }

    /// Returns true if a path was found.
    pub fn is_solved(&self) -> bool {
        matches!(self, Answer::Solved(_))
    }
}

/// A path from a board to its goal, and what is proven about it.
///
/// Every path is verified move by move by code that is independent of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    board: Board,
    path: Path,
    proof: Proof,
    limit: Option<Limit>,
}

impl Solution {
    pub(crate) fn new(board: Board, path: Path, proof: Proof, limit: Option<Limit>) -> Solution {
        Solution { board, path, proof, limit }
    }

    /// Returns the board that was solved.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the moves of the blank.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Converts the solution into its path.
    pub fn into_path(self) -> Path {
        self.path
    }

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

    /// Returns what is proven about the path.
    pub fn proof(&self) -> Proof {
        self.proof
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

    /// Returns the limit that prevented a better path or a proof, if any.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns a proven lower bound on the number of moves.
    pub fn lower_bound(&self) -> u64 {
        match self.proof {
            Proof::Optimal => self.path.len() as u64,
            Proof::AtLeast(lower_bound) => lower_bound,
        }
    }
}
