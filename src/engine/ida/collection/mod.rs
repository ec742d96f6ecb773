//! A guide that uses a collection of pattern databases and the sums of all its additive subsets
//! ([`PdbCollection`]).
//!
//! A batch of nodes is expanded in stages, between which table entries arrive from memory.
//!
//! A *slot* is a pattern on the board or on its mirror image. A move changes the values of the
//! slots that contain the moved tile: one in every sum.
//!
//! The *maximising* sums of a node are those equal to h. If a node has f = bound, a child is within
//! the bound only if all of these sums fall with the move. So the changing slot of one maximising
//! sum is looked up first. If its value rises, as it does for most children, the child is beyond
//! the bound and no other slot is looked up. The other slots of the moved tile are looked up only
//! for the remaining children. This *cascade* does not change which nodes are within the bound.

mod lookup;
mod tables;
#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;

use std::marker::PhantomData;
use std::sync::Arc;

use self::lookup::CollectionNode;
pub use self::lookup::{Lookup, PortableLookup};
use self::tables::{GuideTables, PADDED, Placement, SlotBits};
#[cfg(target_arch = "x86_64")]
pub use self::vector::VectorLookup;
use super::batch::{Guide, TableBits, Wanted};
use crate::board::State;
use crate::board::frame::Space;
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::{CollectionTables, PdbCollection};
use crate::system::{InstructionSet, Kernel, prefetch};

pub struct Collection<L> {
    tables: GuideTables,
    lookup: PhantomData<L>,
}

impl<L: Lookup> Collection<L> {
    /// Creates the guide. Returns `None` if the databases are not for this space, have too many
    /// slots, or are too large for indices of 32 bits.
    pub fn new(space: &Space, databases: &Arc<CollectionTables>, automaton: &Arc<Automaton>) -> Option<Collection<L>> {
        Some(Collection { tables: GuideTables::new(space, databases, automaton)?, lookup: PhantomData })
    }
}

impl<L: Lookup> Guide for Collection<L> {
    type Node = CollectionNode;
    type Buffers = CollectionBuffers;
    type Bits<'a>
        = SlotBits<'a>
    where
        L: 'a;

    fn bits(&self) -> SlotBits<'_> {
        TableBits::of(self.tables.slots.iter().map(|slot| &slot.table))
    }

    fn root(&self, state: &State) -> CollectionNode {
        let tables = &self.tables;
        let mut node = CollectionNode {
            homes: [PADDED as u8 - 1; PADDED],
            cells: [0; PADDED],
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
        node.maximising = PortableLookup::equal(&node.sums, node.h as u8) & tables.subsets;
        node
    }

    fn letters(&self, node: &CollectionNode) -> u8 {
        letters(&self.tables, node)
    }

    #[inline(always)]
    fn children(
        &self,
        bits: &SlotBits<'_>,
        parents: &[CollectionNode],
        bound_and_wanted: (u16, Wanted),
        buffers: &mut CollectionBuffers,
        children: &mut Vec<CollectionNode>,
        origins: &mut Vec<u32>,
    ) -> usize {
        buffers.expand::<L>(&self.tables, bits, parents, bound_and_wanted, children, origins)
    }

    #[inline]
    fn run<T: Kernel>(instruction_set: InstructionSet, task: T) -> T::Output {
        L::run(instruction_set, task)
    }

    #[inline]
    fn run_once<T: Kernel>(task: T) -> T::Output {
        L::run_once(task)
    }
}

/// The data passed between the stages.
#[derive(Default)]
pub struct CollectionBuffers {
    children: Vec<PendingChild>,
    /// The indices of the children that the first slot does not exclude.
    survivors: Vec<u32>,
    /// Placements with their slots: at first one slot per child, later the other slots of the
    /// survivors, one survivor after another.
    placements: Vec<(Placement, u8)>,
    /// The indices of the entries for the other slots of the survivors.
    entries: Vec<u32>,
}

/// A child of which one slot is looked up.
#[derive(Clone, Copy)]
struct PendingChild {
    /// The index of the entry for the slot that is looked up first.
    entry: u32,
    state: u32,
    parent: u32,
    letter: u8,
    to: u8,
    tile: u8,
    /// The slot that is looked up first.
    slot: u8,
    /// The bit of its entry.
    bit: u8,
}

impl CollectionBuffers {
    /// Appends the wanted children of `parents` to `found`. All parents must be within the bound.
    /// Returns the number of children generated.
    #[inline(always)]
    fn expand<L: Lookup>(
        &mut self,
        tables: &GuideTables,
        table_bits: &SlotBits,
        parents: &[CollectionNode],
        (bound, wanted): (u16, Wanted),
        found: &mut Vec<CollectionNode>,
        origins: &mut Vec<u32>,
    ) -> usize {
        self.begin::<L>(tables, table_bits, parents);
        let CollectionBuffers { children, survivors, placements, entries } = self;
        let is_at_bound = |parent: &CollectionNode| parent.depth + parent.h >= bound;
        survivors.clear();
        survivors.resize(children.len(), 0);
        let mut count = 0;
        for (number, child) in children.iter_mut().enumerate() {
            let parent = &parents[child.parent as usize];
            let slot = child.slot % 64;
            let bit = table_bits.get(slot.into(), child.entry as usize);
            child.bit = bit as u8;
            // The table's bit is bit 1 of the new value. Together with the old value it shows
            // whether the value rises or falls.
            let rises = ((parent.bits ^ !parent.odd) >> slot ^ bit) & 1 == 1;
            survivors[count] = number as u32;
            count += usize::from(wanted == Wanted::All || !(rises && is_at_bound(parent)));
        }
        survivors.truncate(count);
        placements.clear();
        for &number in survivors.iter() {
            let child = &children[number as usize];
            let parent = &parents[child.parent as usize];
            let board = L::after(tables, parent, usize::from(child.letter), child.to, child.tile);
            let mut slots = tables.slots_of[usize::from(child.tile) % PADDED] & !(1 << (child.slot % 64));
            while slots != 0 {
                let slot = slots.trailing_zeros() as usize;
                slots &= slots - 1;
                placements.push((L::placement(tables, &board, &tables.slots[slot], child.to), slot as u8));
            }
        }
        entries.clear();
        for &(placement, slot) in placements.iter() {
            entries.push(tables.prefetched_entry(table_bits, slot, placement));
        }
        let mut entries = entries.iter();
        for &number in survivors.iter() {
            let child = &children[number as usize];
            let parent = &parents[child.parent as usize];
            let moved = tables.slots_of[usize::from(child.tile) % PADDED];
            let first = child.slot % 64;
            let mut bits = u64::from(child.bit) << first;
            let mut slots = moved & !(1 << first);
            for &entry in entries.by_ref().take(slots.count_ones() as usize) {
                let slot = slots.trailing_zeros();
                slots &= slots - 1;
                bits |= table_bits.get(slot as usize, entry as usize) << slot;
            }
            let mut rising_slots = (parent.bits ^ !parent.odd ^ bits) & moved;
            let mut rising = 0;
            while rising_slots != 0 {
                rising |= tables.slots[rising_slots.trailing_zeros() as usize].subsets;
                rising_slots &= rising_slots - 1;
            }
            let rises = rising & parent.maximising != 0;
            if wanted == Wanted::WithinBound && rises && is_at_bound(parent) {
                continue;
            }
            let sums = L::sums_after(&parent.sums, rising);
            let h = if rises { parent.h + 1 } else { parent.h - 1 };
            let mut node = CollectionNode {
                sums,
                bits: parent.bits & !moved | bits,
                odd: parent.odd ^ moved,
                maximising: L::equal(&sums, h as u8) & tables.subsets,
                state: child.state,
                depth: parent.depth + 1,
                h,
                ..*parent
            };
            let blank = parent.blank(tables.blank_home);
            let [from, to] = [blank, child.to].map(|cell| usize::from(cell) % PADDED);
            node.homes.swap(from, to);
            node.cells[usize::from(child.tile) % PADDED] = blank;
            node.cells[usize::from(node.homes[to]) % PADDED] = child.to;
            prefetch(tables.automaton.rows(), child.state as usize);
            found.push(node);
            origins.push(child.parent);
        }
        children.len()
    }

    /// Creates the children and prefetches the entry that is looked up first for each.
    #[inline(always)]
    fn begin<L: Lookup>(&mut self, tables: &GuideTables, table_bits: &SlotBits, parents: &[CollectionNode]) {
        let CollectionBuffers { children, placements, .. } = self;
        children.clear();
        placements.clear();
        for (number, parent) in (0..).zip(parents.iter()) {
            let subset = parent.maximising.trailing_zeros() as usize;
            let owners = &tables.owners[subset % tables.owners.len()];
            let (states, arrivals) = moves_of(tables, parent);
            for letter in 0..4 {
                let (state, to) = (states[letter], arrivals[letter]);
                if state == Automaton::REJECT || to == GuideTables::NOWHERE {
                    continue;
                }
                let tile = parent.homes[usize::from(to) % PADDED];
                let slot = owners[usize::from(tile) % PADDED];
                let board = L::after(tables, parent, letter, to, tile);
                placements.push((L::placement(tables, &board, &tables.slots[usize::from(slot)], to), slot));
                children.push(PendingChild {
                    entry: 0,
                    state,
                    parent: number,
                    letter: letter as u8,
                    to,
                    tile,
                    slot,
                    bit: 0,
                });
            }
        }
        for (child, &(placement, slot)) in children.iter_mut().zip(placements.iter()) {
            child.entry = tables.prefetched_entry(table_bits, slot, placement);
        }
    }
}

/// Returns, by letter, the automaton's next state and the blank's new cell.
#[inline(always)]
fn moves_of<'a>(tables: &'a GuideTables, node: &CollectionNode) -> (&'a [u32; 4], &'a [u8; 4]) {
    (
        &tables.automaton.rows()[node.state as usize],
        &tables.arrivals[usize::from(node.blank(tables.blank_home)) % PADDED],
    )
}

/// Returns the letters of the moves to a node's children, one bit each.
fn letters(tables: &GuideTables, node: &CollectionNode) -> u8 {
    let (states, arrivals) = moves_of(tables, node);
    let is_move = |letter: usize| states[letter] != Automaton::REJECT && arrivals[letter] != GuideTables::NOWHERE;
    (0..4).fold(0, |bits, letter| bits | u8::from(is_move(letter)) << letter)
}
