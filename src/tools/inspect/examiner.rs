//! Finding out the facts of records, one after the other on each thread.

use super::duplicates::Digests;
use super::facts::{Facts, Requested, Status};
use crate::board::{Board, Reflections, is_solvable};
use crate::format::input::{Chunk, Record};
use crate::solver::Answer;
use crate::system::Limit;
use crate::tools::labels::{LabelOptions, Labeler, Labels};
use crate::tools::record::board_and_goal;

/// Examines records. It keeps what serves the next record, so that each thread keeps its own.
pub struct Examiner<'a> {
    requested: Requested,
    labeler: Labeler<'a>,
    /// Of the last goal; in most files there is one for all.
    reflections: Option<Reflections>,
}

impl<'a> Examiner<'a> {
    pub fn new(requested: Requested, options: &'a LabelOptions<'a>) -> Examiner<'a> {
        Examiner { requested, labeler: Labeler::in_task(options), reflections: None }
    }

    pub fn examine(&mut self, chunk: &Chunk, record: Record) -> Facts {
        let Record { index, line, id, puzzle, .. } = record;
        let (puzzle, status) = match board_and_goal(puzzle, &chunk.source) {
            Ok((board, goal)) => {
                let status = self.status(&board, &goal);
                (Some((board, goal)), status)
            }
            Err(why) => (None, Status::Invalid(why)),
        };
        let mut facts = Facts { index, line, id, puzzle: None, status, bounds: None, digests: None };
        if let Some((board, goal)) = &puzzle {
            facts.bounds = self.requested.bounds.then(|| self.labeler.bounds(board, goal));
            facts.digests = self.requested.digests.then(|| self.digests(board, goal));
        }
        Facts { puzzle, ..facts }
    }

    fn status(&mut self, board: &Board, goal: &Board) -> Status {
        let Requested { path, path_count, .. } = self.requested;
        if !is_solvable(board, goal) {
            return Status::Unsolvable;
        }
        let labels = match (path, path_count) {
            (_, true) => self.labeler.label_board(board, goal),
            (true, false) => self.labeler.solve(board, goal).map(|answer| Labels { answer, shortest_paths: None }),
            (false, false) => return Status::Solvable,
        };
        match labels {
            Err(error) => Status::Failed(error.to_string()),
            Ok(Labels { answer: Answer::Unsolvable, .. }) => Status::Failed("two parity checks disagree".into()),
            Ok(Labels { answer: Answer::Unsolved { lower_bound, limit }, .. }) => {
                Status::Unsolved { lower_bound, limit }
            }
            Ok(Labels { answer: Answer::Solved(solution), shortest_paths }) if solution.is_optimal() => {
                Status::Solved { path: solution.into_path(), shortest_paths }
            }
            // How hard a board is says only a shortest path.
            Ok(Labels { answer: Answer::Solved(solution), .. }) => {
                let limit = solution.limit().unwrap_or(Limit::Effort);
                Status::Unsolved { lower_bound: solution.lower_bound(), limit }
            }
        }
    }

    fn digests(&mut self, board: &Board, goal: &Board) -> Digests {
        let known = self.reflections.take().filter(|known| known.goal() == goal);
        Digests::of(board, self.reflections.insert(known.unwrap_or_else(|| Reflections::of(goal))))
    }
}
