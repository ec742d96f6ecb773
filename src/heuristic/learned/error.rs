//! Why a file of weights was not taken.

use std::io;

/// Why a file of weights was not taken.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It could not be read.
    #[error("cannot read the weights: {0}")]
    Io(#[from] io::Error),
    /// It does not begin as such files do.
    #[error("not a file of weights: expected a file that the trainer of this version wrote")]
    NotWeights,
    /// It is of another version.
    #[error("these weights have version {found}, and this program reads version {expected}: train them again")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// It is for boards that have no evaluation.
    #[error("these weights are for {0}, which no weights can be for")]
    Shape(String),
    /// Its bytes are not those that were written, or not all of them.
    #[error("the weights are damaged: {0}")]
    Damaged(String),
}
