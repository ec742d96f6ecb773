//! The output of generated boards: standard output, one file, or one file per board.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::file_pattern::FilePattern;
use super::whole_file::{self, Present, WholeFile};
use super::written::{self, Written};
use crate::format::input::Input;

/// The destination of generated boards.
pub enum BoardFiles {
    Terminal(BufWriter<io::Stdout>),
    /// One file. An incomplete file is removed, and an existing file is left unchanged.
    One(PathBuf, WholeFile),
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
    /// An error message for people.
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

    /// Opens the output, unless a file exists that must be kept or was read. Folders of single
    /// boards and of answers are created.
    ///
    /// # Errors
    /// An error message for people.
    pub fn open(&self, inputs: &[Input], count: u64, present: Present) -> Result<BoardFiles, String> {
        if let Some(files) = self.files {
            let answers = self.answer_files()?;
            create_folders([Some(files), answers.as_ref()], count)?;
            for pattern in [Some(files), answers.as_ref()].into_iter().flatten() {
                (1..=count).try_for_each(|number| whole_file::may_write(&pattern.path(number), present))?;
            }
            let mut names = (1..=count).filter_map(|number| answers.as_ref().map(|answers| answers.path(number)));
            if let Some(both) = names.find(|name| files.number(name).is_some_and(|number| number <= count)) {
                return Err(format!("--files and --answers both name {}: use two patterns", both.display()));
            }
            return Ok(BoardFiles::Each(files.clone(), 0));
        }
        let written = [Written::file("--output", self.output), Written::file("--answers", self.answers)];
        written::check(inputs, &written)?;
        let Some(path) = self.output else { return Ok(BoardFiles::Terminal(BufWriter::new(io::stdout()))) };
        if let Some(folder) = self.answers.and_then(Path::parent) {
            create_folder(folder)?;
        }
        for path in self.answers.into_iter().chain(self.output) {
            whole_file::may_write(path, present)?;
        }
        let file = WholeFile::create(path).map_err(|error| format!("cannot write to {}: {error}", path.display()))?;
        Ok(BoardFiles::One(path.into(), file))
    }
}

/// Creates the folders of the first `count` files.
fn create_folders(patterns: [Option<&FilePattern>; 2], count: u64) -> Result<(), String> {
    for pattern in patterns.into_iter().flatten() {
        let mut last = PathBuf::new();
        for number in 1..=count {
            let path = pattern.path(number);
            let Some(folder) = path.parent().filter(|folder| *folder != last) else { continue };
            create_folder(folder)?;
            last = folder.into();
        }
    }
    Ok(())
}

fn create_folder(folder: &Path) -> Result<(), String> {
    match folder.as_os_str().is_empty() {
        true => Ok(()),
        false => fs::create_dir_all(folder)
            .map_err(|error| format!("cannot create the folder {}: {error}", folder.display())),
    }
}

impl BoardFiles {
    /// Returns the path of the temporary file, if there is one.
    pub fn temporary_path(&self) -> Option<&Path> {
        match self {
            BoardFiles::Terminal(_) | BoardFiles::Each(..) => None,
            BoardFiles::One(_, file) => file.temporary_path(),
        }
    }

    /// Returns true if each board has its own file, including the head.
    pub fn are_many(&self) -> bool {
        matches!(self, BoardFiles::Each(..))
    }

    /// Writes a board, to its own file if each board has one.
    ///
    /// # Errors
    /// An I/O error that names the file.
    pub fn write(&mut self, text: &[u8]) -> io::Result<()> {
        match self {
            BoardFiles::Terminal(out) => out.write_all(text),
            BoardFiles::One(path, file) => file.write_all(text).map_err(|error| with_name(path, &error)),
            BoardFiles::Each(pattern, written) => {
                *written += 1;
                let path: PathBuf = pattern.path(*written);
                let whole = || {
                    let mut file = WholeFile::create(&path)?;
                    file.write_all(text)?;
                    file.finish()
                };
                whole().map_err(|error| with_name(&path, &error))
            }
        }
    }

    /// Writes the remaining text and finishes the file.
    ///
    /// # Errors
    /// An I/O error that names the file.
    pub fn finish(self, text: &[u8]) -> io::Result<()> {
        match self {
            BoardFiles::Terminal(mut out) => out.write_all(text).and_then(|()| out.flush()),
            BoardFiles::One(path, mut file) => {
                file.write_all(text).and_then(|()| file.finish()).map_err(|error| with_name(&path, &error))
            }
            BoardFiles::Each(..) => Ok(()),
        }
    }
}

/// Adds the file's name to an error.
fn with_name(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
