//! Arrays of plain numbers, of tiles or of rows of tiles: the JSON of large files, read without a general parser.
//!
//! Whatever else comes is left to that one, which also says what is wrong with it.

use smallvec::SmallVec;

use super::board_tiles::Tiles;
use crate::board::Tile;

/// The tiles of an array, and the lengths of its rows where it has any.
pub struct JsonArray {
    /// Its numbers.
    pub tiles: Tiles,
    /// The length of each row; none where the array has no rows.
    pub rows: SmallVec<[usize; 8]>,
}

impl JsonArray {
    /// Reads a whole document; `None` where it is anything but numbers that are tiles, in one array or in rows.
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

    /// Reads numbers and the bracket that ends them: what follows it.
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
            // JSON writes no zeros before a number.
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

/// What follows this sign, and the blanks before it.
fn after(rest: &[u8], sign: u8) -> Option<&[u8]> {
    match blank(rest).split_first() {
        Some((&first, behind)) if first == sign => Some(behind),
        _ => None,
    }
}

/// What follows the blanks.
fn blank(mut rest: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', behind @ ..] = rest {
        rest = behind;
    }
    rest
}
