//! Our own solution of one board after the other, for whoever needs it to go on: replayed before it is given away.

use std::sync::atomic::AtomicBool;

use crate::board::{Board, Path};
use crate::engine::{Budget, Crew, Limit, Limits, Outcome, Stats, line};
use crate::solver::{Prepared, Scratch, Solvers};
use crate::verify;

/// What we know of a solvable board.
#[derive(Clone, Debug)]
pub enum Solution {
    /// The canonical shortest path.
    Shortest(Path),
    /// Not solved within its limits: no path is shorter than this.
    Unknown {
        /// No path is shorter.
        lower_bound: u64,
        /// What ended the search.
        limit: Limit,
    },
}

/// A path that an engine found, if it is one: nobody is to be judged by a path that was not replayed.
fn replayed(board: &Board, goal: &Board, path: Path) -> Result<Solution, String> {
    match verify::replay(board, goal, path.letters()) {
        Ok(()) => Ok(Solution::Shortest(path)),
        Err(fault) => Err(format!("a path was found that is none: {fault}")),
    }
}

/// A solution – or in what way the program failed on the board – and whether it took a search.
pub struct Ours {
    pub solution: Result<Solution, String>,
    pub searched: bool,
}

/// What a worker keeps from board to board.
#[derive(Default)]
pub struct Desk {
    scratch: Scratch,
    /// Who helps with a board, where the desk stands in a pool of threads.
    crew: Option<Crew>,
    path: Path,
    /// The goal that was last prepared; in most files the only one.
    ready: Option<(Board, Option<Prepared>)>,
}

impl Desk {
    /// A desk in the pool of a crew, whose free threads help.
    pub fn within(crew: Crew) -> Desk {
        Desk { crew: Some(crew), ..Desk::default() }
    }

    /// Solves a board of which parity says that it can be solved.
    pub fn solve(
        &mut self,
        solvers: &Solvers,
        limits: &Limits,
        stop: &AtomicBool,
        board: &Board,
        goal: &Board,
    ) -> Ours {
        let known = self.ready.take().filter(|(known, _)| known == goal);
        let (_, prepared) = self.ready.insert(known.unwrap_or_else(|| (goal.clone(), solvers.prepare(goal))));
        let Some(prepared) = prepared else {
            let shape = board.shape();
            return match shape.is_line() || board == goal {
                true => {
                    let path = line::walk(shape, board.blank(), goal.blank()).collect();
                    Ours { solution: replayed(board, goal, path), searched: false }
                }
                false => {
                    let lower_bound = board.manhattan_distance(goal);
                    let solution = Solution::Unknown { lower_bound, limit: Limit::Size };
                    Ours { solution: Ok(solution), searched: false }
                }
            };
        };
        let space = prepared.frame.space();
        let Some(start) = prepared.frame.admit(board) else {
            return Ours { solution: Err("two parity checks disagree".into()), searched: false };
        };
        if prepared.engine.answer_at_once(space, &start, &mut self.path) {
            return Ours { solution: replayed(board, goal, self.path.clone()), searched: false };
        }
        let (mut stats, budget) = (Stats::default(), Budget::start(limits, stop));
        let crew = self.crew.clone().unwrap_or_else(Crew::alone);
        let _task = crew.task();
        let outcome = prepared.engine.solve(space, &start, &budget, &crew, &mut self.scratch, &mut stats);
        let solution = match outcome {
            Outcome::Solved(path) => replayed(board, goal, path),
            Outcome::Unsolved { lower_bound, limit } => {
                Ok(Solution::Unknown { lower_bound: u64::from(lower_bound), limit })
            }
        };
        Ours { solution, searched: true }
    }

    /// What the goal of the last board was prepared for; `None` where no engine searches boards so large, or none was solved.
    pub fn prepared(&self) -> Option<&Prepared> {
        self.ready.as_ref()?.1.as_ref()
    }

    /// A shortest path of a board that can be solved, however long it takes; `None` where no engine searches boards so large.
    ///
    /// # Errors
    /// How the program failed on the board.
    pub fn unlimited(&mut self, solvers: &Solvers, board: &Board, goal: &Board) -> Result<Option<Path>, String> {
        let stop = AtomicBool::new(false);
        match self.solve(solvers, &Limits::default(), &stop, board, goal).solution? {
            Solution::Shortest(path) => Ok(Some(path)),
            Solution::Unknown { limit: Limit::Size, .. } => Ok(None),
            Solution::Unknown { limit, .. } => {
                Err(format!("the search came to an end without one, by its limit of {}", limit.name()))
            }
        }
    }
}
