//! One board on one line of text, with separators or without. Every large input comes this way:
//! nothing here allocates except for error messages.

use super::super::layout::Layout;
use super::super::record::{ParseError, Puzzle};
use super::super::source::Source;
use super::super::text_lines::{number, tokens, without_comment};
use super::board_tiles::BoardTiles;
use super::parsed::Parsed;
use super::tiles::{Tiles, board_of, counted, read_tiles};
use crate::board::tokens::{digits, is_separator, quoted};
use crate::board::{Board, Shape};
use crate::format::passing::Passed;

/// A line of the layouts `line` and `digits`.
#[inline]
pub fn record(line: &[u8], source: &Source) -> Parsed {
    if source.numbered {
        return numbered(line, source);
    }
    board(line, source).map(Puzzle::of).into()
}

#[inline]
fn board(line: &[u8], source: &Source) -> Result<Board, ParseError> {
    if source.layout == Layout::Digits {
        return unseparated(line, source.shape);
    }
    let mut tiles = Tiles::new();
    if let Err(wrong) = read_tiles(line, &mut tiles) {
        return slashed(line, source).unwrap_or(Err(wrong));
    }
    board_of(&tiles, None, source.shape)
}

/// Reads a board with slashes between its rows, which tell its shape.
#[cold]
fn slashed(line: &[u8], source: &Source) -> Option<Result<Board, ParseError>> {
    let text = without_comment(line);
    let is_slashed = memchr::memchr(b'/', text).is_some();
    is_slashed.then(|| BoardTiles::read(text.trim_ascii(), None)?.board(None, source.shape))
}

fn numbered(line: &[u8], source: &Source) -> Parsed {
    let start = line.iter().position(|&byte| !is_separator(byte)).unwrap_or(line.len());
    let first = tokens(line).next().unwrap_or_default();
    // JSON writes no zeros before a number.
    let zeros = first.iter().take_while(|&&byte| byte == b'0').count().min(first.len().saturating_sub(1));
    match number(&first[zeros..]) {
        Some(number) => Parsed {
            id: Some(number.to_string().into()),
            passed: Passed::default(),
            puzzle: board(&line[start + first.len()..], source).map(Puzzle::of),
        },
        None => {
            let shown = quoted(first);
            Err(ParseError::new(format_args!("expected a record number first, found {shown}"))).into()
        }
    }
}

/// Reads a board written without separators.
fn unseparated(line: &[u8], known: Option<Shape>) -> Result<Board, ParseError> {
    let mut words = tokens(line);
    let (first, more) = (words.next().unwrap_or_default(), words.count());
    if more > 0 {
        let found = counted(more + 1, "token");
        return Err(ParseError::new(format_args!("found {found}, expected one board without separators")));
    }
    let mut tiles = Tiles::new();
    tiles.extend(digits(first).map_err(ParseError::new)?);
    if known.is_none() && !matches!(tiles.len(), 4 | 9 | 16) {
        return Err(ParseError::new(format_args!(
            "found {}; a board without separators has 4, 9 or 16 of them unless --shape says otherwise",
            counted(tiles.len(), "tile")
        )));
    }
    board_of(&tiles, None, known)
}
