//! The node of a board from scratch, with the absolute values of its sums.

use super::super::trace::Archive;
use super::lookup::{Lookup, Portable};
use super::node::{PLACES, SetNode};
use super::tables::Tables;
use crate::board::State;
use crate::engine::automaton::DeepAutomaton;
use crate::heuristic::pdb::PatternSet;

/// The node of a state, where a search begins.
pub(in super::super) fn root(tables: &Tables, state: &State) -> SetNode {
    let mut node = SetNode {
        homes: [PLACES as u8 - 1; PLACES],
        cells: [0; PLACES],
        sums: [0; PatternSet::MAX_COVERS],
        tight: 0,
        bits: 0,
        odd: 0,
        step: Archive::START,
        state: DeepAutomaton::START,
        depth: 0,
        plies: 0,
    };
    for (cell, &home) in state.homes(tables.space.shape.cells()).iter().enumerate() {
        node.homes[cell] = home;
        node.cells[usize::from(home)] = cell as u8;
    }
    let values = tables.set.values(state);
    for (slot, &value) in values.iter().enumerate() {
        node.bits |= u64::from(value >> 1 & 1) << slot;
        node.odd |= u64::from(value & 1) << slot;
    }
    for (sum, value) in node.sums.iter_mut().zip(tables.set.sums(&values)) {
        *sum = value as u8;
        node.plies = node.plies.max(value);
    }
    node.tight = Portable::equal(&node.sums, node.plies as u8) & tables.covers;
    node
}
