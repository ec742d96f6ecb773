//! Lists the shortest paths of a board in order, the smallest first.
//!
//! This is a depth-first search to the known length that tries moves in the order of their letters.
//! Paths are found in the canonical order D < L < R < U, and a truncated list holds the first of
//! them. The memo of the count says which states reach the goal. If it is complete, no state is
//! visited in vain and the cost is proportional to the list. If it is not, because its size is
//! bounded, states are pruned by their lower bound, and states that led nowhere are also kept, up
//! to a separate limit.

use std::collections::HashSet;

use super::bound::DistanceBound;
use super::memo::CountMemo;
use crate::board::frame::Space;
use crate::board::{Move, PathList, State};
use crate::system::Budget;

/// Maximum number of states kept because they led nowhere.
const MOST_DEAD: usize = 1 << 16;

/// The inputs of a list.
pub(super) struct Means<'a, B> {
    pub bound: &'a mut B,
    /// The memo of the count.
    pub memo: &'a CountMemo,
    /// True if the memo has all states from which shortest paths reach the goal.
    pub knows_all: bool,
    pub budget: &'a Budget<'a>,
}

struct Search<'a, B: DistanceBound> {
    space: &'a Space,
    means: Means<'a, B>,
    most: usize,
    nodes: u64,
    /// States that do not reach the goal in this number of moves.
    dead: HashSet<(u128, u16)>,
    /// The letters of the path to the current state.
    way: Vec<u8>,
    list: PathList,
}

/// The reason why a list is truncated.
enum Cut {
    /// It holds as many paths as requested.
    Full,
    /// A limit of the run was reached.
    Limit,
}

/// Returns up to `most` of the smallest shortest paths of a state, each of `moves` moves, or `None`
/// if a limit came before the end.
pub(super) fn list<B: DistanceBound>(
    space: &Space,
    start: &State,
    moves: usize,
    most: usize,
    means: Means<'_, B>,
) -> Option<PathList> {
    let value = means.bound.root(start);
    let (dead, way, list) = (HashSet::new(), Vec::with_capacity(moves), PathList::new(moves));
    let mut search = Search { space, means, most, nodes: 0, dead, way, list };
    match search.below(start, &value, moves as u16, None) {
        Ok(_) | Err(Cut::Full) => Some(search.list),
        Err(Cut::Limit) => None,
    }
}

impl<B: DistanceBound> Search<'_, B> {
    /// Lists the paths that lead from a state to the goal in exactly `left` moves. Returns true if
    /// there were any.
    fn below(&mut self, state: &State, value: &B::Value, left: u16, last: Option<Move>) -> Result<bool, Cut> {
        if B::h(value) > left {
            return Ok(false);
        }
        if left == 0 {
            return if *state == self.space.goal() { self.add() } else { Ok(false) };
        }
        self.nodes += 1;
        let Means { memo, knows_all, budget, .. } = self.means;
        let is_time_to_look = self.nodes.is_multiple_of(Budget::POLL_NODES);
        if self.nodes >= budget.nodes() || is_time_to_look && budget.interrupted().is_some() {
            return Err(Cut::Limit);
        }
        let key = memo.key(state, self.space.shape.cells());
        let leads_nowhere = memo.get(key).map_or(knows_all, |(plies, _)| plies != left);
        if leads_nowhere || self.dead.contains(&(key, left)) {
            return Ok(false);
        }
        let (undo, mut any) = (last.map(Move::inverse), false);
        for (letter, to) in self.space.steps(state.blank()) {
            let step = self.space.order[letter.index()];
            if Some(step) == undo {
                continue;
            }
            let mut next = *state;
            next.slide(to);
            let value = self.means.bound.after(value, state, &next);
            self.way.push(letter.letter());
            let found = self.below(&next, &value, left - 1, Some(step));
            self.way.pop();
            any |= found?;
        }
        if !any && self.dead.len() < MOST_DEAD {
            self.dead.insert((key, left));
        }
        Ok(any)
    }

    /// Adds the current path.
    fn add(&mut self) -> Result<bool, Cut> {
        self.list.push(&self.way);
        if self.list.len() == self.most { Err(Cut::Full) } else { Ok(true) }
    }
}
