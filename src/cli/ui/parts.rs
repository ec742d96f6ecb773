//! The parts of a run, named as files and folders.

use std::io;
use std::path::PathBuf;

use crate::format::input::{self, DecompressionLimit, Input};
use crate::tools::merge::NamedText;

/// The files of the parts.
#[derive(Debug)]
pub struct Parts(Vec<Input>);

impl Parts {
    /// Returns the parts named by the arguments.
    pub fn of(named: &[PathBuf]) -> Parts {
        Parts(input::expand_all(named).inputs)
    }

    /// Returns the inputs.
    pub fn inputs(&self) -> &[Input] {
        &self.0
    }

    /// Returns true if all parts are regular files, which can be read twice.
    pub fn are_files(&self) -> bool {
        let is_file = |part: &Input| matches!(part, Input::Path(path) if path.is_file());
        self.0.iter().all(is_file)
    }

    /// Opens all parts within the decompression limit and returns them with their names.
    ///
    /// # Errors
    /// An error message for people, if one cannot be opened.
    pub fn open(&self, limit: DecompressionLimit) -> Result<Vec<NamedText>, String> {
        let open = |part: &Input| {
            let name = part.name().into_owned();
            match input::open_text(part, limit) {
                Ok(text) => Ok((name, text)),
                Err(error) => Err(format!("cannot read {name}: {error}{}", remedy(&error))),
            }
        };
        self.0.iter().map(open).collect()
    }
}

/// Returns a hint for too many open files, because all parts are open at the same time.
fn remedy(error: &io::Error) -> &'static str {
    if super::output::is_out_of_files(error) {
        ": raise the limit on open files (ulimit -n): all parts are open at the same time"
    } else {
        ""
    }
}
