//! `taquin profiles`: lists the known judge formats, their sources and how reliable they are, or
//! prints the file of one, as a starting point for another.

use clap::Args;

use super::options::AnyProfile;
use super::ui::{Status, Stop, print_lines};
use crate::format::profile::{Profile, Requirement};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print the definition of this profile (TOML) instead of the list
    #[arg(value_name = "PROFILE", value_parser = AnyProfile)]
    name: Option<&'static Profile>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Status, Stop> {
    Ok(match arguments.name {
        None => print_lines(&list())?,
        Some(profile) => print_lines(profile.file)?,
    })
}

const HEAD: [&str; 6] = ["name", "board", "goal", "answer", "known", "source"];

fn list() -> String {
    let rows: Vec<[String; 6]> = std::iter::once(HEAD.map(String::from)).chain(Profile::all().map(row)).collect();
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

fn row(profile: &Profile) -> [String; 6] {
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
