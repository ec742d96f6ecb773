//! `taquin completions`: a shell completion script.

use clap::Args;

use super::ui::{Status, Stop, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// bash, elvish, fish, powershell, zsh
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

pub(super) fn run(arguments: &Arguments, command: &mut clap::Command) -> Result<Status, Stop> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, command, "taquin", &mut text);
    Ok(print(&text)?)
}
