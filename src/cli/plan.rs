//! `taquin plan`: what would be done with the boards, and why, without solving any.

use clap::Args;

use super::options::{Inputs, Solving};
use super::ui::{Status, plan};

const EXAMPLES: &str = "\
Examples:
  taquin plan inputs/                          the engine and heuristic for every shape and goal found
  taquin plan --goal snail --engine astar boards.txt";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Inputs,

    #[command(flatten)]
    pub(super) solving: Solving,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let Arguments { input, solving } = arguments;
    plan::run(&mut input.reader(solving), &solving.solver())
}
