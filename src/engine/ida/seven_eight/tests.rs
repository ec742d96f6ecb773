//! Tests that the vector code and the portable code generate the same children.

use std::sync::Arc;

use super::super::partition::PartitionNode;
use super::*;
use crate::board::frame::Space;
use crate::board::{Cell, Move, Shape};
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::{Layout, Partition, Pattern, PdbSum, Table};
use crate::system::{Kernel, Random};

/// Returns tables of the partition `7-8` with random bits, which take no time to build. Their
/// values are wrong, but the same for both guides.
fn tables(goal_blank: usize) -> PartitionTables<u64, 2> {
    let shape = Shape::new(4, 4).unwrap();
    let space = Space { shape, goal_blank: Cell::new(goal_blank), order: Move::ALL };
    let partition = Partition::parse("7-8", shape, space.goal_blank).unwrap();
    let mut seed = 1u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let mut random_tables = |patterns: &[Pattern]| -> Vec<Arc<Table>> {
        let layouts = patterns.iter().map(|pattern| (pattern.clone(), Layout::new(shape, pattern.tiles())));
        layouts.map(|(pattern, layout)| Arc::new(Table::of_words(pattern, layout, &mut random))).collect()
    };
    let sum = Arc::new(PdbSum::of(random_tables(partition.patterns()), random_tables(partition.reflected())));
    PartitionTables::new(&space, &sum, &Automaton::build(2)).unwrap()
}

/// Visits the states of a random walk, each with a random number.
fn walk(tables: &PartitionTables<u64, 2>, steps: usize, mut visit: impl FnMut(&State, u64)) {
    let (mut state, mut random) = (tables.space.goal(), Random::new(7));
    for _ in 0..steps {
        let seed = random.bits();
        if let Some(to) = tables.space.shape.neighbour(state.blank(), Move::from_index((seed >> 33) as u8)) {
            state.slide(to);
            visit(&state, seed >> 40);
        }
    }
}

/// Returns a node of the portable code, with values so large that random bits cannot reduce them to
/// 0.
fn node(tables: &PartitionTables<u64, 2>, state: &State, seed: u64) -> PartitionNode<u64, 2> {
    let mut node = tables.node(state, |_, _| 20);
    node.state = (seed % 5) as u32;
    node.depth = (seed >> 8 & 15) as u16;
    node.root = (seed >> 16 & 63) as u32;
    node
}

/// A kernel that generates the children of some nodes and returns them with the indices of their
/// parents.
struct GenerateChildren<'a, G: Guide> {
    guide: &'a G,
    parents: &'a [G::Node],
    buffers: &'a mut G::Buffers,
}

impl<G: Guide> Kernel for GenerateChildren<'_, G> {
    type Output = (Vec<G::Node>, Vec<u32>);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let (mut children, mut origins) = (Vec::new(), Vec::new());
        let GenerateChildren { guide, parents, buffers } = self;
        let count = guide.children(&guide.bits(), parents, (60, Wanted::All), buffers, &mut children, &mut origins);
        assert_eq!((children.len(), origins.len()), (count, count));
        (children, origins)
    }
}

#[test]
fn vectors_generate_the_portable_children() {
    for goal_blank in [15, 14, 10] {
        let Some(lookups) = SevenEight::lookups(InstructionSet::best(), &tables(goal_blank)) else { return };
        let vector = SevenEight::new(tables(goal_blank), lookups);
        let (portable, set) = (tables(goal_blank), InstructionSet::Avx512);
        let vector_tables = &vector.tables;
        let mut nodes = Vec::new();
        walk(vector_tables, 12_000, |state, seed| nodes.push(node(vector_tables, state, seed)));
        let (mut entries, mut buffers, mut compared) = (Vec::new(), VectorBuffers::default(), 0);
        // Batches of every size.
        let (mut at, mut size) = (0, 1);
        while at + size <= nodes.len() {
            let parents = &nodes[at..at + size];
            let packed: Vec<Node4x4> = parents.iter().map(Node4x4::of).collect();
            let (expected, expected_origins) =
                GenerateChildren { guide: &portable, parents, buffers: &mut entries }.run();
            let task = GenerateChildren { guide: &vector, parents: &packed, buffers: &mut buffers };
            let (found, origins) = SevenEight::run(set, task);
            let expected: Vec<Node4x4> = expected.iter().map(Node4x4::of).collect();
            assert_eq!((found, origins), (expected, expected_origins), "batch at {at}");
            compared += packed.len();
            at += size;
            size = size % 64 + 1;
        }
        assert!(compared > 5_000);
    }
}

/// The index of the entry agrees with the portable code for every set of occupied cells and every
/// cell of the blank.
#[test]
fn lookups_agree_with_the_placement_index() {
    let tables = tables(10);
    let lookups = LookupTables::new(&tables).unwrap();
    for (pattern, placement_index) in tables.indices.iter().enumerate() {
        for occupied in (0..1u32 << 16).filter(|cells| cells.count_ones() as usize == 7 + pattern) {
            for blank in (0..16).filter(|blank| occupied >> blank & 1 == 0) {
                let order = (occupied * 31 + blank) % 5040;
                let key = occupied | (pattern as u32) << 16 | (16 + 3 * blank) << 24;
                let index = lookups.entry_index(order * lookups.block_sizes[pattern], key) as usize;
                assert_eq!(index, placement_index.entry_index(order as u16, occupied, blank as usize));
            }
        }
    }
}

/// `TreeNode::BYTES` determines the number of nodes at which a list is frozen. So the nodes of the
/// vector code and of the portable code must have the same value, although their sizes differ.
/// Otherwise node counts and paths would depend on whether the processor has AVX-512.
#[test]
fn nodes_count_the_same_against_memory() {
    use super::super::nodes::TreeNode;
    assert_eq!(Node4x4::BYTES, PartitionNode::<u64, 2>::BYTES);
    assert!(size_of::<Node4x4>() <= Node4x4::BYTES);
}
