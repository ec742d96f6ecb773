//! Going on where an earlier run ended: a checkpoint beside the output.
//!
//! A [`Checkpoint`] says which run it is of ([`Identity`]), how far its output reaches and where its input
//! goes on ([`Progress`]). It is committed after the output is durable: write, fsync, then the checkpoint
//! under another name, fsync, rename, fsync of the folder ([`CheckpointFile`]). So at any moment the checkpoint on disk
//! is one whose output is on disk too; what the output holds beyond is cut off and done again. Nothing of
//! this is done by the threads that solve: a [`CheckpointWriter`] has one of its own.
//!
//! Databases do the same the other way round (a write-ahead log comes before the data; here the data come first, then the
//! small record that makes them count). `docs/reliability.md` describes every byte and what is promised.
//!
//! Beside it a [`SearchesFile`] says where searches stand that take long, so that they go on there ([`SearchKeeper`]).
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
