//! The symmetries of rectangles, and the reflections of a board.
//!
//! Each reflection of a board belongs to a symmetry of the rectangle that keeps the goal's blank in
//! place. The symmetry moves the tiles of the board and of the goal to other cells. All tiles are
//! then relabelled so that the goal becomes itself again. A solution of the board, with its moves
//! reflected, solves the resulting board. So a board and its reflections have the same distance
//! from the goal and the same number of shortest paths.
//!
//! If the goal's blank is in a corner, a square board has one reflection, in the diagonal through
//! that corner, and other boards have none. If the goal's blank is in the centre of a square, a
//! board has seven reflections, because rotations count too.

use super::{Board, Cell, Move, Shape, Tile};

/// A symmetry of rectangles: an optional transposition, then an optional flip of the rows and an
/// optional flip of the columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Symmetry {
    transpose: bool,
    flip_rows: bool,
    flip_cols: bool,
}

impl Symmetry {
    const IDENTITY: Symmetry = Symmetry { transpose: false, flip_rows: false, flip_cols: false };
    /// The reflection in the main diagonal.
    pub(crate) const TRANSPOSITION: Symmetry = Symmetry { transpose: true, ..Symmetry::IDENTITY };
    /// The reflection in the middle row.
    pub(crate) const FLIPPED_ROWS: Symmetry = Symmetry { flip_rows: true, ..Symmetry::IDENTITY };
    /// The reflection in the middle column.
    pub(crate) const FLIPPED_COLS: Symmetry = Symmetry { flip_cols: true, ..Symmetry::IDENTITY };

    /// Returns the symmetries that take a rectangle of one shape to one of another, the simplest
    /// first.
    pub(crate) fn between(from: Shape, to: Shape) -> impl Iterator<Item = Symmetry> {
        let fits = move |&transpose: &bool| to == if transpose { from.transposed() } else { from };
        let flips = [(false, false), (false, true), (true, false), (true, true)];
        [false, true]
            .into_iter()
            .filter(fits)
            .flat_map(move |transpose| flips.map(|(flip_rows, flip_cols)| Symmetry { transpose, flip_rows, flip_cols }))
    }

    /// Returns the image of a cell of a rectangle of this shape.
    pub(crate) fn cell(self, shape: Shape, cell: Cell) -> Cell {
        let (row, col) = (shape.row(cell), shape.col(cell));
        let (shape, row, col) = if self.transpose { (shape.transposed(), col, row) } else { (shape, row, col) };
        let row = if self.flip_rows { shape.rows() - 1 - row } else { row };
        let col = if self.flip_cols { shape.cols() - 1 - col } else { col };
        shape.cell(row, col)
    }

    /// Returns the image of a move.
    pub(crate) fn step(self, step: Move) -> Move {
        let step = match step {
            step if !self.transpose => step,
            Move::Down => Move::Right,
            Move::Right => Move::Down,
            Move::Up => Move::Left,
            Move::Left => Move::Up,
        };
        match step {
            Move::Down | Move::Up if self.flip_rows => step.inverse(),
            Move::Left | Move::Right if self.flip_cols => step.inverse(),
            _ => step,
        }
    }

    /// Returns the images of all cells of a rectangle of this shape.
    pub(crate) fn cells(self, shape: Shape) -> impl Iterator<Item = Cell> {
        (0..shape.cells()).map(move |cell| self.cell(shape, Cell::new(cell)))
    }
}

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
        let identity: Vec<Cell> = Symmetry::IDENTITY.cells(goal.shape()).collect();
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
    let kept = Symmetry::between(shape, shape).filter(|symmetry| symmetry.cell(shape, fixed) == fixed);
    kept.map(|symmetry| symmetry.cells(shape).collect()).collect()
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
