//! Labels of boards, as data sets of puzzles need them: a shortest path, how many shortest paths there are, with which moves
//! they begin, and what simple heuristics say.

mod bound;
mod count;
mod heuristics;
mod labeler;
mod memo;
mod shortest_paths;

pub use heuristics::HeuristicBounds;
pub use labeler::{LabelOptions, Labeler, Labels};
pub use memo::CountMemo;
pub use shortest_paths::{Beginning, CountLimit, PathCount, ShortestPaths};
