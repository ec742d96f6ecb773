//! All shortest paths of a board, where one of them is known: how many there are, how they begin, and the first of them one by
//! one.
//!
//! A [`PathCounter`] chooses where lower bounds come from ([`bound`]), counts ([`count`](mod@count)), and lists
//! ([`list`](mod@list)). How far a board is that must not be too far, [`distance_within`] finds out.

mod bound;
mod count;
mod counter;
mod known;
mod list;
mod memo;
mod within;

pub use counter::{CountOptions, PathCounter};
pub use known::{CountLimit, Known, PathCount, ShortestPaths};
pub use memo::CountMemo;
pub use within::{Within, distance_within};
