//! The bits of the pattern databases, as the inner loops read them.

use super::entries::Entries;
use super::node::{PartitionNode, VIEWS};
use super::search_tables::SearchTables;
use super::word::Word;
use crate::system::prefetch;

#[derive(Clone, Copy, Debug)]
pub struct TableBits<'a, const P: usize> {
    /// By view and then pattern.
    words: [[&'a [u64]; P]; VIEWS],
    views: usize,
}

impl<'a, const P: usize> TableBits<'a, P> {
    #[inline(always)]
    pub(super) fn of<W: Word>(tables: &'a SearchTables<W, P>) -> TableBits<'a, P> {
        let words = tables
            .pdbs
            .each_ref()
            .map(|pdbs| std::array::from_fn(|pattern| pdbs.get(pattern).map_or(&[][..], |pdb| pdb.words())));
        TableBits { words, views: tables.views }
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, entries: &Entries) {
        for (words, entry) in self.words.iter().zip(&entries.0).take(self.views) {
            prefetch(words[entry.pattern() % P], entry.index() / 64);
        }
    }

    /// Updates the values of a node, which are still its parent's. Returns h.
    #[inline(always)]
    pub(super) fn update_values<W: Word>(&self, node: &mut PartitionNode<W, P>, entries: &Entries) -> u16 {
        for (view, entry) in entries.0[..self.views].iter().enumerate() {
            let (pattern, index) = (entry.pattern() % P, entry.index());
            let bit = (self.words[view][pattern][index / 64] >> (index % 64)) as u8 & 1;
            // Like `next_value`, but branchless, because a branch would be predicted no better than
            // by chance.
            let value = &mut node.values[view][pattern];
            let falls = (value.wrapping_add(1) >> 1 ^ bit) & 1;
            *value = value.wrapping_add(1).wrapping_sub(2 * falls);
        }
        let h = node.greater_sum();
        node.h = h as u8;
        h
    }
}
