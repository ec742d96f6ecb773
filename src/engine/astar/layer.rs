//! The work on one layer: threads take nodes, close their states, and expand the nodes whose states
//! were not closed before.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};

use crate::board::Move;
use crate::engine::Stats;
use crate::engine::visited::{Insert, Note, StateSet};
use crate::engine::word::{Steps, Word};
use crate::engine::work_queue::{QueueJob, SharedQueue};
use crate::heuristic::{Heuristic, Step};
use crate::system::Limit;

/// The number of nodes in a full piece of a list.
const PIECE: usize = 1 << 12;

/// The number of nodes that a thread expands, in about 2 ms, before it returns the rest of its
/// piece to the queue.
const EXPANSIONS: u64 = 1 << 13;

/// The number of expansions after which a thread updates the shared counters and checks for idle
/// threads.
const CHECK_NODES: u64 = 256;

/// The number of nodes whose states are closed together.
const BATCH: usize = 32;

/// The minimum number of nodes in a stack that is shared with an idle thread.
const SHARED_NODES: usize = 64;

/// A state waiting for expansion in the layer of its f. Its g is f − h.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenNode<W, V> {
    pub(super) word: W,
    pub(super) value: V,
}

impl<W, V> OpenNode<W, V> {
    pub(super) const BYTES: u64 = size_of::<OpenNode<W, V>>() as u64;
}

/// The job of expanding one layer.
pub(super) struct LayerJob<W, H> {
    pub(super) heuristic: Arc<H>,
    pub(super) steps: Arc<Steps>,
    pub(super) goal: W,
    pub(super) f: u16,
    pub(super) closed: Arc<StateSet<W>>,
    /// The number of states that the set can still take.
    pub(super) closed_left: Allowance,
    /// The number of nodes that may still be generated.
    pub(super) nodes_left: Allowance,
    /// The number of nodes that the lists of later layers can still take.
    pub(super) waiting_left: Allowance,
    pub(super) stop: StopReason,
}

/// A list of nodes in pieces, each the work item of one thread.
pub(super) type NodePieces<W, V> = Vec<Vec<OpenNode<W, V>>>;

/// The result of expanding a piece.
#[derive(Default)]
pub(super) struct Done<W, V> {
    pub(super) stats: Stats,
    /// The number of states closed.
    pub(super) closed: u64,
    /// The number of nodes added to `later`.
    waiting: u64,
    /// True if the goal was closed.
    pub(super) solved: bool,
    /// Nodes of this layer that were not expanded.
    pub(super) unexpanded: NodePieces<W, V>,
    /// Nodes of later layers, by their f.
    pub(super) later: Vec<(u16, NodePieces<W, V>)>,
}

/// Returns the list with this f, which is empty if there was none.
pub(super) fn list_of<W, V>(lists: &mut Vec<(u16, NodePieces<W, V>)>, f: u16) -> &mut NodePieces<W, V> {
    let index = lists.iter().position(|&(list_f, _)| list_f == f).unwrap_or_else(|| {
        lists.push((f, Vec::new()));
        lists.len() - 1
    });
    &mut lists[index].1
}

/// Appends pieces to a list, joining short pieces.
fn join<T>(list: &mut Vec<Vec<T>>, pieces: Vec<Vec<T>>) {
    for piece in pieces {
        match list.last_mut() {
            Some(last) if last.len() + piece.len() <= PIECE => last.extend(piece),
            _ if piece.len() < PIECE => list.push(piece),
            // A full piece goes before the last piece, which may be short and still grow.
            _ => list.insert(list.len().saturating_sub(1), piece),
        }
    }
}

impl<W: Word, H: Heuristic + Send + 'static> QueueJob for LayerJob<W, H> {
    type Item = Vec<OpenNode<W, H::Value>>;
    type Report = Done<W, H::Value>;

    fn work(&self, mut stack: Self::Item, queue: &SharedQueue<'_, Self>) -> Self::Report {
        let mut done = Done::default();
        let (mut batch, mut taken, mut fresh) = (Vec::new(), Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
        let (mut charged, mut next_check) = ([0; 3], CHECK_NODES);
        while !stack.is_empty() {
            if self.stop.is_set() {
                done.unexpanded.push(stack);
                break;
            }
            if done.stats.expanded >= EXPANSIONS {
                queue.push(stack);
                break;
            }
            taken.clear();
            taken.extend(stack.drain(stack.len().saturating_sub(BATCH)..));
            batch.clear();
            batch.extend(taken.iter().map(|node| {
                let g = self.f - H::h(node.value);
                (node.word.split(self.steps.cells).0, Note::new(g as u8))
            }));
            fresh.clear();
            self.closed.insert_batch(&batch, |i, inserted| match inserted {
                Insert::New => fresh.push(i),
                Insert::Seen(_) => {}
                Insert::Full => {
                    self.stop.set(StopReason::CROWDED);
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
            if done.stats.expanded >= next_check {
                next_check = done.stats.expanded + CHECK_NODES;
                if stack.len() >= SHARED_NODES && queue.is_short() {
                    queue.push(stack.drain(..stack.len() / 2).collect());
                }
                self.charge(&done, &mut charged);
            }
        }
        self.charge(&done, &mut charged);
        done.later.iter_mut().flat_map(|(_, pieces)| pieces).for_each(Vec::shrink_to_fit);
        done
    }

    fn merge(total: &mut Self::Report, mut part: Self::Report) {
        total.stats.add(&part.stats);
        total.closed += part.closed;
        total.waiting += part.waiting;
        total.solved |= part.solved;
        total.unexpanded.append(&mut part.unexpanded);
        for (f, pieces) in part.later {
            join(list_of(&mut total.later, f), pieces);
        }
    }
}

impl<W: Word, H: Heuristic + Send + 'static> LayerJob<W, H> {
    /// Generates the children. Those with the same f go onto the stack, the others into the lists
    /// of later layers.
    #[inline(always)]
    fn expand(
        &self,
        node: &OpenNode<W, H::Value>,
        g: u16,
        stack: &mut Vec<OpenNode<W, H::Value>>,
        done: &mut Done<W, H::Value>,
    ) {
        let goal_blank = self.steps.goal_blank;
        let (key, last) = node.word.split(self.steps.cells);
        let blank = key.cell_of(goal_blank);
        done.stats.expanded += 1;
        for one_step in self.steps.from(blank, last) {
            let to = one_step.to();
            let child = key.slid(blank, to, goal_blank);
            let blank_move = Move::from_index(one_step.last());
            let step = Step { tile: key.home(to) as u8, from: to as u8, to: blank as u8, blank: blank_move };
            let value = self.heuristic.after(node.value, child, step);
            let f = g + 1 + H::h(value);
            done.stats.generated += 1;
            let child = OpenNode { word: child.with_last(one_step.last()), value };
            if f == self.f {
                stack.push(child);
                continue;
            }
            done.waiting += 1;
            let pieces = list_of(&mut done.later, f);
            match pieces.last_mut() {
                Some(piece) if piece.len() < PIECE => piece.push(child),
                _ => pieces.push(vec![child]),
            }
        }
    }

    /// Subtracts the work since the last call from the allowances, and sets the reason to stop if
    /// one is exceeded. `charged` is the work up to the last call.
    fn charge(&self, done: &Done<W, H::Value>, charged: &mut [u64; 3]) {
        let now = [done.stats.generated, done.waiting, done.closed];
        let allowances = [&self.nodes_left, &self.waiting_left, &self.closed_left];
        let reasons = [StopReason::NODES, StopReason::MEMORY, StopReason::CROWDED];
        for (((allowance, reason), now), before) in allowances.into_iter().zip(reasons).zip(now).zip(*charged) {
            if !allowance.take(now - before) {
                self.stop.set(reason);
            }
        }
        *charged = now;
    }
}

/// The reason to stop the work on a layer early, if there is one.
pub(super) struct StopReason(AtomicU8);

impl StopReason {
    const NONE: u8 = 0;
    /// The set must grow. The remaining nodes are returned unexpanded.
    pub(super) const CROWDED: u8 = 1;
    pub(super) const NODES: u8 = 2;
    pub(super) const MEMORY: u8 = 3;

    pub(super) fn new() -> StopReason {
        StopReason(AtomicU8::new(Self::NONE))
    }

    /// Sets the reason unless a greater one is set. A limit that is reached in every run must not
    /// be hidden by a reason that a thread happened to set earlier.
    pub(super) fn set(&self, reason: u8) {
        // Relaxed, here and below: this is only a hint to stop soon; results are merged under the
        // mutex of the work queue.
        self.0.fetch_max(reason, Ordering::Relaxed);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != Self::NONE
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

/// A shared counter from which threads subtract. If it is negative, the allowance was exceeded.
pub(super) struct Allowance(AtomicI64);

impl From<u64> for Allowance {
    fn from(number: u64) -> Allowance {
        Allowance(AtomicI64::new(i64::try_from(number).unwrap_or(i64::MAX)))
    }
}

impl Allowance {
    /// Subtracts `number`. Returns false if less was left.
    pub(super) fn take(&self, number: u64) -> bool {
        // Relaxed: only the number itself matters.
        self.0.fetch_sub(number as i64, Ordering::Relaxed) >= number as i64
    }
}
