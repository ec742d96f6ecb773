//! Resuming runs: a checkpoint file next to the output.
//!
//! A [`Checkpoint`] identifies its run ([`Identity`]), and records the extent of the output and the
//! position in the input ([`Progress`]). It is committed after the output is durable: write and
//! fsync the output, write and fsync the checkpoint under another name, rename it, and fsync the
//! folder ([`CheckpointFile`]). So the output that a checkpoint on disk refers to is always on
//! disk. A [`CheckpointWriter`] commits in its own thread. When a run is resumed, the output that
//! the checkpoint does not include is truncated and computed again.
//!
//! Databases use the opposite order: a write-ahead log is written before the data. Here the data is
//! written first, then the small record that makes it valid. `docs/reliability.md` describes the
//! format and all guarantees.
//!
//! Another file contains snapshots of long searches, from which they are resumed
//! ([`SearchKeeper`]).
//!
//! [`Progress`]: super::Progress

mod checkpoint;
mod checkpoint_writer;
mod files;
mod identity;
mod search_keeper;

pub use checkpoint::{Checkpoint, CheckpointFile};
pub use checkpoint_writer::CheckpointWriter;
pub use files::{NamedFile, same_file};
pub use identity::Identity;
pub use search_keeper::SearchKeeper;
