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
    next: NextLine,
    /// The text of the next line, if it was read.
    text: Vec<u8>,
    /// The number of the next line, counted from 1.
    number: u64,
    /// Maximum length of a line in bytes.
    max_line_bytes: usize,
}

/// The state of the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NextLine {
    /// It was not yet read.
    NotRead,
    /// Its text was read.
    Read,
    /// It is too long to be read.
    TooLong,
    /// There is no next line.
    Ended,
}

impl AnswerLines {
    /// Creates the lines of a stream of text.
    pub fn new(text: Box<dyn io::Read + Send>) -> AnswerLines {
        let (buffer, text) = (StreamBuffer::new(text, BLOCK_BYTES), Vec::new());
        AnswerLines { buffer, next: NextLine::NotRead, text, number: 1, max_line_bytes: MAX_LINE_BYTES }
    }

    /// Sets the maximum length in bytes of the next line and all later ones.
    pub fn set_max_line_bytes(&mut self, bytes: usize) {
        self.max_line_bytes = bytes;
        if self.next == NextLine::TooLong {
            self.next = NextLine::NotRead;
        }
    }

    /// Returns the maximum length of a line in bytes.
    pub fn max_line_bytes(&self) -> usize {
        self.max_line_bytes
    }

    /// Returns the state of the next line.
    pub fn state(&self) -> NextLine {
        self.next
    }

    /// Returns the text of the next line, after a peek.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the number of the next line, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Consumes the empty lines before the next nonempty one. If there are more than
    /// [`MAX_EMPTY_LINES`], the next line counts as too long, because the empty lines may never
    /// end.
    pub fn skip_empty(&mut self) -> io::Result<()> {
        for _ in 0..=MAX_EMPTY_LINES {
            if self.peek()? != NextLine::Read || !self.text.is_empty() {
                return Ok(());
            }
            self.take();
        }
        self.next = NextLine::TooLong;
        Ok(())
    }

    /// Consumes the next line, after a peek.
    pub fn take(&mut self) {
        if self.next != NextLine::Ended {
            self.next = NextLine::NotRead;
            self.number += 1;
        }
    }

    /// Reads the next line without consuming it.
    pub fn peek(&mut self) -> io::Result<NextLine> {
        if self.next != NextLine::NotRead {
            return Ok(self.next);
        }
        let (line, newline_bytes) = loop {
            let bytes = self.buffer.bytes();
            match memchr::memchr(b'\n', bytes) {
                Some(end) => break (&bytes[..end], 1),
                None if bytes.len() > self.max_line_bytes || self.buffer.is_last() => break (bytes, 0),
                None => {
                    self.buffer.more(self.max_line_bytes);
                }
            }
        };
        self.text.clear();
        if line.len() > self.max_line_bytes {
            self.next = NextLine::TooLong;
        } else if line.is_empty() && newline_bytes == 0 {
            self.next = NextLine::Ended;
            if let Some(error) = self.buffer.take_failure() {
                return Err(error);
            }
        } else {
            let consumed = line.len() + newline_bytes;
            self.text.extend_from_slice(line.trim_ascii());
            self.buffer.consume(consumed);
            self.next = NextLine::Read;
        }
        Ok(self.next)
    }
}
