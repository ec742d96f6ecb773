//! Resuming runs: a checkpoint file next to the output.
//!
//! A [`Checkpoint`] identifies its run ([`Identity`]) and records how far its output reaches and at
//! which position its input continues ([`Progress`]). It is committed after the output is durable:
//! write, fsync, write the checkpoint under another name, fsync, rename, fsync of the folder
//! ([`CheckpointFile`]). So the output of the checkpoint on disk is always on disk too. Output
//! beyond it is truncated and computed again. The threads that solve do none of this: a
//! [`CheckpointWriter`] has its own thread.
//!
//! Databases do this in the opposite order: a write-ahead log is written before the data. Here the
//! data is written first, then the small record that makes it valid. `docs/reliability.md`
//! describes every byte and all guarantees.
//!
//! A [`SearchesFile`] next to the checkpoint holds snapshots of long searches, from which they
//! resume ([`SearchKeeper`]).
//!
//! [`Progress`]: super::Progress

mod checkpoint;
mod checkpoint_file;
mod checkpoint_writer;
mod identity;
mod named_file;
mod search_keeper;
mod searches_file;

pub use checkpoint::{Checkpoint, Damage};
pub use checkpoint_file::{CheckpointFile, Error};
pub use checkpoint_writer::CheckpointWriter;
pub use identity::Identity;
pub use named_file::{NamedFile, same_file};
pub use search_keeper::{Kept, SearchKeeper};
pub use searches_file::SearchesFile;
