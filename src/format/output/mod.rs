//! Results as JSON Lines or CSV: the selection of fields, and one row for every record.
//!
//! The table of all fields is in [`crate::format::fields`]. [`crate::format::result`] reads lines
//! back.

mod csv;
mod earlier;
mod row;
mod selection;
mod write;

pub use super::fields::Field;
pub use super::json_object::json_string;
pub use csv::header as csv_header;
pub use earlier::{Occurrence, fill};
pub use row::{AllPaths, Detail, Expected, PathTotal, Row, Verdict};
pub use selection::{Fields, PRESETS, PathsAsked};
pub use write::has_states;
