//! Boards that are set apart by empty lines: a block of rows is a board of that shape.
//!
//! A block is one record, unless it is no board and several squares fit into it, one below the other, because empty lines are
//! missing: then the first of them is. Where that ends depends on the lines behind it, which the reader alone sees; it hands
//! its spans on.

use super::span::{Cut, Span};
use super::text_lines::{is_run, tokens};
use super::values::feeds;
use crate::board::{Shape, tokens::tile};

/// Rows of a block, from its first on.
#[derive(Default, Debug)]
struct Block {
    rows: usize,
    width: usize,
    /// How many of the first rows are equally wide.
    even_rows: usize,
    /// The labels up to the first that is no tile.
    labels: Vec<usize>,
    /// There was one that is no tile, or there are more than a board has.
    is_broken: bool,
    /// Where each of the first rows ends.
    ends: Vec<usize>,
    /// How it ends.
    end: End,
}

#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// What follows has not been seen.
    #[default]
    Unknown,
    /// With an empty line.
    EmptyLine,
    /// With the file.
    File,
    /// It has more rows than a board has.
    TooManyRows,
    /// A line goes over the limit that ends here; where `open`, it goes on behind the bytes.
    TooLong { end: usize, open: bool },
}

impl Block {
    /// The block at the start of the bytes, of which no more are looked at than a record may have.
    fn of(bytes: &[u8], ended: bool, limit: usize) -> Block {
        let mut block = Block::default();
        let mut at = 0;
        loop {
            let rest = &bytes[at..];
            let feed = memchr::memchr(b'\n', rest);
            let line = &rest[..feed.unwrap_or(rest.len())];
            let (end, open) = (feed.map_or(bytes.len(), |feed| at + feed + 1), feed.is_none() && !ended);
            if rest.is_empty() {
                block.end = if ended { End::File } else { End::Unknown };
                return block;
            }
            if at + line.len() > limit {
                block.end = End::TooLong { end, open };
                return block;
            }
            if open {
                return block;
            }
            at = end;
            if is_empty(line) {
                block.end = End::EmptyLine;
                return block;
            }
            let width = block.add(line);
            if width == 0 {
                continue;
            }
            if block.rows == Shape::MAX_SIDE {
                block.end = End::TooManyRows;
                return block;
            }
            block.even_rows += usize::from(block.even_rows == block.rows && width == block.width);
            block.rows += 1;
            block.ends.push(end);
        }
    }

    /// Adds the tiles of a row; how many there are.
    fn add(&mut self, line: &[u8]) -> usize {
        let mut words = tokens(line);
        let (first, is_single) = (words.next(), words.next().is_none());
        let Some(first) = first else { return 0 };
        let (mut run, mut row);
        let tiles: &mut dyn Iterator<Item = &[u8]> = if is_single && is_run(first) {
            run = first.chunks(1);
            &mut run
        } else {
            row = tokens(line);
            &mut row
        };
        let mut width = 0;
        for token in tiles {
            width += 1;
            match tile(token) {
                Ok(tile) if !self.is_broken && self.labels.len() < Shape::MAX_SIDE * Shape::MAX_SIDE => {
                    self.labels.push(tile.label())
                }
                _ => self.is_broken = true,
            }
        }
        if self.rows == 0 {
            self.width = width;
        }
        width
    }

    /// Whether the first rows are a board by themselves.
    fn is_board_of(&self, rows: usize) -> bool {
        let Some(labels) = self.labels.get(..rows * self.width) else { return false };
        let mut seen = vec![false; labels.len()];
        rows <= self.even_rows
            && Shape::new(rows, self.width).is_some()
            && labels.iter().all(|&label| seen.get_mut(label).is_some_and(|seen| !std::mem::replace(seen, true)))
    }

    /// Whether a label comes twice, so that the block is no board, however it goes on.
    fn has_repeat(&self) -> bool {
        let mut seen = std::collections::HashSet::new();
        self.is_broken || !self.labels.iter().all(|label| seen.insert(label))
    }

    /// Whether the block is one board; one that goes on behind what is looked at is none.
    fn is_board(&self) -> bool {
        matches!(self.end, End::EmptyLine | End::File) && self.is_board_of(self.rows)
    }

    /// The rows of the first record; `None` where it is too long.
    fn record_rows(&self) -> Option<usize> {
        let square = self.width.clamp(1, Shape::MAX_SIDE);
        let goes_on = matches!(self.end, End::TooManyRows | End::TooLong { .. });
        let fits =
            goes_on || self.even_rows < self.rows || self.rows.is_multiple_of(square) || self.is_board_of(square);
        match self.end {
            End::TooLong { .. } if self.rows < square || self.rows == 0 => None,
            _ if !self.is_board() && self.rows > square && fits => Some(square),
            End::TooLong { .. } => Some(square),
            _ => Some(self.rows),
        }
    }
}

/// An empty line: not even a comment.
fn is_empty(line: &[u8]) -> bool {
    tokens(line).next().is_none() && !line.contains(&b'#')
}

/// The first record of the bytes, as [`Cutter::next`](super::cut::Cutter::next) gives it.
pub fn next(bytes: &[u8], ended: bool, limit: usize) -> Cut {
    let mut start = 0;
    loop {
        let rest = &bytes[start..];
        let feed = memchr::memchr(b'\n', rest);
        let line = &rest[..feed.unwrap_or(rest.len())];
        let is_comment = line.contains(&b'#');
        if tokens(line).next().is_some() || (line.len() > limit && !is_comment) {
            break;
        }
        if feed.is_none() && !ended {
            // A comment that is too long is dropped as far as it is there.
            let open = line.len() > limit;
            let (passed, lines) = if open { (bytes.len(), lines(bytes)) } else { (start, feeds(&bytes[..start])) };
            return Cut::More { passed, lines, open };
        }
        start += feed.map_or(line.len(), |feed| feed + 1);
        if start == bytes.len() {
            return Cut::More { passed: start, lines: lines(bytes), open: false };
        }
    }
    let (rest, lines_before) = (&bytes[start..], feeds(&bytes[..start]));
    let span = |length: usize| {
        let end = start + length;
        Span { start, lines_before, end, lines: lines_before + lines(&rest[..length]) }
    };
    let block = Block::of(rest, ended, limit);
    match (block.end, block.record_rows()) {
        (End::Unknown, _) => Cut::More { passed: start, lines: lines_before, open: false },
        (End::TooLong { end, open }, None) => Cut::TooLong { span: span(end), open },
        (_, rows) => {
            Cut::Record(span(rows.and_then(|rows| block.ends.get(rows.max(1) - 1)).copied().unwrap_or(rest.len())))
        }
    }
}

/// The lines of bytes; the last may lack its line feed.
fn lines(bytes: &[u8]) -> u64 {
    feeds(bytes) + u64::from(bytes.last().is_some_and(|&last| last != b'\n'))
}

/// Whether the boards of a file are set apart by empty lines, as its first block shows; `None` when more must be seen.
pub fn are_set_apart(bytes: &[u8], all: bool) -> Option<bool> {
    let block = Block::of(from_first_row(bytes), all, usize::MAX);
    let square = block.width.clamp(1, Shape::MAX_SIDE);
    match block.end {
        End::Unknown if block.rows > square && block.is_board_of(square) && block.has_repeat() => Some(false),
        End::Unknown => None,
        End::TooManyRows | End::TooLong { .. } => Some(false),
        End::File => Some(block.is_board() && block.rows != block.width),
        End::EmptyLine => Some(block.record_rows() == Some(block.rows)),
    }
}

/// Where rows are cut into squares and the first of them make a board of another shape: that shape.
pub fn other_shape(bytes: &[u8]) -> Option<Shape> {
    let block = Block::of(from_first_row(bytes), true, usize::MAX);
    let most = block.rows.min(64);
    if block.rows < 2 || (block.rows >= block.width && block.is_board_of(block.width)) {
        return None;
    }
    (2..=most)
        .find(|&rows| rows != block.width && block.is_board_of(rows))
        .and_then(|rows| Shape::new(rows, block.width))
}

fn from_first_row(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let Some(feed) = memchr::memchr(b'\n', rest) {
        if tokens(&rest[..feed]).next().is_some() {
            break;
        }
        rest = &rest[feed + 1..];
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many rows each record has.
    fn rows(text: &str) -> Vec<usize> {
        let (mut at, mut found) = (0, Vec::new());
        while let Cut::Record(span) = next(&text.as_bytes()[at..], true, 1000) {
            found.push(text[at + span.start..at + span.end].lines().count());
            at += span.end;
        }
        found
    }

    #[test]
    fn a_block_is_a_board_or_squares() {
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
            assert_eq!(rows(text), expected, "{text}");
        }
        let many = "1 2\n3 3\n".repeat(1000);
        assert_eq!(rows(&many), vec![2; 1000]);
    }

    #[test]
    fn the_first_block_shows_whether_boards_are_set_apart() {
        let apart = |text: &str, all| are_set_apart(text.as_bytes(), all);
        assert_eq!(apart("1 2 3\n4 0 5\n", true), Some(true));
        assert_eq!(apart("1 2 3\n4 0 5\n", false), None);
        assert_eq!(apart("\n1 2\n3 0\n\n", false), Some(true));
        assert_eq!(apart("1 2\n3 0\n", true), Some(false));
        assert_eq!(apart("1 2\n3 0\n3 1\n2 0\n\n", false), Some(false));
        // What comes behind the first board and a repeat changes nothing, tiles or not.
        assert_eq!(apart("0 3\n1 2\n3 0\n", false), Some(false));
        assert_eq!(apart("0 3\n1 2\n3 0\nid,board\n\n", false), Some(false));
        assert_eq!(other_shape(b"1 2 3\n4 0 5\n1 0 3\n4 2 5\n"), Shape::new(2, 3));
        assert_eq!(other_shape(b"1 2\n3 0\n1 2\n3 0\n"), None);
    }
}
