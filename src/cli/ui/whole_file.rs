//! Atomic files: written to a temporary file in the same folder, which replaces the target when it
//! is complete and on disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::system::missing_path;

/// A file that is being written. If dropped before [`WholeFile::finish`], it is removed and the
/// target is unchanged.
pub struct WholeFile {
    out: BufWriter<File>,
    /// The temporary path and the target path. `None` for a special file, such as `/dev/null` or a
    /// pipe, which is written directly.
    place: Option<(TempPath, PathBuf)>,
}

impl WholeFile {
    /// Starts a file that will replace `to`, or the target of that link.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(to: &Path) -> io::Result<WholeFile> {
        if is_special(to) {
            let out = OpenOptions::new().write(true).open(to)?;
            return Ok(WholeFile { out: BufWriter::new(out), place: None });
        }
        // Resolve links as far as the path exists.
        let to = fs::canonicalize(to).unwrap_or_else(|_| to.to_path_buf());
        let temporary = temporary_beside(&to).map_err(|error| missing_path::explained(&to, error))?;
        let (file, temporary) = temporary.into_parts();
        Ok(WholeFile { out: BufWriter::new(file), place: Some((temporary, to)) })
    }

    /// Returns the temporary path. Code that exits the process must remove it, because `exit` drops
    /// no values.
    pub fn temporary_path(&self) -> Option<&Path> {
        self.place.as_ref().map(|(temporary, _)| &**temporary)
    }

    /// Moves the file to its target.
    ///
    /// # Errors
    /// When the file could not be written completely or cannot be moved.
    pub fn finish(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Some((temporary, to)) = self.place else { return Ok(()) };
        file.sync_all()?;
        // Some systems cannot move an open file.
        drop(file);
        temporary.persist(to).map_err(|failed| failed.error)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns true if a path leads to a special file.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// Creates a temporary file next to `to`. It gets the permissions of any new file, because it
/// becomes one; `tempfile`'s default would make it readable by its owner only.
fn temporary_beside(to: &Path) -> io::Result<NamedTempFile<File>> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut prefix = to.file_name().unwrap_or_default().to_os_string();
    prefix.push(".");
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".part")
        .make_in(folder, |path| OpenOptions::new().write(true).create_new(true).open(path))
}

/// The treatment of an existing file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Present {
    /// Keep it and fail.
    Keep,
    /// Overwrite it.
    Overwrite,
}

impl Present {
    pub fn forced(force: bool) -> Present {
        if force { Present::Overwrite } else { Present::Keep }
    }
}

/// Checks that a file may be written, before the work starts.
///
/// # Errors
/// An error message for people.
pub fn may_write(path: &Path, present: Present) -> Result<(), String> {
    let name = path.display();
    let found = fs::metadata(path);
    match (&found, present) {
        (Ok(found), _) if found.is_dir() => Err(format!("{name} is a folder: name a file")),
        (Ok(found), Present::Keep) if found.is_file() && found.len() > 0 => {
            Err(format!("{name} already exists: use --force to overwrite it"))
        }
        _ => match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) if !folder.is_dir() => {
                let error = missing_path::explained(path, io::ErrorKind::NotFound.into());
                Err(format!("cannot write to {name}: {error}"))
            }
            _ => Ok(()),
        },
    }
}

/// Writes a file atomically. Special files, such as `/dev/null`, are written directly.
///
/// # Errors
/// An error message for people. The existing file is then unchanged.
pub fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    let whole = || -> io::Result<()> {
        let mut file = WholeFile::create(path)?;
        file.write_all(text)?;
        file.finish()
    };
    whole().map_err(|error| format!("cannot write to {}: {error}", path.display()))
}

/// Checks that a file can be created, before the work starts. An existing file is unchanged.
///
/// # Errors
/// When it cannot.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let is_folder = fs::metadata(path).is_ok_and(|found| found.is_dir());
    // Opening a pipe may block until it has a reader, and closing it would end the reader's input.
    if is_special(path) && !is_folder { Ok(()) } else { WholeFile::create(path).map(drop) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xml");
        fs::write(&path, "before").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"whole").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(WholeFile::create(&folder.path().join("no/such/a.xml")).is_err());
    }

    #[test]
    fn a_check_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        check_writable(&folder.path().join("a")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(check_writable(folder.path()).is_err());
        assert!(check_writable(&folder.path().join("no/such")).is_err());
    }

    /// An atomic file has the same permissions as any new file.
    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [whole, plain] = ["whole", "plain"].map(|name| folder.path().join(name));
        write(&whole, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let [whole, plain] = [whole, plain].map(|path| fs::metadata(path).unwrap().permissions().mode());
        assert_eq!(whole, plain);
    }

    /// Links and special files are kept.
    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_special_files_are_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        fs::write(&path, "before").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, b"whole").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write(Path::new("/dev/null"), b"whole").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
