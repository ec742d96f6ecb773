//! One side of the search: all states up to a depth, and the deepest of them as a list.
//!
//! Every state of depth g + 1 is a neighbour of one of depth g, and every neighbour of those has depth
//! g − 1 or g + 1: never g, because a move changes the colour of the blank's cell. So a neighbour
//! that is in the set has been there for two layers or belongs to the new one, and either way is no
//! news; one that is not is new. Deeper duplicates need no second look.
//!
//! How many states the next layer generates is known before it begins: of each state of the list the
//! moves that do not undo its last. (Which move was the last may depend on the threads, the number
//! does not.) It bounds what the layer adds, so a layer is begun only where there is memory for it, and
//! in any run the same layers are begun.
//!
//! Cost: 11 bytes a state in the sets ([`super::sets`]), and 8 in the list, which has little more than half the
//! states because its pieces are given back as they are expanded: 15 in all at a layer's end, which is the most,
//! where layers double. Wide keys: 26 and 16.

use std::sync::Arc;

use super::sets::Sets;
use crate::engine::Crew;
use crate::engine::pieces::{Job, List, PieceWork};
use crate::engine::word::{OneStep, Steps, Word};
use crate::visited::{Insert, Note, StateSet};

/// States in a piece of a list: some 0.2 ms of work, which is also what threads wait for each other at
/// a layer's end. (In models a state is work enough for a thread.)
const PIECE: usize = if cfg!(loom) { 1 } else { 1 << 10 };

/// Children whose lookups are made together.
pub(super) const BATCH: usize = 256;

/// The deepest layer, in pieces.
#[derive(Debug)]
pub(super) struct Frontier<W> {
    pub(super) pieces: Vec<Vec<W>>,
    pub(super) states: u64,
    /// How many states the next layer generates.
    pub(super) children: u64,
}

impl<W> Default for Frontier<W> {
    fn default() -> Frontier<W> {
        Frontier { pieces: Vec::new(), states: 0, children: 0 }
    }
}

impl<W: Word> Frontier<W> {
    fn push(&mut self, word: W) {
        match self.pieces.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(word),
            _ => self.pieces.push(vec![word]),
        }
        self.states += 1;
    }

    /// What this list and the next one take while one turns into the other: what the longer takes, since pieces are given
    /// back. A piece is no longer than its states, but for a few at the end and 24 bytes that tell where it is.
    fn bytes_at_most(&self) -> u64 {
        let bytes = self.states.max(self.children) * size_of::<W>() as u64;
        bytes + bytes / 64
    }

    fn append(&mut self, mut other: Frontier<W>) {
        // A short piece at the end goes with another short one, or small layers would fall to pieces.
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
        self.children += other.children;
    }
}

/// The states up to a depth.
pub(super) struct Side<W> {
    /// What sets and list may take together.
    bytes: u64,
    steps: Arc<Steps>,
    pub(super) sets: Sets<W>,
    /// States in the set of even and in the set of odd depths.
    stored: [u64; 2],
    pub(super) frontier: Frontier<W>,
    pub(super) depth: u8,
}

impl<W: Word> Side<W> {
    /// What the first set takes; enough for boards that are next to solved. (One line in models.)
    const FIRST: u64 = if cfg!(loom) { 5 } else { 1 << 12 };

    /// The root alone.
    pub(super) fn new(steps: &Arc<Steps>, root: W, bytes: u64) -> Side<W> {
        let sets = Sets::new(steps.cells, Self::FIRST);
        let told = sets.at(0).insert(root, Note::new(0));
        debug_assert_eq!(told, Insert::New);
        let mut frontier = Frontier::default();
        frontier.push(root.with_last(Steps::START));
        frontier.children = steps.number(root.cell_of(steps.goal_blank), Steps::START);
        Side { bytes, steps: Arc::clone(steps), sets, stored: [1, 1], frontier, depth: 0 }
    }

    /// What the next layer's set must take.
    fn needed(&self) -> u64 {
        self.stored[usize::from((self.depth + 1) & 1)] + self.frontier.children
    }

    /// Whether there is memory for one more layer: for the sets that there are, a larger one beside them if need
    /// be, and a list of all that is generated (or of what there is now, if that is more).
    pub(super) fn has_room(&self) -> bool {
        if self.depth == u8::MAX {
            return false;
        }
        let needed = self.needed();
        let fits = self.sets.take(self.depth + 1, needed);
        let larger = if fits { 0 } else { Sets::<W>::bytes_for(self.steps.cells, needed) };
        self.sets.bytes() + larger + self.frontier.bytes_at_most() <= self.bytes
    }

    /// Begins the next layer; the list's pieces are gone then. There must be room for it.
    ///
    /// Makes a larger set if need be, and runs no other jobs of the pool meanwhile.
    pub(super) fn begin_layer(&mut self, crew: &Crew) -> Arc<PieceWork<Expand<W>>> {
        let (needed, depth) = (self.needed(), self.depth + 1);
        if !self.sets.take(depth, needed) {
            self.sets.enlarge(self.steps.cells, depth, needed, crew);
        }
        let job = Expand { steps: Arc::clone(&self.steps), set: Arc::clone(self.sets.at(depth)), depth };
        PieceWork::new(job, std::mem::take(&mut self.frontier.pieces))
    }

    /// Takes in a finished layer; `false` when the set had no place for one of its states, which ends this side.
    #[must_use]
    pub(super) fn end_layer(&mut self, grown: Grown<W>) -> bool {
        self.depth += 1;
        let [even, odd] = &mut self.stored;
        let (own, other) = if self.depth & 1 == 0 { (even, odd) } else { (odd, even) };
        *own += grown.frontier.states;
        if self.sets.are_one() {
            *other = *own;
        }
        self.frontier = grown.frontier;
        !grown.full
    }
}

/// Work: the next layer.
pub(super) struct Expand<W> {
    steps: Arc<Steps>,
    set: Arc<StateSet<W>>,
    depth: u8,
}

/// A new layer, or part of one.
#[derive(Debug)]
pub(super) struct Grown<W> {
    frontier: Frontier<W>,
    full: bool,
}

impl<W> Default for Grown<W> {
    fn default() -> Grown<W> {
        Grown { frontier: Frontier::default(), full: false }
    }
}

impl<W: Word> Expand<W> {
    fn insert(&self, batch: &mut Vec<(W, Note)>, steps: &mut Vec<OneStep>, grown: &mut Grown<W>) {
        let Grown { frontier, full } = grown;
        self.set.insert_batch(batch, |i, told| match told {
            Insert::New => {
                frontier.push(batch[i].0.with_last(steps[i].last()));
                frontier.children += self.steps.number(steps[i].to(), steps[i].last());
            }
            Insert::Seen(_) => {}
            Insert::Full => *full = true,
        });
        batch.clear();
        steps.clear();
    }
}

impl<W: Word> Job for Expand<W> {
    type Piece = Vec<W>;
    type Report = Grown<W>;

    fn work(&self, piece: Vec<W>, _: &mut dyn List<Vec<W>>) -> Grown<W> {
        let (cells, goal_blank, note) = (self.steps.cells, self.steps.goal_blank, Note::new(self.depth));
        let (mut batch, mut steps) = (Vec::with_capacity(BATCH + 4), Vec::with_capacity(BATCH + 4));
        let mut grown = Grown::default();
        for word in &piece {
            let (key, last) = word.split(cells);
            let blank = key.cell_of(goal_blank);
            for step in self.steps.from(blank, last) {
                batch.push((key.slid(blank, step.to(), goal_blank), note));
                steps.push(step);
            }
            if batch.len() >= BATCH {
                self.insert(&mut batch, &mut steps, &mut grown);
            }
        }
        self.insert(&mut batch, &mut steps, &mut grown);
        grown.frontier.pieces.iter_mut().for_each(Vec::shrink_to_fit);
        grown
    }

    fn add(total: &mut Grown<W>, part: Grown<W>) {
        total.frontier.append(part.frontier);
        total.full |= part.full;
    }
}
