//! The lock-free concurrent set of visited states, for the parallel searches.
//!
//! [`StateSet`]: open addressing by packed key, for shapes up to 25 cells. A key of at most 16 cells takes one 64-bit word
//! *with* its note, a larger one two.
//!
//! It has a fixed size, computed before the search, and only ever gains members, so every slot goes from *empty* to
//! *taken* once and for ever, and that is what its proof rests on. It has no lock, no waiting loop, no memory
//! reclamation, no shared counter (count the [`Insert::New`]s) and no `unsafe`.
//!
//! What a search does with it:
//!
//! - *Breadth-first by layers*: insert each child with its depth; `New` goes to the next layer. The
//!   layer can also be read back with [`StateSet::layer`] instead of being kept in a list.
//! - *Bidirectional*: two sets a side, for even and for odd depths; a child meets the other side when
//!   [`StateSet::get`] there finds it.
//! - *A\* in layers of equal f*: a child that stays in the layer, or a state that is taken from the next
//!   layer's list, is inserted with its g. `New` means expand. With a consistent heuristic and unit
//!   costs that g is final, so no entry is ever lowered; flags can be added later by [`StateSet::mark`].
//!
//! Guarantee: a thread that finds a member (`Seen`, `get`, `mark`, an iteration) sees its whole note and
//! everything the inserting thread did before inserting it. An iteration beside inserts yields every member
//! whose insertion happened before it began, no member twice, and of the others any part.

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
