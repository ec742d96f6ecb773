//! The part of a stream that is in memory. Blocks are appended at its end, and bytes are consumed
//! from its start.

use std::io::{self, Read};
use std::sync::Arc;

use super::split::count_newlines;
use crate::system::Checksum;

/// The minimum number of bytes requested per read.
pub const BLOCK_BYTES: usize = 256 << 10;

/// The maximum length of a skipped line in bytes. A longer line is probably part of an endless
/// stream such as `/dev/zero`.
const MAX_LINE_BYTES: u64 = 4 << 30;

/// The bytes of a stream that were read but not consumed.
pub struct StreamBuffer {
    stream: Box<dyn Read + Send>,
    /// The minimum number of bytes requested per read.
    block: usize,
    /// The bytes in memory are those from `start` to `end`.
    data: Vec<u8>,
    start: usize,
    end: usize,
    stream_end: StreamEnd,
    /// The number of bytes consumed.
    consumed: u64,
    /// The checksum of the consumed bytes, if it is kept.
    pub checksum: Option<Checksum>,
    /// The maximum length of a skipped line in bytes.
    max_line_bytes: u64,
}

/// The end of a stream that is read block by block.
#[derive(Debug, Default)]
pub enum StreamEnd {
    /// More bytes may arrive.
    #[default]
    Open,
    Ended,
    /// The error, until it is returned.
    Failed(Option<io::Error>),
}

impl StreamBuffer {
    /// Returns an empty buffer of a stream that is read in blocks of at least this size.
    pub fn new(stream: Box<dyn Read + Send>, block: usize) -> StreamBuffer {
        StreamBuffer {
            stream,
            block,
            data: Vec::new(),
            start: 0,
            end: 0,
            stream_end: StreamEnd::Open,
            consumed: 0,
            checksum: None,
            max_line_bytes: MAX_LINE_BYTES,
        }
    }

    /// Sets the maximum length of a skipped line in bytes.
    #[cfg(test)]
    pub fn with_max_line_bytes(self, max_line_bytes: u64) -> StreamBuffer {
        StreamBuffer { max_line_bytes, ..self }
    }

    /// Returns the number of bytes consumed.
    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Reads and consumes until `offset` bytes are consumed. Returns false if the stream is
    /// shorter, or if more bytes were consumed before.
    pub fn skip_to(&mut self, offset: u64) -> bool {
        while self.consumed < offset {
            let in_memory = self.bytes().len();
            self.consume(in_memory.min(usize::try_from(offset - self.consumed).unwrap_or(usize::MAX)));
            if self.consumed < offset && !self.read_block() {
                return false;
            }
        }
        self.consumed == offset
    }

    /// Ends reading and returns the checksum, if it is kept. The checksum then also covers the
    /// bytes left in memory, and the number of all bytes of the stream. So the checksum of several
    /// streams depends on where one ends and the next begins.
    pub fn close(mut self) -> Option<Checksum> {
        self.consume(self.bytes().len());
        let mut checksum = self.checksum.take();
        if let Some(checksum) = &mut checksum {
            checksum.update(&self.consumed.to_le_bytes());
        }
        checksum
    }

    /// Returns the bytes in memory.
    pub fn bytes(&self) -> &[u8] {
        &self.data[self.start..self.end]
    }

    /// Drops the first `bytes` bytes.
    pub fn consume(&mut self, bytes: usize) {
        if let Some(checksum) = &mut self.checksum {
            checksum.update(&self.data[self.start..self.start + bytes]);
        }
        self.consumed += bytes as u64;
        self.start += bytes;
        debug_assert!(self.start <= self.end);
    }

    /// Returns true if the stream ends after the bytes in memory. A stream that failed has not
    /// ended, because more bytes might have followed.
    pub fn ended(&self) -> bool {
        matches!(self.stream_end, StreamEnd::Ended)
    }

    /// Returns true if the stream has ended or failed, so that no more bytes will follow.
    pub fn is_finished(&self) -> bool {
        !matches!(self.stream_end, StreamEnd::Open)
    }

    /// Returns the failure of the stream, once.
    pub fn take_failure(&mut self) -> Option<io::Error> {
        let StreamEnd::Failed(cause) = &mut self.stream_end else { return None };
        cause.take()
    }

    /// Reads until a line feed arrives, more than `limit` bytes are in memory, or the stream ends
    /// or fails. Returns false if no bytes arrived.
    pub fn more(&mut self, limit: usize) -> bool {
        let mut has_read = false;
        loop {
            let old_length = self.bytes().len();
            if !self.read_block() {
                return has_read;
            }
            has_read = true;
            let bytes = self.bytes();
            if bytes.len() > limit || memchr::memchr(b'\n', &bytes[old_length..]).is_some() {
                return true;
            }
        }
    }

    /// Reads until the first line, or more than `limit` bytes of it, are in memory, or the stream
    /// ends or fails. Returns the number of bytes of the line that are in memory, without its line
    /// feed, and the length of the line feed: 0 or 1.
    pub fn line(&mut self, limit: usize) -> (usize, usize) {
        loop {
            let bytes = self.bytes();
            match memchr::memchr(b'\n', bytes) {
                Some(end) => return (end, 1),
                None if bytes.len() > limit || self.is_finished() => return (bytes.len(), 0),
                None => _ = self.more(limit),
            }
        }
    }

    /// Consumes everything up to and including the next line feed, reading as far as needed. The
    /// stream fails if the line is longer than the maximum.
    pub fn skip_line(&mut self) {
        let end = self.consumed.saturating_add(self.max_line_bytes);
        loop {
            if let Some(at) = memchr::memchr(b'\n', self.bytes()) {
                return self.consume(at + 1);
            }
            self.consume(self.bytes().len());
            if self.consumed > end {
                let message = format!("a line does not end within {} bytes", self.max_line_bytes);
                self.stream_end = StreamEnd::Failed(Some(io::Error::new(io::ErrorKind::InvalidData, message)));
            }
            if !self.read_block() {
                return;
            }
        }
    }

    /// Reads once. Returns false if the stream has ended or failed.
    fn read_block(&mut self) -> bool {
        if self.is_finished() {
            return false;
        }
        if self.data.len() - self.end < self.block {
            self.data.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.data.len() - self.end < self.block {
                self.data.resize(self.end + self.block, 0);
            }
        }
        match read_some(&mut self.stream, &mut self.data[self.end..]) {
            Ok(0) => self.stream_end = StreamEnd::Ended,
            Ok(read) => self.end += read,
            Err(cause) => self.stream_end = StreamEnd::Failed(Some(cause)),
        }
        !self.is_finished()
    }
}

/// Reads once, and again if a signal interrupted the read.
pub fn read_some(stream: &mut dyn Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(into) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// The maximum number of warnings that are kept until they are taken.
pub const MAX_WARNINGS: usize = 10;

/// The maximum number of characters of a warning, without the file and line before it.
const MAX_WARNING_CHARS: usize = 240;

/// The text of a file that is being read.
pub struct FileText {
    /// The name shown in results.
    pub name: Arc<str>,
    /// The text that was read but not consumed.
    pub buffer: StreamBuffer,
    /// The line on which the buffer begins, counted from 1.
    pub line: u64,
    /// The warnings about the file that have not been taken yet.
    pub warnings: Vec<String>,
}

impl FileText {
    /// Returns the text in a buffer that begins with the first line of the file.
    pub fn new(name: Arc<str>, buffer: StreamBuffer) -> FileText {
        FileText { name, buffer, line: 1, warnings: Vec::new() }
    }

    /// Drops the first `bytes` bytes.
    pub fn consume(&mut self, bytes: usize) {
        self.consume_lines(bytes, count_newlines(&self.buffer.bytes()[..bytes]));
    }

    /// Drops the first `bytes` bytes, which contain `lines` line feeds.
    pub fn consume_lines(&mut self, bytes: usize, lines: u64) {
        self.buffer.consume(bytes);
        self.line += lines;
    }

    /// Drops everything up to the end of the line, however long it is.
    pub fn skip_line(&mut self) {
        self.buffer.skip_line();
        self.line += 1;
    }

    /// Keeps a warning about a line, or about the whole file, unless [`MAX_WARNINGS`] are kept
    /// already.
    pub fn warn(&mut self, line: Option<u64>, message: &str) {
        if self.warnings.len() < MAX_WARNINGS {
            let place = line.map_or(String::new(), |line| format!(":{line}"));
            let message: String = message.chars().take(MAX_WARNING_CHARS).collect();
            self.warnings.push(format!("{}{place}: {message}", self.name));
        }
    }
}
