//! `auto`: the layout of a file from its first lines.
//!
//! The first record that is clean in some layout decides, so that a broken one at the head of a file
//! does not spoil the rest. The cases, for a line at which such a record may begin:
//!
//! | the line is | and what follows | layout |
//! |---|---|---|
//! | `{…` or `[…` | | `json` |
//! | words split by commas, one of them `board` | | `csv` |
//! | 4 or 9 characters, or the shape's cells, all different | | `digits` |
//! | 3 characters, or the shape's columns | rows of the same length that make a board | `grid` |
//! | a number n | n rows of n, one line of n², or n² lines of one; then a number or the end | `sized` |
//! | | two lines of n²; then a number or the end | `pair` |
//! | two numbers r c | the same with r rows of c | `sized`, `pair` |
//! | 4, 9, 16 … tokens, or the shape's cells, that make a board | | `line` |
//! | a number, then tokens that make a board | | `line`, numbered |
//! | k tokens | k lines of k that make a board, or as many as the shape has | `grid` |
//!
//! A number on the first line that is none of these is the count of records, when what follows is
//! clean: `3`, then three boards in `line`, `grid`, … or, where more lines of `digits` follow than
//! it says, as many pairs.
//!
//! Where the layout is given as `pair`, only the count has to be recognised, see [`is_pair_count`].
//!
//! Where nothing is clean, the number of tokens decides. What is decided never depends on how much
//! of the file has arrived: a case that needs lines which are not there yet asks for them.

use std::collections::HashSet;

use super::csv_fields;
use super::layout::Layout;
use super::text_lines::{is_run, lone_number, number, row_length, size, tokens};
use crate::board::tokens::{lettered_board, tile};
use crate::board::{Board, Shape, Tile};

/// The number of bytes that are looked at first; for nearly every file they suffice.
pub const PEEK_BYTES: usize = 64 << 10;

/// The most bytes that are looked at beside these, for large boards and long lines; more than a
/// start and a goal of 255×255 take.
pub const MOST_BYTES: usize = 2 << 20;

/// The most lines at which a clean record is looked for.
const MOST_LINES: usize = 64;

/// What was recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detected {
    /// How records are laid out.
    pub layout: Layout,
    /// The first line is the number of records.
    pub count_line: bool,
    /// Lines begin with the number of their record.
    pub numbered: bool,
}

impl From<Layout> for Detected {
    fn from(layout: Layout) -> Detected {
        Detected { layout, count_line: false, numbered: false }
    }
}

/// How much of the file the bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// All of it.
    All,
    /// As much as is looked at: the lines behind them count as if they were well-formed.
    Start,
    /// As much as has arrived: more can be read.
    Some,
}

/// The lines that have arrived do not decide.
struct NeedMore;

type Decided<T> = Result<T, NeedMore>;

/// Recognises the layout by the bytes at which the first record begins; `None` when more must be
/// seen, which happens only where more can be.
pub fn detect(bytes: &[u8], seen: Seen, shape: Option<Shape>, count_line_allowed: bool) -> Option<Detected> {
    if let Some(b'{' | b'[') = bytes.trim_ascii_start().first() {
        return Some(Layout::Json.into());
    }
    let mut lines = whole_lines(bytes, seen).filter(|line| !line.trim_ascii().is_empty());
    if let Some(first) = lines.next() {
        if csv_fields::delimiter_of(first).is_some() {
            return Some(Layout::Csv.into());
        }
        if csv_fields::is_other_header(first, None) {
            match lines.next() {
                None if seen == Seen::Some => return None,
                next if csv_fields::is_other_header(first, next) => return Some(Layout::Csv.into()),
                _ => {}
            }
        }
    }
    let (mut rows, mut ends) = (Vec::new(), Vec::new());
    for line in whole_lines(bytes, seen) {
        let row: Vec<_> = tokens(line).collect();
        if !row.is_empty() {
            rows.push(row);
            ends.push(false);
        } else if !line.contains(&b'#') {
            ends.last_mut().into_iter().for_each(|end| *end = true);
        }
    }
    if seen == Seen::All {
        ends.last_mut().into_iter().for_each(|end| *end = true);
    }
    Peek { lines: rows, ends, seen, shape }.layout(count_line_allowed).ok()
}

/// The lines that are there to their end.
fn whole_lines(bytes: &[u8], seen: Seen) -> impl Iterator<Item = &[u8]> {
    let whole = match (seen, memchr::memrchr(b'\n', bytes)) {
        (Seen::All, _) => bytes,
        (_, Some(feed)) => &bytes[..feed],
        (_, None) => &[],
    };
    whole.split(|&byte| byte == b'\n')
}

/// Whether the first line of a file in the layout `pair` is the number of its records; `None`
/// when more must be seen.
///
/// It is a number alone that is not the size of what follows: neither of the next two lines has as
/// many tiles as a board of that side, or as a row of it where a row's tiles make no board; and it is not
/// itself a start without separators, as long as the next line.
pub fn is_pair_count(bytes: &[u8], seen: Seen, shape: Option<Shape>) -> Option<bool> {
    let mut lines = whole_lines(bytes, seen).filter(|line| tokens(line).next().is_some());
    let mut line = || match lines.next() {
        None if seen == Seen::Some => Err(NeedMore),
        line => Ok(line),
    };
    let mut decide = || {
        let Some(first) = line()? else { return Ok(false) };
        let Some(length) = lone_number(first).filter(|&count| count > 0).and(tokens(first).next()).map(<[u8]>::len)
        else {
            return Ok(false);
        };
        let Some(next) = line()? else { return Ok(false) };
        if shape.is_some_and(|shape| shape.cells() == length) {
            return Ok(false);
        }
        let Some(size) = size(tokens(first)) else { return Ok(length < 4 || row_length(next) != length) };
        let has_size = |line: &[u8]| {
            let tiles = row_length(line);
            let fills = shape.or_else(|| Shape::square_of(tiles)).is_some_and(|shape| shape.cells() == tiles);
            match size.cells() {
                1 => tiles == 1 && is_board(tokens(line)),
                cells => tiles == cells || (tiles == size.cols() && !fills),
            }
        };
        Ok(!has_size(next) && !line()?.is_some_and(has_size))
    };
    let is_count: Decided<bool> = decide();
    is_count.ok()
}

/// The tokens of the lines that hold any.
struct Peek<'a> {
    lines: Vec<Vec<&'a [u8]>>,
    /// Behind which of them there is an empty line, or nothing.
    ends: Vec<bool>,
    seen: Seen,
    shape: Option<Shape>,
}

impl Peek<'_> {
    /// A line's tokens; `None` behind the last.
    fn line(&self, at: usize) -> Decided<Option<&[&[u8]]>> {
        match self.lines.get(at) {
            Some(line) => Ok(Some(line)),
            None if self.seen == Seen::Some => Err(NeedMore),
            None => Ok(None),
        }
    }

    fn layout(&self, count_line_allowed: bool) -> Decided<Detected> {
        let Some(first) = self.line(0)? else { return Ok(Layout::Line.into()) };
        if let Some(found) = self.clean(0)? {
            return Ok(found);
        }
        let count = match first {
            [token] if count_line_allowed => number(token).filter(|&count| count > 0),
            _ => None,
        };
        let Some((at, found)) = self.first_clean(1)? else { return self.by_number_of_tokens(first) };
        match count {
            None => Ok(found),
            // A broken board of digits is a number too.
            Some(_) if found.layout == Layout::Digits && self.lines[at][0].len() == first[0].len() => Ok(found),
            // A size line, and a broken board behind it.
            Some(_) if at > 1 && matches!(found.layout, Layout::Sized | Layout::Pair) => Ok(found),
            Some(count) if found.layout == Layout::Digits && self.more_lines_than(count)? => {
                Ok(Detected { layout: Layout::Pair, count_line: true, ..found })
            }
            Some(_) => Ok(Detected { count_line: true, ..found }),
        }
    }

    fn more_lines_than(&self, count: u64) -> Decided<bool> {
        let count = usize::try_from(count).unwrap_or(usize::MAX - 1);
        Ok(self.line(count.saturating_add(1))?.is_some())
    }

    fn first_clean(&self, from: usize) -> Decided<Option<(usize, Detected)>> {
        for at in from..from + MOST_LINES {
            if self.line(at)?.is_none() {
                break;
            }
            if let Some(found) = self.clean(at)? {
                return Ok(Some((at, found)));
            }
        }
        Ok(None)
    }

    /// The layout in which a clean record begins at this line.
    fn clean(&self, at: usize) -> Decided<Option<Detected>> {
        let Some(line) = self.line(at)? else { return Ok(None) };
        if line.len() == 1
            && self.shape.is_some_and(|shape| shape.cols() == 1 && shape.rows() > 1)
            && self.is_grid(at, 1)?
        {
            return Ok(Some(Layout::Grid.into()));
        }
        if let [token] = line {
            if is_run(token) && self.is_unseparated(token.len()) && is_board(characters(token)) {
                return Ok(Some(Layout::Digits.into()));
            }
            if self.is_board_size(token.len()) && lettered_board(token).is_some() {
                return Ok(Some(Layout::Digits.into()));
            }
            if is_run(token) && self.is_grid(at, token.len())? {
                return Ok(Some(Layout::Grid.into()));
            }
        }
        if is_slashed(line) {
            return Ok(is_slashed_board(line).then(|| Layout::Line.into()));
        }
        if let Some(size) = size(line.iter().copied())
            && let Some(layout) = self.behind_size(at, size)?
        {
            return Ok(Some(layout.into()));
        }
        if self.is_board_size(line.len()) && is_board(line.iter().copied()) && !self.is_row_of_more(at, 0)? {
            return Ok(Some(Layout::Line.into()));
        }
        if let [first, board @ ..] = line {
            let numbered = number(first).is_some() && board.len() > 1 && self.is_board_size(board.len());
            if numbered && is_board(board.iter().copied()) && !self.is_row_of_more(at, 1)? {
                return Ok(Some(Detected { numbered: true, ..Layout::Line.into() }));
            }
        }
        let grid = line.len() >= 2 && self.is_grid(at, line.len())?;
        Ok((grid || self.is_block(at)?).then(|| Layout::Grid.into()))
    }

    fn is_unseparated(&self, length: usize) -> bool {
        matches!(length, 4 | 9) || self.shape.is_some_and(|shape| shape.cells() == length)
    }

    fn is_board_size(&self, tiles: usize) -> bool {
        Shape::square_of(tiles).is_some() || self.shape.is_some_and(|shape| shape.cells() == tiles)
    }

    /// True when the four tiles of a line, behind `skip` other tokens, are a 2×2 board only by
    /// chance, because the next line shows them to be a row of a larger one: `1 2 3 0`,
    /// `4 5 6 7`, …
    fn is_row_of_more(&self, at: usize, skip: usize) -> Decided<bool> {
        let length = skip + 4;
        if self.lines[at].len() != length || self.shape.is_some() {
            return Ok(false);
        }
        let Some(next) = self.line(at + 1)? else { return Ok(false) };
        Ok(next.len() == length && next[skip..].iter().any(|token| number(token).is_some_and(|label| label >= 4)))
    }

    /// True when the lines from here on are the rows of one board.
    fn is_grid(&self, at: usize, cols: usize) -> Decided<bool> {
        let shape = self.shape.filter(|shape| shape.cols() == cols).or_else(|| Shape::new(cols, cols));
        let Some(shape) = shape.filter(|shape| shape.cols() > 1 || self.shape == Some(*shape)) else {
            return Ok(false);
        };
        let run = cols > 1 && self.lines[at].len() == 1;
        // Two lines of two characters are more often two numbers.
        if run && cols < 3 && self.shape.is_none() {
            return Ok(false);
        }
        let mut tiles = Vec::new();
        for at in at..at + shape.rows() {
            match self.line(at)? {
                Some([token]) if run && is_run(token) && token.len() == cols => tiles.extend(characters(token)),
                Some(row) if !run && row.len() == cols => tiles.extend(row),
                _ => return Ok(false),
            }
        }
        Ok(is_board(tiles.into_iter()))
    }

    /// True when the lines from here to the next empty one are the rows of one board that is not square.
    fn is_block(&self, at: usize) -> Decided<bool> {
        let is_first = at == 0 || self.ends[at - 1] || self.lines[at - 1].len() == 1;
        let (width, mut labels) = (self.lines[at].len(), HashSet::new());
        if self.shape.is_some() || !is_first || width < 2 {
            return Ok(false);
        }
        for rows in 1..=Shape::MAX_SIDE {
            let Some(row) = self.line(at + rows - 1)? else { return Ok(false) };
            if row.len() != width || !row.iter().all(|token| tile(token).is_ok_and(|tile| labels.insert(tile.label())))
            {
                return Ok(false);
            }
            if self.ends[at + rows - 1] {
                return Ok(rows > 1 && rows != width && labels.iter().all(|&label| label < rows * width));
            }
        }
        Ok(false)
    }

    /// What a size line begins. Only the numbers of tokens count, for the board may be broken;
    /// unless the size line may be the first row of a 2×2 grid.
    fn behind_size(&self, at: usize, size: Shape) -> Decided<Option<Layout>> {
        let Some(first) = self.line(at + 1)? else { return Ok(None) };
        let cells = size.cells();
        let (lines, width) = match first.len() {
            width if width == cells => (1, cells),
            width if width == size.cols() => (size.rows(), width),
            1 => (cells, 1),
            _ => return Ok(None),
        };
        let mut tiles = Vec::new();
        for at in at + 1..=at + lines {
            match self.line(at)? {
                // A tile of this board is no longer than its greatest number.
                Some([token]) if width == 1 && token.len() > cells.to_string().len() => return Ok(None),
                Some(line) if line.len() == width => tiles.extend(line.iter().copied()),
                None if self.seen == Seen::Start => return Ok(Some(Layout::Sized)),
                _ => return Ok(None),
            }
        }
        let arity = self.lines[at].len();
        if arity == 2 && width == 2 && !is_board(tiles.into_iter()) {
            return Ok(None);
        }
        let ends = |line: Option<&[&[u8]]>| {
            line.is_none_or(|line| line.len() == arity && super::text_lines::size(line.iter().copied()).is_some())
        };
        match self.line(at + 1 + lines)? {
            next if ends(next) => Ok(Some(Layout::Sized)),
            Some(next) if lines == 1 && cells > 1 && next.len() == cells && ends(self.line(at + 3)?) => {
                Ok(Some(Layout::Pair))
            }
            _ => Ok(None),
        }
    }

    /// The last resort: no record is clean.
    fn by_number_of_tokens(&self, first: &[&[u8]]) -> Decided<Detected> {
        if is_slashed(first) {
            return Ok(Layout::Line.into());
        }
        let count = first.len();
        let next = self.line(1)?.map_or(0, <[_]>::len);
        if let [token] = first {
            let side = number(token).filter(|&side| side <= 255).unwrap_or_default() as usize;
            let row_or_board = side > 1 && (next == side || next == side * side);
            let layout = match token.len() {
                _ if row_or_board => Layout::Sized,
                length if self.is_unseparated(length) => Layout::Digits,
                _ => Layout::Line,
            };
            return Ok(layout.into());
        }
        // No two rows of a board have the same numbers.
        if self.lines.len() > 1
            && self.lines[..2].iter().all(|line| line.len() == count && is_board(line.iter().copied()))
        {
            return Ok(Layout::Line.into());
        }
        let mut rows = self.lines.iter().take(count.min(MOST_LINES)).filter(|line| line.len() == count);
        let large = |line: &Vec<&[u8]>| line.iter().any(|token| number(token).is_some_and(|n| n >= count as u64));
        let layout = match count {
            _ if self.shape.is_some_and(|shape| shape.cells() == count) => Layout::Line,
            _ if self.shape.is_some_and(|shape| shape.cols() == count) => Layout::Grid,
            _ if Shape::square_of(count).is_some() => {
                if rows.clone().count() == count && rows.any(large) {
                    Layout::Grid
                } else {
                    Layout::Line
                }
            }
            2 | 3 => Layout::Grid,
            _ if count <= 25 && next == count => Layout::Grid,
            _ => Layout::Line,
        };
        Ok(layout.into())
    }
}

/// Slashes between the rows of a board.
fn is_slashed(line: &[&[u8]]) -> bool {
    line.iter().any(|token| token.contains(&b'/'))
}

fn is_slashed_board(line: &[&[u8]]) -> bool {
    let text = line.join(&b' ');
    let board = std::str::from_utf8(&text).ok().and_then(|text| text.parse::<Board>().ok());
    board.is_some()
}

fn characters(token: &[u8]) -> impl Iterator<Item = &[u8]> {
    token.chunks(1)
}

/// True for tokens that are the tiles of a board: every label below their number, once.
fn is_board<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> bool {
    let labels: Option<Vec<usize>> = tokens.map(|token| tile(token).ok().map(Tile::label)).collect();
    let Some(labels) = labels else { return false };
    let mut seen = vec![false; labels.len()];
    labels.into_iter().all(|label| seen.get_mut(label).is_some_and(|seen| !std::mem::replace(seen, true)))
}
