//! A part of a run, read result by result up to its trailer, and the check that several parts are
//! of one run and that none is missing.

use std::collections::BTreeMap;
use std::io::{self, Read};

use crate::format::result::index_of;
use crate::format::result_lines::{End, Lines};
use crate::format::trailer::Trailer;
use crate::system::Checksum;

/// The number of bytes read from a part at once. There may be hundreds of parts.
const BLOCK_BYTES: usize = 64 << 10;

/// The maximum number of error messages, and of shards in a message. The rest are counted.
const MAX_LISTED: usize = 20;

/// A reader of one part.
pub struct PartReader {
    /// The part's name in messages.
    name: String,
    lines: Lines,
    /// The current result with its line feed.
    pub line: Vec<u8>,
    /// The record number of the current result; `None` if there is no result.
    pub index: Option<u64>,
    /// The number of lines so far, without the trailer. All are results, unless an error was found.
    results: u64,
    /// The checksum of the results so far.
    checksum: Checksum,
    /// The trailer, once it has been read.
    trailer: Option<Trailer>,
    /// The first error so far. Some errors are found only at the end of the part.
    pub fault: Option<String>,
}

impl PartReader {
    /// Creates a reader of a part from a stream.
    pub fn new(name: String, stream: Box<dyn Read + Send>) -> PartReader {
        let (lines, checksum) = (Lines::new(stream, BLOCK_BYTES), Checksum::default());
        PartReader { name, lines, line: Vec::new(), index: None, results: 0, checksum, trailer: None, fault: None }
    }

    /// Reads the next line that is not the trailer, or returns false at the end. The line is a
    /// result, unless an error was found. After an error, the rest is read only to find the
    /// trailer.
    ///
    /// # Errors
    /// When the part cannot be read.
    pub fn advance(&mut self) -> io::Result<bool> {
        self.index = None;
        let number = self.results + 1;
        loop {
            let read = self.lines.take(1, &mut self.line);
            let read = read.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.name)))?;
            if read == 0 || self.lines.end() == End::Torn {
                self.end(number);
                return Ok(false);
            }
            if !Trailer::is_trailer(&self.line) || self.trailer.is_some() {
                break;
            }
            match Trailer::read(&self.line) {
                Ok(trailer) => self.trailer = Some(trailer),
                Err(why) => self.set_fault(format!("line {number} is not a valid trailer: {why}")),
            }
            // Read on, to report any lines after the trailer.
        }
        self.results = number;
        if self.trailer.is_none() {
            self.checksum.update(&self.line);
        }
        let index = index_of(&self.line).and_then(|index| index.ok_or_else(|| "has no field `index`".into()));
        match index {
            _ if self.trailer.is_some() => self.set_fault("has data after its trailer".into()),
            _ if self.fault.is_some() => {}
            Ok(index) => self.index = Some(index),
            Err(why) => self.set_fault(format!("line {number} {why}")),
        }
        Ok(true)
    }

    /// Records an error. Only the first is kept.
    fn set_fault(&mut self, what: String) {
        self.fault.get_or_insert(what);
    }

    fn end(&mut self, number: u64) {
        let results = self.results;
        let fault = match (self.lines.end(), &self.trailer) {
            (End::Torn, _) => Some(format!("ends in the middle of line {number}: it was cut off")),
            (End::TooLong, _) => Some(format!("line {number} is too long; the rest was not read")),
            (_, None) => Some("does not end with a trailer: it was cut off, or its run has not finished".to_string()),
            (_, Some(trailer)) if trailer.written != results => {
                Some(format!("has {results} results, expected {}", trailer.written))
            }
            (_, Some(trailer)) if !trailer.matches(&self.checksum) => {
                Some(format!("was changed after it was written: its lines do not match the checksum on line {number}"))
            }
            _ => None,
        };
        if let Some(fault) = fault {
            self.set_fault(fault);
        }
    }
}

/// Returns the errors in the parts of a run, which were read to their ends, and the missing shards.
pub fn faults(parts: &[PartReader]) -> Vec<String> {
    let mut faults = Vec::new();
    // The first part with a trailer. The others are compared with it.
    let mut first = None;
    let mut present: BTreeMap<u64, &str> = BTreeMap::new();
    for PartReader { name, trailer, fault, .. } in parts {
        faults.extend(fault.iter().map(|fault| format!("{name} {fault}")));
        let Some(trailer) = trailer else { continue };
        let (first_name, first) = *first.get_or_insert((name, trailer));
        if trailer.shard.count() != first.shard.count() {
            faults.push(format!("{name} is shard {}, but {first_name} is shard {}", trailer.shard, first.shard));
        } else if (trailer.run, trailer.records) != (first.run, first.records) {
            faults.push(format!(
                "{name} is from a different run than {first_name}: its input contents, input names, options or \
                 program version differ"
            ));
        } else if let Some(other) = present.get(&trailer.shard.number()) {
            faults.push(format!("{other} and {name} are both shard {}", trailer.shard));
        } else {
            present.insert(trailer.shard.number(), name);
        }
    }
    let shards = first.map_or(0, |(_, trailer)| trailer.shard.count());
    let missing = shards - present.len() as u64;
    let absent = (1..=shards).filter(|number| !present.contains_key(number));
    let listed: Vec<String> = absent.take(MAX_LISTED).map(|number| format!("{number}/{shards}")).collect();
    let more = missing - listed.len() as u64;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    match &listed[..] {
        [] => {}
        [one] => faults.push(format!("shard {one} is missing")),
        several => faults.push(format!("shards {}{more} are missing", several.join(", "))),
    }
    if faults.len() > MAX_LISTED {
        let more = faults.len() - MAX_LISTED;
        faults.truncate(MAX_LISTED);
        faults.push(format!("and {more} more"));
    }
    faults
}
