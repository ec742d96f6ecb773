//! Counts the shortest paths of a board, and finds how they begin.
//!
//! *The count.* One shortest path is known. Every other shortest path leaves it for the first time
//! at exactly one board, the i-th, by another move. So the total is 1 plus, for every i, the number
//! of paths that begin there with another move and reach the goal in the remaining moves. If the
//! known path is the canonical one, which is the smallest, only moves with greater letters need to
//! be tried. The paths are counted by a depth-first search that prunes states which are too far
//! according to a [`DistanceBound`] (like the last iteration of Korf's IDA*, 1985, but exhaustive).
//!
//! *States on several paths* are counted once, because the number and the length of the shortest
//! paths from a state do not depend on how it was reached. A [`CountMemo`] keeps both for states on
//! shortest paths. The count proceeds from the known path's end to its start, so that when a path
//! returns to the known one, the rest is already counted. States that cannot reach the goal in time
//! are not kept, because there are too many. With exact distances no such states occur, and the
//! memo serves every board of the goal.
//!
//! *Limits.* A cap on the number of paths, a time limit or a node limit may end a count. The result
//! is then the number of different paths found so far. After the cap, searches for single paths
//! still find all first moves and the length of the common beginning.
//!
//! *Cost.* With exact distances, a few microseconds per board (3×3, memo in the cache). Otherwise
//! about as much as a complete last iteration, which is a few times the search for one path.

use super::bound::DistanceBound;
use super::known::{CountLimit, KnownPath, PathCount, ShortestPaths};
use super::memo::CountMemo;
use crate::board::frame::Space;
use crate::board::{Beginning, Move, Path, State};
use crate::system::{Budget, Limit};

/// A count in progress.
struct Count<'a, B: DistanceBound> {
    space: &'a Space,
    bound: &'a mut B,
    memo: &'a mut CountMemo,
    budget: &'a Budget<'a>,
    cells: usize,
    /// The number of states visited.
    nodes: u64,
    /// The number of different paths found.
    found: u64,
    /// The count ends when `found` exceeds this.
    cap: u64,
    /// True if the known path is the smallest.
    is_first: bool,
}

/// Counts the shortest paths of a state, one of which is known. All letters refer to the original
/// board, not to the frame.
pub(super) fn count<B: DistanceBound>(
    space: &Space,
    start: &State,
    known_path: KnownPath<'_>,
    bound: &mut B,
    memo: &mut CountMemo,
    budget: &Budget<'_>,
    cap: Option<u64>,
) -> ShortestPaths {
    let (cells, cap) = (space.shape.cells(), cap.unwrap_or(u64::MAX));
    let is_first = matches!(known_path, KnownPath::First(_));
    let mut count = Count { space, bound, memo, budget, cells, nodes: 0, found: 1, cap, is_first };
    let places = count.places(start, known_path.path());
    match count.count_all(&places) {
        // The sum is saturated, so there may be more.
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

/// A state on the known path and the move that follows.
struct Place<V> {
    state: State,
    value: V,
    letter: Move,
    /// The number of moves from the state to the goal.
    moves_left: u16,
}

impl<B: DistanceBound> Count<'_, B> {
    /// Returns the states of a path except the last one.
    fn places(&mut self, start: &State, path: &Path) -> Vec<Place<B::Value>> {
        let (mut state, mut value, mut moves_left) = (*start, self.bound.root(start), path.len() as u16);
        let mut places = Vec::with_capacity(path.len());
        for letter in path.moves() {
            places.push(Place { state, value, letter, moves_left });
            // A replayed path never leaves the board.
            let Some(next) = state.after(self.space.shape, self.space.order[letter.index()]) else { break };
            (value, moves_left) = (self.bound.after(&value, &state, &next), moves_left - 1);
            state = next;
        }
        places
    }

    /// Counts all paths, from the end of the known path to its start.
    ///
    /// # Errors
    /// The limit that ended the count, and the index of the place at which the path being searched
    /// left the known one.
    fn count_all(&mut self, places: &[Place<B::Value>]) -> Result<Beginning, (CountLimit, usize)> {
        let (mut total, mut forced) = (1u64, places.len());
        let mut first_moves: Vec<Move> = places.first().map(|place| place.letter).into_iter().collect();
        for (at, place) in places.iter().enumerate().rev() {
            for (letter, next, value) in self.other_moves(places, at) {
                let paths =
                    self.count_from(&next, &value, place.moves_left - 1, letter).map_err(|limit| (limit, at))?;
                if paths > 0 {
                    (total, forced) = (total.saturating_add(paths), at);
                    first_moves.extend((at == 0).then_some(letter));
                }
            }
            let key = self.memo.key(&place.state, self.cells);
            self.memo.insert(key, place.moves_left, total);
        }
        first_moves.sort_unstable();
        Ok(Beginning { first_moves, forced })
    }

    /// Returns the moves that other paths may take at a place, except the move back, and the states
    /// to which they lead.
    fn other_moves(&mut self, places: &[Place<B::Value>], at: usize) -> Vec<(Move, State, B::Value)> {
        let place = &places[at];
        let back = at.checked_sub(1).map(|before| places[before].state.blank());
        let mut moves = Vec::new();
        for (letter, to) in self.space.steps(place.state.blank()) {
            let is_other = if self.is_first { letter > place.letter } else { letter != place.letter };
            if is_other && Some(to) != back {
                let mut next = place.state;
                next.slide(to);
                let value = self.bound.after(&place.value, &place.state, &next);
                moves.push((letter, next, value));
            }
        }
        moves
    }

    /// Counts the paths of exactly `moves_left` moves from a state to the goal, given that no path
    /// is shorter. The state was reached by `letter`.
    fn count_from(
        &mut self,
        state: &State,
        value: &B::Value,
        moves_left: u16,
        letter: Move,
    ) -> Result<u64, CountLimit> {
        if B::h(value) > moves_left {
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
        if let Some((moves, paths)) = self.memo.get(key) {
            return if moves == moves_left { self.add_found(paths) } else { Ok(0) };
        }
        if moves_left == 0 {
            return if *state == self.space.goal() { self.add_found(1) } else { Ok(0) };
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
            paths = paths.saturating_add(self.count_from(&next, &value, moves_left - 1, letter)?);
        }
        if paths > 0 {
            self.memo.insert(key, moves_left, paths);
        }
        Ok(paths)
    }

    /// Adds to the number of paths found.
    fn add_found(&mut self, paths: u64) -> Result<u64, CountLimit> {
        self.found = self.found.saturating_add(paths);
        if self.found > self.cap { Err(CountLimit::Cap) } else { Ok(paths) }
    }

    /// Finds how paths begin, after the cap was reached on a path that leaves the known one at
    /// `at`. At the start and at the places before `at`, tries the moves that leave the known path,
    /// and searches for a single path after each, until the answer is known. Returns `None` if a
    /// limit was reached.
    fn beginning_after_cap(&mut self, places: &[Place<B::Value>], at: usize) -> Option<Beginning> {
        let mut forced = 0;
        while forced < at && !self.leaves(places, forced)? {
            forced += 1;
        }
        let first_moves = if forced == 0 { self.first_moves(places)? } else { vec![places.first()?.letter] };
        Some(Beginning { first_moves, forced })
    }

    /// Returns true if a shortest path leaves the known one at a place, or `None` if a limit was
    /// reached.
    fn leaves(&mut self, places: &[Place<B::Value>], at: usize) -> Option<bool> {
        for (letter, next, value) in self.other_moves(places, at) {
            if self.leads(&next, &value, places[at].moves_left - 1, letter)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns the first moves of all paths, or `None` if a limit was reached.
    fn first_moves(&mut self, places: &[Place<B::Value>]) -> Option<Vec<Move>> {
        let Some(start) = places.first() else { return Some(Vec::new()) };
        let mut first_moves = vec![start.letter];
        for (letter, next, value) in self.other_moves(places, 0) {
            if self.leads(&next, &value, start.moves_left - 1, letter)? {
                first_moves.push(letter);
            }
        }
        first_moves.sort_unstable();
        Some(first_moves)
    }

    /// Returns true if a path leads from a state to the goal in `moves_left` moves, or `None` if a
    /// limit was reached.
    fn leads(&mut self, state: &State, value: &B::Value, moves_left: u16, letter: Move) -> Option<bool> {
        (self.found, self.cap) = (0, 0);
        match self.count_from(state, value, moves_left, letter) {
            Ok(paths) => Some(paths > 0),
            Err(CountLimit::Cap) => Some(true),
            Err(CountLimit::Limit(_)) => None,
        }
    }
}
