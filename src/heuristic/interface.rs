//! The interface of heuristics.

use super::Step;
use crate::board::{Packed, State};

/// A lower bound on the distance to the goal that satisfies the contract of [this module](super).
pub trait Heuristic: Sync {
    /// The value of a state, with any data that makes its update cheap.
    type Value: Copy + Send + Sync;

    /// Computes the value of a solvable state from scratch.
    fn root(&self, state: &State) -> Self::Value;

    /// Returns the value after a step. `value` is the value before the step, `board` the state
    /// after it.
    fn after<K: Packed>(&self, value: Self::Value, board: K, step: Step) -> Self::Value;

    /// Returns the lower bound of a value.
    fn h(value: Self::Value) -> u16;
}
