//! A* in layers of equal f = g + h, on all threads.
//!
//! P. E. Hart, N. J. Nilsson, B. Raphael, *A formal basis for the heuristic determination of
//! minimum cost paths*, 1968. A queue ordered by f makes threads wait for each other. With unit
//! costs no queue is needed. All nodes of one f are a *layer*, which any threads may expand in any
//! order. A child has either the f of its parent, and stays in the layer, or a larger f, and waits
//! in the list of a later layer. States are *closed* when they are taken for expansion: they are
//! added, with their g, to a lock-free set.
//!
//! # Why the order within a layer does not matter
//!
//! Let g\*(s) be the distance of s from the start and f\*(s) = g\*(s) + h(s). The heuristic is
//! consistent, so f\* never falls along a path on which every g is g\*.
//!
//! *Claim: after layer T exactly the states with f\* ≤ T are closed, each with its g\*.* (Once the
//! goal is closed, states reached only through the goal are excepted. No shortest path needs them.)
//!
//! The proof is by induction over T. In layer T a node of s has g = T − h(s), whichever thread
//! generates it, so the order does not matter. If g exceeded g\*(s), then f\*(s) < T, so s would
//! already be closed and the node would be dropped. So every state closed now is closed with g\*,
//! and f\* = T. No state is missed: take s with f\*(s) = T and a shortest path to it. The states
//! before it have f\* ≤ T. Those with f\* < T were expanded in earlier layers, so the first state
//! with f\* = T is in the list of T. Each state after it is generated when its predecessor is
//! expanded, and stays in the layer.
//!
//! A node's expansion omits the move back to its parent. The parent is already closed, because
//! states are closed before they are expanded.
//!
//! # Why the path is the canonical one
//!
//! T is the first layer that closes the goal, so T = f\*(goal) is the distance. The layer is still
//! completed. Every state on a shortest path has f\* ≤ T and is closed with its g\*. So a state s
//! on a shortest path and a closed neighbour with g = g\*(s) − 1 are on a common shortest path.
//! `state_sets` marks these states back from the goal and then walks forward by the smallest
//! letter.
//!
//! # Limits
//!
//! *Nodes*: the states of a layer and their children are the same in every run. A layer that
//! exceeds the limit is abandoned, so the outcome does not depend on the threads. The reported
//! count never exceeds the limit. *Memory*: a full set is rehashed into a larger one while no
//! thread works on the layer. If set and lists would exceed the memory, the layer's f is the proven
//! bound. *Time, cancellation*: checked between pieces of the layer's list, every few ms.
//!
//! # Cost
//!
//! 12 bytes per closed state (24 on more than 16 cells). A waiting node stores its key and its
//! heuristic value: with [`WalkingConflict`](crate::heuristic::WalkingConflict) they take 24 bytes
//! (32 on more than 16 cells). `benches/engines.rs` measures the engine.

mod layer;

use std::fmt;
use std::sync::Arc;

use self::layer::{Allowance, LayerJob, NodePieces, OpenNode, StopReason, list_of};
use super::contract::{Engine, Framed, Job, LowerBounds, Readiness, Scratch, WorkDone};
use super::state_sets::{follow, mark, move_states};
use super::visited::StateSet;
use super::word::{Steps, Word};
use super::work_queue::WorkQueue;
use super::{Outcome, Stats, ThreadShare};
use crate::board::frame::Space;
use crate::board::{Packed, Path, Solvable};
use crate::heuristic::Heuristic;
use crate::system::{Budget, Limit};

/// A* guided by one heuristic.
#[derive(Debug)]
pub struct AStar<H> {
    heuristic: Arc<H>,
    name: &'static str,
    bytes: u64,
}

impl<H> AStar<H> {
    /// Creates the engine with a heuristic and its name. One search takes at most `bytes`.
    pub fn new(heuristic: Arc<H>, name: &'static str, bytes: u64) -> AStar<H> {
        AStar { heuristic, name, bytes }
    }
}

impl<H: Heuristic + fmt::Debug + Send + 'static> Engine for AStar<H> {
    fn name(&self) -> &'static str {
        "astar"
    }

    fn heuristic(&self) -> Option<&str> {
        Some(self.name)
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, work_done: &mut WorkDone) -> Outcome {
        let Some(Framed { space, start }) = job.problem.framed else { return job.problem.without_frame() };
        solve(&self.heuristic, space, start, job.budget, job.thread_share, self.bytes, &mut work_done.stats)
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        LowerBounds::of(&self.heuristic)
    }
}

/// Finds the canonical shortest path from `start` to the goal.
///
/// The heuristic must be for this space, and `start` must be a state of it. The set and the lists
/// take at most `bytes`. Idle threads of the share may help.
///
/// # Panics
/// Panics on shapes of more than [`MAX_SEARCH_CELLS`](crate::board::MAX_SEARCH_CELLS) cells.
pub fn solve<H: Heuristic + Send + 'static>(
    heuristic: &Arc<H>,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    thread_share: &ThreadShare,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    if space.shape.cells() <= <u64 as Packed>::MAX_CELLS {
        search::<u64, H>(heuristic, space, start, budget, thread_share, bytes, stats)
    } else {
        search::<u128, H>(heuristic, space, start, budget, thread_share, bytes, stats)
    }
}

fn search<W: Word, H: Heuristic + Send + 'static>(
    heuristic: &Arc<H>,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    thread_share: &ThreadShare,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    let cells = space.shape.cells();
    let (root, value) = (W::of(start.state(), cells), heuristic.root(start.state()));
    let mut search = AStarSearch {
        heuristic: Arc::clone(heuristic),
        steps: Arc::new(Steps::new(space.shape, space.goal_blank)),
        goal: W::of(&space.goal(), cells),
        budget,
        thread_share,
        bytes,
        closed: Closed::new(cells),
        lists: Vec::new(),
        generated: 1,
        waiting: 1,
    };
    search.lists.push((H::h(value), vec![vec![OpenNode { word: root.with_last(Steps::START), value }]]));
    stats.generated += 1;
    while let Some((f, pieces)) = search.next_layer() {
        // The g of a closed state has eight bits.
        let closes_goal = if f > u16::from(u8::MAX) { Err(Limit::Memory) } else { search.expand(f, pieces, stats) };
        match closes_goal {
            Err(limit) => return Outcome::Unsolved { lower_bound: f.into(), limit },
            Ok(false) => {}
            Ok(true) => {
                let closed = search.closed.set();
                mark(|_| closed, &search.steps, vec![search.goal], f);
                let mut path = Path::new();
                follow(|_| closed, space, root, f, &mut path);
                return Outcome::Solved(path);
            }
        }
    }
    unreachable!("a solvable state has a path")
}

/// The search for one board, between two layers.
struct AStarSearch<'a, W, H: Heuristic> {
    heuristic: Arc<H>,
    steps: Arc<Steps>,
    goal: W,
    budget: &'a Budget<'a>,
    thread_share: &'a ThreadShare,
    bytes: u64,
    closed: Closed<W>,
    /// The waiting nodes by f. Few values of f occur at the same time.
    lists: Vec<(u16, NodePieces<W, H::Value>)>,
    /// The number of waiting nodes, including those of the current layer.
    waiting: u64,
    generated: u64,
}

impl<W: Word, H: Heuristic + Send + 'static> AStarSearch<'_, W, H> {
    /// Removes and returns the waiting nodes with the smallest f.
    fn next_layer(&mut self) -> Option<(u16, NodePieces<W, H::Value>)> {
        let (first, _) = self.lists.iter().enumerate().min_by_key(|(_, (f, _))| *f)?;
        Some(self.lists.swap_remove(first))
    }

    /// Expands all nodes of one f. Returns true if the goal was closed.
    fn expand(&mut self, f: u16, mut pieces: NodePieces<W, H::Value>, stats: &mut Stats) -> Result<bool, Limit> {
        let (mut solved, mut crowded) = (false, false);
        while !pieces.is_empty() {
            let free_bytes = self.bytes.saturating_sub(self.waiting * OpenNode::<W, H::Value>::BYTES);
            if crowded && !self.closed.grow(free_bytes, self.thread_share) {
                return Err(Limit::Memory);
            }
            let work = WorkQueue::new(self.job(f, free_bytes), pieces);
            let interrupted = work.finish(self.budget, self.thread_share);
            let mut done = work.take_report();
            let Stats { expanded, generated } = done.stats;
            let within_budget = generated.min(self.budget.nodes().saturating_sub(self.generated));
            stats.add(&Stats { expanded, generated: within_budget });
            self.generated += generated;
            interrupted?;
            if let Some(limit) = work.job.stop.limit() {
                return Err(limit);
            }
            crowded = work.job.stop.is_crowded();
            self.closed.add(done.closed);
            solved |= done.solved;
            for (later_f, mut more) in done.later.drain(..) {
                list_of(&mut self.lists, later_f).append(&mut more);
            }
            pieces = done.unexpanded;
            self.waiting = self
                .lists
                .iter()
                .map(|(_, list)| list)
                .chain([&pieces])
                .flatten()
                .map(|piece| piece.len() as u64)
                .sum();
        }
        Ok(solved)
    }

    fn job(&self, f: u16, free_bytes: u64) -> LayerJob<W, H> {
        let (closed, closed_left) = self.closed.share();
        LayerJob {
            heuristic: Arc::clone(&self.heuristic),
            steps: Arc::clone(&self.steps),
            goal: self.goal,
            f,
            closed,
            closed_left,
            nodes_left: self.budget.nodes().saturating_sub(self.generated).into(),
            waiting_left: (free_bytes.saturating_sub(self.closed.bytes()) / OpenNode::<W, H::Value>::BYTES).into(),
            stop: StopReason::new(),
        }
    }
}

/// The closed states and their g, in a set that grows only while no thread works on a layer.
struct Closed<W> {
    set: Arc<StateSet<W>>,
    cells: usize,
    states: u64,
    /// The number of states for which the set has room.
    capacity: u64,
}

impl<W: Word> Closed<W> {
    /// The initial capacity in states.
    const FIRST_STATES: u64 = 1 << 14;

    fn new(cells: usize) -> Closed<W> {
        let set = Arc::new(StateSet::with_room_for(cells, Self::FIRST_STATES as usize));
        Closed { set, cells, states: 0, capacity: Self::FIRST_STATES }
    }

    fn set(&self) -> &StateSet<W> {
        &self.set
    }

    fn bytes(&self) -> u64 {
        self.set.bytes() as u64
    }

    /// Returns the set and the number of states that may still be added. Threads may add a few more
    /// before they notice that the number is used up. A third of the slots is spare for these.
    fn share(&self) -> (Arc<StateSet<W>>, Allowance) {
        (Arc::clone(&self.set), self.capacity.saturating_sub(self.states).into())
    }

    fn add(&mut self, states: u64) {
        self.states += states;
    }

    /// Rehashes the states into a set that is 4 times as large or, if memory is short, 2 or 1.5
    /// times as large. Returns false if even the smallest of these and the old set together would
    /// exceed `free_bytes`.
    fn grow(&mut self, free_bytes: u64, thread_share: &ThreadShare) -> bool {
        let bytes = |states: u64| StateSet::<W>::bytes_for(self.cells, states as usize) as u64 + self.bytes();
        let sizes = [self.capacity * 4, self.capacity * 2, self.capacity + self.capacity / 2];
        let Some(capacity) = sizes.into_iter().find(|&states| bytes(states) <= free_bytes) else { return false };
        self.set = move_states(&self.set, StateSet::with_room_for(self.cells, capacity as usize), thread_share);
        self.capacity = capacity;
        true
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
