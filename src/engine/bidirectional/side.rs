//! One side of the search: all states up to a depth, and the deepest of them as a list.
//!
//! Every state of depth g + 1 is a neighbour of one of depth g, and every neighbour of those has depth
//! g − 1 or g + 1: never g, because a move changes the colour of the blank's cell. So a neighbour
//! that is in the set has been there for two layers or belongs to the new one, and either way is no
//! news; one that is not is new. Deeper duplicates need no second look.
//!
//! How many states the next layer generates is known before it begins: of each state of the list the
//! moves that do not undo its last. (Which move was the last may depend on the threads, the number
//! does not.) It bounds what the layer adds, so a layer is begun only where there is room for it, and
//! in any run the same layers are begun.
//!
//! Cost: 10 bytes a state in a full set (load 0.8), and 8 in the list, which has little more than half the
//! states because its pieces are given back as they are expanded. Wide keys: 24 and 16.

use std::sync::Arc;

use crate::engine::Crew;
use crate::engine::enlarge::moved;
use crate::engine::pieces::{Job, List, PieceWork};
use crate::engine::word::{OneStep, Steps, Word};
use crate::visited::{Insert, Note, StateSet};

/// States in a piece of a list: some 0.2 ms of work, which is also what threads wait for each other at
/// a layer's end. (In models a state is work enough for a thread.)
const PIECE: usize = if cfg!(loom) { 1 } else { 1 << 10 };

/// Children whose lookups are made together.
const BATCH: usize = 256;

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

/// How many states a side may store.
#[derive(Clone, Copy, Debug)]
struct Room {
    cells: usize,
    most: u64,
}

impl Room {
    /// What a state takes: with one-word keys 10 in the set and 4.3 in the list; and while the last set
    /// is filled from the one before 10 + 4, and 2 of the list's.
    const fn bytes_a_state<W>() -> u64 {
        if size_of::<W>() == 8 { 16 } else { 36 }
    }

    fn set<W: Word>(&self, states: u64) -> StateSet<W> {
        // The sets plan for a load of 2/3; one-word slots do well with 0.8 (first refusal at 0.9).
        let states = if size_of::<W>() == 8 { states.div_ceil(6) * 5 } else { states };
        StateSet::with_room_for(self.cells, states as usize)
    }
}

/// The states up to a depth.
pub(super) struct Side<W> {
    room: Room,
    steps: Arc<Steps>,
    pub(super) set: Arc<StateSet<W>>,
    /// States that the set is planned for.
    planned: u64,
    /// States in the set.
    stored: u64,
    pub(super) frontier: Frontier<W>,
    pub(super) depth: u8,
}

impl<W: Word> Side<W> {
    /// The first set; enough for boards that are next to solved. (One line in models.)
    const FIRST: u64 = if cfg!(loom) { 5 } else { 1 << 12 };

    /// A set of so many states is large: 10 MB with one-word keys.
    const LARGE: u64 = 1 << 20;

    /// The root alone.
    pub(super) fn new(steps: &Arc<Steps>, root: W, bytes: u64) -> Side<W> {
        let room = Room { cells: steps.cells, most: bytes / Room::bytes_a_state::<W>() };
        let planned = Self::FIRST.min(room.most.max(1));
        let set = room.set(planned);
        let told = set.insert(root, Note::new(0));
        debug_assert_eq!(told, Insert::New);
        let mut frontier = Frontier::default();
        frontier.push(root.with_last(Steps::START));
        frontier.children = steps.number(root.cell_of(steps.goal_blank), Steps::START);
        Side { room, steps: Arc::clone(steps), set: Arc::new(set), planned, stored: 1, frontier, depth: 0 }
    }

    /// Whether one more layer has room.
    pub(super) fn has_room(&self) -> bool {
        self.stored + self.frontier.children <= self.room.most && self.depth < u8::MAX
    }

    /// Begins the next layer; the list's pieces are gone then. There must be room for it.
    ///
    /// Makes a larger set if need be, and runs no other jobs of the pool meanwhile.
    pub(super) fn begin_layer(&mut self, crew: &Crew) -> Arc<PieceWork<Expand<W>>> {
        let need = self.stored + self.frontier.children;
        if need > self.planned {
            // A small set is made for one layer more; a large one for just this layer, or it would stay half empty
            // when the search ends here. Two sets fit into the room beside each other while the smaller has at most two
            // fifths of it, so after one of those comes the largest.
            let wanted = if need < Self::LARGE { need * 5 / 2 } else { need };
            self.planned = if wanted > self.room.most / 5 * 2 { self.room.most } else { wanted };
            self.set = moved(&self.set, self.room.set(self.planned), crew);
        }
        let job = Expand { steps: Arc::clone(&self.steps), set: Arc::clone(&self.set), depth: self.depth + 1 };
        PieceWork::new(job, std::mem::take(&mut self.frontier.pieces))
    }

    /// Takes in a finished layer; `false` when the set had no place for one of its states, which ends this side.
    #[must_use]
    pub(super) fn end_layer(&mut self, grown: Grown<W>) -> bool {
        self.depth += 1;
        self.stored += grown.frontier.states;
        self.frontier = grown.frontier;
        !grown.full
    }

    /// The states of the list that have a neighbour of depth `depth` on the other side.
    pub(super) fn begin_meeting(&mut self, other: &Arc<StateSet<W>>, depth: u8) -> Arc<PieceWork<Meet<W>>> {
        let job = Meet { steps: Arc::clone(&self.steps), other: Arc::clone(other), depth };
        PieceWork::new(job, std::mem::take(&mut self.frontier.pieces))
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

/// Work: look the list's neighbours up on the other side.
pub(super) struct Meet<W> {
    steps: Arc<Steps>,
    other: Arc<StateSet<W>>,
    depth: u8,
}

/// The list, given back, and those of it that meet the other side.
#[derive(Debug)]
pub(super) struct Met<W> {
    pub(super) pieces: Vec<Vec<W>>,
    pub(super) keys: Vec<W>,
}

impl<W> Default for Met<W> {
    fn default() -> Met<W> {
        Met { pieces: Vec::new(), keys: Vec::new() }
    }
}

impl<W: Word> Job for Meet<W> {
    type Piece = Vec<W>;
    type Report = Met<W>;

    fn work(&self, piece: Vec<W>, _: &mut dyn List<Vec<W>>) -> Met<W> {
        let (cells, goal_blank) = (self.steps.cells, self.steps.goal_blank);
        let (mut batch, mut parents) = (Vec::with_capacity(BATCH + 4), Vec::with_capacity(BATCH + 4));
        let mut keys = Vec::new();
        let mut look_up = |batch: &mut Vec<W>, parents: &mut Vec<W>| {
            self.other.get_batch(batch, |i, note| {
                if note.is_some_and(|note| note.depth() == self.depth) {
                    keys.push(parents[i]);
                }
            });
            batch.clear();
            parents.clear();
        };
        for word in &piece {
            let (key, last) = word.split(cells);
            let blank = key.cell_of(goal_blank);
            for step in self.steps.from(blank, last) {
                batch.push(key.slid(blank, step.to(), goal_blank));
                parents.push(key);
            }
            if batch.len() >= BATCH {
                look_up(&mut batch, &mut parents);
            }
        }
        look_up(&mut batch, &mut parents);
        Met { pieces: vec![piece], keys }
    }

    fn add(total: &mut Met<W>, mut part: Met<W>) {
        total.pieces.append(&mut part.pieces);
        total.keys.append(&mut part.keys);
    }
}
