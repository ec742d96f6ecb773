//! One file, from its first byte to its last: its head, then chunk after chunk.

use std::io;
use std::sync::Arc;

use super::chunk::Extent;
use super::cut::{Cut, Cutter, Span};
use super::file_text::FileText;
use super::head::{FileFormat, read_head};
use super::options::InputOptions;
use super::position::Position;
use super::source::Source;
use super::values::feeds;
use super::window::Window;
use crate::system::Checksum;

/// How many bytes of a record that is too long are kept.
const KEPT_OF_TOO_LONG: usize = 64;

/// A file that is being read.
pub struct FileReader {
    text: FileText,
    /// The line at the window's start goes on from bytes that were dropped: drop the rest of it.
    skip_line: bool,
    /// A record at the window's start that was found to be too long, and is the next chunk; whether its last line
    /// goes on behind the window.
    too_long: Option<(Span, bool)>,
    /// How records are read, once the head of the file was.
    format: Option<FileFormat>,
    /// The number of records that a count line promised.
    promised: Option<u64>,
    /// How many of them are not there.
    missing: u64,
    /// The number of records that were returned.
    records: u64,
    /// Where in the text a run goes on that was broken off; 0 for one that begins.
    resumed_at: u64,
}

/// A chunk of the file; what it lacks is its place among the chunks of all files.
pub struct FileChunk {
    /// How its records are read.
    pub source: Arc<Source>,
    /// The line that its first byte is on, counted from 1 in the file.
    pub first_line: u64,
    /// How many records it holds: at least one.
    pub records: usize,
    /// Where they are, in layouts in which only the reader can know.
    pub spans: Vec<Span>,
    /// Whether its bytes are all of theirs.
    pub extent: Extent,
}

impl FileReader {
    /// A reader of the text behind a window.
    pub fn new(name: Arc<str>, window: Window) -> FileReader {
        FileReader {
            text: FileText::new(name, window),
            skip_line: false,
            too_long: None,
            format: None,
            promised: None,
            missing: 0,
            records: 0,
            resumed_at: 0,
        }
    }

    /// As it is shown in results.
    pub fn name(&self) -> Arc<str> {
        self.text.name.clone()
    }

    /// The bytes of its text that were read, and those of them that are in no chunk yet.
    pub fn text_bytes(&self) -> (u64, u64) {
        let waiting = self.text.window.bytes().len() as u64;
        (self.text.window.passed() + waiting, waiting)
    }

    /// Where the next chunk begins, as far as this one file is concerned.
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

    /// Goes on from a position, where the next chunk begins; `false` when the file has no such position.
    pub fn go_to(&mut self, options: &InputOptions, position: &Position) -> bool {
        let format = self.read_head(options);
        self.format = Some(format);
        (self.text.line, self.skip_line, self.records) =
            (position.line, position.rest_of_line, position.records_in_input);
        self.resumed_at = position.offset;
        self.text.window.pass_to(position.offset)
    }

    /// Reads everything and cuts nothing.
    pub fn go_to_end(&mut self) {
        self.text.window.pass_to(u64::MAX);
    }

    /// The end: gives back the checksum of all text.
    pub fn close(self) -> Option<Checksum> {
        self.text.window.close()
    }

    /// The warnings about the file since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.text.take_warnings()
    }

    /// The number of records that a count line promised; known when something was read.
    pub fn promised(&self) -> Option<u64> {
        self.promised
    }

    /// The number of records that a count line promised and that are not there; known at the end.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    fn read_head(&mut self, options: &InputOptions) -> FileFormat {
        let (format, promised) = read_head(&mut self.text, options);
        self.promised = promised;
        format
    }

    /// The next records: at most `max_records`, of about `max_bytes`, whose bytes replace those in `chunk`. `None`
    /// at the end of the file. A failure comes after the last whole record before it.
    pub fn next_chunk(
        &mut self,
        options: &InputOptions,
        max_records: usize,
        max_bytes: usize,
        chunk: &mut Vec<u8>,
    ) -> io::Result<Option<FileChunk>> {
        let mut format = match self.format.take() {
            Some(format) => format,
            None => self.read_head(options),
        };
        chunk.clear();
        let mut spans = Vec::new();
        let records = self.fill(&mut format, max_records, max_bytes, chunk, &mut spans);
        let source = format.source.clone();
        self.format = Some(format);
        match records {
            Some((records, first_line, extent)) => {
                self.records += records as u64;
                Ok(Some(FileChunk { source, first_line, records, spans, extent }))
            }
            None => match self.text.window.take_failure() {
                Some(cause) => Err(cause),
                None => {
                    // A run that goes on behind the last byte has not seen the end of the array: the one before it has.
                    let is_read_on = self.resumed_at == 0 || self.text.window.passed() > self.resumed_at;
                    if is_read_on && self.format.as_ref().is_some_and(|format| format.cutter.is_unclosed()) {
                        self.text.warn(None, "the array of records is not closed: the file may have been cut off");
                    }
                    self.check_promise();
                    Ok(None)
                }
            },
        }
    }

    /// Moves whole records from the window to a chunk's bytes: how many, the line that they begin
    /// on, and whether they are all there.
    fn fill(
        &mut self,
        format: &mut FileFormat,
        max_records: usize,
        max_bytes: usize,
        chunk: &mut Vec<u8>,
        spans: &mut Vec<Span>,
    ) -> Option<(usize, u64, Extent)> {
        loop {
            if std::mem::take(&mut self.skip_line) {
                self.text.window.skip_line();
            }
            if let Some((span, open)) = self.too_long.take() {
                return Some(self.take_too_long(&mut format.cutter, span, open, chunk));
            }
            let (mut end, mut lines, mut records) = (0, 0, 0);
            let (mut passed_bytes, mut passed_lines, mut starved) = (0, 0, false);
            while records < max_records.max(1) && (records == 0 || end < max_bytes) {
                let near = &self.text.window.bytes()[end..];
                let near = &near[..near.len().min(max_bytes.saturating_sub(end))];
                let (bytes, plain) = format.cutter.plain_lines(near, max_records.max(1) - records);
                if plain > 0 {
                    (end, lines, records) = (end + bytes, lines + plain as u64, records + plain);
                    continue;
                }
                match format.cutter.next(&self.text.window.bytes()[end..], self.text.window.ended()) {
                    Cut::Record(span) => {
                        if format.source.layout.needs_spans() {
                            spans.push(span);
                        }
                        end += span.end;
                        lines += span.lines;
                        records += 1;
                    }
                    Cut::TooLong { span, open } => {
                        self.too_long = Some((span, open));
                        break;
                    }
                    Cut::More { passed, lines, open } => {
                        (passed_bytes, passed_lines, self.skip_line) = (passed, lines, open);
                        starved = true;
                        break;
                    }
                }
            }
            let first_line = self.text.line;
            chunk.extend_from_slice(&self.text.window.bytes()[..end]);
            self.text.consume(end + passed_bytes, lines + passed_lines);
            if records > 0 {
                return Some((records, first_line, Extent::Whole));
            }
            if starved && !self.skip_line && !self.text.window.more(format.source.max_line) {
                if !self.text.window.ended() {
                    let span = format.cutter.take_board(self.text.window.bytes())?;
                    let first_line = self.text.line;
                    chunk.extend_from_slice(&self.text.window.bytes()[..span.end]);
                    spans.push(span);
                    self.text.consume(span.end, span.lines);
                    return Some((1, first_line, Extent::Whole));
                }
                if self.text.window.bytes().is_empty() {
                    return None;
                }
            }
        }
    }

    fn take_too_long(
        &mut self,
        cutter: &mut Cutter,
        span: Span,
        open: bool,
        chunk: &mut Vec<u8>,
    ) -> (usize, u64, Extent) {
        let first_line = self.text.line + span.lines_before;
        let kept = span.end.min(span.start + KEPT_OF_TOO_LONG);
        chunk.extend_from_slice(&self.text.window.bytes()[span.start..kept]);
        self.text.consume(span.end, span.lines);
        self.skip_line = open && !self.skip_value(cutter);
        (1, first_line, Extent::TooLong)
    }

    /// Skips the rest of a value; `false` where records are lines.
    fn skip_value(&mut self, cutter: &mut Cutter) -> bool {
        while let Some((passed, ended)) = cutter.skip_value(self.text.window.bytes()) {
            self.text.consume(passed, feeds(&self.text.window.bytes()[..passed]));
            if ended || !self.text.window.more(0) {
                return true;
            }
        }
        false
    }

    fn check_promise(&mut self) {
        if let Some(promised) = self.promised
            && promised != self.records
        {
            self.missing = promised.saturating_sub(self.records);
            let wrong = format!("the count line promises {promised} records, the file holds {}", self.records);
            self.text.warn(None, &wrong);
        }
    }
}
