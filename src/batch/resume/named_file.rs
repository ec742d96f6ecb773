//! A file that must stay where its name leads to.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file and the name that it should have: when it is removed, renamed or replaced, others will not find under that name
/// what was written.
#[derive(Debug)]
pub struct NamedFile {
    file: File,
    path: PathBuf,
}

impl NamedFile {
    /// A file that was opened by this name.
    pub fn new(file: File, path: &Path) -> NamedFile {
        NamedFile { file, path: path.to_path_buf() }
    }

    /// Whether the name still leads to the file.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(&self) -> io::Result<()> {
        let named = fs::metadata(&self.path).map_err(|error| with_path(&self.path, &error))?;
        if same_file(&named, &self.file.metadata()?) {
            return Ok(());
        }
        let moved = io::Error::new(io::ErrorKind::NotFound, "it was replaced by another file while it was written");
        Err(with_path(&self.path, &moved))
    }

    /// Makes what was written durable, and makes sure that it will be found under the name.
    ///
    /// # Errors
    /// When it will not.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data().map_err(|error| with_path(&self.path, &error))?;
        self.check()
    }
}

/// Whether two files are one.
#[cfg(unix)]
pub fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Other systems cannot be asked; there this is not checked.
#[cfg(not(unix))]
pub fn same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// The same error with the name of the file.
pub fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
