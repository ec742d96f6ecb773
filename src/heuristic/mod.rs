//! Lower bounds on the number of moves from a state to the goal.
//!
//! All of them satisfy one contract, on which the engines' proofs depend:
//!
//! * *admissible*: never more than the true distance, and 0 at the goal;
//! * *consistent, with the distance's parity*: a move changes the value by an odd number (exactly 1
//!   for most heuristics) and never lowers it by more than 1. So f = depth + value never falls
//!   along a path and grows in even steps, and iterative deepening may raise its bound by 2;
//! * *incremental*: the value after a move is computed from the value before it, the move, and the
//!   state after it;
//! * *immutable*: built once for a shape and the blank's goal cell, then shared by all threads.
//!
//! Each heuristic has its own type of value, which may include data that make the next step cheap:
//! an index into a table, or the parts of a sum. Values are small, because they are stored for
//! every node of a frontier list.

mod distance_bound;
pub mod evaluation;
pub mod learned;
mod linear_conflict;
mod manhattan;
pub mod pdb;
mod step;
#[cfg(test)]
mod tests;
mod walking_distance;

pub use distance_bound::lower_bound;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use step::{Heuristic, Step};
pub use walking_distance::{WalkingConflict, WalkingDistance};
