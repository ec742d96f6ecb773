//! The node of a start state.

use super::lookup::{Lookup, Portable};
use super::node::{CollectionNode, PLACES};
use super::tables::Tables;
use crate::board::State;
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::PdbCollection;

pub(super) fn root(tables: &Tables, state: &State) -> CollectionNode {
    let mut node = CollectionNode {
        homes: [PLACES as u8 - 1; PLACES],
        cells: [0; PLACES],
        sums: [0; PdbCollection::MAX_SUBSETS],
        maximising: 0,
        bits: 0,
        odd: 0,
        root: 0,
        state: Automaton::START,
        depth: 0,
        h: 0,
    };
    for (cell, &home) in state.homes(tables.space.shape.cells()).iter().enumerate() {
        node.homes[cell] = home;
        node.cells[usize::from(home)] = cell as u8;
    }
    let values = tables.databases.values(state);
    for (slot, &value) in values.iter().enumerate() {
        node.bits |= u64::from(value >> 1 & 1) << slot;
        node.odd |= u64::from(value & 1) << slot;
    }
    for (sum, value) in node.sums.iter_mut().zip(tables.databases.sums(&values)) {
        *sum = value as u8;
        node.h = node.h.max(value);
    }
    node.maximising = Portable::equal(&node.sums, node.h as u8) & tables.subsets;
    node
}
