//! Estimates the work for many boards without solving them.

use taquin::arrays::Solvability;
use taquin::{Board, Error, Shape, SolveOptions, Solver};

use crate::checked::{Checked, Failure, results};
use crate::interruptible::Control;
use crate::rows::Rows;
use crate::solvable::board;

/// The maximum number of boards that one thread estimates in a row. For boards that take a second
/// each, a thread takes one or two.
const MOST_TOGETHER: usize = 64;

/// Returns the goal of the first board that probably needs a search, and therefore tables.
pub fn goal_of_tables(rows: &dyn Rows, checked: &Checked<'_>, control: &Control) -> Option<Board> {
    let is_searched = |shape: Shape| (10..=25).contains(&shape.cells());
    if rows.shape().is_some_and(|shape| !is_searched(shape)) {
        return None;
    }
    let asked = checked.puzzles().take_while(|_| !control.cancel.is_cancelled());
    asked.filter(|puzzle| is_searched(puzzle.board.shape())).find_map(|puzzle| {
        let goal = puzzle.goal.on(puzzle.board.shape()).ok()?;
        let labels: Vec<u16> = puzzle.board.tiles().iter().map(|tile| tile.label() as u16).collect();
        let mut solvable = [false];
        Solvability::new(&goal).fill(&labels, &mut solvable);
        solvable[0].then_some(goal)
    })
}

/// Returns the expected nodes of every row, or NaN if the row is not a board or the estimate is not
/// known.
pub fn estimates(
    rows: &dyn Rows,
    checked: &Checked<'_>,
    solver: &Solver,
    options: &SolveOptions,
    control: &Control,
) -> Result<Vec<f64>, Failure> {
    let mut nodes = results(f64::NAN, rows.len())?;
    let places: Vec<usize> = checked.places().collect();
    let together = (places.len() / (8 * solver.threads())).clamp(1, MOST_TOGETHER);
    let blocks: Vec<&[usize]> = places.chunks(together).collect();
    let estimated = solver.map(&blocks, |places| {
        let mut worker = solver.worker();
        let mut found = Vec::with_capacity(places.len());
        for &row in *places {
            let Some(board) = board(rows.row(row)).filter(|_| !control.cancel.is_cancelled()) else { break };
            let estimate = worker.estimate_with(&board, checked.goal(), options)?;
            found.push(estimate.nodes().map_or(f64::NAN, |nodes| nodes as f64));
            control.add(1);
        }
        Ok::<_, Error>(found)
    })?;
    for (places, found) in blocks.iter().zip(estimated) {
        for (&row, found) in places.iter().zip(found?) {
            nodes[row] = found;
        }
    }
    Ok(nodes)
}
