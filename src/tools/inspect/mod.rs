//! What a set of boards is like: for every record how hard it is, in how many ways it is solved, and whether it is a duplicate.
//!
//! ```text
//! records ─▶ facts (many threads) ─┬─▶ a shortest path            ─┐
//!                                  ├─▶ how many there are          ├─▶ duplicates (in order) ─▶ sink
//!                                  └─▶ digests, heuristics        ─┘
//! ```
//!
//! Records are read in rounds, each as large as some tenths of a second take; a round's records are examined on all
//! threads and given away in order. Duplicates are looked up then, by one thread. So the facts of a record depend only on
//! the records before it, whatever the number of threads. (Time limits apart, and what `--memory` leaves room for.)
//!
//! In memory there are a round's records and facts, some hundred bytes each, at most [`run::MAX_RECORDS_PER_THREAD`] for each
//! thread; tables and lists of the searches; what was counted ([`crate::tools::labels`]); and the digests
//! (`duplicates.rs`). `assertions.rs` and `tally.rs` are what `assert` adds.

mod assertions;
mod duplicates;
mod examiner;
mod facts;
mod fields;
mod run;
mod sink;
mod tally;
mod write;

pub use assertions::{Assertions, Condition, Uniqueness, Violation};
pub use duplicates::Occurrence;
#[cfg(test)]
pub use duplicates::Place;
pub use facts::{Requested, Status};
pub use fields::{Field, schema};
pub use run::{Error, Options, Report, run};
pub use sink::{Examined, Sink};
pub use tally::{FileTally, Tally};
pub use write::Fields;
