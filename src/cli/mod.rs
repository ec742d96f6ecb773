//! The command line: arguments as typed, turned into validated configuration; one file a subcommand.
//!
//! `command` lists the subcommands and starts one of them. Each has its own arguments and examples in its file; what
//! several of them share is in `options` (arguments) and `ui` (what the user sees).

mod batch_run;
mod check;
mod command;
mod completions;
mod generate;
mod improve;
mod judge;
mod man;
mod merge;
mod options;
mod profiles;
mod report;
mod schema;
mod show;
mod solve;
mod ui;
mod verify;

pub use command::main;
