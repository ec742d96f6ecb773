//! A board in one string, however it is written: separated or not, `/` between rows or not.

use super::super::record::ParseError;
use super::tiles::{Tiles, board_of, counted, read_tiles};
use crate::board::tokens::{is_separator, quoted, sign_label};
use crate::board::{Board, Shape, Tile};

/// Tiles as they were written down, and the shape where the writing shows it.
pub struct BoardTiles {
    pub tiles: Tiles,
    pub shape: Option<Shape>,
}

impl BoardTiles {
    /// Tiles in rows, which must be equally long: the lengths are given.
    pub fn of_rows(tiles: Tiles, lengths: &[usize]) -> Result<BoardTiles, ParseError> {
        let first = lengths.first().copied().unwrap_or_default();
        if let Some(at) = lengths.iter().position(|&length| length != first) {
            let found = counted(lengths[at], "tile");
            return Err(ParseError::new(format_args!("row {} has {found}, row 1 has {first}", at + 1)));
        }
        let shape = Shape::new(lengths.len(), first).ok_or_else(|| {
            let (rows, tiles) = (counted(lengths.len(), "row"), counted(first, "tile"));
            ParseError::new(format_args!("found {rows} of {tiles}; a board has from 1 to 255 rows and columns"))
        })?;
        Ok(BoardTiles { tiles, shape: Some(shape) })
    }

    /// Reads a text. A single token is a board without separators when it is long enough for one:
    /// four characters, or as many as the known shape has cells; between slashes, two.
    pub fn read(text: &[u8], known: Option<Shape>) -> Result<BoardTiles, ParseError> {
        let mut tiles = Tiles::new();
        if memchr::memchr(b'/', text).is_none() {
            let cells = known.map_or(usize::MAX, Shape::cells);
            read_part(text, &mut tiles, |length| length >= 4 || length == cells)?;
            return Ok(BoardTiles { tiles, shape: None });
        }
        let mut lengths = Vec::new();
        for row in text.split(|&byte| byte == b'/') {
            let before = tiles.len();
            read_part(row, &mut tiles, |_| true)?;
            lengths.push(tiles.len() - before);
        }
        BoardTiles::of_rows(tiles, &lengths)
    }

    /// The board of a record with the size that it gives, if any, in a file of boards of a known shape, if any.
    pub fn board(&self, size: Option<Shape>, known: Option<Shape>) -> Result<Board, ParseError> {
        if let (Some(shape), Some(size)) = (self.shape, size)
            && shape != size
        {
            return Err(ParseError::new(format_args!("the rows make a {shape} board, its size is given as {size}")));
        }
        board_of(&self.tiles, self.shape.or(size), known)
    }
}

fn read_part(text: &[u8], tiles: &mut Tiles, long_enough: impl Fn(usize) -> bool) -> Result<(), ParseError> {
    let is_sign = |&sign: &u8| sign_label(sign).is_some();
    let mut words = text.split(|&byte| is_separator(byte)).filter(|token| !token.is_empty());
    match (words.next(), words.next()) {
        (Some(run), None) if run.len() >= 2 && long_enough(run.len()) && run.iter().all(is_sign) => {
            tiles.extend(run.iter().filter_map(|&sign| sign_label(sign)).map(Tile::new));
            Ok(())
        }
        _ if memchr::memchr(b'#', text).is_some() => {
            Err(ParseError::new(format_args!("found '#' in the board {}", quoted(text))))
        }
        _ => read_tiles(text, tiles),
    }
}
