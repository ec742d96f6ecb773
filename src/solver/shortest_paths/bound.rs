//! Lower bounds on the distance to the goal, for counting paths: from a full table where there is one, otherwise from the
//! best heuristic that is ready.
//!
//! A count takes every move that may still lead home in time, so it needs bounds on the way, state by state, but not
//! the speed of the engines' inner loops: a state is visited once. The values of an admissible heuristic never
//! change what is counted, only how many states are visited in vain; with exact distances there are none.

use std::sync::Arc;

use crate::board::frame::Space;
use crate::board::{Cell, Move, Packed, Path, Shape, Solvable, State};
use crate::engine::contract::{Engine, LowerBounds, Readiness};
use crate::engine::{full_table, lookup};
use crate::heuristic::pdb::{PdbSum, Sum};
use crate::heuristic::{Heuristic, Step, WalkingConflict};

/// A lower bound on the distance to the goal of one space, kept up to date from move to move.
pub(super) trait DistanceBound {
    /// What is carried along with a state.
    type Value: Copy;

    /// The value of a state from scratch.
    fn root(&mut self, state: &State) -> Self::Value;

    /// The value of `after`, which is `before` (of this value) after the blank has gone from `blank` to its place there.
    fn after(&mut self, value: &Self::Value, before: &State, after: &State) -> Self::Value;

    /// No path home has fewer moves.
    fn h(value: &Self::Value) -> u16;
}

/// Where the bounds for a board come from, chosen once a board.
pub(super) enum BoundSource<'a> {
    /// Every state's whole path, up to nine cells.
    Lookup(&'a lookup::Table),
    /// Every state's first letter, 8, 10 and 12 cells.
    Full(&'a full_table::Table),
    /// The pattern databases that are built.
    Patterns(Arc<PdbSum>),
    /// A heuristic that costs next to nothing to build.
    Conflict(Arc<WalkingConflict>),
}

impl<'a> BoundSource<'a> {
    /// The best that an engine has. Where nodes are limited it is one that does not depend on what was built in the meantime,
    /// so that the same limit gives the same results everywhere.
    pub fn of(
        engine: &'a dyn Engine,
        limited: bool,
        conflict: impl FnOnce() -> Arc<WalkingConflict>,
    ) -> BoundSource<'a> {
        match engine.lower_bounds(if limited { Readiness::Fixed } else { Readiness::Latest }) {
            LowerBounds::Lookup(table) => BoundSource::Lookup(table),
            LowerBounds::FullTable(table) => BoundSource::Full(table),
            LowerBounds::Patterns(sum) => BoundSource::Patterns(Arc::clone(sum)),
            LowerBounds::WalkingConflict(own) => BoundSource::Conflict(Arc::clone(own)),
            LowerBounds::None => BoundSource::Conflict(conflict()),
        }
    }

    /// True where the bound is the distance itself.
    pub fn is_exact(&self) -> bool {
        matches!(self, BoundSource::Lookup(_) | BoundSource::Full(_))
    }
}

/// Distances from a table of all states.
pub(super) struct ExactDistance<'a> {
    space: &'a Space,
    table: Table<'a>,
}

enum Table<'a> {
    Lookup(&'a lookup::Table),
    /// A path is read to know its length: half a microsecond.
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
            Table::Lookup(table) => table.plies(state),
            Table::Full(table, path) => match Solvable::check(*state, self.space.shape, self.space.goal_blank) {
                Some(start) => {
                    table.solve(&start, path);
                    path.len() as u16
                }
                // Moves lead from solvable states to solvable states.
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

/// Pattern databases.
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

/// A heuristic of the engines, which sees boards as packed words.
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
        let (from, to) = (after.blank(), before.blank());
        let step = Step {
            tile: before.home(from).index() as u8,
            from: from.index() as u8,
            to: to.index() as u8,
            blank: step_between(self.shape, to, from),
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

/// The blank's move between two neighbouring cells.
fn step_between(shape: Shape, from: Cell, to: Cell) -> Move {
    match to > from {
        true if to.index() - from.index() == 1 && shape.row(from) == shape.row(to) => Move::Right,
        true => Move::Down,
        false if from.index() - to.index() == 1 && shape.row(from) == shape.row(to) => Move::Left,
        false => Move::Up,
    }
}
