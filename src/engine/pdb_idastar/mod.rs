//! IDA* over one-bit pattern databases: a frontier list, expanded chunk by chunk.
//!
//! The search is iterative deepening (Korf 1985) with three things of its own. Its lower bound is
//! the larger of two sums of one-bit pattern databases, of the board and of its mirror image (Korf and
//! Felner 2002); move strings that only lead to duplicates are cut by an automaton (Taylor and Korf 1993); and no
//! iteration repeats the one before, because the nodes that were cut, in depth-first order, are
//! the roots of the next. A *chunk* of 96 list nodes is the unit of work: what grows from it
//! is a function of the chunk and the bound.
//!
//! # Every cut node is due in the next iteration
//!
//! *A move changes a sum by exactly one.* Every tile is in one pattern; a move of one of its tiles
//! changes a pattern's value by exactly one, and those of the other patterns by nothing.
//!
//! *A move changes the larger of the two sums by exactly one.* Each sum starts at 0 in the goal and
//! changes by one with every move, so both have the parity of the number of moves made: they are equal or
//! differ by two or more. If they are equal, the larger after a move is one more, or one less
//! if both fall. If they differ, the larger falls or rises by one and the smaller can at most
//! become equal to it, so the maximum changes as the larger does.
//!
//! So f = depth + lower bound stays or grows by two with every move. In the iteration of bound T all
//! roots have f = T, every node that is expanded has f = T, every one that is cut has f = T + 2, and
//! the next bound is T + 2. Nothing else needs to be kept.
//!
//! # Why the first solution is the canonical path
//!
//! As in [`super::idastar`]: the list is in lexicographic order, cuts every path once, and no solution
//! is lost. The automaton cuts a path only where a shorter one, or one of the same length that is
//! lexicographically smaller, leads to the same board; the smallest of all shortest paths has no such
//! beginning. Of a chunk with solutions all is expanded and the first in depth-first order taken, so
//! that nodes counted do not depend on the order of expansion within the chunk.
//!
//! # Memory
//!
//! Lists and steps grow to [`Scratch::BYTES`], 44 bytes a generated node on 4×4 with two patterns. Then
//! the list is frozen, and every iteration searches below its nodes, in waves as before (`below_frozen.rs`): that
//! costs a few nodes more, because what lies between the list and the bound is generated again.
//!
//! # Several threads
//!
//! Idle threads take ranges of the list's chunks (`pass.rs`). What each makes stays as it is, a segment
//! of the next list and a trace of steps beside those of others, so no work is left that only one
//! thread can do. Chunks are cut where one thread would cut them, the list is frozen where one thread
//! would freeze it, and the first solution *in the order of the list* counts: the path, the lists and the
//! number of nodes are those of one thread.
//!
//! # Cost
//!
//! Nodes a random board, automaton of depth 10, for `7-8` of depth 12:
//!
//! | partition of 4×4 | nodes a random board |
//! |---|---|
//! | `5-5-5` | 300 k |
//! | `6-6-3` | 167 k |
//! | `7-7-1` | 52 k |
//! | `7-8` | 13.0 k |
//!
//! Their speed is measured by `benches/yardstick`, with figures in `benches/README.md`.

mod ancestry;
#[cfg(test)]
mod any_path;
mod below_frozen;
mod blank_move;
mod chunk;
mod deepen;
mod deepest_first;
mod depth_first;
mod engine;
mod entries;
mod expand;
mod frontier_list;
#[cfg(test)]
mod halfway_tests;
mod lists;
mod node;
mod node_counter;
mod pass;
mod placement_index;
mod proof_by_bound;
mod sampling;
mod search_tables;
mod set;
#[cfg(test)]
mod signature;
mod table_bits;
#[cfg(test)]
mod tests;
mod trace;
#[cfg(target_arch = "x86_64")]
mod vector;
mod wave;
mod word;

use std::sync::Arc;

use self::deepen::{Means, Settings, Told, search};
pub use self::engine::{PatternEngine, Standing};
use self::expand::Expand;
use self::lists::Lists;
use self::node::{ListNode, Node};
use self::sampling::sample_search;
use self::search_tables::SearchTables;
use self::set::SetSearch;
#[cfg(target_arch = "x86_64")]
use self::vector::{VectorSearch, VectorTables};
use self::wave::WaveSearch;
use self::word::Word;
use super::automaton::{Automaton, DeepAutomaton};
use super::sampling::{Request, Sampled};
use super::{Outcome, SearchLog, Stats, ThreadShare, TieBreak};
use crate::board::frame::Space;
use crate::board::{Path, Solvable};
use crate::heuristic::pdb::{PdbSum, SetTables};
use crate::system::{Budget, InstructionSet, Limit};

/// Tables, automaton and moves of one space: immutable, shared by all workers.
pub struct PdbIdaStar {
    kind: Kind,
    tie_break: TieBreak,
}

/// By the width of a board's word and the most patterns.
enum Kind {
    Narrow2(Box<WaveSearch<u64, 2>>),
    #[cfg(target_arch = "x86_64")]
    Vector(Box<VectorSearch>),
    Narrow4(Box<WaveSearch<u64, 4>>),
    Narrow8(Box<WaveSearch<u64, 8>>),
    Wide4(Box<WaveSearch<u128, 4>>),
    Wide8(Box<WaveSearch<u128, 8>>),
    Set(Box<SetSearch>),
}

impl Kind {
    fn narrow(instruction_set: InstructionSet, tables: SearchTables<u64, 2>) -> Kind {
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = VectorTables::new(instruction_set, &tables) {
            return Kind::Vector(Box::new(VectorSearch { instruction_set, tables, vectors }));
        }
        Kind::Narrow2(Box::new(WaveSearch { instruction_set, tables }))
    }
}

/// A worker's memory, kept from board to board of one kind of search.
pub struct Scratch {
    settings: Settings,
    /// The kind of the last search.
    last: Option<std::mem::Discriminant<Kind>>,
    narrow2: Lists<WaveSearch<u64, 2>>,
    #[cfg(target_arch = "x86_64")]
    vector: Lists<VectorSearch>,
    narrow4: Lists<WaveSearch<u64, 4>>,
    narrow8: Lists<WaveSearch<u64, 8>>,
    wide4: Lists<WaveSearch<u128, 4>>,
    wide8: Lists<WaveSearch<u128, 8>>,
    set: Lists<SetSearch>,
}

impl Scratch {
    /// The usual memory for lists and steps: some 95,000 nodes on 4×4.
    pub const BYTES: usize = Settings::DEFAULT_BYTES;

    /// Memory whose lists and steps take at most `bytes`. Nothing is allocated before it is needed.
    pub fn new(bytes: usize) -> Scratch {
        Scratch::with(Settings::new(bytes))
    }

    fn with(settings: Settings) -> Scratch {
        Scratch {
            settings,
            last: None,
            narrow2: Lists::default(),
            #[cfg(target_arch = "x86_64")]
            vector: Lists::default(),
            narrow4: Lists::default(),
            narrow8: Lists::default(),
            wide4: Lists::default(),
            wide8: Lists::default(),
            set: Lists::default(),
        }
    }
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new(Scratch::BYTES)
    }
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scratch").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl PdbIdaStar {
    /// An engine for the processor it runs on; `None` unless every tile is in one of the patterns.
    ///
    /// The tables must be those of the space's shape and goal cell of the blank.
    pub fn new(space: &Space, sum: &Arc<PdbSum>, automaton: &Automaton) -> Option<PdbIdaStar> {
        PdbIdaStar::on(InstructionSet::best(), space, sum, automaton)
    }

    /// An engine that uses no more than an instruction set; `None` also when the processor does not have that.
    pub fn on(
        instruction_set: InstructionSet,
        space: &Space,
        sum: &Arc<PdbSum>,
        automaton: &Automaton,
    ) -> Option<PdbIdaStar> {
        if !instruction_set.is_available() {
            return None;
        }
        fn search<W: Word, const P: usize>(
            instruction_set: InstructionSet,
            tables: SearchTables<W, P>,
        ) -> Box<WaveSearch<W, P>> {
            Box::new(WaveSearch { instruction_set, tables })
        }
        let narrow = space.shape.cells() <= 16;
        let kind = match (narrow, sum.tables().len()) {
            (true, 0..=2) => Kind::narrow(instruction_set, SearchTables::new(space, sum, automaton)?),
            (true, 3..=4) => Kind::Narrow4(search(instruction_set, SearchTables::new(space, sum, automaton)?)),
            (true, _) => Kind::Narrow8(search(instruction_set, SearchTables::new(space, sum, automaton)?)),
            (false, 0..=4) => Kind::Wide4(search(instruction_set, SearchTables::new(space, sum, automaton)?)),
            (false, _) => Kind::Wide8(search(instruction_set, SearchTables::new(space, sum, automaton)?)),
        };
        Some(PdbIdaStar { kind, tie_break: TieBreak::Canonical })
    }

    /// An engine over all sums of a set of patterns, for the processor it runs on; `None` where the tables are not of this space.
    pub fn over_set(
        space: &Space,
        set: &Arc<SetTables>,
        automaton: &Arc<DeepAutomaton>,
        tie_break: TieBreak,
    ) -> Option<PdbIdaStar> {
        PdbIdaStar::over_set_on(InstructionSet::best(), space, set, automaton, tie_break)
    }

    /// The same with no more than an instruction set; `None` also when the processor does not have that.
    pub fn over_set_on(
        instruction_set: InstructionSet,
        space: &Space,
        set: &Arc<SetTables>,
        automaton: &Arc<DeepAutomaton>,
        tie_break: TieBreak,
    ) -> Option<PdbIdaStar> {
        let tables = set::Tables::new(space, set, automaton).filter(|_| instruction_set.is_available())?;
        Some(PdbIdaStar { kind: Kind::Set(Box::new(SetSearch::new(instruction_set, tables))), tie_break })
    }

    /// The same engine, for any shortest path instead of the canonical one.
    #[must_use]
    pub fn with_tie_break(self, tie_break: TieBreak) -> PdbIdaStar {
        PdbIdaStar { tie_break, ..self }
    }

    /// What it searches.
    pub fn space(&self) -> &Space {
        match &self.kind {
            Kind::Narrow2(search) => &search.tables.space,
            #[cfg(target_arch = "x86_64")]
            Kind::Vector(search) => &search.tables.space,
            Kind::Narrow4(search) => &search.tables.space,
            Kind::Narrow8(search) => &search.tables.space,
            Kind::Wide4(search) => &search.tables.space,
            Kind::Wide8(search) => &search.tables.space,
            Kind::Set(search) => &search.tables.space,
        }
    }

    /// Finds the canonical shortest path from `start` to the goal.
    ///
    /// The state must be one that was admitted to this space. The search ends after exactly
    /// [`Budget::nodes`] generated nodes, the start being the first of them; then, or when interrupted,
    /// the bound it had reached is proven. What was spent is added to `stats`; of a chunk that a limit
    /// ended nothing counts as expanded.
    ///
    /// Idle threads of `thread_share` help, and change neither the outcome nor, unless it was
    /// interrupted, the stats: what they do beyond the search of one thread is not counted. A search with
    /// a limit of nodes runs on one thread.
    pub fn solve(
        &self,
        start: &Solvable,
        budget: &Budget,
        thread_share: &ThreadShare,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> Outcome {
        let told = Told { log: &SearchLog::default(), ask: None };
        self.solve_and_tell(start, (budget, thread_share), scratch, stats, told)
    }

    /// The same, with a log of its iterations; it goes on from where an earlier search stood, if the log has that. A search for any
    /// shortest path may ask for one.
    fn solve_and_tell(
        &self,
        start: &Solvable,
        (budget, thread_share): (&Budget, &ThreadShare),
        scratch: &mut Scratch,
        stats: &mut Stats,
        told: Told,
    ) -> Outcome {
        // There is memory for one kind of lists: those of another are given back.
        let kind = std::mem::discriminant(&self.kind);
        if scratch.last.replace(kind).is_some_and(|last| last != kind) {
            *scratch = Scratch { last: Some(kind), ..Scratch::with(scratch.settings) };
        }
        let settings = Settings { tie_break: self.tie_break, ..scratch.settings };
        let means = Means { budget, thread_share, settings, told };
        let search = BoardSearch { start, means, stats };
        match &self.kind {
            Kind::Narrow2(kind) => search.solve(&kind.tables, &**kind, &mut scratch.narrow2),
            #[cfg(target_arch = "x86_64")]
            Kind::Vector(kind) => search.solve(&kind.tables, &**kind, &mut scratch.vector),
            Kind::Narrow4(kind) => search.solve(&kind.tables, &**kind, &mut scratch.narrow4),
            Kind::Narrow8(kind) => search.solve(&kind.tables, &**kind, &mut scratch.narrow8),
            Kind::Wide4(kind) => search.solve(&kind.tables, &**kind, &mut scratch.wide4),
            Kind::Wide8(kind) => search.solve(&kind.tables, &**kind, &mut scratch.wide8),
            Kind::Set(kind) => search.solve_by_set(kind, &mut scratch.set),
        }
    }
}

impl PdbIdaStar {
    /// A sample of the search from `start`, in the usual memory.
    pub fn sample(&self, start: &Solvable, request: &Request<'_>) -> Result<Sampled, Limit> {
        fn partition<W: Word, const P: usize, E: Expand<Node = Node<W, P>>>(
            tables: &SearchTables<W, P>,
            expander: &E,
            start: &Solvable,
            request: &Request<'_>,
        ) -> Result<Sampled, Limit> {
            let root = tables.root(start.state());
            if root.board == tables.goal {
                return Ok(Sampled::of_goal());
            }
            sample_search(expander, root, Scratch::BYTES, request)
        }
        match &self.kind {
            Kind::Narrow2(kind) => partition(&kind.tables, &**kind, start, request),
            #[cfg(target_arch = "x86_64")]
            Kind::Vector(kind) => partition(&kind.tables, &**kind, start, request),
            Kind::Narrow4(kind) => partition(&kind.tables, &**kind, start, request),
            Kind::Narrow8(kind) => partition(&kind.tables, &**kind, start, request),
            Kind::Wide4(kind) => partition(&kind.tables, &**kind, start, request),
            Kind::Wide8(kind) => partition(&kind.tables, &**kind, start, request),
            Kind::Set(kind) => {
                let root = set::root(&kind.tables, start.state());
                if root.f() == 0 {
                    return Ok(Sampled::of_goal());
                }
                sample_search(&**kind, root, SET_LISTS * Scratch::BYTES, request)
            }
        }
    }
}

/// The nodes of a set are three times as large as those of a partition, and few are below a list at a time: what others take there
/// goes to longer lists, whose order is finer.
const SET_LISTS: usize = 3;

/// The search of one board.
struct BoardSearch<'a, 'b> {
    start: &'a Solvable,
    means: Means<'a, 'b>,
    stats: &'a mut Stats,
}

impl BoardSearch<'_, '_> {
    fn solve<W: Word, const P: usize, E: Expand<Node = Node<W, P>>>(
        self,
        tables: &SearchTables<W, P>,
        expander: &E,
        lists: &mut Lists<E>,
    ) -> Outcome {
        let root = tables.root(self.start.state());
        if root.board == tables.goal {
            self.stats.generated += 1;
            return Outcome::Solved(Path::new());
        }
        search(expander, root, &self.means, lists, self.stats)
    }

    fn solve_by_set(self, set: &SetSearch, lists: &mut Lists<SetSearch>) -> Outcome {
        let root = set::root(&set.tables, self.start.state());
        if root.f() == 0 {
            self.stats.generated += 1;
            return Outcome::Solved(Path::new());
        }
        // Its nodes are three times as large, and few are below a list at a time: what others take there goes to longer lists,
        // whose order is finer.
        let Settings { bytes, nodes_below, .. } = self.means.settings;
        let (bytes, nodes_below) = (bytes * SET_LISTS, nodes_below / 8);
        let settings = Settings { bytes, nodes_below, ..self.means.settings };
        search(set, root, &Means { settings, ..self.means }, lists, self.stats)
    }
}
