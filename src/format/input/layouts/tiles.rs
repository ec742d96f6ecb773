//! Tiles as they are read one after the other, and the board that they make.

use smallvec::SmallVec;

use super::super::record::ParseError;
use crate::board::tokens::{is_separator, tile};
use crate::board::{Board, Shape, Tile};

/// The tiles of a board that is being read; on the stack for all boards that are searched.
pub type Tiles = SmallVec<[Tile; 32]>;

/// Reads the tiles of a line up to its comment.
#[inline]
pub fn read_tiles(line: &[u8], tiles: &mut Tiles) -> Result<(), ParseError> {
    let mut rest = line;
    while let [first, behind @ ..] = rest {
        if is_separator(*first) {
            rest = behind;
            continue;
        }
        if *first == b'#' {
            break;
        }
        let (mut label, mut length) = (0usize, 0);
        while let Some(digit) = rest.get(length).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
            label = label.wrapping_mul(10).wrapping_add(usize::from(digit));
            length += 1;
        }
        let ends = rest.get(length).is_none_or(|&byte| is_separator(byte) || byte == b'#');
        match Tile::try_new(label) {
            Some(tile) if ends && (1..=5).contains(&length) => tiles.push(tile),
            _ => {
                length = rest.iter().position(|&byte| is_separator(byte) || byte == b'#').unwrap_or(rest.len());
                tiles.push(tile(&rest[..length]).map_err(ParseError::new)?);
            }
        }
        rest = &rest[length..];
    }
    Ok(())
}

/// The board that tiles make: of its own shape, else of the known one, else square.
#[inline]
pub fn board_of(tiles: &[Tile], own: Option<Shape>, known: Option<Shape>) -> Result<Board, ParseError> {
    let shape = own.or(known).or_else(|| Shape::square_of(tiles.len()));
    let Some(shape) = shape else {
        return Err(ParseError::new(format_args!(
            "found {}; a board has a square number of them unless --shape says otherwise",
            counted(tiles.len(), "tile")
        )));
    };
    Board::new(shape, tiles).map_err(ParseError::new)
}

/// `1 tile`, `2 tiles`.
pub fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
