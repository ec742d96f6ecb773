//! What `taquin inspect` and `taquin estimate` share: they look at boards one after the other, write a line for each, and
//! tell at the end what they saw.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::options::{Inputs, Solving};
use super::ui::output::{self, Output, Present};
use super::ui::signals::Interrupt;
use super::ui::{Status, message, overlooked, warn};
use crate::format::input::{self, Reader};
use crate::tools::inspect::{self, Error, Examined, Fields, Requested, Sink};

/// What is looked at, and where the lines go.
pub(super) struct Examining<'a> {
    pub(super) input: &'a Inputs,
    pub(super) solving: &'a Solving,
    pub(super) fields: &'a Fields,
    /// What is worked out of a board, and how many shortest paths are counted at most.
    pub(super) requested: Requested,
    pub(super) count_cap: u64,
    pub(super) output: Option<&'a Path>,
    pub(super) force: bool,
    pub(super) quiet: bool,
}

/// All records together, as they are told at the end.
pub(super) trait Tally: Display + Default {
    /// Counts a record.
    fn add(&mut self, examined: &Examined<'_>);

    /// How many of them make the run one of which something failed.
    fn failed(&self) -> u64;
}

impl Examining<'_> {
    /// # Errors
    /// Why the run failed.
    pub(super) fn run<T: Tally>(self) -> Result<Status, String> {
        let (path, mut expanded) = (self.output, input::expand(&self.input.inputs));
        output::pass_over(path, &self.input.inputs, &mut expanded)?;
        output::check_written(path, &expanded.inputs, &[])?;
        let present = if self.force { Present::Overwrite } else { Present::Keep };
        let mut out = Output::open(path, present, &expanded.inputs)?;
        let interrupt = Interrupt::listen()?;
        let options = self.solving.examination(self.requested, self.count_cap, interrupt.flag());
        let mut reader = Reader::new(expanded.inputs, self.input.reading.options(self.solving));
        let mut lines = Lines { fields: self.fields, out: &mut out, text: Vec::new(), tally: T::default() };
        let ended = inspect::run(&options, &mut reader, &mut lines, &warn);
        let tally = lines.tally;
        let report = match ended {
            Ok(report) => report,
            Err(Error::Write(error)) if error.kind() == ErrorKind::BrokenPipe => return Ok(Status::Settled),
            Err(Error::Write(error)) => return Err(out.remedy(&error)),
            Err(error) => return Err(error.to_string()),
        };
        overlooked::warn(&report);
        if !self.quiet {
            message(&tally.to_string());
        }
        Ok(match interrupt.signal() {
            Some(signal) => Status::Interrupted(signal),
            None if report.failed_inputs > 0 => Status::RunFailed,
            None if tally.failed() > 0 || report.missing > 0 => Status::SomeFailed,
            None => Status::Settled,
        })
    }
}

/// Writes lines.
struct Lines<'a, T> {
    fields: &'a Fields,
    out: &'a mut Output,
    text: Vec<u8>,
    tally: T,
}

impl<T: Tally> Sink for Lines<'_, T> {
    fn record(&mut self, examined: &Examined<'_>) -> io::Result<()> {
        self.tally.add(examined);
        self.fields.write(examined, &mut self.text);
        if self.text.len() >= 1 << 20 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.text)?;
        self.text.clear();
        self.out.flush()
    }
}
