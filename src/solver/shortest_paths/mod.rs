//! All shortest paths of a board, given one of them: their number, their common beginning, and a
//! list of the first ones in lexicographic order.
//!
//! *The count.* One shortest path is known. Every other shortest path leaves it for the first time
//! at exactly one board, the i-th, by another move. So the total is 1 plus, for every i, the number
//! of paths that begin there with another move and reach the goal in the remaining moves. If the
//! known path is the canonical one, which is the smallest, only moves with greater letters need to
//! be tried. The paths are counted by a depth-first search that prunes states which are too far
//! according to a [`Bound`] (like the last iteration of Korf's IDA*, 1985, but exhaustive).
//!
//! *States on several paths* are counted once, because the number and the length of the shortest
//! paths from a state do not depend on how it was reached. A [`CountMemo`] keeps both for states on
//! shortest paths. The count proceeds from the known path's end to its start, so that when a path
//! returns to the known one, the rest is already counted. States that cannot reach the goal in the
//! remaining moves are not kept, because there are too many. With exact distances no such states
//! occur, and the memo serves every board of the goal.
//!
//! *The list* is found by another depth-first search, which tries moves in the order of their
//! letters. So paths are found in the canonical order D < L < R < U, and a truncated list contains
//! the first of them. The memo of the count shows which states reach the goal. If it is complete,
//! no state is visited in vain and the cost is proportional to the list. If it is not, because its
//! size is bounded, a limited number of dead ends is remembered.
//!
//! *Limits.* A cap on the number of paths, a time limit or a node limit may end a count. The result
//! is then the number of different paths found so far. After the cap, searches for single paths
//! still find all first moves and the length of the common beginning.
//!
//! *Cost.* With exact distances, a board takes a few microseconds (3×3, memo in the cache).
//! Otherwise it takes about as long as a complete last iteration, which is a few times as long as
//! the search for one path.

mod states;

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use self::states::{Bound, BoundValue};
use super::prepared_goal::PreparedGoal;
use crate::board::frame::Space;
use crate::board::{Beginning, Board, Cell, Move, Path, PathList, State};
use crate::engine::contract::{LowerBounds, Readiness};
use crate::engine::{full_table, lookup};
use crate::system::{Budget, Limit, Limits, sort_few};

pub use self::states::CountMemo;

/// Maximum number of cells for which all shortest paths are counted without a cap.
const COUNTED_CELLS: usize = full_table::MAX_CELLS;

// Boards with exact distances have at most this many cells, so they have no cap, and the keys of
// the memo have room for the shape.
const _: () = assert!(COUNTED_CELLS > lookup::MAX_INSTANT_CELLS);

/// The options of a count and of the list of paths.
#[derive(Clone, Copy, Debug)]
pub struct CountOptions<'a> {
    /// The limits for each board.
    pub limits: &'a Limits,
    /// Maximum number of paths counted for boards of more than 12 cells.
    pub cap: u64,
    /// Maximum number of paths listed. The list contains the smallest ones in lexicographic order.
    pub max_listed: usize,
    /// True if the known path is the canonical one, the smallest of all shortest paths.
    pub path_is_canonical: bool,
    /// A flag that ends the work when set.
    pub stop: &'a AtomicBool,
}

/// The shortest paths of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ShortestPaths {
    /// The number of paths.
    pub count: PathCount,
    /// Their beginning, if known.
    pub beginning: Option<Beginning>,
}

/// The number of shortest paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PathCount {
    /// The exact number.
    Exactly(u64),
    /// A lower bound, because the count ended early.
    AtLeast(u64, CountLimit),
}

/// The reason why a count ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CountLimit {
    /// The cap was reached.
    Cap,
    /// A limit on the work for the board was reached, or the count was cancelled.
    Limit(Limit),
}

impl CountLimit {
    /// Returns the name used in results.
    pub const fn name(self) -> &'static str {
        match self {
            CountLimit::Cap => "count-cap",
            CountLimit::Limit(limit) => limit.name(),
        }
    }
}

/// Counts the shortest paths of a board and lists the smallest. `known` is one of the shortest
/// paths. There is no list if a limit ended the listing early. Returns `None` for boards too large
/// to be searched. `memo` may serve the next board.
pub fn count(
    memo: &mut CountMemo,
    options: &CountOptions<'_>,
    prepared: &PreparedGoal,
    board: &Board,
    known: &Path,
) -> Option<(ShortestPaths, Option<PathList>)> {
    // A board on a line has only one shortest path, and so does the goal itself.
    if board.shape().is_line() || known.is_empty() {
        let beginning = Beginning { first_moves: known.moves().take(1).collect(), forced: known.len() };
        let paths = ShortestPaths { count: PathCount::Exactly(1), beginning: Some(beginning) };
        return Some((paths, Some(PathList::only(known, options.max_listed))));
    }
    let (space, start) = (prepared.space()?, prepared.frame.as_ref()?.admit(board)?);
    // With a node limit, the bounds do not depend on the tables built so far, so that the same
    // limit gives the same results in every run.
    let readiness = if options.limits.nodes.is_some() { Readiness::Fixed } else { Readiness::Latest };
    let conflict;
    let bounds = match prepared.engine.lower_bounds(readiness) {
        LowerBounds::None => {
            conflict = prepared.builder.walking_conflict(space);
            LowerBounds::WalkingConflict(&conflict)
        }
        bounds => bounds,
    };
    let mut bound = Bound::new(space, bounds);
    let (state, value) = (*start.state(), bound.root(start.state()));
    let start = ReachedState { value, state, moves_left: known.len() as u16, last: None };
    let cap = if space.shape.cells() > COUNTED_CELLS { options.cap } else { u64::MAX };
    // With exact distances no state is visited in vain, so nodes are not limited.
    let nodes = options.limits.nodes.filter(|_| !bound.is_exact());
    let budget = Budget::start(&Limits { nodes, ..*options.limits }, options.stop);
    memo.begin(space, bound.is_exact());
    let path_is_canonical = options.path_is_canonical;
    let mut search = PathSearch { space, bound, memo, budget, nodes: 0, found: 1, cap, path_is_canonical };
    let places = search.places(start, known);
    let (count, beginning) = match search.count_all(&places) {
        // The sum is saturated, so there may be more.
        Ok(beginning) if search.found == u64::MAX => (PathCount::AtLeast(u64::MAX, CountLimit::Cap), Some(beginning)),
        Ok(beginning) => (PathCount::Exactly(search.found), Some(beginning)),
        Err((limit, at)) => {
            let found = search.found.min(cap.saturating_add(1));
            let beginning = if limit == CountLimit::Cap { search.beginning_after_cap(&places, at) } else { None };
            (PathCount::AtLeast(found, limit), beginning)
        }
    };
    let list = match options.max_listed {
        0 => Some(PathList::new(known.len())),
        max => search.list(&places[0], max, matches!(count, PathCount::Exactly(_))),
    };
    Some((ShortestPaths { count, beginning }, list))
}

/// A search for the shortest paths of one board. All letters refer to the original board, not to
/// the frame.
struct PathSearch<'a> {
    space: &'a Space,
    bound: Bound<'a>,
    memo: &'a mut CountMemo,
    budget: Budget<'a>,
    /// The number of states visited by the count or by the list.
    nodes: u64,
    /// The number of different paths found.
    found: u64,
    /// The count ends when `found` exceeds this.
    cap: u64,
    /// True if the known path is the canonical one.
    path_is_canonical: bool,
}

/// A state that a search has reached.
struct ReachedState {
    state: State,
    value: BoundValue,
    /// The number of moves that are left to reach the goal.
    moves_left: u16,
    /// The move that led to the state; `None` at the start.
    last: Option<Move>,
}

impl ReachedState {
    /// Returns the moves from the state, except the move back, and the blank's new cells.
    fn steps(&self, space: &Space) -> impl Iterator<Item = (Move, Cell)> {
        let back = self.last.map(Move::inverse);
        space.steps(self.state.blank()).filter(move |(letter, _)| Some(*letter) != back)
    }
}

/// Maximum number of dead ends remembered for a list.
const MAX_DEAD: usize = 1 << 16;

/// A list of paths in progress.
struct PathListing {
    list: PathList,
    max_paths: usize,
    /// True if the memo contains all states on shortest paths.
    is_complete: bool,
    /// The letters of the path to the current state.
    path: Vec<u8>,
    /// The keys of states, each with a number of moves in which the state cannot reach the goal.
    dead: HashSet<(u128, u16)>,
}

impl PathSearch<'_> {
    /// Returns the *places* of a path, which are the states on it, from its start to the goal.
    fn places(&mut self, start: ReachedState, path: &Path) -> Vec<ReachedState> {
        let mut places = vec![start];
        for (at, letter) in path.moves().enumerate() {
            let (blank, step) = (places[at].state.blank(), self.space.order[letter.index()]);
            // A replayed path never leaves the board.
            let Some(to) = self.space.shape.neighbour(blank, step) else { break };
            places.push(self.after(&places[at], letter, to));
        }
        places
    }

    /// Returns the state after a move of the blank to a cell.
    fn after(&mut self, node: &ReachedState, letter: Move, to: Cell) -> ReachedState {
        let mut state = node.state;
        state.slide(to);
        let value = self.bound.after(&node.value, &node.state, self.space.order[letter.index()], &state);
        ReachedState { state, value, moves_left: node.moves_left - 1, last: Some(letter) }
    }

    /// Counts a state that is visited.
    ///
    /// # Errors
    /// The limit that ends the search.
    fn visit(&mut self) -> Result<(), CountLimit> {
        self.nodes += 1;
        if self.nodes >= self.budget.nodes() {
            return Err(CountLimit::Limit(Limit::Nodes));
        }
        let limit = if self.nodes.is_multiple_of(Budget::POLL_NODES) { self.budget.interrupted() } else { None };
        limit.map_or(Ok(()), |limit| Err(CountLimit::Limit(limit)))
    }

    /// Counts all paths, from the end of the known path to its start.
    ///
    /// # Errors
    /// The limit that ended the count, and the index of the place at which the path being searched
    /// left the known one.
    fn count_all(&mut self, places: &[ReachedState]) -> Result<Beginning, (CountLimit, usize)> {
        let (mut total, mut forced) = (1u64, places.len() - 1);
        let mut first_moves: Vec<Move> = places.get(1).and_then(|next| next.last).into_iter().collect();
        for at in (0..places.len() - 1).rev() {
            for next in self.other_moves(places, at) {
                let paths = self.count_from(&next).map_err(|limit| (limit, at))?;
                if paths > 0 {
                    (total, forced) = (total.saturating_add(paths), at);
                    first_moves.extend(next.last.filter(|_| at == 0));
                }
            }
            let key = self.memo.key(&places[at].state, self.space.shape.cells());
            self.memo.insert(key, places[at].moves_left, total);
        }
        sort_few(&mut first_moves, |&letter| letter);
        Ok(Beginning { first_moves, forced })
    }

    /// Returns the states to which other paths may move from a place, except the previous place.
    fn other_moves(&mut self, places: &[ReachedState], at: usize) -> Vec<ReachedState> {
        let (place, known, path_is_canonical) = (&places[at], places[at + 1].last, self.path_is_canonical);
        let is_other = |letter| if path_is_canonical { Some(letter) > known } else { Some(letter) != known };
        let others = place.steps(self.space).filter(|(letter, _)| is_other(*letter));
        others.map(|(letter, to)| self.after(place, letter, to)).collect()
    }

    /// Counts the paths from a state to the goal in exactly the moves left, given that no path is
    /// shorter.
    fn count_from(&mut self, node: &ReachedState) -> Result<u64, CountLimit> {
        if node.value.h() > node.moves_left {
            return Ok(0);
        }
        self.visit()?;
        let key = self.memo.key(&node.state, self.space.shape.cells());
        if let Some((moves, paths)) = self.memo.get(key) {
            return if moves == node.moves_left { self.add_found(paths) } else { Ok(0) };
        }
        if node.moves_left == 0 {
            return if node.state == self.space.goal() { self.add_found(1) } else { Ok(0) };
        }
        let mut paths = 0u64;
        for (letter, to) in node.steps(self.space) {
            let next = self.after(node, letter, to);
            paths = paths.saturating_add(self.count_from(&next)?);
        }
        if paths > 0 {
            self.memo.insert(key, node.moves_left, paths);
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
    fn beginning_after_cap(&mut self, places: &[ReachedState], at: usize) -> Option<Beginning> {
        let mut forced = 0;
        while forced < at && self.leaving_moves(places, forced, 1)?.is_empty() {
            forced += 1;
        }
        let mut first_moves = vec![places.get(1)?.last?];
        if forced == 0 {
            first_moves.extend(self.leaving_moves(places, 0, usize::MAX)?);
            sort_few(&mut first_moves, |&letter| letter);
        }
        Some(Beginning { first_moves, forced })
    }

    /// Returns up to `max` moves by which shortest paths leave the known one at a place, or `None`
    /// if a limit was reached.
    fn leaving_moves(&mut self, places: &[ReachedState], at: usize, max: usize) -> Option<Vec<Move>> {
        let mut leaving = Vec::new();
        for next in self.other_moves(places, at) {
            // The search ends at the first path.
            (self.found, self.cap) = (0, 0);
            match self.count_from(&next) {
                Ok(0) => continue,
                Ok(_) | Err(CountLimit::Cap) => leaving.extend(next.last),
                Err(CountLimit::Limit(_)) => return None,
            }
            if leaving.len() == max {
                break;
            }
        }
        Some(leaving)
    }

    /// Returns the `max_paths` smallest of the shortest paths of a state, or `None` if a limit
    /// ended the list early. `is_counted` is true if the count is exact.
    fn list(&mut self, start: &ReachedState, max_paths: usize, is_counted: bool) -> Option<PathList> {
        self.nodes = 0;
        let moves = usize::from(start.moves_left);
        let mut listing = PathListing {
            list: PathList::new(moves),
            max_paths,
            // The memo is complete after an exact count, unless it is full.
            is_complete: is_counted && self.memo.has_room(),
            path: Vec::with_capacity(moves),
            dead: HashSet::new(),
        };
        match self.list_from(start, &mut listing) {
            Ok(_) | Err(CountLimit::Cap) => Some(listing.list),
            Err(CountLimit::Limit(_)) => None,
        }
    }

    /// Lists the paths from a state to the goal in exactly the moves left, and returns true if
    /// there are any.
    ///
    /// # Errors
    /// The limit that was reached, or the cap if the list has as many paths as requested.
    fn list_from(&mut self, node: &ReachedState, listing: &mut PathListing) -> Result<bool, CountLimit> {
        let moves_left = node.moves_left;
        if node.value.h() > moves_left || moves_left == 0 && node.state != self.space.goal() {
            return Ok(false);
        }
        if moves_left == 0 {
            listing.list.push(&listing.path);
            return if listing.list.len() == listing.max_paths { Err(CountLimit::Cap) } else { Ok(true) };
        }
        self.visit()?;
        let key = self.memo.key(&node.state, self.space.shape.cells());
        let is_dead_end = self.memo.get(key).map_or(listing.is_complete, |(moves, _)| moves != moves_left);
        if is_dead_end || listing.dead.contains(&(key, moves_left)) {
            return Ok(false);
        }
        let mut found_any = false;
        for (letter, to) in node.steps(self.space) {
            let next = self.after(node, letter, to);
            listing.path.push(letter.letter());
            let found = self.list_from(&next, listing);
            listing.path.pop();
            found_any |= found?;
        }
        if !found_any && listing.dead.len() < MAX_DEAD {
            listing.dead.insert((key, moves_left));
        }
        Ok(found_any)
    }
}
