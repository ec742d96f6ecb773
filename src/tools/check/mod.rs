//! Conditions on a set of boards, checked record by record on the results of a batch.
//!
//! A check requests the fields that its conditions need ([`Assertions::fields`]) and reads every
//! result as it is written ([`Gate`]). Boards are therefore solved and compared, and their
//! solutions counted, as in `solve`, and only if a condition needs it.

mod assertions;
mod gate;
mod tally;

pub use assertions::{Assertions, Condition, Place, Uniqueness, Violation};
pub use gate::Gate;
pub use tally::{FileTally, Tally};
