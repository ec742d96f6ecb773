//! The work of one layer: take nodes, close their states, expand what was not closed before.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};

use crate::board::Move;
use crate::engine::enlarge::moved;
use crate::engine::pieces::{Job, List};
use crate::engine::word::{Steps, Word};
use crate::engine::{Crew, Limit};
use crate::heuristic::{Heuristic, Step};
use crate::visited::{Insert, Note, StateSet};

/// Nodes in a piece of a list.
const PIECE: usize = 1 << 12;

/// Nodes expanded before a piece is handed in and the limits are looked at: some 2 ms.
const EXPANSIONS: u64 = 1 << 13;

/// Expansions between two looks at the books, and for somebody without work.
const LOOK: u64 = 256;

/// Nodes whose states are closed together.
const BATCH: usize = 32;

/// A stack of at least so many is shared with a worker who has nothing to do.
const SHARED: usize = 64;

/// A state that waits for its expansion in the layer of its f. Its g is f − h.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<W, V> {
    pub(super) word: W,
    pub(super) value: V,
}

impl<W, V> Node<W, V> {
    pub(super) const BYTES: u64 = size_of::<Node<W, V>>() as u64;
}

/// The closed states and their g, in a set that grows while no layer's work is going on.
pub(super) struct Closed<W> {
    set: Arc<StateSet<W>>,
    cells: usize,
    states: u64,
    planned: u64,
}

impl<W: Word> Closed<W> {
    /// States planned for at first.
    const FIRST: u64 = 1 << 14;

    pub(super) fn new(cells: usize) -> Closed<W> {
        let set = Arc::new(StateSet::with_room_for(cells, Self::FIRST as usize));
        Closed { set, cells, states: 0, planned: Self::FIRST }
    }

    pub(super) fn set(&self) -> &StateSet<W> {
        &self.set
    }

    pub(super) fn bytes(&self) -> u64 {
        self.set.bytes() as u64
    }

    /// The set, and how many more states are planned for. (A third of the slots is to spare, so that
    /// what is closed before all threads notice fits as well.)
    pub(super) fn share(&self) -> (Arc<StateSet<W>>, Left) {
        (Arc::clone(&self.set), self.planned.saturating_sub(self.states).into())
    }

    pub(super) fn add(&mut self, states: u64) {
        self.states += states;
    }

    /// Moves to a set four times, or at least one and a half times, as large; `false` where the two
    /// do not fit into `room` bytes.
    pub(super) fn grow(&mut self, room: u64, crew: &Crew) -> bool {
        let bytes = |states: u64| StateSet::<W>::bytes_for(self.cells, states as usize) as u64 + self.bytes();
        let sizes = [self.planned * 4, self.planned * 2, self.planned + self.planned / 2];
        let Some(planned) = sizes.into_iter().find(|&states| bytes(states) <= room) else { return false };
        self.set = moved(&self.set, StateSet::with_room_for(self.cells, planned as usize), crew);
        self.planned = planned;
        true
    }
}

/// Whether the layer is to be left before its end, and why.
pub(super) struct End(AtomicU8);

impl End {
    const NOT: u8 = 0;
    /// The set is to be made larger; the nodes left are given back.
    const CROWDED: u8 = 1;
    const NODES: u8 = 2;
    const MEMORY: u8 = 3;

    pub(super) fn new() -> End {
        End(AtomicU8::new(Self::NOT))
    }

    /// The larger reason stays: one that is always reached must not be hidden by one that chance reached first.
    fn set(&self, reason: u8) {
        // Relaxed, here and below: a hint to stop soon; results are joined under the work's mutex.
        self.0.fetch_max(reason, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != Self::NOT
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::CROWDED
    }

    pub(super) fn limit(&self) -> Option<Limit> {
        match self.0.load(Ordering::Relaxed) {
            Self::NODES => Some(Limit::Nodes),
            Self::MEMORY => Some(Limit::Memory),
            _ => None,
        }
    }
}

/// Work: a layer.
pub(super) struct Layer<W, H> {
    pub(super) heuristic: Arc<H>,
    pub(super) steps: Arc<Steps>,
    pub(super) goal: W,
    pub(super) f: u16,
    pub(super) closed: Arc<StateSet<W>>,
    /// How many more states the set is planned for.
    pub(super) closed_left: Left,
    /// How many states may be generated.
    pub(super) nodes_left: Left,
    /// How many more nodes the lists of later layers may have.
    pub(super) waiting_left: Left,
    pub(super) end: End,
}

/// A number that all threads take from; below 0 it is overdrawn.
pub(super) struct Left(AtomicI64);

impl From<u64> for Left {
    fn from(number: u64) -> Left {
        Left(AtomicI64::new(i64::try_from(number).unwrap_or(i64::MAX)))
    }
}

impl Left {
    /// Takes; `false` when that was more than there was.
    fn take(&self, number: u64) -> bool {
        // Relaxed: only the number itself matters.
        self.0.fetch_sub(number as i64, Ordering::Relaxed) >= number as i64
    }
}

/// Nodes in pieces.
pub(super) type Pieces<W, V> = Vec<Vec<Node<W, V>>>;

/// What the work on a layer, or a part of it, brought.
pub(super) struct Done<W, V> {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) closed: u64,
    /// Nodes that wait for later layers.
    pub(super) waiting: u64,
    /// The goal was closed.
    pub(super) solved: bool,
    /// Nodes of this layer that were not worked on.
    pub(super) left: Pieces<W, V>,
    /// Nodes of later layers, by their f.
    pub(super) later: Vec<(u16, Pieces<W, V>)>,
}

impl<W, V> Default for Done<W, V> {
    fn default() -> Done<W, V> {
        Done { expanded: 0, generated: 0, closed: 0, waiting: 0, solved: false, left: Vec::new(), later: Vec::new() }
    }
}

impl<W, V> Done<W, V> {
    fn list(&mut self, f: u16) -> &mut Pieces<W, V> {
        let index = self.later.iter().position(|&(own, _)| own == f).unwrap_or_else(|| {
            self.later.push((f, Vec::new()));
            self.later.len() - 1
        });
        &mut self.later[index].1
    }
}

/// Adds pieces to a list; a short one goes with another short one.
fn join<T>(list: &mut Vec<Vec<T>>, pieces: Vec<Vec<T>>) {
    for piece in pieces {
        match list.last_mut() {
            Some(last) if last.len() + piece.len() <= PIECE => last.extend(piece),
            _ if piece.len() < PIECE => list.push(piece),
            // A long one goes below the short one, which may grow.
            _ => list.insert(list.len().saturating_sub(1), piece),
        }
    }
}

impl<W: Word, H: Heuristic + Send + 'static> Job for Layer<W, H> {
    type Piece = Vec<Node<W, H::Value>>;
    type Report = Done<W, H::Value>;

    fn work(&self, mut stack: Self::Piece, list: &mut dyn List<Self::Piece>) -> Self::Report {
        let mut done = Done::default();
        let (mut batch, mut taken, mut fresh) = (Vec::new(), Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
        let (mut counted, mut next_look) = (Counted::default(), LOOK);
        while !stack.is_empty() {
            if self.end.is_set() {
                done.left.push(stack);
                break;
            }
            if done.expanded >= EXPANSIONS {
                list.put(stack);
                break;
            }
            taken.clear();
            taken.extend(stack.drain(stack.len().saturating_sub(BATCH)..));
            batch.clear();
            batch.extend(taken.iter().map(|node| {
                let g = self.f - H::plies(node.value);
                (node.word.split(self.steps.cells).0, Note::new(g as u8))
            }));
            fresh.clear();
            self.closed.insert_batch(&batch, |i, told| match told {
                Insert::New => fresh.push(i),
                Insert::Seen(_) => {}
                Insert::Full => {
                    self.end.set(End::CROWDED);
                    stack.push(taken[i]);
                }
            });
            done.closed += fresh.len() as u64;
            for &i in &fresh {
                if batch[i].0 == self.goal {
                    done.solved = true;
                } else {
                    self.expand(&taken[i], u16::from(batch[i].1.depth()), &mut stack, &mut done);
                }
            }
            if done.expanded >= next_look {
                next_look = done.expanded + LOOK;
                if stack.len() >= SHARED && list.is_short() {
                    list.put(stack.drain(..stack.len() / 2).collect());
                }
                self.account(&done, &mut counted);
            }
        }
        self.account(&done, &mut counted);
        done.later.iter_mut().flat_map(|(_, pieces)| pieces).for_each(Vec::shrink_to_fit);
        done
    }

    fn add(total: &mut Self::Report, mut part: Self::Report) {
        total.expanded += part.expanded;
        total.generated += part.generated;
        total.closed += part.closed;
        total.waiting += part.waiting;
        total.solved |= part.solved;
        total.left.append(&mut part.left);
        for (f, pieces) in part.later {
            join(total.list(f), pieces);
        }
    }
}

impl<W: Word, H: Heuristic + Send + 'static> Layer<W, H> {
    /// The children: those of the same f go to the stack.
    #[inline(always)]
    fn expand(
        &self,
        node: &Node<W, H::Value>,
        g: u16,
        stack: &mut Vec<Node<W, H::Value>>,
        done: &mut Done<W, H::Value>,
    ) {
        let goal_blank = self.steps.goal_blank;
        let (key, last) = node.word.split(self.steps.cells);
        let at = key.cell_of(goal_blank);
        done.expanded += 1;
        for one in self.steps.from(at, last) {
            let to = one.to();
            let child = key.slid(at, to, goal_blank);
            let blank = Move::from_index(one.last());
            let step = Step { tile: key.home(to) as u8, from: to as u8, to: at as u8, blank };
            let value = self.heuristic.after(node.value, child, step);
            let f = g + 1 + H::plies(value);
            done.generated += 1;
            let child = Node { word: child.with_last(one.last()), value };
            if f == self.f {
                stack.push(child);
                continue;
            }
            done.waiting += 1;
            let pieces = done.list(f);
            match pieces.last_mut() {
                Some(piece) if piece.len() < PIECE => piece.push(child),
                _ => pieces.push(vec![child]),
            }
        }
    }

    /// Takes what was done since the last time from what may be done.
    fn account(&self, done: &Done<W, H::Value>, counted: &mut Counted) {
        let now = Counted { generated: done.generated, closed: done.closed, waiting: done.waiting };
        if !self.nodes_left.take(now.generated - counted.generated) {
            self.end.set(End::NODES);
        }
        if !self.waiting_left.take(now.waiting - counted.waiting) {
            self.end.set(End::MEMORY);
        }
        if !self.closed_left.take(now.closed - counted.closed) {
            self.end.set(End::CROWDED);
        }
        *counted = now;
    }
}

/// What the work on a piece has accounted for.
#[derive(Default)]
struct Counted {
    generated: u64,
    closed: u64,
    waiting: u64,
}
