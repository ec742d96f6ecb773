//! `taquin profiles`: lists the known judge formats, their sources and how reliable they are.

use std::fmt::Write as _;

use clap::Args;

use super::ui::{Status, print_lines};
use crate::format::profile::{PROFILES, Profile, Requirement};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Profile to describe in full
    #[arg(value_name = "PROFILE", value_enum, ignore_case = true, hide_possible_values = true)]
    name: Option<&'static Profile>,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    match arguments.name {
        None => print_lines(&list()),
        Some(profile) => print_lines(&details(profile)),
    }
}

const HEAD: [&str; 6] = ["name", "board", "goal", "which answer", "known", "source"];

fn list() -> String {
    let rows: Vec<[String; 6]> = std::iter::once(HEAD.map(String::from)).chain(PROFILES.iter().map(row)).collect();
    let widths: [usize; 6] =
        std::array::from_fn(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in &rows {
        let line: String = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        text += line.trim_end();
        text.push('\n');
    }
    text + "\nknown: whether the formats of boards and answers were read in the statement or come from memory.\n\
            Use taquin profiles PROFILE for details.\n"
}

fn row(profile: &Profile) -> [String; 6] {
    let Profile { name, source, input, output, .. } = profile;
    let board = profile.shape.map_or("any".into(), |(rows, cols)| format!("{rows}x{cols}"));
    let known = if input == output { input.name().into() } else { format!("{}, {}", input.name(), output.name()) };
    [(*name).into(), board, profile.goal.name().into(), asked(profile), known, (*source).into()]
}

fn asked(profile: &Profile) -> String {
    let Some(answer) = &profile.answer else { return "none".into() };
    let number = ["{path}", "{lines}", "{boards}"].iter().all(|way| !answer.solved.contains(way));
    match answer.requirement {
        Requirement::AnyPath => "any path".into(),
        Requirement::AtMost(most) => format!("any path, at most {most}"),
        Requirement::Shortest if number => "fewest moves".into(),
        Requirement::Shortest => "any shortest path".into(),
        Requirement::FirstShortest => "first shortest path".into(),
    }
}

fn details(profile: &Profile) -> String {
    let Profile { name, source, url, input, output, note, layout, count_line, .. } = profile;
    let layout = layout.map_or("detected from each file".into(), |layout| layout.to_string());
    let count = if *count_line { ", after a count line" } else { "" };
    let mut text = format!("{name}: {source}\n");
    let url = if url.is_empty() { "no address, see the note" } else { url };
    text += &format!("  statement  {url}\n");
    let [_, board, goal, asked, ..] = row(profile);
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "  boards     {board}, layout {layout}{count} (known: {})\n  goal       {goal}\n  answers    {asked} (known: {})\n",
        input.name(),
        output.name()
    );
    if let Some(answer) = &profile.answer {
        let _ = writeln!(text, "    solved      {:?}", answer.solved);
        if let Some(unsolvable) = answer.unsolvable {
            let _ = writeln!(text, "    unsolvable  {unsolvable:?}");
        }
        if let (Some(too_long), Some(most)) = (answer.too_long, answer.solvable_within) {
            let _ = writeln!(text, "    too long    {too_long:?} (more than {most} moves)");
        }
        let _ = writeln!(text, "    otherwise   {:?} (invalid or not solved)", answer.otherwise);
    }
    text + &format!("  note       {note}\n")
}
