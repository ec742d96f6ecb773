//! Parses the bytes of one record into a puzzle.

mod csv;
mod json;
mod json_array;
mod text;

pub use csv::{CsvColumns, Fields, board_column, record as csv};
pub use json::record as json;
pub use json_array::JsonArray;
pub use text::{grid, line, pair, sized};
