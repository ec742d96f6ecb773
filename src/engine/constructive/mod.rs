//! Fast construction of a path for any solvable board with at least two rows and columns, one line
//! and one tile at a time.
//!
//! There is no unbounded search: memory is proportional to the number of cells (with rows padded to
//! 256 cells), and time to the number of cells times the length of a side. The blank's walks are
//! chosen to help later tiles (`walk.rs`), and a tile's route according to the cost of the blank's
//! turns around it (`place.rs`). The last two tiles of a line are placed together (`corner.rs`).
//! The *last block*, of at most 3 × 3 cells, is solved by IDA*. Every step has a fallback that
//! cannot fail, so every board gets a path.
//!
//! People usually solve the puzzle by this method. Θ(cells^1.5) moves suffice and are sometimes
//! necessary: D. Ratner, M. Warmuth, *The (n²−1)-puzzle and related relocation problems*, J.
//! Symbolic Computation 10, 1990; I. Parberry, *A real-time algorithm for the (n²−1)-puzzle*,
//! Information Processing Letters 56, 1995.

mod corner;
mod field;
mod place;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use self::field::Field;
use self::place::Placing;
use super::{Outcome, Stats, ThreadShare, ida};
use crate::board::frame::Frame;
use crate::board::{Board, Path, Tile};
use crate::heuristic::{Manhattan, SimpleHeuristic};
use crate::system::{Budget, Limits};

pub use self::field::{Line, Rest};
pub(super) use self::field::{Place, cell_of, place_of};

/// The memory for the lists of the last block's search. By then the construction of the lines has
/// freed about as much or more.
const LIST_BYTES: usize = 1 << 16;

/// The beginning of a path, which leaves a rectangle to be solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialSolution {
    /// The moves.
    pub path: Path,
    /// The rectangle as a separate board.
    pub block: Board,
    /// The goal of the rectangle.
    pub block_goal: Board,
}

impl PartialSolution {
    /// Creates the beginning of a path that leaves this rectangle. `homes` are the homes (goal
    /// cells) of its tiles, row by row. Returns `None` if one of these homes is outside the
    /// rectangle.
    pub(super) fn new(path: Path, rest: &Rest, homes: impl Iterator<Item = Place>) -> Option<PartialSolution> {
        // A board's labels are the numbers below its number of cells; the blank is 0.
        let (shape, blank) = (rest.shape(), rest.goal_blank().index());
        let label = |number: usize| match number.cmp(&blank) {
            std::cmp::Ordering::Less => Tile::new(number + 1),
            std::cmp::Ordering::Equal => Tile::BLANK,
            std::cmp::Ordering::Greater => Tile::new(number),
        };
        let tiles = homes.map(|home| rest.number(home).map(label)).collect::<Option<Vec<Tile>>>()?;
        let goal_tiles: Vec<Tile> = (0..shape.cells()).map(label).collect();
        let (block, block_goal) = (Board::new(shape, &tiles).ok()?, Board::new(shape, &goal_tiles).ok()?);
        Some(PartialSolution { path, block, block_goal })
    }
}

/// Returns a path from `board` to `goal`, on any shape with at least two rows and two columns.
/// The board must be solvable. Returns `None` if `stop` is set.
pub fn construct(board: &Board, goal: &Board, stop: &AtomicBool) -> Option<Path> {
    debug_assert!(crate::board::is_solvable(board, goal) && !board.shape().is_line());
    let PartialSolution { mut path, block, block_goal } = begin(board, goal, 0, stop)?;
    shortest_path(&block, &block_goal)?.moves().for_each(|step| path.push_or_cancel(step));
    Some(path)
}

/// Returns the canonical shortest path of a block of at most 3 × 3 cells. The path has at most 31
/// moves and is found within a few milliseconds, so the search ignores all limits.
fn shortest_path(block: &Board, goal: &Board) -> Option<Path> {
    let frame = Frame::new(goal)?;
    let manhattan = SimpleHeuristic::Manhattan(Manhattan::new(frame.space().shape, frame.space().goal_blank));
    let (limits, stop, alone) = (Limits::default(), AtomicBool::new(false), ThreadShare::alone());
    let (budget, mut scratch) = (Budget::start(&limits, &stop), ida::Scratch::new(LIST_BYTES));
    let (search, context) = (ida::plain(&Arc::new(manhattan), frame.space()), ida::Context::new(&budget, &alone));
    match search.solve(&frame.admit(block)?, &context, &mut scratch, &mut Stats::default()) {
        Outcome::Solved(path) => Some(path),
        _ => None,
    }
}

/// Finishes lines until at most `max_cells` cells, or at most 3 × 3, are left. With 0, finishes as
/// many lines as possible. Returns `None` if `stop` is set.
pub fn begin(board: &Board, goal: &Board, max_cells: usize, stop: &AtomicBool) -> Option<PartialSolution> {
    let mut field = Field::new(board, goal);
    let mut rest = Rest::of(board.shape(), goal.blank());
    let mut placing = Placing::new(field.fixed.len());
    while let Some(line) = rest.take_line(max_cells) {
        if !finish(&mut field, &mut placing, &line, stop) {
            return None;
        }
    }
    let homes: Vec<Place> = rest.places().map(|place| field.home(place)).collect();
    PartialSolution::new(field.path, &rest, homes.into_iter())
}

/// Finishes a line. Returns false if stopped or impossible.
fn finish(field: &mut Field, placing: &mut Placing, line: &Line, stop: &AtomicBool) -> bool {
    if (0..line.len).any(|number| field.home(line.place(number)) != line.place(number)) {
        for place in (0..line.len - 2).map(|number| line.place(number)) {
            if stop.load(Ordering::Relaxed) || !placing.bring(field, place, place, true) {
                return false;
            }
            field.fixed[place] = true;
        }
        if !corner::finish(field, placing, line) {
            return false;
        }
    }
    for number in 0..line.len {
        field.fixed[line.place(number)] = true;
    }
    true
}
