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
//! nodes of the list that are due in that iteration (one may be the goal itself). The iteration meets them in
//! lexicographic order and stops at the first. A path found within C is no longer than C.
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
//! at another. So idle threads take chunks of the list (see `pass.rs`). Their results are put
//! together in the order of the list, the first solution *in that order* counts, and a solution ends the
//! work on what lies behind it only. The path is therefore the same, and so is every list.
//!
//! # Cost
//!
//! A node costs 10 to 20 ns, by the heuristic (`benches/README.md`). With heuristics as cheap as the walking distance and
//! linear conflict the list saves 2 to 5 % of the nodes in 16 MB and no time; it is there for expensive
//! nodes, and for sharing a board among cores.

mod deepen;
mod depth_first;
mod engine;
mod frontier;
mod move_table;
mod node_counter;
mod pass;
mod sampling;
#[cfg(test)]
mod tests;

use self::deepen::{Lists, Settings, deepen};
pub use self::engine::IdaStar;
pub(in crate::engine) use self::engine::walking_conflict;
use self::move_table::MoveTable;
use self::node_counter::NodeCounter;
use super::{Outcome, SearchLog, Stats, ThreadShare};
use crate::board::frame::Space;
use crate::board::{Packed, Solvable};
use crate::heuristic::Heuristic;
use crate::system::Budget;

/// A worker's memory, kept from board to board.
#[derive(Clone, Debug)]
pub struct Scratch<V> {
    /// The most that a frontier list with its links may take.
    bytes: usize,
    moves: Option<Box<MoveTable>>,
    narrow: Lists<u64, V>,
    wide: Lists<u128, V>,
}

impl<V> Scratch<V> {
    /// Some 80,000 nodes. Longer lists gain no processor time, since memory that is touched for the first time costs as much
    /// as hundreds of nodes a page; shorter lists have fewer roots to share out among threads. Tuned by random boards with
    /// walking-conflict; the figures are in `benches/README.md`.
    pub const FRONTIER_BYTES: usize = 4 << 20;

    /// Memory whose frontier list takes at most `bytes`. Nothing is allocated before it is needed.
    pub fn new(bytes: usize) -> Scratch<V> {
        Scratch { bytes, moves: None, narrow: Lists::default(), wide: Lists::default() }
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
/// Idle threads of `thread_share` help, and change neither the outcome nor, unless it was
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
    thread_share: &ThreadShare,
    scratch: &mut Scratch<H::Value>,
    stats: &mut Stats,
) -> Outcome {
    solve_and_tell(heuristic, (space, start), (budget, thread_share), scratch, stats, &SearchLog::default())
}

/// The same, with a log of its iterations.
fn solve_and_tell<H: Heuristic>(
    heuristic: &H,
    (space, start): (&Space, &Solvable),
    (budget, thread_share): (&Budget, &ThreadShare),
    scratch: &mut Scratch<H::Value>,
    stats: &mut Stats,
    log: &SearchLog,
) -> Outcome {
    let Scratch { bytes, moves, narrow, wide } = scratch;
    if moves.as_ref().is_none_or(|moves| moves.space() != space) {
        *moves = Some(Box::new(MoveTable::new(space)));
    }
    let Some(moves) = moves else { unreachable!("the moves were made just now") };
    let settings = Settings::new(*bytes);
    let mut counter = NodeCounter::start(budget).telling(log);
    // A limit of nodes says which node is the last: one thread counts them.
    let alone = ThreadShare::alone();
    let thread_share = if budget.nodes() < u64::MAX { &alone } else { thread_share };
    // There is memory for one kind of lists: that of the other is given back.
    let outcome = if space.shape.cells() <= <u64 as Packed>::MAX_CELLS {
        *wide = Lists::default();
        deepen(heuristic, moves, start, settings, narrow, &mut counter, thread_share)
    } else {
        *narrow = Lists::default();
        deepen(heuristic, moves, start, settings, wide, &mut counter, thread_share)
    };
    log.end(counter.generated());
    stats.add(&Stats { expanded: counter.expanded, generated: counter.generated() });
    outcome
}
