//! Puzzles made to order: random, of an exact difficulty, unsolvable, each its own, or the hardest there are.
//!
//! Puzzles are told by what was asked for and the seed alone. Each is looked for among *candidates* with numbers of
//! their own: what comes of a candidate depends on the seed and its number (`random`), so they are tried on
//! all threads, and taken in the order of their numbers.

mod difficulty;
mod distinct;
mod farthest;
mod pool;
mod random;
mod uniform;

use std::collections::{HashSet, VecDeque};
use std::io;
use std::ops::RangeInclusive;

use crossbeam::queue::ArrayQueue;
use rayon::prelude::*;

use crate::board::{Board, Reflections, Shape};
use crate::desk::Desk;
use crate::solver::Solvers;
use difficulty::Difficulty;
use distinct::Distinct;
use random::Draw;
use uniform::Kind;

pub use farthest::farthest;

/// A board and what it is to be turned into.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Puzzle {
    /// The start.
    pub board: Board,
    /// The goal.
    pub goal: Board,
}

/// The goals of puzzles.
#[derive(Clone, Debug)]
pub enum Goals {
    /// The same for all.
    Same(Board),
    /// Each its own, drawn evenly from all boards of a shape.
    Random(Shape),
}

impl Goals {
    fn shape(&self) -> Shape {
        match self {
            Goals::Same(goal) => goal.shape(),
            Goals::Random(shape) => *shape,
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The goals.
    pub goals: Goals,
    /// How many puzzles.
    pub count: u64,
    /// How many of them have no solution. They are spread at random.
    pub unsolvable: u64,
    /// The lengths of the shortest solutions of the others.
    pub moves: Option<RangeInclusive<u16>>,
    /// Whether a puzzle, or a reflection of it, may come twice.
    pub repeats: Repeats,
    /// Other seeds give other puzzles.
    pub seed: u64,
}

/// Whether a puzzle may come twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeats {
    /// It may.
    Allowed,
    /// It may not, nor may its reflection where that keeps the goal.
    Avoided,
}

/// Why puzzles were not made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Their difficulty cannot be found out.
    #[error("{0} boards are too large to be searched: their difficulty cannot be chosen")]
    TooLarge(Shape),
    /// They are not as hard as was asked.
    #[error("no {shape} board needs so many moves: the farthest need {farthest}")]
    NoneSoFar {
        /// Of this shape.
        shape: Shape,
        /// The farthest distance there is.
        farthest: u16,
    },
    /// Boards so hard are not known, and random ones are easier.
    #[error("{shape} boards of more than {usual} moves are too rare to be found at random, and none is known")]
    NotKnown {
        /// Of this shape and goal.
        shape: Shape,
        /// What random boards need at the most.
        usual: u16,
    },
    /// They take too long to be solved.
    #[error("{shape} boards of more than {most} moves take too long to be solved for certain")]
    TooHard {
        /// Of this shape.
        shape: Shape,
        /// The most moves that are made.
        most: u16,
    },
    /// They are too rare, or there are no more.
    #[error(
        "gave up after {tried} boards in a row that were not what was asked for, or not new: found {found} of {asked} {what}"
    )]
    GaveUp {
        /// How many were found.
        found: u64,
        /// How many were wanted.
        asked: u64,
        /// What they are.
        what: &'static str,
        /// How many were tried in vain.
        tried: u64,
    },
    /// There are none, or no more.
    #[error("there are not so many: {found} of {asked} {what} were found")]
    TooFew {
        /// How many there are.
        found: u64,
        /// How many were wanted.
        asked: u64,
        /// What they are.
        what: &'static str,
    },
    /// The program failed on a board.
    #[error("the program failed on the board {0}: {1}")]
    Fault(String, String),
    /// The puzzles could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// There are no threads to work on.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The number of the draw that spreads the unsolvable ones, which no candidate has.
const SPREAD: u64 = u64::MAX;

/// After so many candidates in a row that gave nothing the search is given up.
const PATIENCE: u64 = 1 << 24;

/// Makes the puzzles, and gives away one after the other.
///
/// # Errors
/// When there are not so many as were asked for, or one cannot be taken.
pub fn run(
    request: &Request,
    solvers: &Solvers,
    threads: usize,
    take: &mut dyn FnMut(&Puzzle) -> io::Result<()>,
) -> Result<(), Error> {
    let unsolvable = request.unsolvable.min(request.count);
    let solvable = request.count - unsolvable;
    let shape = request.goals.shape();
    if unsolvable > 0 && !uniform::exists(Kind::Unsolvable, shape) {
        return Err(Error::TooFew { found: 0, asked: unsolvable, what: Kind::Unsolvable.name() });
    }
    let difficulty = request.moves.clone().map(Difficulty::new);
    if let (Some(difficulty), Goals::Same(goal), Repeats::Avoided, 1..) =
        (&difficulty, &request.goals, request.repeats, solvable)
    {
        enough(difficulty, goal, solvable)?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let maker = Maker { request, difficulty, solvers, desks: ArrayQueue::new(threads.max(1)) };
    let mut seen = Distinct::default();
    let mut queues = [Queue::new(Kind::Solvable, solvable), Queue::new(Kind::Unsolvable, unsolvable)];
    let mut spread = Draw::new(request.seed, SPREAD);
    let (mut left, mut left_unsolvable) = (request.count, unsolvable);
    while left > 0 {
        // Selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S): exactly as many, every choice of places as likely.
        let without = left_unsolvable > 0 && spread.below(left) < left_unsolvable;
        let puzzle = queues[usize::from(without)].next(&maker, &pool, &mut seen)?;
        take(&puzzle)?;
        left -= 1;
        left_unsolvable -= u64::from(without);
    }
    Ok(())
}

/// Whether a list holds so many that are told apart; lists are only counted where that is in doubt.
fn enough(difficulty: &Difficulty, goal: &Board, asked: u64) -> Result<(), Error> {
    match difficulty.listed(goal)? {
        Some(listed) if asked > listed as u64 / 16 => {
            let all = difficulty.all(goal)?.unwrap_or_default();
            let reflections = Reflections::of(goal);
            let keys: HashSet<Vec<u16>> = all.iter().map(|board| distinct::key(board, &reflections)).collect();
            let found = keys.len() as u64;
            let what = Kind::Solvable.name();
            if found < asked { Err(Error::TooFew { found, asked, what }) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Kind::Solvable => "boards",
            Kind::Unsolvable => "unsolvable boards",
        }
    }
}

/// What makes puzzles of candidates.
struct Maker<'a> {
    request: &'a Request,
    difficulty: Option<Difficulty>,
    solvers: &'a Solvers,
    desks: ArrayQueue<Desk>,
}

impl Maker<'_> {
    fn attempt(&self, kind: Kind, candidate: u64) -> Result<Option<Puzzle>, Error> {
        // The two kinds share no numbers.
        let number = candidate * 2 + u64::from(kind == Kind::Unsolvable);
        let draw = &mut Draw::new(self.request.seed, number);
        let goal = match &self.request.goals {
            Goals::Same(goal) => goal.clone(),
            Goals::Random(shape) => uniform::any(*shape, draw),
        };
        let board = match (&self.difficulty, kind) {
            (None, _) | (_, Kind::Unsolvable) => Some(uniform::of_kind(kind, &goal, draw)),
            (Some(difficulty), Kind::Solvable) => {
                let mut desk = self.desks.pop().unwrap_or_default();
                let board = difficulty.attempt(&goal, self.solvers, &mut desk, draw);
                // Full: as many are kept as there are threads.
                let _ = self.desks.push(desk);
                match (board, &self.request.goals) {
                    // Another goal may have such boards.
                    (Err(Error::NoneSoFar { .. } | Error::NotKnown { .. }), Goals::Random(_)) => None,
                    (board, _) => board?,
                }
            }
        };
        Ok(board.map(|board| Puzzle { board, goal }))
    }
}

/// The puzzles of a kind, as they are found.
struct Queue {
    kind: Kind,
    asked: u64,
    found: u64,
    next: u64,
    dry: u64,
    round: u64,
    ready: VecDeque<Puzzle>,
}

impl Queue {
    /// The most candidates that are tried at a time.
    const ROUND: u64 = 1 << 14;

    fn new(kind: Kind, asked: u64) -> Queue {
        Queue { kind, asked, found: 0, next: 0, dry: 0, round: 16, ready: VecDeque::new() }
    }

    fn next(&mut self, maker: &Maker<'_>, pool: &rayon::ThreadPool, seen: &mut Distinct) -> Result<Puzzle, Error> {
        loop {
            if let Some(puzzle) = self.ready.pop_front() {
                if maker.request.repeats == Repeats::Allowed || seen.is_new(&puzzle) {
                    (self.found, self.dry) = (self.found + 1, 0);
                    return Ok(puzzle);
                }
                self.dry += 1;
                continue;
            }
            if self.dry >= PATIENCE {
                let (found, asked, what) = (self.found, self.asked, self.kind.name());
                return Err(Error::GaveUp { found, asked, what, tried: self.dry });
            }
            // No more than may be wanted, but where most are in vain.
            let wanted = (self.asked - self.found).max(self.dry).max(1);
            let round = self.round.min(wanted);
            let candidates = self.next..self.next + round;
            let made: Result<Vec<_>, _> = pool
                .install(|| candidates.into_par_iter().map(|candidate| maker.attempt(self.kind, candidate)).collect());
            let made = made?;
            self.next += round;
            self.round = (self.round * 2).min(Self::ROUND);
            self.dry += made.iter().filter(|puzzle| puzzle.is_none()).count() as u64;
            self.ready.extend(made.into_iter().flatten());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{GoalSpec, is_solvable};

    fn request(rows: usize, cols: usize, count: u64) -> Request {
        let goal = GoalSpec::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let goals = Goals::Same(goal);
        Request { goals, count, unsolvable: 0, moves: None, repeats: Repeats::Allowed, seed: 7 }
    }

    fn made(request: &Request, threads: usize) -> Result<Vec<Puzzle>, Error> {
        let solvers = Solvers::new(Default::default(), threads, 1 << 30);
        let mut puzzles = Vec::new();
        run(request, &solvers, threads, &mut |puzzle| {
            puzzles.push(puzzle.clone());
            Ok(())
        })?;
        Ok(puzzles)
    }

    /// The same on every machine: these boards are part of the contract.
    #[test]
    fn a_seed_is_a_promise() {
        let boards = made(&request(3, 3, 3), 1).unwrap();
        let boards: Vec<String> = boards.iter().map(|puzzle| puzzle.board.to_string()).collect();
        assert_eq!(boards, PINNED);
    }

    const PINNED: [&str; 3] = ["3 1 2/4 7 6/8 5 0", "5 3 0/4 6 7/8 1 2", "0 8 5/1 7 3/6 2 4"];

    #[test]
    fn threads_do_not_change_a_puzzle() {
        for request in [
            Request { unsolvable: 300, repeats: Repeats::Avoided, ..request(3, 3, 1000) },
            Request { moves: Some(20..=22), goals: Goals::Random(Shape::new(2, 4).unwrap()), ..request(3, 3, 500) },
            Request { moves: Some(40..=44), unsolvable: 3, ..request(4, 4, 12) },
            // Goals with the blank in the centre have no such boards.
            Request { moves: Some(31..=31), goals: Goals::Random(Shape::new(3, 3).unwrap()), ..request(3, 3, 20) },
        ] {
            let one = made(&request, 1).unwrap();
            assert_eq!(one.len() as u64, request.count);
            assert!(one == made(&request, 3).unwrap());
            let unsolvable = one.iter().filter(|puzzle| !is_solvable(&puzzle.board, &puzzle.goal)).count();
            assert_eq!(unsolvable as u64, request.unsolvable);
        }
    }

    /// The first k of more are the k themselves, where nothing is spread among them.
    #[test]
    fn more_begins_with_fewer() {
        let (few, many) = (made(&request(4, 4, 20), 1).unwrap(), made(&request(4, 4, 900), 2).unwrap());
        assert!(many[..20] == few);
    }

    /// The two boards of 31 moves are reflections of each other.
    #[test]
    fn no_more_than_there_are() {
        let hardest = Request { moves: Some(31..=31), ..request(3, 3, 40) };
        let boards: HashSet<String> =
            made(&hardest, 2).unwrap().iter().map(|puzzle| puzzle.board.to_string()).collect();
        assert_eq!(boards, ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"].map(String::from).into());
        let told = |request: Request| made(&request, 2).unwrap_err().to_string();
        let two = Request { repeats: Repeats::Avoided, count: 2, ..hardest };
        assert_eq!(told(two), "there are not so many: 1 of 2 boards were found");
        let none = Request { unsolvable: 1, ..request(1, 2, 4) };
        assert_eq!(told(none), "there are not so many: 0 of 1 unsolvable boards were found");
    }

    /// All boards of 2×3, each once: they are told apart one by one, for no reflection keeps their goal.
    #[test]
    fn every_board_of_a_depth_is_found() {
        let request = Request { moves: Some(0..=99), repeats: Repeats::Avoided, ..request(2, 3, 360) };
        let puzzles: HashSet<Puzzle> = made(&request, 2).unwrap().into_iter().collect();
        assert_eq!(puzzles.len(), 360);
    }
}
