//! Generating puzzles: random, of an exact difficulty, unsolvable, without repeats, or the hardest there are.
//!
//! Puzzles depend on their [`Spec`] alone, its seed included. Each is looked for among *candidates* with numbers of
//! their own: what comes of a candidate depends on the seed and its number (`Random`), so they are tried on
//! all threads, and taken in the order of their numbers.

mod candidate;
mod difficulty;
mod distance;
mod error;
mod farthest;
mod generator;
mod layers;
mod lengths;
mod population;
mod quantiles;
mod queue;
mod seen;
mod spec;
mod uniform;

pub use error::Error;
pub use farthest::farthest;
pub use generator::Generator;
pub use quantiles::Rank;
pub use spec::{Goals, Puzzle, Repeats, Spec, Spread};
