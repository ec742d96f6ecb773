//! How a batch is run.

use super::fast_path::FastPath;
use crate::format::style::Style;

/// How a batch is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Results in the order of the records; otherwise as they come.
    pub ordered: bool,
    /// Which boards are searched first.
    pub order: Order,
    /// How results are written.
    pub style: Style,
    /// Whether small boards take the fast path; the results are the same.
    pub fast_path: FastPath,
}

/// In which order boards are searched. It changes no result, and of the order of results only that of those written as they come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    /// In that of the records.
    #[default]
    Input,
    /// Of the records in flight those first that seem to be the least work.
    EasiestFirst,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 2] = [Order::Input, Order::EasiestFirst];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Order::Input => "input",
            Order::EasiestFirst => "easiest-first",
        }
    }
}
