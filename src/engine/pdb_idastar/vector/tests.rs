//! The vector code against the portable code: their nodes, steps and counts are the same.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::board::frame::Space;
use crate::board::{Cell, Move, Shape, State};
use crate::engine::TieBreak;
use crate::engine::automaton::Automaton;
use crate::engine::pdb_idastar::wave::{Wave, WaveSearch};
use crate::heuristic::pdb::{Layout, Partition, Pattern, PdbSum, Table};
use crate::system::{Budget, Limits, Random};

/// The tables of a `7-8` with random bits: no true values, but the same for both sides of a
/// comparison, and made in no time.
fn tables(goal_blank: usize) -> SearchTables<u64, 2> {
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
    SearchTables::new(&space, &sum, &Automaton::build(2)).unwrap()
}

/// The same search by portable code and by vectors; `None` where there are none.
fn both(goal_blank: usize) -> Option<(WaveSearch<u64, 2>, VectorSearch)> {
    let instruction_set = InstructionSet::Portable;
    let vectors = VectorTables::new(InstructionSet::best(), &tables(goal_blank))?;
    let vector = VectorSearch { instruction_set, tables: tables(goal_blank), vectors };
    Some((WaveSearch { instruction_set, tables: tables(goal_blank) }, vector))
}

/// A node with values far from 0, so that random bits cannot bring them there.
fn node(tables: &SearchTables<u64, 2>, state: &State, seed: u64) -> Node4x4 {
    let mut node = tables.place(state);
    node.values = [[20, 20], [20, 20]];
    node.state = (seed % 5) as u16;
    node.depth = (seed >> 8 & 15) as u16;
    node
}

fn walk(tables: &SearchTables<u64, 2>, steps: usize, mut visit: impl FnMut(&State, u64)) {
    let (mut state, mut random) = (tables.space.goal(), Random::new(7));
    for _ in 0..steps {
        let seed = random.bits();
        if let Some(to) = tables.space.shape.neighbour(state.blank(), Move::from_index((seed >> 33) as u8)) {
            state.slide(to);
            visit(&state, seed >> 40);
        }
    }
}

#[test]
fn vector_waves_are_the_portable_waves() {
    for goal_blank in [15, 14, 10] {
        let Some((portable, vector)) = both(goal_blank) else { return };
        let tables = &portable.tables;
        let mut nodes = Vec::new();
        walk(tables, 12_000, |state, seed| nodes.push(node(tables, state, seed)));

        let stop = AtomicBool::new(false);
        let budget = Budget::start(&Limits::default(), &stop);
        let (mut one, mut other) = (Part::default(), Part::default());
        let (mut wave, mut vector_wave) = (Wave::default(), VectorWave::default());
        for part in [&mut one, &mut other] {
            part.trace.begin(7);
        }
        // Chunks of every size; all roots of a chunk have the same f.
        let (mut at, mut size) = (0, 1);
        while at + size <= nodes.len() {
            let bound = 41 + (at % 20) as u16;
            let roots = &mut nodes[at..at + size];
            for (number, root) in roots.iter_mut().enumerate() {
                root.depth = bound - root.plies();
                root.step = (number % one.trace.len().max(1).min(size)) as u32;
            }
            let mut counter = NodeCounter::start(&budget);
            let keep = if at % 5 == 0 { Keep::Nothing } else { Keep::Cut };
            let tie_break = [TieBreak::Canonical, TieBreak::Any][at % 2];
            let chunk = Chunk { roots, bound, max_nodes: usize::MAX, keep, tie_break };
            let ends = portable.chunk(&chunk, &mut wave, &mut counter, &mut one);
            assert_eq!(vector.chunk(&chunk, &mut vector_wave, &mut counter, &mut other), ends);
            assert_eq!((one.expanded, one.trace.entries()), (other.expanded, other.trace.entries()));
            let plain = |node: &Node4x4| format!("{:?}", Node4x4 { letter: 0, ..*node });
            assert!(one.nodes.iter().map(plain).eq(other.nodes.iter().map(plain)), "chunk at {at}");
            assert_eq!(one.nodes.is_empty(), keep == Keep::Nothing);
            one.nodes.clear();
            other.nodes.clear();
            at += size;
            size = size % 70 + 1;
        }
        assert!(one.trace.len() > 40_000);
    }
}

#[test]
fn too_many_nodes_are_noticed_alike() {
    let Some((portable, vector)) = both(15) else { return };
    let mut root = node(&portable.tables, &portable.tables.space.goal(), 0);
    root.depth = 0;
    root.state = Automaton::START;
    let stop = AtomicBool::new(false);
    let budget = Budget::start(&Limits::default(), &stop);
    let mut part = Part::default();
    let (mut wave, mut vector_wave) = (Wave::default(), VectorWave::default());
    for max_nodes in 0..100 {
        // A bound that is never reached: all nodes are expanded as far as `max_nodes` goes.
        let chunk = Chunk { roots: &[root], bound: 1000, max_nodes, keep: Keep::Cut, tie_break: TieBreak::Canonical };
        let mut counter = NodeCounter::start(&budget);
        part.clear();
        assert_eq!(portable.chunk(&chunk, &mut wave, &mut counter, &mut part), ChunkEnd::TooMany);
        part.clear();
        assert_eq!(vector.chunk(&chunk, &mut vector_wave, &mut counter, &mut part), ChunkEnd::TooMany);
    }
}

#[test]
fn nodes_come_back_from_their_fields() {
    let tables = tables(15);
    let mut nodes = Nodes::default();
    nodes.reserve(3);
    walk(&tables, 2000, |state, seed| {
        let node = Node4x4 { step: seed as u32 & 0xffff, ..node(&tables, state, seed) };
        nodes.set(2, &node);
        assert_eq!(format!("{:?}", nodes.get(2, node.step)), format!("{node:?}"));
    });
}

/// For every set of occupied cells and every cell of the blank: the entry is that of the portable code.
#[test]
fn lookups_agree_with_the_placement_index() {
    let tables = tables(10);
    let lookups = Lookups::new(&tables).unwrap();
    for (pattern, placement_index) in tables.indices.iter().enumerate() {
        for occupied in (0..1u32 << 16).filter(|cells| cells.count_ones() as usize == 7 + pattern) {
            for blank in (0..16).filter(|blank| occupied >> blank & 1 == 0) {
                let order = (occupied * 31 + blank) % 5040;
                let key = occupied | (pattern as u32) << 16 | (16 + 3 * blank) << 24;
                let index = lookups.entry(order * lookups.blocks[pattern], key) as usize;
                assert_eq!(index, placement_index.entry(order as u16, occupied, blank as usize));
            }
        }
    }
}
