//! Lower bounds on the number of moves a state is from the goal.
//!
//! All of them keep one contract, which is what the engines' proofs rest on:
//!
//! * *admissible*: never more than the true distance, and 0 at the goal;
//! * *consistent, with the distance's parity*: a move changes the value by exactly 1, up or down, or
//!   at least by an odd number, and never downwards by more than 1. So f = depth + value never falls
//!   along a path, and grows by even steps: iterative deepening may raise its bound by 2;
//! * *incremental*: the value after a move follows from the value before it and the move;
//! * *immutable*: built once for a shape and the blank's goal cell, then shared by all threads.
//!
//! Values are of a type of the heuristic's own, so that it may carry along whatever makes the next
//! step cheap: an index into a table, several parts of a sum. They are kept for every node of a
//! frontier list, and therefore small.

mod distance_bound;
pub mod evaluation;
pub mod learned;
mod linear_conflict;
mod lower_bound;
mod manhattan;
pub mod pdb;
mod step;
#[cfg(test)]
mod tests;
mod walking_conflict;
mod walking_distance;
mod walking_table;

pub use distance_bound::lower_bound;
pub use linear_conflict::LinearConflict;
pub use lower_bound::Heuristic;
pub use manhattan::Manhattan;
pub use step::Step;
pub use walking_conflict::WalkingConflict;
pub use walking_distance::WalkingDistance;
