//! Computes the first moves of shortest paths of many boards.

use std::sync::{Mutex, PoisonError};

use taquin::arrays::Lengths;
use taquin::labels::Labeler;
use taquin::{Cell, Error, Goal, Move, Shape, Solver};

use crate::checked::{CheckedRows, Failure, by_blocks, check_skipped_rows, try_filled};
use crate::interruptible::Control;
use crate::options::OnError;
use crate::rows::Rows;
use crate::solvable::board;

/// The moves, in the order of the columns.
const MOVES: [Move; 4] = [Move::Down, Move::Left, Move::Right, Move::Up];

/// Returns four booleans for each row, in the order of `MOVES`, and the skipped rows.
pub fn first_moves(
    rows: &dyn Rows,
    goal: &Goal,
    solver: &Solver,
    on_error: OnError,
    control: &Control,
) -> Result<(Vec<bool>, Vec<usize>), Failure> {
    let mut moves = try_filled(false, rows.len().checked_mul(4).ok_or(Failure::Memory(rows.len()))?)?;
    let table = match rows.shape() {
        Some(shape) => Lengths::new(solver, &goal.on(shape)?).map(|table| (table, shape)),
        None => None,
    };
    let skipped_rows = match table {
        Some((table, shape)) => by_table(rows, (&table, shape), solver, on_error, control, &mut moves)?,
        None => by_labeler(rows, goal, solver, on_error, control, &mut moves)?,
    };
    Ok((moves, skipped_rows))
}

/// Looks up the lengths of neighbours: a move begins a shortest path if the board after it is one
/// move closer to the goal.
fn by_table(
    rows: &dyn Rows,
    (table, shape): (&Lengths, Shape),
    solver: &Solver,
    on_error: OnError,
    control: &Control,
    moves: &mut [bool],
) -> Result<Vec<usize>, Failure> {
    let (skipped_rows, cells) = (Mutex::new(Vec::new()), shape.cells());
    by_blocks(solver, control, moves, 4, |block, moves| {
        let (mut buffer, mut lengths) = (Vec::new(), vec![0; block.len()]);
        let tiles = rows.bytes(block.clone(), &mut buffer);
        // The neighbours of all boards, and for each neighbour the row and column of the entry of
        // `moves` that it decides.
        let (mut neighbours, mut entries) = (Vec::with_capacity(tiles.len() * 3), Vec::with_capacity(block.len() * 3));
        let mut at = 0;
        while at < lengths.len() {
            at += table.fill(&tiles[at * cells..], &mut lengths[at..]);
            if at < lengths.len() {
                skipped_rows.lock().unwrap_or_else(PoisonError::into_inner).push(block.start + at);
                lengths[at] = Lengths::UNSOLVABLE;
                at += 1;
            }
        }
        for (row, (tiles, &length)) in tiles.chunks_exact(cells).zip(&lengths).enumerate() {
            let Some(blank) = tiles.iter().position(|&tile| tile == 0).filter(|_| length > 0) else { continue };
            for (column, step) in MOVES.into_iter().enumerate() {
                let Some(to) = shape.neighbour(Cell::new(blank), step) else { continue };
                let start = neighbours.len();
                neighbours.extend_from_slice(tiles);
                neighbours.swap(start + blank, start + to.index());
                entries.push((row, column));
            }
        }
        let mut lengths_after = vec![0; entries.len()];
        table.fill(&neighbours, &mut lengths_after);
        for ((row, column), length) in entries.into_iter().zip(lengths_after) {
            moves[row * 4 + column] = length + 1 == lengths[row];
        }
    })?;
    check_skipped_rows(rows, skipped_rows.into_inner().unwrap_or_else(PoisonError::into_inner), on_error)
}

/// The number of boards in a block. It is small, because a board may take milliseconds.
const LABELER_BLOCK: usize = 16;

fn by_labeler(
    rows: &dyn Rows,
    goal: &Goal,
    solver: &Solver,
    on_error: OnError,
    control: &Control,
    moves: &mut [bool],
) -> Result<Vec<usize>, Failure> {
    let checked = CheckedRows::new(rows, goal, solver, on_error, control)?;
    let valid_rows: Vec<usize> = checked.valid_rows().collect();
    let blocks: Vec<&[usize]> = valid_rows.chunks(LABELER_BLOCK).collect();
    let labelled = solver.map(&blocks, |rows_of_block| {
        // The number of paths is not needed.
        let mut labeler = Labeler::in_task(solver).count_cap(1).cancel(&control.cancel);
        let mut found = Vec::with_capacity(rows_of_block.len());
        for &row in *rows_of_block {
            let Some(board) = board(rows.row(row)).filter(|_| !control.cancel.is_cancelled()) else { break };
            let labels = labeler.label(&board, goal)?;
            let beginning = labels.shortest_paths.and_then(|paths| paths.beginning);
            found.push(MOVES.map(|step| beginning.as_ref().is_some_and(|begin| begin.first_moves.contains(&step))));
            control.add(1);
        }
        Ok::<_, Error>(found)
    })?;
    for (rows, found) in blocks.iter().zip(labelled) {
        for (&row, found) in rows.iter().zip(found?) {
            moves[row * 4..row * 4 + 4].copy_from_slice(&found);
        }
    }
    Ok(checked.skipped_rows().to_vec())
}
