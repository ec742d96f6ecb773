//! A file whose name must keep referring to it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file and its expected name. If the file is removed, renamed or replaced, others do not find
/// under that name what was written.
#[derive(Debug)]
pub struct NamedFile {
    file: File,
    path: PathBuf,
}

impl NamedFile {
    /// Creates it from a file that was opened under this name.
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
        let moved = io::Error::new(io::ErrorKind::NotFound, "it was replaced by another file while it was written");
        Err(with_path(&self.path, &moved))
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

/// Returns true if the metadata is that of one file.
#[cfg(unix)]
pub fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Other systems do not report this, so it is not checked.
#[cfg(not(unix))]
pub fn same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Adds the name of the file to an error.
pub fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
