//! Which searches a level means, by shape: the one place where this is decided.
//!
//! A level is a time for a board on one core of the machine it was tuned on: four milliseconds at level 1, a second at level 5,
//! a minute at level 9. Widths follow from it by what was measured, never from a clock.

use crate::board::Shape;
use crate::engine::beam;
use crate::heuristic::evaluation::{MAX_CELLS, Tables};

/// One search of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Its name.
    pub name: &'static str,
    /// How many positions it keeps of each layer; 0 where it keeps none.
    pub width: usize,
}

/// What a level means for a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The searches, in their order.
    pub searches: Vec<Search>,
    /// The most memory they take at the same time, in bytes.
    pub memory_bytes: u64,
    /// Whether `memory` made them narrower than the level says.
    pub cut_by_memory: bool,
}

/// Microseconds a board, by level.
const TIMES: [u64; 9] = [4_000, 16_000, 60_000, 250_000, 1_000_000, 3_000_000, 8_000_000, 22_000_000, 60_000_000];
/// The narrowest beam that is worth its tables.
pub(super) const NARROWEST: usize = 16;

/// What is searched for boards of a shape at a level from 1 to 9, where a search may take `memory` bytes.
pub fn describe(shape: Shape, level: u8, memory: u64) -> Description {
    let mut searches = vec![Search { name: "constructive", width: 0 }];
    let mut memory_bytes = constructive_bytes(shape);
    let mut cut_by_memory = false;
    let microseconds = TIMES[usize::from(level.clamp(1, 9)) - 1];
    if beam_serves(shape) {
        let wanted = (1000 * microseconds / beam_nanoseconds(shape)).max(NARROWEST as u64) as usize;
        let width = beam_width_within(shape, wanted, memory);
        cut_by_memory = width < wanted;
        if width > 0 {
            searches.push(Search { name: "beam", width });
            memory_bytes += Tables::bytes(shape) + beam::bytes(shape.cells(), width);
        }
    }
    Description { searches, memory_bytes, cut_by_memory }
}

/// Whether there are tables for beams over whole boards of this shape.
pub(super) fn beam_serves(shape: Shape) -> bool {
    !shape.is_line() && shape.cells() <= MAX_CELLS
}

/// The time of a beam for each position of its width: the moves of a path times what children of a member cost. Random boards of
/// 5 × 5, 6 × 6, 7 × 7 and 8 × 8 took 19, 43, 100 and 200 microseconds.
fn beam_nanoseconds(shape: Shape) -> u64 {
    let cells = shape.cells() as u64;
    let moves = cells * (shape.rows() + shape.cols()) as u64 * 12 / 25;
    moves * (30 + cells * 27 / 5)
}

/// The widest beam up to `wanted` that the memory holds beside the tables; 0 where it holds none.
pub(super) fn beam_width_within(shape: Shape, wanted: usize, memory: u64) -> usize {
    let Some(left) = memory.checked_sub(Tables::bytes(shape) + beam::bytes(shape.cells(), 0)) else { return 0 };
    let for_each = beam::bytes(shape.cells(), 1000) - beam::bytes(shape.cells(), 0);
    let width = wanted.min((left / for_each.max(1) * 1000) as usize);
    if width < NARROWEST { 0 } else { width }
}

/// The constructive path keeps some words a cell, on rows of 256 cells.
fn constructive_bytes(shape: Shape) -> u64 {
    (shape.rows() as u64 + 2) * 256 * 72
}
