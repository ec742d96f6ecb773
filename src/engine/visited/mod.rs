//! The lock-free concurrent set of visited states for the parallel searches.
//!
//! [`StateSet`] uses open addressing by packed key, for shapes of up to 25 cells. A key of at most
//! 16 cells takes one 64-bit word *including* its note, a larger one two words.
//!
//! The set's size is fixed before the search, and the set only ever gains members. So every slot
//! changes from *empty* to *taken* once and permanently. The proof of correctness rests on this.
//! The set has no lock, no spin loop, no memory reclamation, no shared counter (callers count the
//! [`Insert::New`]s) and no `unsafe`.
//!
//! Its uses:
//!
//! - *Breadth-first by layers*: insert each child with its depth. `New` children form the next
//!   layer.
//! - *Bidirectional*: each side has two sets, for even and for odd depths. A child meets the other
//!   side when [`StateSet::get`] finds it there.
//! - *A\* in layers of equal f*: insert each child that stays in the layer, and each state taken
//!   from the next layer's list, with its g. Expand the `New` ones. With a consistent heuristic and
//!   unit costs their g is final, so no g in the set is ever lowered. [`StateSet::mark`] can add
//!   flags later.
//!
//! Guarantee: a thread that finds a member (`Seen`, `get`, `mark`, an iteration) sees its whole
//! note and everything that the inserting thread did before inserting it. An iteration concurrent
//! with insertions yields every member that was inserted before the iteration began, and may yield
//! those inserted later. It yields no member twice.

#![deny(unsafe_code)]

#[cfg(all(test, loom))]
mod loom;
mod note;
mod quotient;
mod slot;
mod state_set;
mod sync;

pub use note::{Insert, Note};
pub use slot::Key;
pub use state_set::{Place, StateSet};
