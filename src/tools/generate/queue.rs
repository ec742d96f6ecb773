//! A queue of puzzles of one kind, found among numbered candidates. A candidate depends only on its
//! number and on the specification, which includes the seed. Candidates are tried in rounds on all
//! threads and taken in the order of their numbers.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::difficulty::Difficulty;
use super::distance::DistanceSolver;
use super::distinct::{SeenPuzzles, count_distinct_boards};
use super::spec::{Error, Goals, Puzzle, Repeats, Spec};
use super::uniform::{self, BoardKind};
use crate::board::Board;
use crate::system::{Random, grouped};

/// The number of consecutive candidates without a new puzzle after which the search gives up.
const MAX_MISSES: u64 = 1 << 24;

/// A queue of puzzles of one kind.
pub struct Queue<'a> {
    spec: Arc<Spec>,
    distances: Arc<DistanceSolver<'a>>,
    kind: BoardKind,
    /// The requested difficulty, if any.
    pub difficulty: Option<Difficulty>,
    /// The number of puzzles requested.
    pub asked: u64,
    found: u64,
    /// The next candidate to try.
    next: u64,
    /// The number of consecutive candidates that gave no new puzzle.
    misses: u64,
    /// The number of candidates in a round.
    round: u64,
    ready: VecDeque<Puzzle>,
}

impl<'a> Queue<'a> {
    /// The maximum number of candidates in a round.
    const MAX_ROUND: u64 = 1 << 14;

    /// The maximum number of tiles on all boards of a round. Boards and goals then take 64 MB.
    const MAX_TILES: u64 = 1 << 24;

    /// Creates a queue of `asked` puzzles.
    pub fn new(spec: &Arc<Spec>, distances: &Arc<DistanceSolver<'a>>, kind: BoardKind, asked: u64) -> Queue<'a> {
        let (spec, distances) = (Arc::clone(spec), Arc::clone(distances));
        let difficulty = spec.moves.clone().filter(|_| kind == BoardKind::Solvable).map(Difficulty::new);
        let (found, next, misses, round, ready) = (0, 0, 0, 16, VecDeque::new());
        Queue { spec, distances, kind, difficulty, asked, found, next, misses, round, ready }
    }

    /// Returns a queue with the same settings, except that shortest solutions have these lengths
    /// and that no puzzles are requested yet.
    pub fn of_moves(&self, moves: RangeInclusive<u16>) -> Queue<'a> {
        let queue = Queue::new(&self.spec, &self.distances, self.kind, 0);
        Queue { difficulty: Some(Difficulty::new(moves)), ..queue }
    }

    /// Returns the number of puzzles still to come.
    pub fn remaining(&self) -> u64 {
        self.asked - self.found
    }

    /// Checks that enough distinct boards exist, as far as their number is known in advance.
    ///
    /// # Errors
    /// When there are too few, or no boards of this difficulty can be found.
    pub fn check_count(&self, goal: &Board) -> Result<(), Error> {
        let (repeats, asked, what) = (self.spec.repeats, self.asked, self.kind.noun());
        let count = |repeats, asked| count_distinct_boards(self.kind, self.difficulty.as_ref(), goal, (repeats, asked));
        if asked == 0 {
            return Ok(());
        }
        let Some(available) = count(repeats, asked)?.filter(|&available| available < asked) else { return Ok(()) };
        let with_reflections = count(Repeats::ExactAvoided, u64::MAX).ok().flatten();
        let boards = with_reflections.filter(|&boards| repeats == Repeats::ReflectionsAvoided && boards > available);
        Err(Error::too_few(available, asked, what, boards))
    }

    /// Returns the next puzzle, which is added to `seen`.
    ///
    /// # Errors
    /// When too many consecutive candidates gave no new puzzle, the work was cancelled, or a
    /// candidate caused an error.
    pub fn next(&mut self, seen: &mut SeenPuzzles) -> Result<Puzzle, Error> {
        loop {
            while let Some(puzzle) = self.ready.pop_front() {
                if seen.insert(&puzzle) {
                    (self.found, self.misses) = (self.found + 1, 0);
                    return Ok(puzzle);
                }
                self.misses += 1;
            }
            if self.misses >= MAX_MISSES {
                let (tried, found, asked) = (grouped(self.misses), grouped(self.found), grouped(self.asked));
                return Err(Error::NotFound(format!(
                    "gave up after {tried} candidates without a match: found {found} of {asked} {}",
                    self.kind.noun()
                )));
            }
            if self.distances.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.try_candidates()?;
        }
    }

    fn try_candidates(&mut self) -> Result<(), Error> {
        // The number still requested or, if greater, the number of consecutive misses.
        let needed = self.remaining().max(self.misses).max(1);
        // All boards of a round are in memory at the same time.
        let fitting = (Self::MAX_TILES / self.spec.goals.shape().cells() as u64).max(1);
        let round = self.round.min(needed).min(fitting);
        let candidates: Vec<u64> = (self.next..self.next + round).collect();
        let puzzles = self.distances.solver.map(&candidates, |&candidate| self.attempt(candidate))?;
        let puzzles = puzzles.into_iter().collect::<Result<Vec<_>, Error>>()?;
        self.next += round;
        self.round = (self.round * 2).min(Self::MAX_ROUND);
        self.misses += puzzles.iter().filter(|puzzle| puzzle.is_none()).count() as u64;
        self.ready.extend(puzzles.into_iter().flatten());
        Ok(())
    }

    /// Returns the puzzle of a candidate; `None` if it does not have the requested difficulty.
    fn attempt(&self, candidate: u64) -> Result<Option<Puzzle>, Error> {
        let (Spec { goals, walk, seed, .. }, kind) = (&*self.spec, self.kind);
        // Solvable and unsolvable candidates use different streams.
        let number = candidate * 2 + u64::from(kind == BoardKind::Unsolvable);
        let rng = &mut Random::stream(*seed, number);
        let goal = match goals {
            Goals::Same(goal) => goal.clone(),
            Goals::Random(shape) => uniform::any_board(*shape, rng),
        };
        let board = match (&self.difficulty, walk) {
            (Some(difficulty), _) => match (difficulty.attempt(&goal, &self.distances, rng), goals) {
                // Other goals may have such boards.
                (Err(Error::NotFound(_)), Goals::Random(_)) => None,
                (board, _) => board?,
            },
            (None, Some(walk)) if kind == BoardKind::Solvable => {
                let (min_steps, max_steps) = walk.clone().into_inner();
                // Saturates, because the number of lengths in the full range of `u64` overflows.
                let steps = min_steps + rng.below((max_steps - min_steps).saturating_add(1));
                Some(uniform::random_walk(goal.clone(), steps, &mut None, rng))
            }
            (None, _) => Some(uniform::board(kind, &goal, rng)),
        };
        Ok(board.map(|board| Puzzle { board, goal }))
    }
}
