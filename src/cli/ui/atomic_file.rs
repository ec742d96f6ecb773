//! Atomic files. The text is written to a temporary file in the folder of the target. When the
//! temporary file is complete and on disk, it replaces the target. Standard output and special
//! files are written directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::status::{Stop, standard_output};
use crate::system::missing_path;

/// A file that is being written. If it is dropped before [`AtomicFile::finish`], the temporary file
/// is removed and the target is unchanged.
pub struct AtomicFile {
    out: BufWriter<File>,
    /// The file's name in messages.
    name: String,
    /// The temporary path and the target path. `None` for standard output and for a special file,
    /// such as `/dev/null` or a pipe.
    paths: Option<(TempPath, PathBuf)>,
}

impl AtomicFile {
    /// Opens a file that will replace `to` or, if `to` is a link, its target. `None` is standard
    /// output.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn open(to: Option<&Path>) -> Result<AtomicFile, Stop> {
        let name = to.map_or("standard output".into(), |path| path.display().to_string());
        let opened = match to {
            None => standard_output().map(|file| (file, None)),
            Some(to) if is_special(to) => OpenOptions::new().write(true).open(to).map(|file| (file, None)),
            Some(to) => temporary(to).map(|(file, paths)| (file, Some(paths))),
        };
        match opened {
            Ok((file, paths)) => Ok(AtomicFile { out: BufWriter::with_capacity(1 << 16, file), name, paths }),
            Err(error) => Err(Stop::writing(&name, &error)),
        }
    }

    /// Returns the path of the temporary file, if there is one. Code that exits the process must
    /// remove this file, because `exit` drops no values.
    pub fn temporary_path(&self) -> Option<&Path> {
        self.paths.as_ref().map(|(temporary, _)| &**temporary)
    }

    /// Appends text.
    ///
    /// # Errors
    /// When the text cannot be written.
    pub fn write(&mut self, text: &[u8]) -> Result<(), Stop> {
        self.out.write_all(text).map_err(|error| Stop::writing(&self.name, &error))
    }

    /// Writes the rest of the file and moves it to its target.
    ///
    /// # Errors
    /// When the file could not be written completely or cannot be moved.
    pub fn finish(self) -> Result<(), Stop> {
        let AtomicFile { mut out, name, paths } = self;
        let finished = out.flush().and_then(|()| match paths {
            None => Ok(()),
            Some((temporary, to)) => {
                out.get_ref().sync_all()?;
                // Some systems cannot move an open file.
                drop(out);
                temporary.persist(to).map_err(|failed| failed.error)
            }
        });
        finished.map_err(|error| Stop::writing(&name, &error))
    }
}

/// Returns true if a path leads to something other than a regular file.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// Creates a temporary file next to `to` or, if `to` is a link, next to its target. Returns the
/// file, its path and the target. The file gets the permissions of any new file; by default,
/// `tempfile` would make it readable by its owner only.
fn temporary(to: &Path) -> io::Result<(File, (TempPath, PathBuf))> {
    // Resolve the links of a path that exists.
    let to = fs::canonicalize(to).unwrap_or_else(|_| to.to_path_buf());
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut prefix = to.file_name().unwrap_or_default().to_os_string();
    prefix.push(".");
    let temporary: io::Result<NamedTempFile<File>> = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".part")
        .make_in(folder, |path| OpenOptions::new().write(true).create_new(true).open(path));
    let (file, temporary) = temporary.map_err(|error| missing_path::explained(&to, error))?.into_parts();
    Ok((file, (temporary, to)))
}

/// Rejects a regular file that is not empty, unless `force` is set, a folder, and a file in a
/// folder that does not exist. Creates nothing. Without a path, there is nothing to check.
///
/// # Errors
/// A message for the user.
pub fn check_overwriting(path: Option<&Path>, force: bool) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    let name = path.display();
    let found = fs::metadata(path);
    match &found {
        Ok(found) if found.is_dir() => Err(format!("{name} is a folder: name a file")),
        Ok(found) if !force && found.is_file() && found.len() > 0 => {
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
/// When the file cannot be written. An existing regular file is then unchanged.
pub fn write(path: &Path, text: &[u8]) -> Result<(), Stop> {
    let mut file = AtomicFile::open(Some(path))?;
    file.write(text)?;
    file.finish()
}

/// Creates a folder and its missing parents.
///
/// # Errors
/// A message for the user.
pub fn create_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))
}

/// Checks that a file can be created, by creating and removing a temporary file next to it. An
/// existing file is unchanged.
///
/// # Errors
/// When the file cannot be created.
pub fn check_creation(path: &Path) -> Result<(), Stop> {
    let is_folder = fs::metadata(path).is_ok_and(|found| found.is_dir());
    // Opening a pipe may block until the pipe has a reader, and closing the pipe would end the
    // reader's input.
    if is_special(path) && !is_folder { Ok(()) } else { AtomicFile::open(Some(path)).map(drop) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_complete_or_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xml");
        fs::write(&path, "before").unwrap();
        let mut file = AtomicFile::open(Some(&path)).unwrap();
        file.write(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        let mut file = AtomicFile::open(Some(&path)).unwrap();
        file.write(b"whole").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(AtomicFile::open(Some(&folder.path().join("no/such/a.xml"))).is_err());
    }

    #[test]
    fn a_check_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        check_creation(&folder.path().join("a")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(check_creation(folder.path()).is_err());
        assert!(check_creation(&folder.path().join("no/such")).is_err());
    }

    /// An atomic file has the same permissions as any new file.
    #[test]
    fn permissions_are_those_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [atomic, plain] = ["atomic", "plain"].map(|name| folder.path().join(name));
        write(&atomic, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let [atomic, plain] = [atomic, plain].map(|path| fs::metadata(path).unwrap().permissions().mode());
        assert_eq!(atomic, plain);
    }

    /// Links and special files are kept.
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
