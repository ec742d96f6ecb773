//! Learned weights of an evaluation, trained on boards of one shape, and their file format.
//!
//! They are ordinary weights ([`crate::heuristic::evaluation::Weights`]) for goals whose blank is
//! in one cell of the board. Reflections of the board serve other goals (`turned.rs`). Some weights
//! ship with the program ([`Available`]).

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
