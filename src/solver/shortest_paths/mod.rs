//! All shortest paths of a board, given one of them: their number, their common beginning, and a
//! list of the first ones in lexicographic order.
//!
//! A [`PathCounter`] chooses the source of lower bounds ([`bound`]), counts ([`count`](mod@count)),
//! and lists ([`list`](mod@list)).

mod bound;
mod count;
mod counter;
mod known;
mod list;
mod memo;

pub use counter::{CountOptions, PathCounter};
pub use known::{CountLimit, KnownPath, PathCount, ShortestPaths};
pub use memo::CountMemo;
