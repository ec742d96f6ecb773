//! Lengths of shortest paths for arrays of small boards.

use std::fmt;
use std::sync::Arc;

use crate::batch::fast_path::BlockLengths;
use crate::board::Board;
use crate::solver::Solver;
use crate::system::InstructionSet;

/// The lengths of shortest paths of 2×2, 2×3, 3×2 and 3×3 boards, read from a table in a few
/// nanoseconds per board.
///
/// ```
/// use taquin::{Goal, Solver, arrays::Lengths};
///
/// let goal = Goal::BlankLast.on("2x2".parse()?)?;
/// let lengths = Lengths::new(&Solver::new(), &goal).unwrap();
/// let boards = [1u8, 2, 3, 0, 2, 1, 3, 0, 1, 2, 0, 3, 1, 1, 2, 3];
/// let mut found = [0; 4];
/// // The last board is not valid: it has no blank.
/// assert_eq!(lengths.fill(&boards, &mut found), 3);
/// assert_eq!(found, [0, Lengths::UNSOLVABLE, 1, 0]);
/// # Ok::<(), taquin::Error>(())
/// ```
pub struct Lengths(BlockLengths);

impl Lengths {
    /// The value for a board without a solution.
    pub const UNSOLVABLE: i32 = BlockLengths::UNSOLVABLE;

    /// Creates the table for a goal. Returns `None` if the shape has no table, or if the solver is
    /// set to another engine; use [`Solver::solve_all`] then.
    pub fn new(solver: &Solver, goal: &Board) -> Option<Lengths> {
        BlockLengths::new(InstructionSet::best(), Arc::new(solver.prepare(goal))).map(Lengths)
    }

    /// Writes the length of each board, given as its tiles row by row. Stops at the first invalid
    /// board. Returns the number of lengths written.
    pub fn fill(&self, tiles: &[u8], lengths: &mut [i32]) -> usize {
        self.0.fill(tiles, lengths)
    }
}

impl fmt::Debug for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lengths").finish_non_exhaustive()
    }
}
