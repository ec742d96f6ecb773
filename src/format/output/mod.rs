//! Results as JSON Lines or CSV: which fields are written, and one line for every record.
//!
//! The fields stand in one table ([`crate::format::fields`]); [`crate::format::result`] reads lines back.

mod csv;
mod row;
mod schema;
mod selection;
mod write;

pub use super::fields::Field;
pub use super::json_object::json_string;
pub use csv::header as csv_header;
pub use row::{AllPaths, Detail, PathTotal, Row, Verdict};
pub use schema::schema;
pub use selection::{Fields, PathsAsked};
