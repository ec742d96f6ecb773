//! Checks many boards before any of them is solved.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use taquin::arrays::Solvability;
use taquin::{Board, Error, Goal, Puzzle, Shape, Solver};

use crate::errors::{InvalidBoard, exception_of_error, no_memory};
use crate::interruptible::Control;
use crate::options::OnError;
use crate::rows::{Row, Rows};

/// The number of rows in a block, which one thread processes.
pub const BLOCK: usize = 4096;

/// The reason why a call on many boards fails.
pub enum Failure {
    /// A row is not a board, or the goal does not fit it.
    Row(usize, InvalidBoard),
    /// The library rejected an argument, or failed.
    Library(Error),
    /// This number of entries does not fit into memory.
    Memory(usize),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Library(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Row(row, wrong) => wrong.into_row_exception(row),
            Failure::Library(error) => exception_of_error(&error),
            Failure::Memory(entries) => no_memory(entries),
        }
    }
}

/// Returns a vector of `entries` copies of `value`, or an error if memory does not suffice.
pub fn try_filled<T: Clone>(value: T, entries: usize) -> Result<Vec<T>, Failure> {
    let mut values = Vec::new();
    values.try_reserve_exact(entries).map_err(|_| Failure::Memory(entries))?;
    values.resize(entries, value);
    Ok(values)
}

/// Runs `work` on the solver's threads, for each block of rows and its part of `results`. Each row
/// has `width` results.
pub fn by_blocks<T: Send>(
    solver: &Solver,
    control: &Control,
    results: &mut [T],
    width: usize,
    work: impl Fn(std::ops::Range<usize>, &mut [T]) + Sync,
) -> Result<(), Failure> {
    let blocks: Vec<(usize, Mutex<&mut [T]>)> = results.chunks_mut(BLOCK * width).map(Mutex::new).enumerate().collect();
    solver.map(&blocks, |(block, results)| {
        if control.cancel.is_cancelled() {
            return;
        }
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, rows) = (block * BLOCK, results.len() / width);
        work(start..start + rows, &mut results);
        control.add(rows);
    })?;
    Ok(())
}

/// Sorts the skipped rows. With `OnError::Raise`, returns an error for the first row that is not a
/// board. Null rows are not errors.
pub fn check_skipped_rows(
    rows: &dyn Rows,
    mut skipped_rows: Vec<usize>,
    on_error: OnError,
) -> Result<Vec<usize>, Failure> {
    skipped_rows.sort_unstable();
    if on_error == OnError::Raise {
        for &row in &skipped_rows {
            match rows.row(row) {
                Row::Invalid(wrong) => return Err(Failure::Row(row, wrong)),
                Row::Null | Row::Board(_) => {}
            }
        }
    }
    Ok(skipped_rows)
}

/// Rows that have been checked, and the list of those to skip.
pub struct CheckedRows<'a> {
    rows: &'a dyn Rows,
    goal: &'a Goal,
    /// The rows to skip, ascending: null rows, rows that are not boards, and boards that the goal
    /// does not fit.
    skipped_rows: Vec<usize>,
}

impl<'a> CheckedRows<'a> {
    /// Checks all rows. After a cancellation it checks no more rows, and the caller discards the
    /// result.
    pub fn new(
        rows: &'a dyn Rows,
        goal: &'a Goal,
        solver: &Solver,
        on_error: OnError,
        control: &Control,
    ) -> Result<CheckedRows<'a>, Failure> {
        let skipped_rows = match rows.shape() {
            Some(shape) => check_uniform(rows, &goal.on(shape)?, solver, control)?,
            None => check_mixed(rows, goal, on_error, control)?,
        };
        Ok(CheckedRows { rows, goal, skipped_rows: check_skipped_rows(rows, skipped_rows, on_error)? })
    }

    /// Returns the rows to skip, ascending.
    pub fn skipped_rows(&self) -> &[usize] {
        &self.skipped_rows
    }

    /// Returns the goal of the valid rows.
    pub fn goal(&self) -> &Goal {
        self.goal
    }

    /// Returns the valid boards with their goal.
    pub fn puzzles(&self) -> Puzzles<'_> {
        Puzzles { checked: self, next: 0, skipped: 0, remaining: self.rows.len() - self.skipped_rows.len() }
    }

    /// Returns the row number of each valid board.
    pub fn valid_rows(&self) -> impl Iterator<Item = usize> + '_ {
        let mut skipped = 0;
        (0..self.rows.len()).filter(move |row| {
            let is_skipped = self.skipped_rows.get(skipped) == Some(row);
            skipped += usize::from(is_skipped);
            !is_skipped
        })
    }
}

fn check_uniform(rows: &dyn Rows, goal: &Board, solver: &Solver, control: &Control) -> Result<Vec<usize>, Failure> {
    let (skipped_rows, rule) = (Mutex::new(Vec::new()), Solvability::new(goal));
    let blocks: Vec<usize> = (0..rows.len()).step_by(BLOCK).collect();
    let cells = goal.shape().cells();
    solver.map(&blocks, |&start| {
        if control.cancel.is_cancelled() {
            return;
        }
        let end = (start + BLOCK).min(rows.len());
        let (mut rule, mut labels, mut solvable) = (rule.clone(), Vec::new(), [false; BLOCK]);
        rows.labels(start..end, &mut labels);
        // `fill` stops at a row that is not a board. The solvability that it writes is not used.
        let mut at = start;
        while at < end {
            at += rule.fill(&labels[(at - start) * cells..], &mut solvable[..end - at]);
            if at < end {
                skipped_rows.lock().unwrap_or_else(PoisonError::into_inner).push(at);
                at += 1;
            }
        }
    })?;
    Ok(skipped_rows.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn check_mixed(rows: &dyn Rows, goal: &Goal, on_error: OnError, control: &Control) -> Result<Vec<usize>, Failure> {
    // The shape of the previous board, and the error if the goal does not fit that shape.
    let mut last_fit: Option<(Shape, Result<(), Error>)> = None;
    let mut skipped_rows = Vec::new();
    for row in 0..rows.len() {
        if row % BLOCK == 0 && control.cancel.is_cancelled() {
            break;
        }
        let Row::Board(board) = rows.row(row) else {
            skipped_rows.push(row);
            continue;
        };
        let shape = board.shape();
        let same_shape = last_fit.take().filter(|(last_shape, _)| *last_shape == shape);
        let (_, fit) = last_fit.insert(same_shape.unwrap_or_else(|| (shape, goal.on(shape).map(|_| ()))));
        if let Err(error) = fit {
            if on_error == OnError::Raise {
                let reason = format!("the goal does not fit: {error}");
                let expected = format!("a board of the goal's shape ({goal})");
                return Err(Failure::Row(row, InvalidBoard { reason, found: format!("a board of {shape}"), expected }));
            }
            skipped_rows.push(row);
        }
    }
    Ok(skipped_rows)
}

/// An iterator over the boards of the valid rows.
pub struct Puzzles<'a> {
    checked: &'a CheckedRows<'a>,
    next: usize,
    skipped: usize,
    remaining: usize,
}

impl Iterator for Puzzles<'_> {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        loop {
            let row = self.next;
            if row >= self.checked.rows.len() {
                return None;
            }
            self.next += 1;
            if self.checked.skipped_rows.get(self.skipped) == Some(&row) {
                self.skipped += 1;
                continue;
            }
            // The row was a board when it was checked. If it has changed since then, end here.
            let Row::Board(board) = self.checked.rows.row(row) else { return None };
            self.remaining = self.remaining.saturating_sub(1);
            return Some(Puzzle { board, goal: self.checked.goal.clone() });
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}
