//! Training of evaluations, from nothing but the rules.

mod checkpoint;
mod judge;
mod labels;
mod layout;
mod net;
mod recipe;
mod samples;
mod starts;
mod student;
#[cfg(test)]
mod tests;
mod training;

pub use training::{Best, Round, Settings, Training};
