//! The violations that `check` prints. Records of a file that are invalid for the same reason share
//! one line.

use std::collections::HashMap;
use std::io::{self, BufWriter, ErrorKind, Write};

use super::annotations::Annotations;
use crate::tools::check::{Condition, Violation};

/// The maximum number of records that a line names.
const MAX_NAMES: usize = 20;

/// A printer of violations.
pub struct Violations {
    how: Annotations,
    /// The maximum number of lines.
    max_lines: u64,
    printed_lines: u64,
    /// The number of violations.
    found: u64,
    /// The number of violations that printed lines cover.
    shown: u64,
    /// The invalid records of the current file by reason, in the order of their first records.
    groups: Vec<Group>,
    /// The index in `groups` by message.
    indices: HashMap<String, usize>,
    out: BufWriter<io::Stdout>,
}

/// Records of a file that are invalid for the same reason.
struct Group {
    first: Violation,
    records: u64,
    names: Vec<String>,
}

impl Violations {
    /// Creates a printer of at most `max_lines` lines.
    pub fn new(how: Annotations, max_lines: u64) -> Violations {
        Violations {
            how,
            max_lines,
            printed_lines: 0,
            found: 0,
            shown: 0,
            groups: Vec::new(),
            indices: HashMap::new(),
            out: BufWriter::new(io::stdout()),
        }
    }

    /// Returns the number of violations.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Prints violations. Those that share a line with later ones may wait.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn print_all(&mut self, violations: &[Violation]) -> io::Result<()> {
        for violation in violations {
            self.found += 1;
            if self.is_in_other_file(violation) {
                self.print_groups()?;
            }
            match violation.condition {
                Condition::Valid => self.add(violation),
                _ => self.print(&self.how.line(violation, None), 1)?,
            }
        }
        unless_closed(self.out.flush())
    }

    /// Prints what remains, and the number of violations that were not printed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(&mut self) -> io::Result<()> {
        self.print_groups()?;
        if self.found > self.shown {
            unless_closed(self.out.write_all(self.how.more(self.found - self.shown).as_bytes()))?;
        }
        unless_closed(self.out.flush())
    }

    /// Prints a line that covers `violations` violations, unless the maximum number of lines is
    /// reached.
    fn print(&mut self, line: &str, violations: u64) -> io::Result<()> {
        if self.printed_lines == self.max_lines {
            return Ok(());
        }
        self.printed_lines += 1;
        self.shown += violations;
        unless_closed(self.out.write_all(line.as_bytes()))
    }

    fn print_groups(&mut self) -> io::Result<()> {
        self.indices.clear();
        for Group { first, records, names } in std::mem::take(&mut self.groups) {
            let line = self.how.line(&first, (records > 1).then_some((records, &names)));
            self.print(&line, records)?;
        }
        Ok(())
    }

    /// Adds an invalid record to the group with the same reason.
    fn add(&mut self, violation: &Violation) {
        let number = self.groups.len();
        if let Some(&at) = self.indices.get(&violation.message) {
            let Group { records, names, .. } = &mut self.groups[at];
            *records += 1;
            if names.len() < MAX_NAMES {
                names.push(name(violation));
            }
        } else if (number as u64) < self.max_lines - self.printed_lines {
            self.indices.insert(violation.message.clone(), number);
            self.groups.push(Group { first: violation.clone(), records: 1, names: vec![name(violation)] });
        }
    }

    /// Returns true if a violation is not in the file of the grouped records.
    fn is_in_other_file(&self, violation: &Violation) -> bool {
        let source = |violation: &Violation| violation.place.as_ref().map(|place| place.source.clone());
        self.groups.last().is_some_and(|group| source(&group.first) != source(violation))
    }
}

/// Returns the short name of a record.
fn name(violation: &Violation) -> String {
    violation.place.as_ref().map_or_else(String::new, |place| place.short_name())
}

/// Ignores a closed pipe. The run continues, because its exit status still gives the verdict.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
