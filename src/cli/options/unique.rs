//! The value of `--unique`.

use clap::ValueEnum;

/// The boards that `--unique` rejects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Unique {
    /// Duplicates.
    Boards,
    /// Duplicates, and reflections that keep the goal's blank in place.
    Reflections,
}
