//! The shortest paths of a board one by one, the smallest first.
//!
//! Depth-first search for the known length, moves in the order of their letters, so that paths come in the canonical order
//! D < L < R < U and a list that is cut holds the first of them. What counting kept of states says which of them lead home: then
//! nothing is searched in vain, and the list costs what it is long. Where that is not complete – it is bounded – states are cut by their
//! lower bound, and those that led nowhere are kept as well, up to a bound of their own.

use std::collections::HashSet;

use super::bound::DistanceBound;
use super::memo::CountMemo;
use crate::board::frame::Space;
use crate::board::{Move, PathList, State};
use crate::system::Budget;

/// The most states that are kept because they led nowhere.
const MOST_DEAD: usize = 1 << 16;

/// What a list is made with.
pub(super) struct Means<'a, B> {
    pub bound: &'a mut B,
    /// What was counted.
    pub memo: &'a CountMemo,
    /// All states from which shortest paths lead home are there.
    pub knows_all: bool,
    pub budget: &'a Budget<'a>,
}

struct Search<'a, B: DistanceBound> {
    space: &'a Space,
    means: Means<'a, B>,
    most: usize,
    nodes: u64,
    /// States that led nowhere in so many moves.
    dead: HashSet<(u128, u16)>,
    /// The letters on the way to the state that is looked at.
    way: Vec<u8>,
    list: PathList,
}

/// Why a list ends before its end.
enum Cut {
    /// It holds as many as were asked for.
    Full,
    /// A limit of the run.
    Limit,
}

/// The smallest shortest paths of a state, so many at most, which have so many `moves`; `None` where a limit came before the end.
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
    /// Lists the paths that lead home from a state in exactly so many moves; whether there were any.
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

    /// Adds the path that was taken.
    fn add(&mut self) -> Result<bool, Cut> {
        self.list.push(&self.way);
        if self.list.len() == self.most { Err(Cut::Full) } else { Ok(true) }
    }
}
