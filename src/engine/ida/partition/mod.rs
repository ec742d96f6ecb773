//! A guide that adds up the values of one partition. h is the larger of the sums for the board and
//! its mirror image.

mod blank_move;
mod entries;
pub(super) mod node;
pub(super) mod placement_index;
pub(super) mod search_tables;
mod table_bits;
pub(super) mod word;

use self::entries::Entries;
use self::node::PartitionNode;
use self::search_tables::SearchTables;
use self::table_bits::TableBits;
use self::word::Word;
use super::batch::{Guide, Wanted};
use crate::board::State;
use crate::system::{InstructionSet, Kernel};

/// The guide for a partition of at most `P` patterns.
pub struct Partition<W: Word, const P: usize> {
    instruction_set: InstructionSet,
    tables: SearchTables<W, P>,
}

impl<W: Word, const P: usize> Partition<W, P> {
    pub fn new(instruction_set: InstructionSet, tables: SearchTables<W, P>) -> Partition<W, P> {
        Partition { instruction_set, tables }
    }
}

impl<W: Word, const P: usize> Guide for Partition<W, P> {
    type Node = PartitionNode<W, P>;
    type Buffers = Vec<Entries>;
    type Words<'a> = TableBits<'a, P>;

    #[inline(always)]
    fn words(&self) -> TableBits<'_, P> {
        TableBits::of(&self.tables)
    }

    fn root(&self, state: &State) -> PartitionNode<W, P> {
        self.tables.root(state)
    }

    fn letters(&self, node: &PartitionNode<W, P>) -> u8 {
        self.tables.letters_from(node)
    }

    #[inline(always)]
    fn children(
        &self,
        bits: &TableBits<'_, P>,
        parents: &[PartitionNode<W, P>],
        _: (u16, Wanted),
        entries: &mut Vec<Entries>,
        children: &mut Vec<PartitionNode<W, P>>,
        origins: &mut Vec<u32>,
    ) -> usize {
        let (tables, begin) = (&self.tables, children.len());
        entries.clear();
        for (number, parent) in (0..).zip(parents) {
            let mut letters = tables.letters_from(parent);
            while letters != 0 {
                let letter = letters.trailing_zeros() as u8;
                letters &= letters - 1;
                children.push(*parent);
                let Some(child) = children.last_mut() else { unreachable!("a child was just pushed") };
                let child_entries = tables.child(parent, letter, child);
                bits.prefetch(&child_entries);
                entries.push(child_entries);
                origins.push(number);
            }
        }
        for (child, entries) in children[begin..].iter_mut().zip(entries.iter()) {
            bits.update_values(child, entries);
        }
        entries.len()
    }

    #[inline]
    fn run<T: Kernel>(&self, task: T) -> T::Output {
        self.instruction_set.dispatch(task)
    }
}
