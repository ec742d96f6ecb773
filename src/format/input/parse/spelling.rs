//! A board in one string, in whatever spelling: separated or not, `/` between rows or not.

use super::super::chunk::ParseError;
use super::super::words::is_run;
use super::text::{Tiles, read_tiles};
use super::{board_of, counted};
use crate::board::tokens::{digits, is_separator, quoted};
use crate::board::{Board, Shape};

/// Tiles as they were written down, and the shape where the writing shows it.
pub struct Spelled {
    pub tiles: Tiles,
    pub shape: Option<Shape>,
}

impl Spelled {
    /// Tiles in rows, which must be equally long: the lengths are given.
    pub fn of_rows(tiles: Tiles, lengths: &[usize]) -> Result<Spelled, ParseError> {
        let first = lengths.first().copied().unwrap_or_default();
        if let Some(at) = lengths.iter().position(|&length| length != first) {
            let found = counted(lengths[at], "tile");
            return Err(ParseError::new(format_args!("row {} has {found}, row 1 has {first}", at + 1)));
        }
        let shape = Shape::new(lengths.len(), first).ok_or_else(|| {
            let (rows, tiles) = (counted(lengths.len(), "row"), counted(first, "tile"));
            ParseError::new(format_args!("found {rows} of {tiles}; a board has from 1 to 255 rows and columns"))
        })?;
        Ok(Spelled { tiles, shape: Some(shape) })
    }

    /// Reads a text. A single token is a board without separators when it is long enough for one:
    /// four characters, or as many as the known shape has cells; between slashes, two.
    pub fn read(text: &[u8], known: Option<Shape>) -> Result<Spelled, ParseError> {
        let mut tiles = Tiles::new();
        if memchr::memchr(b'/', text).is_none() {
            let cells = known.map_or(usize::MAX, Shape::cells);
            read_part(text, &mut tiles, |length| length >= 4 || length == cells)?;
            return Ok(Spelled { tiles, shape: None });
        }
        let mut lengths = Vec::new();
        for row in text.split(|&byte| byte == b'/') {
            let before = tiles.len();
            read_part(row, &mut tiles, |_| true)?;
            lengths.push(tiles.len() - before);
        }
        Spelled::of_rows(tiles, &lengths)
    }

    /// The board of a record whose size was given, or not, in a file whose shape is known, or not.
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
    let mut words = text.split(|&byte| is_separator(byte)).filter(|token| !token.is_empty());
    match (words.next(), words.next()) {
        (Some(run), None) if is_run(run) && long_enough(run.len()) => {
            tiles.extend(digits(run).map_err(ParseError::new)?);
            Ok(())
        }
        _ if memchr::memchr(b'#', text).is_some() => {
            Err(ParseError::new(format_args!("found '#' in the board {}", quoted(text))))
        }
        _ => read_tiles(text, tiles),
    }
}
