//! Searches for shortest paths, all behind one question: from this solvable state to the goal.
//!
//! Engines know spaces and states only – nothing of files, JSON, the command line or goals as they
//! were given – and all of them answer with the canonical path (see [`crate::board::frame`]). How many
//! threads there are they learn from a [`ThreadShare`], and no answer depends on it.

pub mod astar;
pub mod automaton;
pub mod bidirectional;
pub mod contract;
mod enlarge;
pub mod full_table;
pub mod idastar;
pub mod line;
pub mod lookup;
mod ordered_chunks;
mod outcome;
pub mod path_table;
pub mod pdb_idastar;
mod retrace;
mod sync;
mod thread_share;
pub mod too_large;
pub mod visited;
mod word;
mod work_queue;

#[cfg(all(test, not(loom)))]
mod agreement;

pub use outcome::{Outcome, Proof, Stats};
pub use thread_share::{Helper, Parallel, Task, ThreadShare};
