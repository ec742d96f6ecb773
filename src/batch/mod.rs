//! The batch: reads chunks of records, solves the boards in parallel, and writes the results.
//!
//! The calling thread reads (`run`). It takes a permit ([`crate::batch::window`]), reads the
//! next chunk, and gives it to a pool of workers. A worker converts it to results (`chunk`):
//!
//! * Small boards in well-formed records are solved in blocks ([`fast_path`]), others one by one
//!   (`solve`).
//! * Boards in a full table are looked up together at the end of the chunk (`lookups`).
//! * Boards that need a search become separate tasks (`search`). Repeated boards are searched once
//!   if their results are still in the memo (`memo`). Until a search has ended, the results of the
//!   chunk have a hole in place of its result (`chunk_results`).
//!
//! The thread that finishes the next chunk in order writes it (`result_writer`) and frees its
//! permit. Only the reader waits for permits.
//!
//! Idle threads help with active searches ([`ThreadShare`]). On request, all threads search one
//! board at a time (the `SerialQueue` of `memo`).
//!
//! A panic is a bug in the program. It is caught, so that it affects as few records as possible.
//!
//! [`ThreadShare`]: crate::engine::ThreadShare

mod active_searches;
mod block_solvers;
mod chunk;
mod chunk_results;
mod earlier;
pub mod fast_path;
mod lookups;
mod memo;
mod progress;
mod result_writer;
pub mod resume;
mod run;
mod search;
mod solve;
#[cfg(test)]
mod tests;
mod totals;
pub mod window;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::format::style::Style;
use fast_path::FastPath;

pub use active_searches::SearchStatus;
pub use earlier::RepeatCounts;
pub use progress::{Journal, Progress, ResumePoint, Sink};
pub use run::{Error, run};
pub use totals::{Counts, Estimates, Slowest, Total, Totals};

/// The options of a batch.
#[derive(Clone, Debug)]
pub struct Options {
    /// True if results are written in the order of the records; otherwise in the order of
    /// completion.
    pub ordered: bool,
    /// The format of the results.
    pub style: Style,
    /// Maximum number of shortest paths counted for boards of more than 12 cells.
    pub count_cap: u64,
    /// Boards whose lower bound exceeds this number of moves are not searched.
    pub max_moves: Option<u64>,
    /// The memory in bytes for the digests of earlier boards, by which repeated boards are found.
    pub earlier_bytes: u64,
    /// The setting of the fast path for small boards. It does not affect the results.
    pub fast_path: FastPath,
}

impl Options {
    /// The default maximum number of shortest paths counted for boards of more than 12 cells.
    pub const COUNT_CAP: u64 = 1_000_000;

    /// Creates the default options of a run that writes results in this style.
    pub fn new(style: Style) -> Options {
        Options {
            ordered: true,
            style,
            count_cap: Options::COUNT_CAP,
            max_moves: None,
            earlier_bytes: 0,
            fast_path: FastPath::On,
        }
    }
}

/// Runs `work` and catches a panic in it. The caller must replace or restore what the panic may
/// have left inconsistent.
///
/// # Errors
/// The message of the panic, worded as the error of the record on which the program failed.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let panicked =
        |panic: Box<dyn Any + Send>| format!("the program failed on this record: {}", panic_message(&*panic));
    catch_unwind(AssertUnwindSafe(work)).map_err(panicked)
}

/// Returns the message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    message.unwrap_or("no message")
}
