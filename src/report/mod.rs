//! `taquin report`: what a run came to, as one page that needs nothing else.
//!
//! Results are read once, line by line (`line`), into sums and short lists of bounded size (`tally`): a page of a
//! hundred million results takes no more memory than one of a thousand, and none is larger than a megabyte. The page
//! (`page`) is a template whose texts are all escaped; its charts (`chart`) are SVG. Its one script plays
//! solutions, and everything but that works without. The same results give the same bytes.

mod chart;
mod distribution;
mod line;
mod page;
mod player;
mod tally;
mod text;
mod top;

use std::io::{self, Read};

use crate::audit::lines::{End, Lines};
use line::Entry;
pub use line::Unsaid;
use tally::Tally;

/// The longest line that is read: the largest boards with their goals fit.
const LONGEST_LINE: usize = 4 << 20;

/// The most boards that can be drawn on a page.
pub const MOST_BOARDS: usize = 24;

/// A report under way.
#[derive(Debug)]
pub struct Report {
    unsaid: Unsaid,
    tally: Tally,
}

impl Report {
    /// Nothing read yet; `boards` of the hardest are to be drawn, at most [`MOST_BOARDS`].
    pub fn new(unsaid: Unsaid, boards: usize) -> Report {
        Report { unsaid, tally: Tally::new(boards.min(MOST_BOARDS)) }
    }

    /// Reads a results file to its end, or to where it cannot be read any more. What it holds is never an error.
    ///
    /// # Errors
    /// When it cannot be read; what came before is in the report, and the page tells of it.
    pub fn read(&mut self, name: &str, stream: Box<dyn Read + Send>) -> io::Result<()> {
        let name = text::shown(name, 160);
        self.tally.files.add(|| name.clone());
        let mut lines = Lines::of_at_most(stream, LONGEST_LINE);
        let (mut number, mut line) = (0, Vec::new());
        loop {
            match lines.take(1, &mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    self.tally.fault(&name, None, format!("cannot be read behind line {number}: {error}"));
                    return Err(error);
                }
            }
            number += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match Entry::read(&line, &self.unsaid) {
                Ok(entry) => self.tally.add(&entry),
                Err(why) => self.tally.fault(&name, Some(number), text::shown(&why, 240)),
            }
        }
        if lines.end() == End::TooLong {
            let why = format!("is longer than {LONGEST_LINE} bytes, and ends the reading");
            self.tally.fault(&name, Some(number + 1), why);
        }
        Ok(())
    }

    /// A file that could not be opened.
    pub fn missing(&mut self, name: &str, why: &str) {
        let name = text::shown(name, 160);
        self.tally.fault(&name, None, format!("cannot be read: {}", text::shown(why, 160)));
        self.tally.files.add(|| name);
    }

    /// Lines that are no results.
    pub fn faulty_lines(&self) -> u64 {
        self.tally.faulty_lines
    }

    /// The page.
    pub fn page(&self, title: &str) -> String {
        page::page(&self.tally, &text::shown(title, 200)).into_string()
    }
}
