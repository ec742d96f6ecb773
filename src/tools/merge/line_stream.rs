//! A stream of lines that a function produces one by one.

use std::io::{self, Read};

/// A stream of lines.
pub struct LineStream<F> {
    next_line: F,
    line: Vec<u8>,
    /// The number of bytes of `line` that have been read.
    at: usize,
}

impl<F: FnMut(&mut Vec<u8>) -> io::Result<()>> LineStream<F> {
    /// Creates a stream of the lines that `next_line` appends to an empty buffer, one per call. The
    /// stream ends when a call appends nothing.
    pub fn new(next_line: F) -> LineStream<F> {
        LineStream { next_line, line: Vec::new(), at: 0 }
    }
}

impl<F: FnMut(&mut Vec<u8>) -> io::Result<()>> Read for LineStream<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() {
            self.line.clear();
            self.at = 0;
            (self.next_line)(&mut self.line)?;
        }
        let read = (&self.line[self.at..]).read(into)?;
        self.at += read;
        Ok(read)
    }
}
