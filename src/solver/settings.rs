//! Solver settings.

use super::aim::Aim;
use super::plan::EnginePreference;
use crate::engine::Parallel;
use crate::heuristic::learned::Available;
use crate::system::Limits;

/// The settings of a solver.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of threads that solve boards and build tables.
    pub threads: usize,
    /// The distribution of threads among boards.
    pub parallel: Parallel,
    /// Maximum bytes for everything kept in memory.
    pub memory: u64,
    /// The requested engine and heuristic.
    pub preference: EnginePreference,
    /// The objective.
    pub aim: Aim,
    /// Learned weights for good paths.
    pub weights: Available,
    /// The limits for each board.
    pub limits: Limits,
}
