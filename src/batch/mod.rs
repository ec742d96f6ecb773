//! The batch: from a reader of chunks to a writer of results.
//!
//! The calling thread reads (`pipeline`). It takes a permit ([`crate::batch::window`]), cuts off the next chunk and
//! gives it to a pool of workers. A worker turns it into text (`chunk`): boards that are well-formed and small in blocks
//! ([`fast_path`]), others one by one (`solve`); boards that go down a full table together at the chunk's end
//! (`deferred`); those that need a search in tasks of their own (`search`), each board at most once (`memo`). Until these
//! have ended the chunk is pending (`pending_chunk`). The thread that finishes the chunk that is due writes it
//! (`result_writer`), and the permit is free again. Only the reader ever waits.
//!
//! Threads that find no more chunks and boards help with the searches under way ([`ThreadShare`]); on
//! request all of them search one board after the other (`serial_queue`).
//!
//! [`ThreadShare`]: crate::engine::ThreadShare

mod block_solvers;
mod buffer_pool;
mod chunk;
mod chunk_output;
mod chunk_text;
mod completed;
mod deferred;
mod earlier;
pub mod fast_path;
mod large_records;
mod memo;
mod options;
mod panic_message;
mod pending_chunk;
mod pipeline;
mod progress;
mod result_writer;
pub mod resume;
mod run;
mod search;
mod search_task;
mod serial_queue;
mod sink;
mod solve;
#[cfg(test)]
mod tests;
mod totals;
mod under_way;
pub mod window;

pub use earlier::Repeats;
pub use options::Options;
pub use pipeline::{Error, run};
pub use progress::{Progress, ResumePoint};
pub use sink::{Journal, Sink};
pub use totals::{Counts, Slowest, Total, Totals};
pub use under_way::Waited;
