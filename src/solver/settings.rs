//! How a solver is set up.

use super::aim::Aim;
use super::plan::EnginePreference;
use crate::engine::Parallel;
use crate::heuristic::learned::Available;
use crate::system::Limits;

/// How a solver is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads that solve boards and build tables.
    pub threads: usize,
    /// How they are shared among boards.
    pub parallel: Parallel,
    /// What is kept in memory may take so many bytes altogether.
    pub memory: u64,
    /// Which engine and heuristic were asked for.
    pub preference: EnginePreference,
    /// What paths are wanted.
    pub aim: Aim,
    /// Learned weights for good paths.
    pub weights: Available,
    /// What may be spent on one board.
    pub limits: Limits,
}
