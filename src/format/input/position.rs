//! A position between two records of all inputs, from which reading can resume.
//!
//! The bytes of a file determine where its records begin: the first lines show the layout, and each
//! record's own lines show its end. A position is therefore the file, the bytes of text before it,
//! and the counts that number the records. A checksum shows whether the bytes are still the same.

use serde::{Deserialize, Serialize};

/// A position between two records.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The number of records before it, over all inputs.
    pub records: u64,
    /// The input that it is in, from 0.
    pub input: u64,
    /// The bytes of decompressed text before it in that input. 0 if the input was not opened yet.
    pub offset: u64,
    /// The line that it is on, from 1.
    pub line: u64,
    /// True if that line is the rest of a record that was too long. The rest is skipped.
    pub rest_of_line: bool,
    /// The number of records before it in that input.
    pub records_in_input: u64,
    /// The number of inputs before it that could not be read to their end.
    pub failed_inputs: u64,
    /// The checksum of all text before it, over all inputs.
    pub text: u64,
    /// The checksum of how that input is read: its layout, goal, shape and columns.
    pub reading: u64,
}
