//! The violations that `check` prints, as plain lines or as annotations that GitHub shows next to
//! the lines of a file. Records of a file that are invalid for the same reason share one line.

use std::collections::HashMap;
use std::env;
use std::io::{self, BufWriter, ErrorKind, Write};

use clap::ValueEnum;

use crate::tools::check::{Condition, RecordPlace, Violation};
use crate::tools::text::escaped;

/// The maximum number of records that a line names.
const MAX_NAMES: usize = 20;

/// A printer of violations.
pub struct ViolationPrinter {
    how: Annotations,
    /// The maximum number of lines.
    max_lines: u64,
    printed_lines: u64,
    /// The number of violations.
    pub found: u64,
    /// The number of violations that printed lines cover.
    shown: u64,
    /// The invalid records of the current file by reason, in the order of their first records.
    groups: Vec<ViolationGroup>,
    /// The index in `groups` by message.
    indices: HashMap<String, usize>,
    out: BufWriter<io::Stdout>,
}

/// A violation, or several records of a file that are invalid for the same reason.
struct ViolationGroup {
    first: Violation,
    records: u64,
    /// The names of the first records.
    names: Vec<String>,
}

impl ViolationGroup {
    fn of(first: &Violation) -> ViolationGroup {
        ViolationGroup { first: first.clone(), records: 1, names: vec![name(first)] }
    }
}

impl ViolationPrinter {
    /// Creates a printer of at most `max_lines` lines.
    pub fn new(how: Annotations, max_lines: u64) -> ViolationPrinter {
        ViolationPrinter {
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

    /// Prints violations. Invalid records are printed after the other violations of their file,
    /// because records that are invalid for the same reason share a line.
    ///
    /// # Errors
    /// When the violations cannot be written.
    pub fn print_all(&mut self, violations: &[Violation]) -> io::Result<()> {
        for violation in violations {
            self.found += 1;
            if self.is_in_other_file(violation) {
                self.print_groups()?;
            }
            match violation.condition {
                Condition::Valid => self.add(violation),
                _ => self.print(&ViolationGroup::of(violation))?,
            }
        }
        unless_closed(self.out.flush())
    }

    /// Prints what remains, and the number of violations that were not printed.
    ///
    /// # Errors
    /// When the lines cannot be written.
    pub fn end(&mut self) -> io::Result<()> {
        self.print_groups()?;
        if self.found > self.shown {
            unless_closed(writeln!(self.out, "and {} more", self.found - self.shown))?;
        }
        unless_closed(self.out.flush())
    }

    /// Prints the line of a group, unless the maximum number of lines is reached.
    fn print(&mut self, group: &ViolationGroup) -> io::Result<()> {
        if self.printed_lines == self.max_lines {
            return Ok(());
        }
        self.printed_lines += 1;
        self.shown += group.records;
        unless_closed(self.out.write_all(self.how.line(group).as_bytes()))
    }

    fn print_groups(&mut self) -> io::Result<()> {
        self.indices.clear();
        let groups = std::mem::take(&mut self.groups);
        groups.iter().try_for_each(|group| self.print(group))
    }

    /// Adds an invalid record to the group with the same reason.
    fn add(&mut self, violation: &Violation) {
        let number = self.groups.len();
        if let Some(&at) = self.indices.get(&violation.message) {
            let ViolationGroup { records, names, .. } = &mut self.groups[at];
            *records += 1;
            if names.len() < MAX_NAMES {
                names.push(name(violation));
            }
        } else if (number as u64) < self.max_lines - self.printed_lines {
            self.indices.insert(violation.message.clone(), number);
            self.groups.push(ViolationGroup::of(violation));
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

/// The format of violations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Annotations {
    /// github if GITHUB_ACTIONS is true, otherwise plain.
    Auto,
    /// FILE:LINE: message, FILE:LINE: ID: message, or FILE: N records: message (their names).
    Plain,
    /// Workflow commands: ::error file=FILE,line=LINE::message.
    Github,
}

impl Annotations {
    /// Resolves `Auto` for the current environment.
    pub fn resolved(self) -> Annotations {
        match self {
            Annotations::Auto if env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") => {
                Annotations::Github
            }
            Annotations::Auto => Annotations::Plain,
            other => other,
        }
    }

    /// Returns the line for a group.
    fn line(self, ViolationGroup { first, records, names }: &ViolationGroup) -> String {
        let Violation { condition, place, message } = first;
        let message = match records - names.len() as u64 {
            _ if *records == 1 => message.clone(),
            0 => format!("{records} records: {message} ({})", names.join(", ")),
            more => format!("{records} records: {message} ({} and {more} more)", names.join(", ")),
        };
        let (file, record) = match place {
            None => (None, String::new()),
            Some(place) => (Some(place).filter(|place| *place.source != *"-"), self.name(place, *records > 1)),
        };
        match (self, file) {
            (Annotations::Github, Some(RecordPlace { source, line, .. })) => {
                error(&format!("file={},line={line},", property(source)), *condition, &(record + &message))
            }
            (Annotations::Github, None) => error("", *condition, &(record + &message)),
            _ => plain(&(record + &message)),
        }
    }

    /// Returns the beginning of a message: the name of the record, or of the file of a group,
    /// unless the annotation shows it already.
    fn name(self, place: &RecordPlace, is_group: bool) -> String {
        match (self, &place.id) {
            (Annotations::Github, _) if is_group => String::new(),
            (Annotations::Github, id) if *place.source != *"-" => {
                id.as_ref().map_or(String::new(), |id| format!("{id}: "))
            }
            _ if is_group => format!("{}: ", place.source),
            _ => format!("{place}: "),
        }
    }
}

/// Returns the workflow command for an error at a place, such as `file=a.txt,line=1,`.
fn error(place: &str, condition: Condition, message: &str) -> String {
    format!("::error {place}title=taquin check {}::{}\n", condition.name(), data(message))
}

/// Returns a plain line. A GitHub runner does not take it for a workflow command.
fn plain(text: &str) -> String {
    let prefix = if text.starts_with("::") { "./" } else { "" };
    format!("{prefix}{}\n", escaped(text))
}

/// Escapes the message of a workflow command (escapeData of actions/toolkit,
/// packages/core/src/command.ts). Line ends are kept as `%0D` and `%0A`; other control characters
/// are escaped as in [`escaped`].
fn data(text: &str) -> String {
    let part = |text: &str| escaped(text).replace('%', "%25");
    let line = |text: &str| text.split('\r').map(part).collect::<Vec<_>>().join("%0D");
    text.split('\n').map(line).collect::<Vec<_>>().join("%0A")
}

/// Escapes a property of a workflow command (escapeProperty in the same file).
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(how: Annotations, source: Option<&str>, line: u64, why: &str) -> String {
        let place = source.map(|source| RecordPlace { source: source.into(), line, id: None });
        how.line(&ViolationGroup::of(&Violation { condition: Condition::Moves, place, message: why.into() }))
    }

    #[test]
    fn a_file_name_cannot_end_a_command() {
        let hostile = "a,line=1::b\r\n::stop-commands::x%.txt";
        assert_eq!(
            line(Annotations::Github, Some(hostile), 7, "50% off\n::error::no"),
            "::error file=a%2Cline=1%3A%3Ab%0D%0A%3A%3Astop-commands%3A%3Ax%25.txt,line=7,title=taquin check moves::\
             50%25 off%0A::error::no\n"
        );
        assert_eq!(
            line(Annotations::Plain, Some(hostile), 7, "no\nno"),
            "a,line=1::b\\r\\n::stop-commands::x%.txt:7: no\\nno\n"
        );
    }

    #[test]
    fn control_characters_are_escaped() {
        let (name, why) = ("a\u{1b}]0;x\u{7}\u{202e}.txt", "tile '\u{9b}2J'");
        assert_eq!(
            line(Annotations::Github, Some(name), 7, why),
            "::error file=a\\u{1b}]0;x\\u{7}\\u{202e}.txt,line=7,title=taquin check moves::tile '\\u{9b}2J'\n"
        );
        assert_eq!(
            line(Annotations::Plain, Some(name), 7, why),
            "a\\u{1b}]0;x\\u{7}\\u{202e}.txt:7: tile '\\u{9b}2J'\n"
        );
    }

    #[test]
    fn violations_outside_files_have_no_file_property() {
        assert_eq!(line(Annotations::Github, None, 0, "no"), "::error title=taquin check moves::no\n");
        assert_eq!(line(Annotations::Github, Some("-"), 3, "no"), "::error title=taquin check moves::-:3: no\n");
        assert_eq!(line(Annotations::Plain, None, 0, "no"), "no\n");
        assert_eq!(line(Annotations::Plain, Some("-"), 3, "no"), "-:3: no\n");
    }
}
