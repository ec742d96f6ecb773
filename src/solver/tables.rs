//! The tables that a run may build for a [`Space`]: their memory, the costs of building them, and
//! the costs of solving boards with them.
//!
//! Costs are in nanoseconds of one thread on a machine of 2025. Only their ratios matter, and these
//! are similar on other machines (`benches/constants.csv`). Small differences do not matter,
//! because the rules of the tiers are themselves only within a factor of two of the optimum.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::caches::{BuiltOnce, get_or_build};
use super::settings::{EnginePreference, HeuristicChoice, HeuristicKind};
use crate::board::frame::Space;
use crate::board::{Cell, Shape};
use crate::engine::contract::Engine;
use crate::engine::ida::{BuiltTables, IdaStar};
use crate::engine::{TieBreak, full_table};
use crate::heuristic::WalkingConflict;
use crate::heuristic::pdb::{Partition, Pattern, PdbCollection, PdbSum};
use crate::system::{Footprint, MemoryBudget};

/// The cost of a node of a search with the base heuristic. Values from 19 to 30 were measured
/// (`benches/constants.csv`). The largest is best for single 5×5 boards, and the times of other
/// boards hardly depend on the choice.
pub(super) const PER_BASE_NODE: f64 = 30.0;

/// The fixed cost of a search over tables, before its first node.
pub(super) const PER_SEARCH: f64 = 15_000.0;

/// The cost of generating a table entry.
const PER_ENTRY: f64 = 3.0;

/// A set of tables that a run may build for a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableSet {
    /// The tables of a partition.
    Patterns(Partition),
    /// The tables of a PDB collection, which form several sums.
    Collection(PdbCollection),
    /// The full table, see [`full_table`].
    Full,
}

impl TableSet {
    /// Parses a name: a partition, `7-8` or `0,1,2/3,4,5`, or a collection, `18x6` or
    /// `0,1,2;2,3,4`.
    ///
    /// # Errors
    /// The reason why there are no tables of this name for the space.
    pub fn parse(name: &str, space: &Space) -> Result<TableSet, String> {
        let (shape, blank) = (space.shape, space.goal_blank);
        if PdbCollection::is_named_by(name) {
            let collection = PdbCollection::parse(name, shape, blank);
            return collection.map(TableSet::Collection).map_err(|error| error.to_string());
        }
        Partition::parse(name, shape, blank).map(TableSet::Patterns).map_err(|error| error.to_string())
    }

    /// Returns the tables requested by name, if the space has such tables.
    pub fn requested(space: &Space, preference: &EnginePreference) -> Option<TableSet> {
        let HeuristicChoice::Partition(name) = &preference.heuristic else { return None };
        TableSet::parse(name, space).ok()
    }

    /// Returns the patterns whose tables a larger collection can share.
    pub fn shared(&self) -> &[Pattern] {
        if let TableSet::Collection(collection) = self { collection.patterns() } else { &[] }
    }

    /// Returns the tables worth building for a space, in the order in which they are built.
    pub fn of(space: &Space) -> Vec<TableSet> {
        let partitions = Partition::defaults(space.shape, space.goal_blank);
        let collections = PdbCollection::defaults(space.shape, space.goal_blank);
        let largest_pattern = |patterns: &[Pattern]| patterns.iter().map(Pattern::tiles).max().unwrap_or(0);
        let first_collection = collections.first();
        let largest = first_collection.map_or(Pattern::MAX_TILES, |first| largest_pattern(first.patterns()));
        // A partition with larger patterns than the first collection would take more memory, and
        // the collection would soon replace it.
        let partitions = partitions.into_iter().filter(|partition| largest_pattern(partition.patterns()) <= largest);
        let partitions = partitions.map(TableSet::Patterns);
        if full_table::is_for(space.shape) {
            // Larger partitions save at most a tenth of the cost, and the full table replaces them.
            return partitions.take(1).chain([TableSet::Full]).collect();
        }
        partitions.chain(collections.into_iter().map(TableSet::Collection)).collect()
    }

    /// Returns the tables of a space that can be built in a second or two, the cheapest first. A full
    /// table is not included: boards are looked up in it, so there is no search to sample.
    pub fn quickly_built(space: &Space) -> Vec<TableSet> {
        /// The maximum cost: 900 million entries. The tables of 7-8 on 4×4, of the smaller
        /// collection on 4×5 and of 6-6-6-6 on 5×5 need fewer; larger ones need more.
        const MAX_COST: f64 = 900e6 * PER_ENTRY;
        let mut tables = TableSet::of(space);
        tables.retain(|tables| *tables != TableSet::Full && tables.build_cost(space, &[]) <= MAX_COST);
        tables
    }

    /// Returns the name shown to the user.
    pub fn name(&self) -> String {
        match self {
            TableSet::Patterns(partition) => partition.sizes(),
            TableSet::Collection(collection) => collection.name(),
            TableSet::Full => "the full table".into(),
        }
    }

    /// Returns the memory that the tables take in addition to the tables of the patterns in
    /// `built`. This computes their layouts, which takes a few milliseconds, or a tenth of a second
    /// on 5×5.
    pub fn footprint(&self, space: &Space, threads: usize, built: &[Pattern]) -> Footprint {
        match self {
            TableSet::Patterns(partition) => PdbSum::footprint(partition),
            TableSet::Collection(collection) => IdaStar::collection_footprint(collection, built),
            TableSet::Full => full_table::Table::footprint(space.shape, threads),
        }
    }

    /// Returns the build cost, excluding the tables of the patterns in `built`.
    pub fn build_cost(&self, space: &Space, built: &[Pattern]) -> f64 {
        let entries = match self {
            TableSet::Patterns(partition) => {
                partition.entries_generated() + IdaStar::partition_automaton_cost(space, partition)
            }
            TableSet::Collection(collection) => {
                collection.entries_to_generate(built) + IdaStar::collection_automaton_cost(collection, built)
            }
            TableSet::Full => full_table::Table::build_cost(space.shape),
        };
        entries as f64 * PER_ENTRY
    }

    /// Returns the cost of a node of a search over these tables.
    pub fn node_cost(&self) -> f64 {
        match self {
            // Large tables are not in the caches.
            TableSet::Patterns(partition) if partition.entries_generated() > 50_000_000 => 35.0,
            TableSet::Patterns(_) => 25.0,
            TableSet::Collection(collection) => 35.0 + 2.6 * collection.patterns().len() as f64,
            // Boards are answered without a search.
            TableSet::Full => 1.0,
        }
    }
}

/// A builder of the engines of any space.
#[derive(Debug)]
pub struct EngineBuilder {
    /// The choice among several shortest paths.
    pub tie_break: TieBreak,
    /// The number of threads that build, including the caller's.
    pub threads: usize,
    /// The walking-conflict heuristics by shape and goal cell of the blank. They take negligible
    /// memory.
    pub walking_conflicts: BuiltOnce<(Shape, Cell), Arc<WalkingConflict>>,
    /// The unused part of the tables' share of the memory.
    pub memory_budget: MemoryBudget,
}

impl EngineBuilder {
    /// Returns the walking-conflict heuristic for a space. Spaces with the same shape and goal cell
    /// of the blank share the heuristic.
    pub fn walking_conflict(&self, &Space { shape, goal_blank, .. }: &Space) -> Arc<WalkingConflict> {
        let build = || Arc::new(WalkingConflict::new(shape, goal_blank));
        get_or_build(&self.walking_conflicts, &(shape, goal_blank), build)
    }

    /// Builds the base search: IDA* with walking-conflict, which needs no large tables.
    pub fn base(&self, space: &Space) -> Arc<dyn Engine> {
        let (name, heuristic) = (HeuristicKind::WalkingConflict.name(), self.walking_conflict(space));
        Arc::new(IdaStar::new(&heuristic, space, name, self.tie_break))
    }

    /// Builds tables of this footprint and the engine over them. A collection shares the tables in
    /// `built`; afterwards `built` contains the tables of this collection. Returns `None` if there
    /// is too little memory or if `stop` is set. `shown` is what [`MemoryBudget::building`] returns
    /// meanwhile.
    pub fn build(
        &self,
        space: &Space,
        tables: &TableSet,
        shown: (String, Option<Duration>),
        footprint: Footprint,
        built: &mut BuiltTables,
        stop: &AtomicBool,
    ) -> Option<Arc<dyn Engine>> {
        let (tie_break, threads) = (self.tie_break, self.threads);
        let build = || -> Option<Arc<dyn Engine>> {
            Some(match tables {
                TableSet::Patterns(partition) => Arc::new(IdaStar::build(space, partition, tie_break, threads, stop)?),
                TableSet::Collection(collection) => {
                    let (engine, tables) =
                        IdaStar::build_collection(space, collection, built, tie_break, threads, stop)?;
                    *built = tables;
                    Arc::new(engine)
                }
                TableSet::Full => {
                    let threads = full_table::Table::threads(space.shape, threads);
                    Arc::new(full_table::Table::build(space, threads, stop)?)
                }
            })
        };
        self.memory_budget.build_shown(shown, footprint, build)
    }
}

/// The *far* boards of a shape, which are about as far from the goal as random boards: their
/// minimum distance and their costs.
#[derive(Debug)]
pub(super) struct FarBoards {
    /// Rows and columns, the smaller number first.
    sides: (usize, usize),
    /// Minimum Manhattan distance of a far board.
    pub(super) min_distance: u64,
    /// The mean cost of solving a far board at the base and at each tier.
    pub(super) costs: &'static [f64],
}

/// The shapes whose costs are known. The minimum distance is nine tenths of the mean of random
/// boards. If the base cannot solve random boards of a shape in a reasonable time, boards that are
/// not quite as far are also too expensive for it, so the minimum is smaller (three quarters of the
/// mean for 4×5, six tenths for 2×7, 2×8 and 5×5). Of 1,000 random 15-puzzles, 764 are far; of
/// 1,000 random walks of 45 moves, 6 end at a far board.
const FAR_BOARDS: [FarBoards; 8] = [
    FarBoards { sides: (3, 4), min_distance: 22, costs: &[640e3, 39e3, 0.9e3] },
    FarBoards { sides: (2, 6), min_distance: 25, costs: &[240e6, 48e3, 0.9e3] },
    FarBoards { sides: (2, 7), min_distance: 22, costs: &[15e9, 12e6, 99e3, 60e3] },
    FarBoards { sides: (3, 5), min_distance: 32, costs: &[330e6, 48e6, 1.3e6, 750e3] },
    FarBoards { sides: (2, 8), min_distance: 29, costs: &[3e12, 3e9, 42e6, 510e3] },
    FarBoards { sides: (4, 4), min_distance: 34, costs: &[240e6, 6.3e6, 1.4e6, 390e3] },
    FarBoards { sides: (4, 5), min_distance: 41, costs: &[1e12, 150e6, 7.4e6, 6e6] },
    FarBoards { sides: (5, 5), min_distance: 47, costs: &[1e15, 3e9, 2.8e9] },
];

impl FarBoards {
    /// Returns the far boards of a shape, if their costs are known.
    pub(super) fn of(shape: Shape) -> Option<&'static FarBoards> {
        let sides = (shape.rows().min(shape.cols()), shape.rows().max(shape.cols()));
        FAR_BOARDS.iter().find(|far| far.sides == sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::frame::Space;
    use crate::board::{Board, Cell, Goal, Move, Tile};
    use crate::system::Random;

    /// docs/formats.md describes the estimates for which these tables are used.
    #[test]
    fn boards_are_sampled_with_tables_built_in_a_second_or_two() {
        let best = |rows, cols, blank| {
            let space =
                Space { shape: Shape::new(rows, cols).unwrap(), goal_blank: Cell::new(blank), order: Move::ALL };
            TableSet::quickly_built(&space).last().map(TableSet::name)
        };
        for (rows, cols, blank, name) in [
            (4, 4, 15, "7-8"),
            (3, 6, 17, "8x6-4x5"),
            (4, 5, 19, "13x6-6x5-6x2-1x1"),
            (5, 5, 24, "6-6-6-6"),
            (5, 5, 12, "6-6-6-6"),
        ] {
            assert_eq!(best(rows, cols, blank).as_deref(), Some(name), "{rows}x{cols} {blank}");
        }
    }

    /// For goals with the blank in a corner, every shape has a cost at the base and at each tier,
    /// in decreasing order.
    #[test]
    fn costs_match_the_tiers() {
        for FarBoards { sides: (rows, cols), costs, .. } in &FAR_BOARDS {
            let shape = Shape::new(*rows, *cols).unwrap();
            let space = Space { shape, goal_blank: Cell::new(shape.cells() - 1), order: Move::ALL };
            assert_eq!(costs.len(), 1 + TableSet::of(&space).len(), "{shape}");
            assert!(costs.is_sorted_by(|below, above| below > above), "{shape}");
        }
    }

    /// Each minimum is one of the documented fractions of the mean, rounded up.
    #[test]
    fn far_boards_are_about_as_far_as_random_ones() {
        for FarBoards { sides: (rows, cols), min_distance, .. } in &FAR_BOARDS {
            let mean_of_a_tile = |side: usize| (side * side - 1) as f64 / (3 * side) as f64;
            let mean = (rows * cols - 1) as f64 * (mean_of_a_tile(*rows) + mean_of_a_tile(*cols));
            let is_minimum = |fraction: &f64| (fraction * mean).ceil() as u64 == *min_distance;
            assert!([0.6, 0.75, 0.9].iter().any(is_minimum), "{rows}x{cols}: {min_distance} of {mean}");
        }
    }

    /// Checked on a square and on a shape that is given with its larger side first.
    #[test]
    fn most_random_boards_are_far_and_no_goal_is() {
        let mut random = Random::new(5);
        for (rows, cols, shares) in [(4, 4, 650..850), (7, 2, 950..1_001)] {
            let shape = Shape::new(rows, cols).unwrap();
            let (goal, far_boards) = (Goal::BlankLast.on(shape).unwrap(), FarBoards::of(shape).unwrap());
            let mut tiles: Vec<Tile> = goal.tiles().to_vec();
            let mut is_far = |_: &usize| {
                random.shuffle(&mut tiles);
                Board::new(shape, &tiles).unwrap().manhattan_distance(&goal) >= far_boards.min_distance
            };
            let share = (0..1_000).filter(&mut is_far).count();
            assert!(shares.contains(&share), "{shape} {share}");
            assert!(far_boards.min_distance > 0);
        }
    }
}
