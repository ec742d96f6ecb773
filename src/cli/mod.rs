//! The command line: arguments as typed, turned into validated configuration; one file a subcommand.

mod annotations;
mod arguments;
mod assert;
mod bench;
mod compare;
mod explain;
mod generate;
mod identity;
mod inspect;
mod judge;
mod junit;
mod output;
mod profiles;
mod progress;
mod report;
mod show;
mod signals;
mod solve;
mod summary;
mod tables;
mod verify;
mod whole;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Command, Taquin};

/// How a run ends; the numbers are part of the contract with whoever calls the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Every record was settled: solved, or proven to have no solution.
    Settled,
    /// Some record was invalid or stayed unsolved (`--fail-on` changes what counts).
    SomeFailed,
    /// The run itself failed: usage, an input that cannot be read, results that cannot be written.
    RunFailed,
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
            Status::Interrupted(signal) => 128 + signal,
        }
    }
}

/// Runs the program with these arguments, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let parsed = match Taquin::try_parse_from(&arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version come this way too; a closed pipe is no reason to fail on them.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { judge::usage_status(&arguments) } else { 0 });
        }
    };
    let status = match parsed.command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Plan(arguments) => explain::run(&arguments.inputs, &arguments.reading, &arguments.solving),
        Command::Tables(arguments) => tables::run(&arguments),
        Command::Judge(arguments) => return ExitCode::from(judge::run(&arguments)),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Profiles { name } => profiles::run(name.as_deref()),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Assert(arguments) => assert::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Schema => print(include_bytes!("../format/result.schema.json")),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Taquin::command(), "taquin", &mut text);
            print(&text)
        }
        Command::Man => {
            let mut text = Vec::new();
            match arguments::manual(&mut text) {
                Ok(()) => print(&text),
                Err(error) => fail(&error.to_string()),
            }
        }
    };
    ExitCode::from(status.code())
}

/// Writes a finished text to standard output; a reader that has left is none of our business.
fn print(text: &[u8]) -> Status {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&format!("cannot write: {error}")),
        _ => Status::Settled,
    }
}

/// Says why the run failed.
fn fail(why: &str) -> Status {
    say(&format!("taquin: {why}"));
    Status::RunFailed
}

/// A line for people. Where standard error cannot be written to there is nobody to tell that either.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
