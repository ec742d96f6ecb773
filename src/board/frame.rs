//! The canonical frame: any board with any goal, as a search from a permutation to the identity.
//!
//! Two transformations make boards with different goals the same problem. Tiles are *relabelled* by
//! their goal cells, so the goal becomes the identity. Boards are also reflected, and squares and
//! portrait rectangles also transposed, so that the blank has only a few goal cells. Of the nine
//! goal cells of 3×3, three are canonical: a corner, an edge cell and the centre. Tables are built
//! only for the canonical frames.
//!
//! A reflection or transposition changes the directions of moves, so it would change which of
//! several shortest paths is canonical. Therefore a [`Space`] contains the order in which moves are
//! tried in the frame: its k-th move corresponds to the move *of the original board* with the k-th
//! of the letters D, L, R, U. An engine that tries moves in this order and records k finds the
//! canonical path of the original board without seeing that board.

use crate::board::{Board, Cell, MAX_SEARCH_CELLS, Move, Shape, Solvable, State, Symmetry, Tile};

/// The part of a frame that an engine needs. Equal spaces can share all tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Space {
    /// The canonical shape: never more rows than columns.
    pub shape: Shape,
    /// The blank's goal cell.
    pub goal_blank: Cell,
    /// `order[k]` is the frame's move for the k-th letter (D, L, R, U) of the original board.
    pub order: [Move; 4],
}

impl Space {
    /// Returns the goal of every search in this space.
    pub fn goal(&self) -> State {
        State::goal(self.shape, self.goal_blank)
    }

    /// Returns the original board's letter for a move in this frame.
    #[inline]
    pub fn letter_of(&self, step: Move) -> Move {
        Move::ALL[self.order.iter().position(|&moved| moved == step).unwrap_or(0)]
    }

    /// Returns the moves possible with the blank in `cell` as (letter, the blank's new cell),
    /// smallest letter first.
    #[inline]
    pub fn steps(&self, cell: Cell) -> impl Iterator<Item = (Move, Cell)> + '_ {
        let step = move |letter: Move| Some((letter, self.shape.neighbour(cell, self.order[letter.index()])?));
        Move::ALL.into_iter().filter_map(step)
    }
}

/// The map from the boards of one goal into the canonical frame, and back.
#[derive(Clone, Debug)]
pub struct Frame {
    goal: Board,
    space: Space,
    /// Cell of the original board → cell of the frame.
    cells: [u8; MAX_SEARCH_CELLS],
    /// Label of a tile → its goal cell in the frame.
    homes: [u8; MAX_SEARCH_CELLS],
}

impl Frame {
    /// Returns the frame of a goal; `None` if the board has more than [`MAX_SEARCH_CELLS`] cells.
    pub fn new(goal: &Board) -> Option<Frame> {
        let original = goal.shape();
        if original.cells() > MAX_SEARCH_CELLS {
            return None;
        }
        // The symmetry that gives the blank the largest goal cell is chosen. So the usual goal,
        // with its blank last, is not reflected. If several symmetries give the blank this cell,
        // the first is chosen: the identity if it is one of them.
        let is_portrait = original.rows() > original.cols();
        let shape = if is_portrait { original.transposed() } else { original };
        let mut best: Option<(Cell, Symmetry)> = None;
        for symmetry in Symmetry::between(original, shape) {
            let blank = symmetry.cell(original, goal.blank());
            if best.is_none_or(|(largest, _)| blank > largest) {
                best = Some((blank, symmetry));
            }
        }
        let (goal_blank, symmetry) = best?;

        let (mut cells, mut homes) = ([0; MAX_SEARCH_CELLS], [0; MAX_SEARCH_CELLS]);
        for (at, tile) in goal.tiles().iter().enumerate() {
            let cell = symmetry.cell(original, Cell::new(at)).index() as u8;
            cells[at] = cell;
            homes[tile.label()] = cell;
        }
        let order = Move::ALL.map(|step| symmetry.step(step));
        Some(Frame { goal: goal.clone(), space: Space { shape, goal_blank, order }, cells, homes })
    }

    /// Returns the goal of the boards of this frame.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the space that the engines search.
    #[inline]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Returns the frame's cell for a cell of the original board.
    pub fn cell(&self, original: Cell) -> Cell {
        Cell::new(usize::from(self.cells[original.index()]))
    }

    /// Returns a tile's goal cell in the frame.
    pub fn home(&self, tile: Tile) -> Cell {
        Cell::new(usize::from(self.homes[tile.label()]))
    }

    /// Returns the board's state in the frame if it is solvable. The board must have the goal's
    /// shape.
    #[inline]
    pub fn admit(&self, board: &Board) -> Option<Solvable> {
        Solvable::check(self.state_of(board), self.space.shape, self.space.goal_blank)
    }

    /// Returns the original board of a state: the inverse of [`Frame::admit`].
    pub fn board(&self, state: &State) -> Board {
        let shape = self.goal.shape();
        let mut tile_of_home = [Tile::BLANK; MAX_SEARCH_CELLS];
        for &tile in self.goal.tiles() {
            tile_of_home[usize::from(self.homes[tile.label()])] = tile;
        }
        let tiles: Vec<Tile> = self.cells[..shape.cells()]
            .iter()
            .map(|&cell| tile_of_home[state.home(Cell::new(usize::from(cell))).index()])
            .collect();
        Board::new(shape, &tiles).unwrap_or_else(|wrong| unreachable!("a state has every tile once: {wrong}"))
    }

    #[inline]
    fn state_of(&self, board: &Board) -> State {
        debug_assert_eq!(board.shape(), self.goal.shape());
        let mut homes = [0; MAX_SEARCH_CELLS];
        for (at, tile) in board.tiles().iter().enumerate() {
            homes[usize::from(self.cells[at])] = self.homes[tile.label()];
        }
        State::from_homes(homes, Cell::new(usize::from(self.cells[board.blank().index()])))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::Goal;
    use crate::system::Random;

    /// Returns a goal for every cell of the blank, with the tiles in descending order.
    fn goals(rows: usize, cols: usize) -> impl Iterator<Item = Board> {
        let shape = Shape::new(rows, cols).unwrap();
        (0..shape.cells()).map(move |blank| {
            let mut tiles: Vec<Tile> = (1..shape.cells()).rev().map(Tile::new).collect();
            tiles.insert(blank, Tile::BLANK);
            Board::new(shape, &tiles).unwrap()
        })
    }

    #[test]
    fn few_canonical_goal_cells() {
        let blanks = |rows, cols| -> Vec<usize> {
            let distinct: BTreeSet<usize> =
                goals(rows, cols).map(|goal| Frame::new(&goal).unwrap().space.goal_blank.index()).collect();
            distinct.into_iter().collect()
        };
        assert_eq!(blanks(3, 3), [4, 7, 8]);
        assert_eq!(blanks(4, 4), [10, 14, 15]);
        assert_eq!(blanks(2, 3), [4, 5]);
        assert_eq!(blanks(3, 2), [4, 5]);
        assert_eq!(blanks(2, 5), [7, 8, 9]);
    }

    #[test]
    fn the_usual_goal_is_not_reflected() {
        let shape = Shape::new(3, 4).unwrap();
        let frame = Frame::new(&Goal::BlankLast.on(shape).unwrap()).unwrap();
        assert_eq!(frame.space, Space { shape, goal_blank: Cell::new(11), order: Move::ALL });
        assert_eq!(frame.state_of(frame.goal()).homes(12), (0..12).collect::<Vec<u8>>());
    }

    /// Making a move on the board and then entering the frame is the same as entering the frame and
    /// making the move of that letter there.
    #[test]
    fn moves_commute_with_the_frame() {
        for (rows, cols) in [(2, 3), (3, 2), (3, 3), (4, 4), (3, 5), (5, 3), (1, 6), (6, 1)] {
            for goal in goals(rows, cols) {
                let frame = Frame::new(&goal).unwrap();
                let space = *frame.space();
                let mut board = goal.clone();
                assert_eq!(frame.state_of(&board), space.goal());
                let mut random = Random::new(7);
                for _ in 0..200 {
                    let letter = Move::from_index(random.bits() as u8);
                    let step = space.order[letter.index()];
                    assert_eq!(space.letter_of(step), letter);
                    let before = frame.state_of(&board);
                    match board.after(letter) {
                        None => assert_eq!(before.after(space.shape, step), None),
                        Some(next) => {
                            board = next;
                            assert_eq!(before.after(space.shape, step), Some(frame.state_of(&board)));
                            assert!(frame.admit(&board).is_some());
                            assert_eq!(frame.board(&frame.state_of(&board)), board);
                        }
                    }
                }
            }
        }
    }
}
