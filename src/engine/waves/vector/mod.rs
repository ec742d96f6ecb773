//! Waves in vectors: the expansion of a chunk with AVX-512, for a mirrored `7-8` on 4×4.
//!
//! Node for node the same as [`super::wave`], in stages without branches, each a loop over the whole wave:
//!
//! 1. *fan out*: every live node's fields are written once for each of its children, side by side, with
//!    the children's moves (from a table by cell and letters allowed), letters and automaton states;
//! 2. *slide*: eight children at a time become boards, orders, occupied cells and, for either view, a
//!    key that says where to look;
//! 3. *look up*: the keys become indices of table entries, which are fetched;
//! 4. *read*: the bits of those entries;
//! 5. *settle*: eight at a time, bits become values; what is within the bound is the next wave.
//!
//! Stages 3 and 4 are scalar: a gather costs more than the loads it stands for. 10,000 random
//! boards, automaton of depth 12, one core of a Zen 5, CPU time, one run: 20.3 ns a node and 3,800 boards a
//! second; the portable waves 36.7 ns, compiled for AVX2 34.5 ns.

mod courses;
mod lanes;
mod stages;
#[cfg(test)]
mod tests;

use self::courses::Lookups;
use self::lanes::LANES;
use super::dive::{Below, Stack, dive};
use super::expand::{Chunk, ChunkEnd, Expand, Keep, Part, Watch};
use super::ground::Ground;
use super::machine::Machine;
use super::node::{Node, VIEWS};
use super::wave::Family;

/// A board on 4×4 with two patterns.
type Board = Node<u64, 2>;

/// A ground for vectors.
#[derive(Debug)]
pub(super) struct VectorGround {
    lookups: Lookups,
}

impl VectorGround {
    /// `None` where vectors do not fit, or the machine has none.
    pub(super) fn new(machine: Machine, ground: &Ground<u64, 2>) -> Option<VectorGround> {
        if machine < Machine::Avx512 || !machine.is_here() {
            return None;
        }
        Some(VectorGround { lookups: Lookups::new(ground)? })
    }
}

/// The nodes of a chunk, field by field: the roots, then wave after wave. Up to a vector's length
/// beyond the last node there is memory to be written over.
#[derive(Clone, Debug, Default)]
struct Nodes {
    boards: Vec<u64>,
    /// Numbers of orders: 16 bits each, by view and then pattern.
    orders: Vec<u64>,
    /// Values: 8 bits each, by view and then pattern.
    values: Vec<u32>,
    /// The cells of the smaller pattern: 16 bits each, by view.
    occupied: Vec<u32>,
    /// 16 bits the automaton's state, 8 the blank's cell, 8 the depth.
    marks: Vec<u32>,
    /// 1 for those beyond the bound.
    cut: Vec<u8>,
}

impl Nodes {
    /// Makes room for so many nodes.
    fn reserve(&mut self, nodes: usize) {
        let nodes = nodes + LANES;
        if self.boards.len() < nodes {
            let nodes = nodes.next_power_of_two();
            self.boards.resize(nodes, 0);
            self.orders.resize(nodes, 0);
            self.values.resize(nodes, 0);
            self.occupied.resize(nodes, 0);
            self.marks.resize(nodes, 0);
            self.cut.resize(nodes, 0);
        }
    }

    fn set(&mut self, at: usize, node: &Board) {
        let [[a, b], [c, d]] = node.orders.map(|orders| orders.map(u64::from));
        self.boards[at] = node.board;
        self.orders[at] = a | b << 16 | c << 32 | d << 48;
        self.values[at] =
            u32::from_le_bytes([node.values[0][0], node.values[0][1], node.values[1][0], node.values[1][1]]);
        self.occupied[at] = u32::from(node.occupied[0][0]) | u32::from(node.occupied[1][0]) << 16;
        self.marks[at] = u32::from(node.state) | u32::from(node.blank) << 16 | u32::from(node.depth) << 24;
    }

    /// The node as it is kept in lists: the inverse of [`Nodes::set`].
    #[inline(always)]
    fn get(&self, at: usize, step: u32) -> Board {
        let (orders, mark) = (self.orders[at], self.marks[at]);
        let [a, b, c, d] = self.values[at].to_le_bytes();
        let blank = (mark >> 16) as u8;
        let (direct, mirrored) = (self.occupied[at] as u16, (self.occupied[at] >> 16) as u16);
        let transposed = blank % 4 * 4 + blank / 4;
        Node {
            board: self.boards[at],
            orders: [[orders as u16, (orders >> 16) as u16], [(orders >> 32) as u16, (orders >> 48) as u16]],
            occupied: [[direct, !direct & !(1 << (blank & 15))], [mirrored, !mirrored & !(1 << (transposed & 15))]],
            values: [[a, b], [c, d]],
            step,
            depth: (mark >> 24) as u16,
            state: mark as u16,
            blank,
            letter: 0,
            cut: false,
        }
    }
}

/// What the stages hand on to each other, child by child.
#[derive(Clone, Debug, Default)]
struct Stage {
    boards: Vec<u64>,
    orders: Vec<u64>,
    courses: Vec<u64>,
    occupied: Vec<u32>,
    marks: Vec<u32>,
    states: Vec<u16>,
    /// By view, as [`Lookups::index`] takes it: first the block and the key, then the entry.
    blocks: [Vec<u32>; VIEWS],
    keys: [Vec<u32>; VIEWS],
    /// Bits of the entries: that of the board as it is lowest, that of the mirror next.
    bits: Vec<u32>,
}

impl Stage {
    fn reserve(&mut self, children: usize) {
        let children = children + LANES;
        if self.boards.len() < children {
            let children = children.next_power_of_two();
            self.boards.resize(children, 0);
            self.orders.resize(children, 0);
            self.courses.resize(children, 0);
            self.occupied.resize(children, 0);
            self.marks.resize(children, 0);
            self.states.resize(children, 0);
            self.blocks.iter_mut().for_each(|blocks| blocks.resize(children, 0));
            self.keys.iter_mut().for_each(|keys| keys.resize(children, 0));
            self.bits.resize(children, 0);
        }
    }
}

/// A worker's memory for the nodes of one chunk.
#[derive(Clone, Debug, Default)]
pub(super) struct VectorWave {
    nodes: Nodes,
    stage: Stage,
    /// The nodes to be expanded, by place.
    live: Vec<u32>,
    /// Solutions, by place.
    goals: Vec<u32>,
    family: Family,
}

/// Waves in vectors on a ground.
pub(super) struct VectorSearch {
    pub(super) machine: Machine,
    pub(super) ground: Ground<u64, 2>,
    pub(super) vectors: VectorGround,
}

impl VectorSearch {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn expand(
        &self,
        chunk: &Chunk<Board>,
        wave: &mut VectorWave,
        watch: &mut Watch,
        part: &mut Part<Board>,
    ) -> ChunkEnd {
        let (ground, lookups) = (&self.ground, &self.vectors.lookups);
        let words = ground.tables.each_ref().map(|tables| [tables[0].words(), tables[1].words()]);
        let VectorWave { nodes, stage, live, goals, family } = wave;
        let roots = chunk.roots.len();
        let (first, most) = (part.trace.next_step(), part.trace.len().saturating_add(chunk.most));

        nodes.reserve(roots);
        for (place, root) in chunk.roots.iter().enumerate() {
            nodes.set(place, root);
        }
        goals.clear();
        family.parents.clear();
        live.clear();
        live.extend(0..roots as u32);
        let (mut begin, mut alive) = (roots, roots);
        while alive > 0 {
            nodes.reserve(begin + 4 * alive);
            stage.reserve(4 * alive);
            let steps = stages::Steps { roots: chunk.roots, begin, trace: part.trace.entries() };
            let children = stages::fan_out(ground, lookups, &live[..alive], nodes, family, steps, stage);
            part.expanded += alive as u64;
            if part.trace.len() > most {
                return ChunkEnd::TooMany;
            }
            if let Some(limit) = watch.tick(children) {
                return ChunkEnd::Interrupted(limit);
            }
            for at in (0..children).step_by(LANES) {
                stages::slide(lookups, stage, at, nodes, begin + at);
            }
            stages::look_up(lookups, &words, stage, children);
            stages::read(&words, stage, children);
            if live.len() < children + LANES {
                live.resize((children + LANES).next_power_of_two(), 0);
            }
            alive = 0;
            for at in (0..children).step_by(LANES) {
                let lanes = (children - at).min(LANES);
                alive += stages::settle(stage, at, lanes, nodes, begin + at, chunk.bound, &mut live[alive..], goals);
            }
            begin += children;
        }
        let step = |place: u32| first + place - roots as u32;
        if !goals.is_empty() {
            let order = family.depth_first(roots, |node| goals.contains(&(node as u32)));
            return ChunkEnd::Goal(step(order[0]));
        }
        if chunk.keep == Keep::Nothing {
            return ChunkEnd::Exhausted;
        }
        let order = family.depth_first(roots, |node| nodes.cut[node] != 0);
        part.nodes.extend(order.iter().map(|&place| nodes.get(place as usize, step(place))));
        ChunkEnd::Exhausted
    }
}

impl Expand for VectorSearch {
    type Node = Board;
    type Wave = VectorWave;
    type Stack = Stack<u64, 2>;

    #[allow(unsafe_code)] // a call to a function that is compiled for more than the crate is
    fn chunk(
        &self,
        chunk: &Chunk<Board>,
        wave: &mut VectorWave,
        watch: &mut Watch,
        part: &mut Part<Board>,
    ) -> ChunkEnd {
        assert!(Machine::Avx512.is_here(), "this machine has no AVX-512");
        // SAFETY: the machine was just asked for every feature the function is compiled for.
        // Guarded by the test `an_engine_never_takes_on_a_machine_that_is_not_here`.
        unsafe { self.expand(chunk, wave, watch, part) }
    }

    fn below(&self, root: &Board, bound: u16, stack: &mut Stack<u64, 2>, watch: &mut Watch) -> Below {
        dive(self.machine, &self.ground, root, bound, stack, watch)
    }
}
