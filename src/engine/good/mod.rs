//! The engine for good paths on boards of any size. The paths are not proven shortest, but are
//! reported with a proven lower bound.
//!
//! A constructive path is found first, so there is always a path. The searches after it keep only
//! the best positions of each layer. The level or the deadline determines their number and widths
//! (`plan.rs`). The engine returns the shortest path found.
//!
//! Without a deadline, the searches depend only on the goal, the learned weights, the level and the
//! memory limit, so the path is the same on every machine and with any number of threads.

mod boards;
mod engine;
mod plan;
mod rounds;
mod tables;
#[cfg(test)]
mod tests;

pub use boards::Boards;
pub use engine::Good;
pub use plan::{Description, Search, describe};
