//! Record boundaries. Each layout has a *splitter*, a pure function that finds the end of a record
//! ([`Layout::split`]).
//!
//! A splitter takes bytes that begin at a record, and a flag that is true if the file ends after
//! them. In some layouts, it also takes the default shape: that of boards whose records do not show
//! their shape. If the bytes do not determine the end of the record, the splitter returns
//! [`NeedMore`]. More bytes never change an end that was found, so the result does not depend on
//! how bytes arrive. Layout detection uses the same functions as reading.

use smallvec::SmallVec;

use super::layout::Layout;
use super::lines::{is_run, is_run_of_shape, lines, number, row_length, size, tokens};
use crate::board::tokens::{is_separator, tile};
use crate::board::{Shape, Tile};

/// The error returned if the bytes do not determine the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NeedMore;

impl Layout {
    /// Returns the end of the record at the start of the bytes. `ended` is true if the file ends
    /// after them.
    #[inline]
    pub(super) fn split(self, bytes: &[u8], ended: bool, shape: Option<Shape>) -> Result<usize, NeedMore> {
        match self {
            Layout::Line | Layout::Digits | Layout::Json | Layout::Csv => line(bytes, ended),
            Layout::Grid => grid(bytes, ended, shape),
            Layout::Blocks => block(bytes, ended),
            Layout::Sized => sized(bytes, ended),
            Layout::Pair => pair(bytes, ended, shape),
            Layout::JsonValues | Layout::JsonElements => value(bytes, ended),
        }
    }
}

/// The content before a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lead {
    /// A record begins at this offset.
    Record(usize),
    /// No record begins yet. Everything before this offset can be dropped.
    Nothing(usize),
    /// No record begins yet, and the bytes end in a comment. All of them can be dropped, and so can
    /// the rest of the comment.
    Comment,
}

/// Skips blank lines and comments, or the separators between JSON values. A blank line longer than
/// the limit is a record.
#[inline]
pub fn lead(layout: Layout, bytes: &[u8], ended: bool, limit: usize) -> Lead {
    let mut at = 0;
    if layout.is_values() {
        let is_between = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b']' | b'}');
        let start = bytes.iter().position(|byte| !is_between(byte));
        return start.map_or(Lead::Nothing(bytes.len()), Lead::Record);
    }
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let is_blank = |byte: u8| is_separator(byte) && (byte != b',' || !matches!(layout, Layout::Json | Layout::Csv));
        match rest.iter().position(|&byte| !is_blank(byte)) {
            Some(first) if rest[first] == b'#' && first <= limit => match memchr::memchr(b'\n', rest) {
                Some(newline) => at += newline + 1,
                None if ended => at = bytes.len(),
                None => return Lead::Comment,
            },
            Some(first) if rest[first] == b'\n' && first <= limit => at += first + 1,
            None if rest.len() <= limit && ended => at = bytes.len(),
            None if rest.len() <= limit => return Lead::Nothing(at),
            _ => return Lead::Record(at),
        }
    }
    Lead::Nothing(at)
}

/// Returns the line that begins at `at`, and the start of the next line, or `None` at the end of
/// the file.
pub fn line_at(bytes: &[u8], at: usize, ended: bool) -> Result<Option<(&[u8], usize)>, NeedMore> {
    let rest = &bytes[at..];
    match memchr::memchr(b'\n', rest) {
        Some(newline) => Ok(Some((&rest[..newline], at + newline + 1))),
        None if !ended => Err(NeedMore),
        None => Ok(Some((rest, bytes.len())).filter(|_| !rest.is_empty())),
    }
}

/// The start of a line with tokens, its text, and its end.
pub type TextLine<'a> = (usize, &'a [u8], usize);

/// Returns the first line with tokens at or after `at`, or `None` if there is none up to the end of
/// the file.
pub fn text_line(bytes: &[u8], mut at: usize, ended: bool) -> Result<Option<TextLine<'_>>, NeedMore> {
    while let Some((line, end)) = line_at(bytes, at, ended)? {
        if is_text(line) {
            return Ok(Some((at, line, end)));
        }
        at = end;
    }
    Ok(None)
}

fn is_text(line: &[u8]) -> bool {
    tokens(line).next().is_some()
}

/// Returns true if the line is blank and has no comment.
fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_separator(byte))
}

/// Finds the end of one line.
#[inline]
fn line(bytes: &[u8], ended: bool) -> Result<usize, NeedMore> {
    Ok(line_at(bytes, 0, ended)?.map_or(bytes.len(), |(_, end)| end))
}

/// Finds the end of a record of several lines with tiles. Given the first of these lines,
/// `lines_for` returns their number. An empty line ends the record earlier if `empty_ends` returns
/// true for the number of lines so far.
fn rows(
    bytes: &[u8],
    ended: bool,
    lines_for: impl Fn(&[u8]) -> usize,
    empty_ends: impl Fn(usize) -> bool,
) -> Result<usize, NeedMore> {
    let (mut at, mut line_count, mut remaining) = (0, 0, None);
    while let Some((line, end)) = line_at(bytes, at, ended)? {
        at = end;
        if is_text(line) {
            let after = remaining.unwrap_or_else(|| lines_for(line)).saturating_sub(1);
            (line_count, remaining) = (line_count + 1, Some(after));
            if after == 0 {
                break;
            }
        } else if is_empty(line) && empty_ends(line_count) {
            break;
        }
    }
    Ok(at)
}

/// Finds the end of the rows of a board. Without a shape, the board is square.
fn grid(bytes: &[u8], ended: bool, shape: Option<Shape>) -> Result<usize, NeedMore> {
    let lines_for = |first: &[u8]| match shape.map_or_else(|| row_length(first), Shape::rows) {
        rows if rows <= Shape::MAX_SIDE => rows,
        _ => 1,
    };
    rows(bytes, ended, lines_for, |_| true)
}

/// Finds the end of the rows before an empty line. If the rows are several squares rather than one
/// board, finds the end of the first square.
fn block(bytes: &[u8], ended: bool) -> Result<usize, NeedMore> {
    let end = rows(bytes, ended, |_| Shape::MAX_SIDE, |_| true)?;
    let (row_count, cols) = (lines(&bytes[..end]).count(), lines(&bytes[..end]).next().map_or(0, row_length));
    let is_board = |rows: usize| match Shape::new(rows, cols) {
        Some(shape) => Ok(tiles(&bytes[..end], 0, true, shape, true)?.is_board),
        None => Ok(false),
    };
    let may_be_squares =
        row_count > cols && (row_count == Shape::MAX_SIDE || row_count.is_multiple_of(cols) || is_board(cols)?);
    if may_be_squares && !is_board(row_count)? { grid(bytes, ended, None) } else { Ok(end) }
}

/// Finds the end of a pair: two lines, or three if the first is a size.
fn pair(bytes: &[u8], ended: bool, shape: Option<Shape>) -> Result<usize, NeedMore> {
    let Some((first, _)) = line_at(bytes, 0, ended)? else { return Ok(0) };
    let sized = usize::from(pair_size(first, shape).is_some());
    rows(bytes, ended, |_| 2 + sized, |line_count| line_count > sized)
}

/// Returns the shape in the first line of a pair, if the line is a size. A line with as many tiles
/// as the default shape has cells is the start board, even if it looks like a size.
pub fn pair_size(line: &[u8], default_shape: Option<Shape>) -> Option<Shape> {
    let fills = |shape: Shape| {
        let mut run = tokens(line).filter(|token| is_run(token));
        tokens(line).count() == shape.cells() || run.any(|token| token.len() == shape.cells())
    };
    if default_shape.is_some_and(fills) { None } else { size(tokens(line)) }
}

/// Finds the end of a size line and its tiles. If the tiles are not a board, one of them may be
/// missing or duplicated. Then the record ends at the next line where a size line and a whole board
/// begin. If no such place is found, the record ends after the expected number of tiles, or before
/// the last line of these tiles if that line looks like the next size line. A record without a
/// valid size ends with the first empty line, unless a whole board begins earlier.
fn sized(bytes: &[u8], ended: bool) -> Result<usize, NeedMore> {
    let Some((first, body)) = line_at(bytes, 0, ended)? else { return Ok(0) };
    let shape = size(tokens(first));
    // Returns the end of the whole board whose size line is the first line with text at or after
    // `at`, or `None` if there is none.
    let board = |at: usize| {
        let Some((_, line, body)) = text_line(bytes, at, ended)? else { return Ok(None) };
        let size = size(tokens(line)).filter(|found| found.cells() >= 4 || shape == Some(*found));
        let found = size.map(|shape| tiles(bytes, body, ended, shape, true)).transpose()?;
        Ok(found.filter(|found| found.is_board).map(|found| found.end))
    };
    let is_board = |at: usize| board(at).map(|end| end.is_some());
    let is_followed = |end: usize| Ok(is_board(end)? || line_at(bytes, end, ended)?.is_none());
    // Returns true if a size line begins at `at`, and the next line is a row or a board of that
    // size. A line of one or two tiles is not enough, because it may be a size line, too.
    let looks_like_sized_record = |at: usize| {
        let Some((line, body)) = line_at(bytes, at, ended)? else { return Ok(false) };
        let Some(shape) = size(tokens(line)) else { return Ok(false) };
        let length = line_at(bytes, body, ended)?.map_or(0, |(row, _)| row_length(row));
        Ok(length > 2 && (length == shape.cols() || length == shape.cells()))
    };
    let (last, counted_end) = match shape {
        Some(shape) => {
            let TileLines { last, end, is_board: is_whole } = tiles(bytes, body, ended, shape, false)?;
            // If the last line of the tiles gives the same size, it may be the size line of the
            // next record. It is taken for one if a whole board begins with this line but not after
            // it, and another board or the end of the file follows that board.
            let takes_next = is_whole && last > body && size(tokens(&bytes[last..end])) == Some(shape);
            if takes_next && !is_board(end)? && board(last)?.map_or(Ok(false), is_followed)? {
                return Ok(last);
            }
            if is_whole {
                return Ok(end);
            }
            (last, end)
        }
        None => (usize::MAX, usize::MAX),
    };
    // `tiles` also counted tokens that are not tiles. The count is assumed to be right if a whole
    // board begins at `counted_end`, and another board or the end of the file follows.
    let is_count_right = shape.is_some() && board(counted_end)?.map_or(Ok(false), is_followed)?;
    let mut at = body;
    while at < counted_end
        && let Some((line, end)) = line_at(bytes, at, ended)?
    {
        // If a whole board begins at this line, the next record may begin here.
        if is_text(line)
            && let Some(found) = board(at)?
            // A record without a size ends at the first such board.
            && (shape.is_none()
                // The tiles of one record may look like a size line and a board by chance, but
                // hardly like two boards in sequence. If the count is right, a board that ends
                // after `counted_end` would end within the next record.
                || is_followed(found)? && (found <= counted_end || !is_count_right)
                // No second board follows this one. But it ends at or after `counted_end`, and no
                // board begins at `counted_end`.
                || found >= counted_end && !is_board(counted_end)?)
        {
            return Ok(at);
        }
        if shape.is_none() && is_empty(line) {
            return Ok(end);
        }
        at = end;
    }
    if shape.is_none() || is_board(counted_end)? {
        return Ok(counted_end.min(bytes.len()));
    }
    let next = line_at(bytes, counted_end, ended)?.map_or(counted_end, |(_, end)| end);
    Ok(if is_board(next)? {
        next
    } else if looks_like_sized_record(last)? {
        last
    } else {
        counted_end
    })
}

/// Returns true if the bytes begin with a size line and a whole board. Does not examine the next
/// record.
pub fn begins_sized_board(bytes: &[u8], ended: bool) -> Result<bool, NeedMore> {
    let Some((first, body)) = line_at(bytes, 0, ended)? else { return Ok(false) };
    size(tokens(first)).map_or(Ok(false), |shape| Ok(tiles(bytes, body, ended, shape, true)?.is_board))
}

/// The lines of the tiles after a size line.
struct TileLines {
    /// The start of the last line.
    last: usize,
    /// The end of the last line.
    end: usize,
    /// True if the tiles are a board.
    is_board: bool,
}

/// Finds the lines from `from` that contain as many tiles as the shape has cells. If `is_trial` is
/// true, stops once the tiles cannot be a board.
fn tiles(bytes: &[u8], from: usize, ended: bool, shape: Shape, is_trial: bool) -> Result<TileLines, NeedMore> {
    let mut is_used: SmallVec<[bool; 64]> = SmallVec::from_elem(false, shape.cells());
    let mut is_new = |token: &[u8]| {
        // Most tokens are plain numbers.
        let plain = if token.len() <= 5 { number(token).map(|label| label as usize) } else { None };
        let label = plain.or_else(|| tile(token).ok().map(Tile::label));
        label.and_then(|label| is_used.get_mut(label)).is_some_and(|is_used| !std::mem::replace(is_used, true))
    };
    let (mut tile_count, mut last, mut end, mut is_board) = (0, from, from, true);
    while tile_count < shape.cells() && (is_board || !is_trial) {
        let Some((line, next)) = line_at(bytes, end, ended)? else { break };
        (last, end) = (end, next);
        for token in tokens(line) {
            let width = if is_run_of_shape(token, shape) { 1 } else { token.len().max(1) };
            for tile in token.chunks(width) {
                is_board &= is_new(tile);
                tile_count += 1;
            }
        }
    }
    Ok(TileLines { last, end, is_board: is_board && tile_count == shape.cells() })
}

/// Finds the end of a JSON value, which may span lines.
fn value(bytes: &[u8], ended: bool) -> Result<usize, NeedMore> {
    match Scan::default().end(bytes) {
        Some(end) => Ok(end),
        None if ended => Ok(bytes.len()),
        None => Err(NeedMore),
    }
}

/// The state of a scan for the end of a JSON value.
#[derive(Clone, Copy, Default, Debug)]
pub struct Scan {
    begun: bool,
    /// The number of open brackets.
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    /// Continues the scan with these bytes, and returns the end of the value, or `None` if the
    /// value does not end in them.
    pub fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            let is_first = !std::mem::replace(&mut self.begun, true);
            if self.in_string {
                self.in_string = self.escaped || byte != b'"';
                self.escaped = !self.escaped && byte == b'\\';
                if !self.in_string && self.depth == 0 {
                    return Some(at + 1);
                }
                continue;
            }
            match byte {
                b'[' | b'{' if is_first || self.depth > 0 => self.depth += 1,
                b'"' if is_first || self.depth > 0 => self.in_string = true,
                b']' | b'}' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                // A word or a number ends before any character that cannot be part of it.
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"' if self.depth == 0 => {
                    return Some(at);
                }
                _ => {}
            }
        }
        None
    }
}

/// Returns the JSON values in the bytes.
pub fn values(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let Lead::Record(start) = lead(Layout::JsonValues, rest, true, usize::MAX) else { return None };
        let end = start + Scan::default().end(&rest[start..]).unwrap_or(rest.len() - start);
        let value = &rest[start..end];
        rest = &rest[end..];
        Some(value)
    })
}

/// Returns the number of line feeds.
pub fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::input::lines::plain_lines;
    use crate::system::Random;

    /// Returns all records that a splitter finds.
    fn split(layout: Layout, text: &str) -> Vec<&str> {
        let (mut rest, mut found) = (text, Vec::new());
        while let Lead::Record(start) = lead(layout, rest.as_bytes(), true, 1000) {
            let end = start + layout.split(&rest.as_bytes()[start..], true, None).unwrap();
            found.push(&rest[start..end]);
            rest = &rest[end..];
        }
        found
    }

    #[test]
    fn a_block_is_one_board_or_several_squares() {
        for (text, expected) in [
            ("1 2 3\n4 0 5\n\n\n0 1\n2 3\n4 5\n", &[2, 3][..]),
            ("# a\n123\n405\n \n", &[2]),
            ("0 1 2\n3 4 5\n6 7 8\n9 10 11\n", &[4]),
            ("1 2\n3 0\n3 1\n2 0\n\n", &[2, 2]),
            ("1 2\n3 3\n3 1\n2 0\n\n", &[2, 2]),
            ("1 2\n3 0\n3 1\n\n", &[2, 1]),
            ("1 2 3\n4 4 5\n\n1 2 3\n4 5\n", &[2, 2]),
            ("1 2 3\n4 5 6\n7 8 8\n1 0 2\n\n", &[4]),
        ] {
            let rows = split(Layout::Blocks, text).into_iter().map(|record| lines(record.as_bytes()).count());
            assert_eq!(rows.collect::<Vec<_>>(), expected, "{text}");
        }
        assert_eq!(split(Layout::Blocks, &"1 2\n3 3\n".repeat(1000)).len(), 1000);
    }

    #[test]
    fn json_values_are_found() {
        let text = b" [1,[2]],\n{\"a]\\\"\":{}}:\"x,y\" null]12,\"z";
        let found: Vec<_> = values(text).map(|value| std::str::from_utf8(value).unwrap()).collect();
        assert_eq!(found, ["[1,[2]]", "{\"a]\\\"\":{}}", "\"x,y\"", "null", "12", "\"z"]);
        assert_eq!(values(b" ],, ").count(), 0);
    }

    /// In every layout, a record found in a prefix of the bytes is also found in all bytes.
    #[test]
    fn more_bytes_do_not_change_the_result() {
        let text = "3\n1 2 3\n4 5 6\n7 8 0\n\n2\n1 2\n3 3\n3\n123\n4 5 # 6\n\n{\"a\":[1,\n2]}\n[1,2,3,0]\n\n";
        for layout in Layout::ALL.into_iter().chain([Layout::Blocks, Layout::JsonValues]) {
            for start in text.match_indices('\n').map(|(newline, _)| newline + 1) {
                let rest = &text.as_bytes()[start..];
                for (length, ended) in (0..rest.len()).map(|length| (length, false)) {
                    if let Ok(end) = layout.split(&rest[..length], ended, None) {
                        assert_eq!(layout.split(rest, true, None), Ok(end), "{layout:?} {start} {length}");
                    }
                }
            }
        }
    }

    /// In any mix of lines, counting lines in blocks gives the same number as splitting them.
    #[test]
    fn lines_counted_in_blocks_are_the_lines_that_are_split() {
        let pieces: [&[u8]; 9] =
            [b"1 2 3 0\n", b"123456780\n", b"\n", b" 1 2 3 0\n", b"# so\n", b"\r\n", b",1\n", b"x\r\n", b"1 2 # 3\n"];
        let mut random = Random::new(1);
        let mut below = |end: usize| random.index(end);
        for layout in [Layout::Line, Layout::Digits, Layout::Json, Layout::Csv] {
            for _ in 0..300 {
                // On average one line in `any_piece_interval` may be any piece. The others are
                // plain, so that whole blocks of plain lines occur.
                let any_piece_interval = 1 + below(300);
                let lines = below(300);
                let mut text = Vec::new();
                for _ in 0..lines {
                    let is_any = below(any_piece_interval) == 0;
                    text.extend_from_slice(pieces[below(if is_any { 9 } else { 2 })]);
                }
                let max_lines = below(2 * lines + 1);
                let (end, line_count) = plain_lines(&text, max_lines);
                assert!(line_count <= max_lines);
                let mut at = 0;
                for _ in 0..line_count {
                    assert_eq!(lead(layout, &text[at..], true, 1 << 20), Lead::Record(0));
                    at += layout.split(&text[at..], true, None).unwrap();
                }
                assert_eq!(at, end, "{layout:?}");
            }
        }
        let plain = b"1 2 3 0\n".repeat(1000);
        assert_eq!(plain_lines(&plain, 1000), (8000, 1000));
    }
}
