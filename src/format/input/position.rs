//! A place between two records of all inputs, from which reading can go on.
//!
//! Where a record begins follows from the bytes of its file: first from the lines by which its layout is
//! recognised, then from the record's own lines. So a place is the file, the bytes of text before it, and the
//! counts that records are numbered by; a checksum shows whether the bytes are still the same.

use serde::{Deserialize, Serialize};

/// A place between two records.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Records before it, over all inputs.
    pub records: u64,
    /// The input that it is in, from 0.
    pub input: u64,
    /// Bytes of text before it in that input, decompressed; 0: the input was not opened yet.
    pub offset: u64,
    /// The line that it is on, from 1.
    pub line: u64,
    /// That line goes on from a record that was too long: the rest of it is to be skipped.
    pub rest_of_line: bool,
    /// Records before it in that input.
    pub records_in_input: u64,
    /// Inputs before it that could not be read, or not to their end.
    pub failed_inputs: u64,
    /// Checksum of all text before it, over all inputs.
    pub text: u64,
    /// Checksum of how that input is read: its layout, goal, shape, columns.
    pub reading: u64,
}
