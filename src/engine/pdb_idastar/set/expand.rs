//! The expansion of some nodes at once, in stages between which table entries come from memory.
//!
//! A node within one move of the bound, f = bound, has a *tight* sum: the greatest one, which must fall with the next
//! move. So of a child one slot of a tight sum is looked up first. Where that rises, which is so for most children, the child
//! is beyond the bound whatever the others say, and nothing else is looked up. Only those that are left pay for the
//! other slots of the moved tile. Which nodes are within the bound is not changed by this.

use super::lookup::Lookup;
use super::node::{PLACES, SetNode};
use super::row_index::Place;
use super::tables::{Tables, Words};
use crate::engine::automaton::DeepAutomaton;
use crate::system::prefetch;

/// Nodes that are expanded at once: some thousand fetches under way, and what is between the stages stays in a core's cache.
pub(super) const BATCH: usize = 64;

/// Memory for what is between the stages.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) parents: Vec<SetNode>,
    pub(super) children: Vec<Child>,
    survivors: Vec<u32>,
    /// Places with their slots: of all children one, then of the survivors those of the other slots, one survivor after the
    /// other.
    places: Vec<(Place, u8)>,
    /// The entries of the survivors' other slots.
    entries: Vec<u32>,
}

/// A move of a node to be expanded.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// Of the slot that is looked up first.
    entry: u32,
    state: u32,
    /// Place in the batch.
    pub(super) parent: u32,
    pub(super) letter: u8,
    to: u8,
    tile: u8,
    slot: u8,
    bit: u8,
}

/// Which children are looked up in whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those within the bound.
    WithinBound,
    /// All of them.
    All,
}

impl Batch {
    /// Finds the children of the batch's nodes, which are within the bound; those that are wanted, in order, are given to `keep`.
    #[inline(always)]
    pub(super) fn expand<L: Lookup>(
        &mut self,
        tables: &Tables,
        words: &Words,
        bound: u16,
        wanted: Wanted,
        mut keep: impl FnMut(SetNode, &Child),
    ) {
        self.begin::<L>(tables, words);
        let Batch { parents, children, survivors, places, entries } = self;
        let is_tight = |parent: &SetNode| parent.depth + parent.plies >= bound;
        survivors.clear();
        survivors.resize(children.len(), 0);
        let mut left = 0;
        for (number, child) in children.iter_mut().enumerate() {
            let parent = &parents[child.parent as usize];
            let slot = child.slot % 64;
            let bit = words.bit(slot.into(), child.entry);
            child.bit = bit as u8;
            // After a move the bit 0 of a value is another; which it is tells a rise from a fall.
            let rises = ((parent.bits ^ !parent.odd) >> slot ^ bit) & 1 == 1;
            survivors[left] = number as u32;
            left += usize::from(wanted == Wanted::All || !(rises && is_tight(parent)));
        }
        survivors.truncate(left);
        places.clear();
        for &number in survivors.iter() {
            let child = &children[number as usize];
            let parent = &parents[child.parent as usize];
            let board = L::after(tables, parent, usize::from(child.letter), child.to, child.tile);
            let mut slots = tables.slots_of[usize::from(child.tile) % PLACES] & !(1 << (child.slot % 64));
            while slots != 0 {
                let slot = slots.trailing_zeros() as usize;
                slots &= slots - 1;
                places.push((L::place(tables, &board, &tables.slots[slot], child.to), slot as u8));
            }
        }
        entries.clear();
        for &(place, slot) in places.iter() {
            entries.push(tables.fetched(words, slot, place));
        }
        let mut entries = entries.iter();
        for &number in survivors.iter() {
            let child = &children[number as usize];
            let parent = &parents[child.parent as usize];
            let moved = tables.slots_of[usize::from(child.tile) % PLACES];
            let first = child.slot % 64;
            let mut bits = u64::from(child.bit) << first;
            let mut slots = moved & !(1 << first);
            for &entry in entries.by_ref().take(slots.count_ones() as usize) {
                let slot = slots.trailing_zeros();
                slots &= slots - 1;
                bits |= words.bit(slot as usize, entry) << slot;
            }
            let mut rising_slots = (parent.bits ^ !parent.odd ^ bits) & moved;
            let mut rising = 0;
            while rising_slots != 0 {
                rising |= tables.slots[rising_slots.trailing_zeros() as usize].covers;
                rising_slots &= rising_slots - 1;
            }
            let rises = rising & parent.tight != 0;
            if wanted == Wanted::WithinBound && rises && is_tight(parent) {
                continue;
            }
            let sums = L::sums_after(&parent.sums, rising);
            let plies = if rises { parent.plies + 1 } else { parent.plies - 1 };
            let mut node = SetNode {
                sums,
                bits: parent.bits & !moved | bits,
                odd: parent.odd ^ moved,
                tight: L::equal(&sums, plies as u8) & tables.covers,
                state: child.state,
                depth: parent.depth + 1,
                plies,
                ..*parent
            };
            let blank = parent.blank(tables.blank_home);
            let [from, to] = [blank, child.to].map(|cell| usize::from(cell) % PLACES);
            node.homes.swap(from, to);
            node.cells[usize::from(child.tile) % PLACES] = blank;
            node.cells[usize::from(node.homes[to]) % PLACES] = child.to;
            prefetch(tables.automaton.rows(), child.state as usize);
            keep(node, child);
        }
    }

    /// Makes the children, and has their first entries fetched.
    #[inline(always)]
    fn begin<L: Lookup>(&mut self, tables: &Tables, words: &Words) {
        let Batch { parents, children, places, .. } = self;
        children.clear();
        places.clear();
        for (place, parent) in (0..).zip(parents.iter()) {
            let cover = parent.tight.trailing_zeros() as usize;
            let owners = &tables.owners[cover % tables.owners.len()];
            let (states, arrivals) = moves_of(tables, parent);
            for letter in 0..4 {
                let (state, to) = (states[letter], arrivals[letter]);
                if state == DeepAutomaton::REJECT || to == Tables::NOWHERE {
                    continue;
                }
                let tile = parent.homes[usize::from(to) % PLACES];
                let slot = owners[usize::from(tile) % PLACES];
                let board = L::after(tables, parent, letter, to, tile);
                places.push((L::place(tables, &board, &tables.slots[usize::from(slot)], to), slot));
                children.push(Child { entry: 0, state, parent: place, letter: letter as u8, to, tile, slot, bit: 0 });
            }
        }
        for (child, &(place, slot)) in children.iter_mut().zip(places.iter()) {
            child.entry = tables.fetched(words, slot, place);
        }
    }
}

/// By letter the automaton's next state and the cell where the blank arrives.
#[inline(always)]
fn moves_of<'a>(tables: &'a Tables, node: &SetNode) -> (&'a [u32; 4], &'a [u8; 4]) {
    (
        &tables.automaton.rows()[node.state as usize],
        &tables.arrivals[usize::from(node.blank(tables.blank_home)) % PLACES],
    )
}

/// How many children a node has.
pub(super) fn children_of(tables: &Tables, node: &SetNode) -> usize {
    let (states, arrivals) = moves_of(tables, node);
    let is_move = |(&state, &to): (&u32, &u8)| state != DeepAutomaton::REJECT && to != Tables::NOWHERE;
    states.iter().zip(arrivals).filter(|&entry| is_move(entry)).count()
}
