//! `taquin schema`: the JSON Schema of result lines.

use clap::Args;

use super::ui::{Status, Stop, print};
use crate::format::passthrough::Pass;
use crate::format::schema::schema;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Columns of solve --pass to include
    #[arg(long, value_name = "COLUMNS")]
    pass: Option<Pass>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Status, Stop> {
    let text = schema(arguments.pass.as_ref());
    Ok(print(text.as_bytes())?)
}
