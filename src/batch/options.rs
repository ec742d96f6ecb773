//! How a batch is run.

use super::fast_path::FastPath;
use crate::format::style::Style;

/// How a batch is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Results in the order of the records; otherwise as they come.
    pub ordered: bool,
    /// How results are written.
    pub style: Style,
    /// Whether small boards take the fast path; the results are the same.
    pub fast_path: FastPath,
}
