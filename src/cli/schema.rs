//! `taquin schema`: the JSON Schema of what a command writes.

use clap::{Args, ValueEnum};

use super::ui::{Status, print};
use crate::format::output;
use crate::tools::inspect;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The command whose lines are described.
    #[arg(long, value_name = "COMMAND", value_enum, default_value_t = Of::Solve)]
    of: Of,
}

/// The commands that write JSON Lines.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Of {
    Solve,
    Inspect,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let text = match arguments.of {
        Of::Solve => output::schema(),
        Of::Inspect => inspect::schema(),
    };
    print(text.as_bytes())
}
