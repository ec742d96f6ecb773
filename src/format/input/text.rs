//! Parses boards written as text: on a line, in rows, after a size, or with their goals. Tiles are
//! written with or without separators, and with or without `/` between rows.

use smallvec::SmallVec;

use super::layout::Layout;
use super::lines::{is_run, is_run_of_shape, lines, number, size, tokens, without_comment};
use super::record::{ParseError, Puzzle, Record, Source};
use super::split::pair_size;
use crate::board::tokens::{BLANKS, char_label, digits, is_separator, quoted, tile};
use crate::board::{Board, Goal, Shape, Tile};

/// The tiles of a board that is being read. They fit on the stack for boards of up to 32 cells.
pub type Tiles = SmallVec<[Tile; 32]>;

/// The tiles of a board in the order in which they were written, and the shape if they were written
/// in rows.
pub struct BoardTiles {
    pub tiles: Tiles,
    pub shape: Option<Shape>,
}

impl BoardTiles {
    /// Checks tiles in rows of these lengths, which must be equal.
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

    /// Reads text, with or without `/` between rows. A single token is a board without separators
    /// if it has at least four characters, or as many as the default shape has cells. Between
    /// slashes, two characters suffice.
    pub fn read(text: &[u8], default_shape: Option<Shape>) -> Result<BoardTiles, ParseError> {
        let mut tiles = Tiles::new();
        if memchr::memchr(b'/', text).is_none() {
            let cells = default_shape.map_or(usize::MAX, Shape::cells);
            let is_board = |run: &[u8]| (run.len() >= 4 || run.len() == cells) && digits(run).is_ok();
            read_part(text, &mut tiles, is_board)?;
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

    /// Returns the board. `size` is the size given in the record, and `default_shape` is the shape
    /// of boards without a size.
    pub fn board(&self, size: Option<Shape>, default_shape: Option<Shape>) -> Result<Board, ParseError> {
        if let (Some(shape), Some(size)) = (self.shape, size)
            && shape != size
        {
            return Err(ParseError::new(format_args!("the rows make a {shape} board, its size is given as {size}")));
        }
        board_of(&self.tiles, self.shape.or(size), default_shape)
    }
}

/// Returns the board of these tiles. Its shape is `given`, or else `default_shape`, or else a
/// square.
#[inline]
pub fn board_of(tiles: &[Tile], given: Option<Shape>, default_shape: Option<Shape>) -> Result<Board, ParseError> {
    let shape = given.or(default_shape).or_else(|| Shape::square_of(tiles.len()));
    let Some(shape) = shape else {
        return Err(ParseError::new(format_args!(
            "found {}; a board has a square number of them unless --shape says otherwise",
            counted(tiles.len(), "tile")
        )));
    };
    Board::new(shape, tiles).map_err(ParseError::new)
}

/// Reads the tiles of a board, or of a row between slashes. If there is only one token, and
/// `is_unseparated` returns true for it, each of its characters is a tile.
fn read_part(text: &[u8], tiles: &mut Tiles, is_unseparated: impl Fn(&[u8]) -> bool) -> Result<(), ParseError> {
    let mut tokens = text.split(|&byte| is_separator(byte)).filter(|token| !token.is_empty());
    match (tokens.next(), tokens.next()) {
        (Some(run), None)
            if run.len() > 1 && is_unseparated(run) && run.iter().all(|&byte| char_label(byte).is_some()) =>
        {
            tiles.extend(run.iter().filter_map(|&byte| char_label(byte)).map(Tile::new));
            Ok(())
        }
        _ if memchr::memchr(b'#', text).is_some() => {
            Err(ParseError::new(format_args!("found '#' in the board {}", quoted(text))))
        }
        _ => read_tiles(text, tiles),
    }
}

/// Returns the number at the start of the bytes, and its length: 0 if there is none. A long number
/// wraps around, so callers check the length.
#[inline(always)]
pub fn leading_number(bytes: &[u8]) -> (usize, usize) {
    let (mut number, mut length) = (0usize, 0);
    while let Some(digit) = bytes.get(length).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        number = number.wrapping_mul(10).wrapping_add(usize::from(digit));
        length += 1;
    }
    (number, length)
}

/// Reads the tiles of a line up to its comment.
#[inline]
pub fn read_tiles(line: &[u8], tiles: &mut Tiles) -> Result<(), ParseError> {
    let mut rest = line;
    while let [first, tail @ ..] = rest {
        if is_separator(*first) {
            rest = tail;
            continue;
        }
        if *first == b'#' {
            break;
        }
        let (label, mut length) = leading_number(rest);
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

impl Puzzle {
    /// Returns the puzzle of a board and the text of its goal, which is a name or a board.
    pub(super) fn with_goal_text(board: Board, text: &[u8]) -> Result<Puzzle, ParseError> {
        // `Goal` parses names, and boards with letters for the tiles 10 to 15.
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() && !BLANKS.contains(byte);
        if text.iter().any(is_letter) {
            let goal: Goal = String::from_utf8_lossy(text).parse().map_err(ParseError::new)?;
            return Ok(Puzzle { board, goal: Some(goal) });
        }
        let goal = BoardTiles::read(text, Some(board.shape())).map_err(in_goal)?;
        Puzzle::with_goal(board, &goal)
    }

    /// Returns the puzzle of a board and the tiles of its goal.
    pub(super) fn with_goal(board: Board, goal: &BoardTiles) -> Result<Puzzle, ParseError> {
        goal.board(Some(board.shape()), None).map_err(in_goal)?;
        Ok(Puzzle { board, goal: Some(Goal::of_tiles(&goal.tiles)) })
    }
}

/// Returns the shape in the fields `rows` and `cols` of a record, or `None` if it has neither.
///
/// # Errors
/// If only one is given, or they are not a size.
pub fn size_of_fields(rows: Option<&[u8]>, cols: Option<&[u8]>) -> Result<Option<Shape>, ParseError> {
    match (rows, cols) {
        (None, None) => Ok(None),
        (Some(rows), Some(cols)) => size([rows, cols].into_iter()).map(Some).ok_or_else(|| {
            let (rows, cols) = (quoted(rows), quoted(cols));
            let message = "are not a size: each must be a whole number from 1 to 255";
            ParseError::new(format_args!("{rows} rows and {cols} cols {message}"))
        }),
        (Some(_), None) => Err(ParseError::new("found rows without cols")),
        (None, Some(_)) => Err(ParseError::new("found cols without rows")),
    }
}

/// Returns the error with a note that it is in the goal.
pub fn in_goal(error: ParseError) -> ParseError {
    ParseError::new(format_args!("the goal: {error}"))
}

/// Formats a count: `1 tile`, `2 tiles`.
pub fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Parses one board on one line. Most large inputs are parsed here, so boards of up to 32 cells are
/// parsed without an allocation.
#[inline]
pub fn line(record: &[u8], source: &Source) -> Record {
    let line = record.strip_suffix(b"\n").unwrap_or(record);
    if source.numbered {
        return numbered(line, source);
    }
    board(line, source.shape).map(Puzzle::of).into()
}

#[inline]
fn board(line: &[u8], default_shape: Option<Shape>) -> Result<Board, ParseError> {
    let mut tiles = Tiles::new();
    match read_tiles(line, &mut tiles) {
        Ok(()) if tiles.len() != 1 => board_of(&tiles, None, default_shape),
        // The line may be a board without separators, or with slashes between its rows.
        _ => BoardTiles::read(without_comment(line).trim_ascii(), default_shape)?.board(None, default_shape),
    }
}

/// Parses the record's number and its board.
fn numbered(line: &[u8], source: &Source) -> Record {
    let first = tokens(line).next().unwrap_or_default();
    let end = line.iter().position(|&byte| !is_separator(byte)).unwrap_or(line.len()) + first.len();
    let Some(number) = number(first) else {
        let found = format_args!("expected a record number first, found {}", quoted(first));
        return Err(ParseError::new(found)).into();
    };
    let id = Some(number.to_string().into());
    Record { id, ..board(&line[end..], source.shape).map(Puzzle::of).into() }
}

/// Parses rows on separate lines.
pub fn grid(record: &[u8], source: &Source) -> Result<Puzzle, ParseError> {
    let may_be_runs = source.shape.is_none_or(|shape| shape.cols() > 1);
    let (mut tiles, mut lengths): (_, SmallVec<[usize; 8]>) = (Tiles::new(), SmallVec::new());
    for line in lines(record) {
        let before = tiles.len();
        let mut row = tokens(line);
        match (row.next(), row.next()) {
            (Some(run), None) if is_run(run) && may_be_runs => tiles.extend(digits(run).map_err(ParseError::new)?),
            _ => read_tiles(line, &mut tiles)?,
        }
        lengths.push(tiles.len() - before);
    }
    let wrong = source.shape.and_then(|shape| lengths.iter().position(|&length| length != shape.cols()));
    if let (Some(shape), Some(at)) = (source.shape, wrong) {
        let (row, found, cols) = (at + 1, counted(lengths[at], "tile"), shape.cols());
        return Err(ParseError::new(format_args!("row {row} has {found}, a row of a {shape} board has {cols}")));
    }
    let board = BoardTiles::of_rows(tiles, &lengths)?;
    let (row_count, first) = (lengths.len(), lengths[0]);
    // A board may have any number of rows only in `Blocks`, where empty lines separate the boards.
    let expected = source.shape.map_or(first, Shape::rows);
    if row_count != expected && source.layout != Layout::Blocks {
        let (rows, tiles) = (counted(row_count, "row"), counted(first, "tile"));
        return Err(ParseError::new(format_args!("found {rows} of {tiles}, expected {expected} rows")));
    }
    board.board(source.shape, None).map(Puzzle::of)
}

/// Parses a size line, then tiles on any number of lines.
pub fn sized(record: &[u8]) -> Result<Puzzle, ParseError> {
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
    board_of(&tiles, Some(shape), None).map(Puzzle::of)
}

/// Parses a start and a goal on two lines, with or without a size line before them.
pub fn pair(record: &[u8], source: &Source) -> Result<Puzzle, ParseError> {
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
}
