//! Lists the shortest paths of a board in order, the smallest first.
//!
//! This is a depth-first search to the known length that tries moves in the order of their letters.
//! So paths are found in the canonical order D < L < R < U, and a truncated list contains the first
//! of them. The memo of the count shows which states reach the goal. If it is complete, no state is
//! visited in vain and the cost is proportional to the list. If it is not, because its size is
//! bounded, states are pruned by their lower bounds, and a limited number of dead ends is
//! remembered.

use std::collections::HashSet;

use super::bound::DistanceBound;
use super::memo::CountMemo;
use crate::board::frame::Space;
use crate::board::{Move, PathList, State};
use crate::system::Budget;

/// Maximum number of dead ends remembered.
const MAX_DEAD: usize = 1 << 16;

/// The resources of a list.
pub(super) struct Context<'a, B> {
    pub bound: &'a mut B,
    /// The memo of the count.
    pub memo: &'a CountMemo,
    /// True if the memo contains all states on shortest paths.
    pub is_complete: bool,
    pub budget: &'a Budget<'a>,
}

struct Search<'a, B: DistanceBound> {
    space: &'a Space,
    context: Context<'a, B>,
    max_paths: usize,
    nodes: u64,
    /// The keys of states, each with a number of moves in which the state cannot reach the goal.
    dead: HashSet<(u128, u16)>,
    /// The letters of the path to the current state.
    path: Vec<u8>,
    list: PathList,
}

/// The reason why a list ended early.
enum End {
    /// The list contains as many paths as requested.
    Full,
    /// A limit of the run was reached.
    Limit,
}

/// Returns the `max_paths` smallest of the shortest paths of a state, which have `moves` moves, or
/// `None` if a limit ended the list early.
pub(super) fn list<B: DistanceBound>(
    space: &Space,
    start: &State,
    moves: usize,
    max_paths: usize,
    context: Context<'_, B>,
) -> Option<PathList> {
    let value = context.bound.root(start);
    let (dead, path, list) = (HashSet::new(), Vec::with_capacity(moves), PathList::new(moves));
    let mut search = Search { space, context, max_paths, nodes: 0, dead, path, list };
    match search.list_from(start, &value, moves as u16, None) {
        Ok(_) | Err(End::Full) => Some(search.list),
        Err(End::Limit) => None,
    }
}

impl<B: DistanceBound> Search<'_, B> {
    /// Lists the paths of exactly `moves_left` moves from a state to the goal, and returns true if
    /// there are any. `last` is the move that led to the state.
    fn list_from(&mut self, state: &State, value: &B::Value, moves_left: u16, last: Option<Move>) -> Result<bool, End> {
        if B::h(value) > moves_left {
            return Ok(false);
        }
        if moves_left == 0 {
            return if *state == self.space.goal() { self.add() } else { Ok(false) };
        }
        self.nodes += 1;
        let Context { memo, is_complete, budget, .. } = self.context;
        let must_poll = self.nodes.is_multiple_of(Budget::POLL_NODES);
        if self.nodes >= budget.nodes() || must_poll && budget.interrupted().is_some() {
            return Err(End::Limit);
        }
        let key = memo.key(state, self.space.shape.cells());
        let is_dead_end = memo.get(key).map_or(is_complete, |(moves, _)| moves != moves_left);
        if is_dead_end || self.dead.contains(&(key, moves_left)) {
            return Ok(false);
        }
        let (undo, mut found_any) = (last.map(Move::inverse), false);
        for (letter, to) in self.space.steps(state.blank()) {
            let step = self.space.order[letter.index()];
            if Some(step) == undo {
                continue;
            }
            let mut next = *state;
            next.slide(to);
            let value = self.context.bound.after(value, state, &next);
            self.path.push(letter.letter());
            let found = self.list_from(&next, &value, moves_left - 1, Some(step));
            self.path.pop();
            found_any |= found?;
        }
        if !found_any && self.dead.len() < MAX_DEAD {
            self.dead.insert((key, moves_left));
        }
        Ok(found_any)
    }

    /// Adds the current path.
    fn add(&mut self) -> Result<bool, End> {
        self.list.push(&self.path);
        if self.list.len() == self.max_paths { Err(End::Full) } else { Ok(true) }
    }
}
