//! Many boards, checked before any of them is solved.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use taquin::arrays::Solvability;
use taquin::{Board, Error, Goal, Puzzle, Shape, Solver};

use crate::errors::{Wrong, no_memory, raised};
use crate::interruptible::Control;
use crate::options::OnError;
use crate::rows::{Row, Rows};

/// The number of rows that a thread processes together.
pub const BLOCK: usize = 4096;

/// The reason why a call on many boards fails.
pub enum Failure {
    /// A row is not a board.
    Row(usize, Wrong),
    /// The library rejected an argument, or failed.
    Library(Error),
    /// The results do not fit into memory.
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
            Failure::Row(row, wrong) => wrong.in_row(row),
            Failure::Library(error) => raised(&error),
            Failure::Memory(entries) => no_memory(entries),
        }
    }
}

/// Returns a vector of results, if there is memory for it.
pub fn results<T: Clone>(value: T, entries: usize) -> Result<Vec<T>, Failure> {
    let mut results = Vec::new();
    results.try_reserve_exact(entries).map_err(|_| Failure::Memory(entries))?;
    results.resize(entries, value);
    Ok(results)
}

/// Runs `work` for each block of rows on the solver's threads, with the block's part of the
/// results.
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

/// Handles rows that are not boards: returns an error for the first one, or the sorted list of rows
/// to leave out, nulls included.
pub fn sort_out(rows: &dyn Rows, mut none: Vec<usize>, on_error: OnError) -> Result<Vec<usize>, Failure> {
    none.sort_unstable();
    if on_error == OnError::Raise {
        for &row in &none {
            match rows.row(row) {
                Row::Wrong(wrong) => return Err(Failure::Row(row, wrong)),
                Row::Null | Row::Board(_) => {}
            }
        }
    }
    Ok(none)
}

/// Boards whose invalid rows are known.
pub struct Checked<'a> {
    rows: &'a dyn Rows,
    goal: &'a Goal,
    /// The rows that are not boards, ascending.
    none: Vec<usize>,
}

impl<'a> Checked<'a> {
    /// Checks all rows. If the call is cancelled, it checks only some; nobody sees the results
    /// then.
    pub fn new(
        rows: &'a dyn Rows,
        goal: &'a Goal,
        solver: &Solver,
        on_error: OnError,
        control: &Control,
    ) -> Result<Checked<'a>, Failure> {
        let none = match rows.shape() {
            Some(shape) => uniform(rows, &goal.on(shape)?, solver, control)?,
            None => mixed(rows, goal, on_error, control)?,
        };
        Ok(Checked { rows, goal, none: sort_out(rows, none, on_error)? })
    }

    /// Returns the rows that are not boards.
    pub fn none(&self) -> &[usize] {
        &self.none
    }

    /// Returns the goal of the valid rows.
    pub fn goal(&self) -> &Goal {
        self.goal
    }

    /// Returns the valid boards with their goal.
    pub fn puzzles(&self) -> Puzzles<'_> {
        Puzzles { of: self, next: 0, behind: 0, left: self.rows.len() - self.none.len() }
    }

    /// Returns the row number of each valid board.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let mut behind = 0;
        (0..self.rows.len()).filter(move |row| {
            let is_none = self.none.get(behind) == Some(row);
            behind += usize::from(is_none);
            !is_none
        })
    }
}

fn uniform(rows: &dyn Rows, goal: &Board, solver: &Solver, control: &Control) -> Result<Vec<usize>, Failure> {
    let (none, rule) = (Mutex::new(Vec::new()), Solvability::new(goal));
    let blocks: Vec<usize> = (0..rows.len()).step_by(BLOCK).collect();
    let cells = goal.shape().cells();
    solver.map(&blocks, |&start| {
        if control.cancel.is_cancelled() {
            return;
        }
        let end = (start + BLOCK).min(rows.len());
        let (mut rule, mut labels, mut solvable) = (rule.clone(), Vec::new(), [false; BLOCK]);
        rows.labels(start..end, &mut labels);
        let mut at = start;
        while at < end {
            at += rule.fill(&labels[(at - start) * cells..], &mut solvable[..end - at]);
            if at < end {
                none.lock().unwrap_or_else(PoisonError::into_inner).push(at);
                at += 1;
            }
        }
    })?;
    Ok(none.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn mixed(rows: &dyn Rows, goal: &Goal, on_error: OnError, control: &Control) -> Result<Vec<usize>, Failure> {
    // The last shape, and true if the goal has that shape.
    let mut fits: Option<(Shape, Result<(), Error>)> = None;
    let mut none = Vec::new();
    for row in 0..rows.len() {
        if row % BLOCK == 0 && control.cancel.is_cancelled() {
            break;
        }
        let Row::Board(board) = rows.row(row) else {
            none.push(row);
            continue;
        };
        let shape = board.shape();
        let known = fits.take().filter(|(known, _)| *known == shape);
        let (_, fit) = fits.insert(known.unwrap_or_else(|| (shape, goal.on(shape).map(|_| ()))));
        if let Err(error) = fit {
            if on_error == OnError::Raise {
                let reason = format!("the goal does not fit: {error}");
                let expected = format!("a board of the goal's shape ({goal})");
                return Err(Failure::Row(row, Wrong { reason, found: format!("a board of {shape}"), expected }));
            }
            none.push(row);
        }
    }
    Ok(none)
}

/// An iterator over the boards of the valid rows.
pub struct Puzzles<'a> {
    of: &'a Checked<'a>,
    next: usize,
    behind: usize,
    left: usize,
}

impl Iterator for Puzzles<'_> {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        loop {
            let row = self.next;
            if row >= self.of.rows.len() {
                return None;
            }
            self.next += 1;
            if self.of.none.get(self.behind) == Some(&row) {
                self.behind += 1;
                continue;
            }
            // The row was a board when it was checked. If it was changed since, it has no answer.
            let Row::Board(board) = self.of.rows.row(row) else { return None };
            self.left = self.left.saturating_sub(1);
            return Some(Puzzle { board, goal: self.of.goal.clone() });
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}
