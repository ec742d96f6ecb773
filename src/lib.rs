//! taquin solves sliding-tile puzzles in bulk: many boards in, one proven shortest answer each out.

pub mod batch;
pub mod board;
pub mod cli;
pub mod engine;
pub mod format;
pub mod frame;
pub mod heuristic;
pub mod plan;
pub mod solver;
pub mod verify;
pub mod visited;
