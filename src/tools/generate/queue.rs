//! A queue of puzzles of one kind. Candidates are tried in rounds on all threads and taken in the
//! order of their numbers.

use std::collections::VecDeque;

use super::candidate::CandidateMaker;
use super::error::Error;
use super::seen::SeenPuzzles;
use super::spec::Puzzle;
use super::uniform::Solvability;
use crate::solver::Solver;

/// The number of consecutive candidates without a new puzzle after which the search gives up.
const MAX_MISSES: u64 = 1 << 24;

/// A queue of puzzles of one kind.
pub struct Queue {
    kind: Solvability,
    asked: u64,
    found: u64,
    /// The next candidate to try.
    next: u64,
    /// The number of consecutive candidates that gave no new puzzle.
    misses: u64,
    /// The number of candidates in a round.
    round: u64,
    ready: VecDeque<Puzzle>,
}

impl Queue {
    /// The maximum number of candidates in a round.
    const MAX_ROUND: u64 = 1 << 14;

    /// The maximum number of tiles on all boards of a round. Boards and goals then take 64 MB.
    const MAX_TILES: u64 = 1 << 24;

    /// Creates a queue of `asked` puzzles.
    pub fn new(kind: Solvability, asked: u64) -> Queue {
        Queue { kind, asked, found: 0, next: 0, misses: 0, round: 16, ready: VecDeque::new() }
    }

    /// Returns the next puzzle, which is added to `seen`.
    ///
    /// # Errors
    /// When too many consecutive candidates gave no new puzzle, the work was cancelled, or a
    /// candidate caused an error.
    pub fn next(
        &mut self,
        maker: &CandidateMaker<'_>,
        solver: &Solver,
        seen: &mut SeenPuzzles,
    ) -> Result<Puzzle, Error> {
        loop {
            while let Some(puzzle) = self.ready.pop_front() {
                if seen.insert(&puzzle) {
                    (self.found, self.misses) = (self.found + 1, 0);
                    return Ok(puzzle);
                }
                self.misses += 1;
            }
            if self.misses >= MAX_MISSES {
                let (found, asked, what) = (self.found, self.asked, self.kind.noun());
                return Err(Error::GaveUp { found, asked, what, tried: self.misses });
            }
            if maker.distances.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.try_candidates(maker, solver)?;
        }
    }

    fn try_candidates(&mut self, maker: &CandidateMaker<'_>, solver: &Solver) -> Result<(), Error> {
        // The number still requested or, if greater, the number of consecutive misses.
        let needed = (self.asked - self.found).max(self.misses).max(1);
        // All boards of a round are in memory at the same time.
        let fitting = (Self::MAX_TILES / maker.spec.goals.shape().cells() as u64).max(1);
        let round = self.round.min(needed).min(fitting);
        let candidates: Vec<u64> = (self.next..self.next + round).collect();
        let puzzles = solver.map(&candidates, |&candidate| maker.attempt(self.kind, candidate))?;
        let puzzles = puzzles.into_iter().collect::<Result<Vec<_>, Error>>()?;
        self.next += round;
        self.round = (self.round * 2).min(Self::MAX_ROUND);
        self.misses += puzzles.iter().filter(|puzzle| puzzle.is_none()).count() as u64;
        self.ready.extend(puzzles.into_iter().flatten());
        Ok(())
    }
}
