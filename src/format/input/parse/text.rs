//! Parses boards written as text: on a line, in rows, after a size, or with their goals.

use smallvec::SmallVec;

use super::board_tiles::{BoardTiles, Tiles, board_of, counted, in_goal, read_tiles};
use super::parsed::Parsed;
use crate::board::tokens::{digits, is_separator, quoted};
use crate::board::{Board, Shape};
use crate::format::input::layout::Layout;
use crate::format::input::record::{ParseError, Puzzle};
use crate::format::input::source::Source;
use crate::format::input::split::pair_size;
use crate::format::input::text_lines::{is_run, is_run_of_shape, lines, number, size, tokens, without_comment};
use crate::format::passthrough::Passthrough;

/// Parses one board on one line. Most large inputs are parsed here, so boards of up to 32 cells are
/// parsed without an allocation.
#[inline]
pub fn line(record: &[u8], source: &Source) -> Parsed {
    let line = record.strip_suffix(b"\n").unwrap_or(record);
    if source.numbered {
        return numbered(line, source);
    }
    board(line, source.shape).map(Puzzle::of).into()
}

#[inline]
fn board(line: &[u8], default_shape: Option<Shape>) -> Result<Board, ParseError> {
    let mut tiles = Tiles::new();
    let read = read_tiles(line, &mut tiles);
    if read.is_err() || tiles.len() == 1 {
        return unusual(line, default_shape)
            .unwrap_or_else(|| read.and_then(|()| board_of(&tiles, None, default_shape)));
    }
    board_of(&tiles, None, default_shape)
}

/// Parses a board without separators, or with slashes between its rows. Returns `None` for any
/// other line.
#[cold]
fn unusual(line: &[u8], default_shape: Option<Shape>) -> Option<Result<Board, ParseError>> {
    let text = without_comment(line).trim_ascii();
    let is_unusual = memchr::memchr(b'/', text).is_some() || text.len() > 1 && digits(text).is_ok();
    is_unusual.then(|| BoardTiles::read(text, default_shape)?.board(None, default_shape))
}

fn numbered(line: &[u8], source: &Source) -> Parsed {
    let first = tokens(line).next().unwrap_or_default();
    let end = line.iter().position(|&byte| !is_separator(byte)).unwrap_or(line.len()) + first.len();
    // JSON numbers have no leading zeros.
    let zeros = first.iter().take_while(|&&byte| byte == b'0').count().min(first.len().saturating_sub(1));
    match number(&first[zeros..]) {
        Some(number) => Parsed {
            id: Some(number.to_string().into()),
            passthrough: Passthrough::default(),
            puzzle: board(&line[end..], source.shape).map(Puzzle::of),
        },
        None => {
            let shown = quoted(first);
            Err(ParseError::new(format_args!("expected a record number first, found {shown}"))).into()
        }
    }
}

/// Parses rows on separate lines.
pub fn grid(record: &[u8], source: &Source) -> Parsed {
    rows(record, source).map(Puzzle::of).into()
}

fn rows(record: &[u8], source: &Source) -> Result<Board, ParseError> {
    let (mut tiles, mut lengths): (_, SmallVec<[usize; 8]>) = (Tiles::new(), SmallVec::new());
    let width = source.shape.map(Shape::cols);
    for line in lines(record) {
        let before = tiles.len();
        let mut row = tokens(line);
        match (row.next(), row.next()) {
            (Some(run), None) if is_run(run) && width != Some(1) => {
                tiles.extend(digits(run).map_err(ParseError::new)?);
            }
            _ => read_tiles(line, &mut tiles)?,
        }
        lengths.push(tiles.len() - before);
    }
    let (row_count, first) = (lengths.len(), lengths.first().copied().unwrap_or_default());
    let shape = source.shape.or_else(|| match source.layout {
        Layout::Blocks => Shape::new(row_count, first),
        _ => Shape::new(first, first),
    });
    let Some(shape) = shape else {
        return Err(ParseError::new(format_args!("row 1 has {}; a row has at most 255", counted(first, "tile"))));
    };
    if let Some(at) = lengths.iter().position(|&length| length != shape.cols()) {
        let (row, found) = (at + 1, counted(lengths[at], "tile"));
        let reference = if source.shape.is_some() { format!("a row of a {shape} board") } else { "row 1".into() };
        return Err(ParseError::new(format_args!("row {row} has {found}, {reference} has {}", shape.cols())));
    }
    if row_count != shape.rows() {
        let (rows, tiles) = (counted(row_count, "row"), counted(first, "tile"));
        return Err(ParseError::new(format_args!("found {rows} of {tiles}, expected {} rows", shape.rows())));
    }
    board_of(&tiles, Some(shape), None)
}

/// Parses a size line, then tiles on any number of lines.
pub fn sized(record: &[u8], _: &Source) -> Parsed {
    let read = || {
        let mut lines = lines(record);
        let first = lines.next().unwrap_or_default();
        let Some(shape) = size(tokens(first)) else {
            let shown = quoted(without_comment(first).trim_ascii());
            let expected = "expected n, or rows and columns, each from 1 to 255";
            return Err(ParseError::new(format_args!("{shown} is not a size: {expected}")));
        };
        let mut tiles = Tiles::new();
        for token in lines.flat_map(tokens) {
            if is_run_of_shape(token, shape) {
                tiles.extend(digits(token).map_err(ParseError::new)?);
            } else {
                read_tiles(token, &mut tiles)?;
            }
        }
        board_of(&tiles, Some(shape), None)
    };
    read().map(Puzzle::of).into()
}

/// Parses a start and a goal on two lines, with or without a size line before them.
pub fn pair(record: &[u8], source: &Source) -> Parsed {
    let read = || {
        let mut lines = lines(record).map(without_comment).peekable();
        let size = lines.peek().and_then(|line| pair_size(line, source.shape));
        if size.is_some() {
            lines.next();
        }
        let default_shape = size.or(source.shape);
        let start = lines.next().ok_or_else(|| ParseError::new("found a size, but no start and no goal after it"))?;
        let board = BoardTiles::read(start, default_shape)?.board(size, source.shape)?;
        let goal = lines.next().ok_or_else(|| ParseError::new("found a start, but no goal on the line after it"))?;
        Puzzle::with_goal(board, &BoardTiles::read(goal, default_shape).map_err(in_goal)?)
    };
    read().into()
}
