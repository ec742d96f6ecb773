//! The `taquin` program: reads the arguments, runs the subcommand, ends with its exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    taquin::internal::main(std::env::args_os())
}
