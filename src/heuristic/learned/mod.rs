//! Learned weights of an evaluation: what training made of boards of one shape, and the file they are kept in.
//!
//! They are weights like any others ([`crate::heuristic::evaluation::Weights`]), for goals whose blank is in one cell of the board. The
//! board's reflections serve others (`turned.rs`). Some ship with the program ([`Available`]).

mod available;
mod error;
mod file;
mod kept;
mod mirror;
#[cfg(test)]
mod tests;
mod turned;
mod weights;

pub use available::Available;
pub use error::Error;

pub use weights::Learned;
