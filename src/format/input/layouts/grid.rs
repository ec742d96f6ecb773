//! Boards over several lines: `grid`, where the rows show the shape, and `sized`, where a size line
//! names it.

use super::super::layout::Layout;
use super::super::record::{ParseError, Puzzle};
use super::super::source::Source;
use super::super::text_lines::{is_run, is_run_on, lines, size, tokens, without_comment};
use super::tiles::{Tiles, board_of, counted, read_tiles};
use crate::board::Shape;
use crate::board::tokens::{digits, quoted};

/// Rows on lines of their own.
pub fn grid(record: &[u8], source: &Source) -> Result<Puzzle, ParseError> {
    let mut tiles = Tiles::new();
    let (mut rows, mut width) = (0, source.shape.map(Shape::cols));
    for line in lines(record) {
        let before = tiles.len();
        read_row(line, width, &mut tiles)?;
        rows += 1;
        let found = tiles.len() - before;
        let expected = *width.get_or_insert(found);
        if found != expected {
            let reason = match source.shape {
                Some(shape) => format!("a row of a {shape} board has {expected}"),
                None => format!("row 1 has {expected}"),
            };
            return Err(ParseError::new(format_args!("row {rows} has {}, {reason}", counted(found, "tile"))));
        }
    }
    let width = width.unwrap_or_default();
    if width > Shape::MAX_SIDE {
        let found = counted(width, "tile");
        return Err(ParseError::new(format_args!("row 1 has {found}; a row has at most {}", Shape::MAX_SIDE)));
    }
    // A block of one row that is no board is more likely a part of one.
    let is_one = rows > 1 || board_of(&tiles, Shape::new(1, width), None).is_ok();
    let square = if source.layout == Layout::Blocks && is_one { rows } else { width };
    let expected = source.shape.map_or(square, Shape::rows);
    if rows != expected {
        let found = format!("{} of {}", counted(rows, "row"), counted(width, "tile"));
        return Err(ParseError::new(format_args!("found {found}, expected {expected} rows")));
    }
    let own = source.shape.or_else(|| Shape::new(rows, width));
    board_of(&tiles, own, None).map(Puzzle::of)
}

fn read_row(line: &[u8], width: Option<usize>, tiles: &mut Tiles) -> Result<(), ParseError> {
    let mut words = tokens(line);
    match (words.next(), words.next()) {
        (Some(run), None) if is_run(run) && width != Some(1) => {
            tiles.extend(digits(run).map_err(ParseError::new)?);
            Ok(())
        }
        _ => read_tiles(line, tiles),
    }
}

/// A size line, then the tiles in whatever lines.
pub fn sized(record: &[u8]) -> Result<Puzzle, ParseError> {
    let mut lines = lines(record);
    let first = lines.next().unwrap_or_default();
    let Some(shape) = size(tokens(first)) else {
        return Err(not_a_size(first));
    };
    let mut tiles = Tiles::new();
    for line in lines {
        for token in tokens(line) {
            if is_run_on(token, shape) {
                tiles.extend(digits(token).map_err(ParseError::new)?);
            } else {
                read_tiles(token, &mut tiles)?;
            }
        }
    }
    board_of(&tiles, Some(shape), None).map(Puzzle::of)
}

fn not_a_size(line: &[u8]) -> ParseError {
    let shown = quoted(without_comment(line).trim_ascii());
    ParseError::new(format_args!("{shown} is not a size: expected n, or rows and columns, each from 1 to 255"))
}
