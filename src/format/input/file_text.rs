//! The text of a file that was read so far: the part in memory, its first line's number, and
//! warnings.

use std::sync::Arc;

use super::split::feeds;
use super::window::Window;

/// The maximum number of warnings about one file that are kept.
const MOST_WARNINGS: usize = 10;

/// The maximum number of characters of a warning, without the file and line before it.
const LONGEST_WARNING: usize = 240;

/// The text of a file that is being read.
pub struct FileText {
    /// The name shown in results.
    pub name: Arc<str>,
    /// The text that was read and not consumed.
    pub window: Window,
    /// The line that the window begins on, counted from 1.
    pub line: u64,
    warnings: Vec<String>,
}

impl FileText {
    /// Returns the text in a window, from its first line on.
    pub fn new(name: Arc<str>, window: Window) -> FileText {
        FileText { name, window, line: 1, warnings: Vec::new() }
    }

    /// Drops the first bytes.
    pub fn consume(&mut self, bytes: usize) {
        self.consume_lines(bytes, feeds(&self.window.bytes()[..bytes]));
    }

    /// Drops the first bytes, which hold this number of line feeds.
    pub fn consume_lines(&mut self, bytes: usize, lines: u64) {
        self.window.consume(bytes);
        self.line += lines;
    }

    /// Drops everything up to the end of the line, however long it is.
    pub fn skip_line(&mut self) {
        self.window.skip_line();
        self.line += 1;
    }

    /// Keeps a warning about a line, or about the whole file.
    pub fn warn(&mut self, line: Option<u64>, wrong: &str) {
        if self.warnings.len() < MOST_WARNINGS {
            let place = line.map_or(String::new(), |line| format!(":{line}"));
            let wrong: String = wrong.chars().take(LONGEST_WARNING).collect();
            self.warnings.push(format!("{}{place}: {wrong}", self.name));
        }
    }

    /// Returns the warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}
