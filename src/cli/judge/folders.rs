//! The verdicts on all files of a folder.

use std::path::Path;

use super::end::End;
use super::one::{Files, Judge};
use crate::cli::ui::{print_lines, warn};
use crate::tools::judge::{NamedFiles, named_files};
use crate::tools::text::counted;

/// The folders of the inputs, of the contestant's answers, and of the jury's.
pub struct Folders<'a> {
    pub inputs: &'a Path,
    pub answers: &'a Path,
    pub jury: Option<&'a Path>,
}

impl Folders<'_> {
    /// Prints a verdict on the files of each name, and one on all.
    ///
    /// # Errors
    /// An error message for people, if there are no files.
    pub fn report(&self, judge: &Judge) -> Result<End, String> {
        let named = named_files(self.inputs, self.answers, self.jury)
            .map_err(|error| format!("cannot read the folders: {error}"))?;
        if named.is_empty() {
            return Err(format!("{}: there are no files named NAME.in", self.inputs.display()));
        }
        let verdict = |(name, files): (&String, &NamedFiles)| {
            self.report_one(judge, name, files).unwrap_or_else(|why| {
                warn(&format!("{name}: {why}"));
                End::NoVerdict
            })
        };
        let ends: Vec<End> = named.iter().map(verdict).collect();
        let worst = ends.iter().copied().max().unwrap_or(End::NoVerdict);
        let right = ends.iter().filter(|&&end| end == End::Right).count();
        let all = counted(ends.len() as u64, "file");
        print_lines(&match worst {
            End::Right => format!("accepted: {all}\n"),
            _ => format!("{}: {right} of {all} accepted\n", worst.name()),
        })?;
        Ok(worst)
    }

    /// Prints the verdict on the files of one name.
    fn report_one(&self, judge: &Judge, name: &str, files: &NamedFiles) -> Result<End, String> {
        let missing = |what: &str, folder: &Path| Err(format!("there is no {what} in {}", folder.display()));
        let answer = format!("{name}.out or {name}.ans");
        match (files, self.jury) {
            (NamedFiles { input: None, .. }, _) => missing(&format!("{name}.in"), self.inputs),
            (NamedFiles { answer: None, .. }, _) => missing(&answer, self.answers),
            (NamedFiles { jury: None, .. }, Some(jury)) => missing(&answer, jury),
            (NamedFiles { input: Some(input), answer: Some(answer), jury }, _) => {
                judge.report(&format!("{name}: "), &Files { input, answer, jury: jury.as_deref() })
            }
        }
    }
}
