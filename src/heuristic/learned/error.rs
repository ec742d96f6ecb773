//! Errors in files of weights.

use std::io;

/// An error in reading a file of weights.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read.
    #[error("cannot read the weights: {0}")]
    Io(#[from] io::Error),
    /// The file does not begin like a file of weights.
    #[error("not a file of weights: expected a file written by the trainer of this version")]
    NotWeights,
    /// The file has another version.
    #[error("these weights have version {found}, and this program reads version {expected}: train them again")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// The weights are for unsupported boards.
    #[error("these weights are for {0}, which is not supported")]
    Shape(String),
    /// The file is damaged or incomplete.
    #[error("the weights are damaged: {0}")]
    Damaged(String),
}
