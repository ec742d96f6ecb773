//! The text of a file that is being read: the part in memory, its line number, and warnings.

use std::sync::Arc;

use super::split::count_newlines;
use super::stream_buffer::StreamBuffer;

/// The maximum number of warnings that are kept between two calls of [`FileText::take_warnings`].
const MAX_WARNINGS: usize = 10;

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
    warnings: Vec<String>,
}

impl FileText {
    /// Returns the text in a buffer that begins with the first line of the file.
    pub fn new(name: Arc<str>, buffer: StreamBuffer) -> FileText {
        FileText { name, buffer, line: 1, warnings: Vec::new() }
    }

    /// Drops the first bytes.
    pub fn consume(&mut self, bytes: usize) {
        self.consume_lines(bytes, count_newlines(&self.buffer.bytes()[..bytes]));
    }

    /// Drops the first bytes, which contain this number of line feeds.
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

    /// Returns the warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}
