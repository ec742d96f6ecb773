//! IDA* over one-bit pattern databases: a frontier list, expanded chunk by chunk.
//!
//! The search is iterative deepening (Korf 1985) with three things of its own. Its lower bound is
//! the larger of two sums of one-bit pattern databases, of the board and of its mirror image (Korf and
//! Felner 2002); letters that only repeat are cut by an automaton (Taylor and Korf 1993); and no
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
//! differ by two or more. Are they equal, then the larger after a move is one more, or one less
//! if both fall. Do they differ, then the larger falls or rises by one and the smaller can at most
//! come level with it, and the larger decides as before.
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
//! the list is frozen, and every iteration searches below its nodes, in waves as before (`below.rs`): that
//! costs a few nodes more, because what lies between the list and the bound is generated again.
//!
//! # Several threads
//!
//! Threads that are free take stretches of the list (`pass.rs`). What each brings stays as it is, a segment
//! of the next list and a trace of steps beside those of others, so there is nothing that only one
//! thread could do. Chunks are cut where one thread would cut them, the list is frozen where one thread
//! would freeze it, and the first solution *in the order of the list* counts: the path, the lists and the
//! number of nodes are those of one thread.
//!
//! # Cost
//!
//! One core of a Zen 5, CPU time, automaton of depth 10, for `7-8` of depth 12:
//!
//! | partition of 4×4 | nodes a random board | boards a second | with AVX-512 |
//! |---|---|---|---|
//! | `5-5-5` | 300 k | 86 | |
//! | `6-6-3` | 167 k | 161 | |
//! | `7-7-1` | 52 k | 497 | |
//! | `7-8` | 13.0 k | 2,100 | 3,800 |

mod below;
mod deepen;
mod dive;
mod expand;
mod ground;
mod list;
mod machine;
mod node;
mod pass;
#[cfg(test)]
mod signature;
#[cfg(test)]
mod tests;
mod trace;
#[cfg(target_arch = "x86_64")]
mod vector;
mod wave;
mod word;

use std::sync::Arc;

use self::deepen::{Lists, Room, deepen};
use self::expand::Expand;
use self::ground::Ground;
pub use self::machine::Machine;
use self::node::Node;
#[cfg(target_arch = "x86_64")]
use self::vector::{VectorGround, VectorSearch};
use self::wave::WaveSearch;
use self::word::Word;
use super::automaton::Automaton;
use super::{Budget, Crew, Outcome, Stats};
use crate::board::{Path, Solvable};
use crate::frame::Space;
use crate::heuristic::pdb::PdbSum;

/// Tables, automaton and moves of one space: immutable, shared by all workers.
pub struct Waves(Kind);

/// By width of a board's word and room for patterns.
enum Kind {
    Narrow2(Box<WaveSearch<u64, 2>>),
    #[cfg(target_arch = "x86_64")]
    Vector(Box<VectorSearch>),
    Narrow4(Box<WaveSearch<u64, 4>>),
    Narrow8(Box<WaveSearch<u64, 8>>),
    Wide4(Box<WaveSearch<u128, 4>>),
    Wide8(Box<WaveSearch<u128, 8>>),
}

impl Kind {
    fn narrow(machine: Machine, ground: Ground<u64, 2>) -> Kind {
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = VectorGround::new(machine, &ground) {
            return Kind::Vector(Box::new(VectorSearch { machine, ground, vectors }));
        }
        Kind::Narrow2(Box::new(WaveSearch { machine, ground }))
    }
}

/// A worker's memory, kept from board to board of one kind of search.
pub struct Scratch {
    room: Room,
    /// The kind of the last search.
    last: Option<std::mem::Discriminant<Kind>>,
    narrow2: Lists<WaveSearch<u64, 2>>,
    #[cfg(target_arch = "x86_64")]
    vector: Lists<VectorSearch>,
    narrow4: Lists<WaveSearch<u64, 4>>,
    narrow8: Lists<WaveSearch<u64, 8>>,
    wide4: Lists<WaveSearch<u128, 4>>,
    wide8: Lists<WaveSearch<u128, 8>>,
}

impl Scratch {
    /// Some 95,000 nodes on 4×4. A longer list saves up to a tenth of the nodes; memory that was never touched before costs as much,
    /// and what does not stay in a core's own cache too. Machine B of `benches/README.md`, 2026-11-21, with 2, 4, 8 and 16 MB:
    /// millions of nodes of an 80-move board by a `7-8`, 6.01, 5.96, 5.87, 5.67; 100 random boards by a `6-6-3`, two threads, in a fresh
    /// process, with 1, 4 and 16 MB: 0.99, 0.96 and 1.19 s of processor time, 5,900, 10,000 and 27,000 page faults.
    pub const BYTES: usize = 4 << 20;

    /// Memory whose lists and steps take at most `bytes`. Nothing is allocated before it is needed.
    pub fn new(bytes: usize) -> Scratch {
        Scratch::with(Room::new(bytes))
    }

    fn with(room: Room) -> Scratch {
        Scratch {
            room,
            last: None,
            narrow2: Lists::default(),
            #[cfg(target_arch = "x86_64")]
            vector: Lists::default(),
            narrow4: Lists::default(),
            narrow8: Lists::default(),
            wide4: Lists::default(),
            wide8: Lists::default(),
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
        f.debug_struct("Scratch").field("room", &self.room).finish_non_exhaustive()
    }
}

impl Waves {
    /// An engine for the machine it runs on; `None` unless every tile is in one of the patterns.
    ///
    /// The tables must be those of the space's shape and goal cell of the blank.
    pub fn new(space: &Space, sum: &Arc<PdbSum>, automaton: &Automaton) -> Option<Waves> {
        Waves::on(Machine::best(), space, sum, automaton)
    }

    /// An engine that makes use of no more than a certain machine has; `None` also when that is not here.
    pub fn on(machine: Machine, space: &Space, sum: &Arc<PdbSum>, automaton: &Automaton) -> Option<Waves> {
        if !machine.is_here() {
            return None;
        }
        fn search<W: Word, const P: usize>(machine: Machine, ground: Ground<W, P>) -> Box<WaveSearch<W, P>> {
            Box::new(WaveSearch { machine, ground })
        }
        let narrow = space.shape.cells() <= 16;
        Some(Waves(match (narrow, sum.tables().len()) {
            (true, 0..=2) => Kind::narrow(machine, Ground::new(space, sum, automaton)?),
            (true, 3..=4) => Kind::Narrow4(search(machine, Ground::new(space, sum, automaton)?)),
            (true, _) => Kind::Narrow8(search(machine, Ground::new(space, sum, automaton)?)),
            (false, 0..=4) => Kind::Wide4(search(machine, Ground::new(space, sum, automaton)?)),
            (false, _) => Kind::Wide8(search(machine, Ground::new(space, sum, automaton)?)),
        }))
    }

    /// What it searches.
    pub fn space(&self) -> &Space {
        match &self.0 {
            Kind::Narrow2(search) => &search.ground.space,
            #[cfg(target_arch = "x86_64")]
            Kind::Vector(search) => &search.ground.space,
            Kind::Narrow4(search) => &search.ground.space,
            Kind::Narrow8(search) => &search.ground.space,
            Kind::Wide4(search) => &search.ground.space,
            Kind::Wide8(search) => &search.ground.space,
        }
    }

    /// Finds the canonical shortest path from `start` to the goal.
    ///
    /// The state must be one that was admitted to this space. The search ends after exactly
    /// [`Budget::nodes`] generated nodes, the start being the first of them; then, or when interrupted,
    /// the bound it had reached is proven. What was spent is added to `stats`; of a chunk that a limit
    /// ended nothing counts as expanded.
    ///
    /// Threads of `crew` that are free help, and change neither the outcome nor, unless it was
    /// interrupted, the stats: what they do beyond the search of one thread is not counted. A search with
    /// a limit of nodes runs on one thread.
    pub fn solve(
        &self,
        start: &Solvable,
        budget: &Budget,
        crew: &Crew,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> Outcome {
        // The room is that of one kind's lists: those of another are given back.
        let kind = std::mem::discriminant(&self.0);
        if scratch.last.replace(kind).is_some_and(|last| last != kind) {
            *scratch = Scratch { last: Some(kind), ..Scratch::with(scratch.room) };
        }
        let task = Board { start, budget, crew, room: scratch.room, stats };
        match &self.0 {
            Kind::Narrow2(search) => task.solve(&search.ground, &**search, &mut scratch.narrow2),
            #[cfg(target_arch = "x86_64")]
            Kind::Vector(search) => task.solve(&search.ground, &**search, &mut scratch.vector),
            Kind::Narrow4(search) => task.solve(&search.ground, &**search, &mut scratch.narrow4),
            Kind::Narrow8(search) => task.solve(&search.ground, &**search, &mut scratch.narrow8),
            Kind::Wide4(search) => task.solve(&search.ground, &**search, &mut scratch.wide4),
            Kind::Wide8(search) => task.solve(&search.ground, &**search, &mut scratch.wide8),
        }
    }
}

/// A board to be solved.
struct Board<'a, 'b> {
    start: &'a Solvable,
    budget: &'a Budget<'b>,
    crew: &'a Crew,
    room: Room,
    stats: &'a mut Stats,
}

impl Board<'_, '_> {
    fn solve<W: Word, const P: usize, E: Expand<Node = Node<W, P>>>(
        self,
        ground: &Ground<W, P>,
        by: &E,
        lists: &mut Lists<E>,
    ) -> Outcome {
        let root = ground.root(self.start.state());
        if root.board == ground.goal {
            self.stats.generated += 1;
            return Outcome::Solved(Path::new());
        }
        deepen(by, root, self.budget, self.crew, self.room, lists, self.stats)
    }
}
