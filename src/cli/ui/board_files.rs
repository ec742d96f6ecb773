//! Where boards are written that were made: to standard output, to one file, or each to a file of its own.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::file_pattern::FilePattern;
use super::whole_file::{self, Present, WholeFile};
use super::written::{self, Written};

/// Where boards are written.
pub enum BoardFiles {
    Terminal(BufWriter<io::Stdout>),
    /// What is not whole is not kept, and what was there before is.
    One(PathBuf, WholeFile),
    /// A file for each; how many there are already.
    Each(FilePattern, u64),
}

/// The names of what is written.
pub struct Names<'a> {
    /// One file of boards.
    pub output: Option<&'a Path>,
    /// One for each board.
    pub files: Option<&'a FilePattern>,
    /// One file of answers, or the name of many.
    pub answers: Option<&'a Path>,
}

impl Names<'_> {
    /// The names of the answers where there are many.
    ///
    /// # Errors
    /// A sentence for people.
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

    /// Begins to write, if nothing is overwritten that is not to be.
    ///
    /// # Errors
    /// A sentence for people.
    pub fn open(&self, count: u64, present: Present) -> Result<BoardFiles, String> {
        if let Some(files) = self.files {
            let answers = self.answer_files()?;
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
        written::check(&[], &written)?;
        let Some(path) = self.output else { return Ok(BoardFiles::Terminal(BufWriter::new(io::stdout()))) };
        for path in self.answers.into_iter().chain(self.output) {
            whole_file::may_write(path, present)?;
        }
        let file = WholeFile::create(path).map_err(|error| format!("cannot write to {}: {error}", path.display()))?;
        Ok(BoardFiles::One(path.into(), file))
    }
}

impl BoardFiles {
    /// Where a file is until it is finished.
    pub fn temporary_path(&self) -> Option<&Path> {
        match self {
            BoardFiles::Terminal(_) | BoardFiles::Each(..) => None,
            BoardFiles::One(_, file) => file.temporary_path(),
        }
    }

    /// Whether each board has a file of its own, head included.
    pub fn are_many(&self) -> bool {
        matches!(self, BoardFiles::Each(..))
    }

    /// Writes a board, or where each has a file of its own that file.
    ///
    /// # Errors
    /// When it cannot be written, with the name of the file.
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

    /// Ends with what has not been written.
    ///
    /// # Errors
    /// When it cannot be written, with the name of the file.
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

/// The error of writing a file, with the file's name.
fn with_name(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
