//! Parses arrays of plain numbers, of tiles or of rows of tiles, without a general JSON parser.
//! This is the JSON of large files.
//!
//! Anything else is left to the general parser, which also reports the errors.

use smallvec::SmallVec;

use super::board_tiles::Tiles;
use crate::board::Tile;

/// The tiles of an array, and the lengths of its rows if there are any.
pub struct JsonArray {
    /// The tiles.
    pub tiles: Tiles,
    /// The length of each row. Empty if the array has no rows.
    pub rows: SmallVec<[usize; 8]>,
}

impl JsonArray {
    /// Reads a whole document. `None` if it is anything but tiles as numbers, in one array or in
    /// rows.
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
        blank(rest).is_empty().then_some(array)
    }

    /// Reads numbers and the bracket that ends them. Returns the rest.
    fn numbers<'a>(&mut self, mut rest: &'a [u8]) -> Option<&'a [u8]> {
        loop {
            rest = blank(rest);
            let (mut label, mut length) = (0, 0);
            while let Some(digit) = rest.get(length).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
                label = 10 * label + usize::from(digit);
                length += 1;
                if length > 5 {
                    return None;
                }
            }
            // JSON numbers have no leading zeros.
            if length == 0 || (length > 1 && rest[0] == b'0') {
                return None;
            }
            self.tiles.push(Tile::try_new(label)?);
            rest = blank(&rest[length..]);
            match rest.split_first()? {
                (b',', behind) => rest = behind,
                (b']', behind) => return Some(behind),
                _ => return None,
            }
        }
    }
}

/// Returns the bytes after this character, which blanks may precede.
fn after(rest: &[u8], sign: u8) -> Option<&[u8]> {
    match blank(rest).split_first() {
        Some((&first, behind)) if first == sign => Some(behind),
        _ => None,
    }
}

/// Returns the bytes after any blanks.
fn blank(mut rest: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', behind @ ..] = rest {
        rest = behind;
    }
    rest
}
