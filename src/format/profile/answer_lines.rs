//! The lines of an answer file, with a look at the next one before it is taken.

use std::io;

use crate::format::input::{BLOCK_BYTES, Window};

/// The most bytes of a line, where boards are not so large that answers may be longer.
pub const LONGEST_LINE: usize = 1 << 20;

/// The most empty lines one behind the other.
const MOST_EMPTY: usize = 1 << 20;

/// Lines without the blanks at their ends.
pub struct AnswerLines {
    window: Window,
    next: NextLine,
    /// The text of the next line, if it was read already.
    text: Vec<u8>,
    /// The number of the next line, counted from 1.
    number: u64,
    /// The most bytes of a line.
    longest: usize,
}

/// What is known of the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NextLine {
    /// Nothing: it was not looked at.
    NotRead,
    /// Its text.
    Read,
    /// It is longer than is read.
    TooLong,
    /// There is none.
    Ended,
}

impl AnswerLines {
    /// The lines of a stream of text.
    pub fn new(text: Box<dyn io::Read + Send>) -> AnswerLines {
        let (window, text) = (Window::new(text, BLOCK_BYTES), Vec::new());
        AnswerLines { window, next: NextLine::NotRead, text, number: 1, longest: LONGEST_LINE }
    }

    /// From the next line on, lines may have so many bytes.
    pub fn set_longest(&mut self, bytes: usize) {
        self.longest = bytes;
        if self.next == NextLine::TooLong {
            self.next = NextLine::NotRead;
        }
    }

    /// The most bytes of a line.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// What the last [`AnswerLines::peek`] has shown.
    pub fn next(&self) -> NextLine {
        self.next
    }

    /// The text of the next line, after it was looked at.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The number of the next line, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Takes all empty lines; more than [`MOST_EMPTY`] of them count as a line that is too long, for they may have no end.
    pub fn skip_empty(&mut self) -> io::Result<()> {
        for _ in 0..=MOST_EMPTY {
            if self.peek()? != NextLine::Read || !self.text.is_empty() {
                return Ok(());
            }
            self.take();
        }
        self.next = NextLine::TooLong;
        Ok(())
    }

    /// Takes the next line, which was looked at.
    pub fn take(&mut self) {
        if self.next != NextLine::Ended {
            self.next = NextLine::NotRead;
            self.number += 1;
        }
    }

    /// Looks at the next line.
    pub fn peek(&mut self) -> io::Result<NextLine> {
        if self.next != NextLine::NotRead {
            return Ok(self.next);
        }
        let (line, feed) = loop {
            let bytes = self.window.bytes();
            match memchr::memchr(b'\n', bytes) {
                Some(feed) => break (&bytes[..feed], 1),
                None if bytes.len() > self.longest || self.window.is_last() => break (bytes, 0),
                None => {
                    self.window.more(self.longest);
                }
            }
        };
        self.text.clear();
        if line.len() > self.longest {
            self.next = NextLine::TooLong;
        } else if line.is_empty() && feed == 0 {
            self.next = NextLine::Ended;
            if let Some(error) = self.window.take_failure() {
                return Err(error);
            }
        } else {
            let consumed = line.len() + feed;
            self.text.extend_from_slice(line.trim_ascii());
            self.window.consume(consumed);
            self.next = NextLine::Read;
        }
        Ok(self.next)
    }
}
