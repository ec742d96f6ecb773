//! Iterative deepening A* (IDA*), whatever heuristic guides it.
//!
//! R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial
//! Intelligence 27, 1985. A depth-first search is cut where f = depth + h exceeds a bound, and the
//! bound is raised until a solution is found. Three things are added to the textbook's algorithm:
//!
//! * No iteration repeats the one before it while memory lasts: the nodes that one iteration cut,
//!   in depth-first order, are the roots of the next ([`list`]).
//! * Over pattern databases the nodes are expanded in batches, so that table entries arrive from
//!   memory while others are worked on ([`batch`]).
//! * Operator sequences that only lead to duplicates are pruned by a finite-state machine
//!   ([`automaton`](super::automaton)).
//!
//! # What calls what
//!
//! | part | job |
//! |---|---|
//! | [`heuristic_engine`], [`pattern_engine`] | the [`Engine`](super::contract::Engine)s: which tables, which automaton |
//! | [`search`] | `dyn Search`, which they hold: no caller depends on the guide |
//! | [`deepen`] | the iterations, limits, resuming |
//! | [`growing`], [`frozen`] | one iteration while the list grows, and after memory has run out |
//! | [`list`] | the list, and the path to each of its nodes |
//! | [`expander`] | the contract: a chunk of nodes in, their descendants at the bound out |
//! | [`plain`](mod@plain) | an expander for a heuristic that costs a few nanoseconds |
//! | [`batch`] | an expander for pattern databases, over a *guide* that generates children |
//! | [`partition`], [`collection`], `seven_eight` | the guides |
//!
//! # Every cut node is expanded in the next iteration
//!
//! *A move changes h by exactly one.* That is part of the contract of
//! [`Heuristic`](crate::heuristic::Heuristic). It also holds for sums of pattern databases: a move
//! changes the value of the pattern that has the moved tile by one and no other. Of several such
//! sums the maximum changes by one too: all of them are 0 at the goal and change with every move, so
//! they have the same parity. Those that are equal to the maximum either all fall, or one of them
//! rises; the others are less by at least two and can at most catch up.
//!
//! So f = depth + h stays or grows by two with every move. In the iteration with bound T every root
//! and every expanded node has f = T, every cut node has f = T + 2, and T + 2 is the next bound.
//!
//! # Why the first solution is the canonical path
//!
//! Children are generated in the order of their letters, so depth-first search meets the paths below
//! a node in lexicographic order. *The list is in that order and cuts every path once*: an iteration
//! replaces each root by its cut descendants, in the order in which the search meets them.
//! *No solution is lost*: h is consistent, so f never decreases along a path, and a shortest path of
//! length C is within the bound C. Solutions are looked for in the order of the list, and in a
//! chunk that has solutions the first one in depth-first order is taken. The automaton prunes a path
//! only if a shorter one, or an equally long one that is lexicographically smaller, leads to the same
//! board, so it never prunes a beginning of the canonical path.
//!
//! # Several threads
//!
//! What an iteration does at one chunk of the list depends on nothing that it does at another. So
//! idle threads take chunks, their results are joined in the order of the list, and the first
//! solution in that order is taken. The path, the lists and the number of nodes are those of one
//! thread.
//!
//! # Nodes
//!
//! Nodes for a random 15-puzzle, with an automaton of depth 10 (12 for `7-8`): `5-5-5` 300,000,
//! `6-6-3` 167,000, `7-7-1` 52,000, `7-8` 13,000. The time for a node is measured by
//! `benches/yardstick`.

mod batch;
mod chunk;
mod collection;
mod deepen;
mod expander;
mod frozen;
mod growing;
mod heuristic_engine;
mod incumbent;
mod list;
mod node_counter;
mod partition;
mod pattern_engine;
mod plain;
mod sampling;
mod search;
#[cfg(target_arch = "x86_64")]
mod seven_eight;
#[cfg(all(test, not(loom)))]
mod tests;

pub use self::deepen::Context;
pub use self::heuristic_engine::IdaStar;
pub use self::pattern_engine::{BuiltTables, PatternEngine};
pub use self::search::{Scratch, Search, over_collection, over_partition, plain};
