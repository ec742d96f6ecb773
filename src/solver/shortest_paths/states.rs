//! Data about a state that a count reaches: a lower bound on its distance to the goal, and the
//! number of its shortest paths if they were counted before.
//!
//! *Bounds* come from a table of all states if there is one, otherwise from the best heuristic that
//! is ready. A count follows every move after which the goal may still be reached in the remaining
//! moves. It needs a bound for each state that it visits, but not the speed of the engines' inner
//! loops, because it counts the paths of each state only once. The choice of an admissible
//! heuristic never changes the count, only the number of states that are visited in vain. With
//! exact distances there are none.
//!
//! *Counts* are kept in a memo, so that states on several paths are counted once.

use std::collections::HashMap;

use crate::board::frame::Space;
use crate::board::{Move, Packed, Path, Solvable, State};
use crate::engine::contract::LowerBounds;
use crate::heuristic::pdb::Sum;
use crate::heuristic::{Heuristic, Step, WalkingConflict};

/// Lower bounds on the distance to the goal of one space.
pub(super) struct Bound<'a> {
    space: &'a Space,
    source: LowerBounds<'a>,
    /// A buffer for the paths of a full table.
    path: Path,
}

/// The bound of a state, with the data that make the bound of its neighbours cheap.
#[derive(Clone, Copy)]
pub(super) enum BoundValue {
    Distance(u16),
    Patterns(Sum),
    Conflict(<WalkingConflict as Heuristic>::Value),
}

impl BoundValue {
    /// Returns the bound: no path to the goal has fewer moves.
    pub fn h(&self) -> u16 {
        match self {
            BoundValue::Distance(distance) => *distance,
            BoundValue::Patterns(sum) => sum.value(),
            BoundValue::Conflict(value) => WalkingConflict::h(*value),
        }
    }
}

impl<'a> Bound<'a> {
    pub fn new(space: &'a Space, source: LowerBounds<'a>) -> Bound<'a> {
        Bound { space, source, path: Path::new() }
    }

    /// Returns true if the bound is the exact distance.
    pub fn is_exact(&self) -> bool {
        matches!(self.source, LowerBounds::Lookup(_) | LowerBounds::FullTable(_))
    }

    /// Computes the value of a state from scratch.
    pub fn root(&mut self, state: &State) -> BoundValue {
        match &self.source {
            LowerBounds::None => BoundValue::Distance(0),
            LowerBounds::Lookup(table) => BoundValue::Distance(table.distance(state)),
            LowerBounds::FullTable(table) => {
                // Moves preserve solvability, so a state that is not solvable is never reached.
                let start = Solvable::check(*state, self.space.shape, self.space.goal_blank);
                BoundValue::Distance(start.map_or(u16::MAX, |start| {
                    // The distance is found by following the path, which takes half a microsecond.
                    table.solve(&start, &mut self.path);
                    self.path.len() as u16
                }))
            }
            LowerBounds::Patterns(sum) => BoundValue::Patterns(sum.start(state)),
            LowerBounds::WalkingConflict(heuristic) => BoundValue::Conflict(heuristic.root(state)),
        }
    }

    /// Computes the value of the state `after` from `value`, the value of the state `before`. The
    /// blank's move `blank`, in the directions of the frame, leads from `before` to `after`.
    pub fn after(&mut self, value: &BoundValue, before: &State, blank: Move, after: &State) -> BoundValue {
        match (&self.source, value) {
            (LowerBounds::Patterns(sum), BoundValue::Patterns(value)) => {
                BoundValue::Patterns(sum.after(value, before, after.blank()))
            }
            (LowerBounds::WalkingConflict(heuristic), BoundValue::Conflict(value)) => {
                let (from, to) = (after.blank(), before.blank());
                let (tile, from, to) = (before.home(from).index() as u8, from.index() as u8, to.index() as u8);
                let step = Step { tile, from, to, blank };
                // Heuristics read boards as packed words.
                BoundValue::Conflict(match self.space.shape.cells() {
                    cells @ ..=<u64 as Packed>::MAX_CELLS => heuristic.after(*value, after.pack(cells), step),
                    cells => heuristic.after(*value, after.pack_wide(cells), step),
                })
            }
            _ => self.root(after),
        }
    }
}

/// A memo of the lengths and numbers of shortest paths, by state.
#[derive(Debug)]
pub struct CountMemo {
    counts: HashMap<u128, (u16, u64)>,
    capacity: usize,
    /// The part of the keys that distinguishes shapes and goal cells of the blank.
    tag: u128,
}

impl CountMemo {
    /// Maximum useful size in bytes: room for all states of 3×3, and for more states than most
    /// boards have on their shortest paths. States for which there is no room are counted each time
    /// they are reached.
    pub const BYTES: u64 = CountMemo::BYTES_PER_STATE * (1 << 18);

    /// Size in bytes for each thread of a run that lists paths: room for more states than nearly
    /// all boards have on their shortest paths. It is constant, so that the effect of a node limit
    /// does not depend on the memory.
    pub const LIST_BYTES: u64 = CountMemo::BYTES_PER_STATE * (1 << 16);

    /// Bytes per state: 33 per slot of a hash table that doubles when it is seven eighths full,
    /// plus half as much for the old table during a rehash.
    const BYTES_PER_STATE: u64 = 115;

    /// Creates an empty memo that may take this many bytes.
    pub fn new(bytes: u64) -> CountMemo {
        let capacity = (bytes.min(CountMemo::BYTES) / CountMemo::BYTES_PER_STATE) as usize;
        CountMemo { counts: HashMap::new(), capacity, tag: 0 }
    }

    /// Prepares for a board. With exact distances, counts of earlier boards are kept until there
    /// are too many. Boards with exact distances have at most 12 cells, which leaves half of a key
    /// to distinguish shapes and goal cells of the blank. Without exact distances, all earlier
    /// counts are discarded.
    pub(super) fn begin(&mut self, space: &Space, is_exact: bool) {
        if !is_exact || !self.has_room() {
            self.counts.clear();
        }
        let Space { shape, goal_blank, .. } = space;
        debug_assert!(!is_exact || 5 * shape.cells() <= 64);
        let tag = ((shape.rows() << 16 | shape.cols() << 8 | (goal_blank.index() + 1)) as u128) << 64;
        self.tag = if is_exact { tag } else { 0 };
    }

    pub(super) fn key(&self, state: &State, cells: usize) -> u128 {
        state.pack_wide(cells) | self.tag
    }

    /// Returns the length and the number of the shortest paths from a state.
    pub(super) fn get(&self, key: u128) -> Option<(u16, u64)> {
        self.counts.get(&key).copied()
    }

    /// Returns true if the memo is not full, so that no state was left out.
    pub(super) fn has_room(&self) -> bool {
        self.counts.len() < self.capacity
    }

    pub(super) fn insert(&mut self, key: u128, moves: u16, paths: u64) {
        if self.has_room() {
            self.counts.insert(key, (moves, paths));
        }
    }
}
