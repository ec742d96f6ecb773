//! A stage of a ladder.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use crate::board::frame::Space;
use crate::engine::contract::Engine;
use crate::engine::pdb_idastar::{PatternEngine, Standing};
use crate::engine::{TieBreak, full_table};
use crate::solver::plan::Tables;

/// Tables that may be built, and the engine over them once they are.
pub(super) struct Stage {
    pub(super) tables: Tables,
    /// What it costs to build from each height below it, in placements of tiles.
    placements: Vec<u64>,
    pub(super) engine: OnceLock<Box<dyn Engine>>,
    /// What it has built that stages above it share.
    pub(super) standing: OnceLock<Standing>,
}

impl Stage {
    /// A stage above these.
    pub(super) fn new(tables: Tables, space: &Space, below: &[Stage]) -> Stage {
        let standing = std::iter::once(&[][..]).chain(below.iter().map(|stage| stage.tables.shared()));
        let placements = standing.map(|patterns| tables.placements(space, patterns)).collect();
        Stage { tables, placements, engine: OnceLock::new(), standing: OnceLock::new() }
    }

    /// What it costs to build from a height below it, in placements of tiles: less what the stage of that height shares with it.
    pub(super) fn placements(&self, height: usize) -> u64 {
        self.placements[height]
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
