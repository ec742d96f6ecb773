//! Lock-free concurrent sets of visited states, for the parallel searches.
//!
//! Two sets, by how states are identified:
//!
//! - [`RankSet`]: an array of 1-, 2- or 8-bit cells by perfect rank, for shapes whose whole graph fits.
//! - [`StateSet`]: open addressing by packed key, for all other shapes up to 25 cells. A key of at
//!   most 16 cells takes one 64-bit word *with* its note, a larger one two.
//!
//! Both have a fixed size, computed before the search; both only ever gain members, so every slot goes from
//! *empty* to *taken* once and for ever, and that is what their proofs rest on. Neither has a lock, a
//! waiting loop, memory reclamation, a shared counter (count the [`Insert::New`]s) or `unsafe`.
//!
//! What a search does with them:
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
mod rank_set;
mod slot;
mod state_set;
mod sync;

pub use note::{Insert, Note};
pub use rank_set::RankSet;
pub use slot::Key;
pub use state_set::{Place, StateSet};
