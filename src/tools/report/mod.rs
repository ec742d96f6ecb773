//! `taquin report`: a summary of results as a self-contained HTML page.
//!
//! Results are read once, line by line (`line`), into sums and short lists of bounded size
//! (`tally`). A page for a hundred million results takes no more memory than one for a thousand,
//! and no page is larger than a megabyte. The page (`page`) is a template that escapes all texts;
//! its charts (`chart`) are SVG. Its only script plays solutions, and the rest of the page works
//! without it. The same results give the same bytes.

mod chart;
mod line;
mod page;
mod sections;
mod tally;

use std::io::{self, Read};

use super::merge::Parts;
use crate::format::result_lines::{End, Lines, MAX_LINE_BYTES};
use crate::format::trailer::Trailer;
use crate::tools::text::escaped_start;
pub use line::Assumptions;
use line::Entry;
use tally::Tally;

/// A report in progress.
#[derive(Debug)]
pub struct ReportBuilder {
    assumed: Assumptions,
    tally: Tally,
    /// The parts of runs read so far. They show which parts are missing.
    parts: Parts,
}

impl ReportBuilder {
    /// Creates an empty report.
    pub fn new(assumed: Assumptions) -> ReportBuilder {
        ReportBuilder { assumed, tally: Tally::default(), parts: Parts::default() }
    }

    /// Reads a results file to its end, or to the point where it cannot be read. Invalid contents
    /// are listed on the page and are not an error.
    ///
    /// # Errors
    /// When the file was not opened or cannot be read. The page then includes the lines before the
    /// error, and lists the error.
    pub fn read(&mut self, name: &str, opened: io::Result<Box<dyn Read + Send>>) -> io::Result<()> {
        let name = escaped_start(name, 160);
        self.tally.files.add(|| name.clone());
        let mut lines = match opened.and_then(Lines::of_results) {
            Ok(lines) => lines,
            Err(error) => {
                let why = escaped_start(&error.to_string(), 160);
                self.tally.add_bad_line(&name, None, format!("cannot be read: {why}"));
                return Err(error);
            }
        };
        let (mut number, mut line) = (0, Vec::new());
        loop {
            match lines.take(1, &mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    self.tally.add_bad_line(&name, None, format!("cannot be read after line {number}: {error}"));
                    return Err(error);
                }
            }
            number += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            if Trailer::is_trailer(&line) && lines.end() != End::Torn {
                self.add_part(&name, number, &line);
                continue;
            }
            match Entry::read(&line, &self.assumed) {
                Ok(entry) => self.tally.add(&entry),
                Err(why) => self.tally.add_bad_line(&name, Some(number), escaped_start(&why, 240)),
            }
        }
        if lines.end() == End::TooLong {
            let why = format!("is longer than {MAX_LINE_BYTES} bytes; the rest was not read");
            self.tally.add_bad_line(&name, Some(number + 1), why);
        }
        Ok(())
    }

    /// Adds a part. `line` is its trailer, and `number` is the trailer's line number.
    fn add_part(&mut self, name: &str, number: u64, line: &[u8]) {
        match Trailer::read(line) {
            Ok(trailer) if trailer.written == number - 1 => self.parts.add(name, Some(&trailer), None),
            Ok(trailer) => {
                let fault = format!("has {} results, expected {}", number - 1, trailer.written);
                self.parts.add(name, Some(&trailer), Some(&fault));
            }
            Err(why) => self.tally.add_bad_line(name, Some(number), format!("is not a valid trailer: {why}")),
        }
    }

    /// Adds the errors in the parts of a run to the page and returns them. Call it after reading
    /// all files.
    pub fn end_parts(&mut self) -> Vec<String> {
        let faults = std::mem::take(&mut self.parts).faults();
        faults.iter().for_each(|fault| self.tally.add_bad_line("parts of a run", None, fault.clone()));
        faults
    }

    /// Returns the number of lines that are not results.
    pub fn faulty_lines(&self) -> u64 {
        self.tally.faulty_lines
    }

    /// Returns the page.
    pub fn page(&self, title: &str) -> String {
        page::page(&self.tally, &escaped_start(title, 200)).into_string()
    }
}
