//! The boards that `--exclude` keeps from being generated.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::board::{Board, Shape};
use crate::cli::ui::warn;
use crate::format::input::{self, Input};
use crate::tools::files::Batch;
use crate::tools::text::counted;

/// Returns the inputs named by `files`, and their boards. `shape` is the shape of boards that do
/// not show theirs.
///
/// # Errors
/// A message for the user, if a file cannot be read, or if all records are invalid.
pub fn read(files: &[PathBuf], shape: Option<Shape>) -> Result<(Vec<Input>, HashSet<Board>), String> {
    let batch = shape.map_or(Batch::new(files), |shape| Batch::new(files).shape(shape));
    let (mut boards, mut invalid) = (HashSet::new(), 0);
    for record in batch.records() {
        match record.map_err(|error| error.to_string())?.puzzle {
            Ok((board, _)) => _ = boards.insert(board),
            Err(_) => invalid += 1,
        }
    }
    if boards.is_empty() && invalid > 0 {
        return Err("the --exclude files contain no valid board".into());
    }
    if invalid > 0 {
        warn(&format!("--exclude ignores {} (see taquin check)", counted(invalid, "invalid record")));
    }
    Ok((input::expand(files).inputs, boards))
}
