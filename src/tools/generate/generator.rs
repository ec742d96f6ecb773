//! Puzzles one after the other, as they were specified.

use std::collections::{HashSet, VecDeque};

use super::candidate::CandidateMaker;
use super::difficulty::Difficulty;
use super::error::Error;
use super::random::SeededRng;
use super::seen::{self, SeenPuzzles};
use super::spec::{Goals, Puzzle, Repeats, Spec};
use super::uniform::{self, Solvability};
use crate::board::{Board, Reflections};
use crate::solver::{CancelToken, Solver};

/// The number of the random stream that spreads the unsolvable puzzles, which no candidate has.
const SPREAD_STREAM: u64 = u64::MAX;

/// The search is given up after this number of candidates in a row that gave nothing.
const MAX_MISSES: u64 = 1 << 24;

/// Generates puzzles lazily, in an order that does not depend on the number of threads. After an error it ends.
pub struct Generator<'a> {
    maker: CandidateMaker<'a>,
    solver: &'a Solver,
    seen: SeenPuzzles,
    solvable: Queue,
    unsolvable: Queue,
    spread: SeededRng,
    left: u64,
    left_unsolvable: u64,
}

impl<'a> Generator<'a> {
    /// Puzzles as specified; where a difficulty is asked for, boards are solved to know theirs.
    ///
    /// # Errors
    /// When it is known at once that there are too few, or the threads cannot be started.
    pub fn new(spec: Spec, solver: &'a Solver) -> Result<Generator<'a>, Error> {
        if let Some(walk) = spec.walk.as_ref().filter(|walk| walk.is_empty()) {
            let number = |moves: u64| u16::try_from(moves).unwrap_or(u16::MAX);
            return Err(Error::EmptyRange { from: number(*walk.start()), to: number(*walk.end()) });
        }
        if let Some(moves) = spec.moves.as_ref().filter(|moves| moves.is_empty()) {
            return Err(Error::EmptyRange { from: *moves.start(), to: *moves.end() });
        }
        let left = spec.count;
        let unsolvable = spec.unsolvable.min(left);
        let solvable = left - unsolvable;
        let kind = Solvability::Unsolvable;
        if unsolvable > 0 && !uniform::exists(kind, spec.goals.shape()) {
            return Err(Error::TooFew { found: 0, asked: unsolvable, what: kind.noun() });
        }
        let maker = CandidateMaker::new(spec, solver);
        if let (Some(difficulty), Goals::Same(goal), Repeats::Avoided, 1..) =
            (maker.difficulty(), &maker.spec.goals, maker.spec.repeats, solvable)
        {
            check_enough(difficulty, goal, solvable)?;
        }
        Ok(Generator {
            solver,
            seen: SeenPuzzles::default(),
            solvable: Queue::new(Solvability::Solvable, solvable),
            unsolvable: Queue::new(kind, unsolvable),
            spread: SeededRng::new(maker.spec.seed, SPREAD_STREAM),
            left,
            left_unsolvable: unsolvable,
            maker,
        })
    }

    /// A token by which another thread can end the work: then [`Error::Cancelled`] comes next.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> Generator<'a> {
        self.maker.distances.cancel = token.clone();
        self
    }
}

impl Iterator for Generator<'_> {
    type Item = Result<Puzzle, Error>;

    fn next(&mut self) -> Option<Result<Puzzle, Error>> {
        if self.left == 0 {
            return None;
        }
        // Selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S): exactly as many, every choice of places as likely.
        let unsolvable = self.left_unsolvable > 0 && self.spread.below(self.left) < self.left_unsolvable;
        let queue = if unsolvable { &mut self.unsolvable } else { &mut self.solvable };
        let puzzle = queue.next(&self.maker, self.solver, &mut self.seen);
        self.left_unsolvable -= u64::from(unsolvable);
        self.left = if puzzle.is_ok() { self.left - 1 } else { 0 };
        Some(puzzle)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // An error may end it early, but is an item too.
        (usize::from(self.left > 0), usize::try_from(self.left).ok())
    }
}

impl std::iter::FusedIterator for Generator<'_> {}

/// Checks that a list holds as many puzzles as were asked for; lists are only counted where that is in doubt.
fn check_enough(difficulty: &Difficulty, goal: &Board, asked: u64) -> Result<(), Error> {
    match difficulty.listed(goal)? {
        Some(listed) if asked > listed as u64 / 16 => {
            let all = difficulty.all(goal)?.unwrap_or_default();
            let reflections = Reflections::of(goal);
            let keys: HashSet<Vec<u16>> = all.iter().map(|board| seen::canonical_key(board, &reflections)).collect();
            let found = keys.len() as u64;
            let what = Solvability::Solvable.noun();
            if found < asked { Err(Error::TooFew { found, asked, what }) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}

/// The puzzles of a kind, as they are found.
struct Queue {
    kind: Solvability,
    asked: u64,
    found: u64,
    /// The next candidate to be tried.
    next: u64,
    /// Candidates in a row that gave no puzzle, or none that is new.
    misses: u64,
    /// How many candidates are tried at a time.
    round: u64,
    ready: VecDeque<Puzzle>,
}

impl Queue {
    /// The most candidates that are tried at a time.
    const MAX_ROUND: u64 = 1 << 14;

    /// The most tiles of all boards of a round: 64 MB with their goals.
    const MOST_TILES: u64 = 1 << 24;

    fn new(kind: Solvability, asked: u64) -> Queue {
        Queue { kind, asked, found: 0, next: 0, misses: 0, round: 16, ready: VecDeque::new() }
    }

    fn next(&mut self, maker: &CandidateMaker<'_>, solver: &Solver, seen: &mut SeenPuzzles) -> Result<Puzzle, Error> {
        loop {
            while let Some(puzzle) = self.ready.pop_front() {
                if maker.spec.repeats == Repeats::Allowed || seen.insert(&puzzle) {
                    (self.found, self.misses) = (self.found + 1, 0);
                    return Ok(puzzle);
                }
                self.misses += 1;
            }
            if self.misses >= MAX_MISSES {
                let (found, asked, what) = (self.found, self.asked, self.kind.noun());
                return Err(Error::GaveUp { found, asked, what, tried: self.misses });
            }
            if maker.distances.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.try_candidates(maker, solver)?;
        }
    }

    fn try_candidates(&mut self, maker: &CandidateMaker<'_>, solver: &Solver) -> Result<(), Error> {
        // No more than may be needed, but where most are in vain.
        let needed = (self.asked - self.found).max(self.misses).max(1);
        // All of a round are in memory at the same time.
        let fitting = (Self::MOST_TILES / maker.spec.goals.shape().cells() as u64).max(1);
        let round = self.round.min(needed).min(fitting);
        let candidates: Vec<u64> = (self.next..self.next + round).collect();
        let made = solver.map(&candidates, |&candidate| maker.attempt(self.kind, candidate))?;
        let made = made.into_iter().collect::<Result<Vec<_>, Error>>()?;
        self.next += round;
        self.round = (self.round * 2).min(Self::MAX_ROUND);
        self.misses += made.iter().filter(|puzzle| puzzle.is_none()).count() as u64;
        self.ready.extend(made.into_iter().flatten());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape, is_solvable};

    fn spec(rows: usize, cols: usize, count: u64) -> Spec {
        Spec::uniform(Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap(), count, 7)
    }

    fn generated(spec: &Spec, threads: usize) -> Result<Vec<Puzzle>, Error> {
        let solver = Solver::builder().threads(threads).memory(1 << 30).build().unwrap();
        Generator::new(spec.clone(), &solver)?.collect()
    }

    /// The same on every machine: these boards are part of the contract.
    #[test]
    fn a_seed_gives_the_same_boards_for_ever() {
        let boards = generated(&spec(3, 3, 3), 1).unwrap();
        let boards: Vec<String> = boards.iter().map(|puzzle| puzzle.board.to_string()).collect();
        assert_eq!(boards, PINNED);
    }

    const PINNED: [&str; 3] = ["3 1 2/4 7 6/8 5 0", "5 3 0/4 6 7/8 1 2", "0 8 5/1 7 3/6 2 4"];

    #[test]
    fn threads_do_not_change_a_puzzle() {
        for spec in [
            Spec { unsolvable: 300, repeats: Repeats::Avoided, ..spec(3, 3, 1000) },
            Spec { moves: Some(20..=22), goals: Goals::Random(Shape::new(2, 4).unwrap()), ..spec(3, 3, 500) },
            Spec { moves: Some(40..=44), unsolvable: 2, ..spec(4, 4, 6) },
            // Goals with the blank in the centre have no such boards.
            Spec { moves: Some(31..=31), goals: Goals::Random(Shape::new(3, 3).unwrap()), ..spec(3, 3, 20) },
        ] {
            let one = generated(&spec, 1).unwrap();
            assert_eq!(one.len() as u64, spec.count);
            assert!(one == generated(&spec, 3).unwrap());
            let unsolvable = one.iter().filter(|puzzle| !is_solvable(&puzzle.board, &puzzle.goal)).count();
            assert_eq!(unsolvable as u64, spec.unsolvable);
        }
    }

    /// Walks of an even number of moves end at even distances, and none goes farther than it is long.
    #[test]
    fn walks_are_as_long_as_asked_for() {
        let walked = generated(&Spec { walk: Some(6..=6), ..spec(6, 6, 50) }, 2).unwrap();
        for Puzzle { board, goal } in walked {
            let distance = board.manhattan_distance(&goal);
            assert!(distance <= 6 && distance % 2 == 0 && is_solvable(&board, &goal), "{board}");
        }
        let far = Spec { walk: Some(0..=100_000), ..spec(255, 255, 1) };
        let [Puzzle { board, goal }] = &generated(&far, 1).unwrap()[..] else { panic!("one was asked for") };
        assert!(board != goal && is_solvable(board, goal));
        let (from, to) = (3, 2);
        assert!(generated(&Spec { walk: Some(from..=to), ..spec(2, 2, 1) }, 1).is_err());
    }

    #[test]
    fn a_cancelled_generator_ends() {
        let solver = Solver::builder().threads(1).memory(1 << 30).build().unwrap();
        let token = CancelToken::new();
        let mut generator = Generator::new(spec(4, 4, 100), &solver).unwrap().cancel(&token);
        assert!(generator.next().unwrap().is_ok());
        token.cancel();
        let ended = generator.find(Result::is_err).unwrap();
        assert!(matches!(ended, Err(Error::Cancelled)) && generator.next().is_none());
    }

    /// The first k of more are the k themselves, where nothing is spread among them.
    #[test]
    fn more_begins_with_fewer() {
        let (few, many) = (generated(&spec(4, 4, 20), 1).unwrap(), generated(&spec(4, 4, 900), 2).unwrap());
        assert!(many[..20] == few);
    }

    /// The two boards of 31 moves are reflections of each other.
    #[test]
    fn no_more_than_there_are() {
        let hardest = Spec { moves: Some(31..=31), ..spec(3, 3, 40) };
        let boards: HashSet<String> =
            generated(&hardest, 2).unwrap().iter().map(|puzzle| puzzle.board.to_string()).collect();
        assert_eq!(boards, ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"].map(String::from).into());
        let error = |spec: Spec| generated(&spec, 2).unwrap_err().to_string();
        let two = Spec { repeats: Repeats::Avoided, count: 2, ..hardest };
        assert_eq!(error(two), "there are not so many: 1 of 2 boards were found");
        let none = Spec { unsolvable: 1, ..spec(1, 2, 4) };
        assert_eq!(error(none), "there are not so many: 0 of 1 unsolvable boards were found");
    }

    /// All boards of 2×3, each once: each counts by itself, for no reflection keeps their goal.
    #[test]
    fn every_board_at_some_distances_is_found() {
        let spec = Spec { moves: Some(0..=99), repeats: Repeats::Avoided, ..spec(2, 3, 360) };
        let puzzles: HashSet<Puzzle> = generated(&spec, 2).unwrap().into_iter().collect();
        assert_eq!(puzzles.len(), 360);
    }
}
