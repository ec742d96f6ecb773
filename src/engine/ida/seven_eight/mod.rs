//! A guide for the partition `7-8` of 4×4 and its mirror image, with AVX-512. It generates the same
//! children as [`super::partition`], in branchless stages, each a loop over all children of a
//! batch:
//!
//! 1. *fan out*: copies each parent's fields once per child, with the children's moves (looked up
//!    by the blank's cell and the allowed letters) and automaton states;
//! 2. *slide*: computes boards, the orders of each pattern's tiles, occupied cells and, for each
//!    view (the board and its mirror image), a lookup key, eight children at a time;
//! 3. *look up*: turns the keys into indices of table entries, which are prefetched;
//! 4. *read*: reads the bits of those entries;
//! 5. *update values*: turns the bits into values and h, eight children at a time.
//!
//! Stages 3 and 4 are scalar, because a gather costs more than the loads that it replaces.

mod lookups;
mod stages;
#[cfg(all(test, not(loom)))]
mod tests;

use self::lookups::{LookupTables, Node4x4};
use self::stages::{LANES, VectorBuffers};
use super::batch::{Guide, TableBits, Wanted};
use super::partition::tables::{PartitionTables, VIEWS};
use crate::board::State;
use crate::system::InstructionSet;

pub struct SevenEight {
    tables: PartitionTables<u64, 2>,
    lookups: LookupTables,
}

impl SevenEight {
    /// Returns the lookup tables for these databases. Returns `None` for other patterns or shapes,
    /// if the automaton has too many states, or if the instruction set or the processor lacks
    /// AVX-512.
    pub(super) fn lookups(instruction_set: InstructionSet, tables: &PartitionTables<u64, 2>) -> Option<LookupTables> {
        let has_vectors = instruction_set >= InstructionSet::Avx512 && instruction_set.is_available();
        let has_few_states = tables.next_state.len() <= 1 << 16;
        LookupTables::new(tables).filter(|_| has_vectors && has_few_states)
    }

    pub(super) fn new(tables: PartitionTables<u64, 2>, lookups: LookupTables) -> SevenEight {
        SevenEight { tables, lookups }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn expand(
        &self,
        bits: &[TableBits<2>; VIEWS],
        parents: &[Node4x4],
        buffers: &mut VectorBuffers,
        children: &mut Vec<Node4x4>,
        origins: &mut Vec<u32>,
    ) -> usize {
        buffers.reserve(4 * parents.len());
        let begin = origins.len();
        let count = stages::fan_out(&self.tables, &self.lookups, parents, buffers, origins);
        for at in (0..count).step_by(LANES) {
            stages::slide(&self.lookups, buffers, at);
        }
        stages::look_up(&self.lookups, bits, buffers, count);
        stages::read(bits, buffers, count);
        for at in (0..count).step_by(LANES) {
            stages::update_values(buffers, at);
        }
        let VectorBuffers { boards, orders, occupied, values, states, blanks, h, .. } = &*buffers;
        let (boards, orders) = (&boards[..count], &orders[..count]);
        let (occupied, values, states) = (&occupied[..count], &values[..count], &states[..count]);
        let (blanks, h, origins) = (&blanks[..count], &h[..count], &origins[begin..][..count]);
        children.reserve(count);
        for at in 0..count {
            // The child inherits the number of its root; its depth is the parent's plus one.
            let inherited = parents[origins[at] as usize].rest & 0xffff_ffff_0000;
            let fields = u64::from(states[at])
                | u64::from(h[at]) << Node4x4::H_SHIFT
                | u64::from(blanks[at]) << Node4x4::BLANK_SHIFT;
            let (values, occupied) = (values[at], occupied[at]);
            let rest = (inherited | fields) + (1 << Node4x4::DEPTH_SHIFT);
            children.push(Node4x4 { board: boards[at], orders: orders[at], values, occupied, rest });
        }
        count
    }
}

impl Guide for SevenEight {
    type Node = Node4x4;
    type Buffers = VectorBuffers;
    type Bits<'a> = [TableBits<'a, 2>; VIEWS];

    fn bits(&self) -> [TableBits<'_, 2>; VIEWS] {
        self.tables.bits()
    }

    fn root(&self, state: &State) -> Node4x4 {
        Node4x4::of(&self.tables.root(state))
    }

    fn letters(&self, node: &Node4x4) -> u8 {
        self.tables.accepted[node.state()] & self.tables.legal_letters[node.blank()]
    }

    #[inline(always)]
    #[allow(unsafe_code)] // a call to a function with more target features than the crate
    fn children(
        &self,
        bits: &[TableBits<2>; VIEWS],
        parents: &[Node4x4],
        _: (u16, Wanted),
        buffers: &mut VectorBuffers,
        children: &mut Vec<Node4x4>,
        origins: &mut Vec<u32>,
    ) -> usize {
        // SAFETY: this guide is created only on processors with all target features of the
        // function.
        unsafe { self.expand(bits, parents, buffers, children, origins) }
    }
}
