//! One file, from its first byte to its last: its head, then chunk after chunk.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::chunk::Extent;
use super::file_text::FileText;
use super::head::{FileFormat, read_head};
use super::layout::Layout;
use super::options::InputOptions;
use super::plain_lines::{self, plain_lines};
use super::position::Position;
use super::source::Source;
use super::split::{Lead, Scan, feeds, lead};
use super::window::Window;
use crate::system::Checksum;

/// The number of bytes of a too long record that are kept.
const KEPT_OF_TOO_LONG: usize = 64;

/// A file that is being read.
pub struct FileReader {
    text: FileText,
    /// True if the window begins in the middle of a line whose start was dropped. The rest is
    /// dropped.
    skip_line: bool,
    /// The format of the records, once the head of the file was read.
    format: Option<FileFormat>,
    /// True if the bracket that closes the array of records was read, or if there is no such array.
    is_closed: bool,
    /// The number of records in the count line.
    promised: Option<u64>,
    /// The number of those records that are missing.
    missing: u64,
    /// The number of records that were returned.
    records: u64,
    /// The offset in the text from which an interrupted run is resumed. 0 for a new run.
    resumed_at: u64,
}

/// A chunk of one file, without its place among the chunks of all files.
pub struct FileChunk {
    /// The properties of the file.
    pub source: Arc<Source>,
    /// The line that its first byte is on, counted from 1 in the file.
    pub first_line: u64,
    /// The number of its records: at least one.
    pub records: usize,
    /// The ranges of the records. Empty in layouts with one record per line.
    pub spans: Vec<Range<usize>>,
    /// The part of its records' bytes that the chunk holds.
    pub extent: Extent,
}

/// The content found at the start of the bytes.
enum Found {
    Record(Range<usize>),
    /// A record that is longer than the limit begins here.
    TooLong(usize),
    /// There is no whole record. The first `passed` bytes can be dropped, and the rest of the line
    /// after them if `rest_of_line` is set.
    More {
        passed: usize,
        rest_of_line: bool,
    },
}

/// Finds the next record. It looks no further than two records can extend, so the result does not
/// depend on how many bytes have arrived.
#[inline]
fn find(source: &Source, bytes: &[u8], ended: bool) -> Found {
    let limit = source.max_line;
    let start = match lead(source.layout, bytes, ended, limit) {
        Lead::Record(start) => start,
        Lead::Nothing(passed) => return Found::More { passed, rest_of_line: false },
        Lead::Comment(start) if bytes.len() - start > limit => {
            return Found::More { passed: bytes.len(), rest_of_line: true };
        }
        Lead::Comment(passed) => return Found::More { passed, rest_of_line: false },
    };
    let (rest, most) = (&bytes[start..], 2 * limit + 2);
    let (near, ended) = if rest.len() > most { (&rest[..most], false) } else { (rest, ended) };
    match source.layout.split(near, ended, source.shape) {
        Ok(end) if end - usize::from(near[..end].ends_with(b"\n")) <= limit => Found::Record(start..start + end),
        Err(_) if rest.len() <= most => Found::More { passed: start, rest_of_line: false },
        _ => Found::TooLong(start),
    }
}

impl FileReader {
    /// Returns a reader of the text in a window.
    pub fn new(name: Arc<str>, window: Window) -> FileReader {
        let text = FileText::new(name, window);
        FileReader {
            text,
            skip_line: false,
            format: None,
            is_closed: true,
            promised: None,
            missing: 0,
            records: 0,
            resumed_at: 0,
        }
    }

    /// Returns the name shown in results.
    pub fn name(&self) -> Arc<str> {
        self.text.name.clone()
    }

    /// Returns the number of bytes of text that were read, and how many of them are in no chunk
    /// yet.
    pub fn text_bytes(&self) -> (u64, u64) {
        let waiting = self.text.window.bytes().len() as u64;
        (self.text.window.passed() + waiting, waiting)
    }

    /// Returns the position of the next chunk in this file.
    pub fn position(&self) -> Position {
        Position {
            offset: self.text.window.passed(),
            line: self.text.line,
            rest_of_line: self.skip_line,
            records_in_input: self.records,
            text: self.text.window.checksum().map_or(0, Checksum::value),
            reading: self.format.as_ref().map_or(0, |format| format.checksum),
            ..Position::default()
        }
    }

    /// Resumes from a position, where the next chunk begins. Returns false if the file has no such
    /// position.
    pub fn go_to(&mut self, options: &InputOptions, position: &Position) -> bool {
        self.read_head(options);
        (self.text.line, self.skip_line, self.records) =
            (position.line, position.rest_of_line, position.records_in_input);
        self.resumed_at = position.offset;
        self.text.window.pass_to(position.offset)
    }

    /// Reads everything without splitting it into records.
    pub fn go_to_end(&mut self) {
        self.text.window.pass_to(u64::MAX);
    }

    /// Closes the file and returns the checksum of all text.
    pub fn close(self) -> Option<Checksum> {
        self.text.window.close()
    }

    /// Returns the warnings about the file since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.text.take_warnings()
    }

    /// Returns the number of records in the count line, known once something was read.
    pub fn promised(&self) -> Option<u64> {
        self.promised
    }

    /// Returns how many of the count line's records are missing, known at the end.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    fn read_head(&mut self, options: &InputOptions) -> Arc<Source> {
        let (format, promised) = read_head(&mut self.text, options);
        let source = Arc::clone(&format.source);
        (self.promised, self.is_closed) = (promised, source.layout != Layout::JsonElements);
        self.format = Some(format);
        source
    }

    /// Returns the next records: at most `max_records`, of about `max_bytes`. Their bytes replace
    /// the content of `chunk`. Returns `None` at the end of the file. A failure is returned after
    /// the last whole record before it.
    pub fn next_chunk(
        &mut self,
        options: &InputOptions,
        max_records: usize,
        max_bytes: usize,
        chunk: &mut Vec<u8>,
    ) -> io::Result<Option<FileChunk>> {
        let source = match &self.format {
            Some(format) => Arc::clone(&format.source),
            None => self.read_head(options),
        };
        chunk.clear();
        if let Some(found) = self.fill(source, max_records.max(1), max_bytes, chunk) {
            self.records += found.records as u64;
            return Ok(Some(found));
        }
        if let Some(cause) = self.text.window.take_failure() {
            return Err(cause);
        }
        // A run resumed after the last byte does not see the end of the array; the previous run
        // did.
        let is_read_on = self.resumed_at == 0 || self.text.window.passed() > self.resumed_at;
        if is_read_on && !self.is_closed {
            self.text.warn(None, "the array of records is not closed: the file may have been cut off");
        }
        if let Some(promised) = self.promised.filter(|&promised| promised != self.records) {
            self.missing = promised.saturating_sub(self.records);
            let wrong = format!("the count line promises {promised} records, the file holds {}", self.records);
            self.text.warn(None, &wrong);
        }
        Ok(None)
    }

    /// Moves whole records from the window to a chunk.
    fn fill(
        &mut self,
        source: Arc<Source>,
        max_records: usize,
        max_bytes: usize,
        chunk: &mut Vec<u8>,
    ) -> Option<FileChunk> {
        let (line_each, mut spans) = (source.layout.is_line_each(), Vec::new());
        loop {
            if std::mem::take(&mut self.skip_line) {
                self.text.skip_line();
            }
            let (mut end, mut records, mut lines) = (0, 0, 0);
            let mut next = None;
            while records < max_records && (records == 0 || end < max_bytes) {
                let bytes = &self.text.window.bytes()[end..];
                // No line of a block is longer than the limit.
                if line_each && source.max_line >= plain_lines::BLOCK_BYTES {
                    let near = &bytes[..bytes.len().min(max_bytes.saturating_sub(end))];
                    let (length, plain) = plain_lines(near, max_records - records);
                    if plain > 0 {
                        (end, records, lines) = (end + length, records + plain, lines + plain as u64);
                        continue;
                    }
                }
                match find(&source, bytes, self.text.window.ended()) {
                    Found::Record(span) => {
                        lines += feeds(&bytes[..span.end]);
                        self.look_between(&source, end, end + span.start);
                        if !line_each {
                            spans.push(end + span.start..end + span.end);
                        }
                        (end, records) = (end + span.end, records + 1);
                    }
                    other => {
                        next = Some(other);
                        break;
                    }
                }
            }
            let first_line = self.text.line;
            if records > 0 {
                chunk.extend_from_slice(&self.text.window.bytes()[..end]);
                self.text.consume_lines(end, lines);
                return Some(FileChunk { source, first_line, records, spans, extent: Extent::Whole });
            }
            match next? {
                Found::TooLong(start) => return Some(self.take_too_long(source, start, chunk)),
                Found::More { passed, rest_of_line } => {
                    self.look_between(&source, 0, passed);
                    self.text.consume(passed);
                    self.skip_line = rest_of_line;
                    if !rest_of_line && !self.text.window.more(source.max_line) {
                        if !self.text.window.ended() {
                            return self.take_before_failure(source, chunk);
                        }
                        if self.text.window.bytes().is_empty() {
                            return None;
                        }
                    }
                }
                Found::Record(_) => {}
            }
        }
    }

    /// Takes the last board before a failure if it is whole. This is for `sized`, which looks at the
    /// lines after a board to find its end. Any other record was cut off by the failure.
    fn take_before_failure(&mut self, source: Arc<Source>, chunk: &mut Vec<u8>) -> Option<FileChunk> {
        let bytes = self.text.window.bytes();
        let lines = &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |feed| feed + 1)];
        let Found::Record(span) = find(&source, lines, true) else { return None };
        if source.layout != Layout::Sized || source.layout.parse(&lines[span.clone()], &source).puzzle.is_err() {
            return None;
        }
        let first_line = self.text.line;
        chunk.extend_from_slice(&lines[..span.end]);
        self.text.consume(span.end);
        Some(FileChunk { source, first_line, records: 1, spans: vec![span], extent: Extent::Whole })
    }

    /// Looks for the end of the array in the bytes between two records.
    fn look_between(&mut self, source: &Source, from: usize, to: usize) {
        if source.layout.is_values() {
            self.is_closed |= self.text.window.bytes()[from..to].contains(&b']');
        }
    }

    /// Takes a record that is too long. It ends with the line in which it exceeds the limit, or
    /// with its JSON value.
    fn take_too_long(&mut self, source: Arc<Source>, start: usize, chunk: &mut Vec<u8>) -> FileChunk {
        self.look_between(&source, 0, start);
        self.text.consume(start);
        let first_line = self.text.line;
        let bytes = self.text.window.bytes();
        chunk.extend_from_slice(&bytes[..bytes.len().min(KEPT_OF_TOO_LONG)]);
        if source.layout.is_values() {
            let mut scan = Scan::default();
            loop {
                let bytes = self.text.window.bytes();
                let (end, length) = (scan.end(bytes), bytes.len());
                self.text.consume(end.unwrap_or(length));
                if end.is_some() || !self.text.window.more(0) {
                    break;
                }
            }
        } else {
            let beyond = source.max_line.min(bytes.len());
            let end = memchr::memchr(b'\n', &bytes[beyond..]).map(|feed| beyond + feed + 1);
            let length = end.unwrap_or(bytes.len());
            self.skip_line = end.is_none();
            self.text.consume(length);
        }
        FileChunk { source, first_line, records: 1, spans: Vec::new(), extent: Extent::TooLong }
    }
}
