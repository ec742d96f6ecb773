//! From the bytes of one record to a puzzle: a file for each kind of layout.

mod board_tiles;
mod csv;
mod grid;
mod json;
mod pair;
mod parsed;
mod text;
mod tiles;

use super::layout::Layout;
use super::source::Source;
use parsed::Parsed;

/// Reads a record that the cutter found.
#[inline]
pub fn record(bytes: &[u8], source: &Source) -> Parsed {
    match source.layout {
        Layout::Line | Layout::Digits => text::record(bytes.strip_suffix(b"\n").unwrap_or(bytes), source),
        Layout::Grid => grid::grid(bytes, source).into(),
        Layout::Sized => grid::sized(bytes).into(),
        Layout::Pair => pair::record(bytes, source).into(),
        Layout::Json => json::record(bytes, source),
        Layout::Csv => csv::record(bytes, source),
    }
}
