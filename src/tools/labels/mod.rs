//! Labels of boards, as data sets of puzzles need them: a shortest path, how many shortest paths there are, with which moves
//! they begin, and what simple heuristics say.

mod labeler;

pub use labeler::{LabelOptions, Labeler, Labels};

pub use crate::board::Beginning;
pub use crate::solver::shortest_paths::{CountLimit, PathCount, ShortestPaths};
