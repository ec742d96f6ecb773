//! A guide that uses a collection of pattern databases and the sums of all its additive subsets
//! ([`PdbCollection`]).

#[cfg(all(test, not(loom)))]
mod every_state_tests;
mod expand;
mod lookup;
mod tables;
#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;

use std::marker::PhantomData;
use std::sync::Arc;

use self::expand::Buffers;
use self::lookup::CollectionNode;
pub use self::lookup::{Lookup, Portable};
use self::tables::{Bits, PLACES, Tables};
#[cfg(target_arch = "x86_64")]
pub use self::vector::Vector;
use super::batch::{Guide, TableBits, Wanted};
use crate::board::State;
use crate::board::frame::Space;
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::{CollectionTables, PdbCollection};
use crate::system::{InstructionSet, Kernel};

pub struct Collection<L> {
    tables: Tables,
    lookup: PhantomData<L>,
}

impl<L: Lookup> Collection<L> {
    /// Creates the guide. Returns `None` if the databases are not for this space, or if they are
    /// too many or too large to be addressed.
    pub fn new(space: &Space, databases: &Arc<CollectionTables>, automaton: &Arc<Automaton>) -> Option<Collection<L>> {
        Some(Collection { tables: Tables::new(space, databases, automaton)?, lookup: PhantomData })
    }
}

impl<L: Lookup> Guide for Collection<L> {
    type Node = CollectionNode;
    type Buffers = Buffers;
    type Bits<'a>
        = Bits<'a>
    where
        L: 'a;

    fn bits(&self) -> Bits<'_> {
        TableBits::of(self.tables.slots.iter().map(|slot| &slot.table))
    }

    fn root(&self, state: &State) -> CollectionNode {
        let tables = &self.tables;
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

    fn letters(&self, node: &CollectionNode) -> u8 {
        expand::letters(&self.tables, node)
    }

    #[inline(always)]
    fn children(
        &self,
        bits: &Bits<'_>,
        parents: &[CollectionNode],
        bound_and_wanted: (u16, Wanted),
        buffers: &mut Buffers,
        children: &mut Vec<CollectionNode>,
        origins: &mut Vec<u32>,
    ) -> usize {
        buffers.expand::<L>(&self.tables, bits, parents, bound_and_wanted, children, origins)
    }

    #[inline]
    fn run<T: Kernel>(instruction_set: InstructionSet, task: T) -> T::Output {
        L::run(instruction_set, task)
    }
}
