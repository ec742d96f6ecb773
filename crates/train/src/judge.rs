//! Judges weights by the paths that beams find with them, on boards that are not used for training.
//!
//! The error on samples is a poor measure: the weights with the smallest error may work badly in
//! beams.

use std::fmt;

use taquin::Board;
use taquin::internal::training::beam::{Found, Request, search};
use taquin::internal::training::{Budget, Limits, Tables, ThreadShare, replay};

use crate::NEVER;

/// The width of the beams.
const WIDTH: usize = 1000;

/// The judge's score for weights, ordered by the number of boards without a path, then by moves. Lower is
/// better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Score {
    /// The number of boards for which the beam found no path.
    pub failed: u64,
    /// The total length of the paths found for the other boards.
    pub moves: u64,
    /// The number of boards.
    pub boards: u64,
}

impl Score {
    /// Returns the mean length of the paths found.
    pub fn mean(&self) -> f64 {
        self.moves as f64 / (self.boards - self.failed).max(1) as f64
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} moves", self.mean())?;
        if self.failed > 0 { write!(f, " ({} of {} boards without a path)", self.failed, self.boards) } else { Ok(()) }
    }
}

/// Judges the tables by the paths that beams find with them, on `threads` threads.
pub(super) fn judge(tables: &Tables, goal: &Board, boards: &[Board], threads: usize) -> Score {
    let share = boards.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let work = |boards| scope.spawn(move || judge_boards(tables, goal, boards));
        let handles: Vec<_> = boards.chunks(share).map(work).collect();
        let mut total = Score { failed: 0, moves: 0, boards: 0 };
        for handle in handles {
            let score = handle.join().expect("the judge does not panic");
            total.failed += score.failed;
            total.moves += score.moves;
            total.boards += score.boards;
        }
        total
    })
}

fn judge_boards(tables: &Tables, goal: &Board, boards: &[Board]) -> Score {
    let mut score = Score { failed: 0, moves: 0, boards: boards.len() as u64 };
    for board in boards {
        let budget = Budget::start(&Limits { nodes: None, time: None }, &NEVER);
        let thread_share = ThreadShare::alone();
        let max_moves = 40 * goal.tiles().len();
        let request = Request { board, goal, width: WIDTH, max_moves, budget: &budget, thread_share: &thread_share };
        match search(tables, &request, &mut 0, None) {
            Found::Path(path) if replay(board, goal, path.letters()).is_ok() => score.moves += path.len() as u64,
            Found::Path(_) | Found::Stuck(_) => score.failed += 1,
            Found::Limit(limit) => unreachable!("{limit:?} without any limit"),
        }
    }
    score
}
