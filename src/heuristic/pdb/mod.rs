//! Additive pattern databases (Korf and Felner 2002), aware of the blank's region, one bit an entry.
//!
//! A *pattern* is a set of tiles. Its database holds for every placement of these tiles, and for
//! every connected region of the other cells the blank may be in, how many moves *of these tiles*
//! are needed at least to bring them home. Patterns that share no tile count different moves, so
//! their values may be added up: the sum never exceeds the true distance and never changes by more
//! than one with a move.
//!
//! Keeping the regions apart, instead of the minimum over them, makes every value change by exactly
//! one with every move of a pattern's tile and by nothing with any other move. Then a value's parity
//! is known without a table (it is that of the tiles' Manhattan distance), and a single stored bit,
//! bit 1 of the value, distinguishes up from down. The absolute value is needed once, at the root of a
//! search, and found by walking down to the goal.
//!
//! ```text
//! Partition ─▶ Pattern ─┐
//!              Layout ──┴▶ Builder (rows, pulls, transpose) ─▶ Table ─▶ PdbSum, engines
//!    (placement, order)                                          └───▶ tests/proof (shares no code with the builder)
//! ```
//!
//! A [`Layout`] belongs to a shape and a number of tiles, whatever the tiles: all tables of a `6-6-6-6`
//! share one, and so does the list of moves their builder works from.

mod build;
mod collection;
mod collection_tables;
#[cfg(test)]
mod collection_tests;
mod layout;
mod mirror;
mod order;
mod partition;
mod pattern;
mod placement;
mod pulls;
mod rows;
mod set_presets;
mod sum;
mod table;
#[cfg(test)]
mod tests;
mod transpose;

pub use build::{BuildOptions, BuildProgress, Builder};
pub use collection::{CollectionError, PdbCollection, Slot};
pub use collection_tables::CollectionTables;
pub use layout::{Layout, Spot};
pub use order::Orders;
pub use partition::{Partition, PartitionError};
pub use pattern::{Pattern, PatternError};
pub use placement::Placements;
pub use sum::{PdbSum, Sum};
pub use table::{Table, next_value};
