//! The tables that serve the boards of a goal: built now, what they cost, and whether they are right.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::board::frame::{Frame, Space};
use crate::board::{Board, MAX_SEARCH_CELLS, Shape};
use crate::engine::path_table::Paths;
use crate::engine::{EngineKind, full_table, lookup};
use crate::heuristic::pdb::{self, BuildOptions, PdbSum, SetTables};
use crate::solver::plan::{
    EnginePreference, HeuristicKind, TableStage, Tables, TablesError, for_tables, plan, table_stages,
};

/// Why tables cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Boards of this shape are not searched.
    #[error("{0} is not searched: more than {MAX_SEARCH_CELLS} cells")]
    TooLarge(Shape),
    /// There is no such partition or set for the shape.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// A build did not come to its end.
    #[error("building was stopped")]
    Stopped,
    /// The shape was planned for lookup and has no table.
    #[error("this shape has no lookup table")]
    NoLookup,
}

/// What serves the boards of a goal.
pub enum Service {
    /// A line has one path at most: nothing is built.
    Line,
    /// The lookup tables of the whole graph.
    Lookup(LookupService),
    /// Pattern databases and full tables, one after the other.
    Stages(Stages),
}

/// Lookup tables to be built.
pub struct LookupService {
    frame: Frame,
    threads: usize,
}

/// Tables of several stages to be built.
pub struct Stages {
    frame: Frame,
    threads: usize,
    /// Those that a run would come to, and whether they fit beside each other.
    pub stages: Vec<TableStage>,
}

/// Lookup tables that were built.
pub struct BuiltLookup {
    /// States of the graph.
    pub states: u64,
    /// What the tables hold, in bytes.
    pub bytes: u64,
    /// What building took.
    pub seconds: f64,
}

/// The tables of a stage, built.
pub struct Built {
    /// Entries of all tables.
    pub entries: u64,
    /// What they keep, in bytes.
    pub bytes: u64,
    /// What building took.
    pub seconds: f64,
    /// What is known of each.
    pub parts: Parts,
}

/// What is known of built tables, proved where that was asked for.
pub enum Parts {
    /// Pattern databases, each by itself.
    Patterns(Vec<Part>),
    /// A full table.
    Full(Option<Proof>),
}

/// A pattern database.
pub struct Part {
    /// The home cells of its tiles.
    pub homes: String,
    /// Its entries.
    pub entries: u64,
    /// Whether it is right; `None`: that was not asked for.
    pub proof: Option<Proof>,
}

/// The proof of a table, or the flaw that was found.
pub type Proof = Result<Proved, String>;

/// A table of which every entry was proved.
pub struct Proved {
    /// Its entries.
    pub entries: u64,
    /// The greatest distance in it.
    pub depth: usize,
}

impl Built {
    /// Whether no proof failed.
    pub fn is_sound(&self) -> bool {
        match &self.parts {
            Parts::Patterns(parts) => parts.iter().all(|part| !matches!(part.proof, Some(Err(_)))),
            Parts::Full(proof) => !matches!(proof, Some(Err(_))),
        }
    }
}

/// What serves the boards of a goal within this memory: where a partition or a set is named, that alone.
///
/// # Errors
/// When boards of the shape are not searched, or have no such tables.
pub fn service(goal: &Board, partition: Option<&str>, threads: usize, memory: u64) -> Result<Service, Error> {
    let shape = goal.shape();
    let frame = Frame::new(goal).ok_or(Error::TooLarge(shape))?;
    let space = frame.space();
    if shape.is_line() {
        return Ok(Service::Line);
    }
    match partition {
        Some(name) => drop(Tables::parse(name, space.shape, space.goal_blank)?),
        None if Paths::fit(shape) => return Ok(Service::Lookup(LookupService { frame, threads })),
        None => {}
    }
    // As `solve` takes the same options.
    let preference = EnginePreference {
        // Small boards have a table of all states at once, unless patterns are named.
        engine: partition.map(|_| EngineKind::IdaStar),
        heuristic: Some(HeuristicKind::Patterns),
        partition: partition.map(str::to_string),
        ..EnginePreference::default()
    };
    let bytes = for_tables(memory, threads);
    let mut stages = table_stages(space, &preference, &plan(space, &preference, threads, bytes), threads, bytes);
    if partition.is_some() {
        // What does not fit gives way to the stages of a run without it, which were not asked for here.
        stages.truncate(1);
    }
    Ok(Service::Stages(Stages { frame, threads, stages }))
}

impl LookupService {
    /// The space that the tables serve.
    pub fn space(&self) -> &Space {
        self.frame.space()
    }

    /// Builds them.
    ///
    /// # Errors
    /// When the shape has none.
    pub fn build(&self) -> Result<BuiltLookup, Error> {
        let began = Instant::now();
        let table = lookup::Table::build(self.space(), self.threads).ok_or(Error::NoLookup)?;
        // Whole paths are searched for when they are first asked for.
        let bytes = table.bytes();
        Ok(BuiltLookup { states: table.states(), bytes, seconds: began.elapsed().as_secs_f64() })
    }
}

impl Stages {
    /// The space that the tables serve.
    pub fn space(&self) -> &Space {
        self.frame.space()
    }

    /// Builds the tables of a stage, and proves them if `prove` says so.
    ///
    /// # Errors
    /// When building was stopped.
    pub fn build(&self, tables: &Tables, prove: bool) -> Result<Built, Error> {
        let (began, stop, threads) = (Instant::now(), AtomicBool::new(false), self.threads);
        match tables {
            Tables::Patterns(partition) => {
                let build = BuildOptions { threads, stop: &stop, progress: &|_| {} };
                let sum = PdbSum::build(partition, &build).ok_or(Error::Stopped)?;
                let seconds = began.elapsed().as_secs_f64();
                let entries = sum.distinct_tables().map(|table| table.states()).sum();
                let parts = sum.distinct_tables().map(|table| part(table, prove)).collect();
                Ok(Built { entries, bytes: sum.bytes() as u64, seconds, parts: Parts::Patterns(parts) })
            }
            Tables::Set(set) => {
                let build = BuildOptions { threads, stop: &stop, progress: &|_| {} };
                let set = SetTables::build(set, &[], &build).ok_or(Error::Stopped)?;
                let seconds = began.elapsed().as_secs_f64();
                let entries = set.tables().iter().map(|table| table.states()).sum();
                let parts = set.tables().iter().map(|table| part(table, prove)).collect();
                Ok(Built { entries, bytes: set.bytes() as u64, seconds, parts: Parts::Patterns(parts) })
            }
            Tables::Full => {
                let threads = full_table::Table::threads(self.space().shape, threads);
                let table = full_table::Table::build(self.space(), threads, &stop).ok_or(Error::Stopped)?;
                let seconds = began.elapsed().as_secs_f64();
                let proof = prove.then(|| prove_full(&table, threads));
                let entries = table.levels().iter().sum();
                Ok(Built { entries, bytes: table.bytes(), seconds, parts: Parts::Full(proof) })
            }
        }
    }
}

fn part(table: &pdb::Table, prove: bool) -> Part {
    let proof = prove.then(|| match pdb::verify::prove(table) {
        Ok(proved) => Ok(Proved { entries: proved.states, depth: usize::from(proved.depth) }),
        Err(flaw) => Err(flaw.to_string()),
    });
    Part { homes: table.pattern().to_string(), entries: table.states(), proof }
}

fn prove_full(table: &full_table::Table, threads: usize) -> Proof {
    match full_table::verify::prove(table, threads) {
        Ok(proved) => Ok(Proved { entries: proved.levels.iter().sum(), depth: proved.levels.len() - 1 }),
        Err(flaw) => Err(flaw.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::heuristic::pdb::{Layout, Pattern, Table};

    #[test]
    fn a_wrong_table_is_reported() {
        let shape = Shape::new(3, 3).unwrap();
        let pattern = Pattern::new(shape, Cell::new(8), &[0, 1, 2]).unwrap();
        let table = Table::of_words(pattern, Layout::new(shape, 3), || 0);
        let built = |prove| {
            let parts = Parts::Patterns(vec![part(&table, prove)]);
            Built { entries: table.states(), bytes: 0, seconds: 0.0, parts }
        };
        assert!(!built(true).is_sound());
        assert!(built(false).is_sound());
    }
}
