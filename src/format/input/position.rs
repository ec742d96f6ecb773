//! A position between two records of all inputs, from which reading can resume.
//!
//! The bytes of a file determine where its records begin, so a position consists of the file, the
//! offset in its text, and the numbers of records and lines up to there. A checksum detects changed
//! bytes.

use serde::{Deserialize, Serialize};

/// A position between two records.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The number of records before the position, over all inputs.
    pub records: u64,
    /// The number of the input that contains the position, from 0.
    pub input: u64,
    /// The number of bytes of decompressed text before the position in that input. 0 if the input
    /// has not been opened yet.
    pub offset: u64,
    /// The line of the position in that input, from 1.
    pub line: u64,
    /// True if the position is within a record that was too long. The rest of its line is skipped.
    pub rest_of_line: bool,
    /// The number of records before the position in that input.
    pub records_in_input: u64,
    /// The number of inputs before the position that could not be read completely.
    pub failed_inputs: u64,
    /// The checksum of all text before the position, over all inputs.
    #[serde(rename = "text")]
    pub text_checksum: u64,
    /// The checksum of the format of that input, including its layout, goal, shape and columns.
    #[serde(rename = "reading")]
    pub format_checksum: u64,
}
