//! A* in layers of equal f = g + h, on all threads.
//!
//! P. E. Hart, N. J. Nilsson, B. Raphael, *A formal basis for the heuristic determination of minimum
//! cost paths*, 1968. A queue ordered by f makes threads wait for each other; with unit costs it is not needed.
//! All nodes of one f are a *layer*, and a layer's nodes are expanded in any order by any thread.
//! A child has the f of its parent and stays in the layer, or a larger one and waits in the list of that
//! layer. States are *closed*, in a lock-free set with their g, when they are taken for expansion.
//!
//! # Why any order will do
//!
//! Let g\*(s) be the distance of s from the start and f\*(s) = g\*(s) + h(s). The heuristic is
//! consistent, so f\* never falls along a path on which every g is g\*.
//!
//! *Claim: after layer T exactly the states with f\* ≤ T are closed, each with its g\** (once the goal is
//! closed, except those that are reached through the goal alone; no shortest path needs them). By induction over T. In layer T a node of s has g = T − h(s): one value for a
//! state, whichever thread generates it, so that the order does not matter. If that value were more than g\*(s), then f\*(s) < T, and s was closed
//! before: the node is dropped. So what is closed now is closed with g\*, and f\* = T. And nothing is left
//! out: take s with f\*(s) = T and a shortest path to it. The states before it have f\* ≤ T; those with less
//! were expanded in earlier layers, so the first with f\* = T is in the list of T, and each of the
//! following is a child that stays in the layer when the one before it is expanded.
//!
//! The children of a state leave out the one that its node came from. That one has g\* − 1 and is closed or
//! it could not have had children.
//!
//! # Why the path is the canonical one
//!
//! The layer T that closes the goal, the first, is completed all the same. T = f\*(goal) is the distance. Every state on a
//! shortest path has f\* ≤ T and is closed with its g\*; so a state s on a shortest path and a closed
//! neighbour of g\*(s) − 1 are on one together. Marking those back from the goal and walking forward by the
//! smallest letter is left to `reconstruction`.
//!
//! # Limits
//!
//! *Nodes*: the states of a layer, and the children each has, are the same in every run. A layer in the course
//! of which more than the limit are generated is given up, so the outcome does not depend on the threads; not
//! more than the limit are counted. *Memory*: a set that is full is made larger between pieces, while no
//! thread works; when set and lists would need more than they may, the layer's f is the proven bound. *Time, cancellation*: at
//! every piece, a few ms.
//!
//! # Cost
//!
//! 12 bytes a closed state (24 of more than 16 cells) and, for a node that waits, the key and the heuristic's value
//! with it: 24 and 32 bytes with [`WalkingConflict`](crate::heuristic::WalkingConflict). Figures in `benches/engines.rs`.

mod closed;
mod engine;
mod layer;
mod limits;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::closed::Closed;
pub use self::engine::AStar;
use self::layer::{Layer, Node, Pieces};
use self::limits::StopReason;
use super::word::{Steps, Word};
use super::work_queue::WorkQueue;
use super::{Outcome, Stats, ThreadShare, reconstruction};
use crate::board::frame::Space;
use crate::board::{Packed, Path, Solvable};
use crate::heuristic::Heuristic;
use crate::system::{Budget, Limit};

/// Finds the canonical shortest path from `start` to the goal.
///
/// The heuristic must be one for this space, and the state one that was admitted to it. Set and lists
/// take at most `bytes`. Idle threads of the share help.
///
/// # Panics
/// On shapes of more than [`MAX_SEARCH_CELLS`](crate::board::MAX_SEARCH_CELLS) cells.
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
    let mut search = Search {
        heuristic: Arc::clone(heuristic),
        steps: Arc::new(Steps::new(space.shape, space.goal_blank)),
        goal: W::of(&space.goal(), cells),
        budget,
        thread_share,
        bytes,
        closed: Closed::new(cells),
        lists: BTreeMap::new(),
        generated: 1,
        waiting: 1,
    };
    search.lists.insert(H::h(value), vec![vec![Node { word: root.with_last(Steps::START), value }]]);
    stats.generated += 1;
    while let Some((f, pieces)) = search.lists.pop_first() {
        // A closed state's g has eight bits.
        let closes_goal = if f > u16::from(u8::MAX) { Err(Limit::Memory) } else { search.layer(f, pieces, stats) };
        match closes_goal {
            Err(limit) => return Outcome::Unsolved { lower_bound: f.into(), limit },
            Ok(false) => {}
            Ok(true) => {
                let closed = search.closed.set();
                reconstruction::mark(|_| closed, &search.steps, vec![search.goal], f);
                let mut path = Path::new();
                reconstruction::follow(|_| closed, space, root, f, &mut path);
                return Outcome::Solved(path);
            }
        }
    }
    unreachable!("a state that can be solved has a path")
}

/// What a search has between two layers.
struct Search<'a, W, H: Heuristic> {
    heuristic: Arc<H>,
    steps: Arc<Steps>,
    goal: W,
    budget: &'a Budget<'a>,
    thread_share: &'a ThreadShare,
    /// The memory for the set and the lists.
    bytes: u64,
    closed: Closed<W>,
    /// The nodes that wait, by their f, and how many they are.
    lists: BTreeMap<u16, Pieces<W, H::Value>>,
    waiting: u64,
    generated: u64,
}

impl<W: Word, H: Heuristic + Send + 'static> Search<'_, W, H> {
    /// Expands all nodes of an f; whether the goal was closed.
    fn layer(&mut self, f: u16, mut pieces: Pieces<W, H::Value>, stats: &mut Stats) -> Result<bool, Limit> {
        let (mut solved, mut crowded) = (false, false);
        while !pieces.is_empty() {
            let free_bytes = self.bytes.saturating_sub(self.waiting * Node::<W, H::Value>::BYTES);
            if crowded && !self.closed.grow(free_bytes, self.thread_share) {
                return Err(Limit::Memory);
            }
            let work = WorkQueue::new(self.job(f, free_bytes), pieces);
            let interrupted = work.finish(self.budget, self.thread_share);
            let mut done = work.take_report();
            stats.expanded += done.expanded;
            stats.generated += done.generated.min(self.budget.nodes().saturating_sub(self.generated));
            self.generated += done.generated;
            interrupted?;
            if let Some(limit) = work.job().stop.limit() {
                return Err(limit);
            }
            crowded = work.job().stop.is_crowded();
            self.closed.add(done.closed);
            solved |= done.solved;
            for (f, mut more) in done.later.drain(..) {
                self.lists.entry(f).or_default().append(&mut more);
            }
            pieces = done.left;
            self.waiting = self.lists.values().chain([&pieces]).flatten().map(|piece| piece.len() as u64).sum();
        }
        Ok(solved)
    }

    fn job(&self, f: u16, free_bytes: u64) -> Layer<W, H> {
        let (closed, closed_left) = self.closed.share();
        Layer {
            heuristic: Arc::clone(&self.heuristic),
            steps: Arc::clone(&self.steps),
            goal: self.goal,
            f,
            closed,
            closed_left,
            nodes_left: self.budget.nodes().saturating_sub(self.generated).into(),
            waiting_left: (free_bytes.saturating_sub(self.closed.bytes()) / Node::<W, H::Value>::BYTES).into(),
            stop: StopReason::new(),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
