//! Lengths of shortest paths for whole arrays of small boards.

use std::fmt;
use std::sync::Arc;

use crate::batch::fast_path::BlockLengths;
use crate::board::Board;
use crate::solver::Solver;
use crate::system::InstructionSet;

/// The lengths of the shortest paths of boards of 2×2, 2×3, 3×2 and 3×3, whose whole paths are in a proved table: some
/// nanoseconds a board.
///
/// ```
/// use taquin::{Goal, Solver, arrays::Lengths};
///
/// let goal = Goal::BlankLast.on("2x2".parse()?)?;
/// let lengths = Lengths::new(&Solver::new(), &goal).unwrap();
/// let boards = [1u8, 2, 3, 0, 2, 1, 3, 0, 1, 2, 0, 3, 1, 1, 2, 3];
/// let mut found = [0; 4];
/// // The last is no board: it has no blank.
/// assert_eq!(lengths.fill(&boards, &mut found), 3);
/// assert_eq!(found, [0, Lengths::UNSOLVABLE, 1, 0]);
/// # Ok::<(), taquin::Error>(())
/// ```
pub struct Lengths(BlockLengths);

impl Lengths {
    /// What is written for a board that has no solution.
    pub const UNSOLVABLE: i32 = BlockLengths::UNSOLVABLE;

    /// For the boards of a goal; `None` where there is no such table, or the solver was asked for another engine: then
    /// [`Solver::solve_all`] has the answers.
    pub fn new(solver: &Solver, goal: &Board) -> Option<Lengths> {
        BlockLengths::new(InstructionSet::best(), Arc::new(solver.prepare(goal))).map(Lengths)
    }

    /// Writes the length of each board, its tiles row by row: from the first on, up to one that is no board. How many
    /// were written.
    pub fn fill(&self, tiles: &[u8], lengths: &mut [i32]) -> usize {
        self.0.fill(tiles, lengths)
    }
}

impl fmt::Debug for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lengths").finish_non_exhaustive()
    }
}
