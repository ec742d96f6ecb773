//! The verdicts on all files of a folder.

use std::path::Path;

use super::one::{Files, Judge};
use super::outcome::Outcome;
use crate::cli::ui::{print_lines, warn};
use crate::tools::judge::{NamedFiles, named_files};
use crate::tools::text::counted;

/// Prints a verdict on the files of each name in these folders, and an overall one.
///
/// # Errors
/// A message for the user, if the folders cannot be read or there are no files.
pub fn report(judge: &Judge, folders: &Files<'_>) -> Result<Outcome, String> {
    let named = named_files(folders.input, folders.output, folders.jury)
        .map_err(|error| format!("cannot read the folders: {error}"))?;
    if named.is_empty() {
        return Err(format!("{}: there are no files named NAME.in", folders.input.display()));
    }
    let verdict = |(name, files): (&String, &NamedFiles)| {
        report_one(judge, folders, name, files).unwrap_or_else(|why| {
            warn(&format!("{name}: {why}"));
            Outcome::NoVerdict
        })
    };
    let outcomes: Vec<Outcome> = named.iter().map(verdict).collect();
    let worst = outcomes.iter().copied().max().unwrap_or(Outcome::NoVerdict);
    let accepted = outcomes.iter().filter(|&&outcome| outcome == Outcome::Accepted).count();
    let files = counted(outcomes.len() as u64, "file");
    print_lines(&match worst {
        Outcome::Accepted => format!("accepted: {files}\n"),
        _ => format!("{}: {accepted} of {files} accepted\n", worst.name()),
    })?;
    Ok(worst)
}

/// Prints the verdict on the files of one name.
fn report_one(judge: &Judge, folders: &Files<'_>, name: &str, files: &NamedFiles) -> Result<Outcome, String> {
    let missing = |what: &str, folder: &Path| Err(format!("there is no {what} in {}", folder.display()));
    let answers = format!("{name}.out or {name}.ans");
    match (files, folders.jury) {
        (NamedFiles { input: None, .. }, _) => missing(&format!("{name}.in"), folders.input),
        (NamedFiles { answer: None, .. }, _) => missing(&answers, folders.output),
        (NamedFiles { jury: None, .. }, Some(jury)) => missing(&answers, jury),
        (NamedFiles { input: Some(input), answer: Some(answer), jury }, _) => {
            judge.report(&format!("{name}: "), &Files { input, output: answer, jury: jury.as_deref() })
        }
    }
}
