//! The lines of an answer file, with one line of lookahead.

use std::io;

use crate::format::input::{BLOCK_BYTES, StreamBuffer};

/// Default maximum length of a line in bytes. Answers for large boards may be longer.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Maximum number of consecutive empty lines that are skipped.
const MAX_EMPTY_LINES: usize = 1 << 20;

/// The lines of an answer file, without whitespace at both ends.
pub struct AnswerLines {
    buffer: StreamBuffer,
    /// The number of the next line, counted from 1.
    pub number: u64,
    /// Maximum length in bytes of the next line and all later ones.
    pub max_line_bytes: usize,
    /// True if more than [`MAX_EMPTY_LINES`] consecutive lines are empty.
    is_endless: bool,
}

/// The next line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextLine<'a> {
    /// The text of the line.
    Text(&'a [u8]),
    /// The line is too long to be read.
    TooLong,
    /// There is no next line.
    Ended,
}

impl<'a> NextLine<'a> {
    /// Returns the text of the line. It is empty if the line is too long or missing.
    pub fn text(self) -> &'a [u8] {
        match self {
            NextLine::Text(text) => text,
            NextLine::TooLong | NextLine::Ended => b"",
        }
    }
}

impl AnswerLines {
    /// Creates the lines of a stream of text.
    pub fn new(text: Box<dyn io::Read + Send>) -> AnswerLines {
        let buffer = StreamBuffer::new(text, BLOCK_BYTES);
        AnswerLines { buffer, number: 1, max_line_bytes: MAX_LINE_BYTES, is_endless: false }
    }

    /// Consumes the empty lines before the next nonempty one. If there are more than
    /// [`MAX_EMPTY_LINES`], the next line counts as too long, because the empty lines may never
    /// end.
    pub fn skip_empty(&mut self) -> io::Result<()> {
        for _ in 0..=MAX_EMPTY_LINES {
            if self.peek()? != NextLine::Text(b"") {
                return Ok(());
            }
            self.take();
        }
        self.is_endless = true;
        Ok(())
    }

    /// Consumes the next line, if there is one. The line must not be too long.
    pub fn take(&mut self) {
        let (length, newline_bytes) = self.buffer.line(self.max_line_bytes);
        if length + newline_bytes > 0 {
            self.buffer.consume(length + newline_bytes);
            self.number += 1;
        }
    }

    /// Returns the next line without consuming it.
    pub fn peek(&mut self) -> io::Result<NextLine<'_>> {
        let (length, newline_bytes) = self.buffer.line(self.max_line_bytes);
        if length > self.max_line_bytes || self.is_endless {
            return Ok(NextLine::TooLong);
        }
        if length + newline_bytes > 0 {
            return Ok(NextLine::Text(self.buffer.bytes()[..length].trim_ascii()));
        }
        self.buffer.take_failure().map_or(Ok(NextLine::Ended), Err)
    }
}
