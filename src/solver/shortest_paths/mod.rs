//! All shortest paths of a board, where one of them is known: how many there are, how they begin, and the first of them one by
//! one.
//!
//! A [`PathCounter`] chooses where lower bounds come from ([`bound`]), counts ([`count`](mod@count)), and lists
//! ([`list`](mod@list)).

mod bound;
mod count;
mod counter;
mod known;
mod list;
mod memo;

pub use counter::{CountOptions, PathCounter};
pub use known::{CountLimit, Known, PathCount, ShortestPaths};
pub use memo::CountMemo;
