//! Lower bounds on the distance to the goal, for counting paths: from a full table if there is one,
//! otherwise from the best heuristic that is ready.
//!
//! A count follows every move that may still reach the goal in time. It needs a bound for each
//! state that it visits, but not the speed of the engines' inner loops, because it visits each
//! state once. The choice of an admissible heuristic never changes the count, only the number of
//! states that are visited in vain. With exact distances there are none.

use std::sync::Arc;

use crate::board::frame::Space;
use crate::board::{Cell, Move, Packed, Path, Shape, Solvable, State};
use crate::engine::contract::{Engine, LowerBounds, Readiness};
use crate::engine::{full_table, lookup};
use crate::heuristic::pdb::{PdbSum, Sum};
use crate::heuristic::{Heuristic, Step, WalkingConflict};

/// A lower bound on the distance to the goal of one space, updated incrementally from move to move.
pub(super) trait DistanceBound {
    /// The value carried along with a state.
    type Value: Copy;

    /// Computes the value of a state from scratch.
    fn root(&mut self, state: &State) -> Self::Value;

    /// Computes the value of `after` from that of `before`, the state one move earlier.
    fn after(&mut self, value: &Self::Value, before: &State, after: &State) -> Self::Value;

    /// Returns h: no path to the goal has fewer moves.
    fn h(value: &Self::Value) -> u16;
}

/// The source of the bounds of a board, chosen once per board.
pub(super) enum BoundSource<'a> {
    /// A table with the whole path of every state, for 4, 6 and 9 cells.
    Lookup(&'a lookup::Table),
    /// A table with the first move of every state, for 8, 10 and 12 cells.
    Full(&'a full_table::Table),
    /// The pattern databases that are built.
    Patterns(Arc<PdbSum>),
    /// A heuristic that is cheap to build.
    Conflict(Arc<WalkingConflict>),
}

impl<'a> BoundSource<'a> {
    /// Returns the best source that an engine has. With a node limit, it does not depend on the
    /// tables built so far, so that the same limit gives the same results in every run.
    pub fn of(
        engine: &'a dyn Engine,
        has_node_limit: bool,
        conflict: impl FnOnce() -> Arc<WalkingConflict>,
    ) -> BoundSource<'a> {
        match engine.lower_bounds(if has_node_limit { Readiness::Fixed } else { Readiness::Latest }) {
            LowerBounds::Lookup(table) => BoundSource::Lookup(table),
            LowerBounds::FullTable(table) => BoundSource::Full(table),
            LowerBounds::Patterns(sum) => BoundSource::Patterns(Arc::clone(sum)),
            LowerBounds::WalkingConflict(heuristic) => BoundSource::Conflict(Arc::clone(heuristic)),
            LowerBounds::None => BoundSource::Conflict(conflict()),
        }
    }

    /// Returns true if the bound is the exact distance.
    pub fn is_exact(&self) -> bool {
        matches!(self, BoundSource::Lookup(_) | BoundSource::Full(_))
    }
}

/// Exact distances from a table of all states.
pub(super) struct ExactDistance<'a> {
    space: &'a Space,
    table: Table<'a>,
}

enum Table<'a> {
    Lookup(&'a lookup::Table),
    /// A distance is found by following the path, which takes half a microsecond.
    Full(&'a full_table::Table, Path),
}

impl<'a> ExactDistance<'a> {
    pub fn lookup(space: &'a Space, table: &'a lookup::Table) -> ExactDistance<'a> {
        ExactDistance { space, table: Table::Lookup(table) }
    }

    pub fn full(space: &'a Space, table: &'a full_table::Table) -> ExactDistance<'a> {
        ExactDistance { space, table: Table::Full(table, Path::new()) }
    }
}

impl DistanceBound for ExactDistance<'_> {
    type Value = u16;

    fn root(&mut self, state: &State) -> u16 {
        match &mut self.table {
            Table::Lookup(table) => table.distance(state),
            Table::Full(table, path) => match Solvable::check(*state, self.space.shape, self.space.goal_blank) {
                Some(start) => {
                    table.solve(&start, path);
                    path.len() as u16
                }
                // Unreachable, because moves preserve solvability.
                None => u16::MAX,
            },
        }
    }

    fn after(&mut self, _: &u16, _: &State, after: &State) -> u16 {
        self.root(after)
    }

    fn h(&value: &u16) -> u16 {
        value
    }
}

/// Bounds from pattern databases.
pub(super) struct PatternBound(pub Arc<PdbSum>);

impl DistanceBound for PatternBound {
    type Value = Sum;

    fn root(&mut self, state: &State) -> Sum {
        self.0.start(state)
    }

    fn after(&mut self, value: &Sum, before: &State, after: &State) -> Sum {
        self.0.after(value, before, after.blank())
    }

    fn h(value: &Sum) -> u16 {
        value.value()
    }
}

/// Bounds from one of the engines' heuristics, which read boards as packed words.
pub(super) struct HeuristicBound<H> {
    pub shape: Shape,
    pub heuristic: Arc<H>,
}

impl<H: Heuristic> DistanceBound for HeuristicBound<H> {
    type Value = H::Value;

    fn root(&mut self, state: &State) -> H::Value {
        self.heuristic.root(state)
    }

    fn after(&mut self, &value: &H::Value, before: &State, after: &State) -> H::Value {
        let (tile_from, tile_to) = (after.blank(), before.blank());
        let step = Step {
            tile: before.home(tile_from).index() as u8,
            from: tile_from.index() as u8,
            to: tile_to.index() as u8,
            blank: step_between(self.shape, tile_to, tile_from),
        };
        match self.shape.cells() {
            ..=<u64 as Packed>::MAX_CELLS => self.heuristic.after(value, after.pack(self.shape.cells()), step),
            cells => self.heuristic.after(value, after.pack_wide(cells), step),
        }
    }

    fn h(&value: &H::Value) -> u16 {
        H::h(value)
    }
}

/// Returns the blank's move between two neighbouring cells.
fn step_between(shape: Shape, from: Cell, to: Cell) -> Move {
    match to > from {
        true if to.index() - from.index() == 1 && shape.row(from) == shape.row(to) => Move::Right,
        true => Move::Down,
        false if from.index() - to.index() == 1 && shape.row(from) == shape.row(to) => Move::Left,
        false => Move::Up,
    }
}
