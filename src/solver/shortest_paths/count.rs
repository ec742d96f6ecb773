//! Counting the shortest paths of a board, and finding how they begin.
//!
//! *What is counted.* Given one shortest path – the engines' canonical one – every other leaves it exactly once for the
//! first time: at its i-th board, by another move. So their number is 1 and, for every i, the paths by other moves that
//! are home in the moves that remain; and where the known path is the canonical one, which is the smallest, only greater letters
//! than its own can be. Each of those is counted by depth-first search to that length, cut where a [`DistanceBound`] says that a state
//! is too far (as Korf's iterative deepening, 1985, in its last iteration, but to the end).
//!
//! *States that several paths meet in* are counted once: how many shortest paths lead home from a state, and how long they
//! are, does not depend on how it was reached. That is kept in a
//! [`CountMemo`] for states from which some do. The count goes from the path's end to its start, so that a path which
//! comes back to it finds the rest counted. States that lead nowhere in time are not
//! kept: there are too many. With exact distances there are none, and what is kept serves every board of the goal.
//!
//! *What ends a count early*: a cap on the paths, time, or nodes. Then the number of paths found so far is the result; they
//! are all different. After the cap it is still found out which first moves there are and how long all paths are the same,
//! by searching for one path each.
//!
//! Cost: with a full table some microseconds a board (3×3, what is kept is in the cache); else about what an iteration to
//! the optimum without stopping takes, a few times the search for one path.

use super::bound::DistanceBound;
use super::known::{CountLimit, Known, PathCount, ShortestPaths};
use super::memo::CountMemo;
use crate::board::frame::Space;
use crate::board::{Beginning, Move, Path, State};
use crate::system::{Budget, Limit};

/// A count that is under way.
struct Count<'a, B: DistanceBound> {
    space: &'a Space,
    bound: &'a mut B,
    memo: &'a mut CountMemo,
    budget: &'a Budget<'a>,
    cells: usize,
    /// States visited.
    nodes: u64,
    /// Different paths found.
    found: u64,
    /// The count ends when more than this are found.
    cap: u64,
    /// The known path is the smallest.
    is_first: bool,
}

/// Counts the shortest paths of a state, one of which is known, in the letters of the board as given.
pub(super) fn count<B: DistanceBound>(
    space: &Space,
    start: &State,
    known: Known<'_>,
    bound: &mut B,
    memo: &mut CountMemo,
    budget: &Budget<'_>,
    cap: Option<u64>,
) -> ShortestPaths {
    let (cells, cap) = (space.shape.cells(), cap.unwrap_or(u64::MAX));
    let is_first = matches!(known, Known::First(_));
    let mut count = Count { space, bound, memo, budget, cells, nodes: 0, found: 1, cap, is_first };
    let places = count.places(start, known.path());
    match count.all(&places) {
        // The sums saturate: there may be more.
        Ok(beginning) if count.found == u64::MAX => {
            ShortestPaths { count: PathCount::AtLeast(u64::MAX, CountLimit::Cap), beginning: Some(beginning) }
        }
        Ok(beginning) => ShortestPaths { count: PathCount::Exactly(count.found), beginning: Some(beginning) },
        Err((limit, at)) => {
            let found = count.found.min(cap.saturating_add(1));
            let beginning = if limit == CountLimit::Cap { count.beginning_after_cap(&places, at) } else { None };
            ShortestPaths { count: PathCount::AtLeast(found, limit), beginning }
        }
    }
}

/// A state on the path and the move that follows.
struct Place<V> {
    state: State,
    value: V,
    letter: Move,
    /// Moves that remain, this one included.
    left: u16,
}

impl<B: DistanceBound> Count<'_, B> {
    /// The states of a path, its end left out.
    fn places(&mut self, start: &State, path: &Path) -> Vec<Place<B::Value>> {
        let (mut state, mut value, mut left) = (*start, self.bound.root(start), path.len() as u16);
        let mut places = Vec::with_capacity(path.len());
        for letter in path.moves() {
            places.push(Place { state, value, letter, left });
            // A replayed path never leaves the board.
            let Some(next) = state.after(self.space.shape, self.space.order[letter.index()]) else { break };
            (value, left) = (self.bound.after(&value, &state, &next), left - 1);
            state = next;
        }
        places
    }

    /// Counts all paths, from the end of the known path to its start.
    ///
    /// # Errors
    /// The limit that ended it, and the place at which the path being followed had left.
    fn all(&mut self, places: &[Place<B::Value>]) -> Result<Beginning, (CountLimit, usize)> {
        let (mut below, mut forced) = (1u64, places.len());
        let mut first_moves: Vec<Move> = places.first().map(|place| place.letter).into_iter().collect();
        for (at, place) in places.iter().enumerate().rev() {
            for (letter, next, value) in self.others(places, at) {
                let paths = self.below(&next, &value, place.left - 1, letter).map_err(|limit| (limit, at))?;
                if paths > 0 {
                    (below, forced) = (below.saturating_add(paths), at);
                    first_moves.extend((at == 0).then_some(letter));
                }
            }
            let key = self.memo.key(&place.state, self.cells);
            self.memo.insert(key, place.left, below);
        }
        first_moves.sort_unstable();
        Ok(Beginning { first_moves, forced })
    }

    /// The moves at a place that other paths may take, and where they lead; not the way back.
    fn others(&mut self, places: &[Place<B::Value>], at: usize) -> Vec<(Move, State, B::Value)> {
        let place = &places[at];
        let back = at.checked_sub(1).map(|before| places[before].state.blank());
        let mut others = Vec::new();
        for (letter, to) in self.space.steps(place.state.blank()) {
            let is_other = if self.is_first { letter > place.letter } else { letter != place.letter };
            if is_other && Some(to) != back {
                let mut next = place.state;
                next.slide(to);
                let value = self.bound.after(&place.value, &place.state, &next);
                others.push((letter, next, value));
            }
        }
        others
    }

    /// How many paths lead from a state to the goal in exactly `left` moves, none of which has fewer; it was reached by
    /// `letter`.
    fn below(&mut self, state: &State, value: &B::Value, left: u16, letter: Move) -> Result<u64, CountLimit> {
        if B::h(value) > left {
            return Ok(0);
        }
        self.nodes += 1;
        if self.nodes >= self.budget.nodes() {
            return Err(CountLimit::Limit(Limit::Nodes));
        }
        if self.nodes.is_multiple_of(Budget::POLL_NODES)
            && let Some(limit) = self.budget.interrupted()
        {
            return Err(CountLimit::Limit(limit));
        }
        let key = self.memo.key(state, self.cells);
        if let Some((plies, paths)) = self.memo.get(key) {
            return if plies == left { self.find(paths) } else { Ok(0) };
        }
        if left == 0 {
            return if *state == self.space.goal() { self.find(1) } else { Ok(0) };
        }
        let undo = self.space.order[letter.index()].inverse();
        let mut paths = 0u64;
        for (letter, to) in self.space.steps(state.blank()) {
            if self.space.order[letter.index()] == undo {
                continue;
            }
            let mut next = *state;
            next.slide(to);
            let value = self.bound.after(value, state, &next);
            paths = paths.saturating_add(self.below(&next, &value, left - 1, letter)?);
        }
        if paths > 0 {
            self.memo.insert(key, left, paths);
        }
        Ok(paths)
    }

    /// Adds to the paths that were found.
    fn find(&mut self, paths: u64) -> Result<u64, CountLimit> {
        self.found = self.found.saturating_add(paths);
        if self.found > self.cap { Err(CountLimit::Cap) } else { Ok(paths) }
    }

    /// How paths begin, when the cap was reached on a path that leaves the known one at `at`: before that place, and at the
    /// start, one path is searched for by each move.
    fn beginning_after_cap(&mut self, places: &[Place<B::Value>], at: usize) -> Option<Beginning> {
        let mut forced = 0;
        while forced < at && !self.leaves(places, forced)? {
            forced += 1;
        }
        let first_moves = if forced == 0 { self.first_moves(places)? } else { vec![places.first()?.letter] };
        Some(Beginning { first_moves, forced })
    }

    /// Whether a shortest path leaves the known one at a place.
    fn leaves(&mut self, places: &[Place<B::Value>], at: usize) -> Option<bool> {
        for (letter, next, value) in self.others(places, at) {
            if self.leads(&next, &value, places[at].left - 1, letter)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The first moves of all paths.
    fn first_moves(&mut self, places: &[Place<B::Value>]) -> Option<Vec<Move>> {
        let Some(start) = places.first() else { return Some(Vec::new()) };
        let mut first_moves = vec![start.letter];
        for (letter, next, value) in self.others(places, 0) {
            if self.leads(&next, &value, start.left - 1, letter)? {
                first_moves.push(letter);
            }
        }
        first_moves.sort_unstable();
        Some(first_moves)
    }

    /// Whether a path leads from a state to the goal in `left` moves; `None`: a limit came before the answer.
    fn leads(&mut self, state: &State, value: &B::Value, left: u16, letter: Move) -> Option<bool> {
        (self.found, self.cap) = (0, 0);
        match self.below(state, value, left, letter) {
            Ok(paths) => Some(paths > 0),
            Err(CountLimit::Cap) => Some(true),
            Err(CountLimit::Limit(_)) => None,
        }
    }
}
