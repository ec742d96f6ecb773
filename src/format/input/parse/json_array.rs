//! Parses JSON arrays of numbers, or of rows of numbers, without a general parser. Most large JSON
//! files consist of such arrays.
//!
//! Everything else is left to the general parser, which also reports errors.

use smallvec::SmallVec;

use super::text::{Tiles, leading_number};
use crate::board::Tile;

/// The tiles of an array, and the lengths of its rows if there are any.
pub struct JsonArray {
    /// The tiles.
    pub tiles: Tiles,
    /// The length of each row. Empty if the array has no rows.
    pub rows: SmallVec<[usize; 8]>,
}

impl JsonArray {
    /// Reads a whole document. Returns `None` unless it is an array of numbers, or of rows of
    /// numbers.
    pub fn read(document: &[u8]) -> Option<JsonArray> {
        let mut array = JsonArray { tiles: Tiles::new(), rows: SmallVec::new() };
        let mut rest = after(document, b'[')?;
        if let Some(mut row) = after(rest, b'[') {
            loop {
                let before = array.tiles.len();
                rest = array.numbers(row)?;
                array.rows.push(array.tiles.len() - before);
                match after(rest, b',') {
                    Some(next) => row = after(next, b'[')?,
                    None => break,
                }
            }
            rest = after(rest, b']')?;
        } else {
            rest = array.numbers(rest)?;
        }
        skip_whitespace(rest).is_empty().then_some(array)
    }

    /// Reads numbers and the closing bracket. Returns the rest.
    fn numbers<'a>(&mut self, mut rest: &'a [u8]) -> Option<&'a [u8]> {
        loop {
            rest = skip_whitespace(rest);
            let (label, length) = leading_number(rest);
            // JSON numbers have no leading zeros.
            if !(1..=5).contains(&length) || (length > 1 && rest[0] == b'0') {
                return None;
            }
            self.tiles.push(Tile::try_new(label)?);
            rest = skip_whitespace(&rest[length..]);
            match rest.split_first()? {
                (b',', tail) => rest = tail,
                (b']', tail) => return Some(tail),
                _ => return None,
            }
        }
    }
}

/// Returns the bytes after any whitespace and this byte, or `None` if a different byte follows.
fn after(rest: &[u8], byte: u8) -> Option<&[u8]> {
    match skip_whitespace(rest).split_first() {
        Some((&first, tail)) if first == byte => Some(tail),
        _ => None,
    }
}

/// Returns the bytes after any whitespace.
fn skip_whitespace(mut rest: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', tail @ ..] = rest {
        rest = tail;
    }
    rest
}
