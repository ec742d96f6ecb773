//! Puzzle generators: random boards, boards of an exact difficulty, unsolvable boards, and boards
//! without duplicates.
//!
//! Puzzles depend only on their [`Spec`], which includes the seed. They are found among numbered
//! *candidates*. A candidate depends only on the spec and on its number, which selects a stream of
//! random numbers (`Random`). Candidates are tried on all threads and taken in the order of their
//! numbers.

mod difficulty;
mod distance;
mod distinct;
mod farthest;
mod generator;
mod layers;
mod quantiles;
mod queue;
mod spec;
mod uniform;

pub use generator::Generator;
pub use quantiles::NamedDifficulty;
pub use spec::{Error, Goals, Puzzle, Repeats, Spec, Spread};
