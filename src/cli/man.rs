//! `taquin man`: the manual pages.
//!
//! The program's page has a section for each subcommand, so that one search covers all options.
//! `taquin man solve` prints the page `taquin-solve(1)`; `--output` writes all pages to a folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::ui::{Status, Stop, atomic_file, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Command whose page to print [default: the main page, which lists the commands]
    #[arg(value_name = "COMMAND")]
    subcommand: Option<String>,

    /// Write all pages to FOLDER: taquin.1, taquin-solve.1 and so on
    ///
    /// Existing pages are overwritten.
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "subcommand")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, mut command: clap::Command) -> Result<Status, Stop> {
    command.build();
    let page = match (&arguments.subcommand, &arguments.output) {
        (_, Some(folder)) => return write_all(&command, folder),
        (None, None) => program_page(&command),
        (Some(name), None) => match subcommands(&command).find(|each| each.get_name() == name) {
            Some(subcommand) => subcommand_page(subcommand),
            None => return Err(format!("unknown command '{name}': see taquin --help").into()),
        },
    };
    Ok(print(&page.map_err(|error| error.to_string())?)?)
}

fn subcommands(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help")
}

/// Writes all pages to a folder.
fn write_all(command: &clap::Command, folder: &Path) -> Result<Status, Stop> {
    atomic_file::create_folder(folder)?;
    let write = |name: &str, page: io::Result<Vec<u8>>| {
        atomic_file::write(&folder.join(format!("{name}.1")), &page.map_err(|error| error.to_string())?)
    };
    write("taquin", program_page(command))?;
    for subcommand in subcommands(command) {
        write(&format!("taquin-{}", subcommand.get_name()), subcommand_page(subcommand))?;
    }
    Ok(Status::Settled)
}

/// Renders the page of a subcommand.
fn subcommand_page(subcommand: &clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(subcommand.clone()).render(&mut page)?;
    Ok(page)
}

/// Renders the program's page, with every subcommand and its options.
fn program_page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in subcommands(command) {
        // Each subcommand becomes a section, and its sections become subsections.
        let (mut text, manual) = (Vec::new(), clap_mangen::Man::new(subcommand.clone()));
        manual.render_description_section(&mut text)?;
        manual.render_options_section(&mut text)?;
        let text = String::from_utf8_lossy(&text).replace("\n.SH ", "\n.SS ").replacen(".SH ", ".SS ", 1);
        write!(page, ".SH \"taquin {}\"\n{text}", subcommand.get_name())?;
    }
    Ok(page)
}
