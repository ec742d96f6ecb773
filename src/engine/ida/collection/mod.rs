//! A guide that uses a collection of pattern databases and the sums of all its additive subsets
//! ([`PdbCollection`](crate::heuristic::pdb::PdbCollection)).

#[cfg(all(test, not(loom)))]
mod every_state_tests;
mod expand;
mod lookup;
mod node;
mod root;
mod row_index;
mod tables;
#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;

use std::marker::PhantomData;
use std::sync::Arc;

use self::expand::Buffers;
pub use self::lookup::{Lookup, Portable};
use self::node::CollectionNode;
use self::tables::{Tables, Words};
#[cfg(target_arch = "x86_64")]
pub use self::vector::Vector;
use super::batch::{Guide, Wanted};
use crate::board::State;
use crate::board::frame::Space;
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::CollectionTables;
use crate::system::{InstructionSet, Kernel};

pub struct Collection<L> {
    instruction_set: InstructionSet,
    tables: Tables,
    lookup: PhantomData<L>,
}

impl<L: Lookup> Collection<L> {
    pub fn new(
        instruction_set: InstructionSet,
        space: &Space,
        databases: &Arc<CollectionTables>,
        automaton: &Arc<Automaton>,
    ) -> Option<Collection<L>> {
        Some(Collection { instruction_set, tables: Tables::new(space, databases, automaton)?, lookup: PhantomData })
    }
}

impl<L: Lookup> Guide for Collection<L> {
    type Node = CollectionNode;
    type Buffers = Buffers;
    type Words<'a>
        = Words<'a>
    where
        L: 'a;

    /// A node is three times as large as a partition's, so lists of the same length need three
    /// times the memory.
    const LIST_MEMORY_FACTOR: usize = 3;

    fn words(&self) -> Words<'_> {
        self.tables.words()
    }

    fn root(&self, state: &State) -> CollectionNode {
        root::root(&self.tables, state)
    }

    fn letters(&self, node: &CollectionNode) -> u8 {
        expand::letters(&self.tables, node)
    }

    #[inline(always)]
    fn children(
        &self,
        words: &Words<'_>,
        parents: &[CollectionNode],
        bound_and_wanted: (u16, Wanted),
        buffers: &mut Buffers,
        children: &mut Vec<CollectionNode>,
        origins: &mut Vec<u32>,
    ) -> usize {
        buffers.expand::<L>(&self.tables, words, parents, bound_and_wanted, children, origins)
    }

    #[inline]
    fn run<T: Kernel>(&self, task: T) -> T::Output {
        L::run(self.instruction_set, task)
    }
}
