//! Learned weights of an evaluation, trained on boards of one shape, and their file format.
//!
//! They are ordinary weights ([`crate::heuristic::evaluation::Weights`]) for goals whose blank is
//! in a certain cell. If a reflection of the board moves the blank of another goal to that cell,
//! they can also be used for that goal (`reflected.rs`). Some weights ship with the program
//! ([`Available`]).

mod available;
mod file;
mod reflected;
mod stored;
#[cfg(test)]
mod tests;
mod weights;

pub use available::Available;
pub use file::Error;
pub use weights::Learned;
