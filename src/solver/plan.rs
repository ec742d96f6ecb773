//! The plan for the boards of a space: the engine, the heuristic, the memory, and the reason.
//!
//! The plan is a pure function: it uses neither files nor clocks. So it is tested with tables of
//! cases.

use crate::board::frame::Space;
use crate::board::{Cell, Shape};
use crate::engine::good::{Description, Search};
use crate::engine::ida::IdaStar;
use crate::engine::{EngineKind, TieBreak, full_table, lookup};
use crate::heuristic::pdb::{CollectionError, Partition, PartitionError, Pattern, PdbCollection, PdbSum};
use crate::system::{Footprint, MemoryBudget};

/// The heuristics that have a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum HeuristicKind {
    /// The sum of the tiles' distances from their goal cells.
    Manhattan,
    /// Manhattan distance, plus two moves for every tile that must leave its line to let another
    /// one pass.
    LinearConflict,
    /// The walking distance, which does not distinguish tiles of the same goal row or column.
    WalkingDistance,
    /// The larger of walking distance and linear conflict, chosen separately for rows and columns.
    WalkingConflict,
    /// Pattern databases, requested by name or chosen automatically.
    Patterns,
}

impl HeuristicKind {
    /// Returns the name used in options and results.
    pub const fn name(self) -> &'static str {
        match self {
            HeuristicKind::Manhattan => "manhattan",
            HeuristicKind::LinearConflict => "linear-conflict",
            HeuristicKind::WalkingDistance => "walking-distance",
            HeuristicKind::WalkingConflict => "walking-conflict",
            HeuristicKind::Patterns => "pattern databases",
        }
    }
}

/// The requested engine and heuristic.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EnginePreference {
    /// The engine; by default the best one.
    pub engine: Option<EngineKind>,
    /// The heuristic; by default the best one.
    pub heuristic: Option<HeuristicKind>,
    /// The tables for [`HeuristicKind::Patterns`], see [`Tables::parse`]. By default they are
    /// chosen automatically.
    pub partition: Option<String>,
    /// The choice among several shortest paths.
    pub tie_break: TieBreak,
    /// True if searches have a node limit. The results must then not depend on when tables are
    /// built.
    pub has_node_limit: bool,
}

/// The plan for the boards of one space.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The engine.
    pub engine: EngineKind,
    /// The heuristic, if the engine uses one.
    pub heuristic: Option<HeuristicKind>,
    /// The size in bytes of the lookup table, or of the memory of searches for good paths; 0 for
    /// other engines.
    pub bytes: u64,
    /// The reason, in words for the user.
    pub why: String,
}

/// Tables that a run may build for a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tables {
    /// The tables of a partition.
    Patterns(Partition),
    /// The tables of a PDB collection, which form several sums.
    Collection(PdbCollection),
    /// The full table, see [`full_table`].
    Full,
}

/// Maximum number of cells for which a full table can be built in a few milliseconds.
const AT_ONCE_CELLS: usize = 10;

/// The reason why a name denotes no tables.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TablesError {
    /// There is no such partition.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// There is no such collection.
    #[error(transparent)]
    Collection(#[from] CollectionError),
}

impl Tables {
    /// Parses a name: a partition, `7-8` or `0,1,2/3,4,5`, or a collection, `18x6` or
    /// `0,1,2;2,3,4`.
    ///
    /// # Errors
    /// If there are no tables of this name for the shape.
    pub fn parse(name: &str, shape: Shape, goal_blank: Cell) -> Result<Tables, TablesError> {
        Ok(match PdbCollection::is_named_by(name) {
            true => Tables::Collection(PdbCollection::parse(name, shape, goal_blank)?),
            false => Tables::Patterns(Partition::parse(name, shape, goal_blank)?),
        })
    }

    /// Returns the patterns whose tables a larger collection can share.
    pub fn shared(&self) -> &[Pattern] {
        match self {
            Tables::Collection(collection) => collection.patterns(),
            Tables::Patterns(_) | Tables::Full => &[],
        }
    }

    /// Returns the tables worth building for a space, in the order in which they are built.
    pub fn of(space: &Space) -> Vec<Tables> {
        let partitions = Partition::defaults(space.shape, space.goal_blank).into_iter().map(Tables::Patterns);
        let collections: Vec<Tables> =
            PdbCollection::defaults(space.shape, space.goal_blank).into_iter().map(Tables::Collection).collect();
        // A partition with larger patterns would take more memory, and the collection would soon
        // replace it.
        let largest = collections.first().map_or(Pattern::MAX_TILES, Tables::largest_pattern);
        let partitions = partitions.filter(|partition| partition.largest_pattern() <= largest);
        if full_table::is_for(space.shape) {
            // Larger partitions save at most a tenth of the cost, and the full table replaces them.
            return partitions.take(1).chain([Tables::Full]).collect();
        }
        partitions.chain(collections).collect()
    }

    /// Returns the number of tiles of the largest pattern.
    fn largest_pattern(&self) -> usize {
        let patterns = match self {
            Tables::Patterns(partition) => partition.patterns(),
            Tables::Collection(collection) => collection.patterns(),
            Tables::Full => &[],
        };
        patterns.iter().map(Pattern::tiles).max().unwrap_or(0)
    }

    /// Returns the name shown to the user.
    pub fn name(&self) -> String {
        match self {
            Tables::Patterns(partition) => partition.sizes(),
            Tables::Collection(collection) => collection.name(),
            Tables::Full => "the full table".into(),
        }
    }

    /// Returns the memory that the tables take in addition to the tables of the patterns in
    /// `built`. This computes their layouts, which takes a few milliseconds, or a tenth of a second
    /// on 5×5.
    pub fn footprint(&self, space: &Space, threads: usize, built: &[Pattern]) -> Footprint {
        match self {
            Tables::Patterns(partition) => PdbSum::footprint(partition),
            Tables::Collection(collection) => IdaStar::collection_footprint(collection, built),
            Tables::Full => full_table::Table::footprint(space.shape, threads),
        }
    }

    /// Returns the build cost in entries generated, excluding the tables of the patterns in
    /// `built`.
    pub fn entries_generated(&self, space: &Space, built: &[Pattern]) -> u64 {
        match self {
            Tables::Patterns(partition) => {
                partition.entries_generated() + IdaStar::partition_automaton_cost(space, partition)
            }
            Tables::Collection(collection) => {
                collection.entries_generated_without(built) + IdaStar::collection_automaton_cost(collection, built)
            }
            Tables::Full => full_table::Table::build_cost(space.shape),
        }
    }
}

/// Tables that a run may build, their cost, and whether they fit into its memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableStage {
    /// The tables.
    pub tables: Tables,
    /// Their memory.
    pub footprint: Footprint,
    /// The build cost in entries generated, excluding the tables of earlier stages.
    pub entries_generated: u64,
    /// The result of checking whether they fit into the memory.
    pub fit: Fit,
}

/// The result of checking whether tables fit into the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// The tables may be built.
    Fits,
    /// These tables, or earlier ones, would exceed the remaining memory during their build.
    TooLarge,
}

/// Checks whether tables fit into the rest of the memory budget, and reserves their memory.
fn fit(footprint: Footprint, memory_budget: &MemoryBudget) -> Fit {
    memory_budget.build(footprint, || Some(())).map_or(Fit::TooLarge, |()| Fit::Fits)
}

/// Returns the tables that a plan may build, in order: the full table, the requested partition or
/// collection, or the tiers. Empty if no tables are built during a run.
///
/// Whether tables fit is checked for `threads` threads and `bytes` bytes, as if no other space had
/// tables. All stages after the first one that does not fit are marked as too large. If the
/// requested tables do not fit, the tiers follow them.
pub fn table_stages(
    space: &Space,
    preference: &EnginePreference,
    plan: &Plan,
    threads: usize,
    bytes: u64,
) -> Vec<TableStage> {
    let mut built: Vec<Pattern> = Vec::new();
    let mut stage = |tables: Tables, memory_budget: &MemoryBudget| {
        let footprint = tables.footprint(space, threads, &built);
        let entries_generated = tables.entries_generated(space, &built);
        let fit = fit(footprint, memory_budget);
        if fit == Fit::Fits {
            built.extend_from_slice(tables.shared());
        }
        TableStage { tables, footprint, entries_generated, fit }
    };
    if plan.heuristic != Some(HeuristicKind::Patterns) {
        let full = plan.engine == EngineKind::Lookup && full_table::is_for(space.shape);
        return full.then(|| stage(Tables::Full, &MemoryBudget::new(bytes))).into_iter().collect();
    }
    let memory_budget = MemoryBudget::new(bytes);
    let name = preference.partition.as_deref();
    let requested = name.and_then(|name| Tables::parse(name, space.shape, space.goal_blank).ok());
    let requested_stage = requested.map(|tables| stage(tables, &memory_budget));
    if let Some(requested_stage @ TableStage { fit: Fit::Fits, .. }) = requested_stage {
        return vec![requested_stage];
    }
    let mut stages: Vec<TableStage> =
        Tables::of(space).into_iter().map(|tables| stage(tables, &memory_budget)).collect();
    if let Some(first) = stages.iter().position(|stage| stage.fit == Fit::TooLarge) {
        stages[first..].iter_mut().for_each(|stage| stage.fit = Fit::TooLarge);
    }
    requested_stage.into_iter().chain(stages).collect()
}

/// Returns the plan for a space whose tables are built by `threads` threads and take at most
/// `bytes` bytes.
pub fn plan(space: &Space, preference: &EnginePreference, threads: usize, bytes: u64) -> Plan {
    let shape = space.shape;
    if shape.is_line() {
        return line();
    }
    let lookup_fits = shape.cells() <= lookup::MAX_CELLS
        && !full_table::is_for(shape)
        && fit(lookup::Table::footprint(shape), &MemoryBudget::new(bytes)) == Fit::Fits;
    let guided = |engine, why: &str| guided_plan(space, engine, preference, why);
    match preference.engine {
        Some(EngineKind::Lookup) if lookup_fits => lookup_plan(shape, "the engine was requested"),
        None if lookup_fits => lookup_plan(shape, "all states are searched once"),
        Some(EngineKind::Lookup) if full_table::is_for(shape) => {
            let footprint = full_table::Table::footprint(shape, threads);
            match fit(footprint, &MemoryBudget::new(bytes)) {
                Fit::Fits => {
                    let bytes = full_table::Table::bytes_of(shape);
                    Plan { engine: EngineKind::Lookup, heuristic: None, bytes, why: "the engine was requested".into() }
                }
                Fit::TooLarge => {
                    let needed = footprint.peak.div_ceil(1_000_000);
                    let why = format!("lookup was requested, but needs {needed} MB to build");
                    guided(EngineKind::IdaStar, &why)
                }
            }
        }
        Some(engine) if shape.cells() > engine.max_cells() => {
            let why = format!("{engine} was requested, but supports at most {} cells", engine.max_cells());
            guided(EngineKind::IdaStar, &why)
        }
        Some(EngineKind::Lookup) => {
            let why = "lookup was requested, but needs more than the available memory";
            guided(EngineKind::IdaStar, why)
        }
        Some(EngineKind::AStar) => guided(EngineKind::AStar, "the engine was requested"),
        Some(EngineKind::IdaStar | EngineKind::Line | EngineKind::Good) => {
            guided(EngineKind::IdaStar, "the engine was requested")
        }
        // The remaining engines have no heuristic and no table.
        Some(engine) => Plan { engine, heuristic: None, bytes: 0, why: "the engine was requested".into() },
        None if full_table::is_for(shape)
            && shape.cells() <= AT_ONCE_CELLS
            && fit(full_table::Table::footprint(shape, threads), &MemoryBudget::new(bytes)) == Fit::Fits =>
        {
            let (why, bytes) = ("all states are searched once".into(), full_table::Table::bytes_of(shape));
            Plan { engine: EngineKind::Lookup, heuristic: None, bytes, why }
        }
        None if full_table::is_for(shape) && shape.cells() > AT_ONCE_CELLS => {
            let why = "a table of all states pays off only after some ten thousand boards";
            guided(EngineKind::IdaStar, why)
        }
        None => {
            let why = match shape.cells() {
                ..=lookup::MAX_CELLS => "there is too little memory for a table of all states".to_string(),
                cells => format!("{cells} cells have too many states for a table"),
            };
            guided(EngineKind::IdaStar, &why)
        }
    }
}

/// Returns the plan as reported to the user, which also says if requested tables do not fit. This
/// check computes the layouts of the tables, which can take longer than solving a board.
pub fn reported(plan: Plan, space: &Space, preference: &EnginePreference, threads: usize, bytes: u64) -> Plan {
    let name = preference.partition.as_deref().filter(|_| plan.heuristic == Some(HeuristicKind::Patterns));
    match name.and_then(|name| Tables::parse(name, space.shape, space.goal_blank).ok()) {
        Some(tables) if fit(tables.footprint(space, threads, &[]), &MemoryBudget::new(bytes)) == Fit::TooLarge => {
            Plan { why: format!("{}, but does not fit; {}", plan.why, tiers_of(space)), ..plan }
        }
        _ => plan,
    }
}

/// Returns the plan for a single row or column.
pub fn line() -> Plan {
    let why = "a single row or column needs no search".into();
    Plan { engine: EngineKind::Line, heuristic: None, bytes: 0, why }
}

/// Returns the plan for good paths by these searches.
pub fn good(searches: &Description, why: &str) -> Plan {
    let names: Vec<String> = searches.searches.iter().map(search_name).collect();
    let why = format!("{why} ({})", names.join(", "));
    Plan { engine: EngineKind::Good, heuristic: None, bytes: searches.memory_bytes, why }
}

fn search_name(Search { name, width }: &Search) -> String {
    if *width == 0 { (*name).to_string() } else { format!("{name} of {width}") }
}

/// Returns a plan for shortest paths with a fallback to good ones if a limit is reached.
pub fn with_fallback(shortest: Plan, effort: u8) -> Plan {
    let why = format!("{}; if a limit comes first, a good path at effort {effort}", shortest.why);
    Plan { why, ..shortest }
}

fn lookup_plan(shape: Shape, why: &str) -> Plan {
    Plan { engine: EngineKind::Lookup, heuristic: None, bytes: lookup::Table::bytes_of(shape), why: why.into() }
}

/// Describes the search with tiers, for users.
fn tiers_of(space: &Space) -> String {
    let names = Tables::of(space).iter().map(Tables::name).collect::<Vec<_>>().join(", then ");
    format!("begins with walking-conflict, and builds {names}, each once it is likely to pay off")
}

fn guided_plan(space: &Space, engine: EngineKind, preference: &EnginePreference, why: &str) -> Plan {
    let (heuristic, chosen) = match (preference.heuristic, engine, &preference.partition) {
        (Some(HeuristicKind::Patterns), EngineKind::IdaStar, Some(name)) => {
            match Tables::parse(name, space.shape, space.goal_blank) {
                Ok(tables) => (HeuristicKind::Patterns, format!("{} was requested", tables.name())),
                Err(error) => (HeuristicKind::Patterns, format!("{error}; {}", tiers_of(space))),
            }
        }
        (None, EngineKind::IdaStar, _) if preference.has_node_limit => (
            HeuristicKind::WalkingConflict,
            "no tables, because results with a node limit must not depend on when they are built".into(),
        ),
        (None | Some(HeuristicKind::Patterns), EngineKind::IdaStar, _) => (HeuristicKind::Patterns, tiers_of(space)),
        (None | Some(HeuristicKind::Patterns), ..) => {
            (HeuristicKind::WalkingConflict, "the heuristic is the strongest without large tables".into())
        }
        (Some(heuristic), ..) => (heuristic, format!("{} was requested", heuristic.name())),
    };
    Plan { engine, heuristic: Some(heuristic), bytes: 0, why: format!("{why}; {chosen}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;

    fn space(rows: usize, cols: usize) -> Space {
        let shape = Shape::new(rows, cols).unwrap();
        Space { shape, goal_blank: Cell::new(rows * cols - 1), order: Move::ALL }
    }

    fn planned(rows: usize, cols: usize, preference: EnginePreference) -> Plan {
        plan(&space(rows, cols), &preference, 2, 4 << 30)
    }

    /// Returns the names of the stages of a space, and whether they fit into this memory.
    fn named_stages(space: &Space, preference: &EnginePreference, bytes: u64) -> Vec<(String, Fit)> {
        let stages = table_stages(space, preference, &plan(space, preference, 2, bytes), 2, bytes);
        assert!(stages.iter().all(|stage| stage.fit == Fit::TooLarge || stage.footprint.peak <= bytes));
        stages.iter().map(|stage| (stage.tables.name(), stage.fit)).collect()
    }

    #[test]
    fn small_boards_are_looked_up_and_large_ones_searched() {
        use EngineKind::{IdaStar, Line, Lookup};
        let cases = [
            (1, 1, Line),
            (1, 25, Line),
            (2, 2, Lookup),
            (3, 3, Lookup),
            (2, 4, Lookup),
            (2, 5, Lookup),
            (3, 4, IdaStar),
            (5, 5, IdaStar),
        ];
        for (rows, cols, engine) in cases {
            assert_eq!(planned(rows, cols, EnginePreference::default()).engine, engine, "{rows}x{cols}");
        }
    }

    /// A table of cases: the memory, the requested partition, and which of 6-6-3, 7-7-1 and 7-8 are
    /// built.
    #[test]
    fn no_table_exceeds_the_memory() {
        use Fit::{Fits, TooLarge};
        let space = space(4, 4);
        let stages_with = |partition: Option<&str>, bytes| {
            named_stages(
                &space,
                &EnginePreference { partition: partition.map(String::from), ..EnginePreference::default() },
                bytes,
            )
        };
        let tiers = |fits: [Fit; 3]| ["6-6-3", "7-7-1", "7-8"].map(String::from).into_iter().zip(fits);
        for (memory, fits) in [
            (4 << 30, [Fits, Fits, Fits]),
            (300 << 20, [Fits, Fits, TooLarge]),
            (50 << 20, [Fits, TooLarge, TooLarge]),
            (1 << 20, [TooLarge; 3]),
        ] {
            assert!(stages_with(None, memory).into_iter().eq(tiers(fits)), "{memory}");
        }
        let requested = EnginePreference { heuristic: Some(HeuristicKind::Patterns), ..EnginePreference::default() };
        assert_eq!(named_stages(&space, &requested, 4 << 30).len(), 3);
        assert_eq!(stages_with(Some("7-8"), 4 << 30), [("7-8".into(), Fits)]);
        let mut fallback = vec![("7-8".to_string(), TooLarge)];
        fallback.extend(tiers([Fits, Fits, TooLarge]));
        assert_eq!(stages_with(Some("7-8"), 300 << 20), fallback);
        // No tables are built for another heuristic.
        let other = EnginePreference { heuristic: Some(HeuristicKind::Manhattan), ..EnginePreference::default() };
        assert!(named_stages(&space, &other, 4 << 30).is_empty());
    }

    #[test]
    fn preferences_are_followed_if_possible() {
        let idastar = EnginePreference {
            engine: Some(EngineKind::IdaStar),
            heuristic: Some(HeuristicKind::Manhattan),
            ..EnginePreference::default()
        };
        let plan = planned(3, 3, idastar);
        assert_eq!((plan.engine, plan.heuristic), (EngineKind::IdaStar, Some(HeuristicKind::Manhattan)));
        let lookup = EnginePreference { engine: Some(EngineKind::Lookup), ..EnginePreference::default() };
        assert_eq!(planned(2, 2, lookup.clone()).engine, EngineKind::Lookup);
        let plan = planned(4, 4, lookup.clone());
        assert_eq!(plan.engine, EngineKind::IdaStar);
        assert!(plan.why.contains("at most 12 cells"), "{}", plan.why);
        assert_eq!(planned(2, 6, lookup).engine, EngineKind::Lookup);
    }

    /// The full table is the last stage for 12 cells and for no other size, and the only stage if
    /// it was requested.
    #[test]
    fn the_full_table_is_built_if_it_fits() {
        use Fit::{Fits, TooLarge};
        let space = space(3, 4);
        let full = |fit| Some(("the full table".to_string(), fit));
        let lookup = EnginePreference { engine: Some(EngineKind::Lookup), ..EnginePreference::default() };
        for (bytes, fit, engine, why) in [
            (200_000_000, Fits, EngineKind::Lookup, "requested"),
            (50_000_000, TooLarge, EngineKind::IdaStar, "MB to build"),
        ] {
            let stages = named_stages(&space, &EnginePreference::default(), bytes);
            assert_eq!(stages.first(), Some(&("6-5".to_string(), Fits)));
            assert_eq!(stages.last().cloned(), full(fit));
            let plan = plan(&space, &lookup, 2, bytes);
            assert_eq!(plan.engine, engine);
            assert!(plan.why.contains(why), "{}", plan.why);
            // If a requested full table does not fit, the stages are the default ones.
            let requested = named_stages(&space, &lookup, bytes);
            let expected = if fit == Fits { stages[stages.len() - 1..].to_vec() } else { stages };
            assert_eq!(requested, expected);
        }
        assert!(planned(3, 4, EnginePreference::default()).why.contains("the full table"));
        assert!(!planned(3, 5, EnginePreference::default()).why.contains("the full table"));
    }

    /// Tables are kept when later ones are built, so each stage has only the memory that earlier
    /// ones left.
    #[test]
    fn stages_must_fit_together_with_earlier_ones() {
        let space = space(4, 4);
        let [below, above] = [1, 2].map(|number| Tables::of(&space)[number].footprint(&space, 2, &[]));
        let needed = Tables::of(&space)[0].footprint(&space, 2, &[]).kept + below.kept + above.peak;
        for (bytes, fit) in [(needed, Fit::Fits), (needed - 1, Fit::TooLarge)] {
            assert_eq!(named_stages(&space, &EnginePreference::default(), bytes)[2], ("7-8".to_string(), fit));
        }
    }
}
