//! The options of a batch.

use super::fast_path::FastPath;
use crate::format::style::Style;

/// The options of a batch.
#[derive(Clone, Debug)]
pub struct Options {
    /// True if results are written in the order of the records; otherwise in the order of
    /// completion.
    pub ordered: bool,
    /// The format of the results.
    pub style: Style,
    /// Maximum number of shortest paths counted for boards of more than 12 cells.
    pub count_cap: u64,
    /// Boards with a lower bound of more moves are not searched.
    pub max_moves: Option<u64>,
    /// The memory in bytes for boards that later boards are compared with.
    pub earlier_bytes: u64,
    /// The setting of the fast path for small boards. It does not affect the results.
    pub fast_path: FastPath,
}

impl Options {
    /// The default maximum number of shortest paths counted for boards of more than 12 cells.
    pub const COUNT_CAP: u64 = 1_000_000;

    /// Creates the default options of a run that writes results in this style.
    pub fn new(style: Style) -> Options {
        Options {
            ordered: true,
            style,
            count_cap: Options::COUNT_CAP,
            max_moves: None,
            earlier_bytes: 0,
            fast_path: FastPath::On,
        }
    }
}
