//! Iterative deepening A* (IDA*), independent of the heuristic that guides it.
//!
//! R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial
//! Intelligence 27, 1985. A depth-first search prunes nodes with f = depth + h above a bound, and
//! the bound is raised until a solution is found. Three things are added to the textbook algorithm:
//!
//! * No iteration repeats the previous one while memory lasts: the nodes that one iteration cut, in
//!   depth-first order, are the roots of the next ([`list`]).
//! * With pattern databases, nodes are expanded in batches, so that table entries arrive from
//!   memory while others are processed ([`batch`]).
//! * Duplicate operator sequences are pruned by a finite-state machine
//!   ([`automaton`](super::automaton)).
//!
//! # Modules
//!
//! | module | purpose |
//! |---|---|
//! | [`engine`] | the [`Engine`](super::contract::Engine): chooses tables and automaton |
//! | [`search`] | `dyn Search`, which hides the guide; sampling |
//! | [`deepen`] | iterations, limits and resuming |
//! | [`proof`] | a path of another engine, to be proven shortest |
//! | [`growing`], [`frozen`] | one iteration while the list grows, and after memory has run out |
//! | [`list`] | the list, and the path to each of its nodes |
//! | [`expander`] | the interface: a chunk of nodes in, their cut descendants out |
//! | [`plain`](mod@plain) | an expander for a heuristic that costs a few nanoseconds |
//! | [`batch`] | an expander for pattern databases, over a *guide* that generates children |
//! | [`partition`], [`collection`], `seven_eight` | the guides |
//!
//! # Every cut node is expanded in the next iteration
//!
//! *A move changes h by exactly one.* This is part of the contract of
//! [`Heuristic`](crate::heuristic::Heuristic). It also holds for sums of pattern databases: a move
//! changes by one the value of the pattern that contains the moved tile, and leaves the other
//! values unchanged. The maximum of several such sums changes by one too: all of them are 0 at the
//! goal and change by one with every move, so they have the same parity. If one of the sums equal
//! to the maximum rises, the maximum rises. Otherwise they all fall, and so does the maximum: the
//! other sums are less by at least two, so they rise to the new maximum at most.
//!
//! So f = depth + h stays the same or grows by two with every move. In the iteration with bound T,
//! while cut nodes are kept, every root and every expanded node has f = T, every cut node has
//! f = T + 2, and T + 2 is the next bound.
//!
//! # Why the first solution is the canonical path
//!
//! Children are generated in the order of their letters, so depth-first search visits the paths
//! below a node in lexicographic order. *The list is in that order and contains exactly one node of
//! every path not pruned*: an iteration replaces each root by its cut descendants, in the order in
//! which the search visits them. *No solution is lost*: h is consistent, so f never decreases along
//! a path, and a shortest path of length C is within the bound C. Solutions are searched for in the
//! order of the list. In a chunk that has solutions, the first in depth-first order is taken. The
//! automaton prunes a path only if the same board is reached by a shorter path, or by a
//! lexicographically smaller path of equal length. So it never prunes a prefix of the canonical
//! path.
//!
//! # Several threads
//!
//! The work on one chunk of the list does not depend on the work on any other. So idle threads take
//! chunks, the results are joined in list order, and the first solution in that order is taken. The
//! path, the lists and the number of nodes are the same as with one thread.
//!
//! # Nodes
//!
//! Average numbers of nodes for a random 15-puzzle, with an automaton of depth 10 (12 for `7-8`):
//! `5-5-5` 300,000, `6-6-3` 167,000, `7-7-1` 52,000, `7-8` 13,000. `benches/yardstick` measures the
//! time per node.

mod batch;
mod collection;
mod deepen;
mod engine;
mod expander;
mod frozen;
mod growing;
mod list;
mod partition;
mod plain;
mod proof;
mod search;
#[cfg(target_arch = "x86_64")]
mod seven_eight;
#[cfg(all(test, not(loom)))]
mod tests;

pub use self::deepen::Context;
pub use self::engine::{BuiltTables, IdaStar};
pub use self::search::{Scratch, Search, over_collection, over_partition, plain};
