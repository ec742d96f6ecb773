//! The options for reading files.

use std::sync::Arc;

use super::decompression::DecompressionLimit;
use super::layout::Layout;
use crate::board::{Goal, Shape};
use crate::format::passthrough::Pass;

/// The options for reading files. Those that are not given are taken from the settings in each
/// file.
#[derive(Clone, Debug)]
pub struct InputOptions {
    /// The layout of every file. `None`: detected from the first records of each file.
    pub layout: Option<Layout>,
    /// The goal of boards without their own goal. `None`: not given; the default is the blank last.
    pub goal: Option<Goal>,
    /// The shape of boards without their own shape. `None`: boards are square.
    pub shape: Option<Shape>,
    /// True if the first line of every file is the number of its records.
    pub count_line: bool,
    /// True if every line of the layouts `line` and `digits` begins with the record's number.
    pub numbered: bool,
    /// The effort for good paths that the file requests. It is used unless the run requests
    /// a different one.
    pub effort: Option<u8>,
    /// The passthrough columns.
    pub pass: Arc<Pass>,
    /// The field of JSON objects or the column of CSV that holds the board. `None`: the first of
    /// the usual names that a file has (`board`, `grid`, `tiles`, `cells`, `state`, `puzzle`).
    pub board_field: Option<Arc<str>>,
    /// The maximum number of bytes of a record. A longer record is invalid, and not kept in memory.
    pub max_record_bytes: usize,
    /// The limits of decompression.
    pub decompression: DecompressionLimit,
}

impl Default for InputOptions {
    fn default() -> InputOptions {
        InputOptions {
            layout: None,
            goal: None,
            shape: None,
            count_line: false,
            numbered: false,
            effort: None,
            pass: Arc::default(),
            board_field: None,
            max_record_bytes: 1 << 20,
            decompression: DecompressionLimit::default(),
        }
    }
}
