//! Exit statuses, and the texts that go to standard output and standard error.

use std::io::{self, Write};

use super::printable;

/// How a run ends; the numbers are part of the contract with callers of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Every record was settled: solved, or proven to have no solution.
    Settled,
    /// Some record was invalid or stayed unsolved (`--fail-on` changes what counts).
    SomeFailed,
    /// The run itself failed: usage, an input that cannot be read, results that cannot be written.
    RunFailed,
    /// `--run-limit` came before the end; what was finished is written.
    RunLimit,
    /// Interrupted by this signal.
    Interrupted(u8),
}

impl Status {
    /// The exit status of the process.
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

/// Writes finished bytes to standard output, as they are: what programs read, and pages. A reader that closed the pipe early
/// is no failure.
pub fn print(text: &[u8]) -> Status {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&format!("cannot write: {error}")),
        _ => Status::Settled,
    }
}

/// Writes lines for people to standard output. What comes from elsewhere has passed through [`printable::line`] if it may
/// hold line ends; everything else that a terminal would obey is escaped here.
pub fn print_lines(text: &str) -> Status {
    print(printable::lines(text).as_bytes())
}

/// Reports why the run failed.
pub fn fail(why: &str) -> Status {
    warn(why);
    Status::RunFailed
}

/// A line on standard error, after the program's name.
pub fn warn(line: &str) {
    message(&format!("taquin: {line}"));
}

/// A line on standard error, and only one, whatever is in it. Where that cannot be written to there is no place left to
/// report it.
pub fn message(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable::line(line));
}
