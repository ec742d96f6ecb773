//! Placement of one tile: a search over its cell and the side that the blank is on.
//!
//! A tile moves when the adjacent blank swaps places with it. Between two moves of the tile the
//! blank goes around it, over the eight surrounding cells: a *turn*. So the search has four states
//! for each cell of the tile, one for each side. A move of the tile takes one step of the blank. A
//! turn takes 2 to 6, and costs less if it brings other tiles nearer to their homes (goal cells).
//! The search is A* with a bound based on the minimum cost of straight and diagonal routes, so it
//! expands little more than the route itself.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::successors;

use super::field::{Field, Place, after, distance};
use super::walk::Walks;

/// The ring around a tile, clockwise from above: the offset from the tile, and the move to the next
/// position.
const RING: [(isize, usize); 8] = [(-256, 2), (-255, 0), (1, 0), (257, 1), (256, 1), (255, 3), (-1, 3), (-257, 2)];

/// By side (below, left, right, above): the number of its cell in [`RING`].
const SIDES: [usize; 4] = [4, 6, 2, 0];

/// The search for the routes of tiles, with its memory.
pub(super) struct Placing {
    pub(super) walks: Walks,
    /// By the tile's place and the blank's side: the last round that reached the state, its cost,
    /// and its predecessor.
    reached: Vec<(u32, u32, u32)>,
    /// The number of the current search. In `reached`, entries of other rounds count as unreached.
    round: u32,
    queue: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// The weight in the bound of one step that the blank still has to make. A step that it has
    /// made weighs 8 × `STEP` = 64. A smaller weight is slower and finds better routes.
    weight: u32,
}

/// The cost of a step of the blank in the search.
const STEP: u32 = 8;
/// The discount for each tile that a turn brings nearer to its home, and the surcharge for each
/// that it moves away from home. Tuned on 20 × 20 and 50 × 50, where it shortens paths by a
/// twelfth.
const GAIN: i32 = 4;

/// The predecessor of the first state.
const START: u32 = u32::MAX;

impl Placing {
    pub(super) fn new(places: usize) -> Placing {
        Placing {
            walks: Walks::new(places),
            reached: vec![(0, 0, 0); 4 * places],
            round: 0,
            queue: BinaryHeap::new(),
            // Measured on 50 × 50, 128 × 128, 255 × 255: paths of 2.79, 2.80, 2.87 times the
            // Manhattan distance in 0.15, 1.4, 8.4 s on one busy core.
            weight: match places {
                ..20_000 => 48,
                20_000..40_000 => 60,
                _ => 68,
            },
        }
    }

    /// Brings the tile with home `home` to the place `target`, over free cells only. Returns false,
    /// and changes nothing, if that is impossible.
    ///
    /// `convex` asserts that every rectangle whose four corners are free contains only free cells.
    pub(super) fn bring(&mut self, field: &mut Field, home: Place, target: Place, convex: bool) -> bool {
        let start = field.at(home);
        if start == target {
            return true;
        }
        self.round += 1;
        self.queue.clear();
        for side in 0..4 {
            let adjacent = after(start, side);
            if !field.fixed[adjacent] {
                let quick = if convex { open_steps(field, start, adjacent) } else { None };
                if let Some(steps) = quick.or_else(|| self.walks.steps(field, adjacent, start)) {
                    self.reach(start, side, STEP * steps as u32, START, target);
                }
            }
        }
        let Some(end) = self.search(field, target) else { return false };
        let before = |&state: &u32| Some(self.reached[state as usize].2).filter(|&before| before != START);
        let mut route: Vec<u32> = successors(Some(end), before).collect();
        route.reverse();
        let first = route[0] as usize;
        self.walks.go(field, after(first / 4, first % 4), start);
        for states in route.windows(2) {
            let (before, now) = (states[0] as usize, states[1] as usize);
            if before / 4 != now / 4 {
                field.step(3 - before % 4);
            } else if let Some((_, moves)) = turn(field, before / 4, before % 4, now % 4) {
                moves.for_each(|step| field.step(step));
            }
        }
        true
    }

    /// Records a route to a state and queues the state, unless a route of the same cost or less is
    /// known.
    fn reach(&mut self, place: Place, side: usize, cost: u32, from: u32, target: Place) {
        let state = place * 4 + side;
        let (round, known_cost, _) = self.reached[state];
        if round == self.round && known_cost <= cost {
            return;
        }
        self.reached[state] = (self.round, cost, from);
        let rest = min_moves(place, target);
        self.queue.push(Reverse((8 * cost + self.weight * rest, rest, state as u32)));
    }

    /// Finds a route to the target. Returns its last state.
    fn search(&mut self, field: &Field, target: Place) -> Option<u32> {
        while let Some(Reverse((key, rest, state))) = self.queue.pop() {
            let (place, side) = (state as usize / 4, state as usize % 4);
            let cost = self.reached[state as usize].1;
            if 8 * cost + self.weight * rest < key {
                continue;
            }
            if place == target {
                return Some(state);
            }
            // With cost 0 the state is never reached again, so each state is expanded once, even if
            // a cheaper route to it appears later.
            self.reached[state as usize].1 = 0;
            self.reach(after(place, side), 3 - side, cost + STEP, state, target);
            for other in 0..4 {
                if other != side
                    && let Some((turn_cost, _)) = turn(field, place, side, other)
                {
                    self.reach(place, other, cost + turn_cost, state, target);
                }
            }
        }
        None
    }
}

/// Returns the minimum number of moves of the blank for a tile's route: three per cell on a
/// diagonal, five per cell on a straight line.
fn min_moves(place: Place, target: Place) -> u32 {
    let (rows, cols) = ((place >> 8).abs_diff(target >> 8) as u32, (place & 255).abs_diff(target & 255) as u32);
    if rows + cols == 0 { 0 } else { 3 * (rows + cols) - 2 + 2 * rows.abs_diff(cols).saturating_sub(1) }
}

/// Returns the cost and the moves of the blank around a tile from one side to another, by the
/// shorter of the routes whose cells are free.
fn turn(field: &Field, tile: Place, from: usize, to: usize) -> Option<(u32, impl Iterator<Item = usize> + use<>)> {
    let (start, end) = (SIDES[from], SIDES[to]);
    let clockwise_steps = (end + 8 - start) % 8;
    let order = if clockwise_steps <= 4 { [true, false] } else { [false, true] };
    for is_clockwise in order {
        let steps = if is_clockwise { clockwise_steps } else { 8 - clockwise_steps };
        let ring = move |i: usize| if is_clockwise { (start + i) % 8 } else { (start + 8 - i) % 8 };
        let place = |i: usize| tile.wrapping_add_signed(RING[ring(i)].0);
        if (1..=steps).all(|i| !field.fixed[place(i)]) {
            let gain = |i: usize| {
                let home = field.home(place(i));
                if distance(place(i - 1), home) < distance(place(i), home) { 1 } else { -1 }
            };
            let gain: i32 = (1..=steps).map(gain).sum();
            // Counter-clockwise, each move is the inverse of the clockwise move that leads to this
            // position.
            let step = move |i: usize| if is_clockwise { RING[ring(i)].1 } else { 3 - RING[ring(i + 1)].1 };
            return Some(((STEP as i32 * steps as i32 - GAIN * gain) as u32, (0..steps).map(step)));
        }
    }
    None
}

/// Returns the number of steps of the blank to a cell adjacent to a tile, if only the tile can be
/// in the way. `None` if a finished cell may be in the way too, or if the distance is short.
fn open_steps(field: &Field, tile: Place, adjacent: Place) -> Option<usize> {
    let blank = field.blank;
    let steps = distance(blank, adjacent);
    let corners = [blank & !255 | adjacent & 255, adjacent & !255 | blank & 255];
    if steps <= 3 || corners.iter().any(|&corner| field.fixed[corner]) {
        return None;
    }
    let between = |a: usize, x: usize, b: usize| (a < x) != (b < x);
    let in_row =
        blank >> 8 == tile >> 8 && adjacent >> 8 == tile >> 8 && between(blank & 255, tile & 255, adjacent & 255);
    let in_col =
        blank & 255 == tile & 255 && adjacent & 255 == tile & 255 && between(blank >> 8, tile >> 8, adjacent >> 8);
    Some(if in_row || in_col { steps + 2 } else { steps })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each move of the ring leads to the next position.
    #[test]
    fn the_ring_is_closed() {
        for (i, &(at, step)) in RING.iter().enumerate() {
            assert_eq!(at + super::super::field::STEPS[step], RING[(i + 1) % 8].0);
        }
        for side in 0..4 {
            assert_eq!(RING[SIDES[side]].0, super::super::field::STEPS[side]);
        }
    }
}
