//! Boards that are told apart: each once, reflections that keep the goal's blank counted as the same puzzle.
//!
//! A symmetry of the rectangle that leaves the goal's blank where it is takes every puzzle to one that is solved
//! by the reflected moves, once its tiles are renamed as the goal's are: a 15-puzzle and its
//! reflection in the main diagonal, with the blank's goal in the corner.

use std::collections::HashSet;

use super::Puzzle;
use super::uniform::renamed;
use crate::board::{Board, Cell, Shape, Tile};

/// The puzzles that were met.
#[derive(Debug, Default)]
pub struct Distinct {
    seen: HashSet<Vec<u16>>,
}

impl Distinct {
    /// True for a puzzle that was not met before, nor a reflection of it.
    pub fn is_new(&mut self, puzzle: &Puzzle) -> bool {
        self.seen.insert(key(&puzzle.board, &puzzle.goal))
    }
}

/// What a puzzle has in common with its reflections: the smallest of them, behind the goal.
pub fn key(board: &Board, goal: &Board) -> Vec<u16> {
    let labels = |board: &Board| board.tiles().iter().map(|tile: &Tile| tile.label() as u16).collect::<Vec<_>>();
    let reflections = symmetries(goal.shape(), goal.blank()).into_iter().map(|to| labels(&renamed(board, goal, &to)));
    let mut key = labels(goal);
    key.extend(reflections.min().unwrap_or_default());
    key
}

/// The symmetries of a rectangle that leave a cell where it is: where each takes every cell. The identity is one.
fn symmetries(shape: Shape, kept: Cell) -> Vec<Vec<Cell>> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let transposes: &[bool] = if rows == cols { &[false, true] } else { &[false] };
    let mut all = Vec::new();
    for &transpose in transposes {
        for (flip_rows, flip_cols) in [(false, false), (false, true), (true, false), (true, true)] {
            let to = |cell: usize| {
                let (row, col) = (shape.row(Cell::new(cell)), shape.col(Cell::new(cell)));
                let (row, col) = if transpose { (col, row) } else { (row, col) };
                let row = if flip_rows { rows - 1 - row } else { row };
                let col = if flip_cols { cols - 1 - col } else { col };
                shape.cell(row, col)
            };
            if to(kept.index()) == kept {
                all.push((0..shape.cells()).map(to).collect());
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GoalSpec;
    use crate::generate::random::Draw;
    use crate::generate::uniform::{Kind, of_kind};
    use crate::solver::Solvers;

    #[test]
    fn symmetries_keep_their_cell() {
        let count = |rows, cols, kept| symmetries(Shape::new(rows, cols).unwrap(), Cell::new(kept)).len();
        assert_eq!([count(3, 3, 8), count(3, 3, 4), count(3, 3, 7), count(3, 3, 2)], [2, 8, 2, 2]);
        assert_eq!([count(3, 4, 11), count(3, 4, 7), count(3, 5, 7), count(2, 3, 1)], [1, 2, 4, 2]);
    }

    /// Reflections are as far from the goal as the board, and share its key; other boards do not.
    #[test]
    fn reflections_share_a_key_and_a_distance() {
        let solvers = Solvers::new(Default::default(), 1, 1 << 28);
        for goal in ["blank-last", "snail", "1,2,3/4,5,6/7,0,8", "0,1,2/3,4,5/6,7,8"] {
            let goal = goal.parse::<GoalSpec>().unwrap().on(Shape::new(3, 3).unwrap()).unwrap();
            let mut desk = crate::desk::Desk::default();
            let mut moves = |board: &Board| desk.unlimited(&solvers, board, &goal).unwrap().unwrap().len();
            let mut seen = Distinct::default();
            for number in 0..20 {
                let board = of_kind(Kind::Solvable, &goal, &mut Draw::new(8, number));
                assert!(seen.is_new(&Puzzle { board: board.clone(), goal: goal.clone() }));
                for to in symmetries(goal.shape(), goal.blank()) {
                    let reflected = renamed(&board, &goal, &to);
                    assert_eq!(key(&reflected, &goal), key(&board, &goal));
                    assert_eq!(moves(&reflected), moves(&board), "{board} {reflected}");
                    assert!(!seen.is_new(&Puzzle { board: reflected, goal: goal.clone() }));
                }
            }
        }
    }
}
