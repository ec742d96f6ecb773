//! Computes the lengths of proven shortest paths of many boards.

use std::sync::{Mutex, PoisonError};

use taquin::arrays::Lengths;
use taquin::{Answer, Goal, SolveOptions, Solver};

use crate::checked::{CheckedRows, Failure, by_blocks, check_skipped_rows, try_filled};
use crate::interruptible::Control;
use crate::options::OnError;
use crate::rows::Rows;

/// The length for a board without a solution.
pub const UNSOLVABLE: i32 = -1;
/// The length if no path was found and proven shortest within the limits.
pub const UNSOLVED: i32 = -2;
/// The length for a skipped row: null, not a board, or a board that the goal does not fit.
pub const SKIPPED: i32 = -3;

/// Returns the length for each row, and true if rows were skipped. `solver` must find shortest
/// paths.
pub fn distances(
    rows: &dyn Rows,
    goal: &Goal,
    solver: &Solver,
    options: &SolveOptions,
    on_error: OnError,
    control: &Control,
) -> Result<(Vec<i32>, bool), Failure> {
    let mut lengths = try_filled(SKIPPED, rows.len())?;
    // Boards of a shape with a table are not searched, so limits have no effect on them.
    let table = match rows.shape() {
        Some(shape) => Lengths::new(solver, &goal.on(shape)?),
        None => None,
    };
    let has_skipped_rows = match table {
        Some(table) => by_table(rows, &table, solver, on_error, control, &mut lengths)?,
        None => {
            let checked = CheckedRows::new(rows, goal, solver, on_error, control)?;
            let answers = solver.solve_all_with(checked.puzzles(), options);
            for (row, answer) in checked.valid_rows().zip(answers) {
                lengths[row] = match answer? {
                    Answer::Unsolvable => UNSOLVABLE,
                    Answer::Solved(solution) if solution.is_optimal() => solution.moves() as i32,
                    _ => UNSOLVED,
                };
                control.add(1);
            }
            !checked.skipped_rows().is_empty()
        }
    };
    Ok((lengths, has_skipped_rows))
}

fn by_table(
    rows: &dyn Rows,
    table: &Lengths,
    solver: &Solver,
    on_error: OnError,
    control: &Control,
    lengths: &mut [i32],
) -> Result<bool, Failure> {
    let (skipped_rows, cells) = (Mutex::new(Vec::new()), rows.shape().map_or(1, taquin::Shape::cells));
    by_blocks(solver, control, lengths, 1, |block, lengths| {
        let mut buffer = Vec::new();
        let tiles = rows.bytes(block.clone(), &mut buffer);
        let mut at = 0;
        while at < lengths.len() {
            at += table.fill(&tiles[at * cells..], &mut lengths[at..]);
            if at < lengths.len() {
                skipped_rows.lock().unwrap_or_else(PoisonError::into_inner).push(block.start + at);
                at += 1;
            }
        }
    })?;
    let skipped_rows =
        check_skipped_rows(rows, skipped_rows.into_inner().unwrap_or_else(PoisonError::into_inner), on_error)?;
    Ok(!skipped_rows.is_empty())
}
