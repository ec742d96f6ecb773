//! The search guided by a set of patterns and all sums that it forms ([`PatternSet`](crate::heuristic::pdb::PatternSet)).
//!
//! It takes part in the same iterations as the search over a partition: lists, chunks, threads and order are those of
//! [`super`], only what a node is and how it is expanded is different. All sums change by one with a move and
//! have the same parity, so their maximum changes by one, and what is said there of the maximum of two holds for any
//! number. With the patterns of one partition it expands the nodes of the search over that partition.

#[cfg(all(test, not(loom)))]
mod every_state_tests;
mod expand;
mod lookup;
mod node;
mod root;
mod row_index;
mod search;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;

pub(super) use self::root::root;
pub(super) use self::search::SetSearch;
pub(super) use self::tables::Tables;
