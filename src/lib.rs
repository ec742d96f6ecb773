//! taquin solves sliding-tile puzzles in bulk: many boards in, one proven shortest answer each out.

pub mod board;
pub mod engine;
pub mod frame;
pub mod heuristic;
pub mod verify;
