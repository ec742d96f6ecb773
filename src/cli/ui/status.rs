//! Exit statuses, and output to standard output and standard error.

use std::io::{self, Write};

use super::printable;

/// The outcome of a run. The exit statuses are part of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Every record was solved or proven unsolvable.
    Settled,
    /// Some record was invalid or unsolved (`--fail-on` changes what counts).
    SomeFailed,
    /// The run failed: usage, unreadable input, or output that cannot be written.
    RunFailed,
    /// The run limit was reached. Finished results are written.
    RunLimit,
    /// Interrupted by this signal.
    Interrupted(u8),
}

impl Status {
    /// Returns the exit status of the process.
    pub const fn code(self) -> u8 {
        match self {
            Status::Settled => 0,
            Status::SomeFailed => 1,
            Status::RunFailed => 2,
            Status::RunLimit => 3,
            Status::Interrupted(signal) => 128 + signal,
        }
    }
}

/// Writes bytes to standard output unchanged. A closed pipe is not an error.
pub fn print(text: &[u8]) -> Status {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&format!("cannot write: {error}")),
        _ => Status::Settled,
    }
}

/// Writes lines for people to standard output and escapes control characters. Untrusted text that
/// may contain line ends must already have passed through [`printable::line`].
pub fn print_lines(text: &str) -> Status {
    print(printable::lines(text).as_bytes())
}

/// Prints why the run failed.
pub fn fail(why: &str) -> Status {
    warn(why);
    Status::RunFailed
}

/// Prints a line on standard error, prefixed with the program's name.
pub fn warn(line: &str) {
    message(&format!("taquin: {line}"));
}

/// Prints exactly one line on standard error, whatever the text contains. Errors are ignored
/// because there is no other place to report them.
pub fn message(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable::line(line));
}
