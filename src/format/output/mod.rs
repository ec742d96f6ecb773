//! Results as JSON Lines or CSV: the selection of fields, and one row for every record.
//!
//! The table of all fields is in [`crate::format::fields`]. [`crate::format::result`] reads lines
//! back.

mod earlier;
mod row;
mod selection;
mod value;

pub use super::fields::Field;
pub use super::json_text::json_string;
pub use earlier::{Occurrence, fill};
pub use row::{AllPaths, Detail, Expected, PathTotal, Row, Verdict, has_states};
pub use selection::{Fields, PRESETS, PathsAsked};
pub(super) use value::Value;
