//! Breadth-first search from both ends, one layer at a time, on all threads. The backward frontier
//! is shared between boards.
//!
//! I. Pohl, *Bi-directional search*, Machine Intelligence 6, 1971. Searching half the depth from
//! each end visits about the square root of the number of states that a search from one end visits.
//! The backward frontier ([`BackwardFrontier`]) belongs to a shape and a goal cell of the blank.
//! Its layers are reused for all later boards.
//!
//! # Why the first meeting gives a shortest path
//!
//! Let F_a be the states at distance exactly a from the start, B_b those at distance exactly b from
//! the goal, and d the distance sought. *If d ≥ a + b, then d = a + b if and only if F_a and B_b
//! have a state in common.* If they do, there is a path of length a + b. If d = a + b, the a-th
//! state of a shortest path is in both. The search begins with a = b = 0. While the sets have no
//! state in common, d ≥ a + b + 1, so one side may go one layer deeper and the premise still holds.
//!
//! Every move changes the blank's distance from its goal cell by one, so d has the parity of the
//! blank's distance at the start. Therefore every second sum a + b needs no test. Sums below the
//! Manhattan distance, a lower bound, need none either.
//!
//! The test comes *before* the layer: once d ≥ a + b + 1 is known, F_{a+1} and B_b have a state in
//! common if and only if a state of F_a has a neighbour in B_b. So the last and largest layer is
//! generated but never stored. The states of F_a found this way are all states at distance a on
//! shortest paths. The paths to them are marked back to the start (`state_sets`). Then the
//! lexicographically smallest of these paths is followed by taking the smallest possible letter at
//! each state: through marked states to depth a, then to a state of B_b, and from there to the goal
//! through backward layers of falling depth.
//!
//! # Choice of the side
//!
//! Without a node limit, existing backward layers cost nothing and are used first. In all other
//! cases, the side whose next layer generates fewer states is extended. The forward side's count is
//! doubled, because every test expands its list again.
//!
//! # Limits
//!
//! *Nodes*: the number of states that a layer or a test will generate is known in advance
//! (`side.rs`). If this number exceeds the remaining budget, the search ends before the layer or
//! test. To make the outcome independent of other boards, a search with this limit counts every
//! backward layer that it uses, even if the layer already existed. *Memory*: a layer begins only if
//! its side has memory for all states that the layer generates, and for the old and the new set
//! during a rehash. This memory is the same in every run. *Time, cancellation*: checked between
//! pieces, and at least every 2 ms while waiting.
//!
//! # Cost
//!
//! At most 15 bytes per stored state of the 15-puzzle, at the end of a layer: 11 in the sets and 4
//! in the list (`benches/constants.csv`; `tests/memory.rs` asserts at most 16). States generated
//! per second: `benches/engines.rs`.

mod backward_frontier;
mod side;

use std::sync::Arc;

pub use self::backward_frontier::BackwardFrontier;
use self::backward_frontier::{SharedFrontier, Width};
use self::side::{Side, in_batches};
use super::contract::{Engine, Framed, Job, Scratch, WorkDone};
use super::word::Word;
use super::work_queue::{QueueJob, SharedQueue, WorkQueue};
use super::{Outcome, Stats, ThreadShare, state_sets};
use crate::board::frame::Space;
use crate::board::{Cell, Path, Solvable};
use crate::system::{Budget, Limit};

/// Breadth-first search from both ends, with a backward frontier shared by all boards.
#[derive(Debug)]
pub struct Bidirectional {
    backward_frontier: Arc<BackwardFrontier>,
    bytes: u64,
}

impl Bidirectional {
    /// Creates the engine with a backward frontier. Each search may take `bytes` in addition.
    pub fn new(backward_frontier: Arc<BackwardFrontier>, bytes: u64) -> Bidirectional {
        Bidirectional { backward_frontier, bytes }
    }
}

impl Engine for Bidirectional {
    fn name(&self) -> &'static str {
        "bidirectional"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, work_done: &mut WorkDone) -> Outcome {
        let Some(Framed { space, start }) = job.problem.framed else { return job.problem.without_frame() };
        solve(&self.backward_frontier, space, start, job.budget, job.thread_share, self.bytes, &mut work_done.stats)
    }
}

/// Finds the canonical shortest path from `start` to the goal.
///
/// The backward frontier must be for this space ([`BackwardFrontier::serves`]), and `start` must be
/// a state of it. `bytes` is the memory for the forward side. Idle threads of the share help.
/// Without a node limit, `stats` does not count existing backward layers.
///
/// # Panics
/// Panics if the backward frontier is for another space.
pub fn solve(
    backward_frontier: &BackwardFrontier,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    thread_share: &ThreadShare,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    assert!(backward_frontier.serves(space), "the backward frontier is for {} boards", backward_frontier.shape);
    match &backward_frontier.width {
        Width::Narrow(shared) => search(shared, space, start, budget, thread_share, bytes, stats),
        Width::Wide(shared) => search(shared, space, start, budget, thread_share, bytes, stats),
    }
}

fn search<W: Word>(
    shared: &Arc<SharedFrontier<W>>,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    thread_share: &ThreadShare,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    stats.generated += 1;
    if *start.state() == space.goal() {
        return Outcome::Solved(Path::new());
    }
    let root = W::of(start.state(), space.shape.cells());
    let (forward, lower_bound) = (Side::new(&shared.steps, root, bytes), manhattan_distance(space, start));
    let mut search =
        BidirectionalSearch { shared, space, root, budget, thread_share, forward, lower_bound, generated: 1, stats };
    match search.run() {
        Ok(path) => Outcome::Solved(path),
        Err(limit) => Outcome::Unsolved { lower_bound: search.lower_bound.into(), limit },
    }
}

/// The search for one board.
struct BidirectionalSearch<'a, W: Word> {
    shared: &'a Arc<SharedFrontier<W>>,
    space: &'a Space,
    root: W,
    budget: &'a Budget<'a>,
    thread_share: &'a ThreadShare,
    forward: Side<W>,
    /// A proven lower bound, which has the parity of the distance.
    lower_bound: u16,
    /// The number of states generated, which is compared with the budget before each layer and
    /// test.
    generated: u64,
    stats: &'a mut Stats,
}

impl<W: Word> BidirectionalSearch<'_, W> {
    /// Extends the sides until they meet.
    fn run(&mut self) -> Result<Path, Limit> {
        let (shared, budget, thread_share) = (self.shared, self.budget, self.thread_share);
        let limited = budget.nodes() != u64::MAX;
        let mut layers = shared.layers();
        let (mut b, mut backward_is_full) = (0u8, false);
        loop {
            // Invariant: d ≥ a + b + 1, where a is `forward.depth`, and d ≥ lower_bound.
            let sum = u16::from(self.forward.depth) + u16::from(b);
            if sum + 1 == self.lower_bound {
                if let Some(path) = self.test_meeting(b)? {
                    return Ok(path);
                }
                self.lower_bound += 2;
            }
            let exists = layers.len() > usize::from(b) + 1;
            let layer = layers[usize::from(b)];
            let backward_cost = if exists && !limited { 0 } else { layer.child_count };
            let (states, child_count) = (self.forward.frontier.states, self.forward.frontier.child_count);
            let forward_first = child_count.saturating_mul(2) <= backward_cost;
            if self.forward.can_grow() && (forward_first || backward_is_full) {
                self.check(child_count)?;
                let work = self.forward.begin_layer(thread_share);
                work.finish(budget, thread_share)?;
                self.add(states, child_count);
                if !self.forward.end_layer(work.take_report()) {
                    return Err(Limit::Memory);
                }
                continue;
            }
            if backward_is_full || b == u8::MAX {
                return Err(Limit::Memory);
            }
            if limited {
                self.check(layer.child_count)?;
            }
            match shared.reach(b + 1, &mut layers, budget, thread_share) {
                Ok(generated) => {
                    b += 1;
                    if limited || generated > 0 {
                        self.add(layer.states, layer.child_count);
                    }
                }
                Err(Limit::Memory) => backward_is_full = true,
                Err(limit) => return Err(limit),
            }
        }
    }

    /// Tests whether a state of the deepest forward layer has a neighbour in the backward layer of
    /// depth `b`. If so, returns the canonical path.
    fn test_meeting(&mut self, b: u8) -> Result<Option<Path>, Limit> {
        let BidirectionalSearch { shared, space, root, budget, thread_share, .. } = *self;
        let (states, child_count) = (self.forward.frontier.states, self.forward.frontier.child_count);
        self.check(child_count)?;
        let job = Meet { backward: Arc::clone(shared), depth: b };
        let work = WorkQueue::new(job, std::mem::take(&mut self.forward.frontier.pieces));
        work.finish(budget, thread_share)?;
        let met = work.take_report();
        self.forward.frontier.pieces = met.pieces;
        self.add(states, child_count);
        if met.keys.is_empty() {
            return Ok(None);
        }
        let a = u16::from(self.forward.depth);
        let (forward_set, backward_sets) = (|depth| &**self.forward.sets.at(depth as u8), shared.sets());
        state_sets::mark(forward_set, &shared.steps, met.keys, a);
        let mut path = Path::new();
        let middle = state_sets::follow(forward_set, space, root, a, &mut path);
        state_sets::descend(|depth| &**backward_sets.at(depth as u8), space, middle, u16::from(b), &mut path);
        Ok(Some(path))
    }

    /// Checks that the budget allows this many more states to be generated.
    fn check(&self, states: u64) -> Result<(), Limit> {
        if self.generated.saturating_add(states) > self.budget.nodes() { Err(Limit::Nodes) } else { Ok(()) }
    }

    fn add(&mut self, expanded: u64, generated: u64) {
        self.generated += generated;
        self.stats.add(&Stats { expanded, generated });
    }
}

/// The job of looking up the neighbours of the forward list's states in a complete backward layer.
///
/// Meanwhile, another board may extend the backward frontier and rehash it into a larger set. So
/// each piece of the list is looked up in the set that is current when its work begins, and a long
/// test does not keep a replaced set in memory. The old and the new set both contain the layer.
struct Meet<W: Word> {
    backward: Arc<SharedFrontier<W>>,
    depth: u8,
}

/// The list, which is returned to the forward side, and its states that have a neighbour in the
/// backward layer.
#[derive(Default, Debug)]
struct Met<W> {
    pieces: Vec<Vec<W>>,
    keys: Vec<W>,
}

impl<W: Word> QueueJob for Meet<W> {
    type Item = Vec<W>;
    type Report = Met<W>;

    fn work(&self, piece: Vec<W>, _: &SharedQueue<'_, Self>) -> Met<W> {
        let (sets, mut keys) = (self.backward.sets(), Vec::new());
        let set = sets.at(self.depth);
        let child = |child, parent, _| (child, parent);
        in_batches(&self.backward.steps, &piece, child, |batch: &[W], parents: &[W]| {
            set.get_batch(batch, |i, note| {
                if note.is_some_and(|note| note.depth() == self.depth) {
                    keys.push(parents[i]);
                }
            });
        });
        Met { pieces: vec![piece], keys }
    }

    fn merge(total: &mut Met<W>, mut part: Met<W>) {
        total.pieces.append(&mut part.pieces);
        total.keys.append(&mut part.keys);
    }
}

/// Returns the Manhattan distance: a lower bound on the length of a path, with the same parity as
/// this length, and positive except at the goal.
fn manhattan_distance(space: &Space, start: &Solvable) -> u16 {
    let state = start.state();
    let cells = (0..space.shape.cells()).map(Cell::new).filter(|&cell| cell != state.blank());
    cells.map(|cell| space.shape.distance(cell, state.home(cell)) as u16).sum()
}

#[cfg(test)]
mod tests;
