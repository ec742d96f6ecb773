//! A* in layers of equal f = g + h, on all threads.
//!
//! P. E. Hart, N. J. Nilsson, B. Raphael, *A formal basis for the heuristic determination of minimum
//! cost paths*, 1968. A queue ordered by f is what keeps threads apart; with unit costs it is not needed.
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
//! closed, those apart that are reached through the goal alone; no shortest path needs them). By induction over T. In layer T a node of s has g = T − h(s): one value for a
//! state, whoever brings it, so that it does not matter who is first. If that value were more than g\*(s), then f\*(s) < T, and s was closed
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
//! smallest letter is left to `retrace`.
//!
//! # Limits
//!
//! *Nodes*: the states of a layer, and the children each has, are the same in every run. A layer in the course
//! of which more than the limit are generated is given up, so the outcome does not depend on the threads; not
//! more than the limit are counted. *Memory*: a set that is full is made larger between pieces, everybody
//! resting; when set and lists would need more than they may, the layer's f is what is proven. *Time, stop*: at every piece, a few ms.
//!
//! # Cost
//!
//! 12 bytes a closed state (24 of more than 16 cells) and, for a node that waits, the key and the heuristic's value
//! with it: 24 and 32 bytes with [`WalkingConflict`](crate::heuristic::WalkingConflict). Figures in `benches/engines.rs`.

mod layer;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::layer::{Closed, End, Layer, Node, Pieces};
use super::pieces::PieceWork;
use super::word::{Steps, Word};
use super::{Budget, Crew, Limit, Outcome, Stats, retrace};
use crate::board::{Packed, Path, Solvable};
use crate::frame::Space;
use crate::heuristic::Heuristic;

/// Finds the canonical shortest path from `start` to the goal.
///
/// The heuristic must be one for this space, and the state one that was admitted to it. Set and lists
/// take at most `bytes`. Those of the crew who are free help.
///
/// # Panics
/// On shapes of more than [`MAX_SEARCH_CELLS`](crate::board::MAX_SEARCH_CELLS) cells.
pub fn solve<H: Heuristic + Send + 'static>(
    heuristic: &Arc<H>,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    crew: &Crew,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    if space.shape.cells() <= <u64 as Packed>::MAX_CELLS {
        search::<u64, H>(heuristic, space, start, budget, crew, bytes, stats)
    } else {
        search::<u128, H>(heuristic, space, start, budget, crew, bytes, stats)
    }
}

fn search<W: Word, H: Heuristic + Send + 'static>(
    heuristic: &Arc<H>,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    crew: &Crew,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    let cells = space.shape.cells();
    let steps = Arc::new(Steps::new(space.shape, space.goal_blank));
    let (root, goal) = (W::of(start.state(), cells), W::of(&space.goal(), cells));
    let value = heuristic.root(start.state());
    let mut closed = Closed::new(cells);
    let mut lists: BTreeMap<u16, Pieces<W, H::Value>> = BTreeMap::new();
    lists.insert(H::plies(value), vec![vec![Node { word: root.with_last(Steps::START), value }]]);
    let (mut generated, mut waiting) = (1, 1);
    stats.generated += 1;
    while let Some((f, mut pieces)) = lists.pop_first() {
        let unsolved = |limit| Outcome::Unsolved { lower_bound: f, limit };
        if f > u16::from(u8::MAX) {
            // A closed state's g has eight bits.
            return unsolved(Limit::Memory);
        }
        let (mut solved, mut crowded) = (false, false);
        while !pieces.is_empty() {
            let room = bytes.saturating_sub(waiting * Node::<W, H::Value>::BYTES);
            if crowded && !closed.grow(room, crew) {
                return unsolved(Limit::Memory);
            }
            let (set, closed_left) = closed.share();
            let job = Layer {
                heuristic: Arc::clone(heuristic),
                steps: Arc::clone(&steps),
                goal,
                f,
                closed: set,
                closed_left,
                nodes_left: budget.nodes().saturating_sub(generated).into(),
                waiting_left: (room.saturating_sub(closed.bytes()) / Node::<W, H::Value>::BYTES).into(),
                end: End::new(),
            };
            let work = PieceWork::new(job, pieces);
            let interrupted = work.finish(budget, crew);
            let mut done = work.take_report();
            stats.expanded += done.expanded;
            let counted = done.generated.min(budget.nodes().saturating_sub(generated));
            stats.generated += counted;
            generated += done.generated;
            if let Err(limit) = interrupted {
                return unsolved(limit);
            }
            if let Some(limit) = work.job().end.limit() {
                return unsolved(limit);
            }
            crowded = work.job().end.is_crowded();
            closed.add(done.closed);
            solved |= done.solved;
            for (f, mut more) in done.later.drain(..) {
                lists.entry(f).or_default().append(&mut more);
            }
            pieces = done.left;
            waiting = lists.values().chain([&pieces]).flatten().map(|piece| piece.len() as u64).sum();
        }
        if solved {
            retrace::mark(|_| closed.set(), &steps, vec![goal], f);
            let mut path = Path::new();
            retrace::follow(|_| closed.set(), space, root, f, &mut path);
            return Outcome::Solved(path);
        }
    }
    unreachable!("a state that can be solved has a path")
}

#[cfg(all(test, not(loom)))]
mod tests;
