//! The parts of a run, as they are named: files, and folders of them.

use std::io;
use std::path::PathBuf;

use crate::format::input::{self, DecompressionLimit, Input};
use crate::tools::merge::NamedText;

/// Files that hold parts.
#[derive(Debug)]
pub struct Parts(Vec<Input>);

impl Parts {
    /// Those of these arguments.
    pub fn of(named: &[PathBuf]) -> Parts {
        Parts(input::expand_all(named).inputs)
    }

    /// What is read.
    pub fn inputs(&self) -> &[Input] {
        &self.0
    }

    /// Opens all of them, each within the limit, and gives their names.
    ///
    /// # Errors
    /// A sentence for people, when one cannot be opened.
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

/// All parts are open at the same time.
fn remedy(error: &io::Error) -> &'static str {
    if super::output::is_out_of_files(error) {
        ": raise the limit on open files (ulimit -n), because all parts are read together"
    } else {
        ""
    }
}
