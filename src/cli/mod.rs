//! The command line: parses arguments into validated configuration.
//!
//! `command` defines the subcommands and runs one of them. Each subcommand has a file with its
//! arguments and examples; those that only print reference material share `reference`. Shared code
//! is in `options` (arguments) and `ui` (output).

mod batch_run;
mod check;
mod command;
mod generate;
mod improve;
mod judge;
mod merge;
mod options;
mod reference;
mod report;
mod show;
mod solve;
mod ui;
mod verify;

pub use command::main;
