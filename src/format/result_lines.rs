//! The lines of a results file, in blocks of whole lines.

use std::io::{self, Read};

/// Maximum length of a line in bytes. It suffices for a line with all boards of a path of thousands
/// of moves. Reading ends at a longer line, which bounds the memory.
const MAX_LINE_BYTES: usize = 64 << 20;

/// Default maximum number of bytes read at once.
const BLOCK_BYTES: usize = 256 << 10;

/// A stream of lines.
pub struct Lines {
    stream: Box<dyn Read + Send>,
    data: Vec<u8>,
    start: usize,
    /// Maximum length in bytes of an incomplete line in memory. A longer line ends the stream.
    max_line_bytes: usize,
    /// Maximum number of bytes read at once.
    block_bytes: usize,
    end: End,
}

/// The place where a stream of lines ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The end was not reached yet.
    Open,
    /// After a line feed, as expected, or in an empty stream.
    Whole,
    /// In the middle of a line.
    Torn,
    /// Before a line that is too long.
    TooLong,
}

impl Lines {
    /// Creates the lines of a stream.
    pub fn new(stream: Box<dyn Read + Send>) -> Lines {
        Lines::with_max_line_bytes(stream, MAX_LINE_BYTES)
    }

    /// Sets the maximum length of a line to this number of bytes, but at least to the default.
    pub fn set_max_line_bytes(&mut self, max_line_bytes: usize) {
        self.max_line_bytes = max_line_bytes.max(MAX_LINE_BYTES);
    }

    /// Creates the lines of a stream, with this maximum length in bytes for each.
    pub fn with_max_line_bytes(stream: Box<dyn Read + Send>, max_line_bytes: usize) -> Lines {
        Lines { stream, data: Vec::new(), start: 0, max_line_bytes, block_bytes: BLOCK_BYTES, end: End::Open }
    }

    /// Sets the maximum number of bytes read at once.
    #[must_use]
    pub fn in_blocks_of(self, block_bytes: usize) -> Lines {
        Lines { block_bytes, ..self }
    }

    /// Returns the place where the lines ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// Replaces the content of `into` with the next `max_lines` lines, or with fewer at the end,
    /// and returns their number. An incomplete last line counts as a line.
    pub fn take(&mut self, max_lines: usize, into: &mut Vec<u8>) -> io::Result<usize> {
        into.clear();
        let mut taken = 0;
        while taken < max_lines {
            let rest = &self.data[self.start..];
            let mut end = None;
            for feed in memchr::memchr_iter(b'\n', rest).take(max_lines - taken) {
                (end, taken) = (Some(feed + 1), taken + 1);
            }
            if let Some(end) = end {
                into.extend_from_slice(&rest[..end]);
                self.start += end;
            } else if self.end != End::Open {
                break;
            } else if rest.len() > self.max_line_bytes {
                self.end = End::TooLong;
                self.start = self.data.len();
            } else if !self.more()? {
                self.end = if self.start == self.data.len() { End::Whole } else { End::Torn };
                if self.end == End::Torn {
                    into.extend_from_slice(&self.data[self.start..]);
                    self.start = self.data.len();
                    taken += 1;
                }
            }
        }
        Ok(taken)
    }

    /// Reads a block. Returns false at the end of the stream.
    fn more(&mut self) -> io::Result<bool> {
        self.data.drain(..self.start);
        self.start = 0;
        let before = self.data.len();
        self.data.resize(before + self.block_bytes, 0);
        let read = loop {
            match self.stream.read(&mut self.data[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.data.truncate(before + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &[u8], max_lines: usize, max_line_bytes: usize) -> (Vec<String>, End) {
        let mut lines = Lines::new(Box::new(io::Cursor::new(text.to_vec())));
        lines.max_line_bytes = max_line_bytes;
        let (mut blocks, mut block) = (Vec::new(), Vec::new());
        while lines.take(max_lines, &mut block).unwrap() > 0 {
            blocks.push(String::from_utf8(block.clone()).unwrap());
        }
        (blocks, lines.end())
    }

    #[test]
    fn lines_are_whole_and_their_end_is_known() {
        assert_eq!(blocks(b"", 2, 9), (vec![], End::Whole));
        assert_eq!(blocks(b"a\nb\n\nc\n", 2, 9), (vec!["a\nb\n".into(), "\nc\n".into()], End::Whole));
        assert_eq!(blocks(b"a\nb", 2, 9), (vec!["a\nb".into()], End::Torn));
        assert_eq!(blocks(b"a\nb", 1, 9), (vec!["a\n".into(), "b".into()], End::Torn));
        assert_eq!(blocks(b"a\n0123456789", 9, 9), (vec!["a\n".into()], End::TooLong));
        assert_eq!(blocks(b"012345678", 9, 9), (vec!["012345678".into()], End::Torn));
        let long = "x".repeat(BLOCK_BYTES) + "\n";
        assert_eq!(blocks(long.repeat(3).as_bytes(), 2, usize::MAX), (vec![long.repeat(2), long], End::Whole));
    }

    /// No block has more lines than the limit, however the bytes arrive.
    #[test]
    fn lines_that_arrive_in_pieces_are_joined() {
        let pieces = b"a\n".chain(&b"b\nc\nd\ne"[..]);
        let (mut lines, mut block) = (Lines::new(Box::new(pieces)), Vec::new());
        for expected in [&b"a\nb\n"[..], b"c\nd\n", b"e"] {
            assert_eq!(lines.take(2, &mut block).unwrap(), expected.len().div_ceil(2));
            assert_eq!(block, expected);
        }
        assert_eq!(lines.end(), End::Torn);
    }
}
