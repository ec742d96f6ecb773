//! Turns a board and its goal into a checked answer.
//!
//! [`Solver`] is the entry point for users of the library and for everything in this crate that
//! solves a board. It shares engines, threads and memory among [`Worker`]s. A worker takes a board
//! through the steps of a [`PreparedGoal`]: unless it is unsolvable, it is answered at once or
//! searched within a budget, and the path is replayed. The [plan](mod@plan), a pure function,
//! chooses the engine of a goal. The [tiers] decide which tables the engine builds and when.

mod aim;
mod answer;
mod engines;
mod estimate;
mod good_engines;
mod handle;
mod heuristic_choice;
mod last_goal;
mod linear_conflicts;
pub mod memory_plan;
mod options;
pub mod plan;
mod prepared_goal;
mod settings;
mod shared;
pub mod shortest_paths;
mod solve_all;
#[cfg(test)]
mod tests;
pub mod tiers;
mod worker;

pub use aim::{Aim, Quality};
pub use answer::{Answer, Solution};
pub use estimate::{Estimate, SearchEstimate};
pub use handle::{Solver, SolverBuilder};
pub use heuristic_choice::HeuristicChoice;
pub use last_goal::LastGoal;
pub use linear_conflicts::LinearConflicts;
pub use memory_plan::MemoryPlan;
pub use options::{CancelToken, SolveOptions};
pub use plan::{EnginePreference, HeuristicKind, Plan};
pub use prepared_goal::{Admitted, AnswerSharing, FirstStep, PreparedGoal};
pub use settings::Settings;
pub use solve_all::{Puzzle, SolveAll};
pub use worker::{Answered, Worker};
