//! IDA*: depth-first search to a bound on f = depth + lower bound, the bound raised until it suffices.
//!
//! R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial
//! Intelligence 27, 1985. It needs next to no memory, but each iteration repeats the one before it.
//! This one does not while memory lasts: it keeps its *frontier*. The nodes cut in one iteration,
//! written down in depth-first order, are the roots of the next, so each node is generated once.
//! When the list would outgrow its memory it is frozen, and every later iteration searches
//! depth-first below its nodes.
//!
//! # Why the first solution found is the canonical path
//!
//! Call a path *within* a bound T if the f of each of its nodes is at most T, moves that undo the last
//! one left out. Children are tried in the order of their letters, so depth-first search from a node
//! meets the paths within T below it in lexicographic order.
//!
//! *The list is in lexicographic order, and cuts every path once.* At first it is the start alone. An
//! iteration replaces each root whose f is at most T by its cut descendants, in the order in which the
//! depth-first search meets them, and leaves the other roots where they are. None of the list's paths
//! is the beginning of another; and any longer path runs through exactly one node of the list. So the
//! paths below an earlier node all come before those below a later one.
//!
//! *No solution is lost.* The heuristic is consistent: f never falls along a path. If a shortest path
//! has length C, then f is at most C on all of it, and it is within C; no path to the goal is within a
//! smaller bound, f being the length there. All shortest paths, then, are within T = C and run through
//! nodes of the list that are due in that iteration (one may be the goal itself). The iteration meets them in lexicographic order and stops at the first. A path found
//! within C is no longer than C.
//!
//! *The next bound* is the least f that was cut. Since f grows by even steps this is T + 2 as a rule,
//! but nothing rests on it: a root whose f is larger still waits in its place until it is due.
//!
//! *Long links.* A link holds 31 letters; after as many, a node goes to the list although it is within
//! T. The least f in the list is then T itself, and the iteration is repeated with the same bound.
//! Of a solution found before that, only what precedes it is searched again, and what is found there
//! takes its place.
//!
//! # Several threads
//!
//! An iteration is a pass over the list, and what it does at one node depends on nothing that it does
//! at another. So threads that are free take stretches of the list (see `sweep.rs`). What they bring is put
//! together in the order of the list, the first solution *in that order* counts, and a solution ends the
//! work on what lies behind it only. The path is therefore the same, and so is every list.
//!
//! # Cost
//!
//! CPU time of one core of a shared 2.5 GHz machine, Korf's first twenty 15-puzzles: 110 million nodes
//! a second with walking distance, 92 with linear conflict, 54 with the larger of both. With heuristics
//! as cheap as these the list saves 2 to 5 % of the nodes in 16 MB and no time; what it is for is dear
//! nodes, and sharing a board among cores.

mod descend;
mod frontier;
mod sweep;

use self::descend::{Descent, Desk, End, Meter, Moves, Rung};
use self::frontier::{Frontier, Link, Node, Part};
use self::sweep::Sweep;
use super::{Budget, Crew, Outcome, Stats};
use crate::board::{Packed, Path, Solvable};
use crate::frame::Space;
use crate::heuristic::Heuristic;

/// A worker's memory, kept from board to board.
#[derive(Clone, Debug)]
pub struct Scratch<V> {
    /// The most that a frontier list with its links may take, in bytes.
    bytes: usize,
    moves: Option<Box<Moves>>,
    narrow: Lists<u64, V>,
    wide: Lists<u128, V>,
}

#[derive(Clone, Debug)]
struct Lists<K, V> {
    frontier: Frontier<K, V>,
    part: Part<K, V>,
    stack: Vec<Rung<K, V>>,
}

/// How much a search may keep, and two numbers that tests choose otherwise.
#[derive(Clone, Copy, Debug)]
struct Room {
    bytes: usize,
    /// Letters of a link.
    letters: usize,
    /// Nodes generated before help is called.
    help_from: u64,
}

impl<V> Scratch<V> {
    /// Some 80,000 nodes. On Korf's first sixteen boards 0, 16 and 64 MB took the same
    /// CPU time with every heuristic here, 256 MB 5 to 10 % more; but memory that is touched for the first time costs as much as
    /// hundreds of nodes a page. Ten random boards by walking-conflict on two threads (machine B of `benches/README.md`,
    /// 2026-11-21): 1.70 s of processor time and 12,500 page faults with 16 MB, 1.62 s and 5,300 with 4 MB. A
    /// shorter list has fewer roots to share out: with 4 MB a board of 12 s kept two threads busy for 1.96 of 2, with 16 MB for 1.97.
    pub const FRONTIER_BYTES: usize = 4 << 20;

    /// Memory whose frontier list takes at most `bytes`. Nothing is allocated before it is needed.
    pub fn new(bytes: usize) -> Scratch<V> {
        Scratch { bytes, moves: None, narrow: Lists::default(), wide: Lists::default() }
    }
}

impl<K, V> Default for Lists<K, V> {
    fn default() -> Lists<K, V> {
        Lists { frontier: Frontier::default(), part: Part::default(), stack: Vec::new() }
    }
}

impl<V> Default for Scratch<V> {
    fn default() -> Scratch<V> {
        Scratch::new(Scratch::<V>::FRONTIER_BYTES)
    }
}

/// Finds the canonical shortest path from `start` to the goal.
///
/// The heuristic must be one for this space, and the state one that was admitted to it. The search
/// ends after exactly [`Budget::nodes`] generated nodes, the start being the first of them; then, or
/// when interrupted, the bound it had reached is proven. What was spent is added to `stats`.
///
/// Threads of `crew` that are free help, and change neither the outcome nor, unless it was
/// interrupted, the stats: what they do beyond the search of one thread is not counted. A search with
/// a limit of nodes runs on one thread.
///
/// # Panics
/// On shapes of more than [`MAX_SEARCH_CELLS`](crate::board::MAX_SEARCH_CELLS) cells.
pub fn solve<H: Heuristic>(
    heuristic: &H,
    space: &Space,
    start: &Solvable,
    budget: &Budget,
    crew: &Crew,
    scratch: &mut Scratch<H::Value>,
    stats: &mut Stats,
) -> Outcome {
    let Scratch { bytes, moves, narrow, wide } = scratch;
    if moves.as_ref().is_none_or(|moves| moves.space() != space) {
        *moves = Some(Box::new(Moves::new(space)));
    }
    let Some(moves) = moves else { unreachable!("the moves were made just now") };
    let room = Room { bytes: *bytes, letters: Link::MAX_LETTERS, help_from: sweep::WORTH_HELP };
    let mut meter = Meter::start(budget);
    // A limit of nodes says which node is the last: one thread counts them.
    let alone = Crew::alone();
    let crew = if budget.nodes() < u64::MAX { &alone } else { crew };
    // The room is that of one list: the other is given back.
    let outcome = if space.shape.cells() <= <u64 as Packed>::MAX_CELLS {
        *wide = Lists::default();
        deepen(heuristic, moves, start, room, narrow, &mut meter, crew)
    } else {
        *narrow = Lists::default();
        deepen(heuristic, moves, start, room, wide, &mut meter, crew)
    };
    stats.expanded += meter.expanded;
    stats.generated += meter.generated();
    outcome
}

/// The iterations.
fn deepen<K: Packed, H: Heuristic>(
    heuristic: &H,
    moves: &Moves,
    start: &Solvable,
    room: Room,
    lists: &mut Lists<K, H::Value>,
    meter: &mut Meter,
    crew: &Crew,
) -> Outcome {
    let (space, state) = (moves.space(), start.state());
    let cells = space.shape.cells();
    let goal = K::of(&space.goal(), cells);
    let descent = Descent { heuristic, moves, goal, goal_blank: space.goal_blank.index(), letters: room.letters };
    let root = Node {
        board: K::of(state, cells),
        value: heuristic.root(state),
        depth: 0,
        blank: state.blank().index() as u8,
        last: Node::<K, H::Value>::START,
    };
    if root.board == goal {
        return Outcome::Solved(Path::new());
    }
    let Lists { frontier, part, stack } = lists;
    frontier.begin(root);
    part.clear();
    let mut bound = H::plies(root.value);
    let mut frozen = false;
    let mut found = None;
    loop {
        // The list's nodes from here on are searched without keeping what is cut.
        let mut rest = 0;
        let mut end = End::Exhausted;
        let nodes = frontier.room(room.bytes);
        let (roots, first, help_from) = (&frontier.nodes[..], frontier.first, room.help_from);
        let sweep = Sweep { descent: &descent, roots, first, bound, room: nodes, crew, help_from };
        let mut desk = Desk { part: &mut *part, stack: &mut *stack, meter: &mut *meter };
        if !frozen {
            end = sweep.run::<true>(0, &mut desk);
            rest = frontier.nodes.len();
            if let End::Full(index) = end {
                (rest, frozen) = (index, true);
            }
        }
        if frozen {
            end = sweep.run::<false>(rest, &mut desk);
        }
        match end {
            End::Limit(limit) => return Outcome::Unsolved { lower_bound: bound, limit },
            End::Goal(index, letters) => {
                let mut path = frontier.path_to(frontier.first + index as u32);
                path.extend(letters.moves());
                found = Some(path);
            }
            End::Exhausted | End::Full(_) => {}
        }
        let next = std::mem::replace(&mut part.next, u16::MAX);
        match found.take() {
            Some(path) if next > bound => return Outcome::Solved(path),
            path => found = path,
        }
        assert_ne!(next, u16::MAX, "a state that can be solved has a path");
        // The part replaces the roots that it grew from; those after them stay as they are.
        if rest > 0 {
            frontier.advance(rest, part);
        }
        bound = next;
    }
}

#[cfg(test)]
mod tests;
