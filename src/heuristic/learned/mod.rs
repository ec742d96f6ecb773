//! Learned weights of an evaluation: what training made of boards of one shape, and the file they are kept in.
//!
//! They are weights like any others ([`crate::heuristic::evaluation::Weights`]), for goals whose blank is in one cell of the board. The
//! board's reflections serve the other corners ([`Learned::for_goal`]).

mod error;
mod file;
mod pack;
#[cfg(test)]
mod tests;
mod weights;

pub use error::Error;
pub use weights::Learned;
