//! The batch: from a reader of chunks to a writer of results.
//!
//! The calling thread reads (`pipeline`). It takes a permit ([`crate::batch::window`]), reads the
//! next chunk, and gives it to a pool of workers. A worker converts it to results (`chunk`):
//!
//! * Small boards in well-formed records are solved in blocks ([`fast_path`]), others one by one
//!   (`solve`).
//! * Boards in a full table are looked up together at the end of the chunk (`lookups`).
//! * Boards that need a search become separate tasks (`search`). Repeated boards are searched once
//!   if their results are still in the memo (`memo`). Until the searches have ended, their results
//!   are holes in the results of the chunk (`chunk_results`).
//!
//! The thread that finishes the next chunk in order writes it (`result_writer`) and frees its
//! permit. Only the reader waits for permits.
//!
//! Idle threads help with active searches ([`ThreadShare`]). On request, all threads search one
//! board at a time (`serial_queue`).
//!
//! [`ThreadShare`]: crate::engine::ThreadShare

mod active_searches;
mod block_solvers;
mod buffer_pool;
mod chunk;
mod chunk_results;
mod earlier;
pub mod fast_path;
mod faults;
mod lookups;
mod memo;
mod options;
mod pipeline;
mod progress;
mod result_writer;
pub mod resume;
mod run;
mod search;
mod serial_queue;
mod solve;
#[cfg(test)]
mod tests;
mod totals;
pub mod window;

pub use active_searches::SearchStatus;
pub use earlier::Repeats;
pub use options::Options;
pub use pipeline::{Error, run};
pub use progress::{Journal, Progress, ResumePoint, Sink};
pub use totals::{Counts, Estimates, Slowest, Total, Totals};
