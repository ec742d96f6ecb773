//! Solves many boards, with the answers as columns.

use taquin::{Answer, Goal, SolveOptions, Solver};

use crate::answer::{INVALID, NULL, SOLVED, UNSOLVABLE, UNSOLVED};
use crate::checked::{CheckedRows, Failure, try_filled};
use crate::distances;
use crate::interruptible::Control;
use crate::options::OnError;
use crate::rows::{Row, Rows};

/// The names of the limits, by code. Code 0 stands for no limit.
pub const LIMITS: [&str; 6] = ["", "time", "nodes", "memory", "effort", "cancelled"];

/// The answers, as columns.
pub struct Columns {
    /// Indices into [`crate::answer::STATUSES`].
    pub status: Vec<u8>,
    /// The number of moves of each path, or one of the negative codes in [`distances`].
    pub moves: Vec<i32>,
    /// Proven lower bounds on the lengths of paths; -1 for unsolvable boards, -3 for skipped
    /// rows.
    pub lower_bound: Vec<i32>,
    /// Indices into [`LIMITS`].
    pub limit: Vec<u8>,
    /// The letters of all paths, concatenated; empty if paths are not kept.
    pub letters: Vec<u8>,
    /// The start of each path in `letters`, followed by the end of the last; a single 0 if paths
    /// are not kept.
    pub offsets: Vec<i64>,
}

/// Solves the boards.
pub fn solve_many(
    rows: &dyn Rows,
    goal: &Goal,
    solver: &Solver,
    options: &SolveOptions,
    (keeps_paths, on_error): (bool, OnError),
    control: &Control,
) -> Result<Columns, Failure> {
    let checked = CheckedRows::new(rows, goal, solver, on_error, control)?;
    let mut columns = Columns {
        status: try_filled(INVALID, rows.len())?,
        moves: try_filled(distances::SKIPPED, rows.len())?,
        lower_bound: try_filled(distances::SKIPPED, rows.len())?,
        limit: try_filled(0, rows.len())?,
        letters: Vec::new(),
        offsets: if keeps_paths { try_filled(0, rows.len() + 1)? } else { vec![0] },
    };
    for &row in checked.skipped_rows() {
        if matches!(rows.row(row), Row::Null) {
            columns.status[row] = NULL;
        }
    }
    let mut next = 0;
    for (row, answer) in checked.valid_rows().zip(solver.solve_all_with(checked.puzzles(), options)) {
        let answer = answer?;
        if keeps_paths {
            // The path of this row starts here. The rows skipped before this row have no letters.
            columns.offsets[next..=row].fill(columns.letters.len() as i64);
            next = row + 1;
        }
        columns.record(row, &answer, keeps_paths)?;
        control.add(1);
    }
    if keeps_paths {
        columns.offsets[next..].fill(columns.letters.len() as i64);
    }
    Ok(columns)
}

impl Columns {
    fn record(&mut self, row: usize, answer: &Answer, keeps_paths: bool) -> Result<(), Failure> {
        let number = |moves: u64| i32::try_from(moves).unwrap_or(i32::MAX);
        let (status, moves, lower_bound, limit) = match answer {
            Answer::Solved(solution) => {
                if keeps_paths {
                    let letters = solution.letters().as_bytes();
                    self.letters.try_reserve(letters.len()).map_err(|_| Failure::Memory(letters.len()))?;
                    self.letters.extend_from_slice(letters);
                }
                (SOLVED, solution.moves() as i32, number(solution.lower_bound()), solution.limit)
            }
            Answer::Unsolvable => (UNSOLVABLE, distances::UNSOLVABLE, distances::UNSOLVABLE, None),
            Answer::Unsolved { lower_bound, limit } => {
                (UNSOLVED, distances::UNSOLVED, number(*lower_bound), Some(*limit))
            }
            _ => unreachable!("there is no other kind of answer"),
        };
        let limit = limit.and_then(|limit| LIMITS.iter().position(|&name| name == limit.name()));
        (self.status[row], self.moves[row], self.lower_bound[row]) = (status, moves, lower_bound);
        self.limit[row] = limit.unwrap_or(0) as u8;
        Ok(())
    }
}
