//! Files that are whole or not there: written beside their place, and put there when they are done.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under way. Dropped before its time it is gone, and what was in its place is as it was.
pub(super) struct WholeFile {
    /// Where it will be, and where it is meanwhile; nothing for what is no regular file, such as `/dev/null` or a pipe, which
    /// is written to as it is.
    place: Option<(PathBuf, PathBuf)>,
    /// Taken when it is done.
    out: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins a file that will be at `to`, or where that links to.
    ///
    /// # Errors
    /// When it cannot be written there.
    pub fn create(to: &Path) -> io::Result<WholeFile> {
        if fs::metadata(to).is_ok_and(|found| !found.is_file()) {
            let out = OpenOptions::new().write(true).open(to)?;
            return Ok(WholeFile { place: None, out: Some(BufWriter::new(out)) });
        }
        let part = part_of(to);
        let out = OpenOptions::new().write(true).create_new(true).open(&part)?;
        Ok(WholeFile { place: Some((followed(to), part)), out: Some(BufWriter::new(out)) })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// When not all of it could be written, or it cannot be moved there.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(out) = self.out.take() else { return Ok(()) };
        let file = out.into_inner().map_err(io::IntoInnerError::into_error);
        let Some((to, part)) = &self.place else { return file.map(drop) };
        let done = file.and_then(|file| file.sync_all()).and_then(|()| fs::rename(part, to));
        if done.is_err() {
            let _ = fs::remove_file(part);
        }
        done
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let (Some(_), Some((_, part))) = (self.out.take(), &self.place) {
            let _ = fs::remove_file(part);
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
    let whole = || -> io::Result<()> {
        let mut file = WholeFile::create(path)?;
        file.write_all(text)?;
        file.finish()
    };
    whole().map_err(|error| format!("cannot write to {}: {error}", path.display()))
}

/// A path without links, as far as it is there.
fn followed(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Where this process writes a file before it is whole.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut name = followed(path).into_os_string();
    name.push(format!(".{}.part", std::process::id()));
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

    /// A link stays one, and so does what is no regular file.
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
