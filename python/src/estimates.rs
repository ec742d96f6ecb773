//! Estimates the work for many boards without solving them.

use taquin::arrays::Solvability;
use taquin::{Board, Error, Shape, SolveOptions, Solver};

use crate::checked::{CheckedRows, Failure, try_filled};
use crate::interruptible::Control;
use crate::rows::Rows;
use crate::solvable::board;

/// The maximum number of boards in a block. An estimate may take a second, so blocks are smaller if
/// there are few boards.
const MAX_BLOCK: usize = 64;

/// Returns the goal of the first solvable board whose estimate may need tables to be built.
pub fn goal_that_may_need_tables(rows: &dyn Rows, checked: &CheckedRows<'_>, control: &Control) -> Option<Board> {
    let may_need_tables = |shape: Shape| (10..=25).contains(&shape.cells());
    if rows.shape().is_some_and(|shape| !may_need_tables(shape)) {
        return None;
    }
    let puzzles = checked.puzzles().take_while(|_| !control.cancel.is_cancelled());
    puzzles.filter(|puzzle| may_need_tables(puzzle.board.shape())).find_map(|puzzle| {
        let goal = puzzle.goal.on(puzzle.board.shape()).ok()?;
        let labels: Vec<u16> = puzzle.board.tiles().iter().map(|tile| tile.label() as u16).collect();
        let mut solvable = [false];
        Solvability::new(&goal).fill(&labels, &mut solvable);
        solvable[0].then_some(goal)
    })
}

/// Returns the expected number of nodes for every row: NaN if the row is skipped or there is no
/// estimate.
pub fn estimates(
    rows: &dyn Rows,
    checked: &CheckedRows<'_>,
    solver: &Solver,
    options: &SolveOptions,
    control: &Control,
) -> Result<Vec<f64>, Failure> {
    let mut nodes = try_filled(f64::NAN, rows.len())?;
    let valid_rows: Vec<usize> = checked.valid_rows().collect();
    let block_len = (valid_rows.len() / (8 * solver.threads())).clamp(1, MAX_BLOCK);
    let blocks: Vec<&[usize]> = valid_rows.chunks(block_len).collect();
    let estimated = solver.map(&blocks, |valid_rows| {
        let mut worker = solver.worker();
        let mut found = Vec::with_capacity(valid_rows.len());
        for &row in *valid_rows {
            let Some(board) = board(rows.row(row)).filter(|_| !control.cancel.is_cancelled()) else { break };
            let estimate = worker.estimate(&board, checked.goal(), options)?;
            found.push(estimate.nodes().map_or(f64::NAN, |nodes| nodes as f64));
            control.add(1);
        }
        Ok::<_, Error>(found)
    })?;
    for (valid_rows, found) in blocks.iter().zip(estimated) {
        for (&row, found) in valid_rows.iter().zip(found?) {
            nodes[row] = found;
        }
    }
    Ok(nodes)
}
