//! Lengths of the shortest paths of boards in memory, with one byte per tile.
//!
//! The first three steps are those of the fast path ([`super`]): boards are recognised, by a
//! template without text between the tiles, and ranked, and the word of each rank is read from the
//! table. No path is written or replayed; the lengths are from the verified table
//! ([`crate::engine::path_table`]).

use std::fmt;
use std::sync::Arc;

use super::kernels::{BLOCK, FastPathTables, Kernels, Recogniser, RecordBlock};
use super::template::RecordTemplate;
use super::{BlockWork, dispatch};
use crate::board::Board;
use crate::engine::path_table::{PARITY, Paths, path_len};
use crate::solver::{PreparedGoal, Solver};
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
pub struct Lengths {
    instruction_set: InstructionSet,
    prepared: Arc<PreparedGoal>,
    tables: FastPathTables,
    template: RecordTemplate,
}

impl Lengths {
    /// The value for a board without a solution.
    pub const UNSOLVABLE: i32 = -1;

    /// Creates the table for a goal. Returns `None` if the shape has no table, or if the solver is
    /// set to another engine; use [`Solver::solve_all`] then.
    pub fn new(solver: &Solver, goal: &Board) -> Option<Lengths> {
        Lengths::with(InstructionSet::best(), Arc::new(solver.prepare(goal)))
    }

    fn with(instruction_set: InstructionSet, prepared: Arc<PreparedGoal>) -> Option<Lengths> {
        let tables = FastPathTables::new(prepared.frame.as_ref()?, prepared.path_table()?)?;
        let template = RecordTemplate::of_tiles(prepared.goal.shape())?;
        Some(Lengths { instruction_set, prepared, tables, template })
    }

    /// Writes the length of a shortest path of each board, or [`Lengths::UNSOLVABLE`]. A board is
    /// given as its tiles, row by row. Stops at the first invalid board. Returns the number of
    /// lengths written.
    pub fn fill(&self, tiles: &[u8], lengths: &mut [i32]) -> usize {
        // The table existed when `self` was created.
        let Some(paths) = self.prepared.path_table() else { return 0 };
        dispatch(self.instruction_set, Fill { table: self, paths, tiles, lengths })
    }
}

impl fmt::Debug for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lengths").finish_non_exhaustive()
    }
}

/// One call of [`Lengths::fill`].
struct Fill<'a> {
    table: &'a Lengths,
    paths: &'a Paths,
    tiles: &'a [u8],
    lengths: &'a mut [i32],
}

impl BlockWork for Fill<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let Fill { table: Lengths { tables, template, .. }, paths, tiles, lengths } = self;
        let (recogniser, stride) = (Recogniser { template, tables, paths }, template.stride);
        let mut block = RecordBlock::default();
        let boards = lengths.len().min(tiles.len() / stride);
        let mut done = 0;
        while done < boards {
            let (rest, wanted) = (&tiles[done * stride..], (boards - done).min(BLOCK));
            let found = K::recognise_any(recogniser, rest, &mut block).min(wanted);
            for (length, &rank) in lengths[done..done + found].iter_mut().zip(&block.ranks) {
                let word = paths.word((rank >> 1) as usize);
                // The board is solvable if the parity bit of the word equals the low bit of the
                // rank.
                let solvable = (word ^ u64::from(rank) << 63) & PARITY == 0;
                *length = if solvable { path_len(word) as i32 } else { Lengths::UNSOLVABLE };
            }
            done += found;
            if found < wanted {
                break;
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Tile};

    fn sets() -> impl Iterator<Item = InstructionSet> {
        InstructionSet::ALL.into_iter().filter(|set| set.is_available())
    }

    fn lengths(goal: &str, shape: &str, set: InstructionSet) -> (Board, Lengths) {
        let goal = goal.parse::<Goal>().unwrap().on(shape.parse().unwrap()).unwrap();
        let solver = Solver::builder().threads(1).memory(1 << 30).build().unwrap();
        let prepared = Arc::new(solver.prepare(&goal));
        (goal, Lengths::with(set, prepared).unwrap())
    }

    /// Concatenates all boards with this number of cells.
    fn all_orders(cells: usize) -> Vec<u8> {
        fn extend(board: &mut Vec<u8>, cells: usize, boards: &mut Vec<u8>) {
            if board.len() == cells {
                return boards.extend_from_slice(board);
            }
            for tile in 0..cells as u8 {
                if !board.contains(&tile) {
                    board.push(tile);
                    extend(board, cells, boards);
                    board.pop();
                }
            }
        }
        let mut boards = Vec::new();
        extend(&mut Vec::new(), cells, &mut boards);
        boards
    }

    /// Compares the lengths of every seventh board with the solver's, for some shapes and goals and
    /// every instruction set.
    #[test]
    fn lengths_agree_with_the_solver() {
        for (goal, shape) in [("blank-last", "3x3"), ("123804765", "3x3"), ("snail", "2x3"), ("blank-first", "2x2")] {
            let tiles = all_orders(shape.parse::<crate::board::Shape>().unwrap().cells());
            for set in sets() {
                let (goal, lengths) = lengths(goal, shape, set);
                let cells = goal.shape().cells();
                let mut found = vec![i32::MIN; tiles.len() / cells];
                assert_eq!(lengths.fill(&tiles, &mut found), found.len());
                let mut worker = Solver::builder().threads(1).memory(1 << 30).build().unwrap().worker();
                let goal = Goal::from(&goal);
                for (labels, &found) in tiles.chunks(cells).zip(&found).step_by(7) {
                    let labels: Vec<Tile> = labels.iter().map(|&label| Tile::new(label.into())).collect();
                    let board = Board::new(shape.parse().unwrap(), &labels).unwrap();
                    let moves = worker.solve(&board, &goal).unwrap().moves();
                    assert_eq!(found, moves.map_or(-1, |moves| moves as i32), "{board} {set:?}");
                }
            }
        }
    }

    /// Filling ends at an invalid board, at various positions in a block.
    #[test]
    fn filling_ends_at_an_invalid_board() {
        for set in sets() {
            let (_, lengths) = lengths("blank-last", "3x3", set);
            for (at, cell, byte) in [(0, 0, 9), (1, 8, 255), (31, 3, b'0'), (32, 4, 1), (69, 8, b'x'), (40, 0, 16)] {
                let mut tiles: Vec<u8> = (0..70).flat_map(|_| [1, 2, 3, 4, 5, 6, 7, 8, 0]).collect();
                tiles[at * 9 + cell] = if tiles[at * 9 + cell] == byte { 2 } else { byte };
                assert_eq!(lengths.fill(&tiles, &mut [0; 70]), at, "{byte} in {cell} {set:?}");
            }
            // Two blanks, and no blank.
            assert_eq!(lengths.fill(&[1, 2, 3, 4, 5, 6, 7, 0, 0], &mut [0]), 0);
            assert_eq!(lengths.fill(&[1, 2, 3, 4, 5, 6, 7, 8, 8], &mut [0]), 0);
            assert_eq!(lengths.fill(&[], &mut []), 0);
        }
    }
}
