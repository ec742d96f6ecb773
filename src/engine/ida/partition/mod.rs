//! A guide that adds up the values of one partition. h is the larger of the sums for the board and
//! its mirror image.

pub(super) mod node;
pub(super) mod tables;

use self::node::{PartitionNode, VIEWS, Word};
use self::tables::{Entries, Tables};
use super::batch::{Guide, TableBits, Wanted};
use crate::board::State;

impl<W: Word, const P: usize> Guide for Tables<W, P> {
    type Node = PartitionNode<W, P>;
    type Buffers = Vec<Entries>;
    type Bits<'a> = [TableBits<'a, P>; VIEWS];

    #[inline(always)]
    fn bits(&self) -> [TableBits<'_, P>; VIEWS] {
        self.pdbs.each_ref().map(TableBits::of)
    }

    fn root(&self, state: &State) -> PartitionNode<W, P> {
        self.node(state, |table, state| table.value(state) as u8)
    }

    #[inline(always)]
    fn letters(&self, node: &PartitionNode<W, P>) -> u8 {
        self.accepted[node.state as usize] & self.legal_letters[usize::from(node.blank)]
    }

    #[inline(always)]
    fn children(
        &self,
        bits: &[TableBits<'_, P>; VIEWS],
        parents: &[PartitionNode<W, P>],
        _: (u16, Wanted),
        entries: &mut Vec<Entries>,
        children: &mut Vec<PartitionNode<W, P>>,
        origins: &mut Vec<u32>,
    ) -> usize {
        let begin = children.len();
        entries.clear();
        for (number, parent) in (0..).zip(parents) {
            let mut letters = self.letters(parent);
            while letters != 0 {
                let letter = letters.trailing_zeros() as u8;
                letters &= letters - 1;
                children.push(*parent);
                let Some(child) = children.last_mut() else { unreachable!("a child was just pushed") };
                let child_entries = self.child(parent, letter, child);
                for (bits, entry) in bits.iter().zip(&child_entries).take(self.views) {
                    bits.prefetch(entry.pattern.into(), entry.index);
                }
                entries.push(child_entries);
                origins.push(number);
            }
        }
        for (child, entries) in children[begin..].iter_mut().zip(entries.iter()) {
            for (view, entry) in entries[..self.views].iter().enumerate() {
                let pattern = usize::from(entry.pattern);
                let bit = bits[view].get(pattern, entry.index) as u8;
                // Like `next_value`, but branchless, because a branch would be predicted no better
                // than by chance.
                let value = &mut child.values[view][pattern % P];
                let falls = (value.wrapping_add(1) >> 1 ^ bit) & 1;
                *value = value.wrapping_add(1).wrapping_sub(2 * falls);
            }
            child.h = child.greater_sum() as u8;
        }
        entries.len()
    }
}
