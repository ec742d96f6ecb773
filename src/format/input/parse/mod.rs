//! Parses the bytes of one record into a puzzle.

mod csv;
mod csv_fields;
mod json;
mod json_array;
mod text;

pub use csv::record as csv;
pub use csv_fields::{CsvColumns, Fields, board_column, is_header};
pub use json::{board_field, record as json};
pub use json_array::JsonArray;
pub use text::{grid, line, pair, sized};
