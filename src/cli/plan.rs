//! `taquin plan`: what would be done with the boards, and why, without solving any.

use std::path::PathBuf;

use clap::Args;

use super::options::{Reading, Solving};
use super::ui::{Status, plan};
use crate::format::input::{self, Reader};

const EXAMPLES: &str = "\
Examples:
  taquin plan inputs/                          the engine and heuristic for every shape and goal found
  taquin plan --goal snail --engine astar boards.txt";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files and folders to read, `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    solving: Solving,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let Arguments { inputs, reading, solving } = arguments;
    let mut reader = Reader::new(input::expand(inputs).inputs, reading.options(solving));
    plan::run(&mut reader, &solving.solver())
}
