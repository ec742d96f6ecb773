//! taquin solves sliding-tile puzzles in bulk: many boards in, one proven shortest answer each out.
//!
//! The program is a thin layer over this library; `taquin --help` and the README tell how to use it.
//!
//! # The way of a record
//!
//! ```text
//! files ─▶ format::input ─▶ Record ─▶ parity ─┬─ invalid, unsolvable ────────────────────────────────┐
//!  (streamed, in chunks)                      └─ Solvable ─▶ plan ─▶ engine ─▶ verify ─▶ solved ──────┴▶ batch ─▶ format::output
//!                                                            (once a goal and shape)                    (in order)
//! ```
//!
//! A record never goes back. What travels between threads is a chunk of records, never a cheap board
//! by itself; the reader takes a permit for each chunk and gets it back when its results are written.
//!
//! # Words
//!
//! * A *cell* is a place on the board, a *tile* a label that stands there; 0 is the *blank*.
//! * *Moves* are the blank's, and *plies* count them.
//! * The *canonical path* is the lexicographically smallest of all shortest paths in the order
//!   D < L < R < U of the board as given. Every engine answers with it.
//! * A *frame* is the view in which any goal is the identity and its blank in one of a few cells; a
//!   *space* is what engines know of a frame; a *state* is a board seen in it.
//! * To *expand* a node is to try its moves, to *generate* one is to reach it by a move.
//!
//! # One board
//!
//! ```
//! use taquin::board::{Board, GoalSpec, Shape, Tile};
//! use taquin::engine::{Budget, Crew, Limits, Outcome, Stats};
//! use taquin::plan::Wishes;
//! use taquin::solver::{Scratch, Solvers};
//!
//! let shape = Shape::new(3, 3).unwrap();
//! let board = Board::new(shape, &[2, 3, 4, 1, 5, 0, 7, 6, 8].map(Tile::new))?;
//! let goal = GoalSpec::BlankLast.on(shape)?;
//!
//! let solvers = Solvers::new(Wishes::default(), 1, 1 << 30);
//! let prepared = solvers.prepare(&goal).expect("small enough to be searched");
//! let start = prepared.frame.admit(&board).expect("solvable");
//! let stop = std::sync::atomic::AtomicBool::new(false);
//! let budget = Budget::start(&Limits::default(), &stop);
//! let (mut scratch, mut stats) = (Scratch::default(), Stats::default());
//! let outcome = prepared.engine.solve(prepared.frame.space(), &start, &budget, &Crew::alone(), &mut scratch, &mut stats);
//! let Outcome::Solved(path) = outcome else { unreachable!("nothing limits this search") };
//! assert_eq!(path.to_string(), "DLURULLDDRURDLLURDR");
//! # Ok::<(), taquin::board::BoardError>(())
//! ```

pub mod audit;
pub mod batch;
pub mod board;
pub mod bulk;
pub mod cli;
mod desk;
pub mod digest;
pub mod engine;
pub mod format;
pub mod frame;
pub mod generate;
pub mod heuristic;
pub mod inspect;
pub mod judge;
pub mod ladder;
pub mod ledger;
mod machine;
mod memory;
pub mod outlook;
pub mod plan;
pub mod report;
pub mod resume;
pub mod show;
pub mod solver;
pub mod verify;
pub mod visited;
