//! Labels of boards for data sets of puzzles: a shortest path, the number of shortest paths, and
//! their first moves.

mod labeler;

pub use labeler::{LabelOptions, Labeler, Labels};

pub use crate::board::Beginning;
pub use crate::solver::shortest_paths::{CountLimit, PathCount, ShortestPaths};
