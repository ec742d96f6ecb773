//! Reads records and result lines side by side, in blocks.

use std::io;

use super::report::{Doubts, Place};
use crate::format::input::{Chunk, Reader, Shard};
use crate::format::last_line::LastLine;
use crate::format::result::index_of;
use crate::format::result_lines::{End, Lines};

/// Maximum number of records in a block: their results fit in the cache of one core.
const BLOCK_RECORDS: usize = 512;
const BLOCK_BYTES: usize = 64 << 10;

/// Records, and as many lines. Usually the lines are the results of these records.
pub struct Block {
    /// The records; `None` if all were read and lines are left.
    pub chunk: Option<Chunk>,
    pub lines: Vec<u8>,
    /// The number of the first line.
    pub first_line: u64,
    /// False if its first index is not above all indices of earlier blocks.
    pub is_in_order: bool,
}

impl Block {
    /// Returns the memory that it takes.
    pub fn bytes(&self) -> usize {
        self.lines.len() + self.chunk.as_ref().map_or(0, |chunk| chunk.bytes.len())
    }
}

/// The records and lines of a run.
pub struct Blocks<'a> {
    reader: &'a mut Reader,
    lines: Lines,
    warn: &'a mut (dyn FnMut(&str) + Send),
    pub failed_inputs: u64,
    pub records: u64,
    /// The number of lines before the first result.
    header: u64,
    /// The number of results.
    pub results: u64,
    /// The greatest index so far, provided that the indices of each block rise.
    greatest: u64,
    /// The trailer of a shard, and whether lines follow it.
    trailer: Option<Vec<u8>>,
    has_data_after_trailer: bool,
    /// The error that ended the reading of the results.
    pub error: Option<io::Error>,
}

impl<'a> Blocks<'a> {
    /// Creates the blocks of these records and lines. `warn` receives the inputs that cannot be
    /// read.
    pub fn new(
        reader: &'a mut Reader,
        lines: Lines,
        has_header: bool,
        warn: &'a mut (dyn FnMut(&str) + Send),
    ) -> Blocks<'a> {
        Blocks {
            reader,
            lines,
            warn,
            failed_inputs: 0,
            records: 0,
            header: u64::from(has_header),
            results: 0,
            greatest: 0,
            trailer: None,
            has_data_after_trailer: false,
            error: None,
        }
    }

    /// Reads the next block; `None` at the end, and after an error.
    pub fn next(&mut self) -> Option<Block> {
        if self.error.is_some() {
            return None;
        }
        self.read().unwrap_or_else(|error| {
            self.error = Some(error);
            None
        })
    }

    fn read(&mut self) -> io::Result<Option<Block>> {
        let chunk = loop {
            match self.reader.next_chunk(BLOCK_RECORDS, BLOCK_BYTES, Vec::new()).transpose() {
                Ok(chunk) => break chunk,
                Err(error) => {
                    (self.warn)(&error.to_string());
                    self.failed_inputs += 1;
                }
            }
        };
        self.reader.take_warnings().iter().for_each(|warning| (self.warn)(warning));
        let expected = chunk.as_ref().map_or(BLOCK_RECORDS, |chunk| chunk.records);
        self.records += chunk.as_ref().map_or(0, |chunk| chunk.records as u64);
        let (mut lines, first_line) = (Vec::new(), self.header + self.results + 1);
        let mut taken = self.lines.take(expected, &mut lines)?;
        if self.trailer.is_some() {
            self.has_data_after_trailer |= taken > 0;
        } else if let Some(trailer) = split_trailer(&mut lines, self.lines.end()) {
            (self.trailer, taken) = (Some(trailer), taken - 1);
        }
        self.results += taken as u64;
        let is_in_order = self.is_in_order(&lines);
        Ok((chunk.is_some() || taken > 0).then_some(Block { chunk, lines, first_line, is_in_order }))
    }

    /// Returns false if the first index of these lines is not above all before it. Only the first
    /// and the last index are read: that the others rise is checked with the block.
    fn is_in_order(&mut self, lines: &[u8]) -> bool {
        let Some(first_end) = memchr::memchr(b'\n', lines) else { return true };
        let (first, last) = (&lines[..=first_end], &lines[last_line(lines)..]);
        let index = |line| index_of(line).ok().flatten();
        let is_in_order = index(first).is_none_or(|index| index > self.greatest);
        self.greatest = self.greatest.max(index(last).unwrap_or(0));
        is_in_order
    }

    /// Returns the number of records of all inputs, and the shard that was read of them.
    pub fn inputs(&self) -> (u64, Shard) {
        (self.reader.records(), self.reader.shard())
    }

    /// Adds the doubts about the results as a whole.
    pub fn check_end(&self, doubts: &Doubts) {
        let last = self.header + self.results;
        match self.lines.end() {
            End::Open | End::Whole => {}
            End::Torn => doubts.add(Place::Line(last), "does not end with a line feed: the file was cut off"),
            End::TooLong => doubts.add(Place::Line(last + 1), "is too long; the rest was not read"),
        }
        if self.has_data_after_trailer {
            doubts.add(Place::Shard, "have data after the trailer");
        } else if let Some(wrong) = self.trailer.as_ref().and_then(|trailer| self.wrong_trailer(trailer)) {
            doubts.add(Place::Shard, wrong);
        }
    }

    /// Returns the error in the trailer of a shard, if any.
    fn wrong_trailer(&self, trailer: &[u8]) -> Option<String> {
        let LastLine { shard, records, written, .. } = match LastLine::read(trailer) {
            Ok(last) => last,
            Err(why) => return Some(format!("end with an invalid trailer: {why}")),
        };
        let ((read, expected), results) = (self.inputs(), self.results);
        if shard != expected {
            return Some(format!("are shard {shard} of a run: name the file, because a stream ends with its shard"));
        }
        if read != records {
            return Some(format!("are from a run over {records} records, but the inputs have {read}"));
        }
        (written != results).then(|| format!("are {results}, but the trailer says {written}"))
    }
}

/// Removes the trailer of a shard, if it is the last of these lines.
fn split_trailer(lines: &mut Vec<u8>, end: End) -> Option<Vec<u8>> {
    let start = last_line(lines);
    (end != End::Torn && LastLine::is_one(&lines[start..])).then(|| lines.split_off(start))
}

/// Returns where the last of these lines begins.
fn last_line(lines: &[u8]) -> usize {
    let whole = lines.strip_suffix(b"\n").unwrap_or(lines);
    memchr::memrchr(b'\n', whole).map_or(0, |feed| feed + 1)
}
