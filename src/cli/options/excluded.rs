//! The boards of files that are not to be made again.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::board::{Board, Shape};
use crate::cli::ui::warn;
use crate::format::input::{self, Input, InputOptions, Reader};
use crate::tools::text::counted;

/// The maximum number of records, and of bytes, that are read at a time.
const CHUNK: (usize, usize) = (4096, 1 << 20);

/// Returns the inputs that `files` name, and their boards. `shape` is the shape of boards that do
/// not show theirs.
///
/// # Errors
/// An error message for people, if a file cannot be read or nothing in it is a board.
pub fn read(files: &[PathBuf], shape: Option<Shape>) -> Result<(Vec<Input>, HashSet<Board>), String> {
    let inputs = input::expand(files).inputs;
    let mut reader = Reader::new(inputs.clone(), InputOptions { shape, ..InputOptions::default() });
    let (mut boards, mut invalid) = (HashSet::new(), 0);
    while let Some(chunk) = reader.next_chunk(CHUNK.0, CHUNK.1, Vec::new()) {
        let chunk = chunk.map_err(|error| error.to_string())?;
        for record in chunk.records() {
            match record.puzzle {
                Ok(puzzle) => _ = boards.insert(puzzle.board),
                Err(_) => invalid += 1,
            }
        }
    }
    if boards.is_empty() && invalid > 0 {
        return Err("no record of --exclude is a valid board".into());
    }
    if invalid > 0 {
        warn(&format!("--exclude ignores {} (see taquin check)", counted(invalid, "invalid record")));
    }
    Ok((inputs, boards))
}
