//! `taquin schema`: the JSON Schema of what a command writes.

use clap::{Args, ValueEnum};

use super::ui::{Status, fail, print};
use crate::format::output;
use crate::format::passing::Pass;
use crate::tools::inspect;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The command whose lines are described.
    #[arg(long, value_name = "COMMAND", value_enum, default_value_t = Of::Solve)]
    of: Of,

    /// Fields that the results have beside ours, as they are given to solve.
    #[arg(long, value_name = "NAMES")]
    pass: Option<Pass>,
}

/// The commands that write JSON Lines.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Of {
    Solve,
    Inspect,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let text = match arguments.of {
        Of::Inspect if arguments.pass.is_some() => return fail("--pass is for the results of solve"),
        Of::Solve => output::schema(arguments.pass.as_ref()),
        Of::Inspect => inspect::schema(),
    };
    print(text.as_bytes())
}
