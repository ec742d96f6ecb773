//! Conditions on a set of boards, checked record by record on the results of a batch.
//!
//! A check requests the fields that its conditions need ([`Assertions::fields`]), and reads every result as it is
//! written ([`Gate`]). So boards are solved, counted and compared as `solve` does it, and only where a condition needs it.

mod assertions;
mod gate;
mod record;
mod tally;

pub use assertions::{Assertions, Condition, Uniqueness, Violation};
pub use gate::{Gate, Report};
#[cfg(test)]
pub use record::Place;
pub use tally::{FileTally, Tally};
