//! `taquin man`: the manual page.

use std::io::{self, Write};

use super::ui::{Status, fail, print};

pub(super) fn run(command: clap::Command) -> Status {
    match page(command) {
        Ok(text) => print(&text),
        Err(error) => fail(&error.to_string()),
    }
}

/// The program and, after it, every subcommand with its options.
fn page(mut command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        // Each in a section of its own, whose parts are subsections.
        let (mut text, manual) = (Vec::new(), clap_mangen::Man::new(subcommand.clone()));
        manual.render_description_section(&mut text)?;
        manual.render_options_section(&mut text)?;
        let text = String::from_utf8_lossy(&text).replace("\n.SH ", "\n.SS ").replacen(".SH ", ".SS ", 1);
        write!(page, ".SH \"taquin {}\"\n{text}", subcommand.get_name())?;
    }
    Ok(page)
}
