//! Breadth-first search from both ends, a layer at a time, on all threads; the goal's end is shared.
//!
//! I. Pohl, *Bi-directional search*, Machine Intelligence 6, 1971. Half the depth from each end
//! is the square root of the states. The goal's side ([`BackwardFrontier`]) belongs to a shape and a goal cell of
//! the blank: its layers serve every board after the one that needed them first.
//!
//! # Why the first meeting gives a shortest path
//!
//! Let F_a be the states at distance exactly a from the start, B_b those at distance exactly b from
//! the goal, and d the distance sought. *While d ≥ a + b: d = a + b if and only if F_a and B_b
//! have a state in common.* If they do, there is a path of a + b. If d = a + b, the a-th state of a
//! shortest path is in both. The search begins with a = b = 0, and when they have nothing in common
//! d ≥ a + b + 1: one side may go one layer deeper, and the premise holds again.
//!
//! A move changes the colour of the blank's cell, so d is even or odd as the blank's distance from its goal cell is.
//! Every second sum a + b needs no test; nor does one below the sum of the tiles' distances, a lower bound.
//!
//! The test comes *before* the layer: with d ≥ a + b + 1 known, F_{a+1} and B_b have a state in common if and only if
//! a state of F_a has a neighbour in B_b. So the last layer, the largest, is generated but never
//! stored. The states of F_a found this way are all those at distance a on shortest paths; the paths
//! to them are marked back to the start (`reconstruction`), and the smallest is walked: through marked states to
//! depth a, from there to B_b and down its depths, each time by the smallest letter that leads on.
//!
//! # Order
//!
//! The goal's layers that exist cost nothing and go first. Otherwise the side whose next layer
//! generates less goes first, the start's counted twice, since its list is expanded again by every test.
//!
//! # Limits
//!
//! *Nodes*: how many states a layer or a test will generate is known before (`side`); when these are more than
//! are left, the search ends before it. To make the outcome independent of other boards, a search with this
//! limit counts every layer of the goal's side that it uses, whether grown by itself or not.
//! *Memory*: a layer begins only where its side has room for all that it generates, and for the set that it is moved from
//! beside its successor; counted in bytes, the same in every run. *Time, cancellation*: at every piece of a layer, some 2 ms.
//!
//! # Cost
//!
//! 15 bytes a stored state of the 15-puzzle at the most, which is at a layer's end: 11 in the sets and 4 in the list
//! (`benches/constants.csv`; `tests/memory.rs` asserts at most 16). States generated a second: `benches/engines.rs`.

mod backward_frontier;
mod engine;
mod meeting;
mod node_counter;
mod sets;
mod side;

use std::sync::Arc;

pub use self::backward_frontier::BackwardFrontier;
use self::backward_frontier::{Shared, Width};
pub use self::engine::Bidirectional;
use self::meeting::Meet;
use self::node_counter::NodeCounter;
use self::side::Side;
use super::word::Word;
use super::{Outcome, Stats, ThreadShare, reconstruction};
use crate::board::frame::Space;
use crate::board::{Cell, Path, Solvable};
use crate::system::{Budget, Limit};

/// Finds the canonical shortest path from `start` to the goal.
///
/// The goal's side must be the space's ([`BackwardFrontier::serves`]), and the state one that was admitted to it.
/// `bytes` is for the start's side. Idle threads of the share help. Without a limit of nodes `stats`
/// counts what this search did, without the layers of the goal's side that existed already.
///
/// # Panics
/// When the goal's side is another space's.
pub fn solve(
    backward_frontier: &BackwardFrontier,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    thread_share: &ThreadShare,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    assert!(backward_frontier.serves(space), "the goal's side is for {} boards", backward_frontier.shape);
    match &backward_frontier.width {
        Width::Narrow(shared) => search(shared, space, start, budget, thread_share, bytes, stats),
        Width::Wide(shared) => search(shared, space, start, budget, thread_share, bytes, stats),
    }
}

fn search<W: Word>(
    shared: &Arc<Shared<W>>,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    thread_share: &ThreadShare,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    let mut nodes = NodeCounter::new(budget, stats);
    nodes.add(0, 1);
    if *start.state() == space.goal() {
        return Outcome::Solved(Path::new());
    }
    let root = W::of(start.state(), space.shape.cells());
    let mut lower_bound = tile_distances(space, start);
    match meet(shared, space, root, thread_share, bytes, &mut lower_bound, &mut nodes) {
        Ok(path) => Outcome::Solved(path),
        Err(limit) => Outcome::Unsolved { lower_bound: lower_bound.into(), limit },
    }
}

/// The layers until they meet. `lower_bound` is proven at all times and has the parity of the distance.
fn meet<W: Word>(
    shared: &Arc<Shared<W>>,
    space: &Space,
    root: W,
    thread_share: &ThreadShare,
    bytes: u64,
    lower_bound: &mut u16,
    nodes: &mut NodeCounter,
) -> Result<Path, Limit> {
    let budget = nodes.budget();
    let limited = budget.nodes() != u64::MAX;
    let mut layers = shared.layers();
    let mut forward = Side::new(&shared.steps, root, bytes);
    let (mut b, mut frontier_is_full) = (0u8, false);
    loop {
        // Invariant: d ≥ a + b + 1, where a is `forward.depth`, and d ≥ lower_bound.
        let sum = u16::from(forward.depth) + u16::from(b);
        if sum + 1 == *lower_bound {
            if let Some(path) = test_meeting(&mut forward, shared, space, root, b, thread_share, nodes)? {
                return Ok(path);
            }
            *lower_bound += 2;
        }
        let exists = layers.len() > usize::from(b) + 1;
        let layer = layers[usize::from(b)];
        let goal_cost = if exists && !limited { 0 } else { layer.children };
        let forward_first = forward.frontier.children.saturating_mul(2) <= goal_cost;
        if forward.has_room() && (forward_first || frontier_is_full) {
            nodes.check(forward.frontier.children)?;
            let (states, children) = (forward.frontier.states, forward.frontier.children);
            let work = forward.begin_layer(thread_share);
            work.finish(budget, thread_share)?;
            nodes.add(states, children);
            if !forward.end_layer(work.take_report()) {
                return Err(Limit::Memory);
            }
            continue;
        }
        if frontier_is_full || b == u8::MAX {
            return Err(Limit::Memory);
        }
        if limited {
            nodes.check(layer.children)?;
        }
        match shared.reach(b + 1, &mut layers, budget, thread_share) {
            Ok(generated) => {
                b += 1;
                if limited || generated > 0 {
                    nodes.add(layer.states, layer.children);
                }
            }
            Err(Limit::Memory) => frontier_is_full = true,
            Err(limit) => return Err(limit),
        }
    }
}

/// The test whether the start's deepest layer has a neighbour in the goal's layer of depth `b`, and if so the canonical path.
fn test_meeting<W: Word>(
    forward: &mut Side<W>,
    shared: &Arc<Shared<W>>,
    space: &Space,
    root: W,
    b: u8,
    thread_share: &ThreadShare,
    nodes: &mut NodeCounter,
) -> Result<Option<Path>, Limit> {
    nodes.check(forward.frontier.children)?;
    let work = Meet::begin(forward, shared, b);
    work.finish(nodes.budget(), thread_share)?;
    let met = work.take_report();
    forward.frontier.pieces = met.pieces;
    nodes.add(forward.frontier.states, forward.frontier.children);
    if met.keys.is_empty() {
        return Ok(None);
    }
    let a = u16::from(forward.depth);
    let (own, other) = (|depth| &**forward.sets.at(depth as u8), shared.sets());
    reconstruction::mark(own, &shared.steps, met.keys, a);
    let mut path = Path::new();
    let middle = reconstruction::follow(own, space, root, a, &mut path);
    reconstruction::descend(|depth| &**other.at(depth as u8), space, middle, u16::from(b), &mut path);
    Ok(Some(path))
}

/// How far the tiles are from their homes in all: a lower bound with the distance's parity, at least 1
/// for all but the goal.
fn tile_distances(space: &Space, start: &Solvable) -> u16 {
    let state = start.state();
    let cells = (0..space.shape.cells()).map(Cell::new).filter(|&cell| cell != state.blank());
    cells.map(|cell| space.shape.distance(cell, state.home(cell)) as u16).sum()
}

#[cfg(test)]
mod tests;
