//! Reads one file: its head, then its chunks.
//!
//! Reading can resume from any [`Position`] between two records. The bytes of a file determine
//! where its records begin, so a position consists of the file, the offset in its text, and the
//! numbers of records and lines up to there. A checksum detects changed bytes.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chunk::Chunk;
use super::head::read_head;
use super::layout::Layout;
use super::lines::{PLAIN_BLOCK_BYTES, plain_lines};
use super::options::InputOptions;
use super::record::Source;
use super::split::{Lead, Scan, count_newlines, lead};
use super::stream_buffer::{FileText, StreamBuffer};
use crate::system::{Checksum, InputPosition};

/// A position between two records.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The number of records before the position, over all inputs.
    pub records: u64,
    /// The number of the input that contains the position, from 0.
    pub input: u64,
    /// The number of bytes of decompressed text before the position in that input. 0 if the input
    /// has not been opened yet.
    pub offset: u64,
    /// The line of the position in that input, from 1.
    pub line: u64,
    /// True if the position is within a record that was too long. The rest of its line is skipped.
    pub rest_of_line: bool,
    /// The number of records before the position in that input.
    pub records_in_input: u64,
    /// The number of inputs before the position that could not be read completely.
    pub failed_inputs: u64,
    /// The checksum of all text before the position, over all inputs.
    #[serde(rename = "text")]
    pub text_checksum: u64,
    /// The checksum of the format of that input, including its layout, goal, shape and columns.
    #[serde(rename = "reading")]
    pub format_checksum: u64,
}

/// A file that is being read.
pub struct FileReader {
    /// The text, with its name and the warnings about it.
    pub text: FileText,
    /// True if the buffer begins in the middle of a line whose start was dropped. The rest of the
    /// line must be dropped too.
    skip_line: bool,
    /// The properties of the file, once its head has been read.
    source: Option<Arc<Source>>,
    /// The checksum of everything that affects how records are read.
    format_checksum: u64,
    /// False if the records are the elements of an array whose closing bracket has not been read
    /// yet.
    is_closed: bool,
    /// The number of records that the count line promises, if there is one. Known once the first
    /// chunk has been read.
    pub promised: Option<u64>,
    /// The number of records that were returned.
    pub records: u64,
    /// The offset in the text from which an interrupted run was resumed, or 0 for a new run.
    resumed_at: u64,
}

/// Records that were moved to a chunk.
struct Filled {
    first_line: u64,
    records: usize,
    spans: Vec<Range<usize>>,
}

/// The reason why no whole record was found at the start of the bytes.
enum NoRecord {
    /// A record that is longer than the limit begins at this offset.
    TooLong(usize),
    /// There is no whole record. The first `skipped` bytes can be dropped, and the rest of the line
    /// after them if `rest_of_line` is set.
    More { skipped: usize, rest_of_line: bool },
}

/// Finds the next record. Examines at most twice the maximum length of a record, so the result does
/// not depend on how many bytes have arrived.
#[inline]
fn find(source: &Source, bytes: &[u8], ended: bool) -> Result<Range<usize>, NoRecord> {
    let limit = source.max_record_bytes;
    let start = match lead(source.layout, bytes, ended, limit) {
        Lead::Record(start) => start,
        Lead::Nothing(skipped) => return Err(NoRecord::More { skipped, rest_of_line: false }),
        Lead::Comment => return Err(NoRecord::More { skipped: bytes.len(), rest_of_line: true }),
    };
    let (rest, max) = (&bytes[start..], 2 * limit + 2);
    let (near, ended) = if rest.len() > max { (&rest[..max], false) } else { (rest, ended) };
    match source.layout.split(near, ended, source.shape) {
        Ok(end) if end - usize::from(near[..end].ends_with(b"\n")) <= limit => Ok(start..start + end),
        Err(_) if rest.len() <= max => Err(NoRecord::More { skipped: start, rest_of_line: false }),
        _ => Err(NoRecord::TooLong(start)),
    }
}

impl FileReader {
    /// Returns a reader of the text in a buffer.
    pub fn new(name: Arc<str>, buffer: StreamBuffer) -> FileReader {
        FileReader {
            text: FileText::new(name, buffer),
            skip_line: false,
            source: None,
            format_checksum: 0,
            is_closed: true,
            promised: None,
            records: 0,
            resumed_at: 0,
        }
    }

    /// Returns the number of bytes of text that were read, and the number of these that are not in
    /// a chunk yet.
    pub fn text_bytes(&self) -> (u64, u64) {
        let waiting = self.text.buffer.bytes().len() as u64;
        (self.text.buffer.consumed() + waiting, waiting)
    }

    /// Returns the position of the next chunk in this file.
    pub fn position(&self) -> Position {
        Position {
            offset: self.text.buffer.consumed(),
            line: self.text.line,
            rest_of_line: self.skip_line,
            records_in_input: self.records,
            text_checksum: self.text.buffer.checksum.as_ref().map_or(0, Checksum::value),
            format_checksum: self.format_checksum,
            ..Position::default()
        }
    }

    /// Resumes from a position, where the next chunk begins. Returns false if the file has no such
    /// position.
    pub fn resume_from(&mut self, options: &InputOptions, position: &Position) -> bool {
        self.read_head(options);
        (self.text.line, self.skip_line, self.records) =
            (position.line, position.rest_of_line, position.records_in_input);
        self.resumed_at = position.offset;
        self.text.buffer.skip_to(position.offset)
    }

    fn read_head(&mut self, options: &InputOptions) -> Arc<Source> {
        let (source, promised) = read_head(&mut self.text, options);
        (self.promised, self.is_closed) = (promised, source.layout != Layout::JsonElements);
        self.format_checksum = Checksum::of(format!("{source:?}").as_bytes());
        Arc::clone(self.source.insert(Arc::new(source)))
    }

    /// Returns the next records in the buffer `spare`: at most `max_records`, of about `max_bytes`
    /// bytes. They are not numbered yet. Returns `None` at the end of the file. A failure is
    /// returned after the last whole record before it.
    pub fn next_chunk(
        &mut self,
        options: &InputOptions,
        max_records: usize,
        max_bytes: usize,
        spare: &mut Vec<u8>,
    ) -> io::Result<Option<Chunk>> {
        let source = match &self.source {
            Some(source) => Arc::clone(source),
            None => self.read_head(options),
        };
        spare.clear();
        if let Some(Filled { first_line, records: record_count, spans }) =
            self.fill(&source, max_records.max(1), max_bytes, spare)
        {
            self.records += record_count as u64;
            let (bytes, input_position) = (std::mem::take(spare), InputPosition::END);
            return Ok(Some(Chunk { source, first_index: 0, first_line, record_count, bytes, spans, input_position }));
        }
        if let Some(cause) = self.text.buffer.take_failure() {
            return Err(cause);
        }
        // If the run was resumed after the last byte, the previous run has read the closing bracket
        // or warned that it is missing.
        if !self.is_closed && self.text.buffer.consumed() > self.resumed_at {
            self.text.warn(None, "the array of records is not closed: the file may have been cut off");
        }
        if let Some(promised) = self.promised.filter(|&promised| promised != self.records) {
            let message = format!("the count line promises {promised} records, but the file has {}", self.records);
            self.text.warn(None, &message);
        }
        Ok(None)
    }

    /// Moves whole records from the buffer to `out`. Returns `None` at the end of the file, or
    /// before a failure.
    fn fill(&mut self, source: &Source, max_records: usize, max_bytes: usize, out: &mut Vec<u8>) -> Option<Filled> {
        let (per_line, mut spans) = (source.layout.has_record_per_line(), Vec::new());
        loop {
            if std::mem::take(&mut self.skip_line) {
                self.text.skip_line();
            }
            let (mut end, mut records, mut lines) = (0, 0, 0);
            let mut next = None;
            while records < max_records && (records == 0 || end < max_bytes) {
                let bytes = &self.text.buffer.bytes()[end..];
                // `plain_lines` takes lines from a block of this size. If that is at most the
                // limit, no line in it is too long.
                if per_line && source.max_record_bytes >= PLAIN_BLOCK_BYTES {
                    let near = &bytes[..bytes.len().min(max_bytes.saturating_sub(end))];
                    let (length, plain) = plain_lines(near, max_records - records);
                    if plain > 0 {
                        (end, records, lines) = (end + length, records + plain, lines + plain as u64);
                        continue;
                    }
                }
                match find(source, bytes, self.text.buffer.ended()) {
                    Ok(span) => {
                        lines += count_newlines(&bytes[..span.end]);
                        self.find_array_end(source, end, end + span.start);
                        if !per_line {
                            spans.push(end + span.start..end + span.end);
                        }
                        (end, records) = (end + span.end, records + 1);
                    }
                    Err(stop) => {
                        next = Some(stop);
                        break;
                    }
                }
            }
            let first_line = self.text.line;
            if records > 0 {
                out.extend_from_slice(&self.text.buffer.bytes()[..end]);
                self.text.consume_lines(end, lines);
                return Some(Filled { first_line, records, spans });
            }
            match next? {
                NoRecord::TooLong(start) => {
                    let first_line = self.skip_too_long(source, start);
                    return Some(Filled { first_line, records: 1, spans });
                }
                NoRecord::More { skipped, rest_of_line } => {
                    self.find_array_end(source, 0, skipped);
                    self.text.consume(skipped);
                    self.skip_line = rest_of_line;
                    let has_more = rest_of_line || self.text.buffer.more(source.max_record_bytes);
                    if !has_more && !self.text.buffer.ended() {
                        return self.take_before_failure(source, out);
                    }
                    if !has_more && self.text.buffer.bytes().is_empty() {
                        return None;
                    }
                }
            }
        }
    }

    /// Takes the last board before a failure if the board is whole. This can only happen in the
    /// layout `sized`, whose splitter examines the lines after a board. In other layouts, the
    /// failure has cut off the record.
    fn take_before_failure(&mut self, source: &Source, out: &mut Vec<u8>) -> Option<Filled> {
        let bytes = self.text.buffer.bytes();
        let lines = &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1)];
        let span = find(source, lines, true).ok()?;
        if source.layout != Layout::Sized || source.layout.parse(&lines[span.clone()], source).puzzle.is_err() {
            return None;
        }
        let first_line = self.text.line;
        out.extend_from_slice(&lines[..span.end]);
        self.text.consume(span.end);
        Some(Filled { first_line, records: 1, spans: vec![span] })
    }

    /// Looks for the end of the array in bytes between two records.
    fn find_array_end(&mut self, source: &Source, from: usize, to: usize) {
        if source.layout.is_values() {
            self.is_closed |= self.text.buffer.bytes()[from..to].contains(&b']');
        }
    }

    /// Skips a record that is too long, and returns the line on which it begins. The record ends
    /// with the JSON value, or with the line in which it exceeds the limit.
    fn skip_too_long(&mut self, source: &Source, start: usize) -> u64 {
        self.find_array_end(source, 0, start);
        self.text.consume(start);
        let first_line = self.text.line;
        if source.layout.is_values() {
            let mut scan = Scan::default();
            loop {
                let bytes = self.text.buffer.bytes();
                let (end, length) = (scan.end(bytes), bytes.len());
                self.text.consume(end.unwrap_or(length));
                if end.is_some() || !self.text.buffer.more(0) {
                    break;
                }
            }
        } else {
            let bytes = self.text.buffer.bytes();
            let beyond = source.max_record_bytes.min(bytes.len());
            let end = memchr::memchr(b'\n', &bytes[beyond..]).map(|newline| beyond + newline + 1);
            let length = end.unwrap_or(bytes.len());
            self.skip_line = end.is_none();
            self.text.consume(length);
        }
        first_line
    }
}
