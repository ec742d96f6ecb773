//! The output of generated boards: standard output, one file, or one file per board.

use std::path::{Path, PathBuf};

use super::Stop;
use super::atomic_file::{self, AtomicFile};
use super::file_pattern::FilePattern;
use super::output_conflicts::{self, Target};
use crate::format::input::Input;

/// The destination of generated boards.
pub enum BoardFiles {
    /// One file, or standard output.
    One(AtomicFile),
    /// One file per board, and the number of files written so far.
    Each(FilePattern, u64),
}

/// The names of the output files.
pub struct Names<'a> {
    /// The file for all boards.
    pub output: Option<&'a Path>,
    /// The pattern of the files for single boards.
    pub files: Option<&'a FilePattern>,
    /// The file of answers, or the pattern of the files of answers.
    pub answers: Option<&'a Path>,
}

impl Names<'_> {
    /// Returns the pattern of the answer files, if each board has its own.
    ///
    /// # Errors
    /// A message for the user.
    pub fn answer_files(&self) -> Result<Option<FilePattern>, String> {
        match (self.files, self.answers) {
            (Some(files), Some(answers)) => match answers.to_string_lossy().parse::<FilePattern>()? {
                pattern if pattern == *files => {
                    Err("--files and --answers name the same files: use two patterns".into())
                }
                pattern => Ok(Some(pattern)),
            },
            _ => Ok(None),
        }
    }

    /// Opens the output, unless it would replace an input or a file that must be kept. Creates
    /// missing folders, except the folder of `output`.
    ///
    /// # Errors
    /// When a file cannot or must not be written.
    pub fn open(&self, inputs: &[Input], count: u64, force: bool) -> Result<BoardFiles, Stop> {
        if let Some(files) = self.files {
            let answers = self.answer_files()?;
            for pattern in [Some(files), answers.as_ref()].into_iter().flatten() {
                let mut last = PathBuf::new();
                for path in (1..=count).map(|number| pattern.path(number)) {
                    if let Some(folder) = path.parent().filter(|folder| *folder != last) {
                        atomic_file::create_folder(folder)?;
                        last = folder.into();
                    }
                    atomic_file::may_write(&path, force)?;
                    if force && path.exists() {
                        output_conflicts::check(inputs, &[Target::File("--files", Some(&path))])?;
                    }
                }
            }
            let mut names = (1..=count).filter_map(|number| answers.as_ref().map(|answers| answers.path(number)));
            if let Some(shared) = names.find(|name| files.number(name).is_some_and(|number| number <= count)) {
                return Err(format!("--files and --answers both name {}: use two patterns", shared.display()).into());
            }
            return Ok(BoardFiles::Each(files.clone(), 0));
        }
        let targets = [Target::File("--output", self.output), Target::File("--answers", self.answers)];
        output_conflicts::check(inputs, &targets)?;
        if let Some(folder) = self.answers.and_then(Path::parent) {
            atomic_file::create_folder(folder)?;
        }
        for path in self.answers.into_iter().chain(self.output) {
            atomic_file::may_write(path, force)?;
        }
        Ok(BoardFiles::One(AtomicFile::open(self.output)?))
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

    /// Returns true if each board has its own file, which begins with its own head.
    pub fn has_one_per_board(&self) -> bool {
        matches!(self, BoardFiles::Each(..))
    }

    /// Appends text to the file of all boards or, if each board has its own file, writes the text
    /// of the next board to a new file.
    ///
    /// # Errors
    /// When it cannot be written.
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
