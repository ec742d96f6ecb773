//! Lower bounds on the distance to the goal, for counting paths: from a full table if there is one,
//! otherwise from the best heuristic that is ready.
//!
//! A count follows every move that may still reach the goal in time. It needs a bound for each
//! state that it visits, but not the speed of the engines' inner loops, because it visits each
//! state once. The choice of an admissible heuristic never changes the count, only the number of
//! states that are visited in vain. With exact distances there are none.

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
pub(super) enum Value {
    Distance(u16),
    Patterns(Sum),
    Conflict(<WalkingConflict as Heuristic>::Value),
}

impl Value {
    /// Returns h: no path to the goal has fewer moves.
    pub fn h(&self) -> u16 {
        match self {
            Value::Distance(distance) => *distance,
            Value::Patterns(sum) => sum.value(),
            Value::Conflict(value) => WalkingConflict::h(*value),
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
    pub fn root(&mut self, state: &State) -> Value {
        match &self.source {
            LowerBounds::None => Value::Distance(0),
            LowerBounds::Lookup(table) => Value::Distance(table.distance(state)),
            LowerBounds::FullTable(table) => {
                // Moves preserve solvability, so a state that is not solvable is never reached.
                let start = Solvable::check(*state, self.space.shape, self.space.goal_blank);
                Value::Distance(start.map_or(u16::MAX, |start| {
                    // The distance is found by following the path, which takes half a microsecond.
                    table.solve(&start, &mut self.path);
                    self.path.len() as u16
                }))
            }
            LowerBounds::Patterns(sum) => Value::Patterns(sum.start(state)),
            LowerBounds::WalkingConflict(heuristic) => Value::Conflict(heuristic.root(state)),
        }
    }

    /// Computes the value of `after` from that of `before`, from which the blank's move `blank` led
    /// to it. The move is in the frame's directions.
    pub fn after(&mut self, value: &Value, before: &State, blank: Move, after: &State) -> Value {
        match (&self.source, value) {
            (LowerBounds::Patterns(sum), Value::Patterns(value)) => {
                Value::Patterns(sum.after(value, before, after.blank()))
            }
            (LowerBounds::WalkingConflict(heuristic), Value::Conflict(value)) => {
                let (from, to) = (after.blank(), before.blank());
                let (tile, from, to) = (before.home(from).index() as u8, from.index() as u8, to.index() as u8);
                let step = Step { tile, from, to, blank };
                // Heuristics read boards as packed words.
                Value::Conflict(match self.space.shape.cells() {
                    cells @ ..=<u64 as Packed>::MAX_CELLS => heuristic.after(*value, after.pack(cells), step),
                    cells => heuristic.after(*value, after.pack_wide(cells), step),
                })
            }
            _ => self.root(after),
        }
    }
}
