//! Additive pattern databases (Korf and Felner 2002) with a value for each region of the blank, in
//! one bit per entry.
//!
//! A *pattern* is a set of tiles. For every placement of these tiles, and for every connected
//! region of the other cells that can hold the blank, its database stores the fewest moves *of
//! these tiles* that bring them home. Patterns that share no tile count different moves, so their
//! values may be added. The sum never exceeds the true distance and never changes by more than one
//! with a move.
//!
//! Because the regions are kept apart instead of taking the minimum over them, every move of a
//! pattern's tile changes the value by exactly one, and any other move does not change it. So the
//! parity of a value is known without a table (it is that of the tiles' Manhattan distance). A
//! single stored bit, bit 1 of the value, distinguishes up from down. The absolute value is needed
//! once, at the root of a search, and is found by walking down to the goal.
//!
//! ```text
//! Partition ─▶ Pattern ─┐
//!        Layout ──┴▶ Builder (rows, pulls, transpose) ─▶ Table ─▶ PdbSum, engines
//!  (placement, order)                      └───▶ tests/proof (shares no code with the builder)
//! ```
//!
//! A [`Layout`] belongs to a shape and a number of tiles, whatever the tiles. All tables of a
//! `6-6-6-6` share one layout, and one list of moves from which they are built.

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
