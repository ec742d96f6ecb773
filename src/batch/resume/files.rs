//! The files of a run that can be resumed. The output is an open file that must stay reachable by
//! its name. Each file next to it contains one JSON value and its checksum, and is replaced
//! atomically.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::system::Checksum;

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
    /// If the name does not refer to the file, or this cannot be determined.
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

/// A file next to an output, such as its checkpoint, that is replaced atomically.
#[derive(Clone, Debug)]
pub struct CompanionFile {
    path: PathBuf,
    /// The temporary file with the new content, before it replaces the old one.
    new: PathBuf,
}

impl CompanionFile {
    /// Returns the companion file of an output. Its name is the output's with a suffix.
    pub fn of(output: &Path, suffix: &str) -> CompanionFile {
        let with_suffix = |suffix: &str| {
            let mut name = OsString::from(output);
            name.push(suffix);
            PathBuf::from(name)
        };
        CompanionFile { path: with_suffix(suffix), new: with_suffix(&format!("{suffix}.new")) }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the paths of the file and of its temporary file.
    pub fn files(&self) -> [&Path; 2] {
        [&self.path, &self.new]
    }

    /// Replaces the content of the file. The new content is durable on return.
    ///
    /// # Errors
    /// If the content cannot be replaced, or the new content cannot be made durable. Then the file
    /// contains either the whole old content or the whole new content.
    pub fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(&self.new)?;
        file.write_all(bytes)?;
        // Without this, a power failure could leave an incomplete file.
        file.sync_all()?;
        fs::rename(&self.new, &self.path)?;
        self.sync_folder()
    }

    /// Removes the file and its temporary file, if there are any. The removal is durable on return.
    ///
    /// # Errors
    /// If a file cannot be removed, or the removal cannot be made durable.
    pub fn remove(&self) -> io::Result<()> {
        CompanionFile::remove_all(&[self])
    }

    /// Removes several files of the same output, as [`CompanionFile::remove`] does. A file that
    /// cannot be removed does not prevent the removal of the others.
    ///
    /// # Errors
    /// The first failure.
    pub fn remove_all(files: &[&CompanionFile]) -> io::Result<()> {
        let (mut removed, mut result) = (None, Ok(()));
        for file in files {
            for path in file.files() {
                match fs::remove_file(path) {
                    Ok(()) => removed = Some(file),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => result = result.and(Err(error)),
                }
            }
        }
        // All files are in the same folder.
        result.and(removed.map_or(Ok(()), |file| file.sync_folder()))
    }

    /// Makes the creation, renaming and removal of files durable.
    #[cfg(unix)]
    fn sync_folder(&self) -> io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Does nothing, because other systems cannot sync a folder. A crash of the machine may restore
    /// the old file.
    #[cfg(not(unix))]
    fn sync_folder(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Encodes a value: a line with a title and the checksum of the rest, and a line of JSON.
pub fn encode_with_checksum(title: &str, value: &impl Serialize) -> Vec<u8> {
    // Serialisation cannot fail, because all keys are strings.
    let body = serde_json::to_string(value).unwrap_or_default() + "\n";
    (first_line(title, body.as_bytes()) + &body).into_bytes()
}

/// Decodes the output of [`encode_with_checksum`] with the same title. Returns `None` if the bytes
/// are anything else.
pub fn decode_with_checksum<T: DeserializeOwned>(title: &str, bytes: &[u8]) -> Option<T> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (found, body) = bytes.split_at(end + 1);
    (found == first_line(title, body).as_bytes()).then(|| serde_json::from_slice(body).ok())?
}

fn first_line(title: &str, body: &[u8]) -> String {
    format!("{title} {:016x}\n", Checksum::of(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = CompanionFile::of(&folder.path().join("results"), ".kept");
        file.remove().unwrap();
        for text in ["one", "two"] {
            file.replace(text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(folder.path().join("results.kept")).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // The remains of an interrupted write are also removed.
        fs::write(folder.path().join("results.kept.new"), "half").unwrap();
        file.remove().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn every_changed_byte_is_detected() {
        let value = vec!["a".to_string(), "b".to_string()];
        let bytes = encode_with_checksum("title 1", &value);
        assert!(bytes.starts_with(b"title 1 ") && bytes.ends_with(b"\n[\"a\",\"b\"]\n"));
        assert_eq!(decode_with_checksum("title 1", &bytes), Some(value.clone()));
        assert_eq!(decode_with_checksum::<Vec<String>>("title 2", &bytes), None);
        for at in 0..bytes.len() {
            assert_eq!(decode_with_checksum::<Vec<String>>("title 1", &bytes[..at]), None);
            for byte in 0..=255 {
                let mut damaged = bytes.clone();
                damaged[at] = byte;
                let expected = (byte == bytes[at]).then_some(&value);
                assert_eq!(decode_with_checksum("title 1", &damaged).as_ref(), expected, "byte {at} as {byte}");
            }
        }
        for more in [" ", "\n", "x"] {
            assert_eq!(decode_with_checksum::<Vec<String>>("title 1", &[&bytes, more.as_bytes()].concat()), None);
        }
    }
}
