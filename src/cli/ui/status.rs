//! Exit statuses, and output to standard output and standard error.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;

use crate::tools::text::{escaped, escaped_lines};

/// The outcome of a run. The exit statuses are part of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitStatus {
    /// Success. In `solve`, every record was solved or proven unsolvable.
    Settled,
    /// Some records or boards failed. In `solve`, they were invalid or unsolved (`--fail-on`
    /// changes what counts).
    SomeFailed,
    /// The run failed: usage, unreadable input, or output that cannot be written.
    RunFailed,
    /// The run limit was reached. Finished results are written.
    RunLimit,
    /// Interrupted by this signal.
    Interrupted(u8),
}

impl ExitStatus {
    /// Returns the status of a finished run. `is_unread` is true if an input could not be read,
    /// `has_failed` if a record failed.
    pub const fn of(is_unread: bool, has_failed: bool) -> ExitStatus {
        match (is_unread, has_failed) {
            (true, _) => ExitStatus::RunFailed,
            (false, true) => ExitStatus::SomeFailed,
            (false, false) => ExitStatus::Settled,
        }
    }

    /// Returns the exit status of the process.
    pub const fn code(self) -> u8 {
        match self {
            ExitStatus::Settled => 0,
            ExitStatus::SomeFailed => 1,
            ExitStatus::RunFailed => 2,
            ExitStatus::RunLimit => 3,
            ExitStatus::Interrupted(signal) => 128 + signal,
        }
    }
}

/// The early end of a run: its status, and the message to print, if any.
#[derive(Debug)]
pub struct Stop {
    status: ExitStatus,
    why: Option<String>,
}

impl Stop {
    /// Creates a stop with [`ExitStatus::SomeFailed`] and this message.
    pub fn some_failed(why: String) -> Stop {
        Stop { status: ExitStatus::SomeFailed, why: Some(why) }
    }

    /// Creates the stop for a failed write. A closed pipe is not a failure, because its reader
    /// needs no more.
    pub fn writing(name: &str, error: &io::Error) -> Stop {
        match error.kind() {
            ErrorKind::BrokenPipe => ExitStatus::Settled.into(),
            _ => format!("cannot write to {name}: {error}").into(),
        }
    }

    /// Prints the message and returns the status.
    pub fn report(self) -> ExitStatus {
        self.why.iter().for_each(|why| warn(why));
        self.status
    }
}

impl From<ExitStatus> for Stop {
    fn from(status: ExitStatus) -> Stop {
        Stop { status, why: None }
    }
}

/// Creates the stop of a run that failed for this reason.
impl From<String> for Stop {
    fn from(why: String) -> Stop {
        Stop { status: ExitStatus::RunFailed, why: Some(why) }
    }
}

impl From<&str> for Stop {
    fn from(why: &str) -> Stop {
        why.to_string().into()
    }
}

/// Writes bytes to standard output unchanged. A closed pipe is not an error.
///
/// # Errors
/// A message for the user.
pub fn print(text: &[u8]) -> Result<ExitStatus, String> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("cannot write to standard output: {error}")),
        _ => Ok(ExitStatus::Settled),
    }
}

/// Writes human-readable lines to standard output and escapes control characters. Untrusted text
/// that may contain line ends must already have passed through [`escaped`].
///
/// # Errors
/// A message for the user.
pub fn print_lines(text: &str) -> Result<ExitStatus, String> {
    print(escaped_lines(text).as_bytes())
}

/// Prints a line on standard error, prefixed with the program's name.
pub fn warn(line: &str) {
    message(&format!("taquin: {line}"));
}

/// Prints exactly one line on standard error, whatever the text contains. Errors are ignored
/// because there is no other place to report them.
pub fn message(line: &str) {
    let _ = writeln!(io::stderr(), "{}", escaped(line));
}

/// Returns standard output without the standard library's line buffer, which would split every
/// chunk at its last line end.
pub(super) fn standard_output() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}
