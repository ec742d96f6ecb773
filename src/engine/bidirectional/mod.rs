//! Breadth-first search from both ends, a layer at a time, on all threads; the goal's end is shared.
//!
//! I. Pohl, *Bi-directional search*, Machine Intelligence 6, 1971. Half the depth from each end
//! is the square root of the states. The goal's side ([`GoalSide`]) belongs to a shape and a goal cell of
//! the blank: its layers serve every board after the one that needed them first.
//!
//! # Why the first meeting is the shortest way
//!
//! Let F_a be the states at distance exactly a from the start, B_b those at distance exactly b from
//! the goal, and d the distance sought. *While d ≥ a + b: d = a + b if and only if F_a and B_b
//! have a state in common.* If they do, there is a path of a + b. If d = a + b, the a-th state of a
//! shortest path is in both. The search begins with a = b = 0, and when they have nothing in common
//! d ≥ a + b + 1: one side may go one layer deeper, and the premise holds again.
//!
//! A move changes the colour of the blank's cell, so d is even or odd as the blank's distance from its goal cell is.
//! Every second sum a + b needs no test; nor does one below the tiles' distances added up, a lower bound.
//!
//! The test comes *before* the layer: with d ≥ a + b + 1 known, F_{a+1} and B_b have a state in common if and only if
//! a state of F_a has a neighbour in B_b. So the last layer, the largest, is generated but never
//! stored. The states of F_a found this way are all those at distance a on shortest paths; the paths
//! to them are marked back to the start (`retrace`), and the smallest is walked: through marked states to
//! depth a, from there to B_b and down its depths, each time by the smallest letter that leads on.
//!
//! # Order
//!
//! The goal's layers that exist cost nothing and go first. Otherwise the side whose next layer
//! generates less goes first, the start's counted twice, since what it stores is walked again by every test.
//!
//! # Limits
//!
//! *Nodes*: what a layer or a test will generate is known before (`side`); when that is more than what
//! is left, the search ends before it. To make the outcome the same whatever other boards have done, a
//! search with this limit pays for every layer of the goal's side that it uses, grown by itself or not.
//! *Memory*: a layer begins only where its side has room for all that it generates, and for the set that it is moved from
//! beside its successor; counted in bytes, the same in every run. *Time, stop*: at every piece of a layer, some 2 ms.
//!
//! # Cost
//!
//! 15 bytes a stored state of the 15-puzzle at the most, which is at a layer's end: 11 in the sets and 4 in the list (machine B,
//! 2026-11-21, `benches/README.md`; `tests/memory.rs` holds it to 16). States generated a second: `benches/engines.rs`.

mod goal_side;
mod meeting;
mod sets;
mod side;

use std::sync::Arc;

pub use self::goal_side::GoalSide;
use self::goal_side::{Shared, Width};
use self::meeting::Meet;
use self::side::Side;
use super::word::Word;
use super::{Budget, Crew, Limit, Outcome, Stats, retrace};
use crate::board::{Cell, Path, Solvable};
use crate::frame::Space;

/// Finds the canonical shortest path from `start` to the goal.
///
/// The goal's side must be the space's ([`GoalSide::serves`]), and the state one that was admitted to it.
/// `bytes` is for the start's side. Those of the crew who are free help. Without a limit of nodes `stats`
/// counts what this search did, layers of the goal's side that were there already left out.
///
/// # Panics
/// When the goal's side is another space's.
pub fn solve(
    goal_side: &GoalSide,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    crew: &Crew,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    assert!(goal_side.serves(space), "the goal's side is for {} boards", goal_side.shape);
    match &goal_side.width {
        Width::Narrow(shared) => search(shared, space, start, budget, crew, bytes, stats),
        Width::Wide(shared) => search(shared, space, start, budget, crew, bytes, stats),
    }
}

/// What the search did and may still do.
struct Meter<'a, 'b> {
    budget: &'a Budget<'b>,
    stats: &'a mut Stats,
    spent: u64,
}

impl Meter<'_, '_> {
    /// Asks before so many states are generated.
    fn allows(&self, children: u64) -> Result<(), Limit> {
        if self.spent.saturating_add(children) > self.budget.nodes() { Err(Limit::Nodes) } else { Ok(()) }
    }

    fn pay(&mut self, expanded: u64, generated: u64) {
        self.spent += generated;
        self.stats.expanded += expanded;
        self.stats.generated += generated;
    }
}

fn search<W: Word>(
    shared: &Arc<Shared<W>>,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    crew: &Crew,
    bytes: u64,
    stats: &mut Stats,
) -> Outcome {
    let mut meter = Meter { budget, stats, spent: 0 };
    meter.pay(0, 1);
    if *start.state() == space.goal() {
        return Outcome::Solved(Path::new());
    }
    let root = W::of(start.state(), space.shape.cells());
    let mut lower_bound = tile_distances(space, start);
    match meet(shared, space, root, crew, bytes, &mut lower_bound, &mut meter) {
        Ok(path) => Outcome::Solved(path),
        Err(limit) => Outcome::Unsolved { lower_bound, limit },
    }
}

/// The layers until they meet. `lower_bound` is proven at all times and has the parity of the distance.
fn meet<W: Word>(
    shared: &Arc<Shared<W>>,
    space: &Space,
    root: W,
    crew: &Crew,
    bytes: u64,
    lower_bound: &mut u16,
    meter: &mut Meter,
) -> Result<Path, Limit> {
    let budget = meter.budget;
    let limited = budget.nodes() != u64::MAX;
    let mut layers = shared.layers();
    let mut forward = Side::new(&shared.steps, root, bytes);
    let (mut b, mut goal_side_is_full) = (0u8, false);
    loop {
        // Invariant: d ≥ a + b + 1, where a is `forward.depth`, and d ≥ lower_bound.
        let sum = u16::from(forward.depth) + u16::from(b);
        if sum + 1 == *lower_bound {
            meter.allows(forward.frontier.children)?;
            let work = Meet::begin(&mut forward, shared, b);
            work.finish(budget, crew)?;
            let met = work.take_report();
            forward.frontier.pieces = met.pieces;
            meter.pay(forward.frontier.states, forward.frontier.children);
            if !met.keys.is_empty() {
                let a = u16::from(forward.depth);
                let (own, other) = (|depth| &**forward.sets.at(depth as u8), shared.sets());
                retrace::mark(own, &shared.steps, met.keys, a);
                let mut path = Path::new();
                let middle = retrace::follow(own, space, root, a, &mut path);
                retrace::descend(|depth| &**other.at(depth as u8), space, middle, u16::from(b), &mut path);
                return Ok(path);
            }
            *lower_bound += 2;
        }
        let there = layers.len() > usize::from(b) + 1;
        let layer = layers[usize::from(b)];
        let goal_cost = if there && !limited { 0 } else { layer.children };
        let forward_first = forward.frontier.children.saturating_mul(2) <= goal_cost;
        if forward.has_room() && (forward_first || goal_side_is_full) {
            meter.allows(forward.frontier.children)?;
            let (states, children) = (forward.frontier.states, forward.frontier.children);
            let work = forward.begin_layer(crew);
            work.finish(budget, crew)?;
            meter.pay(states, children);
            if !forward.end_layer(work.take_report()) {
                return Err(Limit::Memory);
            }
            continue;
        }
        if goal_side_is_full || b == u8::MAX {
            return Err(Limit::Memory);
        }
        if limited {
            meter.allows(layer.children)?;
        }
        match shared.reach(b + 1, &mut layers, budget, crew) {
            Ok(generated) => {
                b += 1;
                if limited || generated > 0 {
                    meter.pay(layer.states, layer.children);
                }
            }
            Err(Limit::Memory) => goal_side_is_full = true,
            Err(limit) => return Err(limit),
        }
    }
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
