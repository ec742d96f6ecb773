//! The `taquin` program: parses the arguments, runs the subcommand, and exits with its status.

use std::process::ExitCode;

fn main() -> ExitCode {
    taquin::internal::main(std::env::args_os())
}
