//! The beginning of a constructive path: lines are finished until the remaining rectangle is small
//! enough for a better search.

use std::sync::atomic::AtomicBool;

use super::field::{Field, place_of};
use super::finish;
use super::lines::{Line, Rest};
use super::place::Placing;
use crate::board::{Board, Cell, Path, Shape, Tile};

/// The moves that finish a board except for a rectangle, and this rectangle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beginning {
    /// The moves.
    pub path: Path,
    /// The rectangle as a separate board.
    pub block: Board,
    /// The goal of the rectangle.
    pub block_goal: Board,
}

/// Finishes lines until at most `max_cells` cells are left. Returns `None` if `stop` is set.
pub fn begin(board: &Board, goal: &Board, max_cells: usize, stop: &AtomicBool) -> Option<Beginning> {
    let shape = board.shape();
    let mut field = Field::new(board, goal);
    let mut placing = Placing::new(field.places());
    let rest =
        shrink(shape, goal.blank(), max_cells, |line| finish(&mut field, &mut placing, line, stop).then_some(()))?;
    let cells: Vec<Cell> = cells_of(shape, &rest).collect();
    let block_shape = Shape::new(rest.height(), rest.width())?;
    let mut number_of = vec![usize::MAX; field.places()];
    cells.iter().enumerate().for_each(|(number, &cell)| number_of[place_of(shape, cell)] = number);
    let homes: Vec<usize> = cells.iter().map(|&cell| number_of[field.home(place_of(shape, cell))]).collect();
    let blank = cells.iter().position(|&cell| cell == goal.blank())?;
    Beginning::new(field.into_path(), block_shape, blank, homes.into_iter().map(Some))
}

impl Beginning {
    /// Creates the beginning of a path that leaves a rectangle of this shape, whose cells are
    /// numbered row by row. `blank` is the number of the blank's home, and `homes` are the numbers
    /// of the homes of the tiles; `None` for a home outside.
    pub(in crate::engine) fn new(
        path: Path,
        shape: Shape,
        blank: usize,
        homes: impl Iterator<Item = Option<usize>>,
    ) -> Option<Beginning> {
        // A board's labels are the numbers below its number of cells; the blank is 0.
        let label = |number: usize| match number.cmp(&blank) {
            std::cmp::Ordering::Less => Tile::new(number + 1),
            std::cmp::Ordering::Equal => Tile::BLANK,
            std::cmp::Ordering::Greater => Tile::new(number),
        };
        let tiles = homes.map(|home| home.map(label)).collect::<Option<Vec<Tile>>>()?;
        let goal_tiles: Vec<Tile> = (0..shape.cells()).map(label).collect();
        let (block, block_goal) = (Board::new(shape, &tiles).ok()?, Board::new(shape, &goal_tiles).ok()?);
        Some(Beginning { path, block, block_goal })
    }
}

/// Returns the shape of the rectangle that [`begin`] leaves, and the blank's home in it.
pub fn rest_after(shape: Shape, goal_blank: Cell, max_cells: usize) -> Option<(Shape, Cell)> {
    let rest = shrink(shape, goal_blank, max_cells, |_| Some(()))?;
    let blank = cells_of(shape, &rest).position(|cell| cell == goal_blank)?;
    Some((Shape::new(rest.height(), rest.width())?, Cell::new(blank)))
}

fn shrink(shape: Shape, goal_blank: Cell, max_cells: usize, mut each: impl FnMut(&Line) -> Option<()>) -> Option<Rest> {
    let mut rest = Rest::of(shape, goal_blank);
    while rest.height() * rest.width() > max_cells {
        each(&rest.take_line()?)?;
    }
    Some(rest)
}

fn cells_of(shape: Shape, rest: &Rest) -> impl Iterator<Item = Cell> + use<> {
    let (cols, rows, columns) = (shape.cols(), rest.top - 1..rest.bottom, rest.left..=rest.right);
    rows.flat_map(move |row| columns.clone().map(move |col| Cell::new(row * cols + col)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::replay::replay;
    use crate::board::{Goal, is_solvable};
    use crate::engine::constructive::construct;
    use crate::engine::test_support::{board_of, random_board};
    use crate::system::Random;

    /// The beginning and a path of the remaining block together are a path of the whole board.
    #[test]
    fn the_remaining_block_can_be_solved_separately() {
        let (mut random, stop) = (Random::new(3), AtomicBool::new(false));
        for (rows, cols) in [(5, 9), (2, 31), (31, 3), (8, 8), (12, 7)] {
            let shape = Shape::new(rows, cols).unwrap();
            let goals = [Goal::BlankLast.on(shape).unwrap(), board_of(shape, &random.permutation(shape.cells()))];
            for goal in goals {
                let board = random_board(shape, &goal, &mut random);
                for max_cells in [shape.cells(), 40, 17] {
                    let Beginning { path, block, block_goal } = begin(&board, &goal, max_cells, &stop).unwrap();
                    let rest = (block.shape(), block_goal.blank());
                    assert_eq!(rest_after(shape, goal.blank(), max_cells), Some(rest), "{shape} {max_cells}");
                    assert!(block.shape().cells() <= max_cells && is_solvable(&block, &block_goal));
                    assert!(max_cells < shape.cells() || path.is_empty());
                    let end = construct(&block, &block_goal, &stop).unwrap();
                    let whole = [path.letters(), end.letters()].concat();
                    assert_eq!(replay(&board, &goal, &whole), Ok(()), "{shape} {max_cells}");
                }
            }
        }
        let goal = Goal::BlankLast.on(Shape::new(9, 9).unwrap()).unwrap();
        let board = random_board(goal.shape(), &goal, &mut random);
        assert!(begin(&board, &goal, 16, &AtomicBool::new(true)).is_none());
    }
}
