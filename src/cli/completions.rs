//! `taquin completions`: a shell completion script.

use clap::Args;

use super::ui::{Status, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// bash, elvish, fish, powershell, zsh
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true)]
    shell: clap_complete::Shell,
}

pub(super) fn run(arguments: &Arguments, command: &mut clap::Command) -> Status {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, command, "taquin", &mut text);
    print(&text)
}
