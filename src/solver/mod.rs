//! Turns a board and its goal into a checked answer.
//!
//! [`Solver`] is the entry point for users of the library and for everything in this crate that
//! solves a board. It shares engines, threads and memory among [`Worker`]s. A worker takes a board
//! through the steps of a [`PreparedGoal`]: a solvable board is answered at once or searched within
//! a budget, and its path is replayed. The [plan](mod@plan), a pure function, chooses the engine of
//! a goal. The tiers (`tiers.rs`) decide which tables the engine builds and when.

mod caches;
mod call;
mod engines;
mod estimate;
mod handle;
mod memory_plan;
pub mod plan;
mod prepared_goal;
mod settings;
pub mod shortest_paths;
mod solve_all;
pub mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod tiers;
mod worker;

pub use call::{Answer, CancelToken, Solution, SolveOptions};
pub use engines::LastGoal;
pub use estimate::Estimate;
pub use handle::{Solver, SolverBuilder};
pub use memory_plan::MemoryPlan;
pub use plan::Plan;
pub use prepared_goal::{Admitted, AnswerSharing, FirstStep, PreparedGoal};
pub use settings::{Aim, EnginePreference, HeuristicChoice, HeuristicKind, Quality, Settings};
pub use solve_all::{Puzzle, SolveAll};
pub use worker::{Threads, Worker};
