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
//! the list is frozen, and every iteration searches depth-first below its nodes.
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

mod deepen;
mod dive;
mod ground;
mod machine;
mod node;
#[cfg(test)]
mod signature;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;
mod wave;
mod word;

use std::sync::Arc;

use self::deepen::{Expand, Lists, deepen};
use self::dive::Stack;
use self::ground::Ground;
pub use self::machine::Machine;
use self::node::Node;
#[cfg(target_arch = "x86_64")]
use self::vector::{VectorGround, VectorSearch, VectorWave};
use self::wave::{Wave, WaveSearch};
use self::word::Word;
use super::automaton::Automaton;
use super::{Budget, Outcome, Stats};
use crate::board::{Path, Solvable};
use crate::frame::Space;
use crate::heuristic::pdb::PdbSum;

/// Tables, automaton and moves of one space: immutable, shared by all workers.
pub struct Waves {
    machine: Machine,
    kind: Kind,
}

/// By width of a board's word and room for patterns.
enum Kind {
    Narrow2(Box<Ground<u64, 2>>),
    /// Also as vectors want it.
    #[cfg(target_arch = "x86_64")]
    Vector(Box<Ground<u64, 2>>, Box<VectorGround>),
    Narrow4(Box<Ground<u64, 4>>),
    Narrow8(Box<Ground<u64, 8>>),
    Wide4(Box<Ground<u128, 4>>),
    Wide8(Box<Ground<u128, 8>>),
}

impl Kind {
    fn narrow(machine: Machine, ground: Box<Ground<u64, 2>>) -> Kind {
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = VectorGround::new(machine, &ground) {
            return Kind::Vector(ground, Box::new(vectors));
        }
        let _ = machine;
        Kind::Narrow2(ground)
    }
}

/// A worker's memory, kept from board to board.
#[derive(Clone, Debug)]
pub struct Scratch {
    bytes: usize,
    narrow2: Desk<u64, 2>,
    #[cfg(target_arch = "x86_64")]
    vector: VectorWave,
    narrow4: Desk<u64, 4>,
    narrow8: Desk<u64, 8>,
    wide4: Desk<u128, 4>,
    wide8: Desk<u128, 8>,
}

/// The memory for nodes of one kind.
#[derive(Clone, Debug)]
struct Desk<W: Word, const P: usize> {
    lists: Lists<Node<W, P>>,
    wave: Wave<W, P>,
    stack: Stack<W, P>,
}

impl<W: Word, const P: usize> Default for Desk<W, P> {
    fn default() -> Self {
        Desk { lists: Lists::default(), wave: Wave::default(), stack: Stack::default() }
    }
}

impl Scratch {
    /// Some six million nodes on 4×4, four hundred times the mean of a 15-puzzle with a `7-8`.
    pub const BYTES: usize = 256 << 20;

    /// Memory whose lists and steps take at most `bytes`. Nothing is allocated before it is needed.
    pub fn new(bytes: usize) -> Scratch {
        Scratch {
            bytes,
            narrow2: Desk::default(),
            #[cfg(target_arch = "x86_64")]
            vector: VectorWave::default(),
            narrow4: Desk::default(),
            narrow8: Desk::default(),
            wide4: Desk::default(),
            wide8: Desk::default(),
        }
    }
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new(Scratch::BYTES)
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
        let narrow = space.shape.cells() <= 16;
        let kind = match (narrow, sum.tables().len()) {
            (true, 0..=2) => Kind::narrow(machine, Box::new(Ground::new(space, sum, automaton)?)),
            (true, 3..=4) => Kind::Narrow4(Box::new(Ground::new(space, sum, automaton)?)),
            (true, _) => Kind::Narrow8(Box::new(Ground::new(space, sum, automaton)?)),
            (false, 0..=4) => Kind::Wide4(Box::new(Ground::new(space, sum, automaton)?)),
            (false, _) => Kind::Wide8(Box::new(Ground::new(space, sum, automaton)?)),
        };
        Some(Waves { machine, kind })
    }

    /// What it searches.
    pub fn space(&self) -> &Space {
        match &self.kind {
            Kind::Narrow2(ground) => &ground.space,
            #[cfg(target_arch = "x86_64")]
            Kind::Vector(ground, _) => &ground.space,
            Kind::Narrow4(ground) => &ground.space,
            Kind::Narrow8(ground) => &ground.space,
            Kind::Wide4(ground) => &ground.space,
            Kind::Wide8(ground) => &ground.space,
        }
    }

    /// Finds the canonical shortest path from `start` to the goal.
    ///
    /// The state must be one that was admitted to this space. The search ends after exactly
    /// [`Budget::nodes`] generated nodes, the start being the first of them; then, or when interrupted,
    /// the bound it had reached is proven. What was spent is added to `stats`; of a chunk that a limit
    /// ended nothing counts as expanded.
    pub fn solve(&self, start: &Solvable, budget: &Budget, scratch: &mut Scratch, stats: &mut Stats) -> Outcome {
        let bytes = scratch.bytes;
        match &self.kind {
            Kind::Narrow2(ground) => self.search(ground, start, budget, bytes, &mut scratch.narrow2, stats),
            #[cfg(target_arch = "x86_64")]
            Kind::Vector(ground, vectors) => {
                let Desk { lists, stack, .. } = &mut scratch.narrow2;
                let wave = &mut scratch.vector;
                let mut expand = VectorSearch { machine: self.machine, ground, vectors, wave, stack };
                search_from(ground, start, &mut expand, budget, bytes, lists, stats)
            }
            Kind::Narrow4(ground) => self.search(ground, start, budget, bytes, &mut scratch.narrow4, stats),
            Kind::Narrow8(ground) => self.search(ground, start, budget, bytes, &mut scratch.narrow8, stats),
            Kind::Wide4(ground) => self.search(ground, start, budget, bytes, &mut scratch.wide4, stats),
            Kind::Wide8(ground) => self.search(ground, start, budget, bytes, &mut scratch.wide8, stats),
        }
    }

    fn search<W: Word, const P: usize>(
        &self,
        ground: &Ground<W, P>,
        start: &Solvable,
        budget: &Budget,
        bytes: usize,
        desk: &mut Desk<W, P>,
        stats: &mut Stats,
    ) -> Outcome {
        let Desk { lists, wave, stack } = desk;
        let mut expand = WaveSearch { machine: self.machine, ground, wave, stack };
        search_from(ground, start, &mut expand, budget, bytes, lists, stats)
    }
}

fn search_from<W: Word, const P: usize, E: Expand<Node = Node<W, P>>>(
    ground: &Ground<W, P>,
    start: &Solvable,
    expand: &mut E,
    budget: &Budget,
    bytes: usize,
    lists: &mut Lists<Node<W, P>>,
    stats: &mut Stats,
) -> Outcome {
    let root = ground.root(start.state());
    if root.board == ground.goal {
        stats.generated += 1;
        return Outcome::Solved(Path::new());
    }
    deepen(expand, root, budget, bytes, lists, stats)
}
