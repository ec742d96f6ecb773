//! An open file that must stay reachable by its name.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// An open file and its name. If the file is removed, renamed or replaced, what was written cannot
/// be found under this name.
#[derive(Debug)]
pub struct NamedFile {
    file: File,
    path: PathBuf,
}

impl NamedFile {
    /// Creates a named file from a file that was opened at this path.
    pub fn new(file: File, path: &Path) -> NamedFile {
        NamedFile { file, path: path.to_path_buf() }
    }

    /// Checks that the name still refers to the file.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self) -> io::Result<()> {
        let named = fs::metadata(&self.path).map_err(|error| with_path(&self.path, &error))?;
        if same_file(&named, &self.file.metadata()?) {
            return Ok(());
        }
        let replaced = "it was replaced by another file while it was being written";
        Err(with_path(&self.path, &io::Error::new(io::ErrorKind::NotFound, replaced)))
    }

    /// Makes the written data durable, and checks that it can be found under the name.
    ///
    /// # Errors
    /// If the sync fails, or the name does not refer to the file.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data().map_err(|error| with_path(&self.path, &error))?;
        self.check()
    }
}

/// Returns true if both are the metadata of the same file.
#[cfg(unix)]
pub fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Returns true, because other systems do not report the identity of a file.
#[cfg(not(unix))]
pub fn same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Adds the path to an error.
pub fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
