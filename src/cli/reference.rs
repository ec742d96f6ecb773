//! The commands that print reference material: judge formats, the JSON Schema of results, shell
//! completions, and manual pages.

use std::path::Path;

use super::ui::{ExitStatus, Stop, atomic_file, print, print_lines};
use crate::format::passthrough::Pass;
use crate::format::profile::{Profile, Requirement};
use crate::format::schema;

/// Lists the judge profiles, with their sources and the confidence in their formats, or prints the
/// file of one profile, which can be copied and changed to make another.
pub(super) fn profiles(profile: Option<&Profile>) -> Result<ExitStatus, Stop> {
    Ok(match profile {
        None => print_lines(&profile_list())?,
        Some(profile) => print_lines(profile.file)?,
    })
}

const PROFILE_HEAD: [&str; 6] = ["name", "board", "goal", "answer", "known", "source"];

fn profile_list() -> String {
    let rows: Vec<[String; 6]> =
        std::iter::once(PROFILE_HEAD.map(String::from)).chain(Profile::all().map(profile_row)).collect();
    let widths: [usize; 6] =
        std::array::from_fn(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in &rows {
        let line: String = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        text += line.trim_end();
        text.push('\n');
    }
    text + "\nknown: whether the formats of boards and answers come from the problem statement or from memory.\n\
            Use taquin profiles PROFILE to print the file of a profile.\n"
}

fn profile_row(profile: &Profile) -> [String; 6] {
    let Profile { name, source, input, output, .. } = profile;
    let board = profile.shape.map_or("any".into(), |shape| shape.to_string());
    let known = if input == output { input.name().into() } else { format!("{}, {}", input.name(), output.name()) };
    [(*name).into(), board, profile.goal_name(), requirement(profile), known, (*source).into()]
}

fn requirement(profile: &Profile) -> String {
    let Some(answer) = &profile.answer else { return "none".into() };
    match answer.requirement {
        Requirement::AnyPath => "any path".into(),
        Requirement::AtMost(max) => format!("any path, at most {max}"),
        Requirement::Shortest if !answer.has_paths() => "number of moves".into(),
        Requirement::Shortest => "any shortest path".into(),
        Requirement::Canonical => "canonical path".into(),
    }
}

/// Prints the JSON Schema of result lines.
pub(super) fn schema(pass: Option<&Pass>) -> Result<ExitStatus, Stop> {
    Ok(print(schema::schema(pass).as_bytes())?)
}

/// Prints a shell completion script.
pub(super) fn completions(shell: clap_complete::Shell, command: &mut clap::Command) -> Result<ExitStatus, Stop> {
    let mut text = Vec::new();
    clap_complete::generate(shell, command, "taquin", &mut text);
    Ok(print(&text)?)
}

/// Prints a manual page, or writes all of them to a folder.
pub(super) fn man(name: Option<&str>, output: Option<&Path>, command: clap::Command) -> Result<ExitStatus, Stop> {
    let mut command = command.disable_help_subcommand(true);
    if let Some(folder) = output {
        atomic_file::create_folder(folder)?;
        let written = clap_mangen::generate_to(command, folder);
        written.map_err(|error| format!("cannot write manual pages to {}: {error}", folder.display()))?;
        return Ok(ExitStatus::Settled);
    }
    command.build();
    let page = match name {
        None => &command,
        Some(name) => {
            command.find_subcommand(name).ok_or_else(|| format!("unknown command '{name}': see taquin --help"))?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page.clone()).render(&mut text).map_err(|error| error.to_string())?;
    Ok(print(&text)?)
}
