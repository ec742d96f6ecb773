//! A stage of a ladder.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use crate::board::frame::Space;
use crate::engine::contract::Engine;
use crate::engine::pdb_idastar::{PatternEngine, Standing};
use crate::engine::{TieBreak, full_table};
use crate::heuristic::pdb::Pattern;
use crate::solver::plan::Tables;

/// Tables that may be built, and the engine over them once they are.
pub(super) struct Stage {
    pub(super) tables: Tables,
    pub(super) placements: u64,
    pub(super) engine: OnceLock<Box<dyn Engine>>,
    /// What it has built that stages above it share.
    pub(super) standing: OnceLock<Standing>,
}

impl Stage {
    /// A stage above one that shares these patterns.
    pub(super) fn new(tables: Tables, space: &Space, standing: &[Pattern]) -> Stage {
        let placements = tables.placements(space, standing);
        Stage { tables, placements, engine: OnceLock::new(), standing: OnceLock::new() }
    }

    /// The engine, with what of its tables stands already.
    pub(super) fn build(
        &self,
        space: &Space,
        standing: &Standing,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<Box<dyn Engine>> {
        Some(match &self.tables {
            Tables::Set(set) => {
                let engine = PatternEngine::build_set(space, set, standing, tie_break, threads, stop)?;
                // Only one thread builds, and a stage once.
                let _ = self.standing.set(engine.standing().clone());
                Box::new(engine)
            }
            Tables::Patterns(partition) => Box::new(PatternEngine::build(space, partition, tie_break, threads, stop)?),
            Tables::Full => Box::new(full_table::Table::build(space, threads, stop)?),
        })
    }
}
