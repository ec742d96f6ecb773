//! The heuristics that a user can request instead of the default, as one type.

use super::{Heuristic, LinearConflict, Manhattan, Step, WalkingDistance};
use crate::board::{Packed, State};

/// A heuristic that is chosen at run time. The searches are compiled once for all of them, which
/// costs a branch per node. Only the default, [`WalkingConflict`](super::WalkingConflict), has
/// searches of its own.
#[derive(Clone, Debug)]
pub enum SimpleHeuristic {
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    WalkingDistance(WalkingDistance),
}

impl Heuristic for SimpleHeuristic {
    /// The bound of the first two, and the value of the third. The other part is zero.
    type Value = (u16, <WalkingDistance as Heuristic>::Value);

    fn root(&self, state: &State) -> Self::Value {
        match self {
            SimpleHeuristic::Manhattan(heuristic) => (heuristic.root(state), [0; 2]),
            SimpleHeuristic::LinearConflict(heuristic) => (heuristic.root(state), [0; 2]),
            SimpleHeuristic::WalkingDistance(heuristic) => (0, heuristic.root(state)),
        }
    }

    #[inline]
    fn after<K: Packed>(&self, (bound, places): Self::Value, board: K, step: Step) -> Self::Value {
        match self {
            SimpleHeuristic::Manhattan(heuristic) => (heuristic.after(bound, board, step), places),
            SimpleHeuristic::LinearConflict(heuristic) => (heuristic.after(bound, board, step), places),
            SimpleHeuristic::WalkingDistance(heuristic) => (bound, heuristic.after(places, board, step)),
        }
    }

    #[inline(always)]
    fn h((bound, places): Self::Value) -> u16 {
        bound + WalkingDistance::h(places)
    }
}
