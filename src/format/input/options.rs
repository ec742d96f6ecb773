//! The options by which files are read.

use std::sync::Arc;

use super::decompression::DecompressionLimit;
use super::layout::Layout;
use crate::board::{Goal, Shape};
use crate::format::passing::Pass;

/// How files are to be read. What is not given here is left to the settings of each file.
#[derive(Clone, Debug)]
pub struct InputOptions {
    /// The layout of every file; `None`: it is recognised by the first records of each.
    pub layout: Option<Layout>,
    /// The goal of boards that do not bring their own; `None`: it was not given, and is the blank last.
    pub goal: Option<Goal>,
    /// The shape of boards that do not bring their own; without it they are square.
    pub shape: Option<Shape>,
    /// The first line of every file is the number of its records.
    pub count_line: bool,
    /// Every line of the layouts `line` and `digits` begins with the record's number.
    pub numbered: bool,
    /// The work for good paths that the file asks for, where the run asks for none.
    pub effort: Option<u8>,
    /// The records' own fields that go into their results.
    pub pass: Arc<Pass>,
    /// The field of JSON objects or the column of CSV that holds the board; `None`: the first of the usual names
    /// that a file has (`board`, `grid`, `tiles`, `cells`, `state`, `puzzle`).
    pub board_field: Option<Arc<str>>,
    /// The most bytes of a record: a longer one is one invalid record, and is never held in memory.
    pub max_line: usize,
    /// How far compressed files are trusted.
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
            max_line: 1 << 20,
            decompression: DecompressionLimit::default(),
        }
    }
}
