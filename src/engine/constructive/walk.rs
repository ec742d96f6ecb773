//! The blank's walks to a place.
//!
//! Every tile that the blank passes moves one cell in the opposite direction. Of all shortest
//! walks, the blank takes the one that brings the unplaced tiles nearest to their homes (goal
//! cells). Dynamic programming over the rectangle between the two ends finds it. On 128 × 128 this
//! alone saves a fifth of all moves. If a detour is necessary, A* finds a shortest walk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::field::{Field, Place, STEPS, after, distance};

/// The search for the blank's walks, with its memory.
pub(super) struct Walks {
    /// By cell of the rectangle: the gain of the best walk to it, and the last move of this walk.
    /// The gain is the number of passed tiles that come nearer to their homes minus the number of
    /// passed tiles that do not.
    best: Vec<(i16, u8)>,
    /// By place: the last round that reached it, the number of steps to it, and the last of them.
    reached: Vec<(u32, u16, u8)>,
    /// The number of the current search. In `reached`, entries of other rounds count as unreached.
    round: u32,
    queue: BinaryHeap<Reverse<(u16, u16, u16)>>,
    moves: Vec<u8>,
}

/// The gain of an impossible walk.
const BLOCKED: i16 = i16::MIN;

impl Walks {
    pub(super) fn new(places: usize) -> Walks {
        Walks {
            best: Vec::new(),
            reached: vec![(0, 0, 0); places],
            round: 0,
            queue: BinaryHeap::new(),
            moves: Vec::new(),
        }
    }

    /// Moves the blank to a place, over free cells other than `avoid`. Returns false, and changes
    /// nothing, if that is impossible.
    pub(super) fn go(&mut self, field: &mut Field, to: Place, avoid: Place) -> bool {
        if !self.direct(field, to, avoid) && self.steps(field, to, avoid).is_none() {
            return false;
        }
        for &step in &self.moves {
            field.step(usize::from(step));
        }
        true
    }

    /// Finds the best walk without detours. Returns false if every such walk is blocked.
    fn direct(&mut self, field: &Field, to: Place, avoid: Place) -> bool {
        let from = field.blank;
        let (height, width) = ((from >> 8).abs_diff(to >> 8) + 1, (from & 255).abs_diff(to & 255) + 1);
        let (down, right) = (to >> 8 > from >> 8, to & 255 > from & 255);
        let (vertical, horizontal) = (if down { 0 } else { 3 }, if right { 2 } else { 1 });
        self.best.clear();
        self.best.resize(height * width, (BLOCKED, 0));
        self.best[0] = (0, 0);
        for i in 0..height {
            for j in 0..width {
                let k = i * width + j;
                let offset = i as isize * STEPS[usize::from(vertical)] + j as isize * STEPS[usize::from(horizontal)];
                let place = from.wrapping_add_signed(offset);
                if k > 0 && !field.fixed[place] && place != avoid {
                    let home = field.home(place);
                    let mut best = (BLOCKED, 0);
                    if i > 0 && self.best[k - width].0 > BLOCKED {
                        let nearer = if down { home >> 8 < place >> 8 } else { home >> 8 > place >> 8 };
                        best = (self.best[k - width].0 + if nearer { 1 } else { -1 }, vertical);
                    }
                    if j > 0 && self.best[k - 1].0 > BLOCKED {
                        let nearer = if right { home & 255 < place & 255 } else { home & 255 > place & 255 };
                        let gain = self.best[k - 1].0 + if nearer { 1 } else { -1 };
                        if gain > best.0 {
                            best = (gain, horizontal);
                        }
                    }
                    self.best[k] = best;
                }
            }
        }
        let mut k = height * width - 1;
        if self.best[k].0 == BLOCKED {
            return false;
        }
        self.moves.clear();
        while k > 0 {
            let step = self.best[k].1;
            self.moves.push(step);
            k -= if step == vertical { width } else { 1 };
        }
        self.moves.reverse();
        true
    }

    /// Finds a shortest walk over free cells other than `avoid` (A*), and returns its number of
    /// steps.
    pub(super) fn steps(&mut self, field: &Field, to: Place, avoid: Place) -> Option<usize> {
        self.moves.clear();
        let from = field.blank;
        if from == to {
            return Some(0);
        }
        if field.fixed[to] || to == avoid {
            return None;
        }
        self.round += 1;
        self.queue.clear();
        self.reached[from] = (self.round, 0, 0);
        self.queue.push(Reverse((distance(from, to) as u16, 0, from as u16)));
        while let Some(Reverse((_, _, place))) = self.queue.pop() {
            let place = usize::from(place);
            let steps = self.reached[place].1;
            if place == to {
                let mut back = to;
                while back != from {
                    let step = self.reached[back].2;
                    self.moves.push(step);
                    back = after(back, 3 - usize::from(step));
                }
                self.moves.reverse();
                return Some(usize::from(steps));
            }
            for step in 0..4 {
                let next = after(place, step);
                if field.fixed[next] || next == avoid {
                    continue;
                }
                if self.reached[next].0 == self.round && self.reached[next].1 <= steps + 1 {
                    continue;
                }
                self.reached[next] = (self.round, steps + 1, step as u8);
                let rest = distance(next, to) as u16;
                self.queue.push(Reverse((steps + 1 + rest, rest, next as u16)));
            }
        }
        None
    }
}
