//! The parts of a sharded run.

use super::output::is_out_of_files;
use crate::format::input::{self, DecompressionLimit, Input};
use crate::tools::merge::Merge;

/// Opens all parts within the decompression limit, and begins to join them.
///
/// # Errors
/// A message for the user, if a part cannot be read.
pub fn open(parts: &[Input], limit: DecompressionLimit) -> Result<Merge, String> {
    let open = |part: &Input| {
        let name = part.name().into_owned();
        match input::open_text(part, limit) {
            Ok(text) => Ok((name, text)),
            Err(error) if is_out_of_files(&error) => Err(format!(
                "cannot read {name}: {error}; all parts are open at the same time: raise the limit on open files (ulimit -n)"
            )),
            Err(error) => Err(format!("cannot read {name}: {error}")),
        }
    };
    let texts = parts.iter().map(open).collect::<Result<_, _>>()?;
    Merge::new(texts).map_err(|error| format!("cannot read {error}"))
}
