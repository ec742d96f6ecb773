//! The verdicts on all files of a folder.

use std::path::Path;

use super::end::End;
use super::one::{Files, Judge};
use crate::cli::ui::{fail, print_lines};
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
    pub fn report(&self, judge: &Judge) -> End {
        let named = match named_files(self.inputs, self.answers, self.jury) {
            Ok(named) => named,
            Err(error) => {
                fail(&format!("cannot read the folders: {error}"));
                return End::NoVerdict;
            }
        };
        if named.is_empty() {
            fail(&format!("{}: there are no files named NAME.in", self.inputs.display()));
            return End::NoVerdict;
        }
        let ends: Vec<End> = named.iter().map(|(name, files)| self.report_one(judge, name, files)).collect();
        let worst = ends.iter().copied().max().unwrap_or(End::NoVerdict);
        let right = ends.iter().filter(|&&end| end == End::Right).count();
        let all = counted(ends.len() as u64, "file");
        print_lines(&match worst {
            End::Right => format!("accepted: {all}\n"),
            _ => format!("{}: {right} of {all} accepted\n", worst.name()),
        });
        worst
    }

    /// Prints the verdict on the files of one name, or which of them is missing.
    fn report_one(&self, judge: &Judge, name: &str, files: &NamedFiles) -> End {
        let missing = |what: &str, folder: &Path| {
            fail(&format!("{name}: there is no {what} in {}", folder.display()));
            End::NoVerdict
        };
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
