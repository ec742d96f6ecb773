//! Finding out the facts of records, one after the other on each thread.

use super::duplicates::Digests;
use super::facts::{Facts, Requested, Status};
use crate::board::{Board, Reflections, is_solvable};
use crate::format::input::{Chunk, Record};
use crate::heuristic::lower_bound;
use crate::solver::Answer;
use crate::system::Limit;
use crate::tools::labels::{LabelOptions, Labeler, Labels};
use crate::tools::record::board_and_goal;

/// Boards of so many cells are searched in some milliseconds.
const MOST_SEARCHED_CELLS: usize = 400;

/// Examines records. It keeps what serves the next record, so that each thread keeps its own.
pub struct Examiner<'a> {
    requested: Requested,
    labeler: Labeler<'a>,
    /// Whether an effort for large boards was asked for.
    is_asked_for: bool,
    /// Of the last goal; in most files there is one for all.
    reflections: Option<Reflections>,
}

impl<'a> Examiner<'a> {
    pub fn new(requested: Requested, options: &'a LabelOptions<'a>) -> Examiner<'a> {
        let is_asked_for = options.solver.settings().aim.effort.is_some();
        Examiner { requested, labeler: Labeler::in_task(options), is_asked_for, reflections: None }
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
        let mut facts = Facts { index, line, id, puzzle: None, status, bounds: None, digests: None, estimate: None };
        if let Some((board, goal)) = &puzzle {
            facts.bounds = self.requested.bounds.then(|| self.labeler.bounds(board, goal));
            if self.requested.estimate {
                self.estimate(&mut facts, board, goal);
            }
            facts.digests = self.requested.digests.then(|| self.digests(board, goal));
        }
        Facts { puzzle, ..facts }
    }

    fn status(&mut self, board: &Board, goal: &Board) -> Status {
        let Requested { path, path_count, most_moves, .. } = self.requested;
        if !is_solvable(board, goal) {
            return Status::Unsolvable;
        }
        if path || path_count {
            let lower_bound = lower_bound(board, goal);
            // Where more moves than these are none that is asked for, a search would only tell how many more.
            if most_moves.is_some_and(|most| lower_bound > most) || self.is_hopeless(board, lower_bound) {
                return Status::Unsolved { lower_bound, limit: Limit::Effort };
            }
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

    /// Adds what the board is expected to take. Where a limit comes first nothing is added.
    fn estimate(&mut self, facts: &mut Facts, board: &Board, goal: &Board) {
        match self.labeler.estimate(board, goal) {
            Ok(Ok(estimate)) => facts.estimate = Some(estimate),
            Ok(Err(limit @ Limit::Cancelled)) => facts.status = Status::Unsolved { lower_bound: 0, limit },
            Ok(Err(_)) => {}
            Err(error) => facts.status = Status::Failed(error.to_string()),
        }
    }

    /// Whether a search would take seconds for nothing: a path of so large a board tells only where it is as short as its bound,
    /// which it is near the goal alone. An effort that was asked for is spent.
    fn is_hopeless(&self, board: &Board, lower_bound: u64) -> bool {
        let cells = board.shape().cells();
        let is_large = cells > MOST_SEARCHED_CELLS && !board.shape().is_line() && !self.is_asked_for;
        is_large && lower_bound > cells as u64
    }

    fn digests(&mut self, board: &Board, goal: &Board) -> Digests {
        let known = self.reflections.take().filter(|known| known.goal() == goal);
        Digests::of(board, self.reflections.insert(known.unwrap_or_else(|| Reflections::of(goal))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::{Goal, Move, Shape, Tile};
    use crate::solver::{Aim, Settings, Solver};
    use crate::system::{Limits, Random};

    /// What a solver that fails on the board makes of it.
    fn status(board: &Board, goal: &Board, effort: Option<u8>) -> Status {
        let aim = Aim { effort, ..Aim::SHORTEST };
        let built = Solver::builder().threads(1).memory(64 << 20).build().unwrap();
        let mut solver = Solver::with(Settings { aim, ..built.settings().clone() });
        solver.set_trap(board.clone());
        let (stop, limits) = (AtomicBool::new(false), Limits::default());
        let options = LabelOptions { solver: &solver, limits, count_cap: 1, memo_bytes: 0, stop: &stop };
        Examiner::new(Requested { path: true, ..Requested::default() }, &options).status(board, goal)
    }

    /// A board that would be searched for seconds has its bound at once; one near its goal, and one for which an effort
    /// was asked, is searched.
    #[test]
    fn large_boards_are_not_searched_for_nothing() {
        let shape = Shape::new(30, 30).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let mut random = Random(1);
        let mut far = || loop {
            let tiles: Vec<Tile> = random.permutation(900).into_iter().map(Tile::new).collect();
            let board = Board::new(shape, &tiles).unwrap();
            if is_solvable(&board, &goal) {
                return board;
            }
        };
        let far = far();
        let bound = lower_bound(&far, &goal);
        assert_eq!(status(&far, &goal, None), Status::Unsolved { lower_bound: bound, limit: Limit::Effort });
        assert!(matches!(status(&far, &goal, Some(1)), Status::Failed(_)));
        let near = goal.after(Move::Up).unwrap();
        assert!(matches!(status(&near, &goal, None), Status::Failed(_)));
    }
}
