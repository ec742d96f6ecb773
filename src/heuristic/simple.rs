//! The heuristics that a user can request instead of the default, as one type. Searches of small
//! blocks use it as well.

use super::{Heuristic, LinearConflict, Manhattan, Step, WalkingDistance};
use crate::board::{Packed, State};

/// A heuristic that is chosen at run time. The searches are compiled once for all of them, which
/// costs a branch per node and, for the first two, a few bytes. Only the default, [`WalkingConflict`](super::WalkingConflict), has
/// searches of its own.
#[derive(Clone, Debug)]
pub enum SimpleHeuristic {
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    WalkingDistance(WalkingDistance),
}

impl Heuristic for SimpleHeuristic {
    /// The value of walking distance, or the bound and a zero. (Bounds of at most 25 cells fit into
    /// the eight bits that [`WalkingDistance::h`] adds.)
    type Value = <WalkingDistance as Heuristic>::Value;

    fn root(&self, state: &State) -> Self::Value {
        match self {
            SimpleHeuristic::Manhattan(heuristic) => [heuristic.root(state).into(), 0],
            SimpleHeuristic::LinearConflict(heuristic) => [heuristic.root(state).into(), 0],
            SimpleHeuristic::WalkingDistance(heuristic) => heuristic.root(state),
        }
    }

    #[inline]
    fn after<K: Packed>(&self, value: Self::Value, board: K, step: Step) -> Self::Value {
        let bound = value[0] as u16;
        match self {
            SimpleHeuristic::Manhattan(heuristic) => [heuristic.after(bound, board, step).into(), 0],
            SimpleHeuristic::LinearConflict(heuristic) => [heuristic.after(bound, board, step).into(), 0],
            SimpleHeuristic::WalkingDistance(heuristic) => heuristic.after(value, board, step),
        }
    }

    #[inline(always)]
    fn h(value: Self::Value) -> u16 {
        WalkingDistance::h(value)
    }
}
