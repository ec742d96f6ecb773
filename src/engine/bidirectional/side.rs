//! One side of the search: all states up to a depth, with the deepest of them as a list.
//!
//! Every state of depth g + 1 is a neighbour of a state of depth g. A neighbour of a state of depth
//! g has depth g − 1 or g + 1, never g, because a move takes the blank to a cell of the other
//! colour of a checkerboard. So a neighbour that is already in the set belongs to layer g − 1 or to
//! the new layer, and is a duplicate in either case. All others are new. No second check for
//! duplicates is needed.
//!
//! The number of states that the next layer generates is known before it begins: for each state of
//! the list, the number of moves that do not undo its last move. (The last move may depend on the
//! threads; the number does not.) The sum is an upper bound on the layer's size. A layer begins
//! only if there is memory for that many states, so the same layers begin in every run.
//!
//! Cost: 11 bytes per state in the sets ([`ParitySets`]), and 8 in the list. If each layer is twice
//! as large as the one before, the list has little more than half the states, because its pieces
//! are freed as they are expanded. So the maximum, at a layer's end, is 15 bytes per state. With
//! wide keys, a state costs 26 bytes in the sets and 16 in the list.

use std::sync::Arc;

use crate::engine::ThreadShare;
use crate::engine::state_sets::move_states;
use crate::engine::visited::{Insert, Note, StateSet};
use crate::engine::word::{OneStep, Steps, Word};
use crate::engine::work_queue::{QueueJob, SharedQueue, WorkQueue};

/// The number of states in a piece of a list: about 0.2 ms of work, which is also the maximum wait
/// of a thread at a layer's end. (In loom models a piece is one state.)
const PIECE: usize = if cfg!(loom) { 1 } else { 1 << 10 };

/// The number of children looked up together.
const BATCH: usize = 256;

/// The list of the states of a side's deepest layer, in pieces.
#[derive(Default, Debug)]
pub(super) struct Frontier<W> {
    pub(super) pieces: Vec<Vec<W>>,
    pub(super) states: u64,
    /// The number of states generated to build the next layer, duplicates included.
    pub(super) child_count: u64,
}

impl<W: Word> Frontier<W> {
    fn push(&mut self, word: W) {
        match self.pieces.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(word),
            _ => self.pieces.push(vec![word]),
        }
        self.states += 1;
    }

    /// Returns the maximum memory of this list and the next list while the next replaces this one.
    /// It is the memory of the longer list, because pieces are freed as they are expanded. The last
    /// term is for the pieces' vectors, of 24 bytes each, and for the spare capacity of the last
    /// few pieces.
    fn max_bytes(&self) -> u64 {
        let bytes = self.states.max(self.child_count) * size_of::<W>() as u64;
        bytes + bytes / 64
    }

    fn append(&mut self, mut other: Frontier<W>) {
        // Short pieces at the end are joined. Otherwise small layers would have many tiny pieces.
        if let (Some(last), Some(piece)) = (self.pieces.last_mut(), other.pieces.last())
            && last.len() + piece.len() <= PIECE
            && let Some(piece) = other.pieces.pop()
        {
            last.extend(piece);
        }
        let short = self.pieces.pop();
        self.pieces.append(&mut other.pieces);
        self.pieces.extend(short);
        self.states += other.states;
        self.child_count += other.child_count;
    }
}

/// One side of the search, with all states of depths 0 to `depth`.
pub(super) struct Side<W> {
    /// The memory limit of sets and list together.
    bytes: u64,
    steps: Arc<Steps>,
    pub(super) sets: ParitySets<W>,
    /// The number of states in the sets of even and of odd depths.
    stored: [u64; 2],
    pub(super) frontier: Frontier<W>,
    pub(super) depth: u8,
}

impl<W: Word> Side<W> {
    /// The number of states that the first set is planned for, enough for boards close to the goal.
    /// (One cache line in loom models.)
    const FIRST_STATES: u64 = if cfg!(loom) { 5 } else { 1 << 12 };

    pub(super) fn new(steps: &Arc<Steps>, root: W, bytes: u64) -> Side<W> {
        let sets = ParitySets::new(steps.cells, Self::FIRST_STATES);
        let inserted = sets.at(0).insert(root, Note::new(0));
        debug_assert_eq!(inserted, Insert::New);
        let mut frontier = Frontier::default();
        frontier.push(root.with_last(Steps::START));
        frontier.child_count = steps.count(root.cell_of(steps.goal_blank), Steps::START);
        Side { bytes, steps: Arc::clone(steps), sets, stored: [1, 1], frontier, depth: 0 }
    }

    /// Returns the number of states for which the next layer's set must have space.
    fn needed(&self) -> u64 {
        self.stored[usize::from((self.depth + 1) & 1)] + self.frontier.child_count
    }

    /// Returns true if there is memory for one more layer: for the current sets, a larger set if
    /// needed, and a list of all states generated (or the current list, if longer).
    pub(super) fn can_grow(&self) -> bool {
        if self.depth == u8::MAX {
            return false;
        }
        let needed = self.needed();
        let fits = self.sets.fit(self.depth + 1, needed);
        let larger = if fits { 0 } else { ParitySets::<W>::bytes_for(self.steps.cells, needed) };
        self.sets.bytes() + larger + self.frontier.max_bytes() <= self.bytes
    }

    /// Begins the next layer, which takes the list's pieces. [`Side::can_grow`] must be true.
    ///
    /// Rehashes the set if needed. Meanwhile this thread runs no other jobs of the pool.
    pub(super) fn begin_layer(&mut self, thread_share: &ThreadShare) -> Arc<WorkQueue<Expand<W>>> {
        let (needed, depth) = (self.needed(), self.depth + 1);
        if !self.sets.fit(depth, needed) {
            self.sets.rehash(self.steps.cells, depth, needed, thread_share);
        }
        let job = Expand { steps: Arc::clone(&self.steps), set: Arc::clone(self.sets.at(depth)), depth };
        WorkQueue::new(job, std::mem::take(&mut self.frontier.pieces))
    }

    /// Adds a finished layer. Returns false if the set had no slot for one of the layer's states.
    /// Then the side must not be extended further.
    #[must_use]
    pub(super) fn end_layer(&mut self, grown: NextLayer<W>) -> bool {
        self.depth += 1;
        let [even, odd] = &mut self.stored;
        let (same_parity, other_parity) = if self.depth & 1 == 0 { (even, odd) } else { (odd, even) };
        *same_parity += grown.frontier.states;
        if self.sets.are_shared() {
            *other_parity = *same_parity;
        }
        self.frontier = grown.frontier;
        !grown.full
    }
}

/// The states of a side: even depths in one set, odd depths in another.
///
/// A move takes the blank to a cell of the other colour of a checkerboard, so a state and its
/// neighbours have depths of different parity and are never in the same set. Each state is looked
/// up in one set only. An insertion costs one cache miss, as with a single set.
///
/// Two sets save memory during a rehash, when the old and the new set exist at the same time. A
/// single set would be rehashed while it contains all layers but the last: half of all states, if
/// layers double. The set of one parity contains only a sixth of all states at that time
/// (1/8 + 1/32 + …), because the previous layer, the largest so far, is in the other set. So only a
/// third as many states are moved.
///
/// Initially both parities share one set, because the smallest set for 16 cells takes half a
/// megabyte ([`crate::engine::visited`]), and creating a second one takes a quarter of the time of
/// an easy board (`benches/constants.csv`). When the states of one parity no longer fit, this
/// parity gets a separate set, with a copy of all states of the first set. The copied states of the
/// other parity are never looked up there.
///
/// Cost: 10 bytes per state of planned capacity (24 with wide keys), and about 11 per stored state,
/// because the planned capacity includes duplicates.
#[derive(Clone)]
pub(super) struct ParitySets<W>([Arc<StateSet<W>>; 2]);

/// Returns the capacity to request for a set of `states` states.
///
/// [`StateSet`] plans a load of 2/3. With one-word slots a load of 0.8 is planned here: insertions
/// first fail above it (test `sets_fill_beyond_the_planned_load`), and the actual load is lower,
/// because a tenth of the planned states turn out to be duplicates.
const fn capacity_for<W>(states: u64) -> usize {
    (if size_of::<W>() == 8 { states.div_ceil(6) * 5 } else { states }) as usize
}

impl<W: Word> ParitySets<W> {
    fn new(cells: usize, states: u64) -> ParitySets<W> {
        let one = Arc::new(StateSet::with_room_for(cells, capacity_for::<W>(states)));
        ParitySets([Arc::clone(&one), one])
    }

    pub(super) fn are_shared(&self) -> bool {
        Arc::ptr_eq(&self.0[0], &self.0[1])
    }

    pub(super) fn at(&self, depth: u8) -> &Arc<StateSet<W>> {
        &self.0[usize::from(depth & 1)]
    }

    pub(super) fn bytes(&self) -> u64 {
        let [even, odd] = self.0.each_ref().map(|set| set.bytes() as u64);
        if self.are_shared() { even } else { even + odd }
    }

    fn fit(&self, depth: u8, states: u64) -> bool {
        capacity_for::<W>(states) <= self.at(depth).capacity()
    }

    fn bytes_for(cells: usize, states: u64) -> u64 {
        StateSet::<W>::bytes_for(cells, capacity_for::<W>(states)) as u64
    }

    /// Rehashes a depth's set into one for `states` states. Idle threads of the share help.
    /// Meanwhile this thread runs no other jobs of the pool.
    fn rehash(&mut self, cells: usize, depth: u8, states: u64, thread_share: &ThreadShare) {
        let larger = StateSet::with_room_for(cells, capacity_for::<W>(states));
        self.0[usize::from(depth & 1)] = move_states(self.at(depth), larger, thread_share);
    }
}

/// The job of generating the next layer.
pub(super) struct Expand<W> {
    steps: Arc<Steps>,
    set: Arc<StateSet<W>>,
    depth: u8,
}

/// The new states found by expanding pieces of a list.
#[derive(Default, Debug)]
pub(super) struct NextLayer<W> {
    frontier: Frontier<W>,
    /// True if the set had no slot for one of the states.
    full: bool,
}

impl<W: Word> QueueJob for Expand<W> {
    type Item = Vec<W>;
    type Report = NextLayer<W>;

    fn work(&self, piece: Vec<W>, _: &SharedQueue<'_, Self>) -> NextLayer<W> {
        let (note, mut grown) = (Note::new(self.depth), NextLayer::default());
        let NextLayer { frontier, full } = &mut grown;
        let child = |child, _, step| ((child, note), step);
        in_batches(&self.steps, &piece, child, |batch: &[(W, Note)], steps: &[OneStep]| {
            self.set.insert_batch(batch, |i, inserted| match inserted {
                Insert::New => {
                    frontier.push(batch[i].0.with_last(steps[i].last()));
                    frontier.child_count += self.steps.count(steps[i].to(), steps[i].last());
                }
                Insert::Seen(_) => {}
                Insert::Full => *full = true,
            });
        });
        grown.frontier.pieces.iter_mut().for_each(Vec::shrink_to_fit);
        grown
    }

    fn merge(total: &mut NextLayer<W>, part: NextLayer<W>) {
        total.frontier.append(part.frontier);
        total.full |= part.full;
    }
}

/// Generates the children of a piece of a list, in batches. `child` takes a child, its parent and
/// the step. It returns the item to look up and the data that `process` needs with it.
#[inline(always)]
pub(super) fn in_batches<W: Word, T, D>(
    steps: &Steps,
    piece: &[W],
    child: impl Fn(W, W, OneStep) -> (T, D),
    mut process: impl FnMut(&[T], &[D]),
) {
    let (mut batch, mut data) = (Vec::with_capacity(BATCH + 4), Vec::with_capacity(BATCH + 4));
    for word in piece {
        let (key, last) = word.split(steps.cells);
        let blank = key.cell_of(steps.goal_blank);
        for step in steps.from(blank, last) {
            let (item, datum) = child(key.slid(blank, step.to(), steps.goal_blank), key, step);
            batch.push(item);
            data.push(datum);
        }
        if batch.len() >= BATCH {
            process(&batch, &data);
            batch.clear();
            data.clear();
        }
    }
    process(&batch, &data);
}
