//! The files of generated boards. The output is standard output, one file, or one file per board.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use super::atomic_file::{self, AtomicFile};
use super::output_conflicts::{self, Target};
use super::{Stop, warn};
use crate::board::{Board, Shape};
use crate::format::input::{self, Input};
use crate::tools::files::Batch;
use crate::tools::text::counted;

/// The destination of generated boards.
pub enum BoardFiles {
    /// One file, or standard output.
    One(AtomicFile),
    /// One file per board, and the number of files written so far.
    Each(FilePattern, u64),
}

/// The options for the output files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct BoardOutput {
    /// Write the boards to FILE
    #[arg(short, long, value_name = "FILE", group = "boards")]
    pub output: Option<PathBuf>,

    /// Write each board to its own file, such as data/board-%04d.txt
    #[arg(long, value_name = "PATTERN", group = "boards")]
    pub files: Option<FilePattern>,

    /// Solve the boards and write the answers to FILE
    ///
    /// Without --as, the answers are JSON Lines, which taquin judge does not read. With --files,
    /// FILE is a pattern, too.
    #[arg(long, value_name = "FILE", requires = "boards")]
    pub answers: Option<PathBuf>,

    /// Overwrite files
    #[arg(long, requires = "boards")]
    pub force: bool,
}

impl BoardOutput {
    /// Returns the pattern of the answer files, if each board has its own.
    ///
    /// # Errors
    /// A message for the user.
    pub fn answer_files(&self) -> Result<Option<FilePattern>, String> {
        match (&self.files, &self.answers) {
            (Some(_), Some(answers)) => answers.to_string_lossy().parse().map(Some),
            _ => Ok(None),
        }
    }

    /// Opens the output, unless it would replace an input or a file that must be kept. Creates
    /// missing folders, except the folder of `output`.
    ///
    /// # Errors
    /// When a file cannot or must not be written.
    pub fn open(&self, inputs: &[Input], count: u64) -> Result<BoardFiles, Stop> {
        let force = self.force;
        if let Some(files) = &self.files {
            let (answers, mut names) = (self.answer_files()?, HashSet::new());
            for (option, pattern) in [("--files", Some(files)), ("--answers", answers.as_ref())] {
                for path in pattern.into_iter().flat_map(|pattern| (1..=count).map(|number| pattern.path(number))) {
                    path.parent().map_or(Ok(()), atomic_file::create_folder)?;
                    atomic_file::check_overwriting(Some(&path), force)?;
                    output_conflicts::check(inputs, &[Target::File(option, Some(&path))])?;
                    // The names of one pattern all differ.
                    if let Some(path) = answers.as_ref().and_then(|_| names.replace(path)) {
                        let name = path.display();
                        return Err(format!("--files and --answers both name {name}: use two patterns").into());
                    }
                }
            }
            return Ok(BoardFiles::Each(files.clone(), 0));
        }
        let (output, answers) = (self.output.as_deref(), self.answers.as_deref());
        output_conflicts::check(inputs, &[Target::File("--output", output), Target::File("--answers", answers)])?;
        if let Some(folder) = answers.and_then(Path::parent) {
            atomic_file::create_folder(folder)?;
        }
        atomic_file::check_overwriting(answers, force)?;
        atomic_file::check_overwriting(output, force)?;
        Ok(BoardFiles::One(AtomicFile::open(output)?))
    }
}

impl BoardFiles {
    /// Returns the path of the temporary file, if there is one.
    pub fn temporary_path(&self) -> Option<&Path> {
        match self {
            BoardFiles::One(file) => file.temporary_path(),
            BoardFiles::Each(..) => None,
        }
    }

    /// Appends text to the file of all boards or, if each board has its own file, writes the text
    /// of the next board to a new file.
    ///
    /// # Errors
    /// When the text cannot be written.
    pub fn write(&mut self, text: &[u8]) -> Result<(), Stop> {
        match self {
            BoardFiles::One(file) => file.write(text),
            BoardFiles::Each(pattern, written) => {
                *written += 1;
                atomic_file::write(&pattern.path(*written), text)
            }
        }
    }

    /// Finishes the file, if all boards share one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(), Stop> {
        match self {
            BoardFiles::One(file) => file.finish(),
            BoardFiles::Each(..) => Ok(()),
        }
    }
}

/// Reads the files of boards that must not be generated. Returns the files as inputs, and their
/// boards. `shape` is the shape of boards whose records do not state one.
///
/// # Errors
/// A message for the user, if a file cannot be read, or if all records are invalid.
pub fn read_excluded(files: &[PathBuf], shape: Option<Shape>) -> Result<(Vec<Input>, HashSet<Board>), String> {
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
    let expanded = input::expand(files);
    expanded.skipped.lines().iter().for_each(|line| warn(line));
    Ok((expanded.inputs, boards))
}

/// A file name with a placeholder for a number: `data/board-%04d.txt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePattern {
    before: String,
    /// The minimum number of digits; shorter numbers are padded with zeros.
    digits: usize,
    after: String,
}

impl FilePattern {
    /// Returns the name of the file with this number.
    pub fn path(&self, number: u64) -> PathBuf {
        let FilePattern { before, digits, after } = self;
        PathBuf::from(format!("{before}{number:0digits$}{after}"))
    }
}

impl FromStr for FilePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<FilePattern, String> {
        let wrong = || format!("'{text}' is not a pattern: expected one %d or %04d, and %% for a percent sign");
        // No file name contains this character.
        const PERCENT_SIGN: &str = "\0";
        let text = text.replace("%%", PERCENT_SIGN);
        let (before, after) = text.split_once('%').ok_or_else(wrong)?;
        let (digits, after) = after.split_once('d').filter(|(_, after)| !after.contains('%')).ok_or_else(wrong)?;
        let digits = match digits.strip_prefix('0') {
            _ if digits.is_empty() => 1,
            Some(width) => width.parse().ok().filter(|width| (1..=19).contains(width)).ok_or_else(wrong)?,
            None => return Err(wrong()),
        };
        let [before, after] = [before, after].map(|part| part.replace(PERCENT_SIGN, "%"));
        Ok(FilePattern { before, digits, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_replace_the_placeholder() {
        let named = |pattern: &str, number| pattern.parse::<FilePattern>().unwrap().path(number);
        assert_eq!(named("a/board-%04d.txt", 7), PathBuf::from("a/board-0007.txt"));
        assert_eq!(named("%d", 12_345), PathBuf::from("12345"));
        assert_eq!(named("100%%-%02d%%.in", 123), PathBuf::from("100%-123%.in"));
        for wrong in ["", "board.txt", "%", "%s", "%4d", "%0d", "%00d", "%d-%d", "%020d"] {
            assert!(wrong.parse::<FilePattern>().is_err(), "{wrong}");
        }
    }
}
