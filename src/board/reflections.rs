//! Reflections of a board: the boards that are mirror images of the same puzzle.
//!
//! Each reflection belongs to a symmetry of the rectangle that keeps the goal's blank in place. The
//! symmetry moves the tiles of the board and of the goal to other cells. All tiles are then
//! relabelled so that the goal becomes itself again. A solution of the board, with its moves
//! reflected, solves the resulting board. So a board and its reflections have the same distance
//! from the goal and the same number of shortest paths.
//!
//! If the goal's blank is in a corner, a square board has one reflection, in the diagonal through
//! that corner, and other boards have none. If the goal's blank is in the centre of a square, there
//! are seven, because rotations count too.

use super::{Board, Cell, Shape, Tile};

/// The reflections of all boards with the same goal.
#[derive(Clone, Debug)]
pub struct Reflections {
    goal: Board,
    /// The image of every cell under each symmetry except the identity.
    symmetries: Vec<Vec<Cell>>,
}

impl Reflections {
    /// Returns the reflections that keep this goal's blank in its place.
    pub fn of(goal: &Board) -> Reflections {
        let identity: Vec<Cell> = (0..goal.shape().cells()).map(Cell::new).collect();
        let mut symmetries = symmetries(goal.shape(), goal.blank());
        symmetries.retain(|to| *to != identity);
        Reflections { goal: goal.clone(), symmetries }
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns every reflection of the board. The board itself is included only if it is its own
    /// mirror image.
    pub fn each<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Board> + 'a {
        self.symmetries.iter().map(|to| reflected(board, &self.goal, to))
    }

    /// Returns the smallest of a board and its reflections, compared by their tiles. It is the same
    /// for the board and each of its reflections.
    pub fn smallest(&self, board: &Board) -> Board {
        let least = |a: Board, b: Board| if b.tiles() < a.tiles() { b } else { a };
        self.each(board).fold(board.clone(), least)
    }
}

/// Returns the symmetries of a rectangle that keep a cell in its place, each as the image of every
/// cell. The identity is included.
pub fn symmetries(shape: Shape, fixed: Cell) -> Vec<Vec<Cell>> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let transposes: &[bool] = if rows == cols { &[false, true] } else { &[false] };
    let mut images = Vec::new();
    for &transpose in transposes {
        for (flip_rows, flip_cols) in [(false, false), (false, true), (true, false), (true, true)] {
            let to = |cell: usize| {
                let (row, col) = (shape.row(Cell::new(cell)), shape.col(Cell::new(cell)));
                let (row, col) = if transpose { (col, row) } else { (row, col) };
                let row = if flip_rows { rows - 1 - row } else { row };
                let col = if flip_cols { cols - 1 - col } else { col };
                shape.cell(row, col)
            };
            if to(fixed.index()) == fixed {
                images.push((0..shape.cells()).map(to).collect());
            }
        }
    }
    images
}

/// Returns the reflection of a board by a symmetry. The tile in cell c moves to `to[c]`, and the
/// tile that belongs in cell c is relabelled as the one that belongs in `to[c]`.
pub(crate) fn reflected(board: &Board, goal: &Board, to: &[Cell]) -> Board {
    let (shape, cells) = (board.shape(), board.tiles().len());
    let mut labels = vec![Tile::BLANK; cells];
    for (cell, tile) in goal.tiles().iter().enumerate() {
        labels[tile.label()] = goal.tiles()[to[cell].index()];
    }
    let mut tiles = vec![Tile::BLANK; cells];
    for (cell, tile) in board.tiles().iter().enumerate() {
        tiles[to[cell].index()] = labels[tile.label()];
    }
    Board::new(shape, &tiles)
        .unwrap_or_else(|wrong| unreachable!("a permutation of a board's tiles is a board: {wrong}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

    #[test]
    fn symmetries_keep_their_cell() {
        let count = |rows, cols, fixed| symmetries(Shape::new(rows, cols).unwrap(), Cell::new(fixed)).len();
        assert_eq!([count(3, 3, 8), count(3, 3, 4), count(3, 3, 7), count(3, 3, 2)], [2, 8, 2, 2]);
        assert_eq!([count(3, 4, 11), count(3, 4, 7), count(3, 5, 7), count(2, 3, 1)], [1, 2, 4, 2]);
    }

    /// The two published 8-puzzles of 31 moves are reflections of each other.
    #[test]
    fn the_two_farthest_boards_are_one_puzzle() {
        let shape = Shape::new(3, 3).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let board = |labels: [usize; 9]| Board::new(shape, &labels.map(Tile::new)).unwrap();
        let [one, other] = [board([6, 4, 7, 8, 5, 0, 3, 2, 1]), board([8, 6, 7, 2, 5, 4, 3, 0, 1])];
        let reflections = Reflections::of(&goal);
        assert_eq!(reflections.each(&one).collect::<Vec<_>>(), std::slice::from_ref(&other));
        assert_eq!((reflections.smallest(&one), reflections.smallest(&other)), (one.clone(), one));
        assert_eq!(reflections.smallest(&goal), goal);
    }
}
