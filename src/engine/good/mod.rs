//! Good paths for boards of any size: not proven shortest, but told beside a proven lower bound.
//!
//! The constructive path comes first, in milliseconds, so that there is always one. Then searches that keep only the best
//! positions of each layer follow, as many and as wide as the level or the deadline allows (`plan.rs`); the shortest path of all is
//! the answer. Without a deadline everything follows from shape and level: the same path on every machine and any number of threads.

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
