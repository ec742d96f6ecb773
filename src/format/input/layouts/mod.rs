//! From the bytes of one record to a puzzle, and back: a file for each kind of layout.

mod board_tiles;
mod csv;
mod grid;
mod json;
mod json_array;
mod own_fields;
mod pair;
mod parsed;
mod text;
mod tiles;
mod writing;

use super::layout::Layout;
use super::source::Source;
use crate::board::Board;
use parsed::Parsed;

pub use json_array::JsonArray;
pub use writing::Writing;

/// Reads a record that the cutter found.
#[inline]
pub fn read(bytes: &[u8], source: &Source) -> Parsed {
    match source.layout {
        Layout::Line | Layout::Digits => text::record(bytes.strip_suffix(b"\n").unwrap_or(bytes), source),
        Layout::Grid | Layout::Blocks => grid::grid(bytes, source).into(),
        Layout::Sized => grid::sized(bytes).into(),
        Layout::Pair => pair::record(bytes, source).into(),
        Layout::Json | Layout::JsonValues | Layout::JsonElements => json::record(bytes, source),
        Layout::Csv => csv::record(bytes, source),
    }
}

/// Appends a record.
pub fn write(layout: Layout, board: &Board, goal: &Board, how: &Writing, out: &mut Vec<u8>) {
    match layout {
        Layout::Line => how.line(board, how.style.between_tiles, out),
        Layout::Digits => how.line(board, "", out),
        Layout::Grid | Layout::Blocks => how.rows(board, out),
        Layout::Sized => {
            how.size(board.shape(), out);
            how.rows(board, out);
        }
        Layout::Pair => pair::write(board, goal, how, out),
        Layout::Json | Layout::JsonValues | Layout::JsonElements => json::write(board, goal, how, out),
        Layout::Csv => csv::write(board, goal, how, out),
    }
}
