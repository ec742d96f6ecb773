//! What a solver says of a board.

use crate::board::{Board, Path};
use crate::engine::Proof;
use crate::system::Limit;

/// What a solver says of a board and its goal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Answer {
    /// There is a path, and here it is.
    Solved(Solution),
    /// Parity forbids it: no path leads from the board to the goal.
    Unsolvable,
    /// There is a path, but a limit or a cancellation came before it was found.
    Unsolved {
        /// Proven: no path has fewer moves.
        lower_bound: u64,
        /// What ended the search.
        limit: Limit,
    },
}

impl Answer {
    /// The number of moves of the path, where there is one.
    pub fn moves(&self) -> Option<usize> {
        self.solution().map(Solution::moves)
    }

    /// The solution, where there is one.
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Answer::Solved(solution) => Some(solution),
            Answer::Unsolvable | Answer::Unsolved { .. } => None,
        }
    }

    /// The solution by itself, where there is one.
    pub fn into_solution(self) -> Option<Solution> {
        match self {
            Answer::Solved(solution) => Some(solution),
            Answer::Unsolvable | Answer::Unsolved { .. } => None,
        }
    }

    /// True where a path was found.
    pub fn is_solved(&self) -> bool {
        matches!(self, Answer::Solved(_))
    }
}

/// A path from a board to its goal, and what is proven of it.
///
/// Every path was replayed, move by move, by rules that share no code with the search.
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

    /// The board that was solved.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The moves of the blank.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path by itself.
    pub fn into_path(self) -> Path {
        self.path
    }

    /// The path in letters: `U` is the blank going up, the tile above it coming down.
    pub fn letters(&self) -> &str {
        self.path.as_str()
    }

    /// The number of moves.
    pub fn moves(&self) -> usize {
        self.path.len()
    }

    /// All boards along the path, from the one that was solved to the goal.
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

    /// What is proven of the path.
    pub fn proof(&self) -> Proof {
        self.proof
    }

    /// True where it is proven that no path is shorter. Where shortest paths are searched for, which is what boards of up
    /// to 25 cells get by default, the path is then the lexicographically smallest of all shortest paths, in the order
    /// D < L < R < U. A good path ([`Quality::Good`](crate::Quality::Good), and larger boards) that turns out to be as
    /// short as its bound is a shortest one, and need not be that first one: [`Solution::proof`] tells.
    pub fn is_optimal(&self) -> bool {
        self.lower_bound() == self.path.len() as u64
    }

    /// What kept the path from being better, or from being proven, where that was a limit.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Proven: no path has fewer moves than this.
    pub fn lower_bound(&self) -> u64 {
        match self.proof {
            Proof::Optimal => self.path.len() as u64,
            Proof::AtLeast(lower_bound) => lower_bound,
        }
    }
}
