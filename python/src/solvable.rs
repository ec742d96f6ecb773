//! Determines which of many boards have a solution.

use std::sync::{Mutex, PoisonError};

use taquin::arrays::Solvability;
use taquin::{Goal, Solver};

use crate::checked::{BLOCK, CheckedRows, Failure, by_blocks, check_skipped_rows, try_filled};
use crate::interruptible::Control;
use crate::options::OnError;
use crate::rows::{Row, Rows};

/// Returns a flag for each row, true for a board with a solution, and the skipped rows.
pub fn is_solvable(
    rows: &dyn Rows,
    goal: &Goal,
    solver: &Solver,
    on_error: OnError,
    control: &Control,
) -> Result<(Vec<bool>, Vec<usize>), Failure> {
    let mut solvable = try_filled(false, rows.len())?;
    let Some(shape) = rows.shape() else {
        let checked = CheckedRows::new(rows, goal, solver, on_error, control)?;
        for (row, puzzle) in checked.valid_rows().zip(checked.puzzles()) {
            if row % BLOCK == 0 && control.cancel.is_cancelled() {
                break;
            }
            let goal = puzzle.goal.on(puzzle.board.shape())?;
            let labels: Vec<u16> = puzzle.board.tiles().iter().map(|tile| tile.label() as u16).collect();
            Solvability::new(&goal).fill(&labels, &mut solvable[row..=row]);
        }
        return Ok((solvable, checked.skipped_rows().to_vec()));
    };
    let (skipped_rows, solvability, cells) =
        (Mutex::new(Vec::new()), Solvability::new(&goal.on(shape)?), shape.cells());
    by_blocks(solver, control, &mut solvable, 1, |block, solvable| {
        let (mut solvability, mut bytes, mut labels) = (solvability.clone(), Vec::new(), Vec::new());
        let tiles = if cells < 255 { Ok(rows.bytes(block.clone(), &mut bytes)) } else { Err(()) };
        if tiles.is_err() {
            rows.labels(block.clone(), &mut labels);
        }
        let mut at = 0;
        while at < solvable.len() {
            at += match tiles {
                Ok(tiles) => solvability.fill(&tiles[at * cells..], &mut solvable[at..]),
                Err(()) => solvability.fill(&labels[at * cells..], &mut solvable[at..]),
            };
            if at < solvable.len() {
                skipped_rows.lock().unwrap_or_else(PoisonError::into_inner).push(block.start + at);
                at += 1;
            }
        }
    })?;
    let skipped_rows =
        check_skipped_rows(rows, skipped_rows.into_inner().unwrap_or_else(PoisonError::into_inner), on_error)?;
    Ok((solvable, skipped_rows))
}

/// Returns the board of a row, if it has one.
pub fn board(row: Row) -> Option<taquin::Board> {
    match row {
        Row::Board(board) => Some(board),
        Row::Null | Row::Invalid(_) => None,
    }
}
