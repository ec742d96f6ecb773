//! Files that are whole or not there: written beside their place, and put there when they are done.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under way. Dropped before its time it is gone, and what was in its place is as it was.
pub(super) struct WholeFile {
    to: PathBuf,
    /// Taken when it is done.
    part: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins a file that will be at `to`.
    ///
    /// # Errors
    /// When it cannot be written there.
    pub fn create(to: &Path) -> io::Result<WholeFile> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(part_of(to))?;
        Ok(WholeFile { to: to.to_path_buf(), part: Some(BufWriter::new(file)) })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// When not all of it could be written, or it cannot be moved there.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(part) = self.part.take() else { return Ok(()) };
        let done = part.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| file.sync_all());
        let done = done.and_then(|()| fs::rename(part_of(&self.to), &self.to));
        if done.is_err() {
            let _ = fs::remove_file(part_of(&self.to));
        }
        done
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.as_mut().map_or(Ok(0), |part| part.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.part.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if self.part.take().is_some() {
            let _ = fs::remove_file(part_of(&self.to));
        }
    }
}

/// What to do with a file that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Present {
    /// Leave it alone.
    Keep,
    /// Write over it.
    Overwrite,
}

impl Present {
    pub fn forced(force: bool) -> Present {
        if force { Present::Overwrite } else { Present::Keep }
    }
}

/// Whether a file may be written, before the work that it is for is done.
///
/// # Errors
/// A sentence for people.
pub(super) fn may_write(path: &Path, present: Present) -> Result<(), String> {
    let name = path.display();
    let found = fs::metadata(path);
    match (&found, present) {
        (Ok(found), _) if found.is_dir() => Err(format!("{name} is a folder: name a file")),
        (Ok(found), Present::Keep) if found.is_file() && found.len() > 0 => {
            Err(format!("{name} is there already; --force overwrites it"))
        }
        _ => match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) if !folder.is_dir() => Err(format!("cannot write to {name}: there is no such folder")),
            _ => Ok(()),
        },
    }
}

/// Writes a file. What is not whole is not kept; special files, such as `/dev/null`, are written to as they are.
///
/// # Errors
/// A sentence for people; then what was there before is there still.
pub(super) fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
    let written = if special { fs::write(path, text) } else { whole(path, text) };
    written.map_err(|error| format!("cannot write to {}: {error}", path.display()))
}

fn whole(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(text)?;
    file.finish()
}

/// Where a file is written before it is whole.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
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
}
