//! Puzzles made from candidate numbers. A puzzle depends only on the specification, which includes
//! the seed, and on its candidate number.

use std::sync::Arc;

use super::difficulty::Difficulty;
use super::distance::DistanceSolver;
use super::error::Error;
use super::spec::{Goals, Puzzle, Spec};
use super::uniform::{self, Solvability};
use crate::board::Board;
use crate::solver::Solver;
use crate::system::Random;

/// A maker of puzzles from candidate numbers.
pub struct CandidateMaker<'a> {
    pub spec: Spec,
    difficulty: Option<Difficulty>,
    pub distances: Arc<DistanceSolver<'a>>,
}

impl<'a> CandidateMaker<'a> {
    pub fn new(spec: Spec, solver: &'a Solver) -> CandidateMaker<'a> {
        let difficulty = spec.moves.clone().map(Difficulty::new);
        CandidateMaker { spec, difficulty, distances: Arc::new(DistanceSolver::new(solver)) }
    }

    /// Returns a maker with the same settings, except that shortest solutions have this length.
    pub fn of_length(&self, moves: u16) -> CandidateMaker<'a> {
        let spec = Spec { moves: Some(moves..=moves), ..self.spec.clone() };
        let difficulty = spec.moves.clone().map(Difficulty::new);
        CandidateMaker { spec, difficulty, distances: Arc::clone(&self.distances) }
    }

    /// Returns the requested difficulty, if any.
    pub fn difficulty(&self) -> Option<&Difficulty> {
        self.difficulty.as_ref()
    }

    /// Returns the board at the end of a random walk from the goal, if walks are requested.
    fn walk_from(&self, goal: &Board, rng: &mut Random) -> Option<Board> {
        let (min_steps, max_steps) = self.spec.walk.clone()?.into_inner();
        // The number of lengths would overflow if the range is all of `u64`.
        let steps = min_steps + rng.below((max_steps - min_steps).saturating_add(1));
        Some(uniform::random_walk(goal.clone(), steps, &mut None, rng))
    }

    /// Returns the puzzle of a candidate; `None` if it does not have the requested difficulty.
    pub fn attempt(&self, kind: Solvability, candidate: u64) -> Result<Option<Puzzle>, Error> {
        // Solvable and unsolvable candidates use different streams.
        let number = candidate * 2 + u64::from(kind == Solvability::Unsolvable);
        let rng = &mut Random::stream(self.spec.seed, number);
        let goal = match &self.spec.goals {
            Goals::Same(goal) => goal.clone(),
            Goals::Random(shape) => uniform::any_board(*shape, rng),
        };
        let board = match (&self.difficulty, kind) {
            (None, Solvability::Solvable) if self.spec.walk.is_some() => self.walk_from(&goal, rng),
            (None, _) | (_, Solvability::Unsolvable) => Some(uniform::board(kind, &goal, rng)),
            (Some(difficulty), Solvability::Solvable) => {
                match (difficulty.attempt(&goal, &self.distances, rng), &self.spec.goals) {
                    // Other goals may have such boards.
                    (Err(Error::BeyondFarthest { .. } | Error::TooRare { .. }), Goals::Random(_)) => None,
                    (board, _) => board?,
                }
            }
        };
        Ok(board.map(|board| Puzzle { board, goal }))
    }
}
