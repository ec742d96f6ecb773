//! Additive pattern databases (Korf and Felner 2002) with a value for each region of the blank, in
//! one bit per entry.
//!
//! A *pattern* is a set of tiles. For every placement of these tiles, and for every connected
//! region of the other cells that may contain the blank, the pattern's database stores the minimum
//! number of moves *of these tiles* that bring them home. Patterns without a common tile count
//! different moves, so their values may be added. The sum never exceeds the true distance, and a
//! move changes it by at most one.
//!
//! Because regions have separate entries, every move of a pattern's tile changes the value by
//! exactly one, and other moves do not change it. The parity of a value is therefore known without
//! a table (it is that of the tiles' Manhattan distance). A single stored bit, bit 1 of the value,
//! shows whether a move raises or lowers the value. The absolute value is needed once, at the root
//! of a search, and is found by walking down to the goal.
//!
//! ```text
//! Partition ─▶ Pattern ─┐
//!               Layout ─┴▶ Builder (rows, pulls, transpose) ─▶ Table ─┬▶ PdbSum, engines
//! (placements and orders)                                             └▶ tests/proof
//! ```
//!
//! A [`Layout`] depends only on the shape and the number of tiles. All tables of the partition
//! `6-6-6-6` (four patterns of six tiles) share one layout, and are built by one [`Builder`]. The
//! proof shares no code with the builder.

mod build;
mod collection;
#[cfg(test)]
mod collection_tests;
mod layout;
mod partition;
mod pattern;
mod placement;
mod presets;
mod pulls;
mod rows;
mod sums;
mod table;
#[cfg(test)]
mod tests;
mod transpose;

pub use build::Builder;
pub use collection::{PdbCollection, Slot};
pub use layout::{Layout, Orders, Spot};
pub use partition::Partition;
pub use pattern::{Pattern, PatternError};
pub use placement::{Placements, Record};
pub use sums::{CollectionTables, PdbSum, Sum};
pub use table::{Table, next_value};
