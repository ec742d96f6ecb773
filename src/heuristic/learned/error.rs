//! Why a file of weights was not taken.

use std::io;

/// Why a file of weights was not taken.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It could not be read.
    #[error("the file of weights cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It does not begin as such files do.
    #[error("this is no file of weights: it does not begin with the bytes that such files begin with")]
    NotWeights,
    /// It is of another version.
    #[error("the file of weights has version {found}, this program reads version {expected}; train the weights anew")]
    Version {
        /// The version in the file.
        found: u32,
        /// What is read.
        expected: u32,
    },
    /// It is for boards that have no evaluation, or its sizes are not those of its boards.
    #[error("the file of weights is for boards that cannot be: {0}")]
    Shape(String),
    /// It ends before its end.
    #[error("the file of weights is cut off")]
    Truncated,
    /// There is something behind its end.
    #[error("the file of weights goes on after its end")]
    Trailing,
    /// Its bytes are not those that were written.
    #[error("the file of weights is damaged: its checksum is wrong")]
    Checksum,
    /// Its checksum is right, but what is packed in it is not as long as the weights of its boards.
    #[error("the file of weights does not hold as many weights as its boards have")]
    Packed,
}
