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
    /// The most shortest paths that are counted of boards of more than 12 cells.
    pub count_cap: u64,
    /// Boards that need more moves are not searched: how many more makes no difference.
    pub most_moves: Option<u64>,
    /// Memory for the boards that are kept to be compared with later ones, in bytes.
    pub earlier_bytes: u64,
    /// Whether small boards take the fast path; the results are the same.
    pub fast_path: FastPath,
}

impl Options {
    /// The most shortest paths that are counted of boards of more than 12 cells, unless another number is given.
    pub const COUNT_CAP: u64 = 1_000_000;

    /// An ordered run that writes its results in this style, and does nothing else that is optional.
    pub fn new(style: Style) -> Options {
        Options {
            ordered: true,
            style,
            count_cap: Options::COUNT_CAP,
            most_moves: None,
            earlier_bytes: 0,
            fast_path: FastPath::On,
        }
    }
}
