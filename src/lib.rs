//! taquin solves sliding-tile puzzles: the 8-puzzle, the 15-puzzle, the 24-puzzle, and puzzles with
//! other numbers of rows and columns. It finds proven shortest paths, on all processor cores and
//! within bounded memory.
//!
//! ```
//! use taquin::{Board, Goal, Solver};
//!
//! let solver = Solver::new();
//! let board: Board = "2 3 4/1 5 0/7 6 8".parse()?;
//! let answer = solver.solve(&board)?; // to the goal 1 2 3 … 0, the blank last
//! assert_eq!(answer.moves(), Some(19));
//! let answer = solver.solve_to(&board, &Goal::Snail)?; // half of all boards have no solution
//! assert_eq!(answer.moves(), None);
//! # Ok::<(), taquin::Error>(())
//! ```
//!
//! * [`Solver`] solves one board; [`Solver::solve_all`] solves the boards of any iterator: in
//!   parallel, in order, lazily. [`Solver::builder`] sets threads, memory, engine, heuristic and
//!   limits.
//! * A [`Board`] is read from text or made from numbers; a [`Goal`] is one of several common goals,
//!   or any board.
//! * An [`Answer`] is a [`Solution`], the fact that the board is unsolvable, or a lower bound if a
//!   limit was reached.
//! * With a [`CancelToken`], another thread can end a call; a [`Worker`] is for callers with their
//!   own threads.
//!
//! There are also [`files`] (boards in files, results as JSON Lines), [`generate`] (generated
//! puzzles), [`arrays`] (millions of boards in memory), [`labels`] (the number of shortest
//! solutions of a board, and how they begin) and [`pictures`] (SVG, with the feature `svg`).
//!
//! # Answers
//!
//! Boards of up to 25 cells get the canonical shortest path: the first in the order
//! D < L < R < U of the letters for the blank's moves. The path is the same for every engine,
//! number of threads and machine. Larger boards, and small ones with [`Quality::Good`], get a good
//! path that is usually not proven shortest ([`Solution::is_optimal`]), with a proven lower bound.
//! A good path is the same on every machine with the same memory, unless there is a time limit.
//! Every path is verified by code that is independent of the search.
//!
//! # Cost
//!
//! Tables are built in memory when they pay off, and then serve all later boards. So use one solver
//! for everything. Boards up to 3×3 are looked up in well under a microsecond. A random 15-puzzle
//! takes a few milliseconds at first. After about a thousand boards, larger pattern databases are
//! built, which takes 1.3 s and 200 MB. A board then takes half a millisecond. 24-puzzles of up to
//! about 90 moves are solved in minutes. Boards of more than 25 cells get a good path and a lower
//! bound ([`Solution::lower_bound`]), in about a second or as set by [`SolverBuilder::effort`].
//!
//! # Features
//!
//! `cli` (default) is the program `taquin`, with everything that only a program needs. Users of the
//! library can leave it out: `taquin = { version = "0.1", default-features = false }`. `svg` adds
//! pictures.

#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports, reason = "some items are used only by the program"))]

mod batch;
mod board;
#[cfg(feature = "cli")]
mod cli;
mod engine;
mod format;
mod heuristic;
mod solver;
mod system;
mod tools;

pub use board::{Board, Cell, Error, ErrorKind, Goal, GoalTiles, Move, Path, Shape, Tile};
pub use engine::{EngineKind, Parallel, Proof};
pub use solver::{
    Answer, CancelToken, Estimate, HeuristicChoice, HeuristicKind, Plan, Puzzle, Quality, Solution, SolveAll,
    SolveOptions, Solver, SolverBuilder, Worker,
};
pub use system::Limit;

/// Boards in files of any layout, and their results as JSON Lines.
///
/// ```
/// use taquin::files::{Batch, records};
/// use taquin::Solver;
///
/// let solver = Solver::new();
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("boards.txt");
/// # std::fs::write(&path, "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 8 7 0\n")?;
/// let mut results = Vec::new();
/// let counts = Batch::new([&path]).fields("index,status,moves".parse()?).run(&solver, &mut results)?;
/// assert_eq!((counts.solved, counts.unsolvable), (1, 1));
/// assert_eq!(results, b"{\"index\":1,\"status\":\"solved\",\"moves\":1}\n{\"index\":2,\"status\":\"unsolvable\"}\n");
///
/// for record in records([&path]) {
///     let record = record?;
///     println!("{}:{}: {:?}", record.source, record.line, record.puzzle);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod files {
    pub use crate::batch::Counts;
    pub use crate::format::input::Layout;
    pub use crate::format::output::{Field, Fields};
    pub use crate::tools::files::{Batch, FileRecord, FileRecords, records};
    pub use crate::tools::record_loop::RecordLoop;
}

/// Millions of boards in memory, as bare numbers: the lengths of their shortest solutions, and
/// their solvability.
pub mod arrays {
    pub use crate::batch::fast_path::Lengths;
    pub use crate::board::Solvability;
}

/// Generated puzzles: random ones, unsolvable ones, or ones whose shortest solutions have a given
/// length.
///
/// ```
/// use taquin::generate::{Generator, Spec};
/// use taquin::{Goal, Solver};
///
/// let solver = Solver::new();
/// let goal = Goal::BlankLast.on("3x3".parse()?)?;
/// let hard = Spec { moves: Some(24..=31), ..Spec::uniform(goal, 10, 7) };
/// for puzzle in Generator::new(hard, &solver)? {
///     let moves = solver.solve(&puzzle?.board)?.moves().unwrap();
///     assert!((24..=31).contains(&moves));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod generate {
    pub use crate::tools::generate::{Error, Generator, Goals, NamedDifficulty, Puzzle, Repeats, Spec, Spread};
}

/// Labels of boards, for data sets: the number of shortest solutions, and how they begin.
///
/// ```
/// use taquin::labels::{Labeler, PathCount};
/// use taquin::{Goal, Move, Solver};
///
/// let solver = Solver::new();
/// let board = "0 3/2 1".parse()?;
/// let labels = Labeler::new(&solver).label(&board, &Goal::BlankLast)?;
/// let paths = labels.shortest_paths.unwrap();
/// assert_eq!(paths.count, PathCount::Exactly(2));
/// assert_eq!(paths.beginning.unwrap().first_moves, [Move::Down, Move::Right]);
/// # Ok::<(), taquin::Error>(())
/// ```
pub mod labels {
    pub use crate::tools::labels::{Beginning, CountLimit, Labeler, Labels, PathCount, ShortestPaths};
}

/// Pictures of boards and of their solutions, as SVG.
///
/// ```
/// use taquin::{Board, Solver, pictures};
///
/// let board: Board = "2 3 4/1 5 0/7 6 8".parse()?;
/// let svg = pictures::animated(Solver::new().solve(&board)?.solution().unwrap());
/// assert!(svg.ends_with("</svg>\n"), "{svg}");
/// assert!(pictures::moving(&board, &"RRR".parse()?).is_none()); // off the board
/// # Ok::<(), taquin::Error>(())
/// ```
#[cfg(feature = "svg")]
pub mod pictures {
    pub use crate::tools::show::{animated as moving, animated_solution as animated, still};
}

/// The interface for the program, the benchmarks, the fuzz targets and the tests. It may change in
/// any version.
#[doc(hidden)]
pub mod internal {
    #[cfg(feature = "cli")]
    pub use crate::cli::main;

    pub mod board {
        pub use crate::board::frame::Frame;
        pub use crate::board::{
            Board, Cell, Goal, Move, Path, Shape, Solvable, State, Tile, frame, is_solvable, replay,
        };
    }

    /// The interface for the trainer of weights (`crates/train`).
    pub mod training {
        pub use crate::board::replay::replay;
        pub use crate::board::{is_solvable, symmetries};
        pub use crate::engine::{ThreadShare, beam};
        pub use crate::heuristic::evaluation::{MAX_CELLS, Tables, UNIT, Untrained, Weights, trominoes};
        pub use crate::heuristic::learned::Learned;
        pub use crate::system::{Budget, Checksum, Limits, Zeroed, prefetch, scramble};
    }

    pub mod heuristic {
        pub use crate::heuristic::{WalkingConflict, learned, lower_bound, pdb};
    }

    pub mod engine {
        pub use crate::engine::{
            Outcome, Parallel, Stats, ThreadShare, TieBreak, astar, automaton, bidirectional, constructive, contract,
            full_table, good, ida, lookup, polish, visited,
        };
    }

    pub mod system {
        pub use crate::system::{Budget, Checksum, InstructionSet, Limit, Limits, Random};
    }

    pub mod format {
        pub use crate::format::{input, output, passthrough, profile, result_lines, spelling, style};
    }

    pub mod batch {
        pub use crate::batch::{
            Counts, Error, Journal, Options, Progress, ResumePoint, Sink, Totals, fast_path, resume, run,
        };
    }

    #[cfg(feature = "cli")]
    pub mod tools {
        pub use crate::tools::{improve, judge, merge, verify};
    }
}

/// The example in the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
